/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dry_run.h - the output of `probe` under `set dry-run`, which plants nothing. */
#ifndef EZ_DRY_RUN_H
#define EZ_DRY_RUN_H

#include "engine/ezt.h"

struct ez_sess;

/* Prints one line (or JSON object) for each function that LOCATION names. Returns the last
 * refusal as the error, as `probe` does. */
ez_err *dry_run_location(struct ez_sess *s, enum ez_probe_kind kind, const char *location) EZ_WUR;
/* Prints the totals for the functions that [LIB:]REGEX matches. */
ez_err *dry_run_matching(struct ez_sess *s, enum ez_probe_kind kind, const char *spec) EZ_WUR;

#endif
