/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stackop.c - splits an instruction, and finds its effect on the frame of its function.
 *
 * Why:    engine/code/frame.c finds out whether a function reads or writes its return address, or
 *         the stack above it.
 * Input:  the frame before the instruction (struct ez_frame), code[n bytes] at `va`.
 * Output: the frame after the instruction, its length and flow; or a text why the frame is unknown
 *         or how the instruction uses the return address.
 * Source: SDM volume 2.
 * Tests: tests/unit/code/check_frame.c */
#include <string.h>

#include "arch/x86_64/stackop.h"

/* ---- parts of an instruction ---------------------------------------------------- */

static unsigned stackop_read_prefixes(struct op *o)
{
    unsigned i = 0;
    for (;; i++) {
        uint8_t c = o->b[i];
        if (c == 0x66)
            o->op16 = true;
        else if (c == 0x67)
            o->a32 = true;
        else if (c == 0xf2 || c == 0xf3)
            o->rep = true;
        else if (c != 0xf0 && c != 0x26 && c != 0x2e && c != 0x36 && c != 0x3e && c != 0x64 &&
                 c != 0x65)
            return i;
    }
}

/* Returns the bits W, R, X and B of the REX, VEX or EVEX prefix at offset i, at their positions in
 * REX. */
static unsigned stackop_rex_of(struct op *o, unsigned i)
{
    const uint8_t *v = o->b + i;
    if (!o->p.vex)
        return o->p.rex;
    if (*v == 0xc5)
        return ~v[1] >> 5 & 4;
    o->evex = *v == 0x62;
    return (~v[1] >> 5 & 7) | (v[2] >> 4 & 8);
}

static void stackop_read_memory(struct op *o, unsigned rex)
{
    const uint8_t *m = o->b + o->p.modrm, *d = m + 1;
    unsigned rm = *m & 7;
    o->base = (uint8_t)(rm | (rex & 1) << 3);
    o->index = NO_REG;
    if (rm == 4) {
        unsigned sib = *d++, index = (sib >> 3 & 7) | (rex & 2) << 2;
        o->base = (uint8_t)((sib & 7) | (rex & 1) << 3);
        o->index = (uint8_t)(index == 4 ? NO_REG : index);
        if (!o->mod && (sib & 7) == 5)
            o->base = NO_REG;
    } else if (rm == 5 && !o->mod) {
        o->base = NO_REG;
    }
    if (o->mod == 1)
        o->disp = (int8_t)*d;
    else if (o->mod == 2)
        memcpy(&o->disp, d, 4);
}

static void stackop_read_parts(struct op *o)
{
    unsigned rex = stackop_rex_of(o, stackop_read_prefixes(o));
    o->code = o->b[o->p.op];
    o->wide = rex & 8;
    o->mod = 3;
    o->base = o->index = NO_REG;
    if (!o->p.modrm)
        return;
    uint8_t m = o->b[o->p.modrm];
    o->mod = m >> 6;
    o->ext = m >> 3 & 7;
    o->reg = (uint8_t)(o->ext | (rex & 4) << 1);
    o->rm = (uint8_t)((m & 7) | (rex & 1) << 3);
    if (o->mod != 3)
        stackop_read_memory(o, rex);
}

/* ---- flow ------------------------------------------------------------------------------------ */

static uint8_t stackop_flow_of(const struct op *o)
{
    if (o->p.vex || o->p.map > 1)
        return EZ_FLOW_PLAIN;
    if (o->p.map)
        return o->code >= 0x80 && o->code <= 0x8f   ? EZ_FLOW_JCC
               : o->code == 0x05 || o->code == 0x34 ? EZ_FLOW_SYSCALL
               : o->code == 0x0b                    ? EZ_FLOW_TRAP
                                                    : EZ_FLOW_PLAIN;
    switch (o->code) {
    case 0x70 ... 0x7f:
        return EZ_FLOW_JCC;
    case 0xe0 ... 0xe3:
        return EZ_FLOW_LOOP;
    case 0xe8:
        return EZ_FLOW_CALL;
    case 0xe9:
    case 0xeb:
        return EZ_FLOW_JMP;
    case 0xc2 ... 0xc3:
        return EZ_FLOW_RET;
    case 0xcc:
    case 0xf4:
        return EZ_FLOW_TRAP;
    case 0xcd:
        return EZ_FLOW_SYSCALL;
    case 0xff:
        return o->ext == 2 ? EZ_FLOW_ICALL : o->ext == 4 ? EZ_FLOW_IJMP : EZ_FLOW_PLAIN;
    default:
        return EZ_FLOW_PLAIN;
    }
}

static uint64_t stackop_target_of(const struct op *o, uint64_t va)
{
    bool far = o->p.map == 1 || o->code == 0xe8 || o->code == 0xe9;
    int32_t by;
    if (far)
        memcpy(&by, o->b + o->p.len - 4, 4);
    else
        by = (int8_t)o->b[o->p.len - 1];
    return va + o->p.len + (uint64_t)(int64_t)by;
}

const char *x64_frame_step(struct ez_frame *f, const uint8_t *code, size_t n, uint64_t va,
                           struct ez_frame_step *out)
{
    struct op o = { .b = code, .f = f };
    if (!x64_split(code, n, &o.p))
        return "an instruction that cannot be decoded";
    stackop_read_parts(&o);
    *out = (struct ez_frame_step){ .len = o.p.len, .flow = stackop_flow_of(&o) };
    if (out->flow == EZ_FLOW_JCC || out->flow == EZ_FLOW_JMP || out->flow == EZ_FLOW_LOOP ||
        out->flow == EZ_FLOW_CALL)
        out->target = stackop_target_of(&o, va);
    if (f->lenient)
        x64_stack_passes(&o, out, va);
    if (out->flow == EZ_FLOW_SYSCALL && !f->lenient)
        return "it enters the kernel itself";
    return x64_stack_effect(&o);
}

/* Decodes instructions from offset *from on, up to the one that contains offset `at`, and sets
 * *from to its offset. Returns true if it has a one-byte opcode, which is at `at`. */
static bool stackop_is_opcode(const uint8_t *code, size_t n, size_t *from, size_t at)
{
    for (;;) {
        struct x64_parts p;
        size_t len = x64_split(code + *from, n - *from, &p);
        if (*from + EZ_MAX(len, (size_t)1) > at)
            return len && !p.map && !p.vex && *from + p.op == at;
        *from += EZ_MAX(len, (size_t)1);
    }
}

/* Searches for ret $n (c2). Decodes only up to bytes c2 that a plausible n follows, which are
 * few. */
bool x64_pops_arguments(const uint8_t *code, size_t n)
{
    size_t from = 0, at = 0;
    const uint8_t *p;
    for (; at + 3 <= n && (p = memchr(code + at, 0xc2, n - 2 - at)); at++) {
        uint16_t bytes;
        at = (size_t)(p - code);
        memcpy(&bytes, p + 1, sizeof bytes);
        if (bytes && bytes % 8 == 0 && bytes <= 4096 && stackop_is_opcode(code, n, &from, at))
            return true;
    }
    return false;
}

void x64_frame_begin(struct ez_frame *f)
{
    for (unsigned r = 0; r < EZ_FRAME_REGS; r++)
        f->reg[r] = r == 4 ? 0 : EZ_FR_OTHER;
    f->sp = 4;
    f->bound = f->dynamic = f->lenient = f->copied = f->mixed = false;
    f->uses = NULL;
}
