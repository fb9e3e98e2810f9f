/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_shell.h - the parts of check_shell, one test case each. */
#ifndef CHECK_SHELL_H
#define CHECK_SHELL_H

#include <check.h>

TCase *table_case(void);
TCase *lex_case(void);
TCase *out_case(void);
TCase *dispatch_case(void);
TCase *options_case(void);
TCase *opt_case(void);
TCase *read_case(void);
TCase *loop_case(void);
TCase *mask_case(void);

#endif
