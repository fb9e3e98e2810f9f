/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live.c - statistics of a trace that is still being written (live.h). */
#include "engine/trace/live.h"

#include "engine/trace/fxt_defs.h"
#include "engine/trace/interp.h"
#include "engine/trace/order.h"

#define WINDOW ((size_t)1 << 16) /* events that are sorted in memory */

struct ez_live {
    struct ez_fxt_in *in;
    struct ez_fxt_defs defs;
    struct ez_calib clock; /* converts ticks by the rate at the beginning of the trace */
    struct ez_model model;
    struct ez_interps *interps;
    struct ez_order *order; /* events that no epoch has released yet */
    struct ez_stats *stats;
};

ez_err *ez_live_open(const char *path, unsigned by, struct ez_live **out)
{
    struct ez_fxt_in *in = NULL;
    EZ_TRY(ez_fxt_in_open(path, &in));
    struct ez_live *l = ez_alloc(sizeof *l);
    struct ez_fxt_defs *defs = &l->defs;
    l->in = in;
    l->stats = ez_stats_create(&l->model, by, false);
    ez_model_init(&l->model, "live", ez_stats_item, l->stats);
    l->model.as_it_comes = true;
    l->interps = ez_interps_create(&l->model, &defs, 1);
    l->order = ez_order_create(WINDOW);
    *out = l;
    return NULL;
}

static bool live_one(struct ez_live *l, const struct ez_ordered *ev)
{
    if (!l->clock.segment.n)
        ez_calib_init(&l->clock, l->defs.clocks.at, l->defs.clocks.n, l->defs.ticks_per_s);
    struct ez_merged m = {
        ez_calib_ns(&l->clock, ev->tick), ev->tid, ev->code, ev->arg, (unsigned)ev->narg, 0
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
    }
}

static ez_err *live_consume(struct ez_live *l, const struct ez_fxt_event *ev, uint64_t *fresh)
{
    if (ev->code == EZ_C_DEF + EZ_DEF_EPOCH)
        return live_emit_until(l, ev->tick, fresh);
    if (ez_fxt_is_def(ev)) {
        ez_fxt_defs_learn(&l->defs, ev);
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
    ez_model_deinit(&l->model);
    ez_calib_deinit(&l->clock);
    ez_fxt_defs_free(&l->defs);
    free(l);
}
