/* SPDX-License-Identifier: GPL-3.0-or-later */
/* straight.c - clauses that a trampoline handles itself, without a call of the runtime's C code:
 * conditions that only compare registers with constants, events that consist of registers, counts
 * by a register, and histograms of durations (clause.h).
 * Tests: tests/unit/rt/check_code.c, tests/procs/data.sh */
#include <string.h>

#include "engine/expr/clause.h"

static struct ez_reg_part straight_part(const struct ez_code_op *c)
{
    return (struct ez_reg_part){ c->a, (uint8_t)c->b, c->imm & 1 };
}

/* Matches one comparison: REG, REG !, REG op constant. */
static bool straight_test(const struct ez_code_op *c, size_t n, struct ez_reg_test *out)
{
    static const struct {
        enum ez_opcode op;
        int how;
    } how[] = { { EZ_OP_EQ, EZ_TEST_EQ }, { EZ_OP_NE, EZ_TEST_NE }, { EZ_OP_LT, EZ_TEST_LT },
                { EZ_OP_LE, EZ_TEST_LE }, { EZ_OP_GT, EZ_TEST_GT }, { EZ_OP_GE, EZ_TEST_GE } };
    if (n < 1 || n > 2 || c->op != EZ_OP_REG)
        return false;
    *out = (struct ez_reg_test){ .part = straight_part(c), .how = EZ_TEST_NE };
    if (n == 1)
        return true;
    if (c[1].op == EZ_OP_NOT) {
        out->how = EZ_TEST_EQ;
        return true;
    }
    for (size_t i = 0; i < EZ_ARRAY_LEN(how); i++)
        if (c[1].op == how[i].op && c[1].b & EZ_CODE_IMM) {
            out->how = how[i].how;
            out->is_signed = c[1].a;
            out->value = c[1].imm;
            return true;
        }
    return false;
}

/* Matches comparisons that are joined by &&, for which the compiler generates A JZ B NE(0) JUMP(1)
 * IMM(0), where JZ jumps to the last operation. */
static bool straight_all(const struct ez_code_op *c, size_t n, struct ez_reg_test *out, size_t most,
                         size_t *count)
{
    if (n >= 6 && c[n - 1].op == EZ_OP_IMM && !c[n - 1].imm && c[n - 2].op == EZ_OP_JUMP) {
        size_t jump = 0;
        while (jump < n && !(c[jump].op == EZ_OP_JZ && jump + 1 + (size_t)c[jump].imm == n - 1))
            jump++;
        return jump + 4 <= n && straight_all(c, jump, out, most, count) &&
               straight_all(c + jump + 1, n - jump - 4, out, most, count);
    }
    return *count < most && straight_test(c, n, &out[(*count)++]);
}

bool ez_clause_tests(const struct ez_clause_code *k, struct ez_reg_test *out, size_t most,
                     size_t *n)
{
    *n = 0;
    return !k->cond.n || straight_all(k->op.at + k->cond.first, k->cond.n, out, most, n);
}

bool ez_clause_words(const struct ez_clause_code *k, struct ez_reg_part *out, size_t most,
                     size_t *n)
{
    const struct ez_code_op *c = k->op.at + k->entry.first, *end = c + k->entry.n;
    *n = 0;
    for (; c < end; c++) {
        if (c->op == EZ_OP_ITEM)
            continue;
        if (c->op != EZ_OP_REG || c + 1 == end || c[1].op != EZ_OP_EMIT || *n == most)
            return false;
        out[(*n)++] = straight_part(c++);
    }
    return true;
}

bool ez_clause_times(const struct ez_clause_code *k, uint32_t *table)
{
    const struct ez_code_op *in = k->op.at + k->entry.first, *out = k->op.at + k->out.first;
    if (k->entry.n != 2 || in->op != EZ_OP_TICK || in[1].op != EZ_OP_SAVE || k->saved != 1 ||
        k->leave.n || k->out.n != 5 || out->op != EZ_OP_IMM || out->imm ||
        out[1].op != EZ_OP_TICK || out[2].op != EZ_OP_SAVED || out[3].op != EZ_OP_SUB ||
        out[3].b & EZ_CODE_IMM || out[4].op != EZ_OP_ADDUP || !out[4].a || out[4].b)
        return false;
    *table = (uint32_t)out[4].imm;
    return true;
}

bool ez_clause_counts_by(const struct ez_clause_code *k, struct ez_reg_part *key, uint32_t *table)
{
    const struct ez_code_op *c = k->op.at + k->entry.first;
    if (k->entry.n != 3 || c->op != EZ_OP_REG || c[1].op != EZ_OP_IMM || c[1].imm != 1 ||
        c[2].op != EZ_OP_ADDUP || c[2].a || c[2].b)
        return false;
    *key = straight_part(c);
    *table = (uint32_t)c[2].imm;
    return true;
}
