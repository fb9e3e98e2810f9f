/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filter.h - chooses which calls of a trace its readers get: the one filter of all commands.
 *
 *     model.h -> filter -> stats, timeline, formats, ...
 *
 * A call is shown if it meets all criteria of the filter. The readers get a sequence of items with
 * the properties that model.h promises: depth, recursive and self_ns are computed from the shown
 * calls only, so the time of a hidden call is part of the self time of the shown call around it.
 * Pauses, values of variables, samples and begins of messages are shown if they are inside a shown
 * call, or if no criterion is about calls.
 *
 * Some criteria (min_ns, max_ns, callee, and a condition on values or durations) are known only
 * when a call has ended. With such a criterion the trace is read twice: the first reading stores a
 * bit for each call (shown or not), the second reading emits the items. In the first reading, only
 * the items of each thread must be in the order of time (by_thread.h).
 *
 * Tests: tests/unit/trace/check_filter.c, tests/trace/readers.sh */
#ifndef EZ_FILTER_H
#define EZ_FILTER_H

#include "engine/trace/model.h"

struct ez_filter_spec { /* the criteria; NULL, 0, false: no criterion */
    /* lists, separated by commas. Threads: numbers, or names as the program gave them. Processes:
     * numbers, ranges of numbers, or names of programs. Ranks: numbers and ranges. */
    const char *threads, *processes, *ranks;
    /* extended regular expressions for names. caller: matches a call around the shown call; callee:
     * matches a call inside the shown call */
    const char *function, *not_function, *library, *caller, *callee;
    const char *where;       /* condition.h */
    uint64_t depth;          /* maximum nesting depth of shown calls */
    uint64_t min_ns, max_ns; /* minimum and maximum duration of a call */
    /* pauses in which a thread slept or was preempted are not shown; their time is part of the
     * function's */
    bool no_pauses;
};

struct ez_filter;

/* Creates a filter. *out is NULL if the specification has no criterion. Returns EZ_E_ARG if the
 * specification is wrong. */
ez_err *ez_filter_create(const struct ez_filter_spec *spec, struct ez_filter **out) EZ_WUR;
/* Returns true if the trace must be read twice. */
bool ez_filter_is_late(const struct ez_filter *f);
/* Returns true if the first of two readings needs EVENTs. */
bool ez_filter_needs_points(const struct ez_filter *f);
/* Forgets the results of the first reading, so that it can be repeated. */
void ez_filter_forget(struct ez_filter *f);
/* Returns true if the filter can hide calls, not only pauses. */
bool ez_filter_hides(const struct ez_filter *f);
/* Prepares a reading of the items of m, whose shown items are passed to fn. Sets m->filtered. */
void ez_filter_begin(struct ez_filter *f, struct ez_model *m, ez_item_fn *fn, void *arg);
/* Returns true if the first of two readings needs the starts of calls, too. */
bool ez_filter_needs_starts(const struct ez_filter *f);
/* Handles an item in the first of two readings. */
ez_err *ez_filter_judge(void *filter, const struct ez_item *it);
/* Handles the POP of call `number` of its thread, in a first reading that emits only POPs. */
ez_err *ez_filter_judge_end(void *filter, const struct ez_item *it, uint64_t number);
/* Handles an item in the only or the second reading: passes it to the readers if it is shown. */
ez_err *ez_filter_item(void *filter, const struct ez_item *it);
/* Returns EZ_E_NOTFOUND if the trace has no such thread, process, rank or collected value. */
ez_err *ez_filter_missing(struct ez_filter *f) EZ_WUR;
/* Marks in f the threads, processes and ranks of the specification that `other` found in another
 * trace, so that ez_filter_missing() reports only those that no trace has. Both filters have the
 * same specification. */
void ez_filter_join(struct ez_filter *f, struct ez_filter *other);
/* Returns true if the filter shows calls that were counted but not recorded, of this process
 * (EZ_NONE_IDX: unknown) and name. Such calls are hidden if a criterion cannot be decided without
 * their events. */
bool ez_filter_counted(struct ez_filter *f, uint32_t process, uint32_t name);
struct ez_filter_sum {
    uint64_t calls, shown; /* numbers of all calls and EVENTs, and of the shown ones */
};
struct ez_filter_sum ez_filter_sum(const struct ez_filter *f);
void ez_filter_free(struct ez_filter *f);

#endif
