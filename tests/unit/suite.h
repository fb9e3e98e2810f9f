/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suite.h - the end of every Check program's main(). */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>

/* Runs and frees it; the exit status. CK_VERBOSITY says how much is printed. */
static inline int run_suite(Suite *s)
{
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}

#endif
