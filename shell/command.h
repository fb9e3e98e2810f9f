/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h - the definition of a command: a struct beside its function, command_NAME.
 *
 * Preconditions, argument counts and help are data: the dispatcher checks that a process runs, and
 * help, completion, apropos and the manual are derived from the structs. A command returns an error
 * as a value; the dispatcher prints it. To add a command: doc/HOWTO_COMMAND.md. */
#ifndef EZ_COMMAND_H
#define EZ_COMMAND_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "shell/opt.h"

struct ez_sess;
struct ez_comp;

enum ez_class {
    EZ_CLASS_RUN,
    EZ_CLASS_DATA,
    EZ_CLASS_PROBE,
    EZ_CLASS_TRACE,
    EZ_CLASS_JOB,
    EZ_CLASS_SUPPORT
};

enum ez_cmd_flags {
    NEED_TARGET = 1,  /* a live process, running or stopped */
    NEED_STOPPED = 2, /* a live process whose threads are all stopped */
    MUTATES = 4, /* the command changes the target, so an empty line does not repeat the command */
    /* an empty line does not repeat the command, for a reason other than MUTATES */
    NO_REPEAT = 8,
    HIDDEN = 16,          /* help and completion leave the command out */
    RAW = 32,             /* argv[1] is the line after the options, verbatim */
    OWN_WORDS = 64,       /* with `sub`: a word that is not a subcommand is an operand */
    TAIL = 128,           /* text from a word of cmd_tail on goes to s->run.tail, verbatim */
    BLOCK = 256,          /* lines follow, up to `end` */
    HERE = 512,           /* in a job, the command runs in the shell, not in the members */
    TEXT_ONLY = 1024,     /* the command prints no table, so it has no -json */
    ASSIGNS = 2048,       /* text that begins with $ is an operand of the subcommand "variable" */
    OPTIONS_FIRST = 4096, /* the operands are a program and its arguments: no option follows PROG */
    FRONT = 8192,         /* `eztsh NAME ...` runs the command (front.h) */
    /* with FRONT: the shell prompts after the command if the command left a process */
    FRONT_STAYS = 16384,
    FRONT_STATUS = 32768, /* with FRONT: eztsh exits with the program's status */
    /* with NEED_TARGET or NEED_STOPPED: a core file will do, too */
    OR_CORE = 65536,
};

/* Words at which the tail of a command with TAIL begins ("if", "collect"); a NULL ends the list. */
extern const char *const cmd_tail[];

/* Runs the command. argv[0] is the full name ("info probes"), argv[argc] is NULL; options are
 * removed (opt.h). With RAW, argc is 1 (no text) or 2. */
typedef ez_err *ez_cmd_fn(struct ez_sess *s, int argc, char **argv);
/* Returns lines for a help text that list what eztsh supports, such as the trace formats; the
 * caller frees. */
typedef char *ez_list_fn(void);
/* Completes an argument: adds to `out` the words that begin with `word` (complete.h). */
typedef void ez_comp_fn(struct ez_sess *s, const char *word, struct ez_comp *out);

struct ez_cmd {
    const char *parent;   /* parent of a subcommand: "info", "info proc"; NULL = none */
    const char *name;     /* unique in its table; tables are sorted by name */
    const char *alias;    /* further name that is not a prefix ("si"), or NULL */
    const char *usage;    /* operands, printed after name and options */
    const char *brief;    /* <= 60 columns, a sentence */
    const char *help;     /* prose: one paragraph a topic, no newline at the end; NULL = none */
    ez_list_fn *list;     /* lines printed after the prose; NULL = none */
    const char *examples; /* command lines, separated by newlines */
    const char *see_also; /* full names of commands, separated by ", " */
    enum ez_class cls;
    /* number of letters that suffice, even if another command begins with these letters; 0 = the
     * prefix must be unique */
    uint8_t min_abbrev;
    int8_t argmin, argmax;        /* number of operands; -1 = any */
    const struct ez_opt *options; /* ends with a NULL name; NULL = none */
    uint32_t flags;               /* enum ez_cmd_flags */
    ez_cmd_fn *fn;                /* with `sub`: called if no subcommand follows */
    ez_comp_fn *complete;
    const struct ez_cmd *sub; /* subcommands, ends with a NULL name; made by command_tables() */
};

/* `class`: the section of help; lo, hi: minimum and maximum number of operands (-1 = any
 * number). */
#define OPERANDS(class, lo, hi) .cls = EZ_CLASS_##class, .argmin = (lo), .argmax = (hi)
/* Lists options: OPTIONS({ .name = "-count", .meaning = "only count" }, ...). */
#define OPTIONS(...)                                                                               \
    .options = (const struct ez_opt[])                                                             \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            .name = NULL                                                                           \
        }                                                                                          \
    }
/* The option -json, as all commands with tables have it. */
#define FOR_PROGRAMS                                                                               \
    {                                                                                              \
        .name = "-json", .meaning = "for programs (doc/JSON.md)"                                   \
    }

extern const struct ez_cmd *ez_cmds; /* ends with a NULL name; made by command_tables() */

/* Builds the tables of the n commands in `all`; a second call does nothing. The structs must live
 * as long as the process. */
void command_tables(const struct ez_cmd *const *all, size_t n);
/* Adds the subcommands of `parent` ("" = top level) to a table with n entries and space for `room`
 * entries, sorts the table and terminates it. Returns the new number of entries. */
size_t command_append(const char *parent, struct ez_cmd *table, size_t n, size_t room);

/* Returns the command with FRONT whose whole name is `word`; NULL if there is none. */
const struct ez_cmd *command_front(const char *word);

/* Adds `word` to the completions if it begins with `typed`. For completers (complete.c). */
void comp_offer(struct ez_comp *c, const char *typed, const char *word);
/* Returns the full name of the command whose argument is completed, such as "set confirm". */
const char *comp_command_name(const struct ez_comp *c);
/* Completers of several commands. */
ez_comp_fn comp_command, comp_file, comp_fxt, comp_location, comp_pid, comp_probe, comp_symbol;

/* Prints the subcommands of a command (help.c). */
ez_cmd_fn cmd_list_sub;

#endif
