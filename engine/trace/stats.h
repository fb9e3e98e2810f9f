/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats.h - a table of calls and times over the items of a model (model.h).
 *
 * `by` (enum ez_stats_by) says what rows distinguish; the default is functions. In the total time
 * of a row, a call inside another call of the same row is not counted, so the total never exceeds
 * the run time of the threads. Self time does not contain the time of calls inside a call. Minimum,
 * mean, maximum and quantiles are those of single calls. A call without an exit lasts until the
 * state around it ends. Such a call counts only in total and self time, because its duration is
 * unknown. The time of pauses (model.h) counts as self time only in the pauses' own rows, whatever
 * `by` is. So the self times of all rows add up to the time of the threads in states.
 *
 * If rows distinguish subjects of one kind (locks, files), only states and events with such a
 * subject have rows, and a time is that for which the subject was in use (about_ns in model.h). If
 * the subject is known only at the end of a call, because it is the call's result, the total time
 * does not count a call inside another call of the same function.
 *
 * Tests: tests/unit/trace/check_stats.c */
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
    const char *function, *library, *thread, *process; /* "" if rows do not distinguish it */
    /* host and job of the process; "" if rows do not distinguish processes */
    const char *host, *job;
    uint32_t rank;              /* rank of the process, or EZ_NO_RANK */
    uint64_t calls;             /* entries, or hits of a probe that records only entries or exits */
    uint64_t total_ns, self_ns; /* times of the calls whose entry and exit are recorded */
    uint64_t paused_ns; /* sum of the pauses ("[slept]", "[preempted]") directly in these calls */
    uint64_t unwound;   /* number of calls that an exception or a longjmp left */
    /* number of calls whose begin or end is missing; they count only in total_ns and self_ns */
    uint64_t cut;
    /* durations of the calls with entry and exit; times.total is the number of these calls */
    struct ez_hist times;
    const char *subject; /* NULL if rows do not distinguish subjects */
    const char *only_in; /* name of the process in which the subject is valid; "" = all processes */
    const char *pause;   /* name of the pause; NULL for a row of calls */
    /* the row is a pause that eztsh caused (EZ_P_OURS); its time is no share of run_ns */
    bool ours;
};
struct ez_stat_edge { /* for `stats -graph`: all calls from one caller to one callee */
    /* indexes of rows; caller EZ_NONE_IDX: the callee's calls are outermost */
    uint32_t caller, callee;
    uint64_t calls, total_ns;
};
struct ez_stats {
    struct ez_stat_row *row; /* sorted */
    size_t n;
    struct ez_stat_edge *edge; /* sorted by total time, largest first */
    size_t nedge;
    /* sum over the shown threads of the time from their first to their last state or event (also if
     * a filter hides these), without waits for the trace (EZ_P_OURS) */
    uint64_t run_ns;
    uint64_t threads;
};

/* Creates an empty table. graph: also counts edges; in this case `by` must be 0 or EZ_BY_FUNCTION.
 * The model must outlive the table. */
struct ez_stats *ez_stats_create(const struct ez_model *m, unsigned by, bool graph);
/* Makes rows distinguish subjects of this kind. Call before the first item. */
void ez_stats_subjects(struct ez_stats *s, const char *kind);
/* Adds an item to the table. The function is an ez_item_fn, and stats a struct ez_stats. */
ez_err *ez_stats_item(void *stats, const struct ez_item *it);
/* Adds calls that were counted but not recorded (ez_count_fn). Does nothing if rows distinguish
 * threads, because the threads of these calls are unknown, or if they distinguish subjects. */
void ez_stats_count(void *stats, uint32_t process, uint32_t name, uint64_t calls);
/* Fills in the sorted tables `row` and `edge`. Can be called again after more items. */
void ez_stats_table(struct ez_stats *s, enum ez_stats_sort sort);
void ez_stats_free(struct ez_stats *s);

#endif
