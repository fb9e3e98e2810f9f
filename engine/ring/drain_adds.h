/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_adds.h - what aggregates have found so far. */
#ifndef EZ_DRAIN_ADDS_H
#define EZ_DRAIN_ADDS_H

#include "engine/ring/drain.h"
#include "engine/ring/fxt_out.h"

struct drain_adds_to {
    void (*fn)(void *arg, const struct ez_fxt_def *def);
    void *arg;
};
/* Tells what the aggregates have found so far, as definitions. */
void drain_adds_emit(struct ez_drain *d, const struct drain_adds_to *to);
void drain_adds_note(struct ez_drain *d); /* their keys in code, for ez_drain_unnamed() */

#endif
