/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call.c - makes a thread of the target call a function of the target.
 *
 * Input: a stopped thread, up to six integer arguments, and the other arguments in struct
 *         ez_call_more. The thread runs alone, or all threads run, because the function may wait
 *         for a lock that another thread holds.
 * Errors: EZ_E_REMOTE: a fault ended the call. EZ_E_TIMEOUT: the function did not return in time.
 *         EZ_E_SECCOMP: a filter forbids it. The thread's old state is restored in each case.
 * Invariant: the function is called from a block (restorer.c) in memory that is mapped for this
 * call, and returns into the block. If the shell lives, it stops the thread in the block. If the
 * shell has died, the block restores all registers of the thread, and the memory stays mapped.
 * Tests: tests/procs/sweep.sh, tests/unit/arch/check_restorer.c, tests/e2e/inject.ezt */
#include "engine/target.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "engine/inferior/catch.h"
#include "engine/inferior/pt.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/rseq.h"
#include "engine/inferior/thread.h"

#define CALL_MS 5000
#define BIT(sig) (1ull << ((sig)-1))
/* Signals that the kernel sends for a fault. If a fault raises a blocked signal, the kernel removes
 * the program's handler of that signal. */
#define FAULTS (BIT(SIGSEGV) | BIT(SIGBUS) | BIT(SIGILL) | BIT(SIGFPE) | BIT(SIGTRAP) | BIT(SIGSYS))

/* The target's memory for one call. With AMX tiles the vector registers need 11 KiB. */
struct room {
    uint8_t block[EZ_RESTORER_BYTES];
    uint8_t extended[16384];
};

struct call {
    struct ez_thread *th;
    pid_t tid;
    struct ez_restored_thread was;
    /* address and size of the call's memory in the target, and a copy of its contents */
    struct room room;
    uint64_t at;
    size_t size;
    bool others;
    int ms;                    /* time limit of the function, in ms */
    struct ez_call_more *more; /* NULL: only integers */
    const char *why;
};

static ez_err *call_furnish(struct ez_target *t, struct call *c, uint64_t func)
{
    size_t len = sizeof c->room.extended;
    struct ez_restorer a = { EZ_RESTORED_CALL, &c->was.regs, 0, func, 0 };
    EZ_TRY(ez_catch_leave_call(t, c->th));
    EZ_TRY(ez_rseq_leave(t, c->th));
    EZ_TRY(ez_restorer_keep(c->th, &c->was));
    a.mask = c->was.mask;
    EZ_TRY(pt_getregset(c->tid, t->inf.arch->regs.extended_regset, c->room.extended, &len,
                        "keep the vector registers"));
    t->inf.arch->restorer.write(c->room.block, &a);
    c->size = offsetof(struct room, extended) + len;
    return ez_mem_write(t, c->at, &c->room, c->size, c->why);
}

static bool call_all_stopped(const struct ez_target *t)
{
    for (size_t i = 0; i < t->inf.thread.n; i++)
        if (!t->inf.thread.at[i]->stopped)
            return false;
    return true;
}

/* Writes the stack arguments below the part of the stack that the thread uses, so no stack memory
 * has to be restored. */
static ez_err *call_stack(struct ez_target *t, const struct call *c, struct ez_regs *r)
{
    if (!c->more)
        return NULL;
    uint64_t at = t->inf.arch->abi.call_stack(r, c->more->nstack, c->more->nvectors);
    return c->more->nstack ? ez_mem_write(t, at, c->more->stack, c->more->nstack, c->why) : NULL;
}

/* Sets the vector registers that are arguments. The thread must be in the block, which later
 * restores the old contents of the registers. */
static ez_err *call_vectors(struct ez_target *t, const struct call *c)
{
    size_t len = c->size - offsetof(struct room, extended);
    if (!c->more || !c->more->nvectors)
        return NULL;
    EZ_FREE uint8_t *copy = ez_alloc(len);
    memcpy(copy, c->room.extended, len);
    for (unsigned i = 0; i < c->more->nvectors; i++)
        t->inf.arch->regs.set_vector(copy, len, i, c->more->vector[i]);
    return pt_setregset(c->tid, t->inf.arch->regs.extended_regset, copy, len,
                        "pass vector registers to a call");
}

static ez_err *call_results(struct ez_target *t, const struct call *c, const struct ez_regs *live)
{
    if (!c->more)
        return NULL;
    c->more->left = *live;
    t->inf.arch->restorer.restore_results(&c->more->left);
    c->more->nextended = sizeof c->room.extended;
    c->more->extended = ez_alloc(c->more->nextended);
    return pt_getregset(c->tid, t->inf.arch->regs.extended_regset, c->more->extended,
                        &c->more->nextended, "read what a call returned");
}

/* Makes the call and stores its result in *result. After an error the thread's pc can be
 * anywhere. */
static ez_err *call_run(struct ez_target *t, struct call *c, const struct ez_regs *r,
                        uint64_t *result)
{
    const struct ez_range block = { c->at, c->at + EZ_RESTORER_BYTES };
    uint64_t hold = c->others ? c->was.mask : ~FAULTS;
    struct ez_regs *live;
    EZ_TRY(ez_restorer_enter(t, c->th, r, hold, &c->was, c->why));
    EZ_TRY(call_vectors(t, c));
    EZ_TRY(ez_thread_run_to(t, c->th, block, c->ms, c->others, c->why));
    EZ_TRY(ez_thread_regs(c->th, &live));
    *result = t->inf.arch->restorer.result(live);
    EZ_TRY(call_results(t, c, live));
    return ez_restorer_leave(t, c->th, c->why);
}

/* Stops all threads after a call during which they ran. c->th becomes NULL if the thread has
 * ended. */
static ez_err *call_stop(struct ez_target *t, struct call *c, ez_err *e)
{
    enum ez_state was;
    if ((!e || e->code != EZ_E_GONE) && !call_all_stopped(t)) {
        t->inf.state = EZ_RUNNING;
        ez_err *again = ez_world_stop(t, &was);
        e = ez_err_first(again, e);
    }
    c->th = t->inf.state == EZ_STOPPED ? ez_thread_find(t, c->tid) : NULL;
    return e || c->th ? e
                      : ez_err_new(EZ_E_GONE, 0, "Cannot %s: thread %d is gone", c->why, c->tid);
}

/* Restores the thread's registers. Drops a signal that stopped the thread in the called function,
 * because that function caused the signal. */
static ez_err *call_home(struct ez_target *t, struct call *c, ez_err *e)
{
    ez_err *back;
    if (!c->th)
        return e;
    c->th->sig = 0;
    EZ_TWICE(back, pt_setregset(c->tid, t->inf.arch->regs.extended_regset, c->room.extended,
                                c->size - offsetof(struct room, extended),
                                "restore the vector registers"));
    return ez_restorer_home(t, c->th, &c->was, ez_err_first(e, back));
}

static ez_err *call_make(struct ez_target *t, struct call *c, const struct ez_call *what,
                         uint64_t *result)
{
    EZ_TRY(call_furnish(t, c, what->func));
    struct ez_regs r = c->was.regs;
    t->inf.arch->abi.prepare_call(&r, c->at, what->arg, what->n);
    EZ_TRY(call_stack(t, c, &r));
    return call_home(t, c, call_stop(t, c, call_run(t, c, &r, result)));
}

ez_err *ez_inject_call(struct ez_target *t, struct ez_thread *th, const struct ez_call *call,
                       uint64_t *result, const char *why)
{
    return ez_inject_call_more(t, th, call, NULL, result, why);
}

ez_err *ez_inject_call_more(struct ez_target *t, struct ez_thread *th, const struct ez_call *call,
                            struct ez_call_more *more, uint64_t *result, const char *why)
{
    EZ_FREE struct call *c = ez_alloc(sizeof *c);
    const uint64_t size = EZ_ROUND_UP(sizeof c->room, ez_page());
    uint64_t unmap[6] = { 0, size };
    int64_t r;
    c->th = th;
    c->tid = th->tid;
    c->others = call->others;
    c->ms = call->ms ? call->ms : CALL_MS;
    c->more = more;
    c->why = why;
    EZ_TRY(ez_inject_allowed(t));
    EZ_TRY(ez_inject_mmap(t,
                          &(struct ez_mmap){ .size = size,
                                             .prot = PROT_READ | PROT_EXEC,
                                             .flags = MAP_PRIVATE | MAP_ANONYMOUS },
                          &c->at, "make room for a call"));
    ez_err *e = call_make(t, c, call, result);
    if (t->inf.state != EZ_STOPPED)
        return e;
    unmap[0] = c->at;
    ez_err *left = ez_inject_syscall(t, ez_inject_thread(t), SYS_munmap, unmap, &r,
                                     "unmap the memory of a call");
    return ez_err_first(e, left);
}
