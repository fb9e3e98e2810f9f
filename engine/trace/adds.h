/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adds.h - sums the aggregates of all trace files.
 *
 * Two aggregates are the same if their operations (enum ez_adds), their types, and the texts of
 * function, value and key are equal. Rows of different processes are summed by key. Keys that are
 * code addresses are compared by symbol name, because processes load code at different addresses.
 * Ticks are scaled to the tick rate of the first file. Several files of one process repeat the same
 * rows, so of the rows of one process and key only the row with the most hits counts.
 *
 * Tests: tests/unit/trace/check_adds.c, tests/procs/sums.sh */
#ifndef EZ_ADDS_H
#define EZ_ADDS_H

#include "engine/record/addup.h"

struct ez_fxt_defs;

struct ez_adds_row {       /* the row of one key in one process */
    size_t of;             /* index of the row's aggregate in ez_adds_all.of */
    uint64_t key, process; /* process: hash of host, pid, begin (EZ_DEF_ADDS) and table */
    struct ez_addup_line line;
};
/* number of hits of one process that found no free row in the process's table */
struct ez_adds_full {
    size_t of; /* index as in struct ez_adds_row */
    uint64_t process, full;
};
struct ez_added {
    struct ez_aggregate is; /* text and sum point to the two fields below */
    char *text;
    struct ez_addup_sum *sum;
};
struct ez_adds_all {
    EZ_VEC(struct ez_added) of;
    EZ_VEC(struct ez_adds_row) row;
    EZ_VEC(struct ez_adds_full) full;
    /* seen: process, aggregate and key -> index in `row`; seen_full: process and aggregate -> index
     * in `full` */
    struct ez_hash seen, seen_full;
};

/* Adds the aggregates of a file to *all. Before the first call, all bytes of *all must be 0. Keeps
 * no pointer into *d. */
void ez_adds_of_file(struct ez_adds_all *all, const struct ez_fxt_defs *d);
/* Adds all rows up to the sums of their aggregates. Call once, after the last file. */
void ez_adds_sum_up(struct ez_adds_all *all);
void ez_adds_free(struct ez_adds_all *all);

#endif
