/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.c - keeps the states, links and variables of a trace, and emits items (model.h). */
#include "engine/trace/model.h"

#include <string.h>

#include "engine/trace/model_priv.h"

void ez_model_init(struct ez_model *m, const char *program, ez_item_fn *fn, void *arg)
{
    *m = (struct ez_model){ .fn = fn, .fn_arg = arg, .to_ns = UINT64_MAX };
    m->priv = ez_alloc(sizeof *m->priv);
    ez_model_container(m, EZ_L_PROGRAM, EZ_NONE_IDX, program, 0, 0);
}

void ez_model_deinit(struct ez_model *m)
{
    struct ez_model_priv *p = m->priv;
    for (size_t i = 0; i < m->container.n; i++) {
        free(m->container.at[i].name);
        free(m->container.at[i].host);
        free(m->container.at[i].job);
        EZ_VEC_FREE(&m->container.at[i].stack);
        EZ_VEC_FREE(&m->container.at[i].shown);
        model_pause_free(m->container.at[i].pause);
    }
    for (size_t i = 0; i < m->name.n; i++) {
        free(m->name.at[i].text);
        free(m->name.at[i].group);
        free(m->name.at[i].file);
    }
    for (size_t i = 0; i < m->subject.n; i++) {
        free(m->subject.at[i].kind);
        free(m->subject.at[i].text);
    }
    EZ_VEC_FREE(&m->subject);
    for (size_t i = 0; i < m->line.n; i++)
        free(m->line.at[i]);
    EZ_VEC_FREE(&m->line);
    EZ_VEC_FREE(&m->container);
    EZ_VEC_FREE(&m->name);
    ez_hash_free(&p->names);
    ez_hash_free(&p->titles);
    ez_hash_free(&p->subjects);
    ez_hash_free(&p->var);
    ez_hash_free(&p->by_key);
    ez_hash_free(&p->deep);
    EZ_VEC_FREE(&p->values);
    EZ_VEC_FREE(&p->links);
    EZ_VEC_FREE(&p->free_links);
    free(p);
    free(m->about_item);
    for (size_t i = 0; i < m->collected.n; i++)
        free(m->collected.at[i].name);
    EZ_VEC_FREE(&m->collected);
    ez_err_free(m->err);
    *m = (struct ez_model){ 0 };
}

/* ---- the window ----------------------------------------------------------------------- */

void ez_model_window(struct ez_model *m, uint64_t from, uint64_t to)
{
    m->from_ns = from;
    m->to_ns = to;
    m->before = from > 0;
}

/* Emits the open states of a container as if they began at m->now, the start of the window. */
static void model_open_stack(struct ez_model *m, uint32_t container)
{
    struct ez_hash seen = { 0 };
    struct ez_container *c = &m->container.at[container];
    size_t n;
    for (uint32_t d = 0; d < c->stack.n; d++) {
        struct ez_call_frame *f = &c->stack.at[d];
        struct ez_item it = {
            .kind = EZ_I_PUSH, .container = container, .name = f->name, .depth = d
        };
        it.subject = f->subject;
        it.arg = f->arg;
        it.narg = f->narg;
        it.words = f->words;
        it.recursive = ez_hash_get(&seen, f->name, &n);
        ez_hash_put(&seen, f->name, 0);
        f->start_ns = f->about_ns = m->now;
        f->child_ns = 0;
        f->paused_ns = c->paused_ns;
        f->cut = true;
        model_emit_item(m, &it);
    }
    ez_hash_free(&seen);
}

static void model_open_window(struct ez_model *m)
{
    m->before = false;
    m->now = m->from_ns;
    m->count = (struct ez_model_count){ 0 };
    for (uint32_t i = 0; i < m->container.n; i++) {
        model_open_stack(m, i);
        model_pause_show(m, i);
    }
    for (size_t i = 0; i < m->priv->values.n; i++) {
        struct variable v = m->priv->values.at[i];
        struct ez_item it = {
            .kind = EZ_I_VAR, .container = v.container, .name = v.name, .subject = EZ_NONE_IDX
        };
        it.value = v.value;
        it.set = true;
        it.thread = EZ_NONE_IDX;
        model_emit_item(m, &it);
    }
}

static void model_end(struct ez_model *m, bool cut);

void ez_model_at(struct ez_model *m, uint64_t ns)
{
    if (m->before && ns >= m->from_ns)
        model_open_window(m);
    if (ns > m->to_ns && !m->over) {
        m->now = m->to_ns;
        model_end(m, true);
    }
    m->now = m->as_it_comes ? ns : EZ_MAX(m->now, ns);
}

/* ---- states ------------------------------------------------------------------------- */

void ez_model_push_record(struct ez_model *m, uint32_t container, uint32_t name,
                          const uint64_t *arg, unsigned narg, struct ez_about about)
{
    model_pause_hide(m, container);
    model_enter(m, container, name, arg, narg, about);
    model_pause_show(m, container);
}

void ez_model_push(struct ez_model *m, uint32_t container, uint32_t name, struct ez_about about)
{
    ez_model_push_record(m, container, name, NULL, 0, about);
}

/* Counts an exit without an entry. If the container had a gap, such an exit is expected and not
 * counted. */
static void model_lone_exit(struct ez_model *m, uint32_t container)
{
    m->count.lone_exits += !model_had_gap(&m->container.at[container]);
}

/* Exchanges the subjects of two states so that the innermost state has `subject`. Returns false if
 * no state of the container has that subject: another thread acquired the lock, or the lock was
 * acquired before the trace began. */
static bool model_bring_up(struct ez_model *m, uint32_t container, uint32_t subject)
{
    struct ez_container *c = &m->container.at[container];
    if (subject == EZ_NONE_IDX || c->stack.at[c->stack.n - 1].subject == EZ_NONE_IDX)
        return true;
    for (size_t i = c->stack.n; i-- > 0;) {
        struct ez_call_frame *f = &c->stack.at[i], *top = &c->stack.at[c->stack.n - 1];
        if (f->subject != subject)
            continue;
        uint64_t began = f->about_ns;
        f->subject = top->subject;
        f->about_ns = top->about_ns;
        top->subject = subject;
        top->about_ns = began;
        return true;
    }
    return false;
}

void ez_model_pop(struct ez_model *m, uint32_t container, struct ez_about about)
{
    model_pause_hide(m, container);
    if (m->container.at[container].stack.n && model_bring_up(m, container, about.subject))
        model_leave(m, container, EZ_END_RETURN, false, about.data);
    else
        model_lone_exit(m, container);
    model_pause_show(m, container);
}

void ez_model_pop_name(struct ez_model *m, uint32_t container, uint32_t name, enum ez_end how,
                       struct ez_about about)
{
    struct ez_container *c = &m->container.at[container];
    if (!model_is_open(m, container, name)) {
        model_lone_exit(m, container);
        return;
    }
    model_pause_hide(m, container);
    while (c->stack.at[c->stack.n - 1].name != name)
        model_leave(m, container, EZ_END_UNKNOWN, false, NULL);
    struct ez_call_frame *f = &c->stack.at[c->stack.n - 1];
    if (f->subject == EZ_NONE_IDX && about.subject != EZ_NONE_IDX) {
        f->subject = about.subject;
        f->late = true;
    }
    model_leave(m, container, how, false, about.data);
    model_pause_show(m, container);
}

void ez_model_set(struct ez_model *m, uint32_t container, uint32_t name, struct ez_about about)
{
    model_pause_hide(m, container);
    if (m->container.at[container].stack.n)
        model_leave(m, container, EZ_END_RETURN, false, about.data);
    model_enter(m, container, name, NULL, 0, about);
    model_pause_show(m, container);
}

/* ---- events, links ------------------------------------------------------------ */

void ez_model_event(struct ez_model *m, uint32_t container, uint32_t name, const uint64_t *arg,
                    unsigned narg, struct ez_about about)
{
    struct ez_item it = { .kind = EZ_I_EVENT,
                          .container = container,
                          .name = name,
                          .subject = about.subject,
                          .data = about.data };
    it.arg = arg;
    it.narg = narg;
    it.words = about.words;
    model_emit_item(m, &it);
}

void ez_model_sample(struct ez_model *m, uint32_t container, const struct ez_words *words,
                     const uint64_t *arg, unsigned narg)
{
    struct ez_item it = {
        .kind = EZ_I_SAMPLE, .container = container, .name = EZ_NONE_IDX, .ns = m->now
    };
    it.arg = arg;
    it.narg = narg;
    it.words = words;
    if (!m->before)
        model_emit(m, &it);
}

static void model_emit_link(struct ez_model *m, enum ez_item_kind kind, uint32_t container,
                            const struct ez_link *l)
{
    struct ez_item it = { .kind = kind, .container = container, .name = l->name };
    it.arg = l->arg;
    it.narg = l->narg;
    it.first = l->first;
    it.words = l->words;
    it.key = l->key;
    it.request = l->request;
    it.peer = l->peer;
    if (l->peer != EZ_NONE_IDX && !m->before)
        model_emit_container(m, l->peer);
    model_emit_item(m, &it);
}

/* Removes the open link with this name and key. Returns its index in `links`, where its data stays
 * until the next link begins, or SIZE_MAX if there is no such link. */
static size_t model_remove_link(struct ez_model *m, uint32_t name, uint64_t key)
{
    struct ez_model_priv *p = m->priv;
    size_t i;
    if (!ez_hash_remove(&p->by_key, ez_hash_pair(key, name), &i))
        return SIZE_MAX;
    p->links.at[i].open = false;
    EZ_PUSH(&p->free_links, i);
    return i;
}

/* Emits an end for a link that got no end, in the container where the link began. */
static void model_close_link(struct ez_model *m, size_t i)
{
    struct link was = m->priv->links.at[i];
    struct ez_link l = { .name = was.name, .peer = was.container, .key = was.key };
    if (!was.emitted)
        return;
    m->count.unpaired_links++;
    model_emit_link(m, EZ_I_LINK_END, was.container, &l);
}

void ez_model_link_start(struct ez_model *m, uint32_t container, const struct ez_link *l)
{
    struct ez_model_priv *p = m->priv;
    struct link open = { l->key, container, l->name, true, !m->before };
    size_t i = model_remove_link(m, l->name, l->key);
    if (i != SIZE_MAX)
        model_close_link(m, i);
    if (p->free_links.n)
        i = p->free_links.at[--p->free_links.n];
    else {
        i = p->links.n;
        EZ_PUSH(&p->links, open);
    }
    p->links.at[i] = open;
    ez_hash_put(&p->by_key, ez_hash_pair(l->key, l->name), i);
    model_emit_link(m, EZ_I_LINK_START, container, l);
}

void ez_model_link_end(struct ez_model *m, uint32_t container, const struct ez_link *l)
{
    size_t i = model_remove_link(m, l->name, l->key);
    if (i == SIZE_MAX) {
        m->count.unpaired_links++;
        return;
    }
    struct ez_link end = *l;
    end.peer = m->priv->links.at[i].container;
    if (m->priv->links.at[i].emitted) /* false if the link began before the window */
        model_emit_link(m, EZ_I_LINK_END, container, &end);
}

void ez_model_request(struct ez_model *m, uint32_t container, uint32_t name, uint64_t request,
                      enum ez_request did)
{
    struct ez_item it = { .kind = EZ_I_REQUEST, .container = container, .name = name };
    it.peer = EZ_NONE_IDX;
    it.request = request;
    it.did = did;
    model_emit_item(m, &it);
}

/* ---- the end -------------------------------------------------------------------------- */

/* Ends all links, states and containers at m->now. cut: the trace continues after the window. */
static void model_end(struct ez_model *m, bool cut)
{
    if (m->over)
        return;
    if (m->before) /* the trace has no event in the window */
        model_open_window(m);
    model_emit_container(m, 0);
    for (size_t i = 0; i < m->priv->links.n; i++)
        if (m->priv->links.at[i].open)
            model_close_link(m, i);
    for (uint32_t i = (uint32_t)m->container.n; i-- > 0;) {
        model_pause_end(m, i, cut);
        while (m->container.at[i].stack.n)
            model_leave(m, i, EZ_END_UNKNOWN, m->now == m->to_ns, NULL);
        struct ez_item it = {
            .kind = EZ_I_CONTAINER_END, .container = i, .name = EZ_NONE_IDX, .ns = m->now
        };
        if (m->container.at[i].emitted)
            model_emit(m, &it);
    }
    m->over = true;
}

void ez_model_end(struct ez_model *m)
{
    model_end(m, false);
}
