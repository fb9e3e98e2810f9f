/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_filter.h - events that wait until it is known whether they are written. */
#ifndef EZ_DRAIN_FILTER_H
#define EZ_DRAIN_FILTER_H

#include "engine/base/vec.h"
#include "engine/ring/calls.h"
#include "engine/ring/drain.h"

struct drain_cursor;
struct drain_buffer;

struct drain_wait {
    uint64_t frame, pos, tick; /* of the call's entry event                          */
    uint32_t id;
};

/* Events of a buffer that wait: whole events as they stand in the file. Positions count all words that
 * the buffer ever had for the file. */
struct drain_held {
    uint64_t *at;
    size_t from, n, cap; /* words at[from] to at[from + n - 1]                     */
    uint64_t recs;       /* records of the target among them, that are not marked     */
    uint64_t end;        /* position behind the newest word that is here or was written */
    uint64_t remembered; /* of a flight recorder: position up to which drain_remember() has them */
    /* of a flight recorder: the newest event that was overwritten, and how many records were, of that
     * thread */
    uint64_t cut_tick, cut_tid, cut;
    EZ_VEC(struct drain_wait) wait; /* calls whose length is not known; sorted by pos  */
};

struct drain_filter { /* of one id */
    uint32_t on;      /* atomic: `by` is there                                        */
    uint32_t spent;   /* atomic                                                       */
    uint64_t calls;   /* not written; atomic                                          */
    uint64_t bytes;   /* of events written, or waiting                                */
    struct ez_drain_filter by;
    uint32_t other;   /* the id that has what is left out (ez_drain_filter_other())    */
    unsigned records; /* its EZ_ROW_REC_*                                              */
};

struct drain_filters {
    struct drain_filter *of;  /* per id; sparse                                        */
    uint32_t n;               /* 0 = there are none; atomic                            */
    EZ_VEC(uint32_t) limited; /* ids whose filter ends by itself; under defs.lock        */
    size_t held;              /* words held by all buffers                               */
};

struct drain_filter *drain_filter_of(const struct ez_drain *d, uint32_t id); /* NULL = none */
/* Shall the event of n words be written, which begins (ends) this call, and is put next into the batch?
 * `state`: of the call, as ez_calls_exit() told. If not, the record is put as another probe's, or counted as filtered. */
bool drain_admit(struct drain_cursor *c, struct drain_filter *f, const struct ez_rec *r,
                 uint64_t frame, size_t n);
bool drain_admit_exit(struct drain_cursor *c, struct drain_filter *f, const struct ez_rec *r,
                      uint64_t frame, size_t n, int state);
/* The same for the exit of a call that did not return; it is no record. *id: whose it is. */
bool drain_admit_left(struct ez_drain *d, struct drain_buffer *l, const struct ez_open_call *k,
                      uint64_t tick, uint32_t *id);
bool drain_holds(const struct ez_drain *d, const struct drain_buffer *l);
/* Takes the events of the batch to those that wait, and writes those that need not. */
void drain_hold(struct ez_drain *d, struct drain_buffer *l);
/* Calls that wait are written, however long they are. */
void drain_settle_calls(struct ez_drain *d, struct drain_buffer *l);
/* Writes what has waited long enough at `tick`, when all buffers had been read; finds spent filters. */
void drain_filter_round(struct ez_drain *d, uint64_t tick);
void drain_filter_finish(struct ez_drain *d); /* no event waits any longer             */
void drain_filter_begin(struct ez_drain *d);
void drain_filter_free(struct ez_drain *d);
/* Drops what waits or is kept of that buffer. Returns how many records there were. */
uint64_t drain_held_drop(struct ez_drain *d, struct drain_buffer *l);
void drain_filter_other(struct ez_drain *d, uint32_t id, uint32_t other, unsigned records);

#endif
