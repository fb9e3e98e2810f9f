/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_reply.c - answers of many ranks made one: the same whatever shape the tree has; sums of aggregates; functions
 * of the user's own. */
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/jobs/chunk.h"
#include "engine/jobs/context.h"
#include "engine/jobs/reply.h"
#include "tests/unit/suite.h"

static void is(const char *got, const char *want)
{
    ck_assert_str_eq(got, want);
}

START_TEST(masks)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        { "at 0x7ffff7dd1234, at 0x1234", "at 0x..., at 0x1234" },
        { "Recording to a-job7-rank3-h-4242.fxt", "Recording to a-job7-rank...-h-....fxt" },
        { "rank33 rank3x 42420 142 4242", "rank33 rank...x 42420 142 ..." },
        { "process 4242)", "process ...)" },
        { "0xdeadbeefzz", "0x...zz" },
        { "", "" },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(cases); i++) {
        EZ_FREE char *got = ez_reply_mask(cases[i].text, 3, 4242, false);
        is(got, cases[i].want);
    }
    /* of JSON it stays JSON */
    EZ_FREE char *got =
        ez_reply_mask("{\"a\\\"4242\":4242,\"b\":\"4242 \\\\\",\"c\":[14242,4242]}", 3, 4242, true);
    is(got, "{\"a\\\"...\":0,\"b\":\"... \\\\\",\"c\":[14242,0]}");
}
END_TEST

static struct json_object *answer(const char *line)
{
    struct json_object *o = json_object_new_object(), *out = json_object_new_array();
    json_object_object_add(o, "ok", json_object_new_boolean(true));
    json_object_array_add(out, json_object_new_string(line));
    json_object_object_add(o, "output", out);
    json_object_object_add(o, "state", json_object_new_string("stopped")); /* does not count */
    return o;
}

static void add(struct ez_reply *r, uint32_t rank, const char *line)
{
    struct json_object *o = answer(line);
    ez_reply_add(r, rank, (pid_t)(1000 + rank), o);
    json_object_put(o);
}

/* Each rank's own line: some are equal but for an address, some are not. */
static void add_line(struct ez_reply *r, uint32_t rank, unsigned kinds)
{
    EZ_FREE char *line =
        ez_sprintf("kind %u at 0x55550000%x of %u", rank % kinds, rank * 16 + 0x1000, 1000 + rank);
    add(r, rank, line);
}

/* Merges ranks from..to as a tree would: cut at places that `x` chooses, sent as text, in any order. */
static void merge_tree(struct ez_reply *out, uint32_t from, uint32_t to, unsigned kinds,
                       uint64_t *x)
{
    if (to - from < 3) {
        for (uint32_t i = from; i < to; i++)
            add_line(out, i, kinds);
        return;
    }
    *x = *x * 6364136223846793005ull + 1442695040888963407ull;
    uint32_t mid = from + 1 + (uint32_t)(*x >> 33) % (to - from - 1);
    bool later = *x >> 60 & 1;
    for (int i = 0; i < 2; i++) {
        struct ez_reply part = { .id = out->id, .most = out->most }, sent;
        bool left = (i == 0) != later;
        merge_tree(&part, left ? from : mid, left ? mid : to, kinds, x);
        struct json_object *o = ez_reply_to_json(&part);
        struct json_object *heard = json_tokener_parse(ez_json_line(o));
        ck_assert_ptr_null(ez_reply_from_json(heard, out->most, &sent));
        ez_reply_merge(out, &sent);
        json_object_put(o);
        json_object_put(heard);
        ez_reply_free(&part);
    }
}

static char *as_text(struct ez_reply *r)
{
    struct json_object *o = ez_reply_to_json(r);
    char *text = ez_strdup(ez_json_line(o));
    json_object_put(o);
    return text;
}

START_TEST(any_tree)
{
    static const unsigned kinds[] = { 1, 2, 7, 16, 17, 40, 1000 };
    unsigned k = kinds[_i];
    struct ez_reply flat = { .id = 5, .most = 16 };
    for (uint32_t i = 0; i < 100; i++)
        add_line(&flat, i, k);
    EZ_FREE char *want = as_text(&flat);
    ck_assert_uint_eq(flat.group.n, EZ_MIN(k, 16u));
    struct ez_ranks rest = ez_reply_rest(&flat);
    uint64_t n = ez_ranks_count(&rest);
    ez_ranks_free(&rest);
    for (size_t i = 0; i < flat.group.n; i++)
        n += ez_ranks_count(&flat.group.at[i].ranks);
    ck_assert_uint_eq(n, 100); /* nobody is lost, nobody counts twice */
    for (uint64_t x = 1; x < 60; x++) {
        struct ez_reply r = { .id = 5, .most = 16 };
        uint64_t seed = x;
        merge_tree(&r, 0, 100, k, &seed);
        EZ_FREE char *got = as_text(&r);
        is(got, want);
        ez_reply_free(&r);
    }
    ez_reply_free(&flat);
}
END_TEST

START_TEST(groups)
{
    struct ez_reply r = { .id = 1, .most = 16 };
    add(&r, 3, "Probe 1 at 0x555500001234.");
    ck_assert_ptr_nonnull(
        strstr(r.group.at[0].text, "0x555500001234")); /* alone, it is told as it is */
    add(&r, 1, "Probe 1 at 0x555500001234.");
    ck_assert_ptr_nonnull(strstr(r.group.at[0].text, "0x555500001234"));
    add(&r, 2, "Probe 1 at 0x555599991234.");
    ck_assert_uint_eq(r.group.n, 1);
    ck_assert_ptr_nonnull(strstr(r.group.at[0].text, "Probe 1 at 0x...."));
    add(&r, 0, "Probe 2 at 0x555599991234.");
    ck_assert_uint_eq(r.group.n, 2);
    EZ_FREE char *first = ez_ranks_text(&r.group.at[0].ranks),
                 *second = ez_ranks_text(&r.group.at[1].ranks);
    is(first, "0");
    is(second, "1-3");
    ez_reply_free(&r);
}
END_TEST

/* Of all that is asked for, nothing is masked, and nothing left out. */
START_TEST(each)
{
    struct ez_reply r = { .id = 1, .most = 0 };
    for (uint32_t i = 0; i < 40; i++)
        add_line(&r, i, 1);
    ck_assert_uint_eq(r.group.n, 40);
    ez_reply_free(&r);
}
END_TEST

/* Answers are one but for a process' own numbers; those that a command created are no such numbers. */
START_TEST(created)
{
    static const char *const text[] = {
        "{\"ok\":true,\"number\":1000,\"created\":[1000,1000]}",
        "{\"ok\":true,\"number\":1001,\"created\":[1001,1001]}",
        "{\"ok\":true,\"number\":1002,\"created\":[1001,1001]}",
    };
    struct ez_reply r = { .id = 1, .most = 16 };
    for (uint32_t i = 0; i < EZ_ARRAY_LEN(text); i++) {
        struct json_object *o = json_tokener_parse(text[i]);
        ez_reply_add(&r, i, (pid_t)(1000 + i), o);
        json_object_put(o);
    }
    ck_assert_uint_eq(r.group.n, 2);
    for (size_t i = 0; i < 2; i++) {
        struct json_object *o = json_tokener_parse(r.group.at[i].text),
                           *range = ez_json_get(o, "created");
        ck_assert_int_eq(json_object_get_int(json_object_array_get_idx(range, 0)), 1000 + (int)i);
        ck_assert(ez_group_ok(&r.group.at[i]));
        ck_assert(!ez_group_is(&r.group.at[i], "forked"));
        json_object_put(o);
    }
    ez_reply_free(&r);
}
END_TEST

static void add_event(struct ez_reply *r, uint32_t rank, const char *what)
{
    struct json_object *o = json_object_new_object();
    json_object_object_add(o, "event", json_object_new_string(what));
    ez_reply_add(r, rank, 0, o);
    json_object_put(o);
}

static void events(struct ez_reply *r, char *out)
{
    *out = 0;
    for (size_t i = 0; i < r->group.n; i++) {
        struct json_object *o = json_tokener_parse(r->group.at[i].text);
        EZ_FREE char *ranks = ez_ranks_text(&r->group.at[i].ranks);
        sprintf(out + strlen(out), "%s:%s ", ranks, ez_json_text(o, "event"));
        json_object_put(o);
    }
}

/* Events of a rank keep their order and their number; equal ones of several ranks are told together. */
START_TEST(order_of_events)
{
    char got[200];
    struct ez_reply r = { .id = 0 }, more = { .id = 0 };
    add_event(&r, 0, "a");
    add_event(&r, 1, "a");
    add_event(&r, 0, "b");
    add_event(&r, 0, "a");
    add_event(&r, 1, "b");
    add_event(&r, 2, "a");
    events(&r, got);
    is(got, "0-1:a 0-1:b 0,2:a ");
    add_event(&more, 3, "b");
    add_event(&more, 2, "c");
    ez_reply_merge(&r, &more);
    events(&r, got);
    is(got, "0-1:a 0-1,3:b 0,2:a 2:c ");
    ez_reply_free(&r);
}
END_TEST

START_TEST(no_reply)
{
    static const char *const wrong[] = {
        "[]",
        "{\"groups\": 3}",
        "{\"groups\": [3]}",
        "{\"groups\": [{\"ranks\": \"x\", \"answer\": {}}]}",
        "{\"groups\": [{\"answer\": {}}]}",
        "{\"groups\": [{\"ranks\": \"1\"}]}",
        "{\"rest\": \"-\"}",
        "{\"rest\": [[1, 2]]}",
        "{\"rest\": [[1, 2, \"x\"]]}",
        "{\"members\": {}}",
        "{\"states\": {\"running\": \"9-1\"}}",
        "{\"sums\": 4}",
        "{\"sums\": [{\"id\": \"a\", \"ranks\": \"?\"}]}",
        "{\"sums\": [{\"id\": \"a\", \"rows\": [{\"buckets\": [[1]]}]}]}",
    };
    for (size_t i = 1; i < EZ_ARRAY_LEN(wrong); i++) {
        struct json_object *o = json_tokener_parse(wrong[i]);
        struct ez_reply r;
        ez_err *e = ez_reply_from_json(o, 16, &r);
        ck_assert_msg(e != NULL, "%s is taken", wrong[i]);
        ck_assert_int_eq(e->code, EZ_E_FORMAT);
        ck_assert_str_eq(e->msg, "The reply of a daemon cannot be read: its format is unknown");
        ez_err_free(e);
        json_object_put(o);
    }
}
END_TEST

/* ---- sums ------------------------------------------------------------------------------------------------- */

static struct json_object *aggregates(uint32_t rank)
{
    EZ_FREE char *text = ez_sprintf(
        "{\"schema\": \"eztsh-aggregates-1\", \"aggregates\": ["
        "{\"number\": 1, \"aggregate\": \"sum\", \"function\": \"f\", \"value\": \"n\", "
        "\"by\": \"\", \"unit\": \"\","
        " \"no_room\": 1, \"rows\": [{\"key\": \"all\", \"hits\": %u, \"sum\": %u, "
        "\"min\": %d, \"max\": %u}]},"
        "{\"number\": 2, \"aggregate\": \"hist\", \"function\": \"f\", \"value\": \"\", "
        "\"by\": \"k\", \"unit\": \"ns\","
        " \"no_room\": 0, \"rows\": [{\"key\": \"k%u\", \"hits\": 2, \"sum\": 30, "
        "\"min\": 10, \"max\": 20, "
        "\"buckets\": [[8, 1], [%u, 1]]}]},"
        "{\"number\": 3, \"aggregate\": \"count\", \"function\": \"f\", \"value\": \"\", "
        "\"by\": \"n\", \"unit\": \"\", \"no_room\": 0, \"rows\": ["
        "{\"key\": \"-5\", \"hits\": 3, \"sum\": 0, \"min\": 0, \"max\": 0}, "
        "{\"key\": \"%u\", \"hits\": 100, \"sum\": 0, \"min\": 0, \"max\": 0}]}]}",
        rank, rank * 10, -(int)rank, rank * 2, rank % 3, 16 + 8 * (rank % 2), rank * 10);
    return json_tokener_parse(text);
}

static struct ez_operation largest;

static double apply_largest(double a, double b)
{
    return a > b ? a : b;
}

static struct ez_operation *operation(void *arg, const char *name)
{
    ck_assert_str_eq(name, "x.so:largest");
    return &largest;
}

START_TEST(sums)
{
    static struct ez_span two_three[] = { { 2, 3 } };
    const struct ez_sum_request asks[] = {
        { .id = "sum|f|n|", .of = "sum|f|n|", .all = true, .own = true },
        { .id = "count|f||n|", .of = "count|f||n", .all = true, .plugin = "x.so:largest" },
        { .id = "sum|f|n||2-3", .of = "sum|f|n|", .ranks = { .span = { two_three, 1, 1 } } }
    };
    struct ez_sums all = { .operation = operation }, half = { .operation = operation };
    largest.apply = apply_largest;
    for (uint32_t i = 0; i < 9; i++) {
        struct json_object *o = aggregates(i);
        ez_sums_add(i % 2 ? &all : &half, i, o, asks, 3);
        json_object_put(o);
    }
    struct json_object *wire = ez_sums_to_json(&half);
    struct ez_sums heard;
    ck_assert(ez_sums_from_json(wire, &heard));
    ez_sums_merge(&all, &heard);
    const struct ez_sum *s = ez_sums_find(&all, "sum|f|n|"), *h = ez_sums_find(&all, "hist|f||k");
    ck_assert_ptr_nonnull(s);
    ck_assert_ptr_nonnull(h);
    struct ez_sum_row t = ez_sum_total(s);
    ck_assert_uint_eq(t.hits, 36);
    ck_assert(t.sum == 360 && t.min == -8 &&
              t.max == 16); /* rank 0 had no hit: its 0 is no value */
    ck_assert_uint_eq(s->no_room, 9);
    ck_assert_uint_eq(ez_ranks_count(&s->ranks), 9);
    ck_assert_uint_eq(s->own.n, 9);
    for (uint32_t i = 0; i < 9; i++)
        ck_assert(s->own.at[i].rank == i && s->own.at[i].value == i * 10);
    const struct ez_sum *c = ez_sums_find(&all, "count|f||n|"),
                        *two = ez_sums_find(&all, "sum|f|n||2-3");
    ck_assert_ptr_nonnull(c);
    ck_assert_ptr_nonnull(two);
    ck_assert(c->made == 80 && !s->plugin); /* the largest value, not the largest sum */
    ck_assert_ptr_null(ez_sums_find(&all, "count|f||n"));
    ck_assert_uint_eq(ez_ranks_count(&two->ranks), 2);
    struct ez_sum_row t2 = ez_sum_total(two);
    ck_assert(t2.hits == 5 && t2.sum == 50);
    EZ_VEC_FREE(&t2.bucket);
    ck_assert(h->ns && h->row.n == 3);
    is(h->row.at[0].key, "k0");
    ck_assert_uint_eq(h->row.at[0].hits, 6);
    ck_assert_uint_eq(h->row.at[0].bucket.n, 3);
    ck_assert(h->row.at[0].bucket.at[0].from == 8 && h->row.at[0].bucket.at[0].hits == 3);
    ck_assert(h->row.at[0].bucket.at[1].from == 16 && h->row.at[0].bucket.at[1].hits == 2);
    json_object_put(wire);
    ez_sums_free(&heard);
    ez_sums_free(&half);
    ez_sums_free(&all);
}
END_TEST

/* ---- parts of files -------------------------------------------------------------------------------------- */

START_TEST(chunks)
{
    static unsigned char data[3000], back[3000];
    uint64_t x = 1;
    size_t n;
    for (size_t i = 0; i < sizeof data; i++) {
        x = x * 6364136223846793005ull + 1442695040888963407ull;
        data[i] = (unsigned char)(x >> 56 & (i < 1500 ? 0xff : 3));
    }
    for (size_t len = 0; len < 300; len += 1) {
        EZ_FREE char *text = ez_chunk_encode(data, len);
        ck_assert(ez_chunk_decode(text, back, sizeof back, &n));
        ck_assert(n == len && !memcmp(data, back, len));
    }
    EZ_FREE char *text = ez_chunk_encode(data, sizeof data);
    ck_assert(ez_chunk_decode(text, back, sizeof back, &n) && n == sizeof data &&
              !memcmp(data, back, n));
    ck_assert(!ez_chunk_decode(text, back, 2999, &n)); /* no room */
    text[17] = '*';
    ck_assert(!ez_chunk_decode(text, back, sizeof back, &n));
    text[17] = 0;
    ck_assert(!ez_chunk_decode(text, back, sizeof back, &n));
    ck_assert(!ez_chunk_decode("", back, sizeof back, &n));
    ck_assert(!ez_chunk_decode("====", back, sizeof back, &n));
    ck_assert(!ez_chunk_decode("AA=A", back, sizeof back, &n));
}
END_TEST

/* ---- functions of the user's own ---------------------------------------------------------------------------- */

static char folder[] = "/tmp/check_reply.XXXXXX";

static bool build(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    EZ_FREE char *path = ez_sprintf("%s/p.c", folder);
    FILE *f = fopen(path, "w");
    fputs("#include <stdlib.h>\n"
          "#include <unistd.h>\n"
          "__attribute__((constructor)) static void begin(void)\n"
          "{ if (getenv(\"CHECK_REPLY_LEAVES\")) _exit(3); }\n"
          "int even(int rank, int size) { return rank % 2 == 0 && size == 8; }\n"
          "int bad(int rank, int size) { abort(); }\n"
          "int leaves(int rank, int size) { exit(0); }\n"
          "double sum(double a, double b) { return a + b; }\n"
          "double most(double a, double b) { return a > b ? a : b; }\n"
          "double minus(double a, double b) { return a - b; }\n"
          "double first(double a, double b) { return a; }\n"
          "double mean(double a, double b) { return (a + b) / 2; }\n"
          "double faults(double a, double b) { return *(volatile double *)0; }\n",
          f);
    fclose(f);
    EZ_FREE char *command = ez_sprintf("${CC:-cc} -shared -fPIC -w -o %s/p.so %s", folder, path);
    return !system(command);
}

static void clean(void)
{
    EZ_FREE char *command = ez_sprintf("rm -rf %s", folder);
    ck_assert(!system(command));
}

static void refused(ez_err *e, const char *why)
{
    ck_assert_ptr_nonnull(e);
    ck_assert_msg(strstr(e->msg, why), "\"%s\" lacks \"%s\"", e->msg, why);
    ez_err_free(e);
}

static char *in_plugin(const char *function)
{
    return ez_sprintf("%s/p.so:%s", folder, function);
}

START_TEST(plugins)
{
    struct ez_roster roster = { .member = { 0 } };
    struct ez_ranks r = { 0 };
    if (!build()) {
        clean();
        puts("skip - plugins: no compiler");
        return;
    }
    for (uint32_t i = 0; i < 8; i++)
        ez_roster_put(&roster, i);
    EZ_FREE char *even = in_plugin("even"), *bad = in_plugin("bad"), *leaves = in_plugin("leaves"),
                 *none = in_plugin("none");
    ck_assert_ptr_null(ez_membership_plugin(&roster, even, &r));
    EZ_FREE char *text = ez_ranks_text(&r);
    is(text, "0,2,4,6");
    refused(ez_membership_plugin(&roster, bad, &r), "ended by signal 6");
    refused(ez_membership_plugin(&roster, leaves, &r),
            "the function ended its process instead of returning");
    refused(ez_membership_plugin(&roster, none, &r), "There is no function \"none\"");
    setenv("CHECK_REPLY_LEAVES", "1", 1);
    refused(ez_membership_plugin(&roster, even, &r),
            "the file ended its process while it was loaded");
    unsetenv("CHECK_REPLY_LEAVES");
    static const struct {
        const char *name, *why;
    } ops[] = { { "sum", NULL },
                { "most", NULL },
                { "minus", "is not" },
                { "mean", "is not associative" },
                { "first", "is not commutative" },
                { "faults", "ended by signal 11" } };
    for (size_t i = 0; i < EZ_ARRAY_LEN(ops); i++) {
        EZ_FREE char *name = in_plugin(ops[i].name);
        static const double tried[] = { 0, 1, 2.5, 7, -3, 1e6 };
        ez_err *e = ez_operation_check(name, tried, EZ_ARRAY_LEN(tried));
        if (ops[i].why)
            refused(e, ops[i].why);
        else
            ck_assert_msg(!e, "%s: %s", ops[i].name, e ? e->msg : "");
    }
    struct ez_operation op = { 0 };
    EZ_FREE char *most = in_plugin("most");
    ck_assert_ptr_null(ez_operation_open(most, &op));
    ck_assert(op.apply(3, 4) == 4);
    ez_operation_close(&op);
    ez_ranks_free(&r);
    ez_roster_free(&roster);
    clean();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("reply");
    TCase *t = tcase_create("reply");
    tcase_set_timeout(t, 20);
    tcase_add_test(t, masks);
    tcase_add_test(t, groups);
    tcase_add_loop_test(t, any_tree, 0, 7);
    tcase_add_test(t, each);
    tcase_add_test(t, created);
    tcase_add_test(t, order_of_events);
    tcase_add_test(t, no_reply);
    tcase_add_test(t, sums);
    tcase_add_test(t, chunks);
    tcase_add_test(t, plugins);
    suite_add_tcase(s, t);
    return run_suite(s);
}
