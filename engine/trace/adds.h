/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adds.h - the aggregates of all trace files, summed.
 *
 * Two aggregates are the same if their action, function, value and key are the same text. Rows of
 * different processes are summed by key. Keys that are code addresses are compared by symbol name,
 * because processes load code at different addresses. Ticks are scaled to those of the first file.
 * Several files of one process repeat the same tables, so only the row with the most hits
 * counts.
 *
 * Tests: tests/unit/engine/check_adds.c, tests/procs/sums.sh */
#ifndef EZ_ADDS_H
#define EZ_ADDS_H

#include "engine/record/addup.h"

struct ez_fxt_defs;

struct ez_adds_row { /* one line of one process */
    size_t of;       /* index in `of` of struct ez_adds_all */
    uint64_t key, process;
    struct ez_addup_line line; /* unchanged from the file */
};
struct ez_adds_full { /* hits of one process that found no free row */
    size_t of;
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
    struct ez_hash seen, seen_full; /* aggregate, process (and key) -> row, full */
};

/* Adds the aggregates of a file. Zero-initialise *all before the first call. Keeps no pointer into
 * *d. */
void ez_adds_of_file(struct ez_adds_all *all, const struct ez_fxt_defs *d);
void ez_adds_sum_up(struct ez_adds_all *all); /* call once, after the last file */
void ez_adds_free(struct ez_adds_all *all);

#endif
