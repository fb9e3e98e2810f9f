/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure_step.c - the length of instructions by executing them.
 *
 * Each instruction of the prologue is stepped and the program counter watched: the
 * difference is the length. A counter that went back, or further than any instruction
 * is long, was moved by a jump: then the jump decoder says the length, and the next
 * instruction is stepped as if the jump had not been there (PROPER'12, section 5.2).
 *
 * Executing has effects, so it is done on a copy that the target is made to fork:
 *  - the copy is caught before it runs anything, is only ever stepped, and dies with us
 *    (PTRACE_O_EXITKILL: a copy let loose in the middle of nowhere would be a disaster);
 *  - its end raises no signal in the target, and an injected wait4 takes it off the
 *    target's hands, so that no zombie is left;
 *  - no system call is executed: what is shared with the world outside stays unchanged;
 *  - shared memory is made read-only in the copy first, so that a store faults before it
 *    changes what others see.
 * Remains: the target's own pages become copy-on-write again, as after any fork.
 *
 * The copy is a target of its own with one thread, so that what steps and injects in
 * the target does so in the copy.
 * Tests:  tests/measure/check_measure.sh */
#include "engine/measure.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "engine/pt.h"

#define STRAY_SIGNALS 8 /* signals to the process group that reach the copy too */

struct scratch {
    struct ez_target t;
    struct ez_copy id;
    struct ez_thread *th;
    struct ez_maps maps; /* as they were before anything was made read-only */
};

/* ---- the copy ---------------------------------------------------------------------------- */

static ez_err *first_stop(struct scratch *s)
{
    int status;
    pid_t got;
    EZ_TRY(pt_wait(s->id.pid, 0, &status, &got, "catch the copy before it runs"));
    if (!WIFSTOPPED(status))
        return ez_err_new(EZ_E_GONE, 0, "the copy of the process was killed");
    s->th = ez_thread_add(&s->t, s->id.pid);
    s->th->stopped = true;
    return pt_setoptions(s->id.pid, PTRACE_O_EXITKILL, "let the copy never outlive us");
}

/* Make read-only what is shared. */
static ez_err *protect_shared(struct scratch *s)
{
    EZ_TRY(ez_maps_read(s->id.pid, &s->maps));
    for (size_t i = 0; i < s->maps.map.n; i++) {
        const struct ez_map *m = &s->maps.map.at[i];
        int64_t r;
        if (m->perm[1] != 'w' || m->perm[3] != 's')
            continue;
        uint64_t arg[6] = { m->lo, m->hi - m->lo };
        arg[2] = (m->perm[0] == 'r' ? PROT_READ : 0) | (m->perm[2] == 'x' ? PROT_EXEC : 0);
        EZ_TRY(ez_inject_syscall(&s->t, s->th, SYS_mprotect, arg, &r,
                                 "make shared memory read-only in the copy"));
        if (r < 0)
            return ez_err_new(EZ_E_REMOTE, 0,
                              "shared memory at 0x%" PRIx64 " cannot be protected: %s", m->lo,
                              ez_errno_name((int)-r));
    }
    return NULL;
}

/* The copy has our jumps too: give it the code it shall run. */
static ez_err *restore_code(struct scratch *s, const struct ez_prologue *p)
{
    uint8_t now[sizeof p->code];
    size_t n = ez_mem_read_some(&s->t, p->func, now, p->n);
    if (n == p->n && !memcmp(now, p->code, n))
        return NULL;
    return ez_mem_write(&s->t, p->func, p->code, p->n, "take our jump out of the copy");
}

/* At the function's entry, as if it had been called: arguments are addresses of the
 * copy's own stack, so that a prologue that looks through a pointer finds memory. */
static ez_err *enter(struct scratch *s, const struct ez_prologue *p)
{
    struct ez_regs *live, r;
    uint64_t arg[6];
    EZ_TRY(ez_thread_regs(s->th, &live));
    r = *live;
    for (size_t i = 0; i < 6; i++)
        arg[i] = s->t.arch->sp(&r);
    s->t.arch->prepare_call(&r, p->func, arg, 6);
    return ez_thread_set_regs(s->th, &r);
}

static ez_err *scratch_init(struct ez_target *t, struct ez_thread *th, const struct ez_prologue *p,
                            struct scratch *s)
{
    EZ_TRY(ez_inject_copy(t, th, &s->id));
    s->t.pid = s->t.current = s->id.pid;
    s->t.state = EZ_STOPPED;
    s->t.syscall_at = t->syscall_at;
    EZ_TRY(first_stop(s));
    EZ_TRY(ez_mem_open(&s->t));
    EZ_TRY(protect_shared(s));
    EZ_TRY(restore_code(s, p));
    return enter(s, p);
}

static ez_err *kill_copy(struct scratch *s)
{
    int status = 0;
    pid_t got;
    kill(s->id.pid, SIGKILL);
    do {
        ez_err *e = pt_wait(s->id.pid, 0, &status, &got, "collect the copy");
        if (e && e->code == EZ_E_GONE) { /* collected already */
            ez_err_free(e);
            return NULL;
        }
        EZ_TRY(e);
    } while (WIFSTOPPED(status));
    return NULL;
}

static ez_err *scratch_deinit(struct ez_target *t, struct ez_thread *th, struct scratch *s)
{
    struct ez_event *ev = s->t.queue.at;
    ez_threads_clear(&s->t);
    EZ_VEC_FREE(&s->t.thread);
    for (size_t i = 0; i < s->t.queue.n; i++)
        ez_event_clear(&ev[i]);
    EZ_VEC_FREE(&s->t.queue);
    ez_maps_free(&s->maps);
    if (s->t.memfd >= 0)
        close(s->t.memfd);
    if (!s->id.pid)
        return NULL;
    EZ_TRY(kill_copy(s));
    if (t->state == EZ_NONE || s->id.inner <= 0) /* nobody is left to reap it, or to ask */
        return NULL;
    return ez_inject_reap(t, th, s->id.inner);
}

/* ---- stepping ---------------------------------------------------------------------------- */

static void EZ_PRINTF(2, 3) ended(struct ez_measure *m, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(m->step_note, sizeof m->step_note, fmt, ap);
    va_end(ap);
}

/* May this instruction be executed at all? */
static bool may_step(const struct ez_prologue *p, const struct ez_insn *in, uint64_t at,
                     struct ez_measure *m)
{
    if (in->flow == EZ_FLOW_SYSCALL)
        ended(m, "stopped before the system call at +%" PRIu64, at - p->func);
    else if (in->flow == EZ_FLOW_TRAP)
        ended(m, "stopped before the trap at +%" PRIu64, at - p->func);
    return !*m->step_note;
}

static bool is_fault(int sig)
{
    return sig == SIGSEGV || sig == SIGBUS || sig == SIGILL || sig == SIGFPE || sig == SIGTRAP;
}

static void explain_fault(const struct scratch *s, uint64_t off, struct ez_measure *m)
{
    uint64_t addr = (uint64_t)s->th->info.si_addr;
    for (size_t i = 0; s->th->sig == SIGSEGV && s->th->has_info && i < s->maps.map.n; i++) {
        const struct ez_map *e = &s->maps.map.at[i];
        if (e->perm[3] != 's' || addr < e->lo || addr >= e->hi)
            continue;
        ended(m, "stopped before a store to shared memory at +%" PRIu64 " (0x%" PRIx64 ")", off,
              addr);
        return;
    }
    ended(m, "stopped at +%" PRIu64 ": %s; the copy does not have the registers of a real call",
          off, strsignal(s->th->sig));
}

/* Execute what the program counter is at. *trapped false = it faulted instead. */
static ez_err *execute(struct scratch *s, bool *trapped)
{
    for (int tries = 0; tries < STRAY_SIGNALS; tries++) {
        s->th->sig = 0;
        EZ_TRY(ez_thread_step(&s->t, s->th, trapped, "measure an instruction"));
        if (*trapped || is_fault(s->th->sig))
            return NULL;
    }
    return ez_err_new(EZ_E_TIMEOUT, 0, "signals keep the copy from stepping");
}

/* A taken jump to nearby looks like a long instruction: what is a branch and did not
 * fall through has jumped, however short. */
static bool has_jumped(const struct ez_insn *in, int64_t moved)
{
    return moved <= 0 || moved > EZ_MAX_INSN || (in->flow != EZ_FLOW_PLAIN && moved != in->len);
}

static ez_err *step_row(struct scratch *s, const struct ez_insn *in, uint64_t at,
                        struct ez_measured *row, bool *trapped)
{
    struct ez_regs *now, before;
    EZ_TRY(ez_thread_regs(s->th, &now));
    before = *now;
    EZ_TRY(execute(s, trapped));
    if (!*trapped)
        return NULL;
    EZ_TRY(ez_thread_regs(s->th, &now));
    int64_t moved = (int64_t)(s->t.arch->pc(now) - at);
    row->jumped = has_jumped(in, moved);
    row->len_step = row->jumped ? in->len : (uint8_t)moved;
    if (!row->jumped)
        return NULL;
    s->t.arch->set_pc(&before, at + in->len);
    return ez_thread_set_regs(s->th, &before);
}

static ez_err *walk(struct ez_target *t, struct scratch *s, const struct ez_prologue *p,
                    struct ez_measure *m)
{
    uint64_t at = p->func;
    for (size_t i = 0; !ez_prologue_done(p, at); i++) {
        struct ez_insn in;
        bool trapped;
        struct ez_measured *row = ez_prologue_row(t, p, m, i, at);
        if (!row)
            return NULL;
        EZ_TRY(ez_prologue_decode(t, p, at, &in));
        if (!may_step(p, &in, at, m))
            return NULL;
        EZ_TRY(step_row(s, &in, at, row, &trapped));
        if (!trapped) {
            explain_fault(s, at - p->func, m);
            return NULL;
        }
        at += row->len_step;
        if (!row->len_opcodes)
            row->sum = (uint16_t)ez_prologue_sum(p, at);
        else if (row->len_opcodes != row->len_step)
            return NULL; /* the rows that follow are not where we are */
    }
    return NULL;
}

ez_err *ez_measure_step(struct ez_target *t, const struct ez_prologue *p, struct ez_measure *m)
{
    EZ_TRY(ez_need_stopped(t));
    EZ_TRY(ez_inject_allowed(t));
    struct scratch s = {
        .t = { .arch = t->arch, .memfd = -1, .pidfd = -1, .sigfd = -1, .eventfd = -1 }
    };
    struct ez_thread *th = ez_inject_thread(t);
    ez_err *e = scratch_init(t, th, p, &s);
    if (!e)
        e = walk(t, &s, p, m);
    ez_err *left = scratch_deinit(t, th, &s);
    if (e)
        ez_err_drop(left);
    return e ? e : left;
}
