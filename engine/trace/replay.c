/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.c - reads traces and emits the items of the model (replay.h). */
#include "engine/trace/replay.h"

#include <string.h>

#include "engine/trace/by_thread.h"
#include "engine/trace/interp.h"
#include "engine/base/strutil.h"

struct ez_replay {
    struct ez_merge *in;
    struct ez_filter *filter; /* NULL = none */
    struct ez_model model;
    struct ez_trace_sum sum;
    struct ez_adds_all adds;
    const struct ez_progress *progress;
    uint64_t done;  /* number of events handled so far, in all readings, for `progress` */
    bool in_order;  /* all readings must be in the order of time */
    bool by_thread; /* the filter's first reading was thread by thread (by_thread.h) */
};

/* Returns the name of the root container: the program's name if all files have the same program,
 * otherwise "trace". */
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

static ez_err *replay_open(char *const *path, size_t n, enum ez_index_use use,
                           const struct ez_progress *progress, struct ez_replay **out)
{
    struct ez_merge *in = NULL;
    EZ_TRY(ez_merge_open_by(path, n, use, progress, &in));
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

ez_err *ez_replay_open(char *const *path, size_t n, const struct ez_progress *progress,
                       struct ez_replay **out)
{
    return replay_open(path, n, EZ_INDEX_NONE, progress, out);
}

/* Returns true if the part has no window: it is the whole time of the trace. */
static bool replay_is_whole(const struct ez_trace_part *part)
{
    return !part->from_ns && (!part->to_ns || part->to_ns == UINT64_MAX);
}

ez_err *ez_replay_open_part(char *const *path, size_t n, const struct ez_trace_part *part,
                            const struct ez_progress *progress, struct ez_replay **out)
{
    enum ez_index_use use = part->index;
    if (replay_is_whole(part))
        use = EZ_MIN(use, EZ_INDEX_LOOK);
    EZ_TRY(replay_open(path, n, use, progress, out));
    ez_err *e = ez_replay_choose(*out, part);
    if (!e)
        return NULL;
    ez_replay_close(*out);
    *out = NULL;
    return e;
}

/* Returns the number of events that all readings of the run together handle. */
static uint64_t replay_total(const struct ez_replay *r)
{
    return ez_merge_read(r->in) * (r->filter && ez_filter_is_late(r->filter) ? 2 : 1);
}

static bool replay_go_on(void *arg)
{
    struct ez_replay *r = arg;
    const struct ez_progress *p = r->progress;
    return !p || !p->fn || p->fn(p->arg, r->done, replay_total(r));
}

void ez_replay_progress(struct ez_replay *r, const struct ez_progress *progress)
{
    r->progress = progress;
    r->model.go_on = replay_go_on;
    r->model.go_on_arg = r;
}

/* Passes all events to the interpreters of the model m. */
static ez_err *replay_read(struct ez_replay *r, struct ez_model *m, struct ez_interps *all)
{
    struct ez_merged ev;
    uint64_t emitted = 0;
    const uint64_t total = replay_total(r);
    bool got;
    /* an index does not consider the subjects of calls, nor interpreters of users */
    if (!m->about_item && !ez_interps_of_users(all))
        ez_merge_from(r->in, m->from_ns);
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
        if (!ez_progress_go_on(r->progress, r->done, total))
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
    bool window = r->model.from_ns || r->model.to_ns < r->sum.span_ns;
    for (size_t i = 0; !window && i < ez_merge_inputs(r->in); i++) {
        const struct ez_fxt_defs *d = &ez_merge_input(r->in, i)->defs;
        uint32_t process = replay_process_of(&r->model, d);
        for (size_t k = 0; k < d->probes.n; k++) {
            const struct ez_fxt_probe *p = &d->probes.at[k];
            uint64_t calls = p->flags & EZ_ROW_ENTRY ? p->entries : p->exits;
            if (!calls)
                continue;
            uint32_t name = ez_inputs_function(&r->model, d, p, EZ_N_STATE);
            if (!r->filter || ez_filter_counted(r->filter, process, name))
                fn(arg, process, name, calls);
        }
    }
}

ez_err *ez_replay_window(struct ez_replay *r, uint64_t from, uint64_t to)
{
    if (from > r->sum.span_ns)
        return ez_err_new(EZ_E_ARG, 0, "The trace has no events after %.9f s: it ends at %.9f s",
                          (double)from / 1e9, (double)r->sum.span_ns / 1e9);
    if (from >= to)
        return ez_err_new(EZ_E_ARG, 0, "The period is empty: %.9f s is not before %.9f s",
                          (double)from / 1e9, (double)to / 1e9);
    bool part = from || to < r->sum.span_ns;
    r->sum.part |= part;
    ez_model_window(&r->model, from, to);
    if (part)
        ez_adds_free(&r->adds);
    return NULL;
}

void ez_replay_about(struct ez_replay *r, const char *item)
{
    free(r->model.about_item);
    r->model.about_item = ez_strdup(item);
}

/* Adds an item to m->collected, unless it is there. known: hash of the name and is_exit -> index in
 * m->collected. */
static void replay_collect(struct ez_model *m, struct ez_hash *known, const char *name,
                           bool is_exit)
{
    uint64_t key = ez_hash_pair(ez_hash_key(EZ_HASH_SEED, name), is_exit);
    size_t fresh = m->collected.n, i = ez_hash_put(known, key, fresh);
    if (i < fresh && !strcmp(m->collected.at[i].name, name))
        return;
    for (size_t k = 0; i < fresh && k < fresh; k++) /* another name may have the same hash */
        if (m->collected.at[k].is_exit == is_exit && !strcmp(m->collected.at[k].name, name))
            return;
    struct ez_collected item = { ez_strdup(name), is_exit };
    EZ_PUSH(&m->collected, item);
}

void ez_replay_collected(struct ez_replay *r)
{
    struct ez_hash known = { .slot = NULL };
    for (size_t i = 0; i < ez_merge_inputs(r->in); i++) {
        const struct ez_fxt_defs *d = &ez_merge_input(r->in, i)->defs;
        for (size_t k = 0; k < d->items.n; k++) {
            const struct ez_fxt_items *of = &d->items.at[k];
            for (size_t n = 0; n < of->items.at.n; n++)
                replay_collect(&r->model, &known, of->items.at.at[n].name,
                               (of->code - EZ_C_PROBE) & 1);
        }
    }
    ez_hash_free(&known);
}

ez_err *ez_replay_choose(struct ez_replay *r, const struct ez_trace_part *part)
{
    ez_filter_free(r->filter);
    r->filter = NULL;
    EZ_TRY(ez_filter_create(&part->filter, &r->filter));
    if (r->filter && ez_filter_hides(r->filter)) {
        r->sum.part = true;
        /* results of aggregates cannot be restricted to a part of the calls */
        ez_adds_free(&r->adds);
    }
    return replay_is_whole(part) ? NULL : ez_replay_window(r, part->from_ns, part->to_ns);
}

static struct ez_interps *replay_interpreters(const struct ez_replay *r, struct ez_model *m)
{
    size_t n = ez_merge_inputs(r->in);
    EZ_FREE struct ez_fxt_defs **defs = ez_alloc(n * sizeof *defs);
    for (size_t i = 0; i < n; i++)
        defs[i] = &ez_merge_input(r->in, i)->defs;
    struct ez_interps *all = ez_interps_create(m, defs, n);
    ez_interps_roster(all);
    return all;
}

/* Passes the calls of the trace to the filter, thread by thread (by_thread.h). *fits is false if
 * the trace cannot be read in this way, or if an index makes reading in the order of time
 * faster. */
static ez_err *replay_by_thread(struct ez_replay *r, struct ez_model *m, struct ez_interps *all,
                                bool *fits)
{
    const struct ez_by_thread want = { .in = r->in,
                                       .inputs = ez_interps_inputs(all),
                                       .points = ez_filter_needs_points(r->filter),
                                       .fn = ez_filter_judge,
                                       .end = ez_filter_needs_starts(r->filter)
                                                  ? NULL
                                                  : ez_filter_judge_end,
                                       .arg = r->filter,
                                       .go_on = replay_go_on,
                                       .go_on_arg = r,
                                       .done = &r->done };
    *fits = !m->about_item && !ez_interps_of_users(all) && !(m->from_ns && ez_merge_indexed(r->in));
    return *fits ? ez_by_thread_run(&want, fits) : NULL;
}

/* First reading for a filter with criteria that are known only when a call has ended. Uses a
 * separate model. */
static ez_err *replay_judge_by(struct ez_replay *r, bool by_thread, bool *fits)
{
    struct ez_model m;
    ez_model_init(&m, replay_program_of(r->in), ez_filter_judge, r->filter);
    m.about_item = r->model.about_item ? ez_strdup(r->model.about_item) : NULL;
    ez_model_window(&m, r->model.from_ns, r->model.to_ns);
    m.go_on = replay_go_on;
    m.go_on_arg = r;
    ez_filter_forget(r->filter);
    ez_filter_begin(r->filter, &m, NULL, NULL);
    struct ez_interps *all = replay_interpreters(r, &m);
    ez_err *e = by_thread ? replay_by_thread(r, &m, all, fits) : replay_read(r, &m, all);
    char *lines = ez_interps_finish(all);
    free(lines);
    ez_interps_destroy(all);
    ez_model_deinit(&m);
    ez_merge_rewind(r->in);
    return e;
}

static ez_err *replay_judge(struct ez_replay *r)
{
    bool fits = false;
    if (!r->in_order)
        EZ_TRY(replay_judge_by(r, true, &fits));
    r->by_thread = fits;
    if (!fits)
        r->done = 0;
    return fits ? NULL : replay_judge_by(r, false, &fits);
}

static void replay_filter_sum(struct ez_replay *r)
{
    r->sum.by_filter = ez_filter_hides(r->filter);
    r->sum.shown = ez_filter_sum(r->filter);
}

ez_err *ez_replay_run(struct ez_replay *r, ez_item_fn *fn, void *arg,
                      const struct ez_progress *progress)
{
    r->model.fn = fn;
    r->model.fn_arg = arg;
    ez_replay_progress(r, progress);
    if (r->filter && ez_filter_is_late(r->filter))
        EZ_TRY(replay_judge(r));
    if (r->filter) {
        ez_filter_begin(r->filter, &r->model, fn, arg);
        r->model.fn = ez_filter_item;
        r->model.fn_arg = r->filter;
    }
    struct ez_interps *all = replay_interpreters(r, &r->model);
    ez_err *e = replay_read(r, &r->model, all);
    r->sum.interps = ez_interps_finish(all);
    ez_interps_destroy(all);
    r->sum.late = ez_merge_late(r->in);
    r->sum.count = r->model.count;
    ez_throttled_find(r->in, r->model.from_ns, r->model.to_ns, &r->sum.throttled);
    if (!r->filter)
        return e;
    replay_filter_sum(r);
    return e ? e : ez_filter_missing(r->filter);
}

void ez_replay_in_order(struct ez_replay *r)
{
    r->in_order = true;
}

bool ez_replay_by_thread(const struct ez_replay *r)
{
    return r->by_thread;
}

bool ez_replay_skipped(const struct ez_replay *r)
{
    for (size_t i = 0; i < ez_merge_inputs(r->in); i++)
        if (ez_merge_skipped(r->in, i))
            return true;
    return false;
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
    ez_filter_free(r->filter);
    ez_adds_free(&r->adds);
    ez_merge_close(r->in);
    ez_trace_sum_free(&r->sum);
    free(r);
}
