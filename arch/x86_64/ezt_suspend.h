/* SPDX-License-Identifier: MIT */
/* ezt_suspend.h - the x86-64 functions for the code of fragments (modules/ezt_fragment.h): they
 * suspend a fragment, and return arguments and results that debug information does not describe.
 * `make install` installs this header; only code that eztsh generates includes it. */
#ifndef EZT_SUSPEND_H
#define EZT_SUSPEND_H

#include "ezt_fragment.h"

#define EZT_CLOBBERED                                                                              \
    "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc", "memory"
#define EZT_CLOBBERED_X87 "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)"
#define EZT_CLOBBERED_VECTORS                                                                      \
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",       \
        "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
#ifdef __AVX512F__
#define EZT_CLOBBERED_WIDE                                                                         \
    , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",    \
        "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6",  \
        "k7"
#else
#define EZT_CLOBBERED_WIDE
#endif

/* Returns to the program. Returns to the fragment, with the phase of the activation, when the
 * routine exits, or before an exit() of the program. The ret instruction pairs with the runtime's
 * call of the fragment, so the processor predicts it correctly. */
static inline __attribute__((always_inline)) uint64_t ez_suspend(struct ezt_activation **ez)
{
    struct ezt_activation *f = *ez;
    __asm__ volatile("push %%rbp\n\t"
                     "push %%rbx\n\t"
                     "lea 1f(%%rip),%%rax\n\t"
                     "mov %%rax,%c[pc](%%rdi)\n\t"
                     "mov %%rsp,%c[sp](%%rdi)\n\t"
                     "mov %%rdi,%%rbx\n\t"
                     "mov %c[back](%%rdi),%%rsp\n\t"
                     "ret\n"
                     "1:\n\t"
                     "mov %%rbx,%%rdi\n\t"
                     "pop %%rbx\n\t"
                     "pop %%rbp"
                     : "+D"(f)
                     : [pc] "i"(EZT_ACT_PC), [sp] "i"(EZT_ACT_SP), [back] "i"(EZT_ACT_BACK)
                     : EZT_CLOBBERED, EZT_CLOBBERED_X87, EZT_CLOBBERED_VECTORS EZT_CLOBBERED_WIDE);
    *ez = f;
    return f->phase;
}

/* Return argument n (from 0) and the result of a routine without debug information, as integers.
 * The result is 0 if there are no saved registers. */
static inline uint64_t ez_argument(const struct ezt_activation *ez, unsigned n)
{
    static const unsigned char reg[6] = { 5, 4, 1, 2, 8, 9 };
    return n < 6 ? ez->reg[reg[n]] : ez->stack[1 + n - 6];
}
static inline long ez_result(const struct ezt_activation *ez)
{
    return ez->reg ? (long)ez->reg[0] : 0;
}

#define EZT_VECTOR(type)                                                                           \
    static inline __attribute__((always_inline))                                                   \
    type ez_vector_##type(const struct ezt_activation *ez, int n, int high)                        \
    {                                                                                              \
        type v;                                                                                    \
        __builtin_memcpy(&v, ez->vector + 160 + 16 * n + 8 * high, sizeof v);                      \
        return v;                                                                                  \
    }
EZT_VECTOR(float)
EZT_VECTOR(double)

/* ez_bits_float() and ez_bits_double() return the number with these bits: a constant of the debug
 * information. */
#define EZT_BITS(type)                                                                             \
    static inline type ez_bits_##type(uint64_t bits)                                               \
    {                                                                                              \
        type v;                                                                                    \
        __builtin_memcpy(&v, &bits, sizeof v);                                                     \
        return v;                                                                                  \
    }
EZT_BITS(float)
EZT_BITS(double)

#endif
