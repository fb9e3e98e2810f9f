/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rescue.c - handles faults that eztsh's code raises in a thread of the target: reading the time
 * stamp counter after the program has forbidden it (PR_SET_TSC), using the thread pointer before
 * libc has set it, and system calls that are dispatched to the program (syscall user dispatch). The
 * program does not get these signals.
 *
 * The shell gets signals only of a traced process: in the background the program gets them
 * (doc/LIMITS.md).
 * Errors: none. ez_rescue() returns false if the signal is the program's.
 * Tests: tests/procs/forbidden.sh */
#include "engine/record/clock.h"
#include "engine/process/session.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/thread.h"
#include "engine/patch/alloc.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>

/* number of words on the stack that are searched for an address of the runtime */
#define NEAR 64

/* Returns true if pc is in the runtime or in a trampoline. */
static bool rescue_is_ours(struct ez_target *t, uint64_t pc)
{
    return pc - t->rt.blob < EZ_RT_SIZE || ez_trampoline_owns(t, pc, pc + 1);
}

/* Returns true if the thread is in the vDSO and the runtime called it: an address of the runtime is
 * on the stack. */
static bool rescue_is_called(struct ez_target *t, const struct ez_regs *r)
{
    uint64_t word[NEAR];
    const struct ez_module *m = ez_module_at(t, t->inf.arch->regs.pc(r));
    if (!t->tracing.vdso_clock || !m || m != ez_module_at(t, t->tracing.vdso_clock))
        return false;
    size_t n = ez_mem_read_some(t, t->inf.arch->regs.sp(r), word, sizeof word) / sizeof *word;
    for (size_t i = 0; i < n; i++)
        if (word[i] - t->rt.blob < EZ_RT_SIZE)
            return true;
    return false;
}

/* With the monotonic clock, makes the runtime read it by a system call, which works without the
 * counter. Posts a note, once. */
static void rescue_clock(struct ez_target *t)
{
    const uint64_t none = 0;
    const uint64_t at = t->rt.blob + EZ_RT_STATE + offsetof(struct rt_state, vdso_clock);
    bool mono = t->tracing.mono;
    if (mono &&
        !ez_err_drop(ez_mem_write(t, at, &none, sizeof none, "read the clock by a system call")))
        return;
    if (mono)
        ez_clock_adopt(t, true, 0, t->tracing.clock_add);
    if (!t->session.clock_emitted)
        ez_post_note(t, "The program forbids to read the time stamp counter (PR_SET_TSC): %s.",
                     mono ? "each recorded event costs a system call"
                          : "each recorded event stops the thread; use \"probe -count\", or "
                            "\"set trace-clock monotonic\" before \"run\"");
    t->session.clock_emitted = true;
}

static bool rescue_counter(struct ez_target *t, struct ez_regs *r)
{
    uint8_t code[3];
    uint64_t pc = t->inf.arch->regs.pc(r);
    size_t n = ez_mem_read_some(t, pc, code, sizeof code);
    if (!t->inf.arch->clock.emulate || (!rescue_is_ours(t, pc) && !rescue_is_called(t, r)) ||
        !t->inf.arch->clock.emulate(r, code, n))
        return false;
    rescue_clock(t);
    return true;
}

/* If eztsh's code faulted because the thread pointer is 0, sets it to a page of the runtime; libc
 * overwrites it later. Returns false if there was another cause. */
static bool rescue_pointer(struct ez_target *t, struct ez_regs *r)
{
    if (t->inf.arch->regs.thread_pointer(r) || !rescue_is_ours(t, t->inf.arch->regs.pc(r)))
        return false;
    t->inf.arch->regs.set_thread_pointer(r, t->rt.blob + EZ_RT_TCB);
    return true;
}

/* Handles a system call of eztsh's code that the kernel dispatched to the program: lets the call
 * fail with ENOSYS, and forbids the runtime further system calls. Returns false if it is the
 * program's call. */
static bool rescue_call(struct ez_target *t, const struct ez_thread *th, struct ez_regs *r)
{
    enum { DISPATCHED = 2 }; /* SYS_USER_DISPATCH */
    if (th->info.si_code != DISPATCHED || !rescue_is_ours(t, (uint64_t)th->info.si_call_addr))
        return false;
    t->rt.hdr->no_syscalls = 1;
    t->inf.arch->syscall.fail(r, ENOSYS);
    return true;
}

bool ez_rescue(struct ez_target *t, struct ez_thread *th)
{
    struct ez_regs *live, r;
    bool fault = th->sig == SIGSEGV, call = th->sig == SIGSYS;
    if (!t->rt.up || !th->has_info || th->info.si_code <= 0 || (!fault && !call) ||
        !ez_err_drop(ez_thread_regs(th, &live)))
        return false;
    r = *live;
    bool done = call ? rescue_call(t, th, &r) : rescue_counter(t, &r) || rescue_pointer(t, &r);
    if (!done || !ez_err_drop(ez_thread_set_regs(th, &r)))
        return false;
    th->sig = 0;
    th->has_info = false;
    return true;
}
