/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adds.h - what the aggregates of traces found, over all files.
 *
 * Aggregates are the same if what was typed is: word, function, value, key. The rows of different
 * processes are summed by key: addresses in code by their names, for processes load them elsewhere; ticks
 * are brought to those of the first file. Files of one process (it had several traces) tell of the same
 * tables, so of these the row with the most hits counts.
 * Tests: tests/unit/engine/check_adds.c, tests/procs/sums.sh */
#ifndef EZ_ADDS_H
#define EZ_ADDS_H

#include "engine/ring/addup.h"

struct ez_fxt_defs;

struct ez_adds_row { /* from which process a line is; one for each line of each process */
    size_t of;       /* which aggregate                                             */
    uint64_t key, process;
    struct ez_addup_line line; /* as it stands in the file                            */
};
struct ez_adds_full { /* the same for what found no row                            */
    size_t of;
    uint64_t process, full;
};
struct ez_added {
    struct ez_aggregate is; /* its texts and sum are below                           */
    char *text;
    struct ez_addup_sum *sum;
};
struct ez_adds_all {
    EZ_VEC(struct ez_added) of;
    EZ_VEC(struct ez_adds_row) row;
    EZ_VEC(struct ez_adds_full) full;
    struct ez_hash seen, seen_full; /* aggregate, process (and key) -> row, full       */
};

/* Takes a file's. Zero-initialise before the first; nothing of *d is kept. */
void ez_adds_of_file(struct ez_adds_all *all, const struct ez_fxt_defs *d);
void ez_adds_sum_up(struct ez_adds_all *all); /* once, behind the last */
void ez_adds_free(struct ez_adds_all *all);

#endif
