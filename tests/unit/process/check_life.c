/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_life.c - how processes begin for us and end: what a program that is run inherits, why one
 * cannot be run or attached, the kinds of ends, and changing over to the child of a fork. */
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>

#include "engine/process/session.h"
#include "tests/unit/child.h"
#include "tests/unit/suite.h"

static void with_program(const char *path)
{
    must(ez_target_create(&t));
    t->set.trace_auto = false;
    must(ez_target_file(t, path));
}

static void fails(ez_err *e, enum ez_code code, const char *text, const char *hint)
{
    ck_assert_msg(e != NULL, "no error: %s", text);
    ck_assert_int_eq(e->code, code);
    ck_assert_int_eq(e->hint != NULL, hint != NULL);
    if (hint)
        ck_assert_str_eq(e->hint, hint);
    ck_assert_str_eq(why_not(e), text);
}

/* ---- running ----------------------------------------------------------------------------------- */

/* What the program printed when it is run as `how` says. */
static const char *output_of(const char *program, const char *args, struct ez_run how)
{
    static char text[8192];
    char name[] = "/tmp/check_life.XXXXXX";
    int fd = mkstemp(name);
    ck_assert_int_ge(fd, 0);
    EZ_FREE char *all = ez_sprintf("%s >%s </dev/null", args, name);
    how.args = all;
    with_program(program);
    must(ez_run(t, &how));
    outlived_by_none(t->inf.pid);
    UNTIL(t->inf.state == EZ_NONE);
    ck_assert_int_eq(last(EZ_EV_EXITED)->status, 0);
    ssize_t n = read(fd, text, sizeof text - 1);
    text[n > 0 ? n : 0] = 0;
    close(fd);
    unlink(name);
    close_target();
    return text;
}

static unsigned long line(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    ck_assert_msg(at != NULL, "no %s in %s", key, text);
    return strtoul(at + strlen(key), NULL, 16);
}

/* Of our signals only that SIGHUP is ignored; nothing is held back. Two signals are libc's own: it
 * does not let them be changed, and who started us may ignore them. */
START_TEST(signals_of_a_program)
{
    sigset_t set;
    sigfillset(&set);
    signal(SIGUSR1, SIG_IGN);
    signal(SIGTTOU, SIG_IGN);
    signal(SIGSYS, SIG_IGN);
    signal(SIGHUP, _i ? SIG_IGN : SIG_DFL);
    sigdelset(&set, SIGALRM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    const char *status = output_of("/bin/cat", "/proc/self/status", (struct ez_run){ 0 });
    const unsigned long libcs = 3ul << (32 - 1);
    ck_assert_uint_eq(line(status, "SigIgn:") & ~libcs, _i ? 1 : 0);
    ck_assert_uint_eq(line(status, "SigBlk:"), 0);
    ck_assert_uint_eq(line(status, "TracerPid:"), strtoul(ez_sprintf("%d", getpid()), NULL, 16));
}
END_TEST

START_TEST(place_of_a_program)
{
    ck_assert_str_eq(output_of("/bin/pwd", "", (struct ez_run){ .cwd = "/proc" }), "/proc\n");
    ck_assert_str_eq(
        output_of("/bin/cat", "/proc/self/personality", (struct ez_run){ .disable_aslr = true }),
        "00040000\n");
    ck_assert_str_eq(output_of("/bin/cat", "/proc/self/personality", (struct ez_run){ 0 }),
                     "00000000\n");
    ck_assert_ptr_null(strstr(output_of("/usr/bin/env", "", (struct ez_run){ 0 }), "EZT_PROGRAM"));
}
END_TEST

START_TEST(what_cannot_be_run)
{
    struct ez_run how = { .args = "2>/dev/null </nowhere/at/all" };
    must(ez_target_create(&t));
    fails(ez_run(t, &how), EZ_E_STATE, "No executable file specified.", "Use the \"file\" command");
    close_target();
    with_program("/bin/sleep");
    ez_err *e = ez_run(t, &how);
    ck_assert_ptr_nonnull(e);
    ck_assert_str_eq(e->hint, ez_sprintf("Is %s executable?", t->inf.program));
    ck_assert_str_eq(why_not(e), "During startup program exited with code 2.");
    ck_assert_int_eq(t->inf.state, EZ_NONE);
    ck_assert_int_eq(t->inf.pid, 0);
    ck_assert_int_eq(t->inf.pidfd, -1);
    ck_assert_uint_eq(t->inf.thread.n, 0);
    ck_assert(!t->inf.seized);
    how.args = "$(kill -9 $$)";
    fails(ez_run(t, &how), EZ_E_SYS, "During startup program terminated with signal 9", NULL);
    how.args = "";
    how.cwd = "/nowhere/at/all";
    fails(ez_run(t, &how), EZ_E_SYS, "/nowhere/at/all: No such file or directory",
          "\"set cwd\" chose that folder for the program");
    how = (struct ez_run){ .tty = "/nowhere/at/all" };
    fails(ez_run(t, &how), EZ_E_SYS, "/nowhere/at/all: No such file or directory",
          "\"tty\" chose that terminal for the program");
    how = (struct ez_run){ .args = "1000" };
    must(ez_run(t, &how)); /* still possible after these failures */
    outlived_by_none(t->inf.pid);
    ck_assert_int_eq(t->inf.state, EZ_RUNNING);
    fails(ez_run(t, &how), EZ_E_STATE, "The program is already running", NULL);
    pid_t pid = t->inf.pid;
    must(ez_kill(t));
    ck_assert_int_eq(t->inf.state, EZ_NONE);
    ck_assert_int_eq(kill(pid, 0), -1);
    close_target();
}
END_TEST

/* ---- ends ---------------------------------------------------------------------------------------- */

START_TEST(kinds_of_ends)
{
    const bool background = _i & 1, killed = _i & 2;
    char dir[] = "/tmp/check_life.XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(dir));
    EZ_FREE char *fifo = ez_sprintf("%s/go", dir);
    ck_assert_int_eq(mkfifo(fifo, 0600), 0);
    int go = open(fifo, O_RDWR);
    EZ_FREE char *args = ez_sprintf("-c 'read x; %s' <%s", killed ? "kill -9 $$" : "exit 35", fifo);
    const struct ez_run how = { .args = args };
    with_program("/bin/sh");
    must(ez_run(t, &how));
    outlived_by_none(t->inf.pid);
    ck_assert_int_eq(t->inf.state, EZ_RUNNING);
    if (background)
        must(ez_continue(t, true, -1));
    ck_assert_int_eq(write(go, "\n", 1), 1);
    UNTIL(t->inf.state == EZ_NONE);
    close(go);
    unlink(fifo);
    rmdir(dir);
    const struct ez_event *ev = last(killed ? EZ_EV_SIGNALED : EZ_EV_EXITED);
    ck_assert_ptr_nonnull(ev);
    ck_assert_int_eq(killed ? ev->sig : ev->status, killed ? SIGKILL : 35);
    ck_assert_int_eq(t->inf.pid, 0);
    ck_assert_int_eq(t->inf.memfd, -1);
    ck_assert_int_eq(t->inf.pidfd, -1);
    close_target();
}
END_TEST

static void works_alone(void)
{
    work(0);
}

START_TEST(an_end_in_the_background)
{
    begin(works_alone, 1);
    attach();
    ck_assert(t->inf.attached && !t->inf.child);
    must(ez_continue(t, true, -1));
    must(ez_continue(t, true, -1)); /* already */
    s->go = 1;
    UNTIL(t->inf.state == EZ_NONE);
    ck_assert_ptr_nonnull(last(EZ_EV_GONE));
    close_target();
}
END_TEST

START_TEST(let_go_and_kill)
{
    begin(works_alone, 1);
    attach();
    must(ez_detach(t));
    ck_assert_int_eq(t->inf.state, EZ_NONE);
    ck_assert_int_eq(status_of(child, "TracerPid: %lu"), 0);
    unsigned long was = s->beat[0];
    while (s->beat[0] == was)
        usleep(100);
    must(ez_attach(t, child, false));
    if (_i)
        must(ez_continue(t, true, -1));
    must(ez_kill(t));
    ck_assert_int_eq(t->inf.state, EZ_NONE);
    int status = 0;
    pid_t got = waitpid(child, &status, 0); /* the engine may have seen it first */
    ck_assert(got < 0 || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
    close_target();
}
END_TEST

/* ---- attaching -------------------------------------------------------------------------------- */

/* Another process traces that thread; its number. */
static pid_t held_by_another(pid_t tid)
{
    int ready[2];
    char c;
    ck_assert_int_eq(pipe(ready), 0);
    pid_t other = fork();
    if (!other) {
        prctl(PR_SET_NAME, "the holder");
        c = ptrace(PTRACE_SEIZE, tid, NULL, NULL) ? 'n' : 'y';
        ck_assert_int_eq(write(ready[1], &c, 1), 1);
        pause();
        _exit(0);
    }
    outlived_by_none(other);
    ck_assert_int_eq(read(ready[0], &c, 1), 1);
    ck_assert_int_eq(c, 'y');
    close(ready[0]);
    close(ready[1]);
    return other;
}

static void *tells_its_number(void *arg)
{
    s->word[0] = (long)syscall(SYS_gettid);
    work(1);
    return arg;
}

static void works_in_two(void)
{
    pthread_t id;
    if (pthread_create(&id, NULL, tells_its_number, NULL))
        _exit(1);
    work(0);
    pthread_join(id, NULL);
}

/* One thread of two is another's: said at once, and the other thread goes on. */
START_TEST(a_thread_that_another_traces)
{
    char text[96];
    begin(works_in_two, 2);
    must(ez_target_create(&t));
    pid_t other = held_by_another((pid_t)s->word[0]);
    snprintf(text, sizeof text,
             "Process %d is already traced by process %d (the holder): detach that one first",
             child, other);
    fails(ez_attach(t, child, false), EZ_E_PERM, "ptrace: Operation not permitted", text);
    ck_assert_int_eq(ez_target_state(t), EZ_NONE);
    works(2);
    kill(other, SIGKILL);
    ck_assert_int_eq(waitpid(other, NULL, 0), other);
    must(ez_attach(t, child, false));
    must(ez_continue(t, false, -1));
    works(2);
    ends_well();
}
END_TEST

START_TEST(what_cannot_be_attached)
{
    char text[96];
    begin(works_alone, 1);
    must(ez_target_create(&t));
    fails(ez_attach(t, getpid(), false), EZ_E_ARG, "I refuse to debug myself!", NULL);
    const pid_t none[] = { 0, -1, 99999999 };
    for (size_t i = 0; i < EZ_ARRAY_LEN(none); i++) {
        snprintf(text, sizeof text, "There is no process %d on this machine", none[i]);
        fails(ez_attach(t, none[i], false), EZ_E_GONE, "ptrace: No such process", text);
    }
    must(ez_attach(t, child, false));
    snprintf(text, sizeof text, "Already debugging process %d", child);
    fails(ez_attach(t, child, false), EZ_E_STATE, text, NULL);
    must(ez_detach(t));
    pid_t other = held_by_another(child);
    snprintf(text, sizeof text,
             "Process %d is already traced by process %d (the holder): detach that one first",
             child, other);
    fails(ez_attach(t, child, false), EZ_E_PERM, "ptrace: Operation not permitted", text);
    ck_assert_int_eq(t->inf.state, EZ_NONE);
    kill(other, SIGKILL);
    ck_assert_int_eq(waitpid(other, NULL, 0), other);
    must(ez_attach(t, child, false)); /* still possible after these failures */
    must(ez_detach(t));
    close_target();
    ends_well();
}
END_TEST

/* ---- following ---------------------------------------------------------------------------------- */

static void *beats(void *arg)
{
    work(1);
    return arg;
}

static void forks(void)
{
    s->ready++;
    while (!s->word[0])
        usleep(100);
    pid_t pid = s->word[0] == 1 ? fork() : vfork();
    if (!pid && s->word[0] == 3)
        _exit(0);
    if (!pid && s->word[0] == 2) {
        execl("/bin/sleep", "sleep", "1000", (char *)NULL);
        _exit(9);
    }
    if (!pid)
        beats(NULL);
    s->word[1] = pid;
    work(0);
}

static bool begins_with(const char *text)
{
    for (size_t i = 0; i < nheard; i++)
        if (heard[i].text && !strncmp(heard[i].text, text, strlen(text)))
            return true;
    return false;
}

enum { FORK = 1, VFORK_EXEC, VFORK_EXIT };

START_TEST(the_child_is_followed)
{
    const int how = _i;
    begin(forks, 1);
    attach();
    t->set.follow_mode = EZ_FOLLOW_CHILD;
    must(ez_continue(t, false, -1));
    s->word[0] = how;
    UNTIL(t->inf.pid != child && t->inf.state == EZ_RUNNING);
    UNTIL(s->word[1]);
    outlived_by_none((pid_t)s->word[1]);
    ck_assert_int_eq(t->inf.pid, s->word[1]);
    EZ_FREE char *said_so = ez_sprintf("[Attaching after process %d %s to child process %d]", child,
                                       how == FORK ? "fork" : "vfork", t->inf.pid);
    EZ_FREE char *left = ez_sprintf("[Inferior 1 (process %d) detached]", child);
    ck_assert(noted(said_so) && noted(left));
    ck_assert_int_eq(status_of(child, "TracerPid: %lu"), 0);
    ck_assert_int_eq(status_line(t->inf.pid, t->inf.pid, "TracerPid: %lu"), getpid());
    ck_assert(!t->session.fork.child && !t->session.fork.stands && !t->session.fork.shares &&
              !t->session.fork.early.n);
    ck_assert(t->inf.attached && !t->inf.child && t->inf.seized);
    unsigned long was = s->beat[0];
    while (s->beat[0] == was)
        usleep(100);
    if (how == FORK) {
        was = s->beat[1];
        UNTIL(s->beat[1] > was);
    }
    must(ez_kill(t));
    close_target();
    ends_well();
}
END_TEST

/* The child ends without an exec: the parent stays the target. */
START_TEST(a_child_that_ends_first)
{
    begin(forks, 1);
    attach();
    t->set.follow_mode = EZ_FOLLOW_CHILD;
    must(ez_continue(t, false, -1));
    s->word[0] = VFORK_EXIT;
    UNTIL(begins_with("[Child process "));
    UNTIL(s->word[1]);
    EZ_FREE char *text =
        ez_sprintf("[Child process %ld ended before it could be followed]", s->word[1]);
    ck_assert(noted(text));
    ck_assert_int_eq(t->inf.pid, child);
    ck_assert(!t->session.fork.child && !t->session.fork.stands);
    works(1);
    ends_well();
}
END_TEST

/* Two forks at once: a child whose first stop comes before its fork's report, and which ends in
 * between, is not the one that is followed, and stops nobody from being followed. */
START_TEST(an_early_child_that_ends)
{
    enum { X = 4194301, Y = 4194302 }; /* no process has these */
    const int stop = PTRACE_EVENT_STOP << 16 | SIGTRAP << 8 | 0x7f;
    must(ez_target_create(&t));
    t->set.follow_mode = EZ_FOLLOW_CHILD;
    must(ez_fork_report(t, X, stop));
    if (_i) {
        must(ez_fork_seen(t, Y, EZ_BORN_FORK));
        must(ez_fork_report(t, Y, stop));
    }
    must(ez_fork_report(t, X, SIGKILL));
    ck_assert_int_eq(t->session.fork.child, _i ? Y : 0);
    ck_assert_int_eq(t->session.fork.stands, _i);
    ck_assert(!begins_with("[Child process "));
    must(ez_fork_seen(t, X, EZ_BORN_FORK));
    hear(0);
    ck_assert(begins_with("[Child process 4194301 ended before"));
    ck_assert_int_eq(t->session.fork.child, _i ? Y : 0);
    ck_assert(!ez_fork_knows(t, X));
    close_target();
}
END_TEST

/* If the parent is let go meanwhile, the child is let go, too. */
START_TEST(nobody_follows)
{
    begin(forks, 1);
    attach();
    t->set.follow_mode = EZ_FOLLOW_CHILD;
    must(ez_continue(t, false, -1));
    s->word[0] = VFORK_EXEC;
    UNTIL(t->session.fork.child || t->inf.pid != child);
    UNTIL(s->word[1]); /* it has exec'ed; heard of or not */
    outlived_by_none((pid_t)s->word[1]);
    must(ez_detach(t));
    ck_assert(!t->session.fork.child && !t->session.fork.early.n);
    UNTIL(!status_of(child, "TracerPid: %lu"));
    kill((pid_t)s->word[1], SIGKILL);
    close_target();
    ends_well();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("life");
    TCase *c = tcase_create("life");
    if (!proc_there("check_life"))
        return 77;
    tcase_set_timeout(c, 30);
    tcase_add_loop_test(c, signals_of_a_program, 0, 2);
    tcase_add_test(c, place_of_a_program);
    tcase_add_test(c, what_cannot_be_run);
    tcase_add_loop_test(c, kinds_of_ends, 0, 4);
    tcase_add_test(c, an_end_in_the_background);
    tcase_add_loop_test(c, let_go_and_kill, 0, 2);
    tcase_add_test(c, what_cannot_be_attached);
    tcase_add_test(c, a_thread_that_another_traces);
    tcase_add_loop_test(c, the_child_is_followed, FORK, VFORK_EXEC + 1);
    tcase_add_test(c, a_child_that_ends_first);
    tcase_add_loop_test(c, an_early_child_that_ends, 0, 2);
    tcase_add_test(c, nobody_follows);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
