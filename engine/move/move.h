/* SPDX-License-Identifier: GPL-3.0-or-later */
/* move.h - moves of the stopped program, as in gdb: to a line, out of a function, to an address.
 * Breakpoints and watchpoints end any move. There is one struct ez_move for each session.
 *
 * After ez_move_begin() the program runs, or the move has ended already. The code that waits for
 * the program calls ez_move_goes_on() at each stop. ez_move_stopped() ends the move.
 *
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
    EZ_MOVE_GO,     /* runs until a breakpoint, a signal or the end stops the program */
    EZ_MOVE_STEP,   /* runs `count` lines; enters functions that have lines */
    EZ_MOVE_NEXT,   /* as STEP, but runs over calls */
    EZ_MOVE_STEPI,  /* `count` instructions */
    EZ_MOVE_NEXTI,  /* as STEPI, but runs over calls */
    EZ_MOVE_UNTIL,  /* as NEXT, but only to a line that is not before the present line */
    EZ_MOVE_TO,     /* runs to one of the addresses `to`, or until the frame returns */
    EZ_MOVE_FINISH, /* runs until frame `frame` returns */
};
struct ez_move_request {
    enum ez_move_kind kind;
    uint64_t count;
    const uint64_t *to;
    size_t nto;
    bool this_frame; /* TO: the address counts only in the present frame, not in a recursive call */
    unsigned frame;
    bool fresh; /* GO: a breakpoint at the present pc stops, too */
    int sig;    /* signal to deliver, as for ez_continue() */
};
ez_err *ez_move_begin(struct ez_move *m, const struct ez_move_request *request) EZ_WUR;
/* Handles a stop of the program. Returns true if the program runs again, because the stop does not
 * end the move. Sets *e if the program could not be resumed. */
bool ez_move_goes_on(struct ez_move *m, ez_err **e);

/* Applies changed breakpoints to a running program. */
ez_err *ez_move_renew(struct ez_move *m) EZ_WUR;

/* ez_move_stepi executes a single instruction, which is no move. ez_move_look returns whether a
 * breakpoint at the present pc or a watchpoint stops the program; ez_move_stopped() then returns
 * which one. */
ez_err *ez_move_stepi(struct ez_move *m) EZ_WUR;
bool ez_move_look(struct ez_move *m);

enum ez_move_end {
    EZ_MOVED_NOT,   /* something else stopped the program, which an event reports */
    EZ_MOVED,       /* the move is done */
    EZ_MOVED_BREAK, /* breakpoints were hit */
    EZ_MOVED_WATCH, /* a watched value changed or was read */
    EZ_MOVED_SCOPE, /* a watchpoint was deleted because its block was left */
    EZ_MOVED_CATCH, /* a catchpoint caught what the program did */
};
enum ez_break_kind {
    EZ_BREAK_CODE,
    EZ_BREAK_WATCH,
    EZ_BREAK_RWATCH,
    EZ_BREAK_AWATCH,
    /* catchpoints: the kernel reports these */
    EZ_BREAK_SYSCALL,
    EZ_BREAK_FORK,
    EZ_BREAK_VFORK,
    EZ_BREAK_EXEC,
    EZ_BREAK_SIGNAL,
    /* catchpoints: the program stops in a function of its C++ library or loader */
    EZ_BREAK_THROW,
    EZ_BREAK_CATCH,
    EZ_BREAK_RETHROW,
    EZ_BREAK_LOAD,
    EZ_BREAK_UNLOAD,
};
#define EZ_BREAK_KINDS (EZ_BREAK_UNLOAD + 1)
static inline bool ez_break_is_catch(enum ez_break_kind kind)
{
    return kind >= EZ_BREAK_SYSCALL;
}
struct ez_move_result {
    enum ez_move_end end;
    /* the thread is in the frame and function in which the move began, so showing the line is
     * enough */
    bool same;
    int number; /* number of the breakpoint */
    /* number of the breakpoint's place, from 1; 0 if the breakpoint has only one place */
    unsigned place;
    bool temporary;
    uint64_t finished; /* function that FINISH has left; 0 = none */
    const char *what;  /* the watched expression */
    /* old and new value of the expression; `was` is NULL if it did not change */
    const char *was, *is;
    enum ez_break_kind kind; /* kind of the breakpoint */
    /* catchpoints: the system call, the child or the signal; whether the system call returned */
    long caught;
    bool returned;
    /* EXEC: the program's file; LOAD, UNLOAD: lines with "Inferior loaded FILES" and the like */
    const char *detail;
    const char *commands; /* commands of the breakpoint, or NULL */
};
/* Ends the move after the program has stopped for the user. The texts are valid until the next
 * move. */
void ez_move_stopped(struct ez_move *m, struct ez_move_result *out);

/* ---- breakpoints (break.c) ---- */

/* What happens to a breakpoint when it has stopped the program: it stays, is deleted, or is
 * disabled. */
enum ez_break_then { EZ_BREAK_STAYS, EZ_BREAK_GOES, EZ_BREAK_SLEEPS };
struct ez_break_place {
    uint64_t addr;
    bool off; /* this place alone is disabled */
    /* the place is an IFUNC's resolver that nothing has called yet: the program does not stop at
     * the place */
    bool resolver;
};
struct ez_break_info {
    int number;
    enum ez_break_kind kind;
    enum ez_break_then then;
    uint64_t stops; /* SLEEPS: number of stops until the breakpoint is disabled */
    bool enabled;
    const char *what;     /* the user's LOCATION or EXPR, as typed */
    const char *cond;     /* "" = none */
    const char *commands; /* lines with newlines; "" = none */
    /* catchpoints: the system calls or signals (none = any); the last child; the last program */
    const int *number_of;
    size_t n_of;
    bool all; /* SIGNAL: also signals that debuggers use */
    long last;
    const char *last_text;
    uint64_t hits, ignore;              /* ignore: number of hits that will not stop the program */
    const struct ez_break_place *place; /* its addresses; none = the breakpoint is pending */
    size_t n;
};
/* Makes a breakpoint at LOCATION. If no loaded file has LOCATION, returns EZ_E_NOTFOUND and makes
 * none; or with `pending` makes a breakpoint that waits for a library. */
ez_err *ez_break_add(struct ez_move *m, const char *location, bool temporary, const char *cond,
                     bool pending, int *number) EZ_WUR;
/* location: watches the memory where EXPR is now, also after the end of EXPR's block. */
ez_err *ez_watch_add(struct ez_move *m, enum ez_break_kind kind, const char *expr, bool location,
                     const char *cond, int *number) EZ_WUR;
struct ez_catch {
    enum ez_break_kind kind;
    /* SYSCALL, SIGNAL: numbers; none = any (SIGNAL: any but SIGTRAP and SIGINT, unless `all`) */
    const int *number_of;
    size_t n_of;
    bool all;
    const char *what; /* LOAD, UNLOAD: regular expression for a library's name; "" = any */
    const char *cond; /* NULL = none */
    bool temporary;
};
/* Makes a catchpoint. Returns EZ_E_ARG for a wrong regular expression or condition. */
ez_err *ez_catch_add(struct ez_move *m, const struct ez_catch *request, int *number) EZ_WUR;
void ez_breaks(struct ez_move *m, void (*fn)(const struct ez_break_info *, void *), void *arg);
size_t ez_break_count(const struct ez_move *m);
bool ez_break_is(const struct ez_move *m, int number);
/* returns false if there is no such breakpoint */
bool ez_break_delete(struct ez_move *m, int number);
bool ez_break_enable(struct ez_move *m, int number, bool on);
/* Enables the breakpoint and sets what happens after a stop; SLEEPS: the breakpoint is disabled
 * after `stops` stops. */
bool ez_break_then(struct ez_move *m, int number, enum ez_break_then then, uint64_t stops);
/* Enables or disables place number `place`, from 1, of the breakpoint. Returns EZ_E_NOTFOUND. */
ez_err *ez_break_place_enable(struct ez_move *m, int number, uint64_t place, bool on) EZ_WUR;
/* Changes the condition, the commands and the ignore count of a breakpoint. NULL leaves one of them
 * unchanged; "" removes the condition or the commands. Returns EZ_E_NOTFOUND if there is no such
 * breakpoint, or the error in the condition. */
ez_err *ez_break_change(struct ez_move *m, int number, const char *cond, const char *commands,
                        const uint64_t *ignore) EZ_WUR;

/* ---- places (line.c) ---- */
struct ez_code_line {
    uint64_t lo, hi; /* range of the line's instructions around the address: [lo, hi) */
    uint64_t file;   /* number that identifies the file's name */
    const char *name;
    unsigned line;
    bool statement;
};
bool ez_code_line(struct ez_target *t, uint64_t pc, struct ez_code_line *out);
/* Finds the source file and line of an instruction. Returns false if they are unknown. */
bool ez_code_source(struct ez_target *t, uint64_t pc, const char **file, unsigned *line);
/* Calls fn with the name of each function into which the function that begins at `func` is inlined.
 * Only the compilation unit of `func` is searched. */
void ez_code_inlined(struct ez_target *t, uint64_t func, void (*fn)(const char *into, void *arg),
                     void *arg);
struct ez_code_unit { /* how code was compiled; texts live as long as the object */
    const char *name, *folder, *language, *producer; /* NULL if unknown. language: gdb's name */
    unsigned version;                                /* DWARF version */
    bool macros;
};
/* Sets *out to how the code at `pc` was compiled. Returns false if that is unknown. */
bool ez_code_unit(struct ez_target *t, uint64_t pc, struct ez_code_unit *out);
/* Calls fn for each place of a breakpoint at LOCATION: for a function, after its prologue; for a
 * line, its first instruction, or after the prologue if a function begins there; for *ADDR, the
 * address. */
ez_err *ez_code_places(struct ez_target *t, const char *location,
                       void (*fn)(uint64_t addr, void *arg), void *arg) EZ_WUR;

#endif
