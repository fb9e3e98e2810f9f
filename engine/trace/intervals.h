/* SPDX-License-Identifier: GPL-3.0-or-later */
/* intervals.h - a table of functions whose calls are also counted in slices of time, for `top`.
 *
 * A table may have several sources: traces, each with items of its own model. Calls are counted by
 * function and thread; ez_intervals_table() adds these counts up by function, by thread or by
 * process. A call is counted when it begins. The times of a call are added when it ends, as in
 * stats.h. Pauses have no rows. Memory does not grow with time, because only the counts of the last
 * slices are kept.
 *
 * Tests: tests/unit/trace/check_intervals.c */
#ifndef EZ_INTERVALS_H
#define EZ_INTERVALS_H

#include "engine/trace/model.h"

enum { EZ_SLICES_MOST = 64 };

enum ez_interval_by { EZ_INTERVAL_FUNCTION, EZ_INTERVAL_THREAD, EZ_INTERVAL_PROCESS };
enum ez_interval_sort {
    EZ_INTERVAL_RATE,
    EZ_INTERVAL_CALLS,
    EZ_INTERVAL_TOTAL,
    EZ_INTERVAL_SELF,
    EZ_INTERVAL_MEAN,
    EZ_INTERVAL_MAX,
    EZ_INTERVAL_NAME,
    EZ_INTERVAL_SORTS
};

struct ez_interval_row {
    const char *function, *library;
    const char *who;   /* thread or process; "" if rows do not distinguish them */
    double per_second; /* calls a second in the last complete slice; before the first slice is
                        * complete, since the begin */
    uint64_t calls;    /* number of calls since the begin, or since ez_intervals_zero() */
    uint64_t total_ns; /* recursive calls inside a call of the same function are not added */
    uint64_t self_ns;
    uint64_t whole, whole_ns; /* number and sum of the durations of the calls with entry and exit */
    uint64_t max_ns;
    const char *slowest; /* values at the entry of the longest call; NULL if none were collected */
    /* number of calls in each slice; the last complete slice is slice[slices - 1] */
    uint32_t slice[EZ_SLICES_MOST];
};

struct ez_intervals {
    struct ez_interval_row *row; /* sorted; valid until the next call of a function */
    size_t n;
    unsigned slices;
    uint64_t slice_ns;
    /* set by the caller: the time when all traces ended; 0: not all have ended. Rates are then
     * those before that time */
    uint64_t end_ns;
};
struct ez_interval_source;

/* Creates a table. slices: number of slices in a row, at most EZ_SLICES_MOST. */
struct ez_intervals *ez_intervals_create(uint64_t slice_ns, unsigned slices);
/* Adds a source. Its model must outlive the table. The table owns the source. */
struct ez_interval_source *ez_intervals_source(struct ez_intervals *t, const struct ez_model *m);
/* Adds an item. The function is an ez_item_fn, and source a struct ez_interval_source. */
ez_err *ez_intervals_item(void *source, const struct ez_item *it);
/* Sets the time, on the clock that all sources share, at which the clock of the source's model is
 * 0. The initial value is 0. */
void ez_intervals_zero_ns(struct ez_interval_source *s, uint64_t ns);
/* Returns the time of the last item of all sources, on the clock that all sources share. */
uint64_t ez_intervals_last(const struct ez_intervals *t);
/* Fills in t->row and t->n. The last complete slice is the slice before the one that contains
 * now_ns. Rows whose functions do not match `filter` are left out; NULL: no filter. */
void ez_intervals_table(struct ez_intervals *t, enum ez_interval_by by, enum ez_interval_sort sort,
                        uint64_t now_ns, bool (*filter)(const char *function, void *arg),
                        void *arg);
/* Sets all sums to 0. The counts of slices are kept. */
void ez_intervals_zero(struct ez_intervals *t);
void ez_intervals_free(struct ez_intervals *t);

#endif
