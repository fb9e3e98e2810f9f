/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diff.h - compares the tables (stats.h) of two sides, each of one or more runs of a program.
 *
 * Functions are matched by name and library, and by rank if rows distinguish ranks. The sides may
 * be different programs and versions of libraries: the program's own file is one library, whatever
 * its name, and the version in the name of a library ("libm.so.6", "libc-2.31.so") does not count.
 * Values are means over the runs of a side. A run in which a function was not called counts as 0,
 * and for the mean time of a call not at all.
 *
 * Tests: tests/unit/trace/check_diff.c */
#ifndef EZ_DIFF_H
#define EZ_DIFF_H

#include "engine/trace/noise.h"
#include "engine/trace/stats.h"

enum ez_diff_by { EZ_DIFF_FUNCTION, EZ_DIFF_LIBRARY, EZ_DIFF_RANK };
enum ez_diff_key { EZ_DIFF_TOTAL, EZ_DIFF_SELF, EZ_DIFF_MEAN, EZ_DIFF_CALLS, EZ_DIFF_KEYS };
enum ez_diff_only { EZ_DIFF_BOTH, EZ_DIFF_GONE, EZ_DIFF_NEW }; /* sides on which calls are */

struct ez_diff_row {
    const char *function, *library; /* function: "" if rows are libraries */
    uint32_t rank; /* EZ_NO_RANK if ranks are not distinguished, or if the process has no rank */
    bool pause;    /* function is the name of a pause */
    enum ez_diff_only only;
    double before[EZ_DIFF_KEYS], after[EZ_DIFF_KEYS]; /* times in ns */
    struct ez_noise_row noise;                        /* noise of the key */
};

struct ez_diff {
    struct ez_diff_row *row; /* the largest change of the key first, in ns or calls; pauses last */
    size_t n;
    bool noise_known; /* both sides have several runs */
};

/* runs: numbers of runs of the two sides, 0 = before, 1 = after. */
struct ez_diff *ez_diff_create(const size_t runs[2], enum ez_diff_by by);
/* Returns the `by` of the tables to compare (ez_stats_create). */
unsigned ez_diff_stats_by(enum ez_diff_by by);
/* Adds the table of a run; `run` counts from 0. program: name of the program's file. Copies the
 * names. */
void ez_diff_add(struct ez_diff *d, unsigned side, size_t run, const char *program,
                 const struct ez_stats *st);
/* Fills in the rows. Call once, after all runs. */
void ez_diff_finish(struct ez_diff *d, enum ez_diff_key key);
/* Returns the change of a value as a part of the value before; NAN if that is 0. */
double ez_diff_change(const struct ez_diff_row *r, enum ez_diff_key key);
/* Returns whether the key of a function grew by more than `part`, and, if the noise is known,
 * stands out from it. Never true for a pause, or for a function of one side only. */
bool ez_diff_worse(const struct ez_diff *d, const struct ez_diff_row *r, enum ez_diff_key key,
                   double part);
void ez_diff_free(struct ez_diff *d);

#endif
