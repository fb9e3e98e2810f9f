/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise.h - decides which of many quantities differ between two groups of runs by more than the
 * runs of a group differ among themselves.
 *
 * A row is a quantity that was measured once in each run, for example the time of a function. A row
 * stands out if all of the following hold:
 *   - its means differ by at least EZ_NOISE_LEAST. Smaller changes may have causes that are
 *     constant in all runs of a build, such as the addresses of the code, so more runs do not help;
 *   - its p value is below EZ_NOISE_LEVEL after Holm's correction for the number of rows. So if
 *     none of 1,000 rows really differs, the chance that one or more rows stand out is about
 *     EZ_NOISE_LEVEL;
 *   - the bootstrap interval of the difference of its means does not contain 0.
 *
 * The p value is that of a two-sided t test with a moderated variance (Smyth 2004, as in limma).
 * Resampling or permuting alone is not enough: 5 runs per side have 252 permutations, so no p value
 * is below 0.008, but the corrected limit for 1,000 rows is 0.000005. A t test of each row on its
 * own has few degrees of freedom, and needs huge differences at that limit. All rows together show
 * how much runs vary, so their common variance adds degrees of freedom (few, if the variances of
 * the rows differ much). If the variance of a row is larger than the moderated variance, the row's
 * variance is used: one slow run among five must not stand out.
 *
 * All results are the same in each run of the program: random numbers have a fixed seed.
 *
 * Tests: tests/unit/trace/check_noise.c */
#ifndef EZ_NOISE_H
#define EZ_NOISE_H

#include "engine/base/base.h"

#define EZ_NOISE_LEVEL .005 /* chance that any row stands out if no row really differs */
#define EZ_NOISE_LEAST .01  /* minimum change that stands out, as a part of the smaller mean */
enum { EZ_NOISE_RESAMPLES = 2000 };

struct ez_noise_row {
    const double *a, *b; /* values of the runs, >= 0 */
    size_t na, nb;
    double mean_a, mean_b; /* results: means of a and b; 0 if there are no values */
    bool tested;           /* both sides have two values or more, and neither mean is 0 */
    /* valid if tested */
    double p; /* p value, corrected for the number of tested rows */
    bool stands_out;
    double low, high; /* results of ez_noise_interval */
};

void ez_noise_judge(struct ez_noise_row *row, size_t n);
/* Sets the bootstrap interval (95 %) of mean_b - mean_a of a tested row. */
void ez_noise_interval(struct ez_noise_row *row);

/* Returns the two-sided p value of Student's t with df degrees of freedom. */
double ez_noise_t(double t, double df);
/* Return the first and the second derivative of the logarithm of the gamma function, for x > 0. */
double ez_noise_digamma(double x);
double ez_noise_trigamma(double x);

#endif
