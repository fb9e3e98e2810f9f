/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suite.h - the end of every Check program's main(), and what many of them ask. */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

/* Is /proc there, which eztsh needs? A program that is skipped returns 77. */
static inline bool proc_there(const char *test)
{
    if (!access("/proc/self/maps", R_OK))
        return true;
    printf("skip - %s: /proc is not mounted\n", test);
    return false;
}

/* How many files the folder has. */
static inline size_t files_in(const char *folder)
{
    size_t n = 0;
    DIR *d = opendir(folder);
    ck_assert_ptr_nonnull(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n - 2; /* . and .. */
}

/* Runs the suite and frees it. Returns the exit status. CK_VERBOSITY says how much is printed. */
static inline int run_suite(Suite *s)
{
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}

#endif
