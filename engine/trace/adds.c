/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adds.c - sums the aggregates of several trace files (adds.h). */
#include "engine/trace/adds.h"

#include <stdio.h>
#include <string.h>

#include "engine/trace/fxt_defs.h"

static bool adds_same(const struct ez_aggregate *a, const struct ez_fxt_adds *b)
{
    return a->adds == b->adds && a->key_type == b->key_type && a->sum->of == b->sum.of &&
           !strcmp(a->function, b->function) && !strcmp(a->value, b->value) &&
           !strcmp(a->key, b->key);
}

/* Returns the index in all->of of the aggregate to which the file's table `a` belongs. Adds an
 * aggregate if there is no such aggregate. */
static size_t adds_find(struct ez_adds_all *all, const struct ez_fxt_defs *d,
                        const struct ez_fxt_adds *a)
{
    size_t i = 0;
    while (i < all->of.n && !adds_same(&all->of.at[i].is, a))
        i++;
    if (i < all->of.n)
        return i;
    struct ez_added x = { .sum = ez_alloc(sizeof *x.sum) };
    x.text = ez_sprintf("%s%c%s%c%s", a->function, 1, a->value, 1, a->key);
    *x.sum = (struct ez_addup_sum){ .kind = a->sum.kind, .of = a->sum.of };
    x.is = (struct ez_aggregate){ .number = (int)EZ_MIN(a->number, (uint64_t)INT32_MAX),
                                  .function = x.text,
                                  .value = x.text + strlen(a->function) + 1,
                                  .key = x.text + strlen(a->function) + strlen(a->value) + 2,
                                  .adds = a->adds,
                                  .key_type = a->key_type,
                                  .ticks = ez_adds_ops[a->adds].ticks,
                                  .ns_per_tick = d->ticks_per_s ? 1e9 / (double)d->ticks_per_s : 1,
                                  .sum = x.sum };
    x.text[strlen(a->function)] = x.text[x.is.key - x.text - 1] = 0;
    EZ_PUSH(&all->of, x);
    return i;
}

static int64_t adds_scale(int64_t v, double by)
{
    double x = (double)v * by;
    return x >= 0x1p63 ? INT64_MAX : x < -0x1p63 ? INT64_MIN : (int64_t)x;
}

/* Scales the values of a row from ticks of the row's file to ticks of the first file. One tick of
 * the row's file is `by` ticks of the first file. */
static void adds_rescale(struct ez_addup_line *l, double by)
{
    uint64_t *to = l->bucket ? ez_alloc(EZ_ADDUP_BUCKETS * sizeof *to) : NULL;
    l->sum.i = adds_scale(l->sum.i, by);
    l->least.i = adds_scale(l->least.i, by);
    l->most.i = adds_scale(l->most.i, by);
    for (uint32_t i = 0; to && i < EZ_ADDUP_BUCKETS; i++) {
        double mid = ((double)ez_addup_floor(i) + (double)ez_addup_floor(i + 1)) / 2 * by;
        if (l->bucket[i])
            to[ez_addup_bucket((uint64_t)EZ_MIN(EZ_MAX(mid, 0.), 0x1p62))] += l->bucket[i];
    }
    if (to)
        memcpy(l->bucket, to, EZ_ADDUP_BUCKETS * sizeof *to);
    free(to);
}

static void adds_row(struct ez_adds_all *all, size_t of, uint64_t process,
                     const struct ez_addup_line *from, double scale)
{
    struct ez_adds_row r = { .of = of, .process = process, .key = from->key };
    size_t i = ez_hash_put(&all->seen, ez_hash_pair(ez_hash_pair(process, of), r.key), all->row.n);
    bool fresh = i == all->row.n;
    if (!fresh && (all->row.at[i].of != of || all->row.at[i].key != r.key ||
                   all->row.at[i].process != process || all->row.at[i].line.n >= from->n))
        return;
    r.line = *from;
    r.line.bucket = ez_addup_copy(from->bucket);
    if (scale)
        adds_rescale(&r.line, scale);
    if (fresh) {
        EZ_PUSH(&all->row, r);
        return;
    }
    free(all->row.at[i].line.bucket);
    all->row.at[i] = r;
}

/* Returns how many ticks of the first file (to->ns_per_tick) one tick of the file d is. Returns 0
 * if no scaling is needed: the values are not ticks, or the rates differ by less than 0.1 %, the
 * error of measuring a clock. */
static double adds_factor(const struct ez_aggregate *to, const struct ez_fxt_defs *d)
{
    double by = d->ticks_per_s ? 1e9 / (double)d->ticks_per_s / to->ns_per_tick : 1;
    return to->ticks && (by < 0.999 || by > 1.001) ? by : 0;
}

/* If the row's key is a code address, replaces the key by the hash of the symbol's name, which is
 * equal in all processes. */
static void adds_name(const struct ez_fxt_defs *d, const struct ez_fxt_adds *a,
                      struct ez_addup_line *l)
{
    const char *name = a->key_type == EZ_IT_CODE ? ez_fxt_defs_symbol(d, l->key) : NULL;
    if (!name)
        return;
    snprintf(l->text, sizeof l->text, "%s", name);
    l->key = ez_hash_key(EZ_HASH_SEED, name);
}

static void adds_full(struct ez_adds_all *all, size_t of, uint64_t process, uint64_t full)
{
    const struct ez_adds_full f = { of, process, full };
    size_t i = ez_hash_put(&all->seen_full, ez_hash_pair(process, of), all->full.n);
    if (i == all->full.n)
        EZ_PUSH(&all->full, f);
    else
        all->full.at[i].full = EZ_MAX(all->full.at[i].full, full);
}

void ez_adds_of_file(struct ez_adds_all *all, const struct ez_fxt_defs *d)
{
    for (size_t i = 0; i < d->adds.n; i++) {
        const struct ez_fxt_adds *a = &d->adds.at[i];
        uint64_t process = ez_hash_key(ez_hash_pair(ez_hash_pair(d->pid, a->begin), a->table),
                                       d->host ? d->host : "");
        size_t of = adds_find(all, d, a);
        double scale = adds_factor(&all->of.at[of].is, d);
        for (size_t k = 0; k < a->sum.line.n; k++) {
            struct ez_addup_line l = a->sum.line.at[k];
            adds_name(d, a, &l);
            adds_row(all, of, process, &l, scale);
        }
        adds_full(all, of, process, a->sum.full);
    }
}

void ez_adds_sum_up(struct ez_adds_all *all)
{
    for (size_t i = 0; i < all->row.n; i++)
        ez_addup_add_line(all->of.at[all->row.at[i].of].sum, &all->row.at[i].line);
    for (size_t i = 0; i < all->full.n; i++)
        all->of.at[all->full.at[i].of].sum->full += all->full.at[i].full;
}

void ez_adds_free(struct ez_adds_all *all)
{
    for (size_t i = 0; i < all->of.n; i++) {
        ez_addup_free(all->of.at[i].sum);
        free(all->of.at[i].sum);
        free(all->of.at[i].text);
    }
    for (size_t i = 0; i < all->row.n; i++)
        free(all->row.at[i].line.bucket);
    EZ_VEC_FREE(&all->of);
    EZ_VEC_FREE(&all->row);
    EZ_VEC_FREE(&all->full);
    ez_hash_free(&all->seen);
    ez_hash_free(&all->seen_full);
    *all = (struct ez_adds_all){ .row = { 0 } };
}
