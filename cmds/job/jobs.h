/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jobs.h - a session with a job: many processes, each under an eztsh of its own
 * (engine/jobs/front.h).
 *
 *   jobs.c       session state, requests, merged answers    job_wait.c    waiting, incoming events
 *   job.c        job run, info job, info hosts              job_attach.c  job attach
 *   job_start.c  launchers' command lines                   job_life.c    begin and end
 *   job_members.c  the processes of a job, and their drivers
 *   job_daemon.c  eztsh --daemon             job_accounting.c  accounting and traces of members
 *   job_clock.c   the wall clocks of hosts
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

/* Runs `eztsh --daemon`: drives processes of this host for a front end. The front end is at the
 * other end of standard input and output. --daemon=mpi executes the daemon that was built for the
 * launcher's MPI. Returns the exit status. */
int jobs_daemon(int argc, char **argv);
/* The shell's loop calls these functions. jobs_fd() returns a descriptor for poll(), -1 if none.
 * jobs_heard() reads and handles what the daemons sent. */
int jobs_fd(const struct ez_sess *s);
void jobs_heard(struct ez_sess *s);
/* jobs_tick_ms() returns the milliseconds until the next periodic request (a window of aggregates,
 * or a comparison of clocks), -1 if there is none. jobs_tick() makes the requests that are due. */
int jobs_tick_ms(const struct ez_sess *s);
void jobs_tick(struct ez_sess *s);
/* Runs `info aggregates` of a job. by: 0 = the whole job, 1 = host, 2 = rank. */
ez_err *jobs_info_aggregates(struct ez_sess *s, unsigned by) EZ_WUR;
/* Returns the prompt: the value of `set prompt`, in a job with the default context. Lives until the
 * command returns. */
const char *jobs_prompt(struct ez_sess *s);
/* Ends the job at the end of the session: kills launched members, releases attached ones. */
void jobs_end(struct ez_sess *s);

/* Returns RUNNING if any member runs, else STOPPED if any is stopped, else NONE; for the machine
 * interface. */
enum ez_state jobs_state(const struct ez_sess *s);
/* jobs_any_live returns true if any member is held, stopped, running or blind. jobs_launched
 * returns true if this session launched the job. */
bool jobs_any_live(const struct ez_sess *s);
bool jobs_launched(const struct ez_sess *s);
/* Lists the members' traces that this host can read. EZ_E_STATE: no such trace. */
struct parse_list;
ez_err *jobs_traces(struct ez_sess *s, struct parse_list *out) EZ_WUR;

/* Returns a probe's cell in the column `what` ("location", "function") of a member's `info probes`.
 * ranks NULL = the default context. EZ_E_NOTFOUND: no member has the probe. */
struct ez_ranks;
ez_err *jobs_probe(struct ez_sess *s, const struct ez_ranks *ranks, uint64_t number,
                   const char *what, const char **out) EZ_WUR;

/* Runs `stats -job`; top: maximum number of rows. */
ez_err *jobs_stats(struct ez_sess *s, uint64_t top) EZ_WUR;

/* Returns true if a command line goes to the members of the job. */
bool jobs_routes(const struct ez_sess *s, const struct ez_cmd *c, const char *name,
                 const char *text);
ez_err *jobs_command(struct ez_sess *s, const struct ez_cmd *c, const char *name,
                     const char *text) EZ_WUR;
/* Returns the context that follows -c at *p, an expression or quoted text, and moves *p past it.
 * Returns NULL if the line ends there. */
const char *jobs_context_word(struct ez_sess *s, const char **p);
/* jobs_run_follows_all returns true under `set follow-fork-mode all` or `set detach-on-fork off`,
 * where `run` makes a job of the program and all its children. */
bool jobs_run_follows_all(const struct ez_sess *s);
ez_err *jobs_run(struct ez_sess *s, bool stop) EZ_WUR;
ez_err *jobs_attach(struct ez_sess *s, pid_t pid) EZ_WUR;

struct job_sum { /* an aggregate of the job */
    int number;
    char *id, *of, *title, *operation, *plugin; /* id: this sum, of: the aggregate in members
                                                 * (reduce.h); plugin: FILE:FUNC, or NULL */
    struct ez_ranks ranks;         /* the members; another set of members has another job_sum */
    bool all;                      /* includes members that come later */
    char *command;                 /* command line sent to members */
    uint64_t every_ns, every_hits; /* time and hits between two windows; 0 = none */
    bool at_end;
    bool tried, bad; /* tried: the plugin ran on values of the program; bad: its result depends on
                      * their order */
    uint64_t next_ns, printed_hits;
    double printed_sum;                /* sum over all keys at the last window */
    EZ_VEC(struct ez_own) printed_own; /* values of single ranks, as printed in the last window,
                  * sorted by rank */
};

struct job {
    struct ez_front *front;
    char *context;   /* default context: an expression */
    char *what;      /* title: "mpirun -np 4 ./app" */
    bool foreground; /* the program gets the terminal while the shell waits */
    bool over;       /* all members have ended, and a message has reported that */
    char **tool;     /* command that started the daemons; NULL = one daemon on this host */
    uint64_t began;  /* start time, ns */
    long window;     /* id of a requested window whose reply is due; 0 = none */
    long clock;      /* id of a requested comparison of clocks whose reply is due; 0 = none */
    /* time of the next comparison of clocks; 0 = never, because all daemons are on one host */
    uint64_t clock_ns;
    EZ_VEC(struct job_sum) sums;
    /* the trace of windows was created, or creating it failed: the shell does not try again */
    bool series_begun;
    struct ez_series *series; /* the trace of windows; NULL = none */
    bool waits;               /* the shell waits for a reply; events that arrive are collected in
                               * `news`, and printed before the reply */
    struct ez_reply news;     /* the collected events */
};

/* Returns the members that an expression selects; expr NULL = the default context. EZ_E_STATE:
 * there is no job. */
ez_err *jobs_ranks(struct ez_sess *s, const char *expr, struct ez_ranks *out) EZ_WUR;
/* Warns about ranks in an expression that no member has. */
void jobs_print_missing(struct ez_sess *s, const char *expr);
/* Returns EZ_E_STATE if there is no job. */
ez_err *jobs_need(const struct ez_sess *s) EZ_WUR;
/* Returns true if any of the ranks is in one of the states (a mask of 1u << state). ranks NULL =
 * all. */
bool jobs_any_in(const struct ez_sess *s, unsigned states, const struct ez_ranks *ranks);
/* Waits for the reply to a request. EZ_E_QUIT: Ctrl-C; EZ_E_GONE: the daemons are gone;
 * EZ_E_TIMEOUT: they do not answer. */
ez_err *jobs_await(struct ez_sess *s, long id, struct ez_reply *out) EZ_WUR;
/* Returns an error that names the late ranks, "[1] no answer within 10 s."; NULL if no rank is
 * late. printed: the text also says that later answers are printed. */
ez_err *jobs_late(struct ez_sess *s, const struct ez_ranks *late, bool printed) EZ_WUR;
/* Makes members run a command line, and waits for their answers. */
ez_err *jobs_run_on(struct ez_sess *s, const struct ez_ranks *ranks, const char *command, bool each,
                    struct ez_reply *out) EZ_WUR;
/* Prints a reply: each different answer with the ranks that gave it. Returns an error that names
 * the late ranks, or says how many processes failed. */
ez_err *jobs_print(struct ez_sess *s, const struct ez_reply *r, bool each) EZ_WUR;
/* Prints a reply as jobs_print() does, without the answers of processes in which the command
 * succeeded. */
ez_err *jobs_print_failed(struct ez_sess *s, const struct ez_reply *r) EZ_WUR;
/* Returns true if the context (NULL = the default) includes later members. */
bool jobs_means_all(const struct ez_sess *s, const char *context);
/* Stores how many probes these ranks have, after a command that may have changed probes. A new
 * driver of a rank must find that number. */
void jobs_note_probes(struct ez_sess *s, const struct ez_ranks *ranks);
/* job_clock.c: compare the wall clocks of several hosts at the start, and from time to time. */
ez_err *jobs_clocks(struct ez_sess *s) EZ_WUR;
void jobs_clocks_tick(struct ez_sess *s);
void jobs_clocks_came(struct ez_sess *s);
/* job_sums.c. jobs_window_came handles the reply to a requested window, if it has arrived.
 * jobs_sums_end prints the last window after all members ended. */
void jobs_window_came(struct ez_sess *s);
void jobs_sums_end(struct ez_sess *s);
/* job_windows.c: writes an aggregate's value and its value since the last window (NAN = none) to
 * the trace of windows. time: the values are in nanoseconds. */
void jobs_record(struct ez_sess *s, const struct job_sum *x, const struct ez_sum *sum, double value,
                 double window, bool time);
/* Returns the prefix "[0-3] " of members' output; "" if the job has a single member. */
const char *jobs_who(struct ez_sess *s, const struct ez_ranks *ranks);
/* Waits until none of these ranks runs. Ctrl-C interrupts the ranks. */
ez_err *jobs_wait_stand(struct ez_sess *s, const struct ez_ranks *ranks) EZ_WUR;
/* Allocate and free the session's job, without daemons or processes. */
void jobs_make(struct ez_sess *s, const char *what, bool tree);
void jobs_free(struct ez_sess *s);
/* jobs_begin makes a job without daemons, and ends an older one, after asking if that one has live
 * members. jobs_daemons starts the daemons with the command `tool`, which the job then owns; NULL =
 * one daemon on this host. */
ez_err *jobs_begin(struct ez_sess *s, const char *what, bool tree) EZ_WUR;
ez_err *jobs_daemons(struct ez_sess *s, char **tool) EZ_WUR;
/* Gives drivers to the held members, or, if `which` is not EZ_CLAIM_HELD, to the blind members. */
ez_err *jobs_bring(struct ez_sess *s, enum ez_claim which) EZ_WUR;
/* Sends the request `find`, and adds the processes of the reply to the roster; *fresh: how many of
 * them are new. The caller frees *out. */
ez_err *jobs_search(struct ez_sess *s, struct json_object *find, struct ez_reply *out,
                    size_t *fresh) EZ_WUR;
/* Requests the processes that have the job's token from the daemons, until `want` processes (or
 * front->size, if that is more) are found, for up to a minute. want 0 = requests once. */
ez_err *jobs_find(struct ez_sess *s, unsigned want) EZ_WUR;

/* Prints the accounting of the trace over all members. */
void jobs_print_accounting(struct ez_sess *s);
/* Sums up the accounting of the members, and notes their traces. Returns false if there is no
 * member to request it from, or the request failed. requested: the ranks that answered. Warns about
 * late ranks; `without` is the end of that warning and says what their absence means. */
struct ez_accounting;
bool jobs_request_accounting(struct ez_sess *s, struct ez_accounting *sum,
                             struct ez_ranks *requested, const char *without);
#define ACCOUNTING_UNWRITTEN "what they have not written yet is not in their traces"
/* Returns the newest copy of a trace; NULL if there is none, or if it is not readable. */
const char *jobs_trace_copy(const struct ez_traced *t);
/* Makes a process of this host a member of the job, if it is not a member yet; pid may be the id of
 * any thread of the process (job_attach.c). EZ_E_ARG: the process is this shell, or works for
 * it. */
ez_err *jobs_add_pid(struct ez_sess *s, pid_t pid) EZ_WUR;
/* Requests the identities of the daemons. Must be the first request. */
ez_err *jobs_hello(struct ez_sess *s) EZ_WUR;
/* Starts the program of a tree of processes. The program is held until a driver attaches. */
ez_err *jobs_launch_tree(struct ez_sess *s, const char *program) EZ_WUR;

/* job_start.c: the parsed line [-launcher CMD] [-daemons N] OPTIONS PROG ARGS. Each argv ends with
 * NULL; the session owns the memory. */
struct job_line {
    char **launch;    /* argv before the program: the launcher and its options */
    char **prog;      /* program and arguments; further programs after ":"; jobs_held stands before
                       * each */
    char **tool;      /* argv that starts the daemons; NULL = one daemon on this host */
    unsigned np;      /* number of processes; 0 = not given */
    bool srun;        /* the daemons' hosts are known once srun has started the ranks:
                       * jobs_slurm_daemons() */
    uint64_t daemons; /* number of daemons; 0 = one on each host */
};
extern char jobs_held[]; /* placeholder for `eztsh-hold -job TOKEN` */
ez_err *job_line(struct ez_sess *s, char **words, int n, struct job_line *out) EZ_WUR;

/* Returns the number of words that an option of srun takes as its value (job_slurm.c). */
int jobs_srun_values(struct ez_sess *s, const char *word);
/* Waits until the launcher, an srun, has started all ranks, and starts daemons beside them. */
ez_err *jobs_slurm_daemons(struct ez_sess *s, const struct job_line *line) EZ_WUR;
/* Returns the command that starts daemons beside the ranks of this srun; NULL if the ranks are on
 * this host, or if the process is no srun. The caller frees. */
char **jobs_slurm_of(struct ez_sess *s, pid_t srun);
/* Returns the command that starts daemons on all nodes of the current Slurm allocation; NULL if
 * there is no allocation, or if it has only this node. The session owns the memory. */
char **jobs_slurm_allocation(struct ez_sess *s, uint64_t daemons);
/* Returns the error that the launcher ended before the job began. */
ez_err *jobs_launch_failed(struct ez_sess *s) EZ_WUR;
/* Returns "mpirun -np 4 ./app". */
const char *jobs_words_text(struct ez_sess *s, char **words);
/* Prints the number of processes and hosts, and `how`. */
void jobs_say(struct ez_sess *s, const char *how);
/* Copies an argv that ends with NULL; returns NULL for NULL. The caller frees. */
char **jobs_copy(char *const *words);

#endif
