/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node_clock.c - offsets of the daemons' wall clocks.
 *
 * A node requests its parent's time ROUNDS times, and uses the answer with the shortest round trip.
 * The node assumes that the parent read its clock in the middle of the round trip; the error is at
 * most half of the round trip's duration (Cristian, 1989). The reply to `clock` has each node's
 * offset to its parent. The front end adds up the offsets along the path to the root.
 * Tests: tests/procs/job_hosts.sh */
#include <string.h>

#include "engine/base/json.h"
#include "engine/base/now.h"
#include "engine/jobs/node.h"

#define ROUNDS 16

static void clock_ping(struct ez_node *n)
{
    struct ez_json j = { .compact = true };
    ez_json_begin(&j, NULL, '{');
    ez_json_add_uint(&j, "ping", ez_wall_ns());
    ez_json_end(&j, '}');
    ez_tree_send(&n->tree, ez_tree_parent(&n->tree, n->tree.node), j.text);
    ez_json_free(&j);
}

static void clock_answer(struct ez_node *n, uint32_t from, int64_t ping, int64_t now)
{
    struct ez_json j = { .compact = true };
    ez_json_begin(&j, NULL, '{');
    ez_json_add_int(&j, "pong", ping);
    ez_json_add_int(&j, "time", now);
    ez_json_end(&j, '}');
    ez_tree_send(&n->tree, from, j.text);
    ez_json_free(&j);
}

static void clock_send(struct ez_node *n, struct ez_asking *a)
{
    struct json_object *o = json_object_new_object();
    ez_json_put_int(o, "node", n->tree.node);
    ez_json_put_int(o, "offset", n->clock.offset);
    ez_json_put_int(o, "round", n->clock.best == INT64_MAX ? 0 : n->clock.best);
    ez_node_put_member(a, o);
}

void ez_node_clock(struct ez_node *n, struct ez_asking *a)
{
    n->clock.offset = 0;
    n->clock.best = INT64_MAX;
    n->clock.left = n->tree.node ? ROUNDS : 0;
    n->clock.asking = a->reply.id;
    if (!n->clock.left) {
        clock_send(n, a);
        return;
    }
    /* rank EZ_RANK_MOST in `wait` stands for this node's own answer */
    ez_ranks_add(&a->wait, EZ_RANK_MOST, EZ_RANK_MOST);
    clock_ping(n);
}

bool ez_node_clock_message(struct ez_node *n, uint32_t from, const char *line)
{
    if (strncmp(line, "{\"ping\"", 7) && strncmp(line, "{\"pong\"", 7))
        return false;
    struct json_object *o = json_tokener_parse(line);
    int64_t now = (int64_t)ez_wall_ns();
    if (ez_json_get(o, "ping")) {
        clock_answer(n, from, ez_json_int(o, "ping", 0), now);
        json_object_put(o);
        return true;
    }
    int64_t sent = ez_json_int(o, "pong", 0), time = ez_json_int(o, "time", 0);
    json_object_put(o);
    if (now - sent < n->clock.best) {
        n->clock.best = now - sent;
        n->clock.offset = time - (sent + (now - sent) / 2);
    }
    if (n->clock.left && --n->clock.left) {
        clock_ping(n);
        return true;
    }
    struct ez_asking *a = ez_node_find_asking(n, n->clock.asking);
    if (a) {
        clock_send(n, a);
        ez_ranks_free(&a->wait);
        ez_node_check(n, a);
    }
    return true;
}
