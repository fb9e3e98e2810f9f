/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event.c - prints the target's events, in gdb's words.
 *
 * Events arrive while the shell waits for the target and while the user types a line. In the second
 * case the editor's line is hidden before an event is printed.
 * Tests: tests/e2e/life.ezt, tests/e2e/background.ezt */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "shell/hooks.h"
#include "shell/loop.h"
#include "engine/dwarf/srcline.h"
#include "engine/probe/why.h"
#include "shell/out.h"
#include "shell/sess.h"
#include "shell/wire.h"

/* If pc is in one of eztsh's trampolines, prints which instruction of the program runs there, or
 * that eztsh's own code does. Returns false if pc is in no trampoline. */
static bool event_trampoline_frame(struct ez_sess *s, ez_addr pc)
{
    ez_addr origin;
    int probe;
    if (!ez_trampoline_origin(s->target, pc, &origin, &probe))
        return false;
    const char *whose = probe ? sess_format(s, ", probe %d", probe) : "";
    if (origin.v)
        out_line(s, "%s in relocated %s%s", out_addr16(s, pc.v), out_sym(s, origin.v), whose);
    else
        out_line(s, "%s in eztsh's own code%s", out_addr16(s, pc.v), whose);
    return true;
}

void sess_frame(struct ez_sess *s, const char *lead)
{
    ez_addr pc;
    if (s->program.no_stop_frames || !ez_err_drop(ez_pc(s->target, &pc)))
        return;
    if (!ez_symbolize(s->target, pc, NULL, NULL) && event_trampoline_frame(s, pc))
        return;
    hooks_stops->frame(s, lead);
}

/* ---- a stop ----------------------------------------------------------------------- */

static void event_note_current(const struct ez_thread_info *t, void *arg)
{
    if (t->current)
        *(int *)arg = t->tid;
}

/* Writes the JSON event of the stop. Members that notify() left empty get the values of the current
 * thread. */
static void event_stop_ends(struct ez_sess *s, struct ez_stop *stop, struct ez_wire_held *held)
{
    if (!stop->tid)
        ez_err_drop(ez_threads(s->target, event_note_current, &stop->tid));
    hooks_stops->place(s, stop);
    const struct ez_event ev = { .kind = EZ_EV_STOPPED,
                                 .tid = stop->tid,
                                 .sig = stop->sig,
                                 .number = stop->number,
                                 .addr = stop->addr };
    wire_event_ends(s, &ev, stop, held);
}

void sess_print_stop(struct ez_sess *s,
                     void (*notify)(struct ez_sess *s, struct ez_stop *out, const void *arg),
                     const void *arg)
{
    struct ez_stop stop = { .reason = NULL };
    struct ez_wire_held held;
    bool wire = s->wire && !s->out.mute; /* with `mute`, the stop is part of a command's work and is
                                          * not reported */
    if (wire)
        wire_event_begins(s, &held);
    notify(s, &stop, arg);
    s->program.stopped |= stop.reason != NULL;
    if (stop.reason && !stop.silent)
        hooks_call(s, SHELL_STOP_REPORTED);
    if (wire && stop.reason)
        event_stop_ends(s, &stop, &held);
    else if (wire)
        wire_event_is_none(s, &held);
}

ez_err *sess_after_stop(struct ez_sess *s, ez_err *e)
{
    if (!e && s->program.stopped)
        e = hooks_words->hook(s, "hook-", "stop");
    s->program.stopped = false;
    hooks_call(s, SHELL_STOP_DONE);
    return e;
}

static void event_interrupted(struct ez_sess *s, struct ez_stop *stop, const void *arg)
{
    stop->reason = "signal";
    stop->sig = s->program.stop_signal = SIGINT;
    out_line(s, "%s", "");
    out_line(s, "%s received signal SIGINT, Interrupt.", hooks_stops->who(s, "Program", ""));
    sess_frame(s, "");
}

void sess_interrupted(struct ez_sess *s)
{
    /* A process that is not stopped has ended, and the event of its end reports the exit. */
    if (ez_target_state(s->target) == EZ_STOPPED)
        sess_print_stop(s, event_interrupted, NULL);
}

/* ---- the end of a process ------------------------------------------------------- */

static void event_name_unresolved(const struct ez_probe_info *p, void *arg)
{
    struct ez_sess *s = arg;
    /* The replacement function (`replace ... with FUNCTION`) was not found, even if the replaced
     * function was found. */
    bool other = p->spec->with && p->missed;
    if (p->state != EZ_PROBE_PENDING || (*p->function && !other) || p->entries || p->exits ||
        p->optional)
        /* not pending, or optional, or resolved before and waiting for the next run or for its
         * library */
        return;
    s->end.failed++;
    const char *why = *p->reason ? p->reason
                      : *p->function
                          ? sess_format(s, "no loaded file has a function %s.", p->spec->with)
                          : "no loaded file has a function of that name.";
    out_error(s, ez_err_new(EZ_E_NOTFOUND, 0, "%s %d (%s) never resolved: %s",
                            p->spec->with ? "Replacement" : "Probe", p->number, p->spec->location,
                            why));
}

void sess_unresolved(struct ez_sess *s)
{
    ez_probes(s->target, event_name_unresolved, s);
}

void sess_epilogue(struct ez_sess *s)
{
    struct ez_trace_info t = { 0 };
    ez_trace_info(s->target, &t);
    const struct ez_accounting *l = &t.accounting;
    const char *whose = t.path ? sess_format(s, "Trace %s: ", t.path) : "";
    if (t.path || l->hits)
        out_accounting(s, whose, l);
    if (t.earlier.hits)
        out_accounting(s, "Before this shell: ", &t.earlier);
    if (l->unhooked)
        out_line(s, "The exits of %llu calls could not be followed.",
                 (unsigned long long)l->unhooked);
    sess_unresolved(s);
    hooks_call(s, SHELL_PROGRAM_GONE);
    s->program.stop_signal = 0;
}

static void event_ended(struct ez_sess *s, const struct ez_event *ev)
{
    int pid = ev->tid ? ev->tid : ez_target_pid(s->target);
    s->program.status = -1;
    s->program.killed_by = ev->kind == EZ_EV_SIGNALED ? ev->sig : 0;
    if (ev->kind == EZ_EV_EXITED && ev->status)
        out_line(s, "[Inferior 1 (process %d) exited with code %02o]", pid, ev->status);
    else if (ev->kind == EZ_EV_EXITED)
        out_line(s, "[Inferior 1 (process %d) exited normally]", pid);
    else if (ev->kind == EZ_EV_GONE)
        out_line(s, "[Inferior 1 (process %d) ended; only its parent receives its status]", pid);
    else {
        out_line(s, "%s", "");
        out_line(s, "Program terminated with signal %s, %s.", out_signal(s, ev->sig),
                 out_signal_text(ev->sig));
        out_line(s, "The program no longer exists.");
    }
    if (ev->kind != EZ_EV_GONE)
        s->program.status = ev->kind == EZ_EV_EXITED ? ev->status : 128 + ev->sig;
    sess_epilogue(s);
}

/* ---- other events ----------------------------------------------------------------- */

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

/* Prints "Thread 2 hit probe 3, f (n=5) at t.c:4". */
static void event_hit(struct ez_sess *s, const struct ez_event *ev)
{
    struct event_number q = { .tid = ev->tid };
    struct ez_module_info m = { 0 };
    uint64_t off;
    const char *file, *where = "";
    unsigned line;
    const struct ez_sym *sym = ez_symbolize(s->target, ez_addr_of(ev->addr), &off, &m);
    ez_err_drop(ez_threads(s->target, event_find_thread, &q));
    if (m.obj && ez_srcline_at(m.obj, ev->addr - m.bias, &file, &line))
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

static void event_stopped(struct ez_sess *s, struct ez_stop *stop, const void *arg)
{
    const struct ez_event *ev = arg;
    s->program.stop_signal = stop->sig = ev->sig;
    stop->number = ev->number;
    stop->tid = ev->tid;
    out_line(s, "%s", "");
    if (ev->number) {
        stop->reason = "probe";
        stop->addr = ev->addr;
        event_hit(s, ev);
    } else if (ev->sig) {
        stop->reason = "signal";
        out_line(s, "%s received signal %s, %s.", hooks_stops->who(s, "Program", ""),
                 out_signal(s, ev->sig), out_signal_text(ev->sig));
        sess_frame(s, "");
    } else if (ev->status) {
        stop->reason = "exec";
        out_line(s, "%s", "The new program is ready to run.");
    } else {
        stop->reason = "breakpoint";
        sess_frame(s, "Temporary breakpoint 1, ");
    }
}

/* Returns true for a stop at main at which the shell only arms breakpoints; `run` then continues
 * the program. */
static bool event_is_own(struct ez_sess *s, const struct ez_event *ev)
{
    bool own =
        s->program.launched && ev->kind == EZ_EV_STOPPED && !ev->sig && !ev->number && !ev->status;
    s->program.launched &= !own;
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
        sess_print_stop(s, event_stopped, ev);
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
    case EZ_EV_FORKED:
        out_line(s, "[Process %d forked: child process %d is held]", ev->number, ev->tid);
        break;
    case EZ_EV_PROBE:
        if (ev->status) { /* the probe was pending until now, and is refused */
            s->end.failed++;
            out_error(s, ez_err_new(EZ_E_REFUSED, 0, "%s", ev->text));
        } else {
            out_line(s, "%s", ev->text);
        }
        break;
    case EZ_EV_TRACE:
        EZ_PUSH(&s->program.trace, ez_strdup(ev->text));
        out_line(s, "Recording to %s.", ev->text);
        break;
    case EZ_EV_LINE:
        out_text(s, ev->text);
        break;
    case EZ_EV_TRACE_LOST:
        s->end.failed++;
        out_error(s, ez_err_new(EZ_E_SYS, 0, "Trace lost: %s", ev->text));
        break;
    default:
        if (ev->text)
            out_line(s, "%s", ev->text);
    }
}

/* Prints one event for the JSON interface, which gets every event, also those without a line of
 * text. */
static void event_print_one(struct ez_sess *s, const struct ez_event *ev)
{
    struct ez_wire_held held;
    if (ev->kind == EZ_EV_STOPPED) {
        event_print(s, ev);
        return;
    }
    wire_event_begins(s, &held);
    if (!event_silent(s, ev))
        event_print(s, ev);
    wire_event_ends(s, ev, NULL, &held);
}

/* Runs hook-stop and the breakpoint's commands, for a stop that no running command waits for. */
static void event_after_stop(struct ez_sess *s)
{
    struct ez_wire_held held;
    if (s->wire)
        wire_event_begins(s, &held);
    s->run.nested++;
    ez_err *e = sess_after_stop(s, NULL);
    s->run.nested--;
    if (e)
        out_error(s, e);
    if (s->wire)
        wire_event_is_note(s, &held);
}

/* Handles a stop of the program in the background. hidden: the editor's line is hidden already.
 * Returns false if the program continues because the stop is not reported (a breakpoint's condition
 * is false). */
static bool event_moved(struct ez_sess *s, bool hidden)
{
    ez_err *e = NULL;
    if (hooks_stops->go_on(s, &e))
        return false;
    s->program.afar = false;
    if (!hidden && s->in.editing)
        s->in.editor->hide_line();
    if (e)
        out_error(s, e);
    s->program.moving = true;
    sess_print_stop(s, hooks_stops->notify, NULL);
    s->program.moving = false;
    if (!s->run.nested)
        event_after_stop(s);
    return true;
}

#define AT_ONCE 512 /* maximum number of events that one call of sess_events() prints */

/* Returns true if sess_events() must return after `printed` events: the output has no reader any
 * more, or AT_ONCE events are printed and the program runs. It may cause events faster than the
 * terminal prints them, but the loop must serve other sources, too. */
static bool event_enough(const struct ez_sess *s, unsigned printed)
{
    enum ez_state is = ez_target_state(s->target);
    return s->end.unread || (printed >= AT_ONCE && (is == EZ_RUNNING || is == EZ_BACKGROUND));
}

void sess_events(struct ez_sess *s)
{
    struct ez_event ev = { 0 };
    bool hidden = false;
    size_t kept = s->kept.n;
    for (unsigned n = 0; !event_enough(s, n) && ez_next_event(s->target, &ev); n++) {
        if (event_is_own(s, &ev)) {
            /* a stop that `run` needed to arm breakpoints: nothing to print */
        } else if (s->wire) {
            event_print_one(s, &ev);
        } else if (!event_silent(s, &ev)) {
            if (!hidden && s->in.editing)
                s->in.editor->hide_line();
            hidden = true;
            event_print(s, &ev);
        }
        ez_event_clear(&ev);
        sess_forget(s, kept);
    }
    if (s->program.afar && ez_target_state(s->target) != EZ_RUNNING)
        hidden |= event_moved(s, hidden);
    if (!hidden)
        return;
    out_flush(s);
    if (s->in.editing)
        s->in.editor->show_line();
}
