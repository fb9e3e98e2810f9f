/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analyze_verdict.c - the result of `analyze` in sentences (analyze.h).
 * Tests: tests/trace/analyze.sh */
#include <math.h>
#include <string.h>

#include "cmds/trace/analyze.h"
#include "engine/base/hash.h"
#include "engine/base/strutil.h"
#include "engine/base/vec.h"
#include "shell/out.h"
#include "shell/sess.h"

enum {
    CAUSES = 2,           /* most causes that have a sentence */
    LEAST_COST = 1,       /* least cost of such a cause, in percent of the processor time */
    LEAST_VICTIM = 2,     /* least part of the cost of a thread that is named, in percent */
    LEAST_PREEMPTED = 10, /* least part of preempted time that is worth a warning, in percent */
    LEAST_LAG = 5,
    LEAST_UNKNOWN = 5, /* least part of unexplained waits that is worth a line, in percent */
    NAMED = 8,         /* most ranges of ranks, or threads, that are named */
};

/* what the thread on the critical path is, by the pause at the end of the path */
static const char *const verdict_paused[] = { [EZ_P_NONE] = "",
                                              [EZ_P_APART] = "losing events ",
                                              [EZ_P_WITHIN] = "preempted ",
                                              [EZ_P_OURS] = "waiting for the trace " };

static bool verdict_is(double part, double of, int percent)
{
    return of > 0 && part * 100 >= of * percent;
}

static const char *verdict_factor(const struct analyze *v, double factor)
{
    return isnan(factor) ? "-" : analyze_percent(v, factor, 1);
}

static void verdict_efficiency(const struct analyze *v)
{
    const struct ez_efficiency *e = &v->a->eff;
    const struct ez_analysis *a = v->a;
    const char *span = out_time(v->s, a->to_ns - a->from_ns);
    if (isnan(e->mpi)) {
        out_line(v->s, "%s of the processor time is useful (load balance %s); %zu thread%s, %s.",
                 verdict_factor(v, e->parallel), verdict_factor(v, e->load_balance), a->threads,
                 ez_plural(a->threads), span);
        return;
    }
    out_line(v->s,
             "%s of the processor time is useful (load balance %s, serialisation %s, transfer "
             "%s%s%s); %zu rank%s, %s.",
             verdict_factor(v, e->parallel), verdict_factor(v, e->load_balance),
             verdict_factor(v, e->serialisation), verdict_factor(v, e->transfer),
             isnan(e->openmp) ? "" : ", threads ",
             isnan(e->openmp) ? "" : verdict_factor(v, e->openmp), a->mpi_processes,
             ez_plural(a->mpi_processes), span);
}

/* ---- victims ------------------------------------------------------------------------------------ */

struct victims {
    EZ_VEC(uint32_t) thread; /* sorted by rank */
    uint32_t call;           /* name of the call in which most of the time is waited */
};

static int verdict_order(const void *x, const void *y, void *analyze)
{
    const struct analyze *v = analyze;
    uint32_t a = v->a->thread[*(const uint32_t *)x].container;
    uint32_t b = v->a->thread[*(const uint32_t *)y].container;
    uint64_t p = ez_model_place(v->m, a), q = ez_model_place(v->m, b);
    return p < q ? -1 : p > q;
}

/* Sums what each thread, or each call, of the victims waits. */
struct sums {
    struct ez_hash index; /* thread or call -> index in ns */
    EZ_VEC(double) ns;
};

static double *verdict_sum(struct sums *s, uint32_t key)
{
    size_t i = ez_hash_put(&s->index, key, s->ns.n);
    if (i == s->ns.n)
        EZ_PUSH(&s->ns, 0);
    EZ_ASSUME(s->ns.at);
    return &s->ns.at[i];
}

static void verdict_free_sums(struct sums *s)
{
    ez_hash_free(&s->index);
    EZ_VEC_FREE(&s->ns);
}

/* Finds the threads that wait for a cause, and in which call they do most. */
static void verdict_find_victims(const struct analyze *v, const struct ez_cause_row *c,
                                 struct victims *of)
{
    struct sums thread = { .index = { .n = 0 } }, call = { .index = { .n = 0 } };
    double most = 0, least;
    for (size_t i = 0; i < c->victims; i++) {
        const struct ez_victim *w = &c->victim[i];
        double in_call = *verdict_sum(&call, w->call) += w->ns;
        *verdict_sum(&thread, w->thread) += w->ns;
        if (in_call > most) {
            most = in_call;
            of->call = w->call;
        }
    }
    /* of many threads that wait alike, each has a small part of the cost */
    least = EZ_MIN(LEAST_VICTIM / 100., 0.25 / (double)EZ_MAX(thread.ns.n, 1u));
    for (size_t i = 0; i < c->victims; i++) {
        const struct ez_victim *w = &c->victim[i];
        double *ns = verdict_sum(&thread, w->thread);
        if (w->thread != c->thread && *ns > 0 && *ns >= least * (c->short_ns + c->long_ns))
            EZ_PUSH(&of->thread, w->thread);
        *ns = 0; /* a thread that waits in several calls is one victim */
    }
    verdict_free_sums(&thread);
    verdict_free_sums(&call);
    if (of->thread.n)
        qsort_r(of->thread.at, of->thread.n, sizeof *of->thread.at, verdict_order, (void *)v);
}

static int64_t verdict_rank(const struct analyze *v, uint32_t thread)
{
    const struct ez_thread_row *t = &v->a->thread[thread];
    uint32_t rank = v->m->container.at[t->process].rank;
    return t->mpi && rank != EZ_NO_RANK ? (int64_t)rank : -1;
}

/* Returns "Ranks 0-2,5 wait", or "Rank 1 waits", or the names of threads. At most NAMED ranges or
 * threads are named. */
static const char *verdict_who(const struct analyze *v, const struct victims *of)
{
    EZ_FREE char *list = ez_strdup("");
    size_t n = of->thread.n, named = 0, i = 0;
    bool ranks = true;
    for (size_t k = 0; k < n; k++)
        ranks &= verdict_rank(v, of->thread.at[k]) >= 0;
    for (size_t k; i < n && named < NAMED; i = k, named++) {
        EZ_FREE char *before = list;
        const char *comma = *before ? (ranks ? "," : ", ") : "";
        for (k = i + 1;
             ranks && k < n &&
             verdict_rank(v, of->thread.at[k]) == verdict_rank(v, of->thread.at[k - 1]) + 1;)
            k++;
        if (!ranks)
            list = ez_sprintf("%s%s%s", before, comma, analyze_thread(v, of->thread.at[i]));
        else if (k - i > 1)
            list = ez_sprintf("%s%s%lld-%lld", before, comma,
                              (long long)verdict_rank(v, of->thread.at[i]),
                              (long long)verdict_rank(v, of->thread.at[k - 1]));
        else
            list =
                ez_sprintf("%s%s%lld", before, comma, (long long)verdict_rank(v, of->thread.at[i]));
    }
    return sess_format(v->s, "%s%s %s%s %s", ranks ? "Rank" : "Thread", ez_plural(n), list,
                       i < n ? sess_format(v->s, " and %zu more", n - i) : "",
                       n == 1 ? "waits" : "wait");
}

/* ---- causes ------------------------------------------------------------------------------------- */

/* Returns the thread as the begin of a sentence: "Rank 3", "Thread app 4243". */
static const char *verdict_name(const struct analyze *v, uint32_t thread)
{
    int64_t rank = verdict_rank(v, thread);
    return rank >= 0 ? sess_format(v->s, "Rank %lld", (long long)rank)
                     : sess_format(v->s, "Thread %s", analyze_thread(v, thread));
}

/* Returns the pause at the end of a path, EZ_P_NONE if there is none. */
static enum ez_pause_kind verdict_pause(const struct analyze *v, uint32_t path)
{
    uint32_t name = v->a->node[path].name;
    return name == EZ_NONE_IDX ? EZ_P_NONE : v->m->name.at[name].pause;
}
/* Returns the function at the end of a path, without a pause. */
static const char *verdict_function(const struct analyze *v, uint32_t path)
{
    return analyze_function(v, verdict_pause(v, path) ? v->a->node[path].parent : path);
}
/* Returns what a thread does in a path: "spends 3 ms". */
static const char *verdict_does(const struct analyze *v, const struct ez_cause_row *c)
{
    const char *ns = out_time(v->s, c->own_ns);
    switch (verdict_pause(v, c->path)) {
    case EZ_P_OURS:
        return sess_format(v->s, "waits %s for room in the trace", ns);
    case EZ_P_APART:
        return sess_format(v->s, "loses the events of %s", ns);
    case EZ_P_WITHIN:
        return sess_format(v->s, "is preempted for %s", ns);
    case EZ_P_NONE:
        break;
    }
    return sess_format(v->s, "spends %s", ns);
}

/* Warns if the thread was kept from running in its useful time. */
static void verdict_beware(const struct analyze *v, uint32_t thread)
{
    const struct ez_thread_row *t = &v->a->thread[thread];
    double useful = (double)t->time[EZ_TIME_USEFUL];
    const char *who = verdict_name(v, thread);
    if (verdict_is((double)t->preempted_ns, useful, LEAST_PREEMPTED))
        out_line(v->s,
                 "  %s was preempted for %s of its useful time: there are more runnable threads "
                 "than processors.",
                 who, analyze_percent(v, (double)t->preempted_ns, useful));
    else if (verdict_is((double)t->slept_ns, useful, LEAST_PREEMPTED))
        out_line(v->s, "  %s slept for %s of its useful time (sleep, I/O, a lock).", who,
                 analyze_percent(v, (double)t->slept_ns, useful));
}

/* Returns the threads that are compared with a thread that calls MPI, or does not. */
static const char *verdict_peers(const struct analyze *v, bool mpi)
{
    if (mpi)
        return "ranks";
    return v->a->mpi_processes   ? "threads without MPI of its process"
           : v->a->processes > 1 ? "threads of its process"
                                 : "threads";
}

/* again: the thread had a sentence already */
static void verdict_cause(const struct analyze *v, const struct ez_cause_row *c, bool again)
{
    struct victims of = { .call = EZ_NONE_IDX };
    double cost = c->short_ns + c->long_ns;
    bool ranks = v->a->thread[c->thread].mpi;
    verdict_find_victims(v, c, &of);
    out_line(v->s, "%s %s in %s; the mean of all %s is %s.", verdict_name(v, c->thread),
             verdict_does(v, c), verdict_function(v, c->path), verdict_peers(v, ranks),
             out_time(v->s, c->mean_ns));
    if (of.thread.n) {
        const char *call = of.call == EZ_NONE_IDX
                               ? ""
                               : sess_format(v->s, ", mostly in %s", v->m->name.at[of.call].text);
        const char *through =
            verdict_is(c->long_ns, cost, 5)
                ? sess_format(v->s, ", %s of it through other %s",
                              analyze_percent(v, c->long_ns, cost), ranks ? "ranks" : "threads")
                : "";
        out_line(v->s, "  %s for it%s: %s of the processor time%s.", verdict_who(v, &of), call,
                 analyze_percent(v, cost, (double)v->a->area_ns), through);
    }
    if (!again)
        verdict_beware(v, c->thread);
    EZ_VEC_FREE(&of.thread);
}

static void verdict_lag(const struct analyze *v)
{
    double lag = 0;
    for (size_t i = 0; i < v->a->threads; i++)
        lag += (double)v->a->thread[i].mpi_preempted_ns;
    if (verdict_is(lag, (double)v->a->area_ns, LEAST_LAG))
        out_line(v->s,
                 "For %s of the processor time a rank was preempted in MPI although it had nothing "
                 "to wait for: there are more runnable threads than processors.",
                 analyze_percent(v, lag, (double)v->a->area_ns));
}

/* Warns if recording itself takes much time. */
static void verdict_trace(const struct analyze *v)
{
    double ours = 0;
    for (size_t i = 0; i < v->a->threads; i++)
        ours += (double)v->a->thread[i].time[EZ_TIME_OURS];
    if (verdict_is(ours, (double)v->a->area_ns, LEAST_LAG))
        out_line(v->s,
                 "For %s of the processor time the threads wait for room in the trace, or their "
                 "events are lost: trust the rest only after a run with fewer events.",
                 analyze_percent(v, ours, (double)v->a->area_ns));
}

static void verdict_critical(const struct analyze *v)
{
    const struct ez_efficiency *e = &v->a->eff;
    const struct ez_cause_row *most = NULL;
    /* the useful time of the busiest thread, as a part of the run */
    double most_useful = e->parallel / e->load_balance;
    double gain =
        (1 - e->load_balance) * (isnan(e->communication) ? most_useful : e->communication);
    for (size_t i = 0; i < v->a->causes; i++)
        if (!most || v->a->cause[i].critical_ns > most->critical_ns)
            most = &v->a->cause[i];
    if (!most || most->critical_ns <= 0)
        return;
    out_line(
        v->s, "Critical path: %s of the run is %s %sin %s.%s",
        analyze_percent(v, (double)most->critical_ns, (double)(v->a->to_ns - v->a->from_ns)),
        analyze_thread(v, most->thread), verdict_paused[verdict_pause(v, most->path)],
        verdict_function(v, most->path),
        gain < 0.01 || isnan(gain)
            ? ""
            : sess_format(v->s, " If all %s had the mean, the run would be %s shorter at most.",
                          v->a->mpi_processes ? "ranks" : "threads", analyze_percent(v, gain, 1)));
}

/* If no call path is worth a sentence, says how much is waited nevertheless. */
static void verdict_waits(const struct analyze *v, size_t told)
{
    double of = (double)v->a->area_ns, waits = 0;
    for (size_t i = 0; i < v->a->waits; i++)
        waits += (double)v->a->wait[i].ns;
    if (verdict_is(v->a->unknown_ns, of, LEAST_UNKNOWN))
        out_line(v->s, "%s of the processor time is waits whose cause is not known.",
                 analyze_percent(v, v->a->unknown_ns, of));
    else if (!told && verdict_is(waits, of, LEAST_UNKNOWN))
        out_line(v->s,
                 "%s of the processor time is waits, but no call path of a thread causes %d %%.",
                 analyze_percent(v, waits, of), LEAST_COST);
}

static bool verdict_filtered(const struct analyze *v)
{
    static const char *const by[] = { "-function", "-not", "-library", "-caller", "-callee",
                                      "-depth",    "-min", "-max",     "-where" };
    for (size_t i = 0; i < EZ_ARRAY_LEN(by); i++)
        if (opt_given(v->s, by[i]))
            return true;
    return false;
}

static void verdict_doubts(const struct analyze *v)
{
    const struct ez_analysis *a = v->a;
    if (a->missing)
        out_line(v->s,
                 "%llu rank%s of the job %s missing: waits for %s are missing, too, or charged to "
                 "other ranks.",
                 (unsigned long long)a->missing, ez_plural(a->missing),
                 a->missing == 1 ? "is" : "are", a->missing == 1 ? "it" : "them");
    if (a->lost)
        out_line(v->s, "Events are missing in the trace, so waits may be missing, too.");
    if (a->backwards)
        out_line(v->s,
                 "%llu message%s received before the send, by up to %s: the clocks of the hosts "
                 "differ by at least that.",
                 (unsigned long long)a->backwards, a->backwards == 1 ? " was" : "s were",
                 out_time(v->s, a->backwards_ns));
    if (a->unpaired)
        out_line(v->s, "%llu message%s no receive in the trace.", (unsigned long long)a->unpaired,
                 a->unpaired == 1 ? " has" : "s have");
}

void analyze_verdict(const struct analyze *v)
{
    const struct ez_analysis *a = v->a;
    size_t told = 0;
    verdict_efficiency(v);
    for (size_t i = 0; i < a->causes && told < CAUSES; i++, told++) {
        const struct ez_cause_row *c = &a->cause[i];
        if (!verdict_is(c->short_ns + c->long_ns, (double)a->area_ns, LEAST_COST))
            break;
        verdict_cause(v, c, told && a->cause[0].thread == c->thread);
    }
    verdict_waits(v, told);
    verdict_lag(v);
    verdict_trace(v);
    verdict_critical(v);
    if (verdict_filtered(v))
        out_line(v->s,
                 "A filter leaves out calls, and with them waits. Without it the result differs.");
    else if (!a->modules)
        out_line(
            v->s,
            "The trace has no event of module mpi, openmp or pthread, so no wait can be found.");
    else if (!told && a->eff.parallel > 0.9)
        out_line(v->s, "No thread waits long for another: there is nothing to balance.");
    verdict_doubts(v);
}
