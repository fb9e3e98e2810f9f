/* SPDX-License-Identifier: GPL-3.0-or-later */
/* user.c - reads and sets registers by their purpose: program counter, system calls, function
 * calls.
 *
 * struct ez_regs has the layout of struct user_regs_struct (sys/user.h).
 * Source: psABI x86-64, section 3.2 and appendix A.2 (system calls); Linux arch/x86/kernel/signal.c
 * (restarts).
 * Tests: tests/unit/inferior/check_inject.c, tests/unit/inferior/check_called.c */
#include "arch/x86_64/user.h"

#include <cpuid.h>
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/ucontext.h>
#include <sys/user.h>

/* A struct ez_regs, and the same words with the kernel's names. */
union view {
    struct ez_regs regs;
    struct user_regs_struct user;
};
#define U(r) (&((union view *)(r))->user)
#define UC(r) (&((const union view *)(r))->user)

_Static_assert(sizeof(struct user_regs_struct) <= sizeof(struct ez_regs), "ez_regs is too small");

uint64_t x64_pc(const struct ez_regs *r)
{
    return UC(r)->rip;
}

/* Sets orig_rax to -1, too, so that the kernel does not restart a system call at the new pc. */
void x64_set_pc(struct ez_regs *r, uint64_t pc)
{
    U(r)->rip = pc;
    U(r)->orig_rax = (uint64_t)-1;
}

uint64_t x64_sp(const struct ez_regs *r)
{
    return UC(r)->rsp;
}

uint64_t x64_thread_pointer(const struct ez_regs *r)
{
    return UC(r)->fs_base;
}

void x64_set_thread_pointer(struct ez_regs *r, uint64_t tp)
{
    U(r)->fs_base = tp;
}

/* Emulates rdtsc and rdtscp. */
bool x64_read_counter(struct ez_regs *r, const uint8_t *code, size_t n)
{
    static const uint8_t rdtscp[] = { 0x0f, 0x01, 0xf9 };
    unsigned cpu = 0;
    bool whole = n >= 3 && !memcmp(code, rdtscp, 3);
    if (!whole && (n < 2 || code[0] != 0x0f || code[1] != 0x31))
        return false;
    uint64_t now = whole ? __builtin_ia32_rdtscp(&cpu) : __builtin_ia32_rdtsc();
    U(r)->rax = (uint32_t)now;
    U(r)->rdx = now >> 32;
    if (whole)
        U(r)->rcx = cpu;
    x64_set_pc(r, UC(r)->rip + (whole ? 3 : 2));
    return true;
}

void x64_fail_syscall(struct ez_regs *r, int errnum)
{
    U(r)->rax = (uint64_t)-errnum;
    U(r)->orig_rax = (uint64_t)-1;
}

void x64_skip_syscall(struct ez_regs *r)
{
    x64_fail_syscall(r, ENOSYS);
}

void x64_syscall_again(struct ez_regs *r)
{
    U(r)->rax = U(r)->orig_rax;
    U(r)->orig_rax = (uint64_t)-1;
    x64_set_pc(r, UC(r)->rip - 2);
}

void x64_prepare_syscall(struct ez_regs *r, uint64_t pc, long nr, const uint64_t arg[6])
{
    x64_set_pc(r, pc);
    U(r)->rax = (uint64_t)nr;
    U(r)->rdi = arg[0];
    U(r)->rsi = arg[1];
    U(r)->rdx = arg[2];
    U(r)->r10 = arg[3];
    U(r)->r8 = arg[4];
    U(r)->r9 = arg[5];
}

void x64_prepare_call(struct ez_regs *r, uint64_t func, const uint64_t *arg, size_t n)
{
    unsigned long long *reg[6] = { &U(r)->rdi, &U(r)->rsi, &U(r)->rdx,
                                   &U(r)->rcx, &U(r)->r8,  &U(r)->r9 };
    for (size_t i = 0; i < n && i < 6; i++)
        *reg[i] = arg[i];
    /* Sets the stack pointer below the red zone, aligned as after a call instruction. */
    U(r)->rsp = ((U(r)->rsp - 256) & ~15ull) - 8;
    /* %al: number of vector registers with arguments, for variadic functions */
    U(r)->rax = 0;
    U(r)->eflags &= ~0x40400ull; /* clears DF and AC */
    x64_set_pc(r, func);
}

uint64_t x64_call_stack(struct ez_regs *r, size_t bytes, unsigned vectors)
{
    U(r)->rsp -= (bytes + 15) & ~15ull;
    U(r)->rax = vectors;
    /* the stack pointer at the call instruction of the restorer, which first subtracts 8 */
    return U(r)->rsp - 8;
}

/* Clears DF, and AC, which could make ez_fragment_back fault. */
void x64_end_fragment(struct ez_regs *r, uint64_t back, uint64_t frame)
{
    U(r)->rbx = frame;
    U(r)->eflags &= ~0x40400ull;
    x64_set_pc(r, back);
}

int64_t x64_result(const struct ez_regs *r)
{
    return (int64_t)UC(r)->rax;
}

/* The result ERESTARTNOHAND, with which the kernel begins the system call again. If a signal
 * handler runs before, the kernel returns EINTR instead, as it does without a tracer: programs that
 * unblock a signal during a call (epoll_pwait) rely on EINTR. close() is not restarted, because the
 * file is closed in spite of EINTR (close(2)), and a second close() could close another thread's
 * new file. */
#define RESTART_NOHAND ((uint64_t)-514) /* ERESTARTNOHAND */

bool x64_restart_eintr(struct ez_regs *r)
{
    if ((int64_t)U(r)->rax != -EINTR || (int64_t)U(r)->orig_rax < 0 || U(r)->orig_rax == SYS_close)
        return false;
    U(r)->rax = RESTART_NOHAND;
    return true;
}

bool x64_restart_anew(struct ez_regs *r)
{
    if ((int64_t)U(r)->rax != -516 || (int64_t)U(r)->orig_rax < 0) /* ERESTART_RESTARTBLOCK */
        return false;
    U(r)->rax = RESTART_NOHAND;
    return true;
}

long x64_syscall_nr(const struct ez_regs *r)
{
    return (long)UC(r)->orig_rax;
}

long x64_next_syscall(const struct ez_regs *r)
{
    return (long)UC(r)->rax;
}

/* SDM volume 1, 13.2 and 13.3: CPUID leaf 13 returns the offset and size of each component; XCR0
 * has the components that the kernel enabled; bit 2 of subleaf 1 means that XGETBV with ECX = 1
 * reports which components are in use. */
void x64_vector_state(uint32_t *mask, uint32_t *inuse, uint32_t *size)
{
    enum { AVX = 2, OPMASK = 5, ZMM_HI256 = 6, HI16_ZMM = 7, OSXSAVE = 27 };
    static const unsigned part[] = { AVX, OPMASK, ZMM_HI256, HI16_ZMM };
    unsigned a, b, c, d, xcr0, high;
    *mask = *inuse = *size = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> OSXSAVE & 1))
        return;
    __asm__("xgetbv" : "=a"(xcr0), "=d"(high) : "c"(0));
    for (size_t i = 0; i < EZ_ARRAY_LEN(part); i++) {
        if (!(xcr0 >> part[i] & 1) || !__get_cpuid_count(13, part[i], &a, &b, &c, &d))
            continue;
        *mask |= 1u << part[i];
        *size = EZ_MAX(*size, a + b);
    }
    *inuse = *mask && __get_cpuid_count(13, 1, &a, &b, &c, &d) && a >> 2 & 1;
}

void x64_trapped_result(void *ucontext, int64_t result)
{
    ((ucontext_t *)ucontext)->uc_mcontext.gregs[REG_RAX] = result;
}

/* by CPUID: SDM volume 3, "Invariant TSC" */
bool x64_tick_invariant(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && d >> 8 & 1;
}
