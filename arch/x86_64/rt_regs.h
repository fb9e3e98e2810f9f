/* SPDX-License-Identifier: MIT */
/* rt_regs.h - the processor's functions for the code of clauses: reads of vector and x87 registers,
 * and arithmetic with doubles.
 *
 * The runtime is compiled for general registers only, so the vector and x87 registers still have
 * the program's values. An operation on doubles uses two vector registers, which are saved before
 * it and restored after it. During the operation, mxcsr has its default value, so no exception
 * traps, and no flag in the program's mxcsr changes. */
#ifndef EZ_RT_REGS_H
#define EZ_RT_REGS_H

#include <stdint.h>

#include "engine/data_abi.h"

#define RT_REG_SP 7 /* the stack pointer's number in DWARF */
/* (In the code of a clause, the number of a general register is its DWARF number, which is its
 * index in the registers that ez_data_thunk saved.) */

/* Returns the low (high = 0) or high (high = 1) 8 bytes of %xmm0 to %xmm15; n: number of the
 * register. */
static inline uint64_t rt_vector_word(uint32_t n, uint32_t high)
{
    uint64_t w[2];
    switch (n & 15) {
#define RT_XMM(i)                                                                                  \
    case i:                                                                                        \
        __asm__ volatile("movups %%xmm" #i ",(%0)" ::"r"(w) : "memory");                           \
        break
        RT_XMM(0);
        RT_XMM(1);
        RT_XMM(2);
        RT_XMM(3);
        RT_XMM(4);
        RT_XMM(5);
        RT_XMM(6);
        RT_XMM(7);
        RT_XMM(8);
        RT_XMM(9);
        RT_XMM(10);
        RT_XMM(11);
        RT_XMM(12);
        RT_XMM(13);
        RT_XMM(14);
        RT_XMM(15);
#undef RT_XMM
    }
    return w[high & 1];
}

/* Returns the low 8 bytes (high = 0) or the upper 2 bytes (high = 1) of st(n); n is 0 or 1. */
static inline uint64_t rt_x87_word(uint32_t n, uint32_t high)
{
    uint64_t w[2] = { 0 };
    if (n & 1)
        __asm__ volatile("fld %%st(1)\n\tfstpt (%0)" ::"r"(w) : "memory");
    else
        __asm__ volatile("fld %%st(0)\n\tfstpt (%0)" ::"r"(w) : "memory");
    return w[high & 1];
}

/* Computes a OP b. Registers and flags of the program stay as they are. */
#define FLOAT2(insn, a, b)                                                                         \
    ({                                                                                             \
        uint64_t keep_[5], x_ = (a), y_ = (b);                                                     \
        const uint32_t usual_ = 0x1f80;                                                            \
        __asm__ volatile("stmxcsr 32(%2)\n\tmovups %%xmm0,(%2)\n\tmovups %%xmm1,16(%2)\n\t"        \
                         "ldmxcsr %3\n\tmovq %0,%%xmm0\n\tmovq %1,%%xmm1\n\t" insn                 \
                         "\n\tmovq %%xmm0,%0\n\t"                                                  \
                         "movups (%2),%%xmm0\n\tmovups 16(%2),%%xmm1\n\tldmxcsr 32(%2)"            \
                         : "+r"(x_)                                                                \
                         : "r"(y_), "r"(keep_), "m"(usual_)                                        \
                         : "memory", "cc");                                                        \
        x_;                                                                                        \
    })

/* Converts the integer a to a double (EZ_OP_OF_INT) and returns its bits. how: EZ_CODE_SIGNED if a
 * is signed, EZ_CODE_FLOAT to round to a float first. Unsigned numbers from 2^63 on are halved
 * before the conversion, and the result is doubled. */
static uint64_t rt_of_int(uint32_t how, uint64_t a)
{
    int half = !(how & EZ_CODE_SIGNED) && a >> 63;
    uint64_t v = half ? a >> 1 | (a & 1) : a;
    if (how & EZ_CODE_FLOAT)
        v = FLOAT2("cvtsi2ssq %0,%%xmm0\n\tcvtss2sd %%xmm0,%%xmm0", v, 0);
    else
        v = FLOAT2("cvtsi2sdq %0,%%xmm0", v, 0);
    return half ? FLOAT2("addsd %%xmm0,%%xmm0", v, 0) : v;
}

#define RT_TWO_TO_63 0x43e0000000000000ull /* the bits of the double 2^63 */
#define RT_TWO_TO_64 0x43f0000000000000ull

/* Executes operation op (EZ_OP_*) on the doubles a and b and returns the bits of the result. how:
 * field `a` of the operation. */
__attribute__((noinline)) static uint64_t rt_double(uint32_t op, uint32_t how, uint64_t a,
                                                    uint64_t b)
{
    switch (op) {
    case EZ_OP_FADD:
        return FLOAT2("addsd %%xmm1,%%xmm0", a, b);
    case EZ_OP_FSUB:
        return FLOAT2("subsd %%xmm1,%%xmm0", a, b);
    case EZ_OP_FMUL:
        return FLOAT2("mulsd %%xmm1,%%xmm0", a, b);
    case EZ_OP_FDIV:
        return FLOAT2("divsd %%xmm1,%%xmm0", a, b);
    case EZ_OP_FEQ:
        return FLOAT2("cmpeqsd %%xmm1,%%xmm0", a, b) & 1;
    case EZ_OP_FLT:
        return FLOAT2("cmpltsd %%xmm1,%%xmm0", a, b) & 1;
    case EZ_OP_FLE:
        return FLOAT2("cmplesd %%xmm1,%%xmm0", a, b) & 1;
    case EZ_OP_FGT:
        return FLOAT2("cmpltsd %%xmm1,%%xmm0", b, a) & 1;
    case EZ_OP_FGE:
        return FLOAT2("cmplesd %%xmm1,%%xmm0", b, a) & 1;
    case EZ_OP_OF_FLOAT:
        return FLOAT2("cvtss2sd %%xmm0,%%xmm0", a, 0);
    case EZ_OP_ROUND:
        return FLOAT2("cvtsd2ss %%xmm0,%%xmm0\n\tcvtss2sd %%xmm0,%%xmm0", a, 0);
    case EZ_OP_TO_INT:
        if (!how && a >= RT_TWO_TO_63 && a < RT_TWO_TO_64)
            return FLOAT2("subsd %%xmm1,%%xmm0\n\tcvttsd2si %%xmm0,%0\n\tmovq %0,%%xmm0", a,
                          RT_TWO_TO_63) ^
                   1ull << 63;
        return FLOAT2("cvttsd2si %%xmm0,%0\n\tmovq %0,%%xmm0", a, 0);
    default:
        return rt_of_int(how, a);
    }
}

#endif
