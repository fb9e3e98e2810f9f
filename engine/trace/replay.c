/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.c - reads traces and emits the items of the model (replay.h). */
#include "engine/trace/replay.h"

#include <string.h>

#include "engine/trace/interp.h"
#include "engine/base/strutil.h"

struct ez_replay {
    struct ez_merge *in;
    struct ez_model model;
    struct ez_trace_sum sum;
    struct ez_adds_all adds;
    const struct ez_progress *progress;
    uint64_t done; /* number of events handled so far, for `progress` */
};

/* Returns the name of the root container: the program's name, if all files agree. */
static const char *replay_program_of(const struct ez_merge *in)
{
    const char *first = ez_merge_input(in, 0)->defs.program;
    for (size_t i = 1; first && i < ez_merge_inputs(in); i++) {
        const char *p = ez_merge_input(in, i)->defs.program;
        if (!p || strcmp(p, first))
            return "trace";
    }
    return first && *first ? ez_base_name(first) : "trace";
}

static void replay_add_accounting(struct ez_trace_sum *s, const struct ez_fxt_defs *d)
{
    uint64_t *to[EZ_ACCOUNTING] = {
        &s->hits, &s->recorded, &s->filtered, &s->untraced,  &s->dropped,       &s->unhooked,
        &s->torn, &s->unwound,  &s->waits,    &s->waited_ns, &s->switches_lost, &s->overwritten
    };
    for (size_t i = 0; d->has_accounting && i < EZ_ARRAY_LEN(to); i++)
        *to[i] += d->accounting[i];
    s->has_accounting |= d->has_accounting;
}

static void replay_sum_up(struct ez_replay *r)
{
    struct ez_trace_sum *s = &r->sum;
    s->events = ez_merge_events(r->in);
    s->span_ns = ez_merge_span_ns(r->in);
    for (size_t i = 0; i < ez_merge_inputs(r->in); i++) {
        const struct ez_merge_input *f = ez_merge_input(r->in, i);
        replay_add_accounting(s, &f->defs);
        if (f->damage && !s->damage)
            s->damage = ez_strdup(f->damage);
        ez_adds_of_file(&r->adds, &f->defs);
    }
    ez_adds_sum_up(&r->adds);
}

ez_err *ez_replay_open(char *const *path, size_t n, const struct ez_progress *progress,
                       struct ez_replay **out)
{
    struct ez_merge *in = NULL;
    EZ_TRY(ez_merge_open(path, n, progress, &in));
    struct ez_replay *r = ez_alloc(sizeof *r);
    r->in = in;
    ez_model_init(&r->model, replay_program_of(in), NULL, NULL);
    r->model.start_real_ns = ez_merge_start_real_ns(in);
    r->model.sum = &r->sum;
    r->model.adds = &r->adds;
    replay_sum_up(r);
    *out = r;
    return NULL;
}

static bool replay_go_on(void *arg)
{
    struct ez_replay *r = arg;
    const struct ez_progress *p = r->progress;
    return !p || !p->fn || p->fn(p->arg, r->done, ez_merge_read(r->in));
}

void ez_replay_progress(struct ez_replay *r, const struct ez_progress *progress)
{
    r->progress = progress;
    r->model.go_on = replay_go_on;
    r->model.go_on_arg = r;
}

static ez_err *replay_run(struct ez_replay *r, struct ez_interps *all)
{
    struct ez_merged ev;
    struct ez_model *m = &r->model;
    uint64_t emitted = 0;
    bool got;
    for (;; r->done++) {
        EZ_TRY(ez_merge_next(r->in, &ev, &got));
        if (!got)
            break;
        ez_model_at(m, ev.ns);
        if (m->over)
            break;
        ez_interps_event(all, &ev);
        emitted += !m->before && ev.code - EZ_C_THREAD >= 0x100;
        if (m->err)
            break;
        if (!ez_progress_go_on(r->progress, r->done, ez_merge_read(r->in)))
            return ez_err_new(EZ_E_STATE, 0, "Interrupted");
    }
    r->sum.events = emitted;
    if (!m->err)
        ez_model_end(m);
    ez_err *e = m->err;
    m->err = NULL;
    return e;
}

static uint32_t replay_process_of(const struct ez_model *m, const struct ez_fxt_defs *d)
{
    for (uint32_t i = 0; i < m->container.n; i++)
        if (m->container.at[i].level == EZ_L_PROCESS && m->container.at[i].pid == d->pid)
            return i;
    return EZ_NONE_IDX;
}

void ez_replay_counts(struct ez_replay *r, ez_count_fn *fn, void *arg)
{
    for (size_t i = 0; !r->sum.part && i < ez_merge_inputs(r->in); i++) {
        const struct ez_fxt_defs *d = &ez_merge_input(r->in, i)->defs;
        uint32_t process = replay_process_of(&r->model, d);
        for (size_t k = 0; k < d->probes.n; k++) {
            const struct ez_fxt_probe *p = &d->probes.at[k];
            uint64_t calls = p->flags & EZ_ROW_ENTRY ? p->entries : p->exits;
            if (calls)
                fn(arg, process,
                   ez_model_name(&r->model, EZ_N_STATE, p->function, p->library, p->addr), calls);
        }
    }
}

ez_err *ez_replay_window(struct ez_replay *r, uint64_t from, uint64_t to)
{
    if (from >= to)
        return ez_err_new(EZ_E_ARG, 0, "The trace has no events between %.9f s and %.9f s",
                          (double)from / 1e9, (double)to / 1e9);
    if (from > r->sum.span_ns)
        return ez_err_new(EZ_E_ARG, 0, "The trace has no events after %.9f s: it ends at %.9f s",
                          (double)from / 1e9, (double)r->sum.span_ns / 1e9);
    r->sum.part = from || to < r->sum.span_ns;
    ez_model_window(&r->model, from, to);
    if (r->sum.part)
        ez_adds_free(&r->adds);
    return NULL;
}

void ez_replay_about(struct ez_replay *r, const char *item)
{
    free(r->model.about_item);
    r->model.about_item = ez_strdup(item);
}

ez_err *ez_replay_run(struct ez_replay *r, ez_item_fn *fn, void *arg,
                      const struct ez_progress *progress)
{
    r->model.fn = fn;
    r->model.fn_arg = arg;
    ez_replay_progress(r, progress);
    size_t n = ez_merge_inputs(r->in);
    EZ_FREE struct ez_fxt_defs **defs = ez_alloc(n * sizeof *defs);
    for (size_t i = 0; i < n; i++)
        defs[i] = &ez_merge_input(r->in, i)->defs;
    struct ez_interps *all = ez_interps_create(&r->model, defs, n);
    ez_interps_roster(all);
    ez_err *e = replay_run(r, all);
    r->sum.interps = ez_interps_finish(all);
    ez_interps_destroy(all);
    r->sum.late = ez_merge_late(r->in);
    r->sum.count = r->model.count;
    ez_throttled_find(r->in, r->model.from_ns, r->model.to_ns, &r->sum.throttled);
    return e;
}

const struct ez_adds_all *ez_replay_adds(const struct ez_replay *r)
{
    return &r->adds;
}

const struct ez_model *ez_replay_model(const struct ez_replay *r)
{
    return &r->model;
}

const struct ez_trace_sum *ez_replay_sum(const struct ez_replay *r)
{
    return &r->sum;
}

struct ez_trace_sum ez_trace_sum_copy(const struct ez_trace_sum *s)
{
    struct ez_trace_sum copy = *s;
    copy.interps = s->interps ? ez_strdup(s->interps) : NULL;
    copy.damage = s->damage ? ez_strdup(s->damage) : NULL;
    copy.throttled = ez_throttled_copy(&s->throttled);
    return copy;
}

void ez_trace_sum_free(struct ez_trace_sum *s)
{
    free(s->interps);
    free(s->damage);
    ez_throttled_free(&s->throttled);
}

void ez_replay_close(struct ez_replay *r)
{
    if (!r)
        return;
    ez_model_deinit(&r->model);
    ez_adds_free(&r->adds);
    ez_merge_close(r->in);
    ez_trace_sum_free(&r->sum);
    free(r);
}
