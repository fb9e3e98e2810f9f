/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire.h - the machine interface, `--interpreter=json`: one JSON object a line, in and out
 * (doc/JSON.md).
 *
 * While the interface is on, only its objects reach the original standard output. Lines that
 * commands print are kept for the answer, and events are written as they arrive. The target, and
 * any other writer to descriptor 1, writes to standard error. The target's standard input is
 * /dev/null.
 * Tests: tests/procs/machine.sh */
#ifndef EZ_WIRE_H
#define EZ_WIRE_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_event;
struct ez_sess;
struct ez_stop;
struct ez_wire;

/* Takes over standard input and output, and writes the greeting. */
ez_err *wire_begin(struct ez_sess *s) EZ_WUR;
/* Writes that the session is ready for requests, with all that was printed so far. */
void wire_ready(struct ez_sess *s);
/* wire_begin_request notes the newest probe and specification; the answer names later ones as
 * created. wire_answer writes the answer, with `id` as the request sent it, and frees the error. */
void wire_begin_request(struct ez_sess *s);
void wire_answer(struct ez_sess *s, const char *id, ez_err *e);
/* Writes the last object of the session and frees s->wire. */
void wire_end(struct ez_sess *s, int status);

/* ---- for code that prints, while s->wire is set ---------------------------------------------- */

void wire_line(struct ez_sess *s, const char *line); /* Adds a line of output. */
/* Adds output of a command, with its newlines. */
void wire_raw(struct ez_sess *s, const char *text);
/* Writes an error or a warning as an event, at once. */
void wire_message(struct ez_sess *s, const char *text);
/* Writes what a job printed between two requests as an event, at once. Does nothing without a
 * wire. */
void wire_between(struct ez_sess *s);
void wire_json_ends(struct ez_sess *s); /* Marks the end of one JSON document of the command. */

/* Begins an event: text printed from now on belongs to the event. *held receives the text before
 * it. */
struct ez_wire_held {
    char **line;
    size_t n;
    bool json;
};
void wire_event_begins(struct ez_sess *s, struct ez_wire_held *held);
/* Ends an event. `stop`: details of a stop; NULL = not a stop. */
void wire_event_ends(struct ez_sess *s, const struct ez_event *ev, const struct ez_stop *stop,
                     struct ez_wire_held *held);
/* Ends an event: writes a "note" if anything was printed since wire_event_begins(). */
void wire_event_is_note(struct ez_sess *s, struct ez_wire_held *held);
/* Cancels an event: what was printed since wire_event_begins belongs to the command. */
void wire_event_is_none(struct ez_sess *s, struct ez_wire_held *held);

#endif
