/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pt_log.h - the log of ptrace calls: the last EZ_PTRACE_LAST calls, sums by request, and a
 * listener that receives each call (`explain`, --ptrace-log).
 *
 * pt.c logs each ptrace and wait call that reached the kernel, in order, including failed calls and
 * polls without a result. mem.c logs writes of memory, with the overwritten bytes if there is a
 * listener. The log has the same calls as strace's output (tests/procs/explain.sh). Main thread
 * only, like pt.h. */
#ifndef EZ_PT_LOG_H
#define EZ_PT_LOG_H

#include <sys/types.h>

#include "engine/base/base.h"

/* Purpose of a call; one bit each. */
enum ez_ptrace_topic {
    EZ_PT_WAIT = 1, /* threads stop, continue and report */
    EZ_PT_STEP = 2, /* one instruction is executed */
    /* registers and signals are read and set, and threads run injected system calls */
    EZ_PT_INJECT = 4,
    EZ_PT_PATCH = 8, /* memory is written */
    EZ_PT_ALL = 15
};

/* How addr and data are shown. */
enum ez_ptrace_kind {
    EZ_PT_PLAIN,  /* the request has no arguments to show */
    EZ_PT_RUNS,   /* data is a signal to deliver, or 0 */
    EZ_PT_REPORT, /* a wait: `got` and `status` are shown */
    EZ_PT_POKE,   /* data is a word for `addr` */
    EZ_PT_BYTES,  /* data is a length: bytes are written to `addr` */
};

struct ez_ptrace_call {
    uint64_t number;          /* number of the call in this session, counted from 1 */
    uint64_t at_ns, spent_ns; /* start (CLOCK_MONOTONIC) and duration, in ns */
    const char *request;      /* name, as strace prints it: "PTRACE_CONT"; "pwrite" */
    const char *what;         /* what the call does, in plain words */
    const char *why;          /* why the call was made, in plain words */
    enum ez_ptrace_topic topic;
    enum ez_ptrace_kind kind;
    pid_t tid;           /* thread of the call; -1: any */
    uint64_t addr, data; /* arguments; of waits, data is the flags; of pwrite, the length */
    int errnum;          /* 0: success */
    pid_t got;           /* waits: the reporting thread; 0: none */
    int status;          /* waits: the report, as in wait(2) */
    /* For pwrite (bytes before and after the call): */
    bool had; /* the overwritten bytes are known */
    /* offset in the written bytes of the first byte that changes; equal to `data` if none
     * changes */
    uint32_t offset;
    uint8_t nbytes; /* number of bytes from this offset on in before[] and after[] */
    uint8_t before[16], after[16];
};
struct ez_ptrace_sum {
    const char *request;
    uint64_t calls, failed, ns;
};

/* Sets the listener: fn is called after each logged call has returned. NULL: no listener. */
void ez_ptrace_listen(void (*fn)(const struct ez_ptrace_call *c, void *arg), void *arg);
#define EZ_PTRACE_LAST 256
/* Calls fn for each of the last n calls, EZ_PTRACE_LAST at most, oldest first. */
void ez_ptrace_last(size_t n, void (*fn)(const struct ez_ptrace_call *c, void *arg), void *arg);
/* Sets *out to an array of sums, one for each request that pt.c and mem.c know, also if it was
 * never used. Returns the length of the array. */
size_t ez_ptrace_sums(const struct ez_ptrace_sum **out);

/* ---- for pt.c and mem.c ---- */

/* Numbers of calls that are no ptrace request. */
enum { PT_WAITID = 0x10000, PT_WAIT4, PT_WRITE };
/* Requests that the C library's headers may lack. */
enum {
    PT_GET_RSEQ = 0x420f,    /* PTRACE_GET_RSEQ_CONFIGURATION, Linux 5.13 */
    PT_GET_DISPATCH = 0x4211 /* PTRACE_GET_SYSCALL_USER_DISPATCH_CONFIG, Linux 6.4 */
};

/* Logs a call of `request` that has just returned. began: ez_now_ns() before the call. The caller
 * sets the fields of c that pt_log() does not set: tid, addr, data, errnum, why, and those of waits
 * and writes. */
void pt_log(int request, uint64_t began, struct ez_ptrace_call *c);
/* Returns true if there is a listener. */
bool pt_log_has_listener(void);

#endif
