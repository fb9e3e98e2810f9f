/* SPDX-License-Identifier: GPL-3.0-or-later */
/* by_thread.h - the calls of a trace, one thread at a time, without sorting its events.
 *
 * Sorting the events of all threads and passing them to the interpreters and the model takes most of
 * the time of a reading. What is known about a call at its end (its duration, what it called, the
 * values that it collected) depends on its thread alone. So a filter that needs the ends of calls
 * gets them from here, and the trace is sorted only once, for what the filter shows.
 *
 * The items are those that the model emits for each container (model.h), apart from pauses, links,
 * variables and samples. The order of two items of different containers is not that of time. Not
 * each trace can be read in this way: see by_thread.c.
 *
 * Tests: tests/unit/trace/check_by_thread.c */
#ifndef EZ_BY_THREAD_H
#define EZ_BY_THREAD_H

#include "engine/base/progress.h"
#include "engine/trace/inputs.h"
#include "engine/trace/merge.h"

struct ez_by_thread {
    struct ez_merge *in;
    struct ez_inputs *inputs; /* of a model with the window; gets the containers and names */
    bool points;              /* also emit EVENTs */
    ez_item_fn *fn;           /* receives PUSH, POP and EVENT */
    void *arg;
    bool (*go_on)(void *arg); /* called during the reading; false cancels */
    void *go_on_arg;
    uint64_t *done; /* number of events that were read; is increased */
};

/* Emits the items of all files. Sets *fits to false, after some items or none, if the trace must be
 * read in the order of time. Returns the errors of fn, too. */
ez_err *ez_by_thread_run(const struct ez_by_thread *want, bool *fits) EZ_WUR;

#endif
