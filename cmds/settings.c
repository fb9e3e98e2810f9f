/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.c - `set` and `show`.
 *
 * One list, `settings`, says all there is to say about a setting (settings_values.c). The `set` and
 * `show` tables are built from it, so that lookup, help and completion treat a
 * setting as any other command. "history save" is `save` in the family `history`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/settings.h"
#include "cmds/table_parts.h"
#include "shell/sess.h"

#define UI(field) offsetof(struct ez_ui, field), false
#define ENGINE(field) offsetof(struct ez_settings, field), true
#define WORDS(...)                                                                                 \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define NO_WORDS WORDS(0)
#define AUTO_ONOFF WORDS("auto", "on", "off")
#define ONOFF WORDS("off", "on")

const struct setting settings[] = {
    { "args", TEXT, UI(args), NO_WORDS, "the arguments that run gives the program",
      "Argument list to give program being debugged when it is started is \"%s\".",
      "-n 10 > out.txt", NULL },
    { "auto-load safe-path", TEXT, UI(safe_path), NO_WORDS, "directories whose .eztshrc is trusted",
      "List of directories from which it is safe to auto-load files is %s.",
      "/home/me/src:/opt/lab", NULL },
    { "background-traced", CHOICE, UI(background_traced), ONOFF,
      "whether continue & leaves the program traced", "Tracing in the background is %s.", "on",
      "on: after \"continue &\" signals, forks, execs and the end's status are told as they "
      "happen,\n"
      "and signals stop the program as in the foreground (\"handle\"). off: it runs untraced, "
      "unless\n"
      "there are breakpoints, or follow-fork-mode is \"offer\"." },
    { "breakpoint pending", PICK, UI(pending), AUTO_ONOFF, "whether breakpoints wait for libraries",
      "Debugger's behavior regarding pending breakpoints is %s.", "on",
      "auto: at the terminal it is asked; else a place that is not there is an error." },
    { "budget", BUDGET, ENGINE(budget), NO_WORDS,
      "how much processor time recording may take, in percent",
      "Recording may take of the program's processor time, in percent: %s.", "5",
      "While recording takes more, the probes with the most hits are throttled: they only count\n"
      "(\"info probes\" says so). They record again when there is room. off: no budget. What a\n"
      "recorded hit costs is measured when the budget is set. Each change is told; the\n"
      "hits meanwhile are filtered in the ledger, and \"stats\" says for how long that was." },
    { "by-hand", CHOICE, UI(by_hand), ONOFF, "whether probe leaves the steps of planting to you",
      "Planting probes by hand is %s.", "on", "\"help hand\" tells of the steps." },
    { "confirm", CHOICE, UI(confirm), ONOFF, "whether to confirm dangerous operations",
      "Whether to confirm potentially dangerous operations is %s.", "off", NULL },
    { "detach-on-fork", CHOICE, ENGINE(detach_on_fork), ONOFF,
      "whether the process that is not followed is let go",
      "Whether eztsh will detach the child of a fork is %s.", "on", NULL },
    { "disable-randomization", CHOICE, UI(disable_aslr), ONOFF,
      "whether run starts at fixed addresses",
      "Disabling randomization of debuggee's virtual address space is %s.", "on", NULL },
    { "disassembly-flavor",
      CHOICE,
      ENGINE(disassembly_intel),
      { "att", "intel" },
      "the syntax of disassembly",
      "The disassembly flavor is \"%s\".",
      "intel",
      NULL },
    { "dry-run",
      PICK,
      ENGINE(dry_run),
      { "off", "on", "json" },
      "whether probe only says what it would do",
      "Planning without planting is \"%s\".",
      "on",
      "on: a sentence for each function; json: an object for each." },
    { "exit-mode",
      PICK,
      ENGINE(exit_mode),
      { "auto", "slots", "call-through" },
      "how exits of functions are followed",
      "Exits are followed by \"%s\".",
      "slots",
      "auto, call-through: the exit goes by call-through where the function's code proves that\n"
      "it may, else by a slot. slots: always by a slot, which takes the place of the return\n"
      "address. \"why\" says which way a function takes. Holds for probes to come." },
    { "follow-fork-mode",
      PICK,
      ENGINE(follow_mode),
      { "parent", "child", "offer", "all" },
      "whom a fork in the foreground continues with",
      "Debugger response to a program call of fork or vfork is \"%s\".",
      "child",
      "parent: the child runs unprobed, and on by itself.\n"
      "child: eztsh changes over to it, plants its probes there and lets the parent go.\n"
      "all: \"run\" or \"attach\" begins a tree of processes. Each child is one more process of "
      "the\n"
      "session, with the probes of the others and a trace of its own (\"info inferiors\", \"help "
      "job\").\n"
      "A process that was begun alone stays alone: set this before.\n"
      "offer: for programs that drive an eztsh for each process. The parent is followed, and\n"
      "each child is held, before it runs anything of its own, until another eztsh attaches\n"
      "to it (\"attach PID -held\"), or for the time of \"set offer-timeout\". One that lives in\n"
      "its parent's memory (vfork) is held at its exec. \"continue &\" keeps the program traced.\n"
      "\"detach\" lets the children that no eztsh has taken yet go on at once." },
    { "fragment-timeout", UINT, ENGINE(fragment_timeout), NO_WORDS,
      "how long a fragment may run, in seconds", "A fragment may run for %s seconds (0: for ever).",
      "2", NULL },
    { "height", UINT, UI(height), NO_WORDS, "how many lines the pager shows at a time",
      "Number of lines eztsh thinks are in a page is %s.", "0", NULL },
    { "history filename", TEXT, UI(history_file), NO_WORDS, "the file that keeps the history",
      "The filename in which to record the command history is \"%s\".", "/tmp/history", NULL },
    { "history save", CHOICE, UI(history_save), ONOFF, "whether the history is kept in a file",
      "Saving of the history record on exit is %s.", "on", NULL },
    { "history size", UINT, UI(history_size), NO_WORDS, "how many lines the history holds",
      "The size of the command history is %s.", "1000", NULL },
    { "job-timeout", UINT, UI(job_timeout), NO_WORDS,
      "how long a process of a job may take to answer",
      "A process of a job may take %s seconds to answer.", "30",
      "Who has not answered by then is named; what they answer later is told." },
    { "listsize", UINT, UI(listsize), NO_WORDS, "how many lines list shows",
      "Number of source lines eztsh will list by default is %s.", "20", NULL },
    { "logging enabled", CHOICE, UI(log), ONOFF, "whether what is printed goes to a file, too",
      "Logging is %s.", "on", NULL },
    { "logging file", TEXT, UI(log_file), NO_WORDS, "the file of `set logging enabled`",
      "The current logfile is \"%s\".", "session.txt", NULL },
    { "logging overwrite", CHOICE, UI(log_overwrite), ONOFF,
      "whether logging replaces what the file has", "Whether logging overwrites the file is %s.",
      "on", NULL },
    { "logging redirect", CHOICE, UI(log_only), ONOFF, "whether what is logged is not printed",
      "The logging output mode is %s.", "on", NULL },
    { "max-string", UINT, ENGINE(max_string), NO_WORDS,
      "how much of a text an event keeps, in bytes", "Events keep %s bytes of a text.", "200",
      NULL },
    { "offer-timeout", UINT, ENGINE(offer_timeout), NO_WORDS,
      "how long an offered child process is held, in seconds",
      "A child process that is offered is held for %s seconds.", "30",
      "If no eztsh has attached to it then, it goes on by itself (\"set follow-fork-mode "
      "offer\")." },
    { "overflow",
      PICK,
      ENGINE(overflow),
      { "drop", "wait", "overwrite" },
      "what a thread does when its ring is full",
      "What a thread does when its ring is full is \"%s\".",
      "drop",
      "wait: it sleeps until there is room, and no event is lost.\n"
      "drop: it goes on, and what is lost is counted (\"info trace\").\n"
      "overwrite: it goes on; no file is written, eztsh keeps the newest events of each thread\n"
      "for \"snapshot\". To be set before a trace is opened." },
    { "pagination", CHOICE, UI(pagination), ONOFF, "whether long output stops at each page",
      "State of pagination is %s.", "off", NULL },
    { "print elements", UINT, ENGINE(print_elements), NO_WORDS,
      "how many elements, or characters of a text, are shown",
      "Limit on string chars or array elements to print is %s.", "10",
      "unlimited: all of an array, and a text up to its end." },
    { "print entry-values",
      PICK,
      UI(entry_values),
      { "default", "no", "both", "compact", "only", "preferred", "if-needed" },
      "what is shown of arguments at the function's entry",
      "Printing of function arguments at function entry is \"%s\".",
      "no",
      "The value at the call is known if the caller's debug information describes it.\n"
      "default: shows the current value, and NAME@entry=VALUE if the value at the call is known.\n"
      "no: shows the current value only. both: shows both values, known or not.\n"
      "compact: as default, but leaves out a current value that is lost.\n"
      "only: shows NAME@entry only. preferred: shows NAME@entry if it is known, else the current\n"
      "value. if-needed: shows NAME@entry only if the current value is lost." },
    { "print inferior-events", CHOICE, UI(inferior_events), ONOFF, "whether new processes are told",
      "Printing of inferior events is %s.", "off", NULL },
    { "print pretty", CHOICE, ENGINE(print_pretty), ONOFF,
      "whether each member of a struct has a line of its own",
      "Pretty formatting of structures is %s.", "on", NULL },
    { "print thread-events", CHOICE, UI(thread_events), ONOFF,
      "whether births and deaths of threads are told", "Printing of thread events is %s.", "on",
      NULL },
    { "prompt", TEXT, UI(prompt), NO_WORDS, "the prompt", "Eztsh's prompt is \"%s\".", "(probe) ",
      NULL },
    { "ring-size", UINT, ENGINE(ring_kib), NO_WORDS, "the size of each thread's ring in KiB",
      "The size of a thread's ring in KiB is %s.", "1024", NULL },
    { "snapshot-on",
      PICK,
      ENGINE(snapshot_on),
      { "never", "exit", "SIGUSR1", "SIGUSR2", "SIGHUP", "SIGQUIT" },
      "when a snapshot is written by itself",
      "A snapshot is written by itself on \"%s\".",
      "SIGUSR1",
      "Holds with \"set overflow overwrite\". exit: when the process ends, however it does.\n"
      "A signal: each time when the process gets it in the foreground, and when it ends." },
    { "snapshot-size", UINT, ENGINE(snapshot_mib), NO_WORDS,
      "how much of each thread is kept for snapshots, in MiB",
      "The flight recorder keeps %s MiB of events of each thread.", "64",
      "Holds for recorders to come (\"set overflow overwrite\"). An event has 24 bytes or more." },
    { "solib-watch",
      CHOICE,
      ENGINE(solib_syscalls),
      { "probe", "syscalls" },
      "how the loading of libraries is noticed",
      "The loading of libraries is noticed by \"%s\".",
      "syscalls",
      "probe: a hook in the loader, before constructors run.\n"
      "syscalls: each open and mmap of the program is looked at; slow, to see how it works." },
    { "stop-at-exec", CHOICE, ENGINE(stop_at_exec), ONOFF,
      "whether the program stops when it executes another", "Stopping at an exec is %s.", "on",
      "on: in the foreground, the program stops once the new one's libraries are mapped, before\n"
      "their constructors and main run, so that probes can be planted." },
    { "strategy",
      PICK,
      ENGINE(strategy),
      { "auto", "jump", "island", "pun", "trap" },
      "how new probes lead to their stubs",
      "How new probes lead to their stubs is \"%s\".",
      "island",
      "auto: the best that works. jump: five bytes, over whole instructions.\n"
      "island: a short jump to a long one near by, for functions of a few bytes.\n"
      "pun: a jump whose last bytes are the next instruction's.\n"
      "trap: a breakpoint that the program handles itself. \"why\" says what a function takes." },
    { "style enabled", CHOICE, UI(style), ONOFF, "whether there are colours",
      "CLI output styling is %s.", "off",
      "Only where the terminal has them, and NO_COLOR is not in the environment." },
    { "trace-auto", CHOICE, ENGINE(trace_auto), ONOFF, "whether the first probe opens a trace",
      "Opening a trace at the first recording probe is %s.", "off", NULL },
    { "trace-clock",
      PICK,
      ENGINE(trace_clock),
      { "auto", "tsc", "monotonic" },
      "the clock that stamps events of the next process",
      "The clock that stamps events is \"%s\".",
      "monotonic",
      "tsc: the processor's time stamp counter, read in a few nanoseconds.\n"
      "monotonic: CLOCK_MONOTONIC, by the kernel's vDSO.\n"
      "auto: the counter where it is invariant, else CLOCK_MONOTONIC. Holds for processes\n"
      "to come." },
    { "trace-commands", CHOICE, UI(trace_commands), ONOFF, "whether commands are shown as they run",
      "State of command tracing is %s.", "on", NULL },
    { "trace-compress", CHOICE, ENGINE(trace_compress), ONOFF, "whether a trace is compressed",
      "Compressing traces is %s.", "on",
      "on: the trace is made of zstd frames, about a tenth as large. All commands read it;\n"
      "`zstd -dc FILE` and `trace export` give the plain file. Holds for traces to come." },
    { "trace-switches", PICK, ENGINE(trace_switches), AUTO_ONOFF,
      "whether a trace tells when threads did not run",
      "Telling in the trace when threads did not run is \"%s\".", "off",
      "auto: where the kernel tells (perf_event_open; kernel.perf_event_paranoid up to 2).\n"
      "on: a trace that cannot is not opened. off: no trace does. Holds for traces to come;\n"
      "it costs the program 0.7 us each time that a thread goes to sleep." },
    { "width", UINT, UI(width), NO_WORDS, "how many columns a line has",
      "Number of characters eztsh thinks are in a line is %s.", "120",
      "Tables fit into them, if that can be. unlimited: each line is as long as it is." },
};

#define N_SETTINGS EZ_ARRAY_LEN(settings)
const size_t n_settings = N_SETTINGS;
#define N_FAMILIES 7 /* at least as many as there are, plus the end */

/* ---- the tables -------------------------------------------------------------------------- */

struct ez_cmd ez_set_cmds[N_SETTINGS + 4], ez_show_cmds[N_SETTINGS + 5];
static struct ez_cmd member[2][N_FAMILIES][N_SETTINGS + 1];

size_t settings_nwords(const struct setting *v)
{
    size_t n = 0;
    while (n < EZ_ARRAY_LEN(v->word) && v->word[n])
        n++;
    return n;
}

char *settings_all_words(const struct setting *v, const char *between, const char *last,
                         const char *quote)
{
    char *text = ez_strdup("");
    for (size_t i = 0, n = settings_nwords(v); i < n; i++) {
        char *more = ez_sprintf("%s%s%s%s%s", text,
                                !i           ? ""
                                : i == n - 1 ? last
                                             : between,
                                quote, v->word[i], quote);
        free(text);
        text = more;
    }
    return text;
}

static const char *settings_usage_of(const struct setting *v)
{
    if (v->kind == PICK)
        return settings_all_words(v, "|", "|", "");
    return v->kind == CHOICE ? ez_sprintf("%s|%s", v->word[1], v->word[0]) : "VALUE";
}

static void settings_make_entry(struct ez_cmd *c, const struct setting *v, const char *word,
                                bool set)
{
    c->name = word;
    c->usage = set ? settings_usage_of(v) : "";
    c->brief = ez_sprintf("%s %s.", set ? "Set" : "Show", v->what);
    c->help =
        ez_sprintf("%s%sExample:\n  %s %s%s%s\n\nSee also: %s %s", v->meaning ? v->meaning : "",
                   v->meaning ? "\n\n" : "", set ? "set" : "show", v->name, set ? " " : "",
                   set ? v->example : "", set ? "show" : "set", v->name);
    c->cls = EZ_CLASS_SUPPORT;
    c->argmax = set ? 1 : 0;
    c->flags = set ? RAW | NO_REPEAT : 0;
    c->fn = set ? cmd_set_value : cmd_show_value;
    c->complete = set && (v->kind == CHOICE || v->kind == PICK) ? comp_setting : NULL;
}

static void settings_make_family(struct ez_cmd *c, const char *name, size_t len, bool set,
                                 const struct ez_cmd *sub)
{
    c->name = strndup(name, len);
    c->usage = set ? "SETTING VALUE" : "[SETTING]";
    c->brief = ez_sprintf("%s the settings of %s.", set ? "Set" : "Show", c->name);
    c->help = ez_sprintf("Example:\n  help %s %s\n\nSee also: %s %s", set ? "set" : "show", c->name,
                         set ? "show" : "set", c->name);
    c->cls = EZ_CLASS_SUPPORT;
    c->argmax = -1;
    c->fn = set ? cmd_list_sub : cmd_show_all;
    c->sub = sub;
}

static size_t settings_make_table(struct ez_cmd *table, struct ez_cmd family[][N_SETTINGS + 1],
                                  bool set)
{
    size_t n = 0, families = 0, members = 0;
    for (size_t i = 0; i < N_SETTINGS; i++) {
        const char *name = settings[i].name, *space = strchr(name, ' ');
        if (!space) {
            settings_make_entry(&table[n++], &settings[i], name, set);
            continue;
        }
        size_t len = (size_t)(space - name);
        if (!n || strlen(table[n - 1].name) != len || strncmp(table[n - 1].name, name, len)) {
            settings_make_family(&table[n++], name, len, set, family[families++]);
            members = 0;
        }
        settings_make_entry(&family[families - 1][members++], &settings[i], space + 1, set);
    }
    return n;
}

static int settings_by_name(const void *a, const void *b)
{
    return strcmp(((const struct ez_cmd *)a)->name, ((const struct ez_cmd *)b)->name);
}

void settings_tables(void)
{
    if (ez_set_cmds[0].name)
        return;
    size_t n = settings_make_table(ez_set_cmds, member[0], true);
    ez_set_cmds[n++] = set_variable;
    ez_set_cmds[n++] = set_cwd;
    ez_set_cmds[n++] = set_environment;
    qsort(ez_set_cmds, n, sizeof *ez_set_cmds, settings_by_name);
    n = settings_make_table(ez_show_cmds, member[1], false);
    ez_show_cmds[n++] = show_user;
    ez_show_cmds[n++] = show_cwd;
    ez_show_cmds[n++] = show_environment;
    ez_show_cmds[n++] = show_version;
    qsort(ez_show_cmds, n, sizeof *ez_show_cmds, settings_by_name);
}

void settings_init(struct ez_sess *s)
{
    const char *home = getenv("HOME");
    settings_tables();
    s->ui = (struct ez_ui){
        .confirm = true,
        .pagination = true,
        .style = true,
        .height = (unsigned)-1,
        .width = (unsigned)-1,
        .history_size = 256,
        .listsize = 10,
        .args = ez_strdup(""),
        .prompt = ez_strdup("(eztsh) "),
        .history_file = ez_sprintf("%s/.eztsh_history", home ? home : "."),
        .safe_path = ez_strdup(""),
        .log_file = ez_strdup("eztsh.txt"),
        .job_timeout = 10,
    };
    s->defaults = *ez_settings(s->target);
}

void settings_free(struct ez_sess *s)
{
    free(s->ui.args);
    free(s->ui.prompt);
    free(s->ui.history_file);
    free(s->ui.safe_path);
    free(s->ui.log_file);
    if (s->log)
        fclose(s->log);
}
