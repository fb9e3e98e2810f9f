/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.c - runs the code of expressions (machine.h). It checks all bounds again, and does not
 * rely on the verifier. */
#include "engine/expr/machine.h"

#include <string.h>

ez_err *ez_machine_only_in_hit(void)
{
    return ez_err_new(EZ_E_ARG, 0,
                      "The expression uses a value that exists only while a probe records a hit");
}

static ez_err *machine_divide(const struct ez_code_op *c, uint64_t a, uint64_t b, uint64_t *out)
{
    bool mod = c->op == EZ_OP_MOD;
    if (!b)
        return ez_err_gdb(EZ_E_ARG, "Division by zero");
    if (c->a && b == ~0ull) /* dividing the smallest number by -1 overflows */
        *out = mod ? 0 : -a;
    else if (c->a)
        *out = (uint64_t)(mod ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
    else
        *out = mod ? a % b : a / b;
    return NULL;
}

static bool machine_compare(const struct ez_code_op *c, uint64_t a, uint64_t b)
{
    int64_t x = (int64_t)a, y = (int64_t)b;
    switch (c->op) {
    case EZ_OP_EQ:
        return a == b;
    case EZ_OP_NE:
        return a != b;
    case EZ_OP_LT:
        return c->a ? x < y : a < b;
    case EZ_OP_LE:
        return c->a ? x <= y : a <= b;
    case EZ_OP_GT:
        return c->a ? x > y : a > b;
    default:
        return c->a ? x >= y : a >= b;
    }
}

ez_err *ez_machine_integers(const struct ez_code_op *c, uint64_t a, uint64_t b, uint64_t *out)
{
    switch (c->op) {
    case EZ_OP_ADD:
        *out = a + b;
        return NULL;
    case EZ_OP_SUB:
        *out = a - b;
        return NULL;
    case EZ_OP_MUL:
        *out = a * b;
        return NULL;
    case EZ_OP_DIV:
    case EZ_OP_MOD:
        return machine_divide(c, a, b, out);
    case EZ_OP_AND:
        *out = a & b;
        return NULL;
    case EZ_OP_OR:
        *out = a | b;
        return NULL;
    case EZ_OP_XOR:
        *out = a ^ b;
        return NULL;
    case EZ_OP_SHL:
        *out = b < 64 ? a << b : 0;
        return NULL;
    case EZ_OP_SHR:
        *out = c->a ? (uint64_t)((int64_t)a >> (b > 63 ? 63 : b)) : b > 63 ? 0 : a >> b;
        return NULL;
    default:
        *out = machine_compare(c, a, b);
        return NULL;
    }
}

static double machine_real(uint64_t v)
{
    double d;
    memcpy(&d, &v, sizeof d);
    return d;
}

static uint64_t machine_bits(double d)
{
    uint64_t v;
    memcpy(&v, &d, sizeof v);
    return v;
}

static uint64_t machine_doubles(const struct ez_code_op *c, uint64_t a, uint64_t b)
{
    double x = machine_real(a), y = machine_real(b);
    switch (c->op) {
    case EZ_OP_FADD:
        return machine_bits(x + y);
    case EZ_OP_FSUB:
        return machine_bits(x - y);
    case EZ_OP_FMUL:
        return machine_bits(x * y);
    case EZ_OP_FDIV:
        return machine_bits(x / y);
    case EZ_OP_FEQ:
        return x == y;
    case EZ_OP_FLT:
        return x < y;
    case EZ_OP_FLE:
        return x <= y;
    case EZ_OP_FGT:
        return x > y;
    default:
        return x >= y;
    }
}

static uint64_t machine_of_int(unsigned how, uint64_t v)
{
    bool is_signed = how & EZ_CODE_SIGNED;
    if (how & EZ_CODE_FLOAT)
        return machine_bits(is_signed ? (float)(int64_t)v : (float)v);
    return machine_bits(is_signed ? (double)(int64_t)v : (double)v);
}

/* Computes an operation on one word. A double that is out of the range of 64-bit integers becomes
 * INT64_MIN. */
static uint64_t machine_unary(const struct ez_code_op *c, uint64_t v)
{
    uint32_t half = (uint32_t)v;
    float f;
    double d;
    switch (c->op) {
    case EZ_OP_CUT:
        return ez_cut(v, c->a, c->b);
    case EZ_OP_NOT:
        return !v;
    case EZ_OP_NEG:
        return -v;
    case EZ_OP_COM:
        return ~v;
    case EZ_OP_OF_FLOAT:
        memcpy(&f, &half, sizeof f);
        return machine_bits(f);
    case EZ_OP_OF_INT:
        return machine_of_int(c->a, v);
    case EZ_OP_ROUND:
        return machine_bits((float)machine_real(v));
    case EZ_OP_TO_INT:
        d = machine_real(v);
        if (!c->a && d >= 0x1p63 && d < 0x1p64)
            return (uint64_t)d;
        return d >= -0x1p63 && d < 0x1p63 ? (uint64_t)(int64_t)d : 1ull << 63;
    default:
        return v;
    }
}

struct machine_stack {
    uint64_t word[EZ_CODE_STACK];
    unsigned n;
};

static void machine_push(struct machine_stack *s, uint64_t v)
{
    s->word[s->n++ % EZ_CODE_STACK] = v;
}

static uint64_t machine_pop(struct machine_stack *s)
{
    return s->word[--s->n % EZ_CODE_STACK];
}

/* Executes one operation; the caller handles jumps and the end. */
static ez_err *machine_step(const struct ez_machine *m, const struct ez_code_op *c,
                            struct machine_stack *s)
{
    uint64_t a, b, v = 0;
    if (c->op >= EZ_OP_ADD && c->op <= EZ_OP_GE) {
        b = c->b & EZ_CODE_IMM ? (uint64_t)(int64_t)c->imm : machine_pop(s);
        a = machine_pop(s);
        if (m->numbers)
            EZ_TRY(m->numbers(m->arg, c, &a, &b));
        EZ_TRY(ez_machine_integers(c, a, b, &v));
        machine_push(s, v);
        return NULL;
    }
    if (c->op >= EZ_OP_FADD && c->op <= EZ_OP_FGE) {
        b = c->b & EZ_CODE_IMM ? (uint64_t)(int64_t)c->imm : machine_pop(s);
        a = machine_pop(s);
        machine_push(s, machine_doubles(c, a, b));
        return NULL;
    }
    switch (c->op) {
    case EZ_OP_IMM:
        machine_push(s, (uint64_t)(int64_t)c->imm);
        return NULL;
    case EZ_OP_LOAD:
        EZ_TRY(
            m->read(m->arg, machine_pop(s) + (uint64_t)(int64_t)c->imm, &v, c->a <= 8 ? c->a : 8));
        machine_push(s, ez_cut(v, 8 * (c->a <= 8 ? c->a : 8u), c->b));
        return NULL;
    case EZ_OP_DUP:
        v = machine_pop(s);
        machine_push(s, v);
        machine_push(s, v);
        return NULL;
    case EZ_OP_ADDUP:
        machine_pop(s);
        machine_pop(s);
        return NULL;
    case EZ_OP_ITEM:
    case EZ_OP_EMIT:
    case EZ_OP_TEXT:
    case EZ_OP_BYTES:
        v = c->op == EZ_OP_ITEM ? 0 : machine_pop(s);
        if (m->record)
            m->record(m->arg, c, v);
        return NULL;
    case EZ_OP_DROP:
    case EZ_OP_SAVE:
        machine_pop(s);
        return NULL;
    case EZ_OP_NAME:
        return NULL;
    case EZ_OP_CUT:
    case EZ_OP_NOT:
    case EZ_OP_NEG:
    case EZ_OP_COM:
    case EZ_OP_OF_FLOAT:
    case EZ_OP_OF_INT:
    case EZ_OP_TO_INT:
    case EZ_OP_ROUND:
        v = machine_pop(s);
        if (m->numbers)
            EZ_TRY(m->numbers(m->arg, c, &v, NULL));
        machine_push(s, machine_unary(c, v));
        return NULL;
    default:
        EZ_TRY(m->word(m->arg, c, &v));
        machine_push(s, v);
        return NULL;
    }
}

/* Compares the imm bytes at `from` with the data behind c, as the runtime does. */
static ez_err *machine_same(const struct ez_machine *m, const struct ez_code_op *c, uint64_t from,
                            uint64_t *out)
{
    const uint8_t *want = (const uint8_t *)(c + 1);
    *out = 1;
    for (uint32_t i = 0; *out && i < (uint32_t)c->imm && i < 8u * c->b; i++) {
        uint8_t byte;
        EZ_TRY(m->read(m->arg, from + i, &byte, 1));
        *out = byte == want[i];
    }
    return NULL;
}

static ez_err *machine_length(const struct ez_machine *m, const struct ez_code_op *c, uint64_t from,
                              uint64_t *out)
{
    for (*out = 0; *out < (uint16_t)c->imm; ++*out) {
        uint8_t byte;
        EZ_TRY(m->read(m->arg, from + *out, &byte, 1));
        if (!byte)
            return NULL;
    }
    return ez_machine_only_in_hit(); /* the shell itself evaluates $_strlen() */
}

ez_err *ez_machine_run(const struct ez_machine *m, const struct ez_code_op *op, size_t n,
                       uint64_t *result)
{
    struct machine_stack s = { .n = 0 };
    uint64_t v;
    for (size_t i = 0; i < n; i++) {
        const struct ez_code_op *c = &op[i];
        if (c->op == EZ_OP_END)
            break;
        if (c->op == EZ_OP_WIDE) {
            if (++i < n) {
                memcpy(&v, &op[i], sizeof v);
                machine_push(&s, v);
            }
        } else if (c->op == EZ_OP_SAME) {
            if (c->b > n - 1 - i)
                break;
            EZ_TRY(machine_same(m, c, machine_pop(&s), &v));
            machine_push(&s, v);
            i += c->b;
        } else if (c->op == EZ_OP_LENGTH) {
            EZ_TRY(machine_length(m, c, machine_pop(&s), &v));
            machine_push(&s, v);
        } else if (c->op == EZ_OP_JUMP) {
            i += (uint16_t)c->imm;
        } else if (c->op == EZ_OP_JZ || c->op == EZ_OP_JNZ) {
            if (!machine_pop(&s) == (c->op == EZ_OP_JZ))
                i += (uint16_t)c->imm;
        } else {
            EZ_TRY(machine_step(m, c, &s));
        }
    }
    *result = s.n ? machine_pop(&s) : 0;
    return NULL;
}
