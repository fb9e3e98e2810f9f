/* SPDX-License-Identifier: GPL-3.0-or-later */
/* regs.h - the registers of a thread: names, sizes, places in the kernel's blocks. */
#ifndef EZ_ARCH_REGS_H
#define EZ_ARCH_REGS_H

#include <string.h>

#include "engine/base/base.h"

/* The general registers of one thread in the kernel's layout (NT_PRSTATUS). Only the architecture
 * knows which word is which register. */
struct ez_regs {
    uint64_t word[34];
};

struct ez_reg_desc {
    const char *name;
    uint16_t offset, size;                            /* in bytes, inside struct ez_regs */
    enum { EZ_REG_INT, EZ_REG_CODE, EZ_REG_DATA } as; /* its type in expressions */
    const char *flags; /* names of its bits: "CF=1,PF=4"; NULL: none */
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

#define EZ_EXTENDED_MOST 16384 /* limit of bytes in the block of extended registers */

struct ez_arch_regs {
    /* The fields of struct ez_regs, in the order in which gdb prints them. */
    const struct ez_reg_desc *desc;
    size_t n;
    size_t size;         /* used bytes of the block */
    int extended_regset; /* NT_* of the floating point and vector registers */
    /* In that block: offsets of the first vector register, 16 bytes each, and of the top of the
     * floating point stack, 16 bytes each; 0: none. */
    uint16_t extended_vector, extended_stack;
    const struct ez_reg_desc *extended; /* its control registers; offsets are those in the block */
    size_t nextended;
    const struct ez_reg_desc *parts; /* names for parts of registers, which `desc` lacks */
    size_t nparts;

    uint64_t (*pc)(const struct ez_regs *r);
    void (*set_pc)(struct ez_regs *r, uint64_t pc);
    uint64_t (*sp)(const struct ez_regs *r);
    uint64_t (*thread_pointer)(const struct ez_regs *r);
    void (*set_thread_pointer)(struct ez_regs *r, uint64_t tp);
    /* Sets a vector register in the block of extended registers. */
    void (*set_vector)(uint8_t *extended, size_t n, unsigned number, const uint8_t value[16]);
};

#endif
