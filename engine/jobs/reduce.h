/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reduce.h - sums of aggregates over ranks. The targets' results (`info aggregates -json`) are
 * added up over the processes of a host, then over hosts. One vector holds all aggregates of a
 * window.
 *
 * Two sums match if they have the same id: operation, function, value and key ("sum|step|n|"), and
 * the requested ranks, if any ("sum|step|n||1-3"). All operations are associative and commutative.
 * Each sum has its set of ranks, so that no window counts a rank twice or omits one silently.
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
    char *key;      /* first member: rows are sorted by key */
    uint64_t hits;
    double sum, min, max;            /* min, max: valid if hits > 0 */
    EZ_VEC(struct ez_bucket) bucket; /* sorted */
};

struct ez_own { /* value of a rank, over all keys: its hits, or the sum of its values */
    uint32_t rank;
    double value;
};

/* A function of the user that combines two values. */
struct ez_operation {
    void *handle;
    double (*apply)(double, double);
};

struct ez_sum {
    char *id;                      /* "sum|step|n|"; also first member */
    bool ns;                       /* values are times */
    struct ez_ranks ranks;         /* ranks that are included */
    uint64_t no_room;              /* hits for which a target's table had no room */
    EZ_VEC(struct ez_sum_row) row; /* sorted by key */
    EZ_VEC(struct ez_own) own;     /* for `own`: sorted by rank */
    char *plugin;                  /* FILE:FUNC; NULL = none */
    double made;                   /* result of the plugin over all values of all ranks: the keys
                                    * of a count */
};

struct ez_sums {
    EZ_VEC(struct ez_sum) v; /* sorted by id */
    /* callback that returns a plugin; may be NULL */
    struct ez_operation *(*operation)(void *arg, const char *file_func);
    void *arg;
};

/* A requested sum: `id` is the sum over these ranks of their results for `of`. Optionally with
 * each rank's value, or combined by a function. Results that nobody requests are summed over all
 * ranks, under their own id. */
struct ez_sum_request {
    const char *id, *of;
    struct ez_ranks ranks; /* owned by the requester */
    bool all;              /* all ranks */
    bool own;
    const char *plugin; /* may be NULL */
};

void ez_sums_free(struct ez_sums *s);
/* Adds the results of one rank: the object of `info aggregates -json`. */
void ez_sums_add(struct ez_sums *s, uint32_t rank, struct json_object *aggregates,
                 const struct ez_sum_request *requests, size_t nasks);
/* Adds the sums of `from`. s->operation combines values of a plugin. */
void ez_sums_merge(struct ez_sums *s, const struct ez_sums *from);
struct json_object *ez_sums_to_json(const struct ez_sums *s);
/* Reads sums from JSON; NULL a means no sums. Returns false if `a` is not an array of sums. */
bool ez_sums_from_json(struct json_object *a, struct ez_sums *out);
const struct ez_sum *ez_sums_find(const struct ez_sums *s, const char *id);
/* Returns the row of a key; NULL if there is none, or if s is NULL. */
const struct ez_sum_row *ez_sum_row(const struct ez_sum *s, const char *key);
/* Returns the total over all keys. */
struct ez_sum_row ez_sum_total(const struct ez_sum *s);

/* Returns true if a row's key is a number; *out is the number. */
bool ez_sum_key(const struct ez_sum_row *r, double *out);

/* plugin.c. ez_operation_check returns an error unless double FUNC(double, double) is associative
 * and commutative on these values; with n 0 it only checks that the function exists. It runs the
 * function in a child process. */
ez_err *ez_operation_check(const char *file_func, const double *value, size_t n) EZ_WUR;
ez_err *ez_operation_open(const char *file_func, struct ez_operation *op) EZ_WUR;
void ez_operation_close(struct ez_operation *op);

#endif
