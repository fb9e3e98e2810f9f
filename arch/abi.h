/* SPDX-License-Identifier: GPL-3.0-or-later */
/* abi.h - how functions call each other: arguments, results, thread-local storage, longjmp. */
#ifndef EZ_ARCH_ABI_H
#define EZ_ARCH_ABI_H

#include "arch/regs.h"
#include "engine/base/base.h"

/* An argument or result of a function, split into its scalar members as calling conventions
 * require. */
enum ez_abi_class { EZ_ABI_INT, EZ_ABI_FLOAT, EZ_ABI_LDOUBLE, EZ_ABI_VECTOR };
struct ez_abi_scalar {
    uint64_t offset;
    unsigned bytes;
    enum ez_abi_class class; /* VECTOR: any value that fills a vector register */
};
struct ez_abi_value {
    uint64_t size;
    unsigned align;  /* alignment in bytes */
    bool aggregate;  /* a struct or union, or a member of one */
    bool by_address; /* always passed as the address of a copy, whatever the members are */
    const struct ez_abi_scalar *scalar;
    size_t n;
};
enum ez_abi_at {
    EZ_ABI_NOWHERE, /* nowhere, because the value has no bytes */
    EZ_ABI_IN_REGS, /* in reg[], 8 bytes in each register */
    EZ_ABI_POINTED, /* in memory; the address is in reg[0] */
    EZ_ABI_STACK,   /* on the stack, `offset` bytes above the return address */
    /* in memory; the address is on the stack, `offset` bytes above the return address */
    EZ_ABI_STACKED,
    EZ_ABI_X87,      /* on the x87 register stack */
    EZ_ABI_RETURNED, /* a result in memory; when the function returns, the address is in reg[0] */
    EZ_ABI_WIDE,     /* in a vector register wider than 16 bytes */
};
struct ez_abi_place {
    enum ez_abi_at at;
    int64_t offset;
    unsigned nregs;
    struct {
        bool vector, high; /* vector: a vector register; high: its upper 8 bytes */
        /* these 8 bytes are not in a register, but on the stack, `offset` bytes above the return
         * address */
        bool stack;
        unsigned number;
    } reg[2];
};
/* Treatment of an __int128 if too few registers are left. */
enum ez_abi_int128 {
    /* on the stack; a later argument can use the remaining register (psABI, gcc) */
    EZ_INT128_STACK,
    EZ_INT128_SPLITS, /* low half in the last register, high half on the stack: LLVM before 18 */
    EZ_INT128_FILLS,  /* on the stack, and all later integers too: LLVM from 18 on */
};
/* numbers of registers, and bytes of the stack, that earlier arguments use; zero before the first
 * argument */
struct ez_abi_call {
    unsigned ints, floats;
    int64_t stack;
    enum ez_abi_int128 int128; /* the caller sets it */
};

/* Calling convention: arguments and results of functions. Registers have DWARF numbers. */
struct ez_convention {
    /* Finds where the result is. Must be called before place_argument(): the address of a result in
     * memory uses an argument register. */
    void (*place_result)(struct ez_abi_call *c, const struct ez_abi_value *v,
                         struct ez_abi_place *out);
    /* Finds where the next argument is, at the function's first instruction. */
    void (*place_argument)(struct ez_abi_call *c, const struct ez_abi_value *v,
                           struct ez_abi_place *out);
    const char *vector; /* name of the vector registers without the number, "xmm" */
    /* DWARF number of the first vector register; number of vector registers */
    unsigned vector0, nvectors;
    const char *const *name; /* names of the general registers, by DWARF number */
    /* nnames: number of names; sp, fp: DWARF numbers of the stack and the frame pointer */
    unsigned nnames, sp, fp;
    /* argument registers of integers and pointers; arguments of class FLOAT are in vector registers
     * 0, 1, ... */
    const uint8_t *argument;
    unsigned narguments, nfloats;
    /* result registers of integers and pointers; results of class FLOAT are in vector registers 0
     * and 1 */
    uint8_t result[2];
};

/* An operand in the assembler's syntax. Registers have DWARF numbers. */
struct ez_operand {
    enum ez_operand_kind {
        EZ_OPERAND_CONSTANT, /* number + address of the symbol */
        EZ_OPERAND_REGISTER, /* `bits` bits of the register, from bit number `bit` on */
        EZ_OPERAND_VECTOR,   /* the low bytes of vector register `reg` */
        EZ_OPERAND_MEMORY,   /* at number + address of the symbol + base + (index << shift) */
    } kind;
    unsigned reg, bit, bits;
    int base, index; /* -1 = none */
    unsigned shift;
    uint64_t number;
    const char *symbol; /* in the text, symbol_len bytes; NULL = none */
    size_t symbol_len;
};

struct ez_arch_abi {
    const struct ez_convention *convention; /* NULL: probes cannot record arguments and results */
    /* The CFA at a function's first instruction is this DWARF register plus this offset. */
    unsigned entry_cfa_reg, entry_cfa_offset;
    /* Sets r to a call of func with n (at most 6) integer arguments: the pc, the argument registers
     * and the stack pointer. */
    void (*prepare_call)(struct ez_regs *r, uint64_t func, const uint64_t *arg, size_t n);
    /* For calls from a restorer, after prepare_call(): lowers the stack pointer by the stack
     * arguments' `bytes`, and sets the number of vector registers that contain arguments. Returns
     * the address at which the caller must store the stack arguments. NULL: only calls with
     * integers in registers are possible. */
    uint64_t (*call_stack)(struct ez_regs *r, size_t bytes, unsigned vectors);
    /* Parses the n bytes at text as an operand. Returns false if the text is none, or has a form that
     * is not supported. NULL: operands cannot be read. */
    bool (*operand)(const char *text, size_t n, struct ez_operand *out);
    /* Returns the integer result that a function or a system call left in r. */
    int64_t (*result)(const struct ez_regs *r);
    /* Thread-local storage. tls_vector: offset from the thread pointer to the address of the
     * dynamic thread vector (DTV). tls_below: each thread's static TLS blocks are below its thread
     * pointer, not above. */
    unsigned tls_vector;
    bool tls_below;
    /* glibc's jmp_buf. jmp_buf_pc: offset of the pc in it, which glibc mangles with a guard: the
     * word at offset pointer_guard from the thread pointer. unmangle() returns the pc; NULL: the
     * mangling is unknown. */
    uint64_t (*unmangle)(uint64_t word, uint64_t guard);
    uint16_t jmp_buf_pc, pointer_guard;
};

#endif
