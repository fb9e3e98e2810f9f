/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node_sums.c - the request `window`: adds the aggregates of one rank to the sums in the reply, and
 * loads the user's functions that combine values.
 * Tests: tests/procs/job_windows.sh, tests/procs/jobs.sh */
#include <string.h>

#include "engine/jobs/node.h"

struct ez_operation *ez_node_operation(void *arg, const char *name)
{
    struct ez_node *n = arg;
    struct ez_op op = { .name = NULL };
    for (size_t i = 0; i < n->ops.n; i++)
        if (!strcmp(n->ops.at[i].name, name))
            return &n->ops.at[i].op;
    if (!ez_err_drop(ez_operation_open(name, &op.op)))
        return NULL;
    op.name = ez_strdup(name);
    EZ_PUSH(&n->ops, op);
    return &n->ops.at[n->ops.n - 1].op;
}

void ez_node_window(struct ez_node *n, struct ez_asking *a, uint32_t rank,
                    struct json_object *answer)
{
    struct json_object *requests = ez_json_get(a->request, "asks");
    size_t count =
        json_object_is_type(requests, json_type_array) ? json_object_array_length(requests) : 0;
    EZ_FREE struct ez_sum_request *request = ez_alloc((count + 1) * sizeof *request);
    for (size_t i = 0; i < count; i++) {
        struct json_object *o = json_object_array_get_idx(requests, i);
        const char *plugin = ez_json_text(o, "plugin");
        request[i] = (struct ez_sum_request){ .id = ez_json_text(o, "id"),
                                              .of = ez_json_text(o, "of"),
                                              .all = !ez_json_get(o, "ranks"),
                                              .own = json_object_get_boolean(ez_json_get(o, "own")),
                                              .plugin = *plugin ? plugin : NULL };
        if (!request[i].all)
            ez_json_ranks(o, "ranks", &request[i].ranks);
    }
    a->reply.sums.operation = ez_node_operation;
    a->reply.sums.arg = n;
    ez_sums_add(&a->reply.sums, rank, ez_json_get(answer, "result"), request, count);
    for (size_t i = 0; i < count; i++)
        ez_ranks_free(&request[i].ranks);
}
