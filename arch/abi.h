/* SPDX-License-Identifier: GPL-3.0-or-later */
/* abi.h - how functions call each other: arguments, results, thread-local storage, longjmp. */
#ifndef EZ_ARCH_ABI_H
#define EZ_ARCH_ABI_H

#include "arch/regs.h"
#include "engine/base/base.h"

/* A value that is passed to a function, split into its scalar members as calling conventions
 * require. */
enum ez_abi_class { EZ_ABI_INT, EZ_ABI_FLOAT, EZ_ABI_LDOUBLE, EZ_ABI_VECTOR };
struct ez_abi_scalar {
    uint64_t offset;
    unsigned bytes;
    enum ez_abi_class class; /* VECTOR: everything that fills a vector register */
};
struct ez_abi_value {
    uint64_t size;
    unsigned align;  /* in bytes */
    bool aggregate;  /* a struct, or a part of a struct */
    bool by_address; /* the argument is passed as the address of a copy, whatever its members are */
    const struct ez_abi_scalar *scalar;
    size_t n;
};
enum ez_abi_at {
    EZ_ABI_NOWHERE,  /* the value is empty and has no place */
    EZ_ABI_IN_REGS,  /* in reg[], 8 bytes in each register */
    EZ_ABI_POINTED,  /* in memory, whose address is in reg[0] */
    EZ_ABI_STACK,    /* on the stack, `offset` bytes above the return address */
    EZ_ABI_STACKED,  /* in memory, whose address is on the stack, `offset` bytes above the return
                      * address */
    EZ_ABI_X87,      /* the value is on the x87 stack */
    EZ_ABI_RETURNED, /* a result in memory; when the function returns, reg[0] has the address */
    EZ_ABI_WIDE,     /* the value is in a register wider than 16 bytes */
};
struct ez_abi_place {
    enum ez_abi_at at;
    int64_t offset;
    unsigned nregs;
    struct {
        bool vector, high; /* vector: a vector register; high: its upper 8 bytes */
        /* the argument is not in a register, but on the stack, `offset` bytes above the return
         * address */
        bool stack;
        unsigned number;
    } reg[2];
};
/* Treatment of an __int128 if too few registers are left. */
enum ez_abi_int128 {
    EZ_INT128_STACK,  /* on the stack; the next argument may use the last register (psABI, gcc) */
    EZ_INT128_SPLITS, /* half in the last register: LLVM before 18 */
    EZ_INT128_FILLS,  /* on the stack, and so are all later integers: LLVM from 18 on */
};
struct ez_abi_call { /* registers and stack that earlier arguments use; zero at first */
    unsigned ints, floats;
    int64_t stack;
    enum ez_abi_int128 int128; /* set by the caller */
};

/* Calling convention: arguments and results of functions. Registers have DWARF numbers. */
struct ez_convention {
    /* Finds the result's place. Call this before place_argument(): the result may use a
     * register. */
    void (*place_result)(struct ez_abi_call *c, const struct ez_abi_value *v,
                         struct ez_abi_place *out);
    /* Finds the place of the next argument, at the function's first instruction. */
    void (*place_argument)(struct ez_abi_call *c, const struct ez_abi_value *v,
                           struct ez_abi_place *out);
    const char *vector; /* name of vector registers, without the number */
    /* DWARF number of the first vector register; number of vector registers */
    unsigned vector0, nvectors;
    const char *const *name; /* names of the general registers, by number */
    /* number of names; number of the stack pointer; of the frame pointer */
    unsigned nnames, sp, fp;
    /* registers of integers and pointers; floats are in vector registers 0, 1, ... */
    const uint8_t *argument;
    unsigned narguments, nfloats;
    uint8_t result[2]; /* registers of integers; floats are in vector registers 0 and 1 */
};

struct ez_arch_abi {
    const struct ez_convention *convention; /* NULL: probes cannot collect data */
    /* The CFA at a function's first instruction is this DWARF register plus this offset. */
    unsigned entry_cfa_reg, entry_cfa_offset;
    /* Sets `r` as if `func` had just been called with up to 6 integers. */
    void (*prepare_call)(struct ez_regs *r, uint64_t func, const uint64_t *arg, size_t n);
    /* For calls from a restorer. Call it after prepare_call: makes room for `bytes` of stack
     * arguments, and sets the number of vector registers that carry arguments. Returns the address
     * for the stack arguments. NULL: only integers can be passed. */
    uint64_t (*call_stack)(struct ez_regs *r, size_t bytes, unsigned vectors);
    /* Returns the result that a function or a system call left in the registers. */
    int64_t (*result)(const struct ez_regs *r);
    /* Thread-local storage. tls_vector: offset from the thread pointer to the word that leads to
     * the dynamic thread vector. tls_below: each thread's static TLS blocks are below its thread
     * pointer. */
    unsigned tls_vector;
    bool tls_below;
    /* glibc's jmp_buf. jmp_buf_pc: offset of the pc, which glibc mangles with the word at
     * pointer_guard from the thread pointer. unmangle NULL: the mangling is unknown. */
    uint64_t (*unmangle)(uint64_t word, uint64_t guard);
    uint16_t jmp_buf_pc, pointer_guard;
};

#endif
