/* SPDX-License-Identifier: GPL-3.0-or-later */
/* move_priv.h - shared by the files of engine/move. */
#ifndef EZ_MOVE_PRIV_H
#define EZ_MOVE_PRIV_H

#include <regex.h>

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
    pid_t of;       /* process to which the addresses belong; 0 = addresses in the file */
    uint64_t image; /* move_image() when the places were found */
    /* return address of the running resolver of place.at[choice]; 0 = no resolver runs */
    uint64_t chosen;
    size_t choice;
    /* the following fields are valid only for a catchpoint */
    EZ_VEC(int) number_of; /* system calls or signals */
    bool all;
    long last;        /* the last child */
    char *last_text;  /* the last program; NULL = none yet */
    regex_t *library; /* NULL = any */
    uint64_t list;    /* identifies the loader's list of `loaded` */
    char *loaded; /* names of the libraries at the last look, with newlines; NULL = no look yet */
    /* the following fields are valid only for a watchpoint */
    bool location; /* `what` has "-location " before the expression */
    unsigned len;
    /* descriptor that counts accesses by the stepped instruction; -1 = none */
    int counter;
    bool accessed;         /* the last instruction read or wrote the value */
    struct ez_value value; /* previous value, with its type and place */
    uint64_t cfa, func;    /* frame of the watched local variable; 0 = the variable is not local */
    uint64_t back;         /* return address of the frame; 0 if unknown */
};

struct move_seat { /* identifies a frame */
    uint64_t cfa, func;
    uint64_t key; /* distinguishes inlined functions; 0 if unknown */
};

enum move_way { MOVE_RETURNS, MOVE_THROW, MOVE_JUMP }; /* how a call is left (nonlocal_exit.c) */
struct move_exit {
    uint64_t at;
    enum move_way way;
};

struct move_to {
    uint64_t at; /* address at which the thread arrives, perhaps in a copy of an instruction */
    /* the thread must have at least this stack pointer, else it is in a deeper frame */
    uint64_t sp;
    uint64_t cfa; /* the thread must be in the frame with this frame address; 0 = in any frame */
    /* true if the move to another line is complete at this address; false if the move continues
     * with steps */
    bool ends;
    enum move_way way;
};

struct ez_move {
    struct ez_target *t;
    struct ez_history *v;
    EZ_VEC(struct ez_break *) brk;

    bool on;      /* a move is in progress */
    bool changed; /* breakpoints were changed since the halts were armed */
    bool ran;     /* the move has resumed the whole program */
    struct ez_move_request request;
    pid_t tid;
    uint64_t left; /* number of lines or instructions to go, including the present one */
    uint64_t lo, hi, file;
    unsigned line;
    /* frame of the line that is being left; frame in which the move began */
    struct move_seat seat, began;
    bool no_lines; /* the move began in a function without lines */
    /* key of the function in which `finish` of an inlined function will end; 0 = none */
    uint64_t into;

    /* destinations: the program runs until the thread reaches one of them */
    EZ_VEC(struct move_to) to;
    /* stack pointer after the return of the call that is running; 0 = none */
    uint64_t bound;
    EZ_VEC(struct move_exit) way;
    uint64_t nonlocal_of; /* move_image() for which `way` is valid */
    EZ_VEC(struct ez_halt) want;
    /* move_image() of a process whose loader cannot tell eztsh about libraries; 0 = none */
    uint64_t unwatched;

    struct ez_move_result end;
    char *was, *is, *what, *detail, *commands; /* owned strings to which `end` points */
};

/* line.c */
/* Addresses at which threads can execute the program's instruction `at`: its own address or, if a
 * patch has replaced it, the addresses of its copies. */
struct move_places {
    EZ_VEC(uint64_t) at;
};
void move_copies(struct ez_target *t, uint64_t at, struct move_places *out);
/* returns the first address of the function that contains pc, or 0; *end, unless end is NULL: the
 * function's end */
uint64_t move_function(struct ez_target *t, uint64_t pc, uint64_t *end);
uint64_t move_past_prologue(struct ez_target *t, uint64_t func);
/* Returns whether `at` is the first instruction of an IFUNC's resolver. */
bool move_is_resolver(struct ez_target *t, uint64_t at);
bool move_in_plt(struct ez_target *t, uint64_t pc, const char **name);
/* Sets *at to the program's instruction of which `raw` is a copy, or to `raw` if `raw` is no copy.
 * Returns false if `raw` is other code of eztsh. */
bool move_original(struct ez_move *m, uint64_t raw, uint64_t *at);

/* move_parts.c */
bool move_word(struct ez_move *m, uint64_t at, uint64_t *out);
struct move_seat move_seat(struct ez_move *m);
void move_done(struct ez_move *m);
struct ez_thread *move_thread(struct ez_move *m);
/* Adds a destination: the instruction `at` and its copies. */
void move_to(struct ez_move *m, uint64_t at, uint64_t sp, bool ends);
/* Returns a number that changes when the process changes, or loads or unloads files. */
uint64_t move_image(struct ez_move *m);
/* Adds a halt to the halts of the move. Equal halts become one halt, because the processor has few
 * breakpoints. */
void move_want(struct ez_move *m, struct ez_halt h);
bool move_same_halt(const struct ez_halt *a, const struct ez_halt *b);

/* run.c */
ez_err *move_run(struct ez_move *m, int sig) EZ_WUR;
/* Computes the halts again after another part of eztsh stopped the program and may have moved
 * code. */
ez_err *move_renew(struct ez_target *t, void *move) EZ_WUR;

/* walk.c: continues by single steps until the move is done, or lets the program run. look: first
 * checks whether the thread has already left the line. */
ez_err *move_steps(struct ez_move *m, bool look) EZ_WUR;
void move_begin_line(struct ez_move *m, uint64_t pc);

/* nonlocal_exit.c */
void nonlocal_want(struct ez_move *m);
/* Returns whether the thread is at the start of a function that leaves calls (longjmp, the
 * unwinder's). If so, adds the address to which that function will jump to the destinations of the
 * move. */
bool nonlocal_reached(struct ez_move *m, uint64_t raw, const struct ez_regs *r);

/* break.c */
void break_want(struct ez_move *m, struct ez_break *b);
void breaks_free(struct ez_move *m);
/* Makes the program stop when it loads a library, if a breakpoint is pending. */
void breaks_watch_loader(struct ez_move *m);
/* Returns whether a breakpoint stops the thread at `raw`, where the instruction `at` or its copy
 * is. Sets m->end accordingly. */
bool breaks_hit(struct ez_move *m, uint64_t raw, uint64_t at);
struct ez_break *breaks_new(struct ez_move *m, enum ez_break_kind kind, const char *what,
                            const char *cond);
void breaks_drop(struct ez_break *b);
/* Checks that the condition can be compiled at one of the breakpoint's places. */
ez_err *breaks_check(struct ez_move *m, const struct ez_break *b, const char *cond) EZ_WUR;
/* returns whether a thread at `raw` executes the instruction `addr`, or a copy of it */
bool breaks_is_at(struct ez_move *m, uint64_t addr, uint64_t raw);
void breaks_keep(struct ez_move *m, struct ez_break *b, int *number);
/* returns false if the condition is false; otherwise counts a hit */
bool breaks_count(struct ez_move *m, struct ez_break *b);
/* Sets the detail of the move's end, which the move copies; NULL = none. */
void move_detail(struct ez_move *m, const char *detail);
void breaks_end(struct ez_move *m, struct ez_break *b, enum ez_move_end how);
bool breaks_spent(struct ez_move *m, struct ez_break *b);

/* catchpoint.c */
/* Returns whether the breakpoint has places in the code. */
bool break_has_places(const struct ez_break *b);
bool break_is_watch(const struct ez_break *b);
/* LOCATION of the breakpoint's places, or NULL. second: where to look if the first is not found */
const char *catch_location(const struct ez_break *b, bool second);
void catch_want(struct ez_move *m, const struct ez_break *b);
/* Returns whether a catchpoint stops the program for what a thread did; if so, selects the thread
 * and sets m->end. */
bool catch_stops(struct ez_move *m, ez_err **e);
/* For a thread at a place of the breakpoint: returns false if nothing has happened that the
 * breakpoint waits for. Otherwise, sets *detail for the user, or to NULL; the caller frees it. */
bool catch_happened(struct ez_move *m, struct ez_break *b, char **detail);
/* Notes the loaded libraries, unless they are known, as those that were loaded before. */
void catch_begin(struct ez_move *m, struct ez_break *b);
void catch_drop(struct ez_break *b);

/* watch.c */
/* Called before and after a single step of thread tid: count the accesses of the instruction to
 * watched values, for breaks_watched(). */
ez_err *watch_count(struct ez_move *m, pid_t tid) EZ_WUR;
void watch_counted(struct ez_move *m);
/* finds the value of a watchpoint in a new process; returns whether the present process has it */
bool watch_resolve(struct ez_move *m, struct ez_break *b);
void watch_want(struct ez_move *m, struct ez_break *b);
bool breaks_watched(struct ez_move *m, unsigned which);
/* Returns whether the thread, now at `raw`, has left the frame of a watched variable. If so, ends
 * the move and deletes the watchpoint. */
bool breaks_left(struct ez_move *m, uint64_t raw, uint64_t sp);

#endif
