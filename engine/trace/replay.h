/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.h - reads traces and emits the items of the model, in the order of time:
 *
 *     files -> merge.h (one stream, aligned clocks) -> interp.h -> model.h -> ez_item_fn
 *
 * ez_replay_open() reads every file once (definitions, clocks, and ticks for sorting).
 * ez_replay_run() reads every file once more, or twice if the filter needs the ends of calls.
 * Memory does not grow with the number of events, except by one bit per call for such a filter. If
 * a file has an index (index.h), opening does not read the whole file, and running reads only the
 * window (a time span) of it.
 *
 * Tests: tests/unit/trace/check_replay.c */
#ifndef EZ_REPLAY_H
#define EZ_REPLAY_H

#include "engine/trace/adds.h"
#include "engine/trace/filter.h"
#include "engine/trace/model.h"
#include "engine/trace/throttle.h"
#include "engine/base/progress.h"

struct ez_trace_sum { /* sums over all files */
    /* number of events that are neither definitions nor events of a thread; after the run, of those
     * that were emitted */
    uint64_t events;
    uint64_t span_ns; /* time from the first to the last event */
    uint64_t late;    /* number of events emitted out of order; 0 unless a file changed */
    /* only a window, or the calls that a filter shows, were emitted; the fields from hits to
     * overwritten are still those of the whole trace */
    bool part;
    /* valid after the run: a filter selected calls; `shown` has the numbers of calls */
    bool by_filter;
    struct ez_filter_sum shown;
    bool has_accounting;
    uint64_t hits, recorded, filtered, untraced, dropped, unhooked, torn;
    uint64_t unwound, waits, waited_ns, switches_lost, overwritten; /* 0 in older files */
    struct ez_model_count count;                                    /* valid after the run */
    char *interps; /* messages of interpreters, as lines, or NULL */
    char *damage;  /* message about damaged data in a file, with its offset, or NULL */
    struct ez_throttled_rows throttled; /* valid after the run */
};

/* Returns a copy that outlives the replay and owns its texts. */
struct ez_trace_sum ez_trace_sum_copy(const struct ez_trace_sum *s);
void ez_trace_sum_free(struct ez_trace_sum *s);

struct ez_replay;

/* Opens traces. Returns EZ_E_NOTFOUND, EZ_E_SYS, or EZ_E_FORMAT if no event of a file can be read.
 * If a file is damaged after its first events, the events before the damage are read, and
 * ez_trace_sum.damage describes the damage. `progress` may be NULL in all functions. */
ez_err *ez_replay_open(char *const *path, size_t n, const struct ez_progress *progress,
                       struct ez_replay **out) EZ_WUR;
/* A part of a trace: a window, in ns since the first event, and the filter that selects items in
 * the window. */
struct ez_trace_part {
    /* the window; both 0: no window; to_ns 0 or UINT64_MAX: up to the end */
    uint64_t from_ns, to_ns;
    struct ez_filter_spec filter;
    enum ez_index_use index; /* how ez_replay_open_part() uses indexes of the files */
};
/* Opens traces for a run that emits only `part`. Uses and makes indexes of the files as part->index
 * says; without a window, makes no index. Also returns the errors of ez_replay_choose(). */
ez_err *ez_replay_open_part(char *const *path, size_t n, const struct ez_trace_part *part,
                            const struct ez_progress *progress, struct ez_replay **out) EZ_WUR;
/* Replaces the progress callback, which must be valid until ez_replay_close(). NULL: no
 * callback. */
void ez_replay_progress(struct ez_replay *r, const struct ez_progress *progress);
/* Limits the items to the window [from, to], in ns since the first event. Call before the run.
 * Returns EZ_E_ARG if the window is empty. */
ez_err *ez_replay_window(struct ez_replay *r, uint64_t from, uint64_t to) EZ_WUR;
/* Limits the items to `part`. Call before the run. Returns EZ_E_ARG if the window or the filter is
 * wrong. */
ez_err *ez_replay_choose(struct ez_replay *r, const struct ez_trace_part *part) EZ_WUR;
/* Makes the value of the collected item with this name the subject of calls (model.h). Call before
 * the run. */
void ez_replay_about(struct ez_replay *r, const char *item);
/* Fills in ez_model.collected with the items that probes collect, for readers that have a column
 * for each item. Call before the run. */
void ez_replay_collected(struct ez_replay *r);
/* Emits all items. Call once. The last item is the program's CONTAINER_END. Also returns the errors
 * of ez_filter_missing(). */
ez_err *ez_replay_run(struct ez_replay *r, ez_item_fn *fn, void *arg,
                      const struct ez_progress *progress) EZ_WUR;
/* ez_replay_counts() calls fn for each function whose hits were counted but not recorded, unless
 * the filter hides the function. With a window it never calls fn. process: container of the
 * process, or EZ_NONE_IDX if the process has no events. */
typedef void ez_count_fn(void *arg, uint32_t process, uint32_t name, uint64_t calls);
void ez_replay_counts(struct ez_replay *r, ez_count_fn *fn, void *arg);
/* For tests: makes all readings handle the events in the order of time. Call before the run. */
void ez_replay_in_order(struct ez_replay *r);
/* Returns true if the filter's first reading was thread by thread (by_thread.h). */
bool ez_replay_by_thread(const struct ez_replay *r);
/* Returns true if the run skipped events before the window by means of an index. */
bool ez_replay_skipped(const struct ez_replay *r);
/* Returns the aggregates of all files; there are none if the run is limited to a window or to
 * selected calls. */
const struct ez_adds_all *ez_replay_adds(const struct ez_replay *r);
const struct ez_model *ez_replay_model(const struct ez_replay *r);
const struct ez_trace_sum *ez_replay_sum(const struct ez_replay *r);
void ez_replay_close(struct ez_replay *r);

#endif
