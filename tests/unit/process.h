/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process.h - for Check programs that drive a live process through the engine: launch a target
 * to its main, plant in it, hear what the engine says. One target at a time, `t`; it is killed
 * by close_target(). Included by one file of a program. */
#ifndef TESTS_PROCESS_H
#define TESTS_PROCESS_H

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/target.h"

static struct ez_target *t;
static char said[16384]; /* every note since, a line each */

static void must(ez_err *e)
{
    ck_assert_msg(!e, "%s", e ? e->msg : "");
}

/* The message of an error, in static memory; fails if e is NULL. Frees the error. */
static inline const char *why_not(ez_err *e)
{
    static char msg[512];
    ck_assert_ptr_nonnull(e);
    snprintf(msg, sizeof msg, "%s", e->msg);
    ez_err_free(e);
    return msg;
}

static inline void listen(void)
{
    struct ez_event ev;
    while (ez_next_event(t, &ev)) {
        size_t n = strlen(said);
        snprintf(said + n, sizeof said - n, "%s\n", ev.text ? ev.text : "");
        ez_event_clear(&ev);
    }
}

/* Makes `pid` end with this process, for a test that fails leaves at once. */
static inline void outlived_by_none(pid_t pid)
{
    int end[2];
    char none;
    ck_assert_int_eq(pipe2(end, O_CLOEXEC), 0);
    if (!fork()) {
        setsid();
        close(end[1]);
        while (read(end[0], &none, 1) < 0 && errno == EINTR)
            continue;
        kill(pid, SIGKILL);
        _exit(0);
    }
    close(end[0]); /* the other end stays open as long as we live */
}

/* tests/targets/NAME, stopped at its main; outlived_by_none() is the caller's. */
static inline void launch(const char *name, const char *args)
{
    const char *top = getenv("top_builddir");
    EZ_FREE char *path = ez_sprintf("%s/tests/targets/%s", top ? top : ".", name);
    EZ_FREE char *all = ez_sprintf("%s >/dev/null 2>&1 </dev/null", args);
    /* puns depend on where the program lies */
    struct ez_run how = { .args = all, .stop_at_main = true, .disable_aslr = true };
    must(ez_target_create(&t));
    t->set.trace_auto = false;
    must(ez_target_file(t, path));
    must(ez_run(t, &how));
    for (int tries = 0; ez_target_state(t) == EZ_RUNNING && tries < 6000; tries++) {
        struct pollfd fd[4];
        poll(fd, ez_poll_fds(t, fd, 4), 10);
        listen();
    }
    ck_assert_int_eq(ez_target_state(t), EZ_STOPPED);
    said[0] = 0;
}

/* Plants a new probe on `name`. Returns the index of its site. */
static inline int plant(const char *name, enum ez_probe_kind kind, bool record)
{
    int first, n;
    must(ez_probe_add(t, &(struct ez_probe_spec){ kind, .record = record, .location = name },
                      &first, &n));
    ck_assert_int_eq(n, 1);
    const struct ez_probe *p = t->probes.probe.at[t->probes.probe.n - 1];
    ck_assert_msg(p->state == EZ_PROBE_ARMED, "%s: %s", name, p->reason ? p->reason : "");
    return p->site;
}

static inline void close_target(void)
{
    ez_target_destroy(t);
    t = NULL;
}

#endif
