/* SPDX-License-Identifier: GPL-3.0-or-later */
/* intervals.h - a table of functions whose calls are also counted in slices of time, for `top`.
 *
 * Several traces may feed one table (sources), each with items from its own model. Rows distinguish
 * functions and threads; ez_intervals_table() adds them up by function, by thread or by process. A
 * call counts when it begins. Its times count when it ends, as in stats.h. Pauses have no rows.
 * Memory does not grow with time: a row keeps the last slices only.
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
    double per_second; /* calls in the last complete slice; since the beginning, until that slice
                        * is whole */
    uint64_t calls;    /* calls since the beginning, or since ez_intervals_zero() */
    uint64_t total_ns; /* a recursive call counts once */
    uint64_t self_ns;
    uint64_t whole, whole_ns; /* number and time of the calls with entry and exit */
    uint64_t max_ns;
    const char *slowest; /* values at the entry of the longest call; NULL if none were collected */
    uint32_t slice[EZ_SLICES_MOST]; /* calls in each slice, the last complete one at the end */
};

struct ez_intervals {
    struct ez_interval_row *row; /* sorted; valid until the next call of a function */
    size_t n;
    unsigned slices;
    uint64_t slice_ns;
    /* the caller sets the time when all traces have ended; rates are then the rates before that
     * time */
    uint64_t end_ns;
};
struct ez_interval_source;

/* slices: at most EZ_SLICES_MOST. */
struct ez_intervals *ez_intervals_create(uint64_t slice_ns, unsigned slices);
/* Adds a source. Its model must outlive the table. The table owns the source. */
struct ez_interval_source *ez_intervals_source(struct ez_intervals *t, const struct ez_model *m);
/* Adds an item. An ez_item_fn whose arg is the struct ez_interval_source. */
ez_err *ez_intervals_item(void *source, const struct ez_item *it);
/* Sets the time, on the clock that all sources share, of the source's time 0. Until then it is 0. */
void ez_intervals_zero_ns(struct ez_interval_source *s, uint64_t ns);
/* Returns the time of the last item of all sources, on that clock. */
uint64_t ez_intervals_last(const struct ez_intervals *t);
/* Fills in `row`. The last complete slice is the one before now_ns. Rows whose functions do not
 * match `filter` are left out; NULL: no filter. */
void ez_intervals_table(struct ez_intervals *t, enum ez_interval_by by, enum ez_interval_sort sort,
                        uint64_t now_ns, bool (*filter)(const char *function, void *arg),
                        void *arg);
/* Resets all sums. Slices stay. */
void ez_intervals_zero(struct ez_intervals *t);
void ez_intervals_free(struct ez_intervals *t);

#endif
