/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.c - the tables of words (words.h). Table 1 of the paper that spec.h names says where each
 * keyword is allowed.
 * Tests: tests/unit/modules/check_spec.c */
#include "modules/instrument/spec/words.h"

#include <string.h>
#include <strings.h>

#define ROUTINE_POINTS (~0u & ~(1u << EZ_SPEC_FILE))
/* All points of a routine, without EZ_SPEC_INIT. */
#define INSIDE (ROUTINE_POINTS & ~(1u << EZ_SPEC_INIT))
#define CALLS (1u << EZ_SPEC_CALL_ENTRY | 1u << EZ_SPEC_CALL_EXIT)

const struct ez_spec_keyword ez_spec_keywords[EZ_SPEC_WORDS] = {
    [EZ_SPEC_W_FILE] = { "FILE", ~0u, EZ_SPEC_ALL },
    [EZ_SPEC_W_LINE] = { "LINE", ~0u, EZ_SPEC_ALL },
    [EZ_SPEC_W_COL] = { "COL", ~0u, EZ_SPEC_ALL },
    [EZ_SPEC_W_ROUTINE] = { "ROUTINE", ROUTINE_POINTS, EZ_SPEC_ALL },
    [EZ_SPEC_W_BEGIN_LINE] = { "BEGIN_LINE", ROUTINE_POINTS, EZ_SPEC_ALL },
    [EZ_SPEC_W_BEGIN_COL] = { "BEGIN_COL", ROUTINE_POINTS, EZ_SPEC_ALL },
    [EZ_SPEC_W_END_LINE] = { "END_LINE", ROUTINE_POINTS, EZ_SPEC_ALL },
    [EZ_SPEC_W_END_COL] = { "END_COL", ROUTINE_POINTS, EZ_SPEC_ALL },
    [EZ_SPEC_W_RTTI] = { "RTTI", INSIDE, EZ_SPEC_CXX },
    [EZ_SPEC_W_ARGC] = { "ARGC", 1u << EZ_SPEC_INIT, EZ_SPEC_C | EZ_SPEC_CXX },
    [EZ_SPEC_W_ARGV] = { "ARGV", 1u << EZ_SPEC_INIT, EZ_SPEC_C | EZ_SPEC_CXX },
    [EZ_SPEC_W_CALLEE] = { "CALLEE", CALLS, EZ_SPEC_ALL },
};

const char *const ez_spec_list_names[EZ_SPEC_LISTS] = { "EXCLUDE_LIST", "INCLUDE_LIST",
                                                        "FILE_EXCLUDE_LIST", "FILE_INCLUDE_LIST" };

static const char *const points[EZ_SPEC_POINTS] = {
    "file",       "decl",      "init",       "entry",     "exit",  "abort",
    "loop entry", "loop exit", "call entry", "call exit", "throw", "catch",
};

const char *ez_spec_point_name(enum ez_spec_point point)
{
    return points[point];
}

enum ez_spec_word ez_spec_word(const char *p, size_t *n)
{
    size_t len = strspn(p + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    *n = len && p[len + 1] == '@' ? len + 2 : 0;
    for (unsigned i = 0; *n && i < EZ_SPEC_WORDS; i++)
        if (strlen(ez_spec_keywords[i].name) == len &&
            !memcmp(ez_spec_keywords[i].name, p + 1, len))
            return i;
    return EZ_SPEC_WORDS;
}

static const struct {
    const char *name;
    unsigned lang;
} langs[] = { /* the canonical name of a language is its first */
              { "c", EZ_SPEC_C },         { "c++", EZ_SPEC_CXX },    { "fortran", EZ_SPEC_FORTRAN },
              { "all", EZ_SPEC_ALL },     { "cxx", EZ_SPEC_CXX },    { "cpp", EZ_SPEC_CXX },
              { "f90", EZ_SPEC_FORTRAN }, { "f77", EZ_SPEC_FORTRAN }
};

unsigned ez_spec_lang_of(const char *name, size_t n)
{
    for (size_t i = 0; i < EZ_ARRAY_LEN(langs); i++)
        if (strlen(langs[i].name) == n && !strncasecmp(langs[i].name, name, n))
            return langs[i].lang;
    return 0;
}

unsigned ez_spec_lang(const char *name)
{
    unsigned lang = ez_spec_lang_of(name, strlen(name));
    return lang == EZ_SPEC_ALL ? 0 : lang;
}

const char *ez_spec_lang_names(unsigned bits, char buf[16])
{
    *buf = 0;
    for (size_t i = 0; i < 3; i++)
        if (bits & langs[i].lang)
            strcat(strcat(buf, *buf ? "," : ""), langs[i].name);
    return buf;
}
