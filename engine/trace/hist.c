/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hist.c - a histogram of times (hist.h). */
#include "engine/trace/hist.h"

#include <string.h>

/* the width of a bucket is at most 1/SUB of its values, so no error is larger than 1/SUB */
#define SUB_BITS 4
#define SUB (1 << SUB_BITS)

/* Each value below SUB has its own bucket. From SUB on, the values from each power of two up to the
 * next are divided into SUB buckets. */
unsigned ez_hist_bucket(uint64_t v)
{
    if (v < SUB)
        return (unsigned)v;
    unsigned k = 63 - (unsigned)__builtin_clzll(v);
    return (k - SUB_BITS) * SUB + (unsigned)(v >> (k - SUB_BITS));
}

static uint64_t hist_low_end(unsigned b)
{
    if (b >= (65 - SUB_BITS) * SUB)
        return UINT64_MAX;
    return b < SUB ? b : (uint64_t)(b % SUB + SUB) << (b / SUB - 1);
}

/* Extends the array of counts to bucket b, and a few buckets beyond, so that it grows rarely. */
static void hist_reach(struct ez_hist *h, unsigned b)
{
    unsigned from = h->n ? EZ_MIN(h->from, b) : b;
    unsigned to = h->n ? EZ_MAX(h->from + h->n, b + 1) : b + 1;
    from = from > 4 ? from - 4 : 0;
    to += 4;
    uint64_t *count = ez_alloc((to - from) * sizeof *count);
    if (h->n)
        memcpy(count + (h->from - from), h->count, h->n * sizeof *count);
    free(h->count);
    h->count = count;
    h->from = from;
    h->n = to - from;
}

void ez_hist_add(struct ez_hist *h, uint64_t value)
{
    unsigned b = ez_hist_bucket(value);
    if (b - h->from >= h->n)
        hist_reach(h, b);
    h->count[b - h->from]++;
    h->min = h->total ? EZ_MIN(h->min, value) : value;
    h->max = EZ_MAX(h->max, value);
    h->sum += value;
    h->total++;
}

void ez_hist_merge(struct ez_hist *to, const struct ez_hist *from)
{
    if (!from->total)
        return;
    for (unsigned i = 0; i < from->n; i++) {
        if (!from->count[i])
            continue;
        if (from->from + i - to->from >= to->n)
            hist_reach(to, from->from + i);
        to->count[from->from + i - to->from] += from->count[i];
    }
    to->min = to->total ? EZ_MIN(to->min, from->min) : from->min;
    to->max = EZ_MAX(to->max, from->max);
    to->sum += from->sum;
    to->total += from->total;
}

/* Returns an estimate of the value at `place` (0 to the bucket's count) among the sorted values in
 * count[i], as if the values were spread evenly over the bucket. */
static uint64_t hist_within(const struct ez_hist *h, unsigned i, double place)
{
    uint64_t lo = EZ_MAX(hist_low_end(h->from + i), h->min);
    uint64_t hi = EZ_MIN(hist_low_end(h->from + i + 1) - 1, h->max);
    return lo + (uint64_t)((double)(hi - lo) * place / (double)h->count[i]);
}

uint64_t ez_hist_quantile(const struct ez_hist *h, double q)
{
    if (!h->total)
        return 0;
    uint64_t rank = ez_rank(q, h->total), before = 0;
    if (rank == 1)
        return h->min;
    for (unsigned i = 0; rank < h->total && i < h->n; i++) {
        if (h->count[i] && before + h->count[i] >= rank)
            return hist_within(h, i, (double)(rank - before) - 0.5);
        before += h->count[i];
    }
    return h->max;
}

uint64_t ez_hist_power(const struct ez_hist *h, unsigned k)
{
    uint64_t n = 0, lo = k ? (uint64_t)1 << k : 0,
             hi = k < 63 ? (uint64_t)1 << (k + 1) : UINT64_MAX;
    for (unsigned i = 0; i < h->n; i++) {
        uint64_t v = hist_low_end(h->from + i);
        n += v >= lo && v < hi ? h->count[i] : 0;
    }
    return n;
}

void ez_hist_free(struct ez_hist *h)
{
    free(h->count);
    *h = (struct ez_hist){ 0 };
}
