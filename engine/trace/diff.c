/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diff.c - compares the tables of two sides (diff.h). */
#include "engine/trace/diff.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "engine/base/hash.h"
#include "engine/base/strutil.h"

enum sum { SUM_TOTAL, SUM_SELF, SUM_TIMES, SUM_TIMED, SUM_CALLS, SUMS };

struct acc {
    /* library: name of the library in the first table that was added with it */
    char *function, *library;
    char *key; /* name of the library without a version; "" = the program's file */
    uint32_t rank;
    bool pause;
    /* sums by run, [run][SUMS]; the runs of the second side follow the runs of the first side */
    double *sum;
    /* values of the key in the runs of the first side, then in those of the second */
    double *value;
};

struct ez_diff_priv {
    struct ez_diff pub; /* must be first */
    size_t runs[2];
    enum ez_diff_by by;
    struct ez_hash rows; /* hash of the names -> index in `acc` */
    EZ_VEC(struct acc) acc;
    EZ_VEC(struct ez_diff_row) table;
    enum ez_diff_key key;
};

struct ez_diff *ez_diff_create(const size_t runs[2], enum ez_diff_by by)
{
    struct ez_diff_priv *d = ez_alloc(sizeof *d);
    memcpy(d->runs, runs, sizeof d->runs);
    d->by = by;
    d->pub.noise_known = runs[0] > 1 && runs[1] > 1;
    return &d->pub;
}

unsigned ez_diff_stats_by(enum ez_diff_by by)
{
    return by == EZ_DIFF_LIBRARY ? EZ_BY_LIBRARY
           : by == EZ_DIFF_RANK  ? EZ_BY_FUNCTION | EZ_BY_LIBRARY | EZ_BY_PROCESS
                                 : EZ_BY_FUNCTION | EZ_BY_LIBRARY;
}

void ez_diff_free(struct ez_diff *diff)
{
    struct ez_diff_priv *d = (struct ez_diff_priv *)diff;
    if (!d)
        return;
    for (size_t i = 0; i < d->acc.n; i++) {
        free(d->acc.at[i].function);
        free(d->acc.at[i].library);
        free(d->acc.at[i].key);
        free(d->acc.at[i].sum);
        free(d->acc.at[i].value);
    }
    ez_hash_free(&d->rows);
    EZ_VEC_FREE(&d->acc);
    EZ_VEC_FREE(&d->table);
    free(d);
}

/* ---- matching --------------------------------------------------------------------------- */

/* Returns the name of a library without its version: "libm" for "libm.so.6", "libc" for
 * "libc-2.31.so"; "" for the program's file. The caller frees it. */
static char *diff_library_key(const char *library, const char *program)
{
    const char *base = ez_base_name(library);
    if (!strcmp(base, ez_base_name(program)))
        return ez_strdup("");
    const char *end = strstr(base, ".so");
    while (end && end[3] && end[3] != '.')
        end = strstr(end + 1, ".so");
    if (!end || end == base)
        return ez_strdup(base);
    const char *p = end;
    while (p > base && (isdigit((unsigned char)p[-1]) || p[-1] == '.'))
        p--;
    if (p > base + 1 && p < end && p[-1] == '-' && isdigit((unsigned char)*p))
        end = p - 1;
    return ez_strndup(base, (size_t)(end - base));
}

static bool diff_is_row(const struct acc *a, const struct acc *b)
{
    return a->rank == b->rank && a->pause == b->pause && !strcmp(a->function, b->function) &&
           !strcmp(a->key, b->key);
}

/* Returns the accumulator of a row of a table, and makes it if it is new. The names are copied only
 * for a new accumulator. */
static struct acc *diff_row_of(struct ez_diff_priv *d, const struct ez_stat_row *r,
                               const char *program)
{
    EZ_FREE char *key = r->pause ? ez_strdup("") : diff_library_key(r->library, program);
    struct acc a = { .function = (char *)(r->pause ? r->pause : r->function),
                     .key = key,
                     .rank = d->by == EZ_DIFF_RANK ? r->rank : EZ_NO_RANK,
                     .pause = r->pause };
    uint64_t h = ez_hash_pair(ez_hash_key(ez_hash_key(EZ_HASH_SEED, a.function), key), a.rank);
    for (;; h++) {
        size_t i = ez_hash_put(&d->rows, h, d->acc.n);
        if (i < d->acc.n && diff_is_row(&d->acc.at[i], &a))
            return &d->acc.at[i];
        if (i == d->acc.n)
            break;
    }
    a.function = ez_strdup(a.function);
    a.library = ez_strdup(r->pause ? "" : r->library);
    a.key = ez_strdup(key);
    a.sum = ez_alloc((d->runs[0] + d->runs[1]) * SUMS * sizeof *a.sum);
    EZ_PUSH(&d->acc, a);
    return &d->acc.at[d->acc.n - 1];
}

void ez_diff_add(struct ez_diff *diff, unsigned side, size_t run, const char *program,
                 const struct ez_stats *st)
{
    struct ez_diff_priv *d = (struct ez_diff_priv *)diff;
    for (size_t i = 0; i < st->n; i++) {
        const struct ez_stat_row *r = &st->row[i];
        double *sum = diff_row_of(d, r, program)->sum + (side * d->runs[0] + run) * SUMS;
        sum[SUM_TOTAL] += (double)r->total_ns;
        sum[SUM_SELF] += (double)r->self_ns;
        sum[SUM_CALLS] += (double)r->calls;
        sum[SUM_TIMES] += (double)r->times.sum;
        sum[SUM_TIMED] += (double)r->times.total;
    }
}

/* ---- the table -------------------------------------------------------------------------- */

/* Copies the values of the runs of a side to value[]. Returns the number of values, which may be
 * less than the number of runs: a run without timed calls has no mean. */
static size_t diff_values(const double *sum, size_t runs, enum ez_diff_key key, double *value)
{
    static const enum sum of[] = { [EZ_DIFF_TOTAL] = SUM_TOTAL,
                                   [EZ_DIFF_SELF] = SUM_SELF,
                                   [EZ_DIFF_MEAN] = SUM_TIMES,
                                   [EZ_DIFF_CALLS] = SUM_CALLS };
    size_t n = 0;
    for (size_t i = 0; i < runs; i++, sum += SUMS) {
        if (key != EZ_DIFF_MEAN)
            value[n++] = sum[of[key]];
        else if (sum[SUM_TIMED] > 0)
            value[n++] = sum[SUM_TIMES] / sum[SUM_TIMED];
    }
    return n;
}

static double diff_mean(const double *value, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += value[i];
    return n ? sum / (double)n : 0;
}

static struct ez_diff_row diff_row(const struct ez_diff_priv *d, struct acc *a)
{
    struct ez_diff_row r = {
        .function = a->function, .library = a->library, .rank = a->rank, .pause = a->pause
    };
    const double *after = a->sum + d->runs[0] * SUMS;
    a->value = ez_alloc((d->runs[0] + d->runs[1]) * sizeof *a->value);
    /* d->key comes last, so that its values stay in a->value */
    for (unsigned k = 0; k <= EZ_DIFF_KEYS; k++) {
        enum ez_diff_key key = k < EZ_DIFF_KEYS ? (enum ez_diff_key)k : d->key;
        struct ez_noise_row *noise = &r.noise;
        noise->a = a->value;
        noise->na = diff_values(a->sum, d->runs[0], key, a->value);
        noise->b = a->value + noise->na;
        noise->nb = diff_values(after, d->runs[1], key, a->value + noise->na);
        r.before[key] = diff_mean(noise->a, noise->na);
        r.after[key] = diff_mean(noise->b, noise->nb);
    }
    if (r.before[EZ_DIFF_CALLS] <= 0)
        r.only = EZ_DIFF_NEW;
    else if (r.after[EZ_DIFF_CALLS] <= 0)
        r.only = EZ_DIFF_GONE;
    return r;
}

struct sorted {
    const struct ez_diff_row *row;
    double weight;
};

static int diff_compare(const void *a, const void *b)
{
    const struct sorted *s = a, *t = b;
    const struct ez_diff_row *x = s->row, *y = t->row;
    int c;
    if (x->pause != y->pause)
        return x->pause ? 1 : -1;
    if (s->weight != t->weight)
        return s->weight < t->weight ? 1 : -1;
    if ((c = strcmp(x->function, y->function)) || (c = strcmp(x->library, y->library)))
        return c;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static void diff_judge(struct ez_diff_row *row, size_t n)
{
    EZ_FREE struct ez_noise_row *noise = ez_alloc((n + 1) * sizeof *noise);
    for (size_t i = 0; i < n; i++)
        noise[i] = row[i].noise;
    ez_noise_judge(noise, n);
    for (size_t i = 0; i < n; i++)
        row[i].noise = noise[i];
}

void ez_diff_finish(struct ez_diff *diff, enum ez_diff_key key)
{
    struct ez_diff_priv *d = (struct ez_diff_priv *)diff;
    size_t n = d->acc.n;
    EZ_FREE struct ez_diff_row *row = ez_alloc((n + 1) * sizeof *row);
    EZ_FREE struct sorted *order = ez_alloc((n + 1) * sizeof *order);
    d->key = key;
    for (size_t i = 0; i < n; i++)
        row[i] = diff_row(d, &d->acc.at[i]);
    diff_judge(row, n);
    for (size_t i = 0; i < n; i++)
        order[i] = (struct sorted){ &row[i], fabs(row[i].after[key] - row[i].before[key]) };
    qsort(order, n, sizeof *order, diff_compare);
    for (size_t i = 0; i < n; i++)
        EZ_PUSH(&d->table, *order[i].row);
    diff->row = d->table.at;
    diff->n = n;
}

double ez_diff_change(const struct ez_diff_row *r, enum ez_diff_key key)
{
    return r->before[key] > 0 ? (r->after[key] - r->before[key]) / r->before[key] : NAN;
}

bool ez_diff_worse(const struct ez_diff *d, const struct ez_diff_row *r, enum ez_diff_key key,
                   double part)
{
    if (r->pause || r->only != EZ_DIFF_BOTH || !(ez_diff_change(r, key) > part))
        return false;
    return !d->noise_known || r->noise.stands_out;
}
