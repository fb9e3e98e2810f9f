/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_signals.h - signals that the program gets, as events of the trace. */
#ifndef EZ_DRAIN_SIGNALS_H
#define EZ_DRAIN_SIGNALS_H

#include <pthread.h>

#include "engine/base/vec.h"
#include "engine/record/drain.h"

struct drain_signal {
    uint64_t tick;
    uint32_t tid;
    int sig;
    bool held; /* the thread is stopped, and the user can still remove the signal */
};

struct drain_signals {
    pthread_mutex_t lock;
    EZ_VEC(struct drain_signal) come; /* protected by the lock */
    /* signals that the drain thread has read, and not written yet */
    EZ_VEC(struct drain_signal) due;
};

void drain_signals_begin(struct ez_drain *d);
void drain_signals_free(struct ez_drain *d);
/* Drops the signals that came before the trace, except held signals. Call this when a trace opens.
 * Does nothing while the records of an earlier shell are held (life.hold). */
void drain_signals_trace(struct ez_drain *d);
/* Writes the held signals of a thread that ended, before the thread is forgotten. */
void drain_signals_ended(struct ez_drain *d, uint32_t tid);
/* Holds no signal any more: the trace ends, so the next round writes them. */
void drain_signals_close(struct ez_drain *d);
/* Moves the signals in `come` that are not held (if `final`: all signals) to `due`. Call this
 * before buffers are read. */
void drain_signals_move(struct ez_drain *d, bool final);
/* Empties `due`: writes the signals of threads that drain_switches_known() knows to the open trace,
 * except those during a pause. Call this after buffers are read, and before
 * drain_switches_emit(). */
void drain_signals_emit(struct ez_drain *d);

#endif
