/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tpoint.c - tracepoints: probes that share one gate, which tstart opens and tstop shuts. Both take
 * effect at once, without stopping the target. Without a process, tstart applies to the next
 * process. The hits of tracepoints are stored as trace frames (engine/record/frames.c).
 * Tests: tests/procs/tracepoints.sh */
#include "engine/target.h"
#include "engine/probe/act.h"
#include "engine/probe/probe_list.h"

static void tpoint_gate(struct ez_target *t, bool open)
{
    for (size_t i = 0; i < t->probes.probe.n; i++)
        if (t->probes.probe.at[i]->spec.tracepoint)
            ez_gate_set(t, t->probes.probe.at[i], open);
    t->probes.tracepoints.running = open;
    t->probes.tracepoints.ended = false;
}

ez_err *ez_tstart(struct ez_target *t)
{
    bool any = false;
    for (size_t i = 0; i < t->probes.probe.n; i++)
        any |= t->probes.probe.at[i]->spec.tracepoint;
    if (!any)
        return ez_err_hint(ez_err_gdb(EZ_E_STATE, "No tracepoints defined, not starting trace"),
                           "\"tp LOCATION\" defines a tracepoint");
    tpoint_gate(t, false);
    ez_lines_seen(t, true); /* older hits are read before the frames are cleared */
    ez_frames_begin(t);
    t->probes.tracepoints.ever = true;
    t->probes.tracepoints.stopped_by = 0;
    tpoint_gate(t, true);
    return NULL;
}

ez_err *ez_tstop(struct ez_target *t)
{
    if (!t->probes.tracepoints.running)
        return ez_err_gdb(EZ_E_STATE, "Trace is not running.");
    tpoint_gate(t, false);
    ez_lines_seen(t, true);
    return NULL;
}

void ez_tstop_by(struct ez_target *t, int number)
{
    if (!t->probes.tracepoints.running)
        return;
    tpoint_gate(t, false);
    t->probes.tracepoints.stopped_by = number;
}

void ez_tstatus(struct ez_target *t, struct ez_tstatus *out)
{
    ez_lines_seen(t, true);
    *out = (struct ez_tstatus){ .ever = t->probes.tracepoints.ever,
                                .running = t->probes.tracepoints.running,
                                .ended = t->probes.tracepoints.ended,
                                .stopped_by = t->probes.tracepoints.stopped_by,
                                .frames = t->tracing.frames.at.n,
                                .bytes = t->tracing.frames.word.n * sizeof(uint64_t),
                                .lost = t->tracing.frames.lost };
}

bool ez_frame(struct ez_target *t, size_t i, struct ez_frame_info *out, ez_frame_fn *fn, void *arg)
{
    if (!ez_frame_read(t, i, out, fn, arg))
        return false;
    out->function = NULL;
    out->file = NULL;
    if (!fn)
        return true;
    const struct ez_probe *p = ez_probe_numbered(t, out->number);
    out->function = p && p->function ? p->function : "??";
    if (p)
        ez_probe_line(t, out->number, &out->file, &out->line);
    return true;
}
