/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_target.h - does the target live, and signs of life for it and for the main thread. */
#ifndef EZ_DRAIN_TARGET_H
#define EZ_DRAIN_TARGET_H

#include "engine/ring/drain.h"

bool drain_target_ended(const struct ez_drain *d);
bool drain_thread_gone(const struct ez_drain *d, uint32_t tid);
void drain_progress(struct ez_drain *d);     /* for threads that wait */
void drain_notify(const struct ez_drain *d); /* event_fd += 1 */

#endif
