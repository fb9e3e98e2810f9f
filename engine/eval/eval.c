/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eval.c - evaluates expressions: parses and compiles them, and has the code run: see eval.h. */
#include "engine/eval/eval_priv.h"

#include <string.h>

#include "engine/expr/describe.h"
#include "engine/expr/gen.h"

/* ---- what the machine does not compute ------------------------------------------------------- */

/* Evaluates the condition of COND ? A : B. *out is the number of the operand that it selects. */
static ez_err *eval_choose(struct eval *ev, const struct gen_wide *w, unsigned *out)
{
    struct ez_value v, is = { .type = NULL };
    EZ_TRY(run_piece(ev, w, 0, &v));
    ez_err *e = value_convert(&v, ez_type_base("bool"), &is);
    *out = !e && is.byte[0] ? 1 : 2;
    ez_value_clear(&is);
    ez_value_clear(&v);
    return e;
}

/* Calls the operator function of a C++ class. If only the type of the result is wanted, the
 * operands have types but no values. */
static ez_err *eval_operator(struct eval *ev, const struct gen_wide *w, struct ez_named *out)
{
    struct ez_value v[2] = { { .type = w->of[0].o.type }, { .type = w->of[1].o.type } }, result;
    const char sign[] = { (char)(w->op > 0xff ? w->op >> 8 : w->op),
                          (char)(w->op > 0xff ? w->op : 0), 0 };
    ez_err *e = NULL;
    *out = (struct ez_named){ .type = w->type, .where = { .kind = EZ_AT_CONST } };
    for (unsigned i = 0; i < w->n && !ev->types && !e; i++)
        e = run_piece(ev, w, i, &v[i]);
    if (!e)
        e = method_operator(ev, sign, v, w->n, &result);
    if (!e && ev->types)
        out->type = result.type;
    else if (!e)
        eval_hold(ev, &result, out);
    if (!e)
        ez_value_clear(&result);
    for (unsigned i = 0; i < w->n; i++)
        ez_value_clear(&v[i]);
    return e;
}

ez_err *eval_wide(void *arg, const struct gen_wide *w, struct ez_named *out)
{
    struct eval *ev = arg;
    struct ez_value v[2] = { { .type = NULL }, { .type = NULL } }, result = { .type = NULL };
    unsigned first = 0;
    if (w->kind == EZ_X_CALL)
        return eval_operator(ev, w, out);
    *out = (struct ez_named){ .type = w->type, .where = { .kind = EZ_AT_CONST } };
    if (ev->types)
        return NULL;
    if (w->kind == EZ_X_COND)
        EZ_TRY(eval_choose(ev, w, &first));
    ez_err *e = run_piece(ev, w, first, &v[0]);
    if (!e && w->kind == EZ_X_BINARY)
        e = run_piece(ev, w, 1, &v[1]);
    if (!e)
        e = value_whole(&v[0]);
    if (!e && w->kind == EZ_X_BINARY)
        e = value_whole(&v[1]);
    if (!e)
        e = gen_is_several(w->in) ? several_apply(w, v, &result) : wide_apply(w, v, &result);
    if (!e)
        eval_hold(ev, &result, out);
    ez_value_clear(&result);
    ez_value_clear(&v[0]);
    ez_value_clear(&v[1]);
    return e;
}

/* ---- trees ----------------------------------------------------------------------------------- */

static ez_err *eval_assign(struct eval *ev, const struct ez_expr *x, struct ez_value *out);

static ez_err *eval_code(struct eval *ev, const struct ez_expr *x, struct ez_value *out)
{
    struct ez_clause_code code = { .words = 0 };
    struct gen g = { .code = &code, .scope = &ev->scope };
    struct gen_operand o = { .kind = GEN_VALUE };
    const struct ez_type *by = NULL;
    bool named = x->kind == EZ_X_NAME, called = x->kind == EZ_X_CALL && !ev->scope.is_fortran;
    ez_err *e = named    ? gen_name(&g, x, &o)
                : called ? gen_held(&g, x, &o, &called)
                         : gen_expr(&g, x, &o);
    if (!e && (named || called) && !(o.kind == GEN_PLACE && o.where.gone)) {
        by = ez_type_strip(o.type)->kind == EZ_TY_REFERENCE ? o.type : NULL;
        e = gen_referred(&g, &o);
    }
    if (!e && g.referred == x)
        by = g.by;
    if (!e && x->kind == EZ_X_CAST && x->type->is_reference)
        by = ez_type_reference_to(o.type);
    if (!e)
        e = run_operand(ev, &g, &o, out);
    if (!e)
        out->by = by;
    EZ_VEC_FREE(&code.op);
    return e;
}

ez_err *eval_tree(struct eval *ev, const struct ez_expr *x, struct ez_value *out)
{
    ez_err *e = NULL;
    *out = (struct ez_value){ .type = NULL };
    if (x->kind == EZ_X_VAR && names_variable(ev, x->text + 1, out, &e))
        return e;
    return x->kind == EZ_X_ASSIGN ? eval_assign(ev, x, out) : eval_code(ev, x, out);
}

/* ---- assignments ----------------------------------------------------------------------------- */

static ez_err *eval_assigned(struct eval *ev, const struct ez_expr *x, struct ez_value *out)
{
    if (!x->op)
        return eval_tree(ev, x->at.at[1], out);
    struct ez_expr both = { .kind = EZ_X_BINARY, .op = x->op };
    both.at.at = x->at.at;
    both.at.n = 2;
    return eval_tree(ev, &both, out);
}

/* Calls the C++ function for OBJECT += EXPR, ++OBJECT and similar. Sets *is to false if the
 * assigned operand is no object. */
static ez_err *eval_assign_object(struct eval *ev, const struct ez_expr *x, struct ez_value *out,
                                  bool *is)
{
    const bool types = ev->types;
    struct ez_value v[2] = { { .type = NULL }, { .type = NULL } };
    ev->types = true;
    *is = ez_err_drop(eval_tree(ev, x->at.at[0], &v[0])) && eval_is_object(v[0].type);
    ev->types = types;
    ez_value_clear(&v[0]);
    if (!*is)
        return NULL;
    const char two[] = { (char)x->op, x->counts ? (char)x->op : '=', 0 },
               three[] = { (char)(x->op >> 8), (char)x->op, '=', 0 };
    EZ_TRY(eval_tree(ev, x->at.at[0], &v[0]));
    ez_err *e = eval_tree(ev, x->at.at[1], &v[1]);
    if (!e)
        e = method_operator(ev, x->op > 0xff ? three : two, v, x->counts && !x->after ? 1 : 2, out);
    if (!e)
        e = eval_referred(ev, out);
    ez_value_clear(&v[0]);
    ez_value_clear(&v[1]);
    return e;
}

static ez_err *eval_assign_to(struct eval *ev, const struct ez_expr *x,
                              const struct ez_value *value, struct ez_value *out)
{
    struct ez_value to;
    EZ_TRY(eval_tree(ev, x, &to));
    ez_err *e = assign_to(ev, &to, value, out);
    ez_value_clear(&to);
    return e;
}

static ez_err *eval_assign(struct eval *ev, const struct ez_expr *x, struct ez_value *out)
{
    bool is = false;
    if (x->op && ev->scope.is_cxx && x->at.at[0]->kind != EZ_X_VAR)
        EZ_TRY(eval_assign_object(ev, x, out, &is));
    if (is)
        return NULL;
    struct ez_value value, was = { .type = NULL };
    if (x->after)
        EZ_TRY(eval_tree(ev, x->at.at[0], &was));
    ez_err *e = eval_assigned(ev, x, &value);
    if (e) {
        ez_value_clear(&was);
        return e;
    }
    const struct ez_expr *to = x->at.at[0];
    if (assign_is_convenience(ev, to))
        assign_convenience(ev, to->text + 1, &value, out);
    else
        e = eval_assign_to(ev, to, &value, out);
    ez_value_clear(&value);
    if (e || !x->after) {
        ez_value_clear(&was);
        return e;
    }
    ez_value_clear(out);
    *out = was;
    return NULL;
}

/* ---- for commands ---------------------------------------------------------------------------- */

/* Evaluates `text`. names_begin() has been called for `ev`. */
static ez_err *eval_text(struct eval *ev, const char *text, const char **end, struct ez_value *out)
{
    struct ez_expr *x = NULL;
    const struct ez_language words = ez_scope_language(&ev->scope);
    if (end)
        EZ_TRY(ez_expr_parse_item(text, &words, &x, end));
    else
        EZ_TRY(ez_expr_parse(text, &words, &x));
    ev->whole = x;
    ev->v->eval = ez_eval;
    ez_err *e = eval_tree(ev, x, out);
    ev->whole = NULL;
    ez_expr_free(x);
    out->is_fortran = ev->scope.is_fortran;
    const struct ez_type *t = e ? NULL : ez_type_strip(out->type);
    if (t && t->kind == EZ_TY_UNKNOWN && t->symbol) {
        e = ez_err_gdb(EZ_E_ARG, "'%s' has unknown type; cast it to its declared type", t->symbol);
        ez_value_clear(out);
    }
    return e;
}

ez_err *eval_variable(struct eval *ev, const char *name, struct ez_value *out)
{
    EZ_FREE char *own = ez_strdup(name);
    const struct ez_expr x = { .kind = EZ_X_NAME, .text = own };
    ev->v->eval = ez_eval;
    ez_err *e = eval_tree(ev, &x, out);
    out->is_fortran = ev->scope.is_fortran;
    return e;
}

static ez_err *eval_any(struct eval *ev, const char *text, const char **end, struct ez_value *out)
{
    EZ_FREE char *expanded = NULL;
    names_begin(ev);
    ez_err *e = expand_text(ev, text, end, &expanded);
    if (!e)
        e = eval_text(ev, expanded ? expanded : text, expanded ? NULL : end, out);
    names_end(ev);
    return e;
}

ez_err *ez_eval(struct ez_history *v, const char *text, const char **end, struct ez_value *out)
{
    return eval_any(&(struct eval){ .v = v, .t = v->t }, text, end, out);
}

ez_err *ez_eval_so(struct ez_history *v, enum ez_eval_how how, const char *text,
                   struct ez_value *out)
{
    return eval_any(
        &(struct eval){
            .v = v, .t = v->t, .still = how == EZ_EVAL_STILL, .loose = how == EZ_EVAL_LOOSE },
        text, NULL, out);
}

static ez_err *eval_check(struct eval *ev, const struct ez_expr *x)
{
    struct ez_clause_code code = { .words = 0 };
    struct gen g = { .code = &code, .scope = &ev->scope };
    struct gen_operand o = { .kind = GEN_VALUE };
    ez_err *e = NULL;
    bool call = x->kind == EZ_X_CALL, element = call && ev->scope.is_fortran;
    const struct ez_expr *f = call ? x->at.at[0] : x;
    if (element && f->kind == EZ_X_NAME && !gen_fortran_is_intrinsic(f->text))
        e = gen_name(&g, f, &o);
    if (!e && element && o.type && ez_type_strip(o.type)->kind == EZ_TY_FUNC)
        e = value_no_calls();
    if (call && !element && f->kind != EZ_X_VAR)
        e = value_no_calls();
    else if (x->kind == EZ_X_NAME)
        e = gen_name(&g, x, &o);
    EZ_VEC_FREE(&code.op);
    for (size_t i = call; i < x->at.n && !e; i++)
        e = eval_check(ev, x->at.at[i]);
    return e;
}

ez_err *ez_eval_check(struct ez_history *v, uint64_t at, const char *text)
{
    struct eval ev = { .v = v, .t = v->t };
    struct ez_expr *x = NULL;
    if (at)
        names_begin_code(&ev, at);
    else
        names_begin(&ev);
    const struct ez_language words = ez_scope_language(&ev.scope);
    EZ_FREE char *expanded = NULL;
    ez_err *e = expand_text(&ev, text, NULL, &expanded);
    if (!e)
        e = ez_expr_parse(expanded ? expanded : text, &words, &x);
    if (!e)
        e = eval_check(&ev, x);
    ez_expr_free(x);
    names_end(&ev);
    return e;
}

ez_err *ez_eval_type(struct ez_history *v, const char *text, bool whole, char **out)
{
    struct eval ev = { .v = v, .t = v->t, .types = true };
    const struct ez_type *t = NULL;
    bool named = false;
    EZ_FREE char *expanded = NULL;
    names_begin(&ev);
    ez_err *e = expand_text(&ev, text, NULL, &expanded);
    if (!e)
        e = ez_describe_type(&ev.scope, expanded ? expanded : text, &t, &named);
    if (!e && named && !whole && t->kind == EZ_TY_NAMED && t->to)
        t = t->to; /* whatis TYPEDEF resolves one level */
    if (!e)
        *out = ev.scope.is_fortran ? ez_fortran_text(t, whole)
               : whole             ? ez_type_whole(t)
                                   : ez_type_text(t);
    names_end(&ev);
    return e;
}

ez_err *ez_eval_expand(struct ez_history *v, const char *text, char **out)
{
    struct eval ev = { .v = v, .t = v->t };
    names_begin(&ev);
    ez_err *e = expand_text(&ev, text, NULL, out);
    names_end(&ev);
    return e;
}

bool ez_eval_macro(struct ez_history *v, const char *name, struct ez_macro *out)
{
    struct eval ev = { .v = v, .t = v->t };
    names_begin(&ev);
    bool found = expand_macro(&ev, name, out);
    names_end(&ev);
    return found;
}
