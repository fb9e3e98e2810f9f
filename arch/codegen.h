/* SPDX-License-Identifier: GPL-3.0-or-later */
/* codegen.h - code that is made for one probe: relocated instructions, and straight code in the
 * holes of trampolines. */
#ifndef EZ_ARCH_CODEGEN_H
#define EZ_ARCH_CODEGEN_H

#include "engine/base/base.h"
#include "engine/base/err.h"

#define EZ_MAX_PROLOGUE 16   /* limit of instructions in a patch region */
#define EZ_MAX_RELOCATED 256 /* bytes of a relocated prologue */

/* A relocated prologue, and the new place of each original instruction. */
struct ez_reloc {
    uint8_t code[EZ_MAX_RELOCATED];
    size_t len;                    /* bytes of `code` */
    size_t n;                      /* instructions */
    uint8_t from[EZ_MAX_PROLOGUE]; /* offset in the original */
    uint16_t to[EZ_MAX_PROLOGUE];  /* offset in `code` */
    bool ends;                     /* control never falls out of the patch region */
};

/* What straight code in a trampoline can use of an argument: the low bits of a general register
 * (DWARF number), extended to 64. */
struct ez_reg_part {
    uint8_t reg, bits;
    bool is_signed;
};
struct ez_reg_test { /* part `how` value */
    struct ez_reg_part part;
    enum { EZ_TEST_EQ, EZ_TEST_NE, EZ_TEST_LT, EZ_TEST_LE, EZ_TEST_GT, EZ_TEST_GE } how;
    bool is_signed; /* signedness of the comparison */
    int32_t value;  /* sign-extended */
};

struct ez_arch_codegen {
    /* Moves the instructions in code[0..n) (whole ones, at `va`) to run at `to`. Direct calls push
     * the original return address. A branch back to `va` itself goes to `to`; branches inside the
     * patch region are refused. Appends a jump to va + n unless the last instruction never falls
     * through. EZ_E_UNRELOC (the message names the instruction), EZ_E_RANGE. */
    ez_err *(*relocate)(const uint8_t *code, size_t n, uint64_t va, uint64_t to,
                        struct ez_reloc *out);
    /* Write straight code for the holes of trampolines with clauses (rt.h) into to[0..room). Return
     * its length, or 0 if it does not fit. straight_tests: goes on at to + fail if one of n tests
     * is false, otherwise at to + pass. straight_words: stores the words two by two after the
     * record at the address in the accumulator. NULL: not available. */
    size_t (*straight_tests)(const struct ez_reg_test *test, size_t n, int32_t fail, int32_t pass,
                             uint8_t *to, size_t room);
    size_t (*straight_words)(const struct ez_reg_part *word, size_t n, uint8_t *to, size_t room);
    /* Writes code that counts by the value of a register (rt_addup.c). table: offset of a table
     * from the buffer's first; counter: offset of the clause's counter. The code goes on at to +
     * more if the key has no row yet. */
    size_t (*straight_count)(const struct ez_reg_part *key, uint32_t table, uint32_t counter,
                             int32_t more, uint8_t *to, size_t room);
};

#endif
