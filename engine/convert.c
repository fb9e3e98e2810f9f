/* SPDX-License-Identifier: GPL-3.0-or-later */
/* convert.c - see convert.h: read, sort by time, match calls, feed ezt-gtg.
 *
 * ezt-gtg sits at the other end of a socket that is its standard input, output and
 * error: send() without SIGPIPE one way, the result or the reason the other way.
 * Calls are matched here, so that what it gets is balanced: an exit without an
 * entry is left out, an entry whose exit never came ends with the call around it
 * or with the trace.
 * Tests: tests/unit/engine/check_convert.c */
#include "engine/convert.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "engine/fxt_defs.h"

extern char **environ;

struct item {
    uint64_t tick;
    uint32_t thread, probe; /* indexes in the definitions                      */
    uint32_t exit;
    uint32_t order; /* in the file: two at the same tick stay as they are      */
};

struct thread {
    EZ_VEC(uint32_t) open; /* probes, innermost last                           */
};

struct conv {
    struct ez_fxt_defs defs;
    EZ_VEC(struct item) items;
    struct thread *thread;
    int sock; /* to ezt-gtg                                                    */
    pid_t pid;
    bool broken; /* it hung up: its words say why                              */
    size_t used;
    char buf[1 << 16];
};

/* ---- reading -------------------------------------------------------------------- */

static ez_err *collect(struct conv *c, const char *path)
{
    struct ez_fxt_in *in = NULL;
    struct ez_fxt_event ev;
    bool got = false;
    EZ_TRY(ez_fxt_in_open(path, &in));
    ez_err *e;
    while (!(e = ez_fxt_in_next(in, &ev, &got)) && got) {
        uint32_t id;
        bool exit;
        if (!ez_fxt_is_probe(&ev, &id, &exit)) {
            ez_fxt_defs_learn(&c->defs, &ev);
            continue;
        }
        struct item item = { .tick = ev.tick, .exit = exit, .order = (uint32_t)c->items.n };
        item.thread = (uint32_t)ez_fxt_defs_thread(&c->defs, ev.tid);
        item.probe = (uint32_t)ez_fxt_defs_probe(&c->defs, id);
        EZ_PUSH(&c->items, item);
    }
    ez_fxt_in_close(in);
    if (!c->items.n)
        return e ? e : ez_err_new(EZ_E_FORMAT, 0, "%s: no probe events", path);
    ez_err_drop(e); /* a damaged end costs only the end */
    return NULL;
}

static int by_time(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* ---- the other end ---------------------------------------------------------------- */

static ez_err *start(struct conv *c, const char *out)
{
    int sv[2];
    const char *program = getenv("EZT_GTG");
    posix_spawn_file_actions_t fa;
    if (!program)
        program = EZ_LIBEXECDIR "/ezt-gtg";
    char *argv[] = { (char *)"ezt-gtg", (char *)out, NULL };
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sv))
        return ez_err_new(EZ_E_SYS, errno, "socketpair");
    posix_spawn_file_actions_init(&fa);
    for (int fd = 0; fd < 3; fd++)
        posix_spawn_file_actions_adddup2(&fa, sv[1], fd);
    int e = posix_spawn(&c->pid, program, &fa, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&fa);
    close(sv[1]);
    if (e) {
        close(sv[0]);
        return ez_err_new(EZ_E_SYS, e, "cannot run %s", program);
    }
    c->sock = sv[0];
    return NULL;
}

static void flush(struct conv *c)
{
    for (size_t at = 0; at < c->used && !c->broken;) {
        ssize_t n = send(c->sock, c->buf + at, c->used - at, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            c->broken = true;
        at += n > 0 ? (size_t)n : 0;
    }
    c->used = 0;
}

static EZ_PRINTF(2, 3) void say(struct conv *c, const char *fmt, ...)
{
    enum { LINE = 512 };
    va_list ap;
    if (sizeof c->buf - c->used < LINE)
        flush(c);
    va_start(ap, fmt);
    int n = vsnprintf(c->buf + c->used, LINE, fmt, ap);
    va_end(ap);
    if (n >= LINE) { /* a very long name is cut */
        n = LINE - 1;
        c->buf[c->used + LINE - 2] = '\n';
    }
    c->used += (size_t)n;
}

/* Wait for the end; `text` gets what it said, one line. */
static bool finish(struct conv *c, char *text, size_t size)
{
    siginfo_t si = { 0 };
    size_t n = 0;
    ssize_t k;
    flush(c);
    shutdown(c->sock, SHUT_WR);
    while (n < size - 1 && (k = read(c->sock, text + n, size - 1 - n)) != 0)
        if (k > 0)
            n += (size_t)k;
        else if (errno != EINTR)
            break;
    text[n] = 0;
    text[strcspn(text, "\n")] = 0;
    close(c->sock);
    while (waitid(P_PID, (id_t)c->pid, &si, WEXITED) && errno == EINTR)
        ;
    return si.si_code == CLD_EXITED && si.si_status == 0;
}

/* ---- the story --------------------------------------------------------------------- */

/* A name must not end the line it stands in. */
static const char *one_line(char *name)
{
    for (char *p = name; *p; p++)
        if (*p == '\n')
            *p = '_';
    return name;
}

static void introduce(struct conv *c)
{
    const char *program = c->defs.program ? one_line(c->defs.program) : "process";
    say(c, "process 0 %s %" PRIu64 "\n", program, c->defs.pid);
    for (size_t i = 0; i < c->defs.threads.n; i++) {
        const struct ez_fxt_thread *t = &c->defs.threads.at[i];
        say(c, "thread %zu 0 %s %" PRIu64 "\n", i + 1, t->name[0] ? one_line(t->name) : "thread",
            t->tid);
    }
    for (size_t i = 0; i < c->defs.probes.n; i++)
        say(c, "value %zu %s\n", i, one_line(c->defs.probes.at[i].function));
}

/* Pops emitted for an exit of `probe`; 0 = no such call is open. */
static size_t close_calls(struct thread *t, uint32_t probe)
{
    size_t i = t->open.n, n = t->open.n;
    while (i && t->open.at[i - 1] != probe)
        i--;
    if (!i)
        return 0;
    t->open.n = i - 1;
    return n - t->open.n;
}

static void tell(struct conv *c, const struct item *it, uint64_t ns)
{
    uint32_t flags = c->defs.probes.at[it->probe].flags;
    struct thread *t = &c->thread[it->thread];
    if (!(flags & EZ_ROW_REC_ENTRY) || !(flags & EZ_ROW_REC_EXIT)) {
        say(c, "event %" PRIu64 " %u %u\n", ns, it->thread + 1, it->probe);
    } else if (!it->exit) {
        EZ_PUSH(&t->open, it->probe);
        say(c, "push %" PRIu64 " %u %u\n", ns, it->thread + 1, it->probe);
    } else {
        for (size_t n = close_calls(t, it->probe); n; n--)
            say(c, "pop %" PRIu64 " %u\n", ns, it->thread + 1);
    }
}

static void tell_all(struct conv *c)
{
    double t0 = ez_fxt_defs_ns(&c->defs, c->items.at[0].tick);
    uint64_t ns = 0;
    introduce(c);
    for (size_t i = 0; i < c->items.n && !c->broken; i++) {
        ns = (uint64_t)(ez_fxt_defs_ns(&c->defs, c->items.at[i].tick) - t0);
        tell(c, &c->items.at[i], ns);
    }
    say(c, "end %" PRIu64 "\n", ns);
}

static ez_err *run(struct conv *c, const char *in, const char *out)
{
    char text[512];
    EZ_TRY(collect(c, in));
    qsort(c->items.at, c->items.n, sizeof *c->items.at, by_time);
    c->thread = ez_alloc(c->defs.threads.n * sizeof *c->thread);
    EZ_TRY(start(c, out));
    tell_all(c);
    if (!finish(c, text, sizeof text))
        return ez_err_new(EZ_E_LIMIT, 0, "ezt-gtg: %s", text[0] ? text : "ended early");
    return NULL;
}

ez_err *ez_convert_paje(const char *in, const char *out, uint64_t *events)
{
    struct conv *c = ez_alloc(sizeof *c);
    ez_err *e = run(c, in, out);
    if (!e)
        *events = c->items.n;
    for (size_t i = 0; c->thread && i < c->defs.threads.n; i++)
        EZ_VEC_FREE(&c->thread[i].open);
    free(c->thread);
    EZ_VEC_FREE(&c->items);
    ez_fxt_defs_free(&c->defs);
    free(c);
    return e;
}
