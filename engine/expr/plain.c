/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain.c - evaluates expressions over supplied numbers and texts (plain.h). */
#include "engine/expr/plain.h"

#include <fnmatch.h>
#include <string.h>

struct plain {
    ez_plain_fn *fn;
    void *arg;
    enum ez_plain_mode mode;
};

static const struct ez_plain unknown = { .kind = EZ_PL_UNKNOWN };

static bool plain_holds(const struct ez_plain *v)
{
    return v->kind == EZ_PL_INT ? v->i != 0 : v->kind == EZ_PL_REAL && v->real != 0;
}

bool ez_plain_is_variable(const struct ez_expr *x)
{
    return x->kind == EZ_X_NAME || x->kind == EZ_X_VAR || x->kind == EZ_X_MEMBER ||
           x->kind == EZ_X_ARROW || x->kind == EZ_X_INDEX ||
           (x->kind == EZ_X_UNARY && x->op == '*');
}

char *ez_plain_spelling(const struct ez_expr *x)
{
    if (x->kind == EZ_X_INT)
        return ez_sprintf("%llu", (unsigned long long)x->number);
    if (x->kind == EZ_X_NAME || x->kind == EZ_X_VAR)
        return ez_sprintf("%s%s%s", x->scope ? x->scope : "", x->scope ? "::" : "", x->text);
    if (!ez_plain_is_variable(x))
        return ez_strdup("?");
    EZ_FREE char *inner = ez_plain_spelling(x->at.at[0]);
    if (x->kind == EZ_X_UNARY)
        return ez_sprintf("*%s", inner);
    if (x->kind != EZ_X_INDEX)
        return ez_sprintf("%s%s%s", inner, x->kind == EZ_X_ARROW ? "->" : ".", x->text);
    EZ_FREE char *index = ez_plain_spelling(x->at.at[1]);
    return ez_sprintf("%s[%s]", inner, index);
}

static ez_err *plain_no_operator(void)
{
    return ez_err_new(EZ_E_ARG, 0, "A condition cannot use this operator");
}

/* Returns the error for the operand x, a text where a number is expected. */
static ez_err *plain_no_text(const struct ez_expr *x)
{
    EZ_FREE char *name = x->kind == EZ_X_STRING ? ez_strdup(x->text) : ez_plain_spelling(x);
    return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "\"%s\" is a text, not a number", name),
                       "Compare texts by == and !=");
}

/* Returns whether v is a text and no number. */
static bool plain_is_text(const struct ez_plain *v)
{
    return v->text && v->kind == EZ_PL_UNKNOWN;
}

static double plain_real(const struct ez_plain *v)
{
    return v->kind == EZ_PL_REAL ? v->real : (double)v->i;
}

static ez_err *plain_real_op(int op, double a, double b, struct ez_plain *out)
{
    switch (op) {
    case '+':
        *out = ez_plain_real(a + b);
        return NULL;
    case '-':
        *out = ez_plain_real(a - b);
        return NULL;
    case '*':
        *out = ez_plain_real(a * b);
        return NULL;
    case '/':
        *out = ez_plain_real(a / b);
        return NULL;
    case '<':
        *out = ez_plain_int(a < b);
        return NULL;
    case '>':
        *out = ez_plain_int(a > b);
        return NULL;
    case EZ_OP2('<', '='):
        *out = ez_plain_int(a <= b);
        return NULL;
    case EZ_OP2('>', '='):
        *out = ez_plain_int(a >= b);
        return NULL;
    case EZ_OP2('=', '='):
        *out = ez_plain_int(a == b);
        return NULL;
    case EZ_OP2('!', '='):
        *out = ez_plain_int(a != b);
        return NULL;
    default:
        return plain_no_operator();
    }
}

static ez_err *plain_divide(int op, __int128 a, __int128 b, struct ez_plain *out)
{
    if (b == -1)
        *out = ez_plain_int(op == '/' ? (__int128)(0 - (unsigned __int128)a) : 0);
    else
        *out = ez_plain_int(op == '/' ? a / b : a % b);
    return NULL;
}

static ez_err *plain_int_op(int op, __int128 a, __int128 b, struct ez_plain *out)
{
    unsigned __int128 ua = (unsigned __int128)a, ub = (unsigned __int128)b;
    __int128 v;
    switch (op) {
    case '/':
    case '%':
        return plain_divide(op, a, b, out);
    case '+':
        v = (__int128)(ua + ub);
        break;
    case '-':
        v = (__int128)(ua - ub);
        break;
    case '*':
        v = (__int128)(ua * ub);
        break;
    case '&':
        v = a & b;
        break;
    case '|':
        v = a | b;
        break;
    case '^':
        v = a ^ b;
        break;
    case '<':
        v = a < b;
        break;
    case '>':
        v = a > b;
        break;
    case EZ_OP2('<', '='):
        v = a <= b;
        break;
    case EZ_OP2('>', '='):
        v = a >= b;
        break;
    case EZ_OP2('=', '='):
        v = a == b;
        break;
    case EZ_OP2('!', '='):
        v = a != b;
        break;
    case EZ_OP2('<', '<'):
        v = ub < 127 ? (__int128)(ua << ub) : 0;
        break;
    case EZ_OP2('>', '>'):
        v = a >> EZ_MIN(ub, (unsigned __int128)127);
        break;
    default:
        return plain_no_operator();
    }
    *out = ez_plain_int(v);
    return NULL;
}

static bool plain_matches(const char *glob, const struct ez_plain *v)
{
    if (!fnmatch(glob, v->text, 0))
        return true;
    if (!v->title)
        return false;
    EZ_FREE char *all = ez_sprintf("* %s %llu", glob, (unsigned long long)v->i);
    return !fnmatch(all + 2, v->text, 0) || !fnmatch(all, v->text, 0);
}

/* Compares two texts, one of which may have wildcards, by == or !=. */
static ez_err *plain_compare_texts(const struct ez_expr *x, const struct ez_plain *a,
                                   const struct ez_plain *b, struct ez_plain *out)
{
    bool equal = x->op == EZ_OP2('=', '='), swap = x->at.at[0]->kind == EZ_X_STRING;
    if (!equal && x->op != EZ_OP2('!', '='))
        return plain_no_text(x->at.at[0]);
    bool matches = swap ? plain_matches(a->text, b) : plain_matches(b->text, a);
    *out = ez_plain_int(matches == equal);
    return NULL;
}

/* Not inlined, so that plain_eval() of a variable or a number saves no registers. */
__attribute__((noinline)) static ez_err *
plain_operation(const struct plain *p, const struct ez_expr *x, struct ez_plain *out);

static ez_err *plain_eval(const struct plain *p, const struct ez_expr *x, struct ez_plain *out)
{
    switch (x->kind) {
    case EZ_X_NAME:
    case EZ_X_VAR:
    case EZ_X_MEMBER:
    case EZ_X_ARROW:
    case EZ_X_INDEX:
        return p->fn(p->arg, x, out);
    case EZ_X_INT:
    case EZ_X_CHAR:
        *out = ez_plain_int((__int128)x->number);
        return NULL;
    case EZ_X_FLOAT:
        *out = ez_plain_real(x->real);
        return NULL;
    case EZ_X_STRING:
        *out = ez_plain_text(x->text);
        return NULL;
    default:
        return plain_operation(p, x, out);
    }
}

/* Returns whether this operand alone decides `&&` (both) or `||`. */
static bool plain_decides(const struct ez_plain *v, bool both)
{
    return v->kind && plain_holds(v) != both;
}

static ez_err *plain_logical(const struct plain *p, const struct ez_expr *x, struct ez_plain *out)
{
    struct ez_plain a, b = unknown;
    bool both = x->op == EZ_OP2('&', '&');
    EZ_TRY(plain_eval(p, x->at.at[0], &a));
    if (plain_is_text(&a))
        return plain_no_text(x->at.at[0]);
    if (!plain_decides(&a, both) || p->mode == EZ_PLAIN_CHECK)
        EZ_TRY(plain_eval(p, x->at.at[1], &b));
    if (plain_is_text(&b))
        return plain_no_text(x->at.at[1]);
    if (plain_decides(&a, both) || plain_decides(&b, both))
        *out = ez_plain_int(!both);
    else
        *out = a.kind && b.kind ? ez_plain_int(both) : unknown;
    return NULL;
}

/* Returns whether x compares a text with NULL by == or !=. */
static bool plain_text_and_null(const struct ez_expr *x, const struct ez_plain *a,
                                const struct ez_plain *b)
{
    const struct ez_plain *other = plain_is_text(a) ? b : a;
    const struct ez_expr *y = x->at.at[plain_is_text(a) ? 1 : 0];
    bool null = other->null || (y->kind == EZ_X_INT && !y->number);
    return null && plain_is_text(a) != plain_is_text(b) &&
           (x->op == EZ_OP2('=', '=') || x->op == EZ_OP2('!', '='));
}

static ez_err *plain_ints(const struct plain *p, int op, __int128 a, __int128 b,
                          struct ez_plain *out)
{
    if (b || (op != '/' && op != '%'))
        return plain_int_op(op, a, b, out);
    *out = unknown;
    return p->mode == EZ_PLAIN_LENIENT ? NULL : ez_err_gdb(EZ_E_ARG, "Division by zero");
}

static ez_err *plain_binary(const struct plain *p, const struct ez_expr *x, struct ez_plain *out)
{
    struct ez_plain a, b;
    EZ_TRY(plain_eval(p, x->at.at[0], &a));
    EZ_TRY(plain_eval(p, x->at.at[1], &b));
    if (a.kind == EZ_PL_INT && b.kind == EZ_PL_INT && !a.text && !b.text)
        return plain_ints(p, x->op, a.i, b.i, out);
    if (a.text && b.text)
        return plain_compare_texts(x, &a, &b, out);
    if (plain_text_and_null(x, &a, &b)) {
        *out = ez_plain_int(x->op == EZ_OP2('!', '='));
        return NULL;
    }
    *out = unknown;
    if (plain_is_text(&a) && b.kind)
        return plain_no_text(x->at.at[0]);
    if (plain_is_text(&b) && a.kind)
        return plain_no_text(x->at.at[1]);
    if (!a.kind || !b.kind)
        return NULL;
    if (a.kind == EZ_PL_REAL || b.kind == EZ_PL_REAL)
        return plain_real_op(x->op, plain_real(&a), plain_real(&b), out);
    return plain_ints(p, x->op, a.i, b.i, out);
}

static ez_err *plain_unary(const struct plain *p, const struct ez_expr *x, struct ez_plain *out)
{
    struct ez_plain v;
    EZ_TRY(plain_eval(p, x->at.at[0], &v));
    if (plain_is_text(&v))
        return plain_no_text(x->at.at[0]);
    *out = unknown;
    if (!strchr("-+!~", x->op) || (v.kind == EZ_PL_REAL && x->op == '~'))
        return plain_no_operator();
    if (!v.kind)
        return NULL;
    if (x->op == '!')
        *out = ez_plain_int(!plain_holds(&v));
    else if (v.kind == EZ_PL_REAL)
        *out = ez_plain_real(x->op == '-' ? -v.real : v.real);
    else if (x->op == '-')
        *out = ez_plain_int((__int128)(0 - (unsigned __int128)v.i));
    else
        *out = ez_plain_int(x->op == '~' ? ~v.i : v.i);
    return NULL;
}

static ez_err *plain_choose(const struct plain *p, const struct ez_expr *x, struct ez_plain *out)
{
    struct ez_plain c, yes = unknown, no = unknown;
    EZ_TRY(plain_eval(p, x->at.at[0], &c));
    bool first = plain_holds(&c);
    if (first || p->mode == EZ_PLAIN_CHECK)
        EZ_TRY(plain_eval(p, x->at.at[1], &yes));
    if (!first || p->mode == EZ_PLAIN_CHECK)
        EZ_TRY(plain_eval(p, x->at.at[2], &no));
    *out = !c.kind ? unknown : first ? yes : no;
    return NULL;
}

static ez_err *plain_operation(const struct plain *p, const struct ez_expr *x, struct ez_plain *out)
{
    switch (x->kind) {
    case EZ_X_UNARY:
        return ez_plain_is_variable(x) ? p->fn(p->arg, x, out) : plain_unary(p, x, out);
    case EZ_X_COND:
        return plain_choose(p, x, out);
    case EZ_X_BINARY:
        if (x->op == EZ_OP2('&', '&') || x->op == EZ_OP2('|', '|'))
            return plain_logical(p, x, out);
        return plain_binary(p, x, out);
    default:
        return ez_err_hint(
            ez_err_new(EZ_E_ARG, 0, "A condition cannot contain an expression of this kind"),
            "A condition may contain numbers, texts, variables and the operators of C, but no "
            "assignments and no calls");
    }
}

ez_err *ez_plain_holds(const struct ez_expr *x, enum ez_plain_mode mode, ez_plain_fn *fn, void *arg,
                       bool *out)
{
    const struct plain p = { fn, arg, mode };
    struct ez_plain v;
    EZ_TRY(plain_eval(&p, x, &v));
    *out = plain_holds(&v);
    return plain_is_text(&v) ? plain_no_text(x) : NULL;
}
