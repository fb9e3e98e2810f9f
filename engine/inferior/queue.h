/* SPDX-License-Identifier: GPL-3.0-or-later */
/* queue.h - the queue of events, in the order in which they happened. See queue.c. */
#ifndef EZ_INFERIOR_QUEUE_H
#define EZ_INFERIOR_QUEUE_H

#include "engine/inferior/inferior.h"

void ez_post(struct ez_target *t, struct ez_event ev);
void ez_post_note(struct ez_target *t, const char *fmt, ...) EZ_PRINTF(2, 3);
/* Returns false if there is no event. */
bool ez_queue_pop(struct ez_target *t, struct ez_event *ev);
void ez_queue_drop(struct ez_target *t); /* Drops all events. */

#endif
