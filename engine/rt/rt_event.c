/* SPDX-License-Identifier: MIT */
/* rt_event.c - events of modules, and the guard of their replacements (modules/ezt_probe.h).
 *
 * An event of n words uses n records (one, if n is 0), which are reserved together. The first
 * record has the event's code and the first word; each other record has EZ_R_MORE and a word. The
 * first record is committed last. All records of an event are in one sub-buffer: if they do not
 * fit, EZ_R_PAD fills the end of the sub-buffer.
 *
 * Modules call ez_event_call (rt_entry.S), ez_enter and ez_again as ordinary C functions. A module
 * has an id of its own. Its counter's entries are events, its exits are calls for which the guard
 * refused to run the replacement.
 * Tests: tests/unit/rt/check_rt.c, tests/procs/module.sh */
#include "engine/rt/rt_priv.h"

#include "modules/ezt_probe.h"

HIDDEN volatile uint64_t *rt_records(struct ez_ctl *b, uint64_t n)
{
    for (;;) {
        uint64_t p = b->head, in = p & (EZ_SUB_BYTES - 1), left = EZ_SUB_BYTES - in;
        uint64_t reserve = left < n * EZ_REC_BYTES ? left : n * EZ_REC_BYTES;
        if (!in)
            return 0;
        if (!rt_cas(&b->head, p, p + reserve))
            continue;
        volatile uint64_t *r = (volatile uint64_t *)(b->ring + (p & b->mask));
        /* the drain thread was the last to use these cache lines */
        rt_prefetch_to_write((const char *)r + 512);
        rt_prefetch_to_write((const char *)r + 576);
        if (reserve == n * EZ_REC_BYTES)
            return r;
        for (uint64_t now = rt_tick_now(b); reserve; reserve -= EZ_REC_BYTES, r += 3) {
            r[0] = now;
            r[1] = 0;
            r[2] = (uint64_t)EZ_R_PAD << 8 | 1;
        }
    }
}

/* Records an event of n words, EZT_MAX_WORDS at most. b: the thread's control block; 0 = the fast
 * path did not find it. */
HIDDEN void ez_event(struct ezt_rt *m, uint64_t event, uint64_t n, const uint64_t *word,
                     struct ez_ctl *b)
{
    volatile uint64_t *r;
    if (!b || !b->cnt)
        b = rt_self();
    if (!b) {
        rt_count_common(m->counter, 1);
        return;
    }
    n = n < EZT_MAX_WORDS ? n : EZT_MAX_WORDS;
    rt_inc(&rt_counter(b, m->counter)->entry);
    if (b->unnamed && rt_state.hdr->trace_open)
        rt_name(b, rt_tick_now(b));
    while (!(r = rt_records(b, n + !n)))
        if (!ez_room(0, b))
            return;
    uint64_t now = rt_tick_now(b);
    for (uint64_t i = 1; i < n; i++) {
        r[3 * i] = now;
        r[3 * i + 1] = word[i];
        r[3 * i + 2] = (uint64_t)EZ_R_MORE << 8 | 1;
    }
    r[0] = now;
    r[1] = n ? word[0] : 0;
    r[2] = (m->code + (event & EZT_EVENT_MAX)) << 8 | (n + 1);
}

/* Returns the guard of the thread with this control block. */
static volatile uint64_t *event_guard(struct ez_ctl *b)
{
    uint64_t table = rt_state.hdr->guards;
    return table ? (volatile uint64_t *)table + (b - rt_ctl_of(0)) : &b->guard;
}

void rt_guard_reset(struct ez_ctl *b)
{
    *event_guard(b) = 0;
}

/* Returns 1 if the replacement that calls this function may run, and turns on its guard f. While
 * the guard is on, replacements that this replacement calls do not run. ezt_out() and ezt_leave()
 * turn the guard off. Guards that a longjmp skipped are below f on the stack, and are dropped. */
HIDDEN int ez_enter(struct ezt_rt *m, struct ezt_frame *f)
{
    struct ez_ctl *b = rt_self();
    if (!b) /* a forked child, or a thread without a buffer */
        return 0;
    volatile uint64_t *guard = event_guard(b);
    if (*guard > (uint64_t)f) {
        rt_inc(&rt_counter(b, m->counter)->exit);
        return 0;
    }
    f->outer = 0;
    f->thread = (void *)guard;
    *guard = (uint64_t)f;
    return 1;
}

/* Turns the guard f on again. Called when the original has returned, perhaps on another thread
 * (coroutines) or in a forked child. */
HIDDEN void ez_again(struct ezt_rt *m, struct ezt_frame *f)
{
    struct ez_ctl *b = rt_self();
    (void)m;
    if (!b)
        return;
    volatile uint64_t *guard = event_guard(b);
    f->thread = (void *)guard;
    *guard = (uint64_t)f;
}
