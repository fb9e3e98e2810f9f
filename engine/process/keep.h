/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keep.h - probes that stay in a process without a shell: the functions for detaching and
 * attaching. */
#ifndef EZ_KEEP_H
#define EZ_KEEP_H

#include "engine/base/err.h"

struct ez_target;

/* keep.c */
/* `detach -keep`: ez_keep_begin() detaches the shell, and the probes stay active; *kept = their
 * number. An error changes nothing. ez_keep_end() is called once the process is forgotten. */
ez_err *ez_keep_begin(struct ez_target *t, unsigned *kept) EZ_WUR;
void ez_keep_end(struct ez_target *t);

/* repair.c */
/* Adopts, or removes, the probes that an earlier shell left, at attach. `force`: removes them,
 * even if that shell lives. World stopped. */
ez_err *ez_leftovers(struct ez_target *t, bool force) EZ_WUR;

#endif
