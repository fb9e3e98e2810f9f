/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sess.h - the session: the state and the services that commands may use.
 *
 * There is one session per process, owned by main(). The session owns the target and every `char *`
 * of its fields. This header includes no other header of the shell, so that a command that includes
 * it sees only the session. */
#ifndef EZ_SESS_H
#define EZ_SESS_H

#include <signal.h>
#include <stdio.h>

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/ezt.h"
#include "engine/base/vec.h"

struct ez_cmd;
struct ez_opts;
struct ez_wire;
struct job;
struct loop_calls;
struct ez_record;
struct ez_sess;

struct ez_ui { /* values of `set` and `show`; settings of the engine are in struct ez_settings */
    bool confirm, pagination, disable_aslr, trace_commands, thread_events, history_save;
    bool background_traced; /* `continue &` leaves the program traced */
    unsigned height, width; /* lines, columns; 0 = no limit, -1 = the terminal's */
    unsigned history_size;  /* lines */
    unsigned listsize;      /* lines; 0 = all */
    char *args;             /* arguments of the program, as typed, for /bin/sh */
    char *prompt, *history_file, *safe_path;
    char *sysroot, *solib_path; /* struct ez_core_folders */
    unsigned entry_values;      /* index of the word of `set print entry-values` */
    unsigned pending;           /* `set breakpoint pending`: 0 = auto, 1 = on, 2 = off */
    bool by_hand; /* `probe` starts, and the user performs the steps (cmds/learn/hand.c) */
    bool style;   /* colours, if the terminal has them */
    /* log: output goes to log_file, too; log_overwrite: logging replaces the file; log_only: output
     * goes only to log_file */
    bool log, log_overwrite, log_only;
    char *log_file;
    unsigned job_timeout; /* seconds */
    bool inferior_events;
    bool trace_index; /* commands on traces use and make indexes (engine/trace/index.h) */
    bool pauses; /* commands on traces show pauses: the time that threads slept or were preempted */
};

/* The line editor's functions for code that prints or waits while a line is being typed. */
struct ez_editor {
    void (*hide_line)(void); /* called before a notice is printed; show_line() is called after it */
    void (*show_line)(void);
    void (*resized)(void);
    void (*suspend)(bool before);
};

/* Input that was read, but not used yet. */
struct ez_ahead {
    size_t at, n;
    char byte[1 << 16];
};

struct ez_input {                   /* where lines and signals come from (loop.c) */
    const struct loop_calls *calls; /* functions that the loop calls (loop.h) */
    int fd;                         /* standard input, or a copy of it */
    struct ez_ahead *ahead;         /* NULL = other processes read standard input, too, so lines are
                                     * read byte by byte */
    bool terminal;                  /* standard input and output are a terminal: edit, page, ask */
    const struct ez_editor *editor; /* NULL = none */
    /* the editor shows a line, which must be hidden before a notice is printed */
    bool editing;
    int sigfd;          /* SIGINT, SIGTERM, SIGHUP … as readable data */
    sigset_t inherited; /* the signal mask eztsh was started with */
};

struct ez_output { /* where output goes (out.c) */
    FILE *log;     /* `set logging`; NULL = off */
    /* lines go to standard error, because standard output carries a file, or belongs to the
     * program */
    bool aside;
    bool mute;  /* output is not printed (--check, sess_quiet()) */
    bool hush;  /* only errors and warnings are printed; `record` sets this */
    bool piped; /* standard output goes to the command of `pipe`, or to sess_capture() */
    bool no_pager;
    bool quit_pager;  /* the user wants no more lines of this command */
    unsigned lines;   /* lines printed since the last prompt, for the pager */
    unsigned columns; /* columns of output lines; 0 = the terminal's */
    int unwritten;    /* errno of a failed write, 0 = none; not set if the reader is gone */
};

struct ez_process { /* the program, according to its events (event.c) */
    /* exit code of the process that ended last, or 128 + signal; -1 = none yet */
    int status;
    int killed_by;        /* signal that killed the process that ended last; 0 = none */
    EZ_VEC(char *) trace; /* traces that eztsh opened by itself, one for each program that the
                           * process executed; `record` empties the list */
    int stop_signal;      /* signal that stopped the program; 0 = none */
    bool stopped;         /* the program stopped since the last hook-stop */
    bool moving;          /* a command runs the program and will print its stop */
    bool afar; /* the program runs in the background and has breakpoints that can stop it */
    /* the program will stop at main only to arm breakpoints, and will then continue */
    bool launched;
    bool no_stop_frames; /* `maint stop-frames off` */
};

struct ez_running {             /* the running command (dispatch.c) */
    const struct ez_opts *opts; /* options of the command (opt.h) */
    bool json;                  /* the command prints JSON (out.h) */
    const char *tail;           /* rest of the line of a command with TAIL (command.h), "" = none */
    /* number of commands that run at this moment, each called by the previous one */
    unsigned nested;
    /* nesting depth of sourced files, of the user's commands and of `if` and `while` */
    unsigned depth;
    char *repeat; /* line that an empty line runs; NULL = none */
    /* While set, is called with each next line, which then runs no command; for blocks such as
     * gdb's `actions`. */
    ez_err *(*block)(struct ez_sess *s, const char *line);
};

struct ez_ending {    /* why loops and the session end (ending.c, loop.c) */
    bool interrupted; /* Ctrl-C reached the shell; commands check it in their loops */
    bool quit;        /* the shell ends as soon as the command returns */
    bool unread;      /* the output has no reader: the session ends */
    int status;       /* status of `quit N`, or 128 + signal; -1 = none */
    int signal;       /* signal that ends the shell once the program has ended; 0 = none */
    unsigned failed;  /* number of failed commands so far */
};

struct ez_sess {
    struct ez_target *target;
    struct job *job; /* a job of many processes, in place of the target's one process
                      * (cmds/job/jobs.h); NULL = none */
    struct ez_ui ui;
    bool batch; /* -batch: ends after the command line's work */
    bool front; /* the running command is a word of the command line (front.h) */
    struct ez_running run;
    struct ez_process program;
    struct ez_input in;
    struct ez_output out;
    struct ez_ending end;
    struct ez_wire *wire;     /* the machine interface (wire.h); NULL = none */
    struct ez_record *record; /* commands and output of the session (record.h); NULL = not
                               * recorded */
    int shell_exit;           /* $_shell_exitcode, the status of the previous `shell` or `pipe`
                               * command; -1 = void (script.c) */
    EZ_VEC(char *) kept;      /* strings that live until the command returns */
    EZ_VEC(struct sess_own {
        const struct sess_kind *kind;
        void *state;
    })
    states; /* states that commands keep: sess_state() */
};

/* A kind of state that one command, or one file, keeps between its runs. */
struct sess_kind {
    size_t size;
    void (*free)(void *state); /* frees what the state owns, not the state; NULL = nothing */
};
/* Returns the session's state of this kind, allocated and zeroed at the first call.
 * sess_free_target() frees all states, the newest first. The order depends on the user's commands,
 * so a kind's free() must not use another state. */
void *sess_state(struct ez_sess *s, const struct sess_kind *kind);
void sess_free_states(struct ez_sess *s);

/* Keeps a heap string until the command returns; returns the string itself. */
char *sess_keep(struct ez_sess *s, char *heap);
const char *sess_format(struct ez_sess *s, const char *fmt, ...) EZ_PRINTF(2, 3);
/* Frees the kept strings from index `from` on. For loops over many objects: `from` is s->kept.n
 * before the loop. */
void sess_forget(struct ez_sess *s, size_t from);
void sess_forget_traces(struct ez_sess *s); /* Empties program.trace. */
void sess_free_target(struct ez_sess *s);   /* Frees the target and all that refers to it. */
void sess_free(struct ez_sess *s);          /* Frees the session's memory. */
/* Forgets a Ctrl-C that came before the work that now begins. A session that must end stays
 * interrupted. */
static inline void sess_uninterrupt(struct ez_sess *s)
{
    s->end.interrupted = s->end.quit;
}

/* Asks a yes/no question. Returns true without asking if `confirm` is off, in batch mode, in
 * sourced files and in the user's commands. Without a terminal, prints the question with the answer
 * yes and returns true. Returns false for the answer no and after Ctrl-C. */
bool sess_query(struct ez_sess *s, const char *fmt, ...) EZ_PRINTF(2, 3);
/* Asks a yes/no question whose usual answer is no. Returns false for an empty answer, and without
 * asking if sess_can_query() is false. */
bool sess_offer(struct ez_sess *s, const char *question);
/* Returns true if a question may be asked: at a terminal, with `confirm` on, not in batch mode, in
 * a sourced file or in a user's command. */
bool sess_can_query(const struct ez_sess *s);
/* Waits in the foreground for a target that was just resumed: gives it the terminal, returns when
 * it stops or ends, and prints the event. */
ez_err *sess_foreground(struct ez_sess *s) EZ_WUR;
/* Gives the terminal to the target. Call it before the target resumes: reading the terminal from
 * the background would stop the target. Without a launched process, only saves the terminal's
 * modes. */
void sess_hand_over(struct ez_sess *s);
/* Shows the engine's progress on the terminal's last line (ez_progress_notify). what NULL: the work
 * has ended. Returns false then, after Ctrl-C, and if the session must end. */
bool sess_progress(void *sess, const char *what, uint64_t done, uint64_t total);
/* Waits until a target in the background stops or ends, or until Ctrl-C. */
ez_err *sess_wait(struct ez_sess *s) EZ_WUR;
/* Prints the engine's events. While the program runs, prints a few hundred events at most. */
void sess_events(struct ez_sess *s);
/* Handles events for `ms` milliseconds; 0 = signals only. Returns false after Ctrl-C. */
bool sess_sleep(struct ez_sess *s, int ms);
/* Runs one round of the loop, at most `ms` milliseconds. Returns false after Ctrl-C. */
bool sess_pass(struct ez_sess *s, int ms);
/* Gives the terminal to a child process. */
void sess_hand_to(struct ez_sess *s, pid_t pid);
/* Gives the terminal back to the shell. Returns true if the target or a child process had it. */
bool sess_reclaim_terminal(struct ez_sess *s);
/* Prints the location of the current thread: its frame after `lead`, and the source line. */
void sess_frame(struct ez_sess *s, const char *lead);
/* A stop of the program. For the JSON interface, the output of notify() and of the displays is part
 * of the stop's event (wire.h). */
struct ez_stop {
    const char *reason; /* NULL = nothing to report, or reported already */
    /* number of the location in a breakpoint with several, from 1; 0 = the breakpoint has one
     * location */
    unsigned place;
    int number, sig; /* number of the breakpoint or probe; signal; 0 = none */
    int tid;         /* 0 = take tid, address and line from the current thread */
    uint64_t addr;
    const char *file;
    unsigned line;
    bool silent; /* prints nothing, as the breakpoint's `silent` requests */
};
void sess_print_stop(struct ez_sess *s,
                     void (*notify)(struct ez_sess *s, struct ez_stop *out, const void *arg),
                     const void *arg);
/* After a reported stop, runs hook-stop, unless `e` is an error, and the breakpoint's commands.
 * Returns `e`, or the error of hook-stop. */
ez_err *sess_after_stop(struct ez_sess *s, ez_err *e) EZ_WUR;
/* If the program is stopped, prints "\nProgram received signal SIGINT, Interrupt." and the
 * frame. */
void sess_interrupted(struct ez_sess *s);
/* Prints the accounting and unresolved probes of a process that ended or was released. */
void sess_epilogue(struct ez_sess *s);
/* Prints the unresolved probes, each as a failure. */
void sess_unresolved(struct ez_sess *s);
/* Returns true if the target ended before ez_detach() or ez_kill() could release it, and prints the
 * event of that end. `e` is their error, which is freed if the result is true. */
bool sess_ended_first(struct ez_sess *s, ez_err *e);
/* Releases a live target: kills a launched one, detaches from any other. */
ez_err *sess_release(struct ez_sess *s) EZ_WUR;
/* Runs a command in the user's shell; NULL runs an interactive shell. */
ez_err *sess_shell(struct ez_sess *s, const char *command) EZ_WUR;
/* Runs a command line of eztsh; its output goes to a command of /bin/sh. */
ez_err *sess_pipe(struct ez_sess *s, const char *line, const char *command) EZ_WUR;
/* Runs a command line and prints its error. Returns false if it failed. */
bool sess_command(struct ez_sess *s, const char *line);
/* Runs a command line, and stores its standard output in *out, which the caller frees, in place of
 * printing it. Returns the line's error. */
ez_err *sess_capture(struct ez_sess *s, const char *line, char **out) EZ_WUR;
/* Does the same as sess_capture() for a line that the user did not type, such as one of a check:
 * the line is neither recorded nor repeated. */
ez_err *sess_answer(struct ez_sess *s, const char *line, char **out) EZ_WUR;
/* Runs a command line and returns its error. */
ez_err *sess_run(struct ez_sess *s, const char *line) EZ_WUR;
/* Returns the flags (enum ez_cmd_flags) of the command that the line's first word names; 0 if
 * none. */
uint32_t sess_flags_of(const char *line);
/* Returns the command of a line; NULL if the table has none. */
const struct ez_cmd *sess_command_of(const char *line);
/* Returns true if a command in the table has this name or alias. */
bool sess_is_command(const char *name);
/* Returns true if `eztsh NAME` runs a command (command.h). */
bool sess_is_front(const char *name);
/* Runs a file of commands; `echo` prints each line before it runs. The text of a line's error
 * begins with FILE:LINE. */
ez_err *sess_source(struct ez_sess *s, const char *path, bool echo) EZ_WUR;
/* Suppresses output and its recording, from a call with `quiet` true to the next with false. */
void sess_quiet(struct ez_sess *s, bool quiet);
/* Calls fn for each recorded line and its output (record.h), except the running line. Returns
 * EZ_E_STATE if there is none, EZ_E_LIMIT if the output exceeded the limit. */
ez_err *sess_recorded(struct ez_sess *s, void (*fn)(const char *line, const char *text, void *arg),
                      void *arg) EZ_WUR;

#endif
