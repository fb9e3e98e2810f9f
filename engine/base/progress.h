/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h - a callback that reports the progress of long reading and may cancel it. */
#ifndef EZ_ENGINE_PROGRESS_H
#define EZ_ENGINE_PROGRESS_H

#include "engine/base/err.h"

#define EZ_PROGRESS_EVENTS 32768 /* number of events between two calls */

struct ez_progress {
    /* done: number of events so far. total: number of all events, or 0 if unknown. Returns false to
     * cancel the reading, which then fails. */
    bool (*fn)(void *arg, uint64_t done, uint64_t total); /* may be NULL */
    void *arg;
};

/* Reports progress. Call after event number `done`. Returns false to cancel. */
static inline bool ez_progress_go_on(const struct ez_progress *p, uint64_t done, uint64_t total)
{
    return done % EZ_PROGRESS_EVENTS || !p || !p->fn || p->fn(p->arg, done, total);
}

#endif
