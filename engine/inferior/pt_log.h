/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pt_log.h - the log of ptrace calls: the last calls, their number, and a listener for each call
 * (`explain`, --ptrace-log).
 *
 * pt.c logs each ptrace and wait call that reached the kernel, in order, including failed calls and
 * polls without a result. mem.c logs writes of memory, with the overwritten bytes if there is a
 * listener. They are the calls that strace shows (tests/procs/explain.sh). Main thread only, as all
 * of ptrace. */
#ifndef EZ_PT_LOG_H
#define EZ_PT_LOG_H

#include <sys/types.h>

#include "engine/base/base.h"

/* Purpose of a call; one bit each. */
enum ez_ptrace_topic {
    EZ_PT_WAIT = 1,   /* threads stop, run on, and report */
    EZ_PT_STEP = 2,   /* one instruction is executed */
    EZ_PT_INJECT = 4, /* registers and signals: eztsh makes a thread run system calls */
    EZ_PT_PATCH = 8,  /* memory is written */
    EZ_PT_ALL = 15
};

/* Meaning of the arguments. */
enum ez_ptrace_kind {
    EZ_PT_PLAIN,  /* the request has no arguments to show */
    EZ_PT_RUNS,   /* data: a signal to deliver */
    EZ_PT_REPORT, /* a wait: `got` and `status` */
    EZ_PT_POKE,   /* data is a word for `addr` */
    EZ_PT_BYTES,  /* data is a length: bytes are written to `addr` */
};

struct ez_ptrace_call {
    uint64_t number;          /* number of the call in this session, from 1 */
    uint64_t at_ns, spent_ns; /* CLOCK_MONOTONIC */
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
    /* For pwrite: */
    bool had;        /* the overwritten bytes are known */
    uint32_t offset; /* offset of the first byte that changes; equal to `data` if none changes */
    uint8_t nbytes;  /* number of bytes from this offset on in before[] and after[] */
    uint8_t before[16], after[16];
};
struct ez_ptrace_sum {
    const char *request;
    uint64_t calls, failed, ns;
};

/* Makes fn receive each call when it has returned; NULL: no listener. */
void ez_ptrace_listen(void (*fn)(const struct ez_ptrace_call *c, void *arg), void *arg);
#define EZ_PTRACE_LAST 256
/* Passes the last n calls to fn, EZ_PTRACE_LAST at most, oldest first. */
void ez_ptrace_last(size_t n, void (*fn)(const struct ez_ptrace_call *c, void *arg), void *arg);
/* Sets *out to a sum for each kind of call, including kinds that were not used. Returns their
 * number. */
size_t ez_ptrace_sums(const struct ez_ptrace_sum **out);

/* ---- for pt.c and mem.c ---- */

/* Numbers of calls that are no ptrace request. */
enum { PT_WAITID = 0x10000, PT_WAIT4, PT_WRITE };
/* Requests that the C library's headers may lack. */
enum {
    PT_GET_RSEQ = 0x420f,    /* PTRACE_GET_RSEQ_CONFIGURATION, Linux 5.13 */
    PT_GET_DISPATCH = 0x4211 /* PTRACE_GET_SYSCALL_USER_DISPATCH_CONFIG, Linux 6.4 */
};

/* Logs the call `request`, which began at `began` (now.h) and has just returned. `c` contains the
 * rest. */
void pt_log(int request, uint64_t began, struct ez_ptrace_call *c);
/* Returns true if there is a listener. */
bool pt_log_has_listener(void);

#endif
