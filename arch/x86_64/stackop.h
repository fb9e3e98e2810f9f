/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stackop.h - for stackop.c (what an instruction consists of, where it leads) and
 * stackop_insn.c (what it does to the frame) alone. */
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
    uint8_t reg, rm;     /* general registers, if they are such                    */
    uint8_t base, index; /* of the memory operand                                  */
    int32_t disp;
};

/* The frame behind the instruction; NULL, or why it cannot be told. */
const char *x64_stack_effect(struct op *o);

#endif
