/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decode.c - decodes one A64 instruction: its effect on the flow of control, and the address to
 * which it branches or refers.
 *
 * Each instruction is four bytes long. Branches belong to few classes with fixed bits, so a table
 * of masks describes them all. All other instructions are plain. The results are not compared with
 * libopcodes' yet: code must not be moved before that is added, as on x86-64.
 * Errors: EZ_E_DECODE (fewer than four bytes).
 * Source: Arm ARM DDI 0487, C4.1 (encodings); AAELF64, "Procedure Linkage Table".
 * Tests: tests/unit/arch/check_a64.c */
#include <string.h>

#include "arch/aarch64/a64.h"

static const struct form {
    uint32_t mask, bits;
    uint8_t flow; /* enum ez_flow */
    /* lowest bit and number of bits of the branch distance (in instructions) in the word; width 0 =
     * no distance */
    uint8_t low, width;
} forms[] = {
    { 0xfc000000, 0x94000000, EZ_FLOW_CALL, 0, 26 },   /* bl */
    { 0xfc000000, 0x14000000, EZ_FLOW_JMP, 0, 26 },    /* b */
    { 0xff000000, 0x54000000, EZ_FLOW_JCC, 5, 19 },    /* b.cond, bc.cond */
    { 0x7e000000, 0x34000000, EZ_FLOW_JCC, 5, 19 },    /* cbz, cbnz */
    { 0x7e000000, 0x36000000, EZ_FLOW_JCC, 5, 14 },    /* tbz, tbnz */
    { 0xfefff000, 0xd63f0000, EZ_FLOW_ICALL, 0, 0 },   /* blr, blraa */
    { 0xfefff000, 0xd61f0000, EZ_FLOW_IJMP, 0, 0 },    /* br, braa */
    { 0xfffff000, 0xd65f0000, EZ_FLOW_RET, 0, 0 },     /* ret, retaa */
    { 0xffffffff, 0xd69f03e0, EZ_FLOW_RET, 0, 0 },     /* eret */
    { 0xffe0001f, 0xd4000001, EZ_FLOW_SYSCALL, 0, 0 }, /* svc */
    { 0xff000000, 0xd4000000, EZ_FLOW_TRAP, 0, 0 },    /* brk, hlt, ... */
    { 0xffff0000, 0x00000000, EZ_FLOW_TRAP, 0, 0 },    /* udf */
};

uint32_t a64_word(const uint8_t *code)
{
    uint32_t w;
    memcpy(&w, code, sizeof w);
    return w;
}

size_t a64_length(const uint8_t *code, size_t n)
{
    (void)code;
    return n < A64_LEN ? 0 : A64_LEN;
}

size_t a64_nop(const uint8_t *code, size_t n)
{
    return n >= A64_LEN && a64_word(code) == 0xd503201f ? A64_LEN : 0;
}

/* Returns the signed number in the bits [low, low + width) of the word w. */
static int64_t decode_signed(uint32_t w, unsigned low, unsigned width)
{
    return (int64_t)((uint64_t)w << (64 - low - width)) >> (64 - width);
}

/* Returns true for the instructions to which an indirect call can lead if BTI is on: bti c, bti jc,
 * paciasp and pacibsp. */
static bool decode_is_landing(uint32_t w)
{
    return w == 0xd503245f || w == 0xd50324df || w == 0xd503233f || w == 0xd503237f;
}

static uint64_t decode_adr_target(uint32_t w, uint64_t va)
{
    int64_t d = (decode_signed(w, 5, 19) * 4) | (w >> 29 & 3);
    return w >> 31 ? (va & ~0xfffull) + (uint64_t)(d * 4096) : va + (uint64_t)d;
}

ez_err *a64_decode(const uint8_t *code, size_t n, uint64_t va, struct ez_insn *out)
{
    if (n < A64_LEN)
        return ez_err_place(ez_err_new(EZ_E_DECODE, 0, "no whole instruction"), " at 0x%lx",
                            (unsigned long)va);
    uint32_t w = a64_word(code);
    *out = (struct ez_insn){ .len = A64_LEN, .flow = EZ_FLOW_PLAIN };
    out->is_nop = a64_nop(code, n);
    out->is_landing = decode_is_landing(w);
    for (size_t i = 0; i < EZ_ARRAY_LEN(forms); i++) {
        const struct form *f = &forms[i];
        if ((w & f->mask) != f->bits)
            continue;
        out->flow = f->flow;
        out->width = f->width ? A64_LEN : 0;
        if (f->width)
            out->target = va + (uint64_t)(decode_signed(w, f->low, f->width) * A64_LEN);
        return NULL;
    }
    if ((w & 0x1f000000) == 0x10000000) /* adr, adrp */
        out->target = decode_adr_target(w, va);
    else if ((w & 0x3b000000) == 0x18000000) /* ldr from an address relative to the pc */
        out->target = va + (uint64_t)(decode_signed(w, 5, 19) * A64_LEN);
    return NULL;
}

/* Matches [bti c;] adrp x16, page; ldr x17, [x16, #off]; add x16, x16, #off; br x17. */
bool a64_plt_slot(const uint8_t *code, size_t n, uint64_t va, uint64_t *word)
{
    size_t at = n >= A64_LEN && a64_word(code) == 0xd503245f ? A64_LEN : 0;
    if (n < at + 4 * A64_LEN)
        return false;
    uint32_t adrp = a64_word(code + at), ldr = a64_word(code + at + 4);
    if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211 ||
        (a64_word(code + at + 8) & 0xffc003ff) != 0x91000210)
        return false;
    *word = decode_adr_target(adrp, va + at) + (ldr >> 10 & 0xfff) * 8;
    return true;
}

/* Finds the value of x0 from adrp x0, page; add x0, x0, #off. Another instruction whose first
 * operand is x0, e.g. a load of a word that the loader sets, makes it unknown (0). */
uint64_t a64_first_argument(const uint8_t *code, size_t n, uint64_t va, uint64_t *to)
{
    uint64_t page = 0, value = 0;
    for (size_t at = 0; at + A64_LEN <= n; at += A64_LEN) {
        struct ez_insn in;
        uint32_t w = a64_word(code + at);
        if (!ez_err_drop(a64_decode(code + at, n - at, va + at, &in)))
            return 0;
        *to = in.target;
        if (in.flow == EZ_FLOW_CALL || in.flow == EZ_FLOW_JMP)
            return value;
        if (in.flow != EZ_FLOW_PLAIN)
            return 0;
        if ((w & 0x9f00001f) == 0x90000000)
            page = in.target;
        else if ((w & 0xffc003ff) == 0x91000000 && page)
            value = page + (w >> 10 & 0xfff);
        else if ((w & 0x1f) == 0)
            value = page = 0;
    }
    return 0;
}
