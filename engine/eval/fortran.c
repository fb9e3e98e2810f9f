/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fortran.c - Fortran expressions that only the shell evaluates (engine/expr/gen_fortran.c):
 * strings, operations whose result is an array, addresses of arrays.
 *
 * Tests: tests/procs/fortran.sh */
#include <string.h>

#include "engine/expr/gen.h"
#include "engine/eval/eval_priv.h"

/* ---- texts ----------------------------------------------------------------------------------- */

struct ez_value fortran_literal(struct eval *ev, const struct ez_expr *x)
{
    struct ez_type *t = shape_keep(ev, ez_type_array_of(ez_type_base("char"), x->number));
    t->lower = 1;
    t->is_char_text = true;
    return value_made(t, x->text, x->number);
}

static struct ez_value fortran_padded(const struct ez_value *text, const struct ez_value *like)
{
    struct ez_value v = value_made(like->type, like->byte, like->n);
    memset(v.byte, ' ', v.n);
    memcpy(v.byte, text->byte, EZ_MIN(v.n, text->n));
    return v;
}

bool fortran_as(const struct ez_value *from, const struct ez_value *to, struct ez_value *out)
{
    const struct ez_type *t = ez_type_strip(to->type), *own = ez_type_strip(from->type);
    bool texts = ez_fortran_is_text(t) && ez_fortran_is_text(own);
    if (texts)
        *out = fortran_padded(from, to);
    return texts;
}

/* Compares strings as Fortran does: the shorter one is padded with blanks. */
static int fortran_order(const uint8_t *a, size_t na, const uint8_t *b, size_t nb)
{
    for (size_t i = 0; i < EZ_MAX(na, nb); i++) {
        int x = i < na ? a[i] : ' ', y = i < nb ? b[i] : ' ';
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

static ez_err *fortran_place(struct eval *ev, const struct ez_expr *x, const struct ez_type **type,
                             uint64_t *at) EZ_WUR;

/* Sets *out to the bytes of a string, which the caller frees. */
static ez_err *fortran_bytes(struct eval *ev, const struct ez_expr *x, uint8_t **out, size_t *n)
{
    const struct ez_type *t;
    uint64_t at;
    if (x->kind == EZ_X_STRING) {
        *n = x->number;
        *out = memcpy(ez_alloc(*n + 1), x->text, *n);
        return NULL;
    }
    EZ_TRY(fortran_place(ev, x, &t, &at));
    *n = t->size;
    if (*n > EVAL_LARGEST || t->count == UINT64_MAX)
        return ez_err_new(EZ_E_LIMIT, 0, "The string is longer than %u characters", EVAL_LARGEST);
    *out = ez_alloc(*n + 1);
    return eval_read(ev, at, *out, *n);
}

static ez_err *fortran_compare(struct eval *ev, const struct ez_expr *x, struct ez_named *out)
{
    EZ_FREE uint8_t *a = NULL, *b = NULL;
    size_t na, nb;
    EZ_TRY(fortran_bytes(ev, x->at.at[0], &a, &na));
    EZ_TRY(fortran_bytes(ev, x->at.at[1], &b, &nb));
    int order = fortran_order(a, na, b, nb);
    bool is = x->op == '<'                ? order < 0
              : x->op == '>'              ? order > 0
              : x->op == EZ_OP2('<', '=') ? order <= 0
              : x->op == EZ_OP2('>', '=') ? order >= 0
                                          : (order == 0) == (x->op == EZ_OP2('=', '='));
    *out = (struct ez_named){ gen_fortran_logical(), { .kind = EZ_AT_CONST, .addr = is } };
    return NULL;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Finds the type and the address of x. */
static ez_err *fortran_place(struct eval *ev, const struct ez_expr *x, const struct ez_type **type,
                             uint64_t *at)
{
    struct ez_clause_code code = { .words = 0 };
    struct gen g = { .code = &code, .scope = &ev->scope };
    struct gen_operand o;
    ez_err *e = gen_expr(&g, x, &o);
    *type = e ? NULL : ez_type_load(ez_type_strip(o.type));
    if (!e)
        e = gen_address(&g, &o);
    if (!e)
        e = gen_run(&g, ev->scope.address, 0, &o, at);
    EZ_VEC_FREE(&code.op);
    return e;
}

/* ---- callbacks of the compiler --------------------------------------------------------------- */

ez_err *fortran_value(void *arg, const struct ez_expr *x, struct ez_named *out)
{
    return x->kind == EZ_X_BINARY ? fortran_compare(arg, x, out) : section_of(arg, x, out);
}

void fortran_hold(void *arg, const struct ez_type *t, const void *bytes, size_t n,
                  struct ez_named *out)
{
    struct ez_value v = value_made(shape_keep(arg, t), bytes, n);
    eval_hold(arg, &v, out);
    ez_value_clear(&v);
}

void fortran_shape(void *arg, struct ez_named *of)
{
    shape_resolve(arg, NULL, of);
}
