/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jobs.h - a session with a job: many processes, each under an eztsh of its own
 * (engine/jobs/front.h).
 *
 *   jobs.c       session state, requests, merged answers    job_wait.c    waiting, incoming events
 *   job.c        job run, info job, info hosts              job_attach.c  job attach
 *   job_start.c  launchers' command lines                   job_life.c    begin and end
 *   job_members.c  the processes of a job, and their drivers
 *   job_route.c  commands that go to the members
 *   job_slurm.c  srun, and daemons beside the ranks of Slurm's jobs
 *   job_sums.c   aggregates                job_windows.c  their values as a trace
 *   job_files.c  files of other hosts, statistics of remote traces
 *   context.c    contexts                  inferior.c  trees of processes
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

/* Runs `eztsh --daemon`: drives processes of this host for a front end at standard input and
 * output. With --daemon=mpi, executes the daemon that was built for the MPI whose launcher started
 * it. Returns the exit status. */
int jobs_daemon(int argc, char **argv);
/* For the loop. jobs_fd returns a descriptor for poll(), -1 if none. jobs_heard prints the
 * incoming events. */
int jobs_fd(const struct ez_sess *s);
void jobs_heard(struct ez_sess *s);
/* jobs_tick_ms returns the milliseconds until the next window of aggregates, -1 if there is none.
 * jobs_tick() requests that window. */
int jobs_tick_ms(const struct ez_sess *s);
void jobs_tick(struct ez_sess *s);
/* Runs `info aggregates` of a job. by: 0 = the whole job, 1 = host, 2 = rank. */
ez_err *jobs_info_aggregates(struct ez_sess *s, unsigned by) EZ_WUR;
/* Returns the prompt: the setting, with the context in a job. Lives until the command returns. */
const char *jobs_prompt(struct ez_sess *s);
/* Ends the job at the end of the session: kills launched members, releases attached ones. */
void jobs_end(struct ez_sess *s);

/* Returns RUNNING if any member runs, else STOPPED if any is stopped, else NONE; for the machine
 * interface. */
enum ez_state jobs_state(const struct ez_sess *s);
/* Return true if any member lives; if this session launched the job. */
bool jobs_any_live(const struct ez_sess *s);
bool jobs_launched(const struct ez_sess *s);
/* Lists the members' traces that are readable here. EZ_E_STATE: there are none. */
struct parse_list;
ez_err *jobs_traces(struct ez_sess *s, struct parse_list *out) EZ_WUR;

/* Returns the cell `what` ("location", "function") of a probe from a member's `info probes`. ranks
 * NULL = the default. EZ_E_NOTFOUND. */
struct ez_ranks;
ez_err *jobs_probe(struct ez_sess *s, const struct ez_ranks *ranks, uint64_t number,
                   const char *what, const char **out) EZ_WUR;

/* Runs `stats -job`. */
ez_err *jobs_stats(struct ez_sess *s, uint64_t top) EZ_WUR;

/* Returns true if a command line goes to the members of the job. */
bool jobs_routes(const struct ez_sess *s, const struct ez_cmd *c, const char *name,
                 const char *text);
ez_err *jobs_command(struct ez_sess *s, const struct ez_cmd *c, const char *name,
                     const char *text) EZ_WUR;
/* Returns the context at *p, after -c: an expression, or quoted text; moves *p past it. Returns
 * NULL if there is none. */
const char *jobs_context_word(struct ez_sess *s, const char **p);
/* jobs_run_follows_all returns true under `set follow-fork-mode all`, where `run` makes a job of
 * the program and all its children. */
bool jobs_run_follows_all(const struct ez_sess *s);
ez_err *jobs_run(struct ez_sess *s, bool stop) EZ_WUR;
ez_err *jobs_attach(struct ez_sess *s, pid_t pid) EZ_WUR;

struct job_sum { /* an aggregate of the job */
    int number;
    char *id, *of, *title, *operation, *plugin; /* id, of: see reduce.h; plugin: FILE:FUNC, or
                                                 * NULL */
    struct ez_ranks ranks;                      /* members; the context is part of its identity */
    bool all;                                   /* includes members that come later */
    char *command;                              /* command line sent to members */
    uint64_t every_ns, every_hits;              /* periods; 0 = none */
    bool at_end;
    bool tried, bad; /* tried: the plugin ran on values that occurred; bad: its result depends on
                      * their order */
    uint64_t next_ns, printed_hits;
    double printed_sum;                /* sum over all keys at the last window */
    EZ_VEC(struct ez_own) printed_own; /* values of `own` at the last window, sorted by rank */
};

struct job {
    struct ez_front *front;
    char *context;     /* default context: an expression */
    char *what;        /* title: "mpirun -np 4 ./app" */
    bool foreground;   /* the program has the terminal during waits */
    bool over;         /* all members have ended, and this was printed */
    char **tool;       /* command that started the daemons; NULL = on this host */
    uint64_t began;    /* start time, ns */
    long window;       /* pending request of a window; 0 = none */
    long clock;        /* pending request of clocks; 0 = none */
    uint64_t clock_ns; /* time of the next comparison of clocks; 0 = never: there is one host */
    EZ_VEC(struct job_sum) sums;
    bool series_begun;        /* made; or not wanted, or impossible */
    struct ez_series *series; /* windows of aggregates */
    bool waits;           /* a request waits for its reply; events are collected and printed before
                           * the reply */
    struct ez_reply news; /* the collected events */
};

/* Returns the members that an expression selects; NULL = the default. EZ_E_STATE: there is no
 * job. */
ez_err *jobs_ranks(struct ez_sess *s, const char *expr, struct ez_ranks *out) EZ_WUR;
/* Warns about ranks in an expression that no member has. */
void jobs_print_missing(struct ez_sess *s, const char *expr);
/* Returns EZ_E_STATE if there is no job. */
ez_err *jobs_need(const struct ez_sess *s) EZ_WUR;
/* Returns true if any of the ranks is in one of the states (1u << state). ranks NULL = all. */
bool jobs_any_in(const struct ez_sess *s, unsigned states, const struct ez_ranks *ranks);
/* Waits for the reply to a request. EZ_E_QUIT: Ctrl-C; EZ_E_GONE. */
ez_err *jobs_await(struct ez_sess *s, long id, struct ez_reply *out) EZ_WUR;
/* Returns the error "[1] no answer within 10 s." for the late ranks; NULL if there are none. told:
 * mentions that later answers are printed. */
ez_err *jobs_late(struct ez_sess *s, const struct ez_ranks *late, bool told) EZ_WUR;
/* Makes members run a command line, and waits for their answers. */
ez_err *jobs_run_on(struct ez_sess *s, const struct ez_ranks *ranks, const char *command, bool each,
                    struct ez_reply *out) EZ_WUR;
/* Prints a reply, equal answers once. Returns an error that names the ranks that failed. */
ez_err *jobs_print(struct ez_sess *s, const struct ez_reply *r, bool each) EZ_WUR;
/* Prints only failures. */
ez_err *jobs_print_failed(struct ez_sess *s, const struct ez_reply *r) EZ_WUR;
/* Returns true if the context (NULL = the default) includes later members. */
bool jobs_means_all(const struct ez_sess *s, const char *context);
/* Notes that the probes of these ranks may have changed: requests and stores the number of probes
 * that their next drivers must find. */
void jobs_note_probes(struct ez_sess *s, const struct ez_ranks *ranks);
/* job_clock.c: compare the wall clocks of several hosts at the begin, and from time to time. */
ez_err *jobs_clocks(struct ez_sess *s) EZ_WUR;
void jobs_clocks_tick(struct ez_sess *s);
void jobs_clocks_came(struct ez_sess *s);
/* job_sums.c: handle a requested window that may have arrived; print the last window after all
 * members ended. */
void jobs_window_came(struct ez_sess *s);
void jobs_sums_end(struct ez_sess *s);
/* Writes a value of an aggregate into the job's own trace, and the window's value beside it (NAN =
 * none). time: the values are in nanoseconds (job_windows.c). */
void jobs_record(struct ez_sess *s, const struct job_sum *x, const struct ez_sum *sum, double value,
                 double window, bool time);
/* Returns the prefix "[0-3] " of members' output; "" if the context is a single member. */
const char *jobs_who(struct ez_sess *s, const struct ez_ranks *ranks);
/* Waits until no given rank runs. Ctrl-C interrupts them. */
ez_err *jobs_wait_stand(struct ez_sess *s, const struct ez_ranks *ranks) EZ_WUR;
/* jobs_make and jobs_free only make and free the session's job. */
void jobs_make(struct ez_sess *s, const char *what, bool tree);
void jobs_free(struct ez_sess *s);
/* jobs_begin makes a job without daemons, and ends an older one. jobs_daemons starts them with the command `tool`, which
 * it frees; NULL = one daemon on this host. */
ez_err *jobs_begin(struct ez_sess *s, const char *what, bool tree) EZ_WUR;
ez_err *jobs_daemons(struct ez_sess *s, char **tool) EZ_WUR;
/* Brings members that were found, or that are blind, under drivers. */
ez_err *jobs_bring(struct ez_sess *s, enum ez_claim which) EZ_WUR;
/* Sends `find` and adds the found processes to the roster; *fresh = number of new ones. The caller
 * frees *out. */
ez_err *jobs_search(struct ez_sess *s, struct json_object *find, struct ez_reply *out,
                    size_t *fresh) EZ_WUR;
/* Requests the processes with the job's token from the daemons, until there are `want` (0 = one
 * request). */
ez_err *jobs_find(struct ez_sess *s, unsigned want) EZ_WUR;

/* Prints the accounting of the trace over all members. */
void jobs_print_accounting(struct ez_sess *s);
/* Sums up the accounting, and notes the traces of members. Returns false if no member answered.
 * requested: the ranks that answered. Warns about late ranks; without says what is missing of
 * them. */
struct ez_accounting;
bool jobs_request_accounting(struct ez_sess *s, struct ez_accounting *sum,
                             struct ez_ranks *requested, const char *without);
#define ACCOUNTING_UNWRITTEN "what they have not written yet is not in their traces"
/* Returns the newest existing copy of a trace, NULL if there is none. */
const char *jobs_trace_copy(const struct ez_traced *t);
/* Makes a process of this host a member, once, also by a thread's number (job_attach.c). EZ_E_ARG:
 * it is this shell, or a process that works for it. */
ez_err *jobs_add_pid(struct ez_sess *s, pid_t pid) EZ_WUR;
/* Requests the daemons' identities. Called once, before other requests. */
ez_err *jobs_hello(struct ez_sess *s) EZ_WUR;
/* Starts the program, held, of a tree of processes. */
ez_err *jobs_launch_tree(struct ez_sess *s, const char *program) EZ_WUR;

/* job_start.c: [-launcher CMD] [-daemons N] OPTIONS PROG ARGS as argv of the launcher and of the
 * daemons' launcher. NULL ends each; the session owns the memory. */
struct job_line {
    char **launch; /* words before the program */
    char **prog; /* program and its arguments; further blocks, with jobs_held before each program */
    char **tool; /* daemons' launcher; NULL = one daemon, on this host */
    unsigned np; /* 0 = not given */
    bool srun;   /* the daemons' hosts are known once srun has started the ranks:
                  * jobs_slurm_daemons() */
    uint64_t daemons; /* number of daemons; 0 = not given: one a host */
};
extern char jobs_held[]; /* placeholder for `eztsh-hold -job TOKEN` */
ez_err *job_line(struct ez_sess *s, char **words, int n, struct job_line *out) EZ_WUR;

/* Returns the number of words that an option of srun takes as its value (job_slurm.c). */
int jobs_srun_values(struct ez_sess *s, const char *word);
/* Waits until the launcher, an srun, has started all ranks, and starts daemons beside them. */
ez_err *jobs_slurm_daemons(struct ez_sess *s, const struct job_line *line) EZ_WUR;
/* Returns the command that starts daemons beside the ranks of this srun; NULL if the ranks are
 * here, or if the process is no srun. The caller frees. */
char **jobs_slurm_of(struct ez_sess *s, pid_t srun);
/* Returns the same for all nodes of the current allocation; NULL if there is none, or only this
 * node. The session owns the memory. */
char **jobs_slurm_allocation(struct ez_sess *s, uint64_t daemons);
/* Returns the error that the launcher ended before the job began. */
ez_err *jobs_launch_failed(struct ez_sess *s) EZ_WUR;
/* Returns "mpirun -np 4 ./app". */
const char *jobs_words_text(struct ez_sess *s, char **words);
/* Prints the number of processes and hosts, and `how`. */
void jobs_say(struct ez_sess *s, const char *how);
/* Copies words that NULL ends; returns NULL for NULL. */
char **jobs_copy(char *const *words);

#endif
