/* SPDX-License-Identifier: GPL-3.0-or-later */
/* move.c - begins moves, and continues them when a halt has stopped the program (move.h). */
#include <stdlib.h>
#include <string.h>

#include "engine/inferior/inferior.h"
#include "engine/move/move_priv.h"
#include "engine/process/session.h"
#include "engine/inferior/catch.h"
#include "engine/inferior/halt.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/thread.h"
#include "engine/probe/act.h"

struct ez_move *ez_move_new(struct ez_target *t, struct ez_history *values)
{
    struct ez_move *m = ez_alloc(sizeof *m);
    m->t = t;
    m->v = values;
    ez_halts_on_renew(t, move_renew, m);
    return m;
}

static void move_forget(struct ez_move *m)
{
    free(m->was);
    free(m->is);
    free(m->what);
    free(m->detail);
    free(m->commands);
    m->was = m->is = m->what = m->detail = m->commands = NULL;
    m->end = (struct ez_move_result){ .end = EZ_MOVED_NOT };
}

void ez_move_free(struct ez_move *m)
{
    if (!m)
        return;
    move_forget(m);
    breaks_free(m);
    ez_halts_on_renew(m->t, NULL, NULL);
    EZ_VEC_FREE(&m->to);
    EZ_VEC_FREE(&m->want);
    EZ_VEC_FREE(&m->way);
    free(m);
}

/* ---- the end of a move --------------------------------------------------------------------- */

void ez_move_stopped(struct ez_move *m, struct ez_move_result *out)
{
    m->on = false;
    ez_catch_none(m->t);
    ez_err_drop(ez_halts_end(m->t));
    *out = m->end;
    m->end.end = EZ_MOVED_NOT;
}

/* ---- halts ----------------------------------------------------------------------------------- */

static const struct move_to *move_here(struct ez_move *m, uint64_t raw, uint64_t sp)
{
    for (size_t i = 0; m->on && i < m->to.n; i++) {
        const struct move_to *to = &m->to.at[i];
        if (to->at == raw && sp >= to->sp && (!to->cfa || move_seat(m).cfa == to->cfa))
            return to;
    }
    return NULL;
}

/* Handles a hit: thread `th` has stopped at halt number `which`. */
static ez_err *move_hit(struct ez_move *m, struct ez_thread *th, unsigned which)
{
    struct ez_target *t = m->t;
    struct ez_regs *r;
    uint64_t at;
    pid_t was = t->inf.current;
    EZ_TRY(ez_thread_regs(th, &r));
    uint64_t raw = t->inf.arch->regs.pc(r), sp = t->inf.arch->regs.sp(r);
    bool code = which && which <= t->inf.halts.want.n &&
                t->inf.halts.want.at[which - 1].kind == EZ_HALT_CODE;
    if (code)
        th->halted = raw;
    ez_thread_select(t, th->tid);
    ez_frame_select(t, 0, NULL, true);
    bool own = code && move_original(m, raw, &at), mine = code && th->tid == m->tid;
    const struct move_to *to = mine ? move_here(m, raw, sp) : NULL;
    if (own && breaks_left(m, raw, sp)) {
        m->end.finished = to ? m->end.finished : 0;
        return NULL;
    }
    if (breaks_watched(m, code ? 0 : which) || (own && breaks_hit(m, raw, at)))
        return NULL;
    if (mine && nonlocal_reached(m, raw, r))
        return move_run(m, -1);
    if (!to) {
        ez_thread_select(t, was);
        return move_run(m, -1);
    }
    bool ends = to->ends;
    if (to->way != MOVE_RETURNS)
        m->end.finished = 0;
    m->to.n = 0;
    if (!ends)
        return move_steps(m, true);
    if (m->left > 1) {
        m->left--;
        move_begin_line(m, raw);
        return move_steps(m, false);
    }
    move_done(m);
    return NULL;
}

ez_err *ez_move_stepi(struct ez_move *m)
{
    EZ_TRY(ez_need_stopped(m->t));
    ez_err *e = watch_count(m, ez_thread_current(m->t)->tid);
    if (!e)
        e = ez_stepi(m->t, 1);
    watch_counted(m);
    return e;
}

bool ez_move_look(struct ez_move *m)
{
    struct ez_regs *r;
    uint64_t raw, at;
    struct ez_thread *th = ez_thread_current(m->t);
    if (m->t->inf.state != EZ_STOPPED || !ez_err_drop(ez_thread_regs(th, &r)))
        return false;
    raw = m->t->inf.arch->regs.pc(r);
    bool own = move_original(m, raw, &at);
    move_forget(m);
    ez_frame_select(m->t, 0, NULL, true);
    return (own && breaks_left(m, raw, m->t->inf.arch->regs.sp(r))) || breaks_watched(m, 0) ||
           (own && breaks_hit(m, raw, at));
}

/* Warns if a thread blocks a halt's signal, because then the thread does not stop. */
static void move_warn(struct ez_move *m)
{
    struct ez_target *t = m->t;
    struct ez_proc_status s;
    for (size_t i = 0; i < t->inf.thread.n; i++) {
        struct ez_thread *th = t->inf.thread.at[i];
        if (th->deaf || !ez_proc_status(t->inf.pid, th->tid, &s) ||
            !(s.blocked >> (SIGTRAP - 1) & 1))
            continue;
        th->deaf = true;
        ez_post_note(t, "Thread %zu (LWP %d) blocks SIGTRAP: nothing stops it while it does.",
                     i + 1, th->tid);
    }
}

bool ez_move_goes_on(struct ez_move *m, ez_err **e)
{
    struct ez_target *t = m->t;
    *e = NULL;
    pid_t tid = ez_halts_pop(t);
    if (!tid)
        return false;
    struct ez_thread *th = ez_thread_find(t, tid);
    unsigned which = th ? th->halt : 0;
    for (size_t i = 0; i < t->inf.thread.n; i++) /* The other threads will hit their halts again. */
        t->inf.thread.at[i]->halt = 0;
    *e = th ? move_hit(m, th, which) : move_run(m, -1);
    /* An event reports the end of the process, so the error is dropped. */
    if (*e && t->inf.state == EZ_NONE)
        ez_err_drop(*e), *e = NULL;
    return t->inf.state == EZ_RUNNING;
}

/* ---- the beginning --------------------------------------------------------------------------- */

static ez_err *move_begin_out(struct ez_move *m, unsigned n, bool ends)
{
    struct ez_stack all;
    size_t caller;
    EZ_TRY(ez_stack_around(m->v, n, &all, &caller));
    bool has = caller < all.frame.n;
    if (has) {
        m->end.finished = move_function(m->t, all.frame.at[n].pc - !all.frame.at[n].exact, NULL);
        move_to(m, all.frame.at[caller].pc, all.frame.at[n].cfa, ends);
        m->bound = all.frame.at[n].cfa;
    }
    ez_stack_clear(&all);
    return has ? NULL : ez_err_gdb(EZ_E_STATE, "\"finish\" not meaningful in the outermost frame.");
}

/* Begins `finish` of frame n if frame n belongs to an inlined function (*is). If that function has
 * called another function, first runs until the call returns. Then steps until a line outside of
 * the inlined function begins. */
static ez_err *move_begin_inlined(struct ez_move *m, unsigned n, bool *is)
{
    struct ez_stack all;
    EZ_TRY(ez_stack_frames(m->v, n + 2ul, &all));
    const struct ez_stack_frame *f = n + 1ul < all.frame.n ? &all.frame.at[n] : NULL;
    const struct ez_stack_frame *first = f && f->inside < n ? f - f->inside : NULL;
    *is = f && f->within;
    if (*is) {
        m->into = f[1].key;
        m->seat = (struct move_seat){ f->cfa, m->began.func, m->into };
    }
    /* A recursive call may pass the same address, so the halt applies only to this frame. */
    if (*is && first) {
        move_to(m, f->pc, first[-1].cfa, false);
        m->bound = first[-1].cfa;
    }
    ez_stack_clear(&all);
    return NULL;
}

static ez_err *move_begin_finish(struct ez_move *m)
{
    bool inlined;
    EZ_TRY(move_begin_inlined(m, m->request.frame, &inlined));
    if (inlined && !m->to.n)
        return move_steps(m, false);
    if (!inlined)
        EZ_TRY(move_begin_out(m, m->request.frame, true));
    return move_run(m, -1);
}

static ez_err *move_begin_to(struct ez_move *m)
{
    for (size_t i = 0; i < m->request.nto; i++) {
        size_t k = m->to.n;
        move_to(m, m->request.to[i], 0, true);
        bool within =
            m->request.this_frame && move_function(m->t, m->request.to[i], NULL) == m->began.func;
        for (; within && k < m->to.n; k++)
            m->to.at[k].cfa = m->began.cfa;
    }
    /* main has no caller, so a failure is no error here. */
    ez_err_drop(move_begin_out(m, 0, true));
    m->end.finished = 0;
    return move_run(m, -1);
}

/* Begins a move of a thread that is stopped in a probe's trampoline, before the function's first
 * instruction. */
static ez_err *move_begin_held(struct ez_move *m, uint64_t pc)
{
    if (m->request.kind == EZ_MOVE_STEPI || m->request.kind == EZ_MOVE_NEXTI)
        return ez_err_hint(
            ez_err_new(EZ_E_STATE, 0,
                       "Cannot execute one instruction: the thread is stopped inside a probe"),
            "\"continue\" resumes the thread, \"next\" goes to the next line");
    uint64_t to = move_past_prologue(m->t, pc);
    if (to == pc)
        return ez_err_hint(
            ez_err_new(EZ_E_STATE, 0,
                       "Cannot step to the next line: the thread is stopped inside a probe"),
            "Use \"finish\" or \"advance\" instead");
    move_to(m, to, 0, true);
    return move_run(m, -1);
}

static ez_err *move_begin(struct ez_move *m)
{
    struct ez_target *t = m->t;
    struct ez_thread *th = ez_thread_current(t);
    const struct ez_regs *shown;
    struct ez_regs *r;
    bool exact;
    if (m->request.kind == EZ_MOVE_GO)
        return move_run(m, m->request.sig);
    if (m->request.kind == EZ_MOVE_FINISH)
        return move_begin_finish(m);
    if (m->request.kind == EZ_MOVE_TO)
        return move_begin_to(m);
    ez_frame_select(t, 0, NULL, true);
    EZ_TRY(ez_frame_regs(t, &shown, &exact));
    if (ez_held_regs(t, th->tid))
        return move_begin_held(m, t->inf.arch->regs.pc(shown));
    EZ_TRY(ez_thread_regs(th, &r));
    move_begin_line(m, t->inf.arch->regs.pc(r));
    if (m->no_lines && !m->lo && m->request.kind != EZ_MOVE_STEPI &&
        m->request.kind != EZ_MOVE_NEXTI)
        return ez_err_gdb(EZ_E_STATE, "Cannot find bounds of current function");
    if (th->sig && !(ez_signal_how(t, th->sig) & EZ_SIG_PASS))
        th->sig = 0;
    return move_steps(m, false);
}

ez_err *ez_move_begin(struct ez_move *m, const struct ez_move_request *request)
{
    struct ez_target *t = m->t;
    struct ez_regs *r;
    EZ_TRY(ez_need_stopped(t));
    struct ez_thread *th = ez_thread_current(t);
    move_forget(m);
    m->request = *request;
    m->on = true;
    m->tid = th->tid;
    m->left = EZ_MAX(request->count, (uint64_t)1);
    m->to.n = 0;
    m->bound = 0;
    m->into = m->lo = m->hi = m->file = m->line = 0;
    EZ_TRY(ez_thread_regs(th, &r));
    th->halted = request->fresh || ez_held_regs(t, th->tid)
                     ? 0
                     /* the thread passes a breakpoint at its present pc */
                     : t->inf.arch->regs.pc(r);
    if (m->brk.n || request->kind != EZ_MOVE_GO)
        move_warn(m);
    m->seat = m->began = request->kind == EZ_MOVE_GO ? (struct move_seat){ 0 } : move_seat(m);
    ez_err *e = move_begin(m);
    /* An event reports the end of the process, so the error is dropped. */
    if (t->inf.state == EZ_NONE)
        return ez_err_drop(e), NULL;
    return e;
}
