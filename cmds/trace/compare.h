/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.h - the parts of the page of `report BEFORE vs AFTER` that the page of AFTER alone
 * does not have. */
#ifndef EZ_CMDS_COMPARE_H
#define EZ_CMDS_COMPARE_H

#include "cmds/trace/diff.h"

/* Returns whether one of n words is "vs". */
bool compare_wanted(int n, char **word);
/* Compares the sides of the words as `diff` does. Returns JSON for the page in *json, which the caller
 * frees, and the files of the first run of AFTER in p->side[1].run.at[0]. */
ez_err *compare_runs(struct ez_sess *s, int n, char **word, struct diff_plan *p,
                     char **json) EZ_WUR;

#endif
