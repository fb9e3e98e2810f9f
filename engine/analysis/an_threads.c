/* SPDX-License-Identifier: GPL-3.0-or-later */
/* an_threads.c - waits of threads for threads of their process: OpenMP and pthread
 * (analysis_priv.h).
 *
 * TEAMS. A process has one team: the threads that worked in its parallel regions. When the part of
 * a thread in a region ends, the thread waits for the thread whose part ends last; tasks that it
 * runs meanwhile are no wait. Between two regions all threads but the master are idle. Regions
 * inside regions, and those of a second thread at the same time, count as work.
 *
 * LOCKS. A wait for a lock lasts until the thread has the lock. It is cut where the lock changed its
 * holder, and each part is charged to what the holder did meanwhile. Nobody is charged with the time
 * between the last release and the moment at which the thread has the lock.
 *
 * Tests: tests/unit/analysis/check_analysis.c */
#include <string.h>

#include "engine/analysis/analysis_priv.h"

enum { HELD_MOST = 64 }; /* most ended holds of a lock that are known */

/* ---- locks, conditions, semaphores ---------------------------------------------------------------- */

/* Returns the lock of the thread's process. Subject EZ_NONE_IDX: its threads that end. */
static struct an_lock *threads_lock(struct analysis *a, const struct an_thread *t, uint32_t subject)
{
    const struct an_lock fresh = { .last = EZ_NONE_IDX };
    uint64_t key = (uint64_t)t->row.process << 32 | subject;
    size_t i = ez_hash_put(&a->locks, key, a->lock.n);
    if (i == a->lock.n)
        EZ_PUSH(&a->lock, fresh);
    return &a->lock.at[i];
}

void an_held(struct analysis *a, struct an_thread *t, const struct ez_item *it, bool begins)
{
    if (it->subject == EZ_NONE_IDX)
        return;
    struct an_lock *l = threads_lock(a, t, it->subject);
    if (begins) {
        EZ_PUSH(&l->hold, ((struct an_held){ t->self, a->now, a->now }));
        return;
    }
    for (size_t i = l->hold.n; i-- > 0;) {
        if (l->hold.at[i].thread != t->self)
            continue;
        if (l->held.n == HELD_MOST) {
            l->held.n--;
            memmove(l->held.at, l->held.at + 1, l->held.n * sizeof *l->held.at);
        }
        EZ_PUSH(&l->held, ((struct an_held){ t->self, l->hold.at[i].from, a->now }));
        l->hold.at[i] = l->hold.at[--l->hold.n];
        break;
    }
    l->last = t->self;
    l->last_ns = a->now;
}

/* Cuts the wait for a lock at the ends of the holds in it, and judges the parts. */
static void threads_blocked(struct analysis *a, struct an_thread *t)
{
    const struct an_operation *op = &t->op;
    const struct an_lock *l = threads_lock(a, t, op->subject);
    for (size_t i = 0; i < l->held.n; i++) {
        const struct an_held h = l->held.at[i];
        if (h.to <= t->last_ns || h.thread == t->self)
            continue;
        uint64_t segment = an_account_apart(a, t, EZ_MIN(h.to, a->now));
        an_wait(a, t, segment, op->class.wait, h.to, h.thread, AN_MEANWHILE, op->name);
    }
}

/* Returns who ends the wait, and when: the thread that signalled, posted or ended last. */
static struct an_candidate threads_awaited(struct analysis *a, const struct an_thread *t)
{
    const struct an_operation *op = &t->op;
    const struct an_lock *l = threads_lock(a, t, op->op == OP_JOIN ? EZ_NONE_IDX : op->subject);
    return (struct an_candidate){ op->class.wait, l->last_ns, l->last };
}

void an_threads_event(struct analysis *a, struct an_thread *t, const struct ez_item *it)
{
    const char *text = a->m->name.at[it->name].text;
    bool ended = !strcmp(text, "thread ended");
    if (ended || (it->subject != EZ_NONE_IDX &&
                  (!strcmp(text, "condition signalled") || !strcmp(text, "condition broadcast") ||
                   !strcmp(text, "semaphore posted")))) {
        struct an_lock *l = threads_lock(a, t, ended ? EZ_NONE_IDX : it->subject);
        l->last = t->self;
        l->last_ns = a->now;
    }
}

void an_thread_starts(struct analysis *a, struct an_thread *t, const struct ez_item *it)
{
    uint32_t by = it->peer < a->by_container.n ? a->by_container.at[it->peer] : EZ_NONE_IDX;
    if (it->kind == EZ_I_LINK_END && by != EZ_NONE_IDX)
        an_created(a, t, by);
}

/* ---- barriers ----------------------------------------------------------------------------------------- */

/* Judges the segments of a barrier that were set apart. */
static void threads_judge_parts(struct analysis *a, struct an_thread *t, enum ez_wait_kind kind,
                                uint64_t until, uint32_t cause, uint32_t call)
{
    for (size_t i = 0; i < t->part.n; i++)
        an_wait(a, t, t->part.at[i], kind, until, cause, AN_EXCESS, call);
    t->part.n = 0;
}

static void threads_apart(struct analysis *a, struct an_thread *t)
{
    uint64_t segment = an_account_apart(a, t, a->now);
    if (segment != UINT64_MAX)
        EZ_PUSH(&t->part, segment);
}

void an_threads_begins(struct analysis *a, struct an_thread *t, const struct ez_item *it)
{
    struct an_operation *op = &t->op;
    uint64_t what = it->subject;
    if (op->op == OP_OMP_BARRIER)
        what = UINT64_MAX; /* all barriers of a team are one group */
    else if (op->op != OP_THREAD_BARRIER)
        return;
    op->group = an_group_of(a, ez_hash_pair((uint64_t)t->row.process + 1, what));
    op->nth = an_enter(a, (uint32_t)op->group, t->self, false, AN_MEMBER);
}

static void threads_barrier_ends(struct analysis *a, struct an_thread *t, uint64_t segment)
{
    const struct an_operation *op = &t->op;
    const struct an_instance *i = an_instance(a, (uint32_t)op->group, op->nth);
    if (segment != UINT64_MAX)
        EZ_PUSH(&t->part, segment);
    if (i)
        threads_judge_parts(a, t, op->class.wait, i->last_ns, i->last, op->name);
    t->part.n = 0;
    an_leave(a, (uint32_t)op->group, op->nth, t->self, true);
}

void an_threads_leaves(struct analysis *a, struct an_thread *t)
{
    if (t->op.op == OP_BLOCKED && t->op.subject != EZ_NONE_IDX)
        threads_blocked(a, t);
}

void an_threads_ends(struct analysis *a, struct an_thread *t, uint64_t segment)
{
    const struct an_operation *op = &t->op;
    struct an_candidate w;
    switch (op->op) {
    case OP_OMP_BARRIER:
    case OP_THREAD_BARRIER:
        threads_barrier_ends(a, t, segment);
        break;
    case OP_CONDITION:
    case OP_SEMAPHORE:
    case OP_JOIN:
        if (op->op != OP_JOIN && op->subject == EZ_NONE_IDX)
            break;
        w = threads_awaited(a, t);
        if (w.cause != EZ_NONE_IDX && w.until > op->begin_ns)
            an_wait(a, t, segment, w.kind, w.until, w.cause, AN_MEANWHILE, op->name);
        break;
    case OP_BLOCKED:
    case OP_OMP_TASKS:
        if (segment != UINT64_MAX)
            an_wait(a, t, segment, op->class.wait, a->now, EZ_NONE_IDX, AN_MEANWHILE, op->name);
        break;
    default:
        break;
    }
}

/* ---- teams ---------------------------------------------------------------------------------------------- */

static struct an_team *threads_team(struct analysis *a, struct an_thread *t)
{
    const struct an_team fresh = { .process = t->row.process,
                                   .master = EZ_NONE_IDX,
                                   .late = EZ_NONE_IDX };
    size_t i = ez_hash_put(&a->teams, t->row.process, a->team.n);
    if (i == a->team.n)
        EZ_PUSH(&a->team, fresh);
    if (t->team == EZ_NONE_IDX) {
        t->team = (uint32_t)i;
        EZ_PUSH(&a->team.at[i].thread, t->self);
    }
    return &a->team.at[i];
}

/* The thread was idle until now, because the master did not work in parallel. */
static void threads_idle_ends(struct analysis *a, const struct an_team *m, struct an_thread *t)
{
    if (t->self == m->master || !t->idle)
        return;
    uint64_t segment = an_account_apart(a, t, a->now);
    if (segment != UINT64_MAX)
        an_wait(a, t, segment, EZ_WAIT_OMP_IDLE, a->now, m->master, AN_MEANWHILE, EZ_NONE_IDX);
    t->idle = false;
}

/* A region begins. A thread that had no part in the last region may have ended since: it was idle
 * only if it has a part again. */
static void threads_idled(struct analysis *a, const struct an_team *m)
{
    for (size_t i = 0; i < m->thread.n; i++)
        if (an_at(a, m->thread.at[i])->recent)
            threads_idle_ends(a, m, an_at(a, m->thread.at[i]));
}

static void threads_joined(struct analysis *a, struct an_team *m)
{
    uint32_t group = an_group_of(a, ez_hash_pair((uint64_t)m->process + 1, UINT64_MAX - 1));
    uint64_t nth = 0;
    for (size_t i = 0; i < m->thread.n; i++) {
        struct an_thread *t = an_at(a, m->thread.at[i]);
        nth = an_enter(a, group, t->self, false, AN_MEMBER);
        if (t->self != m->master && t->worked)
            threads_apart(a, t);
        if (t->worked)
            threads_judge_parts(a, t, EZ_WAIT_OMP_BARRIER, m->late_ns, m->late, EZ_NONE_IDX);
        t->idle = t->self != m->master;
        t->recent = t->worked;
        an_set_path(t, t->idle && t->worked ? 0 : t->path);
        t->worked = false;
    }
    for (size_t i = 0; i < m->thread.n; i++)
        an_leave(a, group, nth, m->thread.at[i], true);
}

void an_region(struct analysis *a, struct an_thread *t, bool begins)
{
    struct an_team *m = threads_team(a, t);
    if (m->depth && m->master != t->self)
        return; /* a region inside, or of another thread */
    if (begins && !m->depth++) {
        m->master = t->self;
        m->path = t->path;
        m->late = EZ_NONE_IDX;
        threads_idled(a, m);
    } else if (!begins && m->depth && !--m->depth) {
        if (m->late != EZ_NONE_IDX) {
            threads_apart(a, t);
            threads_joined(a, m);
        }
    }
}

void an_idle_ends(struct analysis *a, struct an_thread *t)
{
    if (t->team != EZ_NONE_IDX && a->team.at[t->team].depth)
        threads_idle_ends(a, &a->team.at[t->team], t);
}

/* The part of a thread in a region begins or ends. */
void an_working(struct analysis *a, struct an_thread *t, bool begins)
{
    struct an_team *m = threads_team(a, t);
    if (!m->depth || (t->self == m->master && m->depth > 1))
        return;
    if (begins) {
        an_created(a, t, m->master);
        an_set_path(t, t->self == m->master ? t->path : m->path);
        t->worked = true;
        return;
    }
    m->late = t->self;
    m->late_ns = a->now;
    t->time = EZ_TIME_RUNTIME;
    an_set_path(t, m->path);
}

/* A task that the thread runs while it waits begins or ends. */
void an_task(struct analysis *a, struct an_thread *t, bool begins)
{
    struct an_operation *op = &t->op;
    if (begins && op->open && op->op == OP_OMP_BARRIER)
        threads_apart(a, t);
    else if (begins && op->open)
        an_wait(a, t, an_account_apart(a, t, a->now), op->class.wait, a->now, EZ_NONE_IDX,
                AN_MEANWHILE, op->name);
    else if (begins && t->worked && t->time == EZ_TIME_RUNTIME)
        threads_apart(a, t);
    if (begins) {
        EZ_PUSH(&t->suspended, *op);
        op->open = false;
        return;
    }
    if (t->suspended.n)
        *op = t->suspended.at[--t->suspended.n];
    struct an_instance *i =
        op->open && op->op == OP_OMP_BARRIER ? an_instance(a, (uint32_t)op->group, op->nth) : NULL;
    if (i) {
        i->last = t->self;
        i->last_ns = a->now;
    } else if (t->worked && t->team != EZ_NONE_IDX) {
        a->team.at[t->team].late = t->self;
        a->team.at[t->team].late_ns = a->now;
    }
}
