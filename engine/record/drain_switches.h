/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_switches.h - times when threads did not run, as the kernel reports them. */
#ifndef EZ_DRAIN_SWITCHES_H
#define EZ_DRAIN_SWITCHES_H

#include "engine/base/hash.h"
#include "engine/record/drain_clock.h"
#include "engine/record/switches.h"

struct drain_switches {
    unsigned want;            /* EZ_SWITCHES_*; atomic */
    struct ez_switches *from; /* NULL: not recorded */
    int errnum;               /* reason why switches are not recorded; 0: switches are recorded */
    uint64_t lost;            /* number of switches lost in earlier traces */
    struct ez_hash known;     /* tids of threads whose switches and signals are written */
    const struct ez_switch *pending; /* switches read from the kernel, and not written yet */
    size_t npending;
    bool pressed; /* the kernel's rings were half full: the drain thread must not sleep */
    struct drain_sample read_at; /* clocks just after `pending` was read */
};

ez_err *drain_switches_open(struct ez_drain *d) EZ_WUR; /* Fails only with EZ_SWITCHES_ON. */
void drain_switches_close(struct ez_drain *d);
/* Reads the kernel's switches. Call this before buffers are read. */
void drain_switches_read(struct ez_drain *d);
/* Writes the switches, and the names, of threads for which drain_is_ours() is true. Call this after
 * buffers are read. */
void drain_switches_emit(struct ez_drain *d);
/* Until the thread or the trace ends, its switches and signals are written, because the thread
 * recorded something. Without a trace does nothing. drain_switches_known() returns true for such a
 * thread. */
void drain_switches_know(struct ez_drain *d, uint32_t tid);
bool drain_switches_known(const struct ez_drain *d, uint32_t tid);

#endif
