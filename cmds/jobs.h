/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jobs.h - a session with a job: many processes, each under an eztsh of its own (engine/jobs/front.h).
 *
 *   jobs.c       what the session keeps, what comes, merged answers     job.c        job ...; job_attach.c: job attach
 *   job_route.c  commands that go to the members                        job_start.c  launchers' command lines
 *   job_end.c    job detach|kill|reattach
 *   job_slurm.c  srun, and daemons beside the ranks of Slurm's jobs
 *   job_sums.c   aggregates, job_aggregates.c  a table of them           job_windows.c  their values as a trace
 *   job_files.c  files of other hosts, statistics where they are
 *   context.c    contexts                                              inferior.c   trees of processes
 *
 * Tests: tests/procs/jobs.sh */
#ifndef EZ_JOBS_H
#define EZ_JOBS_H

#include "config.h"

#include "cmds/cmd.h"
#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/ezt.h"
#include "engine/jobs/front.h"

struct ez_sess;

/* `eztsh --daemon`: drives processes of this host, for a front end at standard input and output. With --daemon=mpi it becomes the
 * daemon that was built for the MPI whose launcher has started it. Answers the exit status. */
int jobs_daemon(int argc, char **argv);
/* For the loop: what poll() is to wait for, -1 = nothing; and what has come, printed. */
int jobs_fd(const struct ez_sess *s);
void jobs_heard(struct ez_sess *s);
/* When the next window of aggregates is due, in milliseconds; -1 = none is. jobs_tick() asks for it. */
int jobs_tick_ms(const struct ez_sess *s);
void jobs_tick(struct ez_sess *s);
/* `info aggregates` of a job; by: 0, 1 = host, 2 = rank. */
ez_err *jobs_info_aggregates(struct ez_sess *s, unsigned by) EZ_WUR;
/* The prompt: the setting, with the context where there is a job. Lives until the command returns. */
const char *jobs_prompt(struct ez_sess *s);
/* Ends the job at the end of the session: what was launched is killed, what was attached to goes on. */
void jobs_end(struct ez_sess *s);

/* Of the machine interface: RUNNING if any member runs, else STOPPED if any stands, else NONE. */
enum ez_state jobs_state(const struct ez_sess *s);
/* Does any member live? Was the job launched here? */
bool jobs_any_live(const struct ez_sess *s);
bool jobs_launched(const struct ez_sess *s);
/* The traces of members that can be read here. EZ_E_STATE: there are none. */
struct parse_list;
ez_err *jobs_traces(struct ez_sess *s, struct parse_list *out) EZ_WUR;

/* What `info probes` of a member has of that probe: "location", "function". EZ_E_NOTFOUND. ranks: NULL = the default. */
struct ez_ranks;
ez_err *jobs_probe(struct ez_sess *s, const struct ez_ranks *ranks, uint64_t number,
                   const char *what, const char **out) EZ_WUR;

/* `stats -job`. */
ez_err *jobs_stats(struct ez_sess *s, uint64_t top) EZ_WUR;

/* Does a command line go to the members of the job? */
bool jobs_routes(const struct ez_sess *s, const struct ez_cmd *c, const char *name,
                 const char *text);
ez_err *jobs_command(struct ez_sess *s, const struct ez_cmd *c, const char *name,
                     const char *text) EZ_WUR;
/* The context at *p, behind -c: an expression, or what stands in quotes. *p is moved behind it. NULL: there is none. */
const char *jobs_context_word(struct ez_sess *s, const char **p);
/* `run` under `set follow-fork-mode all`: the program and all its children are a job. */
bool jobs_run_follows_all(const struct ez_sess *s);
ez_err *jobs_run(struct ez_sess *s, bool stop) EZ_WUR;
ez_err *jobs_attach(struct ez_sess *s, pid_t pid) EZ_WUR;

struct job_sum { /* of `aggregate` */
    int number;
    char *id, *of, *title, *operation, *plugin; /* id, of: reduce.h; plugin: FILE:FUNC, or NULL */
    struct ez_ranks ranks;                      /* the context is part of what it is     */
    bool all;                                   /* also those that come later            */
    char *command;                              /* what members were told                   */
    uint64_t every_ns, every_hits;              /* 0 = not                                  */
    bool at_end;
    bool tried, bad; /* the plugin, on values that occurred */
    uint64_t next_ns, printed_hits;
    double printed_sum;                /* over all keys, as the last window had it             */
    EZ_VEC(struct ez_own) printed_own; /* of `own`: sorted by rank                             */
};

struct job {
    struct ez_front *front;
    char *context;     /* the default: an expression                                 */
    char *what;        /* "mpirun -np 4 ./app"                                       */
    bool foreground;   /* the program has the terminal while the shell waits for it  */
    bool over;         /* all have ended, and that was told                          */
    char **tool;       /* how the daemons were started; NULL = on this host          */
    uint64_t began;    /* ns                                                          */
    long window;       /* the request of a window that has not come; 0 = none         */
    long clock;        /* the same of clocks                                          */
    uint64_t clock_ns; /* when they are compared next; 0 = never: there is one host   */
    EZ_VEC(struct job_sum) sums;
    bool series_begun;        /* or not wanted, or impossible                           */
    struct ez_series *series; /* windows of aggregates                                     */
    bool waits;           /* for a reply: what happens meanwhile is told in front of it, together */
    struct ez_reply news; /* that */
};

/* The members that an expression means; NULL = the default. EZ_E_STATE: there is no job. */
ez_err *jobs_ranks(struct ez_sess *s, const char *expr, struct ez_ranks *out) EZ_WUR;
/* Warns of ranks that an expression names, and nobody has. */
void jobs_print_missing(struct ez_sess *s, const char *expr);
/* EZ_E_STATE: there is no job. */
ez_err *jobs_need(const struct ez_sess *s) EZ_WUR;
/* Is any of them in one of the states (1u << state)? ranks: NULL = all. */
bool jobs_any_in(const struct ez_sess *s, unsigned states, const struct ez_ranks *ranks);
/* Waits for the reply to a request. EZ_E_QUIT: Ctrl-C; EZ_E_GONE. */
ez_err *jobs_await(struct ez_sess *s, long id, struct ez_reply *out) EZ_WUR;
/* ez_front_request() with the time that `set job-timeout` gives now. */
ez_err *jobs_request(struct ez_sess *s, const char *what, struct json_object *request,
                     long *id) EZ_WUR;
/* "[1] no answer within 10 s." of those; NULL = there are none. told: what they answer later is printed. */
ez_err *jobs_late(struct ez_sess *s, const struct ez_ranks *late, bool told) EZ_WUR;
/* Has members run a command line, and waits for what they answer. */
ez_err *jobs_run_on(struct ez_sess *s, const struct ez_ranks *ranks, const char *command, bool each,
                    struct ez_reply *out) EZ_WUR;
/* Prints a reply: equal answers once. The error says who failed, if anybody did. */
ez_err *jobs_print(struct ez_sess *s, const struct ez_reply *r, bool each) EZ_WUR;
/* Prints failures alone. */
ez_err *jobs_print_failed(struct ez_sess *s, const struct ez_reply *r) EZ_WUR;
/* Does the context (NULL = the default) mean those that come later, too? */
bool jobs_means_all(const struct ez_sess *s, const char *context);
/* job_route.c: these may have other probes now. How many of them their next drivers would find is asked, and kept. */
void jobs_note_probes(struct ez_sess *s, const struct ez_ranks *ranks);
/* job_clock.c: wall clocks of several hosts are compared at the begin, and from time to time. */
ez_err *jobs_clocks(struct ez_sess *s) EZ_WUR;
void jobs_clocks_tick(struct ez_sess *s);
void jobs_clocks_came(struct ez_sess *s);
/* job_sums.c: the window that was asked for may have come; the last one, when all have ended. */
void jobs_window_came(struct ez_sess *s);
void jobs_sums_end(struct ez_sess *s);
/* job_windows.c: a value of an aggregate goes into the job's own trace, and, beside it, the window's (NAN = it has none).
 * time: they are in nanoseconds. */
void jobs_record(struct ez_sess *s, const struct job_sum *x, const struct ez_sum *sum, double value,
                 double window, bool time);
/* "[0-3] " before what members say; "" where only one is meant. */
const char *jobs_who(struct ez_sess *s, const struct ez_ranks *ranks);
/* Ranks that run, of those given, go on or are waited for until all stand, or Ctrl-C, which interrupts them. */
ez_err *jobs_wait_stand(struct ez_sess *s, const struct ez_ranks *ranks) EZ_WUR;
/* A new job, without daemons; and these, which `tool` starts, NULL = one on this host. Takes it. */
ez_err *jobs_begin(struct ez_sess *s, const char *what, bool tree) EZ_WUR;
ez_err *jobs_daemons(struct ez_sess *s, char **tool) EZ_WUR;
/* Brings members that were found, or that are blind, under drivers. */
ez_err *jobs_bring(struct ez_sess *s, enum ez_claim which) EZ_WUR;
/* job_end.c: members of a job that goes on are let go in order; who keeps its probes is named. */
void jobs_let_go(struct ez_sess *s);
/* Sends `find`, and puts what is found into the roster: *fresh are new. The caller frees *out. */
ez_err *jobs_search(struct ez_sess *s, struct json_object *find, struct ez_reply *out,
                    size_t *fresh) EZ_WUR;
/* Asks the daemons for the processes with the job's token, until there are `want` (0 = once). */
ez_err *jobs_find(struct ez_sess *s, unsigned want) EZ_WUR;

/* job_sums.c. All that ever had a driver that lives: those that have ended keep their last values. */
void jobs_sums_ranks(struct ez_sess *s, struct ez_ranks *out);
/* What the aggregates of these have found by now. */
ez_err *jobs_sums_window(struct ez_sess *s, const struct ez_ranks *ranks,
                         struct ez_reply *out) EZ_WUR;
/* A value, or a time; NAN is "-". */
const char *jobs_sums_number(struct ez_sess *s, bool ns, double v);

/* What the trace lost, and what not, over all members. */
void jobs_print_accounting(struct ez_sess *s);
/* The same, and the traces of members are noted. false: nobody has answered. asked: who has; of whom has not in time it is
 * said what is missed: `without`. */
struct ez_accounting;
bool jobs_request_accounting(struct ez_sess *s, struct ez_accounting *sum,
                             struct ez_ranks *requested, const char *without);
#define ACCOUNTING_UNWRITTEN "what they have not written yet is not in their traces"
/* job_files.c: the newest copy of a trace, NULL = there is none, or none any more. */
const char *jobs_trace_copy(const struct ez_traced *t);
/* The session's own settings, for drivers to come. */
void jobs_settings(struct ez_sess *s);
/* inferior.c: processes have forked; the child of each is held. */
void inferior_forked(struct ez_sess *s, const struct ez_group *g, struct json_object *event);

/* job_attach.c. A process of this host becomes a member, once, also by the number of a thread. EZ_E_ARG: it is this shell, or one that works for it. */
ez_err *jobs_add_pid(struct ez_sess *s, pid_t pid) EZ_WUR;
/* Who are the daemons? Asked once, before all else. */
ez_err *jobs_hello(struct ez_sess *s) EZ_WUR;
/* Starts the program, held, of a tree of processes. */
ez_err *jobs_launch_tree(struct ez_sess *s, const char *program) EZ_WUR;

/* job_start.c: [-launcher CMD] [-daemons N] OPTIONS PROG ARGS as argv of the launcher and of the daemons' launcher, each
 * ended by NULL, in memory of the session's. */
struct job_line {
    char **launch; /* up to the program                    */
    char **
        prog; /* the program and its arguments; further blocks, with jobs_held before each program */
    char **tool; /* NULL = one daemon, on this host       */
    unsigned np; /* 0 = not given                        */
    bool srun;   /* where daemons go is known when it has started the ranks: jobs_slurm_daemons() */
    uint64_t daemons; /* 0 = not given: one a host              */
};
extern char jobs_held[]; /* stands for `eztsh-hold -job TOKEN` */
ez_err *job_line(struct ez_sess *s, char **words, int n, struct job_line *out) EZ_WUR;

/* job_slurm.c. How many words an option of srun takes as its value. */
int jobs_srun_values(struct ez_sess *s, const char *word);
/* Waits until the launcher, an srun, has started all ranks, and starts daemons beside them. */
ez_err *jobs_slurm_daemons(struct ez_sess *s, const struct job_line *line) EZ_WUR;
/* How to start daemons beside the ranks that this srun has started; NULL = here, or it is none. The caller frees it. */
char **jobs_slurm_of(struct ez_sess *s, pid_t srun);
/* The same on all nodes of the allocation that we are in; NULL = in none, or in one of this node. In memory of the session's. */
char **jobs_slurm_allocation(struct ez_sess *s, uint64_t daemons);
/* The launcher has ended before the job began. */
ez_err *jobs_launch_failed(struct ez_sess *s) EZ_WUR;
/* "mpirun -np 4 ./app" */
const char *jobs_words_text(struct ez_sess *s, char **words);
/* How many processes on how many hosts there are, and `how`. */
void jobs_say(struct ez_sess *s, const char *how);
/* A copy of words that end with NULL; NULL of NULL. */
char **jobs_copy(char *const *words);

#endif
