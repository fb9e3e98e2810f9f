/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front.h - the front end of a job: its processes, contexts, and the daemons that drive them.
 *
 * The shell has at most one job. A job has two child processes of the shell: the launcher of the
 * program (`mpirun`, or the program itself, held), and the launcher of the daemons: `eztsh
 * --daemon` for this host alone, or `mpirun ... eztsh --daemon`, which starts one daemon on each
 * host. Each child has its own process group, so that only the shell gets Ctrl-C. If the shell is
 * killed, the daemons' input ends, and the daemons end with their drivers. The traced processes
 * then run on, as after the death of any shell.
 *
 * Requests are asynchronous: ez_front_request() sends one, ez_front_read() reads the input,
 * ez_front_reply() returns the reply. Events that no request caused are passed to the callback
 * `news`.
 *
 *   front.c  requests, replies, members     front_start.c  starts and ends the two launchers
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

/* A trace file that a member, or the job itself, writes. */
struct ez_traced {
    uint32_t rank;       /* EZ_NO_RANK: the job's own trace, on this host */
    char *path, *here;   /* path: name on the rank's host; here: `path`, made absolute with the
                          * directory of the daemons */
    EZ_VEC(char *) copy; /* absolute paths of copies that `job gather` made; the newest last */
    bool whole;          /* the newest copy is the whole trace: nothing was written after it */
};

struct ez_replayed { /* a rule: a command for members (a probe, an aggregate, a setting) that is
                   * repeated for later drivers */
    char *line;
    /* probe: the command plants probes; all: the command also applies to members that join later */
    bool probe, all;
    struct ez_ranks ranks; /* the members to which the rule applies, unless `all` */
};

struct ez_front {
    struct ez_roster roster;
    struct ez_contexts contexts;
    char *token;  /* token by which the job's processes are found */
    char *dir;    /* working directory of the daemons, to which names of traces are relative */
    char *before; /* lines of settings, which each driver runs before it attaches */
    EZ_VEC(struct ez_replayed) replayed; /* commands that later members and new drivers also run */
    bool tree;                           /* a tree of processes: forked children are members */
    bool attached;                       /* `job attach` began the job, not `job run` */
    pid_t tool, launcher;                /* launchers: tool = of the daemons, launcher = of the
                                          * program */
    char *tool_name;
    int tool_status;     /* exit status of `tool`, once that process has ended */
    int launcher_status; /* exit code, or 128 + signal */
    bool launcher_ended;
    struct ez_outbox box;      /* requests that the root daemon has not read yet */
    int in, out;               /* pipes to and from the root daemon; -1 = the daemon has ended */
    unsigned nodes, size;      /* number of daemons; size: number of ranks, 0 = not known */
    const unsigned *timeout_s; /* timeout of a request, seconds; read at each request */
    long last_id;
    unsigned last_ms;               /* timeout of the last request, ms */
    EZ_VEC(char) got;               /* incomplete line of the root daemon's output */
    EZ_VEC(struct ez_reply) reply;  /* replies that ez_front_reply() has not returned yet */
    EZ_VEC(char *) host;            /* host name of each node */
    EZ_VEC(int64_t) wall;           /* for each node: what to add to the node's wall clock to get
                                     * the wall clock of node 0, ns */
    unsigned fanout;                /* maximum number of children of a node of the tree */
    EZ_VEC(struct ez_traced) trace; /* traces of members, finished or not */
    struct ez_accounting ended;     /* sums for programs that members replaced by an exec */
    /* callback for events; may take objects out of `news` */
    void (*news)(struct ez_reply *news, void *arg);
    void *arg;
};

/* Creates a job without daemons. Each request reads its timeout, in seconds, from *timeout_s, which
 * the caller keeps valid and may change. */
struct ez_front *ez_front_create(const unsigned *timeout_s);
/* Starts the daemons, also again after the earlier daemons have ended. launcher: words of the
 * command that starts the daemons, before the daemon's own command; NULL = one daemon on this
 * host. */
ez_err *ez_front_start(struct ez_front *f, char *const *launcher) EZ_WUR;
/* Reads the nodes from the reply to `hello`. */
void ez_front_nodes(struct ez_front *f, const struct ez_reply *r);
/* Reads the clocks' offsets from the reply to `clock`. */
void ez_front_clocks(struct ez_front *f, const struct ez_reply *r);
/* Closes the daemons' input, waits at most 10 s for the end of the daemons, and then kills the
 * remaining ones. */
void ez_front_wait_tool(struct ez_front *f);
/* Returns the reason why the daemons do not answer: EZ_E_GONE. */
ez_err *ez_front_ended(const struct ez_front *f) EZ_WUR;
/* Ends the daemons, which releases all processes. Waits at most 10 s. Does not end the launcher. */
void ez_front_free(struct ez_front *f);

/* Starts the launcher argv. Each process that it starts must be `eztsh-hold -job TOKEN`. reads: the
 * launcher inherits the shell's standard input, otherwise it reads /dev/null. place: directory and
 * environment; NULL = those of the shell. */
ez_err *ez_front_launch(struct ez_front *f, char *const *argv, bool reads,
                        const struct ez_child_place *place) EZ_WUR;
/* Returns true if the launcher has ended; does not wait. If it has ended, its processes have ended,
 * too, so members in the state BLIND get the state GONE. */
bool ez_front_launcher_ended(struct ez_front *f);

/* If all members have ended, waits at most 2.5 s for the launcher to end by itself: Open MPI's
 * launcher crashes if a signal ends it at that moment. */
void ez_front_let_launcher_end(struct ez_front *f);
/* Ends the launcher and all its processes on this host with SIGTERM, then SIGKILL; waits for the
 * launcher. */
void ez_front_kill_launcher(struct ez_front *f);

/* Sends {"do": what, ...} with the members of `request`, which may be NULL; frees `request`. */
ez_err *ez_front_request(struct ez_front *f, const char *what, struct json_object *request,
                         long *id) EZ_WUR;
/* Sends a command to the members of `ranks`. each: the reply has all answers; otherwise equal
 * answers are merged, and at most EZ_GROUPS_MOST different ones are kept. */
ez_err *ez_front_command(struct ez_front *f, const struct ez_ranks *ranks, const char *command,
                         bool each, long *id) EZ_WUR;
/* Reads the available input without waiting. EZ_E_GONE: the daemons have ended, and live members
 * are now BLIND. If no member was live, returns no error: the next request reports the end. */
ez_err *ez_front_read(struct ez_front *f) EZ_WUR;
/* Returns true if the reply to request `id` has come, and moves the reply to *out; the caller frees
 * *out. */
bool ez_front_reply(struct ez_front *f, long id, struct ez_reply *out);

/* Adds the processes in the reply to `find` that are not members yet to the roster, with the state
 * HELD, and assigns each to a node. If a host has several nodes, its processes are divided among
 * them. Returns the number of new members. */
size_t ez_front_found(struct ez_front *f, const struct ez_reply *r);
/* Sends the request `take`, which brings members of `ranks` under drivers (node_claim.c).
 * EZ_CLAIM_HELD: the HELD members. EZ_CLAIM_BLIND: the BLIND members, which still have their
 * probes. EZ_CLAIM_TO_RELEASE: the BLIND members, which run no rules, because the caller will
 * release them. then: the last command, "continue &" or "". */
enum ez_claim { EZ_CLAIM_HELD, EZ_CLAIM_BLIND, EZ_CLAIM_TO_RELEASE };
ez_err *ez_front_claim(struct ez_front *f, const struct ez_ranks *ranks, enum ez_claim which,
                       const char *then, long *id) EZ_WUR;
/* Adds a trace that a member, or the job itself (EZ_NO_RANK), writes. A relative path is relative
 * to dir; dir NULL = not known. */
void ez_front_note_trace(struct ez_front *f, uint32_t rank, const char *path, const char *dir);
/* Adds a rule: a command that later drivers repeat. probe: the command plants probes. ranks: NULL =
 * all members, also those that join later. */
void ez_front_add_rule(struct ez_front *f, const char *line, bool probe,
                       const struct ez_ranks *ranks);

#endif
