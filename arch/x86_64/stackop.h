/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stackop.h - what stackop.c (the parts of an instruction, where it leads) and
 * stackop_insn.c (what an instruction does to the frame) share; for them alone. */
#ifndef EZ_X64_STACKOP_H
#define EZ_X64_STACKOP_H

#include "arch/x86_64/x64.h"

#define NO_REG 0xff

struct op {
    const uint8_t *b;
    struct x64_parts p;
    struct ez_frame *f;
    uint8_t code; /* the opcode byte                                        */
    bool wide, op16, a32, rep, byte, evex;
    uint8_t mod, ext;    /* of ModRM; `ext` is its reg field                       */
    uint8_t reg, rm;     /* registers in ModRM, if they are general ones           */
    uint8_t base, index; /* of the memory operand                                  */
    int32_t disp;
};

/* Applies the instruction to o->f; NULL, or why the frame cannot be told. */
const char *x64_stack_effect(struct op *o);

#endif
