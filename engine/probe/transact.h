/* SPDX-License-Identifier: GPL-3.0-or-later */
/* transact.h - `begin`, `commit`, `rollback`. See transact.c. */
#ifndef EZ_PROBE_TRANSACT_H
#define EZ_PROBE_TRANSACT_H

#include "engine/probe/probe.h"

ez_err *ez_hand_none(const struct ez_target *t) EZ_WUR; /* EZ_E_STATE: one is planted by hand */
ez_err *ez_hand_leave(struct ez_target *t) EZ_WUR; /* undo its steps; the transaction stays open */
void ez_hand_ended(struct ez_target *t);           /* the process did                            */
void ez_hold(struct ez_target *t, size_t from);    /* probes from that index on */

#endif
