/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.h - child processes of ours that are no targets: daemons, launchers, helpers. */
#ifndef EZ_CHILD_H
#define EZ_CHILD_H

#include <sys/types.h>

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/vec.h"

struct ez_child_place {
    const char *cwd;  /* NULL = ours                                             */
    char *const *env; /* what it has unlike us: NAME=VALUE, or NAME: without it  */
    size_t nenv;
};

/* Starts argv, found on PATH, in a process group of its own, with the signals that a program expects (but an
 * ignored SIGHUP stays ignored). in, out: its standard input and output; -1 = ours. place: NULL = as we are. EZ_E_SYS. */
ez_err *ez_child_start(char *const *argv, int in, int out, const struct ez_child_place *place,
                       pid_t *pid) EZ_WUR;
/* What waits for room in a pipe to a process that may not read. The pipe is not to block (O_NONBLOCK). ez_outbox_send() adds text and
 * writes what there is room for; ez_outbox_flush() only writes. False: nobody reads from it any more; no SIGPIPE comes of that. */
struct ez_outbox {
    EZ_VEC(char) text;
};
bool ez_outbox_send(struct ez_outbox *b, int to, const char *text, size_t n);
bool ez_outbox_flush(struct ez_outbox *b, int to);
/* true: it has ended, and *status is its code, or 128 and its signal. `wait`: for its end. */
bool ez_child_ended(pid_t pid, bool wait, int *status);

#endif
