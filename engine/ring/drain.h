/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain.h - the thread that moves events from shared memory to the FxT file.
 *
 * It does nothing else: no ptrace, no symbols, no stdio; all signals blocked; sole
 * owner of the FxT handle. It holds the robust mutex `ez_hdr.owner` for as long as
 * it lives (that is how the target learns of our death), bumps `progress` each
 * round, keeps pages for free lanes ready (fallocate through `memfd`), and sleeps
 * on `wake` (1 ms under load, 50 ms when idle).
 *
 * A round, for each lane in use: take committed records in order, copy them, then
 * check each on the copy (the target may be hostile: a code that is no known id,
 * a tick that runs backwards by hours - counted, written as they are or not at
 * all, never trusted as a length), append to the file (or discard: no trace open),
 * zero and free consumed sub-buffers, +1 `space` and FUTEX_WAKE when a thread
 * waits. Then, if anything was written: an epoch event, and a checkpoint.
 * A hole (reserved, never committed) is skipped as torn once the thread has moved
 * at least two sub-buffers on, has filled all others, or has ended.
 *
 * Functions below are called from the main thread and return when the drain
 * thread has done it (a few ms), but for ez_drain_define, which only queues. */
#ifndef EZ_DRAIN_H
#define EZ_DRAIN_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/ring_abi.h"

struct ez_drain;

struct ez_instant { /* one moment on all clocks */
    uint64_t tick, mono_ns, real_ns;
};

struct ez_drain_cfg {
    struct ez_hdr *hdr;  /* the shared segment, mapped read-write, hdr->size bytes */
    int memfd;           /* of it; borrowed                                     */
    int pid;             /* of the target: liveness of lane owners              */
    int task;            /* one of its threads that lives; 0 = the main thread  */
    const char *program; /* the name that was run; copied                         */
    int event_fd;        /* eventfd: +1 when loader_seq moved or the trace was lost */
    bool mono;           /* ticks are CLOCK_MONOTONIC's nanoseconds, not the counter's */
    /* Of a segment that another shell left (adopt.c), else all zero: */
    const struct ez_hdr *layout; /* the header as it was checked, ids_used too          */
    struct ez_instant since;     /* when that shell left; tick 0 = unknown              */
};

/* Starts the thread; returns once it holds hdr->owner and lanes are ready.
 * EZ_E_SYS ENOSPC/ENOMEM: shared memory is exhausted - nothing was armed. */
ez_err *ez_drain_create(const struct ez_drain_cfg *cfg, struct ez_drain **out) EZ_WUR;
/* The same in two steps, other work between them. After an error of the second it is there
 * to be destroyed. */
ez_err *ez_drain_begin(const struct ez_drain_cfg *cfg, struct ez_drain **out) EZ_WUR;
/* Wait for what was begun: this, ez_drain_create_begin, ez_drain_reserve_begin. */
ez_err *ez_drain_finish(struct ez_drain *d) EZ_WUR;
/* A last round, then ends the thread and closes the trace if one is open. */
void ez_drain_destroy(struct ez_drain *d);
/* Ends the thread while the target lives on with its probes (stopped now): nobody waits
 * from here on, and records stay in the rings; trace_open = whether any are made. */
void ez_drain_leave(struct ez_drain *d, bool trace_open);
/* Before that: hits that threads are in the middle of will be told by who comes next. */
void ez_drain_park(struct ez_drain *d);
/* The image that was probed is gone, all its threads too. Only the caller knows: after an
 * exec the pid lives on, after its end until its parent has asked. d may be NULL. */
void ez_drain_image_ended(struct ez_drain *d);
void ez_drain_instant(struct ez_drain *d, struct ez_instant *now);
/* What stands in the rings of an adopted segment waits for ez_drain_open, or for this:
 * there will be no trace. */
void ez_drain_unhold(struct ez_drain *d);

/* Open `path` as a FxT file: header, clock and process definitions, every
 * definition queued so far, then set hdr->trace_open. */
ez_err *ez_drain_open(struct ez_drain *d, const char *path) EZ_WUR;
/* The same under a name that is free (ez_fxt_out_create), begun; `path` must stay until
 * ez_drain_finish. */
void ez_drain_create_begin(struct ez_drain *d, const char *path);
char *ez_drain_path(struct ez_drain *d); /* of the open trace; NULL = none. Caller frees. */
/* Clear trace_open, drain, write the ledger and the stop time, close. */
ez_err *ez_drain_close(struct ez_drain *d) EZ_WUR;
/* Everything committed before the call is in the file (or discarded) after it. */
void ez_drain_flush(struct ez_drain *d);
/* Make counters of ids < n exist in every ready lane, before they go live.
 * EZ_E_SYS ENOSPC/ENOMEM. */
ez_err *ez_drain_reserve_ids(struct ez_drain *d, uint32_t n) EZ_WUR;
void ez_drain_reserve_begin(struct ez_drain *d, uint32_t n);

/* Describe id: kept for the life of the drain, written to the trace that is open
 * and to every later one. `flags` EZ_ROW_*. Strings are copied. */
void ez_drain_define(struct ez_drain *d, uint32_t id, uint32_t flags, uint64_t addr,
                     const char *function, const char *library);

/* Whether traces to come tell when threads did not run (EZ_SWITCHES_*, switches.h). ON: they do,
 * or do not open. */
void ez_drain_want_switches(struct ez_drain *d, unsigned how);

struct ez_drain_stat {
    bool open; /* a trace is open                                       */
    bool lost; /* writing failed: `lost_errno`                          */
    int lost_errno;
    uint64_t bytes;          /* of the trace file                                     */
    uint64_t recorded;       /* records written, all traces of this target            */
    uint64_t entries, exits; /* counters summed over lanes and ids              */
    uint64_t filtered;       /* hits at ids that do not record                        */
    uint64_t untraced, dropped, torn, unhooked;
    uint64_t uncounted;        /* of `exits`: recorded by threads killed before they counted */
    uint64_t unwound;          /* exits written that are no return                      */
    int switches_errno;        /* why the trace does not tell when threads run; 0 = it does */
    uint64_t switches_lost;    /* such records that the kernel found no room for         */
    uint64_t waits, waited_ns; /* how often, and how long, threads waited for room      */
    struct ez_drain_earlier {  /* what shells before this one accounted for, in none of these */
        uint64_t hits, recorded, filtered, untraced, dropped;
    } earlier;
};
void ez_drain_stat(struct ez_drain *d, struct ez_drain_stat *out);
/* What was counted until now is an earlier shell's. The target stands still. */
void ez_drain_anew(struct ez_drain *d);
/* Sum of the counters of one id over all lanes. */
void ez_drain_counts(struct ez_drain *d, uint32_t id, uint64_t *entries, uint64_t *exits);

/* A copy of the newest records written (a small ring kept by the drain thread):
 * up to `max` records with sequence number >= *cursor; advances *cursor. */
size_t ez_drain_recent(struct ez_drain *d, uint64_t *cursor, struct ez_rec *out, size_t max);
/* That of the process; EZ_NO_RANK = it has none (job.h). */
uint32_t ez_drain_rank(const struct ez_drain *d);
/* Ticks to nanoseconds since the trace began (or since the drain started). */
uint64_t ez_drain_ns(struct ez_drain *d, uint64_t tick);

#endif
