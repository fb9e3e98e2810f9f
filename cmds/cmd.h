/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd.h - what commands share, beside what a command is (shell/command.h). */
#ifndef EZ_CMD_H
#define EZ_CMD_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "shell/command.h"

struct ez_sess;
struct ez_stop;

/* Options of several commands. */
#define WIDE                                                                                       \
    {                                                                                              \
        .name = "-wide",                                                                           \
        .meaning = "print all columns and whole names, however long the lines are"                 \
    }

/* register.c: hands all that the shell is to call to it, once. */
void commands_register(void);
void commands_list(void); /* commands.c: the commands alone */

/* shell_commands.c: `source`. */
ez_cmd_fn cmd_source;

/* user.c: commands that the user defined. user_call: false = the line's first word is none. *other: the line that it
 * stands for (to be freed), else it ran: *e. */
bool user_call(struct ez_sess *s, const char *text, char **other, ez_err **e);
/* Runs hook-NAME (`before` is "hook-"), or hookpost-NAME, if there is one. */
ez_err *user_hook(struct ez_sess *s, const char *before, const char *name) EZ_WUR;
bool user_help(struct ez_sess *s, const char *name); /* false = there is none of that name */
void user_names(struct ez_sess *s, void (*fn)(const char *name, const char *brief, void *arg),
                void *arg);
/* moves.c: while the shell waits. moves_go_on: the program stopped, but not for the user: it runs again.
 * moves_print: it stands, and where is told. */
bool moves_go_on(struct ez_sess *s, ez_err **e);
void moves_print(struct ez_sess *s, struct ez_stop *stop, const void *arg);
ez_err *moves_renew(struct ez_sess *s) EZ_WUR; /* the breakpoints may be others now */
void breaks_run_commands(struct ez_sess *s);   /* break.c: those of breakpoints that were hit */
void flow_free(struct ez_sess *s);             /* flow.c: what of it a session holds */

ez_list_fn list_columns, list_formats;
ez_comp_fn comp_explain, comp_format, comp_lesson, comp_signal;

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

#endif
