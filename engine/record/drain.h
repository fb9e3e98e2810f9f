/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain.h - the thread that moves events from shared memory to the FxT file.
 *
 * The drain thread uses no ptrace and no symbols, blocks all signals, and alone owns the FxT
 * handle. It holds the robust futex `ez_hdr.owner` while it lives: the kernel's release of this
 * futex tells the target that the shell died. It increments `progress` at least once a round,
 * allocates the pages of free buffers in advance (fallocate through `memfd`), and sleeps on `wake`.
 *
 * In a round the drain thread reads the committed records of each used buffer in order, copies
 * them, and checks each copy, because the target may be hostile. A record with an unknown code is
 * dropped and counted. No value in a record is used as a length before it is checked. The drain
 * thread appends the records to the file (or discards them if no trace is open), zeroes and frees
 * consumed sub-buffers, adds 1 to `space`, and wakes (FUTEX_WAKE) threads that wait. If the drain
 * thread wrote anything, it adds an epoch event and a checkpoint. A hole is a record that was
 * reserved and never committed. When the drain thread skips a hole, and counts it as torn, is
 * described in drain_buffer.c.
 *
 * The main thread calls the functions below. Those whose names end in _begin return while the drain
 * thread still works; ez_drain_finish() waits for the end of the work. */
#ifndef EZ_DRAIN_H
#define EZ_DRAIN_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/data_abi.h"
#include "engine/ring_abi.h"

#define EZ_ROUND_NS 150000000u

struct ez_drain;
struct ez_drain_stat;

struct ez_instant { /* one moment, as read from all clocks */
    uint64_t tick, mono_ns, real_ns;
};

struct ez_drain_cfg {
    struct ez_hdr *hdr; /* shared segment, mapped read-write, hdr->size bytes */
    int memfd;          /* file of the segment; borrowed */
    /* pid of the target; the drain checks with it whether the owners of buffers live */
    int pid;
    int task;            /* a living thread of the target; 0: the main thread */
    const char *program; /* name of the program that was run; copied */
    /* eventfd that gets +1 when the loader loaded a library (loader_seq), the trace was lost, a
     * filter's limit was reached, or a probe requests something */
    int event_fd;
    bool mono; /* ticks are ns of CLOCK_MONOTONIC, not ticks of the counter */
    /* The fields below are for a segment that another shell left (engine/process/adopt.c);
     * otherwise all zero. */
    /* checked copy of the header, `ids_used` is the number of ids in use */
    const struct ez_hdr *layout;
    struct ez_instant since; /* time when that shell left; tick 0: unknown */
};

/* Starts the drain thread. Returns once the thread holds hdr->owner and the first buffers are
 * ready. EZ_E_FORMAT: the header is damaged. EZ_E_SYS with ENOSPC or ENOMEM: shared memory is
 * exhausted. */
ez_err *ez_drain_create(const struct ez_drain_cfg *cfg, struct ez_drain **out) EZ_WUR;
/* Starts the drain thread as ez_drain_create() does, but in two steps, so that the caller can do
 * other work in between: ez_drain_begin(), ez_drain_finish(). If ez_drain_finish() fails, the drain
 * still exists, and the caller must destroy it. */
ez_err *ez_drain_begin(const struct ez_drain_cfg *cfg, struct ez_drain **out) EZ_WUR;
/* Waits for the work that functions whose names end in _begin have queued. Returns an error of this
 * work. */
ez_err *ez_drain_finish(struct ez_drain *d) EZ_WUR;
/* Makes a last round, ends the drain thread, and closes the trace if one is open. */
void ez_drain_destroy(struct ez_drain *d);
/* Ends the drain thread while the target, which is stopped, lives on with its probes. From now on
 * no thread of the target waits for room, and records stay in the rings. trace_open: the target
 * continues to make records. */
void ez_drain_leave(struct ez_drain *d, bool trace_open);
/* Call before ez_drain_leave(). Hits that are in progress are left to the next shell's
 * accounting. */
void ez_drain_park(struct ez_drain *d);
/* Stops making buffers: threads of the target get only buffers that are ready now. Sets part[] to
 * the parts of the segment that no buffer uses from now on, rounded to whole pages: offset and size
 * in bytes. An entry with size 0 is unused. */
#define EZ_DRAIN_PARTS 3
struct ez_drain_part {
    uint64_t off, size;
};
void ez_drain_no_more_buffers(struct ez_drain *d, struct ez_drain_part part[EZ_DRAIN_PARTS]);
/* Records that the probed image and all its threads are gone. The drain cannot detect this itself:
 * the pid lives on after an exec, and after the end of the process until its parent reaps it. d may
 * be NULL. */
void ez_drain_image_ended(struct ez_drain *d);
void ez_drain_instant(struct ez_drain *d, struct ez_instant *now);
/* Lets the drain read the records that were in the rings of an adopted segment. Otherwise these
 * records stay in the rings until ez_drain_open(). Call this function if no trace is opened. */
void ez_drain_unhold(struct ez_drain *d);

/* Opens `path` as a FxT file: writes the header, the clock and process definitions, and every
 * definition queued so far, then sets hdr->trace_open. */
ez_err *ez_drain_open(struct ez_drain *d, const char *path) EZ_WUR;
/* Begins to open a trace under a free name (struct ez_fxt_want). `path` must stay valid until
 * ez_drain_finish(). */
void ez_drain_create_begin(struct ez_drain *d, const char *path);
/* Returns the open trace's path, or NULL if no trace is open. The caller frees the path. */
char *ez_drain_path(struct ez_drain *d);
/* Starts the flight recorder: keeps the newest events in memory, up to *bytes bytes per buffer,
 * instead of a trace. ez_drain_finish() waits for the start; *bytes must stay valid until then.
 * ez_drain_close() ends the flight recorder. */
void ez_drain_keep_begin(struct ez_drain *d, uint64_t *bytes);
/* Writes the kept events as a trace, and goes on keeping events. another: if the file exists, a
 * free name is used instead. *written is the name; the caller frees it. *out is the snapshot's
 * accounting. EZ_E_STATE if the flight recorder is off. */
ez_err *ez_drain_snapshot(struct ez_drain *d, const char *path, bool another, char **written,
                          struct ez_drain_stat *out) EZ_WUR;
/* Clears trace_open, drains the rings, and closes the trace or ends the flight recorder. EZ_E_STATE
 * if neither is open. */
ez_err *ez_drain_close(struct ez_drain *d) EZ_WUR;
/* Waits for one round of the drain, which reads the committed records. */
void ez_drain_flush(struct ez_drain *d);
/* Allocates the counters of ids < n in every ready buffer. Call this before a probe uses the ids.
 * EZ_E_SYS with ENOSPC or ENOMEM. */
ez_err *ez_drain_reserve_ids(struct ez_drain *d, uint32_t n) EZ_WUR;
void ez_drain_reserve_begin(struct ez_drain *d, uint32_t n);

/* Defines an id for readers of the trace. The drain keeps the description while it exists, and
 * writes it to the open trace and to every later trace. flags: EZ_ROW_*. Copies the strings. */
/* flag beside EZ_ROW_*: no other id counts the hits of this clause */
#define EZ_DEF_APART 0x10000
void ez_drain_define(struct ez_drain *d, uint32_t id, uint32_t flags, uint64_t addr,
                     const char *function, const char *library);
/* Selects which recorded events of one id are written. If all fields are 0, all events are written.
 * Events that are not written are counted as filtered. Set a filter once, before a probe uses the
 * id. */
struct ez_drain_filter {
    uint64_t min_ns; /* minimum duration of a call that is written */
    /* a call is written only if fewer than `depth` recorded calls are open around it, on its thread
     * and stack; 0: no limit */
    uint32_t depth;
    uint64_t bytes; /* limit for the bytes of this id's events, over all traces */
    /* The filter is spent (its limit is reached) when `bytes` are used up, or from the tick `until`
     * on, or when the common buffer's entry count of the id `counter` has reached `turns`. A value
     * 0 means no limit. When the filter is spent, the event_fd gets +1. */
    uint64_t until, turns;
    uint32_t counter;
    bool follows; /* entries and exits of the id are recorded */
};
void ez_drain_filter(struct ez_drain *d, uint32_t id, const struct ez_drain_filter *f);
/* From now on, hits of `id` that its filter leaves out are written as hits of the id `other`.
 * `other` belongs to another probe at the same site. records: EZ_ROW_REC_* bits of what that probe
 * records. The target must be stopped: earlier records are read first. */
void ez_drain_filter_other(struct ez_drain *d, uint32_t id, uint32_t other, unsigned records);
struct ez_drain_filtered {
    uint64_t calls; /* number of calls that were not written */
    bool spent;
};
void ez_drain_filtered(struct ez_drain *d, uint32_t id, struct ez_drain_filtered *out);
/* ez_drain_prints() makes the drain keep the events of an id for output as lines of text; call it
 * before a probe uses the id. ez_drain_lines() moves the events that came since the previous call
 * to *out, as whole events in the file's format. It returns a tick; all events before that tick
 * have been moved. */
struct ez_drain_lines {
    uint64_t *at;
    size_t n, cap;
    uint64_t lost; /* number of events that were dropped because too many events waited */
};
void ez_drain_prints(struct ez_drain *d, uint32_t id);
uint64_t ez_drain_lines(struct ez_drain *d, struct ez_drain_lines *out);
/* Pauses or resumes recording. Hits during a pause are untraced (drain_pauses.c). Actions of probes
 * also pause and resume. */
void ez_drain_pause(struct ez_drain *d, bool pause);
bool ez_drain_paused(const struct ez_drain *d);
/* Writes to the trace that calls of the function at `addr` are only counted from now on (on), or
 * recorded again (!on). */
void ez_drain_define_throttle(struct ez_drain *d, uint64_t addr, bool on, const char *function,
                              const char *library);
/* Describe a module, and what an event means (fxt_out.h), as ez_drain_define() does for an id. */
void ez_drain_define_module(struct ez_drain *d, uint32_t id, const char *name, const char *desc);
struct ez_event_meaning {
    uint64_t code;
    unsigned action;                  /* enum ez_action */
    unsigned level;                   /* 0 program, 1 process, 2 thread; | EZ_LEVEL_DOUBLE */
    const char *name, *group, *words; /* words: the format of words.h; NULL: unknown */
};
void ez_drain_define_meaning(struct ez_drain *d, const struct ez_event_meaning *m);
/* Moves up to `most` addresses that occur in events and have no name yet to addr[]. Returns the
 * number of moved addresses. */
enum ez_addr_kind {
    EZ_ADDR_CODE,
    EZ_ADDR_DATA,    /* an address of data: it gets a name only if a variable begins there */
    EZ_ADDR_POINTER, /* a pointer to anything: it gets a name only if a function begins there */
};
struct ez_code_addr {
    uint64_t addr;
    enum ez_addr_kind kind;
};
size_t ez_drain_unnamed(struct ez_drain *d, struct ez_code_addr *addr, size_t most);
void ez_drain_define_symbol(struct ez_drain *d, uint64_t addr, const char *name);
/* Defines the source file of a probed function, and its first and last line (last: 0 = unknown).
 * ez_drain_has_source() returns whether the function at addr has such a definition. */
void ez_drain_define_source(struct ez_drain *d, uint64_t addr, const char *file, unsigned line,
                            unsigned last);
bool ez_drain_has_source(struct ez_drain *d, uint64_t addr);
/* Defines the words of events with this code, which belong to a probe (items.h). */
void ez_drain_define_items(struct ez_drain *d, uint64_t code, const char *items);
/* Return the name or the items that the functions above defined, or NULL. The drain owns the
 * text. */
const char *ez_drain_symbol(const void *drain, uint64_t addr);
const char *ez_drain_items(struct ez_drain *d, uint64_t code);
/* Finds the meaning of events with this code; does not set out->words. Returns false if no meaning
 * was defined. The drain owns the texts. */
bool ez_drain_meaning(struct ez_drain *d, uint64_t code, struct ez_event_meaning *out);
/* Sets *n to the largest defined id + 1. Returns an array with the name of each id's function; NULL
 * if the id was not defined. The drain owns the names; the caller frees the array. */
const char **ez_drain_names(struct ez_drain *d, size_t *n);

/* Records in the open trace that a thread gets a signal now. held: the program is stopped, and the
 * thread gets the signal at ez_drain_signals_go(), unless ez_drain_signal_drop() is called
 * before. */
void ez_drain_signal(struct ez_drain *d, pid_t tid, int sig, bool held);
void ez_drain_signal_drop(struct ez_drain *d, pid_t tid);
void ez_drain_signals_go(struct ez_drain *d);
/* Sets whether later traces record when threads did not run (EZ_SWITCHES_*, switches.h). With
 * EZ_SWITCHES_ON, opening a trace fails if the kernel refuses. */
void ez_drain_want_switches(struct ez_drain *d, unsigned how);
/* Sets whether event_fd gets +1 every EZ_ROUND_NS. */
void ez_drain_want_rounds(struct ez_drain *d, bool on);
/* Makes event_fd get +1 every EZ_ROUND_NS until the drain is destroyed. */
void ez_drain_watch(struct ez_drain *d);
/* Sets whether later traces are compressed. */
void ez_drain_want_compress(struct ez_drain *d, bool on);

struct ez_drain_stat {
    bool open;            /* a trace is open, or the flight recorder is on */
    bool keeps;           /* the flight recorder is on */
    uint64_t overwritten; /* records that the flight recorder has dropped for newer ones */
    uint64_t kept_bytes;  /* bytes of events in memory */
    bool lost;            /* writing the trace failed with lost_errno */
    int lost_errno;
    uint64_t bytes;          /* size of the trace file */
    uint64_t plain;          /* size that the trace file would have without compression */
    uint64_t recorded;       /* records written, over all traces of this target */
    uint64_t entries, exits; /* counters summed over buffers and ids */
    /* number of hits at ids that do not record, and of hits that a filter leaves out */
    uint64_t filtered;
    /* number of calls written before their duration was known, because memory was short */
    uint64_t hurried;
    uint64_t untraced, dropped, torn, unhooked;
    /* part of `exits`: recorded by threads that were killed before they counted */
    uint64_t uncounted;
    uint64_t unwound; /* number of written exits that are not returns */
    /* reason why the trace lacks thread switches; 0: the trace has thread switches */
    int switches_errno;
    uint64_t switches_lost; /* number of switches for which the kernel had no room */
    /* the runtime may not make system calls; the runtime needs a system call to read its clock
     * (ring_abi.h) */
    bool no_syscalls, clock_enters;
    uint64_t waits, waited_ns; /* number and total time of waits for room in a ring */
    /* accounting of earlier shells, which the fields above do not contain */
    struct ez_drain_earlier {
        uint64_t hits, recorded, filtered, untraced, dropped, overwritten;
    } earlier;
};
/* Returns the sum recorded + filtered + untraced + dropped + overwritten (drain_accounting.c). */
uint64_t ez_drain_accounted(const struct ez_drain_stat *st);
/* Returns true if all hits are accounted for. */
bool ez_drain_balanced(const struct ez_drain_stat *st);
/* maximum milliseconds of a wait for ez_drain_balanced(); on a machine with hundreds of runnable
 * threads, one check of the accounting may last a second */
#define EZ_DRAIN_WAIT_MS 5000
void ez_drain_stat(struct ez_drain *d, struct ez_drain_stat *out);
/* Moves all counts so far to `earlier`, as if an earlier shell had made them. The target must be
 * stopped. */
void ez_drain_anew(struct ez_drain *d);
struct ez_addup_sum;
/* Allocates the tables of the first n aggregates in all ready buffers. EZ_E_SYS with ENOSPC. */
ez_err *ez_drain_reserve_addups(struct ez_drain *d, uint32_t n) EZ_WUR;
/* Adds the tables of one aggregate in all buffers to *out. */
void ez_drain_addup(struct ez_drain *d, uint32_t number, struct ez_addup_sum *out);
/* Defines the aggregate of a table for readers of the trace. Its values are written about once a
 * second, when the trace is closed, and by ez_drain_write_adds(). Copies the texts and a->sum's
 * kind. */
struct ez_aggregate;
void ez_drain_define_adds(struct ez_drain *d, uint32_t table, const struct ez_aggregate *a);
void ez_drain_write_adds(struct ez_drain *d);
/* Finds the keys of aggregates that are code addresses, so that ez_drain_unnamed() returns them. */
void ez_drain_note_keys(struct ez_drain *d);
/* Sums the counters of one id over all buffers. */
void ez_drain_counts(struct ez_drain *d, uint32_t id, uint64_t *entries, uint64_t *exits);

/* Copies up to `max` records with sequence numbers >= *cursor, oldest first, from the small ring in
 * which the drain thread keeps the newest written records. Sets *cursor to the number after the
 * last copied record. Returns the number of copied records. */
size_t ez_drain_recent(struct ez_drain *d, uint64_t *cursor, struct ez_rec *out, size_t max);
/* Copies the arguments of a probe's event with the sequence number `seq`. Returns the number of
 * arguments. Returns 0 if the event has no arguments, or if they are overwritten. */
unsigned ez_drain_recent_words(struct ez_drain *d, uint64_t seq, uint64_t word[EZ_DATA_WORDS + 2]);
/* Returns the rank of the process, or EZ_NO_RANK if it has none (job.h). */
uint32_t ez_drain_rank(const struct ez_drain *d);
double ez_drain_ns_per_tick(const struct ez_drain *d);
/* Returns the clock's current tick, and the number of ticks per ns. Waits a few ms if the drain has
 * just begun and does not know the rate yet. */
void ez_drain_time(struct ez_drain *d, uint64_t *now, double *ticks_per_ns);
/* Converts a tick to ns since the newest trace began, or since the drain started if there was no
 * trace; 0 for an earlier tick. */
uint64_t ez_drain_ns(struct ez_drain *d, uint64_t tick);

#endif
