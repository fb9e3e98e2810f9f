/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cost.h - what a probe costs per call on this machine.
 *
 * Measured by a process of its own (our program, started anew) on a program of its own
 * (engine/check/cost/), so that neither the session's target nor its probes or trace know of it.
 * Takes about half a second.
 * Errors: EZ_E_SYS (a program is missing), EZ_E_TIMEOUT, EZ_E_STATE (no figures came).
 * Tests: tests/procs/cost.sh */
#ifndef EZ_COST_H
#define EZ_COST_H

#include "engine/check/cost/figures.h"
#include "engine/ezt.h"

/* With the clock that the settings choose. */
ez_err *ez_cost(const struct ez_settings *set, struct ez_cost *out) EZ_WUR;
/* What reads the time stamp counter: "rdtsc". */
const char *ez_cost_stamp(void);
/* First of all in main(): was our program started to measure? Then that is done. */
bool ez_cost_measures(int argc, char **argv);

#endif
