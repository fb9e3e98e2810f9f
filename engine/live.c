/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live.c - see live.h. */
#include "engine/live.h"

#include "engine/fxt_defs.h"
#include "engine/interp.h"

struct ez_live {
    struct ez_fxt_in *in;
    struct ez_fxt_defs defs;
    struct ez_calib clock; /* at the rate the trace begins with                    */
    struct ez_model model;
    struct ez_interps *interps;
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
    *out = l;
    return NULL;
}

/* true: it was an event, no definition. */
static bool one(struct ez_live *l, const struct ez_fxt_event *ev)
{
    if (ez_fxt_is_def(ev)) {
        ez_fxt_defs_learn(&l->defs, ev);
        return false;
    }
    if (!l->clock.segment.n)
        ez_calib_init(&l->clock, l->defs.clocks.at, l->defs.clocks.n, l->defs.ticks_per_s);
    struct ez_merged m = {
        ez_calib_ns(&l->clock, ev->tick), ev->tid, ev->code, ev->arg, ev->narg, 0
    };
    ez_model_at(&l->model, m.ns);
    ez_interps_event(l->interps, &m);
    return true;
}

ez_err *ez_live_poll(struct ez_live *l, const struct ez_progress *p, uint64_t *fresh)
{
    struct ez_fxt_event ev;
    bool got;
    *fresh = 0;
    EZ_TRY(ez_fxt_in_follow(l->in));
    for (uint64_t n = 1;; n++) {
        if (n % EZ_PROGRESS_EVENTS == 0 && p && p->fn && !p->fn(p->arg, *fresh, 0))
            return NULL;
        EZ_TRY(ez_fxt_in_next(l->in, &ev, &got));
        if (!got)
            return NULL;
        *fresh += one(l, &ev);
    }
}

struct ez_stats *ez_live_stats(struct ez_live *l)
{
    return l->stats;
}

void ez_live_close(struct ez_live *l)
{
    if (!l)
        return;
    ez_fxt_in_close(l->in);
    ez_interps_destroy(l->interps);
    ez_stats_free(l->stats);
    ez_model_deinit(&l->model);
    ez_calib_deinit(&l->clock);
    ez_fxt_defs_free(&l->defs);
    free(l);
}
