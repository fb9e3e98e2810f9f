/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arm.h - plants any number of probes together. See arm.c. */
#ifndef EZ_PROBE_ARM_H
#define EZ_PROBE_ARM_H

#include "engine/probe/probe.h"

/* Plants these probes, whose addresses are known. A refused probe gets state REFUSED and its
 * reason. Planting has three steps. Only the first and the last need a stopped target, so the
 * target may run while thousands of trampolines are made. */
ez_err *ez_arm_ready(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR; /* stopped */
ez_err *ez_arm_plan(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
ez_err *ez_arm_write(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR; /* stopped */
/* Parts of ez_arm_ready(): ez_arm_runtime() maps the runtime and plants hooks, ez_arm_reserve()
 * maps memory for trampolines near the code. Part of ez_arm_plan(): ez_arm_make() makes the
 * trampolines in the shell's memory. */
ez_err *ez_arm_runtime(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
ez_err *ez_arm_reserve(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
ez_err *ez_arm_make(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
/* Makes all three steps with the stops that they need. Adds the length of the stops in ms to
 * *stopped_ms. */
ez_err *ez_arm_live(struct ez_target *t, struct ez_probe **p, size_t n, double *stopped_ms) EZ_WUR;
/* Makes all three steps. The target must be stopped. */
ez_err *ez_probes_arm(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
/* Notes what else this planted probe needs: hooks in unwinders, hooks on functions that leave
 * calls. */
void ez_arm_needs(struct ez_target *t, const struct ez_probe *p);

#endif
