/* SPDX-License-Identifier: GPL-3.0-or-later */
/* x.c - `x/FMT ADDR`: memory as numbers, text or instructions.
 *
 * FMT is a count, a letter of x d u o t a c s i and a size of b h w g, as in GDB;
 * letters that are not given are those of the last `x`. */
#include <ctype.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "cmds/values.h"
#include "shell/out.h"
#include "shell/sess.h"

#define NAME "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_:"

struct format {
    unsigned count, size;
    char letter;
};

/* The format of the last `x`. */
static struct format x_last_format(const struct ez_sess *s)
{
    return s->x.size ? (struct format){ s->x.count, s->x.size, s->x.letter }
                     : (struct format){ 1, 4, 'x' };
}

static ez_err *x_parse_format(const char **text, struct format *f)
{
    const char *p = *text, *size;
    static const char sizes[] = "bhwg";
    f->count = 1;
    if (isdigit((unsigned char)*p))
        f->count = (unsigned)strtoul(p, (char **)&p, 10);
    for (; *p && *p != ' ' && *p != '\t'; p++) {
        if ((size = strchr(sizes, *p)))
            f->size = 1u << (size - sizes);
        else if (strchr("xduotacsi", *p))
            f->letter = *p;
        else
            return ez_err_new(EZ_E_ARG, 0, "Undefined output format \"%c\".", *p);
        if (*p == 'a')
            f->size = 8;
        if (*p == 'c')
            f->size = 1;
    }
    *text = parse_skip(p);
    return NULL;
}

static const char *x_label(struct ez_sess *s, uint64_t a)
{
    const char *sym = out_sym(s, a);
    return sess_format(s, "%s%s%s%s", out_addr(s, a), *sym ? " <" : "", sym, *sym ? ">" : "");
}

static const char *x_binary(struct ez_sess *s, uint64_t v, unsigned bits)
{
    char text[65];
    for (unsigned i = 0; i < bits; i++)
        text[i] = v >> (bits - 1 - i) & 1 ? '1' : '0';
    text[bits] = '\0';
    return sess_keep(s, ez_strdup(text));
}

static const char *x_escaped_label(struct ez_sess *s, uint64_t addr)
{
    return sess_keep(s, out_escape(x_label(s, addr)));
}

static const char *x_unit(struct ez_sess *s, uint64_t v, const struct format *f)
{
    unsigned bits = 8 * f->size;
    long long sv = (long long)(v << (64 - bits)) >> (64 - bits);
    switch (f->letter) {
    case 'd':
        return sess_format(s, "%lld", sv);
    case 'u':
        return sess_format(s, "%llu", (unsigned long long)v);
    case 'o':
        return sess_format(s, "0%llo", (unsigned long long)v);
    case 't':
        return x_binary(s, v, bits);
    case 'a':
        return x_escaped_label(s, v);
    case 'c':
        return sess_format(s, v >= 32 && v < 127 && v != '\\' ? "%lld '%c'" : "%lld '\\%03o'", sv,
                           (int)v);
    default:
        return sess_format(s, "0x%0*llx", (int)(bits / 4), (unsigned long long)v);
    }
}

/* For programs: a row for each thing. */
static void x_row(struct out_table *t, uint64_t at, const char *value)
{
    out_row(t, out_addr16(t->sess, at), out_sym(t->sess, at), value, NULL);
}

static ez_err *x_rows_of_units(struct out_table *t, uint64_t *at, const struct format *f)
{
    for (unsigned i = 0; i < f->count; i++, *at += f->size) {
        uint64_t v = 0;
        EZ_TRY(ez_read(t->sess->target, ez_addr_of(*at), &v, f->size));
        x_row(t, *at, x_unit(t->sess, v, f));
    }
    return NULL;
}

static ez_err *x_dump_units(struct ez_sess *s, uint64_t *at, const struct format *f)
{
    unsigned per_line = f->letter == 'a' || f->letter == 't' ? 2
                        : f->size == 8                       ? 2
                        : f->size == 1                       ? 8
                                                             : 16 / f->size;
    for (unsigned i = 0; i < f->count;) {
        const char *line = sess_format(s, "%s:", x_escaped_label(s, *at));
        for (unsigned k = 0; k < per_line && i < f->count; k++, i++, *at += f->size) {
            uint64_t v = 0;
            ez_err *e = ez_read(s->target, ez_addr_of(*at), &v, f->size);
            if (e && k)
                out_ours(s, "%s", line);
            EZ_TRY(e);
            line = sess_format(s, "%s\t%s", line, x_unit(s, v, f));
        }
        out_ours(s, "%s", line);
    }
    return NULL;
}

static ez_err *x_dump_string(struct out_table *t, uint64_t *at)
{
    struct ez_sess *s = t->sess;
    char *text;
    size_t n;
    EZ_TRY(ez_text_at(values_of(s), *at, &n, &text));
    if (t->json)
        x_row(t, *at, text);
    else
        out_ours(s, "%s:\t%s", x_escaped_label(s, *at), text);
    free(text);
    *at += n;
    return NULL;
}

static ez_err *x_dump_insn(struct out_table *t, uint64_t *at)
{
    struct ez_sess *s = t->sess;
    struct ez_disassembled in;
    ez_addr pc = { 0 };
    ez_err_drop(ez_pc(s->target, &pc));
    EZ_TRY(ez_disassemble(s->target, ez_addr_of(*at), false, &in));
    if (t->json)
        x_row(t, *at, in.text);
    else
        out_line(s, "%s%s:\t%s", pc.v == *at ? "=> " : "   ", x_label(s, *at), in.text);
    *at += in.len;
    return NULL;
}

/* *one: the last thing that was shown. */
static ez_err *x_dump(struct ez_sess *s, const struct format *f, uint64_t *at, uint64_t *one)
{
    struct out_table t;
    ez_err *e = NULL;
    out_table_json(&t, s, "x", "address where value");
    if (f->letter == 's' || f->letter == 'i') {
        for (unsigned i = 0; !e && i < f->count && !s->quit_pager; i++) {
            *one = *at;
            e = (f->letter == 's' ? x_dump_string : x_dump_insn)(&t, at);
        }
    } else {
        e = t.json ? x_rows_of_units(&t, at, f) : x_dump_units(s, at, f);
        *one = *at - f->size;
    }
    out_table_json_end(&t, e);
    return e;
}

/* An expression; or the address of a symbol of unknown type, and what else names a place. */
static ez_err *x_address(struct ez_sess *s, const char *text, uint64_t *out)
{
    ez_addr one;
    ez_err *ambiguous = text[strspn(text, NAME)] ? NULL : parse_addr(s, text, &one);
    if (ambiguous && ambiguous->code == EZ_E_ARG) /* of several functions none is meant */
        return ambiguous;
    ez_err_drop(ambiguous);
    ez_err *e = values_address(s, text, out), *other = e ? parse_value(s, text, out) : NULL;
    bool keeps = e && other && !other->hint; /* what the second says helps more */
    ez_err_free(keeps ? other : e);
    return keeps ? e : other;
}

ez_err *cmd_x(struct ez_sess *s, int argc, char **argv)
{
    const char *text = argc > 1 ? argv[1] : "";
    struct format f = x_last_format(s);
    if (*text) /* alone, as an empty line repeats it, it shows as many again */
        f.count = 1;
    if (*text == '/') {
        text++;
        EZ_TRY(x_parse_format(&text, &f));
    }
    if (!*text && !s->x.size)
        return ez_err_new(EZ_E_ARG, 0, "Argument required (starting display address).");
    uint64_t at = s->x.next, one = 0; /* one: the last thing shown */
    if (*text)
        EZ_TRY(x_address(s, text, &at));
    s->x.size = f.size;
    s->x.count = f.count;
    s->x.letter = f.letter;
    EZ_TRY(x_dump(s, &f, &at, &one));
    s->x.next = at;
    sess_set_last(s, one);
    free(s->repeat);
    s->repeat = ez_strdup("x");
    return NULL;
}
