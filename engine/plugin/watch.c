/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watch.c - reports and disables fragments that fault, loop, or call their own routine. The program
 * continues without them.
 *
 * The buffer of a thread has the address of the running fragment's row (struct ezt_fragment), and
 * the number of its runs (ring_abi.h). The shell detects a fault when the fault's signal stops the
 * thread, before the program gets the signal. It detects a loop when a run lasts longer than `set
 * fragment-timeout`: the shell checks the buffers in each round of the drain thread. In both cases
 * the shell makes the thread return to the runtime, which continues as if the fragment had ended. A
 * lock that the fragment held stays locked for ever. A fragment that calls its own routine does no
 * harm: the runtime does not start a fragment inside another one, and reports the call.
 *
 * While the program runs in the background, the shell gets no signals, so the program gets the
 * signal of a fragment's fault.
 * Tests: tests/procs/spec.sh */
#include "engine/target.h"

#include <signal.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/thread.h"
#include "engine/probe/carry.h"
#include "engine/probe/probe_list.h"

static struct ez_buffer *watch_buffers(const struct ez_target *t)
{
    return (struct ez_buffer *)((char *)t->rt.hdr + t->rt.hdr->off_buffers);
}

/* Returns the routine whose row is at address `at`, and sets *s to its specification; NULL if there
 * is none. */
static struct ez_loaded_routine *watch_routine(const struct ez_target *t, uint64_t at,
                                               struct ez_loaded_spec **s)
{
    for (size_t i = 0; i < t->plugins.spec.n; i++) {
        *s = t->plugins.spec.at[i];
        for (size_t k = 0; (*s)->there && k < (*s)->routine.n; k++) {
            struct ez_loaded_routine *r = &(*s)->routine.at[k];
            if (!r->why && (*s)->table + r->row * sizeof(struct ezt_fragment) == at)
                return r;
        }
    }
    return NULL;
}

/* Sets `off` in a fragment's row, so that the runtime does not start the fragment again. */
static ez_err *watch_off(struct ez_target *t, uint64_t row)
{
    const uint64_t off = 1;
    return ez_mem_write(t, row + offsetof(struct ezt_fragment, off), &off, sizeof off,
                        "disable a fragment");
}

/* Makes a stopped thread leave its fragment, disables the fragment, and posts a note. Returns false
 * if the thread is not in a fragment, or if this fails. why: the note's verb, such as "received
 * SIGSEGV". */
static bool watch_end(struct ez_target *t, struct ez_thread *th, const char *why)
{
    struct ez_loaded_spec *s;
    struct ez_regs *live, r;
    const struct ez_buffer *l = watch_buffers(t), *end = l + t->rt.hdr->buffers_ready;
    while (l < end && !(l->tid == (uint32_t)th->tid && l->fragment))
        l++;
    struct ez_loaded_routine *of = l < end ? watch_routine(t, l->fragment, &s) : NULL;
    const struct ez_arch_rt *by = t->inf.arch->rt;
    if (!of || !by->end_fragment || !ez_err_drop(ez_thread_regs(th, &live)))
        return false;
    r = *live;
    by->end_fragment(&r, t->rt.blob + t->rt.bh->fragment_back, l->fragment_frame);
    if (!ez_err_drop(watch_off(t, l->fragment)) || !ez_err_drop(ez_thread_set_regs(th, &r)))
        return false;
    of->reported = true;
    ez_post_note(
        t, "The fragment of %s (specification %d) %s: it is disabled, and the program runs on.",
        of->function, s->number, why);
    EZ_PUSH(&t->plugins.disable, of->probe);
    return true;
}

/* Returns true if the thread's signal is SIGABRT, or a fault's that no process is known to have
 * sent. */
static bool watch_is_fault(const struct ez_thread *th)
{
    switch (th->sig) {
    case SIGABRT:
        return true;
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGTRAP:
    case SIGSYS:
        return !th->has_info || th->info.si_code > 0;
    }
    return false;
}

bool ez_specs_fault(struct ez_target *t, struct ez_thread *th)
{
    if (!t->plugins.spec.n || !t->rt.up || !watch_is_fault(th))
        return false;
    EZ_FREE char *why = ez_sprintf("received SIG%s", sigabbrev_np(th->sig));
    if (!watch_end(t, th, why))
        return false;
    th->sig = 0;
    th->has_info = false;
    return true;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* Returns the time in ms at which the shell first saw the run with number `runs` of the buffer's
 * thread: now if it is a new run. */
static double watch_since(struct ez_target *t, size_t buffer, uint64_t runs, double now)
{
    while (t->plugins.watched.n <= buffer)
        EZ_PUSH(&t->plugins.watched, ((struct ez_watched){ 0 }));
    struct ez_watched *w = &t->plugins.watched.at[buffer];
    if (w->runs != runs)
        *w = (struct ez_watched){ runs, now };
    return w->since;
}

static ez_err *watch_stop(struct ez_target *t, size_t buffer, uint64_t runs)
{
    const struct ez_buffer *l = watch_buffers(t) + buffer;
    enum ez_state was;
    EZ_TRY(ez_world_stop(t, &was));
    struct ez_thread *th = t->rt.up ? ez_thread_find(t, (pid_t)l->tid) : NULL;
    if (th && l->fragment && l->fragment_runs == runs)
        watch_end(t, th, "runs longer than \"set fragment-timeout\" allows");
    return ez_world_resume(t, was);
}

static ez_err *watch_loops(struct ez_target *t)
{
    const double now = ez_now_exact();
    for (size_t i = 1; t->rt.up && i < t->rt.hdr->buffers_ready; i++) {
        const struct ez_buffer *l = watch_buffers(t) + i;
        uint64_t runs = l->fragment_runs;
        if (l->fragment && now - watch_since(t, i, runs, now) > t->set.fragment_timeout * 1000.0)
            EZ_TRY(watch_stop(t, i, runs));
    }
    return NULL;
}

/* ---- fragments that call their own routines -------------------------------------------------- */

void ez_specs_recursed(struct ez_target *t)
{
    for (size_t i = 0; i < t->plugins.spec.n; i++) {
        const struct ez_loaded_spec *s = t->plugins.spec.at[i];
        EZ_FREE struct ez_probe **probe = ez_spec_probes(t, s);
        for (size_t k = 0; k < s->routine.n; k++) {
            struct ez_loaded_routine *r = &s->routine.at[k];
            struct ez_probe *p = probe[k];
            if (p)
                ez_probe_collect(t, p);
            if (r->reported || !p || !p->ran.off)
                continue;
            r->reported = true;
            EZ_PUSH(&t->plugins.disable, r->probe);
            ez_post_note(
                t,
                "The fragment of %s (specification %d) calls %s itself: it is disabled, and the "
                "program runs on.",
                r->function, s->number, r->function);
        }
    }
}

/* Disables the probes of disabled fragments. If the process ends in the meantime,
 * ez_specs_process_ended() disables the remaining probes. */
static ez_err *watch_disable(struct ez_target *t)
{
    while (t->plugins.disable.n) {
        const int number = t->plugins.disable.at[0];
        ez_err *e = ez_probe_numbered(t, number)
                        ? ez_probe_enable(t, &(struct ez_numbers){ number, number }, 1, false)
                        : NULL;
        if (t->inf.state == EZ_NONE) {
            ez_err_free(e);
            return NULL;
        }
        EZ_TRY(e);
        /* removes the first element; ez_probe_enable() may have appended others */
        t->plugins.disable.n--;
        memmove(t->plugins.disable.at, t->plugins.disable.at + 1,
                t->plugins.disable.n * sizeof *t->plugins.disable.at);
    }
    return NULL;
}

ez_err *ez_specs_look(struct ez_target *t)
{
    if (!t->plugins.spec.n || !t->rt.up || t->inf.state == EZ_NONE)
        return NULL;
    if (t->set.fragment_timeout)
        EZ_TRY(watch_loops(t));
    if (t->rt.up && t->plugins.requests != t->rt.hdr->requests)
        ez_specs_recursed(t);
    if (t->rt.up)
        t->plugins.requests = t->rt.hdr->requests;
    return watch_disable(t);
}
