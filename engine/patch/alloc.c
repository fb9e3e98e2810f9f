/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alloc.c - memory for trampolines within reach of the functions they serve.
 *
 * An area is mapped R-X in the target. The shell prepares its contents in a copy, the mirror, and
 * writes them through /proc/PID/mem, many trampolines at once (ez_trampoline_flush). Areas are
 * unmapped only at a detach (rt_trim.c), because a frame may return through a trampoline.
 * Tests: tests/unit/patch/check_room.c */
#include "engine/target.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/patch/alloc.h"
#include "engine/patch/return_thunk.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define AREA_MIN (64 * 1024)

static bool alloc_reaches(const struct ez_target *t, const struct ez_area *a, uint64_t addr)
{
    int64_t margin = t->inf.arch->jump.reach - (1 << 20);
    int64_t lo = (int64_t)(a->base - addr), hi = (int64_t)(a->base + a->size - addr);
    return lo > -margin && hi < margin;
}

static ez_err *alloc_find_gap(struct ez_target *t, uint64_t addr, size_t size, uint64_t *gap)
{
    struct ez_maps maps;
    struct ez_module *m = ez_module_at(t, addr);
    uint64_t lo = m ? m->lo : addr, hi = m ? m->hi : addr + 1;
    EZ_TRY(ez_maps_read(t->inf.pid, &maps));
    *gap = ez_maps_gap(&maps, lo, hi, size, t->inf.arch->jump.reach - (1 << 20));
    ez_maps_free(&maps);
    if (*gap)
        return NULL;
    ez_err *e = ez_err_new(EZ_E_RANGE, 0, "no free memory within reach of a jump");
    return ez_err_why(ez_err_place(e, " at 0x%lx", (unsigned long)addr), EZ_REFUSE_MEMORY);
}

ez_err *ez_near_map(struct ez_target *t, uint64_t addr, size_t size, const char *why, uint64_t *at)
{
    uint64_t gap;
    EZ_TRY(alloc_find_gap(t, addr, size, &gap));
    return ez_inject_mmap(t,
                          &(struct ez_mmap){ .at = gap,
                                             .size = size,
                                             .prot = PROT_READ | PROT_EXEC,
                                             .flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
                                                      MAP_FIXED_NOREPLACE },
                          at, why);
}

/* Requests huge pages for a large area, in the shell and in the target. With thousands of
 * trampolines, a page fault for every 4 KiB would take longer than generating the trampolines.
 * Without huge pages the work is only slower. */
static ez_err *alloc_prefer_huge(struct ez_target *t, const struct ez_area *a)
{
    const uint64_t arg[6] = { a->base, a->size, MADV_HUGEPAGE };
    int64_t r;
    if (a->size < EZ_HUGE)
        return NULL;
    madvise(a->mirror, a->size, MADV_HUGEPAGE);
    return ez_inject_syscall(t, ez_inject_thread(t), SYS_madvise, arg, &r, "prefer huge pages");
}

/* Adds an empty area to the list. No trampoline begins at its first address (rt_extent.c). */
static struct ez_area *alloc_add_area(struct ez_target *t, uint64_t base, size_t size)
{
    struct ez_area a = {
        .base = base, .size = size, .used = EZ_TRAMPOLINE_ALIGN, .mirror = ez_alloc_sparse(size)
    };
    EZ_PUSH(&t->rt.area, a);
    return &t->rt.area.at[t->rt.area.n - 1];
}

static ez_err *alloc_new_area(struct ez_target *t, uint64_t addr, size_t size, struct ez_area **out)
{
    uint64_t at = 0;
    size = EZ_ROUND_UP(EZ_MAX(size + EZ_TRAMPOLINE_ALIGN, (size_t)AREA_MIN), EZ_PAGE);
    size = size < EZ_HUGE ? size : EZ_ROUND_UP(size, EZ_HUGE);
    EZ_TRY(ez_near_map(t, addr, size, "map room for trampolines", &at));
    *out = alloc_add_area(t, at, size);
    ez_err_drop(alloc_prefer_huge(t, *out));
    return NULL;
}

/* Returns an area with n free bytes within reach of addr, or NULL. */
static struct ez_area *alloc_find_area(struct ez_target *t, uint64_t addr, size_t n)
{
    for (size_t i = 0; i < t->rt.area.n; i++)
        if (alloc_reaches(t, &t->rt.area.at[i], addr) &&
            t->rt.area.at[i].size - t->rt.area.at[i].used >= n)
            return &t->rt.area.at[i];
    return NULL;
}

ez_err *ez_trampoline_place(struct ez_target *t, uint64_t addr, size_t n, uint64_t *at)
{
    const struct ez_area *a = alloc_find_area(t, addr, EZ_ROUND_UP(n, EZ_TRAMPOLINE_ALIGN));
    if (!a) {
        EZ_TRY(alloc_find_gap(t, addr, AREA_MIN, at));
        *at += EZ_TRAMPOLINE_ALIGN;
    } else
        *at = a->base + a->used;
    return NULL;
}

ez_err *ez_trampoline_reserve(struct ez_target *t, uint64_t addr, size_t n)
{
    struct ez_area *a;
    return alloc_find_area(t, addr, n) ? NULL : alloc_new_area(t, addr, n, &a);
}

ez_err *ez_trampoline_room(struct ez_target *t, uint64_t addr, size_t n, size_t more, uint64_t *at,
                           uint8_t **mirror)
{
    n = EZ_ROUND_UP(n, EZ_TRAMPOLINE_ALIGN);
    struct ez_area *a = alloc_find_area(t, addr, n);
    if (!a)
        EZ_TRY(alloc_new_area(t, addr, n + more, &a));
    *at = a->base + a->used;
    *mirror = a->mirror + a->used;
    a->used += n;
    return NULL;
}

void ez_trampoline_fits(struct ez_target *t, uint64_t at, size_t n)
{
    for (size_t i = 0; i < t->rt.area.n; i++) {
        struct ez_area *a = &t->rt.area.at[i];
        if (at - a->base < a->size)
            a->used = at - a->base + EZ_ROUND_UP(n, EZ_TRAMPOLINE_ALIGN);
    }
}

ez_err *ez_trampoline_flush(struct ez_target *t)
{
    for (size_t i = 0; i < t->rt.area.n; i++) {
        struct ez_area *a = &t->rt.area.at[i];
        if (a->flushed < a->used)
            EZ_TRY(ez_mem_write(t, a->base + a->flushed, a->mirror + a->flushed,
                                a->used - a->flushed, "write trampolines"));
        a->flushed = a->used;
    }
    return NULL;
}

const uint8_t *ez_trampoline_mirror(const struct ez_target *t, uint64_t at)
{
    for (size_t i = 0; i < t->rt.area.n; i++) {
        const struct ez_area *a = &t->rt.area.at[i];
        if (a->mirror && at - a->base < a->used)
            return a->mirror + (at - a->base);
    }
    return NULL;
}

bool ez_trampoline_owns(struct ez_target *t, uint64_t lo, uint64_t hi)
{
    for (size_t i = 0; i < t->rt.area.n; i++)
        if (lo < t->rt.area.at[i].base + t->rt.area.at[i].size && hi > t->rt.area.at[i].base)
            return true;
    return false;
}

static void alloc_add_full(struct ez_target *t, uint64_t base, size_t size)
{
    EZ_PUSH(&t->rt.area,
            ((struct ez_area){ .base = base, .size = size, .used = size, .flushed = size }));
}

void ez_trampoline_adopt(struct ez_target *t, uint64_t lo, uint64_t hi)
{
    lo &= ~(EZ_PAGE - 1);
    hi = EZ_ROUND_UP(hi, EZ_PAGE);
    for (size_t i = 0; i < t->rt.area.n; i++) {
        struct ez_area *a = &t->rt.area.at[i];
        if (lo > a->base + a->size + 16 * EZ_PAGE || hi + 16 * EZ_PAGE < a->base)
            continue;
        hi = EZ_MAX(hi, a->base + a->size);
        a->base = EZ_MIN(lo, a->base);
        a->size = a->used = a->flushed = hi - a->base;
        return;
    }
    alloc_add_full(t, lo, hi - lo);
}

void ez_area_adopt(struct ez_target *t, uint64_t base, size_t used, size_t size)
{
    struct ez_area *last = t->rt.area.n ? &t->rt.area.at[t->rt.area.n - 1] : NULL;
    if (last && !last->mirror && last->base + last->size == base && !ez_pool_at(&t->rt, last->base))
        last->size = last->used = last->flushed = last->size + used;
    else
        alloc_add_full(t, base, used);
    if (size - used > EZ_TRAMPOLINE_ALIGN)
        alloc_add_area(t, base + used, size - used);
}
