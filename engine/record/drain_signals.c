/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_signals.c - writes the signals that the program gets into the trace.
 *
 * ptrace stops a thread before it gets a signal, so the shell sees each signal except SIGKILL,
 * without extra cost to the program. The main thread stores the signal, and the drain thread writes
 * it after the records of the rings, like the kernel's events (drain_switches.c), and only for
 * threads that recorded something. The tick is read under the lock, so a signal that a round does
 * not find is later than the begin of the round, and later than the round's epoch.
 *
 * A signal at which the program stops for the user is held until the program continues, because the
 * user can remove the signal. Its tick is the time at which the thread gets it. If the trace or the
 * process ends during the stop, the signal is written with the tick of the stop, so the trace
 * contains the signal of a program that crashed.
 *
 * Tests: tests/procs/record.sh */
#include "engine/record/drain_priv.h"

void drain_signals_begin(struct ez_drain *d)
{
    pthread_mutex_init(&d->signals.lock, NULL);
}

void drain_signals_free(struct ez_drain *d)
{
    EZ_VEC_FREE(&d->signals.come);
    EZ_VEC_FREE(&d->signals.due);
    pthread_mutex_destroy(&d->signals.lock);
}

void ez_drain_signal(struct ez_drain *d, pid_t tid, int sig, bool held)
{
    pthread_mutex_lock(&d->signals.lock);
    struct drain_signal s = { drain_tick(d), (uint32_t)tid, sig, held };
    EZ_PUSH(&d->signals.come, s);
    pthread_mutex_unlock(&d->signals.lock);
}

void ez_drain_signal_drop(struct ez_drain *d, pid_t tid)
{
    size_t kept = 0;
    pthread_mutex_lock(&d->signals.lock);
    for (size_t i = 0; i < d->signals.come.n; i++) {
        struct drain_signal s = d->signals.come.at[i];
        if (!s.held || s.tid != (uint32_t)tid)
            d->signals.come.at[kept++] = s;
    }
    d->signals.come.n = kept;
    pthread_mutex_unlock(&d->signals.lock);
}

void ez_drain_signals_go(struct ez_drain *d)
{
    pthread_mutex_lock(&d->signals.lock);
    for (size_t i = 0; i < d->signals.come.n; i++) {
        struct drain_signal *s = &d->signals.come.at[i];
        s->tick = s->held ? drain_tick(d) : s->tick;
        s->held = false;
    }
    pthread_mutex_unlock(&d->signals.lock);
}

void drain_signals_close(struct ez_drain *d)
{
    pthread_mutex_lock(&d->signals.lock);
    for (size_t i = 0; i < d->signals.come.n; i++)
        d->signals.come.at[i].held = false;
    pthread_mutex_unlock(&d->signals.lock);
}

void drain_signals_trace(struct ez_drain *d)
{
    size_t held = 0;
    if (d->life.hold)
        return;
    pthread_mutex_lock(&d->signals.lock);
    for (size_t i = 0; i < d->signals.come.n; i++)
        if (d->signals.come.at[i].held)
            d->signals.come.at[held++] = d->signals.come.at[i];
    d->signals.come.n = held;
    pthread_mutex_unlock(&d->signals.lock);
}

/* Moves signals from `come` to `due`: with `free`, those that are not held; with `held`, the held
 * signals of thread tid, or of all threads if tid is 0. */
static void signals_move(struct ez_drain *d, bool free, bool held, uint32_t tid)
{
    size_t left = 0;
    pthread_mutex_lock(&d->signals.lock);
    for (size_t i = 0; i < d->signals.come.n; i++) {
        struct drain_signal s = d->signals.come.at[i];
        if (s.held ? held && (!tid || s.tid == tid) : free)
            EZ_PUSH(&d->signals.due, s);
        else
            d->signals.come.at[left++] = s;
    }
    d->signals.come.n = left;
    pthread_mutex_unlock(&d->signals.lock);
}

void drain_signals_move(struct ez_drain *d, bool final)
{
    if (!d->life.hold) /* otherwise no trace is open yet for records that an earlier shell left */
        signals_move(d, true, final, 0);
}

void drain_signals_emit(struct ez_drain *d)
{
    for (size_t i = 0; i < d->signals.due.n; i++) {
        const struct drain_signal *s = &d->signals.due.at[i];
        const uint64_t word[] = { s->tick, s->tid, (uint64_t)(EZ_C_THREAD + EZ_T_SIGNAL) << 8 | 2,
                                  (uint64_t)s->sig };
        if (d->file.out && !d->foreign_tids && drain_switches_known(d, s->tid) &&
            !drain_paused_at(d, s->tick))
            drain_file_append(d, word, EZ_ARRAY_LEN(word));
    }
    d->signals.due.n = 0;
}

void drain_signals_ended(struct ez_drain *d, uint32_t tid)
{
    signals_move(d, false, true, tid);
    drain_signals_emit(d);
}
