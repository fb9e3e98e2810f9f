/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diff.h - the parsed options of `diff`, and its output. */
#ifndef EZ_CMDS_DIFF_H
#define EZ_CMDS_DIFF_H

#include "cmds/trace/traces.h"
#include "engine/trace/diff.h"

struct ez_sess;

struct diff_side {
    EZ_VEC(struct traces) run;
    uint64_t events;
    uint64_t lost, lossy; /* lost: number of lost events; lossy: number of runs that lost events */
    uint64_t throttled;   /* number of runs with throttled functions */
};

struct diff_plan {
    struct diff_side side[2]; /* 0 = before, 1 = after */
    enum ez_diff_by by;
    enum ez_diff_key key;
    bool wide;
    double threshold; /* threshold in percent; negative = no threshold */
    uint64_t top;     /* maximum rows; 0 = all */
    bool ranks;       /* a process of the traces has a rank; known after the traces were read */
};

/* Finds the runs of both sides: the words before and after "vs", or two words. job: all files that
 * a word matches are one run. windows: a single word is enough, because two periods of its trace
 * are compared. */
ez_err *diff_parse_sides(struct ez_sess *s, struct diff_plan *p, int n, char **word, bool job,
                         bool windows) EZ_WUR;
/* Reads all runs, and fills in the rows. */
ez_err *diff_read_sides(struct ez_sess *s, struct diff_plan *p, struct ez_diff *d) EZ_WUR;
void diff_free_plan(struct diff_plan *p);
/* Returns "slower", "noise", "new" and so on; "" if the noise is not known. */
const char *diff_verdict(const struct ez_diff *d, const struct ez_diff_row *r,
                         enum ez_diff_key key);
/* Prints the rows and the notes about the sides, as text or JSON (diff_rows.c). */
void diff_print(struct ez_sess *s, const struct diff_plan *p, struct ez_diff *d);
/* Returns an error that names the functions beyond the threshold, or NULL. */
ez_err *diff_check(struct ez_sess *s, const struct diff_plan *p, const struct ez_diff *d) EZ_WUR;

#endif
