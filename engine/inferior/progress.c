/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.c - long work reports its progress, and can be interrupted.
 *
 * A *scope* (ez_busy_begin .. ez_busy_end) is work that can be interrupted as a whole: reading
 * symbols, planning probes. Within a scope, ez_busy_step() sometimes calls the function that
 * ez_busy_notify() set. Once that function has returned false, each step fails with EZ_E_QUIT, and
 * so does reading files (engine/base/foreign.h), until the scope ends. Code that writes text makes
 * no steps: it always finishes, and quickly.
 * Tests: tests/unit/shell/check_quit.c, tests/unit/engine/check_places.c */
#include "engine/target.h"

#include "engine/base/foreign.h"
#include "engine/inferior/progress.h"
#include "engine/inferior/thread.h"

#define EVERY_MS 50

void ez_busy_notify(struct ez_target *t, ez_busy_fn *fn, void *arg)
{
    t->inf.busy.fn = fn;
    t->inf.busy.arg = arg;
}

/* Returns true for the scope's owner thread, which alone asks the user. Other threads read
 * busy.quit. */
static bool busy_may_notify(struct ez_target *t)
{
    return t->inf.busy.depth && t->inf.busy.fn &&
           pthread_equal(t->inf.busy.owner, pthread_self()) && ez_now_exact() >= t->inf.busy.next;
}

/* Returns true if the user pressed Ctrl-C while the target has the terminal. The stopped target
 * cannot handle the SIGINT, so its pending SIGINT interrupts eztsh's work instead. */
static bool busy_target_was_signalled(struct ez_target *t)
{
    struct ez_proc_status s;
    if (t->inf.attached || !t->inf.seized || t->inf.int_heard ||
        !ez_proc_status(t->inf.pid, ez_live_tid(t), &s))
        return false;
    t->inf.int_heard = s.shared_pending >> (SIGINT - 1) & 1;
    return t->inf.int_heard;
}

bool ez_busy_pop_int(struct ez_target *t)
{
    bool popped = t->inf.int_heard;
    t->inf.int_heard = false;
    return popped;
}

static bool busy_gives_up(void *arg)
{
    struct ez_target *t = arg;
    if (t->inf.busy.quit || !busy_may_notify(t))
        return t->inf.busy.quit;
    bool first = !t->inf.busy.next; /* work that ends soon is not shown */
    t->inf.busy.reported |= !first;
    t->inf.busy.quit = !t->inf.busy.fn(t->inf.busy.arg, first ? "" : t->inf.busy.what,
                                       t->inf.busy.done, t->inf.busy.total);
    t->inf.busy.quit |= busy_target_was_signalled(t);
    t->inf.busy.next = ez_now_exact() + EVERY_MS;
    return t->inf.busy.quit;
}

void ez_busy_begin(struct ez_target *t)
{
    if (t->inf.busy.depth++)
        return;
    t->inf.busy.what = "Reading symbols";
    t->inf.busy.done = t->inf.busy.total = 0;
    t->inf.busy.reported = t->inf.busy.quit = false;
    t->inf.busy.owner = pthread_self();
    t->inf.busy.next = 0;
    ez_foreign_on_wait(busy_gives_up, t);
}

ez_err *ez_busy_end(struct ez_target *t, ez_err *e)
{
    if (--t->inf.busy.depth)
        return e;
    ez_foreign_on_wait(NULL, NULL);
    t->inf.busy.quit = false;
    if (t->inf.busy.reported)
        t->inf.busy.fn(t->inf.busy.arg, NULL, 0, 0);
    return e;
}

ez_err *ez_busy_step(struct ez_target *t, const char *what, uint64_t done, uint64_t total)
{
    enum { STEPS = 64 }; /* between two readings of the clock */
    if (done % STEPS && !t->inf.busy.quit)
        return NULL;
    t->inf.busy.what = what;
    t->inf.busy.done = done;
    t->inf.busy.total = total;
    return busy_gives_up(t) ? ez_err_gdb(EZ_E_QUIT, "Quit") : NULL;
}
