/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reports.h - waits for reports of the kernel, and finds the target that one belongs to. See
 * reports.c. */
#ifndef EZ_INFERIOR_REPORTS_H
#define EZ_INFERIOR_REPORTS_H

#include "engine/inferior/inferior.h"

/* Makes the descriptors that wake t, and registers t until ez_reports_end(). */
ez_err *ez_reports_begin(struct ez_target *t) EZ_WUR;
void ez_reports_end(struct ez_target *t);
/* Works as pt_wait(), but only for t's reports. tid -1: any of its threads and of its children. */
ez_err *ez_report(struct ez_target *t, pid_t tid, int flags, int *status, pid_t *got,
                  const char *why) EZ_WUR;
/* Sleeps until the kernel reports, or ms milliseconds passed. */
void ez_wait_report(struct ez_target *t, int ms);

#define REAP_MS 200 /* a dying thread is reported in microseconds */
/* Waits for the report of a thread that will stop at once. EZ_E_GONE: the thread died. */
ez_err *ez_wait_thread(struct ez_target *t, pid_t tid, int *status, pid_t *got,
                       const char *why) EZ_WUR;

#endif
