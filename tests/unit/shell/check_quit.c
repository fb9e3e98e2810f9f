/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_quit.c - Ctrl-C on a terminal while probes are planted (fault 78): at once, all or nothing,
 * and the program stands. Steps and calls end so too, and leave the thread where it can go on.
 *
 * p_many has 200,000 functions; how long they take is not known, so where Ctrl-C came too late
 * it is tried again. The program under test is $EZTSH, or ./eztsh. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/shell/pty.h"
#include "tests/unit/suite.h"

enum { TRIES = 10 };

static struct pty p;

#define EXPECT(text) ck_assert_msg(pty_expect(&p, text), "no <%s>", text)
#define PROMPT "(eztsh) "

static void type(const char *line)
{
    pty_send(&p, line);
    EXPECT(line);
    pty_send(&p, "\r");
}

static void answers(const char *line, const char *answer)
{
    type(line);
    EXPECT(answer);
    EXPECT(PROMPT);
}

static void begin_with(char *prog, char *arg)
{
    char *eztsh = getenv("EZTSH");
    char *argv[] = { "env", "TERM=xterm", eztsh ? eztsh : "./eztsh", "-q", "-nx", "--args", prog,
                     arg,   NULL };
    pty_spawn(&p, argv);
    EXPECT(PROMPT);
    answers("set confirm off", "");
}

static void begin(void)
{
    begin_with("tests/targets/p_many", NULL);
}

static void leave(void)
{
    pty_send(&p, "quit\r");
    int status = pty_close(&p);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status 0x%x", status);
}

/* Enter the line, and Ctrl-C once `progress` is shown. Did Ctrl-C come in time? */
static bool quits(const char *line, const char *progress, const char *quit)
{
    type(line);
    EXPECT(progress);
    pty_send(&p, "\003");
    size_t seen = p.seen;
    EXPECT(PROMPT);
    return memmem(p.buf + seen, p.seen - seen, quit, strlen(quit));
}

/* A user who answers "n" to the question of `attach` keeps the program that runs. */
START_TEST(not_attached)
{
    begin();
    answers("start", "Temporary breakpoint 1, ");
    answers("set confirm on", "");
    type("attach 1");
    EXPECT("A program is being debugged already.  Kill it? (y or n) ");
    pty_send(&p, "n\r");
    EXPECT("Not attached.");
    EXPECT(PROMPT);
    answers("info threads", "main ()");
    answers("set confirm off", "");
    leave();
}
END_TEST

START_TEST(a_run)
{
    begin();
    answers("probe -count -r .", "pending 20");
    for (int i = 0; !quits("run", "functions: ", "Quit. No probe was planted; \"continue\" plants");
         i++) {
        ck_assert_msg(i < TRIES, "it was never in time");
        p.n = p.seen = 0;
        answers("echo alive\\n", "alive\r\n"); /* Ctrl-C came too late */
        answers("kill", "");
    }
    answers("info textdiff", "5 bytes differ, 0 of them foreign."); /* the loader's hook */
    answers("continue", "exited normally]");
    answers("run", "26 hits");
    leave();
}
END_TEST

/* Here the program has the terminal when Ctrl-C comes. */
START_TEST(a_run_at_once)
{
    begin();
    answers("probe -count -r .", "pending 20");
    for (int i = 0; i < TRIES; i++) {
        quits("run", "Starting program", "");
        answers("echo alive\\n", "alive\r\n");
        answers("kill", "");
        p.n = p.seen = 0;
    }
    answers("run", "26 hits");
    leave();
}
END_TEST

START_TEST(a_probe)
{
    begin();
    answers("start", "main");
    for (int i = 0;; i++) {
        ck_assert_msg(i < TRIES, "it was never in time");
        if (quits("probe -count -r .", "functions: ", "Quit"))
            break;
        answers("delete", "");
    }
    answers("info probes", "No probes.");
    answers("info textdiff", "0 of them foreign.");
    answers("probe many_0", "Probe 1 at ");
    answers("continue", "6 hits");
    leave();
}
END_TEST

START_TEST(steps)
{
    begin_with("tests/targets/p_loop", "no-such-file"); /* runs until that file exists */
    answers("start", "main");
    ck_assert(quits("stepi 1000000000000", "Stepping: ", "Quit"));
    answers("info registers rip", "0x");
    answers("info textdiff", "0 of them foreign.");
    answers("kill", "killed]");
    leave();
}
END_TEST

/* Ctrl-C comes between two commands that do not ask for it themselves. */
START_TEST(a_script)
{
    char path[] = "check_quit.XXXXXX", line[64];
    int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");
    ck_assert_ptr_nonnull(f);
    fputs("set pagination off\n", f);
    for (int i = 0; i < 3000000; i++)
        fputs(i % 10000 ? "echo\n" : "echo line\\n\n", f);
    ck_assert_int_eq(fclose(f), 0);
    begin();
    snprintf(line, sizeof line, "source %s", path);
    bool ended = quits(line, "line\r\nline\r\n", "Quit\r\n");
    unlink(path);
    ck_assert(ended);
    answers("echo alive\\n", "alive\r\n");
    leave();
}
END_TEST

/* The call's own limit of 5 s comes later, or first on a slow machine: either ends the call. */
START_TEST(a_call)
{
    begin();
    answers("start", "main");
    for (int i = 0; !quits("call sleep(30)", "\r\n", "Quit"); i++)
        ck_assert_msg(i < TRIES, "it was never in time");
    answers("call (int)getpid()", "$1 = ");
    answers("continue", "exited normally]");
    leave();
}
END_TEST

int main(void)
{
    if (!pty_there("check_quit"))
        return 77;
    Suite *s = suite_create("quit");
    TCase *t = tcase_create("terminal");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, not_attached);
    tcase_add_test(t, a_run);
    tcase_add_test(t, a_run_at_once);
    tcase_add_test(t, a_probe);
    tcase_add_test(t, steps);
    tcase_add_test(t, a_script);
    tcase_add_test(t, a_call);
    suite_add_tcase(s, t);
    return run_suite(s);
}
