/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gdb_words.c - gdb's commands and their replacements (gdb_words.h). The table is sorted by name.
 * Tests: tests/unit/shell/check_dispatch.c, tests/procs/manners.sh */
#include "shell/gdb_words.h"

#include <string.h>

#define RECORDS "\"probe LOCATION\" records each call without a stop"
#define LOOKS "\"print\", \"x\" and \"info registers\" look at values"
#define BY_GDB "Use gdb for that: type \"detach\", then run gdb -p PID"

static const struct gdb_word words[] = {
    { "clear", " cl ", "\"delete N\" removes breakpoints and probes" },
    { "compile", "", BY_GDB },
    { "directory", " dir ", "\"list\" finds a file by its path, or in the current directory" },
    { "dump", "", LOOKS },
    { "hbreak", "", "\"break\" uses the processor's breakpoints" },
    { "jump", " j ", BY_GDB },
    { "layout", "", BY_GDB },
    { "make", "", "\"shell make\" runs make; the next \"run\" reads the new program" },
    { "python", " py ", "\"stats -json\" and \"convert -t csv\" write for programs" },
    { "rbreak", "", "\"probe -r REGEX\" records each call without a stop" },
    { "return", "", BY_GDB },
    { "search", "",
      "\"list\" shows source, \"info line\" shows where the source of a function is" },
    { "skip", "", "\"finish\" leaves a function that \"step\" entered" },
    { "symbol-file", "", "\"file PROG\" reads the symbols of a program" },
    { "target", "",
      "\"attach PID\" is for processes of this machine; other machines need their own eztsh" },
    { "thbreak", "", "\"tbreak\" uses the processor's breakpoints" },
    { "tui", "", BY_GDB },
    { NULL, NULL, NULL },
};

#define ONE                                                                                        \
    "A session has one process, or the processes of a job (\"help job\"): start another "          \
    "eztsh for another process"
#define SYMBOLS                                                                                    \
    "Symbols of all loaded files are read when they are needed: \"info sharedlibrary\", "          \
    "\"file PROG\""
#define LIBRARIES                                                                                  \
    "Symbols of loaded libraries are read when they are needed: \"info sharedlibrary\""
#define REMOTE                                                                                     \
    "\"attach PID\" is for processes of this machine; other machines need their own eztsh"
#define SCRIPTS "\"eztsh --interpreter=json\" and -json of commands are for programs"
#define SEARCH "\"list\" shows source, \"info line\" shows where the source of a function is"
#define BACK "eztsh cannot run backwards: \"probe\" records calls, \"events\" shows them"
#define STEPPING "A tracepoint only collects: \"collect ITEM, ...\""
#define WRITES "\"set var EXPR = VALUE\" writes memory"
#define NO_AUTO "\"source FILE\" runs a file of commands"

/* Words that match only in full or by a listed short form. Other prefixes of them stay free, so
 * that eztsh's own abbreviations keep their meaning. */
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
    { "demangle", "", "Names are shown demangled: \"info symbol ADDR\"" },
    { "disconnect", "", "\"detach\" lets the program run without eztsh" },
    { "dont-repeat", "", "An empty line does not repeat a user-defined command" },
    { "down-silently", "", "\"down\" selects the frame" },
    { "eval", "", "\"printf\" fills in values, \"define\" makes a command of lines" },
    { "edit", "", "\"list\" shows source, \"shell EDITOR FILE\" edits it" },
    { "exec-file", "", "\"file PROG\" names the program" },
    { "exit", "", "Use \"quit\"" },
    { "explore", "", "\"print\", \"ptype\" and \"x\" show what a value holds" },
    { "expression", "", BY_GDB },
    { "fg", "", "Use \"continue\"" },
    { "flash-erase", "", BY_GDB },
    { "forward-search", " fo ", SEARCH },
    { "function", "", "There are the functions $_streq, $_strlen, $_regex and others" },
    { "guile", " gu ", SCRIPTS },
    { "guile-repl", " gr ", SCRIPTS },
    { "init-if-undefined", "", "Write \"if $_isvoid($V)\", then \"set $V = ...\"" },
    { "interpreter-exec", "", "\"eztsh --interpreter=json\" is for programs" },
    { "jit-reader-load", "", BY_GDB },
    { "jit-reader-unload", "", BY_GDB },
    { "load", "", REMOTE },
    { "mem", "", BY_GDB },
    { "memory-tag", "", BY_GDB },
    { "monitor", "", REMOTE },
    { "mt", "", "Use \"maint\"" },
    { "new-ui", "", "\"eztsh --interpreter=json\" is for programs" },
    { "nosharedlibrary", "", LIBRARIES },
    { "overlay", " ov ovly ", BY_GDB },
    { "path", "", "\"set environment PATH VALUE\" sets PATH for the program" },
    { "print-object", " po ", LOOKS },
    { "python-interactive", " pi ", SCRIPTS },
    { "queue-signal", "", "\"signal SIG\" continues the program with the signal" },
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
    { "task", "", "\"thread N\" selects a thread" },
    { "teval", "", STEPPING },
    { "tsave", "", "The trace is already a file: \"info trace\"" },
    { "up-silently", "", "\"up\" selects the frame" },
    { "update", "", BY_GDB },
    { "while-stepping", " ws ", STEPPING },
    { "with", "", "Type \"set SETTING\", the command, and \"set SETTING\" again" },
    { NULL, NULL, NULL },
};

#define PLACES "\"info threads\" shows where each thread is"

static const struct gdb_word info_words[] = {
    { "all-registers", "", "\"info registers\" shows the integer registers" },
    { "auto-load", "", NO_AUTO },
    { "bookmarks", "", BACK },
    { "checkpoints", "", BY_GDB },
    { "classes", "", "\"info functions\" lists functions, \"ptype\" shows a type" },
    { "common", "", BY_GDB },
    { "connections", "", ONE },
    { "copying", "", "The license is GPL-3.0-or-later: COPYING" },
    { "dcache", "", BY_GDB },
    { "dll", "", "\"info sharedlibrary\" lists libraries" },
    { "exceptions", "", BY_GDB },
    { "extensions", "", BY_GDB },
    { "files", "", "\"info sharedlibrary\" and \"info mappings\" show what is loaded" },
    { "float", "",
      "\"info registers\" shows the integer registers, \"print $xmm0\" another register" },
    { "frame-filter", "", BY_GDB },
    { "guile", " gu ", SCRIPTS },
    { "handle", "", "\"info signals\" shows the table" },
    { "macros", "", BY_GDB },
    { "main", "", "\"info address main\" finds it" },
    { "mem", "", "\"info mappings\" shows memory" },
    { "missing-debug-handlers", "", BY_GDB },
    { "missing-objfile-handlers", "", BY_GDB },
    { "module", "", "\"info modules\" shows eztsh's modules" },
    { "os", "", "\"info proc\" shows the process" },
    { "pretty-printer", "", BY_GDB },
    { "program", "", PLACES ", \"info proc\" shows the process" },
    { "record", " rec ", RECORDS },
    { "selectors", "", BY_GDB },
    { "set", "", "\"show\" lists the settings" },
    { "skip", "", BY_GDB },
    { "sources", "", "\"info line\" shows where the source of a function is" },
    { "static-tracepoint-markers", "", BY_GDB },
    { "target", "", "\"info sharedlibrary\" and \"info mappings\" show what is loaded" },
    { "tasks", "", "\"info threads\" lists threads" },
    { "terminal", "", "\"tty\" sets the program's terminal" },
    { "type-printers", "", BY_GDB },
    { "types", "", "\"ptype NAME\" shows a type" },
    { "unwinder", "", BY_GDB },
    { "variables", "", "\"info functions\" lists functions, \"info address\" finds a variable" },
    { "vector", "", "\"print $xmm0\" shows a vector register" },
    { "vtbl", "", LOOKS },
    { "w32", "", BY_GDB },
    { "warranty", "", "The license is GPL-3.0-or-later: COPYING" },
    { "watchpoints", "", "\"info breakpoints\" lists the watchpoints" },
    { "win", "", BY_GDB },
    { "xmethod", "", BY_GDB },
    { NULL, NULL, NULL },
};

static const struct gdb_word set_words[] = {
    { "print", " p ", LOOKS },
    { NULL, NULL, NULL },
};

static const struct gdb_word logging_words[] = {
    { "off", "", "Use \"set logging enabled off\"" },
    { "on", "", "Use \"set logging enabled on\"" },
    { NULL, NULL, NULL },
};

/* Tables of gdb's words. family: the text before the word; "" = the word begins the line. */
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
    const struct gdb_word *list = NULL, *tool = *family ? NULL : tool_word_named(word, len);
    if (tool)
        return tool;
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
