/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.c - the FxT stream of the target: opening, closing, the ledger, the newest
 * events. The file itself belongs to the drain thread (drain.h). */
#include "engine/target.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/zst.h"
#include "engine/ring/clock.h"
#include "engine/ring/fxt_out.h"
#include "engine/ring/items.h"
#include "engine/ring/job.h"

enum {
    KEEP = 4096,   /* how many of the newest events are kept                       */
    AWAIT_MS = 500 /* for threads that do not get a processor                      */
};

/* Posts a note if the open trace lacks thread switches; once per process. */
static void trace_tell_switches(struct ez_target *t)
{
    struct ez_drain_stat s;
    ez_drain_stat(t->tracing.drain, &s);
    if (!s.switches_errno || t->tracing.switches_told)
        return;
    t->tracing.switches_told = true;
    ez_post_note(t, "Not in the trace: when threads did not run (%s).",
                 s.switches_errno == EXDEV ? "the process is in another pid namespace"
                                           : strerror(s.switches_errno));
}

static void trace_want(struct ez_target *t) /* how the next trace is written */
{
    ez_drain_want_switches(t->tracing.drain, t->set.trace_switches);
    ez_drain_want_compress(t->tracing.drain, t->set.trace_compress);
}

static ez_err *trace_open_now(struct ez_target *t)
{
    trace_want(t);
    EZ_TRY(ez_drain_open(t->tracing.drain, t->tracing.path));
    trace_tell_switches(t);
    return NULL;
}

ez_err *ez_trace_start(struct ez_target *t, const char *path)
{
    struct ez_drain_stat s = { 0 };
    if (t->tracing.drain)
        ez_drain_stat(t->tracing.drain, &s);
    if (s.open || t->tracing.wanted)
        return ez_err_hint(
            s.keeps ? ez_err_new(EZ_E_STATE, 0, "The flight recorder is on.")
                    : ez_err_new(EZ_E_STATE, 0, "A trace is open already: %s.", t->tracing.path),
            "`trace stop` %s", s.keeps ? "ends it" : "closes it");
    if (t->set.overflow == EZ_OVERFLOW_OVERWRITE)
        return ez_err_hint(
            ez_err_new(EZ_E_STATE, 0, "No trace is written where `set overflow` is \"overwrite\"."),
            "\"snapshot %s\" writes what was kept, \"set overflow wait\" allows a trace", path);
    EZ_TRY(ez_fxt_out_possible(path)); /* report now an error that would come later */
    free(t->tracing.path);
    t->tracing.path = ez_strdup(path);
    t->tracing.loss_told = false;
    if (t->tracing.drain)
        return trace_open_now(t);
    t->tracing.wanted = true;
    return NULL;
}

/* Closes the trace that is open. */
static ez_err *trace_close(struct ez_target *t)
{
    t->inf.ops->name_code(t);
    return ez_drain_close(t->tracing.drain);
}

ez_err *ez_trace_stop(struct ez_target *t)
{
    struct ez_drain_stat s = { 0 };
    if (t->tracing.drain)
        ez_drain_stat(t->tracing.drain, &s);
    if (s.open)
        return trace_close(t);
    if (t->tracing.wanted) {
        t->tracing.wanted = false;
        return NULL;
    }
    return ez_err_new(EZ_E_STATE, 0, "Trace is not running.");
}

ez_err *ez_trace_opened(struct ez_target *t)
{
    if (!t->tracing.wanted)
        return NULL;
    t->tracing.wanted = false;
    return trace_open_now(t);
}

/* The automatic name: PROG-PID.fxt, for a rank PROG-jobID-rankN-HOST-PID.fxt. An existing trace
 * (of the image before an exec, of an earlier attach) is never overwritten. */
static char *trace_auto_name(const struct ez_target *t)
{
    const char *dir = getenv("EZTRACE_TRACE_DIR");
    const char *name = ez_program_name(t); /* after an exec not the program the user named */
    const char *prog = name ? ez_base_name(name) : "target";
    const char *gone = strstr(prog, " (deleted)"); /* added by the kernel */
    int most = (int)(gone ? (size_t)(gone - prog) : strlen(prog));
    struct ez_job job;
    ez_job_of(t->inf.pid, &job);
    EZ_FREE char *tag = ez_job_tag(&job);
    if (*tag) /* a file's name has 255 bytes */
        most = EZ_MIN(most, 96);
    return ez_sprintf("%s%s%.*s%s-%d.fxt", dir ? dir : "", dir ? "/" : "", most, prog, tag,
                      t->inf.pid);
}

/* The first recording probe goes live: begin to open a trace, if `set trace-auto` is on. */
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
        return; /* the process ended meanwhile */
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
    if (e) { /* the probes are planted all the same: their events count as untraced */
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
        trace_tell_switches(t);
}

static void trace_keep_event(const struct ez_live_event *e, void *arg)
{
    struct ez_target *t = arg;
    struct ez_live_event kept = *e;
    kept.function = ez_strdup(e->function); /* the drain's names go with it */
    kept.data = e->data ? ez_strdup(e->data) : NULL;
    EZ_PUSH(&t->tracing.last_events, kept);
}

static void trace_forget_events(struct ez_target *t)
{
    for (size_t i = 0; i < t->tracing.last_events.n; i++) {
        free((char *)t->tracing.last_events.at[i].function);
        free((char *)t->tracing.last_events.at[i].data);
    }
    t->tracing.last_events.n = 0;
}

/* Posts once that a failed write has ended the trace. */
void ez_trace_report_loss(struct ez_target *t)
{
    struct ez_drain_stat s;
    if (!t->tracing.drain || t->tracing.loss_told)
        return;
    ez_drain_stat(t->tracing.drain, &s);
    if (!s.lost)
        return;
    t->tracing.loss_told = true;
    struct ez_event ev = { .kind = EZ_EV_TRACE_LOST, .status = s.lost_errno };
    ev.text = ez_sprintf(
        "The trace ended early: %s; the target runs on, its events are counted as untraced",
        strerror(s.lost_errno));
    ez_post(t, ev);
}

void ez_trace_free(struct ez_target *t)
{
    trace_forget_events(t);
    EZ_VEC_FREE(&t->tracing.last_events);
    free(t->tracing.path);
}

void ez_trace_told(struct ez_target *t)
{
    t->tracing.have_last_stat = false;
    free(t->tracing.path);
    t->tracing.path = NULL;
}

void ez_trace_process_begins(struct ez_target *t)
{
    t->tracing.have_last_stat = false;
    trace_forget_events(t);
    if (!t->tracing.wanted) /* the file belongs to the process that ended */
        ez_trace_told(t);
}

ez_err *ez_trace_drain_create(struct ez_target *t, const struct ez_drain_cfg *cfg)
{
    return ez_drain_create(cfg, &t->tracing.drain);
}

ez_err *ez_trace_drain_begin(struct ez_target *t, const struct ez_drain_cfg *cfg)
{
    return ez_drain_begin(cfg, &t->tracing.drain);
}

void ez_trace_drain_end(struct ez_target *t, bool leave, bool open)
{
    if (t->tracing.drain)
        t->inf.ops->name_code(t);
    if (t->tracing.drain && leave)
        ez_drain_leave(t->tracing.drain, open);
    else if (t->tracing.drain)
        ez_drain_destroy(t->tracing.drain);
    t->tracing.drain = NULL;
    t->tracing.loss_told = t->tracing.switches_told = t->tracing.auto_done = false;
    ez_clock_adopt(t, false, 0, 0);
}

/* ---- snapshots ------------------------------------------------------------------------------ */

static struct ez_ledger trace_ledger(const struct ez_drain_stat *s)
{
    return (struct ez_ledger){ .hits = s->entries + s->exits,
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
        return ez_err_new(EZ_E_STATE, 0, "No events are kept: the program is not being run.");
    EZ_FREE char *name = path ? ez_strdup(path) : trace_auto_name(t);
    ez_drain_want_compress(t->tracing.drain, t->set.trace_compress);
    t->inf.ops->name_code(t);
    EZ_TRY(ez_drain_snapshot(t->tracing.drain, name, !path, &written, &s));
    free(t->tracing.path);
    t->tracing.path = written;
    struct ez_drain_stat now;
    ez_drain_stat(t->tracing.drain, &now);
    *out = (struct ez_snapshot_info){ written, now.bytes, trace_ledger(&s) };
    return NULL;
}

static void trace_snapshot_here(struct ez_target *t, const char *why)
{
    struct ez_snapshot_info s;
    ez_err *e = ez_snapshot(t, NULL, &s);
    if (e)
        ez_post_note(t, "No snapshot was written (%s): %s", why, e->msg);
    else
        ez_post_note(t, "Snapshot %s (%s): %llu events; %llu older ones were overwritten.", s.path,
                     why, (unsigned long long)s.ledger.recorded,
                     (unsigned long long)s.ledger.overwritten);
    ez_err_free(e);
}

void ez_trace_signal(struct ez_target *t, int sig)
{
    static const int by[] = { [EZ_SNAPSHOT_USR1] = SIGUSR1,
                              [EZ_SNAPSHOT_USR2] = SIGUSR2,
                              [EZ_SNAPSHOT_HUP] = SIGHUP,
                              [EZ_SNAPSHOT_QUIT] = SIGQUIT };
    struct ez_drain_stat s;
    if (!t->tracing.drain || t->set.snapshot_on >= EZ_ARRAY_LEN(by) || !sig ||
        by[t->set.snapshot_on] != sig)
        return;
    ez_drain_stat(t->tracing.drain, &s);
    if (s.keeps)
        trace_snapshot_here(t, "a signal came");
}

/* A process that was let go of runs: its threads may be between counting a hit and recording it, for
 * as long as they do not get the processor. Waits until each hit is accounted for. */
static void trace_await_records(struct ez_target *t)
{
    for (unsigned i = 0; i < AWAIT_MS; i++) {
        struct ez_drain_stat s;
        ez_drain_flush(t->tracing.drain);
        ez_drain_stat(t->tracing.drain, &s);
        if (s.entries + s.exits == s.recorded + s.filtered + s.untraced + s.dropped + s.overwritten)
            return;
        usleep(1000);
    }
}

void ez_trace_process_ended(struct ez_target *t)
{
    struct ez_drain_stat s;
    if (!t->tracing.drain)
        return;
    trace_await_records(t);
    ez_drain_stat(t->tracing.drain, &s);
    if (s.keeps && t->set.snapshot_on != EZ_SNAPSHOT_NEVER)
        trace_snapshot_here(t, "the process ended");
    if (s.open)
        ez_err_drop(trace_close(t));
    else
        ez_drain_flush(t->tracing.drain);
    ez_trace_report_loss(t); /* the last round may have found a loss */
    ez_drain_stat(t->tracing.drain, &t->tracing.last_stat);
    t->tracing.have_last_stat = true;
    trace_forget_events(t);
    t->tracing.last_events_end = 0;
    ez_live_events(t, KEEP, &t->tracing.last_events_end, trace_keep_event, t);
}

bool ez_trace_can_compress(void)
{
    return ez_zst_can();
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
    out->wanted = t->tracing.wanted;
    out->path = t->tracing.path;
    out->bytes = s.bytes;
    out->plain = s.plain;
    out->events = s.recorded;
    out->switches_errno = s.switches_errno;
    out->switches_lost = s.switches_lost;
    out->keeps = s.keeps;
    out->kept_bytes = s.kept_bytes;
    out->ledger = trace_ledger(&s);
    out->earlier = (struct ez_ledger){ .hits = s.earlier.hits,
                                       .recorded = s.earlier.recorded,
                                       .filtered = s.earlier.filtered,
                                       .untraced = s.earlier.untraced,
                                       .dropped = s.earlier.dropped };
}

/* ---- the newest events ---------------------------------------------------------------------- */

/* The tick of the entry that exit r[i] belongs to: the nearest unmatched entry before it. */
static uint64_t trace_entry_tick(const struct ez_rec *r, size_t i)
{
    uint64_t code = r[i].code >> 8; /* the same for unwound exits and returns */
    int depth = 0;
    for (size_t k = i; k-- > 0;) {
        if (r[k].tid != r[i].tid)
            continue;
        if (r[k].code >> 8 == code)
            depth++;
        else if (r[k].code >> 8 == code - 1 && depth-- == 0)
            return r[k].tick;
    }
    return 0;
}

/* There are `got` events; the last has the number end - 1. Returns the index of the first one
 * wanted: not before number `from`, and the last n at most. */
static size_t trace_first_wanted(size_t got, uint64_t end, uint64_t from, size_t n)
{
    uint64_t first = end - got;
    size_t begin = from > first ? (size_t)EZ_MIN(from - first, got) : 0;
    return got - begin > n ? got - n : begin;
}

static size_t trace_ended_events(struct ez_target *t, size_t n, uint64_t *cursor,
                                 void (*fn)(const struct ez_live_event *, void *), void *arg)
{
    size_t got = t->tracing.last_events.n,
           begin = trace_first_wanted(got, t->tracing.last_events_end, *cursor, n);
    for (size_t i = begin; i < got; i++)
        fn(&t->tracing.last_events.at[i], arg);
    *cursor = t->tracing.last_events_end;
    return got - begin;
}

/* An event of a module: the name of its state or event, else the module's. */
static void trace_of_module(struct ez_target *t, uint64_t code, struct ez_live_event *ev)
{
    struct ez_event_meaning m = { .action = EZ_A_EVENT, .name = "?", .group = "?" };
    ez_drain_meaning(t->tracing.drain, code, &m);
    ev->module = true;
    ev->exit = m.action == EZ_A_POP;
    ev->point = m.action != EZ_A_PUSH && m.action != EZ_A_POP;
    ev->id = -1;
    ev->function = *m.name ? m.name : m.group;
}

struct live { /* reads the newest events */
    struct ez_target *t;
    const char **name; /* by id */
    size_t nnames;
    struct ez_rec rec[KEEP];
    uint64_t first; /* number of rec[0]                                             */
    size_t n;
};

/* The arguments of a probe's event: how it ended, or what was collected; *data is the caller's. */
static void trace_of_words(const struct live *l, size_t i, struct ez_live_event *ev, char **data)
{
    struct ez_drain *d = l->t->tracing.drain;
    uint64_t word[EZ_DATA_WORDS + 2], code = l->rec[i].code >> 8;
    unsigned n = ez_drain_recent_words(d, l->first + i, word);
    const char *text = n ? ez_drain_items(d, code) : NULL;
    ev->unwound = ev->exit && n == 1 && word[0] == EZ_EXIT_UNWOUND;
    if (!text || ev->unwound)
        return;
    struct ez_items items;
    ez_items_parse(text, &items);
    *data = ez_event_data_text(&(struct ez_event_data){ .items = &items,
                                                        .is_exit = ev->exit,
                                                        .word = word,
                                                        .n = n,
                                                        .symbol = ez_drain_symbol,
                                                        .symbol_arg = d });
    ev->data = *data;
    ez_items_free(&items);
}

static void trace_tell(const struct live *l, size_t i,
                       void (*fn)(const struct ez_live_event *, void *), void *arg)
{
    struct ez_drain *d = l->t->tracing.drain;
    const struct ez_rec *r = &l->rec[i];
    uint32_t id = (uint32_t)((r->code >> 8) - EZ_C_PROBE);
    const char *function = id / 2 < l->nnames ? l->name[id / 2] : NULL;
    EZ_FREE char *data = NULL;
    struct ez_live_event ev = { .ns = ez_drain_ns(d, r->tick),
                                .tid = r->tid,
                                .rank = ez_drain_rank(d),
                                .exit = id & 1,
                                .id = (int)(id / 2),
                                .function = function ? function : "?" };
    if (r->code >> 8 >= EZ_C_MODULE)
        trace_of_module(l->t, r->code >> 8, &ev);
    else
        trace_of_words(l, i, &ev, &data);
    uint64_t in = ev.exit && !ev.module ? trace_entry_tick(l->rec, i) : 0;
    if (in)
        ev.duration_ns = ev.ns - ez_drain_ns(d, in);
    fn(&ev, arg);
}

size_t ez_live_events(struct ez_target *t, size_t n, uint64_t *cursor,
                      void (*fn)(const struct ez_live_event *, void *), void *arg)
{
    if (!t->tracing.drain)
        return trace_ended_events(t, n, cursor, fn, arg);
    EZ_FREE struct live *l = ez_alloc(sizeof *l);
    uint64_t end = 0;
    l->t = t;
    t->inf.ops->name_code(t);
    ez_drain_flush(t->tracing.drain);
    EZ_FREE const char **name = ez_drain_names(t->tracing.drain, &l->nnames);
    l->name = name;
    l->n = ez_drain_recent(t->tracing.drain, &end, l->rec, KEEP);
    l->first = end - l->n;
    size_t begin = trace_first_wanted(l->n, end, *cursor, n);
    for (size_t i = begin; i < l->n; i++)
        trace_tell(l, i, fn, arg);
    *cursor = end;
    return l->n - begin;
}
