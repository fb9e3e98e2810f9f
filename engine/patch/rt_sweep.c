/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rt_sweep.c - unmaps the runtime of an earlier shell, which stayed mapped at the detach because the
 * process still referred to it (rt_trim.c).
 *
 * The detaching shell describes the memory that stays, in the shared segment behind the rows. At
 * each attach the process is searched again for every runtime that is described. So an old return
 * address keeps a runtime mapped only until the first attach after the program has overwritten the
 * address.
 *
 * The target can forge a description. Then eztsh at worst unmaps other memory of this target:
 * anonymous memory with the same permissions.
 * Errors: EZ_E_GONE. A description that does not fit the mappings is ignored.
 * Tests: tests/procs/again.sh */
#include "engine/patch/rt_extent.h"

#include <unistd.h>

#include "engine/target.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"

/* What a detached shell left. Behind it are the ranges: first those of code, then the stacks of
 * fragments, then the stacks of threads that load modules. */
struct left {
    uint64_t blob, ctls;
    uint32_t code, fragments, loaders, pad;
};
#define LEFT_RANGES (1u << 20) /* maximum number of ranges */

/* Returns true if a copy of the segment's header has a consistent layout. */
static bool sweep_is_sound(const struct ez_hdr *h)
{
    struct ez_hdr again = *h;
    return ez_rt_layout(&again) == h->size && !memcmp(&again, h, sizeof *h);
}

/* ---- describing ---------------------------------------------------------------------------- */

static size_t left_bytes(const struct left *l)
{
    size_t n = (size_t)l->code + l->fragments + l->loaders;
    return sizeof *l + n * sizeof(struct ez_range);
}

/* Returns the description of *x, which the caller frees. */
static struct left *sweep_left(const struct ez_extent *x)
{
    const struct left head = { .blob = x->blob,
                               .ctls = x->ctls,
                               .code = (uint32_t)x->code.n,
                               .fragments = (uint32_t)x->fragment.n,
                               .loaders = (uint32_t)x->loader.n };
    struct left *l = ez_alloc(left_bytes(&head));
    struct ez_range *to = (struct ez_range *)(l + 1);
    *l = head;
    const ez_ranges *all[] = { &x->code, &x->fragment, &x->loader };
    for (size_t i = 0; i < EZ_ARRAY_LEN(all); i++)
        for (size_t k = 0; k < all[i]->n; k++)
            *to++ = all[i]->at[k];
    return l;
}

/* Memory that is not described stays mapped. The description is written to the file, because its
 * pages may not be allocated. */
void ez_rt_describe(struct ez_target *t)
{
    const struct ez_runtime *rt = &t->rt;
    const struct ez_hdr h = *rt->hdr;
    struct ez_extent x;
    ez_extent_of(t, &x);
    EZ_FREE struct left *l = sweep_left(&x);
    const uint64_t at = h.off_rows + (uint64_t)rt->nids * sizeof(struct ez_row);
    const size_t n = left_bytes(l);
    if (sweep_is_sound(&h) && h.size == rt->seg_size && at + n <= h.off_buffers &&
        pwrite(rt->memfd, l, n, (off_t)at) == (ssize_t)n)
        rt->hdr->off_left = at;
    ez_extent_free(&x);
}

/* ---- sweeping -------------------------------------------------------------------------------- */

/* Reads n ranges from *at on, and advances *at. */
static bool sweep_read(struct ez_target *t, uint64_t *at, size_t n, ez_ranges *to)
{
    const size_t bytes = n * sizeof(struct ez_range);
    to->at = ez_alloc(bytes + 1);
    to->n = to->cap = n;
    *at += bytes;
    return ez_mem_read_some(t, *at - bytes, to->at, bytes) == bytes;
}

static bool sweep_has_return_trampolines(const struct ez_maps *maps, uint64_t at)
{
    const uint64_t end = at + EZ_DIST;
    for (size_t i = 0; i < maps->map.n && at < end; i++)
        if (maps->map.at[i].lo <= at && at < maps->map.at[i].hi && ez_map_is_ours(&maps->map.at[i]))
            at = maps->map.at[i].hi;
    return at >= end;
}

static bool sweep_has_blob(struct ez_target *t, const struct ez_maps *maps, uint64_t blob,
                           uint64_t seg, uint64_t ctls)
{
    struct rt_state s;
    const uint64_t state = blob + EZ_RT_STATE, trampolines = blob + EZ_RT_RETURN_TRAMPOLINES,
                   frames = trampolines + EZ_DIST;
    return ez_maps_cover(maps, blob, state, "r-xp") &&
           ez_maps_cover(maps, state, trampolines, "rw-p") &&
           ez_maps_cover(maps, frames, frames + EZ_DIST, "rw-p") &&
           sweep_has_return_trampolines(maps, trampolines) &&
           ez_mem_read_some(t, state, &s, sizeof s) == sizeof s && (uint64_t)s.hdr == seg &&
           (uint64_t)s.ctls == ctls;
}

/* Returns true if the mappings are those that the description names. */
static bool sweep_fits(struct ez_target *t, const struct ez_maps *maps, uint64_t seg,
                       const struct ez_extent *x)
{
    bool fits = ez_maps_cover(maps, x->ctls, x->ctls + x->ctls_size, "rw-p") &&
                sweep_has_blob(t, maps, x->blob, seg, x->ctls);
    for (size_t i = 0; i < x->code.n && fits; i++)
        fits = ez_maps_cover(maps, x->code.at[i].lo, x->code.at[i].hi, "r-xp");
    for (size_t i = 0; i < x->fragment.n && fits; i++)
        fits = x->fragment.at[i].hi - x->fragment.at[i].lo == EZ_FRAGMENT_STACK &&
               ez_extent_is_fragment(maps, x->fragment.at[i].lo);
    for (size_t i = 0; i < x->loader.n && fits; i++)
        fits = ez_maps_cover(maps, x->loader.at[i].lo, x->loader.at[i].lo + ez_page(), "---p") &&
               ez_maps_cover(maps, x->loader.at[i].lo + ez_page(), x->loader.at[i].hi, "rw-p");
    return fits;
}

/* Sets *x, which the caller frees, to the memory that is described in the segment. */
static bool sweep_extent(struct ez_target *t, const struct ez_maps *maps, uint64_t seg,
                         uint64_t inode, const struct ez_hdr *h, struct ez_extent *x)
{
    struct left l;
    uint64_t at = seg + h->off_left + sizeof l;
    if (h->off_left < h->off_rows || h->off_left > h->off_buffers - sizeof l ||
        ez_mem_read_some(t, seg + h->off_left, &l, sizeof l) != sizeof l ||
        EZ_MAX(EZ_MAX(l.code, l.fragments), l.loaders) > LEFT_RANGES ||
        left_bytes(&l) > h->off_buffers - h->off_left)
        return false;
    x->blob = l.blob;
    x->ctls = l.ctls;
    x->ctls_size = ez_rt_ctls_size(h->nbuffers);
    for (size_t i = 0; i < maps->map.n; i++) /* ez_rt_trim() unmapped parts of the segment */
        if (maps->map.at[i].inode == inode && ez_map_is_ours(&maps->map.at[i]))
            ez_range_add(&x->segment, maps->map.at[i].lo, maps->map.at[i].hi - maps->map.at[i].lo);
    return sweep_read(t, &at, l.code, &x->code) && sweep_read(t, &at, l.fragments, &x->fragment) &&
           sweep_read(t, &at, l.loaders, &x->loader) && sweep_fits(t, maps, seg, x);
}

/* Returns true if calls of functions with these rows have begun and not returned, or if their
 * counters cannot be read. */
static bool sweep_counts_open(struct ez_target *t, uint64_t seg, const struct ez_hdr *h,
                              const struct ez_row *row)
{
    const size_t n = h->ids_used, bytes = n * sizeof(struct ez_counter);
    EZ_FREE struct ez_counter *sum = ez_alloc(bytes + 1), *one = ez_alloc(bytes + 1);
    const uint64_t table = (uint64_t)h->ids_max * sizeof *one;
    for (uint64_t b = 0; b < h->buffers_ready; b++) {
        if (ez_mem_read_some(t, seg + h->off_counters + b * table, one, bytes) != bytes)
            return true;
        for (size_t i = 0; i < n; i++) {
            sum[i].entry += one[i].entry;
            sum[i].exit += one[i].exit;
        }
    }
    for (size_t i = 0; i < n; i++)
        if (ez_row_goes_through(row[i].flags) && sum[i].entry != sum[i].exit)
            return true;
    return false;
}

ez_err *ez_rt_sweep(struct ez_target *t, const struct ez_maps *maps, uint64_t seg, uint64_t inode,
                    const struct ez_hdr *h, const struct ez_row *row)
{
    struct ez_extent x = { 0 };
    ez_err *e = NULL;
    if (!h->off_left || h->abi != EZ_ABI_VERSION || h->buffers_ready > h->nbuffers ||
        !sweep_is_sound(h))
        return NULL;
    if (sweep_extent(t, maps, seg, inode, h, &x) && ez_err_drop(ez_inject_allowed(t)) &&
        !sweep_counts_open(t, seg, h, row) && !ez_frames_live(t, x.blob) &&
        ez_extent_referred(t, &x) == EZ_REFER_NONE) {
        e = ez_extent_unmap(t, &x);
        if (!e)
            e = ez_rt_unmap(t, x.blob, EZ_RT_SIZE);
    }
    ez_extent_free(&x);
    return e;
}
