/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats.h - how often, how long: a table over the items of a model (model.h).
 *
 * `by` says what rows distinguish: functions unless told otherwise. Total time counts a row
 * once where it is inside itself (recursion), so it never exceeds the run; self time is
 * without the calls inside. Min, mean, max and quantiles are those of single calls. A call
 * whose exit never came lasts until the state around it ended; it counts in total and self
 * only, since nobody knows how long it took. Pauses (model.h) are in no row's self time but
 * their own, whatever `by` says; so the self times of all rows make up the threads' time.
 * Subjects of one kind (a lock, a file) can be told apart instead of threads' time being divided:
 * then rows are states and events that are about such a subject, and their time is the subject's
 * (model.h, about_ns). Where the subject is known at the end of a call only (its result), Total has no
 * call that is inside another of the same function.
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
    const char *host, *job;     /* the process's, where `by` distinguishes processes, or "" */
    uint32_t rank;              /* the process's; EZ_NO_RANK = none                   */
    uint64_t calls;             /* entries, or events of a probe on one side only     */
    uint64_t total_ns, self_ns; /* of calls with entry and exit                       */
    uint64_t unwound;           /* of these: calls that an exception or a jump left   */
    /* of these: measured in part, or without an exit; they count in total and self alone */
    uint64_t cut;
    struct ez_hist times; /* of single whole calls; times.total = how many              */
    const char *subject;  /* NULL = subjects are not told apart                   */
    const char *only_in;  /* the process in which the subject means that; "" = in all  */
    const char *pause;    /* the name of the pause that the row is; NULL = a row of calls */
    bool ours;            /* a pause that is nobody's time: it has no share (EZ_P_OURS)    */
};
struct ez_stat_edge {        /* -graph: who called whom */
    uint32_t caller, callee; /* rows; EZ_NONE_IDX = the outermost                     */
    uint64_t calls, total_ns;
};
struct ez_stats {
    struct ez_stat_row *row; /* sorted                                              */
    size_t n;
    struct ez_stat_edge *edge; /* sorted by total time, largest first               */
    size_t nedge;
    uint64_t
        run_ns; /* the whole: sum over threads of the time from first to last item, without that
                      * in which they waited for the trace (EZ_P_OURS)             */
    uint64_t threads;
};

/* graph: count edges too (rows must be functions). The model must outlive it. */
struct ez_stats *ez_stats_create(const struct ez_model *m, unsigned by, bool graph);
/* Tell apart subjects of that kind; before the first item. */
void ez_stats_subjects(struct ez_stats *s, const char *kind);
/* An ez_item_fn; its arg is the struct ez_stats. */
ez_err *ez_stats_item(void *stats, const struct ez_item *it);
/* Adds calls that were only counted (ez_count_fn); not with EZ_BY_THREAD, since their threads
 * are unknown. */
void ez_stats_count(void *stats, uint32_t process, uint32_t name, uint64_t calls);
/* Brings the tables up to date; may be called again after more items. */
void ez_stats_table(struct ez_stats *s, enum ez_stats_sort sort);
void ez_stats_free(struct ez_stats *s);

#endif
