/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd.h - declarations that commands share, besides struct ez_cmd (shell/command.h). */
#ifndef EZ_CMD_H
#define EZ_CMD_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "shell/command.h"

struct ez_sess;
struct ez_stop;

/* The option -wide, which several commands have. */
#define WIDE                                                                                       \
    {                                                                                              \
        .name = "-wide",                                                                           \
        .meaning = "print all columns and whole names, however long the lines are"                 \
    }

/* Registers all callbacks with the shell, once (register.c). */
void commands_register(void);
void commands_list(void); /* Builds the shell's tables of all commands (commands.c). */

/* shell_commands.c: `source`. */
ez_cmd_fn cmd_source;

/* user.c. If the first word of `text` is a user-defined command, runs the command; *e is its error.
 * If the word is an alias, sets *other to the line to run instead (heap). Returns false if the word
 * is neither. */
bool user_call(struct ez_sess *s, const char *text, char **other, ez_err **e);
/* Runs the command hook-NAME (before = "hook-") or hookpost-NAME ("hookpost-"), if the user has
 * defined it. */
ez_err *user_hook(struct ez_sess *s, const char *before, const char *name) EZ_WUR;
bool user_help(struct ez_sess *s, const char *name); /* Prints the help of a user's command. Returns
                                                      * false if no command has that name. */
void user_names(struct ez_sess *s, void (*fn)(const char *name, const char *brief, void *arg),
                void *arg);
/* moves.c, for waits of the shell. moves_go_on continues the program after a stop that is not
 * reported to the user, and then returns true; *e is the error. moves_print prints the stop. */
bool moves_go_on(struct ez_sess *s, ez_err **e);
void moves_print(struct ez_sess *s, struct ez_stop *stop, const void *arg);
/* Inserts the changed breakpoints of a program that runs in the background. */
ez_err *moves_renew(struct ez_sess *s) EZ_WUR;
/* Runs the commands of breakpoints that were hit (break.c). */
void breaks_run_commands(struct ez_sess *s);

ez_list_fn list_columns, list_formats;
ez_comp_fn comp_explain, comp_format, comp_lesson, comp_signal;

/* Starts the steps that the user performs under `set by-hand`, for probe `number` of the open
 * transaction (hand.c). */
ez_err *hand_begin(struct ez_sess *s, int number) EZ_WUR;
/* Cancels the steps of hand_begin(); called after Ctrl-C at the prompt. */
void hand_abandon(struct ez_sess *s);

/* explain.c: open and close the log of ptrace (--ptrace-log). explain_log_close() also ends
 * `explain`. */
ez_err *explain_log_open(struct ez_sess *s, const char *path) EZ_WUR;
ez_err *explain_log_close(void) EZ_WUR;
/* Prints the failed call of ptrace, and the calls before it, on standard error. */
void explain_failure(struct ez_sess *s);

/* Checks, after a command, whether a step of the lesson is done (lesson.c). */
void lesson_look(struct ez_sess *s);

#endif
