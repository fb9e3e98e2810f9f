/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front.h - the front end of a job: its processes, contexts, and the daemons that drive them.
 *
 * The shell has at most one job. It owns two child processes: the launcher of the program
 * (`mpirun`, or the program itself, held), and the launcher of the daemons: `eztsh --daemon` for
 * this host alone, or `mpirun ... eztsh --daemon`, one a host. Each has its own process group, so
 * that only the shell gets Ctrl-C. Neither needs the shell. If the shell is killed, the daemons'
 * input ends, and they end with their drivers. Their processes then run on, as after the death of
 * any shell.
 *
 * Requests are asynchronous: ez_front_request() sends one, ez_front_read() reads the input,
 * ez_front_reply() returns the reply. Events that no request caused come through `news`.
 *
 *   front.c  requests, replies, members     front_start.c  the two processes
 *
 * Tests: tests/procs/jobs.sh */
#ifndef EZ_FRONT_H
#define EZ_FRONT_H

#include "engine/base/err.h"
#include "engine/ezt.h"
#include "engine/base/child.h"
#include "engine/jobs/context.h"
#include "engine/jobs/reply.h"
#include "engine/record/job.h"

struct ez_traced {
    uint32_t rank;       /* EZ_NO_RANK: the job's own trace, on this host */
    char *path, *here;   /* path: on the rank's host; here: absolute path on this host, if it has
                          * the file */
    EZ_VEC(char *) copy; /* copies by `job gather`, absolute; the newest last */
    bool whole;          /* nothing was written after the newest copy */
};

struct ez_replayed { /* a rule: a command for members (a probe, an aggregate, a setting) that is
                   * repeated for later drivers */
    char *line;
    bool probe, all;       /* all: includes later members */
    struct ez_ranks ranks; /* members, unless `all` */
};

struct ez_front {
    struct ez_roster roster;
    struct ez_contexts contexts;
    char *token;  /* token by which the job's processes are found */
    char *dir;    /* directory of the daemons; names of traces are relative to it */
    char *before; /* settings for each driver, lines */
    EZ_VEC(struct ez_replayed) replayed; /* rules for later members and new drivers */
    bool tree;                           /* a tree of processes: forked children are members */
    bool attached;                       /* the job was attached to, not launched */
    pid_t tool, launcher;                /* tool: launcher of the daemons */
    char *tool_name;
    int tool_status;     /* exit status, once it has ended */
    int launcher_status; /* exit code, or 128 + signal */
    bool launcher_ended;
    struct ez_outbox box;      /* requests that the root daemon has not read yet */
    int in, out;               /* of the root daemon; -1 = it has ended */
    unsigned nodes, size;      /* size: of the job, as the launcher reports; 0 = not known */
    const unsigned *timeout_s; /* timeout of a request, seconds; read at each request */
    long last_id;
    unsigned last_ms; /* timeout of the last request, ms */
    EZ_VEC(char) got;
    EZ_VEC(struct ez_reply) reply;  /* replies that nobody fetched yet */
    EZ_VEC(char *) host;            /* host of each node */
    EZ_VEC(int64_t) wall;           /* of each node: correction of its clock to that of node 0,
                                     * ns */
    unsigned fanout;                /* children of a node of the tree */
    EZ_VEC(struct ez_traced) trace; /* traces of members, finished or not */
    struct ez_accounting ended;     /* accounting of programs before an exec */
    /* callback for events; may move parts out of `news` */
    void (*news)(struct ez_reply *news, void *arg);
    void *arg;
};

/* Creates a job without daemons. *timeout_s is the timeout of each request from then on, in seconds:
 * the caller keeps it alive, and may change it. */
struct ez_front *ez_front_create(const unsigned *timeout_s);
/* Starts the daemons, also again after they have ended. launcher: argv before the daemon; NULL =
 * this host alone. */
ez_err *ez_front_start(struct ez_front *f, char *const *launcher) EZ_WUR;
/* Reads the nodes from the reply to `hello`. */
void ez_front_nodes(struct ez_front *f, const struct ez_reply *r);
/* Reads the clocks' offsets from the reply to `clock`. */
void ez_front_clocks(struct ez_front *f, const struct ez_reply *r);
/* Closes the daemons' input and waits for their end: 10 s, then kills them. */
void ez_front_wait_tool(struct ez_front *f);
/* Returns the reason why the daemons do not answer: EZ_E_GONE. */
ez_err *ez_front_ended(const struct ez_front *f) EZ_WUR;
/* Ends the daemons, which releases all processes. Waits at most 10 s. Does not end the launcher. */
void ez_front_free(struct ez_front *f);

/* Starts argv; each of its processes must be `eztsh-hold -job TOKEN`. `reads`: inherits the
 * shell's standard input, else gets none. place: NULL = the shell's. */
ez_err *ez_front_launch(struct ez_front *f, char *const *argv, bool reads,
                        const struct ez_child_place *place) EZ_WUR;
/* Returns true if the launcher has ended, without waiting. Then its processes have ended, too,
 * also blind ones. */
bool ez_front_launcher_ended(struct ez_front *f);

/* Gives a launcher whose processes have all ended time to end: a signal would crash Open MPI's. */
void ez_front_let_launcher_end(struct ez_front *f);
/* Ends the launcher and all its processes on this host with SIGTERM, then SIGKILL; waits for the
 * launcher. */
void ez_front_kill_launcher(struct ez_front *f);

/* Sends {"do": what, ...}; takes `request`, which may be NULL. */
ez_err *ez_front_request(struct ez_front *f, const char *what, struct json_object *request,
                         long *id) EZ_WUR;
/* Sends a command to the members of `ranks`; `each`: keeps all answers. */
ez_err *ez_front_command(struct ez_front *f, const struct ez_ranks *ranks, const char *command,
                         bool each, long *id) EZ_WUR;
/* Reads the available input without waiting. EZ_E_GONE: the daemons have ended, and live members
 * are blind. (Without live members there is no error here: ez_front_ended() reports it to the next
 * request.) */
ez_err *ez_front_read(struct ez_front *f) EZ_WUR;
/* Returns true if the reply to that request has come; the caller frees *out. */
bool ez_front_reply(struct ez_front *f, long id, struct ez_reply *out);

/* Adds new members from the reply to `find` to the roster, HELD, each with its node. Nodes on one
 * host share the processes. Returns the number of new members. */
size_t ez_front_found(struct ez_front *f, const struct ez_reply *r);
/* Sends `take` for all HELD members of `ranks`, or for all BLIND ones, which have their probes.
 * EZ_CLAIM_TO_RELEASE: BLIND members to be released at once, which get no rules. then: "continue
 * &" or "". */
enum ez_claim { EZ_CLAIM_HELD, EZ_CLAIM_BLIND, EZ_CLAIM_TO_RELEASE };
ez_err *ez_front_claim(struct ez_front *f, const struct ez_ranks *ranks, enum ez_claim which,
                       const char *then, long *id) EZ_WUR;
/* Notes a trace that a member, or the job itself, writes. The path is relative to dir; NULL = not
 * known. */
void ez_front_note_trace(struct ez_front *f, uint32_t rank, const char *path, const char *dir);
/* Adds a rule. ranks: NULL = all members, also later ones. */
void ez_front_add_rule(struct ez_front *f, const char *line, bool probe,
                       const struct ez_ranks *ranks);

#endif
