/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_loop.c - lines without an editor, signals as data, the size of the screen. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shell/ending.h"
#include "shell/hooks.h"
#include "shell/loop.h"
#include "shell/out.h"
#include "shell/sess.h"
#include "shell/wire.h"
#include "tests/unit/shell/check_shell.h"

static struct ez_sess s;
static const struct loop_calls calls = { .events = sess_events, .heard = wire_between };

static void setup(void)
{
    s = (struct ez_sess){ .end.status = -1 };
    ck_assert(ez_err_drop(loop_init(&s, &calls)));
    ck_assert(ez_err_drop(ez_target_create(&s.target)));
}

static void teardown(void)
{
    ez_target_destroy(s.target);
    close(s.in.sigfd);
    loop_child_signals(&s);
}

/* These bytes, and then their end, are the standard input. */
static void typed(const char *text, size_t n)
{
    int end[2];
    ck_assert(!pipe(end) && write(end[1], text, n) == (ssize_t)n);
    dup2(end[0], 0);
    close(end[0]), close(end[1]);
}

#define TYPED(text) typed(text, sizeof text - 1)

static void next_line(const char *want, bool wanted_whole)
{
    char line[8];
    bool whole = !wanted_whole;
    ck_assert_msg(loop_read_line(&s, line, sizeof line, &whole), "no <%s>", want);
    ck_assert_str_eq(line, want);
    ck_assert_msg(whole == wanted_whole, "%s", want);
}

static void no_line(void)
{
    char line[8] = "old";
    ck_assert(!loop_read_line(&s, line, sizeof line, NULL));
    ck_assert_str_eq(line, "");
}

START_TEST(lines)
{
    TYPED("one\n\nsix sev\nsix seve\nx\0y\n\tz\ra\nlast");
    next_line("one", true);
    next_line("", true);
    next_line("six sev", true);
    next_line("six sev", false); /* cut, and it says so */
    next_line("x", false);
    next_line("\tz\ra", true);
    next_line("last", true);
    no_line();
    s.in.terminal = true;
    TYPED("one\rtwo\n\n");
    next_line("one", true);
    next_line("two", true);
    next_line("", true);
    no_line();
}
END_TEST

START_TEST(no_more_lines)
{
    TYPED("one\ntwo\n");
    raise(SIGINT);
    no_line();
    ck_assert(s.end.interrupted && !s.end.quit);
    s.end.interrupted = false;
    next_line("one", true);
    ending_by(&s, SIGHUP);
    no_line();
    ck_assert(s.end.quit && s.end.interrupted);
    ck_assert_int_eq(s.end.status, 128 + SIGHUP);
}
END_TEST

START_TEST(what_is_ready)
{
    TYPED("x");
    ck_assert_uint_eq(loop_once(&s, true, -1), LOOP_INPUT);
    ck_assert_uint_eq(loop_once(&s, false, 0), LOOP_TIMEOUT);
    raise(SIGINT);
    ck_assert_uint_eq(loop_once(&s, true, -1), LOOP_INPUT | LOOP_SIGINT);
    raise(SIGWINCH); /* wakes nobody */
    ck_assert_uint_eq(loop_once(&s, false, -1), 0);
    ck_assert_uint_eq(loop_once(&s, false, 0), LOOP_TIMEOUT);
}
END_TEST

static int resized;
static char suspended[8];
static void count_sizes(void)
{
    resized++;
}
static void note_suspension(bool before)
{
    strcat(suspended, before ? "b" : "a");
}
static const struct ez_editor editor = { .resized = count_sizes, .suspend = note_suspension };

START_TEST(signals)
{
    static const int end[] = { SIGTERM, SIGHUP };
    s.in.editor = &editor;
    ck_assert(!loop_signalled(&s));
    raise(SIGINT);
    ck_assert(loop_signalled(&s) && s.end.interrupted && !s.end.quit && s.end.status == -1);
    s.end.interrupted = false;
    raise(SIGWINCH);
    ck_assert(!loop_signalled(&s) && resized == 1);
    raise(SIGTSTP); /* no terminal, so no editor to tell, and nobody to go on */
    ck_assert(!loop_signalled(&s) && resized == 1 && !*suspended);
    raise(SIGWINCH), raise(SIGINT); /* both at once: one of them wakes */
    ck_assert(loop_signalled(&s) && resized == 2);
    for (size_t i = 0; i < EZ_ARRAY_LEN(end); i++) {
        s.end.quit = s.end.interrupted = false;
        raise(end[i]);
        ck_assert(loop_signalled(&s) && s.end.quit && s.end.interrupted);
        ck_assert_int_eq(s.end.status, 128 + end[i]);
    }
    s.in.editor = NULL;
    raise(SIGWINCH);
    ck_assert(!loop_signalled(&s) && resized == 2);
}
END_TEST

START_TEST(a_terminal_stops_it)
{
    int status;
    pid_t pid = fork();
    if (!pid) {
        s.in.terminal = true;
        raise(SIGTSTP);
        bool quiet = !loop_signalled(&s) && !*suspended; /* without an editor, too */
        s.in.editor = &editor;
        raise(SIGTSTP);
        _exit(quiet && !loop_signalled(&s) && !strcmp(suspended, "ba") ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(pid, &status, WUNTRACED), pid);
    ck_assert(WIFSTOPPED(status));
    kill(pid, SIGCONT);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(which_signals_wait)
{
    static const int held[] = { SIGINT,   SIGTERM, SIGHUP,  SIGTSTP,
                                SIGWINCH, SIGCHLD, SIGXFSZ, SIGTTOU };
    sigset_t now, pending;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    for (size_t i = 0; i < EZ_ARRAY_LEN(held); i++)
        ck_assert_msg(sigismember(&now, held[i]), "%d", held[i]);
    ck_assert(!sigismember(&now, SIGQUIT) && !sigismember(&now, SIGUSR1));
    raise(SIGCHLD); /* the engine's to read */
    ck_assert(!loop_signalled(&s));
    sigpending(&pending);
    ck_assert(sigismember(&pending, SIGCHLD));
    ck_assert(fcntl(s.in.sigfd, F_GETFD) & FD_CLOEXEC && fcntl(s.in.sigfd, F_GETFL) & O_NONBLOCK);
    loop_child_signals(&s);
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    for (size_t i = 0; i < EZ_ARRAY_LEN(held); i++)
        ck_assert_int_eq(sigismember(&now, held[i]), sigismember(&s.in.inherited, held[i]));
}
END_TEST

START_TEST(the_screen)
{
    unsigned width = 7, height = 7;
    const struct winsize size = { .ws_row = 33, .ws_col = 99 };
    int out = dup(1), none[2], master = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert(!pipe(none) && master >= 0 && !grantpt(master) && !unlockpt(master));
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    ck_assert(slave >= 0 && !ioctl(slave, TIOCSWINSZ, &size));
    s.ui.height = s.ui.width = (unsigned)-1;
    dup2(slave, 1);
    loop_screen(&s, &width, &height);
    dup2(none[1], 1);
    ck_assert(width == 99 && height == 33);
    loop_screen(&s, &width, &height);
    ck_assert(width == 0 && height == 0);
    s.ui.height = 5;
    loop_screen(&s, &width, &height);
    dup2(slave, 1);
    ck_assert(width == 0 && height == 5);
    loop_screen(&s, &width, &height);
    dup2(out, 1);
    ck_assert(width == 99 && height == 5);
}
END_TEST

/* Names are shortened for a terminal that has a size, and for nothing else. */
START_TEST(what_tables_fit_into)
{
    const struct winsize size = { .ws_row = 33, .ws_col = 99 };
    int out = dup(1), none[2], master = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert(!pipe(none) && master >= 0 && !grantpt(master) && !unlockpt(master));
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    s.ui.height = s.ui.width = (unsigned)-1;
    dup2(none[1], 1);
    unsigned pipe_limit = out_limit(&s);
    dup2(slave, 1);
    unsigned no_size = out_limit(&s);
    int sized = ioctl(slave, TIOCSWINSZ, &size);
    unsigned limit = out_limit(&s);
    dup2(out, 1);
    ck_assert(slave >= 0 && !sized);
    ck_assert_uint_eq(pipe_limit, 0);
    ck_assert_uint_eq(no_size, 0);
    ck_assert_uint_eq(limit, 99);
}
END_TEST

/* Two parts that registered, of which one has a descriptor. */
static int hooked_fd = -1, hooked_ms = -1;
static unsigned heard, ticks, ended;

static int hooked_fd_of(const struct ez_sess *sess)
{
    return hooked_fd;
}

static void hooked_heard(struct ez_sess *sess)
{
    char c;
    heard += read(hooked_fd, &c, 1) == 1;
}

static int hooked_tick_ms(const struct ez_sess *sess)
{
    return hooked_ms;
}

static void hooked_tick(struct ez_sess *sess)
{
    ticks++;
}

static void hooked_end(struct ez_sess *sess)
{
    ended++;
}

START_TEST(what_was_registered)
{
    static const struct shell_hooks timed = { .tick_ms = hooked_tick_ms, .tick = hooked_tick };
    static const struct shell_hooks wired = { .at = { [SHELL_ENDS] = hooked_end },
                                              .fd = hooked_fd_of,
                                              .heard = hooked_heard };
    int end[2];
    hooks_add(&timed);
    hooks_add(&wired);
    hooks_add(&wired);
    ck_assert_uint_eq(loop_once(&s, false, 0), LOOP_TIMEOUT);
    ck_assert(!heard && !ticks);
    hooked_ms = 0;
    ck_assert_uint_eq(loop_once(&s, false, -1), 0); /* it does not wait without end */
    ck_assert(!heard && ticks == 1);
    hooked_ms = -1;
    ck_assert(!pipe(end) && write(end[1], "x", 1) == 1);
    hooked_fd = end[0];
    ck_assert_uint_eq(loop_once(&s, false, -1), 0);
    ck_assert(heard == 1 && ticks == 1);
    hooks_call(&s, SHELL_ENDS);
    hooks_call(&s, SHELL_PROGRAM_GONE);
    ck_assert_uint_eq(ended, 1);
}
END_TEST

TCase *loop_case(void)
{
    TCase *t = tcase_create("loop");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, lines);
    tcase_add_test(t, no_more_lines);
    tcase_add_test(t, what_is_ready);
    tcase_add_test(t, what_was_registered);
    tcase_add_test(t, signals);
    tcase_add_test(t, a_terminal_stops_it);
    tcase_add_test(t, which_signals_wait);
    tcase_add_test(t, the_screen);
    tcase_add_test(t, what_tables_fit_into);
    return t;
}
