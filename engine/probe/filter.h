/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filter.h - which hits a probe counts and records besides its condition (struct ez_probe_filter).
 * See filter.c. */
#ifndef EZ_PROBE_FILTER_H
#define EZ_PROBE_FILTER_H

#include "engine/probe/probe.h"

/* Returns true if the filter requests anything. */
bool ez_filter_has_request(const struct ez_probe_filter *f);
void ez_filter_renew(struct ez_target *t, struct ez_probe *p); /* Restarts the probe's limits. */
/* Returns EZ_E_ARG if such a probe cannot have this filter. */
ez_err *ez_filter_check(const struct ez_probe_spec *s) EZ_WUR;
/* Prepare the filter for the runtime, and for the drain. What *out points to stays valid until
 * other probes are planted. The target must be stopped, and the runtime up. */
ez_err *ez_filter_guards(struct ez_target *t, struct ez_probe *p, struct ez_guards *out) EZ_WUR;
void ez_filter_callers_forget(struct ez_target *t);
void ez_filter_drain(const struct ez_probe *p, const struct ez_guards *g,
                     struct ez_drain_filter *out);

#endif
