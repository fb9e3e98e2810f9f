/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_calls.h - turns records into events of the file: finds the thread of each record, and calls
 * that were left without a return. */
#ifndef EZ_DRAIN_CALLS_H
#define EZ_DRAIN_CALLS_H

#include "engine/base/vec.h"
#include "engine/record/calls.h"
#include "engine/record/drain.h"

struct drain_buffer;

/* maximum number of sub-buffers for one write, event words of a sub-buffer, and of one write */
#define DRAIN_SUBS 4
#define DRAIN_SUB_WORDS 8192
#define DRAIN_WORDS (DRAIN_SUBS * DRAIN_SUB_WORDS)

struct drain_map { /* writable mapping of the target */
    uint64_t lo, hi;
    bool stack; /* the mapping is the main thread's stack */
};

/* Where stacks of the target are, to track open calls. The open calls of a thread are in the struct
 * drain_buffer of its buffer. */
struct drain_stacks {
    struct ez_calls_env env;
    EZ_VEC(struct drain_map) map;
    uint64_t next_maps; /* monotonic ns: earliest time to read the maps again */
};

/* Events of one buffer that will be written to the file. drain_filter.c removes and shortens some
 * of these events. */
struct drain_batch {
    uint64_t word[DRAIN_WORDS];
    /* n: number of words in use; recs: number of events that come from records of the target;
     * unwound: number of exits that are not returns */
    size_t n, recs, unwound;
    bool marked; /* some event in `word` must not be written */
};

/* Position in a copy of a buffer's records */
struct drain_cursor {
    struct ez_drain *d;
    struct drain_buffer *l;
    uint32_t buffer;
    const struct ez_rec *first;
    /* [run, at): records that are checked and not yet in the batch */
    const struct ez_rec *run, *at;
};

void drain_calls_free(struct ez_drain *d);
/* Turns the next n valid records of this buffer into events, which are written, held or (without an
 * open trace) discarded. Modifies the records. */
void drain_emit(struct ez_drain *d, uint32_t buffer, struct ez_rec *first, size_t n);
/* Reads the target's writable mappings, in which its stacks are. */
void drain_read_maps(struct ez_drain *d);
/* Attributes the buffer's later records to thread tid, whose first record has this tick. If another
 * thread had the buffer, ends that thread's calls. */
void drain_owner(struct ez_drain *d, uint32_t buffer, uint32_t tid, uint64_t tick);
/* Handles the end of the buffer's thread: ends its open calls, and writes a gap for lost events
 * that the thread did not report. */
void drain_thread_over(struct ez_drain *d, uint32_t buffer, uint64_t tick);
void drain_all_over(struct ez_drain *d);
/* Forgets the open calls of all buffers, because another trace begins. */
void drain_calls_forget(struct ez_drain *d);
/* Writes a gap for events that a thread lost and did not report. Returns true if there were such
 * events. */
bool drain_emit_lost(struct ez_drain *d, uint32_t buffer);
/* Returns true if the event must not be written (drain_filter.c). */
static inline bool drain_is_marked(const uint64_t *event)
{
    return !(event[2] >> 8);
}

#endif
