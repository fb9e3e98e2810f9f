/* SPDX-License-Identifier: GPL-3.0-or-later */
/* why.c - `why LOCATION`: explains what a probe at LOCATION does, or why no probe is possible.
 * Tests: tests/procs/why.sh, tests/e2e/memory.ezt */
#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "cmds/probe/why_draw.h"
#include "engine/base/strutil.h"
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
        [EZ_WHY_LANDING] = "stays: a landing mark",
        [EZ_WHY_MOVED] = "runs in the trampoline",
        [EZ_WHY_REWRITTEN] = "runs in the trampoline, rewritten",
        [EZ_WHY_PADDING] = "padding under the jump",
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
            out_line(s, "  %-8s %s.", ez_strategy(i)->name, w->against[i]);
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
            out_line(s, "What would help: %s.", w->help);
        return;
    }
    out_line(s, "Entry: %s: %u byte%s, over instructions of %u bytes%s%s.",
             ez_strategy(w->strategy)->text, w->jump, ez_plural(w->jump), w->covered,
             w->padding ? sess_format(s, " and %u bytes of padding", w->padding) : "",
             w->island ? sess_format(s, ", by way of %s", out_addr(s, w->island)) : "");
    if (*w->exit)
        out_line(s, "Exit: refused: %s.", w->exit);
    else
        out_line(s, "Exit: %s%s%s.", w->exit_mode, w->exit_because ? ", because " : "",
                 w->exit_because ? w->exit_because : "");
    if (!w->planted)
        out_line(s, "Trampoline: would be at %s, %s away.", out_addr(s, w->room),
                 why_distance(s, w->room, w->site));
}

static void why_say_planted(struct ez_sess *s, const struct ez_why *w)
{
    const char *numbers = "";
    if (!w->planted)
        return;
    for (unsigned i = 0; i < w->nprobe && i < EZ_ARRAY_LEN(w->probe); i++)
        numbers = sess_format(s, "%s%s%d", numbers, i ? ", " : "", w->probe[i]);
    out_line(s, "Planted: %s%s%s, trampoline at %s, %u bytes, then %u of moved instructions.",
             w->nprobe ? "probe " : "a hook of eztsh's own", numbers, w->nprobe > 8 ? ", ..." : "",
             out_addr(s, w->trampoline), w->trampoline_len, w->relocated_len);
    if (w->with)
        out_line(s, "Replaced: the trampoline jumps to %s, which may call the original at %s.",
                 why_place(s, w->with), out_addr(s, w->relocated));
    if (w->kept)
        out_line(s, "All registers are preserved: callers that know %s may rely on them.", w->name);
}

void why_list(struct ez_sess *s, const struct ez_why *w)
{
    struct out_table t;
    out_table_init(&t, s, "", "", "?", "~", "~", NULL);
    for (unsigned i = 0; i < w->ninsn; i++) {
        const struct ez_why_insn *in = &w->insn[i];
        out_row(&t, out_addr16(s, in->addr),
                sess_format(s, "<+%llu>", (unsigned long long)(in->addr - w->func)), why_hex(s, in),
                in->text, why_role(in->role), NULL);
    }
    out_table_print(&t);
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void why_fact(struct out_table *t, const char *key, unsigned n)
{
    out_fact(t, key, sess_format(t->sess, "%u", n));
}

static void why_fact_addr(struct out_table *t, const char *key, uint64_t addr)
{
    out_fact(t, key, addr ? out_addr16(t->sess, addr) : "");
}

static void why_facts(struct out_table *t, const struct ez_why *w)
{
    const char *numbers = "", *against = "";
    struct ez_sess *s = t->sess;
    for (unsigned i = 0; w->planted && i < w->nprobe && i < EZ_ARRAY_LEN(w->probe); i++)
        numbers = sess_format(s, "%s%s%d", numbers, i ? " " : "", w->probe[i]);
    for (unsigned i = 1; i < EZ_ARRAY_LEN(w->against); i++)
        if (*w->against[i])
            against = sess_format(s, "%s%s%s: %s", against, *against ? "; " : "",
                                  ez_strategy(i)->name, w->against[i]);
    out_fact(t, "function", w->name);
    out_fact(t, "library", w->library);
    why_fact_addr(t, "address", w->func);
    why_fact(t, "bytes#", w->end > w->func ? (unsigned)(w->end - w->func) : 0);
    why_fact_addr(t, "site", w->site);
    out_fact(t, "strategy", w->strategy ? ez_strategy(w->strategy)->name : "");
    out_fact(t, "entry_refused", w->entry);
    out_fact(t, "what_would_help", w->help ? w->help : "");
    out_fact(t, "against", against);
    out_fact(t, "exit", *w->exit || !w->exit_mode ? "" : w->exit_mode);
    out_fact(t, "exit_because", w->exit_because ? w->exit_because : "");
    out_fact(t, "exit_refused", w->exit);
    why_fact(t, "branches#", w->nleads[EZ_LEAD_BRANCH]);
    why_fact(t, "addresses#", w->nleads[EZ_LEAD_ADDRESS]);
    why_fact(t, "pointers#", w->nleads[EZ_LEAD_POINTER]);
    why_fact(t, "jump_bytes#", w->jump);
    why_fact(t, "covered_bytes#", w->covered);
    why_fact(t, "padding_bytes#", w->padding);
    why_fact_addr(t, "island", w->island);
    out_fact(t, "planted?", w->planted ? "yes" : "no");
    out_fact(t, "probes", numbers);
    why_fact_addr(t, "stub", w->planted ? w->trampoline : w->room);
    why_fact(t, "stub_bytes#", w->trampoline_len);
    why_fact_addr(t, "moved", w->relocated);
    why_fact(t, "moved_bytes#", w->relocated_len);
    why_fact_addr(t, "replaced_with", w->with);
    out_fact(t, "registers_kept?", w->kept ? "yes" : "no");
}

static void why_rows(struct ez_sess *s, const struct ez_why *w)
{
    static const char *const role[] = {
        [EZ_WHY_LANDING] = "landing", [EZ_WHY_MOVED] = "moved",   [EZ_WHY_REWRITTEN] = "rewritten",
        [EZ_WHY_PADDING] = "padding", [EZ_WHY_BEHIND] = "behind",
    };
    struct out_table t;
    out_table_json(&t, s, "why", "address offset# bytes instruction role moved_to");
    why_facts(&t, w);
    for (unsigned i = 0; i < w->ninsn; i++) {
        const struct ez_why_insn *in = &w->insn[i];
        out_row(&t, out_addr16(s, in->addr), out_cell_count(s, in->addr - w->func), why_hex(s, in),
                in->text, role[in->role], in->moved_to ? out_addr16(s, in->moved_to) : "", NULL);
    }
    out_table_json_end(&t, NULL);
}

/* ---- the command ----------------------------------------------------------------------------- */

static ez_err *why_explain(struct ez_sess *s, uint64_t addr)
{
    struct ez_why w;
    EZ_TRY(ez_why(s->target, ez_addr_of(addr), false, &w));
    if (out_json_requested(s)) {
        why_rows(s, &w);
        return NULL;
    }
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

static ez_err *cmd_why(struct ez_sess *s, int argc, char **argv)
{
    struct parse_places p = { .at = NULL };
    ez_err *e = parse_places(s, argv[1], &p);
    for (size_t i = 0; !e && i < p.n && !s->out.quit_pager; i++)
        e = why_explain(s, p.at[i].v);
    EZ_VEC_FREE(&p);
    return e;
}

const struct ez_cmd command_why = {
    .name = "why",
    .usage = "LOCATION",
    .brief = "Explain how a function is probed, or why it cannot be.",
    .help = "The command shows the instructions that the jump replaces and how each is\n"
            "moved, the branches into these instructions, the address of the trampoline, and\n"
            "how exits are recorded. If a probe is impossible, the command prints the reason\n"
            "and what would make a probe possible. \"probe\" uses the same rules.\n"
            "\n"
            "Nothing is written to the target. If an IFUNC is not resolved yet, its resolver\n"
            "is called in the target.",
    .examples = "why compute\n"
                "why libm:sin",
    .see_also = "probe, disassemble, measure, info textdiff",
    OPERANDS(PROBE, 1, 1),
    OPTIONS(FOR_PROGRAMS),
    .flags = RAW | NEED_TARGET,
    .fn = cmd_why,
    .complete = comp_location,
};
