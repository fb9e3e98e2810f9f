/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reduce.h - sums of aggregates over ranks. The results of the targets (`info aggregates -json`)
 * are added up over the processes of a host, then over the hosts. A struct ez_sums contains all
 * aggregates of one request.
 *
 * Two sums are added if they have the same id. An id consists of the operation, function, value and
 * key of the aggregate ("sum|step|n|"), and of the requested ranks, if ranks were requested
 * ("sum|step|n||1-3"). All operations are associative and commutative. Each sum has the set of the
 * ranks that it includes, so that a missing rank is noticed.
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
    char *key;      /* first member, as reduce_place() requires */
    uint64_t hits;
    double sum, min, max;            /* min, max: valid only if hits > 0 */
    EZ_VEC(struct ez_bucket) bucket; /* buckets of a histogram; sorted by `from` */
};

/* the value of one rank, over all keys: the number of hits for a count, else the sum */
struct ez_own {
    uint32_t rank;
    double value;
};

/* A function that the user wrote, which combines two values (plugin.c). */
struct ez_operation {
    void *handle; /* from dlopen() */
    double (*apply)(double, double);
};

struct ez_sum {
    /* e.g. "sum|step|n|"; first member, as reduce_place() requires */
    char *id;
    bool ns;                       /* the values are times in ns */
    struct ez_ranks ranks;         /* ranks whose results the sum includes */
    uint64_t no_room;              /* hits not counted, because a target's table was full */
    EZ_VEC(struct ez_sum_row) row; /* one row per key; sorted by key */
    EZ_VEC(struct ez_own) own;     /* values of the single ranks, if requested; sorted by rank */
    char *plugin;                  /* the user's function FILE:FUNC; NULL = none */
    /* all values of all ranks, combined by `plugin`. For a count by value, the values are the keys,
     * each as often as it was counted */
    double made;
};

struct ez_sums {
    EZ_VEC(struct ez_sum) v; /* sorted by id */
    /* callback that returns the user's function FILE:FUNC; NULL if it cannot be loaded. The
     * callback may be NULL */
    struct ez_operation *(*operation)(void *arg, const char *file_func);
    void *arg;
};

/* A requested sum. The results with the id `of` of the ranks `ranks` are added up in a sum with the
 * id `id`. Results whose id no request has as `of` are added up over all ranks, under their id. */
struct ez_sum_request {
    const char *id, *of;
    struct ez_ranks ranks; /* the caller frees them */
    bool all;              /* adds the results of all ranks; `ranks` is ignored */
    bool own;              /* also stores the value of each single rank */
    /* the user's function FILE:FUNC that also combines the values; may be NULL */
    const char *plugin;
};

void ez_sums_free(struct ez_sums *s);
/* Adds the results of rank `rank` to s. aggregates: the result of `info aggregates -json`. nasks:
 * number of requests. */
void ez_sums_add(struct ez_sums *s, uint32_t rank, struct json_object *aggregates,
                 const struct ez_sum_request *requests, size_t nasks);
/* Adds the sums of `from` to the sums of s with the same id. s->operation must return the user's
 * functions that the sums require. */
void ez_sums_merge(struct ez_sums *s, const struct ez_sums *from);
struct json_object *ez_sums_to_json(const struct ez_sums *s);
/* Reads sums from the array `a`; the caller frees *out. If `a` is NULL, there are no sums. Returns
 * false if `a` is not an array of sums. */
bool ez_sums_from_json(struct json_object *a, struct ez_sums *out);
const struct ez_sum *ez_sums_find(const struct ez_sums *s, const char *id);
/* Returns the row with that key; NULL if s has no such row, or if s is NULL. */
const struct ez_sum_row *ez_sum_row(const struct ez_sum *s, const char *key);
/* Returns the total of all rows, with key NULL; the caller frees the vector `bucket`. */
struct ez_sum_row ez_sum_total(const struct ez_sum *s);

/* Returns true, and the key of row r as a number in *out, if the whole key is a number; else
 * returns false. */
bool ez_sum_key(const struct ez_sum_row *r, double *out);

/* These functions are in plugin.c. ez_operation_check() calls double FUNC(double, double) in a
 * child process with the n values `value`, and returns an error unless FUNC is associative and
 * commutative for these values. If n is 0, it only checks that FUNC exists. */
ez_err *ez_operation_check(const char *file_func, const double *value, size_t n) EZ_WUR;
ez_err *ez_operation_open(const char *file_func, struct ez_operation *op) EZ_WUR;
void ez_operation_close(struct ez_operation *op);

#endif
