/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_driver.c - what a daemon makes of its drivers' lines: a script stands for the eztsh that drives. */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/strutil.h"
#include "engine/jobs/driver.h"
#include "engine/jobs/reply.h"
#include "tests/unit/deny.h"
#include "tests/unit/suite.h"

EZ_DENIED(pid_t, fork, (void), (), -1)

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

static void refused(ez_err *e, enum ez_code code, const char *says)
{
    ck_assert_ptr_nonnull(e);
    ck_assert_int_eq(e->code, code);
    ck_assert_str_eq(e->msg, says);
    ez_err_free(e);
}

/* A driver that reads nothing gets commands until its box is full; one that has ended gets none. */
START_TEST(no_further_command)
{
    EZ_FREE char *command = ez_alloc((1 << 20) + 1);
    struct ez_driver d = { .rank = 3, .target = 4711 };
    memset(command, 'x', 1 << 20);
    refused(ez_driver_send(&d, 1, 0, "print 1"), EZ_E_GONE, "The driver of the rank has ended");
    deny("fork", 1, EAGAIN);
    refused(ez_driver_begin(&d, "/bin/true"), EZ_E_SYS,
            "Cannot start the driver of rank 3: Resource temporarily unavailable");
    deny_nothing();
    d = (struct ez_driver){ .rank = 3, .target = 4711 };
    ck_assert_ptr_null(ez_driver_begin(&d, "/bin/true"));
    siginfo_t si;
    ck_assert_int_eq(waitid(P_PID, (id_t)d.pid, &si, WEXITED | WNOWAIT), 0);
    refused(ez_driver_send(&d, 1, 0, "print 1"), EZ_E_GONE, "The driver of the rank has ended");
    ez_driver_free(&d);
    d = (struct ez_driver){ .rank = 3, .target = 4711 };
    int pipes[2];
    ck_assert_int_eq(pipe2(pipes, O_NONBLOCK | O_CLOEXEC), 0);
    d.pid = getpid(); /* any: nothing is sent to it */
    d.in = pipes[1];
    d.out = -1;
    ez_err *e = NULL;
    for (unsigned i = 0; !e && i < 1000; i++)
        e = ez_driver_send(&d, i, 0, command);
    refused(e, EZ_E_LIMIT,
            "The driver of the rank is busy with earlier commands and accepts no further command");
    d.pid = 0;
    close(pipes[0]);
    ez_driver_free(&d);
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
    tcase_add_test(t, no_further_command);
    suite_add_tcase(s, t);
    return run_suite(s);
}
