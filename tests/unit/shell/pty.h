/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pty.h - a program on a pseudo-terminal: send keys, expect text by a deadline.
 *
 * The terminal is dumb and 24 x 200, so that what is expected is what is printed. */
#ifndef EZ_PTY_H
#define EZ_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct pty {
    int fd;
    pid_t pid;
    char buf[1 << 18]; /* all that came                                          */
    size_t n, seen;    /* bytes; what was matched                                */
};

#define PTY_MS 30000 /* how long an answer may take on a busy machine */

/* Are there pseudo-terminals? If not, prints why `test` is skipped. */
bool pty_there(const char *test);
void pty_spawn(struct pty *p, char *const argv[]);
void pty_send(struct pty *p, const char *keys);
/* Wait for `text` and consume up to its end. On failure prints what came. */
bool pty_expect(struct pty *p, const char *text);
/* Does `text` come within `ms`, in the output since the last match? */
bool pty_shows(struct pty *p, const char *text, int ms);
/* Read to the end and reap: the wait status. Kills what does not end in time. */
int pty_close(struct pty *p);

#endif
