/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_priv.h - what the files of the drain thread share; for them alone.
 *
 *   drain.c        the thread: start, its mailbox, sleep, end
 *   drain_order.c  orders: what the main thread asks of the drain thread
 *   drain_lane.c   shared memory: pages, lanes, records; never trusts the target
 *   drain_calls.c  turns records into events of the file: their thread, calls that were left
 *   drain_filter.c  events that wait until it is known whether they are written
 *   drain_keep.c    the flight recorder: events in memory, snapshots of them
 *   drain_switches.c  when threads did not run, as the kernel reports it
 *   drain_trace.c  the trace file: definitions, epochs, events
 *   drain_ledger.c  what became of each hit
 *   drain_clock.c  ticks and nanoseconds
 *   drain_lines.c  lines of text for the user
 *   drain_act.c    when recording was paused
 *
 * Only the drain thread may touch a field, unless the field's comment says otherwise. The
 * main thread reads other fields only inside an order (drain_ask(), during which it
 * waits), so they need no lock. */
#ifndef EZ_DRAIN_PRIV_H
#define EZ_DRAIN_PRIV_H

#include <pthread.h>

#include "engine/ring/calls.h"
#include "engine/ring/drain.h"
#include "engine/ring/fxt_out.h"
#include "engine/ring/items.h"
#include "engine/ring/job.h"
#include "engine/base/hash.h"
#include "engine/ring/switches.h"
#include "engine/base/vec.h"

#define DRAIN_IDS_STEP 4096 /* counters are made for so many ids at a time     */
#define DRAIN_FREE_LANES 8  /* kept ready beyond the used ones, at most that many */
#define DRAIN_KEEP_LANES 16 /* the same while no shell is there to make more   */
#define DRAIN_RECENT 4096   /* newest records kept for ez_drain_recent         */
#define DRAIN_RECALL 32768  /* words of these: a power of two                  */
#define DRAIN_WORDS 8192    /* of events, for one write                        */

/* Events of a lane that wait: whole events as they stand in the file. Positions count all words that
 * the lane ever had for the file. */
struct drain_held {
    uint64_t *at;
    size_t from, n, cap; /* words at[from] to at[from + n - 1]                     */
    uint64_t recs;       /* records of the target among them, that are not marked     */
    uint64_t end;        /* position behind the newest word that is here or was written */
    uint64_t told;       /* of a flight recorder: position up to which drain_remember() has them */
    /* of a flight recorder: the newest event that was overwritten, and how many records were, of that
     * thread */
    uint64_t cut_tick, cut_tid, cut;
    EZ_VEC(struct drain_wait) wait; /* calls whose length is not known; sorted by pos  */
};
struct drain_wait {
    uint64_t frame, pos, tick; /* of the call's entry event                          */
    uint32_t id;
};

struct drain_name {
    uint32_t tid;
    char name[17];
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

struct drain_lane {
    uint32_t tid;           /* the last owner seen in the lane, 0 = none             */
    uint32_t owner;         /* thread of the next record; it may have ended since    */
    bool used;              /* the lane was ever used: its counters count            */
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

struct drain_map { /* writable memory of the target */
    uint64_t lo, hi;
    bool stack; /* the main thread's stack                                   */
};

struct drain_def { /* EZ_DEF_PROBE (id, flags, address), EZ_DEF_MODULE, EZ_DEF_MEANING, ... */
    enum ez_def kind;
    uint64_t arg[4];
    size_t narg;
    char *text; /* "function\0library", "name\0group\0words" */
    size_t len;
};

struct drain_recent {
    pthread_mutex_t lock; /* the drain thread only tries                       */
    uint64_t next;        /* sequence number of the next record                */
    struct ez_rec rec[DRAIN_RECENT];
    /* Arguments of probes' events, the newest: event i's begin at number at[i % DRAIN_RECENT]. */
    uint64_t at[DRAIN_RECENT], next_word, word[DRAIN_RECALL];
};

struct drain_sample { /* one instant on all clocks */
    uint64_t tick, mono_ns, real_ns;
    uint64_t width; /* uncertainty of the instant, in ticks                     */
};

/* Where things are in the segment. Fixed at creation: the target could change its copy in the header. */
struct drain_segment {
    uint32_t nlanes, ids_max, nsub, naddups;
    uint64_t off_rows, off_lanes, off_counters, off_rings, off_addups, size;
};

struct drain_lanes {
    struct drain_lane *at;
    uint32_t most;     /* so many are made ready; fewer after ez_drain_no_more_lanes()    */
    uint32_t adopted;  /* lanes that an earlier shell made ready                 */
    uint32_t nids;     /* ids that the earlier shell used                        */
    uint32_t want_ids; /* of ez_drain_reserve_begin(); the main thread's         */
    uint32_t reserved; /* ids whose counters exist in every ready lane; atomic  */
    uint32_t ready;    /* lanes whose pages exist; atomic                       */
    uint32_t addups;   /* aggregates whose tables exist in every ready lane        */
    bool pressed;      /* a ring was half full in this round: do not sleep           */
    uint64_t next_reap, next_grow; /* monotonic ns                             */
    struct ez_rec copy[EZ_SUB_RECS];
};

/* The mailbox: one order at a time. */
struct drain_mail {
    pthread_mutex_t lock;
    pthread_cond_t done;
    ez_err *(*order)(struct ez_drain *d, void *arg); /* NULL = none; atomic      */
    void *arg;
    ez_err *err;
    ez_err *begun; /* error of an earlier order; the main thread's field       */
};

struct drain_life {
    pthread_t thread;
    bool quit;
    bool hold;   /* the earlier shell's records in the rings must wait     */
    bool ended;  /* ez_drain_image_ended; atomic                           */
    bool parked; /* ez_drain_park: the target stands still, the shell leaves it */
};

/* What a round looks at beside the rings. */
struct drain_rounds {
    uint64_t tick; /* when the previous round began */
    uint32_t loader_seq, asks;
    uint64_t seccomp_ns; /* when a seccomp filter was last looked for */
    uint64_t sharer_ns;  /* when a process sharing the memory was last looked for */
    pid_t sharer;        /* the one that was found then; 0 = none */
    bool watched;        /* atomic: the same as `wanted`, for ever                  */
    bool wanted;         /* atomic: EZ_ROUND_NS are told                         */
    uint64_t next;       /* monotonic ns                              */
};

/* Events for the file, of one lane. */
struct drain_batch {
    uint64_t word[DRAIN_WORDS];
    size_t n, recs, unwound; /* words; of them records of the target, and unwound exits */
    bool marked;             /* an event in `word` is not to be written               */
};

/* Calls that are open; those of each thread are in its lane. */
struct drain_stacks {
    struct ez_calls_env env;
    uint8_t *exits; /* per id: 1 = its exits are recorded; sparse               */
    EZ_VEC(struct drain_map) map;
    uint64_t next_maps; /* monotonic ns: earliest time to read the maps again */
};

struct drain_filters {
    struct drain_filter *of;  /* per id; sparse                                        */
    uint32_t n;               /* 0 = there are none; atomic                            */
    EZ_VEC(uint32_t) limited; /* ids whose filter ends by itself; under defs.lock        */
    size_t held;              /* words held by all lanes                               */
};

struct drain_kept {
    uint64_t most; /* words that each lane may hold: the flight recorder is on; 0 = off */
    EZ_VEC(struct drain_name) name;    /* of threads, the newest ones               */
    EZ_VEC(struct drain_sample) clock; /* about one a second                        */
    bool written; /* the target has ended, and a snapshot has all that is kept */
};

struct drain_switches {
    unsigned want;                /* EZ_SWITCHES_*; atomic                                */
    struct ez_switches *from;     /* NULL = not recorded                            */
    int errnum;                   /* why they are not recorded; 0 = they are        */
    uint64_t lost;                /* lost in earlier traces, which are closed       */
    struct ez_hash known;         /* threads whose switches are written             */
    const struct ez_switch *told; /* read from the kernel, and not written yet      */
    size_t ntold;
    struct drain_sample told_at; /* clocks just after `told` was read              */
};

/* When recording paused, and went on, in turn; the first `gone` were forgotten. */
struct drain_pauses {
    EZ_VEC(uint64_t) at;
    uint32_t gone;
};

struct drain_lines {
    pthread_mutex_t lock;
    bool on;               /* some id prints; atomic                                   */
    uint8_t *id;           /* does it print?                                           */
    EZ_VEC(uint64_t) word; /* whole events                                            */
    uint64_t ready, lost;
    uint64_t open;       /* in this round: no later hit is ready; UINT64_MAX = all are */
    uint64_t waiting_ns; /* since when none became ready; 0 = some did                 */
};

struct drain_file {
    bool compress;          /* the next trace is compressed; atomic              */
    struct ez_fxt_out *out; /* NULL = none open                                  */
    bool wrote;             /* something was written since the last epoch        */
    bool lost;
    int lost_errno;
    uint64_t last_bytes, last_plain; /* of the last trace, once it is closed     */
    uint64_t epoch;                  /* the last one                                      */
    uint64_t next_clock;             /* monotonic ns                                      */
    uint64_t next_adds;              /* when values of aggregates are written again       */
    struct ez_counter *before;       /* per id: counts when the trace was opened; sparse */
};

struct drain_clock {
    struct drain_sample zero; /* first sample                                  */
    double ns_per_tick;       /* atomic                                        */
    uint64_t tick0;           /* tick when the trace, or the drain, began; atomic */
    uint64_t next_source;     /* when to look at the kernel's clock source again  */
};

struct drain_defs {
    pthread_mutex_t lock; /* guards all but `written`                                */
    EZ_VEC(struct drain_def) all;
    EZ_VEC(size_t) adds;  /* indexes of EZ_DEF_ADDS in `all`                            */
    struct ez_hash texts; /* kind and first argument of symbols and items -> `all`   */
    size_t written;       /* how many are in the open trace            */
};

struct drain_code {
    struct ez_hash mask; /* code of an event -> which of its words are code          */
    EZ_VEC(struct ez_items) items;
    struct ez_hash seen; /* addresses that were noted -> is it a pointer only?       */
    EZ_VEC(struct ez_code_addr) fresh; /* of these: without a name; under defs.lock        */
};

struct ez_drain {
    struct ez_drain_cfg cfg;
    struct ez_job job; /* of the target */
    struct ez_hdr *hdr;
    bool foreign_tids;            /* the target numbers its threads in another namespace   */
    struct ez_drain_stat earlier; /* what ez_drain_anew set aside                 */
    uint32_t lane_of;
    const struct ez_rec *run, *at; /* [run, at): records checked, not in the batch yet */

    struct drain_life life;
    struct drain_mail mail;
    struct drain_rounds rounds;
    struct drain_segment seg;
    struct drain_lanes lanes;
    struct drain_batch batch;
    struct drain_stacks stacks;
    struct drain_filters filters;
    struct drain_kept kept;
    struct drain_switches switches;
    struct drain_pauses pauses;
    struct drain_lines lines;
    struct drain_file file;
    struct drain_clock clock;
    struct drain_defs defs;
    struct drain_code code;
    struct drain_recent recent;
};

/* drain_lane.c */
bool drain_thread_gone(const struct ez_drain *d, uint32_t tid);
uint32_t drain_ids_step(const struct ez_drain *d, uint32_t want); /* counters made at once */
int drain_pages(struct ez_drain *d, uint64_t from, uint64_t to);  /* 0 or errno */
int drain_grow(struct ez_drain *d, uint32_t ready, uint32_t ids); /* 0 or errno */
/* Reads every lane once; `final`: no thread will write any more. True = records were read. */
bool drain_lanes(struct ez_drain *d, bool final);
/* Makes free lanes: recycles those of ended threads, makes pages for more. */
void drain_tend_lanes(struct ez_drain *d, uint64_t now_ns);
/* A place in the segment; the words of a lane there. */
static inline char *drain_lane_at(const struct ez_drain *d, uint64_t offset)
{
    return (char *)d->hdr + offset;
}
static inline struct ez_lane *drain_shared(const struct ez_drain *d, uint32_t lane)
{
    return (struct ez_lane *)drain_lane_at(d, d->seg.off_lanes) + lane;
}
struct ez_counter *drain_counter(const struct ez_drain *d, uint32_t lane, uint32_t id);

/* drain_calls.c */
/* Writes the n valid records in d->lanes.copy, the next of this lane, to the file, or discards them. */
void drain_tell(struct ez_drain *d, uint32_t lane, size_t n);
/* Reads where the target's stacks may lie; is called again when a frame lies elsewhere. */
void drain_read_maps(struct ez_drain *d);
/* Records of the lane from here on are of thread tid. */
void drain_owner(struct ez_drain *d, uint32_t lane, uint32_t tid, uint64_t tick);
/* The lane's thread ended: ends its calls, and reports the losses that it could not report. */
void drain_thread_over(struct ez_drain *d, uint32_t lane, uint64_t tick);
void drain_all_over(struct ez_drain *d);
/* The kernel says that thread tid ended at `tick`: drain_thread_over() ends its calls no later. */
void drain_thread_ended(struct ez_drain *d, uint32_t tid, uint64_t tick);
void drain_calls_forget(struct ez_drain *d); /* of all lanes: another trace begins */
/* Writes a gap for events that a thread lost and did not report. True = there were such. */
bool drain_tell_lost(struct ez_drain *d, uint32_t lane);

/* Where a lane's table of an aggregate is in the segment; makes those from..to exist (0, or an
 * errno). */
static inline uint64_t drain_addup_off(const struct ez_drain *d, uint32_t lane, uint32_t number)
{
    return d->seg.off_addups + ((uint64_t)lane * d->seg.naddups + number) * EZ_ADDUP_BYTES;
}
int drain_addup_pages(struct ez_drain *d, uint32_t lane, uint32_t from, uint32_t to);
/* Puts an event without words, of the id, into d->batch.word. */
void drain_put_other(struct ez_drain *d, uint64_t tick, uint32_t id, bool exit);
/* Writes the first n words of d->batch.word, events of lane l, and counts them. */
void drain_write(struct ez_drain *d, struct drain_lane *l, size_t n, size_t recs, size_t unwound);
bool drain_is_unwound(const uint64_t *event);             /* an exit that is no return? */
static inline bool drain_is_marked(const uint64_t *event) /* not to be written (drain_filter.c) */
{
    return !(event[2] >> 8);
}

/* drain_filter.c */
struct drain_filter *drain_filter_of(const struct ez_drain *d, uint32_t id); /* NULL = none */
/* Shall the event of n words be written, which begins (ends) this call, and is put next into d->batch.word?
 * `state`: of the call, as ez_calls_exit() told. If not, the record is put as another probe's, or counted as filtered. */
bool drain_admit(struct ez_drain *d, struct drain_lane *l, struct drain_filter *f,
                 const struct ez_rec *r, uint64_t frame, size_t n);
bool drain_admit_exit(struct ez_drain *d, struct drain_lane *l, struct drain_filter *f,
                      const struct ez_rec *r, uint64_t frame, size_t n, int state);
/* The same for the exit of a call that did not return; it is no record. *id: whose it is. */
bool drain_admit_left(struct ez_drain *d, struct drain_lane *l, const struct ez_open_call *k,
                      uint64_t tick, uint32_t *id);
bool drain_holds(const struct ez_drain *d, const struct drain_lane *l);
/* Takes the events in d->batch.word to those that wait, and writes those that need not. */
void drain_hold(struct ez_drain *d, struct drain_lane *l);
/* Calls that wait are written, however long they are. */
void drain_settle_calls(struct ez_drain *d, struct drain_lane *l);
/* Writes what has waited long enough at `tick`, when all lanes had been read; finds spent filters. */
void drain_filter_round(struct ez_drain *d, uint64_t tick);
void drain_filter_finish(struct ez_drain *d); /* no event waits any longer             */
void drain_filter_free(struct ez_drain *d);

/* drain_keep.c */
struct drain_snapshot { /* the order's argument */
    const char *path;
    bool another;   /* under a name that is free (struct ez_fxt_want)              */
    char **written; /* its name; the caller frees                                 */
    struct ez_drain_stat *stat;
};
ez_err *drain_order_snapshot(struct ez_drain *d, void *snapshot);
ez_err *drain_order_keep(struct ez_drain *d, void *bytes); /* a uint64_t */
void drain_keep_end(struct ez_drain *d);
/* drain_kept.c */
void drain_keep_free(struct ez_drain *d);
/* While events are kept: a thread's name, and the clock, for the next snapshots. */
void drain_keep_name(struct ez_drain *d, uint32_t tid, const char *name);
void drain_keep_clock(struct ez_drain *d);
/* Are events taken from the rings, rather than discarded? */
static inline bool drain_takes(const struct ez_drain *d)
{
    return d->file.out || d->kept.most;
}

/* drain_act.c. drain_pauses_learn: call once a round, and when
 * records were copied, before they are looked at. drain_paused_at: was recording paused then? */
void drain_pause(struct ez_drain *d, bool pause);
void drain_pauses_learn(struct ez_drain *d);
bool drain_paused_at(const struct ez_drain *d, uint64_t tick);

/* drain_lines.c. drain_prints: is the probe's record a line? Then drain_line() takes its event.
 * drain_lines_open: a record with that stamp, perhaps EZ_TICK_SOON, is in flight or unread. */
bool drain_prints(const struct ez_drain *d, const struct ez_rec *r);
void drain_line(struct ez_drain *d, const uint64_t *event);
void drain_lines_open(struct ez_drain *d, uint64_t tick);
bool drain_lines_round(struct ez_drain *d, uint64_t now, uint64_t tick);

/* drain_order.c: the main thread's; the text is the drain's from now on */
void drain_queue_def(struct ez_drain *d, const struct drain_def *f);

/* drain_code.c */
void drain_code_learn(struct ez_drain *d, const struct drain_def *def);
void drain_code_see(struct ez_drain *d, uint64_t code, const uint64_t *word, size_t n);
void drain_code_free(struct ez_drain *d);

void drain_code_note(struct ez_drain *d, uint64_t addr, bool pointer);

/* drain_adds.c */
struct drain_adds_to {
    void (*fn)(void *arg, const struct ez_fxt_def *def);
    void *arg;
};
/* Tells what the aggregates have found so far, as definitions. */
void drain_adds_tell(struct ez_drain *d, const struct drain_adds_to *to);
void drain_adds_note(struct ez_drain *d); /* their keys in code, for ez_drain_unnamed() */

/* drain_switches.c */
ez_err *drain_switches_open(struct ez_drain *d) EZ_WUR; /* error: only with EZ_SWITCHES_ON */
void drain_switches_close(struct ez_drain *d);
void drain_switches_take(struct ez_drain *d);               /* call before lanes are read */
void drain_switches_tell(struct ez_drain *d);               /* call after                */
void drain_switches_know(struct ez_drain *d, uint32_t tid); /* tid recorded something    */

/* drain_clock.c */
struct drain_sample drain_sample(bool mono);
void drain_calibrate(struct ez_drain *d);
bool drain_calibrated(const struct ez_drain *d); /* long enough since the first sample  */
void drain_settle(const struct ez_drain *d);     /* sleep until drain_calibrated()      */
uint64_t drain_tick(const struct ez_drain *d);   /* now, as the runtime would stamp it */
uint64_t drain_now(void);                        /* CLOCK_MONOTONIC, ns                */
uint64_t drain_cpu_ns(void);                     /* CPU time of the calling thread     */
/* Publishes the time, for a runtime that cannot read the clock itself. */
void drain_clock_round(struct ez_drain *d, uint64_t now_ns);

/* drain_trace.c */
/* `keep`: under a name that is free (struct ez_fxt_want) */
ez_err *drain_trace_open(struct ez_drain *d, const char *path, bool keep) EZ_WUR;
ez_err *drain_trace_close(struct ez_drain *d) EZ_WUR;
/* Writes new definitions, and the clock when it is due. Call before records are written. */
void drain_trace_begin_round(struct ez_drain *d, uint64_t now_ns);
/* Keeps the newest events of probes and modules for ez_drain_recent(); those of modules without
 * their arguments. */
void drain_remember(struct drain_recent *r, const uint64_t *word, size_t n);
/* Appends n words of whole events. Returns how many were written: all, unless a write failed. */
size_t drain_trace_append(struct ez_drain *d, const uint64_t *word, size_t n);
void drain_trace_thread(struct ez_drain *d, struct drain_lane *l);
void drain_trace_name(struct ez_drain *d, uint32_t tid, const char *name);
void drain_trace_checkpoint(struct ez_drain *d);
void drain_trace_epoch(struct ez_drain *d);  /* epoch and checkpoint, if anything was written */
void drain_notify(const struct ez_drain *d); /* event_fd += 1 */

/* Parts of opening and closing, for drain_keep.c. */
void drain_events_begin(struct ez_drain *d);
void drain_snapshot_begin(struct ez_drain *d);
ez_err *drain_trace_finish(struct ez_drain *d, const struct ez_drain_stat *s) EZ_WUR;
void drain_define_clock_of(struct ez_drain *d, struct drain_sample s);
void drain_define_name(struct ez_drain *d, uint32_t tid, const char *name);
void drain_trace_put(struct ez_drain *d, const uint64_t *word, size_t n); /* whole events */

/* drain_ledger.c */
void drain_ledger(struct ez_drain *d, struct ez_drain_stat *st);
void drain_add(uint64_t *sum, uint64_t n);                    /* no sum wraps around */
uint32_t *drain_flags_of_ids(struct ez_drain *d, uint32_t n); /* EZ_ROW_*; the caller frees */

/* drain.c */
void drain_progress(struct ez_drain *d);
bool drain_target_ended(const struct ez_drain *d);
/* One round, of all that is due; `final`: no thread will write any more. True = records were
 * read. */
bool drain_round(struct ez_drain *d, bool final);
/* drain_ask: have `order` run in the drain thread, and wait for its result. drain_begin: the
 * same without waiting; ez_drain_finish() waits, and *arg must live until then. */
ez_err *drain_ask(struct ez_drain *d, ez_err *(*order)(struct ez_drain *, void *),
                  void *arg) EZ_WUR;
void drain_begin(struct ez_drain *d, ez_err *(*order)(struct ez_drain *, void *), void *arg);

#endif
