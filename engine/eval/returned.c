/* SPDX-License-Identifier: GPL-3.0-or-later */
/* returned.c - the value that a function has just returned, for `finish`.
 *
 * Tests: tests/procs/moving.sh */
#include <stdio.h>
#include <string.h>

#include "engine/expr/abi.h"
#include "engine/dwarf/dwarf.h"
#include "engine/eval/eval_priv.h"
#include "engine/inferior/inferior.h"
#include "engine/target.h"

/* Reads 8 bytes of register i of the place w, or all 16 bytes of an x87 register. Returns false if
 * the register is not available. */
static bool returned_part(struct eval *ev, const struct ez_where *w, unsigned i, uint8_t *to)
{
    char name[16];
    struct ez_value v = { .type = NULL };
    ez_err *e = NULL;
    const struct ez_convention *by = ev->t->inf.arch->abi.convention;
    if (w->kind == EZ_AT_X87)
        snprintf(name, sizeof name, "st%u", i);
    else if (w->reg[i].vector)
        snprintf(name, sizeof name, "%s%u", by->vector, w->reg[i].number);
    else
        snprintf(name, sizeof name, "%s", by->name[w->reg[i].number]);
    bool there = register_value(ev, name, &v, &e) && !e;
    size_t from = w->kind != EZ_AT_X87 && w->reg[i].vector && w->reg[i].high ? 8 : 0;
    size_t most = w->kind == EZ_AT_X87 ? 16 : 8;
    if (there && v.n > from)
        memcpy(to, v.byte + from, EZ_MIN(v.n - from, most));
    ez_err_free(e);
    ez_value_clear(&v);
    return there;
}

static bool returned_value(struct eval *ev, const struct ez_type *type, const struct ez_where *w,
                           struct ez_value *out)
{
    const struct ez_type *t = ez_type_load(ez_type_strip(type));
    uint8_t bytes[32] = { 0 };
    uint64_t at = 0;
    if (w->kind == EZ_AT_RETURNED || w->kind == EZ_AT_POINTED) {
        if (t->size > 1 << 20 || !returned_part(ev, w, 0, bytes))
            return false;
        memcpy(&at, bytes, sizeof at);
        EZ_FREE uint8_t *all = ez_alloc(t->size + 1);
        if (!ez_err_drop(eval_read(ev, at, all, t->size)))
            return false;
        *out = value_made(type, all, t->size);
        out->lval = EZ_L_MEMORY;
        out->addr = at;
        return true;
    }
    bool x87 = w->kind == EZ_AT_X87; /* a complex number is in two x87 registers */
    if ((w->kind != EZ_AT_REGS && !x87) || t->size > (x87 ? sizeof bytes : 16))
        return false;
    for (unsigned i = 0; i < (x87 ? t->size / 16 : EZ_MAX(1u, w->nregs)); i++)
        if (!returned_part(ev, w, i, bytes + (x87 ? 16ul : 8ul) * i))
            return false;
    *out = value_made(type, bytes, t->size);
    return true;
}

bool ez_value_returned(struct ez_history *v, uint64_t func, struct ez_value *out)
{
    struct eval ev = { .v = v, .t = v->t };
    struct ez_module_info m = { 0 };
    struct ez_dwarf_function fn = { 0 };
    struct ez_abi_call call = { 0 };
    struct ez_where w;
    uint64_t off;
    const char *why;
    ez_symbolize(v->t, ez_addr_of(func), &off, &m);
    struct ez_dwarf *d = m.obj ? ez_dwarf_of(m.obj, &why) : NULL;
    bool known = d && ez_dwarf_function(d, func - m.bias, &fn) && fn.result &&
                 ez_type_strip(fn.result)->kind != EZ_TY_VOID &&
                 ez_type_strip(fn.result)->kind != EZ_TY_UNKNOWN &&
                 (!(fn.flags & DWARF_FN_RUST) || ez_abi_of_rust(fn.result));
    EZ_VEC_FREE(&fn.param);
    if (!known)
        return false;
    ez_abi_result(&call, fn.result, &w);
    names_begin(&ev);
    known = returned_value(&ev, fn.result, &w, out);
    out->is_fortran = known && (fn.flags & DWARF_FN_FORTRAN);
    names_end(&ev);
    return known;
}
