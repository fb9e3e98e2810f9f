/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halt.h - halts: addresses at which all threads stop, if a thread executes or accesses them
 * (halt.c). */
#ifndef EZ_INFERIOR_HALT_H
#define EZ_INFERIOR_HALT_H

#include "engine/inferior/inferior.h"

/* The target must be stopped. ez_halts_want() adds a halt to the list of wanted halts, which
 * ez_halts_none() empties. ez_halts_arm() inserts all wanted halts, and lets threads that have
 * stopped at a halt go on behind it. ez_halts_arm() returns an error, such as EZ_E_LIMIT or
 * EZ_E_PERM, if a halt cannot be inserted. ez_halts_end() removes the halts and the guard that
 * ez_halts_arm() sets; the guard stays while a thread has a pending SIGTRAP. Call ez_halts_forget()
 * when the process or its image is gone. */
void ez_halts_want(struct ez_target *t, const struct ez_halt *h);
void ez_halts_none(struct ez_target *t);
void ez_halts_close(struct ez_target *t); /* Disarms the halts. */
ez_err *ez_halts_arm(struct ez_target *t) EZ_WUR;
void ez_halts_guard(struct ez_target *t);
/* Removes the guard that ez_halts_arm() set. *stood: true if there was a guard. */
ez_err *ez_halts_unguard(struct ez_target *t, bool *stood) EZ_WUR;
ez_err *ez_halts_end(struct ez_target *t) EZ_WUR;
void ez_halts_forget(struct ez_target *t);
/* ez_halts_stopped() disarms the halts, and records that all threads have stopped because thread
 * tid hit a halt. ez_halts_pop() returns this tid once, then 0. */
void ez_halts_stopped(struct ez_target *t, pid_t tid);
/* Sets a function that is called when eztsh stopped the running program for its own work and is
 * about to resume it. The function adds the halts again, because code may have moved and libraries
 * may have been loaded. */
void ez_halts_on_renew(struct ez_target *t, ez_err *(*renew)(struct ez_target *t, void *arg),
                       void *arg);
pid_t ez_halts_pop(struct ez_target *t);
/* ez_halt_count() counts hits of thread tid without stopping the thread. Single steps use it,
 * because their traps hide the traps of halts. ez_halt_counted() returns true if there was a hit,
 * closes *fd and sets *fd to -1. *fd is -1 while nothing is counted. */
ez_err *ez_halt_count(pid_t tid, const struct ez_halt *h, int *fd) EZ_WUR;
bool ez_halt_counted(int *fd);

#endif
