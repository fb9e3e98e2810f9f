/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guard.h - protects a program that is single-stepped from the shell's death (guard.c). */
#ifndef EZ_GUARD_H
#define EZ_GUARD_H

#include "engine/target.h"

/* Set the guard before thread `th` is stepped, and remove it afterwards. The target must be
 * stopped. */
void ez_guard_set(struct ez_target *t, struct ez_thread *th, struct ez_guard *g);
ez_err *ez_guard_lift(struct ez_target *t, const struct ez_guard *g) EZ_WUR;
/* Removes the guard of a shell that died. */
ez_err *ez_guard_tidy(struct ez_target *t) EZ_WUR;

#endif
