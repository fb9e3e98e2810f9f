/* SPDX-License-Identifier: GPL-3.0-or-later */
/* breaks.h - breakpoints, for the commands that take numbers of probes (cmds/break.c). */
#ifndef EZ_BREAKS_H
#define EZ_BREAKS_H

#include "engine/base/base.h"

struct ez_sess;
struct ez_numbers;

bool breaks_any(struct ez_sess *s);
/* Calls fn for the breakpoints in these ranges; which[] then has those that are for probes. Returns how
 * many. */
size_t breaks_take(struct ez_sess *s, struct ez_numbers *which, size_t n,
                   void (*fn)(struct ez_sess *s, int number));
void breaks_all(struct ez_sess *s, void (*fn)(struct ez_sess *s, int number));
void breaks_delete(struct ez_sess *s, int number);
void breaks_enable(struct ez_sess *s, int number);
void breaks_disable(struct ez_sess *s, int number);

#endif
