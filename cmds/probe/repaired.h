/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repaired.h - warnings about a trace, printed with a result. */
#ifndef EZ_REPAIRED_H
#define EZ_REPAIRED_H

#include "engine/trace/replay.h"

struct ez_sess;

/* Prints one line for each kind of problem: lost events, calls without an entry or an exit, links
 * with only one end, events that came too late, damage. */
void print_repaired(struct ez_sess *s, const struct ez_trace_sum *t);
/* Prints the damage of a file, if there is any. */
void print_damage(struct ez_sess *s, const struct ez_trace_sum *t);

#endif
