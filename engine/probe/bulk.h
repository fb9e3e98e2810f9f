/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bulk.h - `probe -r`. See bulk.c. */
#ifndef EZ_PROBE_BULK_H
#define EZ_PROBE_BULK_H

#include "engine/probe/probe.h"

/* Plants these probes, and those that rules make for modules where they were not applied yet: all,
 * or, after an error, none. announce: reports the results as ez_probes_announce() does. The target
 * must be stopped. */
ez_err *ez_bulk_pending(struct ez_target *t, struct ez_probe **p, size_t n, bool announce) EZ_WUR;
/* announce.c: counts a refusal by its reason, of which `what` is as for ez_cover_reason(). */
void ez_bulk_reason(struct ez_bulk *b, const char *reason, size_t what);
void ez_bulk_sort(struct ez_bulk *b); /* Call when all reasons are counted. */
void ez_bulk_announce(struct ez_target *t, const struct ez_bulk *b);

#endif
