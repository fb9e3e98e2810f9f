/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler.h - where a process spends its processor time: the kernel notes program counters, a thousand
 * a second of processor time. Costs the process well below 1 %. Threads that start later are seen.
 * Tests: tests/procs/score.sh */
#ifndef EZ_SAMPLER_H
#define EZ_SAMPLER_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/ezt.h"

struct ez_sampler;

/* EZ_E_SYS: the kernel does not allow it (perf_event_paranoid). */
ez_err *ez_sampler_begin(pid_t pid, struct ez_sampler **out) EZ_WUR;
/* Reads what was noted, and finds the functions, while the process is there. To be called often. */
void ez_sampler_read(struct ez_sampler *s, struct ez_target *t);
/* The share of all samples that lie in the function at addr, 0 to 1; < 0 = there are no samples. */
double ez_sampler_share(const struct ez_sampler *s, uint64_t addr);
void ez_sampler_end(struct ez_sampler *s); /* NULL: nothing */

#endif
