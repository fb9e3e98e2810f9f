/* SPDX-License-Identifier: GPL-3.0-or-later */
/* transact.h - `begin`, `commit`, `rollback`. See transact.c. */
#ifndef EZ_PROBE_TRANSACT_H
#define EZ_PROBE_TRANSACT_H

#include "engine/probe/probe.h"

/* Returns EZ_E_STATE if a probe is being planted by hand. */
ez_err *ez_hand_none(const struct ez_target *t) EZ_WUR;
/* Undoes the steps that were made to plant a probe by hand. The transaction stays open. */
ez_err *ez_hand_leave(struct ez_target *t) EZ_WUR;
void ez_hand_ended(struct ez_target *t); /* Call when the process ended. */
/* Adds the probes with index >= from to the transaction. */
void ez_hold(struct ez_target *t, size_t from);

#endif
