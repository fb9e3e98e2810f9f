/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carry.h - what sites carry for their probes. See carry.c. */
#ifndef EZ_PROBE_CARRY_H
#define EZ_PROBE_CARRY_H

#include "engine/probe/probe.h"

int ez_probe_flags(enum ez_probe_kind kind, bool record);
/* Adds the site's counts to the probe. */
void ez_probe_collect(struct ez_target *t, struct ez_probe *p);
/* Counts from now on: the counts so far are not the probe's. */
void ez_probe_start_counts(struct ez_target *t, struct ez_probe *p);
/* Withdraws what the probe wants of its site. */
void ez_probe_leave(struct ez_target *t, struct ez_probe *p);
/* Makes the trampolines that the sites of these probes need, without a change of the target's text.
 * Refuses a probe whose trampoline is impossible. */
ez_err *ez_probes_prepare(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
/* Makes the sites of these probes carry what their probes want now. The target must be stopped. */
ez_err *ez_probes_apply(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
/* A part of ez_probes_apply(): moves the threads of one probe's site, or, with `look`, only notes
 * where they are. The target must be stopped. */
ez_err *ez_probe_threads(struct ez_target *t, struct ez_probe *p, bool look) EZ_WUR;
/* Returns true, and marks the probe, if the target changed the bytes of its site. */
bool ez_probe_note_lost(const struct ez_target *t, struct ez_probe *p);

#endif
