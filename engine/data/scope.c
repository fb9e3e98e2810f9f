/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scope.c - see scope.h. */
#include "engine/data/scope.h"

#include <string.h>

#include "engine/data/expr.h"
#include "engine/sym/sym.h"

/* C's own types; the debug information knows all others. */
static ez_err *scope_type(void *arg, const struct ez_type_name *name, const struct ez_type **out)
{
    const struct ez_type *t = ez_type_base(name->base);
    (void)arg;
    if (!t)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No %s%s.",
                          strchr(name->base, ' ') ? "" : "type named ", name->base);
    for (unsigned i = 0; i < name->stars; i++)
        t = ez_type_pointer_to(t);
    for (size_t i = name->dim.n; i-- > 0;)
        t = ez_type_array_of(t, name->dim.at[i]);
    *out = t;
    return NULL;
}

ez_err *ez_scope_of(struct ez_object *obj, uint64_t bias, const struct ez_sym *sym, uint64_t vaddr,
                    const char *prototype, struct ez_scope **out)
{
    struct ez_scope *s = ez_alloc(sizeof *s);
    (void)obj, (void)bias, (void)vaddr, (void)prototype;
    s->function = sym ? ez_sym_pretty(sym) : "it";
    s->why_not = "there is no debug information";
    s->type = scope_type;
    *out = s;
    return NULL;
}

void ez_scope_free(struct ez_scope *s)
{
    free(s);
}
