/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_messages.c - the table of messages by pair of processes. */
#include <check.h>

#include "engine/trace/long_messages.h"
#include "engine/trace/messages.h"
#include "tests/unit/suite.h"

static struct ez_model m;
static struct ez_messages *table;
static uint32_t process[3], thread[4], message;

static void setup(void)
{
    ez_model_init(&m, "app", NULL, NULL);
    for (unsigned i = 0; i < 3; i++) {
        process[i] = ez_model_container(&m, EZ_L_PROCESS, 0, "p", i + 1, 0);
        thread[i] = ez_model_container(&m, EZ_L_THREAD, process[i], "t", i + 1, i + 1);
    }
    thread[3] = ez_model_container(&m, EZ_L_THREAD, process[2], "t", 3, 4);
    message = ez_model_name(&m, EZ_N_LINK, "message", "mpi", 0);
    table = ez_messages_create(&m);
    m.fn = ez_messages_item;
    m.fn_arg = table;
}

static void teardown(void)
{
    ez_messages_free(table);
    ez_model_deinit(&m);
}

static void link_end(uint64_t ns, bool start, uint32_t at, uint64_t key, uint64_t bytes)
{
    uint64_t word[3] = { bytes, 5, 1 };
    struct ez_link l = { .name = message, .peer = EZ_NONE_IDX, .key = key, .arg = word, .narg = 3 };
    ez_model_at(&m, ns);
    if (start)
        ez_model_link_start(&m, at, &l);
    else
        ez_model_link_end(&m, at, &l);
}

static void row_is(size_t i, uint32_t from, uint32_t to, const uint64_t n[7])
{
    const struct ez_message_row *r = i < table->n ? &table->row[i] : &table->all;
    if (i < table->n) {
        ck_assert_uint_eq(r->from, from);
        ck_assert_uint_eq(r->to, to);
    }
    ck_assert_uint_eq(r->messages, n[0]);
    ck_assert_uint_eq(r->bytes, n[1]);
    ck_assert_uint_eq(r->least, n[2]);
    ck_assert_uint_eq(r->most, n[3]);
    ck_assert_uint_eq(r->total_ns, n[4]);
    ck_assert_uint_eq(r->least_ns, n[5]);
    ck_assert_uint_eq(r->most_ns, n[6]);
}

START_TEST(by_pair)
{
    link_end(10, true, thread[2], 1, 100);
    link_end(11, true, thread[0], 2, 200);
    link_end(20, true, thread[0], 3, 50);
    link_end(30, false, thread[0], 1, 100);
    link_end(33, false, thread[3], 2, 200);
    link_end(40, false, thread[2], 3, 50);
    link_end(50, true, thread[1], 4, 0);
    link_end(55, false, thread[1], 4, 0); /* to itself */
    link_end(60, true, thread[3], 5, 300);
    link_end(61, false, thread[0], 5, 300);
    ez_model_end(&m);
    ez_messages_sort(table);
    ck_assert_uint_eq(table->n, 3);
    row_is(0, process[0], process[2], (uint64_t[]){ 2, 250, 50, 200, 42, 20, 22 });
    row_is(1, process[1], process[1], (uint64_t[]){ 1, 0, 0, 0, 5, 5, 5 });
    row_is(2, process[2], process[0], (uint64_t[]){ 2, 400, 100, 300, 21, 1, 20 });
    row_is(3, 0, 0, (uint64_t[]){ 5, 650, 0, 300, 68, 1, 22 });
}
END_TEST

/* The three longest of six, of which one is not received. */
START_TEST(longest)
{
    static const uint64_t sent[] = { 10, 10, 20, 30, 40, 50 }, took[] = { 7, 30, 5, 30, 9, 8 };
    struct ez_long_messages *l = ez_long_messages_create(&m, 3);
    m.fn = ez_long_messages_item;
    m.fn_arg = l;
    for (uint64_t ns = 0, i; ns < 100; ns++)
        for (i = 0; i < EZ_ARRAY_LEN(sent); i++) {
            if (sent[i] == ns)
                link_end(ns, true, thread[i % 2], i, 10 * i);
            if (sent[i] + took[i] == ns && i != 4)
                link_end(ns, false, thread[2], i, 10 * i);
        }
    ez_model_end(&m);
    ez_long_messages_sort(l);
    ck_assert_uint_eq(l->n, 3);
    ck_assert_uint_eq(l->all, 5);
    static const uint64_t want[] = { 1, 3, 5 }; /* of equal ones the earlier first */
    for (size_t i = 0; i < l->n; i++) {
        ck_assert_uint_eq(l->at[i].bytes, 10 * want[i]);
        ck_assert_uint_eq(l->at[i].tag, 5);
        ck_assert_uint_eq(l->at[i].sent_ns, sent[want[i]]);
        ck_assert_uint_eq(l->at[i].received_ns, sent[want[i]] + took[want[i]]);
        ck_assert_uint_eq(l->at[i].from, thread[want[i] % 2]);
        ck_assert_uint_eq(l->at[i].to, thread[2]);
    }
    ez_long_messages_free(l);
    ez_long_messages_free(NULL);
}
END_TEST

START_TEST(none)
{
    struct ez_link l = { .name = message, .peer = EZ_NONE_IDX, .key = 9 };
    ez_model_link_start(&m, thread[0], &l); /* a link without words */
    ez_model_link_end(&m, thread[1], &l);
    link_end(10, false, thread[0], 1, 100); /* ends of nothing */
    link_end(20, true, thread[0], 2, 100);
    ez_model_end(&m); /* ends it */
    ez_messages_sort(table);
    ck_assert_uint_eq(table->n, 0);
    ck_assert_uint_eq(table->all.messages, 0);
    ck_assert_uint_eq(m.count.unpaired_links, 2);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("messages");
    TCase *c = tcase_create("messages");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, by_pair);
    tcase_add_test(c, longest);
    tcase_add_test(c, none);
    suite_add_tcase(s, c);
    return run_suite(s);
}
