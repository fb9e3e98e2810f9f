/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node.h - a daemon: one node of the tree, with the processes of its host.
 *
 * A request goes from the front end to the root, and from each node to its children. Each node
 * passes it to its own drivers, merges their answers and those of its children (reply.h), and
 * sends one reply up: when all have answered, or at the deadline, with the list of those that have
 * not. Nothing blocks: a hanging driver or host delays no other request. At the request "end" each
 * driver releases its process. If the root's input ends without that request, the front end is
 * lost, or the daemons' launcher; the root cannot tell which. The drivers are then killed, and
 * probes stay for a later shell.
 *
 *   node.c       the loop, requests, drivers      node_reply.c   events and replies to the parent
 *   node_claim.c brings a process under a driver  node_clock.c   offsets of hosts' clocks
 *   node_file.c  files, statistics                node_sums.c    windows of aggregates
 *
 * Requests are lines of JSON (doc/JOBS.md): {"id", "do", "ranks", "ms", "most", ...}, where "do"
 * is hello, find, take, command, interrupt, window, stats, read, clock, let-go or end.
 * Tests: tests/procs/jobs.sh, tests/procs/job_mpi.sh */
#ifndef EZ_NODE_H
#define EZ_NODE_H

#include "engine/jobs/crew.h"
#include "engine/jobs/reply.h"
#include "engine/jobs/tree.h"

struct ez_asking {         /* a pending request */
    struct ez_reply reply; /* merged answers so far */
    struct ez_ranks wait;  /* own ranks without an answer */
    struct ez_ranks children;
    uint64_t deadline; /* ns */
    struct json_object *request;
};

struct ez_op {
    char *name;
    struct ez_operation op;
};

struct ez_node {
    struct ez_tree tree;
    struct ez_crew crew;
    struct ez_roster roster; /* all members, with their nodes */
    EZ_VEC(struct ez_asking *) asking;
    struct ez_reply news;       /* events, and states, not sent yet */
    uint64_t news_since;        /* time of the oldest unsent event; 0 = none */
    uint64_t termed;            /* time of SIGTERM; 0 = none */
    EZ_VEC(struct ez_op) ops;   /* loaded functions of the user */
    EZ_VEC(char) input, output; /* of the root: incomplete line of input; unsent output */
    struct {                    /* node_clock.c: comparison of the parent's clock with this
                                 * host's */
        int64_t offset, best;   /* ns; best: the shortest round trip */
        unsigned left;          /* remaining rounds */
        long asking;
    } clock;
    bool end, lost; /* lost: the input ended without the request "end" */
};

/* Runs a daemon to its end. eztsh: program of the drivers. */
ez_err *ez_node_run(int argc, char **argv, const char *eztsh) EZ_WUR;

/* node_reply.c. ez_node_flush writes the root's unsent output. */
void ez_node_flush(struct ez_node *n);
/* Sends an event of a driver's process to the front end; takes `event`. */
void ez_node_send_event(struct ez_node *n, struct ez_driver *d, struct json_object *event);
/* Notes the time of the oldest unsent event; the caller has added one to `news`. */
void ez_node_news(struct ez_node *n);
void ez_node_send_news(struct ez_node *n);
/* Moves states into a reply; they replace earlier states of the same ranks. */
void ez_node_states(struct ez_ranks *to, struct ez_ranks *from);
/* Reports a changed state. During a claim the state is reported only when the claim is complete. */
void ez_node_note_state(struct ez_node *n, struct ez_driver *d);
struct ez_asking *ez_node_find_asking(struct ez_node *n, long id); /* NULL: answered, or none */
/* Adds an object to the reply's `members`; takes m. */
void ez_node_put_member(struct ez_asking *a, struct json_object *m);
/* Sends the answer to a request if no rank or child is pending. */
void ez_node_check(struct ez_node *n, struct ez_asking *a);
/* Answers at the deadline and names the ranks without an answer. */
void ez_node_give_up(struct ez_node *n, struct ez_asking *a);
void ez_node_free_asking(struct ez_asking *a);

/* node_clock.c. ez_node_clock starts the comparison with the parent's clock. ez_node_clock_message
 * returns false if the message is not about clocks. */
void ez_node_clock(struct ez_node *n, struct ez_asking *a);
bool ez_node_clock_message(struct ez_node *n, uint32_t from, const char *line);
/* node_file.c */
void ez_node_read(struct ez_node *n, struct ez_asking *a);
void ez_node_stats(struct ez_asking *a, uint32_t rank,
                   struct json_object *answer); /* from an answer to `stats -json` */

/* node_sums.c. ez_node_window adds an answer to `info aggregates -json`. ez_node_operation returns
 * a function of the user, which the first call loads; NULL if that is impossible. */
void ez_node_window(struct ez_node *n, struct ez_asking *a, uint32_t rank,
                    struct json_object *answer);
struct ez_operation *ez_node_operation(void *arg, const char *name);

/* Starts a claim (node_claim.c): {"members": [{"rank", "pid", "node", "held", "offered", "rules",
 * "others", "keeps"}], "before", "then"}. */
void ez_node_claim(struct ez_node *n, struct ez_asking *a);
/* Handles an answer to a step of a claim. Returns true if the claim continues for this driver. */
bool ez_node_claim_answer(struct ez_node *n, struct ez_driver *d,
                          const struct ez_pending_request *pending, struct json_object *answer);

#endif
