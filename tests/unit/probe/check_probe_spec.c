/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_probe_spec.c - what a user asks for with a probe, as a value: each member is copied, and makes a spec
 * another one. */
#include "engine/ezt.h"
#include "tests/unit/suite.h"

/* All that can be asked for at once, though no probe is that. */
static struct ez_probe_spec all(void)
{
    return (struct ez_probe_spec){
        .kind = EZ_PROBE_BOTH,
        .record = true,
        .matching = true,
        .tracepoint = true,
        .location = "f",
        .prototype = "int f(int n)",
        .with = "lib:g",
        .orig = "f_orig",
        .twins = "v a b",
        .cond = "n > 1",
        .collect = "n",
        .leave = "$ret",
        .action = "stop",
        .print = "\"%d\",n",
        .adds = EZ_ADDS_SUM,
        .value = "n",
        .key = "$caller",
        .filter = { .maxdepth = 1,
                    .min_ns = 2,
                    .thread = "io",
                    .caller = "^main$",
                    .after_ns = 3,
                    .for_ns = 4,
                    .max_bytes = 5,
                    .ignore = 6,
                    .passcount = 7 },
        .fragment = { .spec = 1, .aborts = true, .routine = 2, .places = 3, .callee = 4, .at = 5 },
    };
}

START_TEST(a_copy_owns_its_texts)
{
    char location[] = "f", thread[] = "io";
    struct ez_probe_spec s = all(), copy;
    s.location = location;
    s.filter.thread = thread;
    ez_probe_spec_copy(&copy, &s);
    location[0] = thread[0] = 'x';
    const struct ez_probe_spec as_it_was = all();
    ck_assert(ez_probe_spec_same(&copy, &as_it_was));
    ck_assert(!ez_probe_spec_same(&copy, &s));
    ez_probe_spec_free(&copy);
    ck_assert_ptr_null(copy.location);
    ez_probe_spec_free(&copy); /* nothing is there to be freed */
}

START_TEST(no_text_and_an_empty_one_are_the_same)
{
    struct ez_probe_spec plain = { .kind = EZ_PROBE_ENTRY, .location = "f" }, empty = plain, copy;
    empty.cond = empty.key = empty.filter.caller = "";
    ck_assert(ez_probe_spec_same(&plain, &empty));
    ez_probe_spec_copy(&copy, &empty);
    ck_assert_ptr_null(copy.cond);
    ck_assert_ptr_null(copy.filter.caller);
    ez_probe_spec_free(&copy);
}

START_TEST(each_member_counts)
{
    const struct ez_probe_spec is = all();
    struct ez_probe_spec other[32];
    size_t n = 0;
#define OTHER(member, value)                                                                       \
    do {                                                                                           \
        other[n] = is;                                                                             \
        other[n++].member = value;                                                                 \
    } while (0)
    OTHER(kind, EZ_PROBE_ENTRY);
    OTHER(record, false);
    OTHER(matching, false);
    OTHER(tracepoint, false);
    OTHER(location, "g");
    OTHER(prototype, NULL);
    OTHER(with, NULL);
    OTHER(orig, "");
    OTHER(twins, NULL);
    OTHER(cond, "n > 2");
    OTHER(collect, "m");
    OTHER(leave, NULL);
    OTHER(action, "snapshot");
    OTHER(print, NULL);
    OTHER(adds, EZ_ADDS_MAX);
    OTHER(value, NULL);
    OTHER(key, NULL);
    OTHER(filter.maxdepth, 9);
    OTHER(filter.min_ns, 9);
    OTHER(filter.thread, "ui");
    OTHER(filter.caller, NULL);
    OTHER(filter.after_ns, 9);
    OTHER(filter.for_ns, 9);
    OTHER(filter.max_bytes, 9);
    OTHER(filter.ignore, 9);
    OTHER(filter.passcount, 9);
    OTHER(fragment.spec, 9);
    OTHER(fragment.aborts, false);
    OTHER(fragment.routine, 9);
    OTHER(fragment.places, 9);
    OTHER(fragment.callee, 9);
    OTHER(fragment.at, 9);
    ck_assert_uint_eq(n, EZ_ARRAY_LEN(other));
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(!ez_probe_spec_same(&is, &other[i]), "member %zu", i);
}

START_TEST(filters_are_known_by_their_options)
{
    const struct ez_probe_filter f = all().filter;
    unsigned numbers = 0, texts = 0;
    for (const struct ez_filter_option *o = ez_filter_options; o->name; o++) {
        ck_assert_int_eq(o->name[0], '-');
        numbers += ez_filter_number(&f, o) != 0;
        texts += ez_filter_text(&f, o) != NULL;
    }
    ck_assert_uint_eq(numbers, 5);
    ck_assert_uint_eq(texts, 2);
}

int main(void)
{
    Suite *suite = suite_create("probe_spec");
    TCase *c = tcase_create("probe_spec");
    tcase_add_test(c, a_copy_owns_its_texts);
    tcase_add_test(c, no_text_and_an_empty_one_are_the_same);
    tcase_add_test(c, each_member_counts);
    tcase_add_test(c, filters_are_known_by_their_options);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
