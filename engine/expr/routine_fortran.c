/* SPDX-License-Identifier: GPL-3.0-or-later */
/* routine_fortran.c - arguments and results of Fortran routines (routine.h). In a fragment, an
 * argument is a Fortran pointer that gets the argument's address.
 *
 * Tests: tests/procs/spec.sh */
#include "engine/expr/routine_fortran.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "engine/sym/sym.h"

/* Returns the type as "integer(kind=4)", or NULL if the type is neither a number nor a logical. */
static const char *fortran_kind(const struct ez_type *t)
{
    static const char *const words[] = { "integer(", "real(", "logical(", "complex(" };
    for (size_t i = 0; t->name && i < EZ_ARRAY_LEN(words); i++)
        if (!strncmp(t->name, words[i], strlen(words[i])))
            return t->name;
    return NULL;
}

/* Returns the reason why a fragment cannot have a pointer to the type t, which is not supported. */
static const char *fortran_why_not(const struct ez_type *t)
{
    switch (t->kind) {
    case EZ_TY_STRUCT:
    case EZ_TY_UNION:
        return "is of a derived type";
    case EZ_TY_ARRAY:
        return ez_fortran_is_text(t)
                   ? "is of type character"
                   : "is allocatable, or has a shape that only the running program knows";
    case EZ_TY_POINTER:
        return "is a pointer";
    default:
        return t->name && !strncmp(t->name, "character", 9) ? "is of type character"
                                                            : "is no number";
    }
}

struct fortran_words { /* owned */
    char *declaration, *shape, *bounds;
};

/* Makes the declaration of a pointer. Returns NULL, or the reason why it is not possible. Arrays
 * whose shape is known only at run time are not supported. */
static const char *fortran_words(const char *name, const struct ez_type *t,
                                 struct fortran_words *out)
{
    EZ_FREE char *colons = ez_strdup(""), *counts = ez_strdup(""), *lowers = ez_strdup("");
    *out = (struct fortran_words){ .shape = NULL };
    for (t = ez_type_strip(t); t->kind == EZ_TY_ARRAY; t = ez_type_strip(t->to)) {
        if (t->count == UINT64_MAX || t->is_dynamic || t->is_char_text)
            return fortran_why_not(t);
        EZ_FREE char *was = colons, *had = counts, *low = lowers;
        colons = ez_sprintf("%s%s:", was, *was ? "," : "");
        /* the innermost dimension is first */
        counts = ez_sprintf("%lu%s%s", t->count, *had ? ", " : "", had);
        lowers = ez_sprintf("%lld:%s%s", (long long)t->lower, *low ? ", " : "", low);
    }
    const char *kind = fortran_kind(t);
    if (!kind)
        return fortran_why_not(t);
    out->declaration = ez_sprintf("%s, pointer :: %s%s%s%s", kind, name, *colons ? "(" : "", colons,
                                  *colons ? ")" : "");
    if (*counts) {
        out->shape = ez_sprintf(", [%s]", counts);
        out->bounds = ez_sprintf("(%s)", lowers);
    }
    return NULL;
}

/* Adds a parameter, also one that cannot have a pointer (ez_routine_param.why): then a fragment
 * that uses it is refused. */
static void fortran_param(struct ez_routine *r, const char *name, const struct ez_type *t,
                          const char *address, bool result)
{
    struct fortran_words words;
    struct ez_routine_param one = { .name = name, .result = result };
    one.why = address ? fortran_words(name, t, &words) : "is not passed by its address";
    if (!one.why) {
        one.declaration = ez_strdup(address);
        one.fortran = words.declaration;
        one.shape = words.shape;
        one.bounds = words.bounds;
    }
    EZ_PUSH(&r->param, one);
}

/* Sets the parameters of a Fortran routine, whose addresses are in registers or on the stack. A
 * result in a single register is added under the function's name, and under the name in
 * `result(NAME)`. */
void ez_routine_params_fortran(struct ez_routine *r, const struct ez_scope *s, const char *result)
{
    const char *last = strrchr(r->name, ':');
    const struct ez_where *w = &s->result.where;
    for (size_t i = 0; i < s->nparams; i++) {
        const struct ez_where *at = &s->param[i].at.where;
        const bool stack = at->kind == EZ_AT_STACKED;
        EZ_FREE char *address =
            stack ? ez_sprintf("ez->stack[%lld]", (long long)at->offset / 8)
            : at->kind == EZ_AT_POINTED && !at->reg[0].vector
                ? ez_sprintf("ez->reg[%u] + %lld", at->reg[0].number, (long long)at->offset)
                : NULL;
        fortran_param(r, s->param[i].name, s->param[i].at.type, address, false);
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

/* ---- variables of modules and COMMON blocks, saved variables --------------------------------- */

/* Returns the Fortran declaration of a named constant, or NULL if it is no integer or logical. */
static char *fortran_constant(const char *name, const struct ez_type *t, uint64_t value)
{
    const char *kind = fortran_kind(t);
    const unsigned bits = 64 - 8 * (unsigned)EZ_MIN(EZ_MAX(t->size, (uint64_t)1), (uint64_t)8);
    const int64_t number = (int64_t)(value << bits) >> bits;
    if (!kind || (*kind != 'i' && *kind != 'l'))
        return NULL;
    return *kind == 'l'
               ? ez_sprintf("%s, parameter :: %s = .%s.", kind, name, number ? "true" : "false")
               : ez_sprintf("%s, parameter :: %s = %lld", kind, name, (long long)number);
}

static void fortran_found(const char *name, const struct ez_type *t, const uint64_t *vaddr,
                          const uint64_t *value, struct ez_routine_name *out)
{
    struct fortran_words words = { .shape = NULL };
    out->vaddr = vaddr ? *vaddr : 0;
    if (value) {
        out->fortran = fortran_constant(name, ez_type_strip(t), *value);
        out->why = out->fortran ? NULL : "is a constant whose value is unknown";
        return;
    }
    out->why = fortran_words(name, t, &words);
    if (!out->why && !vaddr) {
        free(words.declaration);
        free(words.shape);
        free(words.bounds);
        out->why = "has no place of its own: it is local, optimized out, or each thread has one";
    } else if (!out->why) {
        out->fortran = words.declaration;
        out->shape = words.shape;
        out->bounds = words.bounds;
    }
}

/* Finds a variable that the function itself declares. Only a saved variable, or one in a COMMON
 * block, has a fixed address. */
static bool fortran_own(struct ez_dwarf *d, uint64_t at, const char *name,
                        struct ez_routine_name *out)
{
    struct ez_dwarf_local l;
    const bool found = ez_dwarf_local(d, at, 0, 0, name, &l);
    const bool there = found && l.at.op.n == 1 && l.at.op.at[0].atom == DW_OP_addr;
    if (found)
        fortran_found(name, l.type, there ? &l.at.op.at[0].a : NULL, l.is_const ? &l.value : NULL,
                      out);
    ez_dwarf_local_free(&l);
    return found;
}

/* Returns whether any module of the file has a variable called `name`. */
static bool fortran_of_module(const struct ez_object *obj, const char *name)
{
    size_t n;
    const struct ez_sym *sym = ez_object_syms(obj, &n);
    EZ_FREE char *end = ez_sprintf("_MOD_%s", name);
    const size_t len = strlen(end);
    for (size_t i = n; i-- > 0 && sym[i].kind == EZ_SYM_DATA;) {
        const size_t k = strlen(sym[i].name);
        if (k > len && !strcmp(sym[i].name + k - len, end))
            return true;
    }
    return false;
}

/* Records the address of a variable that another unit defines. */
static void fortran_linked(const struct ez_sym *sym, void *arg)
{
    if (sym->kind == EZ_SYM_DATA)
        *(uint64_t *)arg = sym->vaddr;
}

static void fortran_symbol(struct ez_object *obj, const char *name, const struct ez_dwarf_symbol *s,
                           struct ez_routine_name *out)
{
    uint64_t vaddr = s->where.at == DWARF_AT_ADDRESS ? s->where.value : 0;
    if (s->where.at == DWARF_AT_NONE && s->linkage)
        ez_object_find_name(obj, s->linkage, fortran_linked, &vaddr);
    fortran_found(name, s->type, vaddr ? &vaddr : NULL,
                  s->where.at == DWARF_AT_CONST ? &s->where.value : NULL, out);
}

/* Finds a name. Other units are searched, which takes long, only if a symbol shows that a module
 * has such a variable. */
bool ez_routine_name(struct ez_object *obj, uint64_t vaddr, const char *name,
                     struct ez_routine_name *out)
{
    const char *why;
    struct ez_dwarf *d = ez_dwarf_of(obj, &why);
    struct ez_dwarf_function in;
    struct ez_dwarf_symbol s;
    *out = (struct ez_routine_name){ .why = NULL };
    if (!d || !vaddr)
        return false;
    if (fortran_own(d, vaddr, name, out))
        return true;
    bool found = ez_dwarf_function(d, vaddr, &in) &&
                 (ez_dwarf_symbol(d, &in, name, true, &s) ||
                  (fortran_of_module(obj, name) && ez_dwarf_symbol(d, &in, name, false, &s)));
    EZ_VEC_FREE(&in.param);
    if (!found || ez_type_strip(s.type)->kind == EZ_TY_FUNC)
        return false;
    fortran_symbol(obj, name, &s, out);
    return true;
}

void ez_routine_name_free(struct ez_routine_name *n)
{
    free(n->fortran);
    free(n->shape);
    free(n->bounds);
}
