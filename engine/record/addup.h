/* SPDX-License-Identifier: GPL-3.0-or-later */
/* addup.h - results of aggregates: sums over the tables of all buffers, or results read from a
 * trace. */
#ifndef EZ_ADDUP_H
#define EZ_ADDUP_H

#include "engine/base/base.h"
#include "engine/base/hash.h"
#include "engine/base/vec.h"
#include "engine/data_abi.h"
#include "engine/record/items.h"

union ez_number {
    int64_t i;
    double d;
};
/* Number of buckets of a line: first EZ_ADDUP_BUCKETS buckets of values >= 0 (ez_addup_bucket()),
 * then as many of the magnitudes of negative values. */
#define EZ_ADDUP_LEVELS (2 * EZ_ADDUP_BUCKETS)
struct ez_addup_line {
    uint64_t key;
    /* the key as text: for a string key, and for a code address after the process has ended */
    char text[64];
    uint64_t n;
    union ez_number sum, least, most;
    uint64_t *bucket; /* EZ_ADDUP_LEVELS counters, or NULL */
};
struct ez_addup_sum {
    enum ez_addup kind;
    enum ez_addup_of of;
    EZ_VEC(struct ez_addup_line) line;
    struct ez_hash by_key;
    uint64_t full; /* number of hits that found no free row in a table */
};

/* Aggregate operations. Traces contain these numbers (EZ_DEF_ADDS, fxt_out.h). */
enum ez_adds {
    EZ_ADDS_NOTHING,
    EZ_ADDS_COUNT,
    EZ_ADDS_SUM,
    EZ_ADDS_MIN,
    EZ_ADDS_MAX,
    EZ_ADDS_AVG,
    EZ_ADDS_HIST,    /* histogram of a value */
    EZ_ADDS_LATENCY, /* histogram of the durations of calls */
    EZ_ADDS_TOP,     /* the keys with the most hits */
    EZ_NADDS
};
struct ez_aggregate {
    int number;
    /* expressions as the user typed them */
    const char *function, *value, *key;
    enum ez_adds adds;
    enum ez_item_type key_type;
    bool ticks; /* values are ticks of ns_per_tick ns */
    double ns_per_tick;
    const struct ez_addup_sum *sum;
};
/* How the target computes one aggregate operation, and how the result is shown. The table of
 * operations is in addup.c; a new operation also needs a command in cmds/probe/aggregate.c. */
struct ez_adds_op {
    const char *name;   /* name of the command */
    enum ez_addup kind; /* kind of table in the target */
    bool needs_value, needs_key;
    bool ticks; /* the value is the duration of the call in ticks */
    /* operation that is used instead if the user gives no value; EZ_ADDS_NOTHING: this operation
     * stays */
    enum ez_adds without_value;
    /* The value that is shown for a line: the field of struct ez_addup_line at this offset. If the
     * offset is 0, the result of figure(), or the number of hits if figure is NULL. */
    size_t field;
    double (*figure)(const struct ez_aggregate *a, const struct ez_addup_line *l);
};
extern const struct ez_adds_op ez_adds_ops[EZ_NADDS];
enum ez_addup ez_adds_kind(enum ez_adds adds);
/* Returns the name of an operation: "count", "sum", "hist", ... */
const char *ez_adds_name(enum ez_adds adds);
/* Returns the first operation with this name, or EZ_ADDS_NOTHING if no operation has the name. */
enum ez_adds ez_adds_of(const char *name);
/* Returns a line's key as text, "" if the aggregate has no key. The caller frees the text. */
char *ez_aggregate_key(const struct ez_aggregate *a, size_t line);

/* Returns a title such as "sum VALUE at FUNCTION by KEY". The caller frees the text. */
char *ez_aggregate_title(const struct ez_aggregate *a);
/* Returns a value of the aggregate as a double. If the values are ticks, converts it to ns. */
double ez_aggregate_scaled(const struct ez_aggregate *a, union ez_number v);

void ez_addup_add(struct ez_addup_sum *s, const struct ez_addup_table *t);
/* Adds l to the line of s with the same key. If s has no such line, appends a copy of l. */
void ez_addup_add_line(struct ez_addup_sum *s, const struct ez_addup_line *l);
/* Returns a copy of EZ_ADDUP_LEVELS buckets, or NULL if `bucket` is NULL. The caller frees the
 * copy. */
uint64_t *ez_addup_copy(const uint64_t *bucket);
void ez_addup_free(struct ez_addup_sum *s);
/* Returns the indexes of the lines, sorted by falling number of hits. The caller frees the
 * array. */
size_t *ez_addup_order(const struct ez_addup_sum *s);
/* Returns the index in `bucket` of bucket number k in the order of rising values; the first bucket
 * has number 0. */
static inline uint32_t ez_addup_level(uint32_t k)
{
    return k < EZ_ADDUP_BUCKETS ? EZ_ADDUP_LEVELS - 1 - k : k - EZ_ADDUP_BUCKETS;
}
/* Return the smallest and the largest value of bucket[i]. */
union ez_number ez_addup_low(uint32_t i);
union ez_number ez_addup_high(uint32_t i);
/* Returns a quantile (share: 0 to 1) by nearest rank (ez_rank()). The minimum and the maximum are
 * exact. Other quantiles are interpolated in their bucket; without buckets, they are the
 * maximum. */
union ez_number ez_addup_quantile(const struct ez_addup_sum *s, const struct ez_addup_line *l,
                                  double share);

#endif
