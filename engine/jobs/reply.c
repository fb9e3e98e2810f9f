/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reply.c - merges the answers of many ranks to one request (reply.h). */
#include "engine/jobs/reply.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/hash.h"

/* ---- masking --------------------------------------------------------------------------------- */

static bool reply_hides_hex(const char **p, FILE *f)
{
    size_t n = (*p)[0] == '0' && (*p)[1] == 'x' ? strspn(*p + 2, "0123456789abcdefABCDEF") : 0;
    if (n < 6)
        return false;
    fputs("0x...", f);
    *p += 2 + n;
    return true;
}

/* If at *p is the number `pid`, or the number `rank` behind the word "rank", writes `instead` to f,
 * moves *p behind the number and returns true; else returns false. */
static bool reply_hides_number(const char *text, const char **p, uint32_t rank, pid_t pid,
                               const char *instead, FILE *f)
{
    bool behind_rank = *p - text >= 4 && !strncmp(*p - 4, "rank", 4);
    if (!isdigit((unsigned char)**p) ||
        (*p > text && !behind_rank && isalnum((unsigned char)(*p)[-1])))
        return false;
    char *end;
    unsigned long v = strtoul(*p, &end, 10);
    bool own = behind_rank ? v == rank : pid > 1 && v == (unsigned long)pid;
    if (!own || (!behind_rank && isalnum((unsigned char)*end)))
        return false;
    fputs(instead, f);
    *p = end;
    return true;
}

char *ez_reply_mask(const char *text, uint32_t rank, pid_t pid, bool json)
{
    char *masked = NULL;
    size_t size;
    bool inside = !json; /* inside a string of the JSON text */
    FILE *f = open_memstream(&masked, &size);
    for (const char *p = text; *p;) {
        if (json && *p == '"')
            inside = !inside;
        if (json && *p == '\\' && p[1])
            putc(*p++, f);
        else if (reply_hides_hex(&p, f) ||
                 reply_hides_number(text, &p, rank, pid, inside ? "..." : "0", f))
            continue;
        putc(*p++, f);
    }
    fclose(f);
    return masked;
}

/* ---- groups ---------------------------------------------------------------------------------- */

static void reply_clear_group(struct ez_group *g)
{
    ez_ranks_free(&g->ranks);
    free(g->text);
    free(g->key);
}

bool ez_group_ok(const struct ez_group *g)
{
    struct json_object *o = json_tokener_parse(g->text);
    bool ok = json_object_get_boolean(ez_json_get(o, "ok"));
    json_object_put(o);
    return ok;
}

bool ez_group_is(const struct ez_group *g, const char *event)
{
    struct json_object *o = json_tokener_parse(g->text);
    bool is = !strcmp(ez_json_text(o, "event"), event);
    json_object_put(o);
    return is;
}

void ez_reply_free(struct ez_reply *r)
{
    for (size_t i = 0; i < r->group.n; i++)
        reply_clear_group(&r->group.at[i]);
    EZ_VEC_FREE(&r->group);
    for (size_t i = 0; i < r->rest.n; i++)
        ez_ranks_free(&r->rest.at[i].ranks);
    EZ_VEC_FREE(&r->rest);
    ez_ranks_free(&r->late);
    for (size_t i = 0; i < EZ_ARRAY_LEN(r->state); i++)
        ez_ranks_free(&r->state[i]);
    json_object_put(r->members);
    ez_sums_free(&r->sums);
    *r = (struct ez_reply){ .id = r->id, .most = r->most };
}

static uint32_t reply_first(const struct ez_group *g)
{
    return g->ranks.span.n ? g->ranks.span.at[0].from : EZ_RANK_MOST;
}

static uint64_t reply_hash(const char *text)
{
    uint64_t h = ez_hash_key(EZ_HASH_SEED, text);
    return h ? h : 1;
}

/* Adds the ranks of x to the element of r->rest with the same key, or adds x as a new element; if
 * r->rest is full, adds them to the element with key 0. Frees or moves x.ranks. */
static void reply_put_rest(struct ez_reply *r, struct ez_rest x)
{
    size_t i = EZ_UPTO(r->rest.at, r->rest.n, key, x.key);
    if ((!i || r->rest.at[i - 1].key != x.key) && r->rest.n >= EZ_RESTS_MOST) {
        x.key = 0;
        i = EZ_UPTO(r->rest.at, r->rest.n, key, 0);
    }
    if (i && r->rest.at[i - 1].key == x.key) {
        struct ez_rest *old = &r->rest.at[i - 1];
        old->text = old->text == x.text ? x.text : 0;
        ez_ranks_unite(&old->ranks, &x.ranks);
        ez_ranks_free(&x.ranks);
        return;
    }
    EZ_PUSH(&r->rest, x);
    memmove(&r->rest.at[i + 1], &r->rest.at[i], (r->rest.n - 1 - i) * sizeof x);
    r->rest.at[i] = x;
}

struct ez_ranks ez_reply_rest(const struct ez_reply *r)
{
    struct ez_ranks all = { 0 };
    for (size_t i = 0; i < r->rest.n; i++)
        ez_ranks_unite(&all, &r->rest.at[i].ranks);
    return all;
}

/* If r->rest has ranks with an answer equal to the group g, moves these ranks to g. */
static void reply_fold(struct ez_reply *r, struct ez_group *g)
{
    uint64_t key = reply_hash(g->key);
    size_t i = EZ_UPTO(r->rest.at, r->rest.n, key, key);
    if (!i || r->rest.at[i - 1].key != key)
        return;
    struct ez_rest *x = &r->rest.at[i - 1];
    if (x->text != reply_hash(g->text)) {
        free(g->text);
        g->text = ez_strdup(g->key);
    }
    ez_ranks_unite(&g->ranks, &x->ranks);
    ez_ranks_free(&x->ranks);
    memmove(x, x + 1, (--r->rest.n - (i - 1)) * sizeof *x);
}

/* Unless r contains events (id 0), sorts the groups by their lowest rank, and moves the groups
 * beyond the first r->most to r->rest. So it does not depend on the order of arrival which answers
 * are stored. */
static void reply_sort(struct ez_reply *r)
{
    if (!r->id)
        return;
    for (size_t i = 0; r->rest.n && i < r->group.n; i++)
        reply_fold(r, &r->group.at[i]);
    for (size_t i = 1; i < r->group.n; i++)
        for (size_t k = i; k && reply_first(&r->group.at[k]) < reply_first(&r->group.at[k - 1]);
             k--) {
            struct ez_group g = r->group.at[k];
            r->group.at[k] = r->group.at[k - 1];
            r->group.at[k - 1] = g;
        }
    while (r->most && r->group.n > r->most) {
        struct ez_group *last = &r->group.at[--r->group.n];
        bool mixed = !strcmp(last->text, last->key) && ez_ranks_count(&last->ranks) > 1;
        reply_put_rest(r, (struct ez_rest){ reply_hash(last->key),
                                            mixed ? 0 : reply_hash(last->text), last->ranks });
        last->ranks = (struct ez_ranks){ 0 };
        reply_clear_group(last);
    }
}

static bool reply_share(const struct ez_ranks *a, const struct ez_ranks *b)
{
    struct ez_ranks both;
    ez_ranks_copy(&both, a);
    ez_ranks_intersect(&both, b);
    bool any = both.span.n;
    ez_ranks_free(&both);
    return any;
}

/* Merges the group g into an equal group of r, or adds g as the last group; r then owns the
 * contents of g. For events (id 0), does not search groups before the last one that shares a rank
 * with g, because the events of a rank must not be reordered, and a rank can have the same event
 * twice. */
static void reply_put(struct ez_reply *r, struct ez_group g)
{
    for (size_t i = r->group.n; i-- > 0;) {
        struct ez_group *old = &r->group.at[i];
        if (!r->id && reply_share(&old->ranks, &g.ranks))
            break;
        if (strcmp(old->key, g.key))
            continue;
        if (strcmp(old->text, g.text)) {
            free(old->text);
            old->text = ez_strdup(old->key);
        }
        ez_ranks_unite(&old->ranks, &g.ranks);
        reply_clear_group(&g);
        return;
    }
    EZ_PUSH(&r->group, g);
}

/* The members of answers and events that are copied and compared. In the members listed in
 * reply_masked, addresses, the process id and the rank are masked before the comparison. */
static const char *const reply_masked[] = { "event", "reason", "signal", "status", "number",
                                            "child", "parent", "how",    "text",   "ok",
                                            "error", "output", "result", "results" };
static const char *const reply_exact[] = { "created", "specifications", "ledger" };

static size_t reply_copy(struct json_object *to, struct json_object *from, const char *const *name,
                         size_t n)
{
    size_t copied = 0;
    for (size_t i = 0; i < n; i++) {
        struct json_object *v = ez_json_get(from, name[i]);
        if (v)
            json_object_object_add(to, name[i], json_object_get(v));
        copied += v != NULL;
    }
    return copied;
}

/* Returns the text by which answers are compared; the caller frees it. masked: a JSON object of the
 * members listed in reply_masked, after masking. */
static char *reply_key(struct json_object *answer, const char *masked)
{
    struct json_object *o = json_tokener_parse(masked);
    bool more = reply_copy(o, answer, reply_exact, EZ_ARRAY_LEN(reply_exact));
    char *key = ez_strdup(more ? ez_json_line(o) : masked);
    json_object_put(o);
    return key;
}

void ez_reply_add(struct ez_reply *r, uint32_t rank, pid_t pid, struct json_object *answer)
{
    struct json_object *o = json_object_new_object();
    reply_copy(o, answer, reply_masked, EZ_ARRAY_LEN(reply_masked));
    EZ_FREE char *masked = ez_reply_mask(ez_json_line(o), rank, pid, true);
    reply_copy(o, answer, reply_exact, EZ_ARRAY_LEN(reply_exact));
    const char *text = ez_json_line(o);
    /* Merges only identical texts if all answers are requested, and for forks and traces, because
     * the ids of children and the names of trace files are needed. */
    bool exact = (r->id && !r->most) || ez_json_get(answer, "child") ||
                 !strcmp(ez_json_text(answer, "event"), "trace");
    struct ez_group g = { .text = ez_strdup(text),
                          .key = exact ? ez_strdup(text) : reply_key(answer, masked) };
    ez_ranks_add(&g.ranks, rank, rank);
    json_object_put(o);
    reply_put(r, g);
    reply_sort(r);
}

void ez_reply_merge(struct ez_reply *r, struct ez_reply *from)
{
    for (size_t i = 0; i < from->group.n; i++)
        reply_put(r, from->group.at[i]);
    from->group.n = 0;
    for (size_t i = 0; i < from->rest.n; i++)
        reply_put_rest(r, from->rest.at[i]);
    from->rest.n = 0;
    ez_ranks_unite(&r->late, &from->late);
    for (size_t i = 0; i < EZ_ARRAY_LEN(r->state); i++)
        ez_ranks_unite(&r->state[i], &from->state[i]);
    if (from->members && !r->members)
        r->members = json_object_new_array();
    for (size_t i = 0; i < (from->members ? json_object_array_length(from->members) : 0); i++)
        json_object_array_add(r->members,
                              json_object_get(json_object_array_get_idx(from->members, i)));
    ez_sums_merge(&r->sums, &from->sums);
    ez_reply_free(from);
    reply_sort(r);
}

/* ---- on the wire ----------------------------------------------------------------------------- */

static void reply_put_rests(const struct ez_reply *r, struct json_object *o)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < r->rest.n; i++) {
        const struct ez_rest *x = &r->rest.at[i];
        struct json_object *one = json_object_new_array();
        EZ_FREE char *ranks = ez_ranks_text(&x->ranks);
        json_object_array_add(one, json_object_new_int64((int64_t)x->key));
        json_object_array_add(one, json_object_new_int64((int64_t)x->text));
        json_object_array_add(one, json_object_new_string(ranks));
        json_object_array_add(list, one);
    }
    json_object_object_add(o, "rest", list);
}

static bool reply_read_rests(struct json_object *list, struct ez_reply *out)
{
    bool good = !list || json_object_is_type(list, json_type_array);
    for (size_t i = 0; good && i < (list ? json_object_array_length(list) : 0); i++) {
        struct json_object *one = json_object_array_get_idx(list, i);
        struct ez_rest x = { .key = 0 };
        good = json_object_is_type(one, json_type_array) && json_object_array_length(one) == 3;
        if (!good)
            break;
        x.key = (uint64_t)json_object_get_int64(json_object_array_get_idx(one, 0));
        x.text = (uint64_t)json_object_get_int64(json_object_array_get_idx(one, 1));
        good = ez_err_drop(
            ez_ranks_parse(json_object_get_string(json_object_array_get_idx(one, 2)), &x.ranks));
        reply_put_rest(out, x);
    }
    return good;
}

struct json_object *ez_reply_to_json(const struct ez_reply *r)
{
    struct json_object *o = json_object_new_object(), *groups = json_object_new_array(),
                       *states = json_object_new_object();
    ez_json_put_int(o, "id", r->id);
    for (size_t i = 0; i < r->group.n; i++) {
        struct json_object *g = json_object_new_object();
        ez_json_put_ranks(g, "ranks", &r->group.at[i].ranks);
        json_object_object_add(g, "answer", json_tokener_parse(r->group.at[i].text));
        if (strcmp(r->group.at[i].text, r->group.at[i].key))
            json_object_object_add(g, "key", json_object_new_string(r->group.at[i].key));
        json_object_array_add(groups, g);
    }
    json_object_object_add(o, "groups", groups);
    reply_put_rests(r, o);
    ez_json_put_ranks(o, "late", &r->late);
    for (size_t i = 0; i < EZ_ARRAY_LEN(r->state); i++)
        ez_json_put_ranks(states, ez_member_state_name((enum ez_member_state)i), &r->state[i]);
    json_object_object_add(o, "states", states);
    if (r->members)
        json_object_object_add(o, "members", json_object_get(r->members));
    if (r->sums.v.n)
        json_object_object_add(o, "sums", ez_sums_to_json(&r->sums));
    return o;
}

static bool reply_read_groups(struct json_object *groups, struct ez_reply *out)
{
    for (size_t i = 0; i < (groups ? json_object_array_length(groups) : 0); i++) {
        struct json_object *o = json_object_array_get_idx(groups, i), *a = ez_json_get(o, "answer");
        struct ez_group g = { 0 };
        if (!a || !ez_json_ranks(o, "ranks", &g.ranks) || !g.ranks.span.n) {
            ez_ranks_free(&g.ranks);
            return false;
        }
        g.text = ez_strdup(ez_json_line(a));
        g.key = ez_json_get(o, "key") ? ez_strdup(ez_json_text(o, "key")) : ez_strdup(g.text);
        reply_put(out, g);
    }
    return true;
}

ez_err *ez_reply_from_json(struct json_object *o, unsigned most, struct ez_reply *out)
{
    struct json_object *groups = ez_json_get(o, "groups"), *members = ez_json_get(o, "members");
    struct json_object *states = ez_json_get(o, "states");
    *out = (struct ez_reply){ .id = (long)ez_json_int(o, "id", 0), .most = most };
    bool good = (!groups || json_object_is_type(groups, json_type_array)) &&
                (!members || json_object_is_type(members, json_type_array)) &&
                reply_read_groups(groups, out) && reply_read_rests(ez_json_get(o, "rest"), out) &&
                ez_json_ranks(o, "late", &out->late) &&
                ez_sums_from_json(ez_json_get(o, "sums"), &out->sums);
    for (size_t i = 0; i < EZ_ARRAY_LEN(out->state); i++)
        good &=
            ez_json_ranks(states, ez_member_state_name((enum ez_member_state)i), &out->state[i]);
    if (!good) {
        ez_reply_free(out);
        return ez_err_new(EZ_E_FORMAT, 0,
                          "The reply of a daemon cannot be read: its format is unknown");
    }
    out->members = members ? json_object_get(members) : NULL;
    reply_sort(out);
    return NULL;
}
