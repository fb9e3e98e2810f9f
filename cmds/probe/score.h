/* SPDX-License-Identifier: GPL-3.0-or-later */
/* score.h - chooses functions to exclude from a trace, so that the trace stays below its limits
 * (score_plan.c). */
#ifndef EZ_CMDS_SCORE_H
#define EZ_CMDS_SCORE_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

#define SCORE_MIB 1024 /* default limits: size in MiB, slowdown in percent */
#define SCORE_PERCENT 10

struct score_row {
    const char *function, *library;
    uint64_t calls;
    double share;           /* self time, as a share of the process's time; < 0 = not known */
    double bytes, slowdown; /* bytes: size of a trace; slowdown: in percent */
    bool out;
};
struct score_plan {
    EZ_VEC(struct score_row) row;
    double max_bytes, max_slowdown;
    double all_bytes, all_slowdown, left_bytes, left_slowdown;
    size_t nout;
};

/* Sorts the rows by calls, and marks the most called functions as excluded until the trace is
 * within the limits. A recorded call costs the same in every function. */
void score_plan_exclude(struct score_plan *p);
/* Returns the commands that plant probes on the functions that are not excluded, one a line. The
 * caller frees. */
char *score_plan_script(const struct score_plan *p);
void score_plan_free(struct score_plan *p);

#endif
