/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.c - opens and closes the trace of the target, and reports accounting and snapshots. The
 * drain thread owns the file (drain.h); live.c reads the newest events.
 * Tests: tests/e2e/trace.ezt */
#include "engine/target.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/now.h"
#include "engine/base/zst.h"
#include "engine/record/clock.h"
#include "engine/record/fxt_out.h"
#include "engine/record/job.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/queue.h"

/* maximum number of readings of the accounting, a millisecond apart, while threads are inside a
 * hit */
#define AWAIT_LOOKS 500

/* Posts a note if the open trace lacks thread switches; once per process. */
static void trace_note_switches(struct ez_target *t)
{
    struct ez_drain_stat s;
    ez_drain_stat(t->tracing.drain, &s);
    if (!s.switches_errno || t->tracing.switches_noted)
        return;
    t->tracing.switches_noted = true;
    ez_post_note(t, "The trace does not show when threads did not run: %s.",
                 s.switches_errno == EXDEV ? "the process is in another pid namespace"
                                           : strerror(s.switches_errno));
}

/* Passes the settings for the next trace to the drain. */
static void trace_want(struct ez_target *t)
{
    ez_drain_want_switches(t->tracing.drain, t->set.trace_switches);
    ez_drain_want_compress(t->tracing.drain, t->set.trace_compress);
}

static ez_err *trace_open_now(struct ez_target *t)
{
    trace_want(t);
    EZ_TRY(ez_drain_open(t->tracing.drain, t->tracing.path));
    ez_clock_emit(t);
    trace_note_switches(t);
    return NULL;
}

ez_err *ez_trace_start(struct ez_target *t, const char *path)
{
    struct ez_drain_stat s = { 0 };
    if (t->tracing.drain)
        ez_drain_stat(t->tracing.drain, &s);
    if (!path && t->tracing.drain && ez_drain_paused(t->tracing.drain)) {
        ez_drain_pause(t->tracing.drain, false);
        return NULL;
    }
    if (!path)
        return ez_err_new(EZ_E_ARG, 0, "Argument required (FILE.fxt)");
    if (s.open || t->tracing.pending)
        return ez_err_hint(
            s.keeps ? ez_err_new(EZ_E_STATE, 0, "The flight recorder is on")
                    : ez_err_new(EZ_E_STATE, 0, "A trace is open already: %s", t->tracing.path),
            "\"trace stop\" %s", s.keeps ? "ends it" : "closes it");
    if (t->set.overflow == EZ_OVERFLOW_OVERWRITE)
        return ez_err_hint(
            ez_err_new(EZ_E_STATE, 0,
                       "No trace is written while \"set overflow\" is \"overwrite\""),
            "\"snapshot %s\" writes the events that were kept, \"set overflow wait\" allows a "
            "trace",
            path);
    /* reports an error now, not only when the first probe is planted */
    EZ_TRY(ez_fxt_out_possible(path));
    free(t->tracing.path);
    t->tracing.path = ez_strdup(path);
    t->tracing.loss_reported = false;
    if (t->tracing.drain)
        return trace_open_now(t);
    t->tracing.pending = true;
    return NULL;
}

/* Defines what the trace says about code, before the modules are forgotten. */
static void trace_name_code(struct ez_target *t)
{
    t->inf.ops->name_code(t);
    t->inf.ops->name_sources(t);
}

/* Closes the trace that is open. */
static ez_err *trace_close(struct ez_target *t)
{
    trace_name_code(t);
    return ez_drain_close(t->tracing.drain);
}

ez_err *ez_trace_stop(struct ez_target *t)
{
    struct ez_drain_stat s = { 0 };
    if (t->tracing.drain)
        ez_drain_stat(t->tracing.drain, &s);
    if (s.open)
        return trace_close(t);
    if (t->tracing.pending) {
        t->tracing.pending = false;
        return NULL;
    }
    return ez_err_gdb(EZ_E_STATE, "Trace is not running.");
}

ez_err *ez_trace_opened(struct ez_target *t)
{
    if (!t->tracing.pending)
        return NULL;
    t->tracing.pending = false;
    return trace_open_now(t);
}

/* Returns the name of an automatic trace: PROG-PID.fxt, or for a process with a rank
 * PROG-jobID-rankN-HOST-PID.fxt, in the folder EZTRACE_TRACE_DIR if that is set. The caller does
 * not overwrite an existing trace (of the image before an exec, of an earlier attach). */
static char *trace_auto_name(const struct ez_target *t)
{
    const char *dir = getenv("EZTRACE_TRACE_DIR");
    /* the name of the running image; after an exec, it is not the program that the user named */
    const char *name = ez_program_name(t);
    const char *prog = name ? ez_base_name(name) : "target";
    const char *gone = strstr(prog, " (deleted)"); /* the kernel adds " (deleted)" to the name */
    int most = (int)(gone ? (size_t)(gone - prog) : strlen(prog));
    struct ez_job job;
    ez_job_of(t->inf.pid, &job);
    EZ_FREE char *tag = ez_job_tag(&job);
    if (*tag) /* keep the name short, because a file name has at most 255 bytes */
        most = EZ_MIN(most, 96);
    return ez_sprintf("%s%s%.*s%s-%d.fxt", dir ? dir : "", dir ? "/" : "", most, prog, tag,
                      t->inf.pid);
}

bool ez_trace_auto_begin(struct ez_target *t)
{
    struct ez_drain_stat s;
    ez_drain_stat(t->tracing.drain, &s);
    if (!t->set.trace_auto || s.open || s.lost || t->tracing.auto_done)
        return false;
    t->tracing.auto_done = true;
    free(t->tracing.path);
    t->tracing.path = NULL;
    trace_want(t);
    if (t->set.overflow == EZ_OVERFLOW_OVERWRITE) {
        t->tracing.keep = (uint64_t)t->set.snapshot_mib << 20;
        ez_drain_keep_begin(t->tracing.drain, &t->tracing.keep);
        return true;
    }
    t->tracing.path = trace_auto_name(t);
    ez_drain_create_begin(t->tracing.drain, t->tracing.path);
    return true;
}

void ez_trace_auto_end(struct ez_target *t)
{
    if (!t->tracing.drain)
        return; /* the process has ended */
    ez_clock_emit(t);
    if (!t->tracing.path) {
        if (ez_err_drop(ez_drain_finish(t->tracing.drain)))
            ez_post_note(t,
                         "The newest %u MiB of events of each thread are kept; \"snapshot\" writes "
                         "them.",
                         t->set.snapshot_mib);
        return;
    }
    ez_err *e = ez_drain_finish(t->tracing.drain);
    struct ez_event ev = { .kind = e ? EZ_EV_TRACE_LOST : EZ_EV_TRACE };
    if (e) { /* the probes are planted anyway, and their events count as untraced */
        ev.text = ez_sprintf("%s; %s", e->msg,
                             e->hint ? e->hint : "EZTRACE_TRACE_DIR names another directory");
        ez_err_free(e);
        free(t->tracing.path);
        t->tracing.path = NULL;
    } else {
        char *path = ez_drain_path(t->tracing.drain);
        if (path) {
            free(t->tracing.path);
            t->tracing.path = path;
        }
        ev.text = ez_strdup(t->tracing.path);
    }
    ez_post(t, ev);
    if (ev.kind == EZ_EV_TRACE)
        trace_note_switches(t);
}

/* Reports once that a failed write has ended the trace. */
void ez_trace_report_loss(struct ez_target *t)
{
    struct ez_drain_stat s;
    if (!t->tracing.drain || t->tracing.loss_reported)
        return;
    ez_drain_stat(t->tracing.drain, &s);
    if (!s.lost)
        return;
    t->tracing.loss_reported = true;
    struct ez_event ev = { .kind = EZ_EV_TRACE_LOST, .status = s.lost_errno };
    ev.text = ez_sprintf(
        "The trace ended early: %s; the target runs on, its events are counted as untraced",
        strerror(s.lost_errno));
    ez_post(t, ev);
}

void ez_trace_free(struct ez_target *t)
{
    ez_live_free(t);
    ez_frames_free(t);
    free(t->tracing.path);
}

void ez_trace_note_state(struct ez_target *t)
{
    t->tracing.have_last_stat = false;
    free(t->tracing.path);
    t->tracing.path = NULL;
}

void ez_trace_process_begins(struct ez_target *t)
{
    t->tracing.have_last_stat = false;
    ez_live_forget(t);
    if (!t->tracing.pending) /* the path is that of the previous process's trace */
        ez_trace_note_state(t);
}

ez_err *ez_trace_drain_create(struct ez_target *t, const struct ez_drain_cfg *cfg)
{
    EZ_TRY(ez_drain_create(cfg, &t->tracing.drain));
    ez_drain_want_rounds(t->tracing.drain, t->set.budget != 0);
    return NULL;
}

ez_err *ez_trace_drain_begin(struct ez_target *t, const struct ez_drain_cfg *cfg)
{
    EZ_TRY(ez_drain_begin(cfg, &t->tracing.drain));
    ez_drain_want_rounds(t->tracing.drain, t->set.budget != 0);
    return NULL;
}

void ez_trace_drain_end(struct ez_target *t, bool leave, bool open)
{
    if (t->tracing.drain)
        trace_name_code(t);
    if (t->tracing.drain && leave)
        ez_drain_leave(t->tracing.drain, open);
    else if (t->tracing.drain)
        ez_drain_destroy(t->tracing.drain);
    t->tracing.drain = NULL;
    ez_lines_forget(t);
    ez_frames_process_ended(t);
    t->tracing.loss_reported = t->tracing.switches_noted = t->tracing.auto_done = false;
    ez_clock_adopt(t, false, 0, 0);
}

/* ---- snapshots ------------------------------------------------------------------------------ */

static struct ez_accounting trace_accounting(const struct ez_drain_stat *s)
{
    return (struct ez_accounting){ .hits = s->entries + s->exits,
                                   .recorded = s->recorded,
                                   .filtered = s->filtered,
                                   .untraced = s->untraced,
                                   .dropped = s->dropped,
                                   .overwritten = s->overwritten,
                                   .unhooked = s->unhooked,
                                   .torn = s->torn,
                                   .uncounted = s->uncounted,
                                   .hurried = s->hurried,
                                   .unwound = s->unwound,
                                   .waits = s->waits,
                                   .waited_ns = s->waited_ns };
}

ez_err *ez_snapshot(struct ez_target *t, const char *path, struct ez_snapshot_info *out)
{
    struct ez_drain_stat s = { 0 };
    char *written;
    if (!t->tracing.drain)
        return ez_err_new(EZ_E_STATE, 0, "No events are kept: the program is not being run");
    EZ_FREE char *name = path ? ez_strdup(path) : trace_auto_name(t);
    ez_drain_want_compress(t->tracing.drain, t->set.trace_compress);
    trace_name_code(t);
    EZ_TRY(ez_drain_snapshot(t->tracing.drain, name, !path, &written, &s));
    free(t->tracing.path);
    t->tracing.path = written;
    *out = (struct ez_snapshot_info){ written, s.bytes, trace_accounting(&s) };
    return NULL;
}

void ez_trace_snapshot_for(struct ez_target *t, const char *why)
{
    struct ez_snapshot_info s;
    ez_err *e = ez_snapshot(t, NULL, &s);
    if (e)
        ez_post_note(t, "No snapshot was written (%s): %s.", why, e->msg);
    else
        ez_post_note(t, "Snapshot %s (%s): %llu events; %llu older ones were overwritten.", s.path,
                     why, (unsigned long long)s.accounting.recorded,
                     (unsigned long long)s.accounting.overwritten);
    ez_err_free(e);
}

void ez_trace_signal(struct ez_target *t, pid_t tid, int sig)
{
    static const int by[] = { [EZ_SNAPSHOT_USR1] = SIGUSR1,
                              [EZ_SNAPSHOT_USR2] = SIGUSR2,
                              [EZ_SNAPSHOT_HUP] = SIGHUP,
                              [EZ_SNAPSHOT_QUIT] = SIGQUIT };
    struct ez_drain_stat s;
    if (!t->tracing.drain || !sig)
        return;
    unsigned how = ez_signal_how(t, sig);
    if (how & (EZ_SIG_PASS | EZ_SIG_STOP))
        ez_drain_signal(t->tracing.drain, tid, sig, how & EZ_SIG_STOP);
    if (t->set.snapshot_on >= EZ_ARRAY_LEN(by) || by[t->set.snapshot_on] != sig)
        return;
    ez_drain_stat(t->tracing.drain, &s);
    if (s.keeps)
        ez_trace_snapshot_for(t, "a signal came");
}

void ez_trace_signal_given(struct ez_target *t, pid_t tid, int came, int sig)
{
    if (!t->tracing.drain || came == sig)
        return;
    ez_drain_signal_drop(t->tracing.drain, tid);
    if (sig)
        ez_drain_signal(t->tracing.drain, tid, sig, false);
}

void ez_trace_signals_go(struct ez_target *t)
{
    if (t->tracing.drain)
        ez_drain_signals_go(t->tracing.drain);
}

/* Waits until each hit is accounted for. The process may run, so a thread that has no processor may
 * stay between counting a hit and recording it. *s is the accounting of an instant without such
 * hits, or the last one read if the wait takes too long. */
static void trace_await_records(struct ez_target *t, struct ez_drain_stat *s)
{
    int64_t end = ez_now_ms() + EZ_DRAIN_WAIT_MS;
    for (unsigned i = 0; i < AWAIT_LOOKS && (!i || ez_now_ms() < end); i++) {
        ez_drain_flush(t->tracing.drain);
        ez_drain_stat(t->tracing.drain, s);
        if (ez_drain_balanced(s))
            return;
        usleep(1000);
    }
}

void ez_trace_process_ended(struct ez_target *t)
{
    struct ez_drain_stat s;
    if (!t->tracing.drain)
        return;
    trace_await_records(t, &s);
    ez_lines_seen(t, true);
    if (s.keeps && t->set.snapshot_on != EZ_SNAPSHOT_NEVER)
        ez_trace_snapshot_for(t, "the process ended");
    if (s.open)
        ez_err_drop(trace_close(t));
    ez_trace_report_loss(t); /* a write in the drain's final round may have failed */
    trace_await_records(t, &t->tracing.last_stat);
    t->tracing.have_last_stat = true;
    ez_live_ended(t);
}

bool ez_trace_can_compress(void)
{
    return ez_zst_can();
}

/* Corrects the accounting of a running target. The shell reads the counts one after another, so
 * some counted hits have no record yet, and some records belong to hits that came after the
 * counters were read. */
static void trace_under_way(const struct ez_drain_stat *s, struct ez_accounting *l)
{
    uint64_t sum = ez_drain_accounted(s);
    l->hits = EZ_MAX(l->hits, sum);
    l->under_way = l->hits - sum;
}

void ez_trace_info(struct ez_target *t, struct ez_trace_info *out)
{
    struct ez_drain_stat s = { 0 };
    memset(out, 0, sizeof *out);
    if (t->tracing.drain) {
        ez_drain_flush(t->tracing.drain);
        ez_drain_stat(t->tracing.drain, &s);
        out->mono = t->tracing.mono;
        out->coarse =
            t->tracing.mono && s.no_syscalls && (s.clock_enters || !t->tracing.vdso_clock);
    } else if (t->tracing.have_last_stat) {
        s = t->tracing.last_stat;
    }
    out->open = s.open;
    out->paused = t->tracing.drain && ez_drain_paused(t->tracing.drain);
    out->pending = t->tracing.pending;
    out->path = t->tracing.path;
    out->bytes = s.bytes;
    out->plain = s.plain;
    out->events = s.recorded;
    out->switches_errno = s.switches_errno;
    out->switches_lost = s.switches_lost;
    out->keeps = s.keeps;
    out->kept_bytes = s.kept_bytes;
    out->accounting = trace_accounting(&s);
    if (t->tracing.drain)
        trace_under_way(&s, &out->accounting);
    out->earlier = (struct ez_accounting){ .hits = s.earlier.hits,
                                           .recorded = s.earlier.recorded,
                                           .filtered = s.earlier.filtered,
                                           .untraced = s.earlier.untraced,
                                           .dropped = s.earlier.dropped,
                                           .overwritten = s.earlier.overwritten };
}

char *ez_accounting_text(const struct ez_accounting *l)
{
    char overwritten[48] = "", under_way[48] = "";
    if (l->overwritten)
        snprintf(overwritten, sizeof overwritten, " + %llu overwritten",
                 (unsigned long long)l->overwritten);
    if (l->under_way)
        snprintf(under_way, sizeof under_way, " + %llu under way",
                 (unsigned long long)l->under_way);
    return ez_sprintf(
        "%llu hits = %llu recorded + %llu filtered + %llu untraced + %llu dropped%s%s.",
        (unsigned long long)l->hits, (unsigned long long)l->recorded,
        (unsigned long long)l->filtered, (unsigned long long)l->untraced,
        (unsigned long long)l->dropped, overwritten, under_way);
}
