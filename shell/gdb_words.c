/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gdb_words.c - see gdb_words.h. Sorted by name.
 * Tests: tests/unit/shell/check_dispatch.c, tests/procs/manners.sh */
#include "shell/gdb_words.h"

#include <string.h>

#define RECORDS "\"probe LOCATION\" records each call, and stops nothing"
#define LOOKS "\"x\", \"info registers\" and \"call\" look at values"
#define CALLERS "\"stats\" and \"timeline\" tell who called whom"
#define STEPS "\"stepi\" goes one instruction on"
#define NO_STOPS "eztsh stops at main (\"start\") and at signals; " RECORDS

static const struct gdb_word words[] = {
    { "advance", "", NO_STOPS },
    { "awatch", "", RECORDS },
    { "backtrace", " bt ", CALLERS },
    { "break", " b br bre brea ", RECORDS },
    { "catch", "", NO_STOPS },
    { "clear", " cl ", "\"delete\" takes probes away" },
    { "commands", "", RECORDS },
    { "condition", "", RECORDS },
    { "display", "", LOOKS },
    { "down", " dow ", CALLERS },
    { "finish", " fin ", "an exit probe tells when functions return" },
    { "frame", " f ", "\"info threads\" shows where each thread is" },
    { "handle", "", NULL },
    { "hbreak", "", RECORDS },
    { "ignore", "", NULL },
    { "jump", " j ", NULL },
    { "list", " l ", "\"disassemble\" and \"info line\" show code" },
    { "next", " n ", STEPS },
    { "nexti", " ni ", STEPS },
    { "print", " p ", LOOKS },
    { "printf", "", LOOKS },
    { "ptype", "", NULL },
    { "rbreak", "", "\"probe -r REGEX\" records each call, and stops nothing" },
    { "return", "", NULL },
    { "rwatch", "", RECORDS },
    { "search", "", NULL },
    { "signal", "", "\"continue\" delivers the signal" },
    { "step", " s ", STEPS },
    { "target", "", NULL },
    { "tbreak", " tb ", NO_STOPS },
    { "tfind", "", "\"events\" shows what was recorded" },
    { "tp", "", RECORDS },
    { "tstart", "", "\"trace start FILE\" begins to record" },
    { "tstatus", "", "\"info trace\" tells" },
    { "tstop", "", "\"trace stop\" ends it" },
    { "until", " u ", NO_STOPS },
    { "up", "", CALLERS },
    { "watch", "", RECORDS },
    { "whatis", "", NULL },
    { "where", "", CALLERS },
    { NULL, NULL, NULL },
};

#define PLACES "\"info threads\" shows where each thread is"

static const struct gdb_word info_words[] = {
    { "all-registers", "", "\"info registers\" shows those of integers" },
    { "args", "", LOOKS },
    { "breakpoints", " b br break ", "\"info probes\" lists probes" },
    { "checkpoints", "", NULL },
    { "display", "", LOOKS },
    { "files", "", "\"info sharedlibrary\" and \"info mappings\" tell what is loaded" },
    { "frame", " f ", PLACES },
    { "inferiors", "", "\"info proc\" tells of the process" },
    { "locals", "", LOOKS },
    { "program", "", PLACES ", \"info proc\" tells of the process" },
    { "scope", "", LOOKS },
    { "signals", " signal handle ", NULL },
    { "source", "", "\"info line\" tells where a function's source is" },
    { "sources", "", "\"info line\" tells where a function's source is" },
    { "stack", "", CALLERS },
    { "target", "", "\"info sharedlibrary\" and \"info mappings\" tell what is loaded" },
    { "tracepoints", " tp ", "\"info probes\" lists probes" },
    { "types", "", NULL },
    { "variables", "", "\"info functions\" lists functions, \"info address\" finds a variable" },
    { "watchpoints", "", "\"info probes\" lists probes" },
    { NULL, NULL, NULL },
};

const struct gdb_word *gdb_word_named(const char *family, const char *word, size_t len)
{
    const struct gdb_word *list = !*family ? words : !strcmp(family, "info ") ? info_words : NULL;
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
