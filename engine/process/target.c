/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target.c - allocates and frees a target (one debugging session), and returns its basic
 * properties.
 * Tests: tests/unit/process/check_life.c */
#include "engine/process/session.h"
#include "engine/inferior/begin.h"
#include "engine/inferior/queue.h"
#include "engine/probe/probe_list.h"

#include <stdlib.h>

ez_err *ez_target_new(const struct ez_inferior_ops *ops, struct ez_target **out)
{
    ez_heap_prepare();
    struct ez_target *t = ez_alloc(sizeof *t);
    ez_rt_none(t);
    ez_probes_forget(t);
    ez_settings_begin(&t->set);
    ez_err *e = ez_inferior_create(t, ops);
    if (e)
        ez_target_free(t);
    else
        *out = t;
    return e;
}

void ez_target_free(struct ez_target *t)
{
    if (!t)
        return;
    if (t->inf.state != EZ_NONE)
        ez_process_forget(t); /* the process could not be released; its trace must be closed */
    ez_plugins_free(t);
    ez_probes_free(t);
    ez_sites_free(t);
    ez_trace_free(t);
    ez_inferior_free(t);
    ez_queue_drop(t);
    EZ_VEC_FREE(&t->session.fork.early);
    EZ_VEC_FREE(&t->session.fork.ended);
    EZ_VEC_FREE(&t->session.fork.spurned);
    EZ_VEC_FREE(&t->session.fork.offer);
    EZ_VEC_FREE(&t->session.fork.held);
    ez_target_free(t->session.fork.hand);
    EZ_VEC_FREE(&t->session.mine);
    free(t);
}

enum ez_state ez_target_state(const struct ez_target *t)
{
    return t->inf.state;
}
bool ez_target_live(const struct ez_target *t)
{
    return t->inf.state != EZ_NONE && t->inf.state != EZ_CORE;
}
bool ez_target_readable(const struct ez_target *t)
{
    return t->inf.state == EZ_STOPPED || t->inf.state == EZ_CORE;
}
pid_t ez_target_pid(const struct ez_target *t)
{
    return ez_target_live(t) ? t->inf.pid : 0;
}
bool ez_target_attached(const struct ez_target *t)
{
    return t->inf.attached;
}
const char *ez_target_program(const struct ez_target *t)
{
    return t->inf.program;
}
struct ez_object *ez_target_object(const struct ez_target *t)
{
    return t->inf.prog_obj;
}
struct ez_settings *ez_settings(struct ez_target *t)
{
    return &t->set;
}

size_t ez_poll_fds(struct ez_target *t, struct pollfd *fds, size_t max)
{
    size_t n = 0;
    if (n < max)
        fds[n++] = (struct pollfd){ t->inf.sigfd, POLLIN, 0 };
    if (n < max)
        fds[n++] = (struct pollfd){ t->inf.eventfd, POLLIN, 0 };
    if (n < max && t->inf.pidfd >= 0 && !t->inf.seized)
        fds[n++] = (struct pollfd){ t->inf.pidfd, POLLIN, 0 };
    return n;
}
