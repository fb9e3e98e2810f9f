/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frames.c - the frames of the current thread, from the innermost outwards: see eval.h.
 *
 * Frames of eztsh's own code are skipped. If a thread is in a trampoline, the frame of the probed
 * function is shown instead, at the instruction before which the trampoline runs. If a frame
 * returns to a return trampoline or a return thunk, its true caller follows. Functions that are
 * inlined at a frame's pc have frames of their own before it (frames_push). The numbers of frames
 * count the frames of inlined functions, too.
 *
 * Tests: tests/procs/bt.sh, tests/procs/inlined.sh */
#include <string.h>

#include "engine/dwarf/dwarf.h"
#include "engine/eval/eval_priv.h"
#include "engine/process/session.h"
#include "engine/target.h"
#include "engine/inferior/thread.h"

#define FRAMES_MOST 200000

static void frames_drop(struct ez_stack_frame *f)
{
    free(f->regs);
    f->regs = NULL;
}

void ez_stack_clear(struct ez_stack *f)
{
    for (size_t i = 0; i < f->frame.n; i++)
        frames_drop(&f->frame.at[i]);
    EZ_VEC_FREE(&f->frame);
    free(f->wrong);
    *f = (struct ez_stack){ .wrong = NULL };
}

/* Makes the frame to show from the thread's frame `now` and from its caller. Returns false if the
 * frame is skipped. */
static bool frames_shown(struct eval *ev, const struct ez_stack_frame *now,
                         const struct own_code *o, const struct ez_stack_frame *caller,
                         struct ez_stack_frame *out)
{
    const struct ez_arch *a = ev->t->inf.arch;
    if (o && o->table && (!o->func || !caller))
        return false;
    *out = *now;
    out->here = now->here && !o;
    out->regs = ez_alloc(sizeof *out->regs);
    *out->regs = *now->regs;
    if (!o)
        return true;
    out->pc = o->copied ? o->copied + !now->exact : o->func;
    /* at the probed instruction, the registers are as unwinding to the caller restores them */
    if (o->table) {
        *out->regs = *caller->regs;
        ez_reg_set(out->regs, register_numbered(a->abi.convention->sp),
                   a->regs.sp(caller->regs) - a->abi.entry_cfa_offset);
        out->exact = true;
    }
    a->regs.set_pc(out->regs, out->pc);
    return true;
}

/* Returns an error text if the caller's frame `out` is impossible, else NULL. */
static const char *frames_judge(const struct ez_stack_frame *in, const struct ez_stack_frame *out,
                                const struct ez_arch *a)
{
    uint64_t was = a->regs.sp(in->regs), is = a->regs.sp(out->regs);
    if (in->signal || in->ours)
        return NULL;
    if (is == was && in->pc == out->pc)
        return "previous frame identical to this frame (corrupt stack?)";
    return is < was ? "previous frame inner to this frame (corrupt stack?)" : NULL;
}

/* ---- inlined functions ----------------------------------------------------------------------- */

/* Adds the frame `shown`, and before it the frames of the functions that are inlined at its pc. */
static void frames_push(struct eval *ev, const struct ez_stack_frame *shown, struct ez_stack *out)
{
    const struct ez_dwarf_calls *c =
        shown->signal ? NULL : frame_calls(ev->t, shown->pc - !shown->exact);
    size_t n = c && c->call.n ? c->call.n : 1;
    bool stands = !out->frame.n && shown->exact;
    for (size_t i = stands ? frame_before(ev->t, c) : 0; i < n; i++) {
        struct ez_stack_frame f = *shown;
        f.within = (unsigned)(n - 1 - i);
        f.inside = (unsigned)i;
        if (c && c->call.n) {
            f.name = c->call.at[i].name;
            f.key = c->call.at[i].key;
        }
        if (i && c->call.at[i - 1].line) {
            f.file = c->call.at[i - 1].file;
            f.line = c->call.at[i - 1].line;
        }
        f.regs = ez_alloc(sizeof *f.regs);
        *f.regs = *shown->regs;
        EZ_PUSH(&out->frame, f);
    }
}

static void frames_walk(struct eval *ev, struct ez_stack_frame *now, size_t most,
                        struct ez_stack *out)
{
    const struct ez_arch *a = ev->t->inf.arch;
    for (size_t i = 0; i < FRAMES_MOST && out->frame.n < most; i++) {
        struct ez_stack_frame caller, shown;
        struct own_code at, *o = own_code_at(ev, now->pc - !now->exact, &at) ? &at : NULL;
        now->ours = o;
        enum step s = step_out(ev, now, o, &caller, &out->wrong);
        bool show = frames_shown(ev, now, o, s == STEP_MADE ? &caller : NULL, &shown);
        bool last = s != STEP_MADE || (show && step_is_last(ev, shown.pc - !shown.exact));
        const char *why = last ? NULL : frames_judge(now, &caller, a);
        if (show) {
            frames_push(ev, &shown, out);
            frames_drop(&shown);
        }
        if (why)
            out->wrong = ez_strdup(why);
        frames_drop(now);
        *now = caller;
        out->more = !last && !why;
        if (!out->more)
            break;
    }
}

/* The function of ez_frames_serve(): see engine/plugin/plugin.h. */
static bool frames_exact(struct ez_target *t, const struct ez_regs *r,
                         bool (*fn)(void *arg, uint64_t pc), void *arg)
{
    struct ez_history *v = ez_history_new(t);
    struct eval ev = { .v = v, .t = t };
    struct ez_stack_frame now = { .exact = true }, caller;
    enum step s = STEP_MADE;
    bool exact = t->inf.arch->abi.convention != NULL, last = false;
    now.regs = ez_alloc(sizeof *r);
    *now.regs = *r;
    now.pc = t->inf.arch->regs.pc(r);
    for (size_t i = 0; exact && !last && s == STEP_MADE; i++) {
        struct own_code at, *o = own_code_at(&ev, now.pc - !now.exact, &at) ? &at : NULL;
        char *why = NULL;
        now.ours = o;
        last = step_is_last(&ev, now.pc - !now.exact);
        exact = i < FRAMES_MOST && fn(arg, now.pc);
        s = step_out(&ev, &now, o, &caller, &why);
        exact &= last || (s != STEP_WRONG && !now.guessed &&
                          (s == STEP_END || !frames_judge(&now, &caller, t->inf.arch)));
        free(why);
        frames_drop(&now);
        now = caller;
    }
    frames_drop(&now);
    step_end(&ev);
    ez_history_free(v);
    return exact;
}

void ez_frames_serve(struct ez_target *t)
{
    ez_plugin_set_frames(t, frames_exact);
}

ez_err *ez_stack_frames(struct ez_history *v, size_t most, struct ez_stack *out)
{
    struct eval ev = { .v = v, .t = v->t };
    const struct ez_regs *r;
    struct ez_stack_frame now = { .exact = true, .here = true };
    *out = (struct ez_stack){ .wrong = NULL };
    if (v->t->inf.state == EZ_NONE)
        return ez_err_gdb(EZ_E_STATE, "No stack.");
    EZ_TRY(ez_need_readable(v->t));
    EZ_TRY(ez_thread_own_regs(v->t, ez_thread_current(v->t), &r));
    now.regs = ez_alloc(sizeof *r);
    *now.regs = *r;
    now.pc = v->t->inf.arch->regs.pc(r);
    frames_walk(&ev, &now, most, out);
    step_end(&ev);
    frames_drop(&now);
    for (; out->frame.n > most; out->more = true)
        frames_drop(&out->frame.at[--out->frame.n]);
    return NULL;
}

ez_err *ez_stack_around(struct ez_history *v, unsigned n, struct ez_stack *all, size_t *caller)
{
    EZ_TRY(ez_stack_frames(v, n + 1ul, all));
    size_t out = n < all->frame.n ? n + all->frame.at[n].within + 1ul : n;
    ez_stack_clear(all);
    EZ_TRY(ez_stack_frames(v, out + 1, all));
    *caller = EZ_MIN(out, all->frame.n);
    return NULL;
}

enum ez_inside ez_stack_inside(struct ez_history *v, uint64_t pc, uint64_t key)
{
    const struct ez_dwarf_calls *c = frame_calls(v->t, pc);
    bool begins = true;
    for (size_t i = 0; c && i < c->call.n; i++) {
        if (c->call.at[i].key == key)
            return !i ? EZ_INSIDE_ITSELF : begins ? EZ_INSIDE_BEFORE : EZ_INSIDE_INLINED;
        begins = begins && c->call.at[i].begins;
    }
    return EZ_INSIDE_NOT;
}

/* ---- the selected frame ---------------------------------------------------------------------- */

unsigned ez_frame_number(struct ez_history *v)
{
    unsigned n = ez_frame_selected(v->t);
    return n ? n - 1 : 0;
}

void ez_frame_choose(struct ez_history *v, unsigned number, const struct ez_stack_frame *f)
{
    ez_frame_select_in(v->t, f ? number + 1 : 0, f && !f->here ? f->regs : NULL, f && f->exact,
                       f ? f->inside : 0);
}

struct frames_each {
    struct eval ev;
    void (*fn)(const struct ez_frame_variable *, void *arg);
    void *arg;
    enum ez_frame_request request;
    EZ_VEC(char *) had; /* names already reported */
};

static void frames_print_variable(const char *name, void *arg)
{
    struct frames_each *each = arg;
    struct ez_value value = { .type = NULL }, entry = { .type = NULL };
    bool locals = each->request == EZ_FRAME_LOCALS;
    each->ev.which = locals ? DWARF_WHICH_VARIABLE : DWARF_WHICH_PARAMETER;
    for (size_t i = 0; locals && i < each->had.n; i++)
        each->ev.which += !strcmp(each->had.at[i], name);
    EZ_PUSH(&each->had, ez_strdup(name));
    ez_err *e = eval_variable(&each->ev, name, &value);
    bool passed = each->request == EZ_FRAME_ARGUMENTS && passed_value(&each->ev, name, &entry);
    each->fn(&(struct ez_frame_variable){ name, e ? NULL : &value, e, passed ? &entry : NULL },
             each->arg);
    if (passed)
        ez_value_clear(&entry);
    if (!e)
        ez_value_clear(&value);
    ez_err_free(e);
}

bool ez_frame_variables(struct ez_history *v, const struct ez_stack_frame *f,
                        enum ez_frame_request request,
                        void (*fn)(const struct ez_frame_variable *, void *arg), void *arg)
{
    struct frames_each each = {
        .ev = { .v = v, .t = v->t }, .fn = fn, .arg = arg, .request = request
    };
    const struct ez_module_info *m = &each.ev.here;
    const char *why;
    names_begin_at(&each.ev, f->regs, f->exact, f->inside);
    struct ez_dwarf *d = m->obj ? ez_dwarf_of(m->obj, &why) : NULL;
    bool known = d && ez_dwarf_names(d, each.ev.look - m->bias, f->inside,
                                     request == EZ_FRAME_LOCALS, frames_print_variable, &each);
    names_end(&each.ev);
    for (size_t i = 0; i < each.had.n; i++)
        free(each.had.at[i]);
    EZ_VEC_FREE(&each.had);
    return known;
}
