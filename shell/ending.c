/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ending.c - signals and failed writes that end the session (ending.h).
 * Tests: tests/unit/shell/check_loop.c, tests/unit/shell/check_quit.c */
#include "shell/ending.h"

#include <errno.h>
#include <signal.h>

#include "shell/sess.h"

void ending_by(struct ez_sess *s, int sig)
{
    s->end.quit = true;
    s->end.interrupted = true;
    s->end.status = 128 + sig;
}

void ending_unread(struct ez_sess *s, int error)
{
    if (error != EPIPE && error != ECONNRESET) {
        if (!s->end.unread && !s->out.unwritten)
            s->out.unwritten = error;
        return;
    }
    s->out.quit_pager = true; /* ends the running command's output, also in `pipe` */
    if (s->out.piped || s->end.unread)
        return;
    s->end.unread = true;
    ending_by(s, SIGPIPE);
}
