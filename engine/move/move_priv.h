/* SPDX-License-Identifier: GPL-3.0-or-later */
/* move_priv.h - what the files of engine/move share. */
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
    pid_t of;        /* the process whose addresses these are; 0 = the file's                  */
    uint64_t image;  /* what was loaded when the places were found                         */
    uint64_t chosen; /* where the resolver of places.at[choice] returns to; 0 = none runs     */
    size_t choice;
    /* of a watchpoint */
    unsigned len;
    int counter;           /* of accesses by the instruction that is stepped; -1 = none          */
    bool accessed;         /* by the last one                                              */
    struct ez_value value; /* as it was; its type and place                               */
    uint64_t cfa, func;    /* of the frame whose variable it is; 0 = of none                  */
    uint64_t back;         /* where that returns to; 0 = not known                         */
};

struct move_seat { /* a frame                                                              */
    uint64_t cfa, func;
    uint64_t key; /* by which inlined functions differ; 0 = not told                      */
};

enum move_way {
    MOVE_RETURNS,
    MOVE_THROW,
    MOVE_JUMP
}; /* how a call is left (nonlocal_exit.c)           */
struct move_exit {
    uint64_t at;
    enum move_way way;
};

struct move_to {
    uint64_t at;  /* where the thread comes by: maybe in a copy                          */
    uint64_t sp;  /* with a stack pointer not below that                                 */
    uint64_t cfa; /* in the frame with that address; 0 = in any                           */
    bool ends;    /* that ends the line's move; else it goes on from there                */
    enum move_way way;
};

struct ez_move {
    struct ez_target *t;
    struct ez_history *v;
    EZ_VEC(struct ez_break *) brk;

    bool on;      /* a move is under way                                                     */
    bool changed; /* breakpoints are others than those that are armed               */
    bool ran;     /* it has let the program run                                              */
    struct ez_move_request request;
    pid_t tid;
    uint64_t left; /* lines or instructions still to go, with this one                       */
    uint64_t lo, hi, file;
    unsigned line;
    struct move_seat seat, began; /* of the line that is left; where the move began        */
    bool no_lines; /* it began in a function without lines                               */
    uint64_t
        into; /* it leaves what is inlined into this function (its key); 0 = it does not       */

    EZ_VEC(struct move_to) to; /* it runs to one of these                              */
    uint64_t bound; /* the stack pointer behind the call that runs; 0 = none does            */
    EZ_VEC(struct move_exit) way;
    uint64_t ways_of; /* the image that these are of                                        */
    EZ_VEC(struct ez_halt) want;
    uint64_t unwatched; /* the image whose loader bears no hook; 0 = none                  */

    struct ez_move_result end;
    char *was, *is, *what, *commands; /* of `end`                                         */
};

/* line.c */
/* The addresses at which the instruction `at` runs now. */
struct move_places {
    EZ_VEC(uint64_t) at;
};
void move_copies(struct ez_target *t, uint64_t at, struct move_places *out);
uint64_t move_function(struct ez_target *t, uint64_t pc, uint64_t *end); /* its first byte; 0 */
uint64_t move_past_prologue(struct ez_target *t, uint64_t func);
bool move_is_resolver(struct ez_target *t, uint64_t at); /* of an IFUNC: its first instruction   */
bool move_in_plt(struct ez_target *t, uint64_t pc, const char **name);
bool move_original(struct ez_move *m, uint64_t raw, uint64_t *at); /* false = our own code    */

/* move.c */
bool move_word(struct ez_move *m, uint64_t at, uint64_t *out);
struct move_seat move_seat(struct ez_move *m);
ez_err *move_run(struct ez_move *m, int sig) EZ_WUR;
void move_done(struct ez_move *m);
struct ez_thread *move_thread(struct ez_move *m);

/* Let it run to the instruction `at`, or to its copy. */
void move_to(struct ez_move *m, uint64_t at, uint64_t sp, bool ends);

/* walk.c: goes on by single steps until the move is done, or has the program run. look: first see
 * whether the line is left where the thread is. */
ez_err *move_steps(struct ez_move *m, bool look) EZ_WUR;
void move_begin_line(struct ez_move *m, uint64_t pc);

/* What is loaded, as a number that changes with it. */
uint64_t move_image(struct ez_move *m);
void move_want(struct ez_move *m, struct ez_halt h);
bool move_same_halt(const struct ez_halt *a, const struct ez_halt *b);

/* nonlocal_exit.c */
void ways_want(struct ez_move *m);
/* Is the call being left by the function that begins at `raw`? Then `m->to` has where to. */
bool ways_reached(struct ez_move *m, uint64_t raw, const struct ez_regs *r);

/* break.c */
void breaks_want(struct ez_move *m);
/* Have the program wait for us when it loads a library, if breakpoints wait for one. */
void breaks_watch_loader(struct ez_move *m);
/* Does a breakpoint stop the thread at `raw`, where the instruction `at` or its copy is? Enters what stops it in m->end. */
bool breaks_hit(struct ez_move *m, uint64_t raw, uint64_t at);
struct ez_break *breaks_new(struct ez_move *m, enum ez_break_kind kind, const char *what,
                            const char *cond);
void breaks_drop(struct ez_break *b);
/* Can the condition be understood at one of its places? */
ez_err *breaks_check(struct ez_move *m, const struct ez_break *b, const char *cond) EZ_WUR;
bool breaks_is_at(struct ez_move *m, uint64_t addr, uint64_t raw); /* does addr run at raw? */
void breaks_keep(struct ez_move *m, struct ez_break *b, int *number);
bool breaks_count(struct ez_move *m, struct ez_break *b); /* a hit; false: its condition fails */
void breaks_end(struct ez_move *m, struct ez_break *b, enum ez_move_end how);
bool breaks_spent(struct ez_move *m, struct ez_break *b);

/* watch.c */
/* Around a single step of thread tid: which values does the instruction read? breaks_watched() asks that. */
ez_err *watch_count(struct ez_move *m, pid_t tid) EZ_WUR;
void watch_counted(struct ez_move *m);
bool watch_resolve(struct ez_move *m, struct ez_break *b); /* is it in this process?           */
void watch_want(struct ez_move *m, struct ez_break *b);
bool breaks_watched(struct ez_move *m, unsigned which);
/* The thread is at `raw`: is the frame of a watched variable left? */
bool breaks_left(struct ez_move *m, uint64_t raw, uint64_t sp);
void breaks_free(struct ez_move *m);

#endif
