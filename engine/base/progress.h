/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h - a callback to which a long reading of a trace reports its progress, and which can
 * cancel the reading. */
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

/* Call after event number `done`. Calls the callback every EZ_PROGRESS_EVENTS events. Returns false
 * if the callback cancels the reading. */
static inline bool ez_progress_go_on(const struct ez_progress *p, uint64_t done, uint64_t total)
{
    return done % EZ_PROGRESS_EVENTS || !p || !p->fn || p->fn(p->arg, done, total);
}

#endif
