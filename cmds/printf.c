/* SPDX-License-Identifier: GPL-3.0-or-later */
/* printf.c - `printf "FORMAT", EXPR...`, as gdb has it. Tests: tests/procs/print.sh */
#include <ctype.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "cmds/values.h"
#include "engine/base/strutil.h"
#include "engine/base/vec.h"
#include "shell/out.h"
#include "shell/sess.h"

/* One part of the format: a text, or a directive with what it asks for. */
struct part {
    char *text;  /* "%5d" without its length: "%5" then letter                          */
    char letter; /* 0 = a text                                                       */
    char length; /* h, H (hh), l, L (long double); 0 = none                          */
};
struct format {
    EZ_VEC(struct part) part;
};

static void printf_free(struct format *f)
{
    for (size_t i = 0; i < f->part.n; i++)
        free(f->part.at[i].text);
    EZ_VEC_FREE(&f->part);
}

/* The format in its quotes, escapes resolved; *text = what follows. */
static ez_err *printf_quoted(const char **text, char **out)
{
    static const char from[] = "abefnrtv\\\"", to[] = "\a\b\033\f\n\r\t\v\\\"";
    const char *p = *text;
    if (*p != '"')
        return ez_err_new(EZ_E_ARG, 0, "Bad format string");
    EZ_VEC(char) s = { 0 };
    for (p++; *p && *p != '"'; p++) {
        const char *k = *p == '\\' && p[1] ? strchr(from, p[1]) : NULL;
        int octal = 0, n = 0;
        if (k) {
            EZ_PUSH(&s, to[k - from]);
            p++;
        } else if (*p == '\\' && p[1] >= '0' && p[1] <= '7') {
            while (n < 3 && p[1] >= '0' && p[1] <= '7')
                octal = octal * 8 + *++p - '0', n++;
            EZ_PUSH(&s, (char)octal);
        } else {
            EZ_PUSH(&s, *p);
        }
    }
    EZ_PUSH(&s, 0);
    *out = s.at;
    *text = p + 1;
    if (*p)
        return NULL;
    free(s.at);
    return ez_err_new(EZ_E_ARG, 0, "Bad format string, non-terminated '\"'");
}

/* The directive at **text, behind its percent sign. */
static ez_err *printf_directive(const char **text, struct part *out)
{
    const char *p = *text, *from = p - 1;
    p += strspn(p, "-+ #0");
    p += strspn(p, "0123456789");
    if (*p == '.')
        p += 1 + strspn(p + 1, "0123456789");
    if (p - from > 24)
        return ez_err_new(EZ_E_ARG, 0, "Bad format string");
    out->text = ez_sprintf("%.*s", (int)(p - from), from);
    for (; *p && strchr("hlLzjt", *p); p++)
        out->length = *p == 'h' ? (out->length == 'h' ? 'H' : 'h') : *p == 'L' ? 'L' : 'l';
    out->letter = *p;
    *text = p + (*p != 0);
    if (*p && strchr("diuxXocspfFeEgGaA", *p))
        return NULL;
    free(out->text);
    return *p ? ez_err_new(EZ_E_ARG, 0, "Unrecognized format specifier '%c' in printf", *p)
              : ez_err_new(EZ_E_ARG, 0, "Incomplete format specifier at end of format string");
}

static ez_err *printf_parts(const char *p, struct format *f)
{
    while (*p) {
        struct part one = { .text = NULL };
        size_t n = strcspn(p, "%");
        if (n || p[1] == '%') {
            n = n ? n : 1;
            one.text = ez_sprintf("%.*s", (int)n, p);
            p += *p == '%' ? 2 : n;
        } else {
            p++;
            EZ_TRY(printf_directive(&p, &one));
        }
        EZ_PUSH(&f->part, one);
    }
    return NULL;
}

/* ---- values ------------------------------------------------------------------------------------ */

static char *printf_integer(const struct part *p, uint64_t v)
{
    bool sign = p->letter == 'd' || p->letter == 'i';
    unsigned bits = p->length == 'l' ? 64 : p->length == 'h' ? 16 : p->length == 'H' ? 8 : 32;
    v = sign ? (uint64_t)((int64_t)(v << (64 - bits)) >> (64 - bits))
             : v << (64 - bits) >> (64 - bits);
    EZ_FREE char *as = ez_sprintf("%sll%c", p->text, p->letter);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    return ez_sprintf(as, (unsigned long long)v);
#pragma GCC diagnostic pop
}

static char *printf_one(const struct part *p, const char *text, double real)
{
    EZ_FREE char *as = ez_sprintf("%s%c", p->text, text ? 's' : p->letter);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    return text ? ez_sprintf(as, text) : ez_sprintf(as, real);
#pragma GCC diagnostic pop
}

static ez_err *printf_value(struct ez_sess *s, const struct part *p, const struct ez_value *v,
                            char **out)
{
    uint64_t n;
    bool real;
    double d;
    if (p->letter == 's') {
        char *raw;
        EZ_TRY(ez_value_string(s->values, v, &raw));
        *out = printf_one(p, raw, 0);
        free(raw);
        return NULL;
    }
    if (strchr("cpdiuxXo", p->letter)) {
        ez_err *e = ez_value_number(v, &n, &real, &d);
        if (e && !ez_err_drop(e))
            EZ_TRY(ez_value_address(v, &n));
        const char one[2] = { (char)n, 0 };
        EZ_FREE char *hex = ez_sprintf(n ? "0x%llx" : "(nil)", (unsigned long long)n);
        *out = p->letter == 'c'   ? printf_one(p, one, 0)
               : p->letter == 'p' ? printf_one(p, hex, 0)
                                  : printf_integer(p, n);
        return NULL;
    }
    EZ_TRY(ez_value_number(v, &n, &real, &d));
    *out = printf_one(p, NULL, real ? d : (double)(int64_t)n);
    return NULL;
}

/* What comes from the target is shown as it is, but for what a terminal would take for more. */
static char *printf_safe(const char *text)
{
    EZ_VEC(char) s = { 0 };
    for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        size_t n = strcspn(p, "\n");
        EZ_FREE char *line = ez_sprintf("%.*s", (int)n, p), *safe = ez_str_ours(line);
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
    return ez_err_new(EZ_E_ARG, 0, "Wrong number of arguments for specified format-string");
}

static ez_err *printf_values(struct ez_sess *s, const struct format *f, const char *rest,
                             char **all)
{
    for (size_t i = 0; i < f->part.n; i++) {
        const struct part *p = &f->part.at[i];
        struct ez_value v;
        char *one = NULL, *was = *all;
        const char *end;
        if (p->letter) {
            rest = parse_skip(rest);
            if (*rest != ',')
                return printf_count();
            EZ_TRY(ez_eval(values_of(s), rest + 1, &end, &v));
            ez_err *e = printf_value(s, p, &v, &one);
            ez_value_clear(&v);
            EZ_TRY(e);
            rest = end;
        }
        *all = ez_sprintf("%s%s", was, one ? one : p->text);
        free(one);
        free(was);
    }
    return *parse_skip(rest) ? printf_count() : NULL;
}

ez_err *cmd_printf(struct ez_sess *s, int argc, char **argv)
{
    const char *text = argv[1];
    struct format f = { { 0 } };
    char *quoted = NULL, *all = ez_strdup("");
    ez_err *e = printf_quoted(&text, &quoted);
    if (!e)
        e = printf_parts(quoted, &f);
    free(quoted);
    if (!e)
        e = printf_values(s, &f, text, &all);
    if (!e) {
        EZ_FREE char *safe = printf_safe(all);
        out_raw(s, safe);
    }
    free(all);
    printf_free(&f);
    return e;
}
