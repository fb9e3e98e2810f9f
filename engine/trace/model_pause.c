/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_pause.c - puts pauses on the stacks of threads (model.h).
 *
 * A signal handler may interrupt a thread that waits for the trace. The calls of the handler are
 * deeper in the stack than the state in which the wait began. While such calls are open, the thread
 * does not wait, so the pause is shown only when the stack has the depth again at which the wait
 * began. If a waiting thread is also switched out, the time counts only as waiting.
 * Tests: tests/unit/trace/check_model.c */
#include "engine/trace/model_priv.h"

/* maximum difference in ns between the kernel's clock and the clock of records */
#define SOON_NS 20000

void model_pause_free(struct ez_pause *p)
{
    if (p)
        EZ_VEC_FREE(&p->wait);
    free(p);
}

bool model_had_gap(const struct ez_container *c)
{
    return c->pause && c->pause->had_gap;
}

/* ---- show the pause ------------------------------------------------------------------------ */

static const struct pause {
    const char *text;
    enum ez_pause_kind kind;
} lost = { "[events lost]", EZ_P_APART }, waiting = { "[waiting for the trace]", EZ_P_OURS },
  slept = { "[slept]", EZ_P_WITHIN }, preempted = { "[preempted]", EZ_P_WITHIN };

/* Returns the pause that must be the innermost state now, or NULL. */
static const struct pause *model_pause_wanted(const struct ez_container *c)
{
    struct ez_pause *p = c->pause;
    uint32_t high = (uint32_t)c->stack.n - (p->shown != EZ_NONE_IDX);
    /* if the state in which a wait began has ended, the wait is over */
    while (p->wait.n && p->wait.at[p->wait.n - 1] > high)
        p->wait.n--;
    if (!c->used) /* the thread has had no state and no event yet */
        return NULL;
    if (p->gap)
        return &lost;
    if (p->wait.n && p->wait.at[p->wait.n - 1] == high)
        return &waiting;
    return p->off == EZ_OFF_SLEPT ? &slept : p->off ? &preempted : NULL;
}

static uint32_t model_pause_name_of(struct ez_model *m, const struct pause *p)
{
    if (!p)
        return EZ_NONE_IDX;
    uint32_t name = ez_model_name(m, EZ_N_STATE, p->text, "", 0);
    m->name.at[name].pause = p->kind;
    return name;
}

/* Returns the state of the container's pauses, and makes it if there is none. With the first pause
 * of a container, defines the names of all kinds of pauses: a reader that skips records (index.h)
 * must number names like a reader that does not skip records. */
static struct ez_pause *pause_of(struct ez_model *m, uint32_t container)
{
    static const struct pause *const all[] = { &waiting, &lost, &slept, &preempted };
    struct ez_container *c = &m->container.at[container];
    if (c->pause)
        return c->pause;
    for (size_t i = 0; i < EZ_ARRAY_LEN(all); i++)
        model_pause_name_of(m, all[i]);
    c->pause = ez_alloc(sizeof *c->pause);
    *c->pause = (struct ez_pause){ .shown = EZ_NONE_IDX };
    return c->pause;
}

/* Pops the pause that is shown. cut: the pause continues after the window. */
static void model_pause_leave(struct ez_model *m, uint32_t container, bool cut)
{
    m->container.at[container].pause->shown = EZ_NONE_IDX;
    model_leave(m, container, EZ_END_RETURN, cut, NULL);
}

void model_pause_put(struct ez_model *m, uint32_t container)
{
    struct ez_pause *p = m->container.at[container].pause;
    uint32_t name = model_pause_name_of(m, model_pause_wanted(&m->container.at[container]));
    if (name == p->shown)
        return;
    if (p->shown != EZ_NONE_IDX)
        model_pause_leave(m, container, false);
    if (name != EZ_NONE_IDX)
        model_enter(m, container, name, NULL, 0, EZ_ABOUT_NOTHING);
    p->shown = name;
}

void model_pause_enter(struct ez_model *m, uint32_t container)
{
    struct ez_pause *p = m->container.at[container].pause;
    /* the stack changes, so the thread must be running again */
    if (p->off && m->now > p->off_ns + SOON_NS)
        p->off = EZ_OFF_NOT;
    if (p->shown != EZ_NONE_IDX)
        model_pause_leave(m, container, false);
}

void model_pause_end(struct ez_model *m, uint32_t container, bool cut)
{
    struct ez_pause *p = m->container.at[container].pause;
    if (!p)
        return;
    if (p->shown != EZ_NONE_IDX)
        model_pause_leave(m, container, cut);
    p->wait.n = 0;
    p->off = EZ_OFF_NOT;
    ez_model_gap_end(m, container);
}

/* ---- what happens --------------------------------------------------------------------- */

void ez_model_wait(struct ez_model *m, uint32_t container, bool begins)
{
    struct ez_pause *p = pause_of(m, container);
    const struct ez_container *c = &m->container.at[container];
    if (begins)
        EZ_PUSH(&p->wait, (uint32_t)c->stack.n - (p->shown != EZ_NONE_IDX));
    else if (p->wait.n)
        p->wait.n--;
    model_pause_put(m, container);
}

void ez_model_off(struct ez_model *m, uint32_t container, enum ez_off how)
{
    struct ez_pause *p = pause_of(m, container);
    p->off = how;
    p->off_ns = m->now;
    model_pause_put(m, container);
}

void ez_model_gap(struct ez_model *m, uint32_t container, uint64_t lost)
{
    struct ez_pause *p = pause_of(m, container);
    uint32_t sum = ez_model_name(m, EZ_N_VAR, "events lost", "", 0);
    ez_model_gap_end(m, container);
    model_pause_hide(m, container);
    m->count.gap_calls += m->container.at[container].stack.n;
    while (m->container.at[container].stack.n)
        model_leave(m, container, EZ_END_UNKNOWN, true, NULL);
    p->wait.n = 0;
    p->off = EZ_OFF_NOT;
    m->count.lost += lost;
    m->count.gaps++;
    m->count.gap_threads += !p->had_gap;
    p->gap = p->had_gap = true;
    p->gap_ns = m->now;
    ez_model_var_add(m, container, sum, (double)lost, EZ_ABOUT_NOTHING);
    model_pause_put(m, container);
}

void ez_model_gap_end(struct ez_model *m, uint32_t container)
{
    struct ez_pause *p = pause_of(m, container);
    if (!p->gap)
        return;
    p->gap = false;
    m->count.gap_ns += m->now - EZ_MIN(p->gap_ns, m->now);
    model_pause_put(m, container);
}
