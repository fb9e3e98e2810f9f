/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carry.h - the patch that a site needs for all its probes, and the probes' counts. See carry.c. */
#ifndef EZ_PROBE_CARRY_H
#define EZ_PROBE_CARRY_H

#include "engine/probe/probe.h"

/* Returns the EZ_ROW_* flags that a probe of this kind requests from its site; record: the probe
 * records. */
int ez_probe_flags(enum ez_probe_kind kind, bool record);
/* If the probe is planted, adds the hits since the last call to its counts. */
void ez_probe_collect(struct ez_target *t, struct ez_probe *p);
/* Makes the probe's counts begin now: earlier hits of its site do not count. */
void ez_probe_start_counts(struct ez_target *t, struct ez_probe *p);
/* Withdraws the probe's request from its site. Call ez_probes_apply() afterwards, which changes the
 * text. */
void ez_probe_leave(struct ez_target *t, struct ez_probe *p);
/* Generates the trampolines that the sites of the n probes need, without changing the target's
 * text. A probe whose trampoline is impossible becomes refused. */
ez_err *ez_probes_prepare(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
/* Plants at the sites of the n probes the patches that all probes of each site request now, or
 * restores the text if there are no requests. The target must be stopped. */
ez_err *ez_probes_apply(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
/* A part of ez_probes_apply(): moves the threads that are in the patch region of p's site or, if
 * `look` is true, only stores each thread's pc in patcher.region. The target must be stopped. */
ez_err *ez_probe_threads(struct ez_target *t, struct ez_probe *p, bool look) EZ_WUR;
/* Returns true, and marks the probe as lost, if the target itself changed the bytes of the site. */
bool ez_probe_note_lost(const struct ez_target *t, struct ez_probe *p);

#endif
