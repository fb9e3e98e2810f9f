/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verdict.h - decides whether a probe of this kind is possible at an address. See verdict.c. */
#ifndef EZ_PROBE_VERDICT_H
#define EZ_PROBE_VERDICT_H

#include "engine/probe/probe.h"

/* Returns the reason against a probe of this kind at *addr as an error, mostly EZ_E_REFUSED, or
 * NULL. An IFUNC's *addr becomes the address of the function that its resolver returned. *site is
 * set once the bytes are judged, otherwise -1. Writes nothing to the target. */
ez_err *ez_verdict(struct ez_target *t, enum ez_probe_kind kind, uint64_t *addr, int *site) EZ_WUR;
/* Decides the same for an entry probe at addr with this strategy alone. */
ez_err *ez_verdict_by(struct ez_target *t, uint64_t addr, enum ez_strategy strategy) EZ_WUR;
/* The parts of ez_verdict(), which planting calls one by one. ez_verdict_ifunc() replaces an
 * IFUNC's address by that of the function its resolver returned. ez_verdict_site() judges
 * everything except the exits (more: EZ_BY_NOT_ALONE or 0). ez_verdict_exit() judges the exits. */
ez_err *ez_verdict_ifunc(struct ez_target *t, uint64_t *addr) EZ_WUR;
ez_err *ez_verdict_site(struct ez_target *t, enum ez_probe_kind kind, unsigned more, uint64_t addr,
                        int *site) EZ_WUR;
ez_err *ez_verdict_exit(struct ez_target *t, struct ez_site *s, enum ez_probe_kind kind) EZ_WUR;
/* Returns true if the error means "not this function" rather than "something is wrong". */
bool ez_verdict_is_refusal(const ez_err *e);

#endif
