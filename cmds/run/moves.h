/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moves.h - step, next, finish and other moves of the stopped program, for commands
 * (engine/move/move.h). */
#ifndef EZ_MOVES_H
#define EZ_MOVES_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/move/move.h"

struct ez_sess;
struct ez_stop;

struct moves {
    /* the breakpoints and the move in progress (step, next, ...); NULL = none yet */
    struct ez_move *move;
    char *commands; /* commands of the breakpoint that was hit, still to run; NULL = none */
};
struct moves *moves_state(struct ez_sess *s);
struct ez_move *moves_of(struct ez_sess *s); /* Returns the session's breakpoints and moves, and
                                              * creates them at the first call. */
/* Moves the program, waits until it stops, and prints the stop. request->fresh: the program is
 * stopped at main after its launch, so a breakpoint at main counts as hit. */
ez_err *moves_go(struct ez_sess *s, const struct ez_move_request *request) EZ_WUR;

/* Lets the program run in the background with breakpoints. */
ez_err *moves_afar(struct ez_sess *s) EZ_WUR;
/* Ends the background run of moves_afar(), after the user stopped the program or it ended. */
void moves_here(struct ez_sess *s);

/* Returns the function of a frame, with parameters; NULL if not known (frames.c). */
struct ez_stack_frame;
const char *frames_name(struct ez_sess *s, const struct ez_stack_frame *f);
/* Selects frame n (frames.c). up: if n is too large, selects the outermost frame. show: prints the
 * frame. EZ_E_ARG, EZ_E_STATE. */
ez_err *frames_choose(struct ez_sess *s, uint64_t n, bool up, bool show) EZ_WUR;
/* Prints frame n after `lead`, as a stop or bt does (frames.c). number: prints "#0  " first. */
void frames_print_one(struct ez_sess *s, const char *lead, unsigned n, bool number);

/* Returns "Thread 2 \"name\"" and then `more`, if the program has several threads; else returns
 * `alone`, as gdb does. */
const char *moves_who(struct ez_sess *s, const char *alone, const char *more);
/* The frame of the current thread, and its function. */
struct moves_seat {
    uint64_t cfa, pc, func, key; /* key: distinguishes inlined functions of one frame */
};
struct moves_seat moves_seat(struct ez_sess *s);
/* Prints the stop after a step. arg: the struct moves_seat from before the step. If the frame is
 * the same, prints only the source line. */
void moves_print_step(struct ez_sess *s, struct ez_stop *stop, const void *arg);

/* Prints "12\tcode", the source line of frame n, and selects the line for `list` (source.c).
 * address: prints the pc first, if it is inside the code of the line. Returns false if the line is
 * not known. */
bool source_print_line(struct ez_sess *s, unsigned n, bool address);
/* Finds the file and line of a frame; for a frame with inlined functions, of the inlined call.
 * Returns false if not known. */
bool source_of(struct ez_sess *s, const struct ez_stack_frame *f, const char **file,
               unsigned *line);
/* Finds the file and line of an instruction. Returns false if they are unknown. */
bool source_at(struct ez_sess *s, uint64_t pc, const char **file, unsigned *line);
/* Returns the last line that `list` showed; 0 = none yet. */
unsigned source_last(struct ez_sess *s);

void display_all(struct ez_sess *s); /* display.c: prints all displays */

/* Returns `text` as a LOCATION for a breakpoint: puts "FILE:" of the current file before a line
 * number, and replaces EXPR of "*EXPR" by its value. The text lives until the command returns. */
const char *source_location(struct ez_sess *s, const char *text);
/* Returns the number of lines of the file that the first n characters name (source.c). */
unsigned source_lines_of(const char *text, int n);
/* maximum number of shown lines without code; debug information may name any number */
#define GAP_MOST 10000
/* Prints these lines of the file; only their numbers if the file is not readable (source.c). */
void source_show(struct ez_sess *s, const char *file, unsigned lo, unsigned hi);

#endif
