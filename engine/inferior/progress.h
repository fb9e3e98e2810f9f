/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h - long work reports its progress, and can be interrupted. See progress.c. */
#ifndef EZ_INFERIOR_PROGRESS_H
#define EZ_INFERIOR_PROGRESS_H

#include "engine/inferior/inferior.h"

void ez_progress_begin(struct ez_target *t);
ez_err *ez_progress_end(struct ez_target *t, ez_err *e) EZ_WUR; /* Returns e unchanged. */
/* Returns true, once, if a SIGINT that is pending for the target has interrupted eztsh's work. */
bool ez_progress_pop_int(struct ez_target *t);
ez_err *ez_progress_step(struct ez_target *t, const char *what, uint64_t done,
                         uint64_t total) EZ_WUR;

#endif
