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
    uint64_t frame, pos, tick; /* frame of the call; position and tick of its entry event */
    uint32_t id;
};

/* Events of a buffer that are held, whole and in the file's format. A position counts all words
 * that the buffer ever had for the file. */
struct drain_held {
    uint64_t *at;
    size_t from, n, cap; /* held words: at[from] to at[from + n - 1] */
    /* number of records of the target among the held events, without marked records */
    uint64_t recs;
    uint64_t end; /* position after the newest word that is held or was written */
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
    uint64_t calls;   /* calls left out; atomic */
    uint64_t bytes;   /* bytes of events written or held */
    struct ez_drain_filter by;
    uint32_t other;   /* id that gets the hits left out (ez_drain_filter_other()) */
    unsigned records; /* EZ_ROW_REC_* of `other` */
};

struct drain_filters {
    struct drain_filter *of; /* per id; sparse */
    uint32_t n;              /* size of `of`; 0: there are no filters; atomic */
    /* ids whose filter has a limit (bytes, until, turns); under defs.lock */
    EZ_VEC(uint32_t) limited;
    size_t held; /* words held over all buffers */
};

enum drain_verdict {
    DRAIN_FILTERED, /* the event is left out, and counts as filtered */
    DRAIN_ADMITTED,
    DRAIN_OTHERS, /* the event is written as an event of f->other */
};

/* Returns the id's filter, or NULL. */
struct drain_filter *drain_filter_of(const struct ez_drain *d, uint32_t id);
/* Decides about the event of n words that begins (ends) this call and will be put into the batch.
 * state: the call's state from ez_calls_exit(). */
enum drain_verdict drain_admit(struct drain_cursor *c, struct drain_filter *f,
                               const struct ez_rec *r, uint64_t frame, size_t n);
enum drain_verdict drain_admit_exit(struct drain_cursor *c, struct drain_filter *f,
                                    const struct ez_rec *r, uint64_t frame, size_t n, int state);
/* Decides the same for the exit of a call that did not return, which is no record. *id: the id that
 * the exit belongs to. */
bool drain_admit_left(struct ez_drain *d, struct drain_buffer *l, const struct ez_open_call *k,
                      uint64_t tick, uint32_t *id);
bool drain_holds(const struct ez_drain *d, const struct drain_buffer *l);
/* Moves the events of the batch to the held events, and writes those that need not wait. */
void drain_hold(struct ez_drain *d, struct drain_buffer *l);
/* Writes the calls whose duration is unknown, whatever their filter's minimum is. */
void drain_settle_calls(struct ez_drain *d, struct drain_buffer *l);
/* Writes events that have waited long enough at `tick`, when all buffers had been read. Finds spent
 * filters. */
void drain_filter_round(struct ez_drain *d, uint64_t tick);
void drain_filter_finish(struct ez_drain *d); /* Decides about all events that wait. */
void drain_filter_begin(struct ez_drain *d);
void drain_filter_free(struct ez_drain *d);
/* Drops the buffer's events that are held or kept. Returns the number of their records. */
uint64_t drain_held_drop(struct ez_drain *d, struct drain_buffer *l);
void drain_filter_other(struct ez_drain *d, uint32_t id, uint32_t other, unsigned records);

#endif
