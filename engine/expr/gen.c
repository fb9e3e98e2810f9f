/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen.c - generates code that puts values on the machine's stack (gen.h). On that stack, a number
 * is always extended to 64 bits, by its type.
 * Tests: tests/unit/rt/check_code.c, tests/procs/compiled.sh */
#include "engine/expr/gen.h"

#include <string.h>

void gen_op(struct gen *g, enum ez_opcode op, unsigned a, unsigned b, int64_t imm)
{
    struct ez_code_op c = { (uint8_t)op, (uint8_t)a, (uint16_t)b, (int32_t)imm };
    EZ_PUSH(&g->code->op, c);
}

void gen_const(struct gen *g, uint64_t v)
{
    if ((int64_t)v == (int32_t)v) {
        gen_op(g, EZ_OP_IMM, 0, 0, (int64_t)v);
        return;
    }
    struct ez_code_op c;
    memcpy(&c, &v, sizeof c);
    gen_op(g, EZ_OP_WIDE, 0, 0, 0);
    EZ_PUSH(&g->code->op, c);
}

ez_err *gen_no(const struct gen *g, const char *what, const struct ez_type *t)
{
    EZ_FREE char *text = ez_type_text(t);
    return ez_err_new(EZ_E_ARG, 0, "%s %s is not possible%s", what, text,
                      g->scope->held ? "" : " in a probe");
}

/* ---- places ---------------------------------------------------------------------------------- */

bool gen_has_no_address(const struct gen_operand *o)
{
    return o->kind == GEN_VALUE ||
           (o->kind == GEN_PLACE && (o->where.kind == EZ_AT_REGS || o->where.kind == EZ_AT_CONST ||
                                     o->where.kind == EZ_AT_X87 || o->where.kind == EZ_AT_NONE));
}

/* Returns whether the value must be read at the entry: its register or memory may be reused before
 * the exit, or it is the time of the entry. */
static bool gen_is_of_entry(const struct ez_where *w)
{
    return w->kind == EZ_AT_REGS || w->kind == EZ_AT_STACK || w->kind == EZ_AT_POINTED ||
           w->kind == EZ_AT_TICK;
}

/* Finds the number of the saved word that is word number `word` of place `w`, and adds it to the
 * saved words if necessary. Returns EZ_E_LIMIT if a call has no room for more words. */
static ez_err *gen_saved(struct gen *g, const struct ez_where *w, unsigned word, unsigned *out)
{
    for (*out = 0; *out < g->saved.n; ++*out)
        if (g->saved.at[*out].word == word && ez_where_same(&g->saved.at[*out].where, w))
            return NULL;
    if (g->saved.n == EZ_SAVED_WORDS)
        return ez_err_hint(
            ez_err_new(EZ_E_LIMIT, 0,
                       "Cannot keep so many values for the exit: there is room for %d "
                       "words of 8 bytes a call",
                       EZ_SAVED_WORDS),
            "Collect some of the values at the entry");
    EZ_PUSH(&g->saved, ((struct gen_saved){ *w, word }));
    return NULL;
}

/* Pushes the 8-byte word i of a place that is valid at this side (entry or exit). */
static void gen_word_here(struct gen *g, const struct ez_where *w, unsigned i)
{
    switch (w->kind) {
    case EZ_AT_CONST:
        gen_const(g, !i ? w->addr : i == 1 ? w->high : 0);
        break;
    case EZ_AT_TICK:
        gen_op(g, EZ_OP_TICK, 0, 0, 0);
        break;
    case EZ_AT_X87:
        gen_op(g, EZ_OP_X87, i / 2, i & 1, 0);
        break;
    case EZ_AT_STACK:
        gen_op(g, EZ_OP_ARG, 0, 0, w->offset + 8 * (int64_t)i);
        break;
    default:
        if (w->reg[i].stack)
            gen_op(g, EZ_OP_ARG, 0, 0, w->offset);
        else if (w->reg[i].vector)
            gen_op(g, EZ_OP_VEC, w->reg[i].number, w->reg[i].high, 0);
        else
            gen_op(g, EZ_OP_REG, w->reg[i].number, 64, 0);
    }
}

static ez_err *gen_nowhere(const struct ez_where *w)
{
    return w->gone ? ez_err_gdb(EZ_E_ARG, "%s", w->why)
                   : ez_err_new(EZ_E_ARG, 0, "The value is not known here: %s", w->why);
}

ez_err *gen_word(struct gen *g, const struct ez_where *w, unsigned i)
{
    unsigned saved;
    if (w->kind == EZ_AT_NONE && !g->types)
        return gen_nowhere(w);
    if (w->kind == EZ_AT_NONE) {
        gen_const(g, 0);
        return NULL;
    }
    if (w->kind == EZ_AT_REGS && i >= w->nregs)
        return ez_err_new(EZ_E_ARG, 0,
                          "The value is incomplete: the debug information describes the register "
                          "of only a part of the value");
    if (!g->at_exit || w->at_exit || !gen_is_of_entry(w)) {
        gen_word_here(g, w, i);
        return NULL;
    }
    EZ_TRY(gen_saved(g, w, i, &saved));
    gen_op(g, EZ_OP_SAVED, saved, 0, 0);
    return NULL;
}

void gen_add(struct gen *g, int64_t n)
{
    if (n == (int32_t)n && n)
        gen_op(g, EZ_OP_ADD, 0, EZ_CODE_IMM, n);
    if (n == (int32_t)n)
        return;
    gen_const(g, (uint64_t)n);
    gen_op(g, EZ_OP_ADD, 0, 0, 0);
}

ez_err *gen_address(struct gen *g, struct gen_operand *o)
{
    const struct ez_where *w = &o->where;
    if (o->bits)
        return ez_err_new(EZ_E_ARG, 0, "A bit-field has no address");
    if (o->kind == GEN_ADDRESS)
        return NULL;
    if (o->kind == GEN_VALUE)
        return ez_err_gdb(EZ_E_ARG, "Attempt to take address of value not located in memory.");
    if (w->kind == EZ_AT_NONE && !g->types)
        return gen_nowhere(w);
    if (w->kind == EZ_AT_NONE) {
        gen_const(g, 0);
        o->kind = GEN_ADDRESS;
        return NULL;
    }
    if (gen_has_no_address(o))
        return ez_err_gdb(EZ_E_ARG, "Attempt to take address of value not located in memory.");
    if (w->kind == EZ_AT_MEMORY) {
        gen_const(g, w->addr + o->offset);
    } else if (w->kind == EZ_AT_STACK) {
        gen_op(g, EZ_OP_FRAME, 0, 0, 0);
        gen_add(g, w->offset + (int64_t)o->offset);
    } else if (w->kind == EZ_AT_STACKED) {
        /* the word at that offset of the thread's stack is the value's address */
        struct ez_where word = *w;
        word.kind = EZ_AT_STACK;
        EZ_TRY(gen_word(g, &word, 0));
        gen_add(g, (int64_t)o->offset);
    } else { /* EZ_AT_POINTED, EZ_AT_RETURNED: the register contains the value's address */
        struct ez_where reg = *w;
        reg.kind = EZ_AT_REGS;
        reg.offset = 0;
        if (w->kind == EZ_AT_RETURNED)
            gen_word_here(g, &reg, 0);
        else
            EZ_TRY(gen_word(g, &reg, 0));
        gen_add(g, w->offset + (int64_t)o->offset);
    }
    o->kind = GEN_ADDRESS;
    return NULL;
}

/* Extracts `bits` bits, the first of which is bit number `bit`, from the word on the stack. */
static void gen_extract(struct gen *g, unsigned bit, unsigned bits, bool is_signed)
{
    if (bit)
        gen_op(g, EZ_OP_SHR, 0, EZ_CODE_IMM, bit);
    if (bits < 64)
        gen_op(g, EZ_OP_CUT, bits, is_signed, 0);
}

/* Puts a scalar on the stack whose place gen_word() can read. */
static ez_err *gen_load_word(struct gen *g, const struct gen_operand *o, const struct ez_type *t)
{
    unsigned bit = o->bit + 8 * (unsigned)(o->offset % 8);
    unsigned bits = o->bits ? o->bits : 8 * (unsigned)t->size;
    if (bit + bits > 64)
        return gen_no(g, "Reading", o->type);
    EZ_TRY(gen_word(g, &o->where, (unsigned)(o->offset / 8)));
    gen_extract(g, bit, bits, gen_is_signed(t));
    return NULL;
}

/* Replaces the address on the stack by the scalar at that address. */
static void gen_load_memory(struct gen *g, const struct gen_operand *o, const struct ez_type *t)
{
    unsigned bytes = (unsigned)t->size;
    if (o->bits)
        bytes = (o->bit + o->bits + 7) / 8;
    bytes = bytes <= 2 || bytes == 4 ? bytes : bytes == 3 ? 4 : 8;
    gen_op(g, EZ_OP_LOAD, bytes, !o->bits && gen_is_signed(t) && t->kind != EZ_TY_FLOAT, 0);
    if (o->bits)
        gen_extract(g, o->bit, o->bits, gen_is_signed(t));
}

ez_err *gen_load(struct gen *g, struct gen_operand *o)
{
    const struct ez_type *t = ez_type_strip(o->type);
    if (o->kind == GEN_VALUE)
        return NULL;
    /* the value of an array or function is its address */
    if (t->kind == EZ_TY_ARRAY || t->kind == EZ_TY_FUNC) {
        EZ_TRY(gen_address(g, o));
        o->kind = GEN_VALUE;
        o->type = ez_type_pointer_to(t->kind == EZ_TY_ARRAY ? t->to : t);
        return NULL;
    }
    if (t->symbol)
        return ez_err_gdb(EZ_E_ARG, "'%s' has unknown type; cast it to its declared type",
                          t->symbol);
    if (!ez_type_is_scalar(t) || !t->size || t->size > 8 || gen_is_strange_float(t) ||
        o->bit + o->bits > 64)
        return g->scope->number
                   ? ez_err_gdb(EZ_E_ARG,
                                "Argument to arithmetic operation not a number or boolean.")
                   : gen_no(g, "Computing with a value of type", o->type);
    if (o->kind == GEN_PLACE && gen_has_no_address(o)) {
        EZ_TRY(gen_load_word(g, o, t));
    } else if (o->kind == GEN_PLACE && o->where.kind == EZ_AT_STACK && g->at_exit) {
        EZ_TRY(gen_load_word(g, o, t)); /* uses the value from the entry */
    } else {
        struct gen_operand whole = *o;
        whole.bits = 0; /* use the address of the bytes around a bit-field */
        EZ_TRY(gen_address(g, &whole));
        gen_load_memory(g, o, t);
    }
    if (t->kind == EZ_TY_FLOAT && t->size == 4)
        gen_op(g, EZ_OP_OF_FLOAT, 0, 0, 0);
    o->kind = GEN_VALUE;
    o->bits = 0;
    return NULL;
}

void gen_part(struct gen *g, struct gen_operand *o, uint64_t offset, const struct ez_type *type)
{
    if (o->kind == GEN_ADDRESS)
        gen_add(g, (int64_t)offset);
    else
        o->offset += offset;
    o->type = type;
}

ez_err *gen_run(struct gen *g, ez_err *(*by)(void *arg, const struct gen_wide *w, uint64_t *out),
                size_t begin, const struct gen_operand *o, uint64_t *out)
{
    const struct gen_wide w = { .code = g->code->op.at,
                                .n = 1,
                                .of = { { begin, g->code->op.n, *o } } };
    return by(g->scope->arg, &w, out);
}

/* ---- pointers and references ----------------------------------------------------------------- */

ez_err *gen_pointed(struct gen *g, struct gen_operand *o)
{
    EZ_TRY(gen_load(g, o));
    const struct ez_type *t = ez_type_strip(o->type);
    if (g->scope->held && t->kind == EZ_TY_INT) { /* As in gdb, *0x1000 has type long. */
        o->kind = GEN_ADDRESS;
        o->type = ez_type_int(8, true);
        return NULL;
    }
    if (t->kind == EZ_TY_MEMBER)
        return ez_err_gdb(EZ_E_ARG, "Attempt to dereference pointer to member without an object");
    if (t->kind != EZ_TY_POINTER && t->kind != EZ_TY_REFERENCE)
        return ez_err_hint(ez_err_gdb(EZ_E_ARG, "Attempt to take contents of a non-pointer value."),
                           "Cast the value to a pointer, for example *(char **)$arg0");
    if (ez_type_strip(t->to)->kind == EZ_TY_VOID)
        return ez_err_gdb(EZ_E_ARG, "Attempt to take contents of a non-pointer value.");
    o->kind = GEN_ADDRESS;
    o->type = t->to;
    return NULL;
}

ez_err *gen_referred(struct gen *g, struct gen_operand *o)
{
    return ez_type_strip(o->type)->kind == EZ_TY_REFERENCE ? gen_pointed(g, o) : NULL;
}

ez_err *gen_place_of(struct gen *g, size_t begin, struct gen_operand *o, struct ez_named *out)
{
    *out = (struct ez_named){ .type = o->type, .where = { .kind = EZ_AT_MEMORY } };
    EZ_TRY(gen_address(g, o));
    EZ_TRY(gen_run(g, g->scope->address, begin, o, &out->where.addr));
    g->code->op.n = begin;
    return NULL;
}

ez_err *gen_shape(struct gen *g, size_t begin, struct gen_operand *o)
{
    const struct ez_type *t = ez_type_strip(o->type);
    struct ez_named n;
    if (t->kind != EZ_TY_ARRAY || !t->is_dynamic || !g->scope->shape || gen_has_no_address(o))
        return NULL;
    EZ_TRY(gen_place_of(g, begin, o, &n));
    g->scope->shape(g->scope->arg, &n);
    *o = gen_of_named(&n);
    return NULL;
}
