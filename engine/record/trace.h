/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.h - opens and closes the trace of the process (trace.c), reads its newest events (live.c),
 * and prints lines (lines.c) and frames (frames.c). */
#ifndef EZ_TRACE_H
#define EZ_TRACE_H

#include "engine/base/hash.h"
#include "engine/base/vec.h"
#include "engine/ezt.h"
#include "engine/record/drain.h"
#include "engine/record/items.h"

struct ez_target;

struct ez_lines { /* lines.c */
    EZ_VEC(struct ez_line_format {
        char *format; /* without quotes */
        bool parsed;  /* `items` is parsed */
        struct ez_items items;
    })
    format;
    struct ez_hash by_id;       /* id -> index in `format` */
    struct ez_drain_lines word; /* events that are not printed yet */
    char *partial;              /* text whose newline has not come yet; NULL: none */
};

struct ez_frames { /* frames.c */
    EZ_VEC(struct ez_frame_def {
        int number; /* number of the tracepoint */
        unsigned process;
        uint64_t addr;      /* address of the function */
        uint64_t file_addr; /* address of the function in its file */
        char *items;
    })
    def;
    struct ez_hash by_id; /* id in the current process -> index in `def` */
    EZ_VEC(struct ez_frame_at {
        size_t word; /* index of the frame's event in `word` below */
        size_t def;
        uint64_t ns;
    })
    at;
    EZ_VEC(uint64_t) word; /* events */
    uint64_t lost, since;  /* since: tick of the last tstart; hits before it are not frames */
    unsigned process;      /* number of the current process, for frames that arrive from now on */
};

struct ez_tracing {
    struct ez_drain *drain;
    struct ez_lines lines;
    struct ez_frames frames;
    uint64_t keep; /* bytes of each buffer that the flight recorder should keep */
    bool pending;  /* "trace FILE" was given before there was a process */
    char *path;
    bool loss_reported, switches_noted, auto_done;
    struct ez_drain_stat last_stat; /* accounting of the process that ended */
    bool have_last_stat;
    EZ_VEC(struct ez_live_event) last_events; /* the newest events of the process that ended */
    uint64_t last_events_end;                 /* sequence number after the last of these events */
    bool mono;                                /* events are stamped by CLOCK_MONOTONIC (clock.h) */
    uint64_t vdso_clock;
    int64_t clock_add;
    bool clock_unreported; /* the shell has not yet told the user that eztsh chose the clock */
};

/* Begins a trace when the first recording probe goes live. */
bool ez_trace_auto_begin(struct ez_target *t);
void ez_trace_auto_end(struct ez_target *t); /* Waits until that trace is open. */
/* Opens the wanted trace when the runtime is ready. */
ez_err *ez_trace_opened(struct ez_target *t) EZ_WUR;
void ez_trace_free(struct ez_target *t);
void ez_trace_process_begins(struct ez_target *t);
void ez_trace_process_ended(struct ez_target *t);
/* Records that the user has seen the last trace's accounting. */
void ez_trace_note_state(struct ez_target *t);
/* Make the drain of the process. ez_trace_drain_begin() only begins; ez_drain_finish() waits. */
ez_err *ez_trace_drain_create(struct ez_target *t, const struct ez_drain_cfg *cfg) EZ_WUR;
ez_err *ez_trace_drain_begin(struct ez_target *t, const struct ez_drain_cfg *cfg) EZ_WUR;
/* Ends the drain; the caller unmaps the rings next. leave: calls ez_drain_leave(open) first,
 * because the rings stay for another shell. */
void ez_trace_drain_end(struct ez_target *t, bool leave, bool open);
/* Call when a signal comes. Records a signal that is passed to the program; a signal at which the
 * program stops is recorded by ez_trace_signals_go(). Writes a snapshot and reports it, if "set
 * snapshot-on" says so. */
void ez_trace_signal(struct ez_target *t, pid_t tid, int sig);
/* Call when a stopped thread gets the signal `sig` (0 = none) in place of the signal that came, if
 * one came, before ez_trace_signals_go(). */
void ez_trace_signal_given(struct ez_target *t, pid_t tid, int came, int sig);
/* Call when a stopped program goes on. */
void ez_trace_signals_go(struct ez_target *t);
/* Writes a snapshot, and reports it. */
void ez_trace_snapshot_for(struct ez_target *t, const char *why);
void ez_trace_report_loss(struct ez_target *t);
/* lines.c. ez_lines_define() makes the events of an id, which is not live yet, lines of text; print
 * is "FORMAT",EXPR,... ez_lines_seen() posts the lines that are complete, or all lines.
 * ez_lines_forget() drops the process's lines. */
void ez_lines_define(struct ez_target *t, uint32_t id, const char *print);
void ez_lines_seen(struct ez_target *t, bool all);
void ez_lines_forget(struct ez_target *t);
/* frames.c. ez_frames_define() makes the events of an id, which is not live yet, frames of that
 * tracepoint, from ez_frames_begin() on. */
void ez_frames_define(struct ez_target *t, uint32_t id, int number, uint64_t func,
                      uint64_t file_addr, const char *items);
void ez_frames_add(struct ez_target *t, const uint64_t *event);
void ez_frames_begin(struct ez_target *t);
void ez_frames_process_ended(struct ez_target *t);
void ez_frames_free(struct ez_target *t);
bool ez_frame_read(struct ez_target *t, size_t i, struct ez_frame_info *out, ez_frame_fn *fn,
                   void *arg);
/* live.c. Keep the newest events of the process that ends, and drop the kept events. */
void ez_live_ended(struct ez_target *t);
void ez_live_forget(struct ez_target *t);
void ez_live_free(struct ez_target *t);

#endif
