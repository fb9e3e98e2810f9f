/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assign.c - puts a value into a convenience variable, a register, or memory of the stopped
 * target.
 * Tests: tests/unit/eval/check_eval.c, tests/procs/print.sh */
#include <string.h>

#include "engine/eval/eval_priv.h"
#include "engine/process/session.h"
#include "engine/target.h"
#include "engine/inferior/thread.h"

static ez_err *assign_register(struct eval *ev, const struct ez_value *to)
{
    struct ez_thread *th = ez_thread_current(ev->t);
    struct ez_regs r = *ev->regs;
    if (!ez_target_live(ev->t))
        return ez_err_gdb(EZ_E_STATE, "You can't do that without a process to debug.");
    if (ev->at_stop)
        return ez_err_new(EZ_E_STATE, 0,
                          "Registers cannot be changed while the thread is stopped inside a probe");
    if (!ez_frame_own(ev->t))
        return ez_err_hint(
            ez_err_new(EZ_E_STATE, 0, "Registers of a caller's frame cannot be changed"),
            "\"frame 0\" selects the innermost frame, whose registers can be changed");
    memcpy((char *)r.word + to->reg->offset, to->byte, EZ_MIN(to->n, (size_t)to->reg->size));
    return ez_thread_set_regs(th, &r);
}

static ez_err *assign_memory(struct eval *ev, const struct ez_value *to)
{
    unsigned __int128 around = 0, mask;
    size_t n = value_bits_bytes(to->bit, to->bits);
    if (!to->bits)
        return ez_write(ev->t, ez_addr_of(to->addr), to->byte, to->n);
    EZ_TRY(eval_read(ev, to->addr, &around, n));
    mask = (((unsigned __int128)1 << to->bits) - 1) << to->bit;
    around = (around & ~mask) | ((unsigned __int128)value_word(to->byte, to->n) << to->bit & mask);
    return ez_write(ev->t, ez_addr_of(to->addr), &around, n);
}

/* Truncates the value to the width of its bit-field. */
static void assign_cut(struct ez_value *v)
{
    const struct ez_type *t = ez_type_strip(v->type);
    if (!v->bits)
        return;
    uint64_t low = value_bits(v->byte, 0, v->bits, t->is_signed);
    memset(v->byte, t->is_signed && (int64_t)low < 0 ? 0xff : 0, v->n);
    memcpy(v->byte, &low, EZ_MIN(v->n, sizeof low));
}

ez_err *assign_to(struct eval *ev, const struct ez_value *to, const struct ez_value *value,
                  struct ez_value *out)
{
    if (to->lval == EZ_L_NONE || !to->n)
        return ez_err_gdb(EZ_E_ARG, "Left operand of assignment is not an lvalue.");
    EZ_TRY(value_whole(value));
    EZ_TRY(held_check(value));
    if (!(ev->scope.is_fortran && fortran_as(value, to, out)))
        EZ_TRY(eval_convert(ev, value, to->type, out));
    out->lval = to->lval, out->addr = to->addr, out->reg = to->reg;
    out->bit = to->bit, out->bits = to->bits;
    assign_cut(out);
    ez_err *e = to->lval == EZ_L_REGISTER ? assign_register(ev, out) : assign_memory(ev, out);
    if (e)
        ez_value_clear(out);
    return e;
}

bool assign_is_convenience(struct eval *ev, const struct ez_expr *x)
{
    struct ez_value v;
    ez_err *e = NULL;
    const char *name = x->kind == EZ_X_VAR ? x->text + 1 : "";
    if (!*name || *name == '$' || (*name >= '0' && *name <= '9'))
        return false;
    if (register_named(ev, name) || history_old(ev->v, name, &v, &e))
        return false;
    return true;
}

void assign_convenience(struct eval *ev, const char *name, const struct ez_value *value,
                        struct ez_value *out)
{
    struct ez_value own;
    history_copy(value, &own);
    own.lval = EZ_L_NONE; /* assignment goes to the variable, not to the source of the copy */
    own.bits = 0;
    history_copy(&own, out);
    history_put(ev->v, name, &own);
}
