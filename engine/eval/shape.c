/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shape.c - replaces an array type whose bounds are computed at run time
 * (engine/dwarf/dwarf_shape.c) by one with constant bounds, and its place by the address of its
 * elements. Elements that are not contiguous, like every second element of a Fortran array, are
 * copied and held.
 *
 * Tests: tests/procs/shapes.sh */
#include <string.h>

#include "engine/dwarf/dwarf.h"
#include "engine/eval/eval_priv.h"
#include "engine/target.h"

struct shape {
    struct eval *ev;
    /* operations for the frame base; NULL for a variable outside of functions */
    const struct ez_dwarf_ops *base;
    uint64_t object;
};

static bool shape_value(const struct shape *s, const struct ez_dwarf_ops *ops, int64_t *out)
{
    uint64_t v = 0;
    bool good = ops->op.n && place_computed(s->ev, s->base, s->object, ops, &v);
    *out = (int64_t)v;
    return good;
}

struct ez_type *shape_keep(struct eval *ev, const struct ez_type *like)
{
    struct ez_type *t = ez_alloc(sizeof *t);
    *t = *like;
    EZ_PUSH(&ev->v->kept, (void *)t);
    return t;
}

/* Sets *out to an array type with the bounds of one dimension, and without an element type. last:
 * the dimension is the last one in Fortran, which may have no upper bound. Returns false if the
 * debug information does not give the bounds. */
static bool shape_dimension(const struct shape *s, const struct ez_dwarf_dimension *d, bool fortran,
                            bool last, struct ez_type *out)
{
    int64_t lower = fortran, upper = 0, count = 0;
    if (d->lower.op.n && !shape_value(s, &d->lower, &lower))
        return false;
    if (last && !d->count.op.n && !d->upper.op.n) { /* the array is declared as a(n, *) */
        *out = (struct ez_type){ .kind = EZ_TY_ARRAY, .count = UINT64_MAX, .lower = lower };
        return true;
    }
    if (!shape_value(s, &d->count, &count)) {
        if (!shape_value(s, &d->upper, &upper) || __builtin_sub_overflow(upper, lower, &count) ||
            count == INT64_MAX)
            return false;
        count = EZ_MAX(count + 1, 0);
    }
    *out = (struct ez_type){ .kind = EZ_TY_ARRAY, .count = (uint64_t)count, .lower = lower };
    return count >= 0;
}

/* Copies the array's elements into contiguous memory, recursively by dimensions. */
static ez_err *shape_gather(struct eval *ev, const struct ez_type *t, const int64_t *stride,
                            uint64_t at, uint8_t *to)
{
    uint64_t size = ez_type_strip(t->to)->size;
    bool inner = t->to->kind == EZ_TY_ARRAY && stride[1];
    for (uint64_t i = 0; i < t->count; i++) {
        uint64_t from = at + i * (uint64_t)stride[0];
        if (inner)
            EZ_TRY(shape_gather(ev, t->to, stride + 1, from, to + i * size));
        else
            EZ_TRY(eval_read(ev, from, to + i * size, size));
    }
    return NULL;
}

/* Holds a copy of the elements. The array has no address itself, but each element has one. */
bool shape_hold(struct eval *ev, const int64_t *stride, uint64_t at, struct ez_named *out)
{
    const struct ez_type *t = out->type;
    if (t->size > EVAL_LARGEST)
        return false;
    EZ_FREE uint8_t *bytes = ez_alloc(t->size + 1);
    if (!ez_err_drop(shape_gather(ev, t, stride, at, bytes)))
        return false;
    struct ez_value v = value_made(t, bytes, t->size);
    eval_hold(ev, &v, out);
    held_scatter(ev, out->where.addr, at, t, stride);
    ez_value_clear(&v);
    return true;
}

/* Makes the array type with constant bounds. C's dimensions come outermost first, Fortran's
 * innermost first. stride: set to the bytes between elements of each dimension, the outermost
 * first. *own is true if the elements are not contiguous. */
static bool shape_dimensions(const struct shape *s, const struct ez_dwarf_shape *d,
                             const struct ez_type *element, int64_t *stride, bool *own,
                             const struct ez_type **out)
{
    const struct ez_type *t = element;
    size_t n = d->dim.n;
    for (size_t k = 0; k < n; k++) {
        const struct ez_dwarf_dimension *dim = &d->dim.at[d->fortran ? k : n - 1 - k];
        struct ez_type one;
        int64_t *its = &stride[n - 1 - k];
        bool last = d->fortran && k + 1 == n, open;
        if (!shape_dimension(s, dim, d->fortran, last, &one))
            return false;
        uint64_t size = ez_type_strip(t)->size;
        if (!shape_value(s, &dim->stride, its))
            *its = (int64_t)size;
        open = one.count == UINT64_MAX;
        *own |= *its != (int64_t)size && one.count > 1 && !open;
        one.to = t;
        if (!open && (__builtin_mul_overflow(one.count, size, &one.size) || one.size > 1ul << 40))
            return false;
        t = shape_keep(s->ev, &one);
    }
    *out = t;
    return true;
}

/* Returns the type of the array's elements inside all dimensions. dwarf.c makes one array type for
 * each dimension. */
static const struct ez_type *shape_element(const struct ez_type *t)
{
    for (t = t->to; t && t->kind == EZ_TY_ARRAY && !t->maker;)
        t = t->to;
    return t;
}

/* Returns the type with constant bounds for a C array whose bounds are computed at run time, or
 * NULL if they cannot be computed. Returns any other type with known bounds unchanged. */
static const struct ez_type *shape_type(const struct shape *s, const struct ez_type *type,
                                        unsigned depth)
{
    const struct ez_type *t = ez_type_strip(type), *out = NULL;
    int64_t stride[EZ_DWARF_DIMENSIONS + 1] = { 0 };
    struct ez_dwarf_shape d;
    bool own = false;
    if (t->kind != EZ_TY_ARRAY)
        return type;
    if (!t->is_dynamic)
        return t->count == UINT64_MAX ? NULL : type;
    const struct ez_type *element = depth ? shape_type(s, shape_element(t), depth - 1) : NULL;
    if (!element)
        return NULL;
    bool good = ez_dwarf_shape(t, s->ev->look - s->ev->here.bias, &d) && d.dim.n && !d.data.op.n &&
                shape_dimensions(s, &d, element, stride, &own, &out) && !own;
    ez_dwarf_shape_free(&d);
    return good ? out : NULL;
}

/* Returns a copy of the operations. The first one pushes a constant, which becomes `number`, the
 * dimension's number. */
static struct ez_dwarf_ops shape_numbered(const struct ez_dwarf_ops *ops, uint64_t number)
{
    struct ez_dwarf_ops out = { { 0 } };
    for (size_t i = 0; i < ops->op.n; i++)
        EZ_PUSH(&out.op, ops->op.at[i]);
    if (out.op.n)
        out.op.at[0].a = number;
    return out;
}

/* Makes the dimensions of an array whose rank is known only at run time. Returns false if the rank
 * cannot be computed. */
static bool shape_ranked(const struct shape *s, struct ez_dwarf_shape *d)
{
    int64_t rank = 0;
    if (!d->rank.op.n)
        return true;
    if (d->dim.n != 1 || !shape_value(s, &d->rank, &rank) || rank < 0 || rank > EZ_DWARF_DIMENSIONS)
        return false;
    for (uint64_t k = 0; k < (uint64_t)rank; k++) {
        const struct ez_dwarf_dimension any = d->dim.at[0];
        EZ_PUSH(&d->dim, ((struct ez_dwarf_dimension){
                             shape_numbered(&any.lower, k), shape_numbered(&any.upper, k),
                             shape_numbered(&any.count, k), shape_numbered(&any.stride, k) }));
    }
    struct ez_dwarf_dimension *any = &d->dim.at[0];
    EZ_VEC_FREE(&any->lower.op);
    EZ_VEC_FREE(&any->upper.op);
    EZ_VEC_FREE(&any->count.op);
    EZ_VEC_FREE(&any->stride.op);
    memmove(d->dim.at, d->dim.at + 1, --d->dim.n * sizeof *d->dim.at);
    return true;
}

static bool shape_array(const struct shape *s, const struct ez_dwarf_shape *d,
                        const struct ez_type *whole, uint64_t at, struct ez_named *out)
{
    int64_t stride[EZ_DWARF_DIMENSIONS + 1] = { 0 };
    bool own = false;
    const struct ez_type *element = shape_type(s, shape_element(whole), EZ_DWARF_DIMENSIONS);
    if (!element || !shape_dimensions(s, d, element, stride, &own, &out->type))
        return false;
    if (whole->is_allocatable) {
        struct ez_type *allocatable = shape_keep(s->ev, out->type);
        allocatable->is_allocatable = true;
        out->type = allocatable;
    }
    out->where = (struct ez_where){ .kind = EZ_AT_MEMORY, .addr = at };
    return !own || shape_hold(s->ev, stride, at, out);
}

/* Sets *out to the only element of an array of rank 0. Returns false if its type is unknown. */
static bool shape_scalar(const struct ez_type *whole, uint64_t at, struct ez_named *out)
{
    out->type = shape_element(whole);
    out->where = (struct ez_where){ .kind = EZ_AT_MEMORY, .addr = at };
    return out->type != NULL;
}

static bool shape_text(const struct shape *s, const struct ez_dwarf_shape *d, uint64_t at,
                       struct ez_named *out)
{
    int64_t n;
    if (!shape_value(s, &d->length, &n) || n < 0 || n > 1l << 40)
        return false;
    struct ez_type *text = shape_keep(s->ev, ez_type_array_of(ez_type_base("char"), (uint64_t)n));
    text->lower = 1;
    out->type = text;
    out->where = (struct ez_where){ .kind = EZ_AT_MEMORY, .addr = at };
    return true;
}

void shape_resolve(struct eval *ev, const struct ez_dwarf_ops *base, struct ez_named *of)
{
    const struct ez_type *t = ez_type_strip(of->type);
    struct ez_dwarf_shape d;
    struct shape s = { ev, base, of->where.addr };
    if (t->kind == EZ_TY_POINTER && t->to && ez_type_strip(t->to)->kind == EZ_TY_ARRAY) {
        const struct ez_type *to = shape_type(&s, t->to, EZ_DWARF_DIMENSIONS);
        of->type = to && to != t->to ? ez_type_pointer_to(to) : of->type;
    }
    if (!t->is_dynamic || of->where.kind != EZ_AT_MEMORY)
        return;
    int64_t at = (int64_t)of->where.addr, exists = 1;
    bool good = ez_dwarf_shape(t, ev->look - ev->here.bias, &d);
    bool absent = good && d.exists.op.n && shape_value(&s, &d.exists, &exists) && !exists;
    if (absent) { /* an allocatable array that is not allocated: it has a type, but no elements */
        struct ez_type *none = shape_keep(ev, t);
        if (!shape_value(&s, &d.data, &at))
            at = 0;
        of->where.addr = (uint64_t)at;
        none->absent = t->is_allocatable ? "not allocated" : "not associated";
        of->type = none;
        ez_dwarf_shape_free(&d);
        return;
    }
    if (good && d.data.op.n)
        good = shape_value(&s, &d.data, &at) && shape_ranked(&s, &d);
    if (good)
        good = d.dim.n           ? shape_array(&s, &d, t, (uint64_t)at, of)
               : d.rank.op.n > 0 ? shape_scalar(t, (uint64_t)at, of)
                                 : shape_text(&s, &d, (uint64_t)at, of);
    if (!good)
        of->where =
            (struct ez_where){ .kind = EZ_AT_NONE, .why = "its array bounds cannot be computed" };
    ez_dwarf_shape_free(&d);
}
