/* SPDX-License-Identifier: MIT */
/* rt_act.c - actions of clauses for a hit that passed the condition (enum ez_act_kind).
 *
 * SWITCHES take effect at once, in the target. A gate is a bit of shared memory that the condition
 * of the switched probe reads. To pause and to resume recording, a hit publishes its tick. The
 * drain thread leaves out the records between a pause and the next resumption
 * (engine/record/drain_pauses.c), so recording ends and begins at the same tick for all threads.
 *
 * REQUESTS are carried out by the shell. The target only counts requested snapshots. At a stop the
 * thread *holds*: it waits in this file until the shell has stopped the other threads and releases
 * this thread, but only while the shell lives and has set `stops_on`. One thread holds at a time.
 * Other threads that hit a stop meanwhile wait for their turn, so that the user sees each stop. A
 * forked child, a thread whose shell was killed, and a thread that may not enter the kernel do not
 * hold. The thread that holds waits until the shell sets `hold.tid` to 0. If the thread ends, the
 * drain thread sets `hold.tid` to 0.
 *
 * Tests: tests/procs/triggers.sh */
#include "engine/rt/rt_code.h"

#include "modules/ezt_fragment.h"

static int act_swap(volatile uint32_t *word, uint32_t *was, uint32_t to)
{
    return __atomic_compare_exchange_n(word, was, to, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static void act_request(void)
{
    __atomic_fetch_add(&rt_state.hdr->requests, 1, __ATOMIC_SEQ_CST);
    wake_drain();
}

/* Waits while the drain thread has not read EZ_PAUSES pauses: there is no slot for one more.
 * Returns 0 if the wait is in vain. It ends as a wait for room does (rt_wait_for_room()). */
APART static int act_wait_for_slot(struct ez_ctl *b)
{
    struct ez_hdr *h = rt_state.hdr;
    if (!h->overflow_wait || h->no_syscalls || b->stuck == h->progress + 1)
        return 0;
    struct rt_idle idle = rt_idle_begin();
    while (h->trace_open && h->overflow_wait && !h->no_syscalls && !shell_dead()) {
        uint32_t n = __atomic_load_n(&h->pauses, __ATOMIC_SEQ_CST), known = h->pauses_known;
        int32_t unread = (int32_t)(n - known);
        if (unread != EZ_PAUSES) /* more: the target wrote invalid numbers */
            return unread < EZ_PAUSES;
        wake_drain();
        rt_nap(&h->pauses_known, known);
        if (!rt_process()->alive) /* a child forked by a signal handler */
            return 0;
        rt_idle_look(&idle);
        if (idle.ms > PATIENCE_MS) {
            b->stuck = idle.seen + 1;
            return 0;
        }
    }
    return 0;
}

/* Pauses recording (pause = 1), or resumes it (0): reads a tick for this hit, stores the tick in
 * the next slot of pause_at[], then increments the number of pauses. A second thread that comes
 * between the store and the increment finds the tick, and does the increment. The store fails if
 * the drain thread has written a later tick into the slot; then this hit reads a new tick. */
static void act_pause(struct rt_run *r, uint32_t pause)
{
    struct ez_hdr *h = rt_state.hdr;
    uint32_t n;
    uint64_t was, now;
    int done;
    do {
        n = __atomic_load_n(&h->pauses, __ATOMIC_SEQ_CST);
        volatile uint64_t *slot = &h->pause_at[n % EZ_PAUSES];
        if ((n & 1) == pause)
            return;
        if ((int32_t)(n - h->pauses_known) >= EZ_PAUSES) {
            if (!act_wait_for_slot(r->b))
                return;
            done = 0;
            continue;
        }
        was = __atomic_load_n(slot, __ATOMIC_SEQ_CST);
        if (was & EZ_PAUSE_HAS_TICK) {
            act_swap(&h->pauses, &n, n + 1);
            return;
        }
        now = rt_tick_now(r->b);
        now = now > was ? now : was + 1;
        done = h->pauses == n && /* if the number changed, the slot may belong to another pause */
               __atomic_compare_exchange_n(slot, &was, now | EZ_PAUSE_HAS_TICK, 0, __ATOMIC_SEQ_CST,
                                           __ATOMIC_SEQ_CST);
    } while (!done);
    r->tick = now;
    r->ticked = 1;
    act_swap(&h->pauses, &n, n + 1);
}

static int act_may_hold(void)
{
    return rt_process()->alive && rt_state.hdr->stops_on && !shell_dead();
}

/* Waits until no other thread holds, then marks this thread as the one that holds, and returns 1.
 * Returns 0 if this thread must not hold. */
static int act_begin_turn(uint32_t tid)
{
    struct ez_hdr *h = rt_state.hdr;
    for (uint32_t who = 0; act_may_hold(); who = 0) {
        if (act_swap(&h->hold.tid, &who, tid))
            return 1;
        if (who == tid) /* This code runs in a signal handler of the thread that holds. */
            return 0;
        rt_nap(&h->hold.tid, who);
    }
    return 0;
}

APART static void act_hold(struct rt_run *r, const struct ez_clause *c, uint32_t at_exit)
{
    struct ez_hdr *h = rt_state.hdr;
    uint32_t tid = (uint32_t)r->b->tid, mine = tid;
    if (h->no_syscalls || !act_begin_turn(tid))
        return;
    h->hold.id = c->cnt / (uint32_t)sizeof(struct ez_counter);
    h->hold.at_exit = at_exit;
    h->hold.loc = (uint64_t)r->loc;
    h->hold.reg = (uint64_t)r->reg;
    h->hold.caller = r->caller;
    __atomic_store_n(&h->hold.full, tid, __ATOMIC_RELEASE);
    act_request();
    while (act_may_hold() && h->hold.tid == tid)
        rt_nap(&h->hold.tid, tid);
    if (rt_process()->alive)
        act_swap(&h->hold.tid, &mine, 0);
}

static void act_do(struct rt_run *r, const struct ez_clause *c, uint32_t at_exit)
{
    struct ez_hdr *h = rt_state.hdr;
    uint64_t gate = 1ull << (c->gate & 63);
    switch (c->act) {
    case EZ_ACT_TRACE_START:
    case EZ_ACT_TRACE_STOP:
        act_pause(r, c->act == EZ_ACT_TRACE_STOP);
        break;
    case EZ_ACT_ENABLE:
        __atomic_fetch_or(&h->gates, gate, __ATOMIC_SEQ_CST);
        break;
    case EZ_ACT_DISABLE:
        __atomic_fetch_and(&h->gates, ~gate, __ATOMIC_SEQ_CST);
        break;
    case EZ_ACT_SNAPSHOT:
        h->snapshot_id = c->cnt / (uint32_t)sizeof(struct ez_counter);
        __atomic_fetch_add(&h->snapshots, 1, __ATOMIC_SEQ_CST);
        act_request();
        break;
    case EZ_ACT_STOP:
        act_hold(r, c, at_exit);
        break;
    default:
        break;
    }
}

HIDDEN void rt_act_all(struct rt_run *r, const struct ez_program *p, uint32_t passed, int at_exit,
                       int first)
{
    if (!rt_process()->alive) /* a forked child: the fork came while the hit waited for room */
        return;
    for (uint32_t i = 0; passed >> i; i++) {
        const struct ez_clause *c = ez_clause_at(p, i);
        if (!(passed >> i & 1))
            continue;
        if (c->act && c->act_at_exit == at_exit && EZ_ACT_FIRST(c->act) == first)
            act_do(r, c, (uint32_t)at_exit);
        const uint32_t when = at_exit ? EZT_BEHIND : EZT_BEFORE;
        if (c->place & when && at_exit != first) /* the code of a place runs before everything else
                                                  * at the call's entry, and after everything else
                                                  * at the call's exit */
            rt_fragment_place(r, when);
        if (c->place & EZT_THERE && first)
            rt_fragment_there(r, c->fragment);
        if (c->fragment && !c->place && !at_exit && !first) /* a fragment begins last, right before
                                                             * the function's body */
            rt_fragment_enter(r, c);
    }
}
