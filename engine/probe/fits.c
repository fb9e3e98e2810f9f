/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fits.c - refuses to replace a function whose parameters the compiler has changed, because the
 * replacing function has the prototype of the source.
 * Tests: tests/procs/replace.sh */
#include "engine/expr/abi.h"
#include "engine/expr/describe.h"
#include "engine/expr/scope.h"
#include "engine/target.h"

#define CHANGED_HELP                                                                               \
    "Build the program with -fno-ipa-sra -fno-ipa-cp, or give the function the attribute noipa"

/* Returns the first parameter whose register or stack location differs from the calling
 * convention's, or NULL. */
static const struct ez_param_at *fits_changed(const struct ez_scope *s)
{
    struct ez_abi_call call = { .int128 = s->int128 };
    struct ez_where result, by_convention;
    ez_abi_result(&call, s->result.type, &result);
    for (size_t i = 0; i < s->nparams; i++) {
        const struct ez_where *w = &s->param[i].at.where;
        bool by_address = w->kind == EZ_AT_POINTED || w->kind == EZ_AT_STACKED;
        ez_abi_argument(&call, s->param[i].at.type, by_address, &by_convention);
        if (!ez_where_same(w, &by_convention))
            return &s->param[i];
    }
    return NULL;
}

/* Callers of a clone that the compiler made pass its parameters in another way than the source
 * says, or omit some. A replacement with the source's prototype would read wrong values. */
ez_err *ez_replace_fits(const struct ez_site *s)
{
    const uint64_t vaddr = s->mod ? s->func - s->mod->bias : 0;
    const struct ez_sym *sym = s->mod ? ez_object_find_addr(s->mod->obj, vaddr) : NULL;
    struct ez_scope *scope = NULL;
    ez_err *e = NULL;
    if (!sym || !ez_err_drop(ez_scope_of(s->mod->obj, s->mod->bias, sym, vaddr, NULL, &scope)))
        return NULL;
    const struct ez_param_at *p = scope->why_not ? NULL : fits_changed(scope);
    EZ_FREE char *at = p ? ez_where_text(&p->at.where) : NULL;
    bool clone = ez_scope_is_clone(sym);
    if (p)
        e = ez_err_new(EZ_E_REFUSED, 0, "the compiler changed its parameters (%s): %s is %s",
                       sym->name, p->name, at);
    else if (clone && (scope->why_not || scope->result.where.kind == EZ_AT_RETURNED))
        e = ez_err_new(EZ_E_REFUSED, 0, "the compiler may have changed its parameters (%s)",
                       sym->name);
    ez_scope_free(scope);
    return e ? ez_err_hint(e, CHANGED_HELP) : NULL;
}
