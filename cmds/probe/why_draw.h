/* SPDX-License-Identifier: GPL-3.0-or-later */
/* why_draw.h - draws the path of a call through a planted probe, in at most 80 columns. Uses
 * Unicode lines if the locale has them, else plain ASCII. Draws nothing for a replacement, or if
 * there is no probe. */
#ifndef EZ_WHY_DRAW_H
#define EZ_WHY_DRAW_H

#include "engine/probe/why.h"

struct ez_sess;

void why_draw(struct ez_sess *s, const struct ez_why *w);
/* Prints the function's first instructions, and how each one is relocated (why.c). */
void why_list(struct ez_sess *s, const struct ez_why *w);

#endif
