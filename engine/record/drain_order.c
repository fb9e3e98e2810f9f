/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_order.c - the functions of drain.h by which the main thread requests work from the running
 * drain thread. An order is a function that the drain thread executes between two rounds. The
 * function below an order queues the order. Functions that need no order read shared words, or use
 * a lock that only these two threads lock.
 *
 * Tests: tests/unit/record/check_drain.c */
#include "engine/record/drain.h"

#include "engine/base/strutil.h"
#include "engine/record/drain_priv.h"

static ez_err *order_flush(struct ez_drain *d, void *arg)
{
    drain_round(d, drain_target_ended(d));
    return NULL;
}

void ez_drain_flush(struct ez_drain *d)
{
    ez_err_drop(drain_request(d, order_flush, NULL));
}

static ez_err *order_open_with(struct ez_drain *d, const char *path, bool keep)
{
    if (drain_is_open(d))
        return ez_err_new(EZ_E_STATE, 0, "A trace is open already");
    if (!d->life.hold)
        drain_round(d, false); /* read older records first, because they belong to no trace */
    ez_err *e = drain_trace_open(d, path, keep);
    d->life.hold &= e != NULL;
    return e;
}

static ez_err *order_open(struct ez_drain *d, void *path)
{
    return order_open_with(d, path, false);
}

static ez_err *order_create(struct ez_drain *d, void *path)
{
    return order_open_with(d, path, true);
}

ez_err *ez_drain_open(struct ez_drain *d, const char *path)
{
    return drain_request(d, order_open, (void *)path);
}

void ez_drain_create_begin(struct ez_drain *d, const char *path)
{
    drain_begin(d, order_create, (void *)path);
}

static ez_err *order_keep(struct ez_drain *d, void *bytes)
{
    if (drain_is_open(d))
        return ez_err_new(EZ_E_STATE, 0, "A trace is open already");
    if (!d->life.hold)
        drain_round(d, false); /* read older records first, because they belong to no trace */
    d->life.hold = false;
    drain_keep_begin(d, *(uint64_t *)bytes);
    return NULL;
}

void ez_drain_keep_begin(struct ez_drain *d, uint64_t *bytes)
{
    drain_begin(d, order_keep, bytes);
}

static ez_err *order_snapshot(struct ez_drain *d, void *how)
{
    if (d->kept.most)
        drain_round(d, drain_target_ended(d));
    return drain_snapshot(d, how);
}

ez_err *ez_drain_snapshot(struct ez_drain *d, const char *path, bool another, char **written,
                          struct ez_drain_stat *out)
{
    *written = NULL;
    return drain_request(d, order_snapshot,
                         &(struct drain_snapshot){ path, another, written, out });
}

static ez_err *order_path(struct ez_drain *d, void *out)
{
    *(char **)out = d->file.out ? ez_strdup(ez_fxt_out_path(d->file.out)) : NULL;
    return NULL;
}

char *ez_drain_path(struct ez_drain *d)
{
    char *path = NULL;
    ez_err_drop(drain_request(d, order_path, &path));
    return path;
}

static ez_err *order_unhold(struct ez_drain *d, void *arg)
{
    d->life.hold = false;
    if (!d->file.out)
        __atomic_store_n(&d->hdr->trace_open, 0, __ATOMIC_SEQ_CST);
    return NULL;
}

void ez_drain_unhold(struct ez_drain *d)
{
    ez_err_drop(drain_request(d, order_unhold, NULL));
}

static ez_err *order_close(struct ez_drain *d, void *arg)
{
    if (d->kept.most) {
        __atomic_store_n(&d->hdr->trace_open, 0, __ATOMIC_SEQ_CST);
        drain_round(d, drain_target_ended(d));
        drain_keep_end(d);
        return NULL;
    }
    if (!d->file.out)
        return d->file.lost
                   ? ez_err_new(EZ_E_SYS, d->file.lost_errno,
                                "The trace ended early, because its file could not be written")
                   : ez_err_new(EZ_E_STATE, 0, "No trace is open");
    __atomic_store_n(&d->hdr->trace_open, 0, __ATOMIC_SEQ_CST);
    drain_signals_close(d);
    drain_round(d, drain_target_ended(d));
    return drain_close(d);
}

ez_err *ez_drain_close(struct ez_drain *d)
{
    return drain_request(d, order_close, NULL);
}

static ez_err *order_reserve(struct ez_drain *d, void *arg)
{
    uint32_t want = *(uint32_t *)arg;
    int e = drain_reserve_ids(d, want);
    return e ? ez_err_new(EZ_E_SYS, e, "Cannot allocate shared memory to count hits of %u probe%s",
                          want, ez_plural(want))
             : NULL;
}

ez_err *ez_drain_reserve_ids(struct ez_drain *d, uint32_t n)
{
    return n <= d->buffers.reserved ? NULL : drain_request(d, order_reserve, &n);
}

void ez_drain_reserve_begin(struct ez_drain *d, uint32_t n)
{
    d->want_ids = n;
    if (n > d->buffers.reserved)
        drain_begin(d, order_reserve, &d->want_ids);
}

static ez_err *order_stat(struct ez_drain *d, void *out)
{
    struct ez_drain_stat *s = out;
    drain_accounting(d, s);
    s->no_syscalls = d->hdr->no_syscalls;
    s->clock_enters = d->hdr->clock_enters;
    return NULL;
}

void ez_drain_stat(struct ez_drain *d, struct ez_drain_stat *out)
{
    ez_err_drop(drain_request(d, order_stat, out));
}

struct order_time {
    uint64_t now;
    double ticks_per_ns;
};

static ez_err *order_time(struct ez_drain *d, void *out)
{
    drain_settle(d);
    drain_calibrate(d);
    *(struct order_time *)out = (struct order_time){ drain_tick(d), 1 / d->clock.ns_per_tick };
    return NULL;
}

void ez_drain_time(struct ez_drain *d, uint64_t *now, double *ticks_per_ns)
{
    struct order_time out;
    ez_err_drop(drain_request(d, order_time, &out));
    *now = out.now;
    *ticks_per_ns = out.ticks_per_ns;
}

static ez_err *order_anew(struct ez_drain *d, void *arg)
{
    drain_accounting(d, &d->earlier);
    return NULL;
}

void ez_drain_anew(struct ez_drain *d)
{
    ez_err_drop(drain_request(d, order_anew, NULL));
}

static ez_err *order_pause(struct ez_drain *d, void *pause)
{
    drain_pause(d, *(bool *)pause);
    return NULL;
}

void ez_drain_pause(struct ez_drain *d, bool pause)
{
    ez_err_drop(drain_request(d, order_pause, &pause));
}

bool ez_drain_paused(const struct ez_drain *d)
{
    return __atomic_load_n(&d->hdr->pauses, __ATOMIC_ACQUIRE) & 1;
}

static ez_err *order_park(struct ez_drain *d, void *arg)
{
    if (!d->life.hold)
        drain_round(d, false);
    d->life.parked = true;
    return NULL;
}

void ez_drain_park(struct ez_drain *d)
{
    ez_err_drop(drain_request(d, order_park, NULL));
}

static ez_err *order_no_more_buffers(struct ez_drain *d, void *part)
{
    drain_no_more_buffers(d, part);
    return NULL;
}

void ez_drain_no_more_buffers(struct ez_drain *d, struct ez_drain_part part[EZ_DRAIN_PARTS])
{
    ez_err_drop(drain_request(d, order_no_more_buffers, part));
}

static ez_err *order_addups(struct ez_drain *d, void *arg)
{
    uint32_t n = *(uint32_t *)arg;
    int e = drain_reserve_addups(d, n);
    return e ? ez_err_new(EZ_E_SYS, e, "Cannot allocate shared memory for %u aggregate%s", n,
                          ez_plural(n))
             : NULL;
}

ez_err *ez_drain_reserve_addups(struct ez_drain *d, uint32_t n)
{
    return n <= d->buffers.addups ? NULL : drain_request(d, order_addups, &n);
}

static ez_err *order_write_adds(struct ez_drain *d, void *arg)
{
    drain_trace_adds_soon(d);
    drain_round(d, drain_target_ended(d));
    return NULL;
}

void ez_drain_write_adds(struct ez_drain *d)
{
    ez_err_drop(drain_request(d, order_write_adds, NULL));
}

static ez_err *order_note_keys(struct ez_drain *d, void *arg)
{
    drain_adds_note(d);
    return NULL;
}

void ez_drain_note_keys(struct ez_drain *d)
{
    if (d->buffers.addups)
        ez_err_drop(drain_request(d, order_note_keys, NULL));
}

struct order_other { /* arguments of ez_drain_filter_other() */
    uint32_t id, other;
    unsigned records;
};

/* Before the change, reads the records in the rings, so that the old filters apply to them. */
static ez_err *order_filter_other(struct ez_drain *d, void *arg)
{
    const struct order_other *o = arg;
    drain_round(d, drain_target_ended(d));
    drain_filter_other(d, o->id, o->other, o->records);
    return NULL;
}

void ez_drain_filter_other(struct ez_drain *d, uint32_t id, uint32_t other, unsigned records)
{
    struct drain_filter *f = drain_filter_of(d, id);
    struct order_other o = { id, other, records & (EZ_ROW_REC_ENTRY | EZ_ROW_REC_EXIT) };
    if (f && (f->records != o.records || (o.records && f->other != other)))
        ez_err_drop(drain_request(d, order_filter_other, &o));
}

/* ---- without an order ------------------------------------------------------------ */

void ez_drain_image_ended(struct ez_drain *d)
{
    if (d)
        __atomic_store_n(&d->life.ended, true, __ATOMIC_RELEASE);
}

void ez_drain_instant(struct ez_drain *d, struct ez_instant *now)
{
    struct drain_sample s = drain_sample(d->cfg.mono);
    *now = (struct ez_instant){ s.tick, s.mono_ns, s.real_ns };
}

double ez_drain_ns_per_tick(const struct ez_drain *d)
{
    double ns;
    __atomic_load(&d->clock.ns_per_tick, &ns, __ATOMIC_RELAXED);
    return ns;
}

uint32_t ez_drain_rank(const struct ez_drain *d)
{
    return d->job.rank;
}
