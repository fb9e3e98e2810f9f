/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inject.c - runs a system call inside the target.
 *
 * How (paper 001, "Calling a system call from the parent process"): in a stopped thread, save the
 * registers, set the pc to a system call instruction that the target already has, set the argument
 * registers, single-step, read the result, restore the registers. No byte of text changes. But if
 * the shell is killed before the registers are restored, the thread goes on with wrong registers.
 * So this method is used only in copies of the process, which die with the shell, and where
 * restorer.c finds no room for its block.
 *
 * A thread that was stopped in a sleeping system call goes back to sleep for the rest of its time:
 * the saved registers contain the kernel's restart code, and the injected call starts with "no
 * system call to restart". This fails if the injected call itself uses the kernel's restart
 * mechanism, so calls that do are refused (EZ_E_RESTART).
 *
 * eztsh never requests memory that is both writable and executable, so it works under PR_SET_MDWE.
 * Tests: tests/unit/inferior/check_inject.c, tests/procs/sleep.sh */
#include "engine/target.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "arch/syscalls.h"
#include "engine/inferior/catch.h"
#include "engine/inferior/pt.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/reports.h"
#include "engine/inferior/restorer.h"
#include "engine/inferior/rseq.h"
#include "engine/inferior/thread.h"

#define COPY_TRIES 8
#define REAP_TRIES 200     /* number of tries, one each millisecond */
#define RESTART_NOINTR 513 /* ERESTARTNOINTR, which the kernel's headers do not export */

static ez_err *inject_unfiltered(struct ez_target *t, pid_t tid)
{
    struct ez_proc_status s;
    if (!ez_proc_status(t->inf.pid, tid, &s) && kill(t->inf.pid, 0) < 0)
        return ez_err_new(EZ_E_GONE, 0, "Process %d is gone", t->inf.pid);
    if (s.seccomp)
        return ez_err_hint(ez_err_new(EZ_E_SECCOMP, 0,
                                      "Process %d runs under a seccomp filter that may kill it for "
                                      "an injected system call",
                                      t->inf.pid),
                           "Plant the probes before the process installs the filter (\"run\" "
                           "instead of \"attach\")");
    return NULL;
}

/* Returns an error if the program handles the system calls of thread tid itself (Wine), because the
 * program would get a SIGSYS for the injected call. */
static ez_err *inject_undispatched(struct ez_target *t, pid_t tid)
{
    struct pt_dispatch d;
    uint8_t blocks = 1;
    ez_err *e = pt_dispatch(tid, &d, "see whether system calls are dispatched to the program");
    /* The injected call itself fails with an error if the thread is not stopped or has ended. */
    if (e)
        ez_err_free(e);
    if (e || !d.on)
        return NULL;
    t->inf.dispatches = true;
    if (d.selector && ez_mem_read_some(t, d.selector, &blocks, 1) == 1 && !blocks)
        return NULL;
    return ez_err_hint(
        ez_err_new(EZ_E_SECCOMP, 0,
                   "The program handles the system calls of thread %d itself (syscall user "
                   "dispatch, as Wine does): an injected one would reach it as SIGSYS",
                   tid),
        "Plant the probes before the program enables syscall user dispatch");
}

/* Returns true if the program was seen to handle system calls of a thread itself (Syscall User
 * Dispatch). Checks the stopped threads until the first such thread is found. */
static bool inject_dispatches(struct ez_target *t)
{
    for (size_t i = 0; i < t->inf.thread.n && !t->inf.dispatches; i++)
        if (t->inf.thread.at[i]->stopped)
            ez_err_drop(inject_undispatched(t, t->inf.thread.at[i]->tid));
    return t->inf.dispatches;
}

ez_err *ez_inject_allowed(struct ez_target *t)
{
    (void)inject_dispatches(t);
    return inject_unfiltered(t, t->inf.pid);
}

static uint8_t *inject_find_insn(const struct ez_arch *a, uint8_t *buf, size_t n)
{
    uint8_t *p = memmem(buf, n, a->syscall.insn, a->syscall.len);
    while (p && (size_t)(p - buf) % a->decode.align)
        p = memmem(p + 1, n - (size_t)(p + 1 - buf), a->syscall.insn, a->syscall.len);
    return p;
}

/* Finds a system call instruction in executable memory. The vdso has one on most kernels; otherwise
 * any code of the target is searched. */
static ez_err *inject_find_syscall_insn(struct ez_target *t)
{
    struct ez_maps maps;
    uint8_t *buf = NULL;
    if (t->inf.syscall_at)
        return NULL;
    EZ_TRY(ez_maps_read(t->inf.pid, &maps));
    for (int pass = 0; pass < 2 && !t->inf.syscall_at; pass++) {
        for (size_t i = maps.map.n;
             /* The search goes backwards, because libraries come last in the maps. */
             i-- > 0 && !t->inf.syscall_at;) {
            const struct ez_map *m = &maps.map.at[i];
            bool vdso = !strcmp(m->name, "[vdso]");
            if (m->perm[2] != 'x' || !strcmp(m->name, "[vsyscall]") || vdso != (pass == 0))
                continue;
            size_t n = m->hi - m->lo;
            buf = ez_realloc(buf, n);
            n = ez_mem_read_some(t, m->lo, buf, n);
            uint8_t *p = inject_find_insn(t->inf.arch, buf, n);
            if (p)
                t->inf.syscall_at = m->lo + (uint64_t)(p - buf);
        }
    }
    free(buf);
    ez_maps_free(&maps);
    if (!t->inf.syscall_at)
        return ez_err_new(EZ_E_NOTFOUND, 0,
                          "No system call instruction was found in the code of process %d",
                          t->inf.pid);
    return NULL;
}

struct ez_thread *ez_inject_thread(struct ez_target *t)
{
    for (size_t i = 0; i < t->inf.thread.n; i++)
        if (t->inf.thread.at[i]->stopped && !t->inf.thread.at[i]->group_stop &&
            !t->inf.thread.at[i]->sig)
            return t->inf.thread.at[i];
    return t->inf.thread.n ? t->inf.thread.at[0] : NULL;
}

static ez_err *inject_step_over_syscall(struct ez_target *t, struct ez_thread *th, uint64_t after,
                                        struct ez_regs *out, const char *why)
{
    for (int tries = 0; tries < 8; tries++) {
        bool trapped;
        struct ez_regs *now;
        EZ_TRY(ez_thread_step(t, th, &trapped, why));
        EZ_TRY(ez_thread_regs(th, &now));
        if (t->inf.arch->regs.pc(now) == after) {
            *out = *now;
            return NULL;
        }
    }
    return ez_err_new(EZ_E_TIMEOUT, 0, "Thread %d did not execute eztsh's system call (to %s)",
                      th->tid, why);
}

/* Restores the registers. Tries twice: a thread that continued with the registers of an injected
 * call would execute wrong code. */
static ez_err *inject_put_back(struct ez_thread *th, const struct ez_regs *saved)
{
    ez_err *e;
    EZ_TWICE(e, ez_thread_set_regs(th, saved));
    return e;
}

static ez_err *inject_once(struct ez_target *t, struct ez_thread *th, long nr,
                           const uint64_t arg[6], int64_t *result, const char *why)
{
    struct ez_regs *live, saved, r;
    EZ_TRY(inject_find_syscall_insn(t));
    EZ_TRY(ez_thread_regs(th, &live));
    saved = r = *live;
    t->inf.arch->syscall.prepare(&r, t->inf.syscall_at, nr, arg);
    EZ_TRY(ez_thread_set_regs(th, &r));
    ez_err *e =
        inject_step_over_syscall(t, th, t->inf.syscall_at + t->inf.arch->syscall.len, &r, why);
    if (e && e->code == EZ_E_GONE)
        return e;
    ez_err *back = inject_put_back(th, &saved);
    if (e) {
        ez_err_drop(back);
        return e;
    }
    EZ_TRY(back);
    *result = t->inf.arch->abi.result(&r);
    return ez_thread_settle(t, th);
}

/* Makes the call with signals blocked: in a program with a timer of some kHz, an unblocked signal
 * would come before each step. */
static ez_err *inject_held(struct ez_target *t, struct ez_thread *th, long nr,
                           const uint64_t arg[6], int64_t *result, const char *why)
{
    uint64_t mask;
    EZ_TRY(pt_getsigmask(th->tid, &mask, "read the mask of blocked signals"));
    EZ_TRY(pt_setsigmask(th->tid, EZ_HOLD, "hold signals back"));
    return ez_signals_come(th, mask, inject_once(t, th, nr, arg, result, why));
}

static ez_err *inject_somehow(struct ez_target *t, struct ez_thread *th,
                              const struct ez_syscall *call, int64_t *result, const char *why)
{
    EZ_TRY(ez_catch_leave_call(t, th));
    uint64_t restorer = ez_restorer_for(t, th);
    EZ_TRY(ez_rseq_leave(t, th));
    return restorer ? ez_restorer_inject(t, th, restorer, call, result, why)
                    : inject_held(t, th, call->nr, call->arg, result, why);
}

ez_err *ez_inject_syscall(struct ez_target *t, struct ez_thread *th, long nr, const uint64_t arg[6],
                          int64_t *result, const char *why)
{
    if (ez_arch_syscall_kind(nr) == EZ_SYSCALL_RESTARTS)
        return ez_err_new(
            EZ_E_RESTART, 0,
            "Cannot inject system call %ld: it restarts when it is interrupted, and would "
            "disturb a sleeping thread",
            nr);
    if (ez_arch_syscall_kind(nr) == EZ_SYSCALL_DESTROYS)
        return ez_err_new(EZ_E_ARG, 0,
                          "Cannot inject system call %ld: it replaces or copies the process", nr);
    if (!th)
        return ez_err_new(EZ_E_GONE, 0, "The process has no live thread that could %s", why);
    if (t->inf.free_of_filters.tid != th->tid || t->inf.free_of_filters.when != pt_resumes()) {
        EZ_TRY(inject_unfiltered(t, th->tid));
        EZ_TRY(inject_undispatched(t, th->tid));
    }
    EZ_TRY(inject_somehow(t, th, &(struct ez_syscall){ .nr = nr, .arg = arg }, result, why));
    /* The thread has run no other code, so it still has no seccomp filter. Only prctl and seccomp,
     * which eztsh itself never injects, could have installed a filter. */
    if (nr != SYS_prctl && nr != SYS_seccomp) {
        t->inf.free_of_filters.tid = th->tid;
        t->inf.free_of_filters.when = pt_resumes();
    }
    return NULL;
}

/* ---- a copy of the process ---------------------------------------------------------------- */

/* Returns the traced child of `th` that the kernel attached (CLONE_PTRACE), which is the copy; 0 if
 * none is found. */
static pid_t inject_traced_child(struct ez_target *t, const struct ez_thread *th)
{
    char path[64];
    struct ez_proc_status s;
    int child, found = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", t->inf.pid, th->tid);
    FILE *f = fopen(path, "re");
    if (!f)
        return 0;
    while (!found && fscanf(f, "%d", &child) == 1)
        if (ez_proc_status(child, 0, &s) && s.tracer == (uint64_t)getpid())
            found = child;
    fclose(f);
    return found;
}

/* The copy is a fork without exit signal. A copy that is released ends by itself (restorer.c).
 * CLONE_PTRACE makes the copy traced and stopped at birth. The copy inherits the signal mask of the
 * injected call; out->mask is the target's own mask. CLONE_UNTRACED avoids the report of a new
 * thread. If a signal that cannot be blocked (SIGSTOP) arrives, the call returns ERESTARTNOINTR and
 * is repeated. */
ez_err *ez_inject_copy(struct ez_target *t, struct ez_thread *th, struct ez_copy *out)
{
    static const uint64_t arg[6] = { CLONE_PTRACE | CLONE_UNTRACED };
    static const struct ez_syscall call = { SYS_clone, arg, true };
    int64_t r = -RESTART_NOINTR;
    ez_err *e = NULL;
    *out = (struct ez_copy){ 0 };
    if (!th)
        return ez_err_new(EZ_E_GONE, 0,
                          "The process has no live thread that could fork a copy of the process");
    EZ_TRY(pt_getsigmask(th->tid, &out->mask, "read the mask of blocked signals"));
    for (int tries = 0; tries < COPY_TRIES && !e && r == -RESTART_NOINTR; tries++)
        e = inject_somehow(t, th, &call, &r, "copy the process");
    if (e && e->code == EZ_E_GONE)
        return e;
    if (e || r > 0)
        out->pid = inject_traced_child(t, th);
    out->inner = r > 0 ? (pid_t)r : out->pid;
    /* Without /proc/PID/task/TID/children, the pid is the result of the call. */
    if (r > 0 && !out->pid)
        out->pid = (pid_t)r;
    if (e || r > 0)
        return e;
    EZ_FREE char *what = ez_sprintf("process %d cannot be copied: its clone failed", t->inf.pid);
    return ez_inject_error(r, what, NULL);
}

ez_err *ez_inject_reap(struct ez_target *t, struct ez_thread *th, pid_t inner)
{
    uint64_t arg[6] = { (uint64_t)inner, 0, __WALL | WNOHANG };
    int64_t r = 0;
    ez_err *e = NULL;
    for (int tries = 0; tries < REAP_TRIES && !r; tries++) {
        ez_err_free(e);
        e = ez_inject_syscall(t, th, SYS_wait4, arg, &r, "reap the copy of the process");
        if (e && e->code == EZ_E_GONE)
            return e;
        if (!r)
            ez_wait_report(t, 1);
    }
    if (e || r == inner || r == -ECHILD)
        return e;
    return ez_err_new(EZ_E_REMOTE, 0, "Process %d keeps the zombie child %d: wait4 returned %ld",
                      t->inf.pid, inner, (long)r);
}

ez_err *ez_inject_error(int64_t result, const char *what, const char *why)
{
    int errnum = result < 0 && result > -4096 ? (int)-result : 0;
    if (!errnum)
        return NULL;
    ez_err *e = ez_err_new(EZ_E_REMOTE, 0, "%s: %s (%s)%s%s", what, ez_errno_name(errnum),
                           strerror(errnum), why ? ", to " : "", why ? why : "");
    e->errnum = errnum;
    return e;
}

/* Returns the error of a failed mmap, or NULL if the call succeeded. For ENOMEM and EAGAIN, a hint
 * names the limits that usually cause them. */
static ez_err *inject_mmap_failed(struct ez_target *t, int64_t result, const char *why)
{
    ez_err *e = ez_inject_error(result, "the target's mmap failed", why);
    if (!e)
        return NULL;
    if (e->errnum == ENOMEM)
        return ez_err_hint(e,
                           "Process %d may be at a limit: see ulimit -v, ulimit -d and the sysctl "
                           "vm.max_map_count",
                           t->inf.pid);
    if (e->errnum == EAGAIN)
        return ez_err_hint(
            e, "Process %d locks its memory (mlockall), and may lock no more: see ulimit -l",
            t->inf.pid);
    return e;
}

/* Unlocks a new mapping, and sets its protection. In a process with mlockall(MCL_FUTURE), the
 * kernel would allocate every page of the mapping, although the tables in the mapping are large and
 * mostly empty. So the caller maps it with PROT_NONE, for which the kernel allocates no pages;
 * munlock() then unlocks it. Code is mapped with PROT_EXEC at once, because PR_SET_MDWE can forbid
 * adding PROT_EXEC later. */
static ez_err *inject_unlock(struct ez_target *t, struct ez_thread *th, uint64_t at, uint64_t size,
                             int prot)
{
    uint64_t arg[6] = { at, size, (uint64_t)prot };
    const char *why = "have the kernel not lock it";
    int64_t r;
    EZ_TRY(ez_inject_syscall(t, th, SYS_munlock, arg, &r, why));
    if (!r && !(prot & PROT_EXEC))
        EZ_TRY(ez_inject_syscall(t, th, SYS_mprotect, arg, &r, "make the memory accessible"));
    return inject_mmap_failed(t, r, why);
}

ez_err *ez_inject_mmap(struct ez_target *t, const struct ez_mmap *m, uint64_t *out, const char *why)
{
    struct ez_thread *th = ez_inject_thread(t);
    int64_t r = -1;
    struct ez_proc_status s;
    bool locks = th && ez_proc_status(t->inf.pid, th->tid, &s) && s.locked_kb;
    int first = locks && !(m->prot & PROT_EXEC) ? PROT_NONE : m->prot;
    int fd = m->flags & MAP_ANONYMOUS ? -1 : m->fd;
    uint64_t arg[6] = { m->at, m->size, (uint64_t)first, (uint64_t)m->flags,
                        (uint64_t)(int64_t)fd };
    EZ_TRY(ez_inject_syscall(t, th, SYS_mmap, arg, &r, why));
    EZ_TRY(inject_mmap_failed(t, r, why));
    *out = (uint64_t)r;
    return locks ? inject_unlock(t, th, *out, m->size, m->prot) : NULL;
}
