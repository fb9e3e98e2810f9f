/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.h - the command line of eztsh. Options that gdb has, too, have gdb's meaning. */
#ifndef EZ_OPTIONS_H
#define EZ_OPTIONS_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/vec.h"

struct ez_work { /* commands and files of -ex, -x and the like, in the order given */
    const char *text;
    bool is_file, early; /* early: -ix, -iex: run before the program is loaded */
};

struct ez_options {
    bool quiet, no_rc, no_home_rc, batch, json, child_result, version, help, dump_man, dump_texinfo,
        dump_completion;
    bool all_args; /* --args: the words after PROG belong to the program */
    const char *dir, *program, *ptrace_log, *check, *core;
    char **front; /* words of a command of the shell (front.h), a NULL ends them; NULL = none */
    pid_t pid;    /* -p; 0 = none */
    char **args;  /* arguments of PROG, nargs of them */
    int nargs;
    EZ_VEC(struct ez_work) work;
    EZ_VEC(const char *) modules; /* -m */
};

/* Parses the command line. Strings are borrowed from argv. Needs the tables of commands
 * (command.h). Errors: EZ_E_ARG. */
ez_err *options_parse(struct ez_options *o, int argc, char **argv) EZ_WUR;
void options_free(struct ez_options *o); /* Frees the options; needed after an error, too. */
extern const char options_help[];

#endif
