/* SPDX-License-Identifier: GPL-3.0-or-later */
/* codegen.h - code that is generated for a single probe: relocated instructions, and code without
 * loops ("straight") for the holes of trampolines. */
#ifndef EZ_ARCH_CODEGEN_H
#define EZ_ARCH_CODEGEN_H

#include "engine/base/base.h"
#include "engine/base/err.h"

#define EZ_MAX_PROLOGUE 16   /* maximum instructions in a patch region */
#define EZ_MAX_RELOCATED 256 /* maximum bytes of a relocated prologue */

/* A relocated prologue, and the offset of the copy of each original instruction. */
struct ez_reloc {
    uint8_t code[EZ_MAX_RELOCATED];
    size_t len;                    /* bytes of `code` */
    size_t n;                      /* number of instructions */
    uint8_t from[EZ_MAX_PROLOGUE]; /* offsets of the instructions in the original */
    uint16_t to[EZ_MAX_PROLOGUE];  /* offsets of their copies in `code` */
    /* the last instruction never falls through, so the code behind the patch region is not reached
     * from it */
    bool ends;
};

/* A value that code in a trampoline can use: the low `bits` bits of the general register with the
 * DWARF number `reg`, extended to 64 bits with sign (is_signed) or with zeros. */
struct ez_reg_part {
    uint8_t reg, bits;
    bool is_signed;
};
struct ez_reg_test { /* the test "part `how` value" */
    struct ez_reg_part part;
    enum { EZ_TEST_EQ, EZ_TEST_NE, EZ_TEST_LT, EZ_TEST_LE, EZ_TEST_GT, EZ_TEST_GE } how;
    bool is_signed; /* the comparison is signed */
    int32_t value;  /* compared after sign extension to 64 bits */
};

struct ez_arch_codegen {
    /* Copies the whole instructions in code[0..n), which are at address va, to *out, so that they
     * can run at address `to`. Calls push the original return address. A branch to va itself
     * becomes a branch to `to`; a branch to another address in the patch region is an error.
     * Appends a jump to va + n unless the last instruction is a call or never falls through.
     * EZ_E_UNRELOC: an instruction cannot be moved (the message names it); EZ_E_RANGE: a
     * displacement does not fit. */
    ez_err *(*relocate)(const uint8_t *code, size_t n, uint64_t va, uint64_t to,
                        struct ez_reloc *out);
    /* Write code for the holes of trampolines with clauses (rt.h) into to[0..room). Return the
     * length of the code; 0 if it does not fit, or if a register cannot be used. straight_tests:
     * the code jumps to `to` + fail if one of the n tests is false, else to `to` + pass.
     * straight_words: the code stores the n words, in records of two words, behind the record whose
     * address is in the accumulator. NULL: not available. */
    size_t (*straight_tests)(const struct ez_reg_test *test, size_t n, int32_t fail, int32_t pass,
                             uint8_t *to, size_t room);
    size_t (*straight_words)(const struct ez_reg_part *word, size_t n, uint8_t *to, size_t room);
    /* Writes code that counts hits by the value of a register, the key (rt_addup.c). table: offset
     * of the aggregate's table from the first table of the buffer; counter: offset of the clause's
     * counter. The code jumps to `to` + more if the row at the key's hash does not have this key,
     * so that C code must find or add the row. */
    size_t (*straight_count)(const struct ez_reg_part *key, uint32_t table, uint32_t counter,
                             int32_t more, uint8_t *to, size_t room);
};

#endif
