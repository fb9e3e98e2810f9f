/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rt_extent.c - the memory of a runtime in the process: whether the process still refers to its
 * code, and how it is unmapped.
 * Tests: tests/procs/again.sh */
#include "engine/patch/rt_extent.h"

#include <stdlib.h>

#include "engine/target.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/restorer.h"
#include "engine/inferior/thread.h"
#include "engine/patch/return_thunk.h"

void ez_range_add(ez_ranges *all, uint64_t at, uint64_t size)
{
    if (size)
        EZ_PUSH(all, ((struct ez_range){ at, at + size }));
}

bool ez_extent_is_fragment(const struct ez_maps *maps, uint64_t at)
{
    return at && at % EZ_PAGE == 0 && ez_maps_cover(maps, at, at + EZ_FRAGMENT_GUARD, "---p") &&
           ez_maps_cover(maps, at + EZ_FRAGMENT_GUARD, at + EZ_FRAGMENT_STACK, "rw-p");
}

/* Collects the stacks of fragments. The target can have changed their addresses in the control
 * blocks, so an address counts only if the mappings there are those of such a stack. Without a list
 * of mappings there is no result; ez_rt_referred() then finds the addresses in the stacks. */
static void extent_fragments(struct ez_target *t, struct ez_extent *x)
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
            ez_extent_is_fragment(&maps, at))
            ez_range_add(&x->fragment, at, EZ_FRAGMENT_STACK);
    }
    ez_maps_free(&maps);
}

/* Adds an area. Its first address is excluded: no trampoline begins there, and the loader's list
 * can contain this address as the end of the library before the area. */
static void extent_area(struct ez_runtime *rt, const struct ez_area *a, struct ez_extent *x)
{
    const struct ez_pool *p = rt->trimmed ? ez_pool_at(rt, a->base) : NULL;
    if (p) {
        uint64_t code = EZ_POOL_THUNKS + ez_pool_used(p, true);
        ez_range_add(&x->code, a->base + 1, code - 1);
        ez_range_add(&x->code, a->base + EZ_POOL_THUNKS + EZ_RETURN_THUNK_DIST,
                     ez_pool_used(p, false));
    } else {
        ez_range_add(&x->code, a->base + 1, a->size - 1);
        ez_range_add(&x->spare, a->base + a->used, a->size - a->used);
    }
}

void ez_extent_of(struct ez_target *t, struct ez_extent *x)
{
    struct ez_runtime *rt = &t->rt;
    *x = (struct ez_extent){ .blob = rt->blob, .ctls = rt->ctls, .ctls_size = rt->ctls_size };
    ez_range_add(&x->segment, rt->seg, rt->seg_size);
    for (size_t i = 0; i < rt->area.n; i++)
        extent_area(rt, &rt->area.at[i], x);
    for (size_t i = 0; i < t->patcher.island_page.n; i++)
        if (t->patcher.island_page.at[i].mapped)
            ez_range_add(&x->island, t->patcher.island_page.at[i].base, EZ_PAGE);
    EZ_APPEND(&x->loader, rt->stack.at, rt->stack.n);
    extent_fragments(t, x);
}

static int extent_order(const void *a, const void *b)
{
    const struct ez_range *x = a, *y = b;
    return (x->lo > y->lo) - (x->lo < y->lo);
}

/* Collects, sorted, the ranges to which no word may point: code, and the stacks of fragments, to
 * which a register of a thread that runs a fragment points. */
static void extent_targets(const struct ez_extent *x, ez_ranges *code)
{
    ez_range_add(code, x->blob, EZ_RT_STATE);
    ez_range_add(code, x->blob + EZ_RT_RETURN_TRAMPOLINES, EZ_DIST);
    EZ_APPEND(code, x->code.at, x->code.n);
    EZ_APPEND(code, x->island.at, x->island.n);
    EZ_APPEND(code, x->fragment.at, x->fragment.n);
    qsort(code->at, code->n, sizeof *code->at, extent_order);
}

/* Collects the ranges that are not searched: data of eztsh, and the stacks of threads that loaded
 * modules and have ended. */
static void extent_data(const struct ez_extent *x, ez_ranges *data)
{
    ez_range_add(data, x->blob + EZ_RT_STATE, EZ_RT_RETURN_TRAMPOLINES - EZ_RT_STATE);
    ez_range_add(data, x->blob + EZ_RT_RETURN_TRAMPOLINES + EZ_DIST,
                 EZ_RT_SIZE - EZ_RT_RETURN_TRAMPOLINES - EZ_DIST);
    ez_range_add(data, x->ctls, x->ctls_size);
    EZ_APPEND(data, x->segment.at, x->segment.n);
    EZ_APPEND(data, x->loader.at, x->loader.n);
}

/* Returns true if a replacement will return to the runtime, because the callers of its function
 * rely on more registers than usual (EZ_ROW_KEEP), or if a jump has left such a replacement. */
static bool extent_returns(struct ez_target *t, const struct ez_extent *x)
{
    uint32_t keeping;
    uint64_t at = x->blob + EZ_RT_STATE + offsetof(struct rt_state, keeping);
    return ez_mem_read_some(t, at, &keeping, sizeof keeping) != sizeof keeping || keeping;
}

enum ez_refer ez_extent_referred(struct ez_target *t, const struct ez_extent *x)
{
    ez_ranges code = { 0 }, data = { 0 };
    if (extent_returns(t, x) || ez_stacks_used(t, x->loader.at, x->loader.n))
        return EZ_REFER_PASSING;
    extent_targets(x, &code);
    extent_data(x, &data);
    enum ez_refer left = ez_rt_referred(t, &(struct ez_mapped){ code.at, data.at, code.n, data.n });
    EZ_VEC_FREE(&code);
    EZ_VEC_FREE(&data);
    return left;
}

static ez_err *extent_unmap(struct ez_target *t, const ez_ranges *all)
{
    for (size_t i = 0; i < all->n; i++) {
        uint64_t lo = all->at[i].lo & -(uint64_t)EZ_PAGE;
        EZ_TRY(ez_rt_unmap(t, lo, all->at[i].hi - lo));
    }
    return NULL;
}

/* Unmaps the segment first. If the shell is killed before the end, no description remains, so that
 * no later shell takes memory for eztsh's that the program has mapped in its place. */
ez_err *ez_extent_unmap(struct ez_target *t, const struct ez_extent *x)
{
    EZ_TRY(extent_unmap(t, &x->segment));
    EZ_TRY(extent_unmap(t, &x->code));
    EZ_TRY(extent_unmap(t, &x->island));
    EZ_TRY(extent_unmap(t, &x->fragment));
    EZ_TRY(extent_unmap(t, &x->loader));
    EZ_TRY(ez_rt_unmap(t, x->ctls, x->ctls_size));
    ez_restorer_is(t, 0); /* the restorer is in the memory that is unmapped next */
    return ez_rt_unmap(t, x->blob, EZ_RT_SIZE);
}

void ez_extent_free(struct ez_extent *x)
{
    EZ_VEC_FREE(&x->segment);
    EZ_VEC_FREE(&x->code);
    EZ_VEC_FREE(&x->spare);
    EZ_VEC_FREE(&x->island);
    EZ_VEC_FREE(&x->fragment);
    EZ_VEC_FREE(&x->loader);
}
