/* SPDX-License-Identifier: GPL-3.0-or-later */
/* locks.c - contention of locks (locks.h).
 *
 * Each lock has a list of its current holders and a list of the threads that wait for it. When a
 * list changes, the time since the last change is added to the holders. The time of a pair of a
 * waiting thread and a holder is added when the wait or the hold ends. */
#include "engine/trace/locks.h"

#include <string.h>

#include "engine/base/hash.h"

/* begin of the names of waiting states; the rest of the name is the kind of the lock */
#define WAIT_BEGINS "Blocked on a "

struct hold { /* a lock that a thread holds */
    uint32_t container;
    uint32_t holder; /* index in locks.holder */
    bool again;      /* the thread had the lock already */
    uint64_t start_ns;
};

struct wait { /* wait of a thread */
    uint32_t container;
    uint64_t number; /* different for each wait */
    uint64_t start_ns;
    uint64_t nobody_ns; /* state.nobody_ns at start_ns */
};

struct state { /* state of a lock */
    EZ_VEC(struct hold) hold;
    EZ_VEC(struct wait) wait;
    uint64_t since;     /* time of the last change, in ns */
    uint64_t nobody_ns; /* sum of the times in which threads waited and no thread held the lock */
    EZ_VEC(uint32_t) kind; /* names of the states in which threads waited */
};

struct holder {
    struct ez_lock_holder pub;
    uint32_t lock;
};

struct pair {
    struct ez_lock_pair pub;
    uint32_t lock;
    /* wait: number of the newest wait; wait_ns: time of this wait with this holder */
    uint64_t wait, wait_ns;
};

struct locks {
    struct ez_locks pub; /* must be first */
    const struct ez_model *m;
    bool with_pairs;
    EZ_VEC(uint8_t) is_held;   /* index: name; 0 = not known yet, 1 = no, 2 = EZ_LOCK_HELD */
    struct ez_hash by_subject; /* process << 32 | subject -> index in `lock` */
    struct ez_hash who;        /* container << 32 | function -> number */
    struct ez_hash holders;    /* lock << 32 | number -> index in `holder` */
    struct ez_hash couples;    /* waiter << 32 | holder -> number */
    struct ez_hash pairs;      /* lock << 32 | number -> index in `pair` */
    uint64_t waits;            /* number of waits that have begun */
    EZ_VEC(struct ez_lock) lock;
    EZ_VEC(struct state) state; /* state of each lock; index: as `lock` */
    EZ_VEC(struct holder) holder;
    EZ_VEC(struct ez_lock_holder) table; /* all holders; the holders of one lock are adjacent */
    EZ_VEC(struct pair) pair;
    EZ_VEC(struct ez_lock_pair) pair_table; /* all pairs; the pairs of one lock are adjacent */
};

struct ez_locks *ez_locks_create(const struct ez_model *m, bool with_pairs)
{
    struct locks *l = ez_alloc(sizeof *l);
    l->m = m;
    l->with_pairs = with_pairs;
    return &l->pub;
}

void ez_locks_free(struct ez_locks *locks)
{
    struct locks *l = (struct locks *)locks;
    if (!l)
        return;
    for (size_t i = 0; i < l->lock.n; i++) {
        free((char *)l->lock.at[i].kind);
        EZ_VEC_FREE(&l->state.at[i].hold);
        EZ_VEC_FREE(&l->state.at[i].wait);
        EZ_VEC_FREE(&l->state.at[i].kind);
    }
    EZ_VEC_FREE(&l->is_held);
    ez_hash_free(&l->by_subject);
    ez_hash_free(&l->who);
    ez_hash_free(&l->holders);
    ez_hash_free(&l->couples);
    ez_hash_free(&l->pairs);
    EZ_VEC_FREE(&l->lock);
    EZ_VEC_FREE(&l->state);
    EZ_VEC_FREE(&l->holder);
    EZ_VEC_FREE(&l->table);
    EZ_VEC_FREE(&l->pair);
    EZ_VEC_FREE(&l->pair_table);
    free(l);
}

/* ---- look-up ---------------------------------------------------------------------------- */

bool ez_lock_is(const struct ez_model *m, uint32_t subject)
{
    return subject != EZ_NONE_IDX && !strcmp(m->subject.at[subject].kind, EZ_LOCK_KIND);
}

static bool locks_is_held(struct locks *l, uint32_t name)
{
    while (l->is_held.n <= name)
        EZ_PUSH(&l->is_held, 0);
    if (!l->is_held.at[name])
        l->is_held.at[name] = 1 + !strcmp(l->m->name.at[name].text, EZ_LOCK_HELD);
    return l->is_held.at[name] == 2;
}

/* Returns the index of the item's lock in l->lock, and adds the lock if it is new. Locks with the
 * same name in different processes are different locks. */
static uint32_t locks_of(struct locks *l, const struct ez_item *it)
{
    const struct ez_container *c = &l->m->container.at[it->container];
    uint32_t process = c->level == EZ_L_THREAD ? c->parent : it->container;
    size_t i = ez_hash_put(&l->by_subject, (uint64_t)process << 32 | it->subject, l->lock.n);
    if (i == l->lock.n) {
        struct ez_lock lock = { .subject = it->subject, .process = process };
        struct state none = { .since = 0 };
        EZ_PUSH(&l->lock, lock);
        EZ_PUSH(&l->state, none);
    }
    return (uint32_t)i;
}

uint32_t ez_lock_function(const struct ez_model *m, const struct ez_item *it)
{
    uint32_t depth = ez_model_depth(m, it->container);
    for (uint32_t i = EZ_MIN(it->depth, depth); i-- > 0;) {
        const struct ez_call_frame *f = ez_model_frame(m, it->container, i);
        if (!m->name.at[f->name].pause && !ez_lock_is(m, f->subject))
            return f->name;
    }
    return EZ_NONE_IDX;
}

static uint32_t locks_holder(struct locks *l, uint32_t lock, const struct ez_item *it)
{
    uint32_t function = ez_lock_function(l->m, it);
    size_t who = ez_hash_put(&l->who, (uint64_t)it->container << 32 | function, l->who.n);
    size_t i = ez_hash_put(&l->holders, (uint64_t)lock << 32 | who, l->holder.n);
    if (i == l->holder.n) {
        struct holder h = { { .container = it->container, .function = function }, lock };
        EZ_PUSH(&l->holder, h);
    }
    return (uint32_t)i;
}

/* ---- items -------------------------------------------------------------------------------- */

static void locks_advance(struct locks *l, uint32_t lock, uint64_t now)
{
    struct state *s = &l->state.at[lock];
    uint64_t passed = now - EZ_MIN(s->since, now), ns = passed * s->wait.n;
    s->since = now;
    if (!ns)
        return;
    if (!s->hold.n) {
        l->lock.at[lock].nobody_ns += ns;
        s->nobody_ns += passed;
    }
    for (size_t i = 0; i < s->hold.n; i++)
        if (!s->hold.at[i].again)
            l->holder.at[s->hold.at[i].holder].pub.blocked_ns += ns;
}

/* Adds to the pair of w's thread and `holder` the ns of the wait w in which `holder` held the lock.
 * holder EZ_NONE_IDX: no thread held the lock. */
static void locks_pair(struct locks *l, uint32_t lock, const struct wait *w, uint32_t holder,
                       uint64_t ns)
{
    if (!ns)
        return;
    size_t who = ez_hash_put(&l->couples, (uint64_t)w->container << 32 | holder, l->couples.n);
    size_t i = ez_hash_put(&l->pairs, (uint64_t)lock << 32 | who, l->pair.n);
    if (i == l->pair.n) {
        struct pair p = { { .waiter = w->container, .holder = holder }, lock, 0, 0 };
        EZ_PUSH(&l->pair, p);
    }
    struct pair *p = &l->pair.at[i];
    if (p->wait != w->number) {
        p->wait = w->number;
        p->wait_ns = 0;
        p->pub.waits++;
    }
    p->wait_ns += ns;
    p->pub.waited_ns += ns;
    p->pub.longest_ns = EZ_MAX(p->pub.longest_ns, p->wait_ns);
}

static void locks_overlap(struct locks *l, uint32_t lock, const struct wait *w,
                          const struct hold *h, uint64_t now)
{
    uint64_t start = EZ_MAX(w->start_ns, h->start_ns);
    if (!h->again && now > start)
        locks_pair(l, lock, w, h->container, now - start);
}

static void locks_acquire(struct locks *l, uint32_t lock, const struct ez_item *it)
{
    struct state *s = &l->state.at[lock];
    struct hold h = { it->container, locks_holder(l, lock, it), false, it->ns };
    for (size_t i = 0; i < s->hold.n; i++)
        h.again |= s->hold.at[i].container == it->container;
    EZ_PUSH(&s->hold, h);
    l->lock.at[lock].taken++;
    l->holder.at[h.holder].pub.times++;
}

/* Ends the newest hold of the thread. Does nothing if the thread has no hold, because the lock
 * became known only at the end of the state. */
static void locks_release(struct locks *l, uint32_t lock, const struct ez_item *it)
{
    struct state *s = &l->state.at[lock];
    struct ez_lock *k = &l->lock.at[lock];
    size_t i = s->hold.n;
    while (i && s->hold.at[i - 1].container != it->container)
        i--;
    if (!i)
        return;
    struct hold h = s->hold.at[i - 1];
    memmove(&s->hold.at[i - 1], &s->hold.at[i], (s->hold.n - i) * sizeof *s->hold.at);
    s->hold.n--;
    if (h.again)
        return;
    for (size_t w = 0; l->with_pairs && w < s->wait.n; w++)
        locks_overlap(l, lock, &s->wait.at[w], &h, it->ns);
    uint64_t ns = it->ns - h.start_ns;
    l->holder.at[h.holder].pub.held_ns += ns;
    k->held_ns += ns;
    k->longest_held_ns = EZ_MAX(k->longest_held_ns, ns);
}

static void locks_wait(struct locks *l, uint32_t lock, const struct ez_item *it)
{
    struct state *s = &l->state.at[lock];
    size_t i = 0;
    while (i < s->kind.n && s->kind.at[i] != it->name)
        i++;
    if (i == s->kind.n)
        EZ_PUSH(&s->kind, it->name);
    struct wait w = { it->container, ++l->waits, it->ns, s->nobody_ns };
    EZ_PUSH(&s->wait, w);
    l->lock.at[lock].waits++;
}

/* Ends the newest wait of the thread. Does nothing if the start of the wait was not seen. */
static void locks_end_wait(struct locks *l, uint32_t lock, const struct ez_item *it)
{
    struct state *s = &l->state.at[lock];
    size_t i = s->wait.n;
    while (i && s->wait.at[i - 1].container != it->container)
        i--;
    if (!i)
        return;
    struct wait w = s->wait.at[i - 1];
    memmove(&s->wait.at[i - 1], &s->wait.at[i], (s->wait.n - i) * sizeof *s->wait.at);
    s->wait.n--;
    if (!l->with_pairs)
        return;
    for (size_t h = 0; h < s->hold.n; h++)
        locks_overlap(l, lock, &w, &s->hold.at[h], it->ns);
    locks_pair(l, lock, &w, EZ_NONE_IDX, s->nobody_ns - w.nobody_ns);
}

static void locks_waited(struct locks *l, uint32_t lock, const struct ez_item *it)
{
    struct ez_lock *k = &l->lock.at[lock];
    uint64_t ns = it->ns - it->start_ns;
    locks_end_wait(l, lock, it);
    k->waited_ns += ns;
    k->open += !it->cut && it->end == EZ_END_UNKNOWN;
    if (ns >= k->longest_ns) {
        k->longest_ns = ns;
        k->longest_start_ns = it->start_ns;
        k->longest_thread = it->container;
    }
}

ez_err *ez_locks_item(void *locks, const struct ez_item *it)
{
    struct locks *l = locks;
    if (it->kind != EZ_I_PUSH && it->kind != EZ_I_POP && it->kind != EZ_I_EVENT)
        return NULL;
    if (!ez_lock_is(l->m, it->subject))
        return NULL;
    uint32_t lock = locks_of(l, it);
    bool held = locks_is_held(l, it->name);
    locks_advance(l, lock, it->ns);
    if (it->kind == EZ_I_EVENT)
        l->lock.at[lock].busy++;
    else if (it->kind == EZ_I_PUSH)
        (held ? locks_acquire : locks_wait)(l, lock, it);
    else
        (held ? locks_release : locks_waited)(l, lock, it);
    return NULL;
}

/* ---- the table ---------------------------------------------------------------------------- */

static int locks_compare_names(const struct locks *l, const struct ez_lock *a,
                               const struct ez_lock *b)
{
    int c = strcmp(l->m->subject.at[a->subject].text, l->m->subject.at[b->subject].text);
    return c ? c : a->process < b->process ? -1 : a->process > b->process;
}

static int locks_compare(const void *a, const void *b, void *locks)
{
    const struct ez_lock *x = a, *y = b;
    if (x->waited_ns != y->waited_ns)
        return x->waited_ns > y->waited_ns ? -1 : 1;
    if (x->held_ns != y->held_ns)
        return x->held_ns > y->held_ns ? -1 : 1;
    return locks_compare_names(locks, x, y);
}

static int locks_compare_holders(const void *a, const void *b)
{
    const struct holder *h = a, *k = b;
    const struct ez_lock_holder *x = &h->pub, *y = &k->pub;
    if (h->lock != k->lock)
        return h->lock < k->lock ? -1 : 1;
    if (x->blocked_ns != y->blocked_ns)
        return x->blocked_ns > y->blocked_ns ? -1 : 1;
    if (x->held_ns != y->held_ns)
        return x->held_ns > y->held_ns ? -1 : 1;
    if (x->container != y->container)
        return x->container < y->container ? -1 : 1;
    return x->function < y->function ? -1 : x->function > y->function;
}

static int locks_compare_pairs(const void *a, const void *b)
{
    const struct pair *p = a, *q = b;
    const struct ez_lock_pair *x = &p->pub, *y = &q->pub;
    if (p->lock != q->lock)
        return p->lock < q->lock ? -1 : 1;
    if (x->waited_ns != y->waited_ns)
        return x->waited_ns > y->waited_ns ? -1 : 1;
    if (x->waiter != y->waiter)
        return x->waiter < y->waiter ? -1 : 1;
    return x->holder < y->holder ? -1 : x->holder > y->holder;
}

/* Returns the kinds of a lock, by the states in which threads waited for it. The caller frees the
 * text. */
static char *locks_kind(const struct locks *l, const struct state *s)
{
    char *all = ez_strdup("");
    for (size_t i = 0; i < s->kind.n; i++) {
        const char *kind = l->m->name.at[s->kind.at[i]].text;
        if (!strncmp(kind, WAIT_BEGINS, strlen(WAIT_BEGINS)))
            kind += strlen(WAIT_BEGINS);
        EZ_FREE char *before = all;
        all = ez_sprintf("%s%s%s", before, *before ? ", " : "", kind);
    }
    return all;
}

static void locks_sort_pairs(struct locks *l)
{
    ez_sort(l->pair.at, l->pair.n, sizeof *l->pair.at, locks_compare_pairs);
    EZ_RESERVE(&l->pair_table, l->pair.n);
    for (size_t i = 0; i < l->pair.n; i++) {
        struct ez_lock *k = &l->lock.at[l->pair.at[i].lock];
        EZ_PUSH(&l->pair_table, l->pair.at[i].pub);
        k->pair = k->pairs++ ? k->pair : &l->pair_table.at[i];
    }
}

void ez_locks_sort(struct ez_locks *locks)
{
    struct locks *l = (struct locks *)locks;
    locks_sort_pairs(l);
    ez_sort(l->holder.at, l->holder.n, sizeof *l->holder.at, locks_compare_holders);
    EZ_RESERVE(&l->table, l->holder.n);
    for (size_t i = 0; i < l->holder.n; i++) {
        struct ez_lock *k = &l->lock.at[l->holder.at[i].lock];
        EZ_PUSH(&l->table, l->holder.at[i].pub);
        k->holder = k->holders++ ? k->holder : &l->table.at[i];
    }
    for (size_t i = 0; i < l->lock.n; i++)
        l->lock.at[i].kind = locks_kind(l, &l->state.at[i]);
    if (l->lock.n)
        qsort_r(l->lock.at, l->lock.n, sizeof *l->lock.at, locks_compare, l);
    locks->lock = l->lock.at;
    locks->n = l->lock.n;
}
