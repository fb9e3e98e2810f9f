/* SPDX-License-Identifier: GPL-3.0-or-later */
/* now.h - the time, by CLOCK_MONOTONIC. */
#ifndef EZ_NOW_H
#define EZ_NOW_H

#include <stdint.h>

uint64_t ez_now_ns(void);  /* nanoseconds                 */
int64_t ez_now_ms(void);   /* milliseconds                */
double ez_now_exact(void); /* milliseconds, and parts of one */

#endif
