/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session.c - creates and destroys a session, and returns its events.
 *
 * engine/inferior (threads, stops, modules) must not include headers of the rooms above it: it
 * calls them through session_ops.
 * Tests: tests/unit/inferior/check_live.c */
#include "engine/process/session.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/temp_bp.h"
#include "engine/patch/trap.h"
#include "engine/patch/variant.h"

static void session_resuming(struct ez_target *t)
{
    ez_rt_settings(t);
    ez_temp_bp_again(t);
}

static bool session_fault(struct ez_target *t, struct ez_thread *th)
{
    return ez_specs_fault(t, th) || ez_rescue(t, th);
}

static const struct ez_inferior_ops session_ops = {
    .ended = ez_process_ended,
    .execed = ez_exec_seen,
    .replaced = ez_image_replaced,
    .lost = ez_image_lost,
    .resuming = session_resuming,
    .traps = ez_traps_any,
    .own_trap = ez_trap_trampoline,
    .halt_copy = ez_halt_copy,
    .halt_stands = ez_halt_stands,
    .fork_seen = ez_fork_seen,
    .child_known = ez_fork_knows,
    .child_report = ez_fork_report,
    .child_drop = ez_fork_drop,
    .child_lend = ez_offer_lend,
    .child_back = ez_offer_back,
    .loads_seen = ez_loader_hooked,
    .relocated = ez_plugins_early,
    .fault = session_fault,
    .unloaded = ez_sites_unloaded,
    .loaded_again = ez_sites_loaded_again,
    .dropped = ez_sites_dropped,
    .name_code = ez_name_code,
    .name_sources = ez_name_sources,
};

ez_err *ez_target_create(struct ez_target **out)
{
    return ez_target_new(&session_ops, out);
}

void ez_target_destroy(struct ez_target *t)
{
    if (t && ez_target_live(t))
        ez_err_drop(t->inf.attached ? ez_detach(t) : ez_kill(t));
    ez_target_free(t);
}

bool ez_events_left(const struct ez_target *t)
{
    return t->queue.head < t->queue.event.n ||
           (t->inf.state == EZ_RUNNING && t->session.fork.stands);
}

bool ez_next_event(struct ez_target *t, struct ez_event *ev)
{
    bool some;
    if (ez_queue_pop(t, ev))
        return true;
    do {
        ez_err *e = ez_wait_poll(t, &some);
        if (e) {
            EZ_FREE char *text = ez_err_text(e);
            if (e->code != EZ_E_GONE)
                ez_post_note(t, "%s", text);
            ez_err_free(e);
        }
        if (ez_queue_pop(t, ev))
            return true;
    } while (some);
    EZ_FREE char *note = ez_object_noted();
    if (note)
        ez_post_note(t, "%s", note);
    return ez_queue_pop(t, ev);
}
