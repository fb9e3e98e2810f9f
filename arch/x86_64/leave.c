/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leave.c - recognizes two kinds of instructions by which engine/expr/returns.c finds where the
 * source's return statements are in code compiled without optimization.
 * Tests: tests/source/places.sh */
#include "arch/x86_64/x64.h"

enum { RSP = 4, RBX = 3, R12 = 12, R15 = 15 };

/* Returns true if the instruction of n bytes is OPCODE %from,%to with 64 or 32 bits, and sets *from
 * and *to to the registers' numbers; else returns false. */
static bool leave_registers(const uint8_t *code, size_t n, uint8_t opcode, unsigned *from,
                            unsigned *to)
{
    const unsigned rex = n && (code[0] & 0xf0) == 0x40 ? code[0] : 0;
    const uint8_t *op = code + (rex != 0);
    if (n != 2u + (rex != 0) || op[0] != opcode || op[1] < 0xc0)
        return false;
    *from = (op[1] >> 3 & 7) | (rex & 4 ? 8 : 0);
    *to = (op[1] & 7) | (rex & 1 ? 8 : 0);
    return true;
}

/* Matches sub %reg,%rsp. */
bool x64_grows_stack(const uint8_t *code, size_t n)
{
    unsigned from, to;
    return leave_registers(code, n, 0x29, &from, &to) && to == RSP;
}

/* Matches mov of %rbx, %r12, %r13, %r14 or %r15 to %rax: these registers are callee-saved. */
bool x64_reads_preserved(const uint8_t *code, size_t n)
{
    unsigned from, to;
    return leave_registers(code, n, 0x89, &from, &to) && to == 0 &&
           (from == RBX || (from >= R12 && from <= R15));
}
