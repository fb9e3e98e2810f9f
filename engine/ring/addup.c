/* SPDX-License-Identifier: GPL-3.0-or-later */
/* addup.c - see addup.h. Tests: tests/unit/engine/check_code.c */
#include "engine/ring/addup.h"

#include <string.h>

static bool addup_is_less(union ez_number a, union ez_number b, bool is_double)
{
    return is_double ? a.d < b.d : a.i < b.i;
}

static void addup_add_row(struct ez_addup_sum *s, const struct ez_addup_row *row,
                          const uint64_t *bucket)
{
    struct ez_addup_line l = { .key = row->id ^ EZ_ADDUP_NOBODY, .n = row->n };
    memcpy(&l.sum, (const void *)&row->sum, 3 * sizeof l.sum);
    memcpy(l.text, (const void *)row->text, sizeof row->text - 1);
    if (!row->id || !l.n)
        return;
    size_t i = ez_hash_put(&s->by_key, l.key, s->line.n);
    if (i == s->line.n) {
        l.bucket = bucket ? ez_alloc(EZ_ADDUP_BUCKETS * sizeof *bucket) : NULL;
        if (bucket)
            memcpy(l.bucket, bucket, EZ_ADDUP_BUCKETS * sizeof *bucket);
        EZ_PUSH(&s->line, l);
        return;
    }
    struct ez_addup_line *to = &s->line.at[i];
    to->n += l.n;
    if (s->is_double)
        to->sum.d += l.sum.d;
    else
        to->sum.i = (int64_t)((uint64_t)to->sum.i + (uint64_t)l.sum.i);
    if (addup_is_less(l.least, to->least, s->is_double))
        to->least = l.least;
    if (addup_is_less(to->most, l.most, s->is_double))
        to->most = l.most;
    for (size_t k = 0; bucket && to->bucket && k < EZ_ADDUP_BUCKETS; k++)
        to->bucket[k] += bucket[k];
}

void ez_addup_add(struct ez_addup_sum *s, const struct ez_addup_table *t)
{
    s->full += t->full;
    for (uint32_t i = 0; i < ez_addup_rows(s->kind); i++)
        if (s->kind == EZ_ADDUP_HIST)
            addup_add_row(s, &t->hist[i].row, (const uint64_t *)t->hist[i].bucket);
        else
            addup_add_row(s, &t->row[i], NULL);
}

void ez_addup_free(struct ez_addup_sum *s)
{
    for (size_t i = 0; i < s->line.n; i++)
        free(s->line.at[i].bucket);
    EZ_VEC_FREE(&s->line);
    ez_hash_free(&s->by_key);
    s->full = 0;
}

double ez_addup_quantile(const struct ez_addup_line *l, double share)
{
    double wanted = share * (double)l->n, seen = 0;
    for (uint32_t i = 0; l->bucket && i < EZ_ADDUP_BUCKETS; i++) {
        double here = (double)l->bucket[i];
        if (here > 0 && seen + here >= wanted) {
            double lo = (double)ez_addup_floor(i), hi = (double)ez_addup_floor(i + 1);
            return lo + (hi - lo) * (wanted - seen) / here;
        }
        seen += here;
    }
    return 0;
}
