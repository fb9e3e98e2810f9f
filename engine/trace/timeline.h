/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timeline.h - what each thread was doing, in equal slices of time.
 *
 * A slice shows the innermost state the thread was in for most of it. Memory:
 * threads x slices, whatever the number of events; threads beyond most_rows are only
 * counted.
 * Tests: tests/unit/engine/check_stats.c */
#ifndef EZ_TIMELINE_H
#define EZ_TIMELINE_H

#include "engine/trace/model.h"

#define EZ_PART_IDX (EZ_NONE_IDX - 1)

struct ez_timeline_row {
    uint32_t container;
    /* names, or subjects; EZ_NONE_IDX = in no state, EZ_PART_IDX = in no state for most of it */
    uint32_t *slice;
    uint64_t place; /* ez_model_place()                                            */
};
struct ez_timeline {
    uint64_t from_ns, to_ns;
    unsigned slices;
    size_t most_rows, left_out;  /* most_rows may be set before the first item      */
    struct ez_timeline_row *row; /* by place                                        */
    size_t n;
    uint64_t *name_ns; /* by name: its time as the innermost state, over all rows   */
    size_t names;
};

/* [from, to) in `slices` parts, but none shorter than a nanosecond: fewer, if need be; to > from. The
 * model must outlive it. */
struct ez_timeline *ez_timeline_create(const struct ez_model *m, uint64_t from, uint64_t to,
                                       unsigned slices);
/* What slices and name_ns tell is, from now on, which subject of that kind the thread was about: the
 * innermost state that is about one counts. They are indices in ez_model.subject then. A call that
 * is about nothing before its end is about nothing here. To be called before the first item. */
void ez_timeline_subjects(struct ez_timeline *t, const char *kind);
/* An ez_item_fn; its arg is the struct ez_timeline. */
ez_err *ez_timeline_item(void *timeline, const struct ez_item *it);
/* To be called after the last item: fills in row and name_ns. */
void ez_timeline_finish(struct ez_timeline *t);
void ez_timeline_free(struct ez_timeline *t);

#endif
