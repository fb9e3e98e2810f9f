/* SPDX-License-Identifier: GPL-3.0-or-later */
/* passed.c - computes DW_OP_entry_value: the value that a register had at the function's entry.
 *
 * The caller's debug information describes each call and the values that the call passes, if the
 * caller can still compute them: from a constant, a variable on the stack, or a saved register. As
 * in gdb, the description is used only if the call is a call of this function, because the function
 * that was called may have left by a tail call, and if no tail call leads from the function back to
 * itself, because the registers at its last entry would then be those of the tail call.
 *
 * Tests: tests/procs/bt.sh, tests/procs/inlined.sh, tests/procs/calls.sh */
#include <dwarf.h>

#include "engine/dwarf/dwarf.h"
#include "engine/eval/eval_priv.h"
#include "engine/inferior/inferior.h"
#include "engine/target.h"
#include "engine/inferior/modules.h"

#define CALLERS_MOST 64 /* limit of nested values that come from a caller's own caller */

/* Returns whether exactly one loaded file defines the function `name`, at the address `function`.
 * If several files define it, a preloaded one may pass the call on by a tail call with other
 * arguments. */
static bool passed_only(struct eval *ev, const char *name, uint64_t function)
{
    size_t n = 0;
    bool is = false;
    for (size_t i = 0; i < ev->t->inf.module.n; i++) {
        const struct ez_module *m = ev->t->inf.module.at[i];
        uint64_t at = m->obj ? ez_symbol_addr(ev->t, m, name) : 0;
        n += at != 0;
        is |= at == function;
    }
    return is && n == 1;
}

/* Returns whether the call site calls the function that begins at `function`. ev: the evaluation in
 * the caller's frame. */
static bool passed_calls(struct eval *ev, const struct ez_dwarf_site *site, uint64_t function)
{
    uint64_t to = 0;
    if (site->callee)
        return site->callee + ev->here.bias == function;
    if (site->name && *site->name)
        return passed_only(ev, site->name, function);
    return place_number(ev, &site->base, &site->target, &to) && to == function;
}

static bool passed_by(struct eval *ev, const struct ez_stack_frame *caller, uint64_t function,
                      uint64_t dwarf, uint64_t *out)
{
    struct eval up = { .v = ev->v,
                       .t = ev->t,
                       .callers = ev->callers + 1,
                       .steps = ev->steps,
                       .regs = caller->regs,
                       .pc = caller->pc,
                       .look = caller->pc - 1 };
    struct ez_dwarf_site site = { .callee = 0 };
    uint64_t off;
    const char *why;
    ez_symbolize(ev->t, ez_addr_of(up.look), &off, &up.here);
    struct ez_dwarf *d = up.here.obj ? ez_dwarf_of(up.here.obj, &why) : NULL;
    bool known = d && ez_dwarf_site(d, caller->pc - up.here.bias, dwarf, &site) &&
                 passed_calls(&up, &site, function) &&
                 place_number(&up, &site.base, &site.value, out) && !held_is_pointed(*out);
    ev->steps = up.steps;
    ez_dwarf_site_free(&site);
    held_end(&up);
    free(up.extended);
    step_end(&up);
    return known;
}

static struct ez_dwarf *passed_dwarf(const struct eval *ev)
{
    const char *why;
    return ev->here.obj && ev->regs ? ez_dwarf_of(ev->here.obj, &why) : NULL;
}

bool passed_register(struct eval *ev, uint64_t dwarf, uint64_t *out)
{
    struct ez_stack_frame caller;
    uint64_t begin;
    bool tails;
    struct ez_dwarf *d = passed_dwarf(ev);
    if (!d || ev->callers == CALLERS_MOST || ++ev->steps > EVAL_STEPS ||
        step_is_last(ev, ev->look) ||
        !ez_dwarf_entry(d, ev->look - ev->here.bias, &begin, &tails) || tails ||
        !step_caller(ev, &caller))
        return false;
    bool known = passed_by(ev, &caller, begin + ev->here.bias, dwarf, out);
    free(caller.regs);
    return known;
}

/* Finds the register in which a parameter is passed, which is its place at the function's first
 * instruction. */
static bool passed_where(struct ez_dwarf *d, uint64_t begin, const char *name, uint64_t *reg,
                         const struct ez_type **type)
{
    struct ez_dwarf_local l;
    bool known = ez_dwarf_local(d, begin, 0, DWARF_WHICH_PARAMETER, name, &l) && l.at.op.n == 1;
    uint64_t atom = known ? l.at.op.at[0].atom : 0;
    *reg = atom == DW_OP_regx ? l.at.op.at[0].a : atom - DW_OP_reg0;
    *type = l.type;
    ez_dwarf_local_free(&l);
    return known && (atom == DW_OP_regx || (atom >= DW_OP_reg0 && atom <= DW_OP_reg31));
}

bool passed_value(struct eval *ev, const char *name, struct ez_value *out)
{
    struct ez_dwarf *d = ev->inlined ? NULL : passed_dwarf(ev);
    const struct ez_type *type;
    uint64_t begin, reg, v;
    bool tails;
    if (!d || !ez_dwarf_entry(d, ev->look - ev->here.bias, &begin, &tails) ||
        !passed_where(d, begin, name, &reg, &type))
        return false;
    const struct ez_type *t = ez_type_strip(type);
    if (t->kind == EZ_TY_REFERENCE || !t->size || t->size > sizeof v ||
        !passed_register(ev, reg, &v))
        return false;
    *out = value_made(type, &v, t->size);
    return true;
}
