/* SPDX-License-Identifier: GPL-3.0-or-later */
/* routine_fortran.c - arguments and results of routines in Fortran; see routine.h. A fragment has a pointer that is given the
 * argument's address.
 * Test: tests/procs/spec.sh */
#include "engine/data/routine_fortran.h"

#include <string.h>

#include "engine/base/strutil.h"

/* "integer(kind=4)"; NULL: it is no number. */
static const char *fortran_kind(const struct ez_type *t)
{
    static const char *const words[] = { "integer(", "real(", "logical(", "complex(" };
    for (size_t i = 0; t->name && i < EZ_ARRAY_LEN(words); i++)
        if (!strncmp(t->name, words[i], strlen(words[i])))
            return t->name;
    return NULL;
}

/* A pointer that is given its address. Arrays whose shape the program decides when it runs are left out. */
static void fortran_param(struct ez_routine *r, const char *name, const struct ez_type *t,
                          const char *address, bool result)
{
    EZ_FREE char *colons = ez_strdup(""), *counts = ez_strdup("");
    for (t = ez_type_strip(t); t->kind == EZ_TY_ARRAY; t = ez_type_strip(t->to)) {
        EZ_FREE char *was = colons, *had = counts;
        if (t->count == UINT64_MAX)
            colons = counts = NULL;
        if (!counts)
            return;
        colons = ez_sprintf("%s%s:", was, *was ? "," : "");
        counts = ez_sprintf("%lu%s%s", t->count, *had ? ", " : "", had); /* innermost first */
    }
    const char *kind = fortran_kind(t);
    if (!kind)
        return;
    struct ez_routine_param one = { .name = name,
                                    .declaration = ez_strdup(address),
                                    .result = result };
    one.fortran = ez_sprintf("%s, pointer :: %s%s%s%s", kind, name, *colons ? "(" : "", colons,
                             *colons ? ")" : "");
    one.shape = *counts ? ez_sprintf(", [%s]", counts) : NULL;
    EZ_PUSH(&r->param, one);
}

/* What is not passed by its address has none here: code that names it is wrong (modules/fragment/text.c). */
static void fortran_unknown(struct ez_routine *r, const char *name, size_t before)
{
    if (r->param.n == before)
        EZ_PUSH(&r->param, ((struct ez_routine_param){ .name = name }));
}

/* Addresses of arguments are in registers, or on the stack; and the result, by the function's name and the one that
 * `result(NAME)` gives it. */
void ez_routine_params_fortran(struct ez_routine *r, const struct ez_scope *s, const char *result)
{
    const char *last = strrchr(r->name, ':');
    const struct ez_where *w = &s->result.where;
    for (size_t i = 0; i < s->nparams; i++) {
        const struct ez_where *at = &s->param[i].at.where;
        const bool stack = at->kind == EZ_AT_STACKED;
        const size_t before = r->param.n;
        EZ_FREE char *address =
            stack ? ez_sprintf("ez->stack[%lld]", (long long)at->offset / 8)
                  : ez_sprintf("ez->reg[%u] + %lld", at->reg[0].number, (long long)at->offset);
        if (stack || (at->kind == EZ_AT_POINTED && !at->reg[0].vector))
            fortran_param(r, s->param[i].name, s->param[i].at.type, address, false);
        fortran_unknown(r, s->param[i].name, before);
    }
    if (w->kind != EZ_AT_REGS || w->nregs != 1)
        return;
    const unsigned n = w->reg[0].number;
    EZ_FREE char *address =
        w->reg[0].vector
            ? ez_sprintf("ez->reg ? (const void *)(ez->vector + %u) : ez_nothing", 160 + 16 * n)
            : ez_sprintf("ez->reg ? (const void *)&ez->reg[%u] : ez_nothing", n);
    fortran_param(r, last ? last + 1 : r->name, s->result.type, address, true);
    if (result)
        fortran_param(r, result, s->result.type, address, true);
}
