/* SPDX-License-Identifier: GPL-3.0-or-later */
/* x.c - `x/FMT ADDR`: memory as numbers, text or instructions.
 *
 * FMT is a count, a letter of x z d u o t a c f s i and a size of b h w g, as in gdb. Missing
 * letters are those of the last `x`.
 * Tests: tests/procs/forms.sh */
#include <ctype.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "cmds/data/values.h"
#include "cmds/data/x.h"
#include "engine/base/strutil.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

#define NAME "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_:"
#define MOST 1000000 /* maximum number of units */

struct x_last {             /* what the last `x` left for the next one */
    struct x_format format; /* format of the last `x`; size 0 = none */
    uint64_t next;          /* address at which `x` without an address continues */
    bool has_next;
};

static struct x_last *x_state(struct ez_sess *s)
{
    static const struct sess_kind kind = { sizeof(struct x_last), NULL };
    return sess_state(s, &kind);
}

void x_set_next(struct ez_sess *s, uint64_t addr)
{
    struct x_last *last = x_state(s);
    values_set_last(s, addr);
    last->next = addr;
    last->has_next = true;
}

/* Returns the default size of a unit for a format letter, in bytes. last: the size that `x` used
 * before. */
static unsigned x_size_of(char letter, unsigned last)
{
    switch (letter) {
    case 'a':
        return 8;
    case 'c':
    case 's':
        return 1;
    case 'f':
        return last < 4 ? 8 : last;
    default:
        return last;
    }
}

ez_err *x_parse_format(const char **text, const struct x_format *last, struct x_format *out)
{
    static const char sizes[] = "bhwg";
    const char *p = *text, *size;
    char *end;
    *out = (struct x_format){ .count = 1 };
    if (isdigit((unsigned char)p[*p == '-'])) {
        long n = strtol(p, &end, 10);
        if (n > MOST || n < -MOST)
            return ez_err_new(EZ_E_LIMIT, 0, "\"x\" shows at most %d units", MOST);
        out->count = (int)n;
        p = end;
    }
    for (; *p && *p != ' ' && *p != '\t'; p++) {
        if ((size = strchr(sizes, *p)))
            out->size = 1u << (size - sizes);
        else if (strchr("xzduotacfsi", *p))
            out->letter = *p;
        else if (*p != 'r') /* 'r' (raw) has no effect, because eztsh has no pretty printers */
            return ez_err_new(EZ_E_ARG, 0, "Undefined output format \"%c\"", *p);
    }
    if (!out->letter && out->size && last->letter == 'i')
        out->letter = 'x';
    if (!out->letter)
        out->letter = last->letter;
    else if (!out->size)
        out->size = x_size_of(out->letter, last->size);
    if (!out->size)
        out->size = last->size;
    *text = parse_skip(p);
    return NULL;
}

static const char *x_label(struct ez_sess *s, uint64_t a)
{
    const char *sym = out_sym(s, a);
    return sess_format(s, "%s%s%s%s", out_addr(s, a), *sym ? " <" : "", sym, *sym ? ">" : "");
}

static const char *x_escaped_label(struct ez_sess *s, uint64_t addr)
{
    return sess_keep(s, out_escape(x_label(s, addr)));
}

/* Adds a JSON row for each unit. */
static void x_row(struct out_table *t, uint64_t at, const char *value)
{
    out_row(t, out_addr16(t->sess, at), out_sym(t->sess, at), value, NULL);
}

struct x_dump { /* state of the output */
    struct out_table t;
    struct ez_value unit; /* last unit */
    const char *line;     /* units read for the next output line, or NULL */
    const char *lead;     /* text before the first line */
};

/* Prints the next unit: as a JSON row, or appends it to the line in progress. */
static ez_err *x_dump_unit(struct x_dump *d, const struct x_format *f, uint64_t at)
{
    struct ez_sess *s = d->t.sess;
    char *text;
    ez_value_clear(&d->unit);
    d->unit = (struct ez_value){ .type = NULL };
    EZ_TRY(ez_unit_at(values_of(s), at, f->letter, f->size, &d->unit, &text));
    EZ_FREE char *safe = ez_str_ours(text);
    free(text);
    if (d->t.json)
        x_row(&d->t, at, safe);
    else
        d->line = sess_format(s, "%s\t%s", d->line, safe);
    return NULL;
}

static void x_flush(struct x_dump *d)
{
    if (d->line)
        out_ours(d->t.sess, "%s%s", d->lead, d->line);
    d->line = NULL;
    d->lead = "";
}

static ez_err *x_dump_units(struct x_dump *d, const struct x_format *f, uint64_t *at)
{
    struct ez_sess *s = d->t.sess;
    unsigned per_line = f->size == 8 ? 2 : f->size == 4 ? 4 : 8;
    for (int i = 0; i < f->count && !s->out.quit_pager; i++, *at += f->size) {
        if (!d->line && !d->t.json)
            d->line = sess_format(s, "%s:", x_escaped_label(s, *at));
        bool begun = i % (int)per_line;
        ez_err *e = x_dump_unit(d, f, *at);
        if (e && begun)
            x_flush(d);
        EZ_TRY(e);
        if (i % (int)per_line == (int)per_line - 1)
            x_flush(d);
    }
    x_flush(d);
    return NULL;
}

static ez_err *x_dump_string(struct x_dump *d, unsigned size, uint64_t *at)
{
    struct out_table *t = &d->t;
    struct ez_sess *s = t->sess;
    char *text;
    size_t n;
    EZ_TRY(ez_text_at(values_of(s), *at, size, &n, &text));
    if (t->json)
        x_row(t, *at, text);
    else
        out_ours(s, "%s%s:\t%s", d->lead, x_escaped_label(s, *at), text);
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

/* Shows texts and instructions. */
static ez_err *x_dump_things(struct x_dump *d, const struct x_format *f, uint64_t *at)
{
    ez_err *e = NULL;
    for (int i = 0; !e && i < f->count && !d->t.sess->out.quit_pager; i++) {
        d->unit.addr = *at;
        e = f->letter == 's' ? x_dump_string(d, f->size == 8 ? 1 : f->size, at)
                             : x_dump_insn(&d->t, at);
    }
    return e;
}

ez_err *x_show(struct ez_sess *s, const char *lead, const struct x_format *format, uint64_t *at)
{
    struct x_dump d = { .line = NULL, .lead = lead };
    struct x_format f = *format;
    bool things = f.letter == 's' || f.letter == 'i', back = f.count < 0;
    if (back && things)
        return ez_err_new(EZ_E_ARG, 0,
                          "A negative count is not possible with the formats \"s\" and \"i\"");
    f.count = back ? -f.count : f.count;
    uint64_t from = back ? *at - (uint64_t)f.count * f.size : *at, to = from;
    out_table_json(&d.t, s, "x", "address where value");
    ez_err *e = (things ? x_dump_things : x_dump_units)(&d, &f, &to);
    out_table_json_end(&d.t, e);
    if (!e && f.count)
        values_set_examined(s, &d.unit, things);
    if (!e)
        *at = back ? from : to;
    ez_value_clear(&d.unit);
    return e;
}

/* Evaluates an expression. If that fails, returns the address of a symbol without a known type. */
ez_err *x_address(struct ez_sess *s, const char *text, uint64_t *out)
{
    ez_addr one;
    ez_err *ambiguous = text[strspn(text, NAME)] ? NULL : parse_addr(s, text, &one);
    if (ambiguous && ambiguous->code == EZ_E_ARG) /* several functions have that name, so no address
                                                   * is meant */
        return ambiguous;
    ez_err_drop(ambiguous);
    ez_err *e = values_address(s, text, out), *other = e ? parse_value(s, text, out) : NULL;
    /* Keeps the more helpful error: the second error if it has a hint. */
    bool keeps = e && other && !other->hint;
    ez_err_free(keeps ? other : e);
    return keeps ? e : other;
}

static ez_err *cmd_x(struct ez_sess *s, int argc, char **argv)
{
    const char *text = argc > 1 ? argv[1] : "";
    struct x_last *before = x_state(s);
    struct x_format f = before->format.size ? before->format : (struct x_format){ 1, 4, 'x' };
    if (*text) /* `x` alone (also an empty line after it) keeps the count of the last `x` */
        f.count = 1;
    if (*text == '/') {
        const struct x_format last = f;
        text++;
        EZ_TRY(x_parse_format(&text, &last, &f));
    }
    if (!*text && !before->has_next)
        return ez_err_new(EZ_E_ARG, 0, "Argument required (starting display address)");
    uint64_t at = before->next;
    if (*text)
        EZ_TRY(x_address(s, text, &at));
    EZ_TRY(x_show(s, "", &f, &at));
    if (f.letter == 's')
        f.size = 1;
    *before = (struct x_last){ .format = f, .next = at, .has_next = true };
    free(s->run.repeat);
    s->run.repeat = ez_strdup("x");
    return NULL;
}

const struct ez_cmd command_x = {
    .name = "x",
    .usage = "[/FMT] [ADDR]",
    .brief = "Examine memory.",
    .help = "FMT is a count, a letter of x z d u o t a c f s i (hex, hex with zeros,\n"
            "decimal, unsigned, octal, binary, address, character, float, string,\n"
            "instruction) and a size of b h w g (1, 2, 4, 8 bytes). The default count is 1,\n"
            "the default letter that of the last x. The default size is 8 for a, 1 for c and\n"
            "s, otherwise that of the last x. x alone uses the last count, too. A float has\n"
            "4 or 8 bytes; a character of a string has 1, 2 or 4. A negative count shows\n"
            "memory before ADDR.\n"
            "\n"
            "ADDR is an expression, as for print; a variable without type information stands\n"
            "for its address. Without ADDR, and on an empty line, x shows the memory after\n"
            "the last unit. $_ is the address of the last unit, with the type of the unit,\n"
            "and $__ the value of the unit.",
    .examples = "x/4xw &list->first\n"
                "x/4xg $sp\n"
                "x/2fg &matrix\n"
                "x/s 0x402010\n"
                "x/5i $pc",
    .see_also = "print, disassemble, info symbol",
    OPERANDS(DATA, 0, 1),
    .min_abbrev = 1,
    OPTIONS(FOR_PROGRAMS),
    .flags = RAW,
    .fn = cmd_x,
    .complete = comp_symbol,
};
