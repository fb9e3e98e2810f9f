/* SPDX-License-Identifier: GPL-3.0-or-later */
/* abi.h - how functions call each other: arguments, results, thread-local storage, longjmp. */
#ifndef EZ_ARCH_ABI_H
#define EZ_ARCH_ABI_H

#include "arch/regs.h"
#include "engine/base/base.h"

/* A value that is passed to a function, as calling conventions see it: its scalars. */
enum ez_abi_class { EZ_ABI_INT, EZ_ABI_FLOAT, EZ_ABI_LDOUBLE, EZ_ABI_VECTOR };
struct ez_abi_scalar {
    uint64_t offset;
    unsigned bytes;
    enum ez_abi_class class; /* VECTOR: everything that fills a vector register */
};
struct ez_abi_value {
    uint64_t size;
    unsigned align;  /* in bytes */
    bool aggregate;  /* a struct, or a part of one */
    bool by_address; /* passed by the address of a copy, whatever its contents */
    const struct ez_abi_scalar *scalar;
    size_t n;
};
enum ez_abi_at {
    EZ_ABI_NOWHERE,  /* the value is empty */
    EZ_ABI_IN_REGS,  /* 8 bytes of it in each register */
    EZ_ABI_POINTED,  /* its address is in reg[0] */
    EZ_ABI_STACK,    /* `offset` bytes above the place of the return address */
    EZ_ABI_STACKED,  /* its address is at that place on the stack */
    EZ_ABI_X87,      /* the floating point stack */
    EZ_ABI_RETURNED, /* a result in memory: at the return, reg[0] has its address */
    EZ_ABI_WIDE,     /* in a register wider than 16 bytes */
};
struct ez_abi_place {
    enum ez_abi_at at;
    int64_t offset;
    unsigned nregs;
    struct {
        bool vector, high; /* high: upper 8 bytes */
        bool stack;        /* not in a register, but `offset` bytes above that place */
        unsigned number;
    } reg[2];
};
/* Treatment of an __int128 if too few registers are left. */
enum ez_abi_int128 {
    EZ_INT128_STACK,  /* on the stack; the next argument uses the register (psABI, gcc) */
    EZ_INT128_SPLITS, /* half in the last register: LLVM before 18 */
    EZ_INT128_FILLS,  /* on the stack, and so are all later integers: LLVM from 18 on */
};
struct ez_abi_call { /* what earlier arguments used; zero at first */
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
    /* The CFA at a function's first instruction: DWARF register and offset. */
    unsigned entry_cfa_reg, entry_cfa_offset;
    /* Makes `r` go on at `func` as if it had been called with up to 6 integers. */
    void (*prepare_call)(struct ez_regs *r, uint64_t func, const uint64_t *arg, size_t n);
    /* Call it after prepare_call, for a call from a restorer: makes room for so many bytes of stack
     * arguments, and sets the number of vector registers in use. Returns where the bytes go. NULL:
     * only integers can be passed. */
    uint64_t (*call_stack)(struct ez_regs *r, size_t bytes, unsigned vectors);
    /* Returns the result of a function or a system call. */
    int64_t (*result)(const struct ez_regs *r);
    /* Thread-local storage: offset from the thread pointer to the word that leads to the dynamic
     * thread vector; true if the static blocks of each thread are below the thread pointer. */
    unsigned tls_vector;
    bool tls_below;
    /* glibc's jmp_buf: offset of the pc, which is mangled by the word at pointer_guard from the
     * thread pointer. unmangle NULL: unknown. */
    uint64_t (*unmangle)(uint64_t word, uint64_t guard);
    uint16_t jmp_buf_pc, pointer_guard;
};

#endif
