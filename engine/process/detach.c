/* SPDX-License-Identifier: GPL-3.0-or-later */
/* detach.c - removes eztsh's code from a process and releases the process.
 * Tests: tests/procs/life.sh, tests/procs/leaves.sh, tests/procs/keep.sh,
 * tests/unit/process/check_life.c */
#include "engine/process/session.h"

#include <time.h>

#include "engine/inferior/halt.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/temp_bp.h"
#include "engine/inferior/thread.h"
#include "engine/probe/unwind.h"
#include "engine/process/keep.h"

#define MOMENTS 4 /* runs of 1, 2, 4 and 8 ms in which threads can leave eztsh's code */

/* Lets the process run for `ms` milliseconds, then stops it again. */
static ez_err *detach_moment(struct ez_target *t, unsigned ms)
{
    const struct timespec moment = { 0, ms * 1000000l };
    enum ez_state was;
    EZ_TRY(ez_threads_cont(t));
    nanosleep(&moment, NULL);
    return ez_world_stop(t, &was);
}

ez_err *ez_clear_out(struct ez_target *t, unsigned moments)
{
    enum ez_refer left;
    for (unsigned i = 0;; i++) {
        EZ_TRY(ez_temp_bp_clear(t));
        EZ_TRY(ez_halts_end(t));
        EZ_TRY(ez_probes_unplant_all(t));
        EZ_TRY(ez_originals_restore(t));
        EZ_TRY(ez_plugins_disconnect(t));
        EZ_TRY(ez_rt_clear(t, &left));
        if (left != EZ_REFER_PASSING || i == moments)
            break;
        /* The process has ended, or does not stop. The probes are removed, but the runtime stays
         * mapped. */
        if (!ez_err_drop(detach_moment(t, 1u << i)))
            return NULL;
    }
    if (left == EZ_REFER_NONE)
        return NULL;
    ez_unwind_left(t);
    return ez_rt_trim(t);
}

ez_err *ez_detach(struct ez_target *t)
{
    enum ez_state was;
    EZ_TRY(ez_need_process(t));
    EZ_TRY(ez_world_stop(t, &was));
    EZ_TRY(ez_clear_out(t, MOMENTS));
    if (t->inf.state == EZ_NONE)
        return ez_err_new(EZ_E_GONE, 0, "The process ended");
    EZ_TRY(ez_threads_detach(t));
    ez_offer_end(t);
    ez_process_forget(t);
    return NULL;
}

ez_err *ez_detach_keep(struct ez_target *t, unsigned *kept)
{
    EZ_TRY(ez_keep_begin(t, kept));
    ez_offer_end(t);
    ez_process_forget(t);
    ez_keep_end(t);
    return NULL;
}
