/* SPDX-License-Identifier: GPL-3.0-or-later */
/* match.c - matches MPI messages with their receives (match.h). */
#include "engine/trace/match.h"

#include <string.h>

#include "engine/base/hash.h"
#include "engine/base/vec.h"

/* The messages and receives of a channel that are not paired yet, in order. Elements before
 * first_sent and first_posted are removed. */
struct channel {
    uint64_t id;
    EZ_VEC(struct ez_sent) sent;
    EZ_VEC(struct ez_posted) posted;
    size_t first_sent, first_posted;
    uint64_t paired; /* largest `order` of a receive that was paired */
    bool idle;       /* the channel is in the list ez_match.idle */
};

struct ez_match {
    ez_pair_fn *fn;
    void *arg;
    struct ez_hash by_id;
    EZ_VEC(struct channel) channel;
    EZ_VEC(size_t) spare;
    /* channels without unpaired messages and receives, whose `paired` may still be needed */
    EZ_VEC(size_t) idle;
    uint64_t unsure, open; /* open: number of open receives from any source */
};

struct ez_match *ez_match_create(ez_pair_fn *fn, void *arg)
{
    struct ez_match *m = ez_alloc(sizeof *m);
    m->fn = fn;
    m->arg = arg;
    return m;
}

void ez_match_destroy(struct ez_match *m)
{
    for (size_t i = 0; i < m->channel.n; i++) {
        EZ_VEC_FREE(&m->channel.at[i].sent);
        EZ_VEC_FREE(&m->channel.at[i].posted);
    }
    EZ_VEC_FREE(&m->channel);
    EZ_VEC_FREE(&m->spare);
    EZ_VEC_FREE(&m->idle);
    ez_hash_free(&m->by_id);
    free(m);
}

/* ---- channels ---------------------------------------------------------------------------- */

static struct channel *match_channel(struct ez_match *m, uint64_t id)
{
    size_t fresh = m->spare.n ? m->spare.at[m->spare.n - 1] : m->channel.n;
    size_t i = ez_hash_put(&m->by_id, id, fresh);
    if (i == m->channel.n) {
        struct channel c = { .id = id };
        EZ_PUSH(&m->channel, c);
    } else if (i == fresh && m->spare.n) {
        m->spare.n--;
        m->channel.at[i].id = id;
        m->channel.at[i].paired = 0;
    }
    return &m->channel.at[i];
}

static bool match_is_empty(const struct channel *c)
{
    return c->first_sent == c->sent.n && c->first_posted == c->posted.n;
}

/* Frees a channel that has no unpaired message and no unpaired receive, because programs use many
 * tags. While a receive from any source is open, which may still be inserted into the channel, only
 * adds the channel to the list `idle`. */
static void match_leave(struct ez_match *m, struct channel *c)
{
    size_t i = (size_t)(c - m->channel.at);
    if (!match_is_empty(c) || c->idle)
        return;
    c->idle = m->open > 0;
    if (c->idle) {
        EZ_PUSH(&m->idle, i);
        return;
    }
    c->first_sent = c->first_posted = c->sent.n = c->posted.n = 0;
    ez_hash_remove(&m->by_id, c->id, &i);
    EZ_PUSH(&m->spare, i);
}

void ez_match_any(struct ez_match *m, bool open)
{
    m->open += open ? 1 : (uint64_t)-1;
    while (!m->open && m->idle.n) {
        struct channel *c = &m->channel.at[m->idle.at[--m->idle.n]];
        c->idle = false;
        match_leave(m, c);
    }
}

/* Removes element i of the vector v; `first`, the number of elements that are removed already at
 * the front, may change. */
#define MATCH_DROP(v, first, i)                                                                    \
    do {                                                                                           \
        if ((i) == (first))                                                                        \
            (first)++;                                                                             \
        else {                                                                                     \
            memmove(&(v)->at[i], &(v)->at[(i) + 1], ((v)->n - (i)-1) * sizeof *(v)->at);           \
            (v)->n--;                                                                              \
        }                                                                                          \
        if ((first) > 64 && (first)*2 > (v)->n) {                                                  \
            memmove((v)->at, &(v)->at[first], ((v)->n - (first)) * sizeof *(v)->at);               \
            (v)->n -= (first);                                                                     \
            (first) = 0;                                                                           \
        }                                                                                          \
    } while (0)

/* Pairs the unpaired message n of the channel with the unpaired receive n (counted from 0), if both
 * exist and the receive is completed. */
static void match_pair(struct ez_match *m, struct channel *c, size_t n)
{
    size_t i = c->first_sent + n, k = c->first_posted + n;
    if (i >= c->sent.n || k >= c->posted.n || !c->posted.at[k].done)
        return;
    struct ez_sent s = c->sent.at[i];
    struct ez_posted r = c->posted.at[k];
    MATCH_DROP(&c->sent, c->first_sent, i);
    MATCH_DROP(&c->posted, c->first_posted, k);
    c->paired = EZ_MAX(c->paired, r.order);
    m->fn(m->arg, &s, &r);
}

/* Returns how many of the unpaired receives have an order of at most x. */
static size_t match_posted_upto(const struct channel *c, uint64_t x)
{
    return EZ_UPTO(c->posted.at + c->first_posted, c->posted.n - c->first_posted, order, x);
}

/* ---- what happens --------------------------------------------------------------------------- */

void ez_match_send(struct ez_match *m, uint64_t channel, const struct ez_sent *s)
{
    struct channel *c = match_channel(m, channel);
    EZ_PUSH(&c->sent, *s);
    match_pair(m, c, c->sent.n - c->first_sent - 1);
    match_leave(m, c);
}

/* Returns the unpaired message of the channel with this key, and sets *c to the channel. Returns
 * NULL if there is no such message. */
static struct ez_sent *match_sent(struct ez_match *m, uint64_t channel, uint64_t key,
                                  struct channel **c)
{
    size_t at;
    if (!ez_hash_get(&m->by_id, channel, &at))
        return NULL;
    *c = &m->channel.at[at];
    struct ez_sent *first = (*c)->sent.at + (*c)->first_sent;
    size_t n = EZ_UPTO(first, (*c)->sent.n - (*c)->first_sent, key, key);
    return n && first[n - 1].key == key ? &first[n - 1] : NULL;
}

void ez_match_sent(struct ez_match *m, uint64_t channel, uint64_t key, uint64_t end_ns)
{
    struct channel *c;
    struct ez_sent *s = match_sent(m, channel, key, &c);
    if (s)
        s->end_ns = end_ns;
}

void ez_match_unsend(struct ez_match *m, uint64_t channel, uint64_t key)
{
    struct channel *c;
    struct ez_sent *s = match_sent(m, channel, key, &c);
    if (!s)
        return;
    size_t i = (size_t)(s - c->sent.at);
    MATCH_DROP(&c->sent, c->first_sent, i);
    match_leave(m, c);
}

static void match_insert(struct channel *c, size_t n, const struct ez_posted *r)
{
    size_t k = c->first_posted + n;
    EZ_PUSH(&c->posted, *r);
    memmove(&c->posted.at[k + 1], &c->posted.at[k], (c->posted.n - k - 1) * sizeof *r);
    c->posted.at[k] = *r;
}

void ez_match_post(struct ez_match *m, uint64_t channel, const struct ez_posted *r)
{
    struct channel *c = match_channel(m, channel);
    match_insert(c, match_posted_upto(c, r->order), r);
}

void ez_match_done(struct ez_match *m, uint64_t channel, const struct ez_posted *r)
{
    struct channel *c = match_channel(m, channel);
    size_t n = match_posted_upto(c, r->order);
    if (n && c->posted.at[c->first_posted + n - 1].order == r->order) {
        c->posted.at[c->first_posted + --n] = *r;
    } else {
        m->unsure += r->order < c->paired;
        match_insert(c, n, r);
    }
    c->posted.at[c->first_posted + n].done = true;
    match_pair(m, c, n);
    match_leave(m, c);
}

void ez_match_cancel(struct ez_match *m, uint64_t channel, uint64_t order)
{
    struct channel *c = match_channel(m, channel);
    size_t n = match_posted_upto(c, order);
    if (n && c->posted.at[c->first_posted + n - 1].order == order) {
        m->unsure += order < c->paired;
        MATCH_DROP(&c->posted, c->first_posted, c->first_posted + n - 1);
        /* the later receives move up, and may now have a message */
        for (n--; n < c->posted.n - c->first_posted; n++)
            match_pair(m, c, n);
    }
    match_leave(m, c);
}

uint64_t ez_match_unsure(const struct ez_match *m)
{
    return m->unsure;
}

uint64_t ez_match_unpaired(const struct ez_match *m)
{
    uint64_t n = 0;
    for (size_t i = 0; i < m->channel.n; i++) {
        const struct channel *c = &m->channel.at[i];
        for (size_t k = c->first_posted; k < c->posted.n; k++)
            n += c->posted.at[k].done;
    }
    return n;
}
