/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halt.h - halts: addresses at which all threads stop. See halt.c. */
#ifndef EZ_INFERIOR_HALT_H
#define EZ_INFERIOR_HALT_H

#include "engine/inferior/inferior.h"

/* The target must be stopped. ez_halts_want() adds a halt. ez_halts_arm() makes all of these
 * effective, and lets threads that have stopped at a halt pass it. It returns EZ_E_LIMIT if the
 * processor has too few breakpoints, or EZ_E_PERM. ez_halts_end() also removes the guard that
 * ez_halts_arm() sets. ez_halts_forget(): the process or its image is gone. */
void ez_halts_want(struct ez_target *t, const struct ez_halt *h);
void ez_halts_none(struct ez_target *t);
void ez_halts_close(struct ez_target *t); /* Disarms the halts. */
ez_err *ez_halts_arm(struct ez_target *t) EZ_WUR;
void ez_halts_guard(struct ez_target *t);
/* Removes the guard that ez_halts_arm() set. *stood: there was one. */
ez_err *ez_halts_unguard(struct ez_target *t, bool *stood) EZ_WUR;
ez_err *ez_halts_end(struct ez_target *t) EZ_WUR;
void ez_halts_forget(struct ez_target *t);
/* ez_halts_stopped() notes that all threads have stopped because thread tid hit a halt: the halts
 * are not armed any more. ez_halts_pop() returns that thread once, or 0. */
void ez_halts_stopped(struct ez_target *t, pid_t tid);
/* Sets a function to call when the program, which runs for the user, was stopped without the user's
 * request and is about to go on. The function adds the halts again, because code may have moved and
 * libraries may have been loaded. */
void ez_halts_on_renew(struct ez_target *t, ez_err *(*renew)(struct ez_target *t, void *arg),
                       void *arg);
pid_t ez_halts_pop(struct ez_target *t);
/* Counts hits of thread tid without stopping it: for single steps, whose traps hide the traps of
 * halts. ez_halt_counted() returns true if there was a hit, and ends the count; *fd is -1 if
 * nothing counts. */
ez_err *ez_halt_count(pid_t tid, const struct ez_halt *h, int *fd) EZ_WUR;
bool ez_halt_counted(int *fd);

#endif
