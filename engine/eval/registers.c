/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registers.c - registers of the frame: general ones, their parts, vector registers.
 * Tests: tests/procs/print.sh, tests/procs/regs.sh */
#include <string.h>

#include "engine/eval/eval_priv.h"
#include "engine/inferior/inferior.h"
#include "engine/inferior/thread.h"
#include "engine/target.h"

static const struct ez_reg_desc *register_find(const struct ez_reg_desc *list, size_t n,
                                               const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(list[i].name, name))
            return &list[i];
    return NULL;
}

const struct ez_reg_desc *register_named(const struct eval *ev, const char *name)
{
    const struct ez_arch *a = ev->t->inf.arch;
    if (!strcmp(name, "sp") && a->abi.convention)
        name = a->abi.convention->name[a->abi.convention->sp];
    if (!strcmp(name, "fp") && a->abi.convention)
        name = a->abi.convention->name[a->abi.convention->fp];
    /* ps: gdb's name for the flags register */
    bool pc = !strcmp(name, "pc"), ps = !strcmp(name, "ps");
    for (size_t i = 0; (pc || ps) && i < a->regs.n; i++)
        if (pc ? a->regs.desc[i].as == EZ_REG_CODE : a->regs.desc[i].flags != NULL)
            return &a->regs.desc[i];
    const struct ez_reg_desc *d = register_find(a->regs.desc, a->regs.n, name);
    return d ? d : register_find(a->regs.parts, a->regs.nparts, name);
}

const struct ez_reg_desc *register_numbered(unsigned dwarf)
{
    const struct ez_arch *a = ez_arch_host();
    const struct ez_convention *by = a->abi.convention;
    return by && dwarf < by->nnames ? register_find(a->regs.desc, a->regs.n, by->name[dwarf])
                                    : NULL;
}

const char *ez_value_register(const struct ez_value *value)
{
    return value->lval == EZ_L_REGISTER && value->reg ? value->reg->name : NULL;
}

const char *ez_pc_name(void)
{
    const struct ez_arch *a = ez_arch_host();
    for (size_t i = 0; i < a->regs.n; i++)
        if (a->regs.desc[i].as == EZ_REG_CODE)
            return a->regs.desc[i].name;
    return "pc";
}

static const struct ez_type register_byte = {
    .kind = EZ_TY_INT, .size = 1, .is_signed = true, .name = "int8_t"
};

static const struct ez_type *register_type(const struct ez_reg_desc *d)
{
    static const struct ez_type nothing = { .kind = EZ_TY_VOID, .name = "void" };
    static const struct ez_type code = { .kind = EZ_TY_FUNC, .to = &nothing };
    if (d->as != EZ_REG_INT)
        return ez_type_pointer_to(d->as == EZ_REG_CODE ? &code : &nothing);
    return d->size == 1 ? &register_byte : ez_type_int(d->size, true);
}

/* ---- vector registers ----------------------------------------------------------------------- */

ez_err *register_need(struct eval *ev)
{
    if (!ev->regs && ev->t->inf.state != EZ_NONE)
        EZ_TRY(ez_need_readable(ev->t));
    return ev->regs ? NULL : ez_err_gdb(EZ_E_STATE, "The program has no registers now.");
}

ez_err *register_extended(struct eval *ev, size_t at, const uint8_t **out)
{
    EZ_TRY(register_need(ev));
    if (!ev->extended) {
        size_t n = EZ_EXTENDED_MOST;
        ev->extended = ez_alloc(n);
        EZ_TRY(ez_thread_extended(ev->t, ez_thread_current(ev->t), ev->extended, &n));
        ev->nextended = n;
    }
    if (at + 16 > ev->nextended)
        return ez_err_new(EZ_E_STATE, 0,
                          "The kernel does not provide these floating-point or vector registers");
    *out = ev->extended + at;
    return NULL;
}

ez_err *register_vector(struct eval *ev, unsigned number, const uint8_t **out)
{
    const struct ez_arch *a = ev->t->inf.arch;
    if (!a->regs.extended_vector)
        return ez_err_new(EZ_E_STATE, 0,
                          "eztsh does not support vector registers on this processor");
    return register_extended(ev, a->regs.extended_vector + 16ul * number, out);
}

/* Returns the union type that vector registers have in gdb, without v8_bfloat16. */
static const struct ez_type *register_vector_type(void)
{
    static const struct {
        const char *name, *type;
        unsigned n;
    } part[] = { { "v4_float", "float", 4 },
                 { "v2_double", "double", 2 },
                 { "v16_int8", "", 16 },
                 { "v8_int16", "short", 8 },
                 { "v4_int32", "int", 4 },
                 { "v2_int64", "long", 2 },
                 { "uint128", "unsigned __int128", 0 } };
    static struct ez_field field[EZ_ARRAY_LEN(part)];
    static struct ez_type t = { .kind = EZ_TY_UNION, .name = "vec128", .size = 16 };
    for (size_t i = 0; i < EZ_ARRAY_LEN(part) && !t.field; i++) {
        const struct ez_type *of = *part[i].type ? ez_type_base(part[i].type) : &register_byte;
        field[i] = (struct ez_field){ .name = part[i].name,
                                      .type = part[i].n ? ez_type_array_of(of, part[i].n) : of };
    }
    t.field = field;
    t.nfields = EZ_ARRAY_LEN(field);
    return &t;
}

/* Reads the number N in a name "prefixN". Returns false if there is no number below `below`. */
static bool register_counted(const char *name, const char *prefix, unsigned below, unsigned *out)
{
    size_t n = strlen(prefix);
    if (strncmp(name, prefix, n) || !name[n] ||
        strspn(name + n, "0123456789") != strlen(name + n) || strlen(name + n) > 2)
        return false;
    *out = (unsigned)strtoul(name + n, NULL, 10);
    return *out < below;
}

/* Finds a control register of the floating-point unit, which can be shown but not assigned to. */
static bool register_control(struct eval *ev, const char *name, struct ez_value *out, ez_err **e)
{
    const struct ez_arch *a = ev->t->inf.arch;
    const struct ez_reg_desc *d = register_find(a->regs.extended, a->regs.nextended, name);
    const uint8_t *bytes = NULL;
    if (!d)
        return false;
    *e = register_extended(ev, d->offset, &bytes);
    if (*e)
        return true;
    uint64_t v = 0;
    memcpy(&v, bytes, d->size);
    *out = value_made(ez_type_int(4, true), &v, 4);
    out->reg = d;
    return true;
}

/* marks values of vector and x87 registers (ez_value.reg) */
static const struct ez_reg_desc register_wide_register = { .name = "", .size = 16 };

static bool register_wide(struct eval *ev, const char *name, struct ez_value *out, ez_err **e)
{
    const struct ez_arch *a = ev->t->inf.arch;
    const struct ez_convention *by = a->abi.convention;
    const uint8_t *bytes = NULL;
    unsigned i;
    bool vector =
        by && a->regs.extended_vector && register_counted(name, by->vector, by->nvectors, &i);
    if (!vector && !(a->regs.extended_stack && register_counted(name, "st", 8, &i)))
        return false;
    *e = register_extended(
        ev, (vector ? a->regs.extended_vector : a->regs.extended_stack) + 16ul * i, &bytes);
    if (!*e)
        *out = value_made(vector ? register_vector_type() : ez_type_base("long double"), bytes, 16);
    if (!*e)
        out->reg = &register_wide_register;
    return true;
}

bool register_value(struct eval *ev, const char *name, struct ez_value *out, ez_err **e)
{
    const struct ez_reg_desc *d = register_named(ev, name);
    if (!d)
        return register_control(ev, name, out, e) || register_wide(ev, name, out, e);
    *e = register_need(ev);
    if (*e)
        return true;
    uint64_t v = ez_reg_get(ev->regs, d);
    *out = value_made(register_type(d), &v, d->size);
    out->lval = EZ_L_REGISTER;
    out->reg = d;
    return true;
}
