/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_repl.c - eztsh as a person meets it: on a terminal, whose modes and process
 * group it gives back (fault 56).
 *
 * The program under test is $EZTSH, or ./eztsh. */
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "tests/unit/shell/pty.h"
#include "tests/unit/suite.h"

static struct pty p;

#define EXPECT(text) ck_assert_msg(pty_expect(&p, text), "no <%s>", text)
#define PROMPT "(eztsh) "

static void begin(void)
{
    char *eztsh = getenv("EZTSH");
    char *argv[] = { eztsh ? eztsh : "./eztsh", "-q", "-nx", NULL };
    pty_spawn(&p, argv);
    EXPECT(PROMPT);
}

static void leave(void)
{
    pty_send(&p, "quit\r");
    int status = pty_close(&p);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status 0x%x", status);
}

/* Send a line and see it come back before its answer. */
static void type(const char *line)
{
    pty_send(&p, line);
    EXPECT(line);
    pty_send(&p, "\r");
}

static void program(const char *path)
{
    char line[128];
    begin();
    snprintf(line, sizeof line, "file %s", path);
    type(line);
    EXPECT(PROMPT);
}

START_TEST(answers_and_errors)
{
    begin();
    type("foo");
    EXPECT("Undefined command: \"foo\".  Try \"help\".");
    EXPECT(PROMPT);
    type("continue");
    EXPECT("The program is not being run.");
    EXPECT(PROMPT);
    type("set prompt (probe) ");
    EXPECT("(probe) ");
    leave();
}
END_TEST

/* Blocks have a prompt of their own; Ctrl-C leaves one that is typed, and one that runs for ever. */
START_TEST(blocks)
{
    begin();
    type("while 1");
    EXPECT(">");
    pty_send(&p, "\003");
    EXPECT("Quit");
    EXPECT(PROMPT);
    type("define forever");
    EXPECT("Type commands for definition of \"forever\".");
    EXPECT("End with a line saying just \"end\".");
    EXPECT(">");
    type("output 40 + 2"); /* it runs: a Ctrl-C before that would take the typed line away */
    EXPECT(">");
    type("while 1");
    EXPECT(">");
    type("end");
    EXPECT(">");
    type("end");
    EXPECT(PROMPT);
    type("forever");
    EXPECT("42");
    pty_send(&p, "\003");
    EXPECT("Quit");
    EXPECT(PROMPT);
    type("output 6 * 8");
    EXPECT("48");
    leave();
}
END_TEST

/* Where the terminal has them: errors are red, heads of tables bold. */
START_TEST(colours)
{
    char *eztsh = getenv("EZTSH");
    char *argv[] = { "env", "-u",  "NO_COLOR", "TERM=xterm", eztsh ? eztsh : "./eztsh",
                     "-q",  "-nx", NULL };
    pty_spawn(&p, argv);
    EXPECT(PROMPT);
    type("foo");
    EXPECT("\033[31mUndefined command: \"foo\".  Try \"help\".\033[m");
    EXPECT(PROMPT);
    type("info signals SIGINT");
    EXPECT("\033[1mSignal");
    EXPECT(PROMPT);
    type("set style enabled off");
    EXPECT(PROMPT);
    type("bar");
    EXPECT("\rUndefined command: \"bar\"");
    leave();
}
END_TEST

/* The shell begins with its version and where help is, and prints nothing after `quit`. */
START_TEST(begins_and_ends)
{
    char *eztsh = getenv("EZTSH");
    char *argv[] = { eztsh ? eztsh : "./eztsh", "-nx", NULL };
    pty_spawn(&p, argv);
    EXPECT("For help, type \"help\".");
    EXPECT(PROMPT);
    leave();
    ck_assert_msg(!strstr(p.buf + p.seen, PROMPT), "a prompt after quit");
}
END_TEST

START_TEST(completes_on_tab)
{
    begin();
    pty_send(&p, "show pag\t\r");
    EXPECT("show pagination");
    EXPECT("State of pagination is on.");
    EXPECT(PROMPT);
    pty_send(&p, "info s\t\t");
    EXPECT("sharedlibrary");
    EXPECT("symbol");
    pty_send(&p, "\003");
    EXPECT("Quit");
    leave();
}
END_TEST

START_TEST(keeps_history)
{
    begin();
    type("echo one\\n");
    EXPECT("one");
    EXPECT(PROMPT);
    pty_send(&p, "\020\r"); /* Ctrl-P: the line before */
    EXPECT("echo one\\n");
    EXPECT("one");
    EXPECT(PROMPT);
    leave();
}
END_TEST

/* No more lines than the setting says; 0 = all. The oldest is where Ctrl-P leads in the end. A line that
 * is given twice is kept once. */
START_TEST(history_has_a_size)
{
    begin();
    type("show confirm");
    EXPECT("operations is on.");
    EXPECT(PROMPT);
    type("set history size 2");
    EXPECT(PROMPT);
    type("show pagination");
    EXPECT("pagination is on.");
    EXPECT(PROMPT);
    for (int i = 0; i < 2; i++) {
        type("show width");
        EXPECT("in a line");
        EXPECT(PROMPT);
    }
    pty_send(&p, "\020\020\020\020\020\r");
    EXPECT("State of pagination is on.");
    EXPECT(PROMPT);
    type("set history size 0");
    EXPECT(PROMPT);
    type("show confirm");
    EXPECT("operations is on.");
    EXPECT(PROMPT);
    type("show width");
    EXPECT("in a line");
    EXPECT(PROMPT);
    pty_send(&p, "\020\020\020\020\020\020\r"); /* behind it: the two that were kept */
    EXPECT("State of pagination is on.");
    EXPECT(PROMPT);
    leave();
}
END_TEST

START_TEST(empty_line_repeats)
{
    begin();
    type("show confirm");
    EXPECT("operations is on.");
    EXPECT(PROMPT);
    pty_send(&p, "\r");
    EXPECT("operations is on.");
    EXPECT(PROMPT);
    type("set confirm off"); /* an empty line does not repeat this one */
    EXPECT(PROMPT);
    pty_send(&p, "\r");
    EXPECT(PROMPT);
    ck_assert(!pty_shows(&p, "operations is", 200));
    leave();
}
END_TEST

START_TEST(ctrl_c_discards_the_line)
{
    begin();
    pty_send(&p, "kill the line");
    EXPECT("kill the line");
    pty_send(&p, "\003");
    EXPECT("Quit");
    EXPECT(PROMPT);
    pty_send(&p, "\r"); /* nothing of the discarded line is left */
    EXPECT(PROMPT);
    ck_assert(!pty_shows(&p, "not being run", 200));
    type("echo alive\\n");
    EXPECT("alive");
    leave();
}
END_TEST

START_TEST(ctrl_d_quits)
{
    begin();
    pty_send(&p, "\004");
    EXPECT("quit");
    int status = pty_close(&p);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status 0x%x", status);
}
END_TEST

START_TEST(quit_gives_its_status)
{
    begin();
    pty_send(&p, "quit 7\r");
    int status = pty_close(&p);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 7, "status 0x%x", status);
}
END_TEST

/* A terminal at one end alone: no prompt, no editor, and no end but the input's. */
START_TEST(half_a_terminal)
{
    static const char *const half[] = {
        "\"${EZTSH:-./eztsh}\" -q -nx | cat; echo over",
        "echo show args | \"${EZTSH:-./eztsh}\" -q -nx; echo over"
    };
    char *argv[] = { "sh", "-c", (char *)half[_i], NULL };
    pty_spawn(&p, argv);
    if (_i == 0)
        pty_send(&p, "show args\r\004");
    EXPECT("Argument list");
    EXPECT("over");
    int status = pty_close(&p);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status 0x%x", status);
    p.buf[p.n < sizeof p.buf ? p.n : sizeof p.buf - 1] = 0;
    ck_assert_msg(!strstr(p.buf, PROMPT), "%s", p.buf);
}
END_TEST

START_TEST(sigterm_ends_it)
{
    begin();
    kill(p.pid, SIGTERM);
    int status = pty_close(&p);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 143, "status 0x%x", status);
}
END_TEST

static unsigned lines(size_t from, size_t to)
{
    unsigned n = 0;
    for (size_t i = from; i < to; i++)
        n += p.buf[i] == '\n';
    return n;
}

/* A page fits the screen, with the question in its last line. */
START_TEST(a_page_is_as_high_as_the_screen)
{
    begin();
    type("set height 6");
    EXPECT(PROMPT);
    type("help all");
    EXPECT("\n"); /* the end of the line that was typed */
    for (int page = 0; page < 3; page++) {
        size_t from = p.seen;
        EXPECT("--Type <RET>");
        ck_assert_uint_eq(lines(from, p.seen), 5);
        EXPECT("paging--");
        pty_send(&p, "\r");
        EXPECT("\n");
    }
    EXPECT("--Type <RET>");
    pty_send(&p, "q\r");
    EXPECT(PROMPT);
    leave();
}
END_TEST

START_TEST(pages)
{
    begin();
    type("help all");
    EXPECT("--Type <RET> for more, q to quit, c to continue without paging--");
    pty_send(&p, "q\r");
    EXPECT("Quit");
    EXPECT(PROMPT);
    type("set height 0");
    EXPECT(PROMPT);
    type("help all");
    EXPECT("trace -- ");
    EXPECT(PROMPT);
    leave();
}
END_TEST

START_TEST(asks_before_deleting)
{
    program("/bin/sleep");
    type("delete"); /* silent when there is no probe */
    EXPECT(PROMPT);
    type("probe no_such_library:f");
    EXPECT("Probe 1 (no_such_library:f) pending");
    EXPECT(PROMPT);
    type("delete");
    EXPECT("Delete all probes? (y or n) ");
    pty_send(&p, "n\r");
    EXPECT(PROMPT);
    type("info probes");
    EXPECT("pending");
    EXPECT(PROMPT);
    pty_send(&p, "delete\ry\r");
    EXPECT("(y or n) ");
    EXPECT(PROMPT);
    type("info probes");
    EXPECT("No probes.");
    leave();
}
END_TEST

START_TEST(asks_before_replacing)
{
    program("/bin/sleep");
    type("define pwd");
    EXPECT("Really redefine built-in command \"pwd\"? (y or n) ");
    pty_send(&p, "n\r");
    EXPECT("Command \"pwd\" not redefined.");
    EXPECT(PROMPT);
    type("tp no_such_library:f");
    EXPECT(PROMPT);
    type("tstart");
    EXPECT(PROMPT);
    type("tstart");
    EXPECT("Start a new run? (y or n) ");
    pty_send(&p, "n\r");
    EXPECT("New trace run not started.");
    EXPECT(PROMPT);
    leave();
}
END_TEST

START_TEST(terminal_is_left_as_it_was)
{
    begin();
    type("shell stty -a | grep -o -e '-*icanon' -e '-*echo '");
    EXPECT("icanon");
    EXPECT(PROMPT);
    leave();
}
END_TEST

START_TEST(ctrl_z_gives_the_terminal_back)
{
    int status;
    struct termios modes;
    begin();
    pty_send(&p, "echo half");
    EXPECT("echo half");
    pty_send(&p, "\032");
    ck_assert_int_eq(waitpid(p.pid, &status, WUNTRACED), p.pid);
    ck_assert(WIFSTOPPED(status));
    ck_assert_int_eq(tcgetattr(p.fd, &modes), 0);
    ck_assert_uint_eq(modes.c_lflag & (ICANON | ECHO), ICANON | ECHO);
    kill(p.pid, SIGCONT);
    EXPECT(PROMPT);
    pty_send(&p, "way\r"); /* the line being typed is still there */
    EXPECT("halfway");
    EXPECT("halfway");
    leave();
}
END_TEST

/* ---- with a target ------------------------------------------------------------------ */

START_TEST(target_has_the_terminal)
{
    program("/bin/cat");
    type("run");
    EXPECT("bin/cat");
    pty_send(&p, "to cat\r");
    EXPECT("to cat\r\nto cat\r\n"); /* the terminal's echo, then cat's */
    pty_send(&p, "\003");
    EXPECT("\r\nProgram received signal SIGINT, Interrupt.\r\n");
    EXPECT(PROMPT);
    type("continue");
    EXPECT("Continuing.");
    pty_send(&p, "again\r");
    EXPECT("again\r\nagain\r\n");
    pty_send(&p, "\004");
    EXPECT("exited normally]");
    EXPECT(PROMPT);
    leave();
}
END_TEST

START_TEST(notice_while_typing)
{
    char fifo[64], line[128];
    snprintf(fifo, sizeof fifo, "check_repl-%d.fifo", getpid());
    ck_assert(!mkfifo(fifo, 0600));
    program("/bin/sh");
    snprintf(line, sizeof line, "run -c 'echo up; read word <%s'", fifo);
    type(line);
    EXPECT("\r\nup\r\n");
    pty_send(&p, "\003");
    EXPECT("Interrupt.");
    EXPECT(PROMPT);
    type("continue &");
    EXPECT("Continuing.");
    EXPECT(PROMPT);
    pty_send(&p, "echo whole"); /* the line is not entered yet */
    EXPECT("echo whole");
    FILE *f = fopen(fifo, "w"); /* the program ends now */
    ck_assert_ptr_nonnull(f);
    fputs("go\n", f);
    fclose(f);
    unlink(fifo);
    EXPECT("exited normally]");
    EXPECT("echo whole"); /* shown again under the notice */
    pty_send(&p, " line\\n\r");
    EXPECT("\r\nwhole line");
    leave();
}
END_TEST

START_TEST(ctrl_d_asks_about_a_live_target)
{
    program("/bin/sh");
    type("run -c 'echo up; exec sleep 100'");
    EXPECT("\r\nup\r\n");
    pty_send(&p, "\003");
    EXPECT("Interrupt.");
    EXPECT(PROMPT);
    type("run 5");
    EXPECT("The program being debugged has been started already.");
    EXPECT("Start it from the beginning? (y or n) ");
    pty_send(&p, "n\r");
    EXPECT("Program not restarted.");
    EXPECT(PROMPT);
    pty_send(&p, "\004");
    EXPECT("quit");
    EXPECT("A debugging session is active.");
    EXPECT("will be killed.");
    EXPECT("Quit anyway? (y or n) ");
    pty_send(&p, "n\r");
    EXPECT("Not confirmed.");
    EXPECT(PROMPT);
    pty_send(&p, "\004");
    EXPECT("Quit anyway? (y or n) ");
    pty_send(&p, "\004");
    EXPECT("EOF [assumed Y]");
    int status = pty_close(&p);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status 0x%x", status);
}
END_TEST

/* The terminal has 200 columns. */
START_TEST(tables_fit_the_terminal)
{
    static const char name[] = "a_very_long_name_indeed_that_goes_on_and_on";
    FILE *f = fopen("check_repl-long.c", "w");
    ck_assert_ptr_nonnull(f);
    fprintf(f, "int %s", name);
    for (int i = 0; i < 5; i++)
        fprintf(f, "_%s", name + 1);
    fprintf(f, "_end(void) { return 0; }\nint main(void) { return 0; }\n");
    fclose(f);
    int rc = system("${CC:-cc} -o check_repl-long check_repl-long.c");
    unlink("check_repl-long.c");
    ck_assert_int_eq(rc, 0);
    program("check_repl-long");
    type("probe -count -r ^a_very");
    EXPECT(PROMPT);
    type("start");
    EXPECT(PROMPT);
    type("info probes");
    EXPECT("a_very_long");
    EXPECT("...");
    EXPECT("and_on_end  check_repl-long  jump");
    EXPECT(PROMPT);
    type("info probes -wide");
    EXPECT("goes_on_and_on__very_long_name_indeed_that_goes_on_and_on__very");
    EXPECT(PROMPT);
    unlink("check_repl-long");
    type("set confirm off");
    EXPECT(PROMPT);
    leave();
}
END_TEST

/* As in gdb: no is the answer that is meant if nothing is typed, and then nothing else is said. */
START_TEST(asks_whether_a_breakpoint_may_wait)
{
    const char *question = "Make breakpoint pending on future shared library load? (y or [n]) ";
    program("/bin/true");
    type("break nowhere if x > 3");
    EXPECT("Function \"nowhere\" not defined.");
    EXPECT(question);
    type("maybe");
    EXPECT("Please answer y or [n].");
    EXPECT(question);
    pty_send(&p, "\r");
    EXPECT("\r\n" PROMPT);
    type("break nowhere");
    EXPECT(question);
    pty_send(&p, "\004");
    EXPECT("EOF [assumed N]");
    EXPECT(PROMPT);
    type("break nowhere");
    EXPECT(question);
    pty_send(&p, "\003");
    EXPECT("Quit");
    EXPECT(PROMPT);
    type("break nowhere");
    EXPECT(question);
    type("n");
    EXPECT("\r\n" PROMPT);
    type("info breakpoints");
    EXPECT("No breakpoints or watchpoints.");
    type("tbreak nowhere if x > 3");
    EXPECT(question);
    type("y");
    EXPECT("Temporary breakpoint 1 (nowhere) pending.");
    type("info breakpoints");
    EXPECT("<PENDING>          nowhere");
    EXPECT("stop only if x > 3");
    type("set breakpoint pending off");
    EXPECT(PROMPT);
    type("break nowhere2");
    EXPECT("Function \"nowhere2\" not defined.");
    EXPECT(PROMPT);
    leave();
}
END_TEST

int main(void)
{
    if (!pty_there("check_repl"))
        return 77;
    Suite *s = suite_create("repl");
    TCase *t = tcase_create("terminal");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, answers_and_errors);
    tcase_add_test(t, blocks);
    tcase_add_test(t, colours);
    tcase_add_test(t, begins_and_ends);
    tcase_add_test(t, completes_on_tab);
    tcase_add_test(t, keeps_history);
    tcase_add_test(t, history_has_a_size);
    tcase_add_test(t, empty_line_repeats);
    tcase_add_test(t, ctrl_c_discards_the_line);
    tcase_add_test(t, ctrl_d_quits);
    tcase_add_test(t, quit_gives_its_status);
    tcase_add_test(t, sigterm_ends_it);
    tcase_add_loop_test(t, half_a_terminal, 0, 2);
    tcase_add_test(t, pages);
    tcase_add_test(t, a_page_is_as_high_as_the_screen);
    tcase_add_test(t, asks_before_deleting);
    tcase_add_test(t, terminal_is_left_as_it_was);
    tcase_add_test(t, ctrl_z_gives_the_terminal_back);
    tcase_add_test(t, target_has_the_terminal);
    tcase_add_test(t, notice_while_typing);
    tcase_add_test(t, tables_fit_the_terminal);
    tcase_add_test(t, ctrl_d_asks_about_a_live_target);
    tcase_add_test(t, asks_whether_a_breakpoint_may_wait);
    tcase_add_test(t, asks_before_replacing);
    suite_add_tcase(s, t);
    return run_suite(s);
}
