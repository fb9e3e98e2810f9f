/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h - a callback that is told how far a long reading is, and may end it. */
#ifndef EZ_ENGINE_PROGRESS_H
#define EZ_ENGINE_PROGRESS_H

#include "engine/base/err.h"

#define EZ_PROGRESS_EVENTS 32768 /* between two calls */

struct ez_progress {
    /* total 0 = not known yet. false = give up (EZ_E_STATE "interrupted"). */
    bool (*fn)(void *arg, uint64_t done, uint64_t total); /* NULL = none */
    void *arg;
};

/* To be called after event number `done`: false = give up. */
static inline bool ez_progress_go_on(const struct ez_progress *p, uint64_t done, uint64_t total)
{
    return done % EZ_PROGRESS_EVENTS || !p || !p->fn || p->fn(p->arg, done, total);
}

#endif
