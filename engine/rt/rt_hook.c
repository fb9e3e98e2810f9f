/* SPDX-License-Identifier: MIT */
/* rt_hook.c - what the runtime does at two functions that are not the user's: the
 * loader's rendezvous, and the unwinder's look-up (rules: rt.c).
 *
 * Tests: tests/procs/libs.sh, tests/fault/check_exits.sh, check_stacks.sh */
#include "engine/rt/rt_priv.h"

#define LOADER_WAIT 10000 /* ms that a dlopen waits for the shell at most       */

/* ---- the loader's rendezvous --------------------------------------------------------------- */

/* The list of libraries changed. Tell the shell and, when it asked for that, wait
 * until it has planted what was pending. A dead or stuck shell is not waited for. */
HIDDEN void ez_loader(uint64_t *unused, const struct ez_stub_data *s)
{
    struct ez_hdr *h = rt_state.hdr;
    (void)unused;
    (void)s;
    if (!proc()->alive)
        return;
    uint32_t mine = __atomic_add_fetch(&h->loader_seq, 1, __ATOMIC_ACQ_REL);
    wake_drain();
    if (h->no_syscalls)
        return;
    uint64_t seen = h->progress, since = now_ms(), begin = since;
    while (h->loader_wait && (int32_t)(h->loader_ack - mine) < 0 && !shell_dead() &&
           now_ms() - begin < LOADER_WAIT) {
        nap(&h->loader_ack, h->loader_ack);
        if (h->progress != seen) {
            seen = h->progress;
            since = now_ms();
        } else if (now_ms() - since > PATIENCE_MS) {
            return;
        }
    }
}

/* ---- the unwinder's look-up -------------------------------------------------------------------- */

/* Tables that this unwinder has not been told yet; each is told once, whatever
 * interrupts. */
static void tell(struct rt_unwinder *u)
{
    void (*fn)(uint64_t, void *) = (void (*)(uint64_t, void *))u->fn;
    if (!u->told)
        fn(rt_state.eh_frame, u->object[u->told++]);
    while (u->told <= rt_state.nkits) {
        uint32_t i = u->told++;
        fn(rt_state.kit[i - 1], u->object[i]);
    }
}

/* Somebody throws, or asks for a backtrace: before libgcc searches its tables, ours
 * are registered with it. Here, and not by a call injected from outside, because here
 * the library is relocated and this thread does not hold its lock. */
HIDDEN void ez_unwind(uint64_t *unused, const struct ez_stub_data *s)
{
    struct rt_unwinder *u = &rt_state.unwinder[s->cnt];
    uint32_t fresh = RT_UNWIND_IDLE;
    (void)unused;
    if (u->told > rt_state.nkits && u->state == RT_UNWIND_IDLE)
        return;
    if (__atomic_compare_exchange_n(&u->state, &fresh, RT_UNWIND_BUSY, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED)) {
        tell(u);
        __atomic_store_n(&u->state, RT_UNWIND_IDLE, __ATOMIC_RELEASE);
        return;
    }
    /* another thread is at it; bounded, for a handler may have interrupted that very one */
    for (int i = 0;
         i < 20 && u->state != RT_UNWIND_IDLE && proc()->alive && !rt_state.hdr->no_syscalls; i++)
        nap(&u->state, RT_UNWIND_BUSY);
}
