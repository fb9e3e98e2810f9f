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
};

const struct gdb_word *gdb_word_named(const char *word, size_t len)
{
    for (size_t i = 0; i < EZ_ARRAY_LEN(words); i++) {
        const struct gdb_word *w = &words[i];
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
    for (size_t i = 0; i < EZ_ARRAY_LEN(words); i++)
        if (!strncmp(words[i].name, word, len) && len)
            return &words[i];
    return NULL;
}
