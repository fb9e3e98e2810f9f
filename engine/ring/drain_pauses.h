/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_pauses.h - when recording was paused. */
#ifndef EZ_DRAIN_PAUSES_H
#define EZ_DRAIN_PAUSES_H

#include "engine/base/vec.h"
#include "engine/ring/drain.h"

/* When recording paused, and went on, in turn; the first `gone` were forgotten. */
struct drain_pauses {
    EZ_VEC(uint64_t) at;
    uint32_t gone;
};

/* Those of an earlier shell are over. */
void drain_pauses_begin(struct ez_drain *d);
void drain_pauses_free(struct ez_drain *d);
/* drain_pauses_learn: call once a round, and when
 * records were copied, before they are looked at. drain_paused_at: was recording paused then? */
void drain_pause(struct ez_drain *d, bool pause);
void drain_pauses_learn(struct ez_drain *d);
bool drain_paused_at(const struct ez_drain *d, uint64_t tick);

#endif
