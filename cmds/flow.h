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

/* Reads the lines up to the block's `end`, then calls done(), which owns the lines. plain: lines
 * are text, not commands, so no line begins a nested block. prompt: what to tell a user at a
 * terminal. */
typedef ez_err *flow_done_fn(struct ez_sess *s, struct flow_lines *l);
void flow_read(struct ez_sess *s, bool plain, const char *prompt, flow_done_fn *done);

/* The words of a call of a user-defined command. */
struct flow_words {
    char **at; /* NULL = no user-defined command runs */
    int n;
};
/* Runs the lines of a user-defined command, with $argc, $arg0, ... and $arg* replaced. EZ_E_QUIT:
 * Ctrl-C. */
ez_err *flow_call(struct ez_sess *s, const struct flow_lines *l, struct flow_words words) EZ_WUR;

#endif
