/* SPDX-License-Identifier: GPL-3.0-or-later */
/* balance.c - checks that the braces of a clause's code are balanced. See words.h.
 *
 * A brace that another clause closes would enclose the routine's body in some sources (a C
 * function without a return), break others, and in a binary enclose what eztsh puts between
 * entry and exit. So it is always an error. Code with directives is not checked: `#if` may
 * contain a brace twice.
 * Tests: tests/source/places.sh */
#include <ctype.h>
#include <string.h>

#include "modules/instrument/spec/words.h"

/* Returns the place after the comment, literal or character at p. An apostrophe after a digit
 * begins no literal (1'000). */
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

/* Returns true for code with a directive, or with a literal without escapes. */
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
