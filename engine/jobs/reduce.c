/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reduce.c - adds results of aggregates up over ranks (reduce.h). */
#include "engine/jobs/reduce.h"

#include <math.h>
#include <string.h>

#include "engine/jobs/json.h"

/* Searches the sorted array `at` for the element with that name. Sets *there to true if it exists,
 * and returns its index; else returns the index at which to insert it. Each of the n elements has
 * `size` bytes, and begins with a pointer to its name. */
static size_t reduce_place(const void *at, size_t n, size_t size, const char *name, bool *there)
{
    size_t lo = 0, hi = n;
    *there = false;
    while (lo < hi && !*there) {
        size_t mid = lo + (hi - lo) / 2;
        int c = strcmp(*(char *const *)((const char *)at + mid * size), name);
        *there = !c;
        if (c < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return hi;
}
#define PLACE(v, name, there) reduce_place((v).at, (v).n, sizeof *(v).at, name, there)

/* ---- rows ------------------------------------------------------------------------------------ */

static void reduce_clear_row(struct ez_sum_row *r)
{
    free(r->key);
    EZ_VEC_FREE(&r->bucket);
}

static void reduce_bucket(struct ez_sum_row *r, double from, uint64_t hits)
{
    size_t i = EZ_UPTO(r->bucket.at, r->bucket.n, from, from);
    if (i && r->bucket.at[i - 1].from >= from) {
        r->bucket.at[i - 1].hits += hits;
        return;
    }
    struct ez_bucket b = { from, hits };
    EZ_PUSH(&r->bucket, b);
    memmove(&r->bucket.at[i + 1], &r->bucket.at[i], (r->bucket.n - 1 - i) * sizeof b);
    r->bucket.at[i] = b;
}

static void reduce_row(struct ez_sum_row *to, const struct ez_sum_row *from)
{
    if (from->hits) {
        to->min = to->hits ? EZ_MIN(to->min, from->min) : from->min;
        to->max = to->hits ? EZ_MAX(to->max, from->max) : from->max;
    }
    to->hits += from->hits;
    to->sum += from->sum;
    for (size_t i = 0; i < from->bucket.n; i++)
        reduce_bucket(to, from->bucket.at[i].from, from->bucket.at[i].hits);
}

static struct ez_sum_row *reduce_row_of(struct ez_sum *s, const char *key)
{
    bool there;
    size_t i = PLACE(s->row, key, &there);
    if (there)
        return &s->row.at[i];
    struct ez_sum_row r = { .key = ez_strdup(key) };
    EZ_PUSH(&s->row, r);
    memmove(&s->row.at[i + 1], &s->row.at[i], (s->row.n - 1 - i) * sizeof r);
    s->row.at[i] = r;
    return &s->row.at[i];
}

const struct ez_sum_row *ez_sum_row(const struct ez_sum *s, const char *key)
{
    bool there = false;
    size_t i = s ? PLACE(s->row, key, &there) : 0;
    return there ? &s->row.at[i] : NULL;
}

struct ez_sum_row ez_sum_total(const struct ez_sum *s)
{
    struct ez_sum_row all = { .key = NULL };
    for (size_t i = 0; i < s->row.n; i++)
        reduce_row(&all, &s->row.at[i]);
    return all;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void reduce_clear(struct ez_sum *s)
{
    for (size_t i = 0; i < s->row.n; i++)
        reduce_clear_row(&s->row.at[i]);
    EZ_VEC_FREE(&s->row);
    EZ_VEC_FREE(&s->own);
    ez_ranks_free(&s->ranks);
    free(s->id);
    free(s->plugin);
}

void ez_sums_free(struct ez_sums *s)
{
    for (size_t i = 0; i < s->v.n; i++)
        reduce_clear(&s->v.at[i]);
    EZ_VEC_FREE(&s->v);
}

const struct ez_sum *ez_sums_find(const struct ez_sums *s, const char *id)
{
    bool there;
    size_t i = PLACE(s->v, id, &there);
    return there ? &s->v.at[i] : NULL;
}

static struct ez_sum *reduce_sum_of(struct ez_sums *s, const char *id)
{
    bool there;
    size_t i = PLACE(s->v, id, &there);
    if (there)
        return &s->v.at[i];
    struct ez_sum fresh = { .id = ez_strdup(id) };
    EZ_PUSH(&s->v, fresh);
    memmove(&s->v.at[i + 1], &s->v.at[i], (s->v.n - 1 - i) * sizeof fresh);
    s->v.at[i] = fresh;
    return &s->v.at[i];
}

static void reduce_own(struct ez_sum *s, uint32_t rank, double value)
{
    struct ez_own o = { rank, value };
    size_t i = EZ_UPTO(s->own.at, s->own.n, rank, rank);
    EZ_PUSH(&s->own, o);
    memmove(&s->own.at[i + 1], &s->own.at[i], (s->own.n - 1 - i) * sizeof o);
    s->own.at[i] = o;
}

/* Combines `value`, a result of ranks that s does not include, with s->made, by the user's function
 * `plugin`. Sets s->made to NAN if the function cannot be loaded. */
static void reduce_made(struct ez_sums *all, struct ez_sum *s, const char *plugin, double value)
{
    if (!s->plugin) {
        s->plugin = ez_strdup(plugin);
        s->made = value;
        return;
    }
    struct ez_operation *op = all->operation ? all->operation(all->arg, plugin) : NULL;
    s->made = op ? op->apply(s->made, value) : NAN;
}

static void reduce_one(struct ez_sums *s, struct ez_sum *to, const struct ez_sum *f)
{
    to->ns |= f->ns;
    to->no_room += f->no_room;
    ez_ranks_unite(&to->ranks, &f->ranks);
    for (size_t k = 0; k < f->row.n; k++)
        reduce_row(reduce_row_of(to, f->row.at[k].key), &f->row.at[k]);
    for (size_t k = 0; k < f->own.n; k++)
        reduce_own(to, f->own.at[k].rank, f->own.at[k].value);
    if (f->plugin)
        reduce_made(s, to, f->plugin, f->made);
}

void ez_sums_merge(struct ez_sums *s, const struct ez_sums *from)
{
    for (size_t i = 0; i < from->v.n; i++)
        reduce_one(s, reduce_sum_of(s, from->v.at[i].id), &from->v.at[i]);
}

/* ---- from a rank, and on the wire ------------------------------------------------------------ */

static double reduce_number(struct json_object *o, const char *name)
{
    struct json_object *v = ez_json_get(o, name);
    if (json_object_is_type(v, json_type_double) || json_object_is_type(v, json_type_int))
        return json_object_get_double(v);
    return NAN;
}

static bool reduce_read_row(struct json_object *o, struct ez_sum_row *out)
{
    struct json_object *b = ez_json_get(o, "buckets");
    *out = (struct ez_sum_row){ .key = ez_strdup(ez_json_text(o, "key")),
                                .hits = (uint64_t)ez_json_int(o, "hits", 0),
                                .sum = reduce_number(o, "sum"),
                                .min = reduce_number(o, "min"),
                                .max = reduce_number(o, "max") };
    for (size_t i = 0;
         i < (json_object_is_type(b, json_type_array) ? json_object_array_length(b) : 0); i++) {
        struct json_object *pair = json_object_array_get_idx(b, i);
        if (!json_object_is_type(pair, json_type_array) || json_object_array_length(pair) != 2)
            return false;
        reduce_bucket(out, json_object_get_double(json_object_array_get_idx(pair, 0)),
                      (uint64_t)json_object_get_int64(json_object_array_get_idx(pair, 1)));
    }
    return true;
}

static bool reduce_read_rows(struct ez_sum *s, struct json_object *rows)
{
    bool good = true;
    for (size_t i = 0;
         i < (json_object_is_type(rows, json_type_array) ? json_object_array_length(rows) : 0);
         i++) {
        struct ez_sum_row r;
        good &= reduce_read_row(json_object_array_get_idx(rows, i), &r);
        reduce_row(reduce_row_of(s, r.key), &r);
        reduce_clear_row(&r);
    }
    return good;
}

/* Adds the results of one rank to `one`. The ids contain no list of ranks. */
static void reduce_read(struct ez_sums *one, uint32_t rank, struct json_object *aggregates)
{
    struct json_object *list = ez_json_get(aggregates, "aggregates");
    for (size_t i = 0;
         i < (json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0);
         i++) {
        struct json_object *a = json_object_array_get_idx(list, i);
        EZ_FREE char *id =
            ez_sprintf("%s|%s|%s|%s", ez_json_text(a, "aggregate"), ez_json_text(a, "function"),
                       ez_json_text(a, "value"), ez_json_text(a, "by"));
        struct ez_sum *to = reduce_sum_of(one, id);
        to->ns = !strcmp(ez_json_text(a, "unit"), "ns");
        to->no_room += (uint64_t)ez_json_int(a, "no_room", 0);
        ez_ranks_add(&to->ranks, rank, rank);
        reduce_read_rows(to, ez_json_get(a, "rows"));
    }
}

bool ez_sum_key(const struct ez_sum_row *r, double *out)
{
    char *end;
    *out = strtod(r->key, &end);
    return end > r->key && !*end;
}

/* Returns v op v op ... op v, with n times v; n is at least 1, and op is associative. */
static double reduce_power(const struct ez_operation *op, double v, uint64_t n)
{
    double made = v;
    for (n--; n; n /= 2) {
        if (n % 2)
            made = op->apply(made, v);
        v = op->apply(v, v);
    }
    return made;
}

/* Combines all values of a count by value by op, each as often as it occurred, and stores the
 * result in *made. The key of a row is the value, and the row's hits are how often the value
 * occurred. In a count without keys, each value is 1. *made is NAN if op is NULL. Returns false,
 * and leaves *made unset, if there are no hits. */
static bool reduce_all(const struct ez_operation *op, const struct ez_sum *from, double *made)
{
    bool any = false, keyed = strrchr(from->id, '|')[1];
    for (size_t i = 0; i < from->row.n; i++) {
        const struct ez_sum_row *r = &from->row.at[i];
        double v = 1;
        if (!r->hits)
            continue;
        if (keyed && !ez_sum_key(r, &v))
            v = NAN;
        v = op ? reduce_power(op, v, r->hits) : NAN;
        *made = any ? op ? op->apply(*made, v) : NAN : v;
        any = true;
    }
    return any;
}

/* Adds `from`, the result of rank `rank`, to the sum `request` in `requested`. If several requests
 * have the same id, the result is added only once. */
static void reduce_request(struct ez_sums *requested, uint32_t rank, const struct ez_sum *from,
                           const struct ez_sum_request *request)
{
    struct ez_sum *to = reduce_sum_of(requested, request->id);
    struct ez_sum_row all = ez_sum_total(from);
    double value = *from->id == 'c' ? (double)all.hits : all.sum, made = 0; /* 'c' = count */
    EZ_VEC_FREE(&all.bucket);
    if (!to->ranks.span.n)
        reduce_one(requested, to, from);
    if (request->own && !to->own.n)
        reduce_own(to, rank, value);
    if (!request->plugin || to->plugin)
        return;
    const struct ez_operation *op =
        requested->operation ? requested->operation(requested->arg, request->plugin) : NULL;
    if (reduce_all(op, from, &made))
        reduce_made(requested, to, request->plugin, made);
}

void ez_sums_add(struct ez_sums *s, uint32_t rank, struct json_object *aggregates,
                 const struct ez_sum_request *requests, size_t nasks)
{
    struct ez_sums one = { 0 }, requested = { .operation = s->operation, .arg = s->arg };
    reduce_read(&one, rank, aggregates);
    for (size_t i = 0; i < one.v.n; i++) {
        bool any = false;
        for (size_t k = 0; k < nasks; k++) {
            if (strcmp(requests[k].of, one.v.at[i].id))
                continue;
            any = true;
            if (requests[k].all || ez_ranks_has(&requests[k].ranks, rank))
                reduce_request(&requested, rank, &one.v.at[i], &requests[k]);
        }
        if (!any)
            reduce_one(&requested, reduce_sum_of(&requested, one.v.at[i].id), &one.v.at[i]);
    }
    ez_sums_merge(s, &requested);
    ez_sums_free(&requested);
    ez_sums_free(&one);
}

static void reduce_put_number(struct json_object *o, const char *name, double v)
{
    json_object_object_add(o, name, isfinite(v) ? json_object_new_double(v) : NULL);
}

static struct json_object *reduce_row_json(const struct ez_sum_row *r)
{
    struct json_object *o = json_object_new_object(), *b = json_object_new_array();
    ez_json_put_text(o, "key", r->key);
    ez_json_put_int(o, "hits", (int64_t)r->hits);
    reduce_put_number(o, "sum", r->sum);
    reduce_put_number(o, "min", r->min);
    reduce_put_number(o, "max", r->max);
    for (size_t i = 0; i < r->bucket.n; i++) {
        struct json_object *pair = json_object_new_array();
        json_object_array_add(pair, json_object_new_double(r->bucket.at[i].from));
        json_object_array_add(pair, json_object_new_int64((int64_t)r->bucket.at[i].hits));
        json_object_array_add(b, pair);
    }
    if (r->bucket.n)
        json_object_object_add(o, "buckets", b);
    else
        json_object_put(b);
    return o;
}

struct json_object *ez_sums_to_json(const struct ez_sums *s)
{
    struct json_object *a = json_object_new_array();
    for (size_t i = 0; i < s->v.n; i++) {
        const struct ez_sum *x = &s->v.at[i];
        struct json_object *o = json_object_new_object(), *rows = json_object_new_array(),
                           *own = json_object_new_array();
        ez_json_put_text(o, "id", x->id);
        json_object_object_add(o, "ns", json_object_new_boolean(x->ns));
        ez_json_put_int(o, "no_room", (int64_t)x->no_room);
        ez_json_put_ranks(o, "ranks", &x->ranks);
        for (size_t k = 0; k < x->row.n; k++)
            json_object_array_add(rows, reduce_row_json(&x->row.at[k]));
        json_object_object_add(o, "rows", rows);
        for (size_t k = 0; k < x->own.n; k++) {
            struct json_object *pair = json_object_new_array();
            json_object_array_add(pair, json_object_new_int64(x->own.at[k].rank));
            json_object_array_add(pair, json_object_new_double(x->own.at[k].value));
            json_object_array_add(own, pair);
        }
        json_object_object_add(o, "own", own);
        if (x->plugin) {
            ez_json_put_text(o, "plugin", x->plugin);
            reduce_put_number(o, "made", x->made);
        }
        json_object_array_add(a, o);
    }
    return a;
}

static bool reduce_read_own(struct ez_sum *s, struct json_object *own)
{
    for (size_t i = 0;
         i < (json_object_is_type(own, json_type_array) ? json_object_array_length(own) : 0); i++) {
        struct json_object *pair = json_object_array_get_idx(own, i);
        if (!json_object_is_type(pair, json_type_array) || json_object_array_length(pair) != 2)
            return false;
        reduce_own(s, (uint32_t)json_object_get_int64(json_object_array_get_idx(pair, 0)),
                   json_object_get_double(json_object_array_get_idx(pair, 1)));
    }
    return true;
}

bool ez_sums_from_json(struct json_object *a, struct ez_sums *out)
{
    bool good = !a || json_object_is_type(a, json_type_array);
    *out = (struct ez_sums){ 0 };
    for (size_t i = 0; good && i < (a ? json_object_array_length(a) : 0); i++) {
        struct json_object *o = json_object_array_get_idx(a, i);
        struct ez_sum *s = reduce_sum_of(out, ez_json_text(o, "id"));
        s->ns = json_object_get_boolean(ez_json_get(o, "ns"));
        s->no_room = (uint64_t)ez_json_int(o, "no_room", 0);
        good = ez_json_ranks(o, "ranks", &s->ranks) &&
               reduce_read_rows(s, ez_json_get(o, "rows")) &&
               reduce_read_own(s, ez_json_get(o, "own"));
        if (*ez_json_text(o, "plugin") && !s->plugin) {
            s->plugin = ez_strdup(ez_json_text(o, "plugin"));
            s->made = reduce_number(o, "made");
        }
    }
    return good;
}
