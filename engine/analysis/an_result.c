/* SPDX-License-Identifier: GPL-3.0-or-later */
/* an_result.c - the tables of the analysis, and the efficiencies (analysis_priv.h).
 * Tests: tests/unit/analysis/check_analysis.c */
#include <math.h>
#include <string.h>

#include "engine/analysis/analysis_priv.h"
#include "engine/base/strutil.h"
#include "engine/trace/roles.h"

char *ez_analysis_path(const struct ez_analysis *analysis, uint32_t node)
{
    const struct analysis *a = (const struct analysis *)analysis;
    char *text = NULL;
    for (uint32_t n = node; n; n = a->node.at[n].parent) {
        const struct ez_path_node *p = &a->node.at[n];
        EZ_FREE char *below = text;
        const char *name = p->name != EZ_NONE_IDX ? a->m->name.at[p->name].text
                                                  : a->m->subject.at[p->subject].text;
        text = ez_sprintf("%s%s%s", name, below ? "/" : "", ez_text(below));
    }
    return text ? text : ez_strdup("(outside recorded functions)");
}

/* Returns true if the thread calls MPI_Finalize, or works at its end: a period can end in waits. */
static bool result_works(const struct an_thread *t)
{
    return t->finalizes ||
           (t->log.n > t->log_first && t->log.at[t->log.n - 1].time == EZ_TIME_USEFUL);
}

/* Returns the thread that ends last: it calls MPI_Finalize, or its process never does. */
static const struct an_thread *result_last(const struct analysis *a)
{
    const struct an_thread *last = &a->thread.at[0];
    for (size_t i = 1; i < a->thread.n; i++) {
        const struct an_thread *t = &a->thread.at[i];
        bool same = t->last_ns == last->last_ns && !result_works(last) && result_works(t);
        last = t->last_ns > last->last_ns || same ? t : last;
    }
    return last;
}

/* ---- the end of the time ------------------------------------------------------------------------------ */

/* The processes whose MPI_Finalize came first wait for the last one of their job. */
static void result_finalize(struct analysis *a)
{
    struct ez_hash jobs = { .n = 0 };
    for (size_t i = 0; i < a->thread.n; i++) {
        struct an_thread *t = an_at(a, (uint32_t)i);
        uint64_t job = an_job(a, t);
        if (t->finalizes && t->last_ns >= an_at(a, (uint32_t)ez_hash_put(&jobs, job, i))->last_ns)
            ez_hash_set(&jobs, job, i);
    }
    for (size_t i = 0; i < a->thread.n; i++) {
        struct an_thread *t = an_at(a, (uint32_t)i);
        if (!t->finalizes)
            continue;
        uint32_t last = (uint32_t)ez_hash_put(&jobs, an_job(a, t), 0);
        a->now = an_at(a, last)->last_ns;
        uint64_t segment = an_account_apart(a, t, a->now);
        if (segment != UINT64_MAX)
            an_wait(a, t, segment, EZ_WAIT_FINALIZE, a->now, last, AN_EXCESS, EZ_NONE_IDX);
    }
    ez_hash_free(&jobs);
}

/* ---- efficiencies --------------------------------------------------------------------------------------- */

static double result_part(double part, double of)
{
    return of > 0 ? EZ_MIN(part / of, 1) : NAN;
}

/* Maps each process that calls MPI to its first thread that does. */
static void result_mains(const struct analysis *a, struct ez_hash *mains)
{
    for (size_t i = 0; i < a->thread.n; i++)
        if (a->thread.at[i].row.mpi)
            ez_hash_put(mains, a->thread.at[i].row.process, i);
}

/* Counts the processes, and those that call MPI. */
static void result_processes(struct analysis *a)
{
    struct ez_hash seen = { .n = 0 }, mains = { .n = 0 };
    for (size_t i = 0; i < a->thread.n; i++)
        ez_hash_put(&seen, a->thread.at[i].row.process, 0);
    result_mains(a, &mains);
    a->pub.processes = seen.n;
    a->pub.mpi_processes = mains.n;
    ez_hash_free(&seen);
    ez_hash_free(&mains);
}

/* Counts the ranks of the jobs of which there is no thread. */
static void result_missing(struct analysis *a)
{
    struct ez_hash seen = { .n = 0 }, jobs = { .n = 0 };
    uint64_t ranks = 0;
    for (size_t i = 0; i < a->thread.n; i++) {
        const struct ez_container *c = &a->m->container.at[a->thread.at[i].row.process];
        uint64_t job = an_job(a, &a->thread.at[i]);
        size_t known = jobs.n;
        if (c->rank == EZ_NO_RANK || !c->ranks)
            continue;
        ez_hash_put(&jobs, job, 0);
        ranks += jobs.n > known ? c->ranks : 0;
        ez_hash_put(&seen, ez_hash_pair(job, c->rank), 0);
    }
    a->pub.missing = ranks > seen.n ? ranks - seen.n : 0;
    ez_hash_free(&seen);
    ez_hash_free(&jobs);
}

static void result_mpi(struct analysis *a, double span)
{
    struct ez_efficiency *e = &a->pub.eff;
    double n = (double)a->pub.mpi_processes, sum = 0, most = 0, ideal = 0, threads = 0, area = 0;
    double useful = 0;
    struct ez_hash mains = { .n = 0 };
    result_mains(a, &mains);
    for (size_t i = 0, k; i < a->thread.n; i++) {
        const struct an_thread *t = &a->thread.at[i];
        if (!ez_hash_get(&mains, t->row.process, &k))
            continue;
        const struct an_thread *main_thread = &a->thread.at[k];
        useful += (double)t->row.time[EZ_TIME_USEFUL];
        area += (double)main_thread->row.outside_ns;
        threads++;
        if (main_thread != t)
            continue;
        sum += (double)t->row.outside_ns;
        most = EZ_MAX(most, (double)t->row.outside_ns);
        ideal = EZ_MAX(ideal, (double)t->ideal_ns);
    }
    ez_hash_free(&mains);
    ideal = EZ_MIN(EZ_MAX(ideal, most), span);
    a->pub.ideal_ns = (uint64_t)ideal;
    e->mpi = result_part(sum, n * span);
    e->load_balance = result_part(sum / n, most);
    e->communication = result_part(most, span);
    e->serialisation = result_part(most, ideal);
    e->transfer = result_part(ideal, span);
    e->openmp = threads > n ? result_part(useful, area) : NAN;
    e->parallel = result_part(useful, threads * span);
}

static void result_threads_only(struct analysis *a, double span)
{
    struct ez_efficiency *e = &a->pub.eff;
    double n = (double)a->thread.n, sum = 0, most = 0;
    for (size_t i = 0; i < a->thread.n; i++) {
        double useful = (double)a->thread.at[i].row.time[EZ_TIME_USEFUL];
        sum += useful;
        most = EZ_MAX(most, useful);
    }
    e->mpi = e->communication = e->serialisation = e->transfer = e->openmp = NAN;
    e->parallel = result_part(sum, n * span);
    e->load_balance = result_part(sum / n, most);
}

static void result_efficiency(struct analysis *a)
{
    double span = (double)(a->pub.to_ns - a->pub.from_ns), useful = 0, preempted = 0;
    result_processes(a);
    result_missing(a);
    (a->pub.mpi_processes ? result_mpi : result_threads_only)(a, span);
    for (size_t i = 0; i < a->thread.n; i++) {
        useful += (double)a->thread.at[i].row.time[EZ_TIME_USEFUL];
        preempted += (double)a->thread.at[i].row.preempted_ns;
    }
    a->pub.eff.ran = useful > 0 ? 1 - EZ_MIN(preempted / useful, 1) : NAN;
}

/* ---- causes ------------------------------------------------------------------------------------------------ */

struct peers { /* time of a call path over the threads that are compared */
    uint64_t sum_ns, max_ns;
};
struct sets { /* the sets of threads that are compared */
    struct ez_hash index;
    EZ_VEC(size_t) threads; /* number of threads of each set */
};

/* Threads are compared with the MPI threads of all processes, if they are such, or else with the
 * threads of their process. Returns a number of the set of threads. */
static uint64_t result_peers(const struct analysis *a, uint32_t thread)
{
    const struct ez_thread_row *t = &a->thread.at[thread].row;
    return t->mpi ? UINT32_MAX : t->process;
}

static void result_sets(const struct analysis *a, struct sets *s)
{
    for (size_t i = 0; i < a->thread.n; i++) {
        size_t k = ez_hash_put(&s->index, result_peers(a, (uint32_t)i), s->threads.n);
        if (k == s->threads.n)
            EZ_PUSH(&s->threads, 0);
        EZ_ASSUME(s->threads.at);
        s->threads.at[k]++;
    }
}

static int result_more_ns(double x, double y)
{
    return x > y ? -1 : x < y;
}

static int result_order_victims(const void *x, const void *y)
{
    const struct an_charge *a = x, *b = y;
    return a->cell != b->cell ? (a->cell < b->cell ? -1 : 1) : result_more_ns(a->v.ns, b->v.ns);
}

static int result_order_causes(const void *x, const void *y)
{
    const struct ez_cause_row *a = x, *b = y;
    int c = result_more_ns(a->short_ns + a->long_ns, b->short_ns + b->long_ns);
    return c ? c : result_more_ns((double)a->own_ns, (double)b->own_ns);
}

static void result_victims(struct analysis *a)
{
    ez_sort(a->charge.at, a->charge.n, sizeof *a->charge.at, result_order_victims);
    a->victims = ez_realloc(NULL, EZ_MAX(a->charge.n, 1u) * sizeof *a->victims);
    for (size_t i = 0; i < a->charge.n; i++) {
        struct ez_cause_row *c = &a->pub.cause[a->charge.at[i].cell];
        a->victims[i] = a->charge.at[i].v;
        c->victim = c->victims++ ? c->victim : &a->victims[i];
    }
}

static void result_causes(struct analysis *a, const struct an_route *critical)
{
    struct ez_hash index = { .n = 0 };
    EZ_VEC(struct peers) peers = { NULL, 0, 0 };
    const struct peers none = { 0, 0 };
    struct sets sets = { .index = { .n = 0 } };
    result_sets(a, &sets);
    a->pub.causes = a->cell.n;
    a->pub.cause = ez_realloc(NULL, EZ_MAX(a->cell.n, 1u) * sizeof *a->pub.cause);
    for (uint32_t i = 0; i < a->cell.n; i++) {
        const struct an_cell *c = &a->cell.at[i];
        size_t k = ez_hash_put(&index, ez_hash_pair(result_peers(a, c->thread), c->path), peers.n);
        if (k == peers.n)
            EZ_PUSH(&peers, none);
        EZ_ASSUME(peers.at);
        peers.at[k].sum_ns += c->own_ns;
        peers.at[k].max_ns = EZ_MAX(peers.at[k].max_ns, c->own_ns);
    }
    for (uint32_t i = 0; i < a->cell.n; i++) {
        const struct an_cell *c = &a->cell.at[i];
        uint64_t set = result_peers(a, c->thread);
        const struct peers *p = &peers.at[ez_hash_put(&index, ez_hash_pair(set, c->path), 0)];
        a->pub.cause[i] =
            (struct ez_cause_row){ .path = c->path,
                                   .thread = c->thread,
                                   .own_ns = c->own_ns,
                                   .mean_ns = p->sum_ns /
                                              sets.threads.at[ez_hash_put(&sets.index, set, 0)],
                                   .max_ns = p->max_ns,
                                   .short_ns = c->short_ns,
                                   .long_ns = c->long_ns,
                                   .critical_ns = an_route_get(critical, i) };
    }
    result_victims(a);
    ez_sort(a->pub.cause, a->pub.causes, sizeof *a->pub.cause, result_order_causes);
    ez_hash_free(&index);
    EZ_VEC_FREE(&peers);
    ez_hash_free(&sets.index);
    EZ_VEC_FREE(&sets.threads);
}

/* ---- the tables ---------------------------------------------------------------------------------------------- */

static int result_order_waits(const void *x, const void *y)
{
    const struct ez_wait_row *a = x, *b = y;
    return result_more_ns((double)a->ns, (double)b->ns);
}

static int result_order_collectives(const void *x, const void *y)
{
    const struct ez_collective_row *a = x, *b = y;
    return result_more_ns((double)a->ns, (double)b->ns);
}

static void result_rows(struct analysis *a)
{
    a->pub.threads = a->thread.n;
    a->pub.thread = ez_realloc(NULL, EZ_MAX(a->thread.n, 1u) * sizeof *a->pub.thread);
    for (size_t i = 0; i < a->thread.n; i++) {
        struct ez_thread_row *r = &a->thread.at[i].row;
        uint64_t all = 0, span = a->pub.to_ns - a->pub.from_ns;
        for (int k = 0; k < EZ_TIMES; k++)
            all += r->time[k];
        r->absent_ns = span - EZ_MIN(all, span);
        a->pub.thread[i] = *r;
    }
    a->pub.area_ns = (a->pub.to_ns - a->pub.from_ns) * a->thread.n;
    ez_sort(a->wait.at, a->wait.n, sizeof *a->wait.at, result_order_waits);
    ez_sort(a->collective.at, a->collective.n, sizeof *a->collective.at, result_order_collectives);
    a->pub.wait = a->wait.at;
    a->pub.waits = a->wait.n;
    a->pub.collective = a->collective.at;
    a->pub.collectives = a->collective.n;
    a->pub.node = a->node.at;
    a->pub.nodes = a->node.n;
}

static bool result_modules(const struct analysis *a)
{
    for (size_t i = 0; i < a->m->name.n; i++) {
        enum ez_paradigm p = ez_paradigm_of(&a->m->name.at[i]);
        if (p == EZ_PARADIGM_MPI || p == EZ_PARADIGM_OPENMP || p == EZ_PARADIGM_PTHREAD)
            return true;
    }
    return false;
}

void ez_analysis_finish(struct ez_analysis *analysis)
{
    struct analysis *a = (struct analysis *)analysis;
    a->pub.unpaired += a->by_key.n; /* senders that have called MPI_Finalize */
    a->pub.modules = result_modules(a);
    if (!a->thread.n)
        return;
    a->pub.to_ns = result_last(a)->last_ns;
    an_queue_settle(a);
    result_finalize(a);
    result_efficiency(a);
    result_causes(a, result_last(a)->route);
    result_rows(a);
}

void an_result_free(struct analysis *a)
{
    free(a->pub.thread);
    free(a->pub.cause);
    free(a->victims);
}
