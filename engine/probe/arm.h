/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arm.h - plants any number of probes together. See arm.c. */
#ifndef EZ_PROBE_ARM_H
#define EZ_PROBE_ARM_H

#include "engine/probe/probe.h"

/* Plant the n probes, whose addresses are known, in three steps. A refused probe gets the state
 * EZ_PROBE_REFUSED and its reason. Only ez_arm_ready() and ez_arm_write() need a stopped target, so
 * the target can run while thousands of trampolines are generated. */
ez_err *ez_arm_ready(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
ez_err *ez_arm_plan(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
ez_err *ez_arm_write(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
/* Parts of ez_arm_ready(): ez_arm_runtime() maps the runtime and plants hooks, ez_arm_reserve()
 * maps memory for trampolines near the code. Part of ez_arm_plan(): ez_arm_make() analyses the
 * functions, and generates the trampolines in the shell's memory. */
ez_err *ez_arm_runtime(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
ez_err *ez_arm_reserve(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
ez_err *ez_arm_make(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
/* Makes all three steps, and stops the target for the first and the third. Adds the length of the
 * stops in ms to *stopped_ms. Does nothing while ez_solib_awaited() is true. */
ez_err *ez_arm_live(struct ez_target *t, struct ez_probe **p, size_t n, double *stopped_ms) EZ_WUR;
/* Makes all three steps. The target must be stopped. */
ez_err *ez_probes_arm(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
/* Records in t->probes which hooks the probe needs (in unwinders, on functions that leave calls or
 * end the program), and whether its code may read memory. */
void ez_arm_needs(struct ez_target *t, const struct ez_probe *p);

#endif
