/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree_alone.c - the channels of a job with one daemon, which has no parent and no children
 * (tree.h).
 * Tests: tests/procs/jobs.sh */
#include "engine/jobs/tree.h"

ez_err *ez_tree_begin(struct ez_tree *t, int *argc, char ***argv)
{
    (void)argc, (void)argv;
    *t = (struct ez_tree){ .nodes = 1, .fanout = 1 };
    return NULL;
}

void ez_tree_send(struct ez_tree *t, uint32_t to, const char *line)
{
    (void)t, (void)to, (void)line; /* There is no node to send to. */
}

char *ez_tree_receive(struct ez_tree *t, uint32_t *from)
{
    (void)t, (void)from;
    return NULL;
}

uint64_t ez_tree_patience(const struct ez_tree *t, uint64_t idle_ns)
{
    (void)t, (void)idle_ns;
    return UINT64_MAX;
}

void ez_tree_end(struct ez_tree *t)
{
    (void)t;
}
