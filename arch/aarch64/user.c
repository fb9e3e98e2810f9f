/* SPDX-License-Identifier: GPL-3.0-or-later */
/* user.c - reads and sets registers by their purpose: program counter, system calls, function
 * calls.
 *
 * struct ez_regs has the layout of struct user_pt_regs (asm/ptrace.h). A call instruction stores
 * the return address in x30. Before the stop of a thread in a system call is reported, the kernel
 * has set the pc back to the call, if the call is to be restarted. The original first argument is
 * lost, so a system call that returned EINTR because of the tracer's stop cannot be repeated
 * (doc/LIMITS.md).
 * Source: AAPCS64, 6.1 (registers); Linux arch/arm64/kernel/signal.c (restarts).
 * Tests: tests/arm64/run.sh, tests/arm64/boot.sh */
#include <asm/ptrace.h>
#include <string.h>
#include <sys/ucontext.h>

#include "arch/aarch64/a64.h"

/* A struct ez_regs, and the same words with the kernel's names. */
union view {
    struct ez_regs regs;
    struct user_pt_regs user;
};
#define U(r) (&((union view *)(r))->user)
#define UC(r) (&((const union view *)(r))->user)

_Static_assert(sizeof(struct user_pt_regs) <= sizeof(struct ez_regs), "ez_regs is too small");

uint64_t a64_pc(const struct ez_regs *r)
{
    return UC(r)->pc;
}

void a64_set_pc(struct ez_regs *r, uint64_t pc)
{
    U(r)->pc = pc;
}

uint64_t a64_sp(const struct ez_regs *r)
{
    return UC(r)->sp;
}

void a64_prepare_syscall(struct ez_regs *r, uint64_t pc, long nr, const uint64_t arg[6])
{
    a64_set_pc(r, pc);
    U(r)->regs[8] = (uint64_t)nr;
    memcpy(U(r)->regs, arg, 6 * sizeof *arg);
}

void a64_prepare_call(struct ez_regs *r, uint64_t func, const uint64_t *arg, size_t n)
{
    memcpy(U(r)->regs, arg, EZ_MIN(n, (size_t)6) * sizeof *arg);
    U(r)->sp = (U(r)->sp - 256) & ~15ull;
    a64_set_pc(r, func);
}

int64_t a64_result(const struct ez_regs *r)
{
    return (int64_t)UC(r)->regs[0];
}

bool a64_restart(struct ez_regs *r)
{
    (void)r;
    return false;
}

/* Does nothing: the number of the call is in a regset of its own. */
void a64_skip_syscall(struct ez_regs *r)
{
    (void)r;
}

void a64_syscall_again(struct ez_regs *r)
{
    U(r)->pc -= 4;
}

/* Returns x8: the number of the system call if the thread is in one, else any number. */
long a64_syscall_nr(const struct ez_regs *r)
{
    return (long)UC(r)->regs[8];
}

/* ---- functions for flags that only x86-64 has ------------------------------------------------ */

/* Does nothing: no register has a flag for single-stepping. The kernel ends single-stepping when
 * the tracer dies. */
bool a64_clear_trap_flag(struct ez_regs *r)
{
    (void)r;
    return false;
}

unsigned a64_pushes_flags(const uint8_t *code, size_t n)
{
    (void)code, (void)n;
    return 0;
}

void a64_trapped_result(void *ucontext, int64_t result)
{
    ((ucontext_t *)ucontext)->uc_mcontext.regs[0] = (uint64_t)result;
}

/* The generic timer's counter has one rate on all processors (Arm ARM, D11.1.2). */
bool a64_tick_invariant(void)
{
    return true;
}
