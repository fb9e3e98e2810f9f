/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_newfile.c - files that get their name late: a free name, a taken one, and one that cannot
 * be replaced. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/newfile.h"
#include "tests/unit/suite.h"

static char folder[] = "check_newfile.XXXXXX", place[64];

static void setup(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(place, sizeof place, "%s/it", folder);
}

static void teardown(void)
{
    char cmd[128];
    snprintf(cmd, sizeof cmd, "rm -rf %s", folder);
    ck_assert_int_eq(system(cmd), 0);
}

static struct ez_newfile opened(const char *text)
{
    struct ez_newfile f;
    ck_assert(ez_newfile_open(&f, place, 0666));
    ck_assert(write(f.fd, text, strlen(text)) == (ssize_t)strlen(text));
    return f;
}

/* It has these words, and there is nothing beside it. */
static void holds(const char *text)
{
    char got[16] = "";
    FILE *f = fopen(place, "re");
    ck_assert_ptr_nonnull(f);
    got[fread(got, 1, sizeof got - 1, f)] = 0;
    fclose(f);
    ck_assert_str_eq(got, text);
    ck_assert_uint_eq(files_in(folder), 1);
}

START_TEST(a_free_name)
{
    for (int replace = 0; replace < 2; replace++) {
        struct ez_newfile f = opened("new");
        ck_assert(replace ? ez_newfile_replace(&f, place) : ez_newfile_claim(&f, place));
        ck_assert_ptr_null(f.tmp);
        ez_newfile_drop(&f);
        close(f.fd);
        holds("new");
        unlink(place);
    }
}
END_TEST

START_TEST(a_taken_name)
{
    struct stat st;
    struct ez_newfile f = opened("old");
    ck_assert(ez_newfile_claim(&f, place));
    close(f.fd);
    ck_assert_int_eq(chmod(place, 0640), 0);
    f = opened("new");
    ck_assert(!ez_newfile_claim(&f, place));
    ez_newfile_drop(&f);
    close(f.fd);
    holds("old");
    f = opened("new");
    ck_assert(ez_newfile_replace(&f, place));
    ck_assert_ptr_null(f.tmp);
    close(f.fd);
    holds("new");
    ck_assert_int_eq(stat(place, &st), 0);
    ck_assert_int_eq(st.st_mode & 0777, 0640);
}
END_TEST

START_TEST(a_name_that_stays)
{
    ck_assert_int_eq(mkdir(place, 0700), 0);
    struct ez_newfile f = opened("new");
    ck_assert(!ez_newfile_claim(&f, place));
    ck_assert(!ez_newfile_replace(&f, place));
    ez_newfile_drop(&f);
    ck_assert_ptr_null(f.tmp);
    close(f.fd);
    ck_assert_uint_eq(files_in(folder), 1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("newfile");
    TCase *c = tcase_create("newfile");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, a_free_name);
    tcase_add_test(c, a_taken_name);
    tcase_add_test(c, a_name_that_stays);
    suite_add_tcase(s, c);
    return run_suite(s);
}
