/* SPDX-License-Identifier: GPL-3.0-or-later */
/* why_draw.h - the way of a call through a planted probe, as a picture of at most 80 columns: lines of Unicode
 * where the locale has them, else plain ASCII. Nothing is drawn of a replacement, or where no probe stands. */
#ifndef EZ_WHY_DRAW_H
#define EZ_WHY_DRAW_H

#include "engine/probe/why.h"

struct ez_sess;

void why_draw(struct ez_sess *s, const struct ez_why *w);
/* why.c: the function's first instructions, and what becomes of each. */
void why_list(struct ez_sess *s, const struct ez_why *w);

#endif
