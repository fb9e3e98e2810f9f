/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt_adds.c - reads the results of aggregates, which are definitions in the file (EZ_DEF_ADDS,
 * EZ_DEF_ADDED and EZ_DEF_BUCKETS, fxt_out.h), and keeps the last values of each key.
 *
 * Files may be damaged: a number out of range is ignored. The memory for values is limited by the
 * size of the file, the memory for histograms by MOST_HISTOGRAMS.
 *
 * Tests: tests/unit/trace/check_adds.c, tests/fuzz/fuzz_fxt.c */
#include <string.h>

#include "engine/trace/fxt_defs.h"

#define MOST_HISTOGRAMS 16384 /* 128 MiB */

static struct ez_fxt_adds *fxt_adds_at(struct ez_fxt_defs *d, uint64_t table)
{
    for (size_t i = 0; i < d->adds.n; i++)
        if (d->adds.at[i].table == table)
            return &d->adds.at[i];
    return NULL;
}

static enum ez_item_type fxt_adds_type(const char *name)
{
    enum ez_item_type type;
    if (ez_item_type_named(name, &type) && (type == EZ_IT_TEXT || ez_item_words(type) == 1))
        return type;
    return EZ_IT_HEX; /* a later version of eztsh wrote an unknown type */
}

/* Stores the definition of a table. A second definition of a table is ignored, because a table
 * never changes its meaning. */
static void fxt_adds_define(struct ez_fxt_defs *d, const struct ez_fxt_event *ev)
{
    uint64_t adds = ev->arg[2] & 0xff;
    size_t n = (ev->narg - 4) * 8;
    struct ez_fxt_adds a = {
        .table = ev->arg[0], .number = ev->arg[1], .begin = ev->arg[3], .adds = (enum ez_adds)adds
    };
    if (a.table >= EZ_ADDUPS || !adds || adds >= EZ_NADDS || ev->arg[2] >> 8 > EZ_OF_UINT ||
        fxt_adds_at(d, a.table))
        return;
    a.function = ez_alloc(n + 4); /* zeroed, so a text that the file lacks is "" */
    memcpy(a.function, ev->arg + 4, n);
    a.value = a.function + strlen(a.function) + 1;
    a.key = a.value + strlen(a.value) + 1;
    a.key_type = fxt_adds_type(a.key + strlen(a.key) + 1);
    a.sum.kind = ez_adds_kind(a.adds);
    a.sum.of = (enum ez_addup_of)(ev->arg[2] >> 8);
    EZ_PUSH(&d->adds, a);
}

static void fxt_adds_value(struct ez_fxt_defs *d, const struct ez_fxt_event *ev)
{
    struct ez_fxt_adds *a = fxt_adds_at(d, ev->arg[0]);
    struct ez_addup_line l = { .key = ev->arg[2], .n = ev->arg[3] };
    if (!a || !l.n)
        return;
    a->sum.full = ev->arg[1];
    memcpy(&l.sum, ev->arg + 4, 3 * sizeof l.sum);
    memcpy(l.text, ev->arg + 7, EZ_MIN((size_t)(ev->narg - 7) * 8, sizeof l.text - 1));
    size_t i = ez_hash_put(&a->sum.by_key, l.key, a->sum.line.n);
    if (i == a->sum.line.n)
        EZ_PUSH(&a->sum.line, l);
    l.bucket = a->sum.line.at[i].bucket; /* the next definition contains the new histogram */
    if (l.bucket)
        memset(l.bucket, 0, EZ_ADDUP_LEVELS * sizeof *l.bucket);
    a->sum.line.at[i] = l;
}

static void fxt_adds_buckets(struct ez_fxt_defs *d, const struct ez_fxt_event *ev)
{
    struct ez_fxt_adds *a = fxt_adds_at(d, ev->arg[0]);
    size_t i;
    if (!a || a->sum.kind != EZ_ADDUP_HIST || !ez_hash_get(&a->sum.by_key, ev->arg[1], &i))
        return;
    struct ez_addup_line *l = &a->sum.line.at[i];
    if (!l->bucket && d->histograms < MOST_HISTOGRAMS) {
        l->bucket = ez_alloc(EZ_ADDUP_LEVELS * sizeof *l->bucket);
        d->histograms++;
    }
    for (unsigned k = 2; l->bucket && k + 1 < ev->narg; k += 2)
        if (ev->arg[k] < EZ_ADDUP_LEVELS)
            l->bucket[ev->arg[k]] = ev->arg[k + 1];
}

void ez_fxt_adds_learn(struct ez_fxt_defs *d, enum ez_def kind, const struct ez_fxt_event *ev)
{
    if (kind == EZ_DEF_ADDS)
        fxt_adds_define(d, ev);
    if (kind == EZ_DEF_ADDED)
        fxt_adds_value(d, ev);
    if (kind == EZ_DEF_BUCKETS)
        fxt_adds_buckets(d, ev);
}

void ez_fxt_adds_free(struct ez_fxt_defs *d)
{
    for (size_t i = 0; i < d->adds.n; i++) {
        free(d->adds.at[i].function);
        ez_addup_free(&d->adds.at[i].sum);
    }
    EZ_VEC_FREE(&d->adds);
}
