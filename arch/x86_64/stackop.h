/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stackop.h - shared by stackop.c (the parts of an instruction, its destination), stackop_insn.c
 * and stackop_vector.c (its effect on the frame), and only by these. */
#ifndef EZ_X64_STACKOP_H
#define EZ_X64_STACKOP_H

#include "arch/x86_64/x64.h"

#define NO_REG 0xff
#define UNKNOWN "an instruction whose use of the stack is not known"
#define is_frame(v) ((v) != EZ_FR_OTHER)

enum { AX, CX, DX, BX, SP, BP, SI, DI };

struct op {
    const uint8_t *b;
    struct x64_parts p;
    struct ez_frame *f;
    uint8_t code; /* the opcode byte */
    bool wide, op16, a32, rep, byte, evex;
    uint8_t mod, ext;    /* fields of ModRM; ext is the reg field, as an opcode extension */
    uint8_t reg, rm;     /* registers in ModRM, if they are general registers */
    uint8_t base, index; /* numbers of the registers of the memory operand */
    int32_t disp;
};

/* Applies the instruction to o->f. Returns NULL, or why the frame is unknown. */
const char *x64_stack_effect(struct op *o);

/* stackop_insn.c */
/* Call it before a call or a jump. Checks whether an argument points to the return address. (A call
 * of the next instruction only pushes.) */
void x64_stack_passes(struct op *o, const struct ez_frame_step *s, uint64_t va);
int32_t x64_stack_value(const struct op *o, unsigned r);
/* Checks a memory operand that is read or written. Returns NULL, or why the frame is unknown. */
const char *x64_stack_touch(const struct op *o);
/* Sets register r to v; an operand of 8 or 16 bits changes only a part of the register. */
const char *x64_stack_put(struct op *o, unsigned r, int32_t v);
/* Sets the register `reg` to a value that is no address in the frame. */
const char *x64_stack_load_reg(struct op *o);
void x64_stack_forget(struct op *o, unsigned mask);

/* stackop_vector.c */
const char *x64_stack_vector(struct op *o);
const char *x64_stack_vex(struct op *o);
const char *x64_stack_crc(struct op *o); /* 0f 38 f0 and above: movbe, crc32, adcx, adox */

#endif
