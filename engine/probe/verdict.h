/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verdict.h - decides whether a probe of a given kind is possible at an address. See verdict.c. */
#ifndef EZ_PROBE_VERDICT_H
#define EZ_PROBE_VERDICT_H

#include "engine/probe/probe.h"

/* Returns NULL if a probe of this kind is possible at *addr, otherwise an error with the reason,
 * mostly EZ_E_REFUSED. If *addr is an IFUNC's resolver, replaces it by the function that the
 * resolver returned. *site: index of the site, or -1 if there is none. Writes no patch to the
 * target. */
ez_err *ez_verdict(struct ez_target *t, enum ez_probe_kind kind, uint64_t *addr, int *site) EZ_WUR;
/* Like ez_verdict(), for an entry probe at addr with this strategy only. */
ez_err *ez_verdict_by(struct ez_target *t, uint64_t addr, enum ez_strategy strategy) EZ_WUR;
/* The parts of ez_verdict(), which planting calls one by one. ez_verdict_ifunc() replaces the
 * address of an IFUNC's resolver by that of the function that the resolver returned.
 * ez_verdict_site() checks everything except the code at the exits (more: EZ_BY_NOT_ALONE or 0).
 * ez_verdict_exit() checks this code: whether the exits can be followed. */
ez_err *ez_verdict_ifunc(struct ez_target *t, uint64_t *addr) EZ_WUR;
ez_err *ez_verdict_site(struct ez_target *t, enum ez_probe_kind kind, unsigned more, uint64_t addr,
                        int *site) EZ_WUR;
ez_err *ez_verdict_exit(struct ez_target *t, struct ez_site *s, enum ez_probe_kind kind) EZ_WUR;
/* Returns true if the error means that this function cannot be probed, and false if it is a failure
 * (such as EZ_E_GONE). */
bool ez_verdict_is_refusal(const ez_err *e);

#endif
