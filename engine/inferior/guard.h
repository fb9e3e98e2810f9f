/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guard.h - keeps a single-stepped program alive if the shell dies (guard.c). */
#ifndef EZ_GUARD_H
#define EZ_GUARD_H

#include "engine/target.h"

/* ez_guard_set() sets the guard, before thread `th` is stepped. ez_guard_lift() removes it, after
 * the steps. The target must be stopped. */
void ez_guard_set(struct ez_target *t, struct ez_thread *th, struct ez_guard *g);
ez_err *ez_guard_lift(struct ez_target *t, const struct ez_guard *g) EZ_WUR;
/* Removes the guard that a shell which died had set. */
ez_err *ez_guard_tidy(struct ez_target *t) EZ_WUR;

#endif
