/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node.h - a daemon: one node of the tree, with the processes of its host.
 *
 * The front end sends a request to the root node, and each node sends it to its children. Each node
 * sends the request to its own drivers, merges their answers with the replies of its children
 * (reply.h), and sends one reply to its parent: when all drivers and children have answered, or at
 * the deadline, with the list of the ranks without an answer. No call waits for an answer, so a
 * hanging driver or host does not delay other requests. At the request "end" each driver releases
 * its process. If the root's input ends without this request, the shell or the daemons' launcher
 * was killed. Then the daemons kill their drivers, and the probes stay for a later shell.
 *
 *   node.c       the loop, requests, drivers      node_reply.c   events and replies to the parent
 *   node_claim.c brings a process under a driver  node_clock.c   offsets of hosts' clocks
 *   node_file.c  parts of files, statistics       node_sums.c    sums of aggregates
 *
 * Requests are lines of JSON (doc/JOBS.md): {"id", "do", "ranks", "ms", "most", ...}, where "do"
 * is hello, find, take, command, interrupt, window, stats, read, clock, let-go, end or lost.
 * Tests: tests/procs/jobs.sh, tests/procs/job_mpi.sh */
#ifndef EZ_NODE_H
#define EZ_NODE_H

#include "engine/jobs/crew.h"
#include "engine/jobs/reply.h"
#include "engine/jobs/tree.h"

struct ez_asking {            /* a pending request */
    struct ez_reply reply;    /* merged answers so far */
    struct ez_ranks wait;     /* ranks of this node's drivers that have not answered yet */
    struct ez_ranks children; /* numbers of the child nodes that have not replied yet */
    uint64_t deadline;        /* ns of CLOCK_MONOTONIC */
    struct json_object *request;
};

struct ez_op {
    char *name;
    struct ez_operation op;
};

struct ez_node {
    struct ez_tree tree;
    struct ez_crew crew;
    /* members of the job, with the number of the node that has the driver of each */
    struct ez_roster roster;
    EZ_VEC(struct ez_asking *) asking;
    struct ez_reply news; /* events and changed states that were not sent to the parent yet */
    /* time in ns since which `news` is not empty; 0 = `news` is empty */
    uint64_t news_since;
    uint64_t termed;            /* time in ns at which SIGTERM was noticed; 0 = no SIGTERM */
    EZ_VEC(struct ez_op) ops;   /* the user's functions that were loaded */
    EZ_VEC(char) input, output; /* of the root node. input: incomplete line; output: unsent text */
    struct {                    /* node_clock.c: comparison of the parent's wall clock with this
                                 * node's */
        /* in ns. offset: parent's clock minus this node's; best: the shortest round trip so far */
        int64_t offset, best;
        unsigned left; /* number of round trips that remain */
        long asking;   /* id of the request `clock` */
    } clock;
    bool end, lost; /* end: leave the loop; lost: the input ended without the request "end" */
};

/* Runs a daemon until the job ends. eztsh: path of the program that the drivers execute. */
ez_err *ez_node_run(int argc, char **argv, const char *eztsh) EZ_WUR;

/* node_reply.c. ez_node_flush writes the root node's unsent output. */
void ez_node_flush(struct ez_node *n);
/* Adds an event of d's process to n->news; frees `event`. */
void ez_node_send_event(struct ez_node *n, struct ez_driver *d, struct json_object *event);
/* Sets news_since, if it is 0. Call it after adding to n->news. */
void ez_node_news(struct ez_node *n);
/* Sends n->news to the parent node or, from the root, to the front end, and empties n->news. */
void ez_node_send_news(struct ez_node *n);
/* Moves the ranks in `from` to `to`. Both are arrays with a set of ranks for each state. For a rank
 * in both arrays, the state in `from` replaces the one in `to`. */
void ez_node_states(struct ez_ranks *to, struct ez_ranks *from);
/* Adds the state of d's process to n->news if the state has changed. Does nothing during a
 * claim. */
void ez_node_note_state(struct ez_node *n, struct ez_driver *d);
/* Returns the pending request with this id, or NULL if there is none (any more). */
struct ez_asking *ez_node_find_asking(struct ez_node *n, long id);
/* Appends m to the array `members` of the reply, which owns m from then on. */
void ez_node_put_member(struct ez_asking *a, struct json_object *m);
/* If all drivers and children have answered the request, sends the reply and frees the request. */
void ez_node_check(struct ez_node *n, struct ez_asking *a);
/* Sends the reply, with the list of the ranks that have not answered, and frees the request. Called
 * at the deadline. */
void ez_node_give_up(struct ez_node *n, struct ez_asking *a);
void ez_node_free_asking(struct ez_asking *a);

/* node_clock.c. ez_node_clock starts the comparison with the parent's clock. ez_node_clock_message
 * handles a message from node `from` that belongs to a comparison; returns false if the message
 * does not. */
void ez_node_clock(struct ez_node *n, struct ez_asking *a);
bool ez_node_clock_message(struct ez_node *n, uint32_t from, const char *line);
/* node_file.c. ez_node_read handles the request `read`. ez_node_stats adds one rank's answer to
 * `stats -json` to the reply's sums. */
void ez_node_read(struct ez_node *n, struct ez_asking *a);
void ez_node_stats(struct ez_asking *a, uint32_t rank, struct json_object *answer);

/* node_sums.c. ez_node_window adds one rank's answer to `info aggregates -json` to the reply's
 * sums. ez_node_operation returns the user's function FILE:FUNC (name), and loads it at the first
 * call; NULL if it cannot be loaded. The node owns the function. */
void ez_node_window(struct ez_node *n, struct ez_asking *a, uint32_t rank,
                    struct json_object *answer);
struct ez_operation *ez_node_operation(void *arg, const char *name);

/* Handles the request `take`: starts a driver for each process of this node (node_claim.c). The
 * request is {"members": [{"rank", "pid", "node", "wall", "held", "offered", "rules", "others",
 * "keeps"}], "blind", "before", "then"}. */
void ez_node_claim(struct ez_node *n, struct ez_asking *a);
/* Handles a driver's answer to a step of its claim. Returns false if the answer is not to a claim,
 * or ends the claim: the caller must add it to the reply. */
bool ez_node_claim_answer(struct ez_node *n, struct ez_driver *d,
                          const struct ez_pending_request *pending, struct json_object *answer);

#endif
