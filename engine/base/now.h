/* SPDX-License-Identifier: GPL-3.0-or-later */
/* now.h - the time, by CLOCK_MONOTONIC, and the wall clock's. */
#ifndef EZ_NOW_H
#define EZ_NOW_H

#include <stdint.h>

uint64_t ez_now_ns(void);  /* nanoseconds                 */
int64_t ez_now_ms(void);   /* milliseconds                */
double ez_now_exact(void); /* milliseconds, and parts of one */

/* CLOCK_REALTIME, corrected: with jobs over several hosts, to that of one of them. Any thread may call both. With
 * --enable-fault-injection, EZT_WALL_OFFSET in the environment moves this host's clock, for the tests. */
uint64_t ez_wall_ns(void);
void ez_wall_correct(int64_t ns); /* what is added from now on, in place of before */

#endif
