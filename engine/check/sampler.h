/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler.h - samples where a process spends its processor time: the kernel records the program
 * counter a thousand times per second of processor time. This costs the process well below 1 %.
 * Threads that start later are also sampled.
 *
 * Tests: tests/procs/score.sh */
#ifndef EZ_SAMPLER_H
#define EZ_SAMPLER_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/ezt.h"

struct ez_sampler;

/* Begins sampling. Returns NULL if that is impossible, for example because the kernel does not
 * allow sampling (perf_event_paranoid). */
struct ez_sampler *ez_sampler_begin(pid_t pid) EZ_WUR;
/* Reads the samples so far and counts them by function. Must be called often, and while the process
 * exists, because its modules are needed to find the functions. */
void ez_sampler_read(struct ez_sampler *s, struct ez_target *t);
/* Returns the share of samples in the function at addr, 0 to 1, or a negative number if there are
 * no samples. */
double ez_sampler_share(const struct ez_sampler *s, uint64_t addr);
void ez_sampler_end(struct ez_sampler *s); /* accepts NULL */

#endif
