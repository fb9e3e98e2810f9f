/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_trace.c - opens and completes traces, and writes the events that come from no record of the
 * target: the process, epochs, the clock, the accounting, counts.
 *
 * Tests: tests/unit/record/check_drain.c, tests/unit/record/check_fxt.c */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/record/drain_priv.h"

#define CLOCK_NS 1000000000u /* ns between two definitions of the clock */
/* ns of delay of the next write of aggregates for each byte written: 64 KiB a second on average */
#define ADDS_NS_A_BYTE 15000

/* ---- definitions ---------------------------------------------------------------- */

static void drain_define_clock(struct ez_drain *d)
{
    drain_define_clock_of(d, drain_sample(d->cfg.mono));
}

static void drain_define_schema(struct ez_drain *d)
{
    uint64_t arg[] = { 1, (uint64_t)(1e9 / d->clock.ns_per_tick + 0.5) };
    drain_define(d, EZ_DEF_SCHEMA, arg, 2, NULL, 0);
}

static void drain_define_process(struct ez_drain *d)
{
    const struct ez_job *job = &d->job;
    char text[PATH_MAX + sizeof job->host + 1];
    uint64_t pid = (uint64_t)d->cfg.pid;
    size_t n = EZ_MIN(strlen(d->cfg.program), (size_t)PATH_MAX);
    memcpy(text, d->cfg.program, n);
    text[n++] = 0;
    memcpy(text + n, job->host, sizeof job->host);
    drain_define(d, EZ_DEF_PROCESS, &pid, 1, text, n + strlen(job->host));
    uint64_t arg[] = { job->rank, job->size };
    if (job->rank != EZ_NO_RANK)
        drain_define(d, EZ_DEF_JOB, arg, 2, job->id, strlen(job->id));
}

static void drain_define_threads(struct ez_drain *d)
{
    for (uint32_t i = 1; i < d->buffers.ready; i++)
        drain_file_thread(d, &d->buffers.at[i]);
}

/* ---- aggregates ------------------------------------------------------------------------ */

struct drain_adds_batch {
    struct ez_drain *d;
    struct ez_fxt_batch b;
};

static void drain_put_adds(void *arg, const struct ez_fxt_def *def)
{
    struct drain_adds_batch *to = arg;
    if (to->d->file.out && !ez_fxt_batch_add(&to->b, def) &&
        drain_wrote(to->d, ez_fxt_out_batch(to->d->file.out, &to->b)))
        (void)!ez_fxt_batch_add(&to->b, def); /* The batch has room now. */
}

static void drain_define_adds(struct ez_drain *d)
{
    EZ_FREE struct drain_adds_batch *to = ez_alloc(sizeof *to);
    to->d = d;
    if (d->file.out)
        drain_adds_emit(d, &(struct drain_adds_to){ drain_put_adds, to });
    if (d->file.out)
        drain_wrote(d, ez_fxt_out_batch(d->file.out, &to->b));
}

/* Writes the values of aggregates about once a second, so that little is lost if the shell is
 * killed. If there are many keys, writes them less often. */
static void drain_adds_round(struct ez_drain *d, uint64_t now)
{
    if (!d->buffers.addups || now < d->trace.next_adds)
        return;
    uint64_t before = ez_fxt_out_bytes(d->file.out);
    drain_define_adds(d);
    uint64_t wrote = d->file.out ? ez_fxt_out_bytes(d->file.out) - before : 0;
    d->trace.next_adds = now + CLOCK_NS + wrote * ADDS_NS_A_BYTE;
}

void drain_trace_begin_round(struct ez_drain *d, uint64_t now)
{
    if (d->file.lost && d->switches.from)
        drain_switches_close(d);
    if (now >= d->trace.next_clock && (d->file.out || drain_calibrated(d))) {
        d->trace.next_clock = now + CLOCK_NS;
        drain_calibrate(d);
        drain_memory_clock(d);
        drain_define_clock(d);
        drain_define_threads(d); /* threads often set their names after they start */
    }
    if (d->file.out)
        drain_define_probes(d);
    if (d->file.out)
        drain_adds_round(d, now);
    else if (d->kept.most)
        drain_learn_defs(d);
}

/* ---- records -------------------------------------------------------------------- */

/* No later event may have a smaller tick than the epoch. Records that are committed from now on
 * have ticks after the begin of the previous round, except in a buffer with a record in progress or
 * with held events. The epoch is not later than the last record read from such a buffer, or than
 * its first held event. (A thread that is preempted between reading the counter and writing the
 * tick can still commit an earlier tick; a reader only counts such events.) */
void drain_trace_epoch(struct ez_drain *d)
{
    uint64_t tick = d->rounds.tick;
    if (!d->file.out || !d->file.wrote)
        return;
    for (uint32_t i = 1; i < d->buffers.ready; i++)
        if (d->buffers.at[i].behind)
            tick = EZ_MIN(tick, d->buffers.at[i].last_tick);
    for (uint32_t i = 1; d->filters.held && i < d->buffers.ready; i++)
        if (d->buffers.at[i].held.n)
            tick = EZ_MIN(tick, d->buffers.at[i].held.at[d->buffers.at[i].held.from]);
    d->trace.epoch = EZ_MAX(d->trace.epoch, tick);
    drain_file_epoch(d, d->trace.epoch);
}

/* ---- calls that are only counted ----------------------------------------------------- */

static uint32_t drain_ids_used(const struct ez_drain *d)
{
    uint32_t used = d->hdr->ids_used; /* one read, because the target can change the shared word */
    return EZ_MIN(used, d->buffers.reserved);
}

static void drain_note_counts(struct ez_drain *d)
{
    for (uint32_t id = 0, n = drain_ids_used(d); id < n; id++) {
        uint64_t entries, exits;
        ez_drain_counts(d, id, &entries, &exits);
        if (entries || exits || d->trace.before[id].entry || d->trace.before[id].exit)
            d->trace.before[id] = (struct ez_counter){ entries, exits };
    }
}

/* CALLS THAT ARE ONLY COUNTED. Several ids of a function may count the same hit. Exactly one of
 * these ids is the site's id or the id of a clause that records. In addition, each clause that only
 * counts (a condition, a specification's code) counts the hit. To count each call of the function
 * once, EZ_DEF_COUNT of such a clause contains only the hits that the other ids have not
 * counted. */

struct hits {
    uint64_t entry, exit;
};

struct counted {      /* counts of one function */
    struct hits once; /* sum over the ids that together count each hit once */
    struct hits most; /* counts of the only-counting clause with the most hits */
    uint32_t clause;  /* id of that clause; 0: none */
};
struct counting {
    struct ez_hash by_func;
    EZ_VEC(struct counted) of;
};

static struct hits drain_counted(struct ez_drain *d, uint32_t id, unsigned flags)
{
    uint64_t entries, exits;
    ez_drain_counts(d, id, &entries, &exits);
    return (struct hits){
        flags & EZ_ROW_ENTRY ? entries - EZ_MIN(entries, d->trace.before[id].entry) : 0,
        flags & EZ_ROW_EXIT ? exits - EZ_MIN(exits, d->trace.before[id].exit) : 0,
    };
}

static const struct ez_row *drain_row(const struct ez_drain *d, uint32_t id)
{
    return (const struct ez_row *)(const void *)((const char *)d->hdr + d->seg.off_rows) + id;
}

static bool drain_counts_besides(const struct ez_drain *d, uint32_t id, unsigned flags)
{
    return drain_row(d, id)->flags & EZ_ROW_CLAUSE &&
           !(flags & (EZ_ROW_REC_ENTRY | EZ_ROW_REC_EXIT | EZ_DEF_APART));
}

static struct counted *drain_counted_at(struct counting *all, uint64_t func)
{
    size_t i = ez_hash_put(&all->by_func, func, all->of.n);
    if (i == all->of.n)
        EZ_PUSH(&all->of, ((struct counted){ .clause = 0 }));
    return &all->of.at[i];
}

static void drain_count_once(struct ez_drain *d, struct counting *all, uint32_t id, unsigned flags)
{
    if (flags & (EZ_ROW_INTERNAL | EZ_ROW_CLAUSE | EZ_ROW_MODULE))
        return;
    struct hits n = drain_counted(d, id, flags);
    if (!n.entry && !n.exit)
        return;
    struct counted *c = drain_counted_at(all, drain_row(d, id)->func);
    if (!drain_counts_besides(d, id, flags)) {
        drain_add(&c->once.entry, n.entry);
        drain_add(&c->once.exit, n.exit);
    } else if (!c->clause || n.entry > c->most.entry || n.exit > c->most.exit) {
        c->most = n;
        c->clause = id;
    }
}

static bool drain_batch_count(struct ez_drain *d, struct ez_fxt_batch *b, struct counting *all,
                              uint32_t id, unsigned flags)
{
    struct hits n = drain_counted(d, id, flags);
    if (drain_counts_besides(d, id, flags) && (n.entry || n.exit)) {
        const struct counted *c = drain_counted_at(all, drain_row(d, id)->func);
        n.entry = c->clause == id ? n.entry - EZ_MIN(n.entry, c->once.entry) : 0;
        n.exit = c->clause == id ? n.exit - EZ_MIN(n.exit, c->once.exit) : 0;
    }
    return (!n.entry && !n.exit) ||
           ez_fxt_batch_add(
               b, &(struct ez_fxt_def){ EZ_DEF_COUNT, drain_tick(d), (uint64_t)d->cfg.pid,
                                        (uint64_t[]){ id, n.entry, n.exit }, 3, NULL, 0 });
}

static void drain_define_counts(struct ez_drain *d)
{
    uint32_t n = drain_ids_used(d);
    struct counting all = { .of = { 0 } };
    EZ_FREE uint32_t *flags = drain_flags_of_ids(d, n);
    EZ_FREE struct ez_fxt_batch *b = ez_alloc(sizeof *b);
    bool besides = false;
    for (uint32_t id = 0; id < n && !besides; id++)
        besides = drain_counts_besides(d, id, flags[id]);
    for (uint32_t id = 0; id < n && besides; id++)
        drain_count_once(d, &all, id, flags[id]);
    for (uint32_t id = 0; d->file.out && id < n; id++)
        if (!(flags[id] & (EZ_ROW_REC_ENTRY | EZ_ROW_REC_EXIT | EZ_ROW_INTERNAL | EZ_ROW_CLAUSE)) &&
            !drain_batch_count(d, b, &all, id, flags[id]) &&
            drain_wrote(d, ez_fxt_out_batch(d->file.out, b)))
            id--; /* repeat this id, because the batch has room now */
    if (d->file.out)
        drain_wrote(d, ez_fxt_out_batch(d->file.out, b));
    EZ_VEC_FREE(&all.of);
    ez_hash_free(&all.by_func);
}

/* ---- open and close ---------------------------------------------------------------- */

/* Prepares for the events of a new trace: forgets open calls and names, and stores the counts from
 * before the trace. */
void drain_events_begin(struct ez_drain *d)
{
    for (uint32_t i = 1; i < d->buffers.ready; i++)
        d->buffers.at[i].comm[0] = 0;
    drain_calls_forget(d);
    drain_note_counts(d);
}

void drain_snapshot_begin(struct ez_drain *d)
{
    drain_defs_again(d);
    drain_define_schema(d);
    drain_define_process(d);
    drain_define_probes(d);
}

/* Completes the open file: writes the clock, the aggregates, the counts of calls that were only
 * counted, the accounting and the signals, then closes the file. */
ez_err *drain_trace_finish(struct ez_drain *d, const struct ez_drain_stat *s)
{
    uint64_t hits = s->entries;
    drain_add(&hits, s->exits);
    uint64_t arg[] = { hits,       s->recorded,  s->filtered,      s->untraced,
                       s->dropped, s->unhooked,  s->torn,          s->unwound,
                       s->waits,   s->waited_ns, s->switches_lost, s->overwritten };
    /* makes the next function write the clock and the aggregates */
    d->trace.next_clock = d->trace.next_adds = 0;
    drain_trace_begin_round(d, drain_now());
    drain_define_counts(d);
    drain_define(d, EZ_DEF_ACCOUNTING, arg, EZ_ARRAY_LEN(arg), NULL, 0);
    drain_signals_move(d, true);
    drain_signals_emit(d);
    drain_switches_close(d);
    if (!d->file.out)
        return ez_err_new(EZ_E_SYS, d->file.lost_errno,
                          "The end of the trace could not be written");
    return drain_file_close(d);
}

ez_err *drain_trace_open(struct ez_drain *d, const char *path, bool keep)
{
    EZ_TRY(drain_switches_open(d));
    ez_err *e = drain_file_create(d, path, keep);
    if (e) {
        drain_switches_close(d);
        return e;
    }
    drain_file_found(d);
    drain_defs_again(d);
    d->trace.epoch = 0;
    drain_settle(d);
    drain_calibrate(d);
    /* If an earlier shell left records in the rings, they are older than now. */
    drain_clock_trace(d, d->life.hold ? d->clock.zero.tick : drain_tick(d));
    drain_events_begin(d);
    drain_signals_trace(d);
    for (uint32_t i = 1; i < d->buffers.ready; i++) /* threads that exist already */
        if (d->buffers.at[i].tid)
            drain_switches_know(d, d->buffers.at[i].tid);
    drain_define_schema(d);
    if (d->life.hold)
        drain_define_clock_of(d, d->clock.zero);
    d->trace.next_clock = d->trace.next_adds =
        /* makes drain_trace_begin_round() write the clock, the threads' names and the aggregates */
        0;
    drain_define_process(d);
    drain_trace_begin_round(d, drain_now());
    drain_file_checkpoint(d);
    if (!d->file.out) {
        drain_switches_close(d);
        return ez_err_new(EZ_E_SYS, d->file.lost_errno, "%s: cannot write", path);
    }
    __atomic_store_n(&d->hdr->trace_open, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

void drain_trace_adds_soon(struct ez_drain *d)
{
    d->trace.next_adds = 0;
}

void drain_trace_begin(struct ez_drain *d)
{
    d->trace.before = ez_alloc_sparse(d->seg.ids_max * sizeof *d->trace.before);
}

void drain_trace_free(struct ez_drain *d)
{
    ez_free_sparse(d->trace.before, d->seg.ids_max * sizeof *d->trace.before);
}
