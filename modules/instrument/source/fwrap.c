/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fwrap.c - wraps long lines of Fortran code (fwrap.h). */
#include "modules/instrument/source/fwrap.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "engine/base/strutil.h"
#include "engine/base/vec.h"
#include "modules/instrument/spec/spec.h"

#define FREE_LINE 132
#define FIXED_LINE 66 /* letters in columns 7 to 72 */

/* A line that begins with one of these characters is not wrapped: directives, comments, marks. */
static const char fwrap_whole[] = { '#', '!', EZ_SPEC_FROM, EZ_SPEC_BACK, 0 };

static void fwrap_line(bool fixed, char **out, const char *line, size_t n)
{
    size_t room = fixed ? FIXED_LINE : FREE_LINE - 2;
    if (n && strchr(fwrap_whole, *line)) {
        ez_str_add_line(out, "%.*s", (int)n, line);
        return;
    }
    if (fixed) { /* Text for column 7 stays in column 7. */
        size_t blank = strspn(line, " ");
        blank = EZ_MIN(blank, n);
        line += blank >= 6 ? 6 : blank;
        n -= blank >= 6 ? 6 : blank;
    }
    for (bool first = true; first || n; first = false) {
        bool last = n <= room;
        size_t put = last ? n : room;
        ez_str_add_line(out, "%s%.*s%s",
                        fixed   ? (first ? "      " : "     &")
                        : first ? ""
                                : "&",
                        (int)put, line, fixed || last ? "" : "&");
        line += put;
        n -= put;
    }
}

char *ez_fwrap(bool fixed, char *code)
{
    char *out = NULL;
    if (!code)
        return NULL;
    for (const char *p = code;; p += strcspn(p, "\n") + 1) {
        fwrap_line(fixed, &out, p, strcspn(p, "\n"));
        if (!p[strcspn(p, "\n")])
            break;
    }
    free(code);
    return out;
}

static bool fwrap_in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

char *ez_frename(char *code, const char *name, const char *as, bool arrays)
{
    EZ_VEC(char) out = { 0 };
    char quote = 0;
    for (const char *p = code, *next; *p; p = next) {
        next = p + 1;
        const bool mark = *p == EZ_SPEC_FROM;
        if (mark)
            next = p + strcspn(p, "\n");
        quote = *p == '\n' || (quote && *p == quote)  ? 0
                : !quote && (*p == '\'' || *p == '"') ? *p
                                                      : quote;
        while (!quote && !mark && fwrap_in_name(*p) && fwrap_in_name(*next))
            next++;
        const size_t n = (size_t)(next - p);
        const bool its = !quote && !mark && n == strlen(name) && !strncasecmp(p, name, n) &&
                         (arrays || next[strspn(next, " \t")] != '(') &&
                         (p == code || p[-1] != '%');
        EZ_APPEND(&out, its ? as : p, its ? strlen(as) : n);
    }
    EZ_PUSH(&out, 0);
    free(code);
    return out.at;
}
