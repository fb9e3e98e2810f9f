/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reports.h - waits for reports of the kernel, and finds the target to which each belongs
 * (reports.c). */
#ifndef EZ_INFERIOR_REPORTS_H
#define EZ_INFERIOR_REPORTS_H

#include "engine/inferior/inferior.h"

/* Makes the descriptors by which target t is woken, and registers t until ez_reports_end(). */
ez_err *ez_reports_begin(struct ez_target *t) EZ_WUR;
void ez_reports_end(struct ez_target *t);
/* Works as pt_wait(), but only for t's reports. tid -1: any thread or child of t. */
ez_err *ez_report(struct ez_target *t, pid_t tid, int flags, int *status, pid_t *got,
                  const char *why) EZ_WUR;
/* Sleeps until the kernel reports, or ms milliseconds passed. */
void ez_wait_report(struct ez_target *t, int ms);

#define REAP_MS 200 /* limit in ms; a thread's death is usually reported within microseconds */
/* Waits for the report of a thread that will stop at once. EZ_E_GONE: the thread died. */
ez_err *ez_wait_thread(struct ez_target *t, pid_t tid, int *status, pid_t *got,
                       const char *why) EZ_WUR;

#endif
