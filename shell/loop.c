/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop.c - the poll loop over standard input, signals, the engine and the hooks (loop.h).
 * Tests: tests/unit/shell/check_loop.c, tests/unit/shell/check_repl.c */
#include "shell/loop.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>

#include "shell/ending.h"
#include "shell/hooks.h"
#include "shell/sess.h"

ez_err *loop_init(struct ez_sess *s, const struct loop_calls *calls)
{
    static const int ours[] = { SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH };
    sigset_t readable, blocked;
    struct sigaction term;
    bool deaf = !sigaction(SIGTERM, NULL, &term) && term.sa_handler == SIG_IGN;
    sigemptyset(&readable);
    for (size_t i = 0; i < EZ_ARRAY_LEN(ours); i++)
        /* a driver is started with SIGTERM ignored (engine/jobs/driver.c) */
        if (ours[i] != SIGTERM || !deaf)
            sigaddset(&readable, ours[i]);
    blocked = readable;
    sigaddset(&blocked, SIGCHLD); /* the engine reads SIGCHLD from its own signalfd */
    sigaddset(&blocked, SIGXFSZ); /* at the file size limit write() must fail, not kill the shell */
    sigaddset(&blocked, SIGPIPE); /* so that write() fails with EPIPE and does not kill the shell:
                                   * ending_unread() */
    /* A background process that changes the terminal's process group gets SIGTTOU. The shell blocks
     * the signal to get the terminal back. It does not ignore the signal, because children would
     * inherit that through exec. */
    sigaddset(&blocked, SIGTTOU);
    s->in.calls = calls;
    pthread_sigmask(SIG_BLOCK, &blocked, &s->in.inherited);
    s->in.sigfd = signalfd(-1, &readable, SFD_CLOEXEC | SFD_NONBLOCK);
    return s->in.sigfd < 0 ? ez_err_new(EZ_E_SYS, errno, "Cannot make a signalfd") : NULL;
}

void loop_child_signals(const struct ez_sess *s)
{
    pthread_sigmask(SIG_SETMASK, &s->in.inherited, NULL);
}

/* Handles Ctrl-Z at the prompt: restores the modes that the terminal had before the editor, then
 * stops the shell. */
static void loop_suspend(struct ez_sess *s)
{
    if (!s->in.terminal || !s->in.editor)
        return;
    s->in.editor->suspend(true);
    raise(SIGSTOP);
    s->in.editor->suspend(false);
}

/* Handles a signal that ends the shell. A launched program in the foreground gets the first such
 * signal, and the shell waits for the program's end. Returns false in that case. */
static bool loop_end(struct ez_sess *s, int sig)
{
    bool ours = ez_target_state(s->target) == EZ_RUNNING && !s->program.afar &&
                !ez_target_attached(s->target);
    if (ours && !s->end.signal) {
        s->end.signal = sig;
        kill(ez_target_pid(s->target), sig);
        return false;
    }
    ending_by(s, sig);
    return true;
}

static bool loop_handle_signal(struct ez_sess *s, int sig)
{
    switch (sig) {
    case SIGINT:
        s->end.interrupted = true;
        return true;
    case SIGTERM:
    case SIGHUP:
        return loop_end(s, sig);
    case SIGTSTP:
        loop_suspend(s);
        return false;
    default:
        if (s->in.editor)
            s->in.editor->resized();
        return false;
    }
}

static bool loop_read_signals(struct ez_sess *s)
{
    struct signalfd_siginfo si;
    bool wake = false;
    while (read(s->in.sigfd, &si, sizeof si) == sizeof si)
        wake |= loop_handle_signal(s, (int)si.ssi_signo);
    return wake;
}

bool loop_signalled(struct ez_sess *s)
{
    return loop_read_signals(s);
}

unsigned loop_once(struct ez_sess *s, bool input, int ms)
{
    struct pollfd p[8 + HOOKS_MOST] = { { input ? s->in.fd : -1, POLLIN, 0 },
                                        { s->in.sigfd, POLLIN, 0 } };
    size_t engine = 2 + hooks_poll(s, p + 2);
    size_t n = engine + ez_poll_fds(s->target, p + engine, EZ_ARRAY_LEN(p) - engine);
    unsigned ready = 0;
    int tick = hooks_tick_ms(s), most = ms < 0 || (tick >= 0 && tick < ms) ? tick : ms;
    bool left = ez_events_left(s->target); /* sess_events() prints a limited number at once */
    int got = poll(p, n, left ? 0 : most);
    if (tick >= 0)
        hooks_tick(s);
    if (got == 0 && !left)
        return most == ms ? LOOP_TIMEOUT : 0;
    if (got < 0)
        return 0;
    if (p[1].revents && loop_read_signals(s))
        ready |= LOOP_SIGINT;
    if (hooks_heard(s, p + 2))
        s->in.calls->heard(s);
    for (size_t i = engine; i < n; i++)
        left |= p[i].revents != 0;
    if (left)
        s->in.calls->events(s);
    return ready | (p[0].revents ? LOOP_INPUT : 0);
}

struct loop_line { /* line that is being read */
    char *buf;
    size_t size, n; /* n: bytes stored in buf */
    bool good;
};

/* Copies bytes up to the end of the line, and skips the rest of a line that is too long. Returns
 * true at the end of the line. */
static bool loop_copy_line(struct loop_line *l, struct ez_ahead *a)
{
    const char *from = a->byte + a->at, *end = memchr(from, '\n', a->n - a->at);
    size_t k = end ? (size_t)(end - from) : a->n - a->at, fit = EZ_MIN(k, l->size - 1 - l->n);
    l->good &= fit == k && !memchr(from, 0, fit);
    memcpy(l->buf + l->n, from, fit);
    l->n += fit;
    a->at += k + (end != NULL);
    return end;
}

/* Waits once for input and reads at most `most` bytes. Returns the number of bytes read; 0 at the
 * end of the input or after an error, -1 if no input has arrived yet, -2 after Ctrl-C. */
static ssize_t loop_read_some(struct ez_sess *s, struct ez_ahead *a, size_t most)
{
    unsigned ready = loop_once(s, true, -1);
    if (ready & LOOP_SIGINT)
        return -2;
    if (!(ready & LOOP_INPUT))
        return -1;
    ssize_t r = read(s->in.fd, a->byte, most);
    if (r < 0)
        return errno == EINTR || errno == EAGAIN ? -1 : 0;
    a->at = 0;
    a->n = (size_t)r;
    if (r && *a->byte == '\r' &&
        s->in.terminal) /* typed while the editor's terminal modes were set: Enter gave \r */
        *a->byte = '\n';
    return r;
}

bool loop_read_line(struct ez_sess *s, char *buf, size_t size, bool *whole)
{
    struct ez_ahead one, *a = s->in.ahead ? s->in.ahead : &one;
    struct loop_line l = { buf, size, 0, true };
    ssize_t r = -1;
    one.at = one.n = 0;
    if (a->at < a->n) /* events are handled between any two lines */
        r = loop_once(s, false, 0) & LOOP_SIGINT ? -2 : -1;
    while (!s->end.quit && r != -2) {
        bool ended = a->at < a->n && loop_copy_line(&l, a);
        if (!ended && a->at == a->n)
            r = loop_read_some(s, a, s->in.ahead ? sizeof a->byte : 1);
        if (!ended && r)
            continue;
        buf[l.n] = '\0';
        if (whole)
            *whole = l.good;
        return ended || l.n;
    }
    *buf = '\0';
    return false;
}

void loop_screen(struct ez_sess *s, unsigned *width, unsigned *height)
{
    struct winsize w = { 0 };
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) < 0)
        w.ws_row = 0;
    *width = s->ui.width == (unsigned)-1 ? w.ws_col : s->ui.width ? s->ui.width : UINT16_MAX;
    *height = s->ui.height == (unsigned)-1 ? w.ws_row : s->ui.height;
}
