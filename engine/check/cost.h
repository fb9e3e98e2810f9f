/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cost.h - measures the cost of a probe per call on this machine.
 *
 * A second process of eztsh probes a program that is made for this purpose (engine/check/cost/), so
 * that the shell's own target, probes and trace do not change. This takes about half a second. If
 * the user cancels, the second eztsh and the program are killed.
 *
 * Tests: tests/procs/cost.sh, tests/unit/check/check_cost.c */
#ifndef EZ_COST_H
#define EZ_COST_H

#include "engine/base/progress.h"
#include "engine/check/cost/figures.h"
#include "engine/ezt.h"

/* Measures with the clock that `set` has for traces. Calls `progress` several times a second, which
 * may cancel. */
ez_err *ez_cost(const struct ez_settings *set, const struct ez_progress *progress,
                struct ez_cost *out) EZ_WUR;
/* Returns the name of the instruction that reads the time stamp counter: "rdtsc". */
const char *ez_cost_stamp(void);
/* If ez_cost() of another process started this process, measures and returns true: main() must then
 * return. Must be called at the beginning of main(). */
bool ez_cost_measures(int argc, char **argv);

#endif
