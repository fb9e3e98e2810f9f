/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_switches.c - writes events that come from the kernel (switches.h), not from the rings:
 * switches of threads (when a thread did not run), and the names of threads.
 *
 * Only threads that recorded something get such events. The kernel's records are read before the
 * rings, and written after the rings' records. So each thread that recorded something before it was
 * switched out is known when its switch is written.
 *
 * Tests: tests/procs/switches.sh */
#include <errno.h>
#include <string.h>

#include "engine/record/drain_priv.h"

#define WORDS 4096 /* event words for one write */

void ez_drain_want_switches(struct ez_drain *d, unsigned how)
{
    __atomic_store_n(&d->switches.want, how, __ATOMIC_RELAXED);
}

ez_err *drain_switches_open(struct ez_drain *d)
{
    d->switches.errnum = 0;
    if (__atomic_load_n(&d->switches.want, __ATOMIC_RELAXED) == EZ_SWITCHES_OFF)
        return NULL;
    int e = d->foreign_tids ? EXDEV : ez_switches_open(d->cfg.pid, &d->switches.from);
    d->switches.errnum = e;
    if (!e || d->switches.want != EZ_SWITCHES_ON)
        return NULL;
    return ez_err_hint(ez_err_new(EZ_E_SYS, e,
                                  "The kernel does not report when threads of process %d run",
                                  d->cfg.pid),
                       "\"set trace-switches auto\" traces without this information");
}

void drain_switches_close(struct ez_drain *d)
{
    if (d->switches.from)
        d->switches.lost += ez_switches_lost(d->switches.from);
    ez_switches_close(d->switches.from);
    d->switches.from = NULL;
    d->switches.pending = NULL;
    d->switches.npending = 0;
    ez_hash_free(&d->switches.known);
}

void drain_switches_read(struct ez_drain *d)
{
    d->switches.pressed = false;
    if (!d->switches.from)
        return;
    d->switches.npending = ez_switches_read(d->switches.from, &d->switches.pending);
    d->switches.read_at = drain_sample(d->cfg.mono);
    d->switches.pressed = ez_switches_pressed(d->switches.from);
}

/* Converts a time of the kernel (CLOCK_MONOTONIC, ns) to a tick. The conversion starts from a
 * sample that was taken just before, so an inexact rate of the counter causes little error. */
static uint64_t drain_tick_of(const struct ez_drain *d, uint64_t ns)
{
    const struct drain_sample *s = &d->switches.read_at;
    if (d->cfg.mono || ns >= s->mono_ns)
        return d->cfg.mono ? ns : s->tick;
    return s->tick - (uint64_t)((double)(s->mono_ns - ns) / d->clock.ns_per_tick);
}

/* Stores the tick at which the thread ended according to the kernel. drain_thread_over() ends the
 * thread's open calls at that tick at the latest. */
static void drain_thread_ended(struct ez_drain *d, uint32_t tid, uint64_t tick)
{
    for (uint32_t i = 1; i < d->buffers.ready; i++)
        if (d->buffers.at[i].owner == tid)
            d->buffers.at[i].ended = tick;
}

/* Returns true if the switch is of a thread that has recorded something and has not ended. If the
 * switch is the end of a thread, removes the tid, because a new thread may get the same tid
 * later. */
static bool drain_is_ours(struct ez_drain *d, const struct ez_switch *w)
{
    size_t n;
    if (w->kind == EZ_SWITCH_ENDED)
        drain_signals_ended(d, w->tid);
    if (w->kind == EZ_SWITCH_ENDED && ez_hash_remove(&d->switches.known, w->tid, &n))
        drain_thread_ended(d, w->tid, drain_tick_of(d, w->ns));
    return ez_hash_get(&d->switches.known, w->tid, &n);
}

void drain_switches_know(struct ez_drain *d, uint32_t tid)
{
    if (d->switches.from || d->file.out)
        ez_hash_put(&d->switches.known, tid, 0);
}

bool drain_switches_known(const struct ez_drain *d, uint32_t tid)
{
    size_t n;
    return ez_hash_get(&d->switches.known, tid, &n);
}

static void drain_write_out(struct ez_drain *d, const uint64_t *word, size_t *n)
{
    if (*n)
        drain_file_append(d, word, *n);
    *n = 0;
}

void drain_switches_emit(struct ez_drain *d)
{
    uint64_t word[WORDS];
    size_t n = 0;
    for (const struct ez_switch *w = d->switches.pending;
         w < d->switches.pending + d->switches.npending; w++) {
        if (!drain_is_ours(d, w))
            continue;
        if (w->kind == EZ_SWITCH_NAME) {
            drain_file_name(d, w->tid, w->name);
            continue;
        }
        bool in = w->kind == EZ_SWITCH_IN;
        uint64_t code = EZ_C_THREAD + (in ? EZ_T_SWITCH_IN : EZ_T_SWITCH_OUT);
        word[n++] = drain_tick_of(d, w->ns);
        word[n++] = w->tid;
        word[n++] = code << 8 | (in ? 1 : 2);
        if (!in)
            word[n++] = w->kind == EZ_SWITCH_PREEMPTED;
        if (n + 4 > WORDS)
            drain_write_out(d, word, &n);
    }
    drain_write_out(d, word, &n);
    d->switches.npending = 0;
}
