/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.h - traces in, the items of the model out, in time order.
 *
 *   files -> merge.h (one stream, aligned clocks) -> interp.h -> model.h -> ez_item_fn
 *
 * Opening reads every file once (definitions, clocks, how far out of order it is);
 * running reads it a second time. Memory does not grow with the number of events.
 * Tests: tests/unit/engine/check_replay.c */
#ifndef EZ_REPLAY_H
#define EZ_REPLAY_H

#include "engine/trace/adds.h"
#include "engine/trace/model.h"
#include "engine/trace/throttle.h"
#include "engine/base/progress.h"

struct ez_trace_sum { /* of all files */
    /* events of probes, or with a meaning; after the run: those that were told */
    uint64_t events;
    uint64_t span_ns; /* first to last event                                      */
    uint64_t late;    /* events told later than they happened (0 unless a file changed) */
    bool part;        /* only a window was told: the accounting counts more than that    */
    bool has_accounting;
    uint64_t hits, recorded, filtered, untraced, dropped, unhooked, torn;
    uint64_t unwound, waits, waited_ns, switches_lost, overwritten; /* 0 in older files        */
    struct ez_model_count count;        /* after the run                                 */
    char *interps;                      /* what is to be said about interpreters, lines; or NULL */
    char *damage;                       /* what is wrong with a file, with the offset; or NULL */
    struct ez_throttled_rows throttled; /* after the run                             */
};

/* A copy that outlives the replay; its texts are its own. */
struct ez_trace_sum ez_trace_sum_copy(const struct ez_trace_sum *s);
void ez_trace_sum_free(struct ez_trace_sum *s);

struct ez_replay;

/* EZ_E_NOTFOUND, EZ_E_SYS, EZ_E_FORMAT: no event could be read from one of the files. A
 * damaged end costs only the end: see `damage`. `progress` may be NULL here and below. */
ez_err *ez_replay_open(char *const *path, size_t n, const struct ez_progress *progress,
                       struct ez_replay **out) EZ_WUR;
/* Sets `progress` from now on; it must live as long as the replay. NULL = none. */
void ez_replay_progress(struct ez_replay *r, const struct ez_progress *progress);
/* Tells only what happens from..to (ns since the first event); to be called before the run.
 * EZ_E_ARG: the window is empty. */
ez_err *ez_replay_window(struct ez_replay *r, uint64_t from, uint64_t to) EZ_WUR;
/* Calls are about the value that the item of that name has at their entry (model.h); before the run. */
void ez_replay_about(struct ez_replay *r, const char *item);
/* To be called once. The last item is the program's CONTAINER_END. */
ez_err *ez_replay_run(struct ez_replay *r, ez_item_fn *fn, void *arg,
                      const struct ez_progress *progress) EZ_WUR;
/* Calls fn for each function whose hits were only counted in the trace's time, not recorded;
 * not for a window. `process`: its container, EZ_NONE_IDX = the process occurs in no event. */
typedef void ez_count_fn(void *arg, uint32_t process, uint32_t name, uint64_t calls);
void ez_replay_counts(struct ez_replay *r, ez_count_fn *fn, void *arg);
/* What aggregates found, over all files; not for a window: there are none then. */
const struct ez_adds_all *ez_replay_adds(const struct ez_replay *r);
const struct ez_model *ez_replay_model(const struct ez_replay *r);
const struct ez_trace_sum *ez_replay_sum(const struct ez_replay *r);
void ez_replay_close(struct ez_replay *r);

#endif
