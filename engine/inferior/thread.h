/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thread.h - finds the target's threads, reads and writes their registers. */
#ifndef EZ_INFERIOR_THREAD_H
#define EZ_INFERIOR_THREAD_H

#include "engine/inferior/inferior.h"

/* Both return EZ_E_STATE if there is no process; ez_need_stopped() also if the process is not
 * stopped. */
ez_err *ez_need_process(struct ez_target *t) EZ_WUR;
ez_err *ez_need_stopped(struct ez_target *t) EZ_WUR;
/* Like ez_need_stopped(), but a core file will do, too. */
ez_err *ez_need_readable(struct ez_target *t) EZ_WUR;
struct ez_thread *ez_thread_find(struct ez_target *t, pid_t tid);
struct ez_thread *ez_thread_current(struct ez_target *t);
void ez_thread_select(struct ez_target *t, pid_t tid); /* Makes the thread the current thread. */
/* Returns the tid of a thread whose /proc files show what all threads share (memory, descriptors):
 * the main thread, or another thread if the main thread has ended (pthread_exit in main), because
 * its files are empty then. */
pid_t ez_live_tid(struct ez_target *t);
ez_err *ez_thread_regs(struct ez_thread *th, struct ez_regs **regs) EZ_WUR;
/* Copies the floating point and vector registers. *n: in, the size of buf; out, the number of
 * bytes. */
ez_err *ez_thread_extended(struct ez_target *t, const struct ez_thread *th, void *buf,
                           size_t *n) EZ_WUR;
ez_err *ez_thread_set_regs(struct ez_thread *th, const struct ez_regs *regs) EZ_WUR;
struct ez_thread *ez_thread_add(struct ez_target *t, pid_t tid);
void ez_thread_remove(struct ez_target *t, pid_t tid);
void ez_threads_clear(struct ez_target *t);

/* thread_stop.c: ez_thread_consume_trap() lets the pending SIGTRAP be reported of a thread that hit
 * a breakpoint of eztsh but was stopped before the SIGTRAP arrived. That is necessary before the
 * code at the thread's pc is changed. ez_traps_settle() does it for all threads whose pc is behind
 * a probe's trap. */
ez_err *ez_thread_consume_trap(struct ez_target *t, struct ez_thread *th) EZ_WUR;
ez_err *ez_traps_settle(struct ez_target *t) EZ_WUR;

#endif
