/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repaired.h - what a reader of traces has to be told besides the result. */
#ifndef EZ_REPAIRED_H
#define EZ_REPAIRED_H

#include "engine/trace/replay.h"

struct ez_sess;

/* What is lost, calls that do not return or lack one side, links with one end, events too
 * late, damage: each if there was any. */
void print_repaired(struct ez_sess *s, const struct ez_trace_sum *t);

#endif
