/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solib.h - notices when libraries are loaded and unloaded, without a trap in the loader. See
 * solib.c. */
#ifndef EZ_PROBE_SOLIB_H
#define EZ_PROBE_SOLIB_H

#include "engine/probe/probe.h"

/* Stops the target, and plants a hook on the loader's rendezvous function, which the loader calls
 * at each change of its list of libraries. *hooked false: there is no loader, syswatch.c notices
 * libraries instead, or the hook cannot be planted. */
ez_err *ez_solib_watch(struct ez_target *t, bool *hooked) EZ_WUR;
/* Like ez_solib_watch(), for a target that is already stopped. */
ez_err *ez_solib_hook(struct ez_target *t, bool *hooked) EZ_WUR;
/* Returns the address of the loader's struct r_debug, or 0 if there is none. */
uint64_t ez_solib_debug(struct ez_target *t);
/* Records whether the loader has reached its first consistent state in this image. */
void ez_solib_consistent(struct ez_target *t, bool seen);
/* ez_solib_awaited() returns true if the loader has not reached its first consistent state, in
 * which waiting probes are planted, by what ez_solib_consistent() recorded. ez_solib_begins()
 * determines the same for the stopped target by the loader's memory. */
bool ez_solib_awaited(const struct ez_target *t);
bool ez_solib_begins(struct ez_target *t);
/* Returns true if the loader's list of libraries is consistent now, or if its state cannot be
 * read. */
bool ez_solib_settled(struct ez_target *t);
/* Sets whether the hook makes the loader wait for the shell's answer. Returns the earlier
 * setting. */
bool ez_solib_wait(struct ez_target *t, bool wait);
/* Records that all reports of the hook up to number seq were answered. Returns seq. */
uint32_t ez_solib_caught_up(struct ez_target *t, uint32_t seq);

/* loads.c: handles changes of the loader's list. */
/* Handles a report of the hook that was not answered yet, if there is one. Also reports a lost
 * trace (ez_trace_report_loss()). */
ez_err *ez_solib_event(struct ez_target *t) EZ_WUR;
/* Reads the list of modules, posts an event for each new one, and plants the pending probes. The
 * target must be stopped. EZ_E_QUIT: nothing was planted, and probes.plant_later is set. */
ez_err *ez_solib_look(struct ez_target *t) EZ_WUR;
/* Sets probes.plant_later if e is EZ_E_QUIT, otherwise clears it. Returns e. */
ez_err *ez_later(struct ez_target *t, ez_err *e) EZ_WUR;

#endif
