/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cost.h - what a probe costs per call on this machine.
 *
 * A second process of eztsh measures, on a program made for it (engine/check/cost/), so that
 * the shell's own target, probes and trace do not change. This takes about half a second. That
 * process and its program are killed when the user gives up.
 * Errors: EZ_E_SYS (a program is missing), EZ_E_TIMEOUT, EZ_E_STATE (no figures came), EZ_E_QUIT.
 * Tests: tests/procs/cost.sh, tests/unit/engine/check_cost.c */
#ifndef EZ_COST_H
#define EZ_COST_H

#include "engine/base/progress.h"
#include "engine/check/cost/figures.h"
#include "engine/ezt.h"

/* Measure with the clock that the settings choose. `progress` is asked several times a second whether to
 * go on. */
ez_err *ez_cost(const struct ez_settings *set, const struct ez_progress *progress,
                struct ez_cost *out) EZ_WUR;
/* The instruction that reads the time stamp counter: "rdtsc". */
const char *ez_cost_stamp(void);
/* Called first in main(): if our program was started to measure, measure and return true. */
bool ez_cost_measures(int argc, char **argv);

#endif
