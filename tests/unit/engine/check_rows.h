/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_rows.h - the part of check_sym that is about line programs. */
#ifndef CHECK_ROWS_H
#define CHECK_ROWS_H

#include <check.h>

TCase *rows_case(void);
TCase *elf_case(void); /* check_elf.c: what files say of themselves */

#endif
