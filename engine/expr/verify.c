/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify.c - checks that a clause's code is what the runtime expects (engine/data_abi.h).
 *
 * One pass suffices, because jumps lead only forward: all jumps to an operation come before it. The
 * stack's depth must be the same on all paths to an operation. The verifier guards against faults
 * of the compiler.
 * Tests: tests/unit/rt/check_code.c */
#include "engine/expr/clause.h"

#include <string.h>

struct verify {
    const struct ez_clause_code *code;
    int depth[EZ_CODE_MOST + 1]; /* stack depth before each operation; -1 = not reached */
    unsigned words, most;
    bool is_condition;
};

static const struct {
    signed char pops, pushes;
} effect[EZ_NOP] = {
    [EZ_OP_IMM] = { 0, 1 },      [EZ_OP_WIDE] = { 0, 1 },   [EZ_OP_REG] = { 0, 1 },
    [EZ_OP_VEC] = { 0, 1 },      [EZ_OP_X87] = { 0, 1 },    [EZ_OP_ARG] = { 0, 1 },
    [EZ_OP_CALLER] = { 0, 1 },   [EZ_OP_FRAME] = { 0, 1 },  [EZ_OP_THREAD] = { 0, 1 },
    [EZ_OP_TICK] = { 0, 1 },     [EZ_OP_SAVED] = { 0, 1 },  [EZ_OP_LOAD] = { 1, 1 },
    [EZ_OP_CUT] = { 1, 1 },      [EZ_OP_DUP] = { 1, 2 },    [EZ_OP_DROP] = { 1, 0 },
    [EZ_OP_JZ] = { 1, 0 },       [EZ_OP_JNZ] = { 1, 0 },    [EZ_OP_ADD] = { 2, 1 },
    [EZ_OP_SUB] = { 2, 1 },      [EZ_OP_MUL] = { 2, 1 },    [EZ_OP_DIV] = { 2, 1 },
    [EZ_OP_MOD] = { 2, 1 },      [EZ_OP_AND] = { 2, 1 },    [EZ_OP_OR] = { 2, 1 },
    [EZ_OP_XOR] = { 2, 1 },      [EZ_OP_SHL] = { 2, 1 },    [EZ_OP_SHR] = { 2, 1 },
    [EZ_OP_EQ] = { 2, 1 },       [EZ_OP_NE] = { 2, 1 },     [EZ_OP_LT] = { 2, 1 },
    [EZ_OP_LE] = { 2, 1 },       [EZ_OP_GT] = { 2, 1 },     [EZ_OP_GE] = { 2, 1 },
    [EZ_OP_FGT] = { 2, 1 },      [EZ_OP_FGE] = { 2, 1 },    [EZ_OP_NOT] = { 1, 1 },
    [EZ_OP_NEG] = { 1, 1 },      [EZ_OP_COM] = { 1, 1 },    [EZ_OP_FADD] = { 2, 1 },
    [EZ_OP_FSUB] = { 2, 1 },     [EZ_OP_FMUL] = { 2, 1 },   [EZ_OP_FDIV] = { 2, 1 },
    [EZ_OP_FEQ] = { 2, 1 },      [EZ_OP_FLT] = { 2, 1 },    [EZ_OP_FLE] = { 2, 1 },
    [EZ_OP_OF_FLOAT] = { 1, 1 }, [EZ_OP_OF_INT] = { 1, 1 }, [EZ_OP_TO_INT] = { 1, 1 },
    [EZ_OP_ROUND] = { 1, 1 },    [EZ_OP_EMIT] = { 1, 0 },   [EZ_OP_TEXT] = { 1, 0 },
    [EZ_OP_BYTES] = { 1, 0 },    [EZ_OP_SAVE] = { 1, 0 },   [EZ_OP_NAME] = { 1, 1 },
    [EZ_OP_ADDUP] = { 2, 0 },    [EZ_OP_COMM] = { 0, 1 },   [EZ_OP_NTH] = { 0, 1 },
    [EZ_OP_GATE] = { 0, 1 },     [EZ_OP_SAME] = { 1, 1 },   [EZ_OP_LENGTH] = { 1, 1 },
};

static ez_err *verify_says(const char *what, size_t at)
{
    return ez_err_new(EZ_E_LIMIT, 0, "The expression cannot run in a probe: %s (operation %zu)",
                      what, at);
}

static bool verify_is_binary(const struct ez_code_op *c)
{
    return effect[c->op].pops == 2 && effect[c->op].pushes == 1;
}

/* Records the stack depth with which operation i is reached. Returns an error if it differs from
 * another path's. */
static ez_err *verify_reach(struct verify *v, struct ez_code_at at, size_t i, int depth)
{
    if (i > at.n)
        return verify_says("a jump leads out of it", i);
    if (v->depth[i] >= 0 && v->depth[i] != depth)
        return verify_says("its ways differ", i);
    v->depth[i] = depth;
    return NULL;
}

static ez_err *verify_operands(struct verify *v, const struct ez_code_op *c, size_t i)
{
    unsigned bytes = (unsigned)c->imm;
    switch (c->op) {
    case EZ_OP_REG:
        return c->a < 16 && c->b >= 1 && c->b <= 64 ? NULL : verify_says("no such register", i);
    case EZ_OP_COMM:
        return c->a < 2 ? NULL : verify_says("a name has two words", i);
    case EZ_OP_CUT:
        return c->a >= 1 && c->a <= 64 ? NULL : verify_says("no such width", i);
    case EZ_OP_LOAD:
        return c->a == 1 || c->a == 2 || c->a == 4 || c->a == 8 ? NULL
                                                                : verify_says("no such load", i);
    case EZ_OP_SAVE:
    case EZ_OP_SAVED:
        return c->a < EZ_SAVED_WORDS ? NULL : verify_says("it saves too much", i);
    case EZ_OP_ADDUP:
        return c->imm >= 0 && c->imm < EZ_ADDUPS ? NULL : verify_says("no such aggregate", i);
    case EZ_OP_ITEM:
        return c->a < EZ_DATA_ITEMS ? NULL : verify_says("it has too many items", i);
    case EZ_OP_TEXT:
    case EZ_OP_BYTES:
        v->words += 1 + (bytes + 7) / 8;
        return bytes && bytes <= 8 * EZ_DATA_WORDS ? NULL : verify_says("a text is too long", i);
    case EZ_OP_SAME:
        return bytes && bytes <= EZ_SAME_MOST && c->b == (bytes + 7) / 8
                   ? NULL
                   : verify_says("it compares too much", i);
    case EZ_OP_LENGTH:
        return bytes && bytes <= EZ_LENGTH_MOST ? NULL : verify_says("a text is too long", i);
    case EZ_OP_EMIT:
        v->words++;
        return NULL;
    default:
        return NULL;
    }
}

/* Checks one operation. Sets *i to the last element of the code that belongs to the operation. */
static ez_err *verify_op(struct verify *v, struct ez_code_at at, size_t *i)
{
    const struct ez_code_op *c = &v->code->op.at[at.first + *i];
    int depth = v->depth[*i];
    if (depth < 0)
        return verify_says("a part of it is never reached", *i);
    if (c->op >= EZ_NOP)
        return verify_says("no such operation", *i);
    EZ_TRY(verify_operands(v, c, *i));
    int pops = effect[c->op].pops - (verify_is_binary(c) && c->b & EZ_CODE_IMM);
    if (depth < pops)
        return verify_says("its stack is empty", *i);
    depth += effect[c->op].pushes - pops;
    if (depth > EZ_CODE_STACK)
        return verify_says("it is nested too deeply", *i);
    bool jumps = c->op == EZ_OP_JUMP || c->op == EZ_OP_JZ || c->op == EZ_OP_JNZ;
    if (jumps && (c->imm < 0 || c->imm > UINT16_MAX))
        return verify_says("a jump leads back", *i);
    if (jumps)
        EZ_TRY(verify_reach(v, at, *i + 1 + (size_t)c->imm, depth));
    if (ez_code_data(c) > at.n - 1 - *i)
        return verify_says("its data are cut off", *i);
    for (uint32_t k = ez_code_data(c); k; k--)
        if (v->depth[++*i] >= 0)
            return verify_says("a jump leads into a number", *i);
    return c->op == EZ_OP_JUMP ? NULL : verify_reach(v, at, *i + 1, depth);
}

static ez_err *verify_piece(struct verify *v, struct ez_code_at at, bool is_condition,
                            unsigned most)
{
    if (!at.n)
        return NULL;
    if (at.first + (size_t)at.n > v->code->op.n || at.n > EZ_CODE_MOST)
        return verify_says("it is too long", at.n);
    memset(v->depth, -1, sizeof v->depth);
    v->depth[0] = 0;
    v->words = 0;
    for (size_t i = 0; i < at.n; i++)
        EZ_TRY(verify_op(v, at, &i));
    if (v->depth[at.n] != is_condition)
        return verify_says("it does not end with a result", at.n);
    return v->words > (is_condition ? 0 : most) ? verify_says("it has too many words", at.n) : NULL;
}

ez_err *ez_clause_verify(const struct ez_clause_code *c)
{
    EZ_FREE struct verify *v = ez_alloc(sizeof *v);
    v->code = c;
    if (c->op.n > EZ_CODE_MOST || c->words > EZ_DATA_WORDS || c->out_words > EZ_DATA_WORDS ||
        c->saved > EZ_SAVED_WORDS)
        return verify_says("it is too long", c->op.n);
    EZ_TRY(verify_piece(v, c->cond, true, 0));
    EZ_TRY(verify_piece(v, c->leave, true, 0));
    EZ_TRY(verify_piece(v, c->entry, false, c->words));
    return verify_piece(v, c->out, false, c->out_words);
}
