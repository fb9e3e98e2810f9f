/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_switches.h - when threads did not run, as the kernel reports it. */
#ifndef EZ_DRAIN_SWITCHES_H
#define EZ_DRAIN_SWITCHES_H

#include "engine/base/hash.h"
#include "engine/ring/drain_clock.h"
#include "engine/ring/switches.h"

struct drain_switches {
    unsigned want;                   /* EZ_SWITCHES_*; atomic                                */
    struct ez_switches *from;        /* NULL = not recorded                            */
    int errnum;                      /* why they are not recorded; 0 = they are        */
    uint64_t lost;                   /* lost in earlier traces, which are closed       */
    struct ez_hash known;            /* threads whose switches are written             */
    const struct ez_switch *pending; /* read from the kernel, and not written yet      */
    size_t npending;
    bool pressed;                /* there were so many: do not sleep                    */
    struct drain_sample read_at; /* clocks just after `pending` was read              */
};

ez_err *drain_switches_open(struct ez_drain *d) EZ_WUR; /* error: only with EZ_SWITCHES_ON */
void drain_switches_close(struct ez_drain *d);
void drain_switches_read(struct ez_drain *d);               /* call before buffers are read */
void drain_switches_emit(struct ez_drain *d);               /* call after                */
void drain_switches_know(struct ez_drain *d, uint32_t tid); /* tid recorded something    */

#endif
