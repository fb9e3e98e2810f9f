/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_html_links.c - the messages and the events of locks in a page of `report`, byte by byte. */
#include <check.h>

#include "engine/format/conv_html_links.h"
#include "tests/unit/suite.h"

static struct ez_model m;
static struct ez_html_links links;
static uint32_t process, a, b;

static ez_err *take(void *arg, const struct ez_item *it)
{
    (void)arg;
    ez_html_links_item(&links, it);
    return NULL;
}

static void setup(void)
{
    ez_model_init(&m, "app", take, NULL);
    ez_html_links_init(&links, &m, 1 << 20);
    process = ez_model_container(&m, EZ_L_PROCESS, 0, "app 1", 1, 0);
    a = ez_model_container(&m, EZ_L_THREAD, process, "a", 1, 1);
    b = ez_model_container(&m, EZ_L_THREAD, process, "b", 1, 2);
}

static void teardown(void)
{
    ez_html_links_free(&links);
    ez_model_deinit(&m);
}

static void same(const ez_chunks_bytes *got, const unsigned char *want, size_t n)
{
    ck_assert_uint_eq(got->n, n);
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(got->at[i] == want[i], "byte %zu is %u, not %u", i, got->at[i], want[i]);
}
#define SAME(got, ...)                                                                             \
    same(got, (const unsigned char[]){ __VA_ARGS__ }, sizeof((unsigned char[]){ __VA_ARGS__ }))

static void link_end(uint32_t name, uint64_t key, bool start, uint32_t from, uint32_t to)
{
    const uint64_t arg[] = { 300, 7, 0 };
    struct ez_link l = {
        .name = name, .peer = start ? to : from, .key = key, .arg = arg, .narg = 3
    };
    if (start)
        ez_model_link_start(&m, from, &l);
    else
        ez_model_link_end(&m, to, &l);
}

START_TEST(messages)
{
    uint32_t mpi = ez_model_name(&m, EZ_N_LINK, "message", "mpi", 0);
    uint32_t other = ez_model_name(&m, EZ_N_LINK, "arrow", "app", 0);
    ez_model_at(&m, 100);
    link_end(mpi, 1, true, a, b);
    link_end(other, 1, true, a, b); /* no message of MPI */
    ez_model_at(&m, 150);
    link_end(mpi, 2, true, b, a);
    link_end(mpi, 3, true, b, a); /* it never arrives */
    ez_model_at(&m, 200);
    link_end(mpi, 1, false, a, b);
    link_end(other, 1, false, a, b);
    ez_model_at(&m, 500);
    link_end(mpi, 2, false, b, a);
    ez_model_end(&m);
    ck_assert_uint_eq(links.messages, 2);
    /* since the end before, time, from, to, 300 bytes in two numbers of 7 bits, name */
    SAME(&links.message, 200 | 128, 1, 100, (unsigned char)a, (unsigned char)b, 300 % 128 | 128, 2,
         (unsigned char)mpi, 300 % 128 | 128, 2, 350 % 128 | 128, 2, (unsigned char)b,
         (unsigned char)a, 300 % 128 | 128, 2, (unsigned char)mpi);
}
END_TEST

START_TEST(lock_events)
{
    uint32_t held = ez_model_name(&m, EZ_N_STATE, "Critical Section", "pthread", 0);
    uint32_t wait = ez_model_name(&m, EZ_N_STATE, "Blocked on a mutex", "pthread", 0);
    uint32_t work = ez_model_name(&m, EZ_N_STATE, "work", "app", 0);
    struct ez_about lock = EZ_ABOUT_NOTHING, file = EZ_ABOUT_NOTHING;
    lock.subject = ez_model_subject(&m, "lock", "0x40", process);
    file.subject = ez_model_subject(&m, "file", "/etc", 0);
    ez_model_push(&m, a, work, EZ_ABOUT_NOTHING);
    ez_model_at(&m, 10);
    ez_model_push(&m, a, held, lock);
    ez_model_push(&m, a, work, file); /* no lock */
    ez_model_pop(&m, a, file);
    ez_model_at(&m, 20);
    ez_model_push(&m, b, wait, lock);
    ez_model_at(&m, 50);
    ez_model_pop(&m, a, lock);
    ez_model_pop(&m, b, lock);
    ez_model_push(&m, b, wait, lock); /* its end is missing */
    ez_model_at(&m, 60);
    ez_model_end(&m);
    ck_assert_uint_eq(links.locks.n, 1);
    ck_assert_uint_eq(links.locks.at[0].process, process);
    const unsigned char t = (unsigned char)a, u = (unsigned char)b;
    SAME(&links.lock, 10, EZ_HTML_TAKE, 0, t, (unsigned char)(work + 1), 10, EZ_HTML_WAIT, 0, u,
         (unsigned char)wait, 30, EZ_HTML_RELEASE, 0, t, 0, EZ_HTML_WAITED, 0, u, 30, 0, 0,
         EZ_HTML_WAIT, 0, u, (unsigned char)wait, 10, EZ_HTML_WAITED, 0, u, 10, 1);
}
END_TEST

START_TEST(what_does_not_fit)
{
    uint32_t mpi = ez_model_name(&m, EZ_N_LINK, "message", "mpi", 0);
    struct ez_json j = { .compact = true };
    links.most_bytes = 20;
    for (uint64_t i = 0; i < 10; i++) {
        ez_model_at(&m, 10 * i);
        link_end(mpi, i, true, a, b);
        link_end(mpi, i, false, a, b);
    }
    ez_model_end(&m);
    ck_assert(links.many_messages);
    ck_assert_uint_lt(links.message.n, 40);
    ez_json_begin(&j, NULL, '{');
    ez_html_links_json(&links, &j);
    ez_json_end(&j, '}');
    ck_assert_str_eq(j.text, "{\n\"messages\":10,\"lock_events\":0,\"many_messages\":true,"
                             "\"many_locks\":false,\"locks\":[]}");
    ez_json_free(&j);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("html_links");
    TCase *c = tcase_create("html_links");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, messages);
    tcase_add_test(c, lock_events);
    tcase_add_test(c, what_does_not_fit);
    suite_add_tcase(s, c);
    return run_suite(s);
}
