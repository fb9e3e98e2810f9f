/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_long.c - commands that take long, on a terminal: the bar, and Ctrl-C.
 *
 * The program under test is $EZTSH, or ./eztsh. */
#include <check.h>
#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "config.h"
#include "engine/trace/columns.h"
#include "tests/unit/trace_file.h"
#include "tests/unit/shell/pty.h"
#include "tests/unit/suite.h"

enum { CALLS = 3000000, AT_ONCE = 4096 };

static struct pty p;
static char folder[64], path[128], line[512];

#define EXPECT(text) ck_assert_msg(pty_expect(&p, text), "no <%s>", text)
#define PROMPT "(eztsh) "

/* One long trace for all tests. */
static void setup(void)
{
    static struct ez_rec r[AT_ONCE];
    snprintf(folder, sizeof folder, "check_long-%d", getpid());
    snprintf(path, sizeof path, "%s/long.fxt", folder);
    ck_assert(!mkdir(folder, 0777));
    struct ez_fxt_out *f = tf_open(path, 42);
    tf_probe(f, 0, TF_BOTH, "f", "app");
    for (uint64_t n = 0; n < 2 * CALLS; n += AT_ONCE) {
        for (uint64_t i = 0; i < AT_ONCE; i++)
            r[i] = tf_rec(1000 + 10 * (n + i), 42, 0, i & 1);
        tf_ok(tf_append(f, r, AT_ONCE));
    }
    tf_ok(ez_fxt_out_close(f));
}

static void teardown(void)
{
    unlink(path);
    rmdir(folder);
}

/* A shell whose terminal can move its cursor, unless it is called dumb. */
static void begin(const char *term)
{
    char *eztsh = getenv("EZTSH"), set[32];
    snprintf(set, sizeof set, "TERM=%s", term);
    char *argv[] = { (char *)"env", set,           eztsh ? eztsh : (char *)"./eztsh",
                     (char *)"-q",  (char *)"-nx", NULL };
    pty_spawn(&p, argv);
    EXPECT(PROMPT);
}

static void leave(void)
{
    pty_send(&p, "quit\r");
    int status = pty_close(&p);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status 0x%x", status);
}

static void type(const char *text)
{
    pty_send(&p, text);
    pty_send(&p, "\r");
}

/* How many files the folder holds; the trace is one of them. */
static size_t files(void)
{
    glob_t g;
    char all[80];
    snprintf(all, sizeof all, "%s/*", folder);
    size_t n = glob(all, 0, NULL, &g) ? 0 : g.gl_pathc;
    snprintf(all, sizeof all, "%s/.[!.]*", folder);
    glob_t h;
    n += glob(all, 0, NULL, &h) ? 0 : h.gl_pathc;
    globfree(&g);
    globfree(&h);
    return n;
}

/* Ctrl-C ends the command while it writes, or in its first reading of the trace. */
static void interrupted(const char *command, bool writing)
{
    type(command);
    EXPECT(writing ? "% [" : "events/s");
    pty_send(&p, "\003");
    EXPECT("\r\033[KInterrupted.\r\n");
    EXPECT(PROMPT);
    ck_assert_uint_eq(files(), 1);
}

START_TEST(ctrl_c_ends_the_reading)
{
    begin("xterm");
    snprintf(line, sizeof line, "stats %s", path);
    interrupted(line, false);
    snprintf(line, sizeof line, "timeline %s", path);
    interrupted(line, true);
    leave();
}
END_TEST

/* The headings from `first` on, as a sentence has them. */
static char *headings_from(const char *first)
{
    const struct ez_column *c;
    char *all = ez_strdup("");
    for (size_t i = 0; (c = ez_column_in_table(i)); i++) {
        if (!*all && strcmp(c->heading, first))
            continue;
        EZ_FREE char *before = all;
        all = ez_sprintf("%s%s%s", before, *before ? ", " : "", c->heading);
    }
    return all;
}

/* Rows do not wrap, and what is left out for that is named. */
START_TEST(stats_fit_the_terminal)
{
    begin("xterm");
    type("set width 70");
    EXPECT(PROMPT);
    snprintf(line, sizeof line, "stats %s -to 1ms", path);
    type(line);
    EXPECT("Mean\r\n");
    EZ_FREE char *left_out = headings_from("Min");
    snprintf(line, sizeof line, "no room for: %s (-wide).", left_out);
    EXPECT(line);
    EXPECT(PROMPT);
    snprintf(line, sizeof line, "stats -wide %s -to 1ms", path);
    type(line);
    EXPECT("Max\r\n");
    EXPECT(PROMPT);
    leave();
}
END_TEST

START_TEST(ctrl_c_leaves_no_output)
{
    static const char *const ends[] = { "json.gz",         "csv",       "folded",
                                        "speedscope.json", "callgrind", "html" };
    begin("xterm");
    for (size_t i = 0; i < EZ_ARRAY_LEN(ends); i++) {
        if (!strcmp(ends[i], "html") && access(EZ_D3_JS, R_OK)) {
            printf("skip - check_long: d3 is not here\n");
            continue;
        }
        snprintf(line, sizeof line, "convert %s -o %s/o.%s", path, folder, ends[i]);
        interrupted(line, true);
    }
    leave();
}
END_TEST

/* The helper is not ended by the terminal's Ctrl-C, which goes to all in the foreground:
 * the shell hangs up on it, and waits. */
START_TEST(ctrl_c_ends_the_helper)
{
    char script[128], was[128], *gtg = getenv("EZT_GTG");
    snprintf(script, sizeof script, "check_long-%d.sh", getpid());
    snprintf(was, sizeof was, "check_long-%d.pid", getpid());
    FILE *f = fopen(script, "w");
    fprintf(f, "#!/bin/sh\necho $$ >%s\nexec '%s' \"$@\"\n", was, gtg ? gtg : "./ezt-gtg");
    ck_assert(!fclose(f) && !chmod(script, 0755));
    char *here = realpath(script, NULL);
    setenv("EZT_GTG", here, 1);
    free(here);
    begin("xterm");
    snprintf(line, sizeof line, "convert %s -o %s/o.trace", path, folder);
    interrupted(line, true);
    int pid = 0;
    f = fopen(was, "r");
    ck_assert(f && fscanf(f, "%d", &pid) == 1 && pid > 0);
    fclose(f);
    ck_assert(kill(pid, 0) && errno == ESRCH);
    unlink(script);
    unlink(was);
    leave();
}
END_TEST

START_TEST(the_bar_goes_away)
{
    begin("xterm");
    snprintf(line, sizeof line, "convert %s -o %s/o.folded", path, folder);
    type(line);
    EXPECT("] ");
    EXPECT(" M events/s\033[K");
    EXPECT("\r\033[K");
    EXPECT("o.folded: 6000");
    EXPECT(PROMPT);
    snprintf(line, sizeof line, "%s/o.folded", folder);
    unlink(line);
    leave();
}
END_TEST

START_TEST(no_bar_on_a_dumb_terminal)
{
    begin("dumb");
    snprintf(line, sizeof line, "stats %s", path);
    type(line);
    ck_assert(!pty_shows(&p, "events/s", 3000));
    leave();
}
END_TEST

/* `stats -live` erases no line of the program where the program writes to the same terminal. */
static void live(const char *args, bool replaced)
{
    char cmd[200];
    begin("xterm");
    type("set confirm off");
    EXPECT(PROMPT);
    snprintf(cmd, sizeof cmd, "trace %s/live.fxt", folder);
    type(cmd);
    EXPECT(PROMPT);
    type("file tests/targets/p_loop");
    EXPECT(PROMPT);
    snprintf(cmd, sizeof cmd, "set args %s/stop %s", folder, args);
    type(cmd);
    EXPECT(PROMPT);
    type("start");
    EXPECT(PROMPT);
    type("probe pulse");
    EXPECT(PROMPT);
    type("continue &");
    EXPECT(PROMPT);
    type("stats -live");
    EXPECT(" 1 thread.");
    EXPECT(" 1 thread.");
    pty_send(&p, "\003");
    EXPECT("Quit");
    p.buf[p.n] = '\0';
    ck_assert_int_eq(strstr(p.buf, "A\033[J") != NULL, replaced);
    EXPECT(PROMPT);
    leave();
    snprintf(cmd, sizeof cmd, "%s/live.fxt", folder);
    unlink(cmd);
}

START_TEST(live_tables)
{
    live("1 >/dev/null 2>&1", true);
    live("1", false);
}
END_TEST

int main(void)
{
    if (!pty_there("check_long"))
        return 77;
    Suite *s = suite_create("long");
    TCase *t = tcase_create("terminal");
    tcase_set_timeout(t, 120);
    tcase_add_unchecked_fixture(t, setup, teardown);
    tcase_add_test(t, ctrl_c_ends_the_reading);
    tcase_add_test(t, ctrl_c_leaves_no_output);
    tcase_add_test(t, stats_fit_the_terminal);
    tcase_add_test(t, ctrl_c_ends_the_helper);
    tcase_add_test(t, the_bar_goes_away);
    tcase_add_test(t, no_bar_on_a_dumb_terminal);
    tcase_add_test(t, live_tables);
    suite_add_tcase(s, t);
    return run_suite(s);
}
