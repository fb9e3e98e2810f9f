/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moves.h - moving the program on, for commands (engine/move/move.h). */
#ifndef EZ_MOVES_H
#define EZ_MOVES_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/move/move.h"

struct ez_sess;
struct ez_stop;

struct ez_move *moves_of(struct ez_sess *s); /* the session's */
/* Lets the program move, waits until it stands again, and tells where. fresh: it stands at main since
 * it was launched, and breakpoints there count. */
ez_err *moves_go(struct ez_sess *s, const struct ez_move_request *request) EZ_WUR;

/* Lets it run in the background, where breakpoints stop it. */
ez_err *moves_afar(struct ez_sess *s) EZ_WUR;
/* It does no longer: the user has stopped it, or it is gone. */
void moves_here(struct ez_sess *s);

/* frames.c: the name of a frame's function, with parameters; NULL = not known. And a name without its parameters and
 * result: what is told of its arguments says them. */
struct ez_stack_frame;
const char *frames_name(struct ez_sess *s, const struct ez_stack_frame *f);
const char *frames_bare(struct ez_sess *s, const char *pretty);
/* frames.c: frame n is the selected one. up: the outermost if there are fewer. show: and is shown. EZ_E_ARG, EZ_E_STATE. */
ez_err *frames_choose(struct ez_sess *s, uint64_t n, bool up, bool show) EZ_WUR;
/* frames.c: frame n behind `lead`, as a stop or bt tells it; number: "#0  " before it. */
void frames_print_one(struct ez_sess *s, const char *lead, unsigned n, bool number);

/* "Thread 2 \"name\"" and `more`; if there is but one, `alone`: gdb names the thread if there are several. */
const char *moves_who(struct ez_sess *s, const char *alone, const char *more);
/* The frame of the current thread, and its function. */
struct moves_seat {
    uint64_t cfa, pc, func, key; /* key: by which inlined functions differ            */
};
struct moves_seat moves_seat(struct ez_sess *s);
/* Where an instruction has led (arg: its struct moves_seat): in the same frame, the line alone. */
void moves_print_step(struct ez_sess *s, struct ez_stop *stop, const void *arg);

/* source.c: "12\tcode" of the line where frame n stands; address: before it, if the frame
 * is in the middle of the line. false = its line is not known. */
bool source_print_line(struct ez_sess *s, unsigned n, bool address);
/* The file and line where the frame stands, or calls what is inlined into it; false = not known. */
bool source_of(struct ez_sess *s, const struct ez_stack_frame *f, const char **file,
               unsigned *line);
/* The file and line of an instruction; false = not known. */
bool source_at(struct ez_sess *s, uint64_t pc, const char **file, unsigned *line);
void source_end(struct ez_sess *s);

/* display.c */
void display_all(struct ez_sess *s);
void display_free(struct ez_sess *s);

/* Places of LOCATION for a breakpoint; a bare number is a line of the current file. The text lives until the
 * command returns. */
const char *source_location(struct ez_sess *s, const char *text);
/* source.c: how many lines the file has, whose name is the first n characters. */
unsigned source_lines_of(const char *text, int n);
/* source.c: prints these lines of the file; their numbers alone, if it cannot be read. */
#define GAP_MOST                                                                                   \
    10000 /* lines without code that are shown, at most: debug information may name any number */
void source_show(struct ez_sess *s, const char *file, unsigned lo, unsigned hi);

#endif
