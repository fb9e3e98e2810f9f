/* SPDX-License-Identifier: GPL-3.0-or-later */
/* addup.c - adds up results of aggregates, and computes quantiles and texts from them (addup.h).
 * Tests: tests/unit/rt/check_code_adds.c */
#include "engine/record/addup.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool addup_is_less(union ez_number a, union ez_number b, enum ez_addup_of of)
{
    if (of == EZ_OF_DOUBLE)
        return a.d < b.d;
    return of == EZ_OF_UINT ? (uint64_t)a.i < (uint64_t)b.i : a.i < b.i;
}

uint64_t *ez_addup_copy(const uint64_t *bucket)
{
    uint64_t *copy = bucket ? ez_alloc(EZ_ADDUP_LEVELS * sizeof *copy) : NULL;
    if (bucket)
        memcpy(copy, bucket, EZ_ADDUP_LEVELS * sizeof *copy);
    return copy;
}

void ez_addup_add_line(struct ez_addup_sum *s, const struct ez_addup_line *l)
{
    size_t i = ez_hash_put(&s->by_key, l->key, s->line.n);
    if (i == s->line.n) {
        struct ez_addup_line fresh = *l;
        fresh.bucket = ez_addup_copy(l->bucket);
        EZ_PUSH(&s->line, fresh);
        return;
    }
    struct ez_addup_line *to = &s->line.at[i];
    to->n += l->n;
    if (s->of == EZ_OF_DOUBLE)
        to->sum.d += l->sum.d;
    else
        to->sum.i = (int64_t)((uint64_t)to->sum.i + (uint64_t)l->sum.i);
    if (addup_is_less(l->least, to->least, s->of))
        to->least = l->least;
    if (addup_is_less(to->most, l->most, s->of))
        to->most = l->most;
    for (size_t k = 0; l->bucket && to->bucket && k < EZ_ADDUP_LEVELS; k++)
        to->bucket[k] += l->bucket[k];
}

static void addup_add_row(struct ez_addup_sum *s, const struct ez_addup_row *row,
                          const uint64_t *bucket)
{
    struct ez_addup_line l = { .key = row->id ^ EZ_ADDUP_NOBODY, .n = row->n };
    memcpy(&l.sum, (const void *)&row->sum, 3 * sizeof l.sum);
    memcpy(l.text, (const void *)row->text, sizeof row->text - 1);
    uint64_t level[EZ_ADDUP_LEVELS];
    bool below = bucket && s->of == EZ_OF_INT && l.most.i < 0;
    if (bucket) {
        memset(level, 0, sizeof level);
        memcpy(level + (below ? EZ_ADDUP_BUCKETS : 0), bucket, EZ_ADDUP_BUCKETS * sizeof *level);
        l.bucket = level;
    }
    if (below)
        l.key ^= EZ_ADDUP_BELOW;
    if (row->id && l.n)
        ez_addup_add_line(s, &l);
}

void ez_addup_add(struct ez_addup_sum *s, const struct ez_addup_table *t)
{
    s->full += t->full;
    for (uint32_t i = 0; i < ez_addup_rows(s->kind); i++) {
        /* a copy, because the target may change the table during the read */
        struct ez_addup_hist one;
        bool hist = s->kind == EZ_ADDUP_HIST;
        const struct ez_addup_row *row = hist ? &t->hist[i].row : &t->row[i];
        if (!row->id)
            continue;
        memcpy(&one, (const void *)row, hist ? sizeof one : sizeof one.row);
        addup_add_row(s, &one.row, hist ? (const uint64_t *)one.bucket : NULL);
    }
}

void ez_addup_free(struct ez_addup_sum *s)
{
    for (size_t i = 0; i < s->line.n; i++)
        free(s->line.at[i].bucket);
    EZ_VEC_FREE(&s->line);
    ez_hash_free(&s->by_key);
    s->full = 0;
}

static int addup_by_hits(const void *a, const void *b, void *arg)
{
    const struct ez_addup_line *line = arg, *x = &line[*(const size_t *)a],
                               *y = &line[*(const size_t *)b];
    return x->n != y->n ? (x->n < y->n ? 1 : -1) : x->key < y->key ? -1 : x->key > y->key;
}

size_t *ez_addup_order(const struct ez_addup_sum *s)
{
    size_t *order = ez_alloc((s->line.n + 1) * sizeof *order);
    for (size_t i = 0; i < s->line.n; i++)
        order[i] = i;
    if (s->line.n)
        qsort_r(order, s->line.n, sizeof *order, addup_by_hits, s->line.at);
    return order;
}

static uint64_t addup_floor(uint32_t bucket)
{
    /* the last bucket ends at 2^64, which wraps to 0 */
    return bucket < EZ_ADDUP_BUCKETS ? ez_addup_floor(bucket) : 0;
}

static union ez_number addup_negative(uint64_t magnitude)
{
    return (union ez_number){ .i = (int64_t)-EZ_MIN(magnitude, 1ull << 63) };
}

union ez_number ez_addup_low(uint32_t i)
{
    return i < EZ_ADDUP_BUCKETS ? (union ez_number){ .i = (int64_t)ez_addup_floor(i) }
                                : addup_negative(addup_floor(i - EZ_ADDUP_BUCKETS + 1) - 1);
}

union ez_number ez_addup_high(uint32_t i)
{
    return i < EZ_ADDUP_BUCKETS ? (union ez_number){ .i = (int64_t)(addup_floor(i + 1) - 1) }
                                : addup_negative(ez_addup_floor(i - EZ_ADDUP_BUCKETS));
}

/* Returns an estimate of the value number `rank`, counted from 1, of the `here` values of bucket i:
 * assumes that these values are evenly spread over the bucket. */
static union ez_number addup_within(const struct ez_addup_sum *s, const struct ez_addup_line *l,
                                    uint32_t i, double rank, double here)
{
    union ez_number lo = ez_addup_low(i), hi = ez_addup_high(i);
    lo = addup_is_less(lo, l->least, s->of) ? l->least : lo;
    hi = addup_is_less(l->most, hi, s->of) ? l->most : hi;
    /* the target may have added values between the reading of the bucket and of least and most */
    if (addup_is_less(hi, lo, s->of))
        return hi;
    double part = (double)((uint64_t)hi.i - (uint64_t)lo.i) * (rank - 0.5) / here;
    lo.i = (int64_t)((uint64_t)lo.i + (uint64_t)part);
    return lo;
}

union ez_number ez_addup_quantile(const struct ez_addup_sum *s, const struct ez_addup_line *l,
                                  double share)
{
    uint64_t rank = ez_rank(share, l->n), before = 0;
    if (rank <= 1)
        return l->least;
    for (uint32_t k = 0; l->bucket && rank < l->n && k < EZ_ADDUP_LEVELS; k++) {
        uint32_t i = ez_addup_level(k);
        if (l->bucket[i] && before + l->bucket[i] >= rank)
            return addup_within(s, l, i, (double)(rank - before), (double)l->bucket[i]);
        before += l->bucket[i];
    }
    return l->most;
}

/* ---- operations ------------------------------------------------------------------------- */

static double addup_mean(const struct ez_aggregate *a, const struct ez_addup_line *l)
{
    return l->n ? ez_aggregate_scaled(a, l->sum) / (double)l->n : 0;
}

#define FIELD(name) .field = offsetof(struct ez_addup_line, name)

const struct ez_adds_op ez_adds_ops[EZ_NADDS] = {
    [EZ_ADDS_NOTHING] = { .name = "" },
    [EZ_ADDS_COUNT] = { .name = "count" },
    [EZ_ADDS_SUM] = { .name = "sum", .needs_value = true, FIELD(sum) },
    [EZ_ADDS_MIN] = { .name = "min", .needs_value = true, FIELD(least) },
    [EZ_ADDS_MAX] = { .name = "max", .needs_value = true, FIELD(most) },
    [EZ_ADDS_AVG] = { .name = "avg", .needs_value = true, .figure = addup_mean },
    [EZ_ADDS_HIST] = { .name = "hist", .kind = EZ_ADDUP_HIST, .without_value = EZ_ADDS_LATENCY },
    [EZ_ADDS_LATENCY] = { .name = "hist", .kind = EZ_ADDUP_HIST, .ticks = true },
    [EZ_ADDS_TOP] = { .name = "topk", .needs_key = true },
};

enum ez_addup ez_adds_kind(enum ez_adds adds)
{
    return adds < EZ_NADDS ? ez_adds_ops[adds].kind : EZ_ADDUP_NUMBERS;
}

const char *ez_adds_name(enum ez_adds adds)
{
    return adds < EZ_NADDS ? ez_adds_ops[adds].name : "";
}

enum ez_adds ez_adds_of(const char *name)
{
    enum ez_adds adds = EZ_ADDS_COUNT;
    while (adds < EZ_NADDS && strcmp(ez_adds_ops[adds].name, name))
        adds++;
    return adds < EZ_NADDS ? adds : EZ_ADDS_NOTHING;
}

char *ez_aggregate_key(const struct ez_aggregate *a, size_t line)
{
    const struct ez_addup_line *l = &a->sum->line.at[line];
    const struct ez_data_item item = { .name = "", .type = a->key_type, .names = "" };
    struct ez_item_value v = { .item = &item, .word = &l->key, .n = 1 };
    uint64_t text[1 + sizeof l->text / 8] = { strlen(l->text) };
    if (!*a->key)
        return ez_strdup("");
    if (item.type == EZ_IT_CODE && *l->text)
        return ez_strdup(l->text);
    if (item.type == EZ_IT_TEXT) {
        memcpy(text + 1, l->text, sizeof l->text);
        v = (struct ez_item_value){
            .item = &item, .word = text, .n = EZ_ARRAY_LEN(text), .len = text[0]
        };
    }
    return ez_item_text(&v, NULL);
}

char *ez_aggregate_title(const struct ez_aggregate *a)
{
    return ez_sprintf("%s%s%s%s %s%s%s", ez_adds_name(a->adds), *a->value ? " " : "", a->value,
                      *a->value ? " at" : "", a->function, *a->key ? " by " : "", a->key);
}

double ez_aggregate_scaled(const struct ez_aggregate *a, union ez_number v)
{
    if (a->sum->of == EZ_OF_UINT)
        return (double)(uint64_t)v.i;
    return a->sum->of == EZ_OF_DOUBLE ? v.d : (double)v.i * (a->ticks ? a->ns_per_tick : 1);
}
