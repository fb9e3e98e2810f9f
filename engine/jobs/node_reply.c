/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node_reply.c - sends a daemon's output to its parent: events and states of its processes, and
 * replies to requests.
 * Tests: tests/procs/jobs.sh */
#include <errno.h>
#include <string.h>

#include "engine/base/now.h"
#include "engine/jobs/node.h"

void ez_node_flush(struct ez_node *n)
{
    ssize_t r = n->output.n ? write(STDOUT_FILENO, n->output.at, n->output.n) : 0;
    if (r < 0 && errno != EAGAIN && errno != EINTR)
        n->end = n->lost = true; /* the shell has ended */
    if (r <= 0)
        return;
    n->output.n -= (size_t)r;
    memmove(n->output.at, n->output.at + r, n->output.n);
}

static void node_send(struct ez_node *n, struct json_object *o)
{
    const char *line = ez_json_line(o);
    if (n->tree.node) {
        ez_tree_send(&n->tree, ez_tree_parent(&n->tree, n->tree.node), line);
    } else {
        EZ_APPEND(&n->output, line, strlen(line));
        EZ_PUSH(&n->output, '\n');
        ez_node_flush(n);
    }
    json_object_put(o);
}

void ez_node_states(struct ez_ranks *to, struct ez_ranks *from)
{
    for (size_t i = 0; i <= EZ_MEMBER_BLIND; i++) {
        for (size_t k = 0; k <= EZ_MEMBER_BLIND && from[i].span.n; k++)
            ez_ranks_remove(&to[k], &from[i]);
        ez_ranks_unite(&to[i], &from[i]);
        ez_ranks_free(&from[i]);
    }
}

void ez_node_news(struct ez_node *n)
{
    if (!n->news_since)
        n->news_since = ez_now_ns();
}

void ez_node_send_event(struct ez_node *n, struct ez_driver *d, struct json_object *event)
{
    ez_reply_add(&n->news, d->rank, d->target, event);
    json_object_put(event);
    ez_node_news(n);
}

void ez_node_send_news(struct ez_node *n)
{
    n->news_since = 0;
    node_send(n, ez_reply_to_json(&n->news));
    ez_reply_free(&n->news);
}

void ez_node_note_state(struct ez_node *n, struct ez_driver *d)
{
    struct ez_ranks now[EZ_MEMBER_BLIND + 1] = { 0 };
    if (d->state == d->reported || d->claim)
        return;
    d->reported = d->state;
    ez_ranks_add(&now[d->state], d->rank, d->rank);
    ez_node_states(n->news.state, now);
    ez_node_news(n);
}

struct ez_asking *ez_node_find_asking(struct ez_node *n, long id)
{
    for (size_t i = 0; i < n->asking.n; i++)
        if (n->asking.at[i]->reply.id == id)
            return n->asking.at[i];
    return NULL;
}

void ez_node_free_asking(struct ez_asking *a)
{
    ez_reply_free(&a->reply);
    ez_ranks_free(&a->wait);
    ez_ranks_free(&a->children);
    json_object_put(a->request);
    free(a);
}

static void node_answer(struct ez_node *n, struct ez_asking *a)
{
    for (size_t i = 0; i < n->asking.n; i++)
        if (n->asking.at[i] == a)
            n->asking.at[i] = n->asking.at[--n->asking.n];
    if (n->news.group.n) /* earlier events must precede the reply */
        ez_node_send_news(n);
    ez_node_states(a->reply.state, n->news.state); /* the reply has the newest states */
    n->news_since = 0;
    node_send(n, ez_reply_to_json(&a->reply));
    ez_node_free_asking(a);
}

void ez_node_check(struct ez_node *n, struct ez_asking *a)
{
    if (!a->wait.span.n && !a->children.span.n)
        node_answer(n, a);
}

void ez_node_give_up(struct ez_node *n, struct ez_asking *a)
{
    struct ez_ranks pending = { 0 }, below = { 0 };
    ez_json_ranks(a->request, "ranks", &pending);
    for (size_t i = 0; i < n->roster.member.n; i++) {
        const struct ez_member *m = &n->roster.member.at[i];
        uint32_t way = ez_tree_way(&n->tree, m->node);
        if (way != UINT32_MAX && ez_ranks_has(&a->children, way))
            ez_ranks_add(&below, m->rank, m->rank);
    }
    ez_ranks_intersect(&below, &pending);
    ez_ranks_unite(&a->reply.late, &below);
    ez_ranks_unite(&a->reply.late, &a->wait);
    ez_ranks_free(&pending);
    ez_ranks_free(&below);
    node_answer(n, a);
}

void ez_node_put_member(struct ez_asking *a, struct json_object *m)
{
    if (!a->reply.members)
        a->reply.members = json_object_new_array();
    json_object_array_add(a->reply.members, m);
}
