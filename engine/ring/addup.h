/* SPDX-License-Identifier: GPL-3.0-or-later */
/* addup.h - what an aggregate found, summed over the tables of all buffers, or read from a trace. */
#ifndef EZ_ADDUP_H
#define EZ_ADDUP_H

#include "engine/base/base.h"
#include "engine/base/hash.h"
#include "engine/base/vec.h"
#include "engine/data_abi.h"
#include "engine/ring/items.h"

union ez_number { /* a value of an aggregate                                             */
    int64_t i;
    double d;
};
/* Buckets of a line: those of values that are not negative (ez_addup_bucket()), then those of the magnitudes of
 * negative values. */
#define EZ_ADDUP_LEVELS (2 * EZ_ADDUP_BUCKETS)
struct ez_addup_line {
    uint64_t key;
    char text[64]; /* of a key that is a text; of code, its symbol once the process is gone   */
    uint64_t n;
    union ez_number sum, least, most;
    uint64_t *bucket; /* EZ_ADDUP_LEVELS of them, or NULL                                */
};
struct ez_addup_sum {
    enum ez_addup kind;
    enum ez_addup_of of;
    EZ_VEC(struct ez_addup_line) line;
    struct ez_hash by_key;
    uint64_t full; /* hits that found no row                                           */
};

/* What is added up of hits. The numbers stand in traces (EZ_DEF_ADDS, fxt_out.h). */
enum ez_adds {
    EZ_ADDS_NOTHING,
    EZ_ADDS_COUNT,
    EZ_ADDS_SUM,
    EZ_ADDS_MIN,
    EZ_ADDS_MAX,
    EZ_ADDS_AVG,
    EZ_ADDS_HIST,    /* of a value                                                       */
    EZ_ADDS_LATENCY, /* a histogram of how long calls took                               */
    EZ_ADDS_TOP,     /* the keys with the most hits                                      */
    EZ_NADDS
};
struct ez_aggregate {
    int number;
    const char *function, *value, *key; /* as typed                                   */
    enum ez_adds adds;
    enum ez_item_type key_type;
    bool ticks; /* values are ticks, of so many ns                                      */
    double ns_per_tick;
    const struct ez_addup_sum *sum;
};
/* The operations. A new one is an entry in addup.c, and a command in cmds/aggregate.c. */
struct ez_adds_op {
    const char *name;   /* of the command                                      */
    enum ez_addup kind; /* what the target adds up                             */
    bool needs_value, needs_key;
    bool ticks;                 /* the value is how long the call took, in ticks       */
    enum ez_adds without_value; /* what the command means without a value, if not the same */
    size_t field;               /* what is shown of a line: its offset; 0 = no field   */
    double (*figure)(const struct ez_aggregate *a, const struct ez_addup_line *l); /* or computed */
};
extern const struct ez_adds_op ez_adds_ops[EZ_NADDS];
enum ez_addup ez_adds_kind(enum ez_adds adds);
/* "count", "sum", "hist", ... */
const char *ez_adds_name(enum ez_adds adds);
/* The operation of that name; EZ_ADDS_NOTHING = there is none. */
enum ez_adds ez_adds_of(const char *name);
/* A line's key as text, "" if there is no key; the caller frees. */
char *ez_aggregate_key(const struct ez_aggregate *a, size_t line);

/* What it is about: "sum VALUE at FUNCTION by KEY"; the caller frees. */
char *ez_aggregate_title(const struct ez_aggregate *a);
/* A value, ticks in ns. */
double ez_aggregate_scaled(const struct ez_aggregate *a, union ez_number v);

void ez_addup_add(struct ez_addup_sum *s, const struct ez_addup_table *t);
/* A line of its key and kind, counted to that of the same key. Its buckets are copied. */
void ez_addup_add_line(struct ez_addup_sum *s, const struct ez_addup_line *l);
uint64_t *ez_addup_copy(const uint64_t *bucket); /* NULL of NULL; the caller frees */
void ez_addup_free(struct ez_addup_sum *s);
/* The indexes of the lines, those with the most hits first; the caller frees. */
size_t *ez_addup_order(const struct ez_addup_sum *s);
/* The index in `bucket` of the k-th bucket by its values, k < EZ_ADDUP_LEVELS. */
static inline uint32_t ez_addup_level(uint32_t k)
{
    return k < EZ_ADDUP_BUCKETS ? EZ_ADDUP_LEVELS - 1 - k : k - EZ_ADDUP_BUCKETS;
}
/* The least and the greatest value of bucket[i]. */
union ez_number ez_addup_low(uint32_t i);
union ez_number ez_addup_high(uint32_t i);
/* The value of a share (0 to 1) by nearest rank (ez_rank()), as exact as the buckets; the least and the greatest value
 * are exact. */
union ez_number ez_addup_quantile(const struct ez_addup_sum *s, const struct ez_addup_line *l,
                                  double share);

#endif
