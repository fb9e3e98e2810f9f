/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop.h - the loop in which the shell waits for a key, the target or a signal.
 *
 * SIGINT, SIGTERM, SIGHUP, SIGTSTP and SIGWINCH are blocked and read from a signalfd, so no code
 * runs in a signal handler. SIGTERM and SIGHUP end the shell with 128 + signal. A launched program
 * in the foreground gets the first of these signals, and the shell waits for it. SIGINT interrupts
 * such a program, or discards the line being typed. SIGPIPE is blocked, too. If standard output or
 * standard error has no reader any more, the session ends normally, with the status of that signal
 * (ending_unread()). */
#ifndef EZ_LOOP_H
#define EZ_LOOP_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;

/* Callbacks of the loop, which main() sets. */
struct loop_calls {
    void (*events)(struct ez_sess *s); /* the engine has events */
    void (*heard)(struct ez_sess *s);  /* called after hooks_heard() read a descriptor */
};
/* Blocks the shell's signals, which the loop reads from now on. *calls must live as long as the
 * session. */
ez_err *loop_init(struct ez_sess *s, const struct loop_calls *calls) EZ_WUR;
/* Restores the signal mask that eztsh was started with, for children that are not the target. */
void loop_child_signals(const struct ez_sess *s);

enum loop_ready { LOOP_INPUT = 1, LOOP_SIGINT = 2, LOOP_TIMEOUT = 4 };
/* Waits once, at most `ms` milliseconds (-1 = without limit), and handles events: prints those of
 * the engine. `input`: standard input ends the wait, too. Returns flags of enum loop_ready. */
unsigned loop_once(struct ez_sess *s, bool input, int ms);
/* Handles the signals that have arrived, without waiting. Returns true if one of them ends the
 * running command: SIGINT, or a signal that ends the shell. */
bool loop_signalled(struct ez_sess *s);
/* Reads a line from standard input, byte by byte, because the bytes behind the line belong to the
 * next command or to the target. If s->in.ahead is set, no other process reads standard input, and
 * the function reads blocks. *whole (`whole` may be NULL): the line fitted into `buf` and has no
 * zero byte. Returns false at end of file, after Ctrl-C, or if the shell must end. */
bool loop_read_line(struct ez_sess *s, char *buf, size_t size, bool *whole);
/* Stores the columns and lines of the terminal, as `set width` and `set height` say. *width 0:
 * unknown; *height 0: unknown, or no limit. */
void loop_screen(struct ez_sess *s, unsigned *width, unsigned *height);

#endif
