/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_memory.h - keeps names of threads and samples of the clock, for the flight recorder's
 * snapshots. */
#ifndef EZ_DRAIN_MEMORY_H
#define EZ_DRAIN_MEMORY_H

#include "engine/base/vec.h"
#include "engine/record/drain_clock.h"

struct drain_name {
    uint32_t tid;
    char name[17];
};

struct drain_memory {
    EZ_VEC(struct drain_name) name;    /* names of the newest threads */
    EZ_VEC(struct drain_sample) clock; /* about one sample a second */
};

/* Keep a thread's name, and the clock, while the flight recorder is on. */
void drain_memory_name(struct ez_drain *d, uint32_t tid, const char *name);
void drain_memory_clock(struct ez_drain *d);
void drain_memory_free(struct ez_drain *d);

#endif
