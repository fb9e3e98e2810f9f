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
 * addresses within reach of the program's jumps.
 * Errors: EZ_E_GONE. A part that cannot be unmapped stays mapped.
 * Tests: tests/procs/again.sh */
#include "engine/target.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/restorer.h"
#include "engine/inferior/thread.h"

#include <stdlib.h>

/* Unmaps a table of a pool (the thunks' code, or their data words) behind the first `used`
 * thunks. */
static ez_err *trim_thunks(struct ez_target *t, uint64_t table, size_t used)
{
    used = EZ_ROUND_UP(used * EZ_RETURN_THUNK, EZ_PAGE);
    return ez_rt_unmap(t, table + used, EZ_RETURN_THUNK_DIST - used);
}

static ez_err *trim_pool(struct ez_target *t, const struct ez_pool *p)
{
    uint64_t code = p->base + EZ_POOL_THUNKS;
    EZ_TRY(trim_thunks(t, code, EZ_MAX(p->coded, p->thunk.n)));
    return trim_thunks(t, code + EZ_RETURN_THUNK_DIST, p->thunk.n);
}

static bool trim_planted(const struct ez_target *t, bool lost)
{
    for (size_t i = 0; i < t->patcher.site.n; i++)
        if (ez_site_planted(&t->patcher.site.at[i]) && t->patcher.site.at[i].lost == lost)
            return true;
    return false;
}

/* Returns true if a hook is still planted because open calls need it: the hook for unwinders, which
 * reads whole pools. The next shell finds this hook and adopts the runtime. */
static bool trim_hooked(const struct ez_target *t)
{
    return trim_planted(t, false);
}

/* Returns true if the target or another tool has changed the bytes of a patch, so that eztsh could
 * not remove it. The target or tool may later write eztsh's jump back. */
static bool trim_lost(const struct ez_target *t)
{
    return trim_planted(t, true);
}

typedef EZ_VEC(struct ez_range) ranges;

static void trim_note(ranges *all, uint64_t at, uint64_t size)
{
    if (size)
        EZ_PUSH(all, ((struct ez_range){ at, at + size }));
}

static int trim_order(const void *a, const void *b)
{
    const struct ez_range *x = a, *y = b;
    return (x->lo > y->lo) - (x->lo < y->lo);
}

/* Collects the stacks of fragments. The target can have changed their addresses in the control
 * blocks, so an address counts only if the mappings there are those of such a stack. Without a list
 * of mappings there is no result; ez_rt_referred() then finds the addresses in the stacks. */
static void trim_stacks(struct ez_target *t, ranges *stack)
{
    const struct ez_runtime *rt = &t->rt;
    const size_t most = (rt->ctls_size - EZ_PAGE) / sizeof(struct ez_ctl);
    uint64_t at;
    struct ez_maps maps;
    if (!ez_err_drop(ez_maps_read(ez_live_tid(t), &maps)))
        return;
    for (size_t i = 1; i < EZ_MIN((size_t)rt->hdr->buffers_ready, most); i++) {
        uint64_t ctl = rt->ctls + EZ_PAGE + i * sizeof(struct ez_ctl);
        if (ez_mem_read_some(t, ctl + offsetof(struct ez_ctl, fragments), &at, sizeof at) ==
                sizeof at &&
            at && at % EZ_PAGE == 0 && ez_maps_cover(&maps, at, at + EZ_FRAGMENT_GUARD, "---p") &&
            ez_maps_cover(&maps, at + EZ_FRAGMENT_GUARD, at + EZ_FRAGMENT_STACK, "rw-p"))
            trim_note(stack, at, EZ_FRAGMENT_STACK);
    }
    ez_maps_free(&maps);
}

/* Collects the ranges that no word may point to, sorted: eztsh's code, and the stacks of fragments,
 * to which a register of a thread that runs a fragment points. An area's first address is excluded: no
 * trampoline begins there, and the loader's list can contain this address as the end of the library
 * before the area. */
static void trim_code(const struct ez_target *t, const ranges *stack, ranges *code)
{
    const struct ez_runtime *rt = &t->rt;
    for (size_t i = 0; i < stack->n; i++)
        EZ_PUSH(code, stack->at[i]);
    trim_note(code, rt->blob, EZ_RT_STATE);
    trim_note(code, rt->blob + EZ_RT_RETURN_TRAMPOLINES, EZ_DIST);
    for (size_t i = 0; i < rt->area.n; i++)
        trim_note(code, rt->area.at[i].base + 1, rt->area.at[i].size - 1);
    for (size_t i = 0; i < t->patcher.island_page.n; i++)
        if (t->patcher.island_page.at[i].mapped)
            trim_note(code, t->patcher.island_page.at[i].base, EZ_PAGE);
    qsort(code->at, code->n, sizeof *code->at, trim_order);
}

/* Unmaps all memory of eztsh. A part that cannot be unmapped (under a seccomp filter) stays
 * mapped. */
static ez_err *trim_all(struct ez_target *t, const ranges *stack)
{
    struct ez_runtime *rt = &t->rt;
    struct ez_drain_part none[EZ_DRAIN_PARTS];
    rt->trimmed = true;
    ez_drain_no_more_buffers(t->tracing.drain, none);
    for (size_t i = 0; i < t->patcher.island_page.n; i++)
        if (t->patcher.island_page.at[i].mapped)
            EZ_TRY(ez_rt_unmap(t, t->patcher.island_page.at[i].base, EZ_PAGE));
    for (size_t i = 0; i < rt->area.n; i++)
        EZ_TRY(ez_rt_unmap(t, rt->area.at[i].base, rt->area.at[i].size));
    for (size_t i = 0; i < stack->n; i++)
        EZ_TRY(ez_rt_unmap(t, stack->at[i].lo, EZ_FRAGMENT_STACK));
    EZ_TRY(ez_rt_stacks_free(t));
    EZ_TRY(ez_rt_unmap(t, rt->seg, rt->seg_size));
    EZ_TRY(ez_rt_unmap(t, rt->ctls, rt->ctls_size));
    ez_restorer_is(t, 0); /* the restorer is in the memory that is unmapped next */
    return ez_rt_unmap(t, rt->blob, EZ_RT_SIZE);
}

/* Returns true if a replacement will return to the runtime, because the callers of its function rely
 * on more registers than usual (EZ_ROW_KEEP), or if a jump has left such a replacement. */
static bool trim_returns(struct ez_target *t)
{
    uint32_t keeping;
    uint64_t at = t->rt.blob + EZ_RT_STATE + offsetof(struct rt_state, keeping);
    return ez_mem_read_some(t, at, &keeping, sizeof keeping) != sizeof keeping || keeping;
}

/* Returns why eztsh's code must stay mapped, if it is known without a search, else
 * EZ_REFER_NONE. */
static enum ez_refer trim_known(struct ez_target *t)
{
    if (t->rt.adopted || t->rt.traps_on || trim_lost(t))
        return EZ_REFER_LASTING;
    return trim_hooked(t) || trim_returns(t) || ez_calls_open(t) || ez_rt_loads(t)
               ? EZ_REFER_PASSING
               : EZ_REFER_NONE;
}

/* Collects the ranges that are not searched: eztsh's data, and the stacks of threads that loaded
 * modules and have ended. */
static void trim_data(const struct ez_target *t, ranges *data)
{
    const struct ez_runtime *rt = &t->rt;
    trim_note(data, rt->blob + EZ_RT_STATE, EZ_RT_RETURN_TRAMPOLINES - EZ_RT_STATE);
    trim_note(data, rt->blob + EZ_RT_RETURN_TRAMPOLINES + EZ_DIST,
              EZ_RT_SIZE - EZ_RT_RETURN_TRAMPOLINES - EZ_DIST);
    trim_note(data, rt->ctls, rt->ctls_size);
    trim_note(data, rt->seg, rt->seg_size);
    for (size_t i = 0; i < rt->stack.n; i++)
        EZ_PUSH(data, rt->stack.at[i]);
}

ez_err *ez_rt_clear(struct ez_target *t, enum ez_refer *left)
{
    ranges code = { 0 }, data = { 0 }, stack = { 0 };
    *left = t->rt.up ? trim_known(t) : EZ_REFER_NONE;
    if (!t->rt.up || *left != EZ_REFER_NONE)
        return NULL;
    trim_stacks(t, &stack);
    trim_code(t, &stack, &code);
    trim_data(t, &data);
    *left = ez_rt_referred(t, &(struct ez_mapped){ code.at, data.at, code.n, data.n });
    ez_err *e = *left == EZ_REFER_NONE ? trim_all(t, &stack) : NULL;
    EZ_VEC_FREE(&code);
    EZ_VEC_FREE(&data);
    EZ_VEC_FREE(&stack);
    return e;
}

ez_err *ez_rt_trim(struct ez_target *t)
{
    struct ez_drain_part part[EZ_DRAIN_PARTS];
    if (!t->rt.up || trim_hooked(t))
        return NULL;
    /* the drain thread has made its last round, so rt_load.c may free the memory of the rings */
    t->rt.trimmed = true;
    ez_drain_no_more_buffers(t->tracing.drain, part);
    for (size_t i = 0; i < EZ_DRAIN_PARTS; i++)
        EZ_TRY(ez_rt_unmap(t, t->rt.seg + part[i].off, part[i].size));
    for (unsigned i = 0; i < t->rt.npools; i++)
        EZ_TRY(trim_pool(t, &t->rt.pool[i]));
    return ez_rt_stacks_free(t);
}
