/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diff.h - compares the tables (stats.h) of two sides. Each side has one or more runs of a program.
 *
 * Functions are matched by name and library, and by rank if rows distinguish ranks. The programs
 * and the versions of libraries of the two sides may differ: the program's own file matches that of
 * the other side, whatever its name is, and the version in the name of a library ("libm.so.6",
 * "libc-2.31.so") is ignored. Values are means over the runs of a side. A run in which a function
 * was not called counts as 0 in these means, except in the mean time of a call, in which the run is
 * left out.
 *
 * Tests: tests/unit/trace/check_diff.c */
#ifndef EZ_DIFF_H
#define EZ_DIFF_H

#include "engine/trace/noise.h"
#include "engine/trace/stats.h"

enum ez_diff_by { EZ_DIFF_FUNCTION, EZ_DIFF_LIBRARY, EZ_DIFF_RANK };
enum ez_diff_key { EZ_DIFF_TOTAL, EZ_DIFF_SELF, EZ_DIFF_MEAN, EZ_DIFF_CALLS, EZ_DIFF_KEYS };
/* sides that have calls of the function */
enum ez_diff_only { EZ_DIFF_BOTH, EZ_DIFF_GONE, EZ_DIFF_NEW };

struct ez_diff_row {
    const char *function, *library; /* function: "" if rows are libraries */
    uint32_t rank; /* EZ_NO_RANK if ranks are not distinguished, or if the process has no rank */
    bool pause;    /* function is the name of a pause */
    enum ez_diff_only only;
    double before[EZ_DIFF_KEYS], after[EZ_DIFF_KEYS]; /* times in ns */
    struct ez_noise_row noise;                        /* noise of the values of the key */
};

struct ez_diff {
    /* sorted by falling absolute change of the key, in ns or calls; pauses last */
    struct ez_diff_row *row;
    size_t n;
    bool noise_known; /* both sides have several runs */
};

/* Creates a comparison. runs: numbers of runs of side 0 (before) and of side 1 (after). */
struct ez_diff *ez_diff_create(const size_t runs[2], enum ez_diff_by by);
/* Returns the argument `by` of ez_stats_create() for the tables to compare. */
unsigned ez_diff_stats_by(enum ez_diff_by by);
/* Adds the table of a run; `run` counts from 0. program: name of the program's file. Copies the
 * names. */
void ez_diff_add(struct ez_diff *d, unsigned side, size_t run, const char *program,
                 const struct ez_stats *st);
/* Fills in the rows. Call once, after all runs. */
void ez_diff_finish(struct ez_diff *d, enum ez_diff_key key);
/* Returns the change of a value divided by its value before; NAN if the value before is 0. */
double ez_diff_change(const struct ez_diff_row *r, enum ez_diff_key key);
/* Returns true if the key of a function grew by more than `part` (0.1 = 10 %) and, if the noise is
 * known, the change is larger than the noise. Returns false for a pause, and for a function that
 * only one side has. */
bool ez_diff_worse(const struct ez_diff *d, const struct ez_diff_row *r, enum ez_diff_key key,
                   double part);
void ez_diff_free(struct ez_diff *d);

#endif
