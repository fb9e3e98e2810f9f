/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halt.h - halts. See halt.c. */
#ifndef EZ_INFERIOR_HALT_H
#define EZ_INFERIOR_HALT_H

#include "engine/inferior/inferior.h"

/* World stopped. ez_halts_arm opens all that are wanted; threads that a halt stopped pass
 * it. EZ_E_LIMIT: the processor has not as many; EZ_E_PERM. ez_halts_end also takes the guard down,
 * which ez_halts_arm sets. ez_halts_forget: the process is gone, or its image. */
void ez_halts_want(struct ez_target *t, const struct ez_halt *h);
void ez_halts_none(struct ez_target *t);
void ez_halts_close(struct ez_target *t); /* not armed any more */
ez_err *ez_halts_arm(struct ez_target *t) EZ_WUR;
void ez_halts_guard(struct ez_target *t);
/* Takes that guard down; true = it stood. */
ez_err *ez_halts_unguard(struct ez_target *t, bool *stood) EZ_WUR;
ez_err *ez_halts_end(struct ez_target *t) EZ_WUR;
void ez_halts_forget(struct ez_target *t);
/* All have stopped because thread tid hit one: they are not armed any more. ez_halts_pop: that thread,
 * once; 0 = there is none. */
void ez_halts_stopped(struct ez_target *t, pid_t tid);
/* What is called when the program, which runs for the user, was stopped unasked and is about to go on: code may
 * have moved, and libraries come. */
void ez_halts_on_renew(struct ez_target *t, ez_err *(*renew)(struct ez_target *t, void *arg),
                       void *arg);
pid_t ez_halts_pop(struct ez_target *t);
/* Count hits of thread tid, which do not stop it: for single steps, whose traps hide those of halts. ez_halt_counted:
 * was there one? That ends it; *fd -1 = it does not count. */
ez_err *ez_halt_count(pid_t tid, const struct ez_halt *h, int *fd) EZ_WUR;
bool ez_halt_counted(int *fd);

#endif
