/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_cost.c - `info cost` when the session that measures fails. This program itself is that session:
 * it is run a second time, and prints what a test wants. */
#include <ctype.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "engine/base/now.h"
#include "engine/check/cost.h"
#include "tests/unit/deny.h"
#include "tests/unit/leaks.h"
#include "tests/unit/suite.h"

EZ_DENIED(int, pipe2, (int fd[2], int flags), (fd, flags), -1)
EZ_DENIED(int, posix_spawn,
          (pid_t * pid, const char *path, const posix_spawn_file_actions_t *fa,
           const posix_spawnattr_t *attr, char *const argv[], char *const envp[]),
          (pid, path, fa, attr, argv, envp), errno)

/* Each reading of the clock is a second later than the last, so that the deadline comes soon. */
static double ahead;
double __real_ez_now_exact(void);
double __wrap_ez_now_exact(void);
double __wrap_ez_now_exact(void)
{
    ahead += denied.call && !strcmp(denied.call, "time") ? 1000 : 0;
    return __real_ez_now_exact() + ahead;
}

static char folder[64];

static void setup(void)
{
    snprintf(folder, sizeof folder, "/tmp/check_cost-%d", getpid());
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    setenv("TMPDIR", folder, 1);
    setenv("EZT_COST", "/bin/true", 1);
}

static void teardown(void)
{
    deny_nothing();
    ck_assert_int_eq(rmdir(folder), 0); /* nothing is left there */
}

#define NONE "The measuring process gave no results: "
#define MAGIC "ezcost1"

static const struct {
    const char *magic, *why_not;
    unsigned cut; /* bytes that are missing at its end                              */
    bool mono;
    const char *says; /* NULL = it is taken */
} session[] = {
    { MAGIC, "", 0, false, NULL },
    { MAGIC, "", 0, true, NULL },
    { MAGIC, "", 1, false, NONE "it has ended" },
    { MAGIC, "", sizeof(struct cost_figures), false, NONE "it has ended" },
    { "ezcost0", "", 0, false, NONE "it has ended" },
    { MAGIC, "No such file.", 0, false, NONE "No such file." },
};

/* What this program does when it is the session that measures. */
static int be_session(unsigned i)
{
    struct cost_figures f = { .cost = { .mono = session[i].mono } };
    char *text = (char *)&f;
    for (int k = 0; k < EZ_COST_N; k++)
        f.cost.ns[k] = k + 1.5;
    strcpy(f.magic, session[i].magic);
    strcpy(f.why_not, session[i].why_not);
    return !fwrite(text, sizeof f - session[i].cut, 1, stdout) && !session[i].cut;
}

static unsigned asked, gives_up; /* how often; when: 0 = never */
static bool go_on(void *arg, uint64_t done, uint64_t total)
{
    (void)arg, (void)done, (void)total;
    return ++asked != gives_up;
}

static ez_err *measure(struct ez_cost *c)
{
    struct ez_settings set = { .trace_clock = 0 };
    return ez_cost(&set, &(struct ez_progress){ go_on, NULL }, c);
}

static void no_child(void)
{
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    ck_assert_int_eq(errno, ECHILD);
}

START_TEST(what_the_session_said)
{
    struct ez_cost c;
    size_t files = files_open();
    char number[16];
    snprintf(number, sizeof number, "%d", _i);
    setenv("CHECK_COST_SAYS", number, 1);
    ez_err *e = measure(&c);
    ck_assert_uint_eq(files_open(), files);
    no_child();
    if (session[_i].says) {
        ck_assert_msg(e && e->code == EZ_E_STATE, "%d: taken", _i);
        ck_assert_str_eq(e->msg, session[_i].says);
        ez_err_free(e);
        return;
    }
    ck_assert_msg(!e, "%d: %s", _i, e ? e->msg : "");
    ck_assert_int_eq(c.mono, session[_i].mono);
    for (int i = 0; i < EZ_COST_N; i++)
        ck_assert(c.ns[i] == i + 1.5);
}
END_TEST

/* The session prints more than is read: it must not wait for a reader for ever. */
START_TEST(a_session_that_says_too_much)
{
    struct ez_cost c;
    setenv("CHECK_COST_SAYS", "much", 1);
    ez_err *e = measure(&c);
    ck_assert_ptr_nonnull(e);
    ck_assert_str_eq(e->msg, NONE "it has ended");
    ez_err_free(e);
    no_child();
}
END_TEST

/* The session and the processes that it started are ended and reaped. */
START_TEST(a_session_that_does_not_end)
{
    struct ez_cost c;
    size_t files = files_open();
    setenv("CHECK_COST_SAYS", "forever", 1);
    deny("time", 0, 0);
    ez_err *e = measure(&c);
    ck_assert(e && e->code == EZ_E_TIMEOUT);
    ck_assert_str_eq(e->msg,
                     "The measuring process gave no results within 10 s: the machine may be busy");
    ez_err_free(e);
    ck_assert_uint_eq(files_open(), files);
    no_child();
}
END_TEST

/* The user need not wait for the deadline. */
START_TEST(a_session_that_is_given_up)
{
    struct ez_cost c;
    size_t files = files_open();
    double begin = ez_now_exact();
    setenv("CHECK_COST_SAYS", "forever", 1);
    gives_up = 3;
    ez_err *e = measure(&c);
    ck_assert(e && e->code == EZ_E_QUIT);
    ck_assert_str_eq(e->msg, "Quit");
    ez_err_free(e);
    ck_assert_uint_eq(asked, 3);
    ck_assert(ez_now_exact() - begin < 9000); /* well before it */
    ck_assert_uint_eq(files_open(), files);
    no_child();
}
END_TEST

START_TEST(no_session)
{
    static const struct {
        const char *call, *says;
    } no[] = {
        { "pipe2", "Cannot create a pipe: Cannot allocate memory" },
        { "posix_spawn", "Cannot run eztsh: Cannot allocate memory" },
    };
    struct ez_cost c;
    ez_err *e;
    size_t files = files_open();
    for (size_t i = 0; i < EZ_ARRAY_LEN(no); i++) {
        deny(no[i].call, 1, ENOMEM);
        e = measure(&c);
        deny_nothing();
        ck_assert(e && e->code == EZ_E_SYS);
        ck_assert_str_eq(e->msg, no[i].says);
        ez_err_free(e);
        ck_assert_uint_eq(files_open(), files);
    }
    setenv("EZT_COST", "/nowhere/ezt-cost", 1);
    e = measure(&c);
    ck_assert_ptr_nonnull(e);
    ck_assert_str_eq(e->msg, "Cannot run /nowhere/ezt-cost: No such file or directory");
    ez_err_free(e);
    setenv("EZT_COST", "/bin/true", 1);
    setenv("TMPDIR", "/nowhere", 1);
    e = measure(&c);
    ck_assert_ptr_nonnull(e);
    ck_assert_msg(!strncmp(e->msg, "Cannot make /nowhere/eztsh-cost.", 32), "%s", e->msg);
    ez_err_free(e);
}
END_TEST

int main(int argc, char **argv)
{
    const char *text = getenv("CHECK_COST_SAYS");
    if (text && argc > 1) { /* the session */
        while (!strcmp(text, "forever"))
            pause();
        for (int k = 0; !strcmp(text, "much") && k < 100000; k++)
            putchar('x');
        return isdigit((unsigned char)*text) ? be_session((unsigned)atoi(text)) : 0;
    }
    Suite *s = suite_create("cost");
    TCase *c = tcase_create("cost");
    tcase_set_timeout(c, 20);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_loop_test(c, what_the_session_said, 0, EZ_ARRAY_LEN(session));
    tcase_add_test(c, a_session_that_says_too_much);
    tcase_add_test(c, a_session_that_does_not_end);
    tcase_add_test(c, a_session_that_is_given_up);
    tcase_add_test(c, no_session);
    suite_add_tcase(s, c);
    return run_suite(s);
}
