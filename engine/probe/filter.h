/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filter.h - filters of a probe besides its condition (struct ez_probe_filter). See filter.c. */
#ifndef EZ_PROBE_FILTER_H
#define EZ_PROBE_FILTER_H

#include "engine/probe/probe.h"

/* Returns true if any filter option, `ignore` or `passcount` is set. */
bool ez_filter_has_request(const struct ez_probe_filter *f);
/* Restarts the counts of the probe's limits. */
void ez_filter_renew(struct ez_target *t, struct ez_probe *p);
/* Returns EZ_E_ARG if a probe of the spec's kind cannot have its filter. */
ez_err *ez_filter_check(const struct ez_probe_spec *s) EZ_WUR;
/* ez_filter_guards() sets *out to the part of the filter that the target evaluates,
 * ez_filter_drain() to the part that the drain evaluates. The ranges to which *out points stay
 * valid until other probes are planted. The runtime must be up. */
ez_err *ez_filter_guards(struct ez_target *t, struct ez_probe *p, struct ez_guards *out) EZ_WUR;
/* Drops the stored ranges of -caller. */
void ez_filter_callers_forget(struct ez_target *t);
void ez_filter_drain(const struct ez_probe *p, const struct ez_guards *g,
                     struct ez_drain_filter *out);

#endif
