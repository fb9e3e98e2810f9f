/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_calls.h - turns records into events of the file: their thread, calls that were left. */
#ifndef EZ_DRAIN_CALLS_H
#define EZ_DRAIN_CALLS_H

#include "engine/base/vec.h"
#include "engine/ring/calls.h"
#include "engine/ring/drain.h"

struct drain_buffer;

#define DRAIN_WORDS 8192 /* of events, for one write                        */

struct drain_map { /* writable memory of the target */
    uint64_t lo, hi;
    bool stack; /* the main thread's stack                                   */
};

/* Calls that are open; those of each thread are in its buffer. */
struct drain_stacks {
    struct ez_calls_env env;
    uint8_t *exits; /* per id: 1 = its exits are recorded; sparse               */
    EZ_VEC(struct drain_map) map;
    uint64_t next_maps; /* monotonic ns: earliest time to read the maps again */
};

/* Events for the file, of one buffer. drain_filter.c takes them away, and shortens them. */
struct drain_batch {
    uint64_t word[DRAIN_WORDS];
    size_t n, recs, unwound; /* words; of them records of the target, and unwound exits */
    bool marked;             /* an event in `word` is not to be written               */
};

/* A position in records of a buffer that were copied. */
struct drain_cursor {
    struct ez_drain *d;
    struct drain_buffer *l;
    uint32_t buffer;
    const struct ez_rec *first;
    const struct ez_rec *run, *at; /* [run, at): checked, not in the batch yet */
};

void drain_calls_begin(struct ez_drain *d);
void drain_calls_free(struct ez_drain *d);
void drain_calls_follow(struct ez_drain *d, uint32_t id, bool exits); /* are they recorded? */
/* Writes n valid records, the next of this buffer, to the file, or discards them. They are changed. */
void drain_emit(struct ez_drain *d, uint32_t buffer, struct ez_rec *first, size_t n);
/* Reads where the target's stacks may lie; is called again when a frame lies elsewhere. */
void drain_read_maps(struct ez_drain *d);
/* Records of the buffer from here on are of thread tid. */
void drain_owner(struct ez_drain *d, uint32_t buffer, uint32_t tid, uint64_t tick);
/* The buffer's thread ended: ends its calls, and reports the losses that it could not report. */
void drain_thread_over(struct ez_drain *d, uint32_t buffer, uint64_t tick);
void drain_all_over(struct ez_drain *d);
/* The kernel says that thread tid ended at `tick`: drain_thread_over() ends its calls no later. */
void drain_thread_ended(struct ez_drain *d, uint32_t tid, uint64_t tick);
void drain_calls_forget(struct ez_drain *d); /* of all buffers: another trace begins */
/* Writes a gap for events that a thread lost and did not report. True = there were such. */
bool drain_emit_lost(struct ez_drain *d, uint32_t buffer);
/* Puts an event without words, of the id, into the batch. */
void drain_put_other(struct drain_cursor *c, uint64_t tick, uint32_t id, bool exit);
/* Writes the first n words of the batch, events of buffer l, and counts them. */
void drain_write(struct ez_drain *d, struct drain_buffer *l, size_t n, size_t recs, size_t unwound);
bool drain_is_unwound(const uint64_t *event);             /* an exit that is no return? */
static inline bool drain_is_marked(const uint64_t *event) /* not to be written (drain_filter.c) */
{
    return !(event[2] >> 8);
}

#endif
