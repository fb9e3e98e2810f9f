/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_stap.c - $_probe_argc and $_probe_arg0 to $_probe_arg11, the arguments of a USDT probe (gen.h).
 *
 * The probe's note has an operand for each argument, in the assembler's syntax. The operand is valid
 * only at the probe's place. Types are as in gdb: an integer of the operand's size.
 * Tests: tests/procs/usdt.sh */
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "engine/expr/gen.h"
#include "engine/sym/sym.h"

/* Returns gdb's type of an integer argument. A value of 1 byte is a number, not a character. */
static const struct ez_type *stap_integer(unsigned bytes, bool is_signed)
{
#define STAP_INTEGER(n, sign, text)                                                                \
    {                                                                                              \
        .kind = EZ_TY_INT, .size = n, .is_signed = sign, .name = text                              \
    }
    static const struct ez_type all[] = {
        STAP_INTEGER(1, false, "uint8_t"),  STAP_INTEGER(1, true, "int8_t"),
        STAP_INTEGER(2, false, "uint16_t"), STAP_INTEGER(2, true, "int16_t"),
        STAP_INTEGER(4, false, "uint32_t"), STAP_INTEGER(4, true, "int32_t"),
        STAP_INTEGER(8, false, "uint64_t"), STAP_INTEGER(8, true, "int64_t"),
    };
#undef STAP_INTEGER
    for (size_t i = 0; i < EZ_ARRAY_LEN(all); i++)
        if (all[i].size == bytes && all[i].is_signed == is_signed)
            return &all[i];
    return ez_type_int(bytes, is_signed);
}

static void stap_keep_symbol(const struct ez_sym *s, void *arg)
{
    const struct ez_sym **found = arg;
    if (!*found || s->kind == EZ_SYM_DATA)
        *found = s;
}

/* Adds the address of the symbol of argument i's operand, which the file of the probe must define, to
 * *number. */
static ez_err *stap_add_symbol(const struct ez_scope_stap *in, unsigned i,
                               const struct ez_operand *o, uint64_t *number)
{
    const struct ez_sym *s = NULL;
    if (!o->symbol)
        return NULL;
    EZ_FREE char *name = ez_strndup(o->symbol, o->symbol_len);
    ez_object_find_name(in->obj, name, stap_keep_symbol, &s);
    if (!s)
        return ez_err_new(EZ_E_NOTFOUND, 0, "Cannot read $_probe_arg%u: %s has no symbol \"%s\"", i,
                          ez_object_base(in->obj), name);
    *number += s->vaddr + in->bias;
    return NULL;
}

static void gen_stap_register(struct gen *g, const struct ez_operand *o, unsigned bits,
                              bool is_signed)
{
    /* 16 bits: the assembler's name of the register may be shorter than the value */
    const unsigned own = o->bits == 16 ? bits : EZ_MIN(bits, o->bits);
    gen_op(g, EZ_OP_REG, o->reg, o->bit ? 64 : own, o->bit ? 0 : is_signed);
    if (!o->bit)
        return;
    gen_op(g, EZ_OP_SHR, 0, EZ_CODE_IMM, o->bit);
    gen_op(g, EZ_OP_CUT, own, is_signed, 0);
}

/* Puts the operand's address on the stack. number: its constant part. */
static void gen_stap_address(struct gen *g, const struct ez_operand *o, uint64_t number)
{
    if (o->index >= 0) {
        gen_op(g, EZ_OP_REG, (unsigned)o->index, 64, 0);
        gen_op(g, EZ_OP_SHL, 0, EZ_CODE_IMM, o->shift);
    }
    if (o->base >= 0)
        gen_op(g, EZ_OP_REG, (unsigned)o->base, 64, 0);
    if (o->index >= 0 && o->base >= 0)
        gen_op(g, EZ_OP_ADD, 0, 0, 0);
    if (o->index >= 0 || o->base >= 0)
        gen_add(g, (int64_t)number);
    else
        gen_const(g, number);
}

static bool stap_parse(const struct ez_stap_argument *a, struct ez_operand *out)
{
    bool (*const parse)(const char *, size_t, struct ez_operand *) = ez_arch_host()->abi.operand;
    return a->bytes && parse && parse(a->operand, a->len, out) &&
           (out->kind != EZ_OPERAND_VECTOR || a->is_float);
}

ez_err *gen_stap_argument(struct gen *g, unsigned i, struct gen_operand *out)
{
    struct ez_stap_argument a;
    struct ez_operand o;
    const unsigned n = ez_stap_argument(g->scope->stap->note, i, &a);
    if (i >= n)
        return ez_err_gdb(EZ_E_ARG, "Invalid probe argument %u -- probe has %u arguments available",
                          i, n);
    if (!stap_parse(&a, &o))
        return ez_err_hint(ez_err_new(EZ_E_ARG, 0,
                                      "Cannot read $_probe_arg%u: the operand \"%.*s\" is not "
                                      "supported",
                                      i, (int)a.len, a.operand),
                           "\"info probes stap -args\" shows the operands");
    uint64_t number = o.number;
    EZ_TRY(stap_add_symbol(g->scope->stap, i, &o, &number));
    *out = gen_value(a.is_float ? ez_type_base(a.bytes == 4 ? "float" : "double")
                                : stap_integer(a.bytes, a.is_signed));
    switch (o.kind) {
    case EZ_OPERAND_CONSTANT:
        gen_const(g, ez_cut(number, 8 * a.bytes, a.is_signed));
        break;
    case EZ_OPERAND_REGISTER:
        gen_stap_register(g, &o, 8 * a.bytes, a.is_signed);
        break;
    case EZ_OPERAND_VECTOR:
        out->kind = GEN_PLACE;
        out->where = (struct ez_where){ .kind = EZ_AT_REGS, .nregs = 1 };
        out->where.reg[0].vector = true;
        out->where.reg[0].number = o.reg;
        break;
    case EZ_OPERAND_MEMORY:
        gen_stap_address(g, &o, number);
        out->kind = GEN_ADDRESS;
    }
    return NULL;
}

unsigned gen_stap_count(const struct gen *g)
{
    struct ez_stap_argument a;
    return ez_stap_argument(g->scope->stap->note, 0, &a);
}

ez_err *gen_stap(struct gen *g, const char *name, struct gen_operand *out, bool *is)
{
    static const char prefix[] = "$_probe_arg";
    const char *rest = name + sizeof prefix - 1;
    char *end = NULL;
    *is = !strncmp(name, prefix, sizeof prefix - 1) && *rest;
    unsigned long i = *is ? strtoul(rest, &end, 10) : 0;
    bool count = *is && !strcmp(rest, "c");
    *is = count || (*is && !*end && i < EZ_STAP_ARGUMENTS);
    if (*is && !g->scope->stap)
        return ez_err_new(EZ_E_ARG, 0, "There is no USDT probe here, so %s is not known", name);
    if (count) {
        gen_const(g, gen_stap_count(g));
        *out = gen_value(ez_type_int(4, true));
    }
    return *is && !count ? gen_stap_argument(g, (unsigned)i, out) : NULL;
}
