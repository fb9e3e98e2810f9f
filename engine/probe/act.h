/* SPDX-License-Identifier: GPL-3.0-or-later */
/* act.h - actions of probes: what a probe does at a hit besides recording it (`do ACTION`). See
 * act.c. */
#ifndef EZ_PROBE_ACT_H
#define EZ_PROBE_ACT_H

#include "engine/probe/probe.h"

/* Parses an action (the text after `do`). text NULL or empty: no action. EZ_E_ARG: not an
 * action. */
ez_err *ez_act_parse(const char *text, struct ez_act *out) EZ_WUR;
/* Writes p's gate to the shared header, and prepares the runtime for p's action. Pauses the trace
 * the first time, if p's action is `trace start`. Call it when p joins its site. The runtime must
 * be up. */
void ez_act_planted(struct ez_target *t, struct ez_probe *p);
bool ez_gate_is_shut(const struct ez_target *t, const struct ez_probe *p);
void ez_gate_set(struct ez_target *t, struct ez_probe *p, bool open);
/* Handles the requests that actions made in the target. `do stop`: stops the target, and posts
 * EZ_EV_STOPPED. `do snapshot`: writes a snapshot. */
ez_err *ez_acts_seen(struct ez_target *t) EZ_WUR;
/* Wakes the thread that waits in the runtime at a `do stop`; call it when the target is resumed. */
void ez_held_go(struct ez_target *t);
/* Wakes a thread that waits at a `do stop`, and makes later `do stop` actions ineffective. */
void ez_held_no_more(struct ez_target *t);
/* Returns the program's registers in thread tid if tid waits at a `do stop` and its registers could
 * be read, otherwise NULL. */
const struct ez_regs *ez_held_regs(const struct ez_target *t, pid_t tid);
void ez_acts_process_ended(struct ez_target *t);

#endif
