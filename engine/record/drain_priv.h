/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_priv.h - struct ez_drain, for the drain thread's own files.
 *
 * The struct consists of parts. The .c file of the header that defines a part writes the part;
 * drain.c writes the parts that this header defines. Another file assigns to a part only if the
 * part's comment names that file (tests/check_layers.sh).
 *
 * Only the drain thread reads and writes a field, unless the field's comment says otherwise. The
 * main thread accesses such fields only in an order (drain_request()), which the drain thread
 * executes while the main thread waits, so the fields need no lock. */
#ifndef EZ_DRAIN_PRIV_H
#define EZ_DRAIN_PRIV_H

#include <pthread.h>

#include "engine/record/drain_adds.h"
#include "engine/record/drain_calls.h"
#include "engine/record/drain_clock.h"
#include "engine/record/drain_code.h"
#include "engine/record/drain_defs.h"
#include "engine/record/drain_file.h"
#include "engine/record/drain_filter.h"
#include "engine/record/flight_recorder.h"
#include "engine/record/drain_buffer.h"
#include "engine/record/drain_accounting.h"
#include "engine/record/drain_lines.h"
#include "engine/record/drain_memory.h"
#include "engine/record/drain_pauses.h"
#include "engine/record/drain_recent.h"
#include "engine/record/drain_signals.h"
#include "engine/record/drain_switches.h"
#include "engine/record/drain_target.h"
#include "engine/record/drain_trace.h"
#include "engine/record/job.h"

/* The mailbox for orders to the drain thread: one order at a time. */
struct drain_mail {
    pthread_mutex_t lock;
    pthread_cond_t done;
    ez_err *(*order)(struct ez_drain *d, void *arg); /* NULL: none; atomic */
    void *arg;
    ez_err *err;
    ez_err *begun; /* error of an earlier order; used by the main thread only */
};

/* Flags that begin and end the work of the drain thread. Also written by drain_order.c. */
struct drain_life {
    pthread_t thread;
    bool quit;
    bool hold;   /* the records that the earlier shell left in the rings have not been read yet */
    bool ended;  /* ez_drain_image_ended() was called; atomic */
    bool parked; /* ez_drain_park() was called: the shell will leave the stopped target */
};

/* State of the checks that a round makes besides reading the rings. */
struct drain_rounds {
    uint64_t tick; /* tick at which the previous round began */
    uint32_t loader_seq, requests;
    uint64_t seccomp_ns; /* time of the last search for a seccomp filter, ns */
    uint64_t sharer_ns;  /* time of the last search for a process that shares the memory, ns */
    pid_t sharer;        /* the sharer that the search found; 0: none */
    bool watched;        /* as `enabled`, but permanent; atomic */
    bool enabled;        /* event_fd gets +1 every EZ_ROUND_NS; atomic */
    uint64_t next;       /* monotonic ns of the next notification */
};

struct ez_drain {
    struct ez_drain_cfg cfg;
    struct ez_job job; /* job of the target */
    struct ez_hdr *hdr;
    bool foreign_tids; /* the target's thread ids are of another pid namespace */
    /* accounting of earlier shells (ez_drain_anew()); written by drain_order.c */
    struct ez_drain_stat earlier;
    uint32_t want_ids; /* argument of ez_drain_reserve_begin(); used by the main thread only */

    struct drain_life life;
    struct drain_mail mail;
    struct drain_rounds rounds;
    struct drain_segment seg;
    struct drain_buffers buffers;
    struct drain_batch batch;
    struct drain_stacks stacks;
    struct drain_filters filters;
    struct drain_kept kept;
    struct drain_switches switches;
    struct drain_signals signals;
    struct drain_pauses pauses;
    struct drain_lines lines;
    struct drain_file file;
    struct drain_trace trace;
    struct drain_memory memory;
    struct drain_clock clock;
    struct drain_defs defs;
    struct drain_code code;
    struct drain_recent recent;
};

/* drain_buffer_at() returns the address at an offset in the segment, drain_shared() the shared
 * words of a buffer. */
static inline char *drain_buffer_at(const struct ez_drain *d, uint64_t offset)
{
    return (char *)d->hdr + offset;
}
static inline struct ez_buffer *drain_shared(const struct ez_drain *d, uint32_t buffer)
{
    return (struct ez_buffer *)drain_buffer_at(d, d->seg.off_buffers) + buffer;
}
/* drain_counters_off() returns the offset of a buffer's counters in the segment, drain_counter()
 * the address of a buffer's counter of one id. */
static inline uint64_t drain_counters_off(const struct ez_drain *d, uint32_t buffer)
{
    return d->seg.off_counters + (uint64_t)buffer * d->seg.ids_max * sizeof(struct ez_counter);
}
static inline struct ez_counter *drain_counter(const struct ez_drain *d, uint32_t buffer,
                                               uint32_t id)
{
    return (struct ez_counter *)drain_buffer_at(d, drain_counters_off(d, buffer)) + id;
}
/* Returns the offset of a buffer's table of an aggregate. */
static inline uint64_t drain_addup_off(const struct ez_drain *d, uint32_t buffer, uint32_t number)
{
    return d->seg.off_addups + ((uint64_t)buffer * d->seg.naddups + number) * EZ_ADDUP_BYTES;
}
/* Returns true if events are written to a trace or kept by the flight recorder, and not
 * discarded. */
static inline bool drain_is_open(const struct ez_drain *d)
{
    return d->file.out || d->kept.most;
}

/* Makes one round of all work that is due. final: no thread will write again. Returns true if the
 * round read records. */
bool drain_round(struct ez_drain *d, bool final);
/* Completes the open trace. */
ez_err *drain_close(struct ez_drain *d) EZ_WUR;
/* drain_request() runs `order` in the drain thread, waits for the result, and returns it.
 * drain_begin() queues `order` and does not wait; ez_drain_finish() waits for the result, and *arg
 * must be valid until then. */
ez_err *drain_request(struct ez_drain *d, ez_err *(*order)(struct ez_drain *, void *),
                      void *arg) EZ_WUR;
void drain_begin(struct ez_drain *d, ez_err *(*order)(struct ez_drain *, void *), void *arg);

#endif
