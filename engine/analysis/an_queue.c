/* SPDX-License-Identifier: GPL-3.0-or-later */
/* an_queue.c - for each process, the messages to it that it has not received yet, in the order in
 * which they were sent (analysis_priv.h).
 *
 * Tests: tests/unit/analysis/check_analysis.c */
#include "engine/analysis/analysis_priv.h"

struct an_queue *an_queue_of(struct analysis *a, uint32_t container)
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
    struct an_queue *q = an_queue_of(a, container);
    EZ_PUSH(&q->at, link);
    q->messages++;
}

void an_queue_remove(struct analysis *a, size_t link)
{
    uint32_t to = a->link.at[link].to;
    if (to == EZ_NONE_IDX)
        return;
    struct an_queue *q = &a->queue.at[to];
    for (size_t i = q->first; i < q->at.n; i++)
        if (q->at.at[i] == link) {
            q->at.at[i] = SIZE_MAX;
            q->messages--;
            break;
        }
    while (q->first < q->at.n && q->at.at[q->first] == SIZE_MAX)
        q->first++;
    if (q->first > q->at.n / 2) {
        q->at.n -= q->first;
        memmove(q->at.at, q->at.at + q->first, q->at.n * sizeof *q->at.at);
        q->first = 0;
    }
}

bool an_queue_has_earlier(const struct analysis *a, uint32_t container, uint64_t ns)
{
    if (container >= a->queue.n)
        return false;
    const struct an_queue *q = &a->queue.at[container];
    return q->messages > q->posts && a->link.at[q->at.at[q->first]].start_ns < ns;
}
