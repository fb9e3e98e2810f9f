/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop.h - the one place where the shell waits: for a key, the target, a signal.
 *
 * SIGINT, SIGTERM, SIGHUP, SIGTSTP and SIGWINCH are blocked and read from a
 * signalfd, so nothing ever runs in a signal handler. SIGTERM and SIGHUP end the shell with
 * 128 + signal; a program that it launched and that has the foreground gets the first of them,
 * and is waited for. SIGINT interrupts such a program, or ends the line being typed.
 * SIGPIPE is blocked, too: where nobody reads standard output or standard error any more, the
 * session ends in order, and its status is that of the signal (out_unread()). */
#ifndef EZ_LOOP_H
#define EZ_LOOP_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;

ez_err *loop_init(struct ez_sess *s) EZ_WUR;
/* For children that are not the target: the signal mask eztsh was started with. */
void loop_child_signals(const struct ez_sess *s);

enum loop_ready { LOOP_INPUT = 1, LOOP_SIGINT = 2, LOOP_TIMEOUT = 4 };
/* Wait once, at most `ms` (-1 = for ever), and handle what came: events are
 * printed. With `input` the answer says when standard input can be read. */
unsigned loop_once(struct ez_sess *s, bool input, int ms);
/* The shell must go, as if ended by this signal. */
void loop_leave(struct ez_sess *s, int sig);
/* Did a signal come that should end the command's output? Does not wait. */
bool loop_signalled(struct ez_sess *s);
/* Read a line from standard input, byte by byte: what follows belongs to the next
 * command, or to the target. (Where nobody else reads there, in blocks: s->ahead.) *whole (may be NULL): the line fitted, and has no zero byte.
 * false: end of file, Ctrl-C, or the shell must go. */
bool loop_read_line(struct ez_sess *s, char *buf, size_t size, bool *whole);
/* Columns and lines of the terminal; *height 0 = no limit. */
void loop_screen(struct ez_sess *s, unsigned *width, unsigned *height);

#endif
