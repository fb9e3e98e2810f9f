/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_target.h - checks whether the target lives; notifies the target and the main thread. */
#ifndef EZ_DRAIN_TARGET_H
#define EZ_DRAIN_TARGET_H

#include "engine/record/drain.h"

bool drain_target_ended(const struct ez_drain *d);
bool drain_thread_gone(const struct ez_drain *d, uint32_t tid);
/* Increments ez_hdr.progress: threads that wait for room see that the drain thread works. */
void drain_progress(struct ez_drain *d);
void drain_notify(const struct ez_drain *d); /* Adds 1 to event_fd. */

#endif
