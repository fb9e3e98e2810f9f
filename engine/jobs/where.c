/* SPDX-License-Identifier: GPL-3.0-or-later */
/* where.c - evaluates the condition COND in `where COND` of a context for each member of the job.
 * COND is a C expression of the variables rank, size, host, local and pid; engine/expr/plain.h
 * evaluates the expression.
 * Tests: tests/unit/jobs/check_context.c */
#include <string.h>

#include "engine/expr/plain.h"
#include "engine/jobs/context.h"

struct where {
    const struct ez_member *m;
    uint64_t size;
};

/* Returns the value of the variable x for the member w->m in *out (an ez_plain_fn). */
static ez_err *where_variable(void *arg, const struct ez_expr *x, struct ez_plain *out)
{
    const struct where *w = arg;
    const struct ez_member *m = w->m;
    EZ_FREE char *name = ez_plain_spelling(x);
    const struct {
        const char *name;
        struct ez_plain value;
    } known[] = { { "rank", ez_plain_int(m->rank) },
                  { "size", ez_plain_int(w->size) },
                  { "local", ez_plain_int(m->local) },
                  { "pid", ez_plain_int(m->pid) },
                  { "host", ez_plain_text(m->host) } };
    for (size_t i = 0; i < EZ_ARRAY_LEN(known); i++) {
        if (strcmp(name, known[i].name))
            continue;
        *out = known[i].value;
        return NULL;
    }
    return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "A condition on ranks has no variable \"%s\"", name),
                       "The variables are rank, size, host, local and pid");
}

ez_err *ez_where_ranks(const struct ez_roster *r, const char *text, struct ez_ranks *out)
{
    struct ez_expr *x;
    const struct ez_member nobody = { .host = "" };
    struct where w = { .m = &nobody, .size = r->member.n };
    ez_err *e = NULL;
    bool holds;
    EZ_TRY(ez_expr_parse(text, NULL, &x));
    /* Without members, evaluates COND once for `nobody`, to report errors in COND. */
    if (!r->member.n)
        e = ez_plain_holds(x, EZ_PLAIN_STRICT, where_variable, &w, &holds);
    for (size_t i = 0; i < r->member.n && !e; i++) {
        w.m = &r->member.at[i];
        e = ez_plain_holds(x, EZ_PLAIN_STRICT, where_variable, &w, &holds);
        if (!e && holds)
            ez_ranks_add(out, w.m->rank, w.m->rank);
    }
    ez_expr_free(x);
    return e;
}
