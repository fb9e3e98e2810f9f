/* SPDX-License-Identifier: GPL-3.0-or-later */
/* an_cause.c - judges waits: who caused them, and the route of the thread that waited
 * (analysis_priv.h).
 *
 * Tests: tests/unit/analysis/check_analysis.c */
#include "engine/analysis/analysis_priv.h"

/* ---- meetings ------------------------------------------------------------------------------------ */

static uint64_t cause_pair(uint32_t x, uint32_t y)
{
    return (uint64_t)EZ_MIN(x, y) << 32 | EZ_MAX(x, y);
}

/* One of two threads has waited for the other until `now`: from then on both could go on. */
static void cause_meet(struct analysis *a, uint32_t x, uint32_t y, uint64_t now)
{
    const struct an_meeting fresh = { .n = 0 };
    uint64_t key = cause_pair(x, y);
    size_t i = ez_hash_put(&a->meetings, key, a->meeting.n);
    if (i == a->meeting.n)
        EZ_PUSH(&a->meeting, fresh);
    struct an_meeting *m = &a->meeting.at[i];
    m->ns[m->n++ % 2] = now;
}

/* The last meeting of two threads before a wait. */
struct last {
    uint32_t q, p;        /* the thread that waits, and the late one */
    uint64_t from, until; /* of the wait */
    uint64_t q_ns, p_ns;  /* when the threads met; the beginning if they never did */
};

/* A meeting counts if it is before the wait for q, and before the end of the wait for p. */
static void cause_met(struct last *l, uint64_t q_ns, uint64_t p_ns)
{
    if (q_ns > l->from || p_ns > l->until || q_ns < l->q_ns)
        return;
    l->q_ns = q_ns;
    l->p_ns = p_ns;
}
static void cause_last_message(const struct analysis *a, struct last *l)
{
    size_t i;
    if (!ez_hash_get(&a->meetings, cause_pair(l->q, l->p), &i))
        return;
    const struct an_meeting *m = &a->meeting.at[i];
    for (size_t k = 0; k < EZ_MIN(m->n, 2u); k++)
        cause_met(l, m->ns[k], m->ns[k]);
}

static void cause_last_in_group(const struct analysis *a, uint64_t group, struct last *l)
{
    const struct an_group *g = &a->group.at[group];
    size_t q, p;
    if (!ez_hash_get(&g->member, l->q, &q) || !ez_hash_get(&g->member, l->p, &p))
        return;
    const struct an_member *mine = &g->members.at[q], *other = &g->members.at[p];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (mine->left_nth[i] == other->left_nth[k] && mine->left_nth[i] != UINT64_MAX)
                cause_met(l, mine->left[i], other->left[k]);
}

static void cause_last_meeting(const struct analysis *a, struct last *l)
{
    const struct an_thread *q = &a->thread.at[l->q];
    l->q_ns = l->p_ns = a->pub.from_ns;
    cause_last_message(a, l);
    for (unsigned i = 0; i < q->groups; i++)
        cause_last_in_group(a, q->group[i], l);
}

/* ---- shares of the causes -------------------------------------------------------------------------- */

static uint64_t cause_overlap(uint64_t from, uint64_t to, uint64_t low, uint64_t high)
{
    from = EZ_MAX(from, low);
    to = EZ_MIN(to, high);
    return to > from ? to - from : 0;
}

/* Adds ns in a path to the excess table: of the late thread, or of the waiting one. */
static void cause_spent(struct analysis *a, uint32_t path, uint8_t time, uint64_t ns, bool late)
{
    const struct an_excess none = { 0, 0, false };
    if (!ns)
        return;
    while (a->excess.n <= path)
        EZ_PUSH(&a->excess, none);
    struct an_excess *x = &a->excess.at[path];
    if (!x->late && !x->mine)
        EZ_PUSH(&a->touched, path);
    x->mpi = time == EZ_TIME_MPI;
    *(late ? &x->late : &x->mine) += ns;
}

/* Adds what a thread did in [low, high] to the excess table. Returns the time of its waits; of the
 * late thread, lists the waits, too. */
static uint64_t cause_profile(struct analysis *a, const struct an_thread *t, uint64_t low,
                              uint64_t high, bool late)
{
    uint64_t waited = 0;
    cause_spent(a, t->path, t->time, cause_overlap(t->last_ns, UINT64_MAX, low, high), late);
    for (size_t i = t->log.n; i-- > t->log_first && t->log.at[i].to > low;) {
        const struct an_segment *s = &t->log.at[i];
        uint64_t until = s->wait == EZ_NONE_IDX ? s->from : t->wait.at[s->wait].until;
        uint64_t ns = cause_overlap(s->from, until, low, high);
        cause_spent(a, s->path, s->time, cause_overlap(until, s->to, low, high), late);
        if (ns && late)
            EZ_PUSH(&a->inner, ((struct an_in){ s->wait, ns }));
        waited += ns;
    }
    return waited;
}

static void cause_put(struct an_wait *w, uint32_t cell, double part)
{
    unsigned least = 0;
    for (unsigned i = 0; i < w->n; i++) {
        if (w->share[i].cell == cell) {
            w->share[i].part += part;
            return;
        }
        least = w->share[i].part < w->share[least].part ? i : least;
    }
    if (w->n < AN_SHARES) {
        w->share[w->n++] = (struct an_share){ cell, part };
        return;
    }
    /* full: the smallest share goes to AN_MANY */
    if (cell == AN_MANY || part <= w->share[least].part || w->share[least].cell == AN_MANY) {
        for (unsigned i = 0; i < w->n && w->share[least].cell != AN_MANY; i++)
            least = w->share[i].cell == AN_MANY ? i : least;
        w->share[least].part += part;
        w->share[least].cell = AN_MANY;
        return;
    }
    double was = w->share[least].part;
    w->share[least] = (struct an_share){ cell, part };
    cause_put(w, AN_MANY, was);
}

/* A share that a cell got, at once or through another wait. */
static void cause_charge(struct analysis *a, const struct an_thread *q, uint32_t call,
                         uint32_t cell, double ns, bool directly)
{
    const struct an_charge fresh = { cell, { q->self, call, 0 } };
    if (cell == AN_MANY) {
        a->pub.unknown_ns += ns;
        return;
    }
    *(directly ? &a->cell.at[cell].short_ns : &a->cell.at[cell].long_ns) += ns;
    uint64_t key = ez_hash_pair((uint64_t)cell << 32 | q->self, (uint64_t)call + 1);
    size_t i = ez_hash_put(&a->charges, key, a->charge.n);
    if (i == a->charge.n)
        EZ_PUSH(&a->charge, fresh);
    a->charge.at[i].v.ns += ns;
}

/* Sums the excess of the late thread over all paths. Time in MPI calls counts only as far as the
 * thread spent more time in MPI altogether: one side's MPI_Recv is the other's MPI_Send. Returns the
 * factor for such paths. */
static double cause_excess(const struct analysis *a, double *excess)
{
    double mpi = 0, late = 0, mine = 0;
    *excess = 0;
    for (size_t i = 0; i < a->touched.n; i++) {
        const struct an_excess *x = &a->excess.at[a->touched.at[i]];
        *(x->mpi ? &mpi : excess) += (double)(x->late - EZ_MIN(x->late, x->mine));
        late += x->mpi ? (double)x->late : 0;
        mine += x->mpi ? (double)x->mine : 0;
    }
    double more = EZ_MIN(EZ_MAX(late - mine, 0), mpi);
    *excess += more;
    return mpi > 0 ? more / mpi : 0;
}

/* Finds the shares of the causes of a wait of q for p, and charges them. */
static void cause_shares(struct analysis *a, struct an_thread *q, struct an_thread *p,
                         uint64_t from, struct an_wait *w, enum an_rule rule, uint32_t call)
{
    struct last met = { q->self, p->self, from, w->until, from, from };
    uint64_t ns = w->until - from, mine = 0, waited;
    double excess = 0;
    if (rule == AN_EXCESS)
        cause_last_meeting(a, &met);
    a->inner.n = a->touched.n = 0;
    waited = cause_profile(a, p, met.p_ns, w->until, true);
    if (rule == AN_EXCESS)
        mine = cause_profile(a, q, met.q_ns, from, false);
    uint64_t all_waits = waited;
    waited -= EZ_MIN(waited, mine);
    double scale = cause_excess(a, &excess), total = excess + (double)waited;
    for (size_t i = 0; i < a->touched.n; i++) {
        struct an_excess *x = &a->excess.at[a->touched.at[i]];
        double part = (double)(x->late - EZ_MIN(x->late, x->mine)) * (x->mpi ? scale : 1) / total;
        if (x->late > x->mine && part > 0) {
            uint32_t cell = an_cell(a, a->touched.at[i], p->self);
            cause_put(w, cell, part);
            cause_charge(a, q, call, cell, part * (double)ns, true);
        }
        *x = (struct an_excess){ 0, 0, false };
    }
    for (size_t i = 0; waited && i < a->inner.n; i++) {
        const struct an_wait *in = &p->wait.at[a->inner.at[i].wait];
        double part = (double)waited / total * (double)a->inner.at[i].ns / (double)all_waits;
        for (unsigned k = 0; k < in->n; k++) {
            cause_put(w, in->share[k].cell, part * in->share[k].part);
            cause_charge(a, q, call, in->share[k].cell, part * in->share[k].part * (double)ns,
                         false);
        }
    }
    if (total <= 0) {
        cause_put(w, AN_MANY, 1);
        a->pub.unknown_ns += (double)ns;
    }
}

/* ---- routes ------------------------------------------------------------------------------------------ */

/* Adds the time of a segment, without its wait, inside [low, high] to a route; sign -1: removes
 * it. */
static void cause_add_segment(struct an_route **r, const struct an_thread *t,
                              const struct an_segment *s, uint64_t low, uint64_t high, int sign)
{
    uint64_t from = s->wait == EZ_NONE_IDX ? s->from : t->wait.at[s->wait].until;
    an_route_add(r, s->cell, sign * (int64_t)cause_overlap(from, s->to, low, high));
}

/* Returns the route of a thread at `then`. The caller unrefs it. */
static struct an_route *cause_route_at(struct analysis *a, struct an_thread *t, uint64_t then)
{
    const struct an_jump *j = NULL;
    for (unsigned i = 0; i < t->jumps; i++)
        if (t->jump[i].until > then && (!j || t->jump[i].until < j->until))
            j = &t->jump[i];
    struct an_route *r = an_route_ref(j ? j->old : t->route);
    uint64_t end = j ? j->at : t->last_ns;
    if (then > end)
        an_route_add(&r, an_cell(a, t->path, t->self), (int64_t)(then - end));
    for (size_t i = t->log.n; i-- > t->log_first && t->log.at[i].to > then;) {
        const struct an_segment *s = &t->log.at[i];
        if (j && s->from < j->until && s->to >= j->until) /* it was no wait in j->old */
            an_route_add(&r, s->cell, -(int64_t)cause_overlap(s->from, s->to, then, end));
        else
            cause_add_segment(&r, t, s, then, end, -1);
    }
    return r;
}

void an_created(struct analysis *a, struct an_thread *t, uint32_t by)
{
    if (t->last_ns < a->now || t->first_ns < t->last_ns || by == t->self)
        return;
    struct an_route *r = cause_route_at(a, an_at(a, by), a->now);
    an_route_unref(t->route);
    t->route = r;
}

/* The route of t at the end of a wait is that of the late thread. */
static void cause_jump(struct analysis *a, struct an_thread *t, struct an_thread *late,
                       uint64_t until)
{
    struct an_route *r = cause_route_at(a, late, until);
    for (size_t i = t->log.n; i-- > t->log_first && t->log.at[i].to > until;)
        cause_add_segment(&r, t, &t->log.at[i], until, UINT64_MAX, 1);
    struct an_jump *j = &t->jump[t->next_jump];
    if (t->jumps == AN_JUMPS)
        an_route_unref(j->old);
    else
        t->jumps++;
    *j = (struct an_jump){ until, t->last_ns, t->route };
    t->next_jump = (t->next_jump + 1) % AN_JUMPS;
    t->route = r;
}

/* ---- waits -------------------------------------------------------------------------------------------- */

void an_add_row(struct analysis *a, const struct ez_wait_row *w)
{
    const struct ez_wait_row fresh = { .kind = w->kind, .path = w->path, .thread = w->thread };
    uint64_t key = ez_hash_pair((uint64_t)w->path << 32 | w->thread, (uint64_t)w->kind);
    size_t i = ez_hash_put(&a->waits, key, a->wait.n);
    if (i == a->wait.n)
        EZ_PUSH(&a->wait, fresh);
    struct ez_wait_row *r = &a->wait.at[i];
    /* the parts of an operation's wait are one wait */
    r->count += !w->operation || r->operation != w->operation;
    r->operation = w->operation;
    r->ns += w->ns;
    if (w->ns > r->longest_ns) {
        r->longest_ns = w->ns;
        r->longest_start_ns = w->longest_start_ns;
        r->longest_cause = w->longest_cause;
    }
}

/* Counts a wait at the start of a segment. */
static void cause_count(struct analysis *a, const struct an_thread *t, enum ez_wait_kind kind,
                        const struct an_segment *s, const struct an_wait *w, uint32_t cause)
{
    const struct ez_wait_row row = { .kind = kind,
                                     .path = s->path,
                                     .thread = t->self,
                                     .ns = w->until - s->from,
                                     .longest_start_ns = s->from,
                                     .longest_cause = cause,
                                     .operation = t->op.open ? t->op.number : 0 };
    if (kind == EZ_WAIT_WRONG_ORDER)
        an_queue_pend(a, t->row.container, w->until, &row);
    else
        an_add_row(a, &row);
}

void an_wait(struct analysis *a, struct an_thread *t, uint64_t segment, enum ez_wait_kind kind,
             uint64_t until, uint32_t cause, enum an_rule rule, uint32_t call)
{
    struct an_segment *s = an_segment(t, segment);
    if (!s || s->wait != EZ_NONE_IDX || cause == t->self || until <= s->from)
        return;
    struct an_wait w = { .until = EZ_MIN(until, s->to) };
    uint64_t ns = w.until - s->from;
    t->row.time[s->time] -= ns;
    t->row.time[EZ_TIME_WAIT] += ns;
    a->cell.at[s->cell].own_ns -= ns;
    cause_count(a, t, kind, s, &w, cause);
    if (cause == EZ_NONE_IDX) {
        cause_put(&w, AN_MANY, 1);
        a->pub.unknown_ns += (double)ns;
    } else {
        cause_shares(a, t, an_at(a, cause), s->from, &w, rule, call);
    }
    uint32_t i = t->spare_wait.n ? t->spare_wait.at[--t->spare_wait.n] : (uint32_t)t->wait.n;
    if (i == t->wait.n)
        EZ_PUSH(&t->wait, w);
    t->wait.at[i] = w;
    s->wait = i;
    if (cause != EZ_NONE_IDX) {
        cause_jump(a, t, an_at(a, cause), w.until);
        cause_meet(a, t->self, cause, w.until);
    }
}
