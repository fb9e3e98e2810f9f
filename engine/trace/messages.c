/* SPDX-License-Identifier: GPL-3.0-or-later */
/* messages.c - a table of messages between processes (messages.h). */
#include "engine/trace/messages.h"

#include <string.h>

#include "engine/base/hash.h"

struct messages {
    struct ez_messages pub; /* must be first */
    const struct ez_model *m;
    struct ez_hash pairs; /* from << 32 | to -> row */
    /* name and key of a link that has not ended -> time in ns at which the link began */
    struct ez_hash open;
    EZ_VEC(struct ez_message_row) row;
};

struct ez_messages *ez_messages_create(const struct ez_model *m)
{
    struct messages *s = ez_alloc(sizeof *s);
    s->m = m;
    return &s->pub;
}

void ez_messages_free(struct ez_messages *messages)
{
    struct messages *s = (struct messages *)messages;
    if (!s)
        return;
    ez_hash_free(&s->pairs);
    ez_hash_free(&s->open);
    EZ_VEC_FREE(&s->row);
    free(s);
}

static uint32_t messages_process(const struct messages *s, uint32_t container)
{
    const struct ez_container *c = &s->m->container.at[container];
    return c->level == EZ_L_THREAD ? c->parent : container;
}

static void messages_add(struct ez_message_row *r, uint64_t bytes, uint64_t ns)
{
    r->least = r->messages ? EZ_MIN(r->least, bytes) : bytes;
    r->least_ns = r->messages ? EZ_MIN(r->least_ns, ns) : ns;
    r->most = EZ_MAX(r->most, bytes);
    r->most_ns = EZ_MAX(r->most_ns, ns);
    r->messages++;
    r->bytes += bytes;
    r->total_ns += ns;
}

ez_err *ez_messages_item(void *messages, const struct ez_item *it)
{
    struct messages *s = messages;
    struct ez_message_row fresh = { .messages = 0 };
    size_t begin;
    if (it->kind == EZ_I_LINK_START && it->narg && !strcmp(s->m->name.at[it->name].group, "mpi"))
        ez_hash_put(&s->open, ez_hash_pair(it->key, it->name), it->ns);
    if (it->kind != EZ_I_LINK_END ||
        !ez_hash_remove(&s->open, ez_hash_pair(it->key, it->name), &begin) || !it->narg)
        return NULL;
    fresh.from = messages_process(s, it->peer);
    fresh.to = messages_process(s, it->container);
    size_t i = ez_hash_put(&s->pairs, (uint64_t)fresh.from << 32 | fresh.to, s->row.n);
    if (i == s->row.n)
        EZ_PUSH(&s->row, fresh);
    messages_add(&s->row.at[i], it->arg[0], it->ns - begin);
    messages_add(&s->pub.all, it->arg[0], it->ns - begin);
    return NULL;
}

/* Compares rows by the indexes of their containers. The containers of processes with ranks are in
 * the order of ranks. */
static int messages_order(const void *a, const void *b)
{
    const struct ez_message_row *x = a, *y = b;
    uint64_t p = (uint64_t)x->from << 32 | x->to, q = (uint64_t)y->from << 32 | y->to;
    return p < q ? -1 : p > q;
}

void ez_messages_sort(struct ez_messages *messages)
{
    struct messages *s = (struct messages *)messages;
    if (s->row.n)
        qsort(s->row.at, s->row.n, sizeof *s->row.at, messages_order);
    s->pub.row = s->row.at;
    s->pub.n = s->row.n;
}
