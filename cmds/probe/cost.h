/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cost.h - the cost of probes on this machine (info_cost.c). */
#ifndef EZ_CMDS_COST_H
#define EZ_CMDS_COST_H

#include "cmds/cmd.h"
#include "engine/check/cost.h"

/* Measures the cost on this machine. SIGINT ends the measurement (EZ_E_QUIT). */
ez_err *cost_measure(struct ez_sess *s, struct ez_cost *out) EZ_WUR;

#endif
