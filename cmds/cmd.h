/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd.h - what a command is: a struct beside its function, command_NAME.
 *
 * Preconditions, argument counts and help are data, so no command re-implements
 * "no process is running", and help, completion, apropos and the manual are all
 * derived from the structs. A command is a function that returns an error as a
 * value; the dispatcher prints it. To add one: doc/HOWTO_COMMAND.md. */
#ifndef EZ_CMD_H
#define EZ_CMD_H

#include "shell/opt.h"
#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;
struct ez_comp;
struct ez_stop;

enum ez_class {
    EZ_CLASS_RUN,
    EZ_CLASS_DATA,
    EZ_CLASS_PROBE,
    EZ_CLASS_TRACE,
    EZ_CLASS_JOB,
    EZ_CLASS_SUPPORT
};

enum ez_cmd_flags {
    NEED_TARGET = 1,  /* a live process, running or stopped                     */
    NEED_STOPPED = 2, /* a live process whose threads are all stopped           */
    MUTATES = 4,      /* changes the target: an empty line does not repeat it   */
    NO_REPEAT = 8,    /* an empty line does not repeat it, for another reason   */
    HIDDEN = 16,      /* neither listed nor completed                           */
    RAW = 32,         /* argv[1] is what follows the options, verbatim           */
    OWN_WORDS = 64,   /* with `sub`: a word that is no subcommand is an operand */
    TAIL = 128,       /* from `if`, `collect` or `return` on, the line is s->tail, verbatim */
    BLOCK = 256,      /* lines follow, up to `end`                              */
    HERE = 512,       /* where there is a job, it is not for its members (jobs.h) */
    TEXT_ONLY = 1024, /* prints no table, so it has no -json                    */
};

/* Words with which the tail of a line with TAIL begins; NULL ends them (shell/dispatch.c). */
extern const char *const cmd_tail[];

/* argv[0] is the full name ("info probes"), argv[argc] is NULL; options are not in it (opt.h).
 * With RAW argc is 1 (nothing follows) or 2. */
typedef ez_err *ez_cmd_fn(struct ez_sess *s, int argc, char **argv);
/* Makes what help says of a table of the program: whole lines; the caller frees. */
typedef char *ez_list_fn(void);
/* Offer words for the argument being typed (complete.h). */
typedef void ez_comp_fn(struct ez_sess *s, const char *word, struct ez_comp *out);

struct ez_cmd {
    const char *parent; /* "info", "info proc": a subcommand of it; NULL = of none        */
    const char *name;   /* tables are sorted by name; a name is unique in its table       */
    const char *alias;  /* another name that is no prefix ("si"), or NULL         */
    const char *usage;  /* operands, which follow name and options                */
    const char *brief;  /* <= 60 columns, a sentence                              */
    const char *help;   /* has "Example:" and "See also:"                         */
    ez_list_fn *list;   /* lines that help has before "Example:"; NULL = none     */
    enum ez_class cls;
    uint8_t min_abbrev;           /* 0 = shortest unique; else this many letters suffice */
    int8_t argmin, argmax;        /* operands; -1 = any                                  */
    const struct ez_opt *options; /* ends with a NULL name; NULL = none            */
    uint32_t flags;               /* enum ez_cmd_flags                                   */
    ez_cmd_fn *fn;                /* with `sub`: called when no subcommand follows       */
    ez_comp_fn *complete;
    const struct ez_cmd *sub; /* ends with a NULL name; made of its subcommands          */
};

/* class, fewest and most operands (-1 = any number) */
#define TAKES(class, lo, hi) .cls = EZ_CLASS_##class, .argmin = (lo), .argmax = (hi)
/* { .name = "-count", .meaning = "only count" }, ... */
#define OPTIONS(...)                                                                               \
    .options = (const struct ez_opt[])                                                             \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            .name = NULL                                                                           \
        }                                                                                          \
    }

/* Options of several commands. */
#define FOR_PROGRAMS                                                                               \
    {                                                                                              \
        .name = "-json", .meaning = "for programs (doc/JSON.md)"                                   \
    }
#define WIDE                                                                                       \
    {                                                                                              \
        .name = "-wide",                                                                           \
        .meaning = "shorten no names and leave out no columns, however long lines get"             \
    }

extern const struct ez_cmd *ez_cmds; /* ends with a NULL name; made by commands_tables() */
extern struct ez_cmd ez_set_cmds[], ez_show_cmds[]; /* made by settings_tables() */

/* commands.c: makes the tables of all commands and settings, once. */
void commands_tables(void);
/* Adds the subcommands of `parent` ("" = of none) to a table that has n entries and room for `room`, sorts
 * the table and ends it. Returns how many it has then. */
size_t commands_append(const char *parent, struct ez_cmd *table, size_t n, size_t room);

/* Functions of commands in several files. cmd_list_sub prints the subcommands. */
ez_cmd_fn cmd_list_sub, cmd_set_value, cmd_show_value, cmd_show_all, cmd_source;

/* user.c: commands that the user defined. user_call: false = the line's first word is none. *other: the line that it
 * stands for (to be freed), else it ran: *e. */
bool user_call(struct ez_sess *s, const char *text, char **other, ez_err **e);
/* Runs hook-NAME (`before` is "hook-"), or hookpost-NAME, if there is one. */
ez_err *user_hook(struct ez_sess *s, const char *before, const char *name) EZ_WUR;
bool user_help(struct ez_sess *s, const char *name); /* false = there is none of that name */
void user_names(struct ez_sess *s, void (*fn)(const char *name, const char *brief, void *arg),
                void *arg);
/* moves.c: while the shell waits. moves_go_on: the program stopped, but not for the user: it runs again.
 * moves_tell: it stands, and where is told. */
bool moves_go_on(struct ez_sess *s, ez_err **e);
void moves_tell(struct ez_sess *s, struct ez_stop *stop, const void *arg);
ez_err *moves_renew(struct ez_sess *s) EZ_WUR; /* the breakpoints may be others now */
void breaks_run_commands(struct ez_sess *s);   /* break.c: those of breakpoints that were hit */
void flow_free(struct ez_sess *s);             /* flow.c: what of it a session holds */

/* shell/complete.c: the sources of words, and how a completer offers one. */
void comp_offer(struct ez_comp *c, const char *typed, const char *word);
const char *comp_command_name(const struct ez_comp *c); /* "set confirm" */
ez_list_fn list_columns, list_formats;
ez_comp_fn comp_command, comp_explain, comp_file, comp_format, comp_fxt, comp_lesson, comp_location,
    comp_pid, comp_probe, comp_setting, comp_signal, comp_symbol;

/* probe.c: the reasons of refusals, as in " 3 too short, 1 it never returns"; " 0" when nothing
 * was refused. The text lives until the command returns. */
struct ez_bulk;
const char *probe_reasons(struct ez_sess *s, const struct ez_bulk *b);

/* hand.c: under `set by-hand`, what `probe` does with a probe that the transaction it began holds. */
ez_err *hand_begin(struct ez_sess *s, int number) EZ_WUR;
void hand_abandon(struct ez_sess *s); /* Ctrl-C at the prompt */

/* explain.c: the log of ptrace (--ptrace-log); explain_log_close() also ends `explain`. */
ez_err *explain_log_open(struct ez_sess *s, const char *path) EZ_WUR;
ez_err *explain_log_close(void) EZ_WUR;
/* A call of ptrace failed: the last ones, on standard error. */
void explain_failure(struct ez_sess *s);

/* lesson.c: a command has run, and may have done what the lesson asks for. */
void lesson_look(struct ez_sess *s);

/* settings.c: settings_tables() builds the `set` and `show` tables, once; settings_init() gives a
 * session its defaults. */
void settings_tables(void);
void settings_init(struct ez_sess *s);
void settings_free(struct ez_sess *s);
bool settings_is_engine(const char *name); /* it is about the target, not the shell */
/* Calls fn for each setting of the engine that has not its default. */
void settings_changed(struct ez_sess *s, void (*fn)(const char *name, const char *value, void *arg),
                      void *arg);

#endif
