/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats.h - how often, how long: a table over the items of a model (model.h).
 *
 * Rows are what `by` distinguishes: functions unless told otherwise. Total time counts
 * a row once where it is inside itself (recursion), so it never exceeds the run; self
 * time is without what was called. Min, mean, max and quantiles are those of single
 * calls. A call whose exit never came lasts until what is around it ended, in total and self
 * alone: how long it took nobody knows. Pauses
 * (model.h) are in no call's time, but in rows of their own, whatever `by` says; so the
 * self times of all rows are what the threads' time is made of.
 * Tests: tests/unit/engine/check_stats.c */
#ifndef EZ_STATS_H
#define EZ_STATS_H

#include "engine/trace/hist.h"
#include "engine/trace/replay.h"

enum ez_stats_by { EZ_BY_FUNCTION = 1, EZ_BY_LIBRARY = 2, EZ_BY_THREAD = 4, EZ_BY_PROCESS = 8 };
enum ez_stats_sort {
    EZ_SORT_TOTAL,
    EZ_SORT_SELF,
    EZ_SORT_CALLS,
    EZ_SORT_MEAN,
    EZ_SORT_MIN,
    EZ_SORT_MAX,
    EZ_SORT_P50,
    EZ_SORT_P90,
    EZ_SORT_P99,
    EZ_SORT_NAME
};

struct ez_stat_row {
    const char *function, *library, *thread, *process; /* "" where not distinguished */
    const char *host, *job;     /* of the process, where one is distinguished, or ""   */
    uint32_t rank;              /* the same; EZ_NO_RANK = none                        */
    uint64_t calls;             /* entries, or events of a probe on one side only     */
    uint64_t total_ns, self_ns; /* calls with both sides                              */
    uint64_t unwound;           /* of them: left by an exception or a jump            */
    uint64_t cut;               /* of them: measured in part, or their exit was not seen: in
                                 * total and self alone                                */
    struct ez_hist times;       /* of single whole calls; times.total = those with both sides */
    const char *pause;          /* or it is one: its name; rows of calls: NULL              */
};
struct ez_stat_edge {        /* -graph: who called whom */
    uint32_t caller, callee; /* rows; EZ_NONE_IDX = the outermost                     */
    uint64_t calls, total_ns;
};
struct ez_stats {
    struct ez_stat_row *row; /* sorted                                              */
    size_t n;
    struct ez_stat_edge *edge; /* by total time, largest first                      */
    size_t nedge;
    uint64_t run_ns; /* sum over threads, first to last item                      */
    uint64_t threads;
};

/* graph: count edges too (rows must be functions). The model must outlive it. */
struct ez_stats *ez_stats_create(const struct ez_model *m, unsigned by, bool graph);
/* An ez_item_fn; its arg is the struct ez_stats. */
ez_err *ez_stats_item(void *stats, const struct ez_item *it);
/* Calls that were counted alone (ez_count_fn); not told by thread, which nobody knows. */
void ez_stats_count(void *stats, uint32_t process, uint32_t name, uint64_t calls);
/* Bring the tables up to date; may be called again after more items. */
void ez_stats_table(struct ez_stats *s, enum ez_stats_sort sort);
void ez_stats_free(struct ez_stats *s);

#endif
