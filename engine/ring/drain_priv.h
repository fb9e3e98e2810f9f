/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_priv.h - what the files of the drain thread share; for them alone.
 *
 *   drain.c        the thread: start, its mailbox, sleep, end
 *   drain_order.c  what the main thread asks of it meanwhile
 *   drain_lane.c   shared memory: pages, lanes, records; never trusts the target
 *   drain_calls.c  records as events of the file: whose, and which calls were left
 *   drain_switches.c  when threads did not run, by the kernel's account
 *   drain_trace.c  the trace file: definitions, epochs, ledger
 *   drain_clock.c  ticks and nanoseconds
 *
 * Who may touch what: fields are the drain thread's alone unless they say
 * otherwise. The main thread reads the rest only inside an order (ask(), during
 * which it waits), so nothing else needs a lock. */
#ifndef EZ_DRAIN_PRIV_H
#define EZ_DRAIN_PRIV_H

#include <pthread.h>

#include "engine/ring/calls.h"
#include "engine/ring/drain.h"
#include "engine/ring/fxt_out.h"
#include "engine/ring/job.h"
#include "engine/base/hash.h"
#include "engine/ring/switches.h"
#include "engine/base/vec.h"

#define DRAIN_IDS_STEP 4096 /* counters are made for so many ids at a time     */
#define DRAIN_FREE_LANES 8  /* kept ready beyond the used ones                 */
#define DRAIN_KEEP_LANES 16 /* the same while no shell is there to make more   */
#define DRAIN_RECENT 4096   /* newest records kept for ez_drain_recent         */
#define DRAIN_WORDS 8192    /* of events, for one write                        */

struct drain_lane {
    uint32_t tid;      /* the owner we have seen, 0 = none                      */
    uint32_t owner;    /* of the next record: it may have ended since           */
    bool used;         /* was ever used: its counters count                     */
    bool behind;       /* records may be waiting whose tick is >= last_tick     */
    uint32_t sub, rec; /* next record: sub-buffer and index in it               */
    bool headed;       /* who wrote this sub-buffer is known                    */
    uint32_t given;    /* sub-buffers given back: what `space` should be        */
    uint64_t last_tick;
    uint64_t recorded, discarded, torn, unwound; /* the truth; the shared words mirror it */
    bool awaited;                                /* the kernel may have been about to say: */
    uint64_t ended;        /* when its owner did, by the kernel's account; 0 = not known  */
    uint64_t lost;         /* of `dropped`, what gaps have told of                      */
    struct ez_calls calls; /* open in the trace                                          */
    char comm[16];         /* name last written to the open trace                   */
    char name[16];         /* as its owner says it, by halves                       */
};

struct drain_map { /* writable memory of the target */
    uint64_t lo, hi;
    bool stack; /* the main thread's                                         */
};

struct drain_def {
    uint32_t id, flags;
    uint64_t addr;
    char *text; /* "function\0library" */
    size_t len;
};

struct drain_recent {
    pthread_mutex_t lock; /* the drain thread only tries                       */
    uint64_t next;        /* sequence number of the next record                */
    struct ez_rec rec[DRAIN_RECENT];
};

struct drain_sample { /* one instant on all clocks */
    uint64_t tick, mono_ns, real_ns;
    uint64_t width; /* ticks: the instant lies somewhere in so many             */
};

struct ez_drain {
    /* Fixed at creation: the target could change its copy in the header. */
    struct ez_drain_cfg cfg;
    struct ez_job job; /* of the target */
    struct ez_hdr *hdr;
    uint32_t nlanes, ids_max, nsub;
    uint32_t adopted; /* lanes that an earlier shell made ready                 */
    uint32_t nids;    /* ids that it used                                       */
    bool hold;        /* what it left in the rings is not to be touched yet     */
    bool ended;       /* ez_drain_image_ended; atomic                           */
    bool parked;      /* the target stands still, and we are about to leave it  */
    uint64_t off_rows, off_lanes, off_counters, off_rings, size;
    bool foreign_tids; /* the target numbers its threads in another namespace   */

    pthread_t thread;
    bool quit;
    /* the mailbox: one order at a time */
    pthread_mutex_t lock;
    pthread_cond_t done;
    ez_err *(*order)(struct ez_drain *d, void *arg); /* NULL = none; atomic      */
    void *order_arg;
    ez_err *order_err;
    ez_err *begun_err; /* of an order before it; the main thread's                 */
    uint32_t want_ids;

    /* shared memory */
    struct drain_lane *lane;
    uint32_t reserved; /* ids whose counters exist in every ready lane; atomic  */
    uint32_t ready;    /* lanes whose pages exist; atomic                       */
    uint32_t loader_seq;
    uint64_t seccomp_ns; /* when the filter was last looked for */
    uint64_t sharer_ns;  /* the same of who shares the memory; who did then */
    pid_t sharer;
    bool pressed;                  /* a ring was half full in this round: no time to sleep       */
    uint64_t next_reap, next_grow; /* monotonic ns                             */
    struct ez_rec copy[EZ_SUB_RECS];

    /* events for the file, of one lane */
    uint64_t word[DRAIN_WORDS];
    size_t nword, nrec, nunwound; /* words; the target's records, and exits that are none */
    uint32_t lane_of;
    const struct ez_rec *run, *at; /* looked at, and not put yet                    */
    struct ez_calls_env calls;
    uint8_t *exits;            /* per id: 1 = its exits are recorded; sparse               */
    struct ez_counter *before; /* per id: when the trace was opened; sparse      */
    EZ_VEC(struct drain_map) map;
    uint64_t next_maps; /* monotonic ns: not to be read again before; may be long past */

    /* switches */
    unsigned want_switches;       /* EZ_SWITCHES_*; atomic                                */
    struct ez_switches *switches; /* NULL = not told                                */
    int switches_errno;           /* why                                            */
    uint64_t switches_lost;       /* by those that are closed                       */
    struct ez_hash switched;      /* threads whose switches are told                */
    const struct ez_switch *told; /* taken, and not written yet                     */
    size_t ntold;
    struct drain_sample told_at; /* just after                                     */

    /* the trace */
    struct ez_fxt_out *out; /* NULL = none open                                  */
    bool wrote;             /* something since the last epoch                    */
    bool lost;
    int lost_errno;
    uint64_t last_bytes;        /* size of the last trace, once it is closed         */
    uint64_t epoch, round_tick; /* last epoch; start of the previous round       */
    uint64_t next_clock;        /* monotonic ns                                      */
    uint64_t next_source;       /* when to look at the kernel's clock source again  */
    size_t defs_written;        /* of defs, to the open trace                        */
    pthread_mutex_t defs_lock;  /* guards defs                                   */
    EZ_VEC(struct drain_def) defs;

    struct ez_drain_stat earlier; /* ez_drain_anew                                */
    struct drain_recent recent;
    struct drain_sample zero; /* first sample                                  */
    double ns_per_tick;       /* atomic                                        */
    uint64_t tick0;           /* where the trace, or the drain, began; atomic  */
};

/* drain_lane.c */
int drain_pages(struct ez_drain *d, uint64_t from, uint64_t to);  /* 0 or errno */
int drain_grow(struct ez_drain *d, uint32_t ready, uint32_t ids); /* 0 or errno */
/* Reads every lane once; `final`: nobody will write any more. True = it moved. */
bool drain_lanes(struct ez_drain *d, bool final);
/* Makes free lanes: recycles those of ended threads, makes pages for more. */
void drain_tend_lanes(struct ez_drain *d, uint64_t now_ns);
struct ez_lane *drain_shared(const struct ez_drain *d, uint32_t lane);
struct ez_counter *drain_counter(const struct ez_drain *d, uint32_t lane, uint32_t id);

/* drain_calls.c */
/* The n valid records in d->copy, next of this lane: into the file, or discarded. */
void drain_tell(struct ez_drain *d, uint32_t lane, size_t n);
/* Where the target's stacks may lie; again later, as frames are met elsewhere. */
void drain_read_maps(struct ez_drain *d);
void drain_owner(struct ez_drain *d, uint32_t lane, uint32_t tid, uint64_t tick);
/* Its thread ended: its calls too, and what it did not come to tell is told. */
void drain_thread_over(struct ez_drain *d, uint32_t lane, uint64_t tick);
void drain_all_over(struct ez_drain *d);
/* The kernel says that it ended then: what drain_thread_over() tells is not later. */
void drain_thread_ended(struct ez_drain *d, uint32_t tid, uint64_t tick);
void drain_calls_forget(struct ez_drain *d); /* of all lanes: another trace begins */
/* What a thread lost and did not tell: in the file. True = there is such. */
bool drain_tell_lost(struct ez_drain *d, uint32_t lane);

/* drain_switches.c */
ez_err *drain_switches_open(struct ez_drain *d) EZ_WUR; /* error: they are wanted in any case */
void drain_switches_close(struct ez_drain *d);
void drain_switches_take(struct ez_drain *d);               /* before the lanes are read */
void drain_switches_tell(struct ez_drain *d);               /* after                     */
void drain_switches_know(struct ez_drain *d, uint32_t tid); /* it recorded something     */

/* drain_clock.c */
struct drain_sample drain_sample(bool mono);
void drain_calibrate(struct ez_drain *d);
bool drain_calibrated(const struct ez_drain *d); /* long enough since the first sample  */
void drain_settle(const struct ez_drain *d);     /* sleep until it is                   */
uint64_t drain_tick(const struct ez_drain *d);   /* now, as the runtime would stamp it */
uint64_t drain_now(void);                        /* CLOCK_MONOTONIC, ns                */
uint64_t drain_cpu_ns(void);                     /* that the calling thread has used   */
/* For a runtime that cannot read the clock itself. */
void drain_clock_round(struct ez_drain *d, uint64_t now_ns);

/* drain_trace.c */
typedef ez_err *drain_opener(const char *path, int traced_pid, struct ez_fxt_out **out);
ez_err *drain_trace_open(struct ez_drain *d, drain_opener *how, const char *path) EZ_WUR;
ez_err *drain_trace_close(struct ez_drain *d) EZ_WUR;
/* Definitions that came in, and the clock when it is due; before the records. */
void drain_trace_begin_round(struct ez_drain *d, uint64_t now_ns);
/* n words, whole events: returns how many were written (all but after a failure). */
size_t drain_trace_append(struct ez_drain *d, const uint64_t *word, size_t n);
void drain_trace_thread(struct ez_drain *d, struct drain_lane *l);
void drain_trace_name(struct ez_drain *d, uint32_t tid, const char *name);
void drain_trace_checkpoint(struct ez_drain *d);
void drain_trace_epoch(struct ez_drain *d); /* and a checkpoint, if any was written */
void drain_ledger(struct ez_drain *d, struct ez_drain_stat *st);
void drain_notify(const struct ez_drain *d); /* event_fd += 1 */

/* drain.c */
void drain_progress(struct ez_drain *d);
bool drain_target_ended(const struct ez_drain *d);
/* Everything that is due, once; `final`: nobody will write any more. True = it moved. */
bool drain_round(struct ez_drain *d, bool final);
/* Have `order` run in the drain thread, and wait for what it says; or let
 * ez_drain_finish() wait, *arg alive till then. */
ez_err *drain_ask(struct ez_drain *d, ez_err *(*order)(struct ez_drain *, void *),
                  void *arg) EZ_WUR;
void drain_begin(struct ez_drain *d, ez_err *(*order)(struct ez_drain *, void *), void *arg);

/* drain_order.c */
uint32_t drain_ids_step(const struct ez_drain *d, uint32_t want); /* counters made at once */

#endif
