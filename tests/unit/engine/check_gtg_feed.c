/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_gtg_feed.c - frames straight into ezt-gtg: whole, cut anywhere, and with wrong
 * words. It ends with status 0 or 1 and one line, leaves nothing half-written, and what
 * it took is a trace that pj_dump takes. EZ_SEED: other wrong words. */
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "engine/base/base.h"
#include "engine/format/gtg/proto.h"
#include "tests/unit/suite.h"

static char dir[64], fed[80];
static bool judged; /* pj_dump is there                                      */

/* Only the output and its parts may be there. */
static void empty(void)
{
    DIR *d = opendir(dir);
    for (struct dirent *e; (e = readdir(d));) {
        ck_assert_msg(strncmp(e->d_name, ".ezt", 4) != 0, "%s stayed", e->d_name);
        unlinkat(dirfd(d), e->d_name, 0);
    }
    closedir(d);
}

static void setup(void)
{
    setenv("EZT_GTG", "./ezt-gtg", 0);
    snprintf(dir, sizeof dir, "check_gtg_feed-%d", getpid());
    snprintf(fed, sizeof fed, "%s/fed", dir);
    ck_assert_int_eq(mkdir(dir, 0700), 0);
    judged = !system("command -v pj_dump >/dev/null");
    if (!judged)
        fprintf(stderr, "skip: no pj_dump\n");
}

static void teardown(void)
{
    empty();
    ck_assert_int_eq(rmdir(dir), 0);
}

static void judge(void)
{
    char cmd[200];
    snprintf(cmd, sizeof cmd, "pj_dump '%s' >/dev/null", fed);
    ck_assert_int_eq(system(cmd), 0);
}

static const char *fed_type = "paje";

/* Bytes straight into ezt-gtg: a status of 0 or 1, one line, nothing left behind. */
static int feed(const void *bytes, size_t n, char *text, size_t size)
{
    int sv[2], st = 0;
    size_t got = 0;
    ssize_t k;
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sv), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(sv[1], 0);
        dup2(sv[1], 1);
        execl(getenv("EZT_GTG"), "ezt-gtg", fed_type, fed, NULL);
        _exit(9);
    }
    close(sv[1]);
    send(sv[0], bytes, n, MSG_NOSIGNAL);
    shutdown(sv[0], SHUT_WR);
    while ((k = read(sv[0], text + got, size - 1 - got)) > 0)
        got += (size_t)k;
    text[got] = 0;
    close(sv[0]);
    waitpid(pid, &st, 0);
    ck_assert_msg(WIFEXITED(st), "killed by %d", WTERMSIG(st));
    return WEXITSTATUS(st);
}

static size_t valid(struct gtg_frame *f)
{
    const struct gtg_frame story[] = {
        { GTG_V_CONTAINER, 0, 0, GTG_L_PROGRAM, 0, 0 },
        { GTG_V_CONTAINER, 1, 0, GTG_L_PROCESS, 0, 0 },
        { GTG_V_CONTAINER, 2, 1, GTG_L_THREAD, 0, 0 },
        { GTG_V_NAME, 0, 0, GTG_N_STATE, 0, 0 },
        { GTG_V_NAME, 0, 1, GTG_N_VAR, 0, 0 },
        { GTG_V_NAME, 0, 2, GTG_N_LINK, 0, 0 },
        { GTG_V_NAME, 0, 3, GTG_N_EVENT, 0, 0 },
        { GTG_V_PUSH, 2, 0, 0, 1, 0 },
        { GTG_V_VAR, 2, 1, 0, 2, 0 },
        { GTG_V_LINK_START, 2, 2, GTG_NO_PEER, 3, 0 },
        { GTG_V_LINK_END, 1, 2, 0, 4, 0 },
        { GTG_V_LINK_START, 2, 2, 2, 4, 0 }, /* stays open */
        { GTG_V_EVENT, 2, 3, 0, 5, 0 },
        { GTG_V_POP, 2, 0, 0, 6, 0 },
        { GTG_V_PUSH, 2, 0, 0, 7, 0 }, /* stays open */
        { GTG_V_END, 0, 0, 0, 8, 0 },
    };
    memcpy(f, story, sizeof story);
    return EZ_ARRAY_LEN(story);
}

START_TEST(hostile)
{
    struct gtg_frame f[32];
    char text[600];
    unsigned good = 0;
    fed_type = (const char *[]){ "paje", "otf" }[_i];
    size_t n = valid(f);
    ck_assert_msg(feed(f, n * sizeof *f, text, sizeof text) == 0, "%s", text);
    ck_assert_msg(strstr(text, "ready\nok ") == text, "%s", text);
    if (_i == 0 && judged)
        judge();
    empty();
    for (size_t cut = 0; cut < n * sizeof *f; cut += 5) {
        ck_assert_int_eq(feed(f, cut, text, sizeof text), 1);
        ck_assert_msg(strstr(text, "ended early") != NULL, "%s", text);
    }
    srand(getenv("EZ_SEED") ? (unsigned)atoi(getenv("EZ_SEED")) : 42);
    for (int round = 0; round < 300; round++) {
        valid(f);
        uint32_t *word = (uint32_t *)f + (size_t)rand() % (n * sizeof *f / 4);
        *word = rand() % 3 ? (uint32_t)rand() % 12 : ~0u - (uint32_t)rand() % 3;
        int st = feed(f, n * sizeof *f, text, sizeof text);
        ck_assert_msg(st == 0 || st == 1, "status %d: %s", st, text);
        ck_assert_msg(strstr(text, "libgtg") == NULL, "%s", text); /* libgtg has not seen it */
        good += st == 0;
        if (st == 0 && _i == 0 && judged)
            judge();
        empty();
    }
    ck_assert_uint_gt(good, 20);
    ck_assert_uint_lt(good, 280);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("gtg_feed");
    TCase *c = tcase_create("gtg_feed");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, hostile, 0, 2);
    suite_add_tcase(s, c);
    return run_suite(s);
}
