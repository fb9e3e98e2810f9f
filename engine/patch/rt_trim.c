/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rt_trim.c - unmaps the runtime from the process at a detach.
 *
 * A thread may still be in the runtime, or enter it later: by a return address, a saved context, or
 * a pointer of the program. If no register and no memory of the process refers to the runtime
 * (rt_refer.c), all of it is unmapped, and the process has the same mappings as before the attach.
 * The stacks of fragments (engine/rt/rt_fragment.c) and of the threads that loaded modules are
 * unmapped, too.
 *
 * Otherwise the runtime stays mapped, except for the parts that no thread can use, which are most
 * of it:
 *  - tables of buffers that no shell has prepared, because threads use only prepared buffers;
 *  - return thunks behind the last one in use.
 * Without unmapping, each attach would use another 232 GiB of address space, and 32 MiB of the
 * addresses within reach of the program's jumps. What stays mapped is described for later shells
 * (rt_sweep.c).
 * Errors: EZ_E_GONE. A part that cannot be unmapped stays mapped.
 * Tests: tests/procs/again.sh */
#include "engine/target.h"
#include "engine/patch/rt_extent.h"

size_t ez_pool_used(const struct ez_pool *p, bool code)
{
    size_t n = code ? EZ_MAX(p->coded, p->thunk.n) : p->thunk.n;
    return EZ_ROUND_UP(n * EZ_RETURN_THUNK, EZ_PAGE);
}

/* Unmaps a table of a pool (the thunks' code, or their data words) behind its first `used`
 * bytes. */
static ez_err *trim_thunks(struct ez_target *t, uint64_t table, size_t used)
{
    return ez_rt_unmap(t, table + used, EZ_RETURN_THUNK_DIST - used);
}

static ez_err *trim_pool(struct ez_target *t, const struct ez_pool *p)
{
    uint64_t code = p->base + EZ_POOL_THUNKS;
    EZ_TRY(trim_thunks(t, code, ez_pool_used(p, true)));
    return trim_thunks(t, code + EZ_RETURN_THUNK_DIST, ez_pool_used(p, false));
}

/* Returns true if a hook is still planted because open calls need it: the hook for unwinders, which
 * reads whole pools. The next shell finds this hook and adopts the runtime. */
static bool trim_hooked(const struct ez_target *t)
{
    return ez_sites_planted(t, false);
}

static ez_err *trim_all(struct ez_target *t, const struct ez_extent *x)
{
    struct ez_drain_part none[EZ_DRAIN_PARTS];
    t->rt.trimmed = true;
    ez_drain_no_more_buffers(t->tracing.drain, none);
    return ez_extent_unmap(t, x);
}

/* Returns why eztsh's code must stay mapped, if it is known without a search, else
 * EZ_REFER_NONE. */
static enum ez_refer trim_known(struct ez_target *t)
{
    if (t->rt.unknown || t->rt.traps_on || ez_sites_planted(t, true))
        return EZ_REFER_LASTING;
    return trim_hooked(t) || ez_calls_open(t) ? EZ_REFER_PASSING : EZ_REFER_NONE;
}

ez_err *ez_rt_clear(struct ez_target *t, enum ez_refer *left)
{
    struct ez_extent x;
    *left = t->rt.up ? trim_known(t) : EZ_REFER_NONE;
    if (!t->rt.up || *left != EZ_REFER_NONE)
        return NULL;
    ez_extent_of(t, &x);
    *left = ez_extent_referred(t, &x);
    ez_err *e = *left == EZ_REFER_NONE ? trim_all(t, &x) : NULL;
    ez_extent_free(&x);
    return e;
}

/* The drain thread has made its last round, so rt_load.c may free the memory of the rings. */
static ez_err *trim_parts(struct ez_target *t)
{
    struct ez_drain_part part[EZ_DRAIN_PARTS];
    t->rt.trimmed = true;
    ez_drain_no_more_buffers(t->tracing.drain, part);
    for (size_t i = 0; i < EZ_DRAIN_PARTS; i++)
        EZ_TRY(ez_rt_unmap(t, t->rt.seg + part[i].off, part[i].size));
    for (unsigned i = 0; i < t->rt.npools; i++)
        EZ_TRY(trim_pool(t, &t->rt.pool[i]));
    return ez_rt_stacks_free(t);
}

ez_err *ez_rt_trim(struct ez_target *t)
{
    if (!t->rt.up)
        return NULL;
    if (!trim_hooked(t))
        EZ_TRY(trim_parts(t));
    ez_rt_describe(t);
    return NULL;
}
