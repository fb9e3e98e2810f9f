/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pt_log.c - logs the ptrace calls (pt_log.h).
 * Tests: tests/procs/explain.sh */
#include "engine/inferior/pt_log.h"

#include <sys/ptrace.h>

#include "engine/base/now.h"

/* The requests of pt.c and mem.c, and what each does. A new request needs a row in this table. */
static const struct pt_name {
    const char *name, *what;
    int number;
    enum ez_ptrace_topic topic;
    enum ez_ptrace_kind kind;
} names[] = {
    { "PTRACE_SEIZE", "become its tracer; it runs on", PTRACE_SEIZE, EZ_PT_WAIT, EZ_PT_PLAIN },
    { "PTRACE_SETOPTIONS", "choose which events stop it", PTRACE_SETOPTIONS, EZ_PT_WAIT,
      EZ_PT_PLAIN },
    { "PTRACE_INTERRUPT", "stop it, without a signal", PTRACE_INTERRUPT, EZ_PT_WAIT, EZ_PT_PLAIN },
    { "PTRACE_CONT", "let it run", PTRACE_CONT, EZ_PT_WAIT, EZ_PT_RUNS },
    { "PTRACE_LISTEN", "leave it stopped, but report its events", PTRACE_LISTEN, EZ_PT_WAIT,
      EZ_PT_PLAIN },
    { "PTRACE_DETACH", "let it run, and stop tracing it", PTRACE_DETACH, EZ_PT_WAIT, EZ_PT_RUNS },
    { "PTRACE_SINGLESTEP", "let it execute one instruction", PTRACE_SINGLESTEP, EZ_PT_STEP,
      EZ_PT_RUNS },
    { "PTRACE_SYSCALL", "let it run to the start or end of a system call", PTRACE_SYSCALL,
      EZ_PT_INJECT, EZ_PT_RUNS },
    { "PTRACE_GETREGSET", "read its registers", PTRACE_GETREGSET, EZ_PT_INJECT, EZ_PT_PLAIN },
    { "PTRACE_SETREGSET", "write its registers", PTRACE_SETREGSET, EZ_PT_INJECT, EZ_PT_PLAIN },
    { "PTRACE_GETSIGINFO", "read about the signal that stopped it", PTRACE_GETSIGINFO, EZ_PT_INJECT,
      EZ_PT_PLAIN },
    { "PTRACE_SETSIGINFO", "change the signal that stopped it", PTRACE_SETSIGINFO, EZ_PT_INJECT,
      EZ_PT_PLAIN },
    { "PTRACE_GETSIGMASK", "read its mask of blocked signals", PTRACE_GETSIGMASK, EZ_PT_INJECT,
      EZ_PT_PLAIN },
    { "PTRACE_SETSIGMASK", "write its mask of blocked signals", PTRACE_SETSIGMASK, EZ_PT_INJECT,
      EZ_PT_PLAIN },
    { "PTRACE_GET_RSEQ_CONFIGURATION", "read where its restartable sequences are registered",
      PT_GET_RSEQ, EZ_PT_INJECT, EZ_PT_PLAIN },
    { "PTRACE_GET_SYSCALL_USER_DISPATCH_CONFIG", "read its configuration of syscall user dispatch",
      PT_GET_DISPATCH, EZ_PT_INJECT, EZ_PT_PLAIN },
    { "PTRACE_GETEVENTMSG", "read the message of the event", PTRACE_GETEVENTMSG, EZ_PT_WAIT,
      EZ_PT_PLAIN },
    { "PTRACE_POKETEXT", "write a word of its text", PTRACE_POKETEXT, EZ_PT_PATCH, EZ_PT_POKE },
    { "waitid", "wait for a report", PT_WAITID, EZ_PT_WAIT, EZ_PT_REPORT },
    { "wait4", "get its report", PT_WAIT4, EZ_PT_WAIT, EZ_PT_REPORT },
    { "pwrite", "write its memory, through /proc/PID/mem", PT_WRITE, EZ_PT_PATCH, EZ_PT_BYTES },
};

static struct ez_ptrace_call last[EZ_PTRACE_LAST];
static struct ez_ptrace_sum sums[EZ_ARRAY_LEN(names)];
static uint64_t calls;
static void (*listener)(const struct ez_ptrace_call *c, void *arg);
static void *print_arg;

bool pt_log_has_listener(void)
{
    return listener;
}

void pt_log(int request, uint64_t began, struct ez_ptrace_call *c)
{
    size_t i = 0;
    while (i + 1 < EZ_ARRAY_LEN(names) && names[i].number != request)
        i++;
    c->number = ++calls;
    c->request = names[i].name;
    c->what = names[i].what;
    c->topic = names[i].topic;
    c->kind = names[i].kind;
    c->at_ns = began;
    c->spent_ns = ez_now_ns() - began;
    sums[i].request = c->request;
    sums[i].calls++;
    sums[i].failed += c->errnum != 0;
    sums[i].ns += c->spent_ns;
    last[calls % EZ_PTRACE_LAST] = *c;
    if (listener)
        listener(c, print_arg);
}

void ez_ptrace_listen(void (*fn)(const struct ez_ptrace_call *c, void *arg), void *arg)
{
    listener = fn;
    print_arg = arg;
}

void ez_ptrace_last(size_t n, void (*fn)(const struct ez_ptrace_call *c, void *arg), void *arg)
{
    n = (size_t)EZ_MIN((uint64_t)EZ_MIN(n, (size_t)EZ_PTRACE_LAST), calls);
    for (uint64_t i = calls - n + 1; i <= calls; i++)
        fn(&last[i % EZ_PTRACE_LAST], arg);
}

size_t ez_ptrace_sums(const struct ez_ptrace_sum **out)
{
    *out = sums;
    return EZ_ARRAY_LEN(sums);
}
