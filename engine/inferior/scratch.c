/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scratch.c - makes a copy of the target, and executes code in it (scratch.h). */
#include "engine/inferior/scratch.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "engine/inferior/pt.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/thread.h"

/* maximum number of reports that are read before the report of the copy's end */
#define COLLECT_TRIES 16
/* maximum number of signals that are dropped in one step: signals to the process group reach the
 * copy, too */
#define ORPHAN_SIGNALS 8

static ez_err *scratch_first_stop(struct ez_scratch *s)
{
    int status;
    pid_t got;
    EZ_TRY(pt_wait(s->id.pid, 0, &status, &got, "catch the copy before it runs"));
    if (!WIFSTOPPED(status))
        return ez_err_new(EZ_E_GONE, 0, "The copy of the process was killed");
    s->th = ez_thread_add(&s->t, s->id.pid);
    s->th->stopped = true;
    return pt_setoptions(s->id.pid, PTRACE_O_EXITKILL, "kill the copy if eztsh ends");
}

/* Makes the copy's shared mappings read-only. */
static ez_err *scratch_protect_shared(struct ez_scratch *s)
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
        EZ_FREE char *what =
            ez_sprintf("shared memory at 0x%" PRIx64 " cannot be protected", m->lo);
        EZ_TRY(ez_inject_error(r, what, NULL));
    }
    return NULL;
}

ez_err *ez_scratch_open(struct ez_target *t, struct ez_thread *th, struct ez_scratch *s)
{
    memset(s, 0, sizeof *s);
    s->t.inf = (struct ez_inferior){
        .arch = t->inf.arch, .ops = t->inf.ops, .memfd = -1, .pidfd = -1, .sigfd = -1, .eventfd = -1
    };
    EZ_TRY(ez_inject_copy(t, th, &s->id));
    s->t.inf.pid = s->t.inf.current = s->id.pid;
    s->t.inf.state = EZ_STOPPED;
    s->t.inf.syscall_at = t->inf.syscall_at;
    EZ_TRY(scratch_first_stop(s));
    EZ_TRY(pt_setsigmask(s->id.pid, s->id.mask, "unblock signals in the copy"));
    EZ_TRY(ez_mem_open(&s->t));
    return scratch_protect_shared(s);
}

static ez_err *scratch_kill_copy(struct ez_scratch *s)
{
    int status = 0;
    pid_t got = 0;
    ez_err *e = NULL;
    kill(s->id.pid, SIGKILL);
    for (int tries = 0; tries < COLLECT_TRIES; tries++) {
        ez_err_free(e);
        e = pt_wait(s->id.pid, 0, &status, &got, "collect the copy");
        if (e && e->code == EZ_E_GONE) { /* the copy's end was reported already */
            ez_err_free(e);
            return NULL;
        }
        if (!e && !WIFSTOPPED(status))
            return NULL;
    }
    return e;
}

ez_err *ez_scratch_close(struct ez_target *t, struct ez_thread *th, struct ez_scratch *s)
{
    ez_threads_clear(&s->t);
    EZ_VEC_FREE(&s->t.inf.thread);
    ez_queue_drop(&s->t);
    ez_maps_free(&s->maps);
    if (s->t.inf.memfd >= 0)
        close(s->t.inf.memfd);
    if (!s->id.pid)
        return NULL;
    EZ_TRY(scratch_kill_copy(s));
    if (t->inf.state == EZ_NONE ||
        /* or the copy's pid in the target's namespace is unknown */
        s->id.inner <= 0)
        return NULL;
    return ez_inject_reap(t, th, s->id.inner);
}

static bool scratch_is_fault(int sig)
{
    return sig == SIGSEGV || sig == SIGBUS || sig == SIGILL || sig == SIGFPE || sig == SIGTRAP;
}

/* Returns the address after the next instruction if that instruction cannot be single-stepped under
 * some hypervisors (step.emulated_insn), otherwise 0. */
static uint64_t scratch_behind_emulated(struct ez_scratch *s)
{
    const struct ez_arch *a = s->t.inf.arch;
    struct ez_regs *live;
    uint8_t code[4];
    if (!a->step.emulated_len || !ez_err_drop(ez_thread_regs(s->th, &live)))
        return 0;
    uint64_t pc = a->regs.pc(live);
    /* The trap instruction needs room, too. */
    size_t n = (size_t)a->step.emulated_len + a->trap.len;
    bool is = n <= sizeof code && ez_mem_read_some(&s->t, pc, code, n) == n &&
              !memcmp(code, a->step.emulated_insn, a->step.emulated_len);
    return is ? pc + a->step.emulated_len : 0;
}

static ez_err *scratch_run_to(struct ez_scratch *s, uint64_t at, bool *trapped, const char *why)
{
    const struct ez_arch *a = s->t.inf.arch;
    struct ez_regs *live, r;
    enum ez_meaning what;
    uint8_t was[4];
    *trapped = false;
    EZ_TRY(ez_mem_read(&s->t, at, was, a->trap.len));
    EZ_TRY(ez_mem_write(&s->t, at, a->trap.insn, a->trap.len, why));
    EZ_TRY(pt_cont(s->th->tid, 0, why));
    EZ_TRY(ez_thread_report(&s->t, s->th, &what, why));
    EZ_TRY(ez_mem_write(&s->t, at, was, a->trap.len, why));
    EZ_TRY(ez_thread_regs(s->th, &live));
    bool hit = what == SIGNAL && s->th->sig == SIGTRAP && a->regs.pc(live) == at + a->trap.pc_after;
    /* an unrelated signal may have been reported after the hit */
    *trapped = hit || a->regs.pc(live) == at;
    s->th->sig = *trapped ? 0 : s->th->sig;
    if (!hit)
        return NULL;
    r = *live;
    a->regs.set_pc(&r, at);
    return ez_thread_set_regs(s->th, &r);
}

ez_err *ez_scratch_step(struct ez_scratch *s, bool *trapped, const char *why)
{
    for (int tries = 0; tries < ORPHAN_SIGNALS; tries++) {
        s->th->sig = 0;
        uint64_t behind = scratch_behind_emulated(s);
        EZ_TRY(behind ? scratch_run_to(s, behind, trapped, why)
                      : ez_thread_step(&s->t, s->th, trapped, why));
        if (*trapped || scratch_is_fault(s->th->sig))
            return NULL;
    }
    return ez_err_new(EZ_E_TIMEOUT, 0,
                      "Cannot single-step the copy of the process: it gets too many signals");
}
