/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guard.c - generates code for the criteria of a hit besides its condition (struct ez_guards). The
 * code for gate, thread, caller and time runs before the condition. The number of the hit (ignore,
 * passcount) is counted last, so that only hits that match everything else are counted.
 *
 * Tests: tests/unit/rt/check_code.c, tests/procs/filters.sh */
#include <string.h>

#include "engine/expr/gen.h"

/* Forward jumps to one destination. Their distances are set when the destination is known. */
struct guard_jumps {
    size_t at[8], n;
};

/* Generates: if the word on the stack is 0, the requirement fails. */
static void guard_need(struct gen *g, struct guard_jumps *fail)
{
    fail->at[fail->n++] = g->code->op.n;
    gen_op(g, EZ_OP_JZ, 0, 0, 0);
}

static void guard_land(struct gen *g, size_t jump)
{
    g->code->op.at[jump].imm = (int32_t)(g->code->op.n - jump - 1);
}

/* Generates: the result is the value on the stack, or 0 if a requirement failed. */
static void guard_end(struct gen *g, const struct guard_jumps *fail)
{
    if (!fail->n)
        return;
    gen_op(g, EZ_OP_JUMP, 0, 0, 1);
    for (size_t i = 0; i < fail->n; i++)
        guard_land(g, fail->at[i]);
    gen_op(g, EZ_OP_IMM, 0, 0, 0);
}

static void guard_equals(struct gen *g, enum ez_opcode op, unsigned a, uint64_t v)
{
    gen_op(g, op, a, 0, 0);
    gen_const(g, v);
    gen_op(g, EZ_OP_EQ, 0, 0, 0);
}

static void guard_name(struct gen *g, const char *name, struct guard_jumps *fail)
{
    char text[16] = { 0 };
    uint64_t half[2];
    memcpy(text, name, EZ_MIN(strlen(name), sizeof text - 1));
    memcpy(half, text, sizeof half);
    for (unsigned i = 0; i < 2; i++) {
        guard_equals(g, EZ_OP_COMM, i, half[i]);
        guard_need(g, fail);
    }
}

/* Generates a binary search for the caller's address in the ranges of ez_guards.at: the address is
 * inside a range if an odd number of range bounds is below it. at, n: bounds to search; inside:
 * whether the number of bounds before them is odd. */
static void guard_search(struct gen *g, const uint64_t *at, size_t n, bool inside)
{
    if (!n) {
        gen_op(g, EZ_OP_IMM, 0, 0, inside);
        return;
    }
    size_t half = n / 2;
    gen_op(g, EZ_OP_CALLER, 0, 0, 0);
    /* a call at the end of a function returns to the address behind the function */
    gen_const(g, at[half] + 1);
    gen_op(g, EZ_OP_LT, 0, 0, 0);
    size_t above = g->code->op.n;
    gen_op(g, EZ_OP_JZ, 0, 0, 0);
    guard_search(g, at, half, inside);
    size_t end = g->code->op.n;
    gen_op(g, EZ_OP_JUMP, 0, 0, 0);
    guard_land(g, above);
    guard_search(g, at + half + 1, n - half - 1, (inside + half + 1) & 1);
    guard_land(g, end);
}

bool guard_has_request(const struct ez_guards *by)
{
    return by->gate || by->thread || by->name || by->callers || by->from || by->until;
}

void guard_hit(struct gen *g, const struct ez_guards *by)
{
    struct guard_jumps fail = { .n = 0 };
    if (by->gate) {
        gen_op(g, EZ_OP_GATE, 0, 0, by->gate - 1);
        guard_need(g, &fail);
    }
    if (by->thread) {
        guard_equals(g, EZ_OP_THREAD, 0, by->thread);
        guard_need(g, &fail);
    }
    if (by->callers) {
        guard_search(g, by->at, by->nat, false);
        guard_need(g, &fail);
    }
    if (by->from) {
        gen_op(g, EZ_OP_TICK, 0, 0, 0);
        gen_const(g, by->from);
        gen_op(g, EZ_OP_LT, 0, 0, 0);
        gen_op(g, EZ_OP_NOT, 0, 0, 0);
        guard_need(g, &fail);
    }
    if (by->until) {
        gen_op(g, EZ_OP_TICK, 0, 0, 0);
        gen_const(g, by->until);
        gen_op(g, EZ_OP_LT, 0, 0, 0);
        guard_need(g, &fail);
    }
    if (by->name) /* last, because reading the name is a system call */
        guard_name(g, by->name, &fail);
    gen_op(g, EZ_OP_IMM, 0, 0, 1);
    guard_end(g, &fail);
}

size_t guard_and(struct gen *g)
{
    gen_op(g, EZ_OP_JZ, 0, 0, 0);
    return g->code->op.n - 1;
}

void guard_and_end(struct gen *g, size_t jump)
{
    guard_end(g, &(struct guard_jumps){ { jump }, 1 });
}

/* Accepts hit n if skip < n <= skip + most. For the first hits, n - skip - 1 wraps around to a
 * large number, so the unsigned comparison rejects them. */
void guard_turn(struct gen *g, const struct ez_guards *by)
{
    size_t jump = guard_and(g);
    g->code->nth = true;
    gen_op(g, EZ_OP_NTH, 0, 0, 0);
    gen_const(g, by->skip + 1);
    gen_op(g, EZ_OP_SUB, 0, 0, 0);
    gen_const(g, by->most ? by->most : INT64_MAX);
    gen_op(g, EZ_OP_LT, 0, 0, 0);
    guard_and_end(g, jump);
}
