/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gdb_words.c - see gdb_words.h. The table is sorted by name.
 * Tests: tests/unit/shell/check_dispatch.c, tests/procs/manners.sh */
#include "shell/gdb_words.h"

#include <string.h>

#define RECORDS "\"probe LOCATION\" records each call, and stops nothing"
#define LOOKS "\"print\", \"x\" and \"info registers\" look at values"
#define BY_GDB "gdb does that: \"detach\", then gdb -p PID"
#define NO_STOPS "\"break LOCATION\" stops there; " RECORDS

static const struct gdb_word words[] = {
    { "catch", "", NO_STOPS },
    { "clear", " cl ", "\"delete N\" takes breakpoints and probes away" },
    { "compile", "", BY_GDB },
    { "core-file", " core ", BY_GDB },
    { "directory", " dir ", "\"list\" finds a file by its path, or in the current folder" },
    { "dump", "", LOOKS },
    { "generate-core-file", " gcore ", BY_GDB },
    { "hbreak", "", "\"break\" is by the processor" },
    { "jump", " j ", BY_GDB },
    { "layout", "", BY_GDB },
    { "make", "", "\"shell make\" runs it; the next \"run\" reads what it made" },
    { "python", " py ", "stats -json and \"convert -t csv\" are for programs" },
    { "rbreak", "", "\"probe -r REGEX\" records each call, and stops nothing" },
    { "record", " rec ", RECORDS },
    { "return", "", BY_GDB },
    { "search", "", "\"list\" shows source, \"info line\" tells where a function's is" },
    { "skip", "", "\"delete\" takes probes away, \"probe -r REGEX\" picks functions" },
    { "symbol-file", "", "\"file PROG\" reads the symbols of a program" },
    { "target", "",
      "\"attach PID\" is for processes of this machine, the others need an eztsh there" },
    { "tcatch", "", NO_STOPS },
    { "thbreak", "", "\"tbreak\" is by the processor" },
    { "tui", "", BY_GDB },
    { NULL, NULL, NULL },
};

#define ONE "one eztsh has one process: start another eztsh for another one"
#define SYMBOLS "symbols are read of all that is loaded: \"info sharedlibrary\", \"file PROG\""
#define LIBRARIES "symbols of libraries are read when they come: \"info sharedlibrary\""
#define REMOTE "\"attach PID\" is for processes of this machine, the others need an eztsh there"
#define SCRIPTS "eztsh --interpreter=json, and -json of commands, are for programs"
#define SEARCH "\"list\" shows source, \"info line\" tells where a function's is"
#define BACK "nothing runs backwards: \"probe\" records calls as they go, \"events\" shows them"
#define STEPPING "a tracepoint only collects: \"collect ITEM, ...\""
#define WRITES "\"set var EXPR = VALUE\" writes memory"
#define NO_AUTO "\"source FILE\" runs a file of commands"

/* Those that are known when they are typed in full: no beginning of theirs is anything, so that short forms of our
 * own words stay what they are. */
static const struct gdb_word whole_words[] = {
    { "add-auto-load-safe-path", "",
      "\"set auto-load safe-path\" names the folders whose ./.eztshrc is run" },
    { "add-auto-load-scripts-directory", "", NO_AUTO },
    { "add-inferior", "", ONE },
    { "add-symbol-file", "", SYMBOLS },
    { "add-symbol-file-from-memory", "", SYMBOLS },
    { "agent-printf", "", "\"dprintf\" prints a line at each call, in the target" },
    { "append", "", LOOKS },
    { "break-range", "", "\"break LOCATION\" stops at one place" },
    { "checkpoint", "", BY_GDB },
    { "clone-inferior", "", ONE },
    { "compare-sections", "", "\"info textdiff\" compares the text with the files" },
    { "define-prefix", "", "\"define NAME\" makes a command" },
    { "demangle", "", "names are shown demangled: \"info symbol ADDR\"" },
    { "disconnect", "", "\"detach\" lets the program go" },
    { "dont-repeat", "", "an empty line repeats no command that was defined so" },
    { "down-silently", "", "\"down\" selects the frame" },
    { "eval", "", "\"printf\" fills in values, \"define\" makes a command of lines" },
    { "edit", "", "\"list\" shows source, \"shell EDITOR FILE\" edits it" },
    { "exec-file", "", "\"file PROG\" names the program" },
    { "exit", "", "\"quit\"" },
    { "explore", "", "\"print\", \"ptype\" and \"x\" show what a value holds" },
    { "expression", "", BY_GDB },
    { "fg", "", "\"continue\"" },
    { "flash-erase", "", BY_GDB },
    { "forward-search", " fo ", SEARCH },
    { "function", "", "$_streq, $_strlen, $_regex and others are there" },
    { "guile", " gu ", SCRIPTS },
    { "guile-repl", " gr ", SCRIPTS },
    { "init-if-undefined", "", "\"if $_isvoid($V)\", then \"set $V = ...\"" },
    { "interpreter-exec", "", "eztsh --interpreter=json is for programs" },
    { "jit-reader-load", "", BY_GDB },
    { "jit-reader-unload", "", BY_GDB },
    { "load", "", REMOTE },
    { "mem", "", BY_GDB },
    { "memory-tag", "", BY_GDB },
    { "monitor", "", REMOTE },
    { "mt", "", "\"maint\"" },
    { "new-ui", "", "eztsh --interpreter=json is for programs" },
    { "nosharedlibrary", "", LIBRARIES },
    { "overlay", " ov ovly ", BY_GDB },
    { "path", "", "\"set environment PATH\" is for the program" },
    { "print-object", " po ", LOOKS },
    { "python-interactive", " pi ", SCRIPTS },
    { "queue-signal", "", "\"signal SIG\" lets the program go on with it" },
    { "remote", "", REMOTE },
    { "remove-inferiors", "", ONE },
    { "remove-symbol-file", "", SYMBOLS },
    { "restore", "", WRITES },
    { "reverse-continue", " rc ", BACK },
    { "reverse-finish", "", BACK },
    { "reverse-next", " rn ", BACK },
    { "reverse-nexti", " rni ", BACK },
    { "reverse-search", " rev ", SEARCH },
    { "reverse-step", " rs ", BACK },
    { "reverse-stepi", " rsi ", BACK },
    { "section", "", SYMBOLS },
    { "select-frame", "", "\"frame N\" selects a frame" },
    { "sharedlibrary", "", LIBRARIES },
    { "starti", "", "\"start\" stops at main" },
    { "stepping", "", STEPPING },
    { "task", "", "\"thread N\" chooses a thread" },
    { "teval", "", STEPPING },
    { "tsave", "", "the trace is a file already: \"info trace\"" },
    { "up-silently", "", "\"up\" selects the frame" },
    { "update", "", BY_GDB },
    { "while-stepping", " ws ", STEPPING },
    { "with", "", "\"set SETTING\", the command, and \"set SETTING\" again" },
    { NULL, NULL, NULL },
};

#define PLACES "\"info threads\" shows where each thread is"

static const struct gdb_word info_words[] = {
    { "all-registers", "", "\"info registers\" shows those of integers" },
    { "auto-load", "", NO_AUTO },
    { "auxv", "", "\"info proc\" tells of the process" },
    { "bookmarks", "", BACK },
    { "checkpoints", "", BY_GDB },
    { "classes", "", "\"info functions\" lists functions, \"ptype\" shows a type" },
    { "common", "", BY_GDB },
    { "connections", "", ONE },
    { "copying", "", "the licence is GPL-3.0-or-later: COPYING" },
    { "dcache", "", BY_GDB },
    { "dll", "", "\"info sharedlibrary\" lists libraries" },
    { "exceptions", "", BY_GDB },
    { "extensions", "", BY_GDB },
    { "files", "", "\"info sharedlibrary\" and \"info mappings\" tell what is loaded" },
    { "float", "", "\"info registers\" shows those of integers, \"print $xmm0\" another one" },
    { "frame-filter", "", BY_GDB },
    { "guile", " gu ", SCRIPTS },
    { "handle", "", "\"info signals\" shows that" },
    { "macros", "", BY_GDB },
    { "main", "", "\"info address main\" finds it" },
    { "mem", "", "\"info mappings\" shows memory" },
    { "missing-debug-handlers", "", BY_GDB },
    { "missing-objfile-handlers", "", BY_GDB },
    { "module", "", "\"info modules\" tells of eztsh's modules" },
    { "os", "", "\"info proc\" tells of the process" },
    { "pretty-printer", "", BY_GDB },
    { "program", "", PLACES ", \"info proc\" tells of the process" },
    { "record", " rec ", RECORDS },
    { "selectors", "", BY_GDB },
    { "set", "", "\"show\" lists the settings" },
    { "skip", "", BY_GDB },
    { "sources", "", "\"info line\" tells where a function's source is" },
    { "static-tracepoint-markers", "", BY_GDB },
    { "target", "", "\"info sharedlibrary\" and \"info mappings\" tell what is loaded" },
    { "tasks", "", "\"info threads\" lists threads" },
    { "terminal", "", "\"tty\" tells the program's terminal" },
    { "type-printers", "", BY_GDB },
    { "types", "", "\"info functions\" lists functions, \"info address\" finds a variable" },
    { "unwinder", "", BY_GDB },
    { "variables", "", "\"info functions\" lists functions, \"info address\" finds a variable" },
    { "vector", "", "\"print $xmm0\" shows a vector register" },
    { "vtbl", "", LOOKS },
    { "w32", "", BY_GDB },
    { "warranty", "", "the licence is GPL-3.0-or-later: COPYING" },
    { "watchpoints", "", "\"info breakpoints\" lists them" },
    { "win", "", BY_GDB },
    { "xmethod", "", BY_GDB },
    { NULL, NULL, NULL },
};

static const struct gdb_word set_words[] = {
    { "print", " p ", LOOKS },
    { NULL, NULL, NULL },
};

static const struct gdb_word logging_words[] = {
    { "off", "", "\"set logging enabled off\"" },
    { "on", "", "\"set logging enabled on\"" },
    { NULL, NULL, NULL },
};

/* Which words may follow a family's name. */
static const struct {
    const char *family;
    const struct gdb_word *word;
} families[] = {
    { "", words },          { "info ", info_words },           { "set ", set_words },
    { "show ", set_words }, { "set logging ", logging_words },
};

static const struct gdb_word *gdb_words_find(const struct gdb_word *list, const char *word,
                                             size_t len)
{
    for (const struct gdb_word *w = list; w && w->name; w++) {
        if (strlen(w->name) == len && !strncmp(w->name, word, len))
            return w;
        for (const char *s = w->shorts; *s; s++)
            if (*s == ' ' && !strncmp(s + 1, word, len) && s[1 + len] == ' ' && len)
                return w;
    }
    return NULL;
}

const struct gdb_word *gdb_word_named(const char *family, const char *word, size_t len)
{
    const struct gdb_word *list = NULL;
    for (size_t i = 0; i < EZ_ARRAY_LEN(families); i++)
        if (!strcmp(family, families[i].family))
            list = families[i].word;
    const struct gdb_word *found = gdb_words_find(list, word, len);
    return found || *family ? found : gdb_words_find(whole_words, word, len);
}

const struct gdb_word *gdb_word_begins(const char *word, size_t len)
{
    for (const struct gdb_word *w = words; w->name; w++)
        if (!strncmp(w->name, word, len) && len)
            return w;
    return NULL;
}
