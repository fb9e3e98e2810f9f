/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fdirective.c - recognizes OpenMP and OpenACC directives in Fortran (fdirective.h). */
#include "modules/instrument/source/fdirective.h"

#include <string.h>
#include <strings.h>

/* Returns the text after "!$omp" or "!$acc" at the start of a line; NULL if the line is no
 * directive. */
static const char *fdirective_text(const char *line)
{
    line += strspn(line, " \t");
    if (!*line || !strchr("!cC*", *line) || line[1] != '$' ||
        (strncasecmp(line + 2, "omp", 3) != 0 && strncasecmp(line + 2, "acc", 3) != 0))
        return NULL;
    return line + 5 + strspn(line + 5, " \t&");
}

/* Returns true if the directive begins with one of these words. */
static bool fdirective_says(const char *directive, const char *const *words)
{
    for (; directive && *words; words++)
        if (!strncasecmp(directive, *words, strlen(*words)))
            return true;
    return false;
}

/* Returns true if the directive applies to the single statement or loop after it, and not to a
 * block of statements. */
static bool fdirective_binds(const char *directive)
{
    static const char *const words[] = { "do",     "simd", "loop",  "distribute",
                                         "atomic", "tile", "unroll" };
    size_t depth = 0, n;
    for (const char *p = directive; p && *p && !strchr("\n!", *p); p += n) {
        n = strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
        for (size_t k = 0; k < EZ_ARRAY_LEN(words) && n && !depth; k++) {
            /* The words are compared as last letters, because `enddo` and `paralleldo` are also
             * written as one word. */
            size_t w = strlen(words[k]);
            if (n >= w && !strncasecmp(p + n - w, words[k], w))
                return true;
        }
        depth += *p == '(';
        depth -= *p == ')' && depth;
        n += !n;
    }
    return false;
}

/* Returns true if the directive at `line` continues the directive in the line above. */
static bool fdirective_continues(const char *text, bool fixed, size_t line)
{
    size_t end = line ? line - 1 : 0;
    if (fixed)
        return !strchr(" 0\t\n", text[line + 5]);
    while (end && strchr(" \t\r", text[end - 1]))
        end--;
    return end && text[end - 1] == '&';
}

size_t ez_fdirective_above(const char *text, const ez_lines *lines, bool fixed, size_t begin,
                           bool all)
{
    static const char *const others[] = { "threadprivate", "declare", "end", NULL };
    bool binds = all;
    for (size_t line = begin; line;) {
        line = ez_lines_begin(lines, line - 1);
        const char *directive = fdirective_text(text + line);
        if (!directive)
            break;
        binds |= fdirective_binds(directive);
        if (fdirective_continues(text, fixed, line))
            continue;
        if (!binds || fdirective_says(directive, others))
            break;
        begin = line;
        binds = all;
    }
    return begin;
}

size_t ez_fdirective_below(const char *text, size_t size, size_t end)
{
    static const char *const ends[] = { "end", NULL };
    const char *next = end < size ? fdirective_text(text + end + 1) : NULL;
    if (fdirective_says(next, ends) && fdirective_binds(next))
        return end + 1 + strcspn(text + end + 1, "\n");
    return end;
}
