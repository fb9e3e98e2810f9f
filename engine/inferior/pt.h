/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pt.h - the door to ptrace: the only code in the whole tree that calls ptrace and waitpid.
 *
 * Every call carries `why`, a literal in plain words ("stop the world", "inject
 * mmap"), so that one place can explain, record, or fail on purpose what we do to
 * the target. ESRCH becomes EZ_E_GONE; the caller must expect it anywhere.
 *
 * A test makes a call fail by EZ_FAULT (fault.h); ESRCH ends the process, too.
 *
 * Main thread only: ptrace belongs to the thread that seized. */
#ifndef EZ_PT_H
#define EZ_PT_H

#include <signal.h>
#include <sys/types.h>

#include "arch/arch.h"
#include "engine/base/base.h"
#include "engine/base/err.h"

ez_err *pt_seize(pid_t tid, unsigned long options, const char *why) EZ_WUR;
ez_err *pt_setoptions(pid_t tid, unsigned long options, const char *why) EZ_WUR;
ez_err *pt_interrupt(pid_t tid, const char *why) EZ_WUR;
ez_err *pt_cont(pid_t tid, int sig, const char *why) EZ_WUR;
ez_err *pt_listen(pid_t tid, const char *why) EZ_WUR;
ez_err *pt_step(pid_t tid, int sig, const char *why) EZ_WUR;
ez_err *pt_syscall(pid_t tid, int sig, const char *why) EZ_WUR; /* run to a syscall stop */
ez_err *pt_detach(pid_t tid, int sig, const char *why) EZ_WUR;
/* How often any thread was let run: while this number stays the same, nothing changes in a stopped
 * thread. */
unsigned long pt_resumes(void);
ez_err *pt_getregs(pid_t tid, struct ez_regs *regs, const char *why) EZ_WUR;
ez_err *pt_setregs(pid_t tid, const struct ez_regs *regs, const char *why) EZ_WUR;
/* The other registers (floating point, vector) as one opaque block of kind `what`:
 * *len is the room, then what was used. */
ez_err *pt_getregset(pid_t tid, int what, void *buf, size_t *len, const char *why) EZ_WUR;
ez_err *pt_setregset(pid_t tid, int what, const void *buf, size_t len, const char *why) EZ_WUR;
ez_err *pt_getsiginfo(pid_t tid, siginfo_t *si, const char *why) EZ_WUR;
ez_err *pt_setsiginfo(pid_t tid, const siginfo_t *si, const char *why) EZ_WUR;
/* The signals that the thread holds back, a bit each (signal 1 = bit 0). */
ez_err *pt_getsigmask(pid_t tid, uint64_t *mask, const char *why) EZ_WUR;
ez_err *pt_setsigmask(pid_t tid, uint64_t mask, const char *why) EZ_WUR;
/* Finds the thread's struct rseq, and its size in bytes. 0: there is none, or the kernel does not say. */
ez_err *pt_rseq_area(pid_t tid, uint64_t *area, uint32_t *size, const char *why) EZ_WUR;
/* Syscall user dispatch: system calls outside of [from, from + size) become SIGSYS while the byte at `selector` (0 =
 * there is none) is 1. on = false also where the kernel does not tell (before 6.4). */
struct pt_dispatch {
    bool on;
    uint64_t selector, from, size;
};
ez_err *pt_dispatch(pid_t tid, struct pt_dispatch *out, const char *why) EZ_WUR;
ez_err *pt_eventmsg(pid_t tid, unsigned long *msg, const char *why) EZ_WUR;
/* Writes one word of text, for kernels that forbid writing through /proc/PID/mem. */
ez_err *pt_poke(pid_t tid, uint64_t addr, uint64_t word, const char *why) EZ_WUR;

/* waitpid(pid, status, flags | __WALL), pid -1 or a thread. *got = the tid, 0 = nothing
 * (WNOHANG). EZ_E_GONE when there is no thread to wait for.
 * The report of a stop by a signal is only looked at (WNOWAIT); the next pt_wait takes it. If the
 * shell dies before that, the kernel delivers the signal. A signal whose report was taken is
 * lost then, and a breakpoint's SIGTRAP must not be lost (own_trap in thread.c). The report of a
 * step's SIGTRAP is taken at once. */
ez_err *pt_wait(pid_t pid, int flags, int *status, pid_t *got, const char *why) EZ_WUR;

/* The signal of the thread's stop was handled: take its report now. */
void pt_report_consumed(pid_t tid);

/* Does the fault plan of a test make this request fail? Also called for operations other than
 * ptrace that tests sweep (memory writes). 0 = go on, else the errno to report. */
int pt_fault(const char *request, pid_t pid);

#endif
