/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_elf.h - the part of check_sym that is about what files say of themselves. */
#ifndef CHECK_ELF_H
#define CHECK_ELF_H

#include <check.h>

TCase *elf_case(void);

#endif
