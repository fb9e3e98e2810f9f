/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_filter.h - holds events back until their filter has decided about them. */
#ifndef EZ_DRAIN_FILTER_H
#define EZ_DRAIN_FILTER_H

#include "engine/base/vec.h"
#include "engine/record/calls.h"
#include "engine/record/drain.h"

struct drain_cursor;
struct drain_buffer;

struct drain_wait {
    /* frame of the call; pos, tick: position and tick of the call's entry event */
    uint64_t frame, pos, tick;
    uint32_t id;
};

/* Events of a buffer that are held, whole and in the file's format. A position is a number of
 * words: all words of the buffer's events from its first event on. */
struct drain_held {
    uint64_t *at;
    size_t from, n, cap; /* held words: at[from] to at[from + n - 1] */
    /* number of records of the target among the held events, without marked records */
    uint64_t recs;
    uint64_t end; /* position behind the newest word that is held or was written */
    /* flight recorder: events up to this position were passed to drain_remember() */
    uint64_t remembered;
    /* Flight recorder: tick of the newest overwritten event, its thread, and the number of
     * overwritten records of that thread. */
    uint64_t cut_tick, cut_tid, cut;
    EZ_VEC(struct drain_wait) wait; /* calls with unknown duration; sorted by pos */
};

struct drain_filter { /* filter of one id */
    uint32_t on;      /* `by` is valid; atomic */
    uint32_t spent;   /* atomic */
    uint64_t calls;   /* number of calls that were left out; atomic */
    uint64_t bytes;   /* bytes of events written or held */
    struct ez_drain_filter by;
    /* id under which events that the filter leaves out are written (ez_drain_filter_other()) */
    uint32_t other;
    unsigned records; /* EZ_ROW_REC_* of `other` */
};

struct drain_filters {
    struct drain_filter *of; /* per id; sparse */
    uint32_t n;              /* number of filters; atomic */
    /* ids whose filter has `until` or `turns`; under defs.lock */
    EZ_VEC(uint32_t) limited;
    size_t held; /* number of held words of all buffers */
};

enum drain_verdict {
    DRAIN_FILTERED, /* the event is left out, and counts as filtered */
    DRAIN_ADMITTED,
    DRAIN_OTHERS, /* the event is written as an event of f->other */
};

/* Returns the id's filter, or NULL. */
struct drain_filter *drain_filter_of(const struct ez_drain *d, uint32_t id);
/* drain_admit() decides about the entry event of the call at `frame`, drain_admit_exit() about its
 * exit event. The event has n words and is not in the batch yet. state: the result of
 * ez_calls_exit(). */
enum drain_verdict drain_admit(struct drain_cursor *c, struct drain_filter *f,
                               const struct ez_rec *r, uint64_t frame, size_t n);
enum drain_verdict drain_admit_exit(struct drain_cursor *c, struct drain_filter *f,
                                    const struct ez_rec *r, uint64_t frame, size_t n, int state);
/* Decides about the exit of a call that did not return. Returns true if the exit is written. *id:
 * the id under which it is written, if that is not k->id. */
bool drain_admit_left(struct ez_drain *d, struct drain_buffer *l, const struct ez_open_call *k,
                      uint64_t tick, uint32_t *id);
bool drain_holds(const struct ez_drain *d, const struct drain_buffer *l);
/* Moves the events of the batch to the held events, and writes the held events that no longer
 * wait. */
void drain_hold(struct ez_drain *d, struct drain_buffer *l);
/* Ends the waiting of all calls of the buffer: the next drain_hold() writes them, although their
 * duration is unknown. */
void drain_settle_calls(struct ez_drain *d, struct drain_buffer *l);
/* Writes events of calls that have lasted their minimum at `tick`, the time at which this round
 * began to read the buffers. Finds spent filters. */
void drain_filter_round(struct ez_drain *d, uint64_t tick);
void drain_filter_finish(struct ez_drain *d); /* Writes all events that wait. */
void drain_filter_begin(struct ez_drain *d);
void drain_filter_free(struct ez_drain *d);
/* Drops all held events of the buffer. Returns how many records of the target they contained. */
uint64_t drain_held_drop(struct ez_drain *d, struct drain_buffer *l);
void drain_filter_other(struct ez_drain *d, uint32_t id, uint32_t other, unsigned records);

#endif
