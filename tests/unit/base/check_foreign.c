/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_foreign.c - files that are not what they were, or never were files. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "engine/base/confine.h"
#include "engine/base/foreign.h"
#include "engine/sym/sym.h"
#include "tests/unit/suite.h"

static char path[64];

static void setup(void)
{
    snprintf(path, sizeof path, "check_foreign-%d", getpid());
}

static void teardown(void)
{
    unlink(path);
}

static struct ez_foreign *opened(void)
{
    struct ez_foreign *f = NULL;
    ez_err *e = ez_foreign_open(path, path, &f);
    ck_assert_msg(!e, "%s", e ? e->msg : "");
    return f;
}

static int make(const char *text)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ck_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    return fd;
}

static void refused(const char *what, enum ez_code code)
{
    struct ez_foreign *f;
    ez_err *e = ez_foreign_open(what, what, &f);
    ck_assert(e && e->code == code);
    ez_err_free(e);
}

START_TEST(only_files_are_opened)
{
    refused("/dev/zero", EZ_E_FORMAT);
    refused(".", EZ_E_FORMAT);
    refused("/no/such/file", EZ_E_NOTFOUND);
    ck_assert_int_eq(mkfifo(path, 0600), 0); /* no writer will ever come */
    refused(path, EZ_E_FORMAT);
}
END_TEST

START_TEST(what_was_read_stays)
{
    EZ_CLOSE int fd = make("0123456789");
    struct ez_foreign *f = opened();
    char some[4];
    const uint8_t *all = ez_foreign_part(f, 0, 10), *end = ez_foreign_part(f, 7, 3);
    ck_assert(all && end == all + 7); /* one copy */
    ck_assert_uint_eq(ez_foreign_read(f, 8, some, sizeof some), 2);
    ck_assert(!ez_foreign_part(f, 8, 3) && !ez_foreign_part(f, 11, 0));
    ck_assert(!ez_foreign_changed(f));
    ck_assert_int_eq(ftruncate(fd, 4), 0);
    ck_assert(ez_foreign_changed(f));
    ck_assert(!memcmp(all, "0123456789", 10) && ez_foreign_part(f, 2, 8) == all + 2);
    ez_foreign_close(f);
}
END_TEST

START_TEST(what_was_not_is_not_mixed)
{
    EZ_CLOSE int fd = make("0123456789");
    struct ez_foreign *f = opened();
    char some[4];
    ck_assert_int_eq(pwrite(fd, "ab", 2, 20), 2);
    ck_assert_ptr_null(ez_foreign_part(f, 0, 4));
    ck_assert_uint_eq(ez_foreign_read(f, 0, some, sizeof some), 0);
    ez_err *e = ez_foreign_trouble(f);
    ck_assert(e && strstr(e->msg, "has changed"));
    ez_err_free(e);
    ez_foreign_close(f);
}
END_TEST

START_TEST(holes_are_not_read)
{
    EZ_CLOSE int fd = make("0123456789");
    ck_assert_int_eq(ftruncate(fd, 100ll << 30), 0);
    struct ez_foreign *f = opened();
    ck_assert_ptr_null(ez_foreign_part(f, 0, 99ull << 30));
    ez_err *e = ez_foreign_trouble(f);
    ck_assert(e && strstr(e->msg, "too large"));
    ez_err_free(e);
    ck_assert(ez_foreign_part(f, 50ull << 30, 4096)); /* the rest may be had */
    ez_foreign_close(f);
}
END_TEST

static bool at_once(void *arg)
{
    return ++*(int *)arg;
}

START_TEST(it_can_be_interrupted)
{
    int times = 0;
    struct ez_object *o;
    ez_foreign_on_wait(at_once, &times);
    ez_err *e = ez_object_open("/proc/self/exe", NULL, &o);
    ck_assert(e && e->code == EZ_E_QUIT && times == 1);
    ez_err_free(e);
    ez_foreign_on_wait(NULL, NULL);
    ck_assert(!ez_foreign_stopped());
}
END_TEST

/* More files than descriptors: those beyond are opened again when they are needed. */
START_TEST(descriptors_are_few)
{
    enum { MANY = 60 };
    struct rlimit few = { 40, 40 };
    struct ez_object *o[MANY];
    uint8_t code;
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    for (int i = 0; i < MANY; i++) {
        ez_err *e = ez_object_open("/proc/self/exe", NULL, &o[i]);
        ck_assert_msg(!e, "%s", e ? e->msg : "");
    }
    uint64_t entry = ez_object_entry(o[MANY - 1]);
    ck_assert_uint_eq(ez_object_read_text(o[MANY - 1], entry, &code, 1), 1);
    for (int i = 0; i < MANY; i++)
        ez_object_close(o[i]);
}
END_TEST

/* What the confined process can and cannot do: 0, or which of it went wrong. */
static int confined(void)
{
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), pipes[2];
    char byte = 0, *memory;
    if (file < 0 || pipe(pipes))
        return 1;
    ez_confine();
    if (pread(file, &byte, 1, 1) != 1 || byte != 'E' || write(pipes[1], &byte, 1) != 1)
        return 2;
    if (!(memory = malloc(1 << 24)))
        return 3;
    memory[1 << 20] = 1;
    free(memory);
    if (open("/proc/self/exe", O_RDONLY | O_CLOEXEC) >= 0 || errno != EPERM)
        return 4;
    if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || errno != EPERM)
        return 5;
    if (!unlink("/nonexistent") || errno != EPERM || !kill(getppid(), 0) || errno != EPERM)
        return 6;
    if (fork() >= 0 || errno != EPERM)
        return 7;
    execl("/bin/true", "true", (char *)NULL);
    return errno == EPERM ? 0 : 8;
}

/* What reads files of strangers can use what is open, and reach nothing else. */
START_TEST(a_reader_is_confined)
{
    int status;
    pid_t pid = fork();
    if (!pid)
        _exit(confined());
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_reader_is_confined, only_files_are_opened, what_was_read_stays, what_was_not_is_not_mixed,
        holes_are_not_read,   it_can_be_interrupted, descriptors_are_few,
    };
    Suite *s = suite_create("foreign");
    TCase *t = tcase_create("foreign");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 60);
    for (size_t i = 0; i < EZ_ARRAY_LEN(tests); i++)
        tcase_add_test(t, tests[i]);
    suite_add_tcase(s, t);
    return run_suite(s);
}
