/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hist.h - a histogram of times.
 *
 * The values from each power of two up to the next are divided into 16 buckets. Counts are kept
 * only for the buckets from the smallest to the largest value: a few hundred bytes for any number
 * of values. Quantiles are interpolated inside a bucket: within 6.3 % of the exact value, mostly
 * within 1 %.
 *
 * Tests: tests/unit/trace/check_stats.c */
#ifndef EZ_HIST_H
#define EZ_HIST_H

#include "engine/base/base.h"

struct ez_hist {
    uint64_t *count; /* counts of the buckets [from, from + n) */
    unsigned from, n;
    uint64_t total, min, max, sum;
};

/* Returns the number of a value's bucket: for values below 16 the value itself; each power of two
 * above has 16 buckets. */
unsigned ez_hist_bucket(uint64_t value);
void ez_hist_add(struct ez_hist *h, uint64_t value);
void ez_hist_merge(struct ez_hist *to, const struct ez_hist *from);
/* Returns the quantile q (0 to 1, both included) by nearest rank (ez_rank()), with an error of at
 * most 1/16. The minimum and the maximum are exact. Returns 0 for an empty histogram. */
uint64_t ez_hist_quantile(const struct ez_hist *h, double q);
/* Returns the number of values in [2^k, 2^(k+1)); k = 0 counts 0 and 1. */
uint64_t ez_hist_power(const struct ez_hist *h, unsigned k);
void ez_hist_free(struct ez_hist *h);

#endif
