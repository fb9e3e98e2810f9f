/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_recent.h - the newest events, for the command "events". */
#ifndef EZ_DRAIN_RECENT_H
#define EZ_DRAIN_RECENT_H

#include <pthread.h>

#include "engine/record/drain.h"

#define DRAIN_RECENT 4096  /* number of newest records kept for ez_drain_recent() */
#define DRAIN_RECALL 32768 /* number of argument words kept for recent events; a power of two */

struct drain_recent {
    pthread_mutex_t lock; /* the drain thread only tries to lock it, and never waits */
    uint64_t next;        /* sequence number of the next record */
    struct ez_rec rec[DRAIN_RECENT];
    /* The newest arguments of probes' events, in the ring `word`. The arguments of event i begin at
     * number at[i % DRAIN_RECENT]. */
    uint64_t at[DRAIN_RECENT], next_word, word[DRAIN_RECALL];
};

void drain_recent_begin(struct ez_drain *d);
void drain_recent_free(struct ez_drain *d);
/* Copies n words of events for ez_drain_recent(): the events of probes and modules. Arguments of
 * modules' events are not copied. Copies nothing while the main thread holds the lock. */
void drain_remember(struct ez_drain *d, const uint64_t *word, size_t n);

#endif
