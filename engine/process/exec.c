/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec.c - prepares a process whose image is new to eztsh: at launch, after an exec, at attach.
 * Tests: tests/procs/libs.sh, tests/unit/process/check_life.c */
#include "engine/process/session.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/inferior/catch.h"
#include "engine/inferior/pt.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/begin.h"
#include "engine/inferior/halt.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/temp_bp.h"
#include "engine/inferior/thread.h"
#include "engine/probe/solib.h"

/* Moves the thread from the exec stop to a stop before its first instruction. After the exec stop
 * the kernel still writes the system call's result, over a register that eztsh may have changed. A
 * single step is not used, because its trap flag would kill the program if the shell died. */
ez_err *ez_exec_finish(struct ez_target *t)
{
    struct ez_thread *th = ez_thread_find(t, t->inf.pid);
    if (!th)
        return ez_err_new(EZ_E_GONE, 0, "Process %d is gone", t->inf.pid);
    return ez_thread_border(t, th, "finish the exec");
}

/* ---- images --------------------------------------------------------------------------------- */

ez_err *ez_image_fresh(struct ez_target *t)
{
    ez_sites_clear(t);
    ez_modules_clear(t);
    ez_temp_bp_forget(t);
    ez_halts_forget(t);
    t->session.mine.n = 0;
    ez_solib_consistent(t, false);
    EZ_TRY(ez_mem_open(t));
    EZ_TRY(ez_modules_refresh(t));
    struct ez_module *m = ez_module_program(t);
    if (m && m->obj && !t->inf.prog_obj) { /* attached without `file` */
        ez_inferior_program(t, m->path, m->obj);
    }
    for (size_t i = 0; i < t->inf.module.n; i++)
        t->inf.module.at[i]->fresh = true;
    return NULL;
}

/* For a process that is stopped at its first instruction: arranges that pending probes are planted,
 * and the program stops at main (stop_at_main), at the loader's first consistent state. Does both
 * at once if the program is static or the loader has no hook. (With `set solib-watch syscalls`,
 * syswatch.c plants the probes.) */
ez_err *ez_image_launch(struct ez_target *t, bool stop_at_main)
{
    bool hooked = false;
    ez_stop_at_main_later(t, stop_at_main);
    if (ez_probes_any_pending(t) || t->inf.want_ready) {
        if (ez_module_loader(t))
            EZ_TRY(ez_solib_watch(t, &hooked));
        bool watched = t->set.solib_syscalls && ez_module_loader(t);
        if (!hooked && !watched) /* a static program, or a loader without a hook */
            EZ_TRY(ez_later(t, ez_probes_pending(t, false)));
    }
    if (stop_at_main && !hooked)
        EZ_TRY(ez_stop_at_main(t));
    if (!ez_module_loader(t))
        ez_plugins_early(t); /* reports that a static program cannot load modules */
    ez_solib_consistent(t, !hooked);
    return NULL;
}

/* Plants the loader's hook even if there are no probes, because the user may add probes before the
 * loader's first consistent state. Without probes, an error is ignored, and the program runs
 * without the hook. */
ez_err *ez_image_early(struct ez_target *t)
{
    bool hooked = false;
    ez_solib_consistent(t, false);
    ez_err *e = ez_solib_watch(t, &hooked);
    ez_solib_consistent(t, !hooked);
    if (!ez_probes_any_pending(t))
        return ez_err_drop(e), NULL;
    EZ_TRY(e);
    return hooked ? NULL : ez_probes_pending(t, true);
}

void ez_notify_accounting(struct ez_target *t)
{
    struct ez_trace_info i;
    ez_trace_info(t, &i);
    EZ_FREE char *text = ez_accounting_text(&i.accounting);
    struct ez_event ev = { .kind = EZ_EV_NOTE };
    if (i.accounting.hits) {
        ev.text = i.path ? ez_sprintf("Trace %s: %s", i.path, text) : ez_strdup(text);
        ev.accounting = ez_alloc(sizeof *ev.accounting);
        *ev.accounting = i.accounting;
        ez_post(t, ev);
    }
    ez_trace_note_state(t);
}

static void exec_forget_image(struct ez_target *t)
{
    bool counted = t->tracing.drain;
    struct ez_event ev = { .kind = EZ_EV_EXEC,
                           /* tid and text are set now, because the process may end before the event
                            * is read */
                           .tid = t->inf.pid };
    char exe[64], real[4096];
    snprintf(exe, sizeof exe, "/proc/%d/exe", ez_live_tid(t));
    ssize_t n = readlink(exe, real, sizeof real - 1);
    real[n > 0 ? n : 0] = 0;
    ev.text = ez_strdup(real);
    ez_drain_image_ended(t->tracing.drain);
    ez_trace_process_ended(t);
    /* before the rings are unmapped, because it reads counts from them */
    ez_probes_process_ended(t);
    ez_plugins_process_ended(t);
    ez_rt_down(t);
    if (counted)
        ez_notify_accounting(t);
    ez_post(t, ev);
}

/* Handles an exec in the foreground: drops the old image's patches and rings, makes all probes
 * pending, and plants them in the new image as at launch. */
ez_err *ez_image_execed(struct ez_target *t)
{
    enum ez_state was = t->inf.state;
    exec_forget_image(t);
    ez_inferior_execed(t);
    EZ_TRY(ez_exec_finish(t));
    EZ_TRY(ez_image_fresh(t));
    ez_err *e = ez_image_known(t);
    ez_stop_ready_later(t, t->set.stop_at_exec);
    if (!e)
        e = ez_image_launch(t, false);
    if (t->inf.state == EZ_NONE || t->probes.plant_later)
        return e;
    /* Without a hook eztsh is not notified when the libraries are loaded, so the process stops at
     * once. */
    if (t->inf.want_ready && t->probes.first_solib)
        return ez_err_first(e, ez_stop_ready(t));
    if (e) { /* the program continues, unprobed */
        ez_post_note(t, "Probes could not be planted in the new program: %s.", e->msg);
        ez_err_free(e);
    }
    struct ez_thread *th = ez_thread_find(t, t->inf.pid);
    if (th && was == EZ_RUNNING)
        ez_catch_note(t, th, EZ_CAUGHT_EXEC, 0);
    return was == EZ_RUNNING ? ez_world_resume(t, was) : NULL;
}

/* Handles a background exec of a program that the kernel forbids the shell to trace, usually a
 * setuid program. */
ez_err *ez_image_lost(struct ez_target *t)
{
    pid_t pid = t->inf.pid;
    ez_drain_image_ended(t->tracing.drain);
    ez_process_forget(t);
    ez_notify_accounting(t);
    return ez_err_hint(ez_err_new(EZ_E_PERM, 0,
                                  "Process %d executed a program that you may not trace (setuid?): "
                                  "it runs on without eztsh",
                                  pid),
                       "Root may trace it");
}

ez_err *ez_image_replaced(struct ez_target *t)
{
    bool hooked;
    exec_forget_image(t);
    EZ_TRY(ez_image_fresh(t));
    ez_solib_consistent(t, true);
    if (!ez_probes_any_pending(t))
        return NULL;
    EZ_TRY(ez_image_known(t));
    EZ_TRY(ez_probes_pending(t, true));
    return ez_solib_watch(t, &hooked);
}
