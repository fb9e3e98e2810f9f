/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filter.h - chooses which calls of a trace its readers get: the one filter of all commands.
 *
 *     model.h -> filter -> stats, timeline, formats, ...
 *
 * A call is shown if it meets all criteria. The readers get a sequence with the properties that
 * model.h promises: depth, recursive and self_ns are those among the shown calls, so the time of a
 * hidden call belongs to the self time of the shown call around it. Pauses, values of variables,
 * samples and begins of messages are shown if a shown call is around them, or if no criterion is
 * about calls.
 *
 * Some criteria (min_ns, max_ns, callee, and a condition on values or durations) are known only
 * when a call has ended. Then the trace is read twice: the first reading decides for each call
 * (one bit), the second one shows. The first reading need not be in the order of time, except within
 * a thread (by_thread.h).
 *
 * Tests: tests/unit/trace/check_filter.c, tests/trace/readers.sh */
#ifndef EZ_FILTER_H
#define EZ_FILTER_H

#include "engine/trace/model.h"

struct ez_filter_spec { /* NULL, 0, false: everything */
    /* lists, separated by commas. Threads: numbers, or names as the program gave them. Processes:
     * numbers, ranges of numbers, or names of programs. Ranks: numbers and ranges. */
    const char *threads, *processes, *ranks;
    /* extended regular expressions for names; callers: for a call around the shown call; callees:
     * for a call inside the shown call */
    const char *function, *not_function, *library, *caller, *callee;
    const char *where;       /* condition.h */
    uint64_t depth;          /* number of levels of shown calls */
    uint64_t min_ns, max_ns; /* duration */
    bool no_pauses;          /* time that threads slept or were preempted belongs to the function */
};

struct ez_filter;

/* Returns NULL in *out if the specification asks for nothing. Returns EZ_E_ARG. */
ez_err *ez_filter_create(const struct ez_filter_spec *spec, struct ez_filter **out) EZ_WUR;
/* Returns whether the trace must be read twice. */
bool ez_filter_is_late(const struct ez_filter *f);
/* Returns whether the first of two readings needs EVENTs. */
bool ez_filter_needs_points(const struct ez_filter *f);
/* Forgets what a first reading decided, so that it can begin again. */
void ez_filter_forget(struct ez_filter *f);
/* Returns whether the filter hides calls, not only pauses. */
bool ez_filter_hides(const struct ez_filter *f);
/* Prepares a reading of the model's items. Sets m->filtered. */
void ez_filter_begin(struct ez_filter *f, struct ez_model *m, ez_item_fn *fn, void *arg);
/* Receives an item in the first of two readings. arg: the filter. */
ez_err *ez_filter_judge(void *filter, const struct ez_item *it);
/* Receives an item, and passes it on if it is shown. arg: the filter. */
ez_err *ez_filter_item(void *filter, const struct ez_item *it);
/* Returns EZ_E_NOTFOUND if the trace has no such thread, process, rank or collected value. */
ez_err *ez_filter_missing(struct ez_filter *f) EZ_WUR;
/* Notes in f the threads, processes and ranks that `other` found in another trace, so that
 * ez_filter_missing() reports only those that no trace has. Both have the same specification. */
void ez_filter_join(struct ez_filter *f, struct ez_filter *other);
/* Returns whether calls that were counted but not recorded are shown, given their process and name.
 * They are hidden by criteria that cannot be decided without their events. */
bool ez_filter_counted(struct ez_filter *f, uint32_t process, uint32_t name);
struct ez_filter_sum {
    uint64_t calls, shown; /* calls and points */
};
struct ez_filter_sum ez_filter_sum(const struct ez_filter *f);
void ez_filter_free(struct ez_filter *f);

#endif
