/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pt_log.h - what was asked of the kernel: the last calls, how many there were, and who wants to hear of each
 * (`explain`, --ptrace-log).
 *
 * pt.c notes each ptrace and wait call that reached the kernel, failed ones and polls without an answer too, in
 * the order in which they were made; mem.c notes writes of memory, with the bytes that stood there if somebody
 * listens. As many calls as strace sees, call for call (tests/procs/explain.sh).
 *
 * Main thread only, as all of ptrace. */
#ifndef EZ_PT_LOG_H
#define EZ_PT_LOG_H

#include <sys/types.h>

#include "engine/base/base.h"

/* What a call is for; one bit each. */
enum ez_ptrace_topic {
    EZ_PT_WAIT = 1,   /* threads stop, run on, and report                             */
    EZ_PT_STEP = 2,   /* one instruction                                              */
    EZ_PT_INJECT = 4, /* registers and signals: system calls that a thread is made to do */
    EZ_PT_PATCH = 8,  /* memory is written                                            */
    EZ_PT_ALL = 15
};

/* What the arguments mean. */
enum ez_ptrace_kind {
    EZ_PT_PLAIN,  /* nothing that is told                                               */
    EZ_PT_RUNS,   /* data: a signal to deliver                                          */
    EZ_PT_REPORT, /* a wait: `got` and `status`                                         */
    EZ_PT_POKE,   /* data is a word, to `addr`                                          */
    EZ_PT_BYTES,  /* data is a length: bytes are written to `addr`                      */
};

struct ez_ptrace_call {
    uint64_t number;          /* of this session, from 1                             */
    uint64_t at_ns, spent_ns; /* CLOCK_MONOTONIC                                     */
    const char *request;      /* as strace has it: "PTRACE_CONT"; "pwrite"           */
    const char *what;         /* it does, in plain words                             */
    const char *why;          /* it was done, in plain words                         */
    enum ez_ptrace_topic topic;
    enum ez_ptrace_kind kind;
    pid_t tid;           /* asked about; -1 = any                               */
    uint64_t addr, data; /* the arguments; of waits, data is the flags; of pwrite its length */
    int errnum;          /* 0 = it was done                                     */
    pid_t got;           /* of waits: who reports; 0 = nobody                   */
    int status;          /* of waits: its report, as in wait(2)                 */
    /* Of pwrite: */
    bool had;        /* it is known what stood there                              */
    uint32_t offset; /* of the first byte that changes; data = none does          */
    uint8_t nbytes;  /* from there on that are here                               */
    uint8_t before[16], after[16];
};
struct ez_ptrace_sum {
    const char *request;
    uint64_t calls, failed, ns;
};

/* From now on fn hears of each call, when it is over; NULL = nobody does. */
void ez_ptrace_listen(void (*fn)(const struct ez_ptrace_call *c, void *arg), void *arg);
#define EZ_PTRACE_LAST 256
/* The last n calls, EZ_PTRACE_LAST at most, oldest first. */
void ez_ptrace_last(size_t n, void (*fn)(const struct ez_ptrace_call *c, void *arg), void *arg);
/* A sum for each kind of call, also those that were not made. Returns how many there are. */
size_t ez_ptrace_sums(const struct ez_ptrace_sum **out);

/* ---- for pt.c and mem.c ---- */

/* The numbers of calls that are no request of ptrace. */
enum { PT_WAITID = 0x10000, PT_WAIT4, PT_WRITE };
/* Requests that the C library's headers may lack. */
enum {
    PT_GET_RSEQ = 0x420f,    /* PTRACE_GET_RSEQ_CONFIGURATION, Linux 5.13           */
    PT_GET_DISPATCH = 0x4211 /* PTRACE_GET_SYSCALL_USER_DISPATCH_CONFIG, Linux 6.4  */
};

/* Notes the call `request` that began at `began` (now.h) and is over now; c says the rest. */
void pt_log(int request, uint64_t began, struct ez_ptrace_call *c);
/* Does anybody hear of each call? */
bool pt_log_has_listener(void);

#endif
