/* SPDX-License-Identifier: GPL-3.0-or-later */
/* regs.h - the registers of a thread: names, sizes, places in the kernel's blocks. */
#ifndef EZ_ARCH_REGS_H
#define EZ_ARCH_REGS_H

#include <string.h>

#include "engine/base/base.h"

/* The general registers of one thread in the kernel's layout (NT_PRSTATUS). Only code in arch/
 * knows which word is which register. */
struct ez_regs {
    uint64_t word[34];
};

struct ez_reg_desc {
    const char *name;
    uint16_t offset, size;                            /* place in struct ez_regs, in bytes */
    enum { EZ_REG_INT, EZ_REG_CODE, EZ_REG_DATA } as; /* the register's type in expressions */
    const char *flags; /* names of the register's bits, "CF=1,PF=4"; NULL = none */
};

static inline uint64_t ez_reg_get(const struct ez_regs *r, const struct ez_reg_desc *d)
{
    uint64_t v = 0;
    memcpy(&v, (const char *)r->word + d->offset, EZ_MIN(d->size, sizeof v));
    return v;
}
static inline void ez_reg_set(struct ez_regs *r, const struct ez_reg_desc *d, uint64_t v)
{
    memcpy((char *)r->word + d->offset, &v, EZ_MIN(d->size, sizeof v));
}

#define EZ_EXTENDED_MOST 16384 /* maximum size of the block of extended registers, in bytes */

struct ez_arch_regs {
    /* The registers in struct ez_regs, in gdb's order. */
    const struct ez_reg_desc *desc;
    size_t n;
    size_t size;         /* used bytes of struct ez_regs */
    int extended_regset; /* NT_* of the floating point and vector registers */
    /* Offsets in the block of extended registers: of the first vector register, and of the top of
     * the floating point stack. Each register has 16 bytes. 0 = none. */
    uint16_t extended_vector, extended_stack;
    const struct ez_reg_desc *extended; /* control registers in the block of extended registers;
                                         * offsets are within the block */
    size_t nextended;
    const struct ez_reg_desc *parts; /* names for parts of registers (eax, al), which are not in
                                      * `desc` */
    size_t nparts;

    uint64_t (*pc)(const struct ez_regs *r);
    void (*set_pc)(struct ez_regs *r, uint64_t pc);
    uint64_t (*sp)(const struct ez_regs *r);
    uint64_t (*thread_pointer)(const struct ez_regs *r);
    void (*set_thread_pointer)(struct ez_regs *r, uint64_t tp);
    /* Sets a vector register in `extended`, a block of n bytes. */
    void (*set_vector)(uint8_t *extended, size_t n, unsigned number, const uint8_t value[16]);
};

#endif
