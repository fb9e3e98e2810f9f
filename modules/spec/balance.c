/* SPDX-License-Identifier: GPL-3.0-or-later */
/* balance.c - are the braces of a clause's code its own? See words.h.
 *
 * A brace that another clause closes would go around the routine's body in some sources (a C function without a return), break
 * others, and on a binary go around what eztsh puts between entry and exit. So it is an error everywhere. Code with
 * directives is not looked at: `#if` may have a brace twice.
 * Tests: tests/source/places.sh */
#include <ctype.h>
#include <string.h>

#include "modules/spec/words.h"

/* Behind the comment, the literal or the character at p. An apostrophe behind a digit is no literal's (1'000). */
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

/* A directive, or a literal that knows no escapes. */
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
