/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain.c - checks that the code of a function uses only general registers and makes no calls.
 *
 * To return false is always safe, but then the caller saves all vector registers, which costs time.
 * So only these opcodes count as plain: one-byte opcodes except x87's, and opcodes after 0f that
 * compilers use for integers.
 * Source: SDM volume 2, appendix A.
 * Tests: tests/unit/arch/check_plain.c */
#include "arch/x86_64/x64.h"

static bool plain_of_two(uint8_t op)
{
    return op == 0x0b || op == 0x0d || op == 0x18 ||
           (op >= 0x1e && op <= 0x1f)    /* ud2, prefetches, nops */
           || (op >= 0x40 && op <= 0x4f) /* cmov */
           || (op >= 0x80 && op <= 0x9f) /* jcc, setcc */
           || op == 0xa2 || op == 0x31   /* cpuid, rdtsc */
           || (op >= 0xa3 && op <= 0xa5) || op == 0xab || (op >= 0xac && op <= 0xad) ||
           (op >= 0xaf && op <= 0xc1) || op == 0xc7 || (op >= 0xc8 && op <= 0xcf);
}

static bool plain_insn(const uint8_t *code, const struct x64_parts *p)
{
    const uint8_t op = code[p->op];
    if (p->vex || p->map > 1)
        return false;
    return p->map ? plain_of_two(op) : !(op >= 0xd8 && op <= 0xdf) && op != 0x9b;
}

bool x64_is_plain(const uint8_t *code, size_t n, uint64_t va)
{
    for (size_t at = 0; at < n;) {
        struct x64_parts p;
        struct ez_insn in;
        size_t len = x64_split(code + at, n - at, &p);
        ez_err *e = len ? x64_decode(code + at, n - at, va + at, &in) : NULL;
        bool good = len && !e && plain_insn(code + at, &p);
        ez_err_free(e);
        if (!good)
            return false;
        bool leads = ez_flow_jumps(in.flow);
        if (leads ? in.target < va || in.target >= va + n
                  : in.flow != EZ_FLOW_PLAIN && in.flow != EZ_FLOW_RET && in.flow != EZ_FLOW_TRAP)
            return false;
        at += len;
    }
    return n > 0;
}
