/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rseq.c - restartable sequences: code that the kernel restarts when the thread is interrupted in
 * it (rseq(2)).
 *
 * Why: The kernel recognizes a sequence by the addresses of its instructions. If instructions were
 *     moved to a trampoline, the kernel would not restart them, and updates would be lost silently.
 * Which: The sequences of the section __rseq_cs, and those that a stopped thread has registered.
 * Rule: No patch region includes the instructions of a sequence, or the instruction before the
 *     first (which registers the sequence: if the thread is interrupted in a trampoline after that,
 *     the kernel forgets the sequence), or the signature before the abort address. The abort
 *     address is not in the middle of a patch region.
 *
 * A thread that is stopped in a sequence must not be moved elsewhere and back: the kernel would see
 * a pc outside of the sequence, and forget the sequence. ez_rseq_leave() aborts the sequence, as
 * the kernel does anyway when the thread resumes.
 * Source: Linux, include/uapi/linux/rseq.h
 * Tests: tests/fault/check_rseq.sh */
#include <string.h>

#include "engine/inferior/pt.h"
#include "engine/target.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/rseq.h"
#include "engine/inferior/thread.h"

#define SIGNATURE 4 /* bytes before the abort address */
#define MOST 1000   /* maximum number of stored sequences that threads registered */

struct descriptor { /* struct rseq_cs */
    uint32_t version, flags;
    uint64_t start, length, abort;
};
#define REGISTERED 8 /* offset in struct rseq of a descriptor's address */

void ez_rseq_module(struct ez_target *t, struct ez_module *m)
{
    uint64_t lo, hi, length;
    const size_t each = sizeof(struct descriptor), words = offsetof(struct descriptor, start);
    if (!ez_object_named(m->obj, "__rseq_cs", &lo, &hi))
        return;
    lo += m->bias;
    hi += m->bias;
    for (size_t i = 0; i < m->pointer.n && m->cs.n < MOST;
         /* start and abort are read from the file's relocations, because the loader may not have
          * applied them yet */
         i++) {
        struct ez_pointer start = m->pointer.at[i];
        if (start.at < lo || start.at >= hi || (start.at - lo) % each != words ||
            ez_mem_read_some(t, start.at + 8, &length, 8) != 8)
            continue;
        struct ez_cs cs = { start.to, start.to + length, 0 };
        for (size_t k = 0; k < m->pointer.n; k++)
            if (m->pointer.at[k].at == start.at + 16)
                cs.abort = m->pointer.at[k].to;
        EZ_PUSH(&m->cs, cs);
    }
}

/* Returns true if the stopped thread has registered a sequence, and sets *cs to it. */
static bool rseq_registered(struct ez_target *t, const struct ez_thread *th, struct ez_cs *cs)
{
    uint64_t area, at;
    uint32_t size;
    struct descriptor d;
    if (!ez_err_drop(pt_rseq_area(th->tid, &area, &size, "find its restartable sequences")) ||
        !area || ez_mem_read_some(t, area + REGISTERED, &at, sizeof at) != sizeof at || !at ||
        ez_mem_read_some(t, at, &d, sizeof d) != sizeof d)
        return false;
    *cs = (struct ez_cs){ d.start, d.start + d.length, d.abort };
    return true;
}

/* Stores a sequence, because a thread may register it again. */
static void rseq_remember(struct ez_target *t, struct ez_cs cs)
{
    for (size_t i = 0; i < t->inf.cs.n; i++)
        if (!memcmp(&t->inf.cs.at[i], &cs, sizeof cs))
            return;
    if (t->inf.cs.n < MOST)
        EZ_PUSH(&t->inf.cs, cs);
}

void ez_rseq_look(struct ez_target *t)
{
    struct ez_cs cs;
    for (size_t i = 0; i < t->inf.thread.n; i++)
        if (t->inf.thread.at[i]->stopped && rseq_registered(t, t->inf.thread.at[i], &cs))
            rseq_remember(t, cs);
}

static bool rseq_spoils(const struct ez_cs *cs, uint64_t lo, uint64_t hi)
{
    return (lo < cs->end && hi >= cs->start) || (lo < cs->abort && hi > cs->abort - SIGNATURE);
}

bool ez_rseq_has(const struct ez_target *t, const struct ez_module *m, uint64_t lo, uint64_t hi)
{
    bool bad = false;
    for (size_t i = 0; i < t->inf.cs.n; i++)
        bad |= rseq_spoils(&t->inf.cs.at[i], lo, hi);
    for (size_t i = 0; m && i < m->cs.n; i++)
        bad |= rseq_spoils(&m->cs.at[i], lo, hi);
    return bad;
}

ez_err *ez_rseq_spared(const struct ez_target *t, const struct ez_site *s)
{
    const struct ez_patch_region *w = &s->win;
    uint64_t hi = w->site + EZ_MAX(w->len + w->padding, w->jump);
    return ez_rseq_has(t, s->mod, w->site, hi)
               ? ez_err_new(EZ_E_REFUSED, 0, "a restartable sequence is among its first bytes")
               : NULL;
}

ez_err *ez_rseq_leave(struct ez_target *t, struct ez_thread *th)
{
    struct ez_regs *live, r;
    struct ez_cs cs;
    EZ_TRY(ez_thread_regs(th, &live));
    uint64_t pc = t->inf.arch->regs.pc(live);
    if (!rseq_registered(t, th, &cs) || pc < cs.start || pc >= cs.end)
        return NULL;
    rseq_remember(t, cs);
    r = *live;
    t->inf.arch->regs.set_pc(&r, cs.abort);
    return ez_thread_set_regs(th, &r);
}
