/* SPDX-License-Identifier: GPL-3.0-or-later */
/* temp_bp.h - the temporary breakpoint of `start`. See temp_bp.c. */
#ifndef EZ_INFERIOR_TEMP_BP_H
#define EZ_INFERIOR_TEMP_BP_H

#include "engine/inferior/inferior.h"

ez_err *ez_temp_bp_set(struct ez_target *t, uint64_t addr) EZ_WUR;
ez_err *ez_temp_bp_clear(struct ez_target *t) EZ_WUR;
ez_err *
ez_temp_bp_unguard(struct ez_target *t) EZ_WUR; /* Removes the guard of a cleared breakpoint. The
                                                 * target must be stopped. */
void ez_temp_bp_forget(struct ez_target *t);    /* Call when the process or its image is gone. */
/* Call when the process goes on: hits that were not reported must occur again. */
void ez_temp_bp_again(struct ez_target *t);
/* Returns the pc of a thread that hit the breakpoint. */
uint64_t ez_temp_bp_pc(const struct ez_target *t);
ez_err *ez_stop_at_main(struct ez_target *t) EZ_WUR;
/* Sets whether to stop at main once the libraries are loaded. */
void ez_stop_at_main_later(struct ez_target *t, bool stop);
/* `set stop-at-exec`: sets whether to stop once the new program is ready to run. */
void ez_stop_ready_later(struct ez_target *t, bool stop);
/* Reports that the stopped target is ready. */
ez_err *ez_stop_ready(struct ez_target *t) EZ_WUR;

#endif
