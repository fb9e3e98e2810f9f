/* SPDX-License-Identifier: GPL-3.0-or-later */
/* long_messages.c - the single messages that took longest (long_messages.h). */
#include "engine/trace/long_messages.h"

#include <string.h>

#include "engine/base/best.h"
#include "engine/base/hash.h"

struct long_messages {
    struct ez_long_messages pub; /* must be first */
    const struct ez_model *m;
    size_t most;
    /* name and key of a link that has not ended -> time in ns at which the link began */
    struct ez_hash open;
    EZ_VEC(struct ez_message) at;
};

struct ez_long_messages *ez_long_messages_create(const struct ez_model *m, size_t most)
{
    struct long_messages *l = ez_alloc(sizeof *l);
    l->m = m;
    l->most = most;
    return &l->pub;
}

void ez_long_messages_free(struct ez_long_messages *messages)
{
    struct long_messages *l = (struct long_messages *)messages;
    if (!l)
        return;
    ez_hash_free(&l->open);
    EZ_VEC_FREE(&l->at);
    free(l);
}

/* Orders messages: by falling duration, then by time of the send, then by threads. */
static int message_compare(const void *a, const void *b)
{
    const struct ez_message *x = a, *y = b;
    uint64_t p = x->received_ns - x->sent_ns, q = y->received_ns - y->sent_ns;
    if (p != q)
        return p > q ? -1 : 1;
    if (x->sent_ns != y->sent_ns)
        return x->sent_ns < y->sent_ns ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static void message_keep(struct long_messages *l, const struct ez_message *m)
{
    l->pub.all++;
    if (l->at.n < l->most) {
        EZ_PUSH(&l->at, *m);
        ez_best_up(l->at.at, l->at.n, sizeof *l->at.at, message_compare);
    } else if (l->most && message_compare(m, &l->at.at[0]) < 0) {
        l->at.at[0] = *m;
        ez_best_down(l->at.at, l->at.n, sizeof *l->at.at, message_compare);
    }
}

ez_err *ez_long_messages_item(void *messages, const struct ez_item *it)
{
    struct long_messages *l = messages;
    size_t begin;
    if (it->kind == EZ_I_LINK_START && it->narg && !strcmp(l->m->name.at[it->name].group, "mpi"))
        ez_hash_put(&l->open, ez_hash_pair(it->key, it->name), it->ns);
    if (it->kind != EZ_I_LINK_END ||
        !ez_hash_remove(&l->open, ez_hash_pair(it->key, it->name), &begin) || it->narg < 2)
        return NULL;
    message_keep(l, &(struct ez_message){ .from = it->peer,
                                          .to = it->container,
                                          .sent_ns = begin,
                                          .received_ns = it->ns,
                                          .bytes = it->arg[0],
                                          .tag = it->arg[1] });
    return NULL;
}

void ez_long_messages_sort(struct ez_long_messages *messages)
{
    struct long_messages *l = (struct long_messages *)messages;
    ez_sort(l->at.at, l->at.n, sizeof *l->at.at, message_compare);
    l->pub.at = l->at.at;
    l->pub.n = l->at.n;
}
