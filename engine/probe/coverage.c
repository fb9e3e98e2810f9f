/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coverage.c - counts the functions that the user wanted to probe, by result (struct ez_coverage in
 * why.h).
 *
 * Planted and pending probes are counted when the user requests the numbers. Refused probes are
 * dropped before that, so each refusal is counted when it happens, by reason. The numbers belong to
 * one process, and are stored after its end until the next process begins.
 * Tests: tests/procs/why.sh */
#include "engine/probe/why.h"

#include <stdio.h>
#include <string.h>

#include "engine/target.h"
#include "engine/probe/coverage.h"

void ez_cover_reason(const char *reason, size_t what, char *cut, size_t size)
{
    const char *s = reason ? reason : "?";
    snprintf(cut, size, "%.*s", (int)(what ? what : strlen(s)), s);
}

static void coverage_forget(struct ez_cover *c)
{
    for (size_t i = 0; i < c->refused.n; i++)
        free(c->refused.at[i].reason);
    EZ_VEC_FREE(&c->refused);
    c->removed = 0;
    c->ended = false;
}

/* Returns the numbers of the current process. If a new process has begun, first drops those of the
 * earlier process. */
static struct ez_cover *coverage_cover_now(struct ez_target *t)
{
    if (t->probes.cover.ended && t->inf.state != EZ_NONE)
        coverage_forget(&t->probes.cover);
    return &t->probes.cover;
}

void ez_cover_free(struct ez_target *t)
{
    coverage_forget(&t->probes.cover);
}

void ez_cover_refused(struct ez_target *t, const char *reason, size_t what)
{
    char cut[80];
    struct ez_cover *c = coverage_cover_now(t);
    ez_cover_reason(reason, what, cut, sizeof cut);
    for (size_t i = 0; i < c->refused.n; i++)
        if (!strcmp(c->refused.at[i].reason, cut)) {
            c->refused.at[i].n++;
            return;
        }
    struct ez_refusal r = { ez_strdup(cut), 1 };
    EZ_PUSH(&c->refused, r);
}

void ez_cover_removed(struct ez_target *t, uint64_t n)
{
    if (t->inf.state != EZ_NONE)
        coverage_cover_now(t)->removed += n;
}

static void coverage_count_planted(struct ez_coverage *c, const char *strategy)
{
    unsigned i = 0;
    while (i < c->nplanted && strcmp(c->planted[i].strategy, strategy))
        i++;
    if (i == c->nplanted)
        c->planted[c->nplanted++].strategy = strategy;
    c->planted[i].n++;
}

static void coverage_count(const struct ez_target *t, struct ez_coverage *c)
{
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        const struct ez_probe *p = t->probes.probe.at[i];
        switch (p->state) {
        case EZ_PROBE_ARMED:
            coverage_count_planted(c, ez_strategy(t->patcher.site.at[p->site].win.strategy)->text);
            break;
        case EZ_PROBE_PENDING:
            c->pending++;
            break;
        case EZ_PROBE_DISABLED:
            c->disabled++;
            break;
        case EZ_PROBE_LOST:
            c->lost++;
            break;
        /* counted in c->refused already */
        case EZ_PROBE_REFUSED:
            break;
        }
    }
}

void ez_cover_ended(struct ez_target *t)
{
    memset(&t->probes.cover.last, 0, sizeof t->probes.cover.last);
    coverage_count(t, &t->probes.cover.last);
    t->probes.cover.ended = true;
}

static int coverage_by_number(const void *a, const void *b)
{
    const struct ez_refusal *x = a, *y = b;
    return x->n != y->n ? (x->n < y->n ? 1 : -1) : strcmp(x->reason, y->reason);
}

void ez_coverage(struct ez_target *t, struct ez_coverage *c,
                 void (*reason)(const char *text, uint64_t n, void *arg), void *arg)
{
    struct ez_cover *all = coverage_cover_now(t);
    *c = (struct ez_coverage){ 0 };
    if (t->inf.state == EZ_NONE && all->ended)
        *c = all->last;
    else
        coverage_count(t, c);
    if (all->refused.n)
        qsort(all->refused.at, all->refused.n, sizeof *all->refused.at, coverage_by_number);
    for (size_t i = 0; i < all->refused.n; i++)
        c->refused += all->refused.at[i].n;
    c->removed = all->removed;
    c->requested = c->pending + c->disabled + c->lost + c->refused + c->removed;
    for (unsigned i = 0; i < c->nplanted; i++)
        c->requested += c->planted[i].n;
    for (size_t i = 0; reason && i < all->refused.n; i++)
        reason(all->refused.at[i].reason, all->refused.at[i].n, arg);
}
