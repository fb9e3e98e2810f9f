/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rt_trim.c - at a detach: gives back what no thread of the target can reach any more.
 *
 * The runtime stays in the process, for a thread may still be in it, or return through it (a frame, a context that was
 * put aside, a pointer that the program keeps): nobody can tell. But most of its addresses were reserved for threads
 * that were never born and for probes that were never planted, and these nothing leads to:
 *  - tables of lanes that were not ready: a thread takes a ready one, and only a shell makes one ready;
 *  - return thunks behind the last one that was made.
 * Without that each attach would take 232 GiB of addresses, and 32 MiB of those that jumps near the program reach.
 * Errors: none, but for a process that is gone; what cannot be given back stays.
 * Tests: tests/procs/again.sh */
#include "engine/target.h"

#include <sys/syscall.h>

static ez_err *trim_part(struct ez_target *t, uint64_t at, uint64_t size)
{
    int64_t r;
    if (!size)
        return NULL;
    ez_err *e = ez_inject_syscall(t, ez_inject_thread(t), SYS_munmap, (uint64_t[6]){ at, size }, &r,
                                  "give addresses back");
    if (e && e->code == EZ_E_GONE)
        return e;
    return ez_err_drop(e), NULL;
}

/* From byte `used` on up to the next table, or to the pool's end. */
static ez_err *trim_thunks(struct ez_target *t, uint64_t table, size_t used)
{
    used = EZ_ROUND_UP(used * EZ_RETURN_THUNK, EZ_PAGE);
    return trim_part(t, table + used, EZ_RETURN_THUNK_DIST - used);
}

static ez_err *trim_pool(struct ez_target *t, const struct ez_pool *p)
{
    uint64_t code = p->base + EZ_POOL_THUNKS;
    EZ_TRY(trim_thunks(t, code, EZ_MAX(p->coded, p->thunk.n)));
    return trim_thunks(t, code + EZ_RETURN_THUNK_DIST, p->thunk.n);
}

/* A hook that open calls need stays: the unwinder's, which knows all of a pool, and with which the next shell takes the
 * runtime over. */
static bool trim_hooked(const struct ez_target *t)
{
    for (size_t i = 0; i < t->patcher.site.n; i++) {
        const struct ez_site *s = &t->patcher.site.at[i];
        if (s->current >= 0 && s->mod && !s->lost)
            return true;
    }
    return false;
}

ez_err *ez_rt_trim(struct ez_target *t)
{
    struct ez_drain_part part[EZ_DRAIN_PARTS];
    if (!t->rt.up || trim_hooked(t))
        return NULL;
    t->rt.trimmed = true; /* the memory of the rest goes after the drain's last round */
    ez_drain_no_more_lanes(t->tracing.drain, part);
    for (size_t i = 0; i < EZ_DRAIN_PARTS; i++)
        EZ_TRY(trim_part(t, t->rt.seg + part[i].off, part[i].size));
    for (unsigned i = 0; i < t->rt.npools; i++)
        EZ_TRY(trim_pool(t, &t->rt.pool[i]));
    return NULL;
}
