/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.h - the FxT stream of the process (trace.c), and its newest events (live.c). */
#ifndef EZ_TRACE_H
#define EZ_TRACE_H

#include "engine/base/hash.h"
#include "engine/base/vec.h"
#include "engine/ezt.h"
#include "engine/ring/drain.h"
#include "engine/ring/items.h"

struct ez_target;

struct ez_lines { /* lines.c */
    EZ_VEC(struct ez_line_format {
        char *format; /* without quotes                                                  */
        bool parsed;  /* items is what it will be                                        */
        struct ez_items items;
    })
    format;
    struct ez_hash by_id;       /* -> format                                              */
    struct ez_drain_lines word; /* events that are no lines yet                           */
    char *partial;              /* a line whose end has not come; NULL = none            */
};

struct ez_frames { /* frames.c */
    EZ_VEC(struct ez_frame_def {
        int number; /* of the tracepoint                                                 */
        unsigned process;
        uint64_t addr;      /* of the function */
        uint64_t file_addr; /* the same in its file */
        char *items;
    })
    def;
    struct ez_hash by_id; /* of the process that runs -> def                              */
    EZ_VEC(struct ez_frame_at {
        size_t word; /* index of its event                                                  */
        size_t def;
        uint64_t ns;
    })
    at;
    EZ_VEC(uint64_t) word; /* events                                                   */
    uint64_t lost, since;  /* since: a tick; earlier hits are no frames                    */
    unsigned process;      /* which one runs                                           */
};

struct ez_tracing {
    struct ez_drain *drain;
    struct ez_lines lines;
    struct ez_frames frames;
    uint64_t keep; /* bytes that the flight recorder was asked to keep of each buffer */
    bool pending;  /* `trace FILE` was given before there was a process */
    char *path;
    bool loss_reported, switches_noted, auto_done;
    struct ez_drain_stat last_stat; /* of the process that ended               */
    bool have_last_stat;
    EZ_VEC(struct ez_live_event) last_events; /* the newest of the process that ended       */
    uint64_t last_events_end;                 /* the number after them                      */
    bool mono;                                /* events are stamped by CLOCK_MONOTONIC (clock.h) */
    uint64_t vdso_clock;
    int64_t clock_add;
    bool clock_untold; /* eztsh chose the clock, and no trace was opened since */
};

bool ez_trace_auto_begin(struct ez_target *t);       /* first recording probe goes live */
void ez_trace_auto_end(struct ez_target *t);         /* wait until that trace is open */
ez_err *ez_trace_opened(struct ez_target *t) EZ_WUR; /* runtime is up: open the wanted trace */
void ez_trace_free(struct ez_target *t);
void ez_trace_process_begins(struct ez_target *t);
void ez_trace_process_ended(struct ez_target *t);
void ez_trace_note_state(
    struct ez_target *t); /* the user knows the last trace's accounting: forget it */
/* The drain of the process: made at once, or begun, which ez_drain_finish() ends. */
ez_err *ez_trace_drain_create(struct ez_target *t, const struct ez_drain_cfg *cfg) EZ_WUR;
ez_err *ez_trace_drain_begin(struct ez_target *t, const struct ez_drain_cfg *cfg) EZ_WUR;
/* The rings are unmapped next. `leave`: they stay for another shell, ez_drain_leave(open). */
void ez_trace_drain_end(struct ez_target *t, bool leave, bool open);
/* A signal comes to the target: write a snapshot, if `set snapshot-on` says so, and tell. */
void ez_trace_signal(struct ez_target *t, int sig);
void ez_trace_snapshot_for(struct ez_target *t, const char *why); /* write one, and tell */
void ez_trace_report_loss(struct ez_target *t);
/* lines.c: events of that id, which is not live yet, are lines: `print` = "FORMAT",EXPR,... ez_lines_seen posts
 * those whose turn it is, or all that there are; ez_lines_forget: the process is gone. */
void ez_lines_define(struct ez_target *t, uint32_t id, const char *print);
void ez_lines_seen(struct ez_target *t, bool all);
void ez_lines_forget(struct ez_target *t);
/* frames.c: events of that id, which is not live yet, are frames of that tracepoint, from ez_frames_begin on. */
void ez_frames_define(struct ez_target *t, uint32_t id, int number, uint64_t func,
                      uint64_t file_addr, const char *items);
void ez_frames_add(struct ez_target *t, const uint64_t *event);
void ez_frames_begin(struct ez_target *t);
void ez_frames_process_ended(struct ez_target *t);
void ez_frames_free(struct ez_target *t);
bool ez_frame_read(struct ez_target *t, size_t i, struct ez_frame_info *out, ez_frame_fn *fn,
                   void *arg);
/* live.c: keep the newest events of the process that ends; forget those that are kept. */
void ez_live_ended(struct ez_target *t);
void ez_live_forget(struct ez_target *t);
void ez_live_free(struct ez_target *t);

#endif
