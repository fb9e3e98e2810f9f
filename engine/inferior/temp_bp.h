/* SPDX-License-Identifier: GPL-3.0-or-later */
/* temp_bp.h - the temporary breakpoint of `start`. See temp_bp.c. */
#ifndef EZ_INFERIOR_TEMP_BP_H
#define EZ_INFERIOR_TEMP_BP_H

#include "engine/inferior/inferior.h"

ez_err *ez_temp_bp_set(struct ez_target *t, uint64_t addr) EZ_WUR;
ez_err *ez_temp_bp_clear(struct ez_target *t) EZ_WUR;
/* Removes the guard of a cleared breakpoint. The target must be stopped. */
ez_err *ez_temp_bp_unguard(struct ez_target *t) EZ_WUR;
void ez_temp_bp_forget(struct ez_target *t); /* Call when the process or its image is gone. */
/* Call it before threads resume: a thread with an unreported hit is set back, so that it hits the
 * breakpoint again. */
void ez_temp_bp_again(struct ez_target *t);
/* Returns the pc that a thread has after it hit the breakpoint. */
uint64_t ez_temp_bp_pc(const struct ez_target *t);
ez_err *ez_stop_at_main(struct ez_target *t) EZ_WUR;
/* Sets whether ez_stop_at_main() is called once the libraries are loaded. */
void ez_stop_at_main_later(struct ez_target *t, bool stop);
/* `set stop-at-exec`: sets whether ez_stop_ready() is called once the new program's libraries are
 * loaded. */
void ez_stop_ready_later(struct ez_target *t, bool stop);
/* Posts the event that the target has stopped with its libraries loaded. */
ez_err *ez_stop_ready(struct ez_target *t) EZ_WUR;

#endif
