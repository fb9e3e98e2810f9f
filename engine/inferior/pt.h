/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pt.h - calls ptrace and waitpid. No other code of the engine and of the shell calls them.
 *
 * Every such call has an argument why, a text in plain words ("stop all threads"), with which this
 * code explains and logs the call. ESRCH becomes EZ_E_GONE, which any call can return. A test makes
 * a call fail by EZ_FAULT (fault.h); an injected ESRCH also kills the process. Main thread only,
 * because the kernel accepts ptrace requests only from the thread that has seized the tracee. */
#ifndef EZ_PT_H
#define EZ_PT_H

#include <signal.h>
#include <sys/types.h>

#include "arch/regs.h"
#include "engine/base/base.h"
#include "engine/base/err.h"

ez_err *pt_seize(pid_t tid, unsigned long options, const char *why) EZ_WUR;
ez_err *pt_setoptions(pid_t tid, unsigned long options, const char *why) EZ_WUR;
ez_err *pt_interrupt(pid_t tid, const char *why) EZ_WUR;
ez_err *pt_cont(pid_t tid, int sig, const char *why) EZ_WUR;
ez_err *pt_listen(pid_t tid, const char *why) EZ_WUR;
ez_err *pt_step(pid_t tid, int sig, const char *why) EZ_WUR;
/* Resumes the thread until it enters or leaves a system call. */
ez_err *pt_syscall(pid_t tid, int sig, const char *why) EZ_WUR;
ez_err *pt_detach(pid_t tid, int sig, const char *why) EZ_WUR;
/* Returns the number of requests that resumed a thread. While this number stays the same, no
 * stopped thread has run. */
unsigned long pt_resumes(void);
ez_err *pt_getregs(pid_t tid, struct ez_regs *regs, const char *why) EZ_WUR;
ez_err *pt_setregs(pid_t tid, const struct ez_regs *regs, const char *why) EZ_WUR;
/* Read and write the other registers (floating point, vector) as one opaque block; `what` is the
 * type of the register set (NT_*). *len: in, the size of buf; out, the number of bytes used. */
ez_err *pt_getregset(pid_t tid, int what, void *buf, size_t *len, const char *why) EZ_WUR;
ez_err *pt_setregset(pid_t tid, int what, const void *buf, size_t len, const char *why) EZ_WUR;
ez_err *pt_getsiginfo(pid_t tid, siginfo_t *si, const char *why) EZ_WUR;
ez_err *pt_setsiginfo(pid_t tid, const siginfo_t *si, const char *why) EZ_WUR;
/* Read and set the blocked signals of the thread, one bit each (signal 1: bit 0). */
ez_err *pt_getsigmask(pid_t tid, uint64_t *mask, const char *why) EZ_WUR;
ez_err *pt_setsigmask(pid_t tid, uint64_t mask, const char *why) EZ_WUR;
/* Sets *area and *size to the address and the size in bytes of the thread's struct rseq. *area is 0
 * if there is none, or if the kernel cannot report it. */
ez_err *pt_rseq_area(pid_t tid, uint64_t *area, uint32_t *size, const char *why) EZ_WUR;
/* Syscall user dispatch: system calls outside of [from, from + size) raise SIGSYS while the byte at
 * `selector` (0: none) is 1. `on` is also false if the kernel cannot report the dispatch (before
 * Linux 6.4). */
struct pt_dispatch {
    bool on;
    uint64_t selector, from, size;
};
ez_err *pt_dispatch(pid_t tid, struct pt_dispatch *out, const char *why) EZ_WUR;
ez_err *pt_eventmsg(pid_t tid, unsigned long *msg, const char *why) EZ_WUR;
/* Writes one word of text, for kernels that forbid writing through /proc/PID/mem. */
ez_err *pt_poke(pid_t tid, uint64_t addr, uint64_t word, const char *why) EZ_WUR;

/* Waits like waitpid(pid, status, flags | __WALL); pid: -1 or a thread. *got: the tid, or 0 if
 * there is no report (WNOHANG). EZ_E_GONE if there is no thread to wait for. The report of a stop
 * by a signal is only peeked at (WNOWAIT); the next pt_wait() consumes it. If the shell dies before
 * the report is consumed, the kernel delivers the signal; after that, the signal would be lost, and
 * the SIGTRAP of a breakpoint must not be lost (thread_own_trap() in thread_stop.c). The report of
 * a step's SIGTRAP is consumed at once. */
ez_err *pt_wait(pid_t pid, int flags, int *status, pid_t *got, const char *why) EZ_WUR;

/* Consumes the report of thread tid's stop by a signal. Call it when the shell has handled the
 * signal. */
void pt_report_consumed(pid_t tid);

/* Returns the errno with which a test (EZ_FAULT) makes this request fail, or 0; kills the shell or
 * process pid if the test says so. Also called for writes of memory (request "write"). */
int pt_fault(const char *request, pid_t pid);

#endif
