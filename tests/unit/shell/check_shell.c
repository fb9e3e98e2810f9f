/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_shell.c - the shell without a terminal and without a target. */
#include "tests/unit/shell/check_shell.h"
#include "tests/unit/suite.h"

#include <stdlib.h>

int main(void)
{
    Suite *s = suite_create("shell");
    suite_add_tcase(s, table_case());
    suite_add_tcase(s, lex_case());
    suite_add_tcase(s, out_case());
    suite_add_tcase(s, dispatch_case());
    suite_add_tcase(s, options_case());
    suite_add_tcase(s, opt_case());
    suite_add_tcase(s, read_case());
    suite_add_tcase(s, loop_case());
    suite_add_tcase(s, mask_case());
    return run_suite(s);
}
