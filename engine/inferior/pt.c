/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pt.c - calls ptrace and wait, and logs each call (pt.h).
 * Tests: tests/procs/sweep.sh (every call). */
#include "engine/inferior/pt.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/arch.h"
#include "engine/base/fault.h"
#include "engine/base/now.h"
#include "engine/inferior/pt_log.h"

int pt_fault(const char *request, pid_t pid)
{
    int fault = ez_fault(request, "any");
    if (fault == EZ_FAULT_DIE)
        kill(getpid(), SIGKILL);
    if (pid <= 0 && fault == ESRCH)
        return 0; /* A wait for any thread cannot fail because one thread is gone. */
    if (pid > 0 && (fault == EZ_FAULT_KILL || fault == ESRCH))
        kill(pid, SIGKILL);
    return fault > 0 ? fault : 0;
}

static ez_err *pt_failed(const char *request, pid_t tid, const char *why, int errnum)
{
    ez_err *e;
    if (errnum == ESRCH || errnum == ECHILD)
        e = ez_err_new(EZ_E_GONE, 0, "Thread %d is gone (%s, to %s)", tid, request, why);
    else
        e = ez_err_new(errnum == EPERM ? EZ_E_PERM : EZ_E_SYS, errnum,
                       "The ptrace request %s of thread %d failed (to %s)", request, tid, why);
    e->errnum = errnum;
    e->tid = tid;
    return e;
}

/* ---- the logged calls ---------------------------------------------------------------------- */

static long pt_ptrace(int request, pid_t tid, uint64_t addr, uint64_t data, const char *why)
{
    struct ez_ptrace_call c = { .tid = tid, .addr = addr, .data = data, .why = why };
    uint64_t began = ez_now_ns();
    errno = 0;
    long result = ptrace(request, tid, (void *)addr, (void *)data);
    c.errnum = result < 0 ? errno : 0;
    pt_log(request, began, &c);
    errno = c.errnum;
    return c.errnum ? -1 : result;
}

static ez_err *pt_call(int request, const char *name, pid_t tid, uint64_t addr, uint64_t data,
                       const char *why)
{
    int fault = pt_fault(name, tid);
    if (fault) {
        struct ez_ptrace_call c = { .tid = tid, .errnum = fault, .why = why };
        pt_log(request, ez_now_ns(), &c);
        return pt_failed(name, tid, why, fault);
    }
    if (pt_ptrace(request, tid, addr, data, why) < 0)
        return pt_failed(name, tid, why, errno);
    return NULL;
}

ez_err *pt_seize(pid_t tid, unsigned long options, const char *why)
{
    return pt_call(PTRACE_SEIZE, "seize", tid, 0, options, why);
}
ez_err *pt_setoptions(pid_t tid, unsigned long options, const char *why)
{
    return pt_call(PTRACE_SETOPTIONS, "setoptions", tid, 0, options, why);
}
ez_err *pt_interrupt(pid_t tid, const char *why)
{
    return pt_call(PTRACE_INTERRUPT, "interrupt", tid, 0, 0, why);
}
/* Thread of the last signal stop that pt_wait() returned and whose report was not consumed yet; 0:
 * none. */
static pid_t untaken;
static unsigned long resumed;
/* Makes a request that resumes a thread. */
static ez_err *pt_resume(int request, const char *name, pid_t tid, int sig, const char *why)
{
    resumed++;
    EZ_TRY(pt_call(request, name, tid, 0, (unsigned)sig, why));
    if (untaken == tid)
        untaken = 0;
    return NULL;
}
unsigned long pt_resumes(void)
{
    return resumed;
}
ez_err *pt_cont(pid_t tid, int sig, const char *why)
{
    return pt_resume(PTRACE_CONT, "cont", tid, sig, why);
}
ez_err *pt_listen(pid_t tid, const char *why)
{
    return pt_call(PTRACE_LISTEN, "listen", tid, 0, 0, why);
}
ez_err *pt_step(pid_t tid, int sig, const char *why)
{
    return pt_resume(PTRACE_SINGLESTEP, "step", tid, sig, why);
}
ez_err *pt_syscall(pid_t tid, int sig, const char *why)
{
    return pt_resume(PTRACE_SYSCALL, "syscall", tid, sig, why);
}
ez_err *pt_detach(pid_t tid, int sig, const char *why)
{
    return pt_resume(PTRACE_DETACH, "detach", tid, sig, why);
}
ez_err *pt_getregs(pid_t tid, struct ez_regs *regs, const char *why)
{
    struct iovec iov = { regs, sizeof *regs };
    return pt_call(PTRACE_GETREGSET, "getregs", tid, 1 /* NT_PRSTATUS */, (uint64_t)&iov, why);
}
ez_err *pt_setregs(pid_t tid, const struct ez_regs *regs, const char *why)
{
    struct iovec iov = { (void *)regs, ez_arch_host()->regs.size };
    return pt_call(PTRACE_SETREGSET, "setregs", tid, 1 /* NT_PRSTATUS */, (uint64_t)&iov, why);
}
ez_err *pt_getregset(pid_t tid, int what, void *buf, size_t *len, const char *why)
{
    struct iovec iov = { buf, *len };
    EZ_TRY(pt_call(PTRACE_GETREGSET, "getregset", tid, (uint64_t)what, (uint64_t)&iov, why));
    *len = iov.iov_len;
    return NULL;
}
ez_err *pt_setregset(pid_t tid, int what, const void *buf, size_t len, const char *why)
{
    struct iovec iov = { (void *)buf, len };
    return pt_call(PTRACE_SETREGSET, "setregset", tid, (uint64_t)what, (uint64_t)&iov, why);
}
ez_err *pt_getsiginfo(pid_t tid, siginfo_t *si, const char *why)
{
    return pt_call(PTRACE_GETSIGINFO, "getsiginfo", tid, 0, (uint64_t)si, why);
}
ez_err *pt_setsiginfo(pid_t tid, const siginfo_t *si, const char *why)
{
    return pt_call(PTRACE_SETSIGINFO, "setsiginfo", tid, 0, (uint64_t)si, why);
}
ez_err *pt_getsigmask(pid_t tid, uint64_t *mask, const char *why)
{
    return pt_call(PTRACE_GETSIGMASK, "getsigmask", tid, sizeof *mask, (uint64_t)mask, why);
}
ez_err *pt_setsigmask(pid_t tid, uint64_t mask, const char *why)
{
    return pt_call(PTRACE_SETSIGMASK, "setsigmask", tid, sizeof mask, (uint64_t)&mask, why);
}
ez_err *pt_rseq_area(pid_t tid, uint64_t *area, uint32_t *size, const char *why)
{
    struct {
        uint64_t area;
        uint32_t size, signature, flags, pad;
    } r = { 0 };
    ez_err *e = pt_call(PT_GET_RSEQ, "rseq", tid, sizeof r, (uint64_t)&r, why);
    *area = r.area;
    *size = r.size;
    if (!e || (e->errnum != EIO && e->errnum != EINVAL))
        return e;
    ez_err_free(e);
    return NULL;
}
ez_err *pt_dispatch(pid_t tid, struct pt_dispatch *out, const char *why)
{
    uint64_t c[4] = { 0 }; /* struct ptrace_sud_config: mode, selector, offset, len */
    ez_err *e = pt_call(PT_GET_DISPATCH, "dispatch", tid, sizeof c, (uint64_t)c, why);
    *out = (struct pt_dispatch){ !e && c[0], c[1], c[2], c[3] };
    if (!e || (e->errnum != EIO && e->errnum != EINVAL))
        return e;
    ez_err_free(e);
    return NULL;
}
ez_err *pt_eventmsg(pid_t tid, unsigned long *msg, const char *why)
{
    return pt_call(PTRACE_GETEVENTMSG, "geteventmsg", tid, 0, (uint64_t)msg, why);
}
ez_err *pt_poke(pid_t tid, uint64_t addr, uint64_t word, const char *why)
{
    return pt_call(PTRACE_POKETEXT, "poke", tid, addr, word, why);
}

/* ---- reports --------------------------------------------------------------------------- */

static int pt_status_of(const siginfo_t *si)
{
    if (si->si_code == CLD_EXITED)
        return (si->si_status & 0xff) << 8;
    if (si->si_code == CLD_KILLED || si->si_code == CLD_DUMPED)
        return si->si_status | (si->si_code == CLD_DUMPED ? 0x80 : 0);
    return si->si_status << 8 | 0x7f;
}

/* pid <= 0: waits for any thread or child. */
static int pt_waitid(pid_t pid, siginfo_t *si, int flags, const char *why)
{
    struct ez_ptrace_call c = { .tid = pid, .data = (unsigned)flags, .why = why };
    uint64_t began = ez_now_ns();
    int r = waitid(pid > 0 ? P_PID : P_ALL, pid > 0 ? (id_t)pid : 0, si, flags | __WALL);
    c.errnum = r < 0 ? errno : 0;
    c.got = r < 0 ? 0 : si->si_pid;
    c.status = c.got ? pt_status_of(si) : 0;
    pt_log(PT_WAITID, began, &c);
    errno = c.errnum;
    return r;
}

static pid_t pt_wait4(pid_t pid, int *status, int flags, const char *why)
{
    struct ez_ptrace_call c = { .tid = pid, .data = (unsigned)flags, .why = why };
    uint64_t began = ez_now_ns();
    pid_t got = waitpid(pid, status, flags | __WALL);
    c.errnum = got < 0 ? errno : 0;
    c.got = got < 0 ? 0 : got;
    c.status = c.got ? *status : 0;
    pt_log(PT_WAIT4, began, &c);
    errno = c.errnum;
    return got;
}

/* Returns true if eztsh caused the SIGTRAP, by a step (si_code TRAP_TRACE, or TRAP_BRKPT after a
 * system call) or by a hardware breakpoint. Such a SIGTRAP must not reach the target. */
static bool pt_our_own_trap(pid_t tid)
{
    siginfo_t si;
    return pt_ptrace(PTRACE_GETSIGINFO, tid, 0, (uint64_t)&si,
                     "check whether eztsh set the trap") == 0 &&
           (si.si_code == TRAP_TRACE || si.si_code == TRAP_BRKPT || si.si_code == 6 /* _PERF */);
}

static bool pt_by_signal(pid_t tid, int status)
{
    return WIFSTOPPED(status) && !(status >> 16) && !(WSTOPSIG(status) & 0x80) &&
           (WSTOPSIG(status) != SIGTRAP || !pt_our_own_trap(tid));
}

/* Consumes the report of the signal stop of thread `untaken`. If an exec of another thread has
 * replaced this report by another one with the same pid, the new report is left for the next
 * pt_wait(). */
static void pt_consume_report(void)
{
    siginfo_t si = { 0 };
    pid_t tid = untaken;
    untaken = 0;
    if (tid &&
        !pt_waitid(tid, &si, WSTOPPED | WNOHANG | WNOWAIT, "see the handled signal's stop again") &&
        si.si_pid && pt_by_signal(tid, pt_status_of(&si)))
        pt_waitid(tid, &si, WSTOPPED | WNOHANG, "the signal was handled");
}

void pt_report_consumed(pid_t tid)
{
    if (untaken == tid)
        pt_consume_report();
}

/* Peeks at the next report, and consumes it at once unless it is a stop by a signal. Returns its
 * tid; 0 if there is no report, -1 after an error. */
static pid_t pt_report(pid_t pid, int flags, int *status, const char *why)
{
    siginfo_t si = { 0 };
    if (pt_waitid(pid, &si, WEXITED | WSTOPPED | WNOWAIT | flags, why) < 0)
        return -1;
    if (!si.si_pid)
        return 0;
    *status = pt_status_of(&si);
    if (!pt_by_signal(si.si_pid, *status))
        return pt_wait4(si.si_pid, status, WNOHANG, why);
    untaken = si.si_pid;
    return untaken;
}

ez_err *pt_wait(pid_t pid, int flags, int *status, pid_t *got, const char *why)
{
    int fault = pt_fault("wait", pid);
    if (fault)
        return pt_failed("wait", pid, why, fault);
    pt_consume_report();
    for (;;) {
        *got = pt_report(pid, flags, status, why);
        if (*got > 0 || (!*got && flags & WNOHANG))
            return NULL;
        if (*got < 0 && errno != EINTR)
            return pt_failed("wait", pid, why, errno);
    }
}
