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
    { "clear", " cl ", "\"delete\" takes probes away" },
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

#define PLACES "\"info threads\" shows where each thread is"

static const struct gdb_word info_words[] = {
    { "all-registers", "", "\"info registers\" shows those of integers" },
    { "auxv", "", "\"info proc\" tells of the process" },
    { "checkpoints", "", BY_GDB },
    { "files", "", "\"info sharedlibrary\" and \"info mappings\" tell what is loaded" },
    { "inferiors", "", "\"info proc\" tells of the process" },
    { "macro", "", BY_GDB },
    { "os", "", "\"info proc\" tells of the process" },
    { "program", "", PLACES ", \"info proc\" tells of the process" },
    { "sources", "", "\"info line\" tells where a function's source is" },
    { "stack", "", "\"backtrace\" shows it" },
    { "target", "", "\"info sharedlibrary\" and \"info mappings\" tell what is loaded" },
    { "types", "", "\"info functions\" lists functions, \"info address\" finds a variable" },
    { "variables", "", "\"info functions\" lists functions, \"info address\" finds a variable" },
    { "watchpoints", "", "\"info breakpoints\" lists them" },
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

const struct gdb_word *gdb_word_named(const char *family, const char *word, size_t len)
{
    const struct gdb_word *list = NULL;
    for (size_t i = 0; i < EZ_ARRAY_LEN(families); i++)
        if (!strcmp(family, families[i].family))
            list = families[i].word;
    for (const struct gdb_word *w = list; w && w->name; w++) {
        if (strlen(w->name) == len && !strncmp(w->name, word, len))
            return w;
        for (const char *s = w->shorts; *s; s++)
            if (*s == ' ' && !strncmp(s + 1, word, len) && s[1 + len] == ' ' && len)
                return w;
    }
    return NULL;
}

const struct gdb_word *gdb_word_begins(const char *word, size_t len)
{
    for (const struct gdb_word *w = words; w->name; w++)
        if (!strncmp(w->name, word, len) && len)
            return w;
    return NULL;
}
