/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assign.c - EXPR = EXPR: assigns to a convenience variable, a register, or memory of the stopped
 * target. */
#include <string.h>

#include "engine/eval/eval_priv.h"
#include "engine/process/session.h"
#include "engine/target.h"
#include "engine/inferior/thread.h"

static ez_err *assign_register(struct eval *ev, const struct ez_value *to)
{
    struct ez_thread *th = ez_thread_current(ev->t);
    struct ez_regs r = *ev->regs;
    if (ev->at_stop)
        return ez_err_new(EZ_E_STATE, 0,
                          "Registers cannot be written where a probe stopped the thread");
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

/* Truncates a value to what the bit-field can hold. */
static void assign_cut(struct ez_value *v)
{
    const struct ez_type *t = ez_type_strip(v->type);
    if (!v->bits)
        return;
    uint64_t low = value_bits(v->byte, 0, v->bits, t->is_signed);
    memset(v->byte, t->is_signed && (int64_t)low < 0 ? 0xff : 0, v->n);
    memcpy(v->byte, &low, EZ_MIN(v->n, sizeof low));
}

static ez_err *assign_place(struct eval *ev, const struct ez_expr *x, const struct ez_value *value,
                            struct ez_value *out)
{
    struct ez_value to;
    EZ_TRY(eval_tree(ev, x, &to));
    if (to.lval == EZ_L_NONE || !to.n) {
        ez_value_clear(&to);
        return ez_err_gdb(EZ_E_ARG, "Left operand of assignment is not an lvalue.");
    }
    ez_err *e = value_whole(value);
    if (!e)
        e = held_check(value);
    if (!e && !(ev->scope.is_fortran && fortran_as(value, &to, out)))
        e = eval_convert(ev, value, to.type, out);
    if (!e) {
        out->lval = to.lval, out->addr = to.addr, out->reg = to.reg;
        out->bit = to.bit, out->bits = to.bits;
        assign_cut(out);
        e = to.lval == EZ_L_REGISTER ? assign_register(ev, out) : assign_memory(ev, out);
        if (e)
            ez_value_clear(out);
    }
    ez_value_clear(&to);
    return e;
}

/* Returns whether the name is a convenience variable: it begins with a letter or an underscore, and
 * is no register. */
static bool assign_is_convenience(struct eval *ev, const struct ez_expr *x)
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

static ez_err *assign_value(struct eval *ev, const struct ez_expr *x, struct ez_value *out)
{
    if (!x->op)
        return eval_tree(ev, x->at.at[1], out);
    struct ez_expr both = { .kind = EZ_X_BINARY, .op = x->op };
    both.at.at = x->at.at;
    both.at.n = 2;
    return eval_tree(ev, &both, out);
}

/* Calls the C++ function for OBJECT += EXPR, ++OBJECT and similar. Sets *is to false if it is no
 * object. */
static ez_err *assign_object(struct eval *ev, const struct ez_expr *x, struct ez_value *out,
                             bool *is)
{
    const bool types = ev->types;
    struct ez_value v[2] = { { .type = NULL }, { .type = NULL } };
    ev->types = true;
    *is = ez_err_drop(eval_tree(ev, x->at.at[0], &v[0])) && eval_is_object(v[0].type);
    ev->types = types;
    ez_value_clear(&v[0]);
    if (!*is)
        return NULL;
    const char two[] = { (char)x->op, x->counts ? (char)x->op : '=', 0 },
               three[] = { (char)(x->op >> 8), (char)x->op, '=', 0 };
    EZ_TRY(eval_tree(ev, x->at.at[0], &v[0]));
    ez_err *e = eval_tree(ev, x->at.at[1], &v[1]);
    if (!e)
        e = method_operator(ev, x->op > 0xff ? three : two, v, x->counts && !x->after ? 1 : 2, out);
    if (!e)
        e = eval_referred(ev, out);
    ez_value_clear(&v[0]);
    ez_value_clear(&v[1]);
    return e;
}

ez_err *eval_assign(struct eval *ev, const struct ez_expr *x, struct ez_value *out)
{
    bool is = false;
    if (x->op && ev->scope.is_cxx && x->at.at[0]->kind != EZ_X_VAR)
        EZ_TRY(assign_object(ev, x, out, &is));
    if (is)
        return NULL;
    struct ez_value value, was = { .type = NULL };
    if (x->after)
        EZ_TRY(eval_tree(ev, x->at.at[0], &was));
    ez_err *e = assign_value(ev, x, &value);
    if (e) {
        ez_value_clear(&was);
        return e;
    }
    if (assign_is_convenience(ev, x->at.at[0])) {
        struct ez_value own;
        history_copy(&value, &own);
        own.lval = EZ_L_NONE; /* assignment goes to the variable, not to the source of the copy */
        own.bits = 0;
        history_copy(&own, out);
        history_put(ev->v, x->at.at[0]->text + 1, &own);
    } else {
        e = assign_place(ev, x->at.at[0], &value, out);
    }
    ez_value_clear(&value);
    if (e || !x->after) {
        ez_value_clear(&was);
        return e;
    }
    ez_value_clear(out);
    *out = was;
    return NULL;
}
