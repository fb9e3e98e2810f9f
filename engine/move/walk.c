/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walk.c - leaves a line by single steps of its thread, as gdb does (move.h).
 *
 * Other threads are stopped meanwhile. So code that may wait for other threads is not stepped:
 * calls, system calls, signal handlers and eztsh's own code run with all threads, up to a halt
 * where they return. A step ends, as in gdb, at the first instruction of a statement on another
 * line. If a return leads into the middle of another line, stepping continues until that line is
 * left, too.
 * Tests: tests/procs/moving.sh, tests/procs/breaks.sh */
#include <string.h>

#include "engine/inferior/stop.h"
#include "engine/move/move_priv.h"
#include "engine/process/session.h"
#include "engine/inferior/progress.h"
#include "engine/inferior/halt.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/thread.h"

#define CALL_MOST 15 /* largest instruction in bytes */

struct at {               /* position of the thread */
    uint64_t raw, pc, sp; /* pc: the program's instruction; 0 = in eztsh's own code */
};

static ez_err *walk_where(struct ez_move *m, struct at *at)
{
    struct ez_regs *r;
    struct ez_thread *th = move_thread(m);
    if (!th)
        return ez_err_new(EZ_E_GONE, 0, "Thread %d has ended", m->tid);
    EZ_TRY(ez_thread_regs(th, &r));
    at->raw = m->t->inf.arch->regs.pc(r);
    at->sp = m->t->inf.arch->regs.sp(r);
    if (!move_original(m, at->raw, &at->pc))
        at->pc = 0;
    return NULL;
}

void move_begin_line(struct ez_move *m, uint64_t raw)
{
    struct ez_code_line l;
    uint64_t pc;
    if (!move_original(m, raw, &pc))
        pc = raw;
    m->no_lines = !ez_code_line(m->t, pc, &l);
    if (m->no_lines) {
        l = (struct ez_code_line){ 0 };
        l.lo = move_function(m->t, pc, &l.hi);
    }
    m->lo = m->request.kind == EZ_MOVE_UNTIL ? move_function(m->t, pc, NULL) : l.lo;
    m->hi = l.hi;
    m->line = l.line;
    m->file = l.file;
    m->seat = move_seat(m);
}

/* ---- running --------------------------------------------------------------------------------- */

static ez_err *walk_run(struct ez_move *m, uint64_t to, uint64_t sp)
{
    m->to.n = 0;
    m->bound = sp;
    move_to(m, to, sp, false);
    return move_run(m, -1);
}

/* Lets the program run until the thread reaches exactly this address. */
static ez_err *walk_run_raw(struct ez_move *m, uint64_t raw, uint64_t sp)
{
    m->to.n = 0;
    m->bound = sp;
    EZ_PUSH(&m->to, ((struct move_to){ .at = raw, .sp = sp }));
    return move_run(m, -1);
}

struct found {
    struct ez_move *m;
    unsigned n;
};

static void walk_into(ez_addr at, const struct ez_sym *s, const struct ez_module_info *mod,
                      void *arg)
{
    struct found *f = arg;
    struct ez_code_line l;
    if (f->n < 2 && s && s->kind == EZ_SYM_FUNC && ez_code_line(f->m->t, at.v, &l)) {
        move_to(f->m, move_past_prologue(f->m->t, at.v), 0, true);
        f->n++;
    }
}

/* Handles a call that the thread made: the thread is at `now`, and the call returns to `back`. */
static ez_err *walk_called(struct ez_move *m, const struct at *now, uint64_t back)
{
    struct ez_code_line l;
    const char *name;
    struct found f = { m, 0 };
    uint64_t sp = now->sp + 8;
    if (m->request.kind != EZ_MOVE_STEP || !now->pc)
        return walk_run(m, back, sp);
    m->to.n = 0;
    if (move_in_plt(m->t, now->pc, &name)) {
        EZ_FREE char *bare = name ? ez_strndup(name, strcspn(name, "@")) : NULL;
        if (bare)
            ez_err_drop(ez_locate(m->t, bare, walk_into, &f));
    } else if (ez_code_line(m->t, now->pc, &l)) {
        move_to(m, move_past_prologue(m->t, now->pc), 0, true);
    }
    m->bound = sp;
    move_to(m, back, sp, false);
    return move_run(m, -1);
}

/* Leaves eztsh's own code: runs to the probed function after a trampoline, or to the true
 * caller. */
static ez_err *walk_out_of_ours(struct ez_move *m, const struct at *now)
{
    struct ez_stack all;
    uint64_t to = 0;
    for (size_t i = 0; i < m->t->patcher.site.n; i++) {
        const struct ez_site *s = &m->t->patcher.site.at[i];
        for (size_t k = 0; k < s->variant.n; k++)
            if (now->raw >= s->variant.at[k].trampoline && now->raw < s->variant.at[k].relocated)
                return walk_run_raw(m, s->variant.at[k].relocated, 0);
    }
    if (ez_err_drop(ez_stack_frames(m->v, 1, &all))) {
        to = all.frame.n ? all.frame.at[0].pc : 0;
        ez_stack_clear(&all);
    }
    return to ? walk_run(m, to, 0) : NULL;
}

/* ---- signals --------------------------------------------------------------------------------- */

/* Handles a signal of the thread. Sets *over if the signal stops the program, so that the move
 * ends. */
static ez_err *walk_signalled(struct ez_move *m, struct ez_thread *th, const struct at *now,
                              bool *over)
{
    unsigned how = ez_signal_how(m->t, th->sig);
    if (how & EZ_SIG_STOP && !th->reported) {
        th->reported = true;
        ez_post(m->t,
                (struct ez_event){
                    .kind = EZ_EV_STOPPED, .sig = th->sig, .tid = th->tid, .addr = now->raw });
        m->on = false;
        *over = true;
        return NULL;
    }
    if (how & EZ_SIG_PRINT && !th->reported)
        ez_post(m->t, (struct ez_event){ .kind = EZ_EV_PASSED, .sig = th->sig, .tid = th->tid });
    if (!(how & EZ_SIG_PASS)) {
        th->sig = 0;
        return NULL;
    }
    th->halted = 0;
    return walk_run_raw(m, now->raw, now->sp);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void walk_line_done(struct ez_move *m, uint64_t raw, bool *over)
{
    if (m->left > 1) {
        m->left--;
        move_begin_line(m, raw);
        return;
    }
    move_done(m);
    *over = true;
}

/* Handles a thread that has reached an instruction outside of the line's range. */
static ez_err *walk_left(struct ez_move *m, const struct at *now, bool *over)
{
    struct ez_code_line l;
    const char *name;
    uint64_t back;
    if (!ez_code_line(m->t, now->pc, &l)) {
        if (move_in_plt(m->t, now->pc, &name) && move_word(m, now->sp, &back))
            /* a jump into the PLT is a tail call: run until it returns to the caller */
            return walk_run(m, back, now->sp + 8);
        walk_line_done(m, now->raw, over);
        return NULL;
    }
    bool other = m->no_lines || l.line != m->line || l.file != m->file;
    if (now->pc == l.lo && other) {
        if (l.statement) {
            walk_line_done(m, now->raw, over);
            return NULL;
        }
        if (move_seat(m).cfa == m->seat.cfa)
            return NULL;
        /* Without a line, the next start of a statement in another frame ends the step. */
        l.line = 0;
    }
    m->lo = l.lo;
    m->hi = l.hi;
    m->line = l.line;
    m->file = l.file;
    m->no_lines = false;
    m->seat = move_seat(m);
    return NULL;
}

static ez_err *walk_look(struct ez_move *m, const struct at *now, bool *over)
{
    if (!now->pc)
        return walk_out_of_ours(m, now);
    if (m->request.kind == EZ_MOVE_NEXTI || m->request.kind == EZ_MOVE_STEPI) {
        walk_line_done(m, now->raw, over);
        return NULL;
    }
    enum ez_inside in = m->into ? ez_stack_inside(m->v, now->pc, m->into) : EZ_INSIDE_ITSELF;
    if (in == EZ_INSIDE_BEFORE) { /* The instruction is the call of another inlined function. */
        walk_line_done(m, now->raw, over);
        return NULL;
    }
    if (in == EZ_INSIDE_INLINED || now->pc - m->lo < m->hi - m->lo)
        return NULL;
    return walk_left(m, now, over);
}

/* ---- instructions ---------------------------------------------------------------------------- */

static bool walk_is_call(struct ez_move *m, const struct at *was, const struct at *now,
                         uint64_t *back)
{
    return now->sp == was->sp - 8 && move_word(m, now->sp, back) && now->raw != *back &&
           (*back - was->raw - 1 < CALL_MOST || (was->pc && *back - was->pc - 1 < CALL_MOST));
}

/* Returns whether the next instruction is a system call, or the thread is in an interrupted one.
 * *to is the address after the instruction. */
static bool walk_in_syscall(struct ez_move *m, const struct at *now, uint64_t *to)
{
    const struct ez_arch *a = m->t->inf.arch;
    struct ez_regs *r;
    uint8_t code[4];
    *to = now->raw + a->syscall.len;
    if (ez_mem_read_some(m->t, now->raw, code, a->syscall.len) == a->syscall.len &&
        !memcmp(code, a->syscall.insn, a->syscall.len))
        return true;
    *to = now->raw;
    return !m->ran && ez_err_drop(ez_thread_regs(move_thread(m), &r)) && a->syscall.nr(r) != -1;
}

static ez_err *walk_one(struct ez_move *m, const struct at *was, bool *over)
{
    struct ez_thread *th = move_thread(m);
    struct at now;
    uint64_t to, back;
    bool trapped;
    if (th->sig)
        return walk_signalled(m, th, was, over);
    if (walk_in_syscall(m, was, &to)) {
        th->halted = was->raw == to ? 0 : was->raw;
        return walk_run_raw(m, to, was->sp);
    }
    m->ran = true;
    ez_err *e = watch_count(m, th->tid);
    if (!e)
        e = ez_thread_step(m->t, th, &trapped, "step to another line");
    watch_counted(m);
    EZ_TRY(e);
    if (!trapped)
        return NULL;
    EZ_TRY(walk_where(m, &now));
    th = move_thread(m);
    th->halted = 0;
    if (m->request.kind != EZ_MOVE_STEPI && walk_is_call(m, was, &now, &back))
        return walk_called(m, &now, back);
    if ((now.pc && breaks_left(m, now.raw, now.sp)) || breaks_watched(m, 0) ||
        (now.pc && breaks_hit(m, now.raw, now.pc))) {
        *over = true;
        th->halted = now.raw;
        return NULL;
    }
    /* a breakpoint at this pc was already handled, so the thread passes it when it runs */
    th->halted = now.raw;
    return walk_look(m, &now, over);
}

static ez_err *walk_on(struct ez_move *m, bool look)
{
    struct at now;
    bool over = false;
    for (uint64_t i = 0; !over; i++) {
        EZ_TRY(ez_progress_step(m->t, i < 20000 ? "" : "Stepping", i, 0));
        EZ_TRY(walk_where(m, &now));
        if (look)
            EZ_TRY(walk_look(m, &now, &over));
        else
            EZ_TRY(walk_one(m, &now, &over));
        look = false;
        if (m->t->inf.state != EZ_STOPPED)
            return NULL;
    }
    struct ez_thread *th = move_thread(m);
    return th ? ez_thread_settle(m->t, th) : NULL;
}

ez_err *move_steps(struct ez_move *m, bool look)
{
    ez_frame_enter(m->t, false);
    ez_halts_guard(m->t);
    ez_progress_begin(m->t);
    m->to.n = 0;
    return ez_progress_end(m->t, walk_on(m, look));
}
