/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stap_list.c - lists the USDT probes of all modules.
 * Tests: tests/procs/usdt.sh */
#include <stdlib.h>

#include "engine/sym/sym.h"
#include "engine/target.h"

struct stap_list {
    EZ_VEC(struct ez_stap_info) v;
};

static void stap_list_module(const struct ez_module_info *m, void *arg)
{
    struct stap_list *l = arg;
    size_t n = 0;
    const struct ez_stap *all = m->obj ? ez_object_staps(m->obj, &n) : NULL;
    for (size_t i = 0; i < n; i++)
        EZ_PUSH(&l->v, ((struct ez_stap_info){ .note = &all[i], .module = *m }));
}

static int stap_info_by_name(const void *a, const void *b)
{
    const struct ez_stap_info *x = a, *y = b;
    const int c = ez_stap_compare(x->note, y->note);
    const uint64_t at = x->note->vaddr + x->module.bias, other = y->note->vaddr + y->module.bias;
    return c ? c : at < other ? -1 : at > other;
}

ez_err *ez_staps(struct ez_target *t, void (*fn)(const struct ez_stap_info *, void *), void *arg)
{
    struct stap_list l = { 0 };
    ez_err *e = ez_modules(t, stap_list_module, &l);
    if (l.v.n)
        qsort(l.v.at, l.v.n, sizeof *l.v.at, stap_info_by_name);
    for (size_t i = 0; i < l.v.n && !e; i++)
        fn(&l.v.at[i], arg);
    EZ_VEC_FREE(&l.v);
    return e;
}
