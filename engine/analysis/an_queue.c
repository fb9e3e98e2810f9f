/* SPDX-License-Identifier: GPL-3.0-or-later */
/* an_queue.c - for each process, the messages to it that it has not received yet, in the order in
 * which they were sent (analysis_priv.h).
 *
 * Tests: tests/unit/analysis/check_analysis.c */
#include <string.h>

#include "engine/analysis/analysis_priv.h"

enum {
    KEPT_MOST = 64,     /* most removed messages beside as many as there are others */
    PENDING_MOST = 1024 /* most waits of a process without a decision; then the oldest gets one */
};

static struct an_queue *queue_of(struct analysis *a, uint32_t container)
{
    const struct an_queue fresh = { .first = 0 };
    while (a->queue.n <= container)
        EZ_PUSH(&a->queue, fresh);
    return &a->queue.at[container];
}

void an_queue_add(struct analysis *a, uint32_t container, size_t link)
{
    a->link.at[link].to = container;
    if (container == EZ_NONE_IDX)
        return;
    struct an_queue *q = queue_of(a, container);
    a->link.at[link].order = ++q->orders;
    EZ_PUSH(&q->at, ((struct an_queued){ q->orders, link }));
    q->messages++;
}

/* Drops the removed messages. A message that nobody receives can stay at the head of a queue for
 * ever, so the head alone is not enough. */
static void queue_compact(struct an_queue *q)
{
    size_t n = 0;
    for (size_t i = q->first; i < q->at.n; i++)
        if (q->at.at[i].link != SIZE_MAX)
            q->at.at[n++] = q->at.at[i];
    q->at.n = n;
    q->first = 0;
}

void an_queue_remove(struct analysis *a, size_t link)
{
    uint32_t to = a->link.at[link].to;
    uint64_t order = a->link.at[link].order;
    if (to == EZ_NONE_IDX)
        return;
    struct an_queue *q = &a->queue.at[to];
    size_t i = EZ_UPTO(q->at.at, q->at.n, order, order);
    if (!i || q->at.at[i - 1].link != link)
        return;
    q->at.at[i - 1].link = SIZE_MAX;
    q->messages--;
    while (q->first < q->at.n && q->at.at[q->first].link == SIZE_MAX)
        q->first++;
    if (q->at.n > 2 * q->messages + KEPT_MOST)
        queue_compact(q);
}

bool an_queue_has_earlier(const struct analysis *a, uint32_t container, uint64_t ns)
{
    if (container >= a->queue.n)
        return false;
    const struct an_queue *q = &a->queue.at[container];
    return q->messages && a->link.at[q->at.at[q->first].link].start_ns < ns;
}

/* ---- waits in the wrong order ------------------------------------------------------------------------ */

static void queue_decide(struct analysis *a, struct an_queue *q, size_t i, enum ez_wait_kind kind)
{
    q->pending.at[i].row.kind = kind;
    an_add_row(a, &q->pending.at[i].row);
    memmove(&q->pending.at[i], &q->pending.at[i + 1], (--q->pending.n - i) * sizeof *q->pending.at);
}

void an_queue_pend(struct analysis *a, uint32_t container, uint64_t until,
                   const struct ez_wait_row *row)
{
    struct an_queue *q = queue_of(a, container);
    const struct an_pending p = { until, a->now, *row };
    if (q->pending.n == PENDING_MOST)
        queue_decide(a, q, 0, EZ_WAIT_LATE_SENDER);
    size_t i = EZ_UPTO(q->pending.at, q->pending.n, until, until);
    EZ_PUSH(&q->pending, p);
    memmove(&q->pending.at[i + 1], &q->pending.at[i],
            (q->pending.n - 1 - i) * sizeof *q->pending.at);
    q->pending.at[i] = p;
}

void an_queue_received(struct analysis *a, size_t link)
{
    const struct an_link *l = &a->link.at[link];
    if (l->to == EZ_NONE_IDX)
        return;
    struct an_queue *q = &a->queue.at[l->to];
    for (size_t i = q->pending.n; i-- > 0 && q->pending.at[i].until > l->start_ns;)
        if (q->pending.at[i].ended_ns <= l->posted_ns)
            queue_decide(a, q, i, EZ_WAIT_WRONG_ORDER);
}

void an_queue_settle(struct analysis *a)
{
    for (size_t i = 0; i < a->queue.n; i++)
        while (a->queue.at[i].pending.n)
            queue_decide(a, &a->queue.at[i], a->queue.at[i].pending.n - 1, EZ_WAIT_LATE_SENDER);
}
