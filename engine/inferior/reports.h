/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reports.h - waits for reports of the kernel, and finds the target to which each belongs
 * (reports.c). */
#ifndef EZ_INFERIOR_REPORTS_H
#define EZ_INFERIOR_REPORTS_H

#include "engine/inferior/inferior.h"

/* Blocks SIGCHLD, creates the descriptors on which target t sleeps (signalfd, eventfd), and adds t
 * to the list of targets until ez_reports_end(). */
ez_err *ez_reports_begin(struct ez_target *t) EZ_WUR;
void ez_reports_end(struct ez_target *t);
/* Works like pt_wait(), but returns only reports of t's threads. tid -1: any thread or child of
 * t. */
ez_err *ez_report(struct ez_target *t, pid_t tid, int flags, int *status, pid_t *got,
                  const char *why) EZ_WUR;
/* Sleeps until a SIGCHLD arrives, or until ms milliseconds have passed. After a SIGCHLD, also wakes
 * the other targets. */
void ez_wait_report(struct ez_target *t, int ms);

#define REAP_MS 200 /* time limit for the report of a dead thread, which usually takes some us */
/* Waits for the report of a thread that will stop at once. EZ_E_GONE: the thread died. */
ez_err *ez_wait_thread(struct ez_target *t, pid_t tid, int *status, pid_t *got,
                       const char *why) EZ_WUR;

#endif
