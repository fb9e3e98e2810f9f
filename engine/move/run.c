/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.c - lets the program run to the next halt of a move: its destinations, breakpoints and
 * watchpoints.
 * Tests: tests/procs/moving.sh, tests/procs/breaks.sh */
#include <string.h>

#include "engine/inferior/catch.h"
#include "engine/inferior/halt.h"
#include "engine/inferior/inferior.h"
#include "engine/inferior/stop.h"
#include "engine/move/move_priv.h"
#include "engine/probe/stap.h"
#include "engine/process/session.h"

static void move_want_all(struct ez_move *m)
{
    m->want.n = 0;
    ez_catch_none(m->t);
    ez_semaphores_of_breaks(m->t, NULL, 0);
    for (size_t i = 0; i < m->brk.n; i++) {
        struct ez_break *b = m->brk.at[i];
        if (b->enabled && break_has_places(b))
            break_want(m, b);
        else if (b->enabled && ez_break_is_catch(b->kind))
            catch_want(m, b);
        else if (b->enabled && watch_resolve(m, b))
            watch_want(m, b);
    }
    for (size_t i = 0; i < m->to.n; i++)
        move_want(m, (struct ez_halt){ .addr = m->to.at[i].at, .kind = EZ_HALT_CODE });
    nonlocal_want(m);
}

static bool move_wanted_already(const struct ez_move *m)
{
    const struct ez_target *t = m->t;
    bool same = t->inf.halts.armed && t->inf.halts.want.n == m->want.n;
    for (size_t i = 0; same && i < m->want.n; i++)
        same = !memcmp(&t->inf.halts.want.at[i], &m->want.at[i], sizeof m->want.at[i]);
    return same;
}

static ez_err *move_arm(struct ez_move *m)
{
    m->changed = false;
    move_want_all(m);
    EZ_TRY(ez_semaphores_settle(m->t));
    if (move_wanted_already(m))
        return NULL;
    ez_halts_none(m->t);
    for (size_t i = 0; i < m->want.n; i++)
        ez_halts_want(m->t, &m->want.at[i]);
    return ez_halts_arm(m->t);
}

ez_err *move_renew(struct ez_target *t, void *arg)
{
    struct ez_move *m = arg;
    return m->on && m->ran ? move_arm(m) : NULL;
}

ez_err *move_run(struct ez_move *m, int sig)
{
    ez_err *e = NULL;
    if (catch_stops(m, &e) || e)
        return e;
    breaks_watch_loader(m);
    EZ_TRY(move_arm(m));
    m->ran = true;
    return ez_continue(m->t, false, sig);
}

ez_err *ez_move_renew(struct ez_move *m)
{
    enum ez_state was;
    if (!m->changed || m->t->inf.state != EZ_RUNNING)
        return NULL;
    EZ_TRY(ez_world_stop(m->t, &was));
    breaks_watch_loader(m);
    return ez_world_resume(m->t, was);
}
