/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_buffer.h - shared memory: pages, buffers, records. Validates all that the target can
 * write. */
#ifndef EZ_DRAIN_BUFFER_H
#define EZ_DRAIN_BUFFER_H

#include "engine/record/calls.h"
#include "engine/record/drain_filter.h"

#define DRAIN_IDS_STEP 4096  /* number of ids for which counters are made at a time */
#define DRAIN_FREE_BUFFERS 8 /* maximum number of ready buffers beyond the used ones */
/* minimum of free buffers when the shell leaves: after that nobody makes buffers */
#define DRAIN_KEEP_BUFFERS 16

/* Layout of the segment. Fixed at creation, because the target could change the header's copy. */
struct drain_segment {
    uint32_t nbuffers, ids_max, nsub, naddups;
    uint64_t off_rows, off_buffers, off_counters, off_rings, off_addups, size;
};

struct drain_buffer {
    uint32_t tid;      /* last owner seen in the buffer; 0: none */
    uint32_t owner;    /* thread of the next record; the thread may have ended since */
    bool used;         /* the buffer has had an owner, so its counters are summed */
    bool behind;       /* there may be unread records, with ticks >= last_tick */
    uint32_t sub, rec; /* position of the next record: sub-buffer and index in it */
    bool headed;       /* the header word of this sub-buffer was read */
    /* number of sub-buffers given back: `space` in shared memory must have this value */
    uint32_t given;
    /* hole: 1 + position of a hole (drain_hole_stays); hole_ns: time when the hole was found */
    uint64_t hole, hole_ns;
    uint64_t last_tick;
    /* counts of the drain; the shared words are copies of these counts */
    uint64_t recorded, discarded, torn, unwound;
    /* the last record came while recording was paused */
    bool paused;
    bool awaited;   /* the release of the buffer was delayed by one round, to learn `ended` */
    uint64_t ended; /* when the owner ended according to the kernel; 0: unknown */
    /* the number of lost events (part of `dropped`) that gap events have reported */
    uint64_t lost;
    struct ez_calls calls; /* open calls of the owner in the trace */
    uint64_t new_stack;    /* start of the stack whose end the next record gives; 0: none */
    uint64_t overwritten;  /* records that the flight recorder kept and has dropped since */
    /* records that filters left out; records of ez_drain_stat.hurried */
    uint64_t filtered, hurried;
    struct drain_held held;
    char comm[16]; /* thread name last written to the open trace */
    char name[16]; /* owner's name, assembled from two records */
};

struct drain_buffers {
    struct drain_buffer *at;
    /* limit for the number of ready buffers; falls after ez_drain_no_more_buffers() */
    uint32_t most;
    uint32_t adopted;              /* buffers that an earlier shell made ready */
    uint32_t nids;                 /* ids that the earlier shell used */
    uint32_t reserved;             /* ids whose counters exist in every ready buffer; atomic */
    uint32_t ready;                /* buffers whose pages exist; atomic */
    uint32_t addups;               /* aggregates whose tables exist in every ready buffer */
    bool pressed;                  /* a ring was half full in the last round: do not sleep */
    uint64_t next_reap, next_grow; /* monotonic ns */
    struct ez_rec copy[EZ_SUB_RECS];
};

/* Returns false if the segment's layout does not fit its size. */
bool drain_buffers_begin(struct ez_drain *d, const struct ez_drain_cfg *cfg) EZ_WUR;
void drain_buffers_free(struct ez_drain *d);
/* Allocate pages and return 0 or an errno. drain_buffers_start(): for the common buffer and the
 * first other buffers. drain_grow(): for that many buffers and ids. drain_reserve_ids(): for the
 * counters of n ids in each ready buffer. drain_reserve_addups(): for the tables of n aggregates
 * in each ready buffer. */
int drain_buffers_start(struct ez_drain *d);
int drain_grow(struct ez_drain *d, uint32_t ready, uint32_t ids);
int drain_reserve_ids(struct ez_drain *d, uint32_t n);
int drain_reserve_addups(struct ez_drain *d, uint32_t n);
void drain_no_more_buffers(struct ez_drain *d, struct ez_drain_part part[EZ_DRAIN_PARTS]);
/* Reads every buffer once. final: no thread will write again. Returns true if it read records. */
bool drain_buffers(struct ez_drain *d, bool final);
/* Makes free buffers: recycles buffers of ended threads, and makes pages for more buffers. */
void drain_tend_buffers(struct ez_drain *d, uint64_t now_ns);

#endif
