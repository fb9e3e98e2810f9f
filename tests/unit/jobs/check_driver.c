/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_driver.c - what a daemon makes of its drivers' lines: a script stands for the eztsh that drives. */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/strutil.h"
#include "engine/jobs/driver.h"
#include "engine/jobs/reply.h"
#include "tests/unit/suite.h"

struct seen {
    char text[1024]; /* "event=state " or "answer=state " for each object */
};

static void note(struct ez_driver *d, const struct ez_pending_request *asked, struct json_object *o,
                 void *arg)
{
    struct seen *s = arg;
    size_t n = strlen(s->text);
    snprintf(s->text + n, sizeof s->text - n, "%s=%d ", asked ? "answer" : ez_json_text(o, "event"),
             (int)d->state);
}

/* Runs a driver that prints these lines and ends; what was seen after each. */
static void drive(const char *lines, enum ez_member_state state, struct seen *s)
{
    char name[] = "/tmp/check-driver-XXXXXX";
    int fd = mkstemp(name);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_gt(dprintf(fd, "#!/bin/sh\nread line\ncat <<'END'\n%sEND\n", lines), 0);
    fchmod(fd, 0700);
    close(fd);
    struct ez_driver d = {
        .rank = 3, .target = 4711, .claimed = true, .begun = true, .state = state
    };
    *s = (struct seen){ "" };
    ck_assert_ptr_null(ez_driver_begin(&d, name));
    ck_assert_ptr_null(ez_driver_send(&d, 1, 0, "continue &"));
    while (d.pid) {
        struct pollfd p = { d.out, POLLIN, 0 };
        ck_assert_int_ge(poll(&p, 1, 10000), 1);
        ez_driver_read(&d, note, s);
    }
    ez_driver_free(&d);
    unlink(name);
}

/* What is told between the end of a process and "exited" has no process either: it was not let go. */
START_TEST(an_end)
{
    struct seen s;
    EZ_FREE char *want =
        ez_sprintf("answer=%d thread-exited=%d exited=%d let-go=%d ", EZ_MEMBER_RUNNING,
                   EZ_MEMBER_RUNNING, EZ_MEMBER_EXITED, EZ_MEMBER_EXITED);
    drive("{\"id\": 1, \"ok\": true, \"state\": \"running\"}\n"
          "{\"event\": \"thread-exited\", \"state\": \"none\"}\n"
          "{\"event\": \"exited\", \"status\": 0, \"state\": \"none\"}\n",
          EZ_MEMBER_STOPPED, &s);
    ck_assert_str_eq(s.text, want);
}
END_TEST

START_TEST(let_go)
{
    struct seen s;
    EZ_FREE char *want = ez_sprintf("answer=%d let-go=%d ", EZ_MEMBER_LEFT, EZ_MEMBER_LEFT);
    drive("{\"id\": 1, \"ok\": true, \"state\": \"none\"}\n", EZ_MEMBER_STOPPED, &s);
    ck_assert_str_eq(s.text, want);
}
END_TEST

/* A driver that ends while its process lives leaves it unseen, and answers what it was asked. */
START_TEST(blind)
{
    struct seen s;
    EZ_FREE char *want = ez_sprintf("stopped=%d answer=%d blind=%d ", EZ_MEMBER_STOPPED,
                                    EZ_MEMBER_BLIND, EZ_MEMBER_BLIND);
    drive("{\"event\": \"stopped\", \"state\": \"stopped\"}\n", EZ_MEMBER_RUNNING, &s);
    ck_assert_str_eq(s.text, want);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("driver");
    TCase *t = tcase_create("driver");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, an_end);
    tcase_add_test(t, let_go);
    tcase_add_test(t, blind);
    suite_add_tcase(s, t);
    return run_suite(s);
}
