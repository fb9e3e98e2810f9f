/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arm.h - plants any number of probes in one stop. See arm.c. */
#ifndef EZ_PROBE_ARM_H
#define EZ_PROBE_ARM_H

#include "engine/probe/probe.h"

void ez_probe_collect(struct ez_target *t, struct ez_probe *p); /* take the counts  */
void ez_probe_leave(struct ez_target *t, struct ez_probe *p);   /* want nothing     */
/* Make the sites of these probes carry what their probes want now. World stopped. */
ez_err *ez_probes_apply(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
/* Plant all these probes (resolved, with a site each). A probe that is refused gets
 * state REFUSED and its reason. In three steps, of which only the first and the last need
 * the world stopped, so that a target may run while thousands of trampolines are made: */
ez_err *ez_arm_ready(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR; /* stopped */
ez_err *ez_arm_plan(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
ez_err *ez_arm_write(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR; /* stopped */
/* The parts of ez_arm_ready() and ez_arm_plan(): the runtime and hooks, then room near the code; trampolines in the shell,
 * then in the target. And of ez_arm_write(): moving threads of one probe's site; `look`: only seeing where they
 * stand. World stopped. */
ez_err *ez_arm_runtime(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
ez_err *ez_arm_reserve(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
ez_err *ez_arm_make(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
ez_err *ez_arm_threads(struct ez_target *t, struct ez_probe *p, bool look) EZ_WUR;
/* Do all three steps with the stops that they need; add the length of the stops to *stopped_ms. */
ez_err *ez_arm_live(struct ez_target *t, struct ez_probe **p, size_t n, double *stopped_ms) EZ_WUR;
/* Do all three steps. World stopped. */
ez_err *ez_probes_arm(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
/* Note what this planted probe needs besides: hooks in unwinders, on functions that leave calls. */
void ez_arm_needs(struct ez_target *t, const struct ez_probe *p);
int ez_probe_flags(enum ez_probe_kind kind, bool record);

#endif
