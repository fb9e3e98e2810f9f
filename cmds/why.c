/* SPDX-License-Identifier: GPL-3.0-or-later */
/* why.c - `why LOCATION`: what a probe there does, or why none can stand. */
#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "cmds/why_draw.h"
#include "engine/probe/why.h"
#include "shell/out.h"
#include "shell/sess.h"

static const char *why_hex(struct ez_sess *s, const struct ez_why_insn *i)
{
    char text[64] = "";
    for (unsigned k = 0; k < i->len; k++)
        sprintf(text + 3 * k, "%02x ", i->bytes[k]);
    return sess_format(s, "%s", text);
}

static const char *why_role(enum ez_why_role r)
{
    static const char *const text[] = {
        [EZ_WHY_LANDING] = "stays: indirect calls land here",
        [EZ_WHY_MOVED] = "under the jump: runs in the stub",
        [EZ_WHY_REWRITTEN] = "under the jump: runs in the stub, rewritten",
        [EZ_WHY_PADDING] = "padding, under the jump",
        [EZ_WHY_BEHIND] = "",
    };
    return text[r];
}

static const char *why_distance(struct ez_sess *s, uint64_t a, uint64_t b)
{
    return out_size(s, a > b ? a - b : b - a);
}

static void why_say_strategies(struct ez_sess *s, const struct ez_why *w)
{
    for (unsigned i = 1; i < EZ_ARRAY_LEN(w->against); i++)
        if (*w->against[i])
            out_line(s, "  %-8s %s.", ez_strategy_name((int)i), w->against[i]);
}

static const char *why_place(struct ez_sess *s, uint64_t addr)
{
    const char *sym = out_sym(s, addr);
    return *sym ? sym : out_addr(s, addr);
}

static void why_say_leads(struct ez_sess *s, const struct ez_why *w)
{
    static const char *const what[EZ_NLEADS] = {
        [EZ_LEAD_BRANCH] = "Branches into those bytes: %u, from %s%s.",
        [EZ_LEAD_ADDRESS] = "Addresses in those bytes that are taken: %u, at %s%s.",
        [EZ_LEAD_POINTER] = "Pointers into those bytes: %u, at %s%s.",
    };
    unsigned all = 0;
    for (int i = 0; i < EZ_NLEADS; all += w->nleads[i++])
        if (w->nleads[i])
            out_line(s, what[i], w->nleads[i], why_place(s, w->lead[i]),
                     w->nleads[i] > 1 ? " and others" : "");
    if (!all)
        out_line(s, "Branches into those bytes: none.");
}

static void why_say_jump(struct ez_sess *s, const struct ez_why *w)
{
    why_say_leads(s, w);
    if (*w->entry) {
        out_line(s, "Entry: refused: %s.", w->entry);
        if (w->help)
            out_line(s, "What would change it: %s.", w->help);
        return;
    }
    out_line(s, "Entry: %s: %u byte%s, over instructions of %u bytes%s%s.",
             ez_strategy_text(w->strategy), w->jump, w->jump == 1 ? "" : "s", w->covered,
             w->padding ? sess_format(s, " and %u bytes of padding", w->padding) : "",
             w->island ? sess_format(s, ", by way of %s", out_addr(s, w->island)) : "");
    if (*w->exit)
        out_line(s, "Exit: refused: %s.", w->exit);
    else
        out_line(s, "Exit: %s%s%s.", w->exit_mode, w->exit_because ? ", because " : "",
                 w->exit_because ? w->exit_because : "");
    if (!w->planted)
        out_line(s, "Stub: would be at %s, %s away.", out_addr(s, w->room),
                 why_distance(s, w->room, w->site));
}

static void why_say_planted(struct ez_sess *s, const struct ez_why *w)
{
    const char *numbers = "";
    if (!w->planted)
        return;
    for (unsigned i = 0; i < w->nprobe && i < EZ_ARRAY_LEN(w->probe); i++)
        numbers = sess_format(s, "%s%s%d", numbers, i ? ", " : "", w->probe[i]);
    out_line(s, "Planted: %s%s%s, stub at %s, %u bytes, then %u of moved instructions.",
             w->nprobe ? "probe " : "a hook of eztsh's own", numbers, w->nprobe > 8 ? ", ..." : "",
             out_addr(s, w->stub), w->stub_len, w->relocated_len);
    if (w->with)
        out_line(s, "Replaced: the stub goes on to %s; the original, at %s, is that one's to call.",
                 why_place(s, w->with), out_addr(s, w->relocated));
    if (w->kept)
        out_line(s, "Registers are kept over it: callers that know %s may rely on them.", w->name);
}

void why_list(struct ez_sess *s, const struct ez_why *w)
{
    struct out_table t;
    out_table_init(&t, s, "", "", "", "", "", NULL);
    for (unsigned i = 0; i < w->ninsn; i++) {
        const struct ez_why_insn *in = &w->insn[i];
        out_row(&t, out_addr16(s, in->addr),
                sess_format(s, "<+%llu>", (unsigned long long)(in->addr - w->func)), why_hex(s, in),
                in->text, why_role(in->role), NULL);
    }
    out_table_print(&t);
}

static ez_err *why_explain(struct ez_sess *s, uint64_t addr)
{
    struct ez_why w;
    EZ_TRY(ez_why(s->target, ez_addr_of(addr), false, &w));
    out_line(s, "%s (%s) at %s, %llu bytes%s", w.name, w.library, out_addr(s, w.func),
             (unsigned long long)(w.end > w.func ? w.end - w.func : 0),
             w.next > w.end
                 ? sess_format(s, ", %llu to the next symbol", (unsigned long long)(w.next - w.end))
                 : "");
    why_list(s, &w);
    why_say_jump(s, &w);
    why_say_strategies(s, &w);
    why_say_planted(s, &w);
    why_draw(s, &w);
    return NULL;
}

ez_err *cmd_why(struct ez_sess *s, int argc, char **argv)
{
    struct parse_places p = { .at = NULL };
    ez_err *e = parse_places(s, argv[1], &p);
    for (size_t i = 0; !e && i < p.n && !s->quit_pager; i++)
        e = why_explain(s, p.at[i].v);
    EZ_VEC_FREE(&p);
    return e;
}
