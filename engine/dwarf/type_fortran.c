/* SPDX-License-Identifier: GPL-3.0-or-later */
/* type_fortran.c - writes Fortran types as gdb does: "integer(kind=4) (2,3)", "Type point".
 *
 * Tests: tests/procs/fortran.sh */
#include "engine/dwarf/type.h"

#include <string.h>

#include "engine/base/vec.h"

struct fortran { /* state while a type is written */
    EZ_VEC(char) text;
    /* number of types that may still be written, because functions may have functions as
     * parameters, without limit */
    unsigned left;
};
#define MOST_TYPES 1000

static const struct ez_type fortype_bases[] = {
    { .kind = EZ_TY_INT, .size = 1, .name = "integer*1", .is_signed = true },
    { .kind = EZ_TY_INT, .size = 2, .name = "integer*2", .is_signed = true },
    { .kind = EZ_TY_INT, .size = 4, .name = "integer*4", .is_signed = true },
    { .kind = EZ_TY_INT, .size = 8, .name = "integer*8", .is_signed = true },
    { .kind = EZ_TY_FLOAT, .size = 4, .name = "real*4", .is_signed = true },
    { .kind = EZ_TY_FLOAT, .size = 8, .name = "real*8", .is_signed = true },
    { .kind = EZ_TY_FLOAT, .size = 16, .name = "real*16", .is_signed = true },
    { .kind = EZ_TY_BOOL, .size = 1, .name = "logical*1" },
    { .kind = EZ_TY_BOOL, .size = 2, .name = "logical*2" },
    { .kind = EZ_TY_BOOL, .size = 4, .name = "logical*4" },
    { .kind = EZ_TY_BOOL, .size = 8, .name = "logical*8" },
    /* type of the results of operators */
    { .kind = EZ_TY_BOOL, .size = 4, .name = "logical(kind=4)" },
    { .kind = EZ_TY_COMPLEX, .size = 8, .name = "complex*4" },
    { .kind = EZ_TY_COMPLEX, .size = 16, .name = "complex*8" },
    { .kind = EZ_TY_CHAR, .size = 1, .name = "character", .is_signed = true },
};

const struct ez_type *ez_fortran_base(const char *name)
{
    for (size_t i = 0; i < EZ_ARRAY_LEN(fortype_bases); i++)
        if (!strcmp(fortype_bases[i].name, name))
            return &fortype_bases[i];
    return NULL;
}

bool ez_fortran_is_text(const struct ez_type *t)
{
    t = ez_type_strip(t);
    const struct ez_type *to = t->kind == EZ_TY_ARRAY ? ez_type_strip(t->to) : NULL;
    return to && to->kind == EZ_TY_CHAR && to->size == 1;
}

static void fortype_put(struct fortran *f, const char *text)
{
    for (; *text; text++)
        EZ_PUSH(&f->text, *text);
}

static void fortype_put_number(struct fortran *f, const char *form, long long n)
{
    EZ_FREE char *text = ez_sprintf(form, n);
    fortype_put(f, text);
}

/* Returns the name without its module. */
static const char *fortype_name(const struct ez_type *t)
{
    const char *colon = t->name ? strrchr(t->name, ':') : NULL;
    return colon ? colon + 1 : t->name;
}

static bool fortype_is_derived(const struct ez_type *t)
{
    return t->kind == EZ_TY_STRUCT || t->kind == EZ_TY_UNION;
}

static const struct ez_type *fortype_no_const(const struct ez_type *t)
{
    while (t && t->kind == EZ_TY_CONST)
        t = t->to;
    return t ? t : ez_type_base("void");
}

static void fortype_base(struct fortran *f, const struct ez_type *t, bool whole, unsigned level);
static void fortype_suffix(struct fortran *f, const struct ez_type *t, bool pointed, unsigned dims,
                           bool rank);

static void fortype_components(struct fortran *f, const struct ez_type *t, unsigned level)
{
    ez_type_load(t);
    for (size_t i = 0; i < t->nfields && f->left; i++) {
        fortype_put(f, "\n");
        fortype_base(f, t->field[i].type, false, level + 4);
        fortype_put(f, " :: ");
        fortype_put(f, t->field[i].name ? t->field[i].name : "");
        fortype_suffix(f, t->field[i].type, false, 0, false);
    }
    fortype_put(f, "\n");
    for (unsigned i = 0; i < level; i++)
        fortype_put(f, " ");
    fortype_put(f, "End Type ");
    fortype_put(f, fortype_name(t) ? fortype_name(t) : "{...}");
}

/* Writes the part of a declaration before the name. */
static void fortype_base(struct fortran *f, const struct ez_type *type, bool whole, unsigned level)
{
    const struct ez_type *t = fortype_no_const(type);
    if (!f->left)
        return;
    f->left--;
    if (whole && t->kind == EZ_TY_NAMED)
        t = ez_type_strip(t);
    bool text = t->kind == EZ_TY_ARRAY && t->is_char_text;
    bool around = (t->kind == EZ_TY_ARRAY && !text) || t->kind == EZ_TY_FUNC;
    for (unsigned i = 0; i < level && !around && !text; i++)
        fortype_put(f, " ");
    if (text) { /* gdb does not indent a string type. */
        fortype_put_number(f, t->count == UINT64_MAX ? "character*(*)" : "character*%lld",
                           (long long)t->count);
    } else if (around) {
        fortype_base(f, t->to, whole, level);
    } else if (t->kind == EZ_TY_POINTER || t->kind == EZ_TY_REFERENCE) {
        fortype_put(f, t->kind == EZ_TY_POINTER ? "PTR TO -> ( " : "REF TO -> ( ");
        fortype_base(f, t->to, whole, 0);
    } else if (t->kind == EZ_TY_CHAR && t->name && !strcmp(t->name, "char")) {
        fortype_put(f, "character");
    } else {
        EZ_FREE char *other = fortype_name(t) ? NULL : ez_type_text(t);
        fortype_put(f, other                     ? ""
                       : t->kind == EZ_TY_UNION  ? "Type, C_Union :: "
                       : t->kind == EZ_TY_STRUCT ? "Type "
                                                 : "");
        fortype_put(f, other ? other : fortype_name(t));
        if (whole && fortype_is_derived(t))
            fortype_components(f, t, level);
    }
    if (t->kind == EZ_TY_ARRAY && t->is_allocatable)
        fortype_put(f, ", allocatable");
}

/* Writes one dimension of an array, after the dimensions inside it. dims: number of dimensions
 * outside of it. rank: only ":" is written, because the bounds are unknown. */
static void fortype_dimension(struct fortran *f, const struct ez_type *t, unsigned dims, bool rank)
{
    const struct ez_type *to = ez_type_strip(t->to);
    bool inner = to->kind == EZ_TY_ARRAY && !to->is_char_text;
    rank = rank || t->absent || (t->is_dynamic && t->count == UINT64_MAX);
    if (!dims)
        fortype_put(f, "(");
    if (inner)
        fortype_suffix(f, to, false, dims + 1, rank);
    if (!rank && t->lower != 1)
        fortype_put_number(f, "%lld:", (long long)t->lower);
    if (rank)
        fortype_put(f, ":");
    else if (t->count == UINT64_MAX)
        fortype_put(f, "*");
    else
        fortype_put_number(f, "%lld", (long long)(t->lower + (int64_t)t->count - 1));
    if (!inner)
        fortype_suffix(f, to, false, dims + 1, rank);
    fortype_put(f, dims ? "," : ")");
}

static void fortype_parameters(struct fortran *f, const struct ez_type *t)
{
    ez_type_load(t);
    for (size_t i = 0; i < t->nparams && f->left; i++) {
        EZ_FREE char *one = ez_fortran_text(t->param[i].type, false);
        f->left--;
        fortype_put(f, i ? ", " : "");
        fortype_put(f, one);
    }
    if (!t->nparams && t->has_protos)
        fortype_put(f, "void");
}

/* Writes the part of a declaration after the name. pointed: the type is that of a pointer's
 * target. */
static void fortype_suffix(struct fortran *f, const struct ez_type *type, bool pointed,
                           unsigned dims, bool rank)
{
    const struct ez_type *t = fortype_no_const(type);
    switch (t->kind) {
    case EZ_TY_ARRAY:
        if (!t->is_char_text)
            fortype_dimension(f, t, dims, rank);
        break;
    case EZ_TY_POINTER:
    case EZ_TY_REFERENCE:
        fortype_suffix(f, t->to, true, dims, false);
        fortype_put(f, " )");
        break;
    case EZ_TY_FUNC:
        if (t->to)
            fortype_suffix(f, t->to, pointed, dims, false);
        fortype_put(f, pointed ? ") (" : "(");
        fortype_parameters(f, t);
        fortype_put(f, ")");
        break;
    default:
        break;
    }
}

static bool fortype_has_suffix(const struct ez_type *t)
{
    return t->kind == EZ_TY_FUNC || (t->kind == EZ_TY_ARRAY && !t->is_char_text);
}

char *ez_fortran_text(const struct ez_type *type, bool whole)
{
    struct fortran f = { .left = MOST_TYPES };
    const struct ez_type *t = fortype_no_const(type), *to;
    if (whole)
        t = ez_type_strip(t);
    to = fortype_no_const(t->to);
    fortype_base(&f, t, whole, 0);
    bool pointer = t->kind == EZ_TY_POINTER || t->kind == EZ_TY_REFERENCE;
    if (fortype_has_suffix(t) || (pointer && fortype_has_suffix(to)))
        fortype_put(&f, " ");
    const struct ez_type *code = pointer ? to : t;
    for (; code->kind == EZ_TY_POINTER; pointer = true) /* a pointer to a pointer to a function */
        code = fortype_no_const(code->to);
    if (pointer && code->kind == EZ_TY_FUNC)
        fortype_put(&f, "(");
    fortype_suffix(&f, t, false, 0, false);
    EZ_PUSH(&f.text, 0);
    return f.text.at;
}
