/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.c - runs the code of an expression in the shell, and makes values of the words that it leaves
 * on its stack.
 * Tests: tests/unit/eval/check_eval.c, tests/procs/print.sh */
#include "engine/eval/eval_priv.h"

#include <string.h>

#include "engine/expr/gen.h"
#include "engine/expr/machine.h"

/* ---- values ---------------------------------------------------------------------------------- */

static ez_err *run_code(struct eval *ev, struct gen *g, uint64_t *out)
{
    const struct ez_machine m = {
        .arg = ev, .read = eval_read, .word = frame_pushed, .numbers = held_numbers
    };
    struct ez_clause_code *c = g->code;
    if (c->op.n > EZ_CODE_MOST)
        return ez_err_new(EZ_E_LIMIT, 0, "The expression is too long");
    c->cond = (struct ez_code_at){ 0, (uint16_t)c->op.n };
    EZ_TRY(ez_clause_verify(c));
    ez_err *e = ez_machine_run(&m, c->op.at, c->op.n, out);
    c->op.n = 0;
    return e;
}

/* Makes a value of a word that the machine computed, in which floats are doubles, and integers are
 * extended to 8 bytes. */
static ez_err *run_word(struct eval *ev, const struct ez_type *type, uint64_t word,
                        struct ez_value *out)
{
    const struct ez_type *t = ez_type_strip(type);
    uint64_t offset;
    if (t->kind == EZ_TY_FLOAT && t->size == 4) {
        double d;
        memcpy(&d, &word, sizeof d);
        float f = (float)d;
        *out = value_made(type, &f, sizeof f);
        return NULL;
    }
    const struct eval_held *h = t->kind == EZ_TY_POINTER ? held_at(ev, word, &offset) : NULL;
    /* the array's elements are not contiguous */
    if (h && h->strides && ez_type_strip(t->to)->kind == EZ_TY_ARRAY)
        return ez_err_gdb(EZ_E_ARG, "Attempt to take address of value not located in memory.");
    if (h)
        EZ_TRY(held_real(ev, &word));
    else if (t->size == 8)
        EZ_TRY(held_number(ev, &word));
    *out = value_made(type, &word, EZ_MIN(t->size, (uint64_t)8));
    return NULL;
}

/* Makes a value of registers or a constant, each of which gives a word. */
static ez_err *run_registers(struct eval *ev, struct gen *g, const struct gen_operand *o,
                             struct ez_value *out)
{
    const struct ez_type *t = ez_type_load(ez_type_strip(o->type));
    size_t n = EZ_MIN(t->size, (uint64_t)32);
    uint64_t word[5] = { 0 };
    for (size_t i = 0; 8 * i < (o->offset % 8) + n && i < EZ_ARRAY_LEN(word); i++) {
        unsigned at = (unsigned)(o->offset / 8 + i);
        if (o->where.kind == EZ_AT_REGS && at >= EZ_MAX(1u, o->where.nregs))
            return ez_err_new(EZ_E_ARG, 0,
                              "The value is incomplete: the debug information describes the "
                              "register of only a part of the value");
        EZ_TRY(gen_word(g, &o->where, at));
        EZ_TRY(run_code(ev, g, &word[i]));
    }
    *out = value_made(o->type, (uint8_t *)word + o->offset % 8, n);
    if (o->where.kind == EZ_AT_REGS && !o->where.reg[0].vector && o->where.nregs == 1 &&
        !o->offset) {
        out->reg = register_numbered(o->where.reg[0].number);
        out->lval = out->reg ? EZ_L_REGISTER : EZ_L_NONE;
    }
    return NULL;
}

/* Returns the value of a bit-field, which is contained in `bytes`. */
static struct ez_value run_bits_of(const struct gen_operand *o, const void *bytes)
{
    const struct ez_type *t = ez_type_strip(o->type);
    uint64_t v = value_bits(bytes, o->bit, o->bits, t->is_signed);
    const uint64_t word[2] = { v, t->is_signed && (int64_t)v < 0 ? UINT64_MAX : 0 };
    struct ez_value value = value_made(o->type, word, EZ_MIN(t->size, (uint64_t)sizeof word));
    value.bit = o->bit;
    value.bits = o->bits;
    return value;
}

static ez_err *run_bits(struct eval *ev, const struct gen_operand *o, uint64_t at,
                        struct ez_value *out)
{
    uint8_t around[16] = { 0 };
    EZ_TRY(eval_read(ev, at, around, value_bits_bytes(o->bit, o->bits)));
    *out = run_bits_of(o, around);
    return NULL;
}

static struct ez_value run_gone(const struct ez_type *t)
{
    return (struct ez_value){ .type = t, .gone = true, .byte = ez_alloc(1) };
}

/* Makes a value of n bytes at `at` if they are in a held value and some of them are optimized out.
 * Returns false, and makes nothing, in all other cases. */
static bool run_part(const struct eval *ev, const struct gen_operand *o, uint64_t at, size_t n,
                     struct ez_value *out)
{
    uint64_t offset;
    const struct eval_held *h = held_at(ev, at, &offset);
    size_t read = o->bits ? value_bits_bytes(o->bit, o->bits) : n;
    if (!h || !h->lost || offset > h->n || read > h->n - offset ||
        value_lost(h->lost + offset, read) == VALUE_THERE)
        return false;
    const uint8_t *byte = h->byte + offset, *lost = h->lost + offset;
    *out = !o->bits                                 ? value_partly(o->type, byte, lost, n)
           : value_bits_lost(lost, o->bit, o->bits) ? run_gone(o->type)
                                                    : run_bits_of(o, byte);
    return true;
}

static ez_err *run_memory(struct eval *ev, struct gen *g, struct gen_operand *o,
                          struct ez_value *out)
{
    const struct ez_type *t = ez_type_load(ez_type_strip(o->type));
    struct gen_operand whole = *o;
    uint64_t at, real, offset;
    whole.bits = 0;
    EZ_TRY(gen_address(g, &whole));
    EZ_TRY(run_code(ev, g, &at));
    uint64_t n = t->kind == EZ_TY_FUNC || t->symbol || t->size == UINT64_MAX ? 0 : t->size;
    if (n > EVAL_LARGEST)
        return ez_err_new(EZ_E_LIMIT, 0,
                          "Value requires %llu bytes, which is more than can be shown at once (%u)",
                          (unsigned long long)n, EVAL_LARGEST);
    if (run_part(ev, o, at, n, out))
        return NULL;
    if (o->bits) {
        EZ_TRY(run_bits(ev, o, at, out));
    } else {
        EZ_FREE uint8_t *bytes = ez_alloc(n + 1);
        if (n)
            EZ_TRY(eval_read(ev, at, bytes, n));
        *out = value_made(o->type, bytes, n);
    }
    const struct eval_held *h = held_at(ev, at, &offset);
    real = at;
    if (h && !held_is_copy(h, n))
        return NULL;
    ez_err_drop(held_real(ev, &real));
    out->lval = EZ_L_MEMORY;
    out->addr = real;
    return NULL;
}

ez_err *run_operand(struct eval *ev, struct gen *g, struct gen_operand *o, struct ez_value *out)
{
    const struct ez_type *t = ez_type_strip(o->type);
    uint64_t word;
    if (o->kind == GEN_PLACE && o->where.kind == EZ_AT_NONE) {
        if (!o->where.gone)
            return ez_err_new(EZ_E_NOTFOUND, 0, "The value is not known here: %s", o->where.why);
        *out = run_gone(o->type);
        return NULL;
    }
    if (t->kind == EZ_TY_VOID) {
        *out = value_made(o->type, NULL, 0);
        return NULL;
    }
    if (o->kind == GEN_VALUE) {
        EZ_TRY(run_code(ev, g, &word));
        return run_word(ev, o->type, word, out);
    }
    if (!gen_has_no_address(o))
        return run_memory(ev, g, o, out);
    if (!o->bits)
        return run_registers(ev, g, o, out);
    EZ_TRY(gen_load(g, o));
    EZ_TRY(run_code(ev, g, &word));
    return run_word(ev, o->type, word, out);
}

/* Runs the code of operand i of `w`. Sets *out to its value or, if `out` is NULL, *at to the word
 * that the code leaves. */
static ez_err *run_piece_as(struct eval *ev, const struct gen_wide *w, unsigned i,
                            struct ez_value *out, uint64_t *at)
{
    struct ez_clause_code code = { .words = 0 };
    struct gen g = { .code = &code, .scope = &ev->scope };
    struct gen_operand o = w->of[i].o;
    for (size_t k = w->of[i].from; k < w->of[i].to; k++)
        EZ_PUSH(&code.op, w->code[k]);
    ez_err *e = out ? run_operand(ev, &g, &o, out) : run_code(ev, &g, at);
    EZ_VEC_FREE(&code.op);
    return e;
}

ez_err *run_piece(struct eval *ev, const struct gen_wide *w, unsigned i, struct ez_value *out)
{
    return run_piece_as(ev, w, i, out, NULL);
}

ez_err *eval_address(void *arg, const struct gen_wide *w, uint64_t *out)
{
    return run_piece_as(arg, w, 0, NULL, out);
}

ez_err *eval_number(void *arg, const struct gen_wide *w, uint64_t *out)
{
    struct ez_value v;
    bool real;
    double d;
    EZ_TRY(run_piece(arg, w, 0, &v));
    ez_err *e = ez_value_number(&v, out, &real, &d);
    ez_value_clear(&v);
    return e;
}

ez_err *eval_referred(struct eval *ev, struct ez_value *v)
{
    struct ez_clause_code code = { .words = 0 };
    struct gen g = { .code = &code, .scope = &ev->scope };
    struct gen_operand o = { .kind = GEN_PLACE };
    struct ez_named n = { .type = v->type };
    const struct ez_type *by = ez_type_strip(v->type);
    if (by->kind != EZ_TY_REFERENCE || ev->types)
        return NULL;
    eval_hold(ev, v, &n);
    o.type = n.type;
    o.where = n.where;
    ez_value_clear(v);
    ez_err *e = gen_referred(&g, &o);
    if (!e)
        e = run_operand(ev, &g, &o, v);
    if (!e)
        v->by = by;
    EZ_VEC_FREE(&code.op);
    return e;
}

/* ---- conversions ----------------------------------------------------------------------------- */

ez_err *eval_class_address(struct eval *ev, const struct ez_type *class, const struct ez_type *to,
                           uint64_t *at)
{
    struct ez_clause_code code = { .words = 0 };
    struct gen g = { .code = &code, .scope = &ev->scope };
    bool related = false;
    gen_const(&g, *at);
    ez_err *e = gen_class_pointer(&g, ez_type_pointer_to(class), to, &related);
    if (!e && related)
        e = run_code(ev, &g, at);
    EZ_VEC_FREE(&code.op);
    return e;
}

ez_err *eval_convert(struct eval *ev, const struct ez_value *from, const struct ez_type *type,
                     struct ez_value *out)
{
    const struct ez_type *own = ez_type_strip(from->type);
    uint64_t first;
    if (own->kind == EZ_TY_ARRAY && ez_type_strip(type)->kind == EZ_TY_POINTER) {
        EZ_TRY(ez_value_place(ev->v, from, &first));
        *out = value_made(type, &first, sizeof first);
        return NULL;
    }
    EZ_TRY(value_convert(from, type, out));
    if (own->kind != EZ_TY_POINTER || ez_type_strip(type)->kind != EZ_TY_POINTER)
        return NULL;
    uint64_t at = value_word(out->byte, out->n);
    ez_err *e = eval_class_address(ev, own->to, type, &at);
    if (e)
        ez_value_clear(out);
    else
        memcpy(out->byte, &at, EZ_MIN(out->n, sizeof at));
    return e;
}
