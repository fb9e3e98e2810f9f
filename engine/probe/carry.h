/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carry.h - the patch that a site gets for all its probes, and the probes' counts. See carry.c. */
#ifndef EZ_PROBE_CARRY_H
#define EZ_PROBE_CARRY_H

#include "engine/probe/probe.h"

/* Returns the EZ_ROW_* flags that such a probe requests from its site. */
int ez_probe_flags(enum ez_probe_kind kind, bool record);
/* Adds the hits since the last call to the probe's counts. */
void ez_probe_collect(struct ez_target *t, struct ez_probe *p);
/* Makes the probe count from now on: earlier hits of its site do not count. */
void ez_probe_start_counts(struct ez_target *t, struct ez_probe *p);
/* Withdraws the probe's request from its site. ez_probes_apply() then changes the text. */
void ez_probe_leave(struct ez_target *t, struct ez_probe *p);
/* Makes the trampolines that the sites of these probes need, without a change of the target's text.
 * Refuses a probe whose trampoline is impossible. */
ez_err *ez_probes_prepare(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
/* Gives the sites of these probes the patches that their probes request now, or restores the text.
 * The target must be stopped. */
ez_err *ez_probes_apply(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
/* A part of ez_probes_apply(): moves the threads that are in the patch region of p's site, or, with
 * `look`, only notes where they are. The target must be stopped. */
ez_err *ez_probe_threads(struct ez_target *t, struct ez_probe *p, bool look) EZ_WUR;
/* Returns true, and marks the probe as lost, if the target itself changed the bytes of the site. */
bool ez_probe_note_lost(const struct ez_target *t, struct ez_probe *p);

#endif
