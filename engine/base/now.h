/* SPDX-License-Identifier: GPL-3.0-or-later */
/* now.h - CLOCK_MONOTONIC and the wall clock. */
#ifndef EZ_NOW_H
#define EZ_NOW_H

#include <stdint.h>

uint64_t ez_now_ns(void);
int64_t ez_now_ms(void);
double ez_now_exact(void); /* milliseconds with a fraction */

/* ez_wall_ns() returns CLOCK_REALTIME in ns, plus the correction that ez_wall_correct() set last.
 * With this correction all hosts of a job use the clock of one host. Any thread may call both
 * functions. With --enable-fault-injection, EZT_WALL_OFFSET in the environment is another offset in
 * ns, with which tests simulate a wrong clock. */
uint64_t ez_wall_ns(void);
void ez_wall_correct(int64_t ns);

#endif
