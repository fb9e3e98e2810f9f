/* SPDX-License-Identifier: GPL-3.0-or-later */
/* budget.h - `set budget PERCENT` (settings.c). */
#ifndef EZ_CMDS_BUDGET_H
#define EZ_CMDS_BUDGET_H

#include "cmds/cmd.h"

/* "off", or a number up to 100. EZ_E_ARG. */
ez_err *budget_parse(const char *text, unsigned *percent) EZ_WUR;
/* The setting becomes that; what recording costs is measured, once. */
ez_err *budget_set(struct ez_sess *s, unsigned percent) EZ_WUR;

#endif
