/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thread.c - finds the target's threads, reads and writes their registers.
 *
 * Tests: tests/unit/inferior/check_live.c, tests/unit/inferior/check_steps.c */
#include "engine/inferior/thread.h"

#include <string.h>

#include "engine/inferior/corefile.h"
#include "engine/inferior/pt.h"
#include "engine/target.h"

struct ez_thread *ez_thread_find(struct ez_target *t, pid_t tid)
{
    for (size_t i = 0; i < t->inf.thread.n; i++)
        if (t->inf.thread.at[i]->tid == tid)
            return t->inf.thread.at[i];
    return NULL;
}

pid_t ez_live_tid(struct ez_target *t)
{
    return !t->inf.thread.n || ez_thread_find(t, t->inf.pid) ? t->inf.pid
                                                             : t->inf.thread.at[0]->tid;
}

struct ez_thread *ez_thread_current(struct ez_target *t)
{
    struct ez_thread *th = ez_thread_find(t, t->inf.current);
    return th ? th : t->inf.thread.n ? t->inf.thread.at[0] : NULL;
}

struct ez_thread *ez_thread_add(struct ez_target *t, pid_t tid)
{
    struct ez_thread *th = ez_thread_find(t, tid);
    if (th)
        return th;
    th = ez_alloc(sizeof *th);
    th->tid = tid;
    EZ_PUSH(&t->inf.thread, th);
    return th;
}

void ez_thread_remove(struct ez_target *t, pid_t tid)
{
    for (size_t i = 0; i < t->inf.thread.n; i++) {
        if (t->inf.thread.at[i]->tid != tid)
            continue;
        free(t->inf.thread.at[i]);
        t->inf.thread.at[i] = t->inf.thread.at[--t->inf.thread.n];
        return;
    }
}

void ez_threads_clear(struct ez_target *t)
{
    for (size_t i = 0; i < t->inf.thread.n; i++)
        free(t->inf.thread.at[i]);
    t->inf.thread.n = 0;
}

ez_err *ez_thread_regs(struct ez_thread *th, struct ez_regs **regs)
{
    if (!th->regs_known)
        EZ_TRY(pt_getregs(th->tid, &th->regs, "read registers"));
    th->regs_known = true;
    *regs = &th->regs;
    return NULL;
}

ez_err *ez_thread_extended(struct ez_target *t, const struct ez_thread *th, void *buf, size_t *n)
{
    if (!t->inf.core)
        return pt_getregset(th->tid, t->inf.arch->regs.extended_regset, buf, n,
                            "read vector registers");
    const struct ez_core_thread *of = ez_corefile_thread(t->inf.core, th->tid);
    *n = of ? EZ_MIN(*n, of->nextended) : 0;
    if (*n)
        memcpy(buf, of->extended, *n);
    return NULL;
}

ez_err *ez_thread_set_regs(struct ez_thread *th, const struct ez_regs *regs)
{
    EZ_TRY(pt_setregs(th->tid, regs, "write registers"));
    th->regs = *regs;
    th->regs_known = true;
    return NULL;
}

void ez_thread_select(struct ez_target *t, pid_t tid)
{
    t->inf.current = tid;
}

ez_err *ez_need_process(struct ez_target *t)
{
    if (t->inf.state == EZ_NONE || t->inf.state == EZ_CORE)
        return ez_err_gdb(EZ_E_STATE, "The program is not being run.");
    return NULL;
}

ez_err *ez_need_readable(struct ez_target *t)
{
    return t->inf.state == EZ_CORE ? NULL : ez_need_stopped(t);
}

ez_err *ez_need_stopped(struct ez_target *t)
{
    EZ_TRY(ez_need_process(t));
    if (t->inf.state != EZ_STOPPED)
        return ez_err_hint(
            ez_err_gdb(EZ_E_STATE, "Cannot execute this command while the target is running."),
            "\"interrupt\" stops the program");
    return NULL;
}
