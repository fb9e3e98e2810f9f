/* SPDX-License-Identifier: GPL-3.0-or-later */
/* printf.c - `printf "FORMAT", EXPR...`, as in gdb. Tests: tests/procs/print.sh */
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/data/values.h"
#include "engine/base/strutil.h"
#include "engine/base/vec.h"
#include "engine/record/format.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

static ez_err *printf_value(struct ez_sess *s, const char *format, const struct ez_conversion *c,
                            const struct ez_value *v, char **out)
{
    uint64_t n;
    bool real;
    double d;
    if (c->what == 's') {
        EZ_FREE char *raw = NULL;
        EZ_TRY(ez_value_string(values_of(s), v, &raw));
        *out = ez_format_one(format, c, 0, 0, raw);
        return NULL;
    }
    ez_err *e = ez_value_number(v, &n, &real, &d);
    if (e && !strchr("fFeEgGaA", c->what) && !ez_err_drop(e))
        e = ez_value_address(v, &n);
    if (!e)
        *out = ez_format_one(format, c, c->what == 'c' ? n & 0xff : n,
                             real ? d : (double)(int64_t)n, NULL);
    return e;
}

/* Escapes the characters of the target's text that a terminal would interpret, except newlines. */
static char *printf_safe(const char *text)
{
    EZ_VEC(char) s = { 0 };
    for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        size_t n = strcspn(p, "\n");
        EZ_FREE char *line = ez_strndup(p, n), *safe = ez_str_ours(line);
        for (const char *c = safe; *c; c++)
            EZ_PUSH(&s, *c);
        if (p[n])
            EZ_PUSH(&s, '\n');
    }
    EZ_PUSH(&s, 0);
    return s.at;
}

static ez_err *printf_count(void)
{
    return ez_err_gdb(EZ_E_ARG, "Wrong number of arguments for specified format-string");
}

/* Reports a wrong format before any evaluation, which may assign. */
static ez_err *printf_check(const char *format)
{
    struct ez_conversion c = { .to = 0 };
    bool found = true;
    while (found)
        EZ_TRY(ez_format_next(format, c.to, &c, &found));
    return NULL;
}

static void printf_add(char **all, char *more)
{
    char *was = *all;
    *all = ez_sprintf("%s%s", was, more);
    free(was);
    free(more);
}

/* Formats the values. rest: the text after the format in the command. */
static ez_err *printf_values(struct ez_sess *s, const char *format, const char *rest, char **all)
{
    struct ez_conversion c;
    bool found;
    for (size_t at = 0;; at = c.to) {
        struct ez_value v;
        char *one = NULL;
        EZ_TRY(ez_format_next(format, at, &c, &found));
        printf_add(all, ez_format_plain(format, at, found ? c.from : strlen(format)));
        rest = parse_skip(rest);
        if (!found)
            break;
        if (*rest != ',')
            return printf_count();
        EZ_TRY(ez_eval(values_of(s), rest + 1, &rest, &v));
        ez_err *e = printf_value(s, format, &c, &v, &one);
        ez_value_clear(&v);
        EZ_TRY(e);
        printf_add(all, one);
    }
    return *rest ? printf_count() : NULL;
}

ez_err *values_printf(struct ez_sess *s, const char *text, char **out)
{
    const char *rest;
    EZ_FREE char *format = NULL, *all = ez_strdup("");
    EZ_TRY(ez_format_unquote(text, &format, &rest));
    EZ_TRY(printf_check(format));
    EZ_TRY(printf_values(s, format, rest, &all));
    *out = printf_safe(all);
    return NULL;
}

static ez_err *cmd_printf(struct ez_sess *s, int argc, char **argv)
{
    EZ_FREE char *text = NULL;
    EZ_TRY(values_printf(s, argv[1], &text));
    out_raw(s, text);
    return NULL;
}

const struct ez_cmd command_printf = {
    .name = "printf",
    .usage = "\"FORMAT\"[, EXPR...]",
    .brief = "Print values as C's printf does.",
    .help = "FORMAT is a C format. %s prints the string at a pointer. The values are not\n"
            "added to the history.",
    .examples = "printf \"%d of %s\\n\", count, list->name",
    .see_also = "print, echo",
    OPERANDS(DATA, 1, 1),
    .flags = RAW | TEXT_ONLY,
    .fn = cmd_printf,
    .complete = comp_symbol,
};
