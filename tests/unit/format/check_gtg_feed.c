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

static char dir[64], fed[80], master[90]; /* fed.otf                                     */
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
    snprintf(master, sizeof master, "%s.otf", fed);
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

/* Bytes straight into ezt-gtg with these arguments: its status, and what it says. */
static int feed_with(const char *const *argv, const void *bytes, size_t n, char *text, size_t size)
{
    int sv[2], st = 0;
    size_t got = 0;
    ssize_t k;
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sv), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(sv[1], 0);
        dup2(sv[1], 1);
        execv(getenv("EZT_GTG"), (char **)argv);
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

/* A status of 0 or 1, one line, nothing left behind. */
static int feed(const void *bytes, size_t n, char *text, size_t size)
{
    const char *const argv[] = { "ezt-gtg", fed_type, fed, NULL };
    return feed_with(argv, bytes, n, text, size);
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

/* The frames of valid() with one changed: refused, with these words; NULL: taken. */
static const struct {
    int at;
    struct gtg_frame to;
    const char *says;
} wrong[] = {
    { 0, { GTG_V_CONTAINER, 1, 0, GTG_L_PROGRAM, 0, 0 }, "a container's number or level" },
    { 0, { GTG_V_CONTAINER, 0, 0, GTG_LEVELS, 0, 0 }, "a container's number or level" },
    { 0, { GTG_V_CONTAINER, 0, 0, GTG_L_PROCESS, 0, 0 }, "a container's place" },
    { 1, { GTG_V_CONTAINER, 1, 0, GTG_L_PROGRAM, 0, 0 }, "a container's place" },
    { 1, { GTG_V_CONTAINER, 1, 1, GTG_L_PROCESS, 0, 0 }, "a container's place" },
    { 1, { GTG_V_CONTAINER, 1, 0, GTG_L_HOST, 0, 0 }, "a container's parent" }, /* of a thread */
    { 1, { GTG_V_CONTAINER, 1, 0, GTG_L_THREAD, 0, 0 }, "a container's parent" },
    { 2, { GTG_V_CONTAINER, 2, 0, GTG_L_PROCESS, 0, 0 }, NULL },
    { 2, { GTG_V_CONTAINER, 2, 1, GTG_L_PROCESS, 0, 0 }, "a container's parent" },
    { 2, { GTG_V_CONTAINER_END, 1, 0, 0, 0, 0 }, "no such container" },
    { 1, { GTG_V_CONTAINER_END, 0, 0, 0, 0, 0 }, "a container's number or level" },
    { 3, { GTG_V_NAME, 0, 1, GTG_N_STATE, 0, 0 }, "a name's number or kind" },
    { 3, { GTG_V_NAME, 0, 0, GTG_KINDS, 0, 0 }, "a name's number or kind" },
    { 7, { GTG_V_PUSH, 3, 0, 0, 1, 0 }, "no such container" },
    { 7, { GTG_V_PUSH, 2, 4, 0, 1, 0 }, "no such name" },
    { 7, { GTG_V_PUSH, 2, 1, 0, 1, 0 }, "no such name" },
    { 7, { GTG_V_POP, 2, 0, 0, 1, 0 }, "no state is open" },
    { 8, { GTG_V_VAR, 2, 0, 0, 2, 0 }, "no such name" },
    { 9, { GTG_V_LINK_START, 2, 1, GTG_NO_PEER, 3, 0 }, "no such name" },
    { 9, { GTG_V_LINK_START, 2, 2, 3, 3, 0 }, "a link's slot or peer" },
    { 9, { GTG_V_LINK_START, 2, 2, 2, 3, 1 }, "a link's slot or peer" },
    { 10, { GTG_V_LINK_END, 1, 2, 0, 4, 1 }, "the link is not open" },
    { 10, { GTG_V_LINK_START, 2, 2, GTG_NO_PEER, 4, 0 }, "the link is open" },
    { 10, { GTG_V_LINK_START, 2, 2, GTG_NO_PEER, 4, 1 }, "the link is open" }, /* the next one */
    { 10, { GTG_V_CONTAINER_END, 2, 0, 0, 4, 0 }, "no such container" },
    { 12, { GTG_V_EVENT, 2, 2, 0, 5, 0 }, "no such name" },
    { 12, { GTG_V_EVENT, 2, 3, 0, 3, 0 }, "time goes backwards" },
    { 12, { GTG_V_EVENT, 2, 3, 0, 4, 0 }, NULL },
    { 12, { GTG_V_END + 100, 2, 3, 0, 5, 0 }, "no such verb" },
};

START_TEST(one_wrong_order)
{
    struct gtg_frame f[32];
    size_t n = valid(f);
    char text[600];
    f[wrong[_i].at] = wrong[_i].to;
    int st = feed(f, n * sizeof *f, text, sizeof text);
    ck_assert_msg(st == (wrong[_i].says != NULL), "%d: %s", _i, text);
    if (wrong[_i].says)
        ck_assert_msg(strstr(text, wrong[_i].says) != NULL, "%d: %s", _i, text);
}
END_TEST

/* A type by its whole name, of which only Paje's may ask for compression, and one output. */
START_TEST(how_it_is_asked)
{
    static const struct {
        const char *argv[5];
        bool good;
    } asked[] = {
        { { "ezt-gtg", "paje", fed }, true },
        { { "ezt-gtg", "pajez", fed }, true },
        { { "ezt-gtg", "vite", fed }, true },
        { { "ezt-gtg", "otf", fed }, true },
        { { "ezt-gtg" }, false },
        { { "ezt-gtg", "paje" }, false },
        { { "ezt-gtg", "paje", fed, fed }, false },
        { { "ezt-gtg", "", fed }, false },
        { { "ezt-gtg", "paj", fed }, false },
        { { "ezt-gtg", "pajez2", fed }, false },
        { { "ezt-gtg", "vitez", fed }, false },
        { { "ezt-gtg", "otfz", fed }, false },
    };
    struct gtg_frame f[32];
    size_t n = valid(f);
    char text[600];
    unsigned char begin[2];
    for (size_t i = 0; i < EZ_ARRAY_LEN(asked); i++) {
        const char *const *argv = asked[i].argv;
        int st = feed_with(argv, f, n * sizeof *f, text, sizeof text);
        if (!asked[i].good) {
            ck_assert_int_eq(st, 1);
            ck_assert_str_eq(text, "Usage: ezt-gtg paje|vite|otf|pajez OUTPUT\n");
            ck_assert_int_eq(access(fed, F_OK), -1);
            continue;
        }
        ck_assert_msg(st == 0 && strstr(text, "ready\nok ") == text, "%s: %s", argv[1], text);
        FILE *out = fopen(strcmp(argv[1], "otf") ? fed : master, "r");
        ck_assert_ptr_nonnull(out);
        ck_assert_uint_eq(fread(begin, 1, 2, out), 2);
        fclose(out);
        ck_assert_msg((begin[0] == 0x1f && begin[1] == 0x8b) == !strcmp(argv[1], "pajez"), "%s",
                      argv[1]);
        empty();
    }
}
END_TEST

/* Names as long as the folder may hold, with room for what OTF appends, are taken. */
START_TEST(how_long_an_output_may_be)
{
    static const struct {
        const char *type, *end;
        int length; /* of the name's last part */
        const char *says;
    } given[] = {
        { "paje", "", 255, NULL },
        { "paje", "", 256, "File name too long" },
        { "paje", "", 0, "No such file or directory" },
        { "otf", "", 237, NULL },
        { "otf", "", 238, "File name too long" },
        { "otf", ".otf", 241, NULL },
        { "otf", ".otf", 242, "File name too long" },
        { "otf", ".otf", 4, NULL }, /* a name that is nothing else */
    };
    struct gtg_frame f[32];
    size_t n = valid(f);
    char text[600], out[400];
    for (size_t i = 0; i < EZ_ARRAY_LEN(given); i++) {
        int x = given[i].length - (int)strlen(given[i].end), at = snprintf(out, 90, "%s/", dir);
        memset(out + at, 'x', (size_t)x);
        strcpy(out + at + x, given[i].end);
        const char *const argv[] = { "ezt-gtg", given[i].type, out, NULL };
        int st = feed_with(argv, f, n * sizeof *f, text, sizeof text);
        ck_assert_msg(st == (given[i].says != NULL), "%zu: %s", i, text);
        if (given[i].says)
            ck_assert_msg(strstr(text, given[i].says) != NULL, "%zu: %s", i, text);
        empty();
    }
}
END_TEST

/* As ez_newfile_refused(): what is replaced is a regular file, and the new one as private. */
START_TEST(what_is_replaced)
{
    struct gtg_frame f[32];
    size_t n = valid(f);
    char text[600], other[90];
    struct stat st;
    fed_type = (const char *[]){ "paje", "otf" }[_i];
    const char *out = _i ? master : fed;
    ck_assert_int_eq(mkfifo(out, 0600), 0);
    ck_assert_int_eq(feed(f, n * sizeof *f, text, sizeof text), 1);
    ck_assert_ptr_nonnull(strstr(text, "not a regular file"));
    ck_assert_int_eq(lstat(out, &st), 0);
    ck_assert(S_ISFIFO(st.st_mode));
    unlink(out);
    snprintf(other, sizeof other, "%s/other", dir);
    ck_assert_int_eq(mkfifo(other, 0600), 0);
    ck_assert_int_eq(symlink("other", out), 0);
    ck_assert_msg(feed(f, n * sizeof *f, text, sizeof text) == 0, "%s", text);
    ck_assert_int_eq(lstat(out, &st), 0);
    ck_assert(S_ISREG(st.st_mode));
    ck_assert_int_eq(chmod(out, 0640), 0);
    ck_assert_msg(feed(f, n * sizeof *f, text, sizeof text) == 0, "%s", text);
    ck_assert_int_eq(lstat(out, &st), 0);
    ck_assert_int_eq(st.st_mode & 0777, 0640);
    ck_assert_int_eq(lstat(other, &st), 0);
    ck_assert(S_ISFIFO(st.st_mode));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("gtg_feed");
    TCase *c = tcase_create("gtg_feed");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, hostile, 0, 2);
    tcase_add_loop_test(c, one_wrong_order, 0, EZ_ARRAY_LEN(wrong));
    tcase_add_test(c, how_it_is_asked);
    tcase_add_test(c, how_long_an_output_may_be);
    tcase_add_loop_test(c, what_is_replaced, 0, 2);
    suite_add_tcase(s, c);
    return run_suite(s);
}
