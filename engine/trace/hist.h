/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hist.h - how often each magnitude of a time occurred.
 *
 * Buckets are sixteenths of a power of two, kept only over the range that occurs: a few
 * hundred bytes whatever the number of values. Quantiles are interpolated inside a
 * bucket: within 6.3 % of the exact ones, mostly within 1 %.
 * Tests: tests/unit/engine/check_stats.c */
#ifndef EZ_HIST_H
#define EZ_HIST_H

#include "engine/base/base.h"

struct ez_hist {
    uint64_t *count; /* the counts of buckets [from, from + n)                     */
    unsigned from, n;
    uint64_t total, min, max, sum;
};

void ez_hist_add(struct ez_hist *h, uint64_t value);
void ez_hist_merge(struct ez_hist *to, const struct ez_hist *from);
/* The quantile q in 0..1 by nearest rank (ez_rank()), at most 1/16 off; the least and the greatest value are exact. 0 when
 * the histogram is empty. */
uint64_t ez_hist_quantile(const struct ez_hist *h, double q);
/* The number of values in [2^k, 2^(k+1)); k = 0 counts 0 and 1. */
uint64_t ez_hist_power(const struct ez_hist *h, unsigned k);
void ez_hist_free(struct ez_hist *h);

#endif
