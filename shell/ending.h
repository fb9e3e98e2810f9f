/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ending.h - the end of the session: by a signal, or because its output has no reader any more. */
#ifndef EZ_ENDING_H
#define EZ_ENDING_H

struct ez_sess;

/* Ends the shell with the status 128 + sig, as if the signal had killed it. */
void ending_by(struct ez_sess *s, int sig);
/* Handles a failed write of the session's output; `error` is the errno. If the reader is gone, the
 * session ends: the shell leaves its loops and releases the target, and its status is 128 +
 * SIGPIPE. During a `pipe` command, only that command's output ends. Any other error (a full disk)
 * is stored for out_unwritten(). */
void ending_unread(struct ez_sess *s, int error);

#endif
