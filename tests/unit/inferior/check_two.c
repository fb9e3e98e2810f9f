/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_two.c - several targets in one process: each hears what is its own, whoever waits, and
 * counts its own calls. The program makes 3,200 threads, whose numbers nobody knows before the
 * kernel tells them. */
#include "tests/unit/process.h"
#include "tests/unit/suite.h"

#define TARGETS 2
#define BORN 3200

static struct ez_target *of[TARGETS];
static int ended[TARGETS]; /* 1 + the status it exited with; 0 = it has not */

/* Launch all targets; each is `t` while it is launched and probes are planted. */
static void launch_all(const char *args)
{
    for (int i = 0; i < TARGETS; i++) {
        launch("births", args);
        plant("steady", EZ_PROBE_BOTH, false);
        plant("body", EZ_PROBE_BOTH, false);
        outlived_by_none(ez_target_pid(t));
        of[i] = t;
        ended[i] = 0;
    }
}

static void destroy_all(void)
{
    for (int i = 0; i < TARGETS; i++)
        ez_target_destroy(of[i]);
}

static void hear(int i)
{
    struct ez_event ev;
    while (ez_next_event(of[i], &ev)) {
        ck_assert_int_ne(ev.kind, EZ_EV_SIGNALED);
        ck_assert_int_ne(ev.kind, EZ_EV_GONE);
        if (ev.kind == EZ_EV_EXITED)
            ended[i] = 1 + ev.status;
        ez_event_clear(&ev);
    }
}

/* Sleep until one of the targets has an event, as a shell with several targets would. */
static void sleep_on_all(void)
{
    struct pollfd fd[4 * TARGETS];
    size_t n = 0;
    for (int i = 0; i < TARGETS; i++)
        n += ez_poll_fds(of[i], fd + n, 4);
    poll(fd, n, 10000);
}

static void has_counted(int i, size_t probe, uint64_t calls)
{
    ck_assert_uint_eq(of[i]->probes.probe.at[probe]->entries, calls);
    ck_assert_uint_eq(of[i]->probes.probe.at[probe]->exits, calls);
}

START_TEST(each_hears_its_own)
{
    launch_all("/"); /* it is there: no more than 3,200 */
    for (int i = 0; i < TARGETS; i++)
        must(ez_continue(of[i], false, 0));
    while (!ended[0] || !ended[1]) {
        for (int i = 0; i < TARGETS; i++)
            hear(i);
        if (!ended[0] || !ended[1])
            sleep_on_all();
    }
    for (int i = 0; i < TARGETS; i++) {
        ck_assert_int_eq(ended[i], 1 + 40);
        has_counted(i, 0, 2 * BORN);
        has_counted(i, 1, BORN);
    }
    destroy_all();
}
END_TEST

/* One target is stopped again and again, while threads of the other are born and end: waiting for the
 * one meets reports of the other. */
START_TEST(one_is_planted_in_while_the_other_runs)
{
    unsigned turns = 0;
    launch_all("/");
    for (int i = 0; i < TARGETS; i++)
        must(ez_continue(of[i], false, 0));
    while (!ended[0] || !ended[1]) {
        struct ez_target *now = of[turns++ % TARGETS];
        int first, n;
        for (int i = 0; i < TARGETS; i++)
            hear(i);
        if (ez_target_state(now) != EZ_RUNNING)
            continue;
        ez_err *e = ez_probe_add(
            now, &(struct ez_probe_spec){ EZ_PROBE_BOTH, .location = "flipped" }, &first, &n);
        if (!e)
            e = ez_probe_delete(now, &(struct ez_numbers){ first, first }, 1);
        if (e && e->code == EZ_E_GONE) /* it ended meanwhile: that is heard next */
            ez_err_free(e);
        else
            must(e);
    }
    for (int i = 0; i < TARGETS; i++) {
        ck_assert_int_eq(ended[i], 1 + 40);
        has_counted(i, 0, 2 * BORN);
        has_counted(i, 1, BORN);
    }
    ck_assert_uint_gt(turns, 10);
    destroy_all();
}
END_TEST

/* One target looks for reports when only the other has some. */
START_TEST(who_looks_wakes_the_other)
{
    struct pollfd fd[4];
    struct ez_event ev;
    siginfo_t si;
    launch_all("/");
    pid_t pid = ez_target_pid(of[1]);
    kill(pid, SIGKILL); /* it stands at main, alone: nobody else's report is due before its end */
    ck_assert_int_eq(waitid(P_PID, (id_t)pid, &si, WEXITED | WNOWAIT | __WALL), 0);
    hear(0);
    ck_assert_int_gt(poll(fd, ez_poll_fds(of[1], fd, 4), 0), 0);
    ck_assert(ez_next_event(of[1], &ev));
    ck_assert_int_eq(ev.kind, EZ_EV_SIGNALED);
    ck_assert_int_eq(ev.sig, SIGKILL);
    destroy_all();
}
END_TEST

/* One is killed; the other does not notice. */
START_TEST(the_end_of_one_is_no_others)
{
    launch_all("/");
    for (int i = 0; i < TARGETS; i++)
        must(ez_continue(of[i], false, 0));
    for (unsigned turns = 0; turns < 20 || !of[0]->inf.late.n;
         turns++) { /* until one has met some */
        int first, n;
        if (turns > 2000 || ez_target_state(of[1]) != EZ_RUNNING)
            break;
        must(ez_probe_add(of[1], &(struct ez_probe_spec){ EZ_PROBE_BOTH, .location = "flipped" },
                          &first, &n));
        must(ez_probe_delete(of[1], &(struct ez_numbers){ first, first }, 1));
    }
    pid_t pid = ez_target_pid(of[0]);
    must(ez_kill(of[0]));
    ck_assert_int_eq(ez_target_state(of[0]), EZ_NONE);
    ck_assert_int_eq(kill(pid, 0), -1); /* and nothing of it is left, whoever met its threads */
    ck_assert_int_eq(errno, ESRCH);
    while (!ended[1]) {
        hear(1);
        if (!ended[1])
            sleep_on_all();
    }
    ck_assert_int_eq(ended[1], 1 + 40);
    has_counted(1, 0, 2 * BORN);
    destroy_all();
}
END_TEST

int main(void)
{
    if (!proc_there("check_two"))
        return 77;
    Suite *s = suite_create("two");
    TCase *c = tcase_create("two");
    tcase_set_timeout(c, 120);
    tcase_add_test(c, each_hears_its_own);
    tcase_add_test(c, one_is_planted_in_while_the_other_runs);
    tcase_add_test(c, who_looks_wakes_the_other);
    tcase_add_test(c, the_end_of_one_is_no_others);
    suite_add_tcase(s, c);
    return run_suite(s);
}
