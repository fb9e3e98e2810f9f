/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_words.c - words and options of uftrace, perf and strace, and eztsh's commands for the same
 * tasks (gdb_words.h). A command in quotes is one of this shell; a test looks each of them up.
 * Tests: tests/unit/shell/check_dispatch.c, tests/unit/shell/check_opt.c */
#include "shell/gdb_words.h"

#include <string.h>

#include "shell/sess.h"

#define STATS "\"stats FILE\" prints the times of each function"
#define SORTED "\"stats -sort self FILE\" prints the table in that order"
#define GRAPH "\"stats -graph FILE\" prints callers and callees"
#define PAGE "\"report FILE\" writes a page with timeline, table and flame graph"
#define BOTH "\"stats FILE\" of both traces prints two tables"
#define DIFF "\"diff A.fxt B.fxt\" compares two traces"
#define TOP "\"top PID\" refreshes the table while the process runs"
#define REPLAY "\"replay FILE\" shows each call"
#define CALLS "\"graph FILE\" shows who calls whom"
#define BY_GDB "Use gdb for that: type \"detach\", then run gdb -p PID"
#define CHROME "\"convert -t chrome FILE\" writes a trace for Perfetto and chrome://tracing"
#define FOLDED "\"convert -t folded FILE\" writes stacks for flamegraph.pl"
#define CSV "\"convert -t csv FILE\" writes each event for a program"
#define EVENTS "\"events 100 FILE\" prints events"
#define RECORD "\"record PROG ARGS\" records a run; then " STATS
#define ATTACH "\"attach PID\" attaches to a process"
#define FORKS "\"set follow-fork-mode all\" traces child processes, too"
#define CHOOSE "\"record -F REGEX PROG\" and \"probe -r REGEX\" choose functions"
#define FEWER "\"delete N\" removes a probe; \"score\" says which functions to leave out"
#define ARGUMENTS "\"probe FUNCTION collect $args return $ret\" records arguments and results"
#define DEPTH "\"probe -maxdepth N -r .\" records no deeper calls"
#define SHORT "\"probe -min-time 10us -r .\" records no shorter calls"
#define TRIGGER "\"probe FUNCTION do trace start\" acts at a call"
#define SYSTEM "\"record -F 'libc:^(open|read|write)$' PROG\" records the calls into libc"
#define OUTPUT "\"record -o FILE PROG\" and \"trace start FILE\" name the trace"
#define THREADS "\"stats -by thread,function FILE\" has a row for each thread"
#define SOURCE "\"info line FUNCTION\" and \"list FUNCTION\" show the source"
#define RANGE "\"stats -from 1s -to 2s FILE\" reads a part of the trace"
#define NAMED "Name the file: \"stats FILE\""
#define LIVE "\"stats -live\" refreshes the table while the program runs"
#define SCREEN "\"top\" shows the functions of the running program on the full screen"
#define COUNTS "\"probe -count -r .\" counts calls, \"info probes\" shows the counts"
#define LOCKS "\"record -m pthread PROG\" records locks"
#define SCRIPTS "\"stats -json\" and \"eztsh --interpreter=json\" are for programs"
#define WHEN "\"timeline FILE\" shows when each thread ran"

/* A word of another tool. */
struct tool_word {
    /* answer to the word; without `instead`, only a word of `more` behind it has an answer */
    struct gdb_word word;
    /* answer in place of `word` if best.name is a command with FRONT (front.h); name NULL = none */
    struct gdb_word best;
    const struct tool_word *more; /* words that may follow, with answers of their own */
};
#define WORD(typed, text)                                                                          \
    {                                                                                              \
        .word = { typed, "", text }                                                                \
    }
#define MORE(typed, text, list)                                                                    \
    {                                                                                              \
        .word = { typed, "", text }, .more = (list)                                                \
    }
/* The answer is best_text if eztsh has a command `own` with FRONT (front.h), else text. */
#define BEST(typed, own, best_text, text)                                                          \
    {                                                                                              \
        .word = { typed, "", text }, .best = { own, "", best_text }                                \
    }
#define END WORD(NULL, NULL)

static const struct tool_word dump_formats[] = {
    WORD("--chrome", CHROME),  WORD("--debug", EVENTS),  WORD("--flame-graph", FOLDED),
    WORD("--graphviz", GRAPH), WORD("--mermaid", GRAPH), END,
};

static const struct tool_word perf_words[] = {
    WORD("annotate", "\"disassemble FUNCTION\" shows code; " STATS),
    BEST("diff", "diff", DIFF, BOTH),
    WORD("ftrace", RECORD),
    WORD("list", "\"info functions REGEX\" lists functions to probe"),
    WORD("lock", LOCKS),
    WORD("mem", "\"record -m memory PROG\" records allocations"),
    WORD("probe", "\"probe FUNCTION\" plants a probe"),
    WORD("record", RECORD),
    WORD("report", STATS ", " PAGE),
    WORD("sched", WHEN),
    WORD("script", EVENTS ", " CSV),
    WORD("stat", COUNTS),
    WORD("timechart", WHEN),
    BEST("top", "top", TOP, LIVE),
    WORD("trace", SYSTEM),
    END,
};

static const struct tool_word uftrace_words[] = {
    MORE("dump", CSV ", " CHROME, dump_formats),
    BEST("graph", "graph", CALLS, GRAPH),
    WORD("info", "\"info trace\" shows the trace, \"info proc\" the process"),
    WORD("live", RECORD),
    WORD("record", RECORD),
    BEST("replay", "replay", REPLAY, EVENTS),
    WORD("report", STATS),
    WORD("script", SCRIPTS),
    WORD("tui", SCREEN ", " PAGE),
    END,
};

static const struct tool_word tui_words[] = {
    /* gdb's words behind "tui" */
    WORD("disable", BY_GDB), WORD("enable", BY_GDB),     WORD("focus", BY_GDB),
    WORD("layout", BY_GDB),  WORD("new-layout", BY_GDB), WORD("refresh", BY_GDB),
    WORD("reg", BY_GDB),     WORD("window", BY_GDB),     END,
};

/* Options that may follow "strace" and "ltrace". */
static const struct tool_word strace_words[] = {
    WORD("-T", STATS ", \"events\" shows the time of each call"),
    WORD("-c", STATS),
    WORD("-e", SYSTEM),
    WORD("-f", FORKS),
    WORD("-o", OUTPUT),
    WORD("-p", ATTACH),
    END,
};

static const struct tool_word tool_words[] = {
    WORD("--chrome", CHROME),
    WORD("--flame-graph", FOLDED),
    WORD("-A", ARGUMENTS),
    WORD("-D", DEPTH),
    WORD("-F", CHOOSE),
    WORD("-N", FEWER),
    WORD("-R", ARGUMENTS),
    WORD("-S", SCRIPTS),
    WORD("-T", STATS ", \"events\" shows the time of each call; " TRIGGER),
    WORD("-a", ARGUMENTS),
    WORD("-c", STATS),
    WORD("-e", SYSTEM),
    WORD("-f", FORKS),
    WORD("-g", GRAPH),
    WORD("-o", OUTPUT),
    WORD("-p", ATTACH),
    WORD("-s", SORTED),
    WORD("-t", SHORT),
    WORD("annotate", "\"disassemble FUNCTION\" shows code; " STATS),
    MORE("dump", NULL, dump_formats),
    WORD("live", RECORD),
    MORE("ltrace", SYSTEM, strace_words),
    MORE("perf", RECORD ", " PAGE, perf_words),
    WORD("script", EVENTS ", " CSV "; " SCRIPTS),
    MORE("strace", SYSTEM, strace_words),
    WORD("timechart", WHEN),
    MORE("tui", SCREEN ", " PAGE, tui_words),
    MORE("uftrace", RECORD ", " EVENTS, uftrace_words),
    END,
};

/* Returns the answer for a word of the tables; NULL = none. */
static const struct gdb_word *tool_answer(const struct tool_word *w)
{
    const struct gdb_word *answer =
        w->best.name && sess_is_front(w->best.name) ? &w->best : &w->word;
    return answer->instead ? answer : NULL;
}

static const struct tool_word *tool_find(const struct tool_word *list, const char *word, size_t len)
{
    for (const struct tool_word *w = list; w && w->word.name; w++)
        if (strlen(w->word.name) == len && !strncmp(w->word.name, word, len))
            return w;
    return NULL;
}

const struct gdb_word *tool_word_named(const char *line, size_t len)
{
    const struct tool_word *w = tool_find(tool_words, line, len), *next = w;
    while (next) {
        w = next;
        line += len + strspn(line + len, " \t");
        len = strcspn(line, " \t=");
        next = tool_find(w->more, line, len);
    }
    return w ? tool_answer(w) : NULL;
}

/* Calls fn for each answer of the list, and of the lists below it. */
static void tool_each_of(const struct tool_word *list, void (*fn)(const struct gdb_word *, void *),
                         void *arg)
{
    for (const struct tool_word *w = list; w && w->word.name; w++) {
        if (w->word.instead)
            fn(&w->word, arg);
        if (w->best.name)
            fn(&w->best, arg);
        tool_each_of(w->more, fn, arg);
    }
}

/* ---- options of commands --------------------------------------------------------------------- */

static const struct tool_word report_options[] = {
    WORD("-F", CHOOSE),
    WORD("-children", SORTED),
    BEST("-diff", "diff", DIFF, BOTH),
    WORD("-f", "\"stats -wide FILE\" prints all columns"),
    WORD("-g", GRAPH),
    WORD("-i", "Name the file: \"report FILE\""),
    WORD("-k", SORTED),
    WORD("-no-children", SORTED),
    WORD("-r", RANGE),
    WORD("-s", SORTED),
    WORD("-sort", SORTED),
    WORD("-srcline", SOURCE),
    WORD("-stdio", STATS),
    WORD("-task", THREADS),
    WORD("-tid", THREADS),
    END,
};

static const struct tool_word stats_options[] = {
    WORD("-S", SORTED),    WORD("-c", STATS),      WORD("-g", GRAPH),     WORD("-i", NAMED),
    WORD("-k", SORTED),    WORD("-r", RANGE),      WORD("-s", SORTED),    WORD("-srcline", SOURCE),
    WORD("-stdio", STATS), WORD("-task", THREADS), WORD("-tid", THREADS), END,
};

static const struct tool_word record_options[] = {
    WORD("-A", ARGUMENTS),
    WORD("-D", DEPTH),
    WORD("-N", FEWER),
    WORD("-P", CHOOSE),
    WORD("-R", ARGUMENTS),
    WORD("-T", TRIGGER),
    WORD("-a", ARGUMENTS),
    WORD("-c", STATS),
    WORD("-call-graph", GRAPH),
    WORD("-d", OUTPUT),
    WORD("-e", SYSTEM),
    WORD("-f", FORKS),
    WORD("-g", GRAPH),
    WORD("-l", SYSTEM),
    WORD("-p", ATTACH),
    WORD("-patch", CHOOSE),
    WORD("-pid", ATTACH),
    WORD("-t", SHORT),
    END,
};

static const struct tool_word convert_options[] = {
    WORD("-chrome", CHROME),
    WORD("-flame-graph", FOLDED),
    WORD("-graphviz", GRAPH),
    WORD("-i", "Name the file: \"convert FILE\""),
    END,
};

/* uftrace's filters, for each command that reads traces. */
#define ONLY "-function REGEX shows only matching functions, -caller REGEX only calls inside them"
#define WITHOUT "-not REGEX omits matching functions"
#define LEVELS "-depth N shows only the N outermost levels"
#define LONGER "-min T shows only calls that took this time or longer"
#define PERIOD "-from T -to T shows only this period"
#define CALLEES "-callee REGEX shows only calls inside which a matching function was called"
#define TASKS "-thread LIST shows only these threads"
static const struct tool_word reading_options[] = {
    WORD("-C", CALLEES),
    WORD("-D", LEVELS),
    WORD("-F", ONLY),
    WORD("-N", WITHOUT),
    WORD("-i", NAMED),
    WORD("-r", PERIOD),
    WORD("-t", LONGER),
    WORD("-task", TASKS),
    WORD("-tid", TASKS),
    WORD("-window", PERIOD),
    END,
};

static const struct tool_word events_options[] = {
    WORD("-n", "\"events 20\" prints the last 20"),
    END,
};

static const struct tool_word top_options[] = {
    WORD("-d", "-every T is the period"),
    WORD("-p", "\"top PID\" shows a process"),
    WORD("-pid", "\"top PID\" shows a process"),
    END,
};

static const struct tool_word attach_options[] = {
    WORD("-p", ATTACH),
    WORD("-pid", ATTACH),
    END,
};

static const struct {
    const char *command;
    const struct tool_word *option;
} tool_options[] = {
    { "attach", attach_options },   { "convert", convert_options },
    { "record", record_options },   { "report", report_options },
    { "stats", stats_options },     { "events", events_options },
    { "top", top_options },         { "calltree", reading_options },
    { "convert", reading_options }, { "events", reading_options },
    { "graph", reading_options },   { "info locks", reading_options },
    { "replay", reading_options },  { "report", reading_options },
    { "stats", reading_options },   { "timeline", reading_options },
    { "top", reading_options },
};

const struct gdb_word *tool_option(const char *command, const char *word)
{
    word += word[1] == '-';
    for (size_t i = 0; i < EZ_ARRAY_LEN(tool_options); i++) {
        const struct tool_word *w =
            strcmp(command, tool_options[i].command)
                ? NULL
                : tool_find(tool_options[i].option, word, strcspn(word, "="));
        if (w)
            return tool_answer(w);
    }
    return NULL;
}

void tool_each(void (*fn)(const struct gdb_word *w, void *arg), void *arg)
{
    tool_each_of(tool_words, fn, arg);
    for (size_t i = 0; i < EZ_ARRAY_LEN(tool_options); i++)
        tool_each_of(tool_options[i].option, fn, arg);
}
