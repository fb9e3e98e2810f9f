/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front.h - the front end of a job: its processes, contexts, and the daemons that drive them.
 *
 * The shell has at most one job. A job has two child processes of the shell: the launcher of the
 * program (`mpirun`, or eztsh-hold with the program; none after `job attach`), and the launcher of
 * the daemons: `eztsh --daemon` for this host alone, or a command such as `mpirun ... eztsh
 * --daemon=mpi`. Each child has its own process group, so that only the shell gets Ctrl-C. If the
 * shell is killed, the daemons' input ends, and the daemons end with their drivers. The traced
 * processes continue, as after the death of any shell.
 *
 * Requests are asynchronous: ez_front_request() sends a request, ez_front_read() reads the daemons'
 * output, ez_front_reply() returns a reply. Events that are not part of a reply are passed to the
 * callback `news`.
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

/* A trace file that a member or the job itself has written or is writing. */
struct ez_traced {
    uint32_t rank; /* EZ_NO_RANK: the job's own trace, on this host */
    /* path: as the rank's driver reported it; here: `path` made absolute with the directory of the
     * daemons */
    char *path, *here;
    EZ_VEC(char *) copy; /* absolute paths of copies that `job gather` made; the newest last */
    bool whole;          /* the newest copy is complete: the trace was not written after it */
};

/* a rule: a command for members (a probe, an aggregate, a setting) that later drivers run, too */
struct ez_replayed {
    char *line;
    /* probe: the command plants probes; all: the command also applies to members that join later */
    bool probe, all;
    struct ez_ranks ranks; /* the members to which the rule applies, unless `all` */
};

struct ez_front {
    struct ez_roster roster;
    struct ez_contexts contexts;
    char *token;  /* text by which the job's processes are found (crew.h) */
    char *dir;    /* working directory of the daemons, to which names of traces are relative */
    char *before; /* lines of commands (settings) that each driver runs before it attaches */
    EZ_VEC(struct ez_replayed) replayed; /* the rules */
    /* the job is a tree of processes: forked children become members */
    bool tree;
    bool attached; /* `job attach` began the job, not `job run` */
    /* tool: launcher of the daemons; launcher: launcher of the program */
    pid_t tool, launcher;
    char *tool_name;
    int tool_status;     /* exit status of `tool`, once it has ended */
    int launcher_status; /* exit code of `launcher`, or 128 + signal */
    bool launcher_ended;
    struct ez_outbox box; /* requests that the root daemon has not read yet */
    /* in: pipe to the root daemon; out: pipe from it; -1 = the daemon has ended */
    int in, out;
    unsigned nodes, size;      /* nodes: number of daemons; size: number of ranks, 0 = not known */
    const unsigned *timeout_s; /* timeout of a request in seconds, read at each request */
    long last_id;
    unsigned last_ms;              /* timeout of the last request in ms */
    EZ_VEC(char) got;              /* incomplete line of the root daemon's output */
    EZ_VEC(struct ez_reply) reply; /* replies that ez_front_reply() has not returned yet */
    EZ_VEC(char *) host;           /* host name of each node */
    /* for each node: ns to add to the node's wall clock to get the wall clock of node 0 */
    EZ_VEC(int64_t) wall;
    unsigned fanout;                /* maximum number of children of a node of the tree */
    EZ_VEC(struct ez_traced) trace; /* traces of members, finished or not */
    struct ez_accounting ended;     /* sums for programs that members replaced by an exec */
    /* callback for events; may move objects out of `news` */
    void (*news)(struct ez_reply *news, void *arg);
    void *arg;
};

/* Creates a job without daemons. Each request reads its timeout, in seconds, from *timeout_s, which
 * the caller keeps valid and may change. */
struct ez_front *ez_front_create(const unsigned *timeout_s);
/* Starts the daemons. Can be called again after they have ended. launcher: the command that starts
 * the daemons, word by word, without the daemon's own command; NULL = one daemon on this host. */
ez_err *ez_front_start(struct ez_front *f, char *const *launcher) EZ_WUR;
/* Stores in f the nodes' data from the reply to `hello`. */
void ez_front_nodes(struct ez_front *f, const struct ez_reply *r);
/* Stores in f the clocks' offsets from the reply to `clock`. */
void ez_front_clocks(struct ez_front *f, const struct ez_reply *r);
/* Closes the daemons' input, waits at most 10 s for the end of their launcher, and then kills its
 * process group. */
void ez_front_wait_tool(struct ez_front *f);
/* Returns an error that says why the daemons do not answer: EZ_E_GONE. */
ez_err *ez_front_ended(const struct ez_front *f) EZ_WUR;
/* Ends the daemons, which release all processes, and frees f. Waits at most 10 s. Does not end the
 * program's launcher. */
void ez_front_free(struct ez_front *f);

/* Starts the program's launcher with the command argv, which must start `eztsh-hold -job TOKEN` for
 * each process. reads true: the launcher inherits the shell's standard input; false: it reads
 * /dev/null. place: directory and environment; NULL = those of the shell. */
ez_err *ez_front_launch(struct ez_front *f, char *const *argv, bool reads,
                        const struct ez_child_place *place) EZ_WUR;
/* Returns true if the launcher has ended; does not wait. When the launcher has ended, its processes
 * have ended, too, so members in the state BLIND get the state GONE. */
bool ez_front_launcher_ended(struct ez_front *f);

/* If all members have ended, waits at most 2.5 s for the end of the launcher, because Open MPI's
 * launcher crashes if it gets a signal while it ends. */
void ez_front_let_launcher_end(struct ez_front *f);
/* Ends the launcher and its process group with SIGTERM, then with SIGKILL. Waits for the end of the
 * launcher. */
void ez_front_kill_launcher(struct ez_front *f);

/* Sends the request {"do": what, ...} with the JSON members of `request`, which may be NULL. Frees
 * `request`. *id: number of the request, for ez_front_reply(). */
ez_err *ez_front_request(struct ez_front *f, const char *what, struct json_object *request,
                         long *id) EZ_WUR;
/* Sends a command to the members with these ranks. In the reply, equal answers are merged. each
 * true: the reply has all different answers; false: at most EZ_GROUPS_MOST. */
ez_err *ez_front_command(struct ez_front *f, const struct ez_ranks *ranks, const char *command,
                         bool each, long *id) EZ_WUR;
/* Reads the daemons' available output without waiting. EZ_E_GONE: the daemons have ended, and live
 * members are BLIND now. If no member was live, returns NULL, and the next request returns the
 * error. */
ez_err *ez_front_read(struct ez_front *f) EZ_WUR;
/* Returns true if the reply to request id was received, and moves the reply to *out, which the
 * caller frees. */
bool ez_front_reply(struct ez_front *f, long id, struct ez_reply *out);

/* Adds the processes in a reply to `find` that are not members yet to the roster, with the state
 * HELD, and assigns each to a node. If a host has several nodes, its processes are divided among
 * them. Skips a process whose rank a member has: a child inherits the rank. Returns the number of
 * new members. */
size_t ez_front_found(struct ez_front *f, const struct ez_reply *r);
/* Sends the request `take`, which starts drivers for members with these ranks (node_claim.c).
 * EZ_CLAIM_HELD: for the HELD members. EZ_CLAIM_BLIND: for the BLIND members, which still have
 * their probes. EZ_CLAIM_TO_RELEASE: for the BLIND members, whose drivers run no rules, because the
 * caller will release the members. then: the last command of each driver, "continue &" or "". */
enum ez_claim { EZ_CLAIM_HELD, EZ_CLAIM_BLIND, EZ_CLAIM_TO_RELEASE };
ez_err *ez_front_claim(struct ez_front *f, const struct ez_ranks *ranks, enum ez_claim which,
                       const char *then, long *id) EZ_WUR;
/* Adds a trace that a member, or the job itself (EZ_NO_RANK), writes to f->trace. dir: the
 * directory to which a relative path refers; NULL = not known. */
void ez_front_note_trace(struct ez_front *f, uint32_t rank, const char *path, const char *dir);
/* Adds a rule: a command that later drivers run, too. probe: the command plants probes. ranks: the
 * members to which it applies; NULL = all members, also those that join later. */
void ez_front_add_rule(struct ez_front *f, const char *line, bool probe,
                       const struct ez_ranks *ranks);

#endif
