/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats.c - a table of calls and times (stats.h).
 *
 * Two numbers identify a row: `who` (0, or a process or thread) and `what` (EZ_NONE_IDX, or a
 * library, a function, or a pair of name and subject). The total time of a row is the sum of the
 * times of its outermost frames. For functions, the model marks frames that are not outermost
 * (ez_item.recursive). For libraries and subjects, this file counts the open frames. If rows
 * distinguish none of these, only the outermost frame of the stack counts. */
#include "engine/trace/stats.h"

#include <string.h>

#include "engine/base/hash.h"

struct acc {
    /* who: container; what: index of a name; for a library, of the first name in the library */
    uint32_t who, what;
    struct ez_stat_row row;
};

struct pair {
    uint32_t name, subject;
};

struct ez_stats_priv {
    struct ez_stats pub; /* must be first */
    const struct ez_model *m;
    unsigned by;
    bool graph;
    char *kind;           /* kind of the subjects; NULL if rows do not distinguish them */
    struct ez_hash pairs; /* name << 32 | subject -> pair */
    EZ_VEC(struct pair) pair;
    struct ez_hash rows;   /* who << 32 | what -> index in `acc` */
    struct ez_hash inside; /* container << 32 | library -> number of open frames */
    uint64_t last_key;
    uint32_t last_row; /* cache: row of the last look-up, or EZ_NONE_IDX */
    EZ_VEC(struct acc) acc;
    EZ_VEC(uint32_t) what;    /* `what` of the rows with a name; index: name */
    struct ez_hash libraries; /* hash of a library's name -> `what` */
    struct ez_hash edges;     /* caller << 32 | callee, as indexes in `acc` -> edge */
    struct ez_hash along;     /* container << 32 | edge -> number of open calls of this edge */
    EZ_VEC(struct ez_stat_edge) edge;
    EZ_VEC(struct ez_stat_row) table;
    EZ_VEC(struct ez_stat_edge) out;
};

struct ez_stats *ez_stats_create(const struct ez_model *m, unsigned by, bool graph)
{
    struct ez_stats_priv *s = ez_alloc(sizeof *s);
    s->m = m;
    s->by = by ? by : EZ_BY_FUNCTION;
    s->graph = graph;
    return &s->pub;
}

void ez_stats_free(struct ez_stats *stats)
{
    struct ez_stats_priv *s = (struct ez_stats_priv *)stats;
    if (!s)
        return;
    for (size_t i = 0; i < s->acc.n; i++)
        ez_hist_free(&s->acc.at[i].row.times);
    free(s->kind);
    ez_hash_free(&s->pairs);
    EZ_VEC_FREE(&s->pair);
    ez_hash_free(&s->rows);
    ez_hash_free(&s->inside);
    EZ_VEC_FREE(&s->acc);
    EZ_VEC_FREE(&s->what);
    EZ_VEC_FREE(&s->edge);
    EZ_VEC_FREE(&s->table);
    EZ_VEC_FREE(&s->out);
    ez_hash_free(&s->libraries);
    ez_hash_free(&s->edges);
    ez_hash_free(&s->along);
    free(s);
}

void ez_stats_subjects(struct ez_stats *stats, const char *kind)
{
    ((struct ez_stats_priv *)stats)->kind = ez_strdup(kind);
}

/* ---- rows ------------------------------------------------------------------------------ */

static uint32_t stats_library_what(struct ez_stats_priv *s, uint32_t name)
{
    const char *group = s->m->name.at[name].group;
    uint64_t h = ez_hash_key(EZ_HASH_SEED, group);
    for (;; h++) {
        uint32_t first = (uint32_t)ez_hash_put(&s->libraries, h, name);
        if (!strcmp(s->m->name.at[first].group, group))
            return first;
    }
}

static uint32_t stats_what_of(struct ez_stats_priv *s, uint32_t name)
{
    while (s->what.n <= name) {
        uint32_t i = (uint32_t)s->what.n;
        uint32_t what = EZ_NONE_IDX;
        if (s->by & EZ_BY_FUNCTION || s->m->name.at[i].pause)
            what = i;
        else if (s->by & EZ_BY_LIBRARY)
            what = stats_library_what(s, i);
        EZ_PUSH(&s->what, what);
    }
    return s->what.at[name];
}

static bool stats_is_subject(const struct ez_stats_priv *s, uint32_t subject)
{
    return subject != EZ_NONE_IDX && !strcmp(s->m->subject.at[subject].kind, s->kind);
}

static uint32_t stats_pair_of(struct ez_stats_priv *s, uint32_t name, uint32_t subject)
{
    size_t i = ez_hash_put(&s->pairs, (uint64_t)name << 32 | subject, s->pair.n);
    struct pair p = { name, subject };
    if (i == s->pair.n)
        EZ_PUSH(&s->pair, p);
    return (uint32_t)i;
}

/* Returns true if the name is that of a pause, and rows do not distinguish subjects. A pause
 * belongs to no function or library, so a pause always has a row of its own. */
static bool stats_is_pause(const struct ez_stats_priv *s, uint32_t name)
{
    return !s->kind && name < s->m->name.n && s->m->name.at[name].pause;
}

static uint32_t stats_who_of(const struct ez_stats_priv *s, uint32_t container)
{
    if (s->by & EZ_BY_THREAD)
        return container;
    if (!(s->by & EZ_BY_PROCESS))
        return 0;
    const struct ez_container *c = &s->m->container.at[container];
    return c->level == EZ_L_THREAD ? c->parent : container;
}

static uint32_t stats_row_of(struct ez_stats_priv *s, uint32_t who, uint32_t what)
{
    size_t i = ez_hash_put(&s->rows, (uint64_t)who << 32 | what, s->acc.n);
    if (i == s->acc.n) {
        struct acc a = { .who = who, .what = what };
        EZ_PUSH(&s->acc, a);
    }
    return (uint32_t)i;
}

/* ---- items ------------------------------------------------------------------------------ */

static size_t stats_edge_of(struct ez_stats_priv *s, const struct ez_item *it, uint32_t callee)
{
    uint32_t caller = EZ_NONE_IDX;
    if (it->depth)
        caller = stats_row_of(
            s, stats_who_of(s, it->container),
            stats_what_of(s, ez_model_frame(s->m, it->container, it->depth - 1)->name));
    uint64_t key = (uint64_t)caller << 32 | callee;
    size_t i = ez_hash_put(&s->edges, key, s->edge.n);
    if (i == s->edge.n) {
        struct ez_stat_edge e = { .caller = caller, .callee = callee };
        EZ_PUSH(&s->edge, e);
    }
    return i;
}

/* Counts an open call of an edge (from its caller to its callee). If calls of the same edge are
 * inside each other (recursion), only the time of the outermost of them counts. */
static void stats_enter_edge(struct ez_stats_priv *s, const struct ez_item *it, uint32_t callee)
{
    uint64_t key = (uint64_t)it->container << 32 | stats_edge_of(s, it, callee);
    size_t n = 0;
    ez_hash_remove(&s->along, key, &n);
    ez_hash_put(&s->along, key, n + 1);
}

static void stats_leave_edge(struct ez_stats_priv *s, const struct ez_item *it, uint32_t callee)
{
    size_t i = stats_edge_of(s, it, callee), n = 0;
    uint64_t key = (uint64_t)it->container << 32 | i;
    if (!it->late) {
        ez_hash_remove(&s->along, key, &n);
        n -= n > 0;
        if (n)
            ez_hash_put(&s->along, key, n);
    }
    s->edge.at[i].calls++;
    s->edge.at[i].total_ns += n ? 0 : it->spent_ns;
}

/* Returns true if the frame of the item is the outermost frame of its row in its thread. Counts the
 * open frames of the row: a PUSH adds its frame, a POP removes its frame before the check. */
static bool stats_outermost(struct ez_stats_priv *s, const struct ez_item *it, uint32_t what)
{
    uint64_t key = (uint64_t)it->container << 32 | what;
    size_t n = 0;
    if (it->kind == EZ_I_POP && it->late)
        return !it->recursive;
    if (!s->kind && (s->by & EZ_BY_FUNCTION || stats_is_pause(s, what)))
        return !it->recursive;
    if (!s->kind && !(s->by & EZ_BY_LIBRARY))
        return !it->depth;
    ez_hash_remove(&s->inside, key, &n);
    n -= it->kind == EZ_I_POP;
    if (n || it->kind == EZ_I_PUSH)
        ez_hash_put(&s->inside, key, n + (it->kind == EZ_I_PUSH));
    return !n;
}

static void stats_leave(struct ez_stats_priv *s, const struct ez_item *it, uint32_t what,
                        uint32_t row)
{
    struct ez_stat_row *r = &s->acc.at[row].row;
    uint64_t took = s->kind ? it->about_ns : it->spent_ns;
    if (it->cut || it->end == EZ_END_UNKNOWN) /* the duration of the call is unknown */
        r->cut++;
    else
        ez_hist_add(&r->times, took);
    r->unwound += it->end == EZ_END_UNWOUND;
    r->self_ns += EZ_MIN(it->self_ns, took);
    if (stats_outermost(s, it, what))
        r->total_ns += took;
    if (s->graph)
        stats_leave_edge(s, it, row);
}

/* Adds a pause to the row of the call in which the thread paused. */
static void stats_add_pause(struct ez_stats_priv *s, const struct ez_item *it)
{
    if (s->m->name.at[it->name].pause != EZ_P_WITHIN || !it->depth)
        return;
    const struct ez_call_frame *f = ez_model_frame(s->m, it->container, it->depth - 1);
    uint32_t row = stats_row_of(s, stats_who_of(s, it->container), stats_what_of(s, f->name));
    s->acc.at[row].row.paused_ns += it->spent_ns;
}

ez_err *ez_stats_item(void *stats, const struct ez_item *it)
{
    struct ez_stats_priv *s = stats;
    if (it->kind != EZ_I_PUSH && it->kind != EZ_I_POP && it->kind != EZ_I_EVENT)
        return NULL;
    if (s->kind && !stats_is_subject(s, it->subject))
        return NULL;
    uint32_t what = s->kind ? stats_pair_of(s, it->name, it->subject) : stats_what_of(s, it->name);
    uint32_t row = stats_row_of(s, stats_who_of(s, it->container), what);
    s->acc.at[row].row.calls += it->kind != EZ_I_POP || it->late;
    if (it->kind == EZ_I_POP) {
        stats_leave(s, it, what, row);
        if (!s->kind)
            stats_add_pause(s, it);
        return NULL;
    }
    if (it->kind == EZ_I_PUSH)
        stats_outermost(s, it, what);
    if (it->kind == EZ_I_PUSH && s->graph)
        stats_enter_edge(s, it, row);
    return NULL;
}

void ez_stats_count(void *stats, uint32_t process, uint32_t name, uint64_t calls)
{
    struct ez_stats_priv *s = stats;
    if (s->kind || s->by & EZ_BY_THREAD || (s->by & EZ_BY_PROCESS && process == EZ_NONE_IDX))
        return;
    uint32_t row = stats_row_of(s, s->by & EZ_BY_PROCESS ? process : 0, stats_what_of(s, name));
    /* an index, because stats_row_of() may move s->acc */
    s->acc.at[row].row.calls += calls;
}

/* ---- the table ---------------------------------------------------------------------------- */

/* Compares rows by their names. Of rows with equal function and library, the one with the smaller
 * rank comes first. */
static int stats_by_name(const struct ez_stat_row *a, const struct ez_stat_row *b)
{
    if (a->rank != b->rank && !strcmp(a->function, b->function) && !strcmp(a->library, b->library))
        return a->rank < b->rank ? -1 : 1;
    const char *const x[] = { a->function,
                              a->library,
                              a->process,
                              a->thread,
                              a->pause ? a->pause : "",
                              a->subject ? a->subject : "" };
    const char *const y[] = { b->function,
                              b->library,
                              b->process,
                              b->thread,
                              b->pause ? b->pause : "",
                              b->subject ? b->subject : "" };
    int c = 0;
    for (size_t i = 0; i < EZ_ARRAY_LEN(x) && !c; i++)
        c = strcmp(x[i], y[i]);
    return c;
}

static double stats_weight(const struct ez_stat_row *r, enum ez_stats_sort sort)
{
    const struct ez_hist *h = &r->times;
    switch (sort) {
    case EZ_SORT_TOTAL:
        return (double)r->total_ns;
    case EZ_SORT_SELF:
        return (double)r->self_ns;
    case EZ_SORT_CALLS:
        return (double)r->calls;
    case EZ_SORT_MEAN:
        return h->total ? (double)h->sum / (double)h->total : 0;
    case EZ_SORT_MIN:
        return (double)h->min;
    case EZ_SORT_MAX:
        return (double)h->max;
    case EZ_SORT_P50:
        return (double)ez_hist_quantile(h, .5);
    case EZ_SORT_P90:
        return (double)ez_hist_quantile(h, .9);
    case EZ_SORT_P99:
        return (double)ez_hist_quantile(h, .99);
    case EZ_SORT_NAME:
        break;
    }
    return 0;
}

struct sorted { /* a row, its sort key, and its index in ez_stats_priv.acc */
    const struct ez_stat_row *row;
    double weight;
    uint32_t acc;
};

/* Compares rows by falling sort key, then by falling number of calls, then by name. Pauses come
 * after calls. */
static int stats_compare(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    if (!x->row->pause != !y->row->pause)
        return x->row->pause ? 1 : -1;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    if (x->row->calls != y->row->calls && x->weight != 0)
        return x->row->calls < y->row->calls ? 1 : -1;
    return stats_by_name(x->row, y->row);
}

static int stats_by_edge(const void *a, const void *b)
{
    const struct ez_stat_edge *x = a, *y = b;
    if (x->total_ns != y->total_ns)
        return x->total_ns < y->total_ns ? 1 : -1;
    if (x->caller != y->caller)
        return x->caller < y->caller ? -1 : 1;
    return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static void stats_name_subject(const struct ez_stats_priv *s, struct acc *a)
{
    a->row.only_in = "";
    if (!s->kind)
        return;
    const struct ez_subject *about = &s->m->subject.at[s->pair.at[a->what].subject];
    a->row.subject = about->text;
    if (about->process)
        a->row.only_in = s->m->container.at[about->process].name;
}

static void stats_name_row(const struct ez_stats_priv *s, struct acc *a)
{
    const struct ez_container *c = &s->m->container.at[a->who];
    uint32_t name = s->kind ? s->pair.at[a->what].name : a->what;
    const struct ez_name *n = name == EZ_NONE_IDX ? NULL : &s->m->name.at[name];
    bool thread = s->by & EZ_BY_THREAD, process = s->by & EZ_BY_PROCESS;
    const bool pause = n && stats_is_pause(s, a->what);
    a->row.pause = pause ? n->text : NULL;
    a->row.ours = pause && n->pause == EZ_P_OURS;
    stats_name_subject(s, a);
    a->row.function = n && s->by & EZ_BY_FUNCTION ? n->text : "";
    a->row.library = n ? n->group : "";
    a->row.thread = thread ? c->name : "";
    const struct ez_container *p = thread || process ? ez_model_process(s->m, a->who) : NULL;
    a->row.process = !process ? "" : p ? p->name : c->name;
    a->row.host = p && p->host ? p->host : "";
    a->row.job = p && p->job ? p->job : "";
    a->row.rank = p ? p->rank : EZ_NO_RANK;
}

static void stats_make_edges(struct ez_stats_priv *s, const uint32_t *place)
{
    s->out.n = 0;
    for (size_t i = 0; i < s->edge.n; i++) {
        struct ez_stat_edge e = s->edge.at[i];
        e.caller = e.caller == EZ_NONE_IDX ? EZ_NONE_IDX : place[e.caller];
        e.callee = place[e.callee];
        EZ_PUSH(&s->out, e);
    }
    if (s->out.n)
        qsort(s->out.at, s->out.n, sizeof *s->out.at, stats_by_edge);
    s->pub.edge = s->out.at;
    s->pub.nedge = s->out.n;
}

void ez_stats_table(struct ez_stats *stats, enum ez_stats_sort sort)
{
    struct ez_stats_priv *s = (struct ez_stats_priv *)stats;
    size_t n = s->acc.n;
    EZ_FREE struct sorted *order = ez_alloc((n + 1) * sizeof *order);
    EZ_FREE uint32_t *place = ez_alloc((n + 1) * sizeof *place);
    for (uint32_t i = 0; i < n; i++) {
        struct acc *a = &s->acc.at[i];
        stats_name_row(s, a);
        order[i] = (struct sorted){ &a->row, stats_weight(&a->row, sort), i };
    }
    qsort(order, n, sizeof *order, stats_compare);
    s->table.n = 0;
    for (uint32_t i = 0; i < n; i++) {
        place[order[i].acc] = i;
        EZ_PUSH(&s->table, *order[i].row);
    }
    stats->row = s->table.at;
    stats->n = n;
    stats->run_ns = ez_model_run_ns(s->m, &stats->threads);
    stats_make_edges(s, place);
}
