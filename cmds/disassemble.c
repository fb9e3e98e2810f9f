/* SPDX-License-Identifier: GPL-3.0-or-later */
/* disassemble.c - `disassemble [/rop] [SYM]`: the instructions of a function.
 *
 * Shows the live bytes, a probe's jump included; /o shows what the probe replaced,
 * /r the bytes, /p both sides and where each instruction went. */
#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "cmds/why_draw.h"
#include "engine/probe/why.h"
#include "shell/out.h"
#include "shell/sess.h"

struct how {
    bool raw, original, patched;
};

static ez_err *disassemble_parse_modifiers(const char **text, struct how *how)
{
    const char *p = *text;
    while (*p == '/') {
        for (p++; *p && *p != ' ' && *p != '\t'; p++) {
            if (!strchr("rop", *p))
                return ez_err_new(EZ_E_ARG, 0, "Invalid disassembly modifier.");
            *(*p == 'r' ? &how->raw : *p == 'o' ? &how->original : &how->patched) = true;
        }
        p = parse_skip(p);
    }
    *text = p;
    return NULL;
}

static const char *disassemble_hex(struct ez_sess *s, const uint8_t *bytes, size_t n)
{
    char text[64] = "";
    for (size_t i = 0; i < n && i < 16; i++)
        sprintf(text + 3 * i, "%02x ", bytes[i]);
    return sess_format(s, "%s", text);
}

/* ---- /p: both sides ------------------------------------------------------------------- */

/* The instruction that stands at `at` now, or the patch that has the bytes. */
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

/* The moved instructions in the stub, each beside its origin; then the jump back. */
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
        ez_stub_origin(s->target, ez_addr_of(at), &from, &probe);
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
    out_line(s, "Stub at %s, %u bytes; the moved instructions behind it:", out_addr(s, w->stub),
             w->stub_len);
    out_table_init(&t, s, "", "~", "~", NULL);
    ez_err *e = disassemble_replay(&t, w);
    if (e)
        out_table_drop(&t);
    else
        out_table_print(&t);
    return e;
}

/* ---- for programs ----------------------------------------------------------------------- */

static void disassemble_table(struct ez_sess *s, struct out_table *t, const char *function,
                              uint64_t start)
{
    out_table_json(t, s, "disassemble",
                   "part address offset# bytes instruction original from current?");
    out_fact(t, "function", function);
    out_fact(t, "address", out_addr16(s, start));
}

/* Of a probed function: both sides, then the moved instructions. */
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
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "No probe stands on %s.", w.name),
                           "`why` shows what one would do");
    if (out_json_asked(s))
        return disassemble_both(s, &w);
    out_line(s, "%s, the bytes of its file and what stands there now:", w.name);
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

/* One instruction, as a line or as a row. */
static void disassemble_show(struct out_table *t, const struct how *how, uint64_t at,
                             uint64_t start, bool current, const struct ez_disassembled *in)
{
    struct ez_sess *s = t->sess;
    if (t->json)
        out_row(t, "function", out_addr16(s, at), out_cell_count(s, at - start),
                disassemble_hex(s, in->bytes, in->len), in->text, "", "", current ? "yes" : "no",
                NULL);
    else
        out_line(s, "%s%s <+%llu>:\t%s%s%s", current ? "=> " : "   ", out_addr16(s, at),
                 (unsigned long long)(at - start),
                 how->raw ? disassemble_hex(s, in->bytes, in->len) : "", how->raw ? "\t" : "",
                 in->text);
}

ez_err *cmd_disassemble(struct ez_sess *s, int argc, char **argv)
{
    const char *text = argc > 1 ? argv[1] : "";
    struct how how = { 0 };
    ez_addr at, pc = { 0 };
    uint64_t off;
    struct ez_module_info m;
    EZ_TRY(disassemble_parse_modifiers(&text, &how));
    bool have_pc = ez_err_drop(ez_pc(s->target, &pc));
    if (!*text && !have_pc)
        return ez_err_new(EZ_E_STATE, 0, "No frame selected.");
    at = pc;
    if (*text)
        EZ_TRY(parse_addr(s, text, &at));
    const struct ez_sym *sym = ez_symbolize(s->target, at, &off, &m);
    if (!sym)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No function contains specified address.");
    uint64_t start = at.v - off, end = ez_sym_end(sym) + m.bias;
    if (how.patched)
        return disassemble_show_patched(s, start);
    struct out_table t;
    ez_err *e = NULL;
    disassemble_table(s, &t, ez_sym_pretty(sym), start);
    if (!t.json)
        out_line(s, "Dump of assembler code for function %s:", ez_sym_pretty(sym));
    for (uint64_t a = start; !e && a < end && !s->quit_pager;) {
        struct ez_disassembled in;
        e = ez_disassemble(s->target, ez_addr_of(a), how.original, &in);
        if (!e)
            disassemble_show(&t, &how, a, start, have_pc && pc.v == a, &in);
        a += in.len;
    }
    if (!e && !t.json)
        out_line(s, "End of assembler dump.");
    out_table_json_end(&t, e);
    return e;
}
