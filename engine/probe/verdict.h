/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verdict.h - may a probe of this kind stand at this address? See verdict.c. */
#ifndef EZ_PROBE_VERDICT_H
#define EZ_PROBE_VERDICT_H

#include "engine/probe/probe.h"

/* May a probe of this kind stand at *addr? An IFUNC's *addr becomes the address of the function
 * that its resolver chose. The reason against the probe is an error, mostly EZ_E_REFUSED; *site is
 * set once the bytes are judged, else -1. Writes nothing to the target. */
ez_err *ez_verdict(struct ez_target *t, enum ez_probe_kind kind, uint64_t *addr, int *site) EZ_WUR;
/* May an entry probe stand at addr by this strategy alone? */
ez_err *ez_verdict_by(struct ez_target *t, uint64_t addr, enum ez_strategy strategy) EZ_WUR;
/* The parts of ez_verdict(), which planting calls one by one. ez_verdict_ifunc() replaces an
 * IFUNC's address by that of the function its resolver chose; ez_verdict_site() judges all but
 * the exits (`more`: EZ_BY flags to add); ez_verdict_exit() judges the exits. */
ez_err *ez_verdict_ifunc(struct ez_target *t, uint64_t *addr) EZ_WUR;
ez_err *ez_verdict_site(struct ez_target *t, enum ez_probe_kind kind, unsigned more, uint64_t addr,
                        int *site) EZ_WUR;
ez_err *ez_verdict_exit(struct ez_target *t, struct ez_site *s, enum ez_probe_kind kind) EZ_WUR;

#endif
