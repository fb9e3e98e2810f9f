/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rt_sweep.c - unmaps the runtime of an earlier shell, which stayed mapped at the detach because the
 * process still referred to it (rt_trim.c).
 *
 * The detaching shell describes the memory that stays, in the shared segment behind the rows. At
 * each attach the process is searched again for every runtime that is described. So an old return
 * address keeps a runtime mapped only until the first attach after the program has overwritten the
 * address. If the runtime is adopted (rt_adopt.c), because a hook or probes are still planted, the
 * description shows which memory must be searched and unmapped at the next detach.
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
#include "engine/patch/alloc.h"
#include "engine/patch/island.h"
#include "engine/patch/return_thunk.h"

/* Limits against forged descriptions: bytes of an area, and of its unused end, which gets a mirror;
 * ranges in all lists; counters of all buffers (1 GiB). */
#define CODE_MOST (1ull << 31)
#define SPARE_MOST (64ull << 20)
#define LEFT_MOST 16384
#define COUNTERS_MOST (1ull << 26)

/* What a detached shell left. Behind it are the ranges of the lists of struct ez_extent, with n[i]
 * ranges in list i (sweep_lists()). */
enum { LISTS = 5 };
struct left {
    uint64_t blob, ctls;
    uint32_t n[LISTS], pad;
};

/* Returns true if a copy of the segment's header has a consistent layout. */
static bool sweep_is_sound(const struct ez_hdr *h)
{
    struct ez_hdr again = *h;
    return ez_rt_layout(&again) == h->size && !memcmp(&again, h, sizeof *h);
}

/* ---- describing ---------------------------------------------------------------------------- */

static void sweep_lists(struct ez_extent *x, ez_ranges *list[LISTS])
{
    ez_ranges *all[LISTS] = { &x->code, &x->spare, &x->island, &x->fragment, &x->loader };
    memcpy(list, all, sizeof all);
}

static size_t left_ranges(const struct left *l)
{
    size_t n = 0;
    for (size_t i = 0; i < LISTS; i++)
        n += l->n[i];
    return n;
}

static size_t left_bytes(const struct left *l)
{
    return sizeof *l + left_ranges(l) * sizeof(struct ez_range);
}

/* Returns the description of *x, which the caller frees. */
static struct left *sweep_left(struct ez_extent *x)
{
    struct left head = { .blob = x->blob, .ctls = x->ctls };
    ez_ranges *list[LISTS];
    sweep_lists(x, list);
    for (size_t i = 0; i < LISTS; i++)
        head.n[i] = (uint32_t)list[i]->n;
    struct left *l = ez_alloc(left_bytes(&head));
    struct ez_range *to = (struct ez_range *)(l + 1);
    *l = head;
    for (size_t i = 0; i < LISTS; to += list[i++]->n)
        if (list[i]->n)
            memcpy(to, list[i]->at, list[i]->n * sizeof *to);
    return l;
}

/* Memory that is not described stays mapped: if the kernel has the address of the SIGTRAP handler, or
 * if the target or another tool, which has changed a patch, may write eztsh's jump back. The
 * description is written to the file, because its pages may not be allocated. */
void ez_rt_describe(struct ez_target *t)
{
    const struct ez_runtime *rt = &t->rt;
    const struct ez_hdr h = *rt->hdr;
    struct ez_extent x;
    if (rt->unknown || rt->traps_on || ez_sites_planted(t, true))
        return;
    ez_extent_of(t, &x);
    EZ_FREE struct left *l = sweep_left(&x);
    const uint64_t at = h.off_rows + (uint64_t)rt->nids * sizeof(struct ez_row);
    const size_t n = left_bytes(l);
    if (left_ranges(l) <= LEFT_MOST && sweep_is_sound(&h) && h.size == rt->seg_size &&
        at + n <= h.off_buffers && pwrite(rt->memfd, l, n, (off_t)at) == (ssize_t)n)
        rt->hdr->off_left = at;
    ez_extent_free(&x);
}

/* ---- sweeping -------------------------------------------------------------------------------- */

/* Reads the ranges of a description, which begin at address `at`. */
static bool sweep_read(struct ez_target *t, uint64_t at, const struct left *l, struct ez_extent *x)
{
    ez_ranges *list[LISTS];
    bool read = true;
    sweep_lists(x, list);
    for (size_t i = 0; i < LISTS && read; i++) {
        const size_t bytes = l->n[i] * sizeof(struct ez_range);
        list[i]->at = ez_alloc(bytes + 1);
        list[i]->n = list[i]->cap = l->n[i];
        read = ez_mem_read_some(t, at, list[i]->at, bytes) == bytes;
        at += bytes;
    }
    return read;
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
        fits = x->code.at[i].hi - x->code.at[i].lo <= CODE_MOST &&
               ez_maps_cover(maps, x->code.at[i].lo, x->code.at[i].hi, "r-xp");
    for (size_t i = 0; i < x->island.n && fits; i++)
        fits = ez_maps_cover(maps, x->island.at[i].lo, x->island.at[i].hi, "r-xp");
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
    if (!h->off_left || h->off_left < h->off_rows || h->off_left > h->off_buffers - sizeof l ||
        ez_mem_read_some(t, seg + h->off_left, &l, sizeof l) != sizeof l ||
        left_ranges(&l) > LEFT_MOST || left_bytes(&l) > h->off_buffers - h->off_left)
        return false;
    x->blob = l.blob;
    x->ctls = l.ctls;
    x->ctls_size = ez_rt_ctls_size(h->nbuffers);
    for (size_t i = 0; i < maps->map.n; i++) /* ez_rt_trim() unmapped parts of the segment */
        if (maps->map.at[i].inode == inode && ez_map_is_ours(&maps->map.at[i]))
            ez_range_add(&x->segment, maps->map.at[i].lo, maps->map.at[i].hi - maps->map.at[i].lo);
    return sweep_read(t, seg + h->off_left + sizeof l, &l, x) && sweep_fits(t, maps, seg, x);
}

/* Returns true if calls of functions with these rows have begun and not returned, or if their
 * counters cannot be read, or are too many. */
static bool sweep_counts_open(struct ez_target *t, uint64_t seg, const struct ez_hdr *h,
                              const struct ez_row *row)
{
    const size_t n = h->ids_used, bytes = n * sizeof(struct ez_counter);
    if (h->buffers_ready > COUNTERS_MOST / (n + 1))
        return true;
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

/* Returns true if the code may jump to one of these patches' trampolines: the patch is in the text,
 * because the program has written its own copy of the text back; or its row says that it is planted,
 * but other bytes are there, because another patch was planted over it and executes it. */
static bool sweep_patched(struct ez_target *t, const struct ez_hdr *h, const struct ez_row *row)
{
    uint8_t live[sizeof row->after];
    for (uint32_t i = 0; i < h->ids_used; i++) {
        const size_t n = EZ_MIN((size_t)row[i].len, sizeof live);
        if (row[i].addr && n && ez_mem_read_some(t, row[i].addr, live, n) == n &&
            (!memcmp(live, row[i].after, n) ||
             (row[i].planted && memcmp(live, row[i].before, n) != 0)))
            return true;
    }
    return false;
}

ez_err *ez_rt_sweep(struct ez_target *t, const struct ez_maps *maps, uint64_t seg, uint64_t inode,
                    const struct ez_hdr *h, const struct ez_row *row, unsigned *fails)
{
    struct ez_extent x = { 0 };
    ez_err *e = NULL;
    bool described = *fails < EZ_SWEEP_FAILS && h->abi == EZ_ABI_VERSION &&
                     h->buffers_ready <= h->nbuffers && sweep_is_sound(h) &&
                     sweep_extent(t, maps, seg, inode, h, &x);
    if (described && ez_err_drop(ez_inject_allowed(t)) && !sweep_patched(t, h, row) &&
        !sweep_counts_open(t, seg, h, row) && !ez_frames_live(t, x.blob) &&
        ez_extent_referred(t, &x) == EZ_REFER_NONE)
        e = ez_extent_unmap(t, &x);
    else
        *fails += described;
    ez_extent_free(&x);
    return e;
}

/* ---- adopting -------------------------------------------------------------------------------- */

/* Returns the address from which on the area [base, end) is unused. */
static uint64_t sweep_spare(const struct ez_extent *x, uint64_t base, uint64_t end)
{
    for (size_t i = 0; i < x->spare.n; i++)
        if (x->spare.at[i].hi == end && x->spare.at[i].lo >= base && x->spare.at[i].lo < end &&
            end - x->spare.at[i].lo <= SPARE_MOST)
            return x->spare.at[i].lo;
    return end;
}

/* Replaces the areas that the journal's rows show, which are incomplete, by those of *x. */
static void sweep_adopt(struct ez_target *t, const struct ez_extent *x)
{
    struct ez_runtime *rt = &t->rt;
    rt->area.n = 0;
    for (unsigned i = 0; i < rt->npools; i++)
        ez_area_adopt(t, rt->pool[i].base, EZ_POOL_SIZE, EZ_POOL_SIZE);
    for (size_t i = 0; i < x->code.n; i++) {
        const uint64_t base = x->code.at[i].lo - 1, end = x->code.at[i].hi;
        if (!ez_pool_at(rt, base))
            ez_area_adopt(t, base, sweep_spare(x, base, end) - base, end - base);
    }
    for (size_t i = 0; i < x->island.n; i++)
        ez_island_page_adopt(t, x->island.at[i].lo);
    EZ_APPEND(&rt->stack, x->loader.at, x->loader.n);
}

bool ez_rt_adopt_extent(struct ez_target *t, const struct ez_maps *maps, uint64_t inode,
                        const struct ez_hdr *h)
{
    struct ez_extent x = { 0 };
    bool described = sweep_extent(t, maps, t->rt.seg, inode, h, &x) && x.blob == t->rt.blob;
    if (described)
        sweep_adopt(t, &x);
    ez_extent_free(&x);
    t->rt.hdr->off_left = 0; /* rows are added at the description's place */
    return described;
}
