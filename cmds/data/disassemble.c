/* SPDX-License-Identifier: GPL-3.0-or-later */
/* disassemble.c - `disassemble [/rsmop] [SYM | START,END | START,+LENGTH]`: the instructions of a
 * function, or of a range.
 *
 * Without letters it shows the bytes in memory, with the jump of a probe. /o shows the bytes that
 * the probe replaced, /r and /b show bytes, /s and /m source lines, /p the code before and after
 * the change, and where each replaced instruction runs now.
 * Tests: tests/procs/forms.sh */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/run/moves.h"
#include "cmds/parse.h"
#include "cmds/probe/why_draw.h"
#include "cmds/data/x.h"
#include "engine/probe/why.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

struct how {
    bool raw, original, patched;
    bool source;   /* prints source lines before their instructions, in the order of addresses */
    bool by_line;  /* in the order of source lines, not of addresses */
    bool is_range; /* a range of addresses: labels include the function's name */
};

static ez_err *disassemble_parse_modifiers(const char **text, struct how *how)
{
    const char *p = *text;
    while (*p == '/') {
        for (p++; *p && *p != ' ' && *p != '\t'; p++) {
            if (!strchr("rbopsm", *p))
                return ez_err_new(EZ_E_ARG, 0, "Invalid disassembly modifier");
            how->raw |= *p == 'r' || *p == 'b';
            how->original |= *p == 'o';
            how->patched |= *p == 'p';
            how->source |= *p == 's';
            how->by_line |= *p == 'm';
        }
        p = parse_skip(p);
    }
    *text = p;
    return how->source && how->by_line ? ez_err_new(EZ_E_ARG, 0, "Cannot specify both /m and /s")
                                       : NULL;
}

static const char *disassemble_hex(struct ez_sess *s, const uint8_t *bytes, size_t n)
{
    char text[64] = "";
    for (size_t i = 0; i < n && i < 16; i++)
        sprintf(text + 3 * i, "%02x ", bytes[i]);
    text[strlen(text) - (n > 0)] = '\0';
    return sess_format(s, "%s", text);
}

/* ---- /p: the code before and after the change ----------------------------------------- */

/* Returns the text of the instruction that memory has at address `at`, or of the patch that covers
 * `at`. */
static const char *disassemble_now_at(struct ez_sess *s, const struct ez_why *w, uint64_t at)
{
    struct ez_disassembled in;
    if (at > w->site && at < w->site + w->jump)
        return "(part of the jump)";
    if (at >= w->site + w->jump && at < w->site + w->covered)
        return "(left over, never run)";
    ez_err *e = ez_disassemble(s->target, ez_addr_of(at), false, &in);
    return ez_err_drop(e) ? sess_format(s, "%s", in.text) : "?";
}

/* Lists the relocated instructions in the trampoline with their original addresses, then the jump
 * back. */
static ez_err *disassemble_replay(struct out_table *t, const struct ez_why *w)
{
    struct ez_sess *s = t->sess;
    for (uint64_t at = w->relocated; at < w->relocated + w->relocated_len;) {
        struct ez_disassembled in;
        ez_addr from;
        int probe;
        EZ_TRY(ez_disassemble(s->target, ez_addr_of(at), false, &in));
        bool starts = false;
        for (unsigned i = 0; i < w->ninsn; i++)
            starts |= w->insn[i].moved_to == at;
        ez_trampoline_origin(s->target, ez_addr_of(at), &from, &probe);
        const char *text = sess_format(s, "%s", in.text),
                   *origin = starts ? out_sym(s, from.v) : "";
        if (t->json)
            out_row(t, "stub", out_addr16(s, at), "", "", text, "", origin, "no", NULL);
        else
            out_row(t, out_addr16(s, at), text, *origin ? sess_format(s, "from %s", origin) : "",
                    NULL);
        at += in.len;
    }
    return NULL;
}

static ez_err *disassemble_show_replay(struct ez_sess *s, const struct ez_why *w)
{
    struct out_table t;
    out_line(s, "Trampoline at %s, %u bytes, followed by the moved instructions:",
             out_addr(s, w->trampoline), w->trampoline_len);
    out_table_init(&t, s, "", "~", "~", NULL);
    ez_err *e = disassemble_replay(&t, w);
    if (e)
        out_table_drop(&t);
    else
        out_table_print(&t);
    return e;
}

/* ---- JSON ------------------------------------------------------------------------------- */

static void disassemble_table(struct ez_sess *s, struct out_table *t, const char *function,
                              uint64_t start)
{
    out_table_json(t, s, "disassemble",
                   "part address offset# bytes instruction original from current?");
    out_fact(t, "function", function);
    out_fact(t, "address", out_addr16(s, start));
}

/* Prints a probed function before and after the change, then the relocated instructions. */
static ez_err *disassemble_both(struct ez_sess *s, const struct ez_why *w)
{
    struct out_table t;
    disassemble_table(s, &t, w->name, w->func);
    for (unsigned i = 0; i < w->ninsn; i++) {
        const struct ez_why_insn *in = &w->insn[i];
        out_row(&t, "function", out_addr16(s, in->addr), out_cell_count(s, in->addr - w->func), "",
                disassemble_now_at(s, w, in->addr), in->text, "", "no", NULL);
    }
    ez_err *e = disassemble_replay(&t, w);
    out_table_json_end(&t, e);
    return e;
}

static ez_err *disassemble_show_patched(struct ez_sess *s, uint64_t start)
{
    struct ez_why w;
    struct out_table t;
    EZ_TRY(ez_why(s->target, ez_addr_of(start), false, &w));
    if (!w.planted)
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "No probe is planted on %s", w.name),
                           "\"why\" shows what a probe would do");
    if (out_json_requested(s))
        return disassemble_both(s, &w);
    out_line(s, "%s, the bytes of the file and those in memory:", w.name);
    out_table_init(&t, s, "", "", "~Original", "~Now", NULL);
    for (unsigned i = 0; i < w.ninsn; i++) {
        const struct ez_why_insn *in = &w.insn[i];
        out_row(&t, out_addr16(s, in->addr),
                sess_format(s, "<+%llu>", (unsigned long long)(in->addr - w.func)), in->text,
                disassemble_now_at(s, &w, in->addr), NULL);
    }
    out_table_print(&t);
    EZ_TRY(disassemble_show_replay(s, &w));
    why_draw(s, &w);
    return NULL;
}

/* ---- instructions ------------------------------------------------------------------------ */

struct dump { /* function or range to print */
    struct out_table t;
    const struct how *how;
    uint64_t lo, hi, pc; /* [lo, hi): addresses; pc: where the program is stopped; 0 = not known */
};

/* Returns "<+4>"; in a range, adds the function's name. */
static const char *disassemble_label(struct dump *d, uint64_t at)
{
    uint64_t off = 0;
    struct ez_sess *s = d->t.sess;
    if (!d->how->is_range)
        return sess_format(s, " <+%llu>", (unsigned long long)(at - d->lo));
    const struct ez_sym *sym = ez_symbolize_any(s->target, ez_addr_of(at), &off, NULL);
    return sym ? sess_format(s, " <%s+%llu>", ez_sym_pretty(sym), (unsigned long long)off) : "";
}

/* Prints one instruction, as a line or as a row. */
static void disassemble_show(struct dump *d, uint64_t at, const struct ez_disassembled *in)
{
    struct ez_sess *s = d->t.sess;
    bool current = d->pc && d->pc == at;
    const char *bytes = disassemble_hex(s, in->bytes, in->len);
    if (d->t.json)
        out_row(&d->t, "function", out_addr16(s, at), out_cell_count(s, at - d->lo), bytes,
                in->text, "", "", current ? "yes" : "no", NULL);
    else
        out_line(s, "%s%s%s:\t%s%s", current ? "=> " : "   ", out_addr16(s, at),
                 disassemble_label(d, at), d->how->raw ? sess_format(s, "%-19s\t", bytes) : "",
                 in->text);
}

static ez_err *disassemble_some(struct dump *d, uint64_t from, uint64_t to)
{
    struct ez_sess *s = d->t.sess;
    for (uint64_t a = from; a < to && !s->out.quit_pager;) {
        struct ez_disassembled in;
        EZ_TRY(ez_disassemble(s->target, ez_addr_of(a), d->how->original, &in));
        disassemble_show(d, a, &in);
        a += in.len;
    }
    return NULL;
}

/* ---- with source lines --------------------------------------------------------------------- */

struct dump_part { /* instructions of one source line */
    uint64_t lo, hi;
    const char *file;
    unsigned line;
};
struct dump_parts {
    struct dump_part *at;
    size_t n, cap;
};

/* Returns the next part of the range, up to the first instruction of another line. */
static struct dump_part disassemble_part(struct dump *d, uint64_t from)
{
    struct dump_part p = { .lo = from, .hi = d->hi };
    struct ez_code_line l;
    if (ez_code_line(d->t.sess->target, from, &l) && l.hi > from) {
        p.hi = EZ_MIN(l.hi, d->hi);
        p.file = l.line ? l.name : NULL;
        p.line = l.line;
    }
    return p;
}

static bool disassemble_same_file(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

/* Splits the range into parts, one for each run of instructions of the same source line. */
static void disassemble_parts(struct dump *d, struct dump_parts *out)
{
    for (uint64_t a = d->lo; a < d->hi;) {
        const struct dump_part p = disassemble_part(d, a);
        struct dump_part *last = out->n ? &out->at[out->n - 1] : NULL;
        if (last && last->line == p.line && disassemble_same_file(last->file, p.file))
            last->hi = p.hi;
        else
            EZ_PUSH(out, p);
        a = p.hi;
    }
}

static bool disassemble_has_code(const struct dump_parts *all, const char *file, unsigned line)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].line == line && disassemble_same_file(all->at[i].file, file))
            return true;
    return false;
}

/* Prints as gdb does: source lines without code come before the next line with code, unless that
 * line is further back in the file. */
static ez_err *disassemble_by_source(struct dump *d, const struct dump_parts *all)
{
    struct ez_sess *s = d->t.sess;
    const char *file = NULL;
    unsigned line = 0;
    for (size_t i = 0; i < all->n && !s->out.quit_pager; i++) {
        const struct dump_part *p = &all->at[i];
        bool other = p->file && (!file || strcmp(file, p->file));
        unsigned from = p->line;
        if (i)
            out_line(s, "%s", "");
        if (other)
            out_line(s, "%s:", p->file);
        else if (p->file && p->line > line + 1 && line)
            for (from = p->line; from - 1 > line && p->line - from < GAP_MOST &&
                                 !disassemble_has_code(all, p->file, from - 1);)
                from--;
        if (p->file)
            source_show(s, p->file, from, p->line);
        else
            out_line(s, "unknown:");
        file = p->file ? p->file : file;
        line = p->line;
        EZ_TRY(disassemble_some(d, p->lo, p->hi));
    }
    return NULL;
}

static int disassemble_before(const void *a, const void *b)
{
    const struct dump_part *p = a, *q = b;
    return p->line != q->line ? (p->line > q->line) - (p->line < q->line)
                              : (p->lo > q->lo) - (p->lo < q->lo);
}

/* Prints in the order of source lines. All lines are from the file of the first one. */
static ez_err *disassemble_by_line(struct dump *d, struct dump_parts *all)
{
    struct ez_sess *s = d->t.sess;
    unsigned next = 0;
    size_t n = 0;
    /* As gdb does, omits code that is inlined from other files. */
    for (size_t i = 0; i < all->n; i++)
        if (all->at[0].file && disassemble_same_file(all->at[i].file, all->at[0].file))
            all->at[n++] = all->at[i];
    all->n = n;
    if (all->n)
        qsort(all->at, all->n, sizeof *all->at, disassemble_before);
    for (size_t i = 0; i < all->n && !s->out.quit_pager && !s->end.interrupted; i++) {
        const struct dump_part *p = &all->at[i];
        if (p->line >= next)
            source_show(s, p->file, next ? next : p->line, p->line);
        next = p->line + 1;
        EZ_TRY(disassemble_some(d, p->lo, p->hi));
        if (i + 1 == all->n || all->at[i + 1].line > p->line)
            out_line(s, "%s", "");
    }
    return NULL;
}

static ez_err *disassemble_dump(struct dump *d)
{
    struct dump_parts all = { .n = 0 };
    if (d->t.json || (!d->how->source && !d->how->by_line))
        return disassemble_some(d, d->lo, d->hi);
    disassemble_parts(d, &all);
    bool any_file = false;
    for (size_t i = 0; i < all.n; i++)
        any_file |= all.at[i].file != NULL;
    ez_err *e = !any_file         ? disassemble_some(d, d->lo, d->hi)
                : d->how->by_line ? disassemble_by_line(d, &all)
                                  : disassemble_by_source(d, &all);
    EZ_VEC_FREE(&all);
    return e;
}

/* Prints the instructions between gdb's first and last lines ("Dump of assembler code for ..."). */
static ez_err *disassemble_framed(struct dump *d, const char *of)
{
    struct ez_sess *s = d->t.sess;
    if (!d->t.json)
        out_line(s, "Dump of assembler code %s:", of);
    ez_err *e = disassemble_dump(d);
    if (!e && !d->t.json)
        out_line(s, "End of assembler dump.");
    out_table_json_end(&d->t, e);
    return e;
}

/* ---- the command --------------------------------------------------------------------------- */

/* Evaluates an address that parse_addr() knows, or any expression. */
static ez_err *disassemble_address(struct ez_sess *s, const char *text, uint64_t *out)
{
    ez_addr at;
    ez_err *e = parse_addr(s, text, &at);
    if (!e) {
        *out = at.v;
        return NULL;
    }
    ez_err *other = x_address(s, text, out);
    ez_err_free(other ? other : e);
    return other ? e : NULL;
}

/* Returns the comma outside of parentheses and quotes; NULL if there is none. */
static char *disassemble_comma(char *text)
{
    int depth = 0;
    for (char quote = 0; *text; text++) {
        if (quote || *text == '\'' || *text == '"')
            quote = quote == *text ? 0 : quote ? quote : *text;
        depth += !quote && strchr("([{<", *text) != NULL;
        depth -= !quote && strchr(")]}>", *text) != NULL;
        if (*text == ',' && !quote && depth <= 0)
            return text;
    }
    return NULL;
}

static ez_err *disassemble_show_range(struct ez_sess *s, const struct how *requested, uint64_t pc,
                                      const char *from, const char *to)
{
    struct how how = *requested;
    struct dump d = { .how = &how, .pc = pc };
    how.is_range = true;
    EZ_TRY(disassemble_address(s, from, &d.lo));
    EZ_TRY(disassemble_address(s, *to == '+' ? to + 1 : to, &d.hi));
    if (*to == '+')
        d.hi += d.lo;
    disassemble_table(s, &d.t, "", d.lo);
    return disassemble_framed(
        &d, sess_format(s, "from %s to %s", out_addr(s, d.lo), out_addr(s, d.hi)));
}

static ez_err *disassemble_show_function(struct ez_sess *s, const struct how *how, uint64_t pc,
                                         uint64_t at)
{
    uint64_t off;
    struct ez_module_info m;
    struct dump d = { .how = how, .pc = pc };
    const struct ez_sym *sym = ez_symbolize(s->target, ez_addr_of(at), &off, &m);
    if (!sym)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No function contains specified address");
    d.lo = at - off;
    d.hi = ez_sym_end(sym) + m.bias;
    if (how->patched)
        return disassemble_show_patched(s, d.lo);
    disassemble_table(s, &d.t, ez_sym_pretty(sym), d.lo);
    return disassemble_framed(&d, sess_format(s, "for function %s", ez_sym_pretty(sym)));
}

static ez_err *cmd_disassemble(struct ez_sess *s, int argc, char **argv)
{
    const char *text = argc > 1 ? argv[1] : "";
    struct how how = { 0 };
    ez_addr pc = { 0 };
    EZ_TRY(disassemble_parse_modifiers(&text, &how));
    bool have_pc = ez_err_drop(ez_pc(s->target, &pc));
    if (!*text && !have_pc)
        return ez_err_new(EZ_E_STATE, 0, "No frame selected");
    EZ_FREE char *from = ez_strdup(text);
    char *comma = disassemble_comma(from);
    uint64_t at = pc.v;
    if (comma)
        *comma++ = '\0';
    if (comma && *parse_skip(comma))
        return disassemble_show_range(s, &how, pc.v, from, parse_skip(comma));
    if (*text)
        EZ_TRY(disassemble_address(s, from, &at));
    return disassemble_show_function(s, &how, pc.v, at);
}

const struct ez_cmd command_disassemble = {
    .name = "disassemble",
    .usage = "[/rbsmop] [SYM | START,END | START,+N]",
    .brief = "Show the instructions of a function.",
    .help = "SYM is a function; the default is the function of the selected frame. START and\n"
            "END are expressions; the range does not include END. The bytes are those in\n"
            "memory, where a probe has written its jump.\n"
            "\n"
            "The modifiers are:\n"
            "  /r, /b  show the bytes\n"
            "  /s      show source lines, in the order of the instructions\n"
            "  /m      show source lines, in the order of the source\n"
            "  /o      show the original instructions in place of a probe's jump\n"
            "  /p      show the code with and without the probe, and the trampoline's copy of\n"
            "          each instruction",
    .examples = "disassemble main\n"
                "disassemble /s $pc,+32\n"
                "disassemble /ro compute",
    .see_also = "x, measure, set disassembly-flavor",
    OPERANDS(DATA, 0, 1),
    OPTIONS(FOR_PROGRAMS),
    .flags = RAW,
    .fn = cmd_disassemble,
    .complete = comp_symbol,
};
