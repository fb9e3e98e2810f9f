/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hooks.h - callbacks from the shell to the commands. The commands register them (cmds/register.c),
 * so the shell names no command.
 *
 * Up to HOOKS_MOST files register a struct shell_hooks; the shell calls their functions in the
 * order of registering. struct shell_words, shell_stops and shell_members have one implementation
 * each. main() registers all of them before the first line is dispatched.
 * Tests: tests/unit/shell/check_loop.c; tests/check_layers.sh checks the direction of includes. */
#ifndef EZ_HOOKS_H
#define EZ_HOOKS_H

#include <poll.h>

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/ezt.h"

struct ez_cmd;
struct ez_sess;
struct ez_stop;

enum shell_moment {
    SHELL_LINE_DROPPED,  /* Ctrl-C has discarded a line at the prompt */
    SHELL_LINE_DONE,     /* a line of the user ran without an error */
    SHELL_CALL_FAILED,   /* a line failed by a system call on a thread, and its error was printed */
    SHELL_STOP_REPORTED, /* the program stopped, and the stop was printed */
    /* a command or a stop in the background was handled; if the program stopped, hook-stop has
     * run */
    SHELL_STOP_DONE,
    SHELL_PROGRAM_GONE, /* the process ended, or the shell released it */
    SHELL_ENDS,         /* the session ends; its target still exists */
    SHELL_MOMENTS
};

struct shell_hooks { /* callbacks; NULL = none */
    void (*at[SHELL_MOMENTS])(struct ez_sess *s);
    /* The shell's loop calls fd(), heard(), tick_ms() and tick(). fd() returns a descriptor to
     * poll, -1 if none; the loop calls heard() when the descriptor is readable. */
    int (*fd)(const struct ez_sess *s);
    void (*heard)(struct ez_sess *s);
    /* tick_ms() returns the milliseconds until tick() must be called, -1 for never. */
    int (*tick_ms)(const struct ez_sess *s);
    void (*tick)(struct ez_sess *s);
    /* Called after each built-in command, also after a failed one. The error is reported if the
     * command itself returned none. */
    ez_err *(*ran)(struct ez_sess *s);
    /* Applies `set budget`: changes the setting and its effects. */
    ez_err *(*set_budget)(struct ez_sess *s, unsigned percent);
};

/* Commands and hooks that the user defined. */
struct shell_words {
    /* If the first word of `text` is a user's command, runs the command: *e is its error, *other
     * NULL. If the word is an alias, sets *other to the line to run instead (heap). Returns false
     * if the word is neither. */
    bool (*call)(struct ez_sess *s, const char *text, char **other, ez_err **e);
    /* Runs the user's command hook-NAME (`before` is "hook-") or hookpost-NAME (`before` is
     * "hookpost-"), if it is defined. */
    ez_err *(*hook)(struct ez_sess *s, const char *before, const char *name);
    bool (*help)(struct ez_sess *s, const char *name); /* Prints the help of a user's command.
                                                        * Returns false if no command has that
                                                        * name. */
    void (*names)(struct ez_sess *s, void (*fn)(const char *name, const char *brief, void *arg),
                  void *arg);
};

/* What the shell needs about stops: their locations, and whether to continue. */
struct shell_stops {
    /* Continues the program if the stop is not reported, for example because a breakpoint's
     * condition is false. Returns false if the program stays stopped. *e: error of continuing. */
    bool (*go_on)(struct ez_sess *s, ez_err **e);
    /* Prints the reason and the location of a stop, for sess_print_stop(). */
    void (*notify)(struct ez_sess *s, struct ez_stop *stop, const void *arg);
    /* Prints the current frame after `lead`, and its source line. */
    void (*frame)(struct ez_sess *s, const char *lead);
    /* Fills in the address of the stop, unless it is given, and its file and line. */
    void (*place)(struct ez_sess *s, struct ez_stop *stop);
    /* Returns "Thread 2 \"name\"" and then `more`; only `alone` if the program has one thread. */
    const char *(*who)(struct ez_sess *s, const char *alone, const char *more);
};

/* A job of many processes, each with a shell of its own. */
struct shell_members {
    /* Returns true if the members of the job run the command, not this shell. text: the line behind
     * the command's name. */
    bool (*route)(const struct ez_sess *s, const struct ez_cmd *c, const char *name,
                  const char *text);
    ez_err *(*command)(struct ez_sess *s, const struct ez_cmd *c, const char *name,
                       const char *text);
    /* Returns the prompt: the setting, with the selected members. Lives until the command
     * returns. */
    const char *(*prompt)(struct ez_sess *s);
    /* Returns RUNNING if any member runs, else STOPPED if any is stopped, else NONE. */
    enum ez_state (*state)(const struct ez_sess *s);
};

/* ---- for the parts that register ------------------------------------------------------------- */

enum { HOOKS_MOST = 8 }; /* maximum number of files that register functions in these tables */

/* Registers callbacks, once even if called repeatedly. */
void hooks_add(const struct shell_hooks *hooks);
void hooks_set(const struct shell_words *words, const struct shell_stops *stops,
               const struct shell_members *members);

/* ---- for the shell --------------------------------------------------------------------------- */

extern const struct shell_words *hooks_words;
extern const struct shell_stops *hooks_stops;
extern const struct shell_members *hooks_members;

void hooks_call(struct ez_sess *s, enum shell_moment moment);
ez_err *hooks_ran(struct ez_sess *s) EZ_WUR;
ez_err *hooks_set_budget(struct ez_sess *s, unsigned percent) EZ_WUR;
/* Fills in p, which has room for HOOKS_MOST entries, with one descriptor for each registered struct
 * that has `fd`. Returns the number of descriptors. */
size_t hooks_poll(const struct ez_sess *s, struct pollfd *p);
/* Calls heard() of each registered struct whose descriptor is readable. Returns false if none is.
 * p: as filled in by hooks_poll(). */
bool hooks_heard(struct ez_sess *s, const struct pollfd *p);
int hooks_tick_ms(const struct ez_sess *s); /* Returns the least of all tick_ms(); -1 for never. */
void hooks_tick(struct ez_sess *s);

#endif
