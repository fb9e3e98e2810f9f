/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_adds.h - writes the current results of aggregates. */
#ifndef EZ_DRAIN_ADDS_H
#define EZ_DRAIN_ADDS_H

#include "engine/record/drain.h"
#include "engine/record/fxt_out.h"

struct drain_adds_to {
    void (*fn)(void *arg, const struct ez_fxt_def *def);
    void *arg;
};
/* Calls to->fn with the current results of all aggregates, as definitions. */
void drain_adds_emit(struct ez_drain *d, const struct drain_adds_to *to);
/* Finds the keys that are code addresses, so that ez_drain_unnamed() returns them. */
void drain_adds_note(struct ez_drain *d);

#endif
