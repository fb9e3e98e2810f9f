/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain.h - the thread that moves events from shared memory to the FxT file.
 *
 * The drain thread does nothing else: it uses no ptrace, symbols or stdio, blocks all signals,
 * and alone owns the FxT handle. It holds the robust futex `ez_hdr.owner` for as long as
 * it lives (that is how the target learns of the shell's death), bumps `progress` each
 * round, keeps pages for free buffers ready (fallocate through `memfd`), and sleeps
 * on `wake` (1 ms under load, 50 ms when idle).
 *
 * In a round the drain thread takes the committed records of each buffer in use in order,
 * copies them, and checks each on the copy (the target may be hostile: a code that is no
 * known id, a tick that runs backwards by hours; such records are counted, and written as they
 * are or not at all, never trusted as a length). It appends them to the file (or discards
 * them: no trace open), zeroes and frees consumed sub-buffers, adds 1 to `space`, and wakes
 * (FUTEX_WAKE) threads that wait. If anything was written, an epoch event and a checkpoint
 * follow. A hole (a record that was reserved and never committed) is skipped as torn once the
 * thread has moved at least two sub-buffers on, has filled all others, or has ended.
 *
 * The main thread calls the functions below. Each returns when the drain thread has done
 * the work (a few ms); ez_drain_define and functions that begin something only queue it. */
#ifndef EZ_DRAIN_H
#define EZ_DRAIN_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/data_abi.h"
#include "engine/ring_abi.h"

#define EZ_ROUND_NS 150000000u

struct ez_drain;
struct ez_drain_stat;

struct ez_instant { /* one moment on all clocks */
    uint64_t tick, mono_ns, real_ns;
};

struct ez_drain_cfg {
    struct ez_hdr *hdr;  /* the shared segment, mapped read-write, hdr->size bytes */
    int memfd;           /* of the segment; borrowed                            */
    int pid;             /* of the target; tells whether buffer owners live       */
    int task;            /* one of its threads that lives; 0 = the main thread  */
    const char *program; /* the name that was run; copied                         */
    int event_fd; /* eventfd: +1 when loader_seq moved, the trace was lost, a filter is spent,
                   * a probe asks for something */
    bool mono;    /* ticks are CLOCK_MONOTONIC's nanoseconds, not the counter's */
    /* For a segment that another shell left (engine/keep/adopt.c), else all zero: */
    const struct ez_hdr *layout; /* checked copy of the header, with ids_used           */
    struct ez_instant since;     /* when that shell left; tick 0 = unknown              */
};

/* Starts the thread; returns once it holds hdr->owner and buffers are ready.
 * EZ_E_SYS ENOSPC/ENOMEM: shared memory is exhausted - nothing was armed. */
ez_err *ez_drain_create(const struct ez_drain_cfg *cfg, struct ez_drain **out) EZ_WUR;
/* The same in two steps, with other work between them: ez_drain_begin, ez_drain_finish. If the
 * second fails, the drain still exists and must be destroyed. */
ez_err *ez_drain_begin(const struct ez_drain_cfg *cfg, struct ez_drain **out) EZ_WUR;
/* Wait for what ez_drain_begin, ez_drain_create_begin or ez_drain_reserve_begin began. */
ez_err *ez_drain_finish(struct ez_drain *d) EZ_WUR;
/* Makes a last round, ends the thread, and closes the trace if one is open. */
void ez_drain_destroy(struct ez_drain *d);
/* Ends the drain thread while the target (stopped now) lives on with its probes. From here on
 * no target thread waits for room, and records stay in the rings; trace_open = whether the
 * target makes records at all. */
void ez_drain_leave(struct ez_drain *d, bool trace_open);
/* Call before ez_drain_leave: hits that threads are in the middle of are left for the next shell
 * to account for. */
void ez_drain_park(struct ez_drain *d);
/* From now on no thread of the target gets a buffer that was not ready before. part[]: what of the
 * segment no thread can reach then, as offsets; size 0 = nothing. Whole pages. */
#define EZ_DRAIN_PARTS 3
struct ez_drain_part {
    uint64_t off, size;
};
void ez_drain_no_more_buffers(struct ez_drain *d, struct ez_drain_part part[EZ_DRAIN_PARTS]);
/* Says that the probed image and all its threads are gone. Only the caller knows: the pid lives
 * on after an exec, and after the process's end until its parent reaps it. d may be NULL. */
void ez_drain_image_ended(struct ez_drain *d);
void ez_drain_instant(struct ez_drain *d, struct ez_instant *now);
/* Records in the rings of an adopted segment are held until ez_drain_open, or until this call,
 * which says that there will be no trace. */
void ez_drain_unhold(struct ez_drain *d);

/* Open `path` as a FxT file: header, clock and process definitions, every
 * definition queued so far, then set hdr->trace_open. */
ez_err *ez_drain_open(struct ez_drain *d, const char *path) EZ_WUR;
/* Begins the same under a name that is free (struct ez_fxt_want); `path` must stay valid until
 * ez_drain_finish. */
void ez_drain_create_begin(struct ez_drain *d, const char *path);
char *ez_drain_path(struct ez_drain *d); /* of the open trace; NULL = none. Caller frees. */
/* The flight recorder: instead of a trace, keep the newest events of each buffer in memory, so many bytes;
 * ez_drain_close ends it. In two steps: ez_drain_finish() waits. `*bytes` must stay valid until then. */
void ez_drain_keep_begin(struct ez_drain *d, uint64_t *bytes);
/* Write what is kept as a trace, and go on. `another`: if the name is taken, under a free one. *written =
 * the name, the caller frees; *out = its accounting. EZ_E_STATE: nothing is kept. */
ez_err *ez_drain_snapshot(struct ez_drain *d, const char *path, bool another, char **written,
                          struct ez_drain_stat *out) EZ_WUR;
/* Clear trace_open, drain, write the accounting and the stop time, close. */
ez_err *ez_drain_close(struct ez_drain *d) EZ_WUR;
/* Everything committed before the call is in the file (or discarded) after it. */
void ez_drain_flush(struct ez_drain *d);
/* Make counters of ids < n exist in every ready buffer, before they go live.
 * EZ_E_SYS ENOSPC/ENOMEM. */
ez_err *ez_drain_reserve_ids(struct ez_drain *d, uint32_t n) EZ_WUR;
void ez_drain_reserve_begin(struct ez_drain *d, uint32_t n);

/* Describe id: kept for the life of the drain, written to the trace that is open
 * and to every later one. `flags` EZ_ROW_*. Strings are copied. */
/* With EZ_ROW_*: no other id counts the hits of this clause. */
#define EZ_DEF_APART 0x10000
void ez_drain_define(struct ez_drain *d, uint32_t id, uint32_t flags, uint64_t addr,
                     const char *function, const char *library);
/* Which events of one id are written, of those that the target recorded; all zeros: all of them. The
 * others are counted as filtered. Set it before the id goes live, and once. */
struct ez_drain_filter {
    uint64_t min_ns; /* calls that took at least so long                              */
    uint32_t depth;  /* calls inside fewer recorded calls of that thread, on that stack */
    uint64_t bytes;  /* until the events of this id, of all traces, are so many bytes  */
    /* The filter is spent when `bytes` are, from the tick `until` on, and when the common buffer's count
     * of entries of the id `counter` has reached `turns`; 0 = never. The event_fd tells. */
    uint64_t until, turns;
    uint32_t counter;
    bool follows; /* entries and exits of the id are recorded                       */
};
void ez_drain_filter(struct ez_drain *d, uint32_t id, const struct ez_drain_filter *f);
/* Hits of `id` that its filter leaves out are written as those of the id `other`, from now on: of another probe at the same
 * place, which records entries, exits (EZ_ROW_REC_*) or neither. The world is stopped: what was recorded before is read
 * first. */
void ez_drain_filter_other(struct ez_drain *d, uint32_t id, uint32_t other, unsigned records);
struct ez_drain_filtered {
    uint64_t calls; /* that were not written                                        */
    bool spent;
};
void ez_drain_filtered(struct ez_drain *d, uint32_t id, struct ez_drain_filtered *out);
/* The events of that id, which is not live yet, are lines of text. Takes those that have come since, *out =
 * whole events as they stand in the file; returns the tick before which all are there. */
struct ez_drain_lines {
    uint64_t *at;
    size_t n, cap;
    uint64_t lost; /* more than can wait                                            */
};
void ez_drain_prints(struct ez_drain *d, uint32_t id);
uint64_t ez_drain_lines(struct ez_drain *d, struct ez_drain_lines *out);
/* Recording pauses, or goes on: later hits are untraced (drain_pauses.c). Probes may do the same. */
void ez_drain_pause(struct ez_drain *d, bool pause);
bool ez_drain_paused(const struct ez_drain *d);
/* From now on calls of the function at `addr` are only counted; false = they are recorded again. */
void ez_drain_define_throttle(struct ez_drain *d, uint64_t addr, bool on, const char *function,
                              const char *library);
/* The same for a module, and for what an event means (fxt_out.h). */
void ez_drain_define_module(struct ez_drain *d, uint32_t id, const char *name, const char *desc);
struct ez_event_meaning {
    uint64_t code;
    unsigned action; /* enum ez_action                                             */
    unsigned level;  /* 0 program, 1 process, 2 thread; | EZ_LEVEL_DOUBLE          */
    const char *name, *group, *words; /* words: words.h; NULL = nothing is known  */
};
void ez_drain_define_meaning(struct ez_drain *d, const struct ez_event_meaning *m);
/* Takes up to `most` addresses in code that events carry and nobody named yet; returns how many. */
struct ez_code_addr {
    uint64_t addr;
    bool pointer; /* to anything: it has a name only if a function begins there       */
};
size_t ez_drain_unnamed(struct ez_drain *d, struct ez_code_addr *addr, size_t most);
void ez_drain_define_symbol(struct ez_drain *d, uint64_t addr, const char *name);
/* What the words of a probe's events of that code are (items.h). */
void ez_drain_define_items(struct ez_drain *d, uint64_t code, const char *items);
/* What these two defined, NULL = nothing. The text is the drain's. */
const char *ez_drain_symbol(const void *drain, uint64_t addr);
const char *ez_drain_items(struct ez_drain *d, uint64_t code);
/* What events of that code mean; false = it was not defined. The texts are the drain's. */
bool ez_drain_meaning(struct ez_drain *d, uint64_t code, struct ez_event_meaning *out);
/* The function that each id < *n was defined with, or NULL. The names are the drain's, the array
 * is the caller's to free. */
const char **ez_drain_names(struct ez_drain *d, size_t *n);

/* Sets whether later traces record when threads did not run (EZ_SWITCHES_*, switches.h). With
 * EZ_SWITCHES_ON a trace that cannot do so does not open. */
void ez_drain_want_switches(struct ez_drain *d, unsigned how);
void ez_drain_want_rounds(struct ez_drain *d, bool on); /* +1 on event_fd every EZ_ROUND_NS */
/* The same for as long as there is this drain. */
void ez_drain_watch(struct ez_drain *d);
void ez_drain_want_compress(struct ez_drain *d, bool on); /* later traces are compressed */

struct ez_drain_stat {
    bool open;            /* a trace is open, or events are kept                    */
    bool keeps;           /* the flight recorder is on                             */
    uint64_t overwritten; /* records that it kept no longer                        */
    uint64_t kept_bytes;  /* of events in memory                                   */
    bool lost;            /* writing failed: `lost_errno`                          */
    int lost_errno;
    uint64_t bytes;          /* of the trace file                                     */
    uint64_t plain;          /* the same, were it not compressed                      */
    uint64_t recorded;       /* records written, all traces of this target            */
    uint64_t entries, exits; /* counters summed over buffers and ids              */
    uint64_t filtered;       /* hits at ids that do not record, or that a filter keeps out */
    uint64_t hurried;        /* calls written before their length was known: memory was short */
    uint64_t untraced, dropped, torn, unhooked;
    uint64_t uncounted;     /* of `exits`: recorded by threads that were killed before counting */
    uint64_t unwound;       /* exits written that are no return                      */
    int switches_errno;     /* why the trace lacks thread switches; 0 = it has them  */
    uint64_t switches_lost; /* switches that the kernel had no room for               */
    bool no_syscalls, clock_enters; /* of the runtime: it may not, its clock has to (ring_abi.h) */
    uint64_t waits, waited_ns;      /* how often, and how long, threads waited for room      */
    struct ez_drain_earlier {       /* what earlier shells accounted for; not part of the above */
        uint64_t hits, recorded, filtered, untraced, dropped, overwritten;
    } earlier;
};
/* The right side of the accounting (drain_accounting.c): the hits of which it is known what became of them. */
uint64_t ez_drain_accounted(const struct ez_drain_stat *st);
bool ez_drain_balanced(const struct ez_drain_stat *st); /* all hits are accounted for */
void ez_drain_stat(struct ez_drain *d, struct ez_drain_stat *out);
/* Takes all that was counted until now as an earlier shell's. The target must stand still. */
void ez_drain_anew(struct ez_drain *d);
struct ez_addup_sum;
/* Makes the tables of the first n aggregates exist, in all buffers. EZ_E_SYS ENOSPC. */
ez_err *ez_drain_reserve_addups(struct ez_drain *d, uint32_t n) EZ_WUR;
/* Adds the tables of one aggregate, of all buffers, to *out. */
void ez_drain_addup(struct ez_drain *d, uint32_t number, struct ez_addup_sum *out);
/* What is in that table: the trace has its definition, and its values when it is closed, about once a
 * second before, and when ez_drain_write_adds() asks for them. Of a->sum kind and of count. */
struct ez_aggregate;
void ez_drain_define_adds(struct ez_drain *d, uint32_t table, const struct ez_aggregate *a);
void ez_drain_write_adds(struct ez_drain *d);
/* Notes keys that are addresses in code for ez_drain_unnamed(). */
void ez_drain_note_keys(struct ez_drain *d);
/* Sum of the counters of one id over all buffers. */
void ez_drain_counts(struct ez_drain *d, uint32_t id, uint64_t *entries, uint64_t *exits);

/* Copies the newest records written, from a small ring that the drain thread keeps:
 * up to `max` records with sequence number >= *cursor; advances *cursor. */
size_t ez_drain_recent(struct ez_drain *d, uint64_t *cursor, struct ez_rec *out, size_t max);
/* The arguments of event number `seq`, of a probe: how many, 0 = it has none, or they are gone. */
unsigned ez_drain_recent_words(struct ez_drain *d, uint64_t seq, uint64_t word[EZ_DATA_WORDS + 2]);
/* The rank of the process; EZ_NO_RANK = it has none (job.h). */
uint32_t ez_drain_rank(const struct ez_drain *d);
double ez_drain_ns_per_tick(const struct ez_drain *d);
/* The tick of the clock now, and ticks in so many nanoseconds: both once the clock's rate is known, for
 * which this waits a few ms at the drain's begin. */
void ez_drain_time(struct ez_drain *d, uint64_t *now, double *ticks_per_ns);
/* Ticks to nanoseconds since the trace began (or since the drain started). */
uint64_t ez_drain_ns(struct ez_drain *d, uint64_t tick);

#endif
