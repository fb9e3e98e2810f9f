/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bulk.h - `probe -r`. See bulk.c. */
#ifndef EZ_PROBE_BULK_H
#define EZ_PROBE_BULK_H

#include "engine/probe/probe.h"

/* Plants the n pending probes, and new probes for each rule in the modules to which the rule was
 * not applied yet (not planted: those of a rule that belongs to the open transaction). An error
 * drops the new probes. announce: reports planted probes, not only refused ones
 * (ez_probes_announce()). The target must be stopped. */
ez_err *ez_bulk_pending(struct ez_target *t, struct ez_probe **p, size_t n, bool announce) EZ_WUR;
/* announce.c: counts a refusal under its reason. what: as in ez_cover_reason(). */
void ez_bulk_reason(struct ez_bulk *b, const char *reason, size_t what);
void ez_bulk_sort(struct ez_bulk *b); /* Sorts the reasons, the most frequent first. */
/* Posts the result, as one to three notes. */
void ez_bulk_announce(struct ez_target *t, const struct ez_bulk *b);

#endif
