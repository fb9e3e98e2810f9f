/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_item.c - emits the items of a model. Also enters and leaves states, without changing
 * pauses, and sets variables (model.h).
 * Tests: tests/unit/trace/check_model.c */
#include "engine/trace/model_priv.h"

/* Number of outer frames of a stack that are searched linearly for a name; most stacks are not
 * deeper. The names of deeper frames are counted in a hash, so that the time does not grow with the
 * depth, and only open frames need memory. */
#define SHALLOW 12

/* ---- emit ----------------------------------------------------------------------------- */

void model_emit(struct ez_model *m, const struct ez_item *it)
{
    if (!m->err && !m->over)
        m->err = m->fn(m->fn_arg, it);
}

void model_emit_container(struct ez_model *m, uint32_t i)
{
    struct ez_container *c = &m->container.at[i];
    if (!c->emitted && c->parent != EZ_NONE_IDX)
        model_emit_container(m, c->parent);
    /* emitted before, or just now together with the program (m->roster) */
    if (c->emitted)
        return;
    c->emitted = true;
    struct ez_item it = {
        .kind = EZ_I_CONTAINER, .container = i, .name = EZ_NONE_IDX, .ns = m->now
    };
    model_emit(m, &it);
    for (uint32_t k = 1; !i && k < m->roster; k++)
        model_emit_container(m, k);
}

static void model_emit_name(struct ez_model *m, uint32_t container, uint32_t i)
{
    m->name.at[i].emitted = true;
    struct ez_item it = { .kind = EZ_I_NAME, .container = container, .name = i, .ns = m->now };
    model_emit(m, &it);
}

static void model_note_active(struct ez_model *m, const struct ez_item *it)
{
    struct ez_active *a = &m->container.at[it->container].active;
    if (it->kind != EZ_I_PUSH && it->kind != EZ_I_POP && it->kind != EZ_I_EVENT)
        return;
    m->container.at[it->container].used = true;
    if (m->before)
        return;
    a->first_ns = a->any ? EZ_MIN(a->first_ns, it->ns) : it->ns;
    a->last_ns = EZ_MAX(a->last_ns, it->ns);
    a->any = true;
    if (it->kind == EZ_I_POP && m->name.at[it->name].pause == EZ_P_OURS)
        a->ours_ns += it->spent_ns;
}

void model_emit_item(struct ez_model *m, struct ez_item *it)
{
    it->ns = m->now;
    model_note_active(m, it);
    if (m->before)
        return;
    if (!m->container.at[it->container].emitted)
        model_emit_container(m, it->container);
    if (!m->name.at[it->name].emitted)
        model_emit_name(m, it->container, it->name);
    m->count.items++;
    model_emit(m, it);
}

/* ---- states ------------------------------------------------------------------------- */

static uint64_t model_pair(uint32_t container, uint32_t name)
{
    return (uint64_t)container << 32 | name;
}

static void model_count_deep(struct ez_model *m, uint32_t container, uint32_t name, int by)
{
    size_t n = 0;
    ez_hash_remove(&m->priv->deep, model_pair(container, name), &n);
    if (n + (size_t)by)
        ez_hash_put(&m->priv->deep, model_pair(container, name), n + (size_t)by);
}

bool model_is_open(const struct ez_model *m, uint32_t container, uint32_t name)
{
    const struct ez_container *c = &m->container.at[container];
    size_t n;
    for (size_t i = 0; i < c->stack.n && i < SHALLOW; i++)
        if (c->stack.at[i].name == name)
            return true;
    return c->stack.n > SHALLOW && ez_hash_get(&m->priv->deep, model_pair(container, name), &n);
}

/* Pushes a frame that begins now, and returns it. The fields are set one by one, because a frame
 * that is initialised as a whole and copied costs as much as everything else in model_enter(). */
static struct ez_call_frame *model_new_frame(struct ez_model *m, struct ez_container *c)
{
    EZ_RESERVE(&c->stack, 1);
    struct ez_call_frame *f = &c->stack.at[c->stack.n++];
    f->cut = f->late = false;
    f->start_ns = f->about_ns = m->now;
    f->child_ns = 0;
    f->paused_ns = c->paused_ns;
    f->narg = 0;
    f->words = NULL;
    return f;
}

void model_enter(struct ez_model *m, uint32_t container, uint32_t name, const uint64_t *arg,
                 unsigned narg, struct ez_about about)
{
    struct ez_container *c = &m->container.at[container];
    const bool pause = m->name.at[name].pause;
    struct ez_item it = { .kind = EZ_I_PUSH,
                          .container = container,
                          .name = name,
                          .depth = (uint32_t)c->stack.n,
                          .subject = pause ? EZ_NONE_IDX : about.subject,
                          .data = pause ? NULL : about.data,
                          .recursive = model_is_open(m, container, name) };
    it.arg = arg;
    it.narg = narg;
    it.words = about.words;
    if (c->stack.n >= SHALLOW)
        model_count_deep(m, container, name, 1);
    struct ez_call_frame *f = model_new_frame(m, c);
    f->name = name;
    f->subject = it.subject;
    if (m->before && narg <= EZ_FRAME_ARGS) {
        for (unsigned i = 0; i < narg; i++)
            f->arg[i] = arg[i];
        f->narg = narg;
        f->words = about.words;
    }
    model_emit_item(m, &it);
}

/* Counts a call that is open at an edge of the window, unless a filter hides the call. `depth` is
 * the index of its frame, which was the innermost one. */
static void model_count_edge(struct ez_model *m, const struct ez_container *c, size_t depth)
{
    m->count.edge_calls += !m->filtered || (c->shown.n && c->shown.at[c->shown.n - 1] == depth);
}

void model_leave(struct ez_model *m, uint32_t container, enum ez_end how, bool cut,
                 const struct ez_event_data *data)
{
    struct ez_container *c = &m->container.at[container];
    struct ez_call_frame f = c->stack.at[--c->stack.n];
    enum ez_pause_kind pause = m->name.at[f.name].pause;
    bool apart = pause == EZ_P_APART || pause == EZ_P_OURS;
    uint64_t duration = m->now - EZ_MIN(f.start_ns, m->now);
    if (c->stack.n >= SHALLOW)
        model_count_deep(m, container, f.name, -1);
    if (apart)
        c->paused_ns += duration;
    else
        duration -= EZ_MIN(c->paused_ns - f.paused_ns, duration);
    struct ez_item it = { .kind = EZ_I_POP,
                          .container = container,
                          .name = f.name,
                          .depth = (uint32_t)c->stack.n,
                          .recursive = model_is_open(m, container, f.name),
                          .subject = f.subject,
                          .late = f.late,
                          .data = how == EZ_END_RETURN && !m->name.at[f.name].pause ? data : NULL,
                          .start_ns = f.start_ns,
                          .spent_ns = duration,
                          .self_ns = duration - EZ_MIN(f.child_ns, duration),
                          .about_ns = f.about_ns == f.start_ns ? duration : m->now - f.about_ns,
                          .end = how,
                          .cut = cut || f.cut };
    if (c->stack.n && !apart)
        c->stack.at[c->stack.n - 1].child_ns += duration;
    if (!pause && (f.cut || (cut && m->now == m->to_ns)))
        model_count_edge(m, c, c->stack.n);
    m->count.open_entries += how == EZ_END_UNKNOWN && !cut;
    m->count.unwound += how == EZ_END_UNWOUND;
    model_emit_item(m, &it);
}

/* ---- variables ---------------------------------------------------------------------- */

static double *model_variable(struct ez_model *m, uint32_t container, uint32_t name)
{
    struct ez_model_priv *p = m->priv;
    struct variable fresh = { container, name, 0 };
    size_t i = ez_hash_put(&p->var, model_pair(container, name), p->values.n);
    if (i == p->values.n)
        EZ_PUSH(&p->values, fresh);
    return &p->values.at[i].value;
}

static void model_var_emit(struct ez_model *m, uint32_t container, uint32_t name, double delta,
                           bool set, struct ez_about about)
{
    struct ez_item it = {
        .kind = EZ_I_VAR, .container = container, .name = name, .subject = about.subject
    };
    double *value = model_variable(m, container, name);
    it.value = *value = set ? delta : *value + delta;
    it.delta = delta;
    it.set = set;
    it.thread = about.thread;
    model_emit_item(m, &it);
}

void ez_model_var_set(struct ez_model *m, uint32_t container, uint32_t name, double value,
                      struct ez_about about)
{
    model_var_emit(m, container, name, value, true, about);
}

void ez_model_var_add(struct ez_model *m, uint32_t container, uint32_t name, double delta,
                      struct ez_about about)
{
    model_var_emit(m, container, name, delta, false, about);
}
