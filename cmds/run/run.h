/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.h - for commands that start the program themselves (run.c). */
#ifndef EZ_CMDS_RUN_H
#define EZ_CMDS_RUN_H

#include "engine/ezt.h"

struct ez_sess;

/* Returns how the session starts programs: arguments, environment, directory, terminal. The texts
 * belong to the session. */
struct ez_run run_how(struct ez_sess *s);
/* Ends the live process, if there is one, after asking. EZ_E_STATE: the user refuses. */
ez_err *run_end_process(struct ez_sess *s) EZ_WUR;

#endif
