/* SPDX-License-Identifier: GPL-3.0-or-later */
/* score_plan.c - estimates a trace, and chooses functions to exclude (score.h).
 * Tests: tests/procs/score.sh */
#include "cmds/probe/score.h"

#include <stdlib.h>
#include <string.h>

static int score_by_calls(const void *a, const void *b)
{
    const struct score_row *x = a, *y = b;
    return x->calls != y->calls ? (x->calls < y->calls ? 1 : -1) : strcmp(x->function, y->function);
}

void score_plan_exclude(struct score_plan *p)
{
    if (p->row.n)
        qsort(p->row.at, p->row.n, sizeof *p->row.at, score_by_calls);
    for (size_t i = 0; i < p->row.n; i++) {
        p->all_bytes += p->row.at[i].bytes;
        p->all_slowdown += p->row.at[i].slowdown;
    }
    p->left_bytes = p->all_bytes;
    p->left_slowdown = p->all_slowdown;
    for (size_t i = 0;
         i < p->row.n && (p->left_bytes > p->max_bytes || p->left_slowdown > p->max_slowdown);
         i++) {
        p->row.at[i].out = true;
        p->nout++;
        p->left_bytes = EZ_MAX(p->left_bytes - p->row.at[i].bytes, 0.);
        p->left_slowdown = EZ_MAX(p->left_slowdown - p->row.at[i].slowdown, 0.);
    }
}

/* Returns true if the row's function must be excluded. If static functions of two files have the
 * same name, commands cannot distinguish them, so both are excluded. */
static bool score_is_out(const struct score_plan *p, const struct score_row *r)
{
    for (size_t i = 0; i < p->nout; i++)
        if (!strcmp(p->row.at[i].function, r->function) &&
            !strcmp(p->row.at[i].library, r->library))
            return true;
    return false;
}

struct score_text {
    EZ_VEC(char) c;
};

static void score_plan_add(struct score_text *t, const char *text)
{
    for (; *text; text++)
        EZ_PUSH(&t->c, *text);
}

char *score_plan_script(const struct score_plan *p)
{
    struct score_text t = { .c = { 0 } };
    score_plan_add(&t, "begin\n");
    for (size_t i = p->nout; i < p->row.n; i++) {
        const struct score_row *r = &p->row.at[i];
        if (score_is_out(p, r))
            continue;
        EZ_FREE char *line = ez_sprintf("probe '%s:%s'\n", r->library, r->function);
        score_plan_add(&t, line);
    }
    score_plan_add(&t, "commit\n");
    EZ_PUSH(&t.c, 0);
    return t.c.at;
}

void score_plan_free(struct score_plan *p)
{
    EZ_VEC_FREE(&p->row);
}
