/* SPDX-License-Identifier: GPL-3.0-or-later */
/* anchor.c - inject a system call so that the death of the shell does no harm.
 *
 * A thread that runs an injected call has foreign registers until we put its own back.
 * Killed in between, we would leave it with them, and a single-stepped thread with the
 * trap flag besides. So, once the runtime is mapped, the call is made from a block at the
 * end of its code, the *anchor*: a system call instruction, then code that loads every
 * register from the block and jumps to where the thread was. With us alive it never gets
 * beyond the first instruction: PTRACE_SYSCALL stops it before and behind the call, and
 * its registers are put back in a stop from which the kernel restarts what was
 * interrupted. Without us it helps itself; a call that was interrupted begins anew.
 *
 * Signals are held back meanwhile: under a timer of some kHz one comes before each call.
 * The block knows which were held back before. One that came with our stop, before they
 * were, undoes the attempt (*done false): the caller uses the old way.
 * Before the runtime is there the block is *borrowed*: the zeros behind the last section
 * of some file's code, in its last executable page, which nothing reads or runs. They are
 * zeros again when the call is done; what a shell that died meanwhile left is wiped at the
 * next attach. Where no file has so many, the old way is all there is.
 * Invariant: at each of our system calls the thread, let go of, ends where it was.
 * Tests: tests/unit/arch/check_anchor.c, tests/procs/sweep.sh (DIE) */
#include <string.h>
#include <sys/wait.h>

#include "engine/pt.h"
#include "engine/stop.h"

#define TRIES 64

uint64_t ez_anchor_at(const struct ez_runtime *rt)
{
    return rt->image_size <= EZ_RT_STATE - EZ_ANCHOR_BYTES
               ? rt->blob + EZ_RT_STATE - EZ_ANCHOR_BYTES
               : 0;
}

/* ---- where ---------------------------------------------------------------------------- */

/* The end of a file's code: is it behind all sections? */
static bool behind_sections(struct ez_target *t, const struct ez_map *m, uint64_t at)
{
    struct ez_module *mod = ez_module_at(t, at);
    uint8_t byte;
    if (strcmp(m->perm, "r-xp") || !m->inode || !mod || !mod->obj || m->hi - m->lo < EZ_PAGE)
        return false;
    for (uint64_t i = 0; i < EZ_ANCHOR_BYTES; i += 8)
        if (ez_object_read_text(mod->obj, at + i - mod->bias, &byte, 1))
            return false;
    return true;
}

static bool looks_like_ours(const uint8_t *block)
{
    return !memcmp(block, "\x0f\x05\xb8\x0e", 4);
}

/* The first place where so many zeros, or a block of ours (`left`), stand. 0 = none. */
static uint64_t find_place(struct ez_target *t, bool left)
{
    static const uint8_t zeros[EZ_ANCHOR_BYTES];
    struct ez_maps maps;
    uint64_t found = 0;
    if (!ez_err_drop(ez_maps_read(t->pid, &maps)))
        return 0;
    for (size_t i = 0; i < maps.map.n && !found; i++) {
        const struct ez_map *m = &maps.map.at[i];
        uint64_t at = m->hi - EZ_ANCHOR_BYTES;
        uint8_t live[EZ_ANCHOR_BYTES];
        if (behind_sections(t, m, at) &&
            ez_mem_read_some(t, at, live, sizeof live) == sizeof live &&
            (left ? looks_like_ours(live) : !memcmp(live, zeros, sizeof live)))
            found = at;
    }
    ez_maps_free(&maps);
    return found;
}

static ez_err *wipe(struct ez_target *t, uint64_t at)
{
    static const uint8_t zeros[EZ_ANCHOR_BYTES];
    ez_err *e;
    EZ_TWICE(e, ez_mem_write(t, at, zeros, sizeof zeros, "give borrowed bytes back"));
    return e;
}

/* A thread that an earlier shell left there needs what stands there. */
static bool in_use(struct ez_target *t, uint64_t at)
{
    for (size_t i = 0; i < t->thread.n; i++) {
        struct ez_regs *r;
        if (!t->thread.at[i]->stopped || !ez_err_drop(ez_thread_regs(t->thread.at[i], &r)) ||
            t->arch->pc(r) - at < EZ_ANCHOR_BYTES)
            return true;
    }
    return false;
}

uint64_t ez_anchor_for(struct ez_target *t, const struct ez_thread *th)
{
    if (!th->stopped || th->sig || th->group_stop)
        return 0;
    uint64_t at = t->rt.anchor ? t->rt.anchor : find_place(t, false);
    return at && !in_use(t, at) ? at : 0;
}

ez_err *ez_anchor_tidy(struct ez_target *t)
{
    uint64_t at = find_place(t, true);
    return at && !in_use(t, at) ? wipe(t, at) : NULL;
}

/* ---- the call --------------------------------------------------------------------------- */

/* To the next stop at a system call. *there false: a signal came first. */
static ez_err *to_syscall(struct ez_target *t, struct ez_thread *th, bool *there, const char *why)
{
    *there = false;
    for (int i = 0; i < TRIES; i++) {
        enum ez_meaning what;
        ez_err *e;
        EZ_TWICE(e, pt_syscall(th->tid, 0, why));
        EZ_TRY(e);
        EZ_TRY(ez_thread_report(t, th, &what, why));
        *there = what == SYSCALL;
        if (*there || what == SIGNAL)
            return NULL;
    }
    return ez_err_new(EZ_E_TIMEOUT, 0, "thread %d does not come to the system call (%s)", th->tid,
                      why);
}

static ez_err *through(struct ez_target *t, struct ez_thread *th, int64_t *result, bool *done,
                       const char *why)
{
    struct ez_regs *live;
    bool there;
    ez_err *e;
    *done = true;
    EZ_TRY(to_syscall(t, th, done, why));
    if (!*done)
        return NULL;
    EZ_TRY(to_syscall(t, th, &there, why));
    EZ_TWICE(e, ez_thread_regs(th, &live));
    EZ_TRY(e);
    *result = t->arch->result(live);
    return there ? ez_thread_border(t, th, why) : NULL;
}

/* The thread stands before the call: from here on it can help itself. */
static ez_err *undisturbed(struct ez_target *t, struct ez_thread *th, uint64_t mask,
                           int64_t *result, bool *done, const char *why)
{
    ez_err *e = pt_setsigmask(th->tid, EZ_HOLD, "hold signals back");
    if (!e)
        e = through(t, th, result, done, why);
    return ez_signals_come(th, mask, e);
}

ez_err *ez_anchor_inject(struct ez_target *t, struct ez_thread *th, uint64_t at, long nr,
                         const uint64_t arg[6], int64_t *result, bool *done, const char *why)
{
    struct ez_regs *live, saved, r;
    uint8_t block[EZ_ANCHOR_BYTES];
    uint64_t mask;
    *done = true;
    EZ_TRY(ez_thread_regs(th, &live));
    EZ_TRY(pt_getsigmask(th->tid, &mask, "see which signals are held back"));
    saved = r = *live;
    t->arch->anchor(block, &saved, mask);
    EZ_TRY(ez_mem_write(t, at, block, sizeof block, why));
    t->arch->prepare_syscall(&r, at, nr, arg);
    ez_err *back, *e;
    EZ_TWICE(e, ez_thread_set_regs(th, &r));
    if (!e)
        e = undisturbed(t, th, mask, result, done, why);
    if (e && e->code == EZ_E_GONE)
        return e;
    EZ_TWICE(back, ez_thread_set_regs(th, &saved));
    if (!back && at != t->rt.anchor)
        back = wipe(t, at);
    if (e)
        ez_err_drop(back);
    return e ? e : back;
}
