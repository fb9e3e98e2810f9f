/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analysis.c - reads the items of a model for the analysis (analysis.h).
 *
 * At each time a thread has one activity: a call path and a kind of time. A state of MPI, or one in
 * which a thread may wait, is an OPERATION: what happens inside it belongs to it. At its end its
 * time is one segment, whose first part may become a wait.
 *
 * Tests: tests/unit/analysis/check_analysis.c */
#include "engine/analysis/analysis_priv.h"

static const struct wait_text {
    const char *name, *title;
} wait_texts[EZ_WAITS] = {
    [EZ_WAIT_NONE] = { "none", "none" },
    [EZ_WAIT_LATE_SENDER] = { "late_sender", "late sender" },
    [EZ_WAIT_WRONG_ORDER] = { "late_sender_wrong_order", "late sender, wrong order" },
    [EZ_WAIT_LATE_RECEIVER] = { "late_receiver", "late receiver" },
    [EZ_WAIT_LATE_PROGRESS] = { "late_progress", "late progress" },
    [EZ_WAIT_EARLY_REDUCE] = { "early_reduce", "early reduce" },
    [EZ_WAIT_LATE_REDUCE] = { "late_reduce", "late reduce" },
    [EZ_WAIT_LATE_BROADCAST] = { "late_broadcast", "late broadcast" },
    [EZ_WAIT_NXN] = { "wait_nxn", "wait at NxN" },
    [EZ_WAIT_BARRIER] = { "wait_barrier", "wait at barrier" },
    [EZ_WAIT_FINALIZE] = { "wait_finalize", "wait at finalize" },
    [EZ_WAIT_OMP_BARRIER] = { "omp_barrier", "OpenMP barrier" },
    [EZ_WAIT_OMP_CRITICAL] = { "omp_critical", "OpenMP critical section" },
    [EZ_WAIT_OMP_LOCK] = { "omp_lock", "OpenMP lock" },
    [EZ_WAIT_OMP_IDLE] = { "omp_idle", "OpenMP idle threads" },
    [EZ_WAIT_OMP_TASKS] = { "omp_tasks", "OpenMP tasks" },
    [EZ_WAIT_MUTEX] = { "mutex", "lock" },
    [EZ_WAIT_CONDITION] = { "cond", "condition" },
    [EZ_WAIT_THREAD_BARRIER] = { "barrier", "barrier of threads" },
    [EZ_WAIT_SEMAPHORE] = { "semaphore", "semaphore" },
    [EZ_WAIT_JOIN] = { "join", "end of a thread" },
};

const char *ez_wait_name(enum ez_wait_kind kind)
{
    return wait_texts[kind].name;
}

const char *ez_wait_title(enum ez_wait_kind kind)
{
    return wait_texts[kind].title;
}

struct ez_analysis *ez_analysis_create(const struct ez_model *m)
{
    struct analysis *a = ez_alloc(sizeof *a);
    const struct ez_path_node root = { 0, EZ_NONE_IDX, EZ_NONE_IDX };
    a->m = m;
    EZ_PUSH(&a->node, root);
    return &a->pub;
}

/* ---- threads --------------------------------------------------------------------------------------- */

uint64_t an_job(const struct analysis *a, const struct an_thread *t)
{
    const struct ez_container *c = ez_model_process(a->m, t->row.container);
    return ez_hash_key(EZ_HASH_SEED, c && c->job ? c->job : "");
}

/* Returns the thread of a container, which exists from its first item on. */
static struct an_thread *analysis_thread(struct analysis *a, uint32_t container)
{
    const struct ez_container *c = &a->m->container.at[container];
    const struct an_thread none = { .team = EZ_NONE_IDX, .cell = EZ_NONE_IDX };
    size_t was;
    if (c->level != EZ_L_THREAD)
        return NULL;
    while (a->by_container.n <= container)
        EZ_PUSH(&a->by_container, EZ_NONE_IDX);
    if (a->by_container.at[container] == EZ_NONE_IDX) {
        if (ez_hash_get(&a->finalized, c->parent, &was))
            return NULL;
        a->by_container.at[container] = (uint32_t)a->thread.n;
        EZ_PUSH(&a->thread, none);
        struct an_thread *t = &a->thread.at[a->thread.n - 1];
        t->self = (uint32_t)a->thread.n - 1;
        t->row.container = container;
        t->row.process = c->parent;
        t->first_ns = t->last_ns = a->now;
        t->route = an_route_new();
        /* the time before the thread's first event is on no call path */
        if (a->now > a->pub.from_ns)
            an_route_add(&t->route, an_cell(a, 0, t->self), (int64_t)(a->now - a->pub.from_ns));
    }
    return an_at(a, a->by_container.at[container]);
}

static struct an_class analysis_class(struct analysis *a, uint32_t name)
{
    const struct an_class unknown = { .known = false };
    while (a->class.n <= name)
        EZ_PUSH(&a->class, unknown);
    if (!a->class.at[name].known)
        a->class.at[name] = an_class_of(&a->m->name.at[name]);
    return a->class.at[name];
}

/* ---- pauses ------------------------------------------------------------------------------------------ */

/* A thread is preempted, or sleeps. The time belongs to what the thread was doing. */
static void analysis_off(struct analysis *a, struct an_thread *t, enum an_op op, bool begins)
{
    if (begins) {
        t->off_op = op;
        t->off_ns = a->now;
        return;
    }
    uint64_t from = EZ_MAX(t->off_ns, a->pub.from_ns), ns = a->now - EZ_MIN(from, a->now);
    if (t->op.open) {
        if (t->off_op == OP_PREEMPTED)
            t->paused[t->pauses++ % AN_PAUSES] = (struct an_span){ from, a->now };
    } else if (t->time == EZ_TIME_USEFUL) {
        *(t->off_op == OP_PREEMPTED ? &t->row.preempted_ns : &t->row.slept_ns) += ns;
    }
}

/* Returns for how long the thread was preempted in the open operation since `from`. */
static uint64_t analysis_preempted(const struct analysis *a, const struct an_thread *t,
                                   uint64_t from)
{
    uint64_t ns = 0;
    for (unsigned i = 0; i < EZ_MIN(t->pauses, (unsigned)AN_PAUSES); i++) {
        uint64_t low = EZ_MAX(t->paused[i].from, from), high = EZ_MIN(t->paused[i].to, a->now);
        ns += high > low ? high - low : 0;
    }
    return ns;
}

/* ---- states ------------------------------------------------------------------------------------------ */

/* Changes the activity. */
static void analysis_does(struct analysis *a, struct an_thread *t, uint32_t name, uint32_t subject,
                          enum ez_time_kind time)
{
    an_account(a, t, a->now);
    an_set_path(t, an_node(a, t->path, name, subject));
    t->time = (uint8_t)time;
}

static void analysis_operation(struct analysis *a, struct an_thread *t, const struct ez_item *it,
                               struct an_class c)
{
    bool mpi = c.op >= OP_MPI;
    analysis_does(a, t, it->name, EZ_NONE_IDX, mpi ? EZ_TIME_MPI : EZ_TIME_RUNTIME);
    t->op = (struct an_operation){ .open = true,
                                   .op = c.op,
                                   .class = c,
                                   .name = it->name,
                                   .subject = it->subject,
                                   .begin_ns = a->now,
                                   .number = ++a->operations,
                                   .link = SIZE_MAX };
    t->pauses = 0;
    (mpi ? an_mpi_begins : an_threads_begins)(a, t, it);
}

/* A process calls MPI_Finalize: its threads are no longer analysed. */
static void analysis_finalize(struct analysis *a, struct an_thread *caller, uint32_t name)
{
    analysis_does(a, caller, name, EZ_NONE_IDX, EZ_TIME_MPI);
    caller->finalizes = true;
    ez_hash_put(&a->finalized, caller->row.process, 0);
    for (size_t i = 0; i < a->thread.n; i++) {
        struct an_thread *t = an_at(a, (uint32_t)i);
        if (t->row.process != caller->row.process || t->ended)
            continue;
        if (t->stack.n)
            an_account(a, t, a->now);
        t->ended = true;
    }
}

static void analysis_enters(struct analysis *a, struct an_thread *t, const struct ez_item *it,
                            struct an_class c)
{
    switch (c.op) {
    case OP_CALL:
        analysis_does(a, t, it->name, EZ_NONE_IDX, EZ_TIME_USEFUL);
        break;
    case OP_PREEMPTED:
        analysis_does(a, t, it->name, EZ_NONE_IDX, t->time);
        analysis_off(a, t, c.op, true);
        break;
    case OP_SLEPT:
        analysis_off(a, t, c.op, true);
        break;
    case OP_LOST:
        a->pub.lost = true;
        an_group_lost(a, t);
        analysis_does(a, t, it->name, EZ_NONE_IDX, EZ_TIME_OURS);
        break;
    case OP_OURS:
        analysis_does(a, t, it->name, EZ_NONE_IDX, EZ_TIME_OURS);
        break;
    case OP_IGNORED:
        break;
    case OP_HELD:
        an_held(a, t, it, true);
        break;
    case OP_REGION:
        analysis_does(a, t, it->subject == EZ_NONE_IDX ? it->name : EZ_NONE_IDX, it->subject,
                      EZ_TIME_RUNTIME);
        an_region(a, t, true);
        break;
    case OP_WORKING:
        an_idle_ends(a, t);
        an_account(a, t, a->now);
        t->time = EZ_TIME_USEFUL;
        an_working(a, t, true);
        break;
    case OP_TASK:
        an_account(a, t, a->now);
        an_task(a, t, true);
        analysis_does(a, t, it->subject == EZ_NONE_IDX ? it->name : EZ_NONE_IDX, it->subject,
                      EZ_TIME_USEFUL);
        break;
    default:
        analysis_operation(a, t, it, c);
    }
}

/* Returns true if the state is inside a span that it must not cut: inside an operation, or, for a
 * pause, in the time in which an OpenMP thread waits for its team. */
static bool analysis_inside(const struct an_thread *t, enum an_op op)
{
    bool tasks = t->op.op == OP_OMP_BARRIER || t->op.op == OP_OMP_TASKS;
    bool team = t->idle || (t->worked && t->time == EZ_TIME_RUNTIME);
    if (t->op.open)
        return !(op == OP_TASK && tasks);
    return team && (op == OP_PREEMPTED || op == OP_SLEPT);
}

static void analysis_push(struct analysis *a, struct an_thread *t, const struct ez_item *it)
{
    struct an_class c = analysis_class(a, it->name);
    bool inside = analysis_inside(t, c.op);
    const struct an_frame f = { c.op, !inside, t->path, t->time };
    EZ_PUSH(&t->stack, f);
    a->preempted = c.op == OP_PREEMPTED ? it->name : a->preempted;
    if (inside && (c.op == OP_PREEMPTED || c.op == OP_SLEPT))
        analysis_off(a, t, c.op, true);
    else if (!inside && c.op == OP_MPI_FINALIZE)
        analysis_finalize(a, t, it->name);
    else if (!inside)
        analysis_enters(a, t, it, c);
}

/* Ends an MPI call. Time in which the thread was preempted although it had nothing to wait for is a
 * segment of its own, at the end. */
static void analysis_mpi_ends(struct analysis *a, struct an_thread *t)
{
    an_mpi_leaves(a, t);
    uint64_t low = EZ_MAX(t->op.best.kind ? t->op.best.until : t->op.begin_ns, t->last_ns);
    uint64_t ns = analysis_preempted(a, t, low);
    an_mpi_ends(a, t, an_account_apart(a, t, a->now - ns));
    if (ns) {
        an_set_path(t, an_node(a, t->path, a->preempted, EZ_NONE_IDX));
        an_account(a, t, a->now);
        t->row.mpi_preempted_ns += ns;
    }
}

static void analysis_operation_ends(struct analysis *a, struct an_thread *t)
{
    if (t->op.op >= OP_MPI) {
        analysis_mpi_ends(a, t);
    } else {
        an_threads_leaves(a, t);
        an_threads_ends(a, t, an_account_apart(a, t, a->now));
    }
    t->op.open = false;
}

static void analysis_pop(struct analysis *a, struct an_thread *t, const struct ez_item *it)
{
    if (!t->stack.n) /* the state began before the thread's first item */
        return;
    const struct an_frame f = t->stack.at[--t->stack.n];
    if (f.op == OP_PREEMPTED || f.op == OP_SLEPT) {
        if (f.counts)
            an_account(a, t, a->now);
        t->time = f.counts ? f.time : t->time;
        analysis_off(a, t, f.op, false);
    }
    if (!f.counts)
        return;
    if (f.op == OP_HELD)
        an_held(a, t, it, false);
    if (f.op == OP_IGNORED || f.op == OP_HELD || f.op == OP_SLEPT)
        return;
    if (f.op > OP_TASK && t->op.open)
        analysis_operation_ends(a, t);
    if (f.op == OP_REGION)
        an_region(a, t, false);
    an_account(a, t, a->now);
    an_set_path(t, f.path);
    t->time = f.time;
    if (f.op == OP_WORKING)
        an_working(a, t, false);
    else if (f.op == OP_TASK)
        an_task(a, t, false);
    if (f.op == OP_MPI_INIT && !a->initialized) {
        a->initialized = true;
        an_begin(a);
    }
}

ez_err *ez_analysis_item(void *analysis, const struct ez_item *it)
{
    struct analysis *a = analysis;
    enum ez_paradigm paradigm;
    if (it->kind == EZ_I_CONTAINER || it->kind == EZ_I_NAME || it->kind == EZ_I_CONTAINER_END)
        return NULL;
    a->now = it->ns;
    a->pub.from_ns = a->any ? a->pub.from_ns : it->ns;
    a->any = true;
    struct an_thread *t = analysis_thread(a, it->container);
    if (!t || t->ended)
        return NULL;
    switch (it->kind) {
    case EZ_I_PUSH:
        analysis_push(a, t, it);
        break;
    case EZ_I_POP:
        analysis_pop(a, t, it);
        break;
    case EZ_I_LINK_START:
    case EZ_I_LINK_END:
        paradigm = analysis_class(a, it->name).paradigm;
        if (paradigm == EZ_PARADIGM_MPI)
            an_mpi_link(a, t, it);
        else if (paradigm == EZ_PARADIGM_PTHREAD)
            an_thread_starts(a, t, it);
        break;
    case EZ_I_REQUEST:
        an_mpi_request(a, t, it);
        break;
    case EZ_I_EVENT:
        if (analysis_class(a, it->name).paradigm == EZ_PARADIGM_PTHREAD)
            an_threads_event(a, t, it);
        break;
    default:
        break;
    }
    return NULL;
}

void ez_analysis_free(struct ez_analysis *analysis)
{
    struct analysis *a = (struct analysis *)analysis;
    if (!a)
        return;
    for (size_t i = 0; i < a->thread.n; i++) {
        struct an_thread *t = &a->thread.at[i];
        for (unsigned k = 0; k < t->jumps; k++)
            an_route_unref(t->jump[k].old);
        an_route_unref(t->route);
        EZ_VEC_FREE(&t->stack);
        EZ_VEC_FREE(&t->suspended);
        EZ_VEC_FREE(&t->sent);
        EZ_VEC_FREE(&t->part);
        EZ_VEC_FREE(&t->log);
        EZ_VEC_FREE(&t->wait);
        EZ_VEC_FREE(&t->spare_wait);
    }
    for (size_t i = 0; i < a->group.n; i++)
        an_group_free(&a->group.at[i]);
    for (size_t i = 0; i < a->queue.n; i++) {
        EZ_VEC_FREE(&a->queue.at[i].at);
        EZ_VEC_FREE(&a->queue.at[i].pending);
    }
    for (size_t i = 0; i < a->lock.n; i++) {
        EZ_VEC_FREE(&a->lock.at[i].hold);
        EZ_VEC_FREE(&a->lock.at[i].held);
    }
    for (size_t i = 0; i < a->team.n; i++)
        EZ_VEC_FREE(&a->team.at[i].thread);
    EZ_VEC_FREE(&a->class);
    EZ_VEC_FREE(&a->by_container);
    EZ_VEC_FREE(&a->thread);
    EZ_VEC_FREE(&a->node);
    EZ_VEC_FREE(&a->last_child);
    EZ_VEC_FREE(&a->cell);
    EZ_VEC_FREE(&a->wait);
    EZ_VEC_FREE(&a->charge);
    EZ_VEC_FREE(&a->collective);
    EZ_VEC_FREE(&a->excess);
    EZ_VEC_FREE(&a->touched);
    EZ_VEC_FREE(&a->inner);
    EZ_VEC_FREE(&a->meeting);
    EZ_VEC_FREE(&a->group);
    EZ_VEC_FREE(&a->link);
    EZ_VEC_FREE(&a->spare_link);
    EZ_VEC_FREE(&a->post);
    EZ_VEC_FREE(&a->spare_post);
    EZ_VEC_FREE(&a->queue);
    EZ_VEC_FREE(&a->started);
    EZ_VEC_FREE(&a->spare_started);
    ez_hash_free(&a->by_number);
    EZ_VEC_FREE(&a->lock);
    EZ_VEC_FREE(&a->team);
    ez_hash_free(&a->nodes);
    ez_hash_free(&a->cells);
    ez_hash_free(&a->waits);
    ez_hash_free(&a->charges);
    ez_hash_free(&a->collectives);
    ez_hash_free(&a->meetings);
    ez_hash_free(&a->groups);
    ez_hash_free(&a->by_key);
    ez_hash_free(&a->by_request);
    ez_hash_free(&a->posts);
    ez_hash_free(&a->locks);
    ez_hash_free(&a->teams);
    ez_hash_free(&a->finalized);
    an_result_free(a);
    free(a);
}
