/* SPDX-License-Identifier: GPL-3.0-or-later */
/* move.h - moves of the stopped program, as gdb has them: on to a line, out of a function, to a place;
 * and breakpoints, which end any of them. For one session.
 *
 * A move that was begun has the program run, or has stopped it already. Whoever waits asks
 * ez_move_goes_on() when the program has stopped; ez_move_stopped() ends the move.
 * Tests: tests/procs/moving.sh */
#ifndef EZ_MOVE_H
#define EZ_MOVE_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/eval/eval.h"

struct ez_move;
struct ez_move *ez_move_new(struct ez_target *t, struct ez_history *values);
void ez_move_free(struct ez_move *m);

enum ez_move_kind {
    EZ_MOVE_GO,     /* until something stops it                                      */
    EZ_MOVE_STEP,   /* `count` lines, into functions that have lines                  */
    EZ_MOVE_NEXT,   /* over calls                                                    */
    EZ_MOVE_STEPI,  /* `count` instructions                                          */
    EZ_MOVE_NEXTI,  /* over calls                                                    */
    EZ_MOVE_UNTIL,  /* a line, as NEXT, that is not before this one                    */
    EZ_MOVE_TO,     /* to one of `to`, or out of the frame                           */
    EZ_MOVE_FINISH, /* out of frame `frame`                                            */
};
struct ez_move_request {
    enum ez_move_kind kind;
    uint64_t count;
    const uint64_t *to;
    size_t nto;
    bool this_frame; /* TO: in the frame where it stands, no deeper one of the function      */
    unsigned frame;
    bool fresh; /* GO: a breakpoint where it stands stops it                             */
    int sig;    /* as ez_continue() takes it                                             */
};
ez_err *ez_move_begin(struct ez_move *m, const struct ez_move_request *request) EZ_WUR;
/* The program stopped. true: it runs again, since nothing that stopped it is for the user. */
bool ez_move_goes_on(struct ez_move *m, ez_err **e);

/* Breakpoints were changed; if the program runs, what stops it is others from now on. */
ez_err *ez_move_renew(struct ez_move *m) EZ_WUR;

/* A single instruction, which is no move. ez_move_look: do breakpoints stop it where it stands then?
 * ez_move_stopped() says which. */
ez_err *ez_move_stepi(struct ez_move *m) EZ_WUR;
bool ez_move_look(struct ez_move *m);

enum ez_move_end {
    EZ_MOVED_NOT,   /* something else stopped it: an event says what                 */
    EZ_MOVED,       /* the move is done                                               */
    EZ_MOVED_BREAK, /* breakpoints were hit                                           */
    EZ_MOVED_WATCH, /* a value changed, or was read                                    */
    EZ_MOVED_SCOPE, /* a watchpoint was deleted: its block was left                     */
};
enum ez_break_kind { EZ_BREAK_CODE, EZ_BREAK_WATCH, EZ_BREAK_RWATCH, EZ_BREAK_AWATCH };
struct ez_move_result {
    enum ez_move_end end;
    bool same;      /* in the frame and function where the move began: the line does */
    int number;     /* of the breakpoint                                            */
    unsigned place; /* which of its places, from 1 on; 0 = it has but one                 */
    bool temporary;
    uint64_t finished;       /* the function that was left by FINISH; 0 = none                  */
    const char *what;        /* the watched expression                                        */
    const char *was, *is;    /* its values; was NULL = it did not change                       */
    enum ez_break_kind kind; /* of the breakpoint                                          */
    const char *commands;    /* of the breakpoint; NULL = none                                */
};
/* After the program has stopped for the user: ends the move. The texts live until the next move. */
void ez_move_stopped(struct ez_move *m, struct ez_move_result *out);

/* ---- breakpoints (break.c) ---- */

/* After a stop it is kept, deleted or disabled. */
enum ez_break_then { EZ_BREAK_STAYS, EZ_BREAK_GOES, EZ_BREAK_SLEEPS };
struct ez_break_place {
    uint64_t addr;
    bool off;      /* disabled by itself                                                 */
    bool resolver; /* of an IFUNC that is not resolved yet: nothing stops there           */
};
struct ez_break_info {
    int number;
    enum ez_break_kind kind;
    enum ez_break_then then;
    uint64_t stops; /* SLEEPS: so many stops to come                                    */
    bool enabled;
    const char *what;      /* as typed: LOCATION or EXPR                                  */
    const char *cond;      /* "" = none                                                    */
    const char *commands;  /* lines, each with its newline; "" = none                     */
    uint64_t hits, ignore; /* ignore: hits that will not stop                             */
    const struct ez_break_place *place; /* none = pending                                  */
    size_t n;
};
/* Make one at LOCATION. EZ_E_NOTFOUND: there is no such place, and nothing was made; with `pending` it
 * waits for a library that has it. */
ez_err *ez_break_add(struct ez_move *m, const char *location, bool temporary, const char *cond,
                     bool pending, int *number) EZ_WUR;
ez_err *ez_watch_add(struct ez_move *m, enum ez_break_kind kind, const char *expr, const char *cond,
                     int *number) EZ_WUR;
void ez_breaks(struct ez_move *m, void (*fn)(const struct ez_break_info *, void *), void *arg);
size_t ez_break_count(const struct ez_move *m);
bool ez_break_is(const struct ez_move *m, int number);
bool ez_break_delete(struct ez_move *m, int number); /* false = no breakpoint has it     */
bool ez_break_enable(struct ez_move *m, int number, bool on);
/* It is enabled, and what becomes of it after a stop; SLEEPS: after `stops` of them. */
bool ez_break_then(struct ez_move *m, int number, enum ez_break_then then, uint64_t stops);
/* Its `place`th place, from 1 on. EZ_E_NOTFOUND. */
ez_err *ez_break_place_enable(struct ez_move *m, int number, uint64_t place, bool on) EZ_WUR;
/* NULL = as it is; "" = none. EZ_E_NOTFOUND: no breakpoint has the number. */
ez_err *ez_break_change(struct ez_move *m, int number, const char *cond, const char *commands,
                        const uint64_t *ignore) EZ_WUR;

/* ---- places (line.c) ---- */
struct ez_code_line {
    uint64_t lo, hi; /* its instructions there                                         */
    uint64_t file;   /* a number for its name                                           */
    const char *name;
    unsigned line;
    bool statement;
};
bool ez_code_line(struct ez_target *t, uint64_t pc, struct ez_code_line *out);
/* The source file and line of an instruction, as gdb has the line. */
bool ez_code_source(struct ez_target *t, uint64_t pc, const char **file, unsigned *line);
/* Calls fn for the functions into which the one that begins there is inlined, too, as far as its unit tells. */
void ez_code_inlined(struct ez_target *t, uint64_t func, void (*fn)(const char *into, void *arg),
                     void *arg);
struct ez_code_unit { /* how code was compiled; texts live as long as the object                */
    const char *name, *folder, *language,
        *producer;    /* NULL = not told. language: as gdb has it   */
    unsigned version; /* of DWARF                                  */
    bool macros;
};
/* false = nothing tells. */
bool ez_code_unit(struct ez_target *t, uint64_t pc, struct ez_code_unit *out);
/* Calls fn for each place that LOCATION means for a breakpoint: of a function, behind its prologue; of
 * a line, its first instruction. `here`: the code whose file a bare line number means. */
ez_err *ez_code_places(struct ez_target *t, const char *location,
                       void (*fn)(uint64_t addr, void *arg), void *arg) EZ_WUR;

#endif
