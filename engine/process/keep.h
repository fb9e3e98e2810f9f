/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keep.h - probes that stay in a process without a shell: the functions that detach and attach
 * call. */
#ifndef EZ_KEEP_H
#define EZ_KEEP_H

#include "engine/base/err.h"

struct ez_target;

/* Interface of keep.c: */
/* `detach -keep`: ez_keep_begin() releases the process with its probes planted; *kept = number of
 * probes. If this is not possible, the shell is attached as before. Call ez_keep_end() after
 * ez_process_forget(): ez_keep_end() removes the probes from the shell's list. */
ez_err *ez_keep_begin(struct ez_target *t, unsigned *kept) EZ_WUR;
void ez_keep_end(struct ez_target *t);

/* Interface of repair.c: */
/* Adopts the probes that an earlier shell left in the process, or removes them if they cannot be
 * adopted. Called at attach, with the target stopped. force: removes the probes, even if the
 * earlier shell still lives. */
ez_err *ez_leftovers(struct ez_target *t, bool force) EZ_WUR;

#endif
