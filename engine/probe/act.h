/* SPDX-License-Identifier: GPL-3.0-or-later */
/* act.h - what probes do with a hit besides recording it (`do ACTION`). See act.c. */
#ifndef EZ_PROBE_ACT_H
#define EZ_PROBE_ACT_H

#include "engine/probe/probe.h"

/* What a probe does besides recording. EZ_E_ARG; text NULL = nothing. */
ez_err *ez_act_parse(const char *text, struct ez_act *out) EZ_WUR;
void ez_act_request(const struct ez_target *t, const struct ez_probe *p,
                    struct ez_request *request);
void ez_act_planted(struct ez_target *t, struct ez_probe *p); /* p joins its site; stopped */
bool ez_gate_is_shut(const struct ez_target *t, const struct ez_probe *p);
void ez_gate_set(struct ez_target *t, struct ez_probe *p, bool open);
/* The target asks for something: a thread holds (the world is stopped, EZ_EV_STOPPED), a snapshot. */
ez_err *ez_acts_seen(struct ez_target *t) EZ_WUR;
void ez_held_go(struct ez_target *t);      /* the thread at whose stop the world stands goes on */
void ez_held_no_more(struct ez_target *t); /* no thread holds from here on */
/* The registers of the program in that thread, NULL = it is another one's. */
const struct ez_regs *ez_held_regs(const struct ez_target *t, pid_t tid);
void ez_acts_process_ended(struct ez_target *t);

#endif
