/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cost.h - what a probe costs per call on this machine.
 *
 * Measured by an eztsh of its own on a program of its own (engine/check/cost/), so that neither
 * the session's target nor its probes or trace know of it. Takes about half a second.
 * Errors: EZ_E_SYS (a program is missing), EZ_E_TIMEOUT, EZ_E_STATE (no figures came).
 * Tests: tests/procs/cost.sh */
#ifndef EZ_COST_H
#define EZ_COST_H

#include "engine/ezt.h"

enum ez_cost_of {
    EZ_COST_BARE,         /* a call without a probe                                  */
    EZ_COST_COUNT_ENTRY,  /* the entry is counted                                    */
    EZ_COST_COUNT_BOTH,   /* entry and exit are, by call-through                     */
    EZ_COST_COUNT_SLOTS,  /* the same by a paired return slot                        */
    EZ_COST_RECORD_ENTRY, /* and written to the ring, with a stamp                  */
    EZ_COST_RECORD_BOTH,
    EZ_COST_RECORD_SLOTS,
    EZ_COST_STAMP, /* one reading of the time stamp counter and a bare call          */
    EZ_COST_BOUND, /* two readings and two records of 16 bytes: the physical bound   */
    EZ_COST_N
};

struct ez_cost {
    double ns[EZ_COST_N]; /* median, of a call                                       */
    const char *stamp;    /* the instruction that reads the counter                   */
    bool mono;            /* records were stamped by CLOCK_MONOTONIC                  */
};

/* With the clock that the settings choose. */
ez_err *ez_cost(const struct ez_settings *set, struct ez_cost *out) EZ_WUR;

#endif
