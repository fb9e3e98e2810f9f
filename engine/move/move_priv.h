/* SPDX-License-Identifier: GPL-3.0-or-later */
/* move_priv.h - shared by the files of engine/move. */
#ifndef EZ_MOVE_PRIV_H
#define EZ_MOVE_PRIV_H

#include "engine/base/vec.h"
#include "engine/move/move.h"
#include "engine/target.h"

struct ez_break {
    int number;
    enum ez_break_kind kind;
    enum ez_break_then then;
    uint64_t stops;
    bool enabled;
    char *what, *cond, *commands;
    uint64_t hits, ignore;
    EZ_VEC(struct ez_break_place) place;
    pid_t of;        /* process of these addresses; 0 = addresses of the file */
    uint64_t image;  /* loaded files when the places were found */
    uint64_t chosen; /* return address of the resolver of places.at[choice]; 0 = none runs */
    size_t choice;
    /* of a watchpoint */
    unsigned len;
    int counter;           /* counter of accesses by the stepped instruction; -1 = none */
    bool accessed;         /* the last instruction accessed it */
    struct ez_value value; /* previous value, with its type and place */
    uint64_t cfa, func;    /* of the frame with the variable; 0 = none */
    uint64_t back;         /* return address of that frame; 0 if unknown */
};

struct move_seat { /* a frame */
    uint64_t cfa, func;
    uint64_t key; /* distinguishes inlined functions; 0 if unknown */
};

enum move_way { MOVE_RETURNS, MOVE_THROW, MOVE_JUMP }; /* how a call is left (nonlocal_exit.c) */
struct move_exit {
    uint64_t at;
    enum move_way way;
};

struct move_to {
    uint64_t at;  /* where the thread arrives, perhaps in a copy */
    uint64_t sp;  /* requires a stack pointer of at least this */
    uint64_t cfa; /* in the frame with that address; 0 = any */
    bool ends;    /* ends the move of the line; otherwise the move continues from there */
    enum move_way way;
};

struct ez_move {
    struct ez_target *t;
    struct ez_history *v;
    EZ_VEC(struct ez_break *) brk;

    bool on;      /* a move is in progress */
    bool changed; /* breakpoints differ from those that are armed */
    bool ran;     /* the move has let the program run */
    struct ez_move_request request;
    pid_t tid;
    uint64_t left; /* remaining lines or instructions, including the present one */
    uint64_t lo, hi, file;
    unsigned line;
    struct move_seat seat, began; /* of the line being left; of the begin of the move */
    bool no_lines;                /* the move began in a function without lines */
    uint64_t into; /* key of the function whose inlined functions are being left; 0 = none */

    EZ_VEC(struct move_to) to; /* the move runs to one of these */
    uint64_t bound;            /* stack pointer after the running call; 0 = none runs */
    EZ_VEC(struct move_exit) way;
    uint64_t nonlocal_of; /* image for which these are valid */
    EZ_VEC(struct ez_halt) want;
    uint64_t unwatched; /* image whose loader has no hook; 0 = none */

    struct ez_move_result end;
    char *was, *is, *what, *commands; /* texts of `end` */
};

/* line.c */
/* The addresses at which the instruction `at` executes now. */
struct move_places {
    EZ_VEC(uint64_t) at;
};
void move_copies(struct ez_target *t, uint64_t at, struct move_places *out);
uint64_t move_function(struct ez_target *t, uint64_t pc, uint64_t *end); /* its first byte, or 0 */
uint64_t move_past_prologue(struct ez_target *t, uint64_t func);
/* Returns whether it is the first instruction of an IFUNC's resolver. */
bool move_is_resolver(struct ez_target *t, uint64_t at);
bool move_in_plt(struct ez_target *t, uint64_t pc, const char **name);
/* returns false in eztsh's own code */
bool move_original(struct ez_move *m, uint64_t raw, uint64_t *at);

/* move_parts.c: its frame, its destinations, its halts, its end */
bool move_word(struct ez_move *m, uint64_t at, uint64_t *out);
struct move_seat move_seat(struct ez_move *m);
void move_done(struct ez_move *m);
struct ez_thread *move_thread(struct ez_move *m);
/* Makes the thread run to the instruction `at`, or to its copy. */
void move_to(struct ez_move *m, uint64_t at, uint64_t sp, bool ends);
/* Returns a number that changes when files are loaded or unloaded. */
uint64_t move_image(struct ez_move *m);
/* Adds a halt. Halts at the same address share one, because the processor has few. */
void move_want(struct ez_move *m, struct ez_halt h);
bool move_same_halt(const struct ez_halt *a, const struct ez_halt *b);

/* run.c */
ez_err *move_run(struct ez_move *m, int sig) EZ_WUR;
/* Recomputes the destinations after the program was stopped independently of the move. */
ez_err *move_renew(struct ez_target *t, void *move) EZ_WUR;

/* walk.c: continues by single steps until the move is done, or lets the program run. look: first
 * checks whether the thread has already left the line. */
ez_err *move_steps(struct ez_move *m, bool look) EZ_WUR;
void move_begin_line(struct ez_move *m, uint64_t pc);

/* nonlocal_exit.c */
void nonlocal_want(struct ez_move *m);
/* Returns whether the function that begins at `raw` leaves the call. Then `m->to` has the
 * destination. */
bool nonlocal_reached(struct ez_move *m, uint64_t raw, const struct ez_regs *r);

/* break.c */
void break_want(struct ez_move *m, struct ez_break *b);
void breaks_free(struct ez_move *m);
/* Makes the program wait when it loads a library, if a breakpoint waits for one. */
void breaks_watch_loader(struct ez_move *m);
/* Returns whether a breakpoint stops the thread at `raw`, where the instruction `at` or its copy
 * is. Puts what stops it into m->end. */
bool breaks_hit(struct ez_move *m, uint64_t raw, uint64_t at);
struct ez_break *breaks_new(struct ez_move *m, enum ez_break_kind kind, const char *what,
                            const char *cond);
void breaks_drop(struct ez_break *b);
/* Checks that the condition is valid at one of its places. */
ez_err *breaks_check(struct ez_move *m, const struct ez_break *b, const char *cond) EZ_WUR;
/* returns whether addr executes at raw */
bool breaks_is_at(struct ez_move *m, uint64_t addr, uint64_t raw);
void breaks_keep(struct ez_move *m, struct ez_break *b, int *number);
/* counts a hit; returns false if the condition fails */
bool breaks_count(struct ez_move *m, struct ez_break *b);
void breaks_end(struct ez_move *m, struct ez_break *b, enum ez_move_end how);
bool breaks_spent(struct ez_move *m, struct ez_break *b);

/* watch.c */
/* Count, around a single step of thread tid, which watched values the instruction reads, for
 * breaks_watched(). */
ez_err *watch_count(struct ez_move *m, pid_t tid) EZ_WUR;
void watch_counted(struct ez_move *m);
/* returns whether it is in this process */
bool watch_resolve(struct ez_move *m, struct ez_break *b);
void watch_want(struct ez_move *m, struct ez_break *b);
bool breaks_watched(struct ez_move *m, unsigned which);
/* Returns whether the thread, now at `raw`, has left the frame of a watched variable. */
bool breaks_left(struct ez_move *m, uint64_t raw, uint64_t sp);

#endif
