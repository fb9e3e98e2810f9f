/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_pauses.h - stores when recording was paused. */
#ifndef EZ_DRAIN_PAUSES_H
#define EZ_DRAIN_PAUSES_H

#include "engine/base/vec.h"
#include "engine/record/drain.h"

/* Ticks at which recording paused and resumed, alternately; the first `gone` ticks were dropped. */
struct drain_pauses {
    EZ_VEC(uint64_t) at;
    uint32_t gone;
};

/* Ends a pause that an earlier shell left, and forgets all earlier pauses. */
void drain_pauses_begin(struct ez_drain *d);
void drain_pauses_free(struct ez_drain *d);
/* drain_pause() pauses or resumes recording now. drain_pauses_learn() reads new pauses; call it
 * once a round, and whenever records were copied, before the copies are read. drain_paused_at()
 * returns true if recording was paused at that tick. */
void drain_pause(struct ez_drain *d, bool pause);
void drain_pauses_learn(struct ez_drain *d);
bool drain_paused_at(const struct ez_drain *d, uint64_t tick);

#endif
