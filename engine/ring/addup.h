/* SPDX-License-Identifier: GPL-3.0-or-later */
/* addup.h - what an aggregate found, summed over the tables of all lanes. */
#ifndef EZ_ADDUP_H
#define EZ_ADDUP_H

#include "engine/base/base.h"
#include "engine/base/hash.h"
#include "engine/base/vec.h"
#include "engine/data_abi.h"

union ez_number { /* a value of an aggregate                                             */
    int64_t i;
    double d;
};
struct ez_addup_line {
    uint64_t key;
    char text[64]; /* of a key that is a text; of code, its symbol once the process is gone   */
    uint64_t n;
    union ez_number sum, least, most;
    uint64_t *bucket; /* EZ_ADDUP_BUCKETS of them, or NULL                               */
};
struct ez_addup_sum {
    enum ez_addup kind;
    bool is_double;
    EZ_VEC(struct ez_addup_line) line;
    struct ez_hash by_key;
    uint64_t full; /* hits that found no row                                           */
};

void ez_addup_add(struct ez_addup_sum *s, const struct ez_addup_table *t);
void ez_addup_free(struct ez_addup_sum *s);
/* The values below which a share (0 to 1) of a line's values lie, from its buckets. */
double ez_addup_quantile(const struct ez_addup_line *l, double share);

#endif
