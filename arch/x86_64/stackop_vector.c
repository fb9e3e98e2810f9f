/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stackop_vector.c - the effect on the frame of vector instructions, and of all other instructions
 * with VEX or in the opcode maps 0f 38 and 0f 3a (stackop.h). Few of them have general registers as
 * operands; this file handles these explicitly.
 * Tests: tests/unit/code/check_frame.c */
#include "arch/x86_64/stackop.h"

const char *x64_stack_vector(struct op *o)
{
    bool read = o->mod == 3 && o->rm == SP && /* movd, movq, pinsrd, pinsrq of the stack pointer */
                ((o->p.map == 1 && o->code == 0x6e) || (o->p.map == 3 && o->code == 0x22));
    if (read) {
        o->f->uses = o->f->lenient ? EZ_FR_HANDS : NULL;
        return "it takes the address of memory above its frame";
    }
    bool scalar = (o->code == 0x2c || o->code == 0x2d) && (o->rep || o->p.vex);
    if (o->p.map == 1 && (scalar || o->code == 0x50 || o->code == 0xd7 || o->code == 0xc5))
        return x64_stack_load_reg(o);
    if (o->mod == 3 && ((o->p.map == 1 && o->code == 0x7e && !o->rep) ||
                        (o->p.map == 3 && o->code >= 0x14 && o->code <= 0x17)))
        return o->wide = true, x64_stack_put(o, o->rm, EZ_FR_OTHER);
    if (o->p.map == 3 && (o->code & 0xfd) == 0x61)
        x64_stack_forget(o, 1 << CX); /* pcmpestri, pcmpistri: set rcx */
    return x64_stack_touch(o);
}

const char *x64_stack_crc(struct op *o)
{
    const char *why = x64_stack_touch(o);
    return why ? why
               : x64_stack_put(o, o->reg,
                               x64_stack_value(o, o->reg) == EZ_FR_OTHER ? EZ_FR_OTHER
                                                                         : EZ_FR_SOME);
}

const char *x64_stack_vex(struct op *o)
{
    unsigned map = o->p.map, c = o->code;
    if (map >= 8)
        return UNKNOWN; /* XOP */
    if ((map == 1 && (c == 0x93 || (o->evex && (c == 0x78 || c == 0x79)))) ||
        (map == 3 && c == 0xf0))
        return x64_stack_load_reg(o);
    /* blsr and similar instructions, and mulx, set the register in VEX.vvvv. */
    if (map == 2 && (c == 0xf3 || c == 0xf6)) {
        unsigned third = ~o->b[o->p.op - 1] >> 3 & 15;
        if (third == SP)
            return UNKNOWN;
        x64_stack_forget(o, 1u << third);
    }
    if (map == 2 && c >= 0xf2 && c <= 0xf7)
        return c == 0xf3 ? x64_stack_touch(o) : x64_stack_load_reg(o);
    if (map == 2 && o->mod != 3 && ((c & 0xdc) == 0x90 || (c & 0xfc) == 0xa0))
        return is_frame(x64_stack_value(o, o->base)) ? UNKNOWN : NULL; /* gather, scatter */
    return x64_stack_vector(o);
}
