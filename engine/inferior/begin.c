/* SPDX-License-Identifier: GPL-3.0-or-later */
/* begin.c - sets up and clears the state of a process (struct ez_inferior) when the process begins,
 * execs or ends.
 *
 * engine/process calls these functions. inf.state (running, stopped, none) is set in this file,
 * stop.c and call.c, and that of a copy of the process in scratch.c.
 * Tests: tests/unit/process/check_life.c */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/inferior/stop.h"
#include "engine/inferior/begin.h"
#include "engine/inferior/corefile.h"
#include "engine/inferior/halt.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/reports.h"
#include "engine/inferior/temp_bp.h"
#include "engine/inferior/thread.h"

ez_err *ez_inferior_create(struct ez_target *t, const struct ez_inferior_ops *ops)
{
    t->inf.arch = ez_arch_host();
    t->inf.ops = ops;
    t->inf.pidfd = t->inf.memfd = -1;
    return ez_reports_begin(t);
}

void ez_inferior_free(struct ez_target *t)
{
    ez_threads_clear(t);
    ez_modules_clear(t);
    for (size_t i = 0; i < t->inf.object.n; i++)
        ez_object_close(t->inf.object.at[i].obj);
    EZ_VEC_FREE(&t->inf.thread);
    EZ_VEC_FREE(&t->inf.orphan);
    EZ_VEC_FREE(&t->inf.module);
    EZ_VEC_FREE(&t->inf.ifunc.slot);
    EZ_VEC_FREE(&t->inf.object);
    EZ_VEC_FREE(&t->inf.late);
    EZ_VEC_FREE(&t->inf.cs);
    EZ_VEC_FREE(&t->inf.halts.want);
    EZ_VEC_FREE(&t->inf.halts.fd);
    EZ_VEC_FREE(&t->inf.halts.trap);
    ez_reports_end(t);
    free(t->inf.program);
}

void ez_inferior_begin(struct ez_target *t, pid_t pid, bool attached, bool child)
{
    ez_threads_clear(t);
    t->inf.pid = t->inf.current = pid;
    t->inf.attached = attached;
    t->inf.child = child;
    t->inf.pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    t->inf.int_heard = t->inf.dispatches = false;
    t->inf.state = EZ_BACKGROUND;
}

void ez_inferior_stands(struct ez_target *t)
{
    ez_thread_add(t, t->inf.pid)->stopped = true;
    t->inf.state = EZ_STOPPED;
    t->inf.seized = true;
}

void ez_inferior_background(struct ez_target *t)
{
    t->inf.state = EZ_BACKGROUND;
}

void ez_inferior_execed(struct ez_target *t)
{
    struct ez_thread *th = ez_thread_find(t, t->inf.pid);
    t->inf.current = t->inf.pid;
    t->inf.state = EZ_STOPPED;
    t->inf.dispatches = false;
    if (th)
        th->stopped = true;
}

void ez_inferior_core(struct ez_target *t, struct ez_corefile *core)
{
    size_t n;
    const struct ez_core_thread *from = ez_corefile_threads(core, &n);
    ez_threads_clear(t);
    for (size_t i = 0; i < n; i++) {
        struct ez_thread *th = ez_alloc(sizeof *th);
        *th = (struct ez_thread){ .tid = from[i].tid,
                                  .stopped = true,
                                  .sig = from[i].sig,
                                  .has_info = from[i].has_info,
                                  .info = from[i].info,
                                  .regs_known = true,
                                  .regs = from[i].regs };
        EZ_PUSH(&t->inf.thread, th);
    }
    t->inf.core = core;
    t->inf.pid = ez_corefile_pid(core);
    t->inf.current = from[0].tid;
    t->inf.attached = true;
    t->inf.child = false;
    t->inf.state = EZ_CORE;
}

void ez_inferior_end(struct ez_target *t)
{
    ez_threads_clear(t);
    ez_modules_clear(t);
    if (t->inf.memfd >= 0)
        close(t->inf.memfd);
    /* the pidfd of a dead process is always readable, so poll() on it would never block */
    if (t->inf.pidfd >= 0)
        close(t->inf.pidfd);
    ez_corefile_close(t->inf.core);
    t->inf.core = NULL;
    t->inf.memfd = t->inf.pidfd = -1;
    t->inf.state = EZ_NONE;
    t->inf.seized = false;
    ez_temp_bp_forget(t);
    ez_halts_forget(t);
    t->inf.late.n = 0;
    t->inf.pid = 0;
}

void ez_inferior_program(struct ez_target *t, const char *path, struct ez_object *obj)
{
    /* `path` is copied first, because it may point into the old t->inf.program */
    char *copy = path ? ez_strdup(path) : NULL;
    free(t->inf.program);
    t->inf.program = copy;
    t->inf.prog_obj = obj;
}
