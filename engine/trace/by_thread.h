/* SPDX-License-Identifier: GPL-3.0-or-later */
/* by_thread.h - emits the calls of a trace, one thread at a time, without sorting the events of all
 * threads.
 *
 * Sorting the events of all threads, the interpreters and the model take most of the time of
 * reading a trace. The facts about a call that are known at its end (its duration, its callees, its
 * collected values) depend on its thread alone. So a filter that needs the ends of calls reads the
 * trace first with this file, and the sorted reading is needed only once, for the items that the
 * filter shows.
 *
 * The items are those that the model emits for each container (model.h), except pauses, links,
 * variables and samples. Items of different containers are not in the order of time. by_thread.c
 * says which traces cannot be read in this way.
 *
 * Tests: tests/unit/trace/check_by_thread.c */
#ifndef EZ_BY_THREAD_H
#define EZ_BY_THREAD_H

#include "engine/base/progress.h"
#include "engine/trace/inputs.h"
#include "engine/trace/merge.h"

/* Receives the POP of a call. number: number of calls that the thread began before this call. */
typedef ez_err *ez_by_thread_end_fn(void *arg, const struct ez_item *it, uint64_t number);

struct ez_by_thread {
    struct ez_merge *in;
    /* inputs of a model with its time span; containers and names are added to them */
    struct ez_inputs *inputs;
    bool points;              /* also emit EVENTs */
    ez_item_fn *fn;           /* receives PUSH, POP and EVENT; not called if `end` is not NULL */
    ez_by_thread_end_fn *end; /* NULL, or receives only the POPs, which is faster */
    void *arg;                /* of fn and end */
    bool (*go_on)(void *arg); /* called during the reading; returns false to cancel the reading */
    void *go_on_arg;
    uint64_t *done; /* number of events read so far; incremented for each event */
};

/* Emits the items of all files. If the trace must be read in the order of time, sets *fits to false
 * and stops; some items may have been emitted. Also returns the errors of fn and end. */
ez_err *ez_by_thread_run(const struct ez_by_thread *want, bool *fits) EZ_WUR;

#endif
