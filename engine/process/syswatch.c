/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syswatch.c - `set solib-watch syscalls`: notices that libraries are loaded by the loader's mmap
 * calls, under PTRACE_SYSCALL, as PROPER'12 does (section 5.1).
 *
 * This is for teaching: each system call of the target stops it twice (about 15 us), and this works
 * only in the foreground. The default is the rendezvous hook (engine/probe/solib.c).
 *
 * A library counts as loaded when an mmap of executable pages of a file has returned. No probe is
 * planted before the C library is loaded, because trampolines use its thread control block.
 * Tests: tests/e2e/watch.ezt */
#include "engine/process/session.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/thread.h"

#include <sys/syscall.h>

static bool syswatch_returned(const struct ez_target *t, const struct ez_regs *r)
{
    /* at the stop before the call, the result register has -ENOSYS */
    return t->inf.arch->abi.result(r) != -38;
}

static bool syswatch_any_fresh(const struct ez_target *t)
{
    for (size_t i = 0; i < t->inf.module.n; i++)
        if (t->inf.module.at[i]->fresh)
            return true;
    return false;
}

static void syswatch_notify(struct ez_target *t)
{
    for (size_t i = 0; i < t->inf.module.n; i++) {
        const struct ez_module *m = t->inf.module.at[i];
        if (m->fresh && m->path[0] == '/')
            ez_post_note(t, "mmap of %s at 0x%lx.", m->path, (unsigned long)m->lo);
    }
}

ez_err *ez_syswatch_stop(struct ez_target *t, struct ez_thread *th)
{
    struct ez_regs *r;
    enum ez_state was;
    EZ_TRY(ez_thread_regs(th, &r));
    if (t->inf.arch->syscall.nr(r) != SYS_mmap || !syswatch_returned(t, r))
        return NULL;
    EZ_TRY(ez_modules_refresh(t));
    if (!syswatch_any_fresh(t))
        return NULL;
    syswatch_notify(t);
    ez_probes_unloaded(t);
    if (!ez_rt_libc_known(t) || !ez_probes_any_pending(t))
        return NULL;
    th->stepped = true; /* the stop is handled: calls may be injected */
    EZ_TRY(ez_world_stop(t, &was));
    ez_err *e = ez_probes_pending(t, true), *back = ez_world_resume(t, was);
    return ez_err_first(e, back);
}
