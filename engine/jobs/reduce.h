/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reduce.h - sums of aggregates over ranks: what the targets have added up (`info aggregates -json`) is added up over
 * the processes of a host, then over hosts. One vector holds all aggregates of a window.
 *
 * Two sums belong together if they are of the same aggregate: what is done, the function, the value and the key
 * ("sum|step|n|"), and over which ranks ("sum|step|n||1-3", where that was asked for). All operations are associative and commutative; the ranks that take part are kept, so that no
 * window can count one twice or leave one out silently.
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

struct ez_sum_row { /* for one key */
    char *key;      /* first: they are sorted by it */
    uint64_t hits;
    double sum, min, max;            /* min, max: of hits > 0 */
    EZ_VEC(struct ez_bucket) bucket; /* sorted */
};

struct ez_own { /* what a rank has, over all keys: its hits, or the sum of its values */
    uint32_t rank;
    double value;
};

/* A function of the user's own that makes two values one. */
struct ez_operation {
    void *handle;
    double (*apply)(double, double);
};

struct ez_sum {
    char *id;              /* "sum|step|n|"; first, too                                        */
    bool ns;               /* values are times                                                  */
    struct ez_ranks ranks; /* that take part                                                    */
    uint64_t no_room;      /* hits that found no room in a target                                */
    EZ_VEC(struct ez_sum_row) row; /* sorted by key                                             */
    EZ_VEC(struct ez_own) own;     /* of `own`: sorted by rank                                  */
    char *plugin;                  /* FILE:FUNC; NULL = none                                    */
    double made;                   /* by it, of all values of all ranks: the keys of a count     */
};

struct ez_sums {
    EZ_VEC(struct ez_sum) v;                                             /* sorted by id */
    struct ez_operation *(*operation)(void *arg, const char *file_func); /* for plugins; or NULL */
    void *arg;
};

/* What is asked of a window: a sum `id`, of what these ranks find for `of`. Also each rank's value, or what a
 * function makes of them. What is asked for by nobody is summed up over all, by the id that it has. */
struct ez_sum_request {
    const char *id, *of;
    struct ez_ranks ranks; /* owned by who asks */
    bool all;              /* whatever ranks there are */
    bool own;
    const char *plugin; /* or NULL */
};

void ez_sums_free(struct ez_sums *s);
/* Adds what one rank found: the object of `info aggregates -json`. */
void ez_sums_add(struct ez_sums *s, uint32_t rank, struct json_object *aggregates,
                 const struct ez_sum_request *requests, size_t nasks);
/* Adds what `from` has. A plugin's values are made one by s->operation. */
void ez_sums_merge(struct ez_sums *s, const struct ez_sums *from);
struct json_object *ez_sums_to_json(const struct ez_sums *s);
bool ez_sums_from_json(struct json_object *a,
                       struct ez_sums *out); /* a NULL: none. False = it is no such array */
const struct ez_sum *ez_sums_find(const struct ez_sums *s, const char *id);
/* Of one key; NULL = there is none, or no sum. */
const struct ez_sum_row *ez_sum_row(const struct ez_sum *s, const char *key);
/* Over all keys. */
struct ez_sum_row ez_sum_total(const struct ez_sum *s);

/* The number that a row's key is; false = it is none. */
bool ez_sum_key(const struct ez_sum_row *r, double *out);

/* plugin.c. ez_operation_check: is double FUNC(double, double) associative and commutative on these values? Without any:
 * is it there? It is asked in a process of its own. */
ez_err *ez_operation_check(const char *file_func, const double *value, size_t n) EZ_WUR;
ez_err *ez_operation_open(const char *file_func, struct ez_operation *op) EZ_WUR;
void ez_operation_close(struct ez_operation *op);

#endif
