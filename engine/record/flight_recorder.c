/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flight_recorder.c - the flight recorder keeps the newest events of each buffer in memory, without
 * a file. A *snapshot* writes these events as a complete trace, and the recorder continues.
 *
 * The rings are emptied as for a trace. The drain thread keeps the events in the buffer's queue
 * (struct drain_held). When the queue is full, its oldest events are overwritten and counted. So
 * the target never waits. In a snapshot, the events of a thread whose older events were overwritten
 * begin with a gap.
 *
 * A snapshot copies the queues at one instant, and continues to empty the rings while it writes the
 * copy. The accounting of the snapshot does not contain hits that were in progress at that instant.
 *
 * Tests: tests/unit/record/check_snapshot.c, tests/procs/snapshot.sh */
#include <stdio.h>
#include <string.h>

#include "engine/record/drain_priv.h"

#define PIECE (1u << 17) /* maximum number of words written between two readings of the rings */

/* ---- the copy --------------------------------------------------------------------------- */

struct snap_buffer {
    uint64_t *at;
    size_t n;
};

struct snap {
    struct snap_buffer *buffer;
    uint32_t nbuffers;
    uint64_t first; /* tick of the oldest event */
};

static uint64_t *snap_put(uint64_t *w, uint64_t tick, uint64_t tid, unsigned kind,
                          const uint64_t *arg)
{
    *w++ = tick;
    *w++ = tid;
    *w++ = (uint64_t)(EZ_C_THREAD + kind) << 8 | (arg ? 2 : 1);
    if (arg)
        *w++ = *arg;
    return w;
}

static void snap_copy_buffer(const struct drain_held *h, struct snap_buffer *out)
{
    const uint64_t *from = h->at + h->from, *end = from + h->n;
    uint64_t *w = out->at = ez_alloc((h->n + 7) * sizeof *w);
    if (h->n && h->cut && h->cut_tid == from[1]) {
        w = snap_put(w, h->cut_tick, h->cut_tid, EZ_T_GAP, &h->cut);
        w = snap_put(w, EZ_MAX(from[0], h->cut_tick), h->cut_tid, EZ_T_GAP_END, NULL);
    }
    for (; from < end; from += ez_fxt_words(from)) {
        size_t n = ez_fxt_words(from);
        if (drain_is_marked(from))
            continue; /* a filter rejected this entry */
        memcpy(w, from, n * sizeof *w);
        w += n;
    }
    out->n = (size_t)(w - out->at);
}

static void snap_copy(struct ez_drain *d, struct snap *s)
{
    s->nbuffers = d->buffers.ready;
    s->buffer = ez_alloc(s->nbuffers * sizeof *s->buffer);
    s->first = UINT64_MAX;
    for (uint32_t i = 1; i < s->nbuffers; i++) {
        snap_copy_buffer(&d->buffers.at[i].held, &s->buffer[i]);
        if (s->buffer[i].n)
            s->first = EZ_MIN(s->first, s->buffer[i].at[0]);
    }
}

static void snap_free(struct snap *s)
{
    for (uint32_t i = 0; i < s->nbuffers; i++)
        free(s->buffer[i].at);
    free(s->buffer);
}

/* ---- the file --------------------------------------------------------------------------- */

/* Defines the clock: the sample of the drain's begin, and the kept samples from just before the
 * first event on. */
static void snap_clocks(struct ez_drain *d, const struct snap *s)
{
    size_t i = d->memory.clock.n;
    drain_define_clock_of(d, d->clock.zero);
    while (i && d->memory.clock.at[i - 1].tick > s->first)
        i--;
    for (i -= i > 0; i < d->memory.clock.n; i++)
        drain_define_clock_of(d, d->memory.clock.at[i]);
}

static void snap_names(struct ez_drain *d)
{
    for (size_t i = 0; i < d->memory.name.n; i++)
        drain_define_name(d, d->memory.name.at[i].tid, d->memory.name.at[i].name);
}

/* Returns the number of words, at most PIECE, of the whole events from index `from` on. */
static size_t snap_piece(const struct snap_buffer *l, size_t from)
{
    size_t n = 0;
    while (from + n < l->n && n + ez_fxt_words(l->at + from + n) <= PIECE)
        n += ez_fxt_words(l->at + from + n);
    return n;
}

static void snap_events(struct ez_drain *d, const struct snap *s)
{
    for (uint32_t i = 1; i < s->nbuffers; i++)
        for (size_t at = 0, n; at < s->buffer[i].n && d->file.out; at += n) {
            n = snap_piece(&s->buffer[i], at);
            drain_file_put(d, s->buffer[i].at + at, n);
            drain_buffers(d, false); /* records that come now are for the next snapshot */
        }
}

static ez_err *snap_write(struct ez_drain *d, const struct drain_snapshot *how,
                          const struct snap *s, struct ez_drain_stat *st)
{
    EZ_TRY(drain_file_create(d, how->path, how->another));
    *how->written = ez_strdup(ez_fxt_out_path(d->file.out));
    drain_snapshot_begin(d);
    snap_clocks(d, s);
    snap_names(d);
    snap_events(d, s);
    EZ_TRY(drain_trace_finish(d, st));
    st->bytes = d->file.last_bytes;
    st->plain = d->file.last_plain;
    return NULL;
}

/* Subtracts from the snapshot's accounting the hits that a running target counted after the copy,
 * or has not yet recorded. Half of these hits are assumed to be exits. */
static void snap_settle(const struct ez_drain *d, struct ez_drain_stat *s)
{
    uint64_t sum = ez_drain_accounted(s), hits = s->entries;
    drain_add(&hits, s->exits);
    if (drain_target_ended(d) || hits <= sum)
        return;
    uint64_t late = hits - sum, exits = EZ_MIN(s->exits, late / 2);
    uint64_t entries = EZ_MIN(s->entries, late - exits);
    s->entries -= entries;
    s->exits -= late - entries;
}

ez_err *drain_snapshot(struct ez_drain *d, const struct drain_snapshot *how)
{
    struct snap s;
    if (!d->kept.most)
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "No events are kept in memory"),
                           "Use \"set overflow overwrite\" before the first probe");
    snap_copy(d, &s);
    drain_accounting(d, how->stat);
    snap_settle(d, how->stat);
    ez_err *e = snap_write(d, how, &s, how->stat);
    snap_free(&s);
    d->kept.written = !e && drain_target_ended(d);
    if (e) { /* the flight recorder continues after any error of the file */
        free(*how->written);
        *how->written = NULL;
        drain_file_found(d);
    }
    __atomic_store_n(&d->hdr->trace_open, 1, __ATOMIC_SEQ_CST);
    return e;
}

/* ---- on and off ------------------------------------------------------------------------- */

void drain_keep_begin(struct ez_drain *d, uint64_t bytes)
{
    drain_settle(d);
    drain_calibrate(d);
    drain_events_begin(d);
    d->kept.most = EZ_MAX(bytes / sizeof(uint64_t), (uint64_t)DRAIN_SUB_WORDS);
    __atomic_store_n(&d->hdr->trace_open, 1, __ATOMIC_SEQ_CST);
}

/* Drops the kept events. They count as recorded if the target has ended and the last snapshot
 * contains them, otherwise as overwritten. */
void drain_keep_end(struct ez_drain *d)
{
    for (uint32_t i = 1; i < d->buffers.ready; i++) {
        struct drain_buffer *l = &d->buffers.at[i];
        *(d->kept.written ? &l->recorded : &l->overwritten) += drain_held_drop(d, l);
    }
    d->kept.most = 0;
}
