/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flow.h - blocks of commands: how they are read, up to their `end`, and run (flow.c); commands that the user
 * defines out of them (user.c). As in gdb. */
#ifndef EZ_FLOW_H
#define EZ_FLOW_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/vec.h"

struct ez_sess;

/* Lines, without their newlines; a block within a block is in it as it was typed. */
struct flow_lines {
    EZ_VEC(char *) line;
};
void flow_lines_clear(struct flow_lines *l);
/* Is it the line of that word; an `end`; does it begin a block of its own? */
bool flow_is(const char *line, const char *word);
bool flow_ends(const char *line);
bool flow_begins(const char *line);

/* Takes the lines up to the block's `end`, then calls done(); the lines are its to take. plain: no line but
 * `end` means anything (a text). What the user is told to type, if there is one at a terminal: prompt. */
typedef ez_err *flow_done_fn(struct ez_sess *s, struct flow_lines *l);
void flow_read(struct ez_sess *s, bool plain, const char *prompt, flow_done_fn *done);

/* Runs them. EZ_E_QUIT: Ctrl-C. */
ez_err *flow_run(struct ez_sess *s, const struct flow_lines *l) EZ_WUR;

/* ---- what a session has of it (sess.h: flow) ---- */

enum flow_leave { FLOW_ON, FLOW_BREAK, FLOW_CONTINUE };

struct user_cmd {
    char *name;
    char *doc;   /* NULL = none                                       */
    char *alias; /* what it stands for; NULL = the lines are it           */
    struct flow_lines body;
};

struct ez_blocks {
    struct flow_lines reading; /* the block that is typed                         */
    bool plain;
    size_t deep; /* blocks in it that are open                                    */
    flow_done_fn *done;
    unsigned running; /* blocks                                                   */
    enum flow_leave leaving;

    EZ_VEC(struct user_cmd *) user;
    struct user_cmd *defining; /* while its lines are typed; owned                 */
    char **arg;                /* the words of the call that runs; NULL = none runs     */
    int narg;
};
struct ez_blocks *flow_of(struct ez_sess *s);

/* user.c: the line with $argc, $arg0, ... and $arg* replaced, or NULL: no defined command runs, or there is
 * nothing to replace. To be freed. */
char *user_replaced(struct ez_sess *s, const char *line);
void user_free(struct ez_blocks *f);

#endif
