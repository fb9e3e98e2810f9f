/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loads.c - handles libraries that were loaded or unloaded: plants pending probes and hooks in new
 * libraries, and answers the loader's rendezvous (the function that the loader calls at each
 * change), which solib.c hooks.
 * Tests: tests/procs/libs.sh */
#include "engine/target.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#include "engine/inferior/progress.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/temp_bp.h"
#include "engine/probe/solib.h"
#include "engine/probe/unwind.h"

static void loads_answer(struct ez_target *t, uint32_t seq)
{
    struct ez_hdr *h = t->rt.hdr;
    if (!h)
        return;
    t->probes.loader_done = seq;
    __atomic_store_n(&h->loader_ack, seq, __ATOMIC_RELEASE);
    syscall(SYS_futex, &h->loader_ack, FUTEX_WAKE, 1 << 30, NULL, NULL, 0);
}

static ez_err *loads_look(struct ez_target *t)
{
    bool first = !t->probes.first_solib;
    t->probes.first_solib = true;
    if (first)
        t->inf.ops->relocated(t);
    EZ_TRY(ez_modules_refresh(t));
    for (size_t i = 0; i < t->inf.module.n; i++) {
        struct ez_module *m = t->inf.module.at[i];
        if (!m->fresh)
            continue;
        struct ez_event ev = { .kind = EZ_EV_LIB_LOADED, .text = ez_strdup(m->path) };
        ez_post(t, ev);
    }
    ez_probes_unloaded(t);
    EZ_TRY(ez_probes_pending(t, !first));
    if (t->rt.fitted)
        EZ_TRY(ez_unwind_hooks(t));
    if (t->rt.fitted)
        EZ_TRY(ez_jump_hooks(t));
    EZ_TRY(ez_ranges_register(t));
    return t->inf.want_main ? ez_stop_at_main(t) : NULL;
}

ez_err *ez_later(struct ez_target *t, ez_err *e)
{
    t->probes.plant_later = e && e->code == EZ_E_QUIT;
    return !t->probes.plant_later ? e
                                  : ez_err_hint(e, "No probe was planted; \"continue\" plants the "
                                                   "pending probes, \"delete\" deletes them");
}

ez_err *ez_solib_look(struct ez_target *t)
{
    ez_progress_begin(t);
    return ez_later(t, ez_progress_end(t, loads_look(t)));
}

ez_err *ez_solib_event(struct ez_target *t)
{
    enum ez_state was;
    ez_trace_report_loss(t);
    if (!t->rt.up)
        return NULL;
    uint32_t seq = __atomic_load_n(&t->rt.hdr->loader_seq, __ATOMIC_ACQUIRE);
    if (seq == t->probes.loader_done)
        return NULL;
    if (!ez_solib_settled(t)) {
        loads_answer(t, seq);
        return NULL;
    }
    uint32_t generation = t->rt.hdr->generation;
    ez_err *e = ez_world_stop(t, &was);
    if (e) {
        loads_answer(t, seq); /* otherwise the loader would wait; the new library gets no probes */
        return e;
    }
    if (t->inf.state == EZ_STOPPED && (!t->rt.up || t->rt.hdr->generation != generation))
        return ez_world_resume(t, was); /* the process has exec'ed, so the library is gone */
    t->probes.loader_left = t->rt.hdr->loader_inside != seq;
    if (t->probes.loader_left &&
        /* the loader's list is not consistent yet; the loader will call the hook again */
        !ez_solib_settled(t)) {
        loads_answer(t, seq);
        return ez_world_resume(t, was);
    }
    e = ez_solib_look(t);
    if (t->inf.state == EZ_NONE)
        return e;
    loads_answer(t, seq);
    if (t->probes.plant_later) /* the target stays stopped until the user decides */
        return e;
    if (t->inf.want_ready)
        return ez_err_first(e, ez_stop_ready(t));
    ez_err *r = ez_world_resume(t, was);
    return ez_err_first(e, r);
}
