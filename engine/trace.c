/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.c - the FxT stream of the target: opening, closing, the ledger, the newest
 * events. The file itself belongs to the drain thread (drain.h). */
#include "engine/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

ez_err *ez_trace_start(struct ez_target *t, const char *path)
{
    struct ez_drain_stat s = { 0 };
    if (t->rt.drain)
        ez_drain_stat(t->rt.drain, &s);
    if (s.open)
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "A trace is open already: %s.", t->trace_path),
                           "`trace stop` closes it");
    struct stat st;
    if (!stat(path, &st) && !S_ISREG(st.st_mode))
        return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "%s: not a regular file.", path),
                           "FxT files are patched in place, so pipes and devices will not do");
    free(t->trace_path);
    t->trace_path = ez_strdup(path);
    t->rt.loss_told = false;
    if (t->rt.up)
        return ez_drain_open(t->rt.drain, t->trace_path);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644); /* say now what would fail then */
    if (fd < 0)
        return ez_err_new(EZ_E_SYS, errno, "%s: cannot create the trace file", path);
    close(fd);
    t->trace_wanted = true;
    return NULL;
}

ez_err *ez_trace_stop(struct ez_target *t)
{
    struct ez_drain_stat s = { 0 };
    if (t->rt.drain)
        ez_drain_stat(t->rt.drain, &s);
    if (s.open)
        return ez_drain_close(t->rt.drain);
    if (t->trace_wanted) {
        t->trace_wanted = false;
        return NULL;
    }
    return ez_err_new(EZ_E_STATE, 0, "Trace is not running.");
}

ez_err *ez_trace_opened(struct ez_target *t)
{
    if (!t->trace_wanted)
        return NULL;
    t->trace_wanted = false;
    return ez_drain_open(t->rt.drain, t->trace_path);
}

/* The first recording probe goes live: open PROG-PID.fxt, unless told otherwise. After
 * an exec PROG-PID-2.fxt: the first one holds what the old image did. */
ez_err *ez_trace_auto(struct ez_target *t)
{
    struct ez_drain_stat s;
    const char *dir = getenv("EZTRACE_TRACE_DIR");
    ez_drain_stat(t->rt.drain, &s);
    if (!t->set.trace_auto || s.open || s.lost || t->rt.auto_done)
        return NULL;
    t->rt.auto_done = true;
    free(t->trace_path);
    char nth[16] = "";
    if (t->execs)
        snprintf(nth, sizeof nth, "-%u", t->execs + 1);
    t->trace_path = ez_sprintf("%s%s%s-%d%s.fxt", dir ? dir : "", dir ? "/" : "",
                               t->program ? ez_base_name(t->program) : "target", t->pid, nth);
    ez_err *e = ez_drain_open(t->rt.drain, t->trace_path);
    struct ez_event ev = { .kind = e ? EZ_EV_TRACE_LOST : EZ_EV_TRACE };
    if (e) { /* the probes are planted all the same: their events count as untraced */
        ev.text = ez_sprintf("%s; EZTRACE_TRACE_DIR names another directory", e->msg);
        ez_err_free(e);
        free(t->trace_path);
        t->trace_path = NULL;
    } else {
        ev.text = ez_strdup(t->trace_path);
    }
    ez_post(t, ev);
    return NULL;
}

void ez_trace_process_ended(struct ez_target *t)
{
    struct ez_drain_stat s;
    if (!t->rt.drain)
        return;
    ez_drain_stat(t->rt.drain, &s);
    if (s.open)
        ez_err_drop(ez_drain_close(t->rt.drain));
    else
        ez_drain_flush(t->rt.drain);
    ez_drain_stat(t->rt.drain, &t->last_stat);
    t->have_last_stat = true;
}

void ez_trace_info(struct ez_target *t, struct ez_trace_info *out)
{
    struct ez_drain_stat s = { 0 };
    memset(out, 0, sizeof *out);
    if (t->rt.drain) {
        ez_drain_flush(t->rt.drain);
        ez_drain_stat(t->rt.drain, &s);
    } else if (t->have_last_stat) {
        s = t->last_stat;
    }
    out->open = s.open;
    out->path = t->trace_path;
    out->bytes = s.bytes;
    out->events = s.recorded;
    out->ledger = (struct ez_ledger){ .hits = s.entries + s.exits,
                                      .recorded = s.recorded,
                                      .filtered = s.filtered,
                                      .untraced = s.untraced,
                                      .dropped = s.dropped,
                                      .unhooked = s.unhooked,
                                      .torn = s.torn };
}

/* ---- the newest events ---------------------------------------------------------------------- */

static const struct ez_site *site_of_id(struct ez_target *t, uint32_t id)
{
    for (size_t i = 0; i < t->site.n; i++)
        for (size_t k = 0; k < t->site.at[i].variant.n; k++)
            if (t->site.at[i].variant.at[k].id == id)
                return &t->site.at[i];
    return NULL;
}

/* The tick of the entry that this exit belongs to: the nearest unmatched one before. */
static uint64_t entry_tick(const struct ez_rec *r, size_t i)
{
    uint64_t code = r[i].code - (1 << 8);
    int depth = 0;
    for (size_t k = i; k-- > 0;) {
        if (r[k].tid != r[i].tid)
            continue;
        if (r[k].code == r[i].code)
            depth++;
        else if (r[k].code == code && depth-- == 0)
            return r[k].tick;
    }
    return 0;
}

size_t ez_live_events(struct ez_target *t, size_t n, uint64_t *cursor,
                      void (*fn)(const struct ez_live_event *, void *), void *arg)
{
    enum { KEEP = 4096 };
    if (!t->rt.drain)
        return 0;
    EZ_FREE struct ez_rec *r = ez_alloc(KEEP * sizeof *r);
    uint64_t from = *cursor, start = 0;
    ez_drain_flush(t->rt.drain);
    size_t got = ez_drain_recent(t->rt.drain, &start, r, KEEP);
    uint64_t first_seq = start - got;
    size_t begin = from > first_seq ? (size_t)EZ_MIN(from - first_seq, got) : 0;
    if (got - begin > n)
        begin = got - n;
    for (size_t i = begin; i < got; i++) {
        uint32_t id = (uint32_t)((r[i].code >> 8) - EZ_C_PROBE);
        const struct ez_site *s = site_of_id(t, id / 2);
        struct ez_live_event ev = { .ns = ez_drain_ns(t->rt.drain, r[i].tick),
                                    .tid = r[i].tid,
                                    .exit = id & 1,
                                    .id = (int)(id / 2),
                                    .function = s && s->sym ? ez_sym_pretty(s->sym) : "?" };
        uint64_t in = ev.exit ? entry_tick(r, i) : 0;
        if (in)
            ev.duration_ns = ev.ns - ez_drain_ns(t->rt.drain, in);
        fn(&ev, arg);
    }
    *cursor = start;
    return got - begin;
}
