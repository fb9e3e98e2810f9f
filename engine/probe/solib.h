/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solib.h - libraries that come and go, without a trap in the loader. See solib.c. */
#ifndef EZ_PROBE_SOLIB_H
#define EZ_PROBE_SOLIB_H

#include "engine/probe/probe.h"

ez_err *ez_solib_watch(struct ez_target *t, bool *hooked) EZ_WUR; /* plant the rendezvous */
ez_err *ez_solib_hook(struct ez_target *t, bool *hooked) EZ_WUR;  /* the same, world stopped */
uint64_t
ez_solib_debug(struct ez_target *t); /* address of the loader's struct r_debug, 0 = unknown */
/* `seen`: the loader has been in a consistent state; false: a fresh image, it has yet to be. */
void ez_solib_consistent(struct ez_target *t, bool seen);
/* Has the first consistent state yet to come? Then probes wait for it. ez_solib_begins: the world is stopped, and
 * the loader has not come there. */
bool ez_solib_awaited(const struct ez_target *t);
bool ez_solib_begins(struct ez_target *t);
/* Shall the loader wait for our answer at the rendezvous? Returns what held before. */
bool ez_solib_wait(struct ez_target *t, bool wait);
/* Rendezvous up to number `seq` count as answered. Returns seq. */
uint32_t ez_solib_caught_up(struct ez_target *t, uint32_t seq);
ez_err *ez_solib_event(struct ez_target *t) EZ_WUR; /* loader_seq has changed    */
/* Look at what was loaded, and plant the pending probes there. World stopped. EZ_E_QUIT: nothing
 * was planted, probes.plant_later is set. */
ez_err *ez_solib_look(struct ez_target *t) EZ_WUR;
/* Set probes.plant_later if e is EZ_E_QUIT, else clear it; returns e. */
ez_err *ez_later(struct ez_target *t, ez_err *e) EZ_WUR;

#endif
