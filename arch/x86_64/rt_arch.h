/* SPDX-License-Identifier: MIT */
/* rt_arch.h - the instructions that the runtime's C code needs: system calls, accesses by the
 * thread pointer, the time stamp counter, and updates of memory that are atomic against signal
 * handlers of the same thread (a single instruction without lock prefix). */
#ifndef EZ_RT_ARCH_H
#define EZ_RT_ARCH_H

#include <stdint.h>

static inline long rt_syscall(long nr, long a, long b, long c, long d, long e, long f)
{
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long ret;
    __asm__ volatile("syscall"
                     : "=a"(ret)
                     : "0"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return ret;
}

#define RT_SYS_MMAP 9
#define RT_SYS_MPROTECT 10
#define RT_SYS_SIGACTION 13
#define RT_SYS_SIGPROCMASK 14
#define RT_SYS_GETPID 39
#define RT_SYS_GETTID 186
#define RT_SYS_FUTEX 202
#define RT_SYS_PRCTL 157
#define RT_SYS_CLOCK_GETTIME 228
#define RT_SYS_TGKILL 234
#define RT_SYS_PROCESS_VM_READV 310

#define RT_TRAP_PC 1      /* offset from an int3 to the pc after the trap */
#define RT_TRAP_CODE 0x80 /* si_code of the SIGTRAP of an int3: SI_KERNEL */

/* Returns the address of the saved program counter in a ucontext_t. */
static inline uint64_t *rt_context_pc(void *context)
{
    return (uint64_t *)((char *)context + 168);
}

/* Indexes of the first and second argument (rdi, rsi) in the registers that a THUNK saves
 * (rt_entry.S). */
#define RT_SAVED_ARG0 4
#define RT_SAVED_ARG1 5

/* Return the stack pointer that longjmp() or setcontext() will set: from a jmp_buf and from a
 * ucontext_t. mangled: glibc mangled the jmp_buf with a word of the thread control block. */
static inline uint64_t rt_sp_in_jmp_buf(const uint64_t *buf, int mangled)
{
    uint64_t v = buf[6], guard;
    if (!mangled)
        return v;
    __asm__("mov %%fs:0x30,%0" : "=r"(guard));
    return (v >> 17 | v << 47) ^ guard;
}
static inline uint64_t rt_sp_in_context(const void *context)
{
    return *(const uint64_t *)((const char *)context + 160);
}

/* Sets bounds[0] and bounds[1] to the lowest address and the end of the stack of a context from
 * makecontext(). For any other context, the bounds are undefined. */
static inline void rt_stack_in_context(const void *context, uint64_t bounds[2])
{
    bounds[0] = *(const uint64_t *)((const char *)context + 16);
    bounds[1] = bounds[0] + *(const uint64_t *)((const char *)context + 32);
}

/* If *p equals `was`, sets *p to `now` and returns 1; else returns 0. Atomic only against signal
 * handlers of the same thread (no lock prefix). */
static inline int rt_cas(volatile uint64_t *p, uint64_t was, uint64_t now)
{
    uint8_t done;
    __asm__ volatile("cmpxchg %3,%1; sete %0"
                     : "=q"(done), "+m"(*p), "+a"(was)
                     : "r"(now)
                     : "memory", "cc");
    return done;
}

static inline void rt_inc(volatile uint64_t *p)
{
    __asm__ volatile("incq %0" : "+m"(*p)::"cc", "memory");
}
static inline void rt_add(volatile uint64_t *p, uint64_t v)
{
    __asm__ volatile("addq %1,%0" : "+m"(*p) : "r"(v) : "cc", "memory");
}
static inline void rt_dec(volatile uint64_t *p)
{
    __asm__ volatile("decq %0" : "+m"(*p)::"cc", "memory");
}

static inline void rt_prefetch_to_write(const char *p)
{
    __asm__ volatile("prefetchw %0" ::"m"(*p));
}

static inline uint64_t rt_tick(void)
{
    uint32_t lo, hi;
    __asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
    return (uint64_t)hi << 32 | lo;
}

/* Read (rt_tcb64, rt_tcb32) and write (rt_tcb_set) the word at an offset from the thread
 * pointer. */
static inline uint64_t rt_tcb64(uint32_t off)
{
    uint64_t v;
    __asm__ volatile("mov %%fs:(%1),%0" : "=r"(v) : "r"((uint64_t)off));
    return v;
}
static inline uint32_t rt_tcb32(uint32_t off)
{
    uint32_t v;
    __asm__ volatile("mov %%fs:(%1),%0" : "=r"(v) : "r"((uint64_t)off));
    return v;
}
static inline void rt_tcb_set(uint32_t off, uint64_t v)
{
    __asm__ volatile("mov %0,%%fs:(%1)" ::"r"(v), "r"((uint64_t)off) : "memory");
}
#endif
