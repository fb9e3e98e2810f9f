/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.h - the FxT stream of the process (trace.c). */
#ifndef EZ_TRACE_H
#define EZ_TRACE_H

#include "engine/base/vec.h"
#include "engine/ezt.h"
#include "engine/ring/drain.h"

struct ez_target;

struct ez_tracing {
    struct ez_drain *drain;
    uint64_t keep; /* bytes that the flight recorder was asked to keep of each lane */
    bool wanted;   /* `trace FILE` was given before there was a process */
    char *path;
    bool loss_told, switches_told, auto_done;
    struct ez_drain_stat last_stat; /* of the process that ended               */
    bool have_last_stat;
    EZ_VEC(struct ez_live_event) last_events; /* the newest of the process that ended       */
    uint64_t last_events_end;                 /* the number after them                      */
    bool mono;                                /* events are stamped by CLOCK_MONOTONIC (clock.h) */
    uint64_t vdso_clock;
    int64_t clock_add;
};

bool ez_trace_auto_begin(struct ez_target *t);       /* first recording probe goes live */
void ez_trace_auto_end(struct ez_target *t);         /* wait until that trace is open */
ez_err *ez_trace_opened(struct ez_target *t) EZ_WUR; /* runtime is up: open the wanted trace */
void ez_trace_free(struct ez_target *t);
void ez_trace_process_begins(struct ez_target *t);
void ez_trace_process_ended(struct ez_target *t);
void ez_trace_told(struct ez_target *t); /* the user knows the last trace's ledger: forget it */
/* The drain of the process: made at once, or begun, which ez_drain_finish() ends. */
ez_err *ez_trace_drain_create(struct ez_target *t, const struct ez_drain_cfg *cfg) EZ_WUR;
ez_err *ez_trace_drain_begin(struct ez_target *t, const struct ez_drain_cfg *cfg) EZ_WUR;
/* The rings are unmapped next. `leave`: they stay for another shell, ez_drain_leave(open). */
void ez_trace_drain_end(struct ez_target *t, bool leave, bool open);
/* A signal comes to the target: write a snapshot, if `set snapshot-on` says so, and tell. */
void ez_trace_signal(struct ez_target *t, int sig);
void ez_trace_report_loss(struct ez_target *t);

#endif
