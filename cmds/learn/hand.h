/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hand.h - planting a probe by hand: lookups in the target, and output, for hand.c. */
#ifndef EZ_CMDS_HAND_H
#define EZ_CMDS_HAND_H

#include "engine/base/base.h"
#include "engine/probe/hand.h"
#include "engine/probe/why.h"

struct ez_sess;

struct hand {
    struct ez_sess *s;
    struct ez_hand h;
    struct ez_why w;
};

/* Returns what would go wrong without the step, as part of a sentence. */
const char *hand_without(struct hand *c, enum ez_hand_step step);

/* Returns n bytes, up to 32: "e9 00 01 02 03". */
const char *hand_hex(struct ez_sess *s, const uint8_t *b, unsigned n);
uint64_t hand_distance(uint64_t a, uint64_t b);
/* Returns "1.5 GiB". */
const char *hand_far(struct ez_sess *s, uint64_t n);

#endif
