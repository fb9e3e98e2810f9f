/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise.c - decides which differences between two groups of runs stand out from the noise
 * (noise.h). */
#include "engine/trace/noise.h"

#include <math.h>

/* Minimum relative variance of a row: differences of 0.01 % are below the resolution of clocks.
 * Without this minimum, a count that is equal in all runs would make the common variance 0. */
#define LEAST_VARIANCE 1e-8
#define MANY 1e6 /* number of degrees of freedom from which on Student's t counts as normal */

/* ---- functions -------------------------------------------------------------------------- */

double ez_noise_digamma(double x)
{
    double less = 0;
    for (; x < 10; x++)
        less += 1 / x;
    double y = 1 / (x * x);
    return log(x) - .5 / x - y * (1. / 12 - y * (1. / 120 - y / 252)) - less;
}

double ez_noise_trigamma(double x)
{
    double more = 0;
    for (; x < 10; x++)
        more += 1 / (x * x);
    double y = 1 / (x * x);
    return 1 / x + y / 2 + y / x * (1. / 6 - y * (1. / 30 - y / 42)) + more;
}

/* Returns the x whose trigamma is v. Trigamma is a decreasing function, so bisection finds x. */
static double noise_trigamma_inverse(double v)
{
    double lo = 1e-4, hi = MANY;
    for (int i = 0; i < 100; i++) {
        double x = sqrt(lo * hi);
        if (ez_noise_trigamma(x) > v)
            lo = x;
        else
            hi = x;
    }
    return sqrt(lo * hi);
}

/* Returns the continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's
 * method. */
static double noise_fraction(double x, double a, double b)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double all = d;
    for (int m = 1; m < 10000; m++) {
        double term[2] = { m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                           -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)) };
        double before = all;
        for (int i = 0; i < 2; i++) {
            d = 1 + term[i] * d;
            c = 1 + term[i] / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            all *= c * d;
        }
        if (fabs(all - before) <= 1e-14 * fabs(all))
            break;
    }
    return all;
}

static double noise_incomplete_beta(double x, double a, double b)
{
    if (x <= 0 || x >= 1)
        return x > 0;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * noise_fraction(x, a, b) / a;
    return 1 - front * noise_fraction(1 - x, b, a) / b;
}

double ez_noise_t(double t, double df)
{
    if (df >= MANY)
        return erfc(fabs(t) / sqrt(2));
    return noise_incomplete_beta(df / (df + t * t), df / 2, .5);
}

/* ---- the common variance -------------------------------------------------------------------- */

/* variance of a row, whose values are divided by the mean of the means of both sides */
struct variance {
    double own;
    double df;
    double t_scale; /* 1/na + 1/nb */
    double change;  /* difference of the means */
};

static double noise_squares(const double *v, size_t n, double mean)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (v[i] - mean) * (v[i] - mean);
    return sum;
}

static struct variance noise_variance(const struct ez_noise_row *r)
{
    double scale = (r->mean_a + r->mean_b) / 2;
    double squares = noise_squares(r->a, r->na, r->mean_a) + noise_squares(r->b, r->nb, r->mean_b);
    struct variance v = { .df = (double)(r->na + r->nb - 2),
                          .t_scale = 1. / (double)r->na + 1. / (double)r->nb,
                          .change = (r->mean_b - r->mean_a) / scale };
    v.own = EZ_MAX(squares / (scale * scale) / v.df, LEAST_VARIANCE);
    return v;
}

/* Fits a distribution to the rows' variances. *common: the common variance; *df: its number of
 * degrees of freedom. If all rows have the same true variance, the variance of the logarithms of
 * the rows' variances is trigamma(df / 2). The rest of that variance is the difference between
 * rows. */
static void noise_fit(const struct variance *v, size_t n, double *common, double *df)
{
    double mean = 0, squares = 0, expected = 0, all = 0;
    *common = *df = 0;
    if (n < 3)
        return;
    for (size_t i = 0; i < n; i++) {
        double e = log(v[i].own) - ez_noise_digamma(v[i].df / 2) + log(v[i].df / 2);
        double step = e - mean;
        mean += step / (double)(i + 1);
        squares += step * (e - mean);
        expected += ez_noise_trigamma(v[i].df / 2) / (double)n;
        all += v[i].df;
    }
    double more = squares / (double)(n - 1) - expected;
    double half = more > 0 ? noise_trigamma_inverse(more) : MANY;
    *common = exp(mean + ez_noise_digamma(half) - log(half));
    *df = EZ_MIN(2 * half, all);
}

/* ---- the bootstrap ---------------------------------------------------------------------- */

static uint64_t noise_random(uint64_t *state) /* splitmix64 */
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Sets mean[] to the means of EZ_NOISE_RESAMPLES resamples of the n values. A random number of 64
 * bits yields four indexes. */
static void noise_resample(const double *v, size_t n, double *mean, uint64_t *state)
{
    uint64_t bits = 0;
    unsigned left = 0;
    for (size_t i = 0; i < EZ_NOISE_RESAMPLES; i++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++, left--, bits >>= 16) {
            if (!left) {
                bits = noise_random(state);
                left = 4;
            }
            sum += v[(bits & 0xffff) * n >> 16];
        }
        mean[i] = sum / (double)n;
    }
}

/* Returns the value that would be at position k if the n values were sorted. Reorders the
 * values. */
static double noise_select(double *v, size_t n, size_t k)
{
    size_t lo = 0, hi = n - 1;
    while (lo < hi) {
        double pivot = v[lo + (hi - lo) / 2];
        size_t i = lo, j = hi;
        for (;; i++, j--) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i >= j)
                break;
            double was = v[i];
            v[i] = v[j];
            v[j] = was;
        }
        /* v[lo..i) are at most the pivot, v(j..hi] at least the pivot */
        if (k < i)
            hi = i - 1;
        else if (k > j)
            lo = j + 1;
        else
            return pivot;
    }
    return v[lo];
}

/* The seed is the same for each row, so the interval of a row does not depend on other rows. */
void ez_noise_interval(struct ez_noise_row *r)
{
    EZ_FREE double *a = ez_alloc(2 * EZ_NOISE_RESAMPLES * sizeof *a);
    double *difference = a + EZ_NOISE_RESAMPLES;
    uint64_t state = 1;
    noise_resample(r->a, r->na, a, &state);
    noise_resample(r->b, r->nb, difference, &state);
    for (size_t i = 0; i < EZ_NOISE_RESAMPLES; i++)
        difference[i] -= a[i];
    r->low = noise_select(difference, EZ_NOISE_RESAMPLES, ez_rank(.025, EZ_NOISE_RESAMPLES) - 1);
    r->high = noise_select(difference, EZ_NOISE_RESAMPLES, ez_rank(.975, EZ_NOISE_RESAMPLES) - 1);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static double noise_mean(const double *v, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += v[i];
    return n ? sum / (double)n : 0;
}

struct ordered {
    struct ez_noise_row *row;
    double p;
    size_t place; /* index in the caller's rows: rows with equal p values keep their order */
};

static int noise_by_p(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;
    if (x->p != y->p)
        return x->p < y->p ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Corrects p values by Holm's method: the k-th smallest of n p values (k from 0) is multiplied by n
 * - k, is at most 1, and is at least as large as the corrected value before it. */
static void noise_correct(struct ordered *o, size_t n)
{
    double before = 0;
    qsort(o, n, sizeof *o, noise_by_p);
    for (size_t i = 0; i < n; i++) {
        before = EZ_MAX(before, EZ_MIN(1., o[i].p * (double)(n - i)));
        o[i].row->p = before;
    }
}

static bool noise_stands_out(struct ez_noise_row *r)
{
    double change = fabs(r->mean_b - r->mean_a);
    if (r->p >= EZ_NOISE_LEVEL || change < EZ_NOISE_LEAST * EZ_MIN(r->mean_a, r->mean_b))
        return false;
    ez_noise_interval(r);
    return r->low > 0 || r->high < 0;
}

static size_t noise_prepare(struct ez_noise_row *row, size_t n, struct ordered *o,
                            struct variance *v)
{
    size_t tested = 0;
    for (size_t i = 0; i < n; i++) {
        struct ez_noise_row *r = &row[i];
        r->mean_a = noise_mean(r->a, r->na);
        r->mean_b = noise_mean(r->b, r->nb);
        r->tested = r->na > 1 && r->nb > 1 && r->mean_a > 0 && r->mean_b > 0;
        if (!r->tested)
            continue;
        v[tested] = noise_variance(r);
        o[tested++] = (struct ordered){ r, 0, i };
    }
    return tested;
}

void ez_noise_judge(struct ez_noise_row *row, size_t n)
{
    EZ_FREE struct variance *v = ez_alloc((n + 1) * sizeof *v);
    EZ_FREE struct ordered *o = ez_alloc((n + 1) * sizeof *o);
    double common, df;
    size_t tested = noise_prepare(row, n, o, v);
    noise_fit(v, tested, &common, &df);
    for (size_t i = 0; i < tested; i++) {
        double moderated = (df * common + v[i].df * v[i].own) / (df + v[i].df);
        double used = EZ_MAX(moderated, v[i].own);
        o[i].p = ez_noise_t(v[i].change / sqrt(used * v[i].t_scale), df + v[i].df);
    }
    noise_correct(o, tested);
    for (size_t i = 0; i < tested; i++)
        o[i].row->stands_out = noise_stands_out(o[i].row);
}
