/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats.h - a table of calls and times over the items of a model (model.h).
 *
 * `by` (enum ez_stats_by) says what rows distinguish; the default is functions. In the total time
 * of a row, recursive calls are counted once, so it never exceeds the run time of the threads. Self
 * time does not contain the calls inside a call. Minimum, mean, maximum and quantiles are those of
 * single calls. A call without an exit lasts until the state around it ended. Such a call counts
 * only in total and self, because its real duration is unknown. Pauses (model.h) count only in the
 * self time of their own row, whatever `by` is. So the self times of all rows add up to the
 * threads' time.
 *
 * If rows distinguish subjects of one kind (locks, files), rows are states and events with such a
 * subject, and times are those of the subject (about_ns in model.h). If the subject is known only
 * at the end of a call, because it is the call's result, the total does not count a call inside
 * another call of the same function.
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
    const char *function, *library, *thread, *process; /* "" if not distinguished */
    /* host and job of the process; "" if rows do not distinguish processes */
    const char *host, *job;
    uint32_t rank;              /* rank of the process, or EZ_NO_RANK */
    uint64_t calls;             /* entries, or hits of a probe that records only entries or exits */
    uint64_t total_ns, self_ns; /* times of the calls, if entry and exit are recorded */
    uint64_t paused_ns;         /* time of the pauses of threads directly in these calls */
    uint64_t unwound;           /* number of calls that an exception or a longjmp left */
    /* number of calls that were measured in part or have no exit; they count only in total_ns and
     * self_ns */
    uint64_t cut;
    struct ez_hist times; /* durations of whole calls; times.total is their number */
    const char *subject;  /* NULL if rows do not distinguish subjects */
    const char *only_in;  /* name of the process in which the subject is valid; "" = all */
    const char *pause;    /* name of the pause; NULL for a row of calls */
    bool ours;            /* a pause caused by eztsh, which has no share (EZ_P_OURS) */
};
struct ez_stat_edge {        /* for `stats -graph`: all calls from one caller to one callee */
    uint32_t caller, callee; /* indexes of rows; caller EZ_NONE_IDX: callee is outermost */
    uint64_t calls, total_ns;
};
struct ez_stats {
    struct ez_stat_row *row; /* sorted */
    size_t n;
    struct ez_stat_edge *edge; /* sorted by total time, largest first */
    size_t nedge;
    /* sum over threads of the time from the first to the last state or event, shown by a filter or
     * not, without waits for the trace (EZ_P_OURS) */
    uint64_t run_ns;
    uint64_t threads;
};

/* Creates an empty table. With `graph`, counts edges too; rows must be functions then. The model
 * must outlive the table. */
struct ez_stats *ez_stats_create(const struct ez_model *m, unsigned by, bool graph);
/* Makes rows distinguish subjects of that kind. Call before the first item. */
void ez_stats_subjects(struct ez_stats *s, const char *kind);
/* Adds an item to the table. An ez_item_fn whose arg is the struct ez_stats. */
ez_err *ez_stats_item(void *stats, const struct ez_item *it);
/* Adds calls that were counted but not recorded (ez_count_fn). Not for EZ_BY_THREAD: the threads of
 * these calls are unknown. */
void ez_stats_count(void *stats, uint32_t process, uint32_t name, uint64_t calls);
/* Fills in the sorted tables `row` and `edge`. May be called again after more items. */
void ez_stats_table(struct ez_stats *s, enum ez_stats_sort sort);
void ez_stats_free(struct ez_stats *s);

#endif
