/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stackop.h - declarations for stackop.c (parts and branch target of an instruction), and for
 * stackop_insn.c and stackop_vector.c (effect of an instruction on the frame). Only these files
 * include it. */
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
    uint8_t code; /* the last opcode byte */
    bool wide, op16, a32, rep, byte, evex;
    /* fields of ModRM; ext: the reg field without REX.R, an extension of the opcode */
    uint8_t mod, ext;
    uint8_t reg, rm; /* numbers of the registers in ModRM, if they are general registers */
    /* numbers of the base and index register of the memory operand, or NO_REG */
    uint8_t base, index;
    int32_t disp;
};

/* Applies the instruction o to the frame o->f. Returns NULL, or a text as step() in struct
 * ez_arch_frame does. */
const char *x64_stack_effect(struct op *o);

/* Interface of stackop_insn.c: */
/* Before a call, a jump or a system call: notes in the frame if an argument register points to the
 * return address. A call whose target is the next instruction only counts as a push. */
void x64_stack_passes(struct op *o, const struct ez_frame_step *s, uint64_t va);
int32_t x64_stack_value(const struct op *o, unsigned r);
/* Checks the memory operand of o, if it has one, which is read or written. Returns NULL, or a text
 * why the frame is unknown or how the return address is used. */
const char *x64_stack_touch(const struct op *o);
/* Sets register r to v, a value as in reg[] of struct ez_frame. If the operand has 8 or 16 bits,
 * the register changes only in part. Returns NULL, or a text if r is the stack pointer. */
const char *x64_stack_put(struct op *o, unsigned r, int32_t v);
/* Checks the memory operand, and sets register o->reg to a value that is no address in the
 * frame. */
const char *x64_stack_load_reg(struct op *o);
void x64_stack_forget(struct op *o, unsigned mask);

/* Interface of stackop_vector.c: */
const char *x64_stack_vector(struct op *o);
const char *x64_stack_vex(struct op *o);
const char *x64_stack_crc(struct op *o); /* opcodes 0f 38 f0 to ff: movbe, crc32, adcx, adox */

#endif
