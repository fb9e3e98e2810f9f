/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hand.h - a probe that is planted by hand: what its commands (hand.c) look up in the target, and print. */
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

/* What would go wrong without that step, as a part of a sentence. */
const char *hand_without(struct hand *c, enum ez_hand_step step);

/* n bytes, up to 32: "e9 00 01 02 03" */
const char *hand_hex(struct ez_sess *s, const uint8_t *b, unsigned n);
uint64_t hand_distance(uint64_t a, uint64_t b);
/* "1.5 GiB" */
const char *hand_far(struct ez_sess *s, uint64_t n);

#endif
