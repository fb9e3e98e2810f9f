/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front.h - the front end of a job: its processes, contexts, and the daemons that drive them.
 *
 * The shell has one job at most. It owns two child processes: the launcher of the program (`mpirun`, or the program
 * itself, held), and that of the daemons: `eztsh --daemon` for this host alone, or `mpirun ... eztsh --daemon`, one a host.
 * Both have process groups of their own, so that Ctrl-C reaches the shell alone. Neither needs the shell: if it is killed, the
 * daemons' input ends, and they end with their drivers, whose processes go on as those of any killed shell do.
 *
 * Requests are asynchronous: ez_front_request() sends one, ez_front_read() takes what has come, ez_front_reply() has the
 * reply. What happens without a request comes through `news`.
 *   front.c  requests, replies, members     front_start.c  the two processes
 * Tests: tests/procs/jobs.sh */
#ifndef EZ_FRONT_H
#define EZ_FRONT_H

#include "engine/base/err.h"
#include "engine/ezt.h"
#include "engine/base/child.h"
#include "engine/jobs/context.h"
#include "engine/jobs/reply.h"
#include "engine/ring/job.h"

struct ez_traced {
    uint32_t rank;       /* EZ_NO_RANK: the job's own, on this host                        */
    char *path, *here;   /* as its rank's host has it; absolute, if this host has it, too  */
    EZ_VEC(char *) copy; /* that `job gather` made here, absolute; the last is the newest  */
    bool whole;          /* nothing was written after the newest was made                 */
};

struct
    ez_replayed { /* a command that members keep: a probe, an aggregate, a setting               */
    char *line;
    bool probe, all;       /* all: also those that come later are told                 */
    struct ez_ranks ranks; /* else these                                               */
};

struct ez_front {
    struct ez_roster roster;
    struct ez_contexts contexts;
    char *token;  /* of the job, by which its processes are found                       */
    char *dir;    /* where the daemons were started, to which names of traces belong    */
    char *before; /* settings of each driver, lines                                     */
    EZ_VEC(struct ez_replayed) replayed; /* for those that come later, or get another driver      */
    bool tree;            /* of processes: children that are forked belong to it                 */
    bool attached;        /* it was not launched here                                            */
    pid_t tool, launcher; /* tool: of the daemons                                       */
    char *tool_name;
    int tool_status;     /* when it has ended                                             */
    int launcher_status; /* its code, or 128 and the signal                               */
    bool launcher_ended;
    struct ez_outbox box; /* what the root daemon has not read yet                         */
    int in, out; /* of the root daemon; -1 = it has ended                                  */
    unsigned nodes, size; /* size: of the job, as its launcher tells; 0 = not known        */
    unsigned patience_ms; /* `set job-timeout`                                             */
    long last_id;
    unsigned last_ms; /* the time that the last request has for its answer                */
    EZ_VEC(char) got;
    EZ_VEC(struct ez_reply) reply;  /* that nobody has taken yet                            */
    EZ_VEC(char *) host;            /* of each node                                            */
    EZ_VEC(int64_t) wall;           /* of each node: what its clock lacks to that of node 0, ns */
    unsigned fanout;                /* of the tree                                             */
    EZ_VEC(struct ez_traced) trace; /* files that members have written, and write         */
    struct ez_accounting ended;     /* of programs that members executed before            */
    void (*news)(struct ez_reply *news, void *arg); /* which it may take the parts of */
    void *arg;
};

/* A job without daemons. */
struct ez_front *ez_front_create(void);
/* Starts them, or starts them anew after they have ended. launcher: argv up to what it starts, NULL = on this host alone. */
ez_err *ez_front_start(struct ez_front *f, char *const *launcher) EZ_WUR;
/* Of the reply to `hello`: which nodes there are. */
void ez_front_nodes(struct ez_front *f, const struct ez_reply *r);
/* Of the reply to `clock`. */
void ez_front_clocks(struct ez_front *f, const struct ez_reply *r);
/* Their input is closed, and their end is awaited: 10 s, then they are killed. */
void ez_front_wait_tool(struct ez_front *f);
/* Why the daemons do not answer any more: EZ_E_GONE. */
ez_err *ez_front_ended(const struct ez_front *f) EZ_WUR;
/* Ends the daemons: all processes are let go. Waits 10 s at most. Does not end the launcher. */
void ez_front_free(struct ez_front *f);

/* Starts argv, of which each process is to be `eztsh-hold -job TOKEN`. It reads our standard input, or nothing. place: NULL = where we are. */
ez_err *ez_front_launch(struct ez_front *f, char *const *argv, bool reads,
                        const struct ez_child_place *place) EZ_WUR;
/* Has the launcher ended? It is asked without waiting. So have its processes, then, those that nobody sees, too. */
bool ez_front_launcher_ended(struct ez_front *f);

/* A launcher whose processes have all ended gets time to end, too: a signal then makes Open MPI's crash. */
void ez_front_let_launcher_end(struct ez_front *f);
/* Ends the launcher, and all that it started on this host: SIGTERM, then SIGKILL; waits for it. */
void ez_front_kill_launcher(struct ez_front *f);

/* Sends {"do": what, ...}; takes `request`, which may be NULL. */
ez_err *ez_front_request(struct ez_front *f, const char *what, struct json_object *request,
                         long *id) EZ_WUR;
/* For members of `ranks`; `each`: no answers are left out. */
ez_err *ez_front_command(struct ez_front *f, const struct ez_ranks *ranks, const char *command,
                         bool each, long *id) EZ_WUR;
/* Takes what has come, without waiting. EZ_E_GONE: the daemons have ended, and those that live are blind. (Where none lives,
 * nothing is said: ez_front_ended() tells it to who asks the daemons something.) */
ez_err *ez_front_read(struct ez_front *f) EZ_WUR;
/* true: *out is the reply to that request, and the caller's to free. */
bool ez_front_reply(struct ez_front *f, long id, struct ez_reply *out);

/* Of the reply to `find`: members that are not in the roster yet are put there, HELD, each with the node that drives it. Where several
 * nodes are on one host, they share its processes. Answers how many are new. */
size_t ez_front_found(struct ez_front *f, const struct ez_reply *r);
/* `take` for all HELD members of `ranks`, or all BLIND ones, which have their probes; of these, those that are let go at once are not
 * told what the others were. then: "continue &" or "". */
enum ez_claim { EZ_CLAIM_HELD, EZ_CLAIM_BLIND, EZ_CLAIM_TO_RELEASE };
ez_err *ez_front_claim(struct ez_front *f, const struct ez_ranks *ranks, enum ez_claim which,
                       const char *then, long *id) EZ_WUR;
/* A trace that a member writes, or the job itself; the name belongs to that folder, NULL = it is not known. */
void ez_front_note_trace(struct ez_front *f, uint32_t rank, const char *path, const char *dir);
/* ranks: NULL = all, those too that come later. */
void ez_front_add_rule(struct ez_front *f, const char *line, bool probe,
                       const struct ez_ranks *ranks);

#endif
