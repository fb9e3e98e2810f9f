/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flow.h - blocks of commands up to their `end`: reading and running them (flow.c), and the
 * commands that the user defines with them (user.c). As in gdb. */
#ifndef EZ_FLOW_H
#define EZ_FLOW_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/vec.h"

struct ez_sess;

/* Lines without their newlines. A nested block stays in the lines as typed. */
struct flow_lines {
    EZ_VEC(char *) line;
};
void flow_lines_clear(struct flow_lines *l);
/* Return true if the line begins with `word`; is an `end`; begins a block. */
bool flow_is(const char *line, const char *word);
bool flow_ends(const char *line);
bool flow_begins(const char *line);

/* Reads the lines up to the block's `end`, then calls done(), which takes the lines. plain: every
 * line except `end` is text. prompt: instruction for a user at a terminal. */
typedef ez_err *flow_done_fn(struct ez_sess *s, struct flow_lines *l);
void flow_read(struct ez_sess *s, bool plain, const char *prompt, flow_done_fn *done);

/* Runs the lines. EZ_E_QUIT: Ctrl-C. */
ez_err *flow_run(struct ez_sess *s, const struct flow_lines *l) EZ_WUR;

/* ---- state of a session (sess.h: flow) ---- */

enum flow_leave { FLOW_ON, FLOW_BREAK, FLOW_CONTINUE };

struct user_cmd {
    char *name;
    char *doc;   /* NULL = none */
    char *alias; /* command that replaces it; NULL = the body */
    struct flow_lines body;
};

struct ez_blocks {
    struct flow_lines reading; /* lines of the block being typed */
    bool plain;
    size_t deep; /* open blocks in it */
    flow_done_fn *done;
    unsigned running; /* number of running blocks */
    enum flow_leave leaving;

    EZ_VEC(struct user_cmd *) user;
    struct user_cmd *defining; /* command whose lines are being typed; owned */
    char **arg;                /* words of the running call; NULL = none */
    int narg;
};
struct ez_blocks *flow_of(struct ez_sess *s);

/* Returns the line with $argc, $arg0, ... and $arg* replaced; the caller frees. Returns NULL if no
 * defined command runs, or if nothing was replaced (user.c). */
char *user_replaced(struct ez_sess *s, const char *line);
void user_free(struct ez_blocks *f);

#endif
