/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process.c - the begin and the end of a process, passed on to all parts that hold state for it.
 *
 * The inferior (threads, stops, modules) knows no layer above it: it calls the functions in
 * ez_session_ops. Only this file ends a process. */
#include "engine/session/session.h"
#include "engine/inferior/stop.h"

#include <sys/syscall.h>
#include <unistd.h>

void ez_process_new(struct ez_target *t, pid_t pid, bool attached)
{
    ez_threads_clear(t);
    t->pid = t->current = pid;
    t->attached = attached;
    t->child = !attached;
    t->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    t->have_last_stat = t->int_heard = t->plant_later = false;
    t->last_events.n = 0;
    if (!t->trace_wanted) { /* the file belongs to the process that ended */
        free(t->trace_path);
        t->trace_path = NULL;
    }
    for (size_t i = 0; i < t->probe.n; i++)
        t->probe.at[i]->entries = t->probe.at[i]->exits = 0;
}

void ez_process_forget(struct ez_target *t)
{
    ez_trace_process_ended(t);
    ez_probes_process_ended(t); /* reads the counts, so before the rings go */
    ez_rt_down(t);
    ez_fork_drop(t);
    ez_threads_clear(t);
    ez_modules_clear(t);
    if (t->memfd >= 0)
        close(t->memfd);
    if (t->pidfd >= 0)
        close(t->pidfd);
    t->memfd = t->pidfd = -1;
    t->state = EZ_NONE;
    t->seized = false;
    ez_temp_bp_forget(t);
    t->syscall_at = 0;
    t->mine.n = 0;
    t->late.n = 0;
    t->pid = 0;
}

void ez_process_ended(struct ez_target *t, enum ez_event_kind kind, int value)
{
    struct ez_event ev = { .kind = kind, .tid = t->pid };
    if (kind == EZ_EV_SIGNALED)
        ev.sig = value;
    else
        ev.status = value;
    ez_drain_image_ended(t->rt.drain);
    ez_process_forget(t);
    ez_post(t, ev);
    ez_rules_unmatched(t);
}

const struct ez_inferior_ops ez_session_ops = {
    .ended = ez_process_ended,
    .execed = ez_exec_seen,
    .replaced = ez_image_replaced,
    .lost = ez_image_lost,
    .resuming = ez_rt_settings,
    .own_trap = ez_trap_stub,
    .fork_seen = ez_fork_seen,
    .child_report = ez_fork_report,
    .child_drop = ez_fork_drop,
    .unloaded = ez_sites_unloaded,
    .loaded_again = ez_sites_loaded_again,
    .dropped = ez_sites_dropped,
};
