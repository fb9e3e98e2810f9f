/* SPDX-License-Identifier: MIT */
/* rt_code.c - the machine that runs the code of clauses (engine/data_abi.h): a stack of eight
 * words, operations of eight bytes, jumps that lead forward.
 *
 * The shell verified the code before it wrote it. The target may have written over it since: then
 * code may do nonsense, but it ends, stays in its stack and in its event, and reads only through
 * rt_read().
 * Tests: tests/unit/engine/check_code.c */
#include "engine/rt/rt_code.h"

#include "rt_regs.h"

#define TEXT_STEP 64

/* ---- words of the event ---------------------------------------------------------------- */

static void code_emit(struct rt_run *r, uint64_t word)
{
    if (!r->out || r->words >= r->most)
        return;
    uint32_t i = r->words++;
    r->out[3 * (i / 2) + (i & 1)] = word;
}

/* Emits n bytes that were read, as words; the last one is padded with zeros. */
static void code_emit_bytes(struct rt_run *r, const uint64_t *word, uint32_t n)
{
    for (uint32_t i = 0; i < n; i += 8) {
        uint32_t left = n - i;
        code_emit(r, left >= 8 ? word[i / 8] : word[i / 8] & ((1ull << 8 * left) - 1));
    }
}

static uint32_t code_text_len(const char *s, uint32_t n)
{
    uint32_t i = 0;
    while (i < n && s[i])
        i++;
    return i;
}

/* A length, then the bytes at `from`: `most` of them, or up to a NUL (`text`). A text that does not
 * end within `most` bytes has EZ_TEXT_CUT in its length. */
APART static void code_emit_memory(struct rt_run *r, uint64_t from, uint32_t most, int text)
{
    uint64_t buf[TEXT_STEP / 8];
    uint32_t at = r->words, len = 0, got, take;
    code_emit(r, 0);
    if (r->words == at)
        return;
    for (int ended = 0; !ended && len < most; len += take) {
        uint32_t n = most - len < TEXT_STEP ? most - len : TEXT_STEP;
        got = rt_read(r, buf, from + len, n);
        take = text ? code_text_len((const char *)buf, got) : got;
        ended = take < n;
        code_emit_bytes(r, buf, take);
        if (got < n && take == got) /* it ends at memory that cannot be read */
            r->bad |= 1u << (r->item & 31);
        if (!ended && text && len + take == most)
            r->out[3 * (at / 2) + (at & 1)] = EZ_TEXT_CUT;
    }
    r->out[3 * (at / 2) + (at & 1)] |= len;
}

/* ---- integers -------------------------------------------------------------------------- */

static inline uint64_t code_cut(uint64_t v, uint32_t bits, uint32_t is_signed)
{
    uint32_t k = (64 - bits) & 63;
    return is_signed ? (uint64_t)((int64_t)(v << k) >> k) : v << k >> k;
}

/* 0 = a division that has no result. */
static int code_divide(int mod, uint32_t is_signed, uint64_t a, uint64_t b, uint64_t *out)
{
    if (!b)
        return 0;
    if (is_signed && b == ~0ull) /* the least number by -1 would trap */
        *out = mod ? 0 : -a;
    else if (is_signed)
        *out = (uint64_t)(mod ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
    else
        *out = mod ? a % b : a / b;
    return 1;
}

/* The operations on two operands. 0 = there is no result. */
WITHIN int code_binary(const struct ez_code_op *c, uint64_t a, uint64_t b, uint64_t *out)
{
    switch (c->op) {
    case EZ_OP_ADD:
        *out = a + b;
        return 1;
    case EZ_OP_SUB:
        *out = a - b;
        return 1;
    case EZ_OP_MUL:
        *out = a * b;
        return 1;
    case EZ_OP_DIV:
    case EZ_OP_MOD:
        return code_divide(c->op == EZ_OP_MOD, c->a, a, b, out);
    case EZ_OP_AND:
        *out = a & b;
        return 1;
    case EZ_OP_OR:
        *out = a | b;
        return 1;
    case EZ_OP_XOR:
        *out = a ^ b;
        return 1;
    case EZ_OP_SHL:
        *out = b < 64 ? a << b : 0;
        return 1;
    case EZ_OP_SHR:
        if (b > 63)
            b = 63, a = c->a ? a : 0;
        *out = c->a ? (uint64_t)((int64_t)a >> b) : a >> b;
        return 1;
    case EZ_OP_EQ:
        *out = a == b;
        return 1;
    case EZ_OP_NE:
        *out = a != b;
        return 1;
    case EZ_OP_LT:
        *out = c->a ? (int64_t)a < (int64_t)b : a < b;
        return 1;
    case EZ_OP_LE:
        *out = c->a ? (int64_t)a <= (int64_t)b : a <= b;
        return 1;
    default:
        *out = rt_double(c->op, c->a, a, b);
        return 1;
    }
}

static int code_is_binary(uint32_t op)
{
    return (op >= EZ_OP_ADD && op <= EZ_OP_LE) || (op >= EZ_OP_FADD && op <= EZ_OP_FLE);
}

/* ---- what is pushed -------------------------------------------------------------------- */

APART static uint64_t code_load(struct rt_run *r, const struct ez_code_op *c, uint64_t from,
                                int *ok)
{
    uint64_t v = 0;
    uint32_t n = c->a <= 8 ? c->a : 8;
    if (rt_read(r, &v, from, n) < n) {
        r->bad |= 1u << (r->item & 31);
        *ok = 0;
        return 0;
    }
    return code_cut(v, 8 * n, c->b);
}

static uint64_t code_push(struct rt_run *r, const struct ez_code_op *c, int *ok)
{
    static const struct ez_code_op word = { .a = 8 };
    switch (c->op) {
    case EZ_OP_IMM:
        return (uint64_t)(int64_t)c->imm;
    case EZ_OP_REG:
        return c->a == RT_REG_SP ? (uint64_t)r->loc
                                 : code_cut(r->reg[c->a & 15], c->b, (uint32_t)c->imm & 1);
    case EZ_OP_VEC:
        return rt_vector_word(c->a, c->b);
    case EZ_OP_X87:
        return rt_x87_word(c->a, c->b);
    case EZ_OP_ARG:
        return code_load(r, &word, (uint64_t)r->loc + (uint64_t)(int64_t)c->imm, ok);
    case EZ_OP_CALLER:
        return r->caller;
    case EZ_OP_FRAME:
        return (uint64_t)r->loc;
    case EZ_OP_THREAD:
        return r->b->tid;
    case EZ_OP_TICK:
        if (!r->tick)
            r->tick = rt_tick_now(r->b);
        return r->tick;
    default: { /* EZ_OP_SAVED */
        uint64_t *w = rt_saved(r->saved, c->a);
        return w ? *w : 0;
    }
    }
}

/* ---- the machine ----------------------------------------------------------------------- */

#define TOP s[(n - 1) & (EZ_CODE_STACK - 1)]
#define PUSH(v)                                                                                    \
    do {                                                                                           \
        uint64_t v_ = (v);                                                                         \
        s[n++ & (EZ_CODE_STACK - 1)] = v_;                                                         \
    } while (0)

static void code_effect(struct rt_run *r, const struct ez_code_op *c, uint64_t v)
{
    uint64_t *w;
    switch (c->op) {
    case EZ_OP_EMIT:
        code_emit(r, v);
        break;
    case EZ_OP_TEXT:
    case EZ_OP_BYTES:
        code_emit_memory(r, v, (uint32_t)c->imm, c->op == EZ_OP_TEXT);
        break;
    case EZ_OP_SAVE:
        w = rt_saved(r->saved, c->a);
        if (w)
            *w = v;
        break;
    default: /* EZ_OP_DROP */
        break;
    }
}

static uint64_t code_unary(const struct ez_code_op *c, uint64_t v)
{
    switch (c->op) {
    case EZ_OP_CUT:
        return code_cut(v, c->a, c->b);
    case EZ_OP_NOT:
        return !v;
    case EZ_OP_NEG:
        return -v;
    case EZ_OP_COM:
        return ~v;
    default:
        return rt_double(c->op, c->a, v, 0);
    }
}

HIDDEN int rt_code_run(struct rt_run *r, const struct ez_program *p, struct ez_code_at at,
                       uint64_t *result)
{
    const struct ez_code_op *c = ez_program_ops(p) + at.first, *end = c + at.n;
    uint64_t s[EZ_CODE_STACK];
    uint32_t n = 0;
    int ok = 1;
    s[0] = 0;
    if (at.first + at.n > p->nops)
        return 0;
    for (; c < end && c->op != EZ_OP_END; c++) {
        if (code_is_binary(c->op)) {
            uint64_t b = c->b & EZ_CODE_IMM ? (uint64_t)(int64_t)c->imm : s[--n & 7];
            if (!code_binary(c, TOP, b, &TOP)) {
                r->bad |= 1u << (r->item & 31);
                TOP = 0;
                ok = 0;
            }
            continue;
        }
        switch (c->op) {
        case EZ_OP_WIDE:
            if (++c < end)
                PUSH(*(const uint64_t *)c);
            break;
        case EZ_OP_LOAD:
            TOP = code_load(r, c, TOP + (uint64_t)(int64_t)c->imm, &ok);
            break;
        case EZ_OP_DUP:
            PUSH(TOP);
            break;
        case EZ_OP_JUMP:
            c += (uint16_t)c->imm;
            break;
        case EZ_OP_JZ:
        case EZ_OP_JNZ:
            n--;
            if (!s[n & 7] == (c->op == EZ_OP_JZ))
                c += (uint16_t)c->imm;
            break;
        case EZ_OP_ITEM:
            r->item = c->a;
            break;
        case EZ_OP_EMIT:
        case EZ_OP_TEXT:
        case EZ_OP_BYTES:
        case EZ_OP_SAVE:
        case EZ_OP_DROP:
            n--;
            code_effect(r, c, s[n & 7]);
            break;
        case EZ_OP_CUT:
        case EZ_OP_NOT:
        case EZ_OP_NEG:
        case EZ_OP_COM:
        case EZ_OP_OF_FLOAT:
        case EZ_OP_OF_INT:
        case EZ_OP_TO_INT:
            TOP = code_unary(c, TOP);
            break;
        default:
            PUSH(code_push(r, c, &ok));
        }
    }
    *result = n ? TOP : 0;
    return ok;
}
