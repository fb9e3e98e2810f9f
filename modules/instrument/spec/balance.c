/* SPDX-License-Identifier: GPL-3.0-or-later */
/* balance.c - checks that the braces of a clause's code are balanced (words.h).
 *
 * If another clause closed a brace, the two would enclose the routine's body in some sources (a C
 * function without a return), break other sources, and in a binary enclose code that eztsh puts
 * between entry and exit. So it is an error for all sources. Code with directives or raw strings is
 * not checked; both branches of an `#if` may open the same brace.
 * Tests: tests/source/places.sh */
#include <ctype.h>
#include <string.h>

#include "modules/instrument/spec/words.h"

/* Returns the end of the comment, literal or character that begins at p. An apostrophe in a number
 * (1'000) begins none. */
static const char *balance_skip(const char *p, bool in_word)
{
    if (*p == '/' && p[1] == '/')
        return p + strcspn(p, "\n");
    if (*p == '/' && p[1] == '*') {
        const char *end = strstr(p + 2, "*/");
        return end ? end + 2 : p + strlen(p);
    }
    if (*p != '"' && (*p != '\'' || in_word))
        return p + 1;
    const char quote = *p++;
    while (*p && *p != quote && *p != '\n')
        p += 1 + (*p == '\\' && p[1]);
    return p + (*p == quote);
}

/* Returns true if the code has a directive or a raw string, and is not checked. */
static bool balance_is_strange(const char *code)
{
    for (const char *p = code; *p; p++)
        if ((*p == '#' && code + strspn(code, " \t") == p) ||
            (*p == '\n' && p[1 + strspn(p + 1, " \t")] == '#') || (*p == 'R' && p[1] == '"'))
            return true;
    return false;
}

char ez_spec_unbalanced(const char *code)
{
    long open = 0;
    if (balance_is_strange(code))
        return 0;
    for (const char *p = code; *p; p = balance_skip(p, p > code && isalnum((unsigned char)p[-1]))) {
        open += (*p == '{') - (*p == '}');
        if (open < 0)
            return '}';
    }
    return open ? '{' : 0;
}
