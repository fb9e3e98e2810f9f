/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hooks.h - what the shell calls of the commands: they register it (cmds/register.c), so the shell names none of them.
 *
 * Any number of parts may register callbacks; the shell calls those of each, in the order of registering.
 * Of words, stops and members there is one implementation each. main() has them registered before the
 * first line is dispatched. Tests: tests/unit/shell/check_loop.c; tests/check_layers.sh holds the direction. */
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
    SHELL_LINE_DROPPED,  /* Ctrl-C has discarded a line at the prompt                   */
    SHELL_LINE_DONE,     /* a line of the user's ran without an error                   */
    SHELL_CALL_FAILED,   /* a line ended with an error of the kernel's, which was printed */
    SHELL_STOP_REPORTED, /* the program stands, and where was printed                   */
    SHELL_STOP_DONE,     /* the same, and hook-stop ran                                 */
    SHELL_PROGRAM_GONE,  /* the process ended, or was left                              */
    SHELL_ENDS,          /* the session ends; its target is there still                 */
    SHELL_FREE_TARGET,   /* frees what refers to the target                             */
    SHELL_FREE,          /* frees what else of the session is theirs                    */
    SHELL_MOMENTS
};

struct shell_hooks { /* NULL = nothing to do */
    void (*at[SHELL_MOMENTS])(struct ez_sess *s);
    /* For the loop: a descriptor to wait for, -1 = none; it can be read. */
    int (*fd)(const struct ez_sess *s);
    void (*heard)(struct ez_sess *s);
    /* For the loop: in how many milliseconds to call tick(), -1 = never. */
    int (*tick_ms)(const struct ez_sess *s);
    void (*tick)(struct ez_sess *s);
    /* A command of the table has run, with or without an error. */
    ez_err *(*ran)(struct ez_sess *s);
    /* `set budget`: the setting becomes that, and what follows from it is done. */
    ez_err *(*set_budget)(struct ez_sess *s, unsigned percent);
};

/* Commands that the user defined, and hooks of theirs. */
struct shell_words {
    /* false = the line's first word is none. *other: the line that it stands for (to be freed), else it ran: *e. */
    bool (*call)(struct ez_sess *s, const char *text, char **other, ez_err **e);
    /* Runs hook-NAME (`before` is "hook-"), or hookpost-NAME, if there is one. */
    ez_err *(*hook)(struct ez_sess *s, const char *before, const char *name);
    bool (*help)(struct ez_sess *s, const char *name); /* false = there is none of that name */
    void (*names)(struct ez_sess *s, void (*fn)(const char *name, const char *brief, void *arg),
                  void *arg);
};

/* Where the program stands, and whether it stays there. */
struct shell_stops {
    /* The program stopped, but not for the user: it runs again. */
    bool (*go_on)(struct ez_sess *s, ez_err **e);
    /* For sess_print_stop(): prints why it stands, and where. */
    void (*notify)(struct ez_sess *s, struct ez_stop *stop, const void *arg);
    /* Prints the current frame behind `lead`, and its line of source. */
    void (*frame)(struct ez_sess *s, const char *lead);
    /* The address, if it is 0, and its file and line. */
    void (*place)(struct ez_sess *s, struct ez_stop *stop);
    /* "Thread 2 \"name\""; if there is but one thread, `alone`. */
    const char *(*who)(struct ez_sess *s, const char *alone, const char *more);
};

/* Many processes in place of one, each with a shell of its own. */
struct shell_members {
    /* Does a command line go to them? */
    bool (*route)(const struct ez_sess *s, const struct ez_cmd *c, const char *name,
                  const char *text);
    ez_err *(*command)(struct ez_sess *s, const struct ez_cmd *c, const char *name,
                       const char *text);
    /* The prompt: the setting, with whom it is for. Lives until the command returns. */
    const char *(*prompt)(struct ez_sess *s);
    /* RUNNING if any of them runs, else STOPPED if any stands, else NONE. */
    enum ez_state (*state)(const struct ez_sess *s);
};

/* ---- for those that register ------------------------------------------------------------------ */

enum { HOOKS_MOST = 8 }; /* parts that register callbacks */

void hooks_add(const struct shell_hooks *hooks); /* once, however often it is called */
void hooks_set(const struct shell_words *words, const struct shell_stops *stops,
               const struct shell_members *members);

/* ---- for the shell ------------------------------------------------------------------------------ */

extern const struct shell_words *hooks_words;
extern const struct shell_stops *hooks_stops;
extern const struct shell_members *hooks_members;

void hooks_call(struct ez_sess *s, enum shell_moment moment);
ez_err *hooks_ran(struct ez_sess *s) EZ_WUR;
ez_err *hooks_set_budget(struct ez_sess *s, unsigned percent) EZ_WUR;
/* Descriptors for poll(), one a part that may have one, in p, which has room for HOOKS_MOST. Returns how many. */
size_t hooks_poll(const struct ez_sess *s, struct pollfd *p);
/* What has come on these is taken. false = nothing had. */
bool hooks_heard(struct ez_sess *s, const struct pollfd *p);
int hooks_tick_ms(const struct ez_sess *s); /* the least of theirs; -1 = never */
void hooks_tick(struct ez_sess *s);

#endif
