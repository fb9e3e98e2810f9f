/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info_frame.c - `info frame`: location of the selected frame, its caller, and its saved
 * registers.
 * Tests: tests/procs/inlined.sh, tests/procs/bt.sh */
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/run/moves.h"
#include "cmds/parse.h"
#include "cmds/data/values.h"
#include "shell/out.h"
#include "shell/sess.h"

static const char *info_frame_language(struct ez_sess *s, const struct ez_stack_frame *f)
{
    struct ez_code_unit u;
    return !f->signal && ez_code_unit(s->target, f->pc - !f->exact, &u) && u.language ? u.language
                                                                                      : "";
}

static void info_frame_row_saved(const char *name, uint64_t at, void *arg)
{
    struct out_table *t = arg;
    out_row(t, name, out_addr16(t->sess, at), NULL);
}

struct saved {
    struct ez_sess *s;
    const char *text;
};

static void info_frame_say_saved(const char *name, uint64_t at, void *arg)
{
    struct saved *q = arg;
    q->text =
        sess_format(q->s, "%s%s%s at %s", q->text, *q->text ? ", " : "", name, out_addr(q->s, at));
}

/* Prints the members of `info frame -json` for frame n of `all`. out: the caller's frame; for an
 * inlined call, the caller of the function that contains the code; NULL = none. */
static void info_frame_facts(struct ez_sess *s, unsigned n, const struct ez_stack *all,
                             const struct ez_stack_frame *out)
{
    const struct ez_stack_frame *f = &all->frame.at[n];
    const char *name = frames_name(s, f);
    struct out_table t;
    out_table_json(&t, s, "frame", "register at");
    out_fact(&t, "level#", sess_format(s, "%u", n));
    out_fact(&t, "address", f->cfa ? out_addr16(s, f->cfa) : "");
    out_fact(&t, "pc", out_addr16(s, f->pc));
    out_fact(&t, "function", name ? parse_bare_name(s, name) : "");
    out_fact(&t, "where", out_sym(s, f->pc));
    out_fact(&t, "inlined_into#", f->within ? sess_format(s, "%u", n + 1) : "");
    out_fact(&t, "saved_pc", out ? out_addr16(s, out->pc) : "");
    out_fact(&t, "called_by", out && out->cfa && !f->within ? out_addr16(s, out->cfa) : "");
    out_fact(&t, "caller_of", n ? out_addr16(s, f[-1].cfa) : "");
    out_fact(&t, "outermost_because", !out && all->wrong ? all->wrong : "");
    out_fact(&t, "language", info_frame_language(s, f));
    ez_frame_saved(values_of(s), f, info_frame_row_saved, &t);
    out_table_json_end(&t, NULL);
}

/* Returns "0x401136 in f (f.c:3)". */
static const char *info_frame_at(struct ez_sess *s, const struct ez_stack_frame *f)
{
    const char *file, *sym = out_sym(s, f->pc), *name = frames_name(s, f);
    unsigned line;
    if (name && source_of(s, f, &file, &line))
        return sess_format(s, "%s in %s (%s:%u)", out_addr(s, f->pc), parse_bare_name(s, name),
                           file, line);
    return sess_format(s, "%s%s%s", out_addr(s, f->pc), *sym ? " in " : "", sym);
}

static void info_frame_print(struct ez_sess *s, unsigned n, const struct ez_stack *all,
                             const struct ez_stack_frame *out)
{
    const struct ez_stack_frame *f = &all->frame.at[n];
    out_line(s, "Stack level %u, frame at %s:", n, f->cfa ? out_addr(s, f->cfa) : "<unavailable>");
    const char *pc = ez_pc_name(), *language = info_frame_language(s, f);
    struct saved saved = { s, "" };
    out_ours(s, " %s = %s%s", pc, info_frame_at(s, f),
             out ? sess_format(s, "; saved %s = %s", pc, out_addr(s, out->pc)) : "");
    if (f->within)
        out_line(s, " inlined into frame %u", n + 1);
    else if (!out)
        out_line(s, " Outermost frame%s%s", all->wrong ? ": " : "", all->wrong ? all->wrong : "");
    else if (out->cfa)
        out_line(s, " called by frame at %s", out_addr(s, out->cfa));
    if (n)
        out_line(s, " caller of frame at %s", out_addr(s, f[-1].cfa));
    if (*language)
        out_line(s, " source language %s.", language);
    if (f->cfa)
        out_line(s, " Previous frame's sp is %s", out_addr(s, f->cfa));
    ez_frame_saved(values_of(s), f, info_frame_say_saved, &saved);
    if (*saved.text)
        out_line(s, " Saved registers:");
    if (*saved.text)
        out_line(s, "  %s", saved.text);
}

static ez_err *cmd_info_frame(struct ez_sess *s, int argc, char **argv)
{
    struct ez_stack all;
    struct ez_history *values = values_of(s);
    unsigned n = ez_frame_number(values);
    size_t caller;
    EZ_TRY(ez_stack_around(values, n, &all, &caller));
    if (n < all.frame.n)
        (out_json_requested(s) ? info_frame_facts : info_frame_print)(
            s, n, &all, caller < all.frame.n ? &all.frame.at[caller] : NULL);
    ez_stack_clear(&all);
    return NULL;
}

const struct ez_cmd command_info_frame = {
    .parent = "info",
    .name = "frame",
    .alias = "f",
    .usage = "",
    .brief = "Show the selected frame and its caller.",
    .examples = "info frame",
    .see_also = "backtrace, frame, info registers",
    OPERANDS(DATA, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_frame,
};
