/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bulk.h - `probe -r`. See bulk.c. */
#ifndef EZ_PROBE_BULK_H
#define EZ_PROBE_BULK_H

#include "engine/probe/probe.h"

/* Plant these probes, and those that rules make for modules they were not applied to yet: all of
 * them or, after an error, none. Announces what became of them, as ez_probes_announce() does.
 * World stopped. */
ez_err *ez_bulk_pending(struct ez_target *t, struct ez_probe **p, size_t n, bool announce) EZ_WUR;
void ez_bulk_reason(struct ez_bulk *b, const char *reason, size_t what); /* as ez_cover_reason() */
void ez_bulk_sort(struct ez_bulk *b); /* once all reasons are counted */
void ez_bulk_announce(struct ez_target *t, const struct ez_bulk *b);

#endif
