/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target.c - creates and destroys a target (one debugging session); its descriptors and events. */
#include "engine/session/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/stat.h>

ez_err *ez_target_create(struct ez_target **out)
{
    ez_heap_prepare();
    struct ez_target *t = ez_alloc(sizeof *t);
    sigset_t chld;
    t->arch = ez_arch_host();
    t->ops = &ez_session_ops;
    t->pidfd = t->memfd = t->rt.memfd = t->rt.there = -1;
    t->next_number = 1;
    t->set = (struct ez_settings){
        .trace_auto = true, .overflow_wait = true, .ring_kib = 1024, .detach_on_fork = true
    };
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    sigprocmask(SIG_BLOCK, &chld, NULL);
    t->sigfd = signalfd(-1, &chld, SFD_CLOEXEC | SFD_NONBLOCK);
    t->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (t->sigfd < 0 || t->eventfd < 0) {
        ez_err *e = ez_err_new(EZ_E_SYS, errno, "cannot set up the event queue");
        ez_target_destroy(t);
        return e;
    }
    ez_reports_begin(t);
    *out = t;
    return NULL;
}

void ez_target_destroy(struct ez_target *t)
{
    if (!t)
        return;
    if (t->state != EZ_NONE)
        ez_err_drop(t->attached ? ez_detach(t) : ez_kill(t));
    if (t->state != EZ_NONE)
        ez_process_forget(t); /* the process could not be reached: close its trace anyway */
    for (size_t i = 0; i < t->probe.n; i++)
        ez_probe_free(t->probe.at[i]);
    for (size_t i = 0; i < t->rule.n; i++)
        free(t->rule.at[i].spec);
    ez_threads_clear(t);
    ez_modules_clear(t);
    for (size_t i = 0; i < t->object.n; i++)
        ez_object_close(t->object.at[i].obj);
    for (; t->queue_head < t->queue.n; t->queue_head++)
        ez_event_clear(&t->queue.at[t->queue_head]);
    EZ_VEC_FREE(&t->probe);
    EZ_VEC_FREE(&t->rule);
    EZ_VEC_FREE(&t->thread);
    EZ_VEC_FREE(&t->stray);
    EZ_VEC_FREE(&t->fork.early);
    EZ_VEC_FREE(&t->module);
    EZ_VEC_FREE(&t->ifunc.slot);
    EZ_VEC_FREE(&t->object);
    EZ_VEC_FREE(&t->queue);
    EZ_VEC_FREE(&t->site);
    EZ_VEC_FREE(&t->mine);
    EZ_VEC_FREE(&t->last_events);
    EZ_VEC_FREE(&t->window);
    if (t->sigfd >= 0)
        close(t->sigfd);
    if (t->eventfd >= 0)
        close(t->eventfd);
    free(t->program);
    ez_cover_free(t);
    ez_reports_end(t);
    free(t->trace_path);
    free(t);
}

enum ez_state ez_target_state(const struct ez_target *t)
{
    return t->state;
}
pid_t ez_target_pid(const struct ez_target *t)
{
    return t->pid;
}
bool ez_target_attached(const struct ez_target *t)
{
    return t->attached;
}
const char *ez_target_program(const struct ez_target *t)
{
    return t->program;
}
struct ez_object *ez_target_object(const struct ez_target *t)
{
    return t->prog_obj;
}
struct ez_settings *ez_settings(struct ez_target *t)
{
    return &t->set;
}

size_t ez_poll_fds(struct ez_target *t, struct pollfd *fds, size_t max)
{
    size_t n = 0;
    if (n < max)
        fds[n++] = (struct pollfd){ t->sigfd, POLLIN, 0 };
    if (n < max)
        fds[n++] = (struct pollfd){ t->eventfd, POLLIN, 0 };
    if (n < max && t->pidfd >= 0 && !t->seized)
        fds[n++] = (struct pollfd){ t->pidfd, POLLIN, 0 };
    return n;
}

bool ez_next_event(struct ez_target *t, struct ez_event *ev)
{
    bool some;
    if (ez_queue_take(t, ev))
        return true;
    do {
        ez_err *e = ez_wait_poll(t, &some);
        if (e) {
            if (e->code != EZ_E_GONE)
                ez_post_note(t, "%s", e->msg);
            ez_err_free(e);
        }
        if (ez_queue_take(t, ev))
            return true;
    } while (some);
    return false;
}
