/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire.h - the machine interface, `--interpreter=json`: a JSON object a line in, and out (doc/JSON.md).
 *
 * While it is on, nothing but its objects reaches what was standard output: lines that commands
 * print are kept for the answer, events are told as they come, and the target, and whatever else writes
 * to file 1, writes to standard error. Its standard input is /dev/null.
 * Tests: tests/procs/machine.sh */
#ifndef EZ_WIRE_H
#define EZ_WIRE_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_event;
struct ez_sess;
struct ez_stop;
struct ez_wire;

/* Takes standard input and output over, and greets. */
ez_err *wire_begin(struct ez_sess *s) EZ_WUR;
/* Answers requests until `quit`, or the end of the input. */
void wire_serve(struct ez_sess *s);
/* Says goodbye, and frees. */
void wire_end(struct ez_sess *s, int status);

/* ---- for what prints, while s->wire is set --------------------------------------------------- */

void wire_line(struct ez_sess *s, const char *line);    /* of a command                */
void wire_raw(struct ez_sess *s, const char *text);     /* the same, with its newlines */
void wire_message(struct ez_sess *s, const char *text); /* an error or a warning beside it */
/* What a job has printed between requests becomes an event of its own, at once; nothing without a wire. */
void wire_between(struct ez_sess *s);
void wire_json_ends(struct ez_sess *s); /* what the command printed for programs is whole */

/* What is printed from now on is of an event; *held receives what was printed before. */
struct ez_wire_held {
    char **line;
    size_t n;
    bool json;
};
void wire_event_begins(struct ez_sess *s, struct ez_wire_held *held);
/* `stop`: more of a stop; NULL = it is none. */
void wire_event_ends(struct ez_sess *s, const struct ez_event *ev, const struct ez_stop *stop,
                     struct ez_wire_held *held);
/* It is one if anything was printed. */
void wire_event_is_note(struct ez_sess *s, struct ez_wire_held *held);
/* It was none: what was printed since is the command's. */
void wire_event_is_none(struct ez_sess *s, struct ez_wire_held *held);

#endif
