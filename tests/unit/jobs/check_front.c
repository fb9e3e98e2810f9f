/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_front.c - the front end of daemons that are not there: it says so, and no signal ends it. */
#include <poll.h>
#include <string.h>

#include "engine/jobs/front.h"
#include "tests/unit/suite.h"

static void said(ez_err *e, const char *what, const char *hint)
{
    ck_assert_ptr_nonnull(e);
    ck_assert_int_eq(e->code, EZ_E_GONE);
    if (!strstr(e->msg, what))
        ck_abort_msg("%s", e->msg);
    ck_assert_str_eq(e->hint, hint);
    ez_err_free(e);
}

/* A process that ends may close its output before its input. */
static void input_ends(const struct ez_front *f)
{
    struct pollfd p = { f->in, 0, 0 };
    ck_assert_int_eq(poll(&p, 1, 60000), 1);
}

static const unsigned timeout_s = 10;

START_TEST(not_started)
{
    char *launcher[] = { "sh", "-c", "exec <&-; exit 3", NULL };
    struct ez_front *f = ez_front_create(&timeout_s);
    long id;
    ck_assert_ptr_null(ez_front_start(f, launcher));
    struct pollfd ended = { f->out, 0, 0 };
    ck_assert_int_eq(poll(&ended, 1, 60000), 1);
    input_ends(f);
    said(ez_front_request(f, "hello", NULL, &id), "The daemons did not start: \"sh\" ended",
         "The output of the command says why");
    ck_assert_ptr_null(ez_front_read(f));
    said(ez_front_request(f, "hello", NULL, &id),
         "The daemons did not start: \"sh\" ended with status 3",
         "The output of the command says why");
    ez_front_free(f);
}
END_TEST

/* Those that have answered once, and had a process. */
START_TEST(ended)
{
    char *launcher[] = { "sh", "-c",
                         "echo '{\"id\": 1, \"groups\": [], \"members\": [{\"node\": 0, \"host\": "
                         "\"a\"}]}'; read line",
                         NULL };
    struct ez_front *f = ez_front_create(&timeout_s);
    struct ez_reply r;
    long id;
    ck_assert_ptr_null(ez_front_start(f, launcher));
    struct pollfd output = { f->out, POLLIN, 0 };
    ck_assert_int_eq(poll(&output, 1, 60000), 1);
    ez_err_free(ez_front_read(f));
    ck_assert(ez_front_reply(f, 1, &r));
    ez_front_nodes(f, &r);
    ez_reply_free(&r);
    ez_roster_put(&f->roster, 0)->state = EZ_MEMBER_RUNNING;
    ck_assert_ptr_null(ez_front_request(f, "find", NULL, &id)); /* ends it */
    output.events = 0;
    ck_assert_int_eq(poll(&output, 1, 60000), 1);
    input_ends(f);
    said(ez_front_request(f, "hello", NULL, &id), "The daemons have ended",
         "\"job reattach\" starts the daemons again");
    said(ez_front_read(f), "The daemons have ended: 1 process runs on, unobserved",
         "Their probes go on counting; \"job reattach\" takes the processes over");
    ez_front_free(f);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("front");
    TCase *t = tcase_create("front");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, not_started);
    tcase_add_test(t, ended);
    suite_add_tcase(s, t);
    return run_suite(s);
}
