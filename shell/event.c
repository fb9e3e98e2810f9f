/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event.c - what happens to the target, in GDB's words.
 *
 * Everything the engine reports by itself is printed here, whether the shell
 * waits for the target or a line is being typed (then the editor's line is hidden
 * while the notice is printed). */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "shell/loop.h"
#include "engine/probe/why.h"
#include "shell/out.h"
#include "shell/sess.h"
#include "shell/wire.h"

/* If pc is in one of our stubs, print the program's instruction that the stub runs. */
static bool event_stub_frame(struct ez_sess *s, ez_addr pc)
{
    ez_addr origin;
    int probe;
    if (!ez_stub_origin(s->target, pc, &origin, &probe))
        return false;
    const char *whose = probe ? sess_format(s, ", probe %d", probe) : "";
    if (origin.v)
        out_line(s, "%s in relocated %s%s", out_addr16(s, pc.v), out_sym(s, origin.v), whose);
    else
        out_line(s, "%s in eztsh's own code%s", out_addr16(s, pc.v), whose);
    return true;
}

void sess_frame(struct ez_sess *s, bool with_address)
{
    ez_addr pc;
    uint64_t off = 0;
    struct ez_module_info m = { 0 };
    const char *file, *at = with_address ? " in " : "";
    unsigned line;
    if (!ez_err_drop(ez_pc(s->target, &pc)))
        return;
    const struct ez_sym *sym = ez_symbolize(s->target, pc, &off, &m);
    if (!sym && event_stub_frame(s, pc))
        return;
    const char *addr = with_address ? out_addr16(s, pc.v) : "";
    const char *name = sym ? ez_sym_pretty(sym) : "??";
    const char *args = sym && strchr(name, '(') ? "" : " ()";
    if (m.obj && ez_object_line(m.obj, pc.v - m.bias, &file, &line))
        out_line(s, "%s%s%s%s at %s:%u", addr, at, name, args, file, line);
    else if (m.path && !m.is_program)
        out_line(s, "%s%s%s%s from %s", addr, at, name, args, m.path);
    else
        out_line(s, "%s%s%s%s", addr, at, name, args);
}

static void event_interrupted(struct ez_sess *s, struct ez_stop *stop)
{
    stop->reason = "signal";
    stop->sig = s->stop_signal = SIGINT;
    out_line(s, "%s", "");
    out_line(s, "Program received signal SIGINT, Interrupt.");
    sess_frame(s, true);
}

void sess_interrupted(struct ez_sess *s)
{
    if (ez_target_state(s->target) == EZ_STOPPED) /* else its own event says that it ended */
        sess_tell_stop(s, event_interrupted);
}

static void event_note_current(const struct ez_thread_info *t, void *arg)
{
    if (t->current)
        *(int *)arg = t->tid;
}

void sess_tell_stop(struct ez_sess *s, void (*tell)(struct ez_sess *s, struct ez_stop *out))
{
    struct ez_stop stop = { .reason = NULL };
    struct ez_event ev = { .kind = EZ_EV_STOPPED };
    struct ez_wire_held held;
    ez_addr pc = { 0 };
    if (!s->wire || s->mute) {
        tell(s, &stop);
        return;
    }
    wire_event_begins(s, &held);
    tell(s, &stop);
    if (!stop.reason) {
        wire_event_is_none(s, &held);
        return;
    }
    ez_err_drop(ez_threads(s->target, event_note_current, &ev.tid));
    ez_err_drop(ez_pc(s->target, &pc));
    ev.number = stop.number;
    ev.sig = stop.sig;
    ev.addr = pc.v;
    wire_event_ends(s, &ev, stop.reason, &held);
}

/* ---- the end of a process ------------------------------------------------------- */

static void event_name_unresolved(const struct ez_probe_info *p, void *arg)
{
    struct ez_sess *s = arg;
    if (p->state != EZ_PROBE_PENDING || *p->function || p->entries || p->exits || p->optional)
        return; /* the probe was resolved, and waits for the next run, or for its library */
    s->failed++;
    out_error(s, ez_err_new(EZ_E_NOTFOUND, 0, "%s %d (%s) never resolved: %s",
                            p->with ? "Replacement" : "Probe", p->number, p->location,
                            *p->reason ? p->reason : "nothing of that name was loaded."));
}

void sess_unresolved(struct ez_sess *s)
{
    ez_probes(s->target, event_name_unresolved, s);
}

void sess_epilogue(struct ez_sess *s)
{
    struct ez_trace_info t = { 0 };
    ez_trace_info(s->target, &t);
    const struct ez_ledger *l = &t.ledger;
    const char *whose = t.path ? sess_format(s, "Trace %s: ", t.path) : "";
    if (t.path || l->hits)
        out_ledger(s, whose, l);
    if (t.earlier.hits)
        out_ledger(s, "Before this shell: ", &t.earlier);
    if (l->unhooked)
        out_line(s, "The exits of %llu calls could not be followed.",
                 (unsigned long long)l->unhooked);
    sess_unresolved(s);
    s->stop_signal = 0;
}

static void event_ended(struct ez_sess *s, const struct ez_event *ev)
{
    int pid = ev->tid ? ev->tid : ez_target_pid(s->target);
    s->child_status = -1;
    if (ev->kind == EZ_EV_EXITED && ev->status)
        out_line(s, "[Inferior 1 (process %d) exited with code %02o]", pid, ev->status);
    else if (ev->kind == EZ_EV_EXITED)
        out_line(s, "[Inferior 1 (process %d) exited normally]", pid);
    else if (ev->kind == EZ_EV_GONE)
        out_line(s, "[Inferior 1 (process %d) ended; its status is its parent's to know]", pid);
    else {
        out_line(s, "%s", "");
        out_line(s, "Program terminated with signal %s, %s.", out_signal(s, ev->sig),
                 out_signal_text(ev->sig));
        out_line(s, "The program no longer exists.");
    }
    if (ev->kind != EZ_EV_GONE)
        s->child_status = ev->kind == EZ_EV_EXITED ? ev->status : 128 + ev->sig;
    sess_epilogue(s);
}

/* ---- the others ------------------------------------------------------------------- */

struct event_number {
    int tid;
    unsigned found;
};

static void event_find_thread(const struct ez_thread_info *t, void *arg)
{
    struct event_number *q = arg;
    if (t->tid == q->tid)
        q->found = t->number;
}

/* "Thread 2 hit probe 3, f (n=5) at t.c:4" */
static void event_hit(struct ez_sess *s, const struct ez_event *ev)
{
    struct event_number q = { .tid = ev->tid };
    struct ez_module_info m = { 0 };
    uint64_t off;
    const char *file, *where = "";
    unsigned line;
    const struct ez_sym *sym = ez_symbolize(s->target, ez_addr_of(ev->addr), &off, &m);
    ez_err_drop(ez_threads(s->target, event_find_thread, &q));
    if (m.obj && ez_object_line(m.obj, ev->addr - m.bias, &file, &line))
        where = sess_format(s, " at %s:%u", file, line);
    else if (m.path && !m.is_program)
        where = sess_format(s, " from %s", m.path);
    const char *name = sym ? ez_sym_pretty(sym) : "??";
    bool has_args = strchr(name, '(') && !(ev->text && *ev->text);
    out_line(s, "Thread %u hit probe %d, %s%.*s%s%s%s%s", q.found, ev->number,
             ev->status ? "the exit of " : "", (int)(has_args ? strlen(name) : strcspn(name, "(")),
             name, has_args ? "" : " (", has_args || !ev->text ? "" : ev->text, has_args ? "" : ")",
             where);
}

static void event_stopped(struct ez_sess *s, const struct ez_event *ev)
{
    s->stop_signal = ev->sig;
    s->stopped = true;
    out_line(s, "%s", "");
    if (ev->number) {
        event_hit(s, ev);
        return;
    }
    if (!ev->sig) {
        ez_addr pc;
        uint64_t off;
        struct ez_module_info m = { 0 };
        const char *file, *name = "main";
        unsigned line;
        const struct ez_sym *sym = NULL;
        if (ez_err_drop(ez_pc(s->target, &pc)) && (sym = ez_symbolize(s->target, pc, &off, &m)))
            name = ez_sym_pretty(sym);
        if (m.obj && ez_object_line(m.obj, pc.v - m.bias, &file, &line))
            out_line(s, "Temporary breakpoint 1, %s () at %s:%u", name, file, line);
        else
            out_line(s, "Temporary breakpoint 1, %s ()", name);
        return;
    }
    out_line(s, "Program received signal %s, %s.", out_signal(s, ev->sig),
             out_signal_text(ev->sig));
    sess_frame(s, true);
}

/* A stop at main from where `run` goes on, since breakpoints had to be armed. */
static bool event_is_own(struct ez_sess *s, const struct ez_event *ev)
{
    bool own = s->launched && ev->kind == EZ_EV_STOPPED && !ev->sig && !ev->number;
    s->launched &= !own;
    return own;
}

static bool event_silent(const struct ez_sess *s, const struct ez_event *ev)
{
    switch (ev->kind) {
    case EZ_EV_THREAD_NEW:
    case EZ_EV_THREAD_END:
        return !s->ui.thread_events;
    case EZ_EV_LIB_LOADED:
    case EZ_EV_LIB_UNLOADED:
        return true; /* a notice for each library is noise; `info sharedlibrary` lists them */
    default:
        return false;
    }
}

static void event_print(struct ez_sess *s, const struct ez_event *ev)
{
    switch (ev->kind) {
    case EZ_EV_STOPPED:
        event_stopped(s, ev);
        break;
    case EZ_EV_EXITED:
    case EZ_EV_SIGNALED:
    case EZ_EV_GONE:
        event_ended(s, ev);
        break;
    case EZ_EV_PASSED:
        out_line(s, "%s", "");
        out_line(s, "Program received signal %s, %s.", out_signal(s, ev->sig),
                 out_signal_text(ev->sig));
        break;
    case EZ_EV_THREAD_NEW:
        out_line(s, "[New Thread (LWP %d)]", ev->tid);
        break;
    case EZ_EV_THREAD_END:
        out_line(s, "[Thread (LWP %d) exited]", ev->tid);
        break;
    case EZ_EV_EXEC:
        out_line(s, "process %d is executing new program: %s", ev->tid, ev->text);
        break;
    case EZ_EV_PROBE:
        if (ev->status) { /* the probe was pending until now, and is refused */
            s->failed++;
            out_error(s, ez_err_new(EZ_E_REFUSED, 0, "%s", ev->text));
        } else {
            out_line(s, "%s", ev->text);
        }
        break;
    case EZ_EV_TRACE:
        out_line(s, "Recording to %s.", ev->text);
        break;
    case EZ_EV_LINE:
        out_text(s, ev->text);
        break;
    case EZ_EV_TRACE_LOST:
        s->failed++;
        out_error(s, ez_err_new(EZ_E_SYS, 0, "Trace lost: %s", ev->text));
        break;
    default:
        if (ev->text)
            out_line(s, "%s", ev->text);
    }
}

static const char *event_reason(const struct ez_event *ev)
{
    return ev->kind != EZ_EV_STOPPED ? NULL
           : ev->number              ? "probe"
           : ev->sig                 ? "signal"
                                     : "breakpoint";
}

/* Programs are told of each, silent ones too. */
static void event_tell(struct ez_sess *s, const struct ez_event *ev)
{
    struct ez_wire_held held;
    wire_event_begins(s, &held);
    if (!event_silent(s, ev))
        event_print(s, ev);
    if (s->mute && ev->kind == EZ_EV_STOPPED) /* a command's own stop */
        wire_event_is_none(s, &held);
    else
        wire_event_ends(s, ev, event_reason(ev), &held);
}

void sess_events(struct ez_sess *s)
{
    struct ez_event ev = { 0 };
    bool hidden = false;
    size_t kept = s->kept.n;
    while (ez_next_event(s->target, &ev)) {
        if (event_is_own(s, &ev)) {
            /* nobody's business */
        } else if (s->wire) {
            event_tell(s, &ev);
        } else if (!event_silent(s, &ev)) {
            if (!hidden && s->editing)
                s->editor->hide_line();
            hidden = true;
            event_print(s, &ev);
        }
        ez_event_clear(&ev);
        sess_forget(s, kept);
    }
    if (!hidden)
        return;
    out_flush(s);
    if (s->editing)
        s->editor->show_line();
}
