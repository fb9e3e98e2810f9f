/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_adds.h - writes the results of aggregates so far. */
#ifndef EZ_DRAIN_ADDS_H
#define EZ_DRAIN_ADDS_H

#include "engine/record/drain.h"
#include "engine/record/fxt_out.h"

struct drain_adds_to {
    void (*fn)(void *arg, const struct ez_fxt_def *def);
    void *arg;
};
/* Passes the results of all aggregates so far to to->fn, as definitions. */
void drain_adds_emit(struct ez_drain *d, const struct drain_adds_to *to);
/* Records the keys that are code addresses, so that ez_drain_unnamed() returns them. */
void drain_adds_note(struct ez_drain *d);

#endif
