/* SPDX-License-Identifier: GPL-3.0-or-later */
/* section.c - sections of Fortran's arrays and texts: a(2:4), a(:, 3), a(5:1:-1) (eval_priv.h). The
 * result of a contiguous section is a place in memory. The result of any other section is a held
 * copy.
 *
 * Tests: tests/procs/fortran.sh */
#include "engine/expr/gen.h"
#include "engine/eval/eval_priv.h"

#define DEEPEST EZ_DWARF_DIMENSIONS

struct section {
    struct eval *ev;
    uint64_t at;
    unsigned n; /* number of dimensions that the section keeps, the innermost first */
    struct section_dim {
        uint64_t count;
        int64_t stride; /* in bytes */
    } dim[DEEPEST];
};

static ez_err *section_outside(void)
{
    return ez_err_gdb(EZ_E_ARG, "array subscript out of bounds");
}

/* Evaluates a subscript. */
static ez_err *section_number(struct eval *ev, const struct ez_expr *x, int64_t *out)
{
    struct ez_clause_code code = { .words = 0 };
    struct gen g = { .code = &code, .scope = &ev->scope };
    struct gen_operand o;
    uint64_t n = 0;
    ez_err *e = gen_operand_of(&g, x, &o);
    if (!e && ez_type_strip(o.type)->kind != EZ_TY_INT)
        e = ez_err_new(EZ_E_ARG, 0, "A subscript must be an integer");
    if (!e)
        e = gen_load(&g, &o);
    if (!e)
        e = gen_run(&g, ev->scope.number, 0, &o, &n);
    EZ_VEC_FREE(&code.op);
    *out = (int64_t)n;
    return e;
}

/* Evaluates FIRST:LAST:STRIDE of the dimension t, and adds the range to *s. size: bytes of an
 * element. */
static ez_err *section_range(struct section *s, const struct ez_type *t, const struct ez_expr *x,
                             uint64_t size)
{
    int64_t part[3] = { t->lower, t->lower + (int64_t)t->count - 1, 1 };
    size_t k = 0;
    for (unsigned i = 0; i < 3; i++)
        if (x->number & 1u << i)
            EZ_TRY(section_number(s->ev, x->at.at[k++], &part[i]));
    int64_t first = part[0], last = part[1], stride = part[2], count;
    if (t->count == UINT64_MAX && !(x->number & EZ_RANGE_LAST))
        return ez_err_new(EZ_E_ARG, 0,
                          "The end of the array is not known: write the last index after \":\"");
    if (!stride)
        return ez_err_gdb(EZ_E_ARG, "stride must not be 0");
    if (stride > 0 ? first > last : first < last)
        return ez_err_gdb(EZ_E_ARG, "incorrect stride and boundary combination");
    if (t->count != UINT64_MAX && ((uint64_t)first - (uint64_t)t->lower >= t->count ||
                                   (uint64_t)last - (uint64_t)t->lower >= t->count))
        return section_outside();
    if (__builtin_sub_overflow(last, first, &count) || stride == INT64_MIN)
        return section_outside();
    s->at += (uint64_t)(first - t->lower) * size;
    s->dim[s->n].count = (uint64_t)(count / stride) + 1;
    s->dim[s->n++].stride = stride * (int64_t)size;
    return NULL;
}

static ez_err *section_subscript(struct section *s, const struct ez_type *t,
                                 const struct ez_expr *x)
{
    uint64_t size = ez_type_strip(t->to)->size;
    int64_t i;
    if (x->kind == EZ_X_RANGE)
        return section_range(s, t, x, size);
    EZ_TRY(section_number(s->ev, x, &i));
    if (t->count != UINT64_MAX && (uint64_t)i - (uint64_t)t->lower >= t->count)
        return section_outside();
    s->at += (uint64_t)(i - t->lower) * size;
    return NULL;
}

/* Makes the array type of the section. *own is true if the elements are not contiguous, so that
 * they must be copied. */
static ez_err *section_type(struct section *s, const struct ez_type *element, int64_t *stride,
                            bool *own, const struct ez_type **out)
{
    *out = element;
    for (unsigned k = 0; k < s->n; k++) {
        uint64_t size = ez_type_strip(*out)->size;
        struct ez_type one = {
            .kind = EZ_TY_ARRAY, .count = s->dim[k].count, .lower = 1, .to = *out
        };
        if (__builtin_mul_overflow(one.count, size, &one.size) || one.size > EVAL_LARGEST)
            return ez_err_new(EZ_E_LIMIT, 0, "The section has more than %u bytes", EVAL_LARGEST);
        stride[s->n - 1 - k] = s->dim[k].stride;
        *own |= s->dim[k].stride != (int64_t)size && one.count > 1;
        *out = shape_keep(s->ev, &one);
    }
    return NULL;
}

ez_err *section_of(struct eval *ev, const struct ez_expr *x, struct ez_named *io)
{
    struct section s = { .ev = ev };
    const struct ez_type *t, *dim[DEEPEST] = { NULL };
    int64_t stride[DEEPEST + 1] = { 0 };
    size_t rank = x->at.n - 1;
    bool own = false;
    if (!rank)
        return ez_err_gdb(EZ_E_ARG, "Wrong number of subscripts");
    t = ez_type_strip(io->type);
    s.at = io->where.addr;
    /* the last dimension is the outermost */
    for (size_t k = rank; k-- > 0; t = ez_type_strip(t->to)) {
        if (t->kind != EZ_TY_ARRAY || k >= DEEPEST)
            return ez_err_gdb(EZ_E_ARG, "Wrong number of subscripts");
        dim[k] = t;
    }
    for (size_t k = 0; k < rank; k++)
        EZ_TRY(section_subscript(&s, dim[k], x->at.at[k + 1]));
    EZ_TRY(section_type(&s, dim[0]->to, stride, &own, &io->type));
    io->where = (struct ez_where){ .kind = EZ_AT_MEMORY, .addr = s.at };
    if (own && !shape_hold(ev, stride, s.at, io))
        return ez_err_gdb(EZ_E_SYS, "Cannot access memory at address 0x%llx",
                          (unsigned long long)s.at);
    return NULL;
}
