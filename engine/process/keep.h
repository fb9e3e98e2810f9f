/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keep.h - probes that stay in a process without a shell: the functions for detaching and
 * attaching. */
#ifndef EZ_KEEP_H
#define EZ_KEEP_H

#include "engine/base/err.h"

struct ez_target;

/* keep.c */
/* `detach -keep`: ez_keep_begin() detaches the shell, and the probes stay planted; *kept = number
 * of probes. After an error the shell is attached as before. Call ez_keep_end() after
 * ez_process_forget(): it drops the probes from the list. */
ez_err *ez_keep_begin(struct ez_target *t, unsigned *kept) EZ_WUR;
void ez_keep_end(struct ez_target *t);

/* repair.c */
/* Adopts the probes that an earlier shell left in the process, or removes them if they cannot be
 * adopted. Called at attach, with the target stopped. force: removes them, even if that shell still
 * lives. */
ez_err *ez_leftovers(struct ez_target *t, bool force) EZ_WUR;

#endif
