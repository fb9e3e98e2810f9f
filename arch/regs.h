/* SPDX-License-Identifier: GPL-3.0-or-later */
/* regs.h - the registers of a thread: names, sizes, and offsets in the kernel's register sets. */
#ifndef EZ_ARCH_REGS_H
#define EZ_ARCH_REGS_H

#include <string.h>

#include "engine/base/base.h"

/* The general registers of one thread in the kernel's layout (NT_PRSTATUS). Only code in arch/
 * depends on which word contains which register. */
struct ez_regs {
    uint64_t word[34];
};

struct ez_reg_desc {
    const char *name;
    /* in bytes; the offset is in struct ez_regs */
    uint16_t offset, size;
    enum { EZ_REG_INT, EZ_REG_CODE, EZ_REG_DATA } as; /* the register's type in expressions */
    const char *flags; /* names and values of the register's bits, "CF=1,PF=4"; NULL = none */
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

#define EZ_EXTENDED_MOST 16384 /* maximum bytes of the block of extended registers */

struct ez_arch_regs {
    /* The registers in struct ez_regs, in gdb's order. */
    const struct ez_reg_desc *desc;
    size_t n;
    size_t size;         /* used bytes of struct ez_regs */
    int extended_regset; /* NT_* of the register set with floating point and vector registers */
    /* Offsets in the block of extended registers: of the first vector register, and of the top
     * register of the floating point stack. Each register takes 16 bytes. 0 = no such registers. */
    uint16_t extended_vector, extended_stack;
    /* control registers in the block of extended registers; the offsets are in that block */
    const struct ez_reg_desc *extended;
    size_t nextended;
    /* parts of general registers (eax, al), which are not in `desc` */
    const struct ez_reg_desc *parts;
    size_t nparts;

    uint64_t (*pc)(const struct ez_regs *r);
    void (*set_pc)(struct ez_regs *r, uint64_t pc);
    uint64_t (*sp)(const struct ez_regs *r);
    uint64_t (*thread_pointer)(const struct ez_regs *r);
    void (*set_thread_pointer)(struct ez_regs *r, uint64_t tp);
    /* Sets the vector register with that number in `extended`, a block of extended registers of n
     * bytes. */
    void (*set_vector)(uint8_t *extended, size_t n, unsigned number, const uint8_t value[16]);
};

#endif
