/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pty.c - see pty.h. */
#include "tests/unit/shell/pty.h"

#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

bool pty_there(const char *test)
{
    int a, b;
    if (openpty(&a, &b, NULL, NULL, NULL) < 0) {
        printf("skip - %s: no pseudo-terminal here: %s\n", test, strerror(errno));
        return false;
    }
    close(a);
    close(b);
    return true;
}

void pty_spawn(struct pty *p, char *const argv[])
{
    struct winsize w = { .ws_row = 24, .ws_col = 200 };
    memset(p, 0, sizeof *p);
    p->pid = forkpty(&p->fd, NULL, NULL, &w);
    if (p->pid)
        return;
    setenv("TERM", "dumb", 1);
    setenv("NO_COLOR", "1", 1); /* for those that choose another terminal */
    setenv("INPUTRC", "/dev/null", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    execvp(argv[0], argv);
    _exit(127);
}

void pty_send(struct pty *p, const char *keys)
{
    size_t n = strlen(keys);
    while (n) {
        ssize_t k = write(p->fd, keys, n);
        if (k <= 0)
            return;
        keys += k;
        n -= (size_t)k;
    }
}

/* Read more output. false: none came within `ms`, or the other side is gone. */
static bool more(struct pty *p, long ms)
{
    struct pollfd f = { p->fd, POLLIN, 0 };
    if (ms <= 0 || poll(&f, 1, (int)ms) <= 0 || p->n + 1 >= sizeof p->buf)
        return false;
    ssize_t k = read(p->fd, p->buf + p->n, sizeof p->buf - 1 - p->n);
    if (k <= 0)
        return false;
    p->n += (size_t)k;
    return true;
}

bool pty_shows(struct pty *p, const char *text, int ms)
{
    long end = now_ms() + ms;
    do {
        char *at = memmem(p->buf + p->seen, p->n - p->seen, text, strlen(text));
        if (at) {
            p->seen = (size_t)(at - p->buf) + strlen(text);
            return true;
        }
    } while (more(p, end - now_ms()));
    return false;
}

bool pty_expect(struct pty *p, const char *text)
{
    if (pty_shows(p, text, PTY_MS))
        return true;
    fprintf(stderr, "expected <%s>, unread: <%.*s>\n", text, (int)(p->n - p->seen),
            p->buf + p->seen);
    return false;
}

int pty_close(struct pty *p)
{
    int status = 0;
    long end = now_ms() + PTY_MS;
    while (more(p, end - now_ms()))
        ;
    if (now_ms() >= end)
        kill(p->pid, SIGKILL);
    close(p->fd);
    waitpid(p->pid, &status, 0);
    return status;
}
