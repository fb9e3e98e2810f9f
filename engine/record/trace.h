/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.h - opens and closes the trace of the process (trace.c), reads its newest events (live.c),
 * posts lines of text (lines.c), and keeps trace frames (frames.c). */
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
        char *format; /* the format without its quotes */
        bool parsed;  /* `items` is parsed */
        struct ez_items items;
    })
    format;
    struct ez_hash by_id;       /* id -> index in `format` */
    struct ez_drain_lines word; /* events that are not printed yet */
    char *partial;              /* text of a line without its newline yet; NULL: none */
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
        size_t word; /* index in ez_frames.word of the frame's event */
        size_t def;
        uint64_t ns;
    })
    at;
    EZ_VEC(uint64_t) word; /* events */
    uint64_t lost, since;  /* since: tick of the last tstart; earlier hits are not frames */
    unsigned process;      /* number of the current process, for ids that are defined from now on */
};

struct ez_tracing {
    struct ez_drain *drain;
    struct ez_lines lines;
    struct ez_frames frames;
    uint64_t keep; /* bytes of events of each buffer that the flight recorder keeps */
    bool pending;  /* "trace FILE" was given before there was a drain; the trace opens later */
    char *path;
    bool loss_reported, switches_noted, auto_done;
    struct ez_drain_stat last_stat; /* accounting of the process that ended last */
    bool have_last_stat;
    EZ_VEC(struct ez_live_event) last_events; /* the newest events of the process that ended last */
    uint64_t last_events_end;                 /* sequence number after the last of these events */
    bool mono;                                /* events are stamped by CLOCK_MONOTONIC (clock.h) */
    uint64_t vdso_clock;
    int64_t clock_add;
    bool clock_unreported; /* the note that eztsh chose CLOCK_MONOTONIC has not been posted yet */
};

/* Call before a recording probe is planted. If "set trace-auto" is on, no trace is open, and none
 * was lost, begins to open a trace or to start the flight recorder, and returns true; only once in
 * each process. Otherwise returns false. */
bool ez_trace_auto_begin(struct ez_target *t);
/* Waits until the trace or flight recorder of ez_trace_auto_begin() is open, and reports it. */
void ez_trace_auto_end(struct ez_target *t);
/* Call when the drain runs. Opens the trace that ez_trace_start() was called for earlier, if
 * any. */
ez_err *ez_trace_opened(struct ez_target *t) EZ_WUR;
void ez_trace_free(struct ez_target *t);
void ez_trace_process_begins(struct ez_target *t);
void ez_trace_process_ended(struct ez_target *t);
/* Forgets the path and the accounting of the last trace. */
void ez_trace_note_state(struct ez_target *t);
/* Start the drain of the process. ez_trace_drain_begin() only begins the start; ez_drain_finish()
 * waits for it. */
ez_err *ez_trace_drain_create(struct ez_target *t, const struct ez_drain_cfg *cfg) EZ_WUR;
ez_err *ez_trace_drain_begin(struct ez_target *t, const struct ez_drain_cfg *cfg) EZ_WUR;
/* Ends the drain, before the caller unmaps the rings. leave: uses ez_drain_leave() with `open`,
 * because the rings stay for another shell. */
void ez_trace_drain_end(struct ez_target *t, bool leave, bool open);
/* Call when a signal comes. Records a signal that the program gets at once; a signal at which the
 * program stops is recorded by ez_trace_signals_go(). If the signal is that of "set snapshot-on",
 * writes a snapshot and reports it. */
void ez_trace_signal(struct ez_target *t, pid_t tid, int sig);
/* Call before ez_trace_signals_go() if a stopped thread gets the signal `sig` (0 = none) in place
 * of the signal `came` (0 = none). */
void ez_trace_signal_given(struct ez_target *t, pid_t tid, int came, int sig);
/* Call when a stopped program continues. */
void ez_trace_signals_go(struct ez_target *t);
/* Writes a snapshot, and posts a note about it. why: reason in the note. */
void ez_trace_snapshot_for(struct ez_target *t, const char *why);
void ez_trace_report_loss(struct ez_target *t);
/* lines.c. ez_lines_define() makes the events of an id lines of text; call it before a probe uses
 * the id; print is "FORMAT",EXPR,... ez_lines_seen() posts the lines that are complete, or all
 * lines. ez_lines_forget() drops all lines and formats of the process. */
void ez_lines_define(struct ez_target *t, uint32_t id, const char *print);
void ez_lines_seen(struct ez_target *t, bool all);
void ez_lines_forget(struct ez_target *t);
/* frames.c. ez_frames_define() makes the events of an id frames of the tracepoint `number`; call it
 * before a probe uses the id. ez_frames_begin() drops the frames; events before it become none. */
void ez_frames_define(struct ez_target *t, uint32_t id, int number, uint64_t func,
                      uint64_t file_addr, const char *items);
void ez_frames_add(struct ez_target *t, const uint64_t *event);
void ez_frames_begin(struct ez_target *t);
void ez_frames_process_ended(struct ez_target *t);
void ez_frames_free(struct ez_target *t);
bool ez_frame_read(struct ez_target *t, size_t i, struct ez_frame_info *out, ez_frame_fn *fn,
                   void *arg);
/* live.c. ez_live_ended() keeps the newest events of the process that ends; ez_live_forget() drops
 * the kept events. */
void ez_live_ended(struct ez_target *t);
void ez_live_forget(struct ez_target *t);
void ez_live_free(struct ez_target *t);

#endif
