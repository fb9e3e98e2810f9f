/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.c - long work reports its progress, and can be interrupted.
 *
 * A *scope* (ez_progress_begin .. ez_progress_end) is work that can be interrupted as a whole:
 * reading symbols, planning probes. Within a scope, ez_progress_step() calls the function that
 * ez_progress_notify() set, at most every EVERY_MS ms. Once this function has returned false, each
 * ez_progress_step() and each read of a file (engine/base/foreign.h) fails with EZ_E_QUIT until the
 * scope ends. Code that patches the target's text never calls ez_progress_step(), so it always
 * finishes.
 * Tests: tests/unit/shell/check_quit.c, tests/unit/inferior/check_places.c */
#include "engine/target.h"

#include "engine/base/foreign.h"
#include "engine/inferior/progress.h"
#include "engine/inferior/thread.h"

#define EVERY_MS 50

void ez_progress_notify(struct ez_target *t, ez_progress_fn *fn, void *arg)
{
    t->inf.progress.fn = fn;
    t->inf.progress.arg = arg;
}

/* Returns true if the notify function is due and the caller is the thread that began the scope.
 * Only that thread calls the notify function; other threads only read progress.quit. */
static bool progress_may_notify(struct ez_target *t)
{
    return t->inf.progress.depth && t->inf.progress.fn &&
           pthread_equal(t->inf.progress.owner, pthread_self()) &&
           ez_now_exact() >= t->inf.progress.next;
}

/* Returns true if the user pressed Ctrl-C while the target has the terminal. The stopped target
 * cannot handle the SIGINT, so the pending SIGINT interrupts eztsh's work instead. */
static bool progress_target_was_signalled(struct ez_target *t)
{
    struct ez_proc_status s;
    if (t->inf.attached || !t->inf.seized || t->inf.int_heard ||
        !ez_proc_status(t->inf.pid, ez_live_tid(t), &s))
        return false;
    t->inf.int_heard = s.shared_pending >> (SIGINT - 1) & 1;
    return t->inf.int_heard;
}

bool ez_progress_pop_int(struct ez_target *t)
{
    bool popped = t->inf.int_heard;
    t->inf.int_heard = false;
    return popped;
}

static bool progress_gives_up(void *arg)
{
    struct ez_target *t = arg;
    if (t->inf.progress.quit || !progress_may_notify(t))
        return t->inf.progress.quit;
    /* The first report is suppressed, so that short work shows no progress. */
    bool first = !t->inf.progress.next;
    t->inf.progress.reported |= !first;
    t->inf.progress.quit =
        !t->inf.progress.fn(t->inf.progress.arg, first ? "" : t->inf.progress.what,
                            t->inf.progress.done, t->inf.progress.total);
    t->inf.progress.quit |= progress_target_was_signalled(t);
    t->inf.progress.next = ez_now_exact() + EVERY_MS;
    return t->inf.progress.quit;
}

void ez_progress_begin(struct ez_target *t)
{
    if (t->inf.progress.depth++)
        return;
    t->inf.progress.what = "Reading symbols";
    t->inf.progress.done = t->inf.progress.total = 0;
    t->inf.progress.reported = t->inf.progress.quit = false;
    t->inf.progress.owner = pthread_self();
    t->inf.progress.next = 0;
    ez_foreign_on_wait(progress_gives_up, t);
}

ez_err *ez_progress_end(struct ez_target *t, ez_err *e)
{
    if (--t->inf.progress.depth)
        return e;
    ez_foreign_on_wait(NULL, NULL);
    t->inf.progress.quit = false;
    if (t->inf.progress.reported)
        t->inf.progress.fn(t->inf.progress.arg, NULL, 0, 0);
    return e;
}

ez_err *ez_progress_step(struct ez_target *t, const char *what, uint64_t done, uint64_t total)
{
    enum { STEPS = 64 }; /* the clock is read at each 64th step only */
    if (done % STEPS && !t->inf.progress.quit)
        return NULL;
    t->inf.progress.what = what;
    t->inf.progress.done = done;
    t->inf.progress.total = total;
    return progress_gives_up(t) ? ez_err_gdb(EZ_E_QUIT, "Quit") : NULL;
}
