/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reduce.h - sums of aggregates over ranks. The targets' results (`info aggregates -json`) are
 * added up over the processes of a host, then over hosts. A struct ez_sums holds all aggregates of
 * one request.
 *
 * Two sums are added if they have the same id: operation, function, value and key ("sum|step|n|"),
 * and the requested ranks, if any ("sum|step|n||1-3"). All operations are associative and
 * commutative. Each sum has the set of its ranks, so that no rank is counted twice or is missing
 * unnoticed.
 * Tests: tests/unit/jobs/check_reply.c */
#ifndef EZ_REDUCE_H
#define EZ_REDUCE_H

#include <json-c/json.h>

#include "engine/base/err.h"
#include "engine/jobs/ranks.h"

struct ez_bucket {
    double from;
    uint64_t hits;
};

struct ez_sum_row { /* result for one key */
    char *key;      /* must be the first member (reduce_place()) */
    uint64_t hits;
    double sum, min, max;            /* min, max: valid if hits > 0 */
    EZ_VEC(struct ez_bucket) bucket; /* buckets of a histogram, sorted by `from` */
};

struct ez_own { /* value of one rank, over all keys: for a count the hits, else the sum */
    uint32_t rank;
    double value;
};

/* A function of the user that combines two values. */
struct ez_operation {
    void *handle; /* from dlopen() */
    double (*apply)(double, double);
};

struct ez_sum {
    char *id;                      /* "sum|step|n|"; must be the first member (reduce_place()) */
    bool ns;                       /* the values are times in ns */
    struct ez_ranks ranks;         /* ranks whose results are included */
    uint64_t no_room;              /* hits for which a target's table had no room */
    EZ_VEC(struct ez_sum_row) row; /* rows, sorted by key */
    EZ_VEC(struct ez_own) own;     /* values of single ranks, if requested; sorted by rank */
    char *plugin;                  /* function of the user, FILE:FUNC; NULL = none */
    double made;                   /* all values of all ranks, combined by `plugin`; for a count by
                                    * value, a key is a value, as often as it was counted */
};

struct ez_sums {
    EZ_VEC(struct ez_sum) v; /* sorted by id */
    /* callback that returns the function FILE:FUNC of the user; may be NULL */
    struct ez_operation *(*operation)(void *arg, const char *file_func);
    void *arg;
};

/* A requested sum. The results with the id `of` of the given ranks are added up in a sum with the
 * id `id`. Results that no request names are summed over all ranks, under their own id. */
struct ez_sum_request {
    const char *id, *of;
    struct ez_ranks ranks; /* owned by the caller */
    bool all;              /* the value is the value of all ranks; `ranks` is not used */
    bool own;              /* also keeps the value of each rank */
    const char *plugin;    /* FILE:FUNC that also combines the values; may be NULL */
};

void ez_sums_free(struct ez_sums *s);
/* Adds the results of one rank to s. aggregates: the result of `info aggregates -json`. nasks:
 * number of requests. */
void ez_sums_add(struct ez_sums *s, uint32_t rank, struct json_object *aggregates,
                 const struct ez_sum_request *requests, size_t nasks);
/* Adds the sums of `from` to s. s->operation returns the functions of the user. */
void ez_sums_merge(struct ez_sums *s, const struct ez_sums *from);
struct json_object *ez_sums_to_json(const struct ez_sums *s);
/* Reads sums from JSON; the caller frees *out. a NULL: no sums. Returns false if `a` is not an
 * array of sums. */
bool ez_sums_from_json(struct json_object *a, struct ez_sums *out);
const struct ez_sum *ez_sums_find(const struct ez_sums *s, const char *id);
/* Returns the row of a key; NULL if there is none, or if s is NULL. */
const struct ez_sum_row *ez_sum_row(const struct ez_sum *s, const char *key);
/* Returns the total over all keys; the caller frees its buckets. */
struct ez_sum_row ez_sum_total(const struct ez_sum *s);

/* Returns true if a row's key is a number; *out is the number. */
bool ez_sum_key(const struct ez_sum_row *r, double *out);

/* plugin.c. ez_operation_check runs double FUNC(double, double) in a child process on the n values,
 * and returns an error unless FUNC is associative and commutative on them. With n 0 it only checks
 * that the function exists. */
ez_err *ez_operation_check(const char *file_func, const double *value, size_t n) EZ_WUR;
ez_err *ez_operation_open(const char *file_func, struct ez_operation *op) EZ_WUR;
void ez_operation_close(struct ez_operation *op);

#endif
