/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timeline.h - shows what each thread did, in equal slices of time.
 *
 * A slice shows the call that was the thread's innermost call for the longest time in the slice.
 * Time in which the thread slept or was preempted belongs to the call; `paused` marks slices in
 * which the thread slept or was preempted for more than half of that time. A gap ("[events lost]")
 * is shown as a state. Memory grows with threads x slices, not with the number of events. If there
 * are more than most_rows threads, the others are only counted.
 *
 * Tests: tests/unit/trace/check_stats.c */
#ifndef EZ_TIMELINE_H
#define EZ_TIMELINE_H

#include "engine/trace/model.h"

#define EZ_PART_IDX (EZ_NONE_IDX - 1)

struct ez_timeline_row {
    uint32_t container;
    /* name or subject of each slice; EZ_NONE_IDX = the thread was in no state in the slice,
     * EZ_PART_IDX = in no state for most of the slice */
    uint32_t *slice;
    /* index: slice; true if the thread did not run for more than half of the time of the shown
     * state */
    bool *paused;
    uint64_t place; /* sort key from ez_model_place() */
};
struct ez_timeline {
    uint64_t from_ns, to_ns;
    unsigned slices;
    size_t most_rows, left_out;  /* the caller sets most_rows, the maximum number of rows, before
                                  * the first item; left_out: number of threads without a row */
    struct ez_timeline_row *row; /* sorted by place */
    size_t n;
    struct ez_timeline_name {
        uint64_t ns;        /* time as the shown name or subject, summed over all rows */
        uint64_t paused_ns; /* part of ns in which the thread did not run */
    } * name;               /* index: name, or subject */
    size_t names;
};

/* Creates a timeline of [from, to) in ns, to > from, with `slices` slices, or with fewer slices if
 * they would be shorter than a nanosecond. The model must outlive the timeline. */
struct ez_timeline *ez_timeline_create(const struct ez_model *m, uint64_t from, uint64_t to,
                                       unsigned slices);
/* Makes slices and `name` contain subjects of this kind (indexes in ez_model.subject) instead of
 * names. A slice shows the subject of the innermost state that has such a subject. A call whose
 * subject becomes known only at the end of the call is not shown. Call before the first item. */
void ez_timeline_subjects(struct ez_timeline *t, const char *kind);
/* Adds an item to the timeline. The function is an ez_item_fn, and timeline a struct
 * ez_timeline. */
ez_err *ez_timeline_item(void *timeline, const struct ez_item *it);
/* Fills in `row` and `name`. Call after the last item. */
void ez_timeline_finish(struct ez_timeline *t);
void ez_timeline_free(struct ez_timeline *t);

#endif
