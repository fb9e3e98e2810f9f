/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node.h - a daemon: one node of the tree, with the processes of its host.
 *
 * A request goes from the front end to the root, and from each node to its children; each node has its own drivers carry it
 * out, merges what they and its children answer (reply.h), and sends one reply up: when all have answered, or at the
 * deadline, with those that have not. Nothing waits for anything else: a driver that hangs, or a host, delays no other
 * request. At the request "end" each driver lets its process go. When the root's input ends without it, the front end is lost, or
 * the launcher of the daemons, which nobody here can tell apart: the drivers are killed, and probes stay, to be taken over.
 *
 *   node.c       the loop, requests, replies      node_claim.c   how a process comes under a driver
 *   node_sums.c  windows of aggregates
 *   node_file.c  files, statistics              node_clock.c  how hosts' clocks differ
 *
 * Requests, a line of JSON each (doc/JOBS.md): {"id", "do", "ranks", "ms", "most", ...}, where "do" is hello, find, take,
 * command, interrupt, window, stats, read, clock, let-go or end.
 * Tests: tests/procs/jobs.sh, tests/procs/job_mpi.sh */
#ifndef EZ_NODE_H
#define EZ_NODE_H

#include "engine/jobs/crew.h"
#include "engine/jobs/reply.h"
#include "engine/jobs/tree.h"

struct ez_asking {         /* a request that is not answered yet */
    struct ez_reply reply; /* what has come so far             */
    struct ez_ranks wait;  /* own ranks that have not answered */
    struct ez_ranks children;
    uint64_t deadline; /* ns                               */
    struct json_object *request;
};

struct ez_op {
    char *name;
    struct ez_operation op;
};

struct ez_node {
    struct ez_tree tree;
    struct ez_crew crew;
    struct ez_roster roster; /* all members: which node has them             */
    EZ_VEC(struct ez_asking *) asking;
    struct ez_reply news;       /* events, and states, that are not told yet */
    uint64_t news_since;        /* 0 = there are none                         */
    uint64_t termed;            /* SIGTERM came; 0 = not                      */
    EZ_VEC(struct ez_op) ops;   /* functions of the user that were loaded */
    EZ_VEC(char) input, output; /* of the root: a line that has no end yet; what waits to be read */
    struct {                    /* node_clock.c: the parent's clock against this host's */
        int64_t offset, best;   /* ns; best: the shortest round                   */
        unsigned left;          /* rounds                                          */
        long asking;
    } clock;
    bool end, lost; /* lost: nobody has asked for the end */
};

/* Runs a daemon until its work is over. eztsh: the program that drives a process. */
ez_err *ez_node_run(int argc, char **argv, const char *eztsh) EZ_WUR;

/* A member of the reply's `members`; takes it. */
void ez_node_put_member(struct ez_asking *a, struct json_object *m);
/* Answers a request if nobody is waited for. */
void ez_node_check(struct ez_node *n, struct ez_asking *a);
/* What happened to a driver's process goes to the front end; takes `event`. */
void ez_node_send_event(struct ez_node *n, struct ez_driver *d, struct json_object *event);
/* node_clock.c. ez_node_clock_message: false = it is none about clocks. */
void ez_node_clock(struct ez_node *n, struct ez_asking *a);
bool ez_node_clock_message(struct ez_node *n, uint32_t from, const char *line);
/* node_file.c */
void ez_node_read(struct ez_node *n, struct ez_asking *a);
void ez_node_stats(struct ez_asking *a, uint32_t rank,
                   struct json_object *answer); /* of `stats -json` */

/* node_sums.c: of `info aggregates -json`; and a function of the user's own, loaded when it is asked for first: NULL = it cannot be. */
void ez_node_window(struct ez_node *n, struct ez_asking *a, uint32_t rank,
                    struct json_object *answer);
struct ez_operation *ez_node_operation(void *arg, const char *name);

/* node_claim.c: {"members": [{"rank", "pid", "node", "held", "offered", "rules", "others", "keeps"}], "before", "then"}. */
void ez_node_claim(struct ez_node *n, struct ez_asking *a);
/* An answer to a step of it. true: the request is not over for this driver. */
bool ez_node_claim_answer(struct ez_node *n, struct ez_driver *d,
                          const struct ez_pending_request *pending, struct json_object *answer);

#endif
