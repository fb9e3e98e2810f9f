/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.h - starts child processes that are no targets: daemons, launchers, helpers. */
#ifndef EZ_CHILD_H
#define EZ_CHILD_H

#include <sys/types.h>

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/vec.h"

struct ez_child_place {
    const char *cwd;  /* working directory; NULL means the shell's */
    char *const *env; /* changes to the shell's environment: NAME=VALUE sets, NAME removes */
    size_t nenv;
};

/* Starts argv, found on PATH, in its own process group and with default signals (an ignored SIGHUP
 * stays ignored). in and out become its standard input and output; -1 means the shell's. place may
 * be NULL. Returns EZ_E_NOTFOUND if the program is missing or the working directory cannot be used,
 * or EZ_E_SYS. */
ez_err *ez_child_start(char *const *argv, int in, int out, const struct ez_child_place *place,
                       pid_t *pid) EZ_WUR;
/* Text that waits until a pipe has room, because the process at the other end may be slow to read.
 * The pipe must be O_NONBLOCK. ez_outbox_send() adds text and writes as much as fits into the pipe
 * `to`; ez_outbox_flush() only writes. Both return false, without SIGPIPE, if the other end of the
 * pipe is closed or the write fails in another way. */
struct ez_outbox {
    EZ_VEC(char) text;
};
bool ez_outbox_send(struct ez_outbox *b, int to, const char *text, size_t n);
bool ez_outbox_flush(struct ez_outbox *b, int to);
/* Returns true if the child process has ended, reaps it, and sets *status to its exit code, or to
 * 128 + the signal that killed it. With `wait`, waits for the end of the process. If pid is no
 * child, returns true and sets *status to 0. */
bool ez_child_ended(pid_t pid, bool wait, int *status);

#endif
