/* SPDX-License-Identifier: GPL-3.0-or-later */
/* where.c - evaluates `where COND` of a context for each member. COND is an expression of C over
 * rank, size, host, local and pid; engine/expr/expr.h parses it.
 * Tests: tests/unit/jobs/check_context.c */
#include <fnmatch.h>
#include <string.h>

#include "engine/expr/expr.h"
#include "engine/jobs/context.h"

struct where {
    const struct ez_member *m;
    uint64_t size;
    ez_err *e;
};

static int64_t where_fail(struct where *w, ez_err *e)
{
    w->e = ez_err_first(w->e, e);
    return 0;
}

static int64_t where_name(struct where *w, const char *name)
{
    if (!strcmp(name, "rank"))
        return w->m->rank;
    if (!strcmp(name, "size"))
        return (int64_t)w->size;
    if (!strcmp(name, "local"))
        return w->m->local;
    if (!strcmp(name, "pid"))
        return w->m->pid;
    if (!strcmp(name, "host"))
        return where_fail(w,
                          ez_err_hint(ez_err_new(EZ_E_ARG, 0, "\"host\" is a name, not a number"),
                                      "Write for example host == \"node1*\""));
    return where_fail(
        w, ez_err_hint(ez_err_new(EZ_E_ARG, 0, "A condition on ranks has no variable \"%s\"", name),
                       "The variables are rank, size, host, local and pid"));
}

/* Returns the string with which x compares the host, GLOB in `host == "GLOB"`; else NULL. */
static const char *where_glob(const struct ez_expr *x)
{
    const struct ez_expr *a = x->at.at[0], *b = x->at.at[1];
    bool host = a->kind == EZ_X_NAME && !strcmp(a->text, "host");
    return host && b->kind == EZ_X_STRING ? b->text : NULL;
}

static int64_t where_value(struct where *w, const struct ez_expr *x);

static int64_t where_divide(struct where *w, int op, int64_t a, int64_t b)
{
    if (!b)
        return where_fail(w, ez_err_gdb(EZ_E_ARG, "Division by zero"));
    if (b == -1)
        return op == '/' ? (int64_t)(0 - (uint64_t)a) : 0;
    return op == '/' ? a / b : a % b;
}

static int64_t where_binary(struct where *w, const struct ez_expr *x)
{
    const char *glob = where_glob(x);
    int op = x->op;
    if (glob && (op == EZ_OP2('=', '=') || op == EZ_OP2('!', '=')))
        return !fnmatch(glob, w->m->host, 0) == (op == EZ_OP2('=', '='));
    int64_t a = where_value(w, x->at.at[0]);
    if (op == EZ_OP2('&', '&') || op == EZ_OP2('|', '|'))
        return (a != 0) == (op == EZ_OP2('&', '&')) ? where_value(w, x->at.at[1]) != 0 : a != 0;
    int64_t b = where_value(w, x->at.at[1]);
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    switch (op) {
    case '+':
        return (int64_t)(ua + ub);
    case '-':
        return (int64_t)(ua - ub);
    case '*':
        return (int64_t)(ua * ub);
    case '/':
    case '%':
        return where_divide(w, op, a, b);
    case '&':
        return a & b;
    case '|':
        return a | b;
    case '^':
        return a ^ b;
    case '<':
        return a < b;
    case '>':
        return a > b;
    case EZ_OP2('<', '='):
        return a <= b;
    case EZ_OP2('>', '='):
        return a >= b;
    case EZ_OP2('=', '='):
        return a == b;
    case EZ_OP2('!', '='):
        return a != b;
    case EZ_OP2('<', '<'):
        return ub < 64 ? (int64_t)(ua << ub) : 0;
    case EZ_OP2('>', '>'):
        return a >> EZ_MIN(ub, 63);
    default:
        return where_fail(w,
                          ez_err_new(EZ_E_ARG, 0, "A condition on ranks cannot use this operator"));
    }
}

static int64_t where_value(struct where *w, const struct ez_expr *x)
{
    int64_t v;
    switch (x->kind) {
    case EZ_X_INT:
    case EZ_X_CHAR:
        return (int64_t)x->number;
    case EZ_X_NAME:
        return where_name(w, x->text);
    case EZ_X_UNARY:
        v = where_value(w, x->at.at[0]);
        if (x->op == '-')
            return (int64_t)(0 - (uint64_t)v);
        if (x->op == '!' || x->op == '~' || x->op == '+')
            return x->op == '!' ? !v : x->op == '~' ? ~v : v;
        break;
    case EZ_X_BINARY:
        return where_binary(w, x);
    case EZ_X_COND:
        return where_value(w, x->at.at[where_value(w, x->at.at[0]) ? 1 : 2]);
    default:
        break;
    }
    return where_fail(
        w, ez_err_hint(ez_err_new(EZ_E_ARG, 0,
                                  "A condition on ranks cannot contain an expression of this kind"),
                       "A condition may contain numbers, rank, size, host, local, pid and the "
                       "operators of C, but no assignments"));
}

ez_err *ez_where_ranks(const struct ez_roster *r, const char *text, struct ez_ranks *out)
{
    struct ez_expr *x;
    const struct ez_member nobody = { .host = "" };
    struct where w = { .m = &nobody, .size = r->member.n };
    EZ_TRY(ez_expr_parse(text, NULL, &x));
    if (!r->member.n) /* evaluates once without a member, to report errors in COND */
        where_value(&w, x);
    for (size_t i = 0; i < r->member.n && !w.e; i++) {
        w.m = &r->member.at[i];
        if (where_value(&w, x))
            ez_ranks_add(out, w.m->rank, w.m->rank);
    }
    ez_expr_free(x);
    return w.e;
}
