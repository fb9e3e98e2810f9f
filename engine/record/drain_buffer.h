/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_buffer.h - the drain's access to the shared memory: pages, buffers, records. */
#ifndef EZ_DRAIN_BUFFER_H
#define EZ_DRAIN_BUFFER_H

#include "engine/record/calls.h"
#include "engine/record/drain_calls.h"
#include "engine/record/drain_filter.h"

#define DRAIN_IDS_STEP 4096 /* granularity of the allocation of counters, in ids */
/* number of free buffers that are kept ready if few buffers are used */
#define DRAIN_FREE_BUFFERS 8
/* number of buffers to add when the shell leaves, because nobody makes buffers afterwards */
#define DRAIN_KEEP_BUFFERS 16

/* Layout of the segment: a private copy, because the target can change the header. */
struct drain_segment {
    uint32_t nbuffers, ids_max, nsub, naddups;
    uint64_t off_rows, off_buffers, off_counters, off_rings, off_addups, size;
};

struct drain_buffer {
    uint32_t tid;      /* last owner seen in the buffer; 0: none */
    uint32_t owner;    /* thread of the next record; the thread may have ended since */
    bool used;         /* the buffer has had an owner or records, so its counters are summed */
    bool behind;       /* the ring may contain unread records, with ticks >= last_tick */
    uint32_t sub, rec; /* position of the next record: sub-buffer and index in it */
    bool headed;       /* the header word of this sub-buffer was read */
    /* number of sub-buffers returned to the target: the value of ez_buffer.space, unless the target
     * changed that word */
    uint32_t given;
    /* hole: 1 + position of a hole (drain_hole_stays); hole_ns: time at which the drain found the
     * hole */
    uint64_t hole, hole_ns;
    uint64_t last_tick;
    /* counts of the drain; the fields of struct ez_buffer with these names are copies */
    uint64_t recorded, discarded, torn, unwound;
    /* recording was paused at the tick of the last record */
    bool paused;
    /* the release of the buffer was delayed by one round, in which the kernel may report `ended` */
    bool awaited;
    uint64_t ended; /* tick at which the owner ended according to the kernel; 0: unknown */
    /* the number of lost events (part of `dropped`) that gap events have reported */
    uint64_t lost;
    struct ez_calls calls; /* open calls of the owner in the trace */
    uint64_t new_stack;    /* start of the stack whose end the next record gives; 0: none */
    uint64_t overwritten;  /* records that the flight recorder kept and has dropped since */
    /* number of records that filters left out; part of ez_drain_stat.hurried */
    uint64_t filtered, hurried;
    struct drain_held held;
    char comm[16]; /* thread name last written to the open trace */
    char name[16]; /* owner's name, assembled from two records */
};

struct drain_buffers {
    struct drain_buffer *at;
    /* limit for the number of ready buffers; falls after ez_drain_no_more_buffers() */
    uint32_t most;
    uint32_t adopted;  /* number of buffers that an earlier shell made ready */
    uint32_t nids;     /* number of ids that the earlier shell used */
    uint32_t reserved; /* number of ids whose counters exist in every ready buffer; atomic */
    uint32_t ready;    /* number of buffers whose pages exist; atomic */
    uint32_t addups;   /* number of aggregates whose tables exist in every ready buffer */
    bool pressed;      /* a ring was half full in the last round: do not sleep */
    uint64_t next_reap, next_grow; /* monotonic ns */
    struct ez_rec copy[DRAIN_SUBS * EZ_SUB_RECS];
};

/* Returns false if the segment's layout does not fit its size. */
bool drain_buffers_begin(struct ez_drain *d, const struct ez_drain_cfg *cfg) EZ_WUR;
void drain_buffers_free(struct ez_drain *d);
/* Allocate pages and return 0 or an errno. drain_buffers_start(): for the common buffer and the
 * first other buffers. drain_grow(): for `ready` buffers with the counters of `ids` ids.
 * drain_reserve_ids(): for the counters of n ids in each ready buffer. drain_reserve_addups(): for
 * the tables of n aggregates in each ready buffer. */
int drain_buffers_start(struct ez_drain *d);
int drain_grow(struct ez_drain *d, uint32_t ready, uint32_t ids);
int drain_reserve_ids(struct ez_drain *d, uint32_t n);
int drain_reserve_addups(struct ez_drain *d, uint32_t n);
void drain_no_more_buffers(struct ez_drain *d, struct ez_drain_part part[EZ_DRAIN_PARTS]);
/* Reads every buffer that has an owner. final: no thread will write again, and free buffers are
 * read, too. Returns true if any record was read. */
bool drain_buffers(struct ez_drain *d, bool final);
/* Makes free buffers: recycles buffers of ended threads, and makes pages for more buffers. */
void drain_tend_buffers(struct ez_drain *d, uint64_t now_ns);

#endif
