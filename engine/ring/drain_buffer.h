/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_buffer.h - shared memory: pages, buffers, records; never trusts the target. */
#ifndef EZ_DRAIN_BUFFER_H
#define EZ_DRAIN_BUFFER_H

#include "engine/ring/calls.h"
#include "engine/ring/drain_filter.h"

#define DRAIN_IDS_STEP 4096   /* counters are made for so many ids at a time     */
#define DRAIN_FREE_BUFFERS 8  /* kept ready beyond the used ones, at most that many */
#define DRAIN_KEEP_BUFFERS 16 /* the same while no shell is there to make more   */

/* Where things are in the segment. Fixed at creation: the target could change its copy in the
 * header. */
struct drain_segment {
    uint32_t nbuffers, ids_max, nsub, naddups;
    uint64_t off_rows, off_buffers, off_counters, off_rings, off_addups, size;
};

struct drain_buffer {
    uint32_t tid;           /* the last owner seen in the buffer, 0 = none             */
    uint32_t owner;         /* thread of the next record; it may have ended since    */
    bool used;              /* the buffer was ever used: its counters count            */
    bool behind;            /* unread records may exist, with ticks >= last_tick     */
    uint32_t sub, rec;      /* next record: sub-buffer and index in it               */
    bool headed;            /* this sub-buffer's header word was read                */
    uint32_t given;         /* sub-buffers given back: what `space` should be        */
    uint64_t hole, hole_ns; /* 1 + where a hole was met (drain_hole_stays), and when */
    uint64_t last_tick;
    uint64_t recorded, discarded, torn, unwound; /* authoritative; the shared words mirror them */
    bool paused;                                 /* its last record came while recording paused */
    bool awaited;                                /* reaping was put off once, for `ended` */
    uint64_t ended;        /* when the owner ended, as the kernel says; 0 = not known     */
    uint64_t lost;         /* part of `dropped` that gap events have reported           */
    struct ez_calls calls; /* the owner's open calls in the trace                        */
    uint64_t new_stack;    /* where the stack begins whose end the next record tells; 0 = none */
    uint64_t overwritten;  /* records that the flight recorder kept, and that are gone */
    uint64_t filtered, hurried; /* records that filters kept out; see struct ez_drain_stat */
    struct drain_held held;
    char comm[16]; /* name last written to the open trace                   */
    char name[16]; /* the owner's name from its records, half by half       */
};

struct drain_buffers {
    struct drain_buffer *at;
    uint32_t most;     /* so many are made ready; fewer after ez_drain_no_more_buffers()    */
    uint32_t adopted;  /* buffers that an earlier shell made ready                 */
    uint32_t nids;     /* ids that the earlier shell used                        */
    uint32_t reserved; /* ids whose counters exist in every ready buffer; atomic  */
    uint32_t ready;    /* buffers whose pages exist; atomic                       */
    uint32_t addups;   /* aggregates whose tables exist in every ready buffer        */
    bool pressed;      /* a ring was half full when they were read: do not sleep      */
    uint64_t next_reap, next_grow; /* monotonic ns                             */
    struct ez_rec copy[EZ_SUB_RECS];
};

/* False: the segment's layout does not fit its size. */
bool drain_buffers_begin(struct ez_drain *d, const struct ez_drain_cfg *cfg) EZ_WUR;
void drain_buffers_free(struct ez_drain *d);
/* Each makes pages exist, 0 or errno: of the common buffer and the first others; of that many buffers
 * and ids; of the counters of n ids, or the tables of n aggregates, in each ready buffer. */
int drain_buffers_start(struct ez_drain *d);
int drain_grow(struct ez_drain *d, uint32_t ready, uint32_t ids);
int drain_reserve_ids(struct ez_drain *d, uint32_t n);
int drain_reserve_addups(struct ez_drain *d, uint32_t n);
void drain_no_more_buffers(struct ez_drain *d, struct ez_drain_part part[EZ_DRAIN_PARTS]);
/* Reads every buffer once; `final`: no thread will write any more. True = records were read. */
bool drain_buffers(struct ez_drain *d, bool final);
/* Makes free buffers: recycles those of ended threads, makes pages for more. */
void drain_tend_buffers(struct ez_drain *d, uint64_t now_ns);

#endif
