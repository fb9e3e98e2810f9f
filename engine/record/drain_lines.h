/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_lines.h - lines of text for the user. */
#ifndef EZ_DRAIN_LINES_H
#define EZ_DRAIN_LINES_H

#include <pthread.h>

#include "engine/base/vec.h"
#include "engine/record/drain.h"

struct drain_lines {
    pthread_mutex_t lock;
    bool on;               /* at least one id prints lines; atomic */
    uint8_t *id;           /* index: id; 1 if the id prints lines */
    EZ_VEC(uint64_t) word; /* whole events */
    uint64_t ready, lost;
    /* earliest tick of a record that is in progress or unread in this round; UINT64_MAX: none */
    uint64_t open;
    /* monotonic ns of the last round in which no record in progress was older than `ready`; 0: no
     * round yet */
    uint64_t waiting_ns;
};

void drain_lines_begin(struct ez_drain *d);
void drain_lines_free(struct ez_drain *d);
/* Returns true if the probe of the record prints lines. The caller passes the event to
 * drain_line(). */
static inline bool drain_prints(const struct drain_lines *l, const struct ez_rec *r)
{
    return l->on && l->id[((r->code >> 8) - EZ_C_PROBE) / 2];
}
void drain_line(struct ez_drain *d, const uint64_t *event);
/* Tells drain_lines_round() that a record with this tick is in progress or unread. 0: ignored. */
void drain_lines_open(struct ez_drain *d, uint64_t tick);
bool drain_lines_round(struct ez_drain *d, uint64_t now, uint64_t tick);

#endif
