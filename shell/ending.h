/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ending.h - the end of the session: by a signal, or because its output has no reader any more. */
#ifndef EZ_ENDING_H
#define EZ_ENDING_H

struct ez_sess;

/* Ends the shell with the status 128 + sig, as if the signal had killed it. */
void ending_by(struct ez_sess *s, int sig);
/* Handles a failed write of the session's output. If the reader is gone, the session ends: the
 * shell leaves its loops and releases the target, and its status is 128 + SIGPIPE. In `pipe` only
 * the output of that command ends. Any other error (a full disk) is kept for out_unwritten(). */
void ending_unread(struct ez_sess *s, int error);

#endif
