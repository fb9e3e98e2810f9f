/* SPDX-License-Identifier: GPL-3.0-or-later */
/* queue.c - the queue of events, in the order in which they happened. The shell removes events one
 * by one (ez_next_event) and prints them; the engine itself never prints.
 * Tests: tests/unit/inferior/check_live.c */
#include "engine/target.h"
#include "engine/inferior/queue.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ez_post(struct ez_target *t, struct ez_event ev)
{
    EZ_PUSH(&t->queue.event, ev);
}

void ez_post_note(struct ez_target *t, const char *fmt, ...)
{
    struct ez_event ev = { .kind = EZ_EV_NOTE };
    va_list ap;
    va_start(ap, fmt);
    if (vasprintf(&ev.text, fmt, ap) < 0)
        abort();
    va_end(ap);
    ez_post(t, ev);
}

void ez_event_clear(struct ez_event *ev)
{
    free(ev->text);
    free(ev->accounting);
    memset(ev, 0, sizeof *ev);
}

bool ez_queue_pop(struct ez_target *t, struct ez_event *ev)
{
    struct ez_queue *q = &t->queue;
    if (q->head == q->event.n) {
        q->event.n = q->head = 0;
        return false;
    }
    *ev = q->event.at[q->head++];
    return true;
}

void ez_queue_drop(struct ez_target *t)
{
    struct ez_event ev;
    while (ez_queue_pop(t, &ev))
        ez_event_clear(&ev);
    EZ_VEC_FREE(&t->queue.event);
}
