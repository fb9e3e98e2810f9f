/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sess.h - the session: what a command may look at, and what it may ask of the shell.
 *
 * There is one session per process, owned by main(). The session owns the target and every string
 * in it. This header includes no other of the shell, so that commands see nothing else of it. */
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
struct ez_history;
struct ez_move;
struct ez_display;
struct ez_record;

struct ez_ui { /* `set` / `show`; what the engine needs is in struct ez_settings */
    bool confirm, pagination, disable_aslr, trace_commands, thread_events, history_save;
    bool background_traced; /* `continue &` leaves the program traced */
    unsigned height, width; /* lines, columns; 0 = no limit, -1 = the terminal's   */
    unsigned history_size;  /* lines                                              */
    unsigned listsize;      /* lines; 0 = all                                     */
    char *args;             /* as typed, for /bin/sh                              */
    char *prompt, *history_file, *safe_path;
    unsigned entry_values; /* in lines of frames: as with `set print entry-values`            */
    unsigned pending;      /* what becomes of breakpoints on what is not there: auto, on, off    */
    bool by_hand;          /* `probe` begins, and the user takes the steps (cmds/hand.c) */
    bool style;            /* colours, where the terminal has them       */
    bool log, log_overwrite, log_only; /* what is printed goes to a file, too, or only there */
    char *log_file;
    unsigned job_timeout; /* seconds */
    bool inferior_events;
};

/* The line editor, for code that prints or waits while a line is being typed. */
struct ez_editor {
    void (*hide_line)(void); /* before a notice, and show it after */
    void (*show_line)(void);
    void (*resized)(void);
    void (*suspend)(bool before);
};

/* What was read of the input, and not taken yet. */
struct ez_ahead {
    size_t at, n;
    char byte[1 << 16];
};

struct ez_sess {
    struct ez_target *target;
    struct job *job; /* many processes, in place of the target's one (cmds/jobs.h); NULL = none */
    struct ez_ui ui;
    struct ez_wire *wire;   /* the machine interface (wire.h); NULL = none                 */
    int input;              /* where commands are read: standard input, or what was that  */
    struct ez_ahead *ahead; /* NULL = others read there, too: lines are read byte by byte */

    bool batch;          /* -batch: leave after the command line's work             */
    bool terminal;       /* standard input and output are one: edit, page, ask      */
    unsigned depth;      /* files being sourced, and the command line's own words   */
    bool quit;           /* leave as soon as the command returns                    */
    int quit_status;     /* -1 = not given                                          */
    unsigned failed;     /* commands that failed so far                             */
    int ending;          /* the signal by which the shell ends when the program did; 0 = none */
    bool interrupted;    /* Ctrl-C reached the shell: loops end                     */
    bool unread;         /* nobody reads what the session prints: it ends           */
    int unwritten;       /* errno of a write that failed otherwise; 0 = none did     */
    bool piped;          /* standard output leads to the command of `pipe`          */
    int child_status;    /* of the last process: code, or 128 + signal; -1 = none   */
    int stop_signal;     /* why the target stands still; 0 = no signal              */
    bool no_stop_frames; /* `maint stop-frames off` */

    const struct ez_opts *opts; /* given to the command that runs (shell/opt.h)       */
    bool json;                  /* the command that runs prints for programs (out.h)   */
    const char *tail; /* of a command with TAIL (command.h): the rest of its line, "" = none */

    uint64_t last; /* $_                                                      */
    bool has_last;
    bool last_typed; /* the values have it, as `x` left it                             */
    int shell_exit;  /* $_shell_exitcode; -1 = void                             */
    char *repeat;    /* what an empty line runs; NULL = nothing                 */

    EZ_VEC(char *) kept; /* strings that live until the command returns           */
    sigset_t inherited;  /* the signal mask eztsh was started with               */
    int sigfd;           /* SIGINT, SIGTERM, SIGHUP … as readable data            */
    unsigned lines;      /* printed since the last prompt: the pager's count      */
    bool no_pager, quit_pager;
    bool aside; /* lines go to standard error, because standard output takes a file */
    const struct ez_editor *editor; /* NULL = none                                      */
    bool editing;                   /* the editor shows a line that notices must not spoil    */

    struct ez_record *record; /* the session so far (record.h); NULL = not kept                 */
    bool mute;                /* nothing is printed, only recorded: --check                   */
    unsigned columns;         /* of lines; 0 = as wide as the terminal                         */
    unsigned nested;          /* commands that run, each for the one before it                */

    struct ez_history *values; /* history and convenience variables; NULL = none yet         */
    /* Takes the lines that come, in place of the commands' table, until it says NULL; gdb's `actions`. */
    ez_err *(*block)(struct ez_sess *s, const char *line);
    struct ez_blocks
        *flow; /* blocks, and commands of the user's own (cmds/flow.h); NULL = none yet */
    bool hooked, stopped; /* a hook runs; the program stopped since hook-stop was last asked for */
    FILE *log;            /* `set logging`; NULL = off                                          */
    int actions;          /* the tracepoint whose actions are typed                         */
    EZ_VEC(struct ez_tvar {
        char *name; /* with its $                                                      */
        int64_t value;
    })
    tvar;
    struct { /* the trace frame that is looked at                              */
        bool looking;
        size_t at;
        const char *text; /* while it is printed                                       */
    } frame;

    EZ_VEC(char *) env; /* what `run` changes of the environment: NAME=VALUE, or NAME: without it */
    char *cwd, *tty;    /* for the program; NULL = eztsh's                                    */
    struct ez_move *move; /* breakpoints, and the move under way; NULL = none yet (cmds/moves.h) */
    bool moving;          /* a command lets the program run, and tells where it stops         */
    bool afar;            /* it runs in the background, where breakpoints stop it             */
    bool launched;        /* it stops at main because breakpoints are to be armed, and goes on */
    EZ_VEC(struct ez_display *) displays;
    char *commands;     /* of the breakpoint that was hit, to be run; NULL = none             */
    bool runs_commands; /* such run                                                        */
    int commands_of;    /* the breakpoint whose commands are typed                          */
    char *typed;        /* those                                                           */
    int display_number; /* the last one's                                                */
    struct {            /* the lines of a file that `list` showed last; last 0 = none yet      */
        char *file, *missing;
        unsigned first, last;
        uint64_t pc; /* of some code of the file; 0 = not known                          */
    } source;

    struct { /* the last `x` command; size 0 = there was none                      */
        unsigned size;
        int count;
        char letter;
        uint64_t next; /* where it goes on without an address                          */
        bool has_next;
    } x;
};

/* Keep a heap string until the command returns; answers the string itself. */
char *sess_keep(struct ez_sess *s, char *heap);
const char *sess_format(struct ez_sess *s, const char *fmt, ...) EZ_PRINTF(2, 3);
/* Free the strings that were kept since `s->kept.n` was `from`, in loops over many things. */
void sess_forget(struct ez_sess *s, size_t from);
void sess_free_target(struct ez_sess *s); /* the target, and what refers to it */
void sess_free(struct ez_sess *s);        /* what it keeps, at its end */
/* Forgets a Ctrl-C that came before the work that begins now. A session that ends stays interrupted. */
static inline void sess_uninterrupt(struct ez_sess *s)
{
    s->interrupted = s->quit;
}
void sess_set_last(struct ez_sess *s, uint64_t value);
void sess_set_next(struct ez_sess *s, uint64_t value); /* x goes on there, too                */

/* Ask a yes/no question. Yes without asking when `confirm` is off, in files and
 * in batch; yes aloud when standard input is no terminal. */
bool sess_query(struct ez_sess *s, const char *fmt, ...) EZ_PRINTF(2, 3);
/* The same of what is usually not wanted: no where nobody is asked, and for an empty answer. */
bool sess_offer(struct ez_sess *s, const char *question);
bool sess_can_query(const struct ez_sess *s); /* is there somebody at the terminal? */
/* The target was just set running: hand it the terminal and return when it
 * stopped or ended. Prints what happened. */
ez_err *sess_foreground(struct ez_sess *s) EZ_WUR;
/* Give the terminal to the target, before it goes on, else its first read would stop it. If there
 * is no process yet, only note the terminal's modes. */
void sess_hand_over(struct ez_sess *s);
/* Show on the terminal's last line how far the engine is (ez_busy_notify). false: Ctrl-C came. */
bool sess_busy(void *sess, const char *what, uint64_t done, uint64_t total);
/* Wait for the end of a background target, or for Ctrl-C. */
ez_err *sess_wait(struct ez_sess *s) EZ_WUR;
/* Print what the engine has to report now; of a program that runs, some hundred events at most. */
void sess_events(struct ez_sess *s);
/* Let time pass (milliseconds) while events are handled; 0 = signals only. false: Ctrl-C came. */
bool sess_sleep(struct ez_sess *s, int ms);
/* One round of the loop, of `ms` at most. false: Ctrl-C came. */
bool sess_pass(struct ez_sess *s, int ms);
/* Give the terminal to a process of ours, and take it back. */
void sess_hand_to(struct ez_sess *s, pid_t pid);
void sess_reclaim_terminal(struct ez_sess *s);
/* Print where the current thread is: its frame behind `lead`, and the line of source. */
void sess_frame(struct ez_sess *s, const char *lead);
/* The program stands. What tell() prints of it, and what is displayed at each stop, is one event for programs (wire.h). */
struct ez_stop {
    const char *reason; /* NULL = there is nothing to tell, or it was told            */
    unsigned place;     /* of the breakpoint, from 1 on; 0 = it has but one */
    int number, sig;    /* of the breakpoint or probe; 0 = none                         */
    int tid;            /* 0 = the current thread's, and so on                         */
    uint64_t addr;
    const char *file;
    unsigned line;
    bool silent; /* nothing is shown: the breakpoint's commands say so           */
};
void sess_print_stop(struct ez_sess *s,
                     void (*notify)(struct ez_sess *s, struct ez_stop *out, const void *arg),
                     const void *arg);
/* What is done at each stop, once it was told: hook-stop, and the breakpoint's commands. */
ez_err *sess_after_stop(struct ez_sess *s, ez_err *e) EZ_WUR;
/* "\nProgram received signal SIGINT, Interrupt." and the frame. */
void sess_interrupted(struct ez_sess *s);
/* The process ended or was left: print the accounting, name probes never resolved. */
void sess_epilogue(struct ez_sess *s);
void sess_unresolved(struct ez_sess *s); /* names the unresolved probes alone; each is a failure */
/* Did the target end before ez_detach() let it go? e: what that returned, freed if so; the event of the end is printed. */
bool sess_ended_first(struct ez_sess *s, ez_err *e);
/* Let go of a live target: kill one that we launched, detach from any other. */
ez_err *sess_release(struct ez_sess *s) EZ_WUR;
/* Run a command in the user's shell (NULL: an interactive one). */
ez_err *sess_shell(struct ez_sess *s, const char *command) EZ_WUR;
/* Run a command line of ours; what it prints goes to a command of the user's shell. */
ez_err *sess_pipe(struct ez_sess *s, const char *line, const char *command) EZ_WUR;
/* Run a command line; its error is printed. false = it failed. */
bool sess_command(struct ez_sess *s, const char *line);
/* The same without a word: what it prints on standard output, to be freed. The line's error. */
ez_err *sess_capture(struct ez_sess *s, const char *line, char **out) EZ_WUR;
/* The same for an expression or a check: it is no command of the user's, so nothing of it is kept or repeated. */
ez_err *sess_answer(struct ez_sess *s, const char *line, char **out) EZ_WUR;
/* The same; its error is returned. */
ez_err *sess_run(struct ez_sess *s, const char *line) EZ_WUR;
/* The flags (enum ez_cmd_flags) of the command that the line's first word names; 0 = of none. */
uint32_t sess_flags_of(const char *line);
/* The command that a line is; NULL = none of the table. */
const struct ez_cmd *sess_command_of(const char *line);
bool sess_is_command(const char *name); /* of the table, by its whole name */
/* Run a file of commands; the error carries FILE:LINE. */
ez_err *sess_source(struct ez_sess *s, const char *path, bool echo) EZ_WUR;
/* Nothing is printed, nor kept as output of the session, until `quiet` is false again. */
void sess_quiet(struct ez_sess *s, bool quiet);
/* The session's lines before this one, and what each printed (record.h). EZ_E_STATE: there are none. */
ez_err *sess_recorded(struct ez_sess *s, void (*fn)(const char *line, const char *text, void *arg),
                      void *arg) EZ_WUR;

#endif
