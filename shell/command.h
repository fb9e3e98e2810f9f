/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h - what a command is: a struct beside its function, command_NAME.
 *
 * Preconditions, argument counts and help are data, so no command re-implements
 * "no process is running", and help, completion, apropos and the manual are all
 * derived from the structs. A command is a function that returns an error as a
 * value; the dispatcher prints it. To add one: doc/HOWTO_COMMAND.md. */
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
    NEED_TARGET = 1,  /* a live process, running or stopped                     */
    NEED_STOPPED = 2, /* a live process whose threads are all stopped           */
    MUTATES = 4,      /* changes the target: an empty line does not repeat it   */
    NO_REPEAT = 8,    /* an empty line does not repeat it, for another reason   */
    HIDDEN = 16,      /* neither listed nor completed                           */
    RAW = 32,         /* argv[1] is what follows the options, verbatim           */
    OWN_WORDS = 64,   /* with `sub`: a word that is no subcommand is an operand */
    TAIL = 128,       /* from `if`, `collect` or `return` on, the line is s->tail, verbatim */
    BLOCK = 256,      /* lines follow, up to `end`                              */
    HERE = 512,       /* where there is a job, it is not for its members         */
    TEXT_ONLY = 1024, /* prints no table, so it has no -json                    */
};

/* Words with which the tail of a line with TAIL begins; NULL ends them (dispatch.c). */
extern const char *const cmd_tail[];

/* argv[0] is the full name ("info probes"), argv[argc] is NULL; options are not in it (opt.h).
 * With RAW argc is 1 (nothing follows) or 2. */
typedef ez_err *ez_cmd_fn(struct ez_sess *s, int argc, char **argv);
/* Makes what help says of a table of the program: whole lines; the caller frees. */
typedef char *ez_list_fn(void);
/* Offer words for the argument being typed (complete.h). */
typedef void ez_comp_fn(struct ez_sess *s, const char *word, struct ez_comp *out);

struct ez_cmd {
    const char *parent;   /* "info", "info proc": a subcommand of it; NULL = of none        */
    const char *name;     /* tables are sorted by name; a name is unique in its table       */
    const char *alias;    /* another name that is no prefix ("si"), or NULL         */
    const char *usage;    /* operands, which follow name and options                */
    const char *brief;    /* <= 60 columns, a sentence                              */
    const char *help;     /* prose: a paragraph a topic, no newline at the end; NULL = none */
    ez_list_fn *list;     /* lines that follow the prose; NULL = none               */
    const char *examples; /* command lines, with newlines between them            */
    const char *see_also; /* full names of commands, with ", " between them       */
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
#define OPERANDS(class, lo, hi) .cls = EZ_CLASS_##class, .argmin = (lo), .argmax = (hi)
/* { .name = "-count", .meaning = "only count" }, ... */
#define OPTIONS(...)                                                                               \
    .options = (const struct ez_opt[])                                                             \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            .name = NULL                                                                           \
        }                                                                                          \
    }
/* An option of several commands. */
#define FOR_PROGRAMS                                                                               \
    {                                                                                              \
        .name = "-json", .meaning = "for programs (doc/JSON.md)"                                   \
    }

extern const struct ez_cmd *ez_cmds; /* ends with a NULL name; made by command_tables() */

/* Makes the tables of these commands and of all settings, once. The structs stay the caller's. */
void command_tables(const struct ez_cmd *const *all, size_t n);
/* Adds the subcommands of `parent` ("" = of none) to a table that has n entries and room for `room`, sorts
 * the table and ends it. Returns how many it has then. */
size_t command_append(const char *parent, struct ez_cmd *table, size_t n, size_t room);

/* complete.c: a completer offers a word. */
void comp_offer(struct ez_comp *c, const char *typed, const char *word);
const char *comp_command_name(const struct ez_comp *c); /* "set confirm" */
/* What completers have in common. */
ez_comp_fn comp_command, comp_file, comp_fxt, comp_location, comp_pid, comp_probe, comp_symbol;

/* help.c: prints the subcommands of a command. */
ez_cmd_fn cmd_list_sub;

#endif
