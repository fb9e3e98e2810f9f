/* SPDX-License-Identifier: GPL-3.0-or-later */
/* budget.h - `set budget PERCENT` (shell/settings.h). */
#ifndef EZ_CMDS_BUDGET_H
#define EZ_CMDS_BUDGET_H

#include "cmds/cmd.h"

/* Sets the budget. The first time, measures the cost of recording. */
ez_err *budget_set(struct ez_sess *s, unsigned percent) EZ_WUR;

#endif
