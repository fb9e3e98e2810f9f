/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live.c - statistics of a trace that is still being written (live.h). */
#include "engine/trace/live.h"

#include "engine/trace/fxt_defs.h"
#include "engine/trace/interp.h"
#include "engine/trace/order.h"

#define WINDOW ((size_t)1 << 16) /* maximum number of events that are sorted in memory */

struct ez_live {
    struct ez_fxt_in *in;
    struct ez_fxt_defs defs;
    struct ez_calib clock;
    size_t clocks; /* number of calibrations in `clock` */
    uint64_t zero; /* CLOCK_MONOTONIC of the first event; 0 = no event yet */
    struct ez_model model;
    struct ez_interps *interps;
    struct ez_order *order; /* events that no epoch has released yet */
    struct ez_stats *stats;
    struct ez_filter *filter; /* NULL = none */
};

static ez_err *live_ignore(void *arg, const struct ez_item *it)
{
    return NULL;
}

ez_err *ez_live_open_items(const char *path, struct ez_live **out)
{
    struct ez_fxt_in *in = NULL;
    EZ_TRY(ez_fxt_in_open(path, &in));
    struct ez_live *l = ez_alloc(sizeof *l);
    struct ez_fxt_defs *defs = &l->defs;
    l->in = in;
    ez_model_init(&l->model, "live", live_ignore, NULL);
    l->model.as_it_comes = true;
    l->interps = ez_interps_create(&l->model, &defs, 1);
    l->order = ez_order_create(WINDOW);
    *out = l;
    return NULL;
}

void ez_live_feed(struct ez_live *l, ez_item_fn *fn, void *arg)
{
    l->model.fn = l->filter ? ez_filter_item : fn;
    l->model.fn_arg = l->filter ? (void *)l->filter : arg;
    if (l->filter)
        ez_filter_begin(l->filter, &l->model, fn, arg);
}

static ez_err *live_filter(const struct ez_filter_spec *spec, struct ez_filter **out)
{
    EZ_TRY(ez_filter_create(spec, out));
    if (!*out || !ez_filter_is_late(*out))
        return NULL;
    return ez_err_hint(
        ez_err_new(EZ_E_ARG, 0,
                   "-min, -max, -callee, and -where with values or durations, can be decided only "
                   "when a call has ended, so they cannot be used while the trace grows"),
        "Use them with a FILE, or without the option to follow");
}

ez_err *ez_live_may_choose(const struct ez_filter_spec *filter)
{
    struct ez_filter *f = NULL;
    ez_err *e = live_filter(filter, &f);
    ez_filter_free(f);
    return e;
}

ez_err *ez_live_choose(struct ez_live *l, const struct ez_filter_spec *filter)
{
    EZ_TRY(live_filter(filter, &l->filter));
    if (l->stats)
        ez_live_feed(l, ez_stats_item, l->stats);
    return NULL;
}

ez_err *ez_live_missing(struct ez_live *const *l, size_t n)
{
    if (!n || !l[0]->filter)
        return NULL;
    for (size_t i = 1; i < n; i++)
        ez_filter_join(l[0]->filter, l[i]->filter);
    return ez_filter_missing(l[0]->filter);
}

ez_err *ez_live_open(const char *path, unsigned by, struct ez_live **out)
{
    EZ_TRY(ez_live_open_items(path, out));
    (*out)->stats = ez_stats_create(&(*out)->model, by, false);
    ez_live_feed(*out, ez_stats_item, (*out)->stats);
    return NULL;
}

/* Returns the error that the receiver of items returned, or NULL, and resets it. */
static ez_err *live_error(struct ez_live *l)
{
    ez_err *e = l->model.err;
    l->model.err = NULL;
    return e;
}

/* Returns the time of a tick in ns since the first event. About once a second a new calibration is
 * added to the trace, and used here. */
static uint64_t live_ns(struct ez_live *l, uint64_t tick)
{
    if (!l->clock.segment.n || l->clocks != l->defs.clocks.n) {
        ez_calib_deinit(&l->clock);
        ez_calib_init(&l->clock, l->defs.clocks.at, l->defs.clocks.n, l->defs.ticks_per_s);
        l->clocks = l->defs.clocks.n;
    }
    uint64_t ns = ez_calib_ns(&l->clock, tick);
    if (!l->zero)
        l->zero = EZ_MAX(ns, 1u);
    return ns - EZ_MIN(l->zero, ns);
}

static bool live_one(struct ez_live *l, const struct ez_ordered *ev)
{
    struct ez_merged m = {
        live_ns(l, ev->tick), ev->tid, ev->code, ev->arg, (unsigned)ev->narg, 0
    };
    ez_model_at(&l->model, m.ns);
    ez_interps_event(l->interps, &m);
    return ev->code - EZ_C_THREAD >= 0x100;
}

/* Passes all events before `tick` to the model, in the order of time; *fresh counts them. */
static ez_err *live_emit_until(struct ez_live *l, uint64_t tick, uint64_t *fresh)
{
    struct ez_ordered ev;
    bool got;
    ez_order_bound(l->order, tick);
    for (;;) {
        EZ_TRY(ez_order_next(l->order, &ev, &got));
        if (!got)
            return NULL;
        *fresh += live_one(l, &ev);
        if (l->model.err)
            return live_error(l);
    }
}

static ez_err *live_consume(struct ez_live *l, const struct ez_fxt_event *ev, uint64_t *fresh)
{
    if (ev->code == EZ_C_DEF + EZ_DEF_EPOCH)
        return live_emit_until(l, ev->tick, fresh);
    if (ez_fxt_is_def(ev)) {
        ez_fxt_defs_learn(&l->defs, ev);
        if (ev->code == EZ_C_DEF + EZ_DEF_THREAD && ev->narg)
            ez_interps_rename(l->interps, 0, ev->arg[0]);
        return NULL;
    }
    struct ez_ordered o = { ev->tick, ev->tid, ev->code, ev->narg, ev->arg };
    return ez_order_put(l->order, &o);
}

ez_err *ez_live_poll(struct ez_live *l, const struct ez_progress *p, uint64_t *fresh)
{
    struct ez_fxt_event ev;
    bool got;
    *fresh = 0;
    EZ_TRY(ez_fxt_in_follow(l->in));
    for (uint64_t n = 1;; n++) {
        if (n % EZ_PROGRESS_EVENTS == 0 && p && p->fn && !p->fn(p->arg, n, 0))
            return NULL;
        EZ_TRY(ez_fxt_in_next(l->in, &ev, &got));
        if (!got)
            return live_emit_until(l, UINT64_MAX, fresh);
        EZ_TRY(live_consume(l, &ev, fresh));
    }
}

ez_err *ez_live_end(struct ez_live *l)
{
    ez_model_end(&l->model);
    return live_error(l);
}

const struct ez_model *ez_live_model(const struct ez_live *l)
{
    return &l->model;
}

uint64_t ez_live_zero_ns(const struct ez_live *l)
{
    return l->zero;
}

bool ez_live_is_whole(const struct ez_live *l)
{
    return l->defs.has_accounting || !ez_fxt_in_is_written(l->in);
}

struct ez_stats *ez_live_stats(struct ez_live *l)
{
    return l->stats;
}

const struct ez_model_count *ez_live_count(const struct ez_live *l)
{
    return &l->model.count;
}

void ez_live_close(struct ez_live *l)
{
    if (!l)
        return;
    ez_fxt_in_close(l->in);
    ez_order_destroy(l->order);
    ez_interps_destroy(l->interps);
    ez_stats_free(l->stats);
    ez_filter_free(l->filter);
    ez_model_deinit(&l->model);
    ez_calib_deinit(&l->clock);
    ez_fxt_defs_free(&l->defs);
    free(l);
}
