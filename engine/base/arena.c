/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arena.c - the shell's heap in huge pages.
 *
 * Why: 10,000 probes need 20 MB of small objects in new memory. A page fault for each 4 KiB took a
 * fifth of the time of planting them.
 *
 * How: malloc() grows its heap by ARENA bytes at once, and madvise() asks the kernel for huge pages
 * for the first such bytes. Untouched pages use no memory.
 *
 * Errors: none. If there are no huge pages (another malloc, limits, a kernel without them), the
 * heap works as usual.
 *
 * Tests: tests/unit/record/check_drain.c; tests/bench/plant.c and tests/bench/startup.c measure the
 * time. */
#include <malloc.h>
#include <sys/mman.h>

#include "engine/base/base.h"

#define ARENA (64u << 20)

void ez_heap_prepare(void)
{
    static bool done;
    if (done)
        return;
    done = true;
    uintptr_t before = (uintptr_t)sbrk(0);
    /* large objects stay in the heap, too: with a mapping for each, every allocation would cause
     * page faults again */
    mallopt(M_MMAP_THRESHOLD, ARENA / 2);
    mallopt(M_TRIM_THRESHOLD, 2 * ARENA); /* maximum free bytes that stay at the end of the heap */
    mallopt(M_TOP_PAD, ARENA);
    /* the size exceeds the free space of the first heap, so malloc() must grow the heap */
    void *volatile grow = malloc(ARENA / 64);
    free(grow);
    uintptr_t from = EZ_ROUND_UP(before, ez_page()), to = (uintptr_t)sbrk(0) & ~(ez_page() - 1);
    if (to > from && to - from >= ARENA)
        madvise((void *)from, to - from, MADV_HUGEPAGE);
}

void *ez_alloc_sparse(size_t n)
{
    void *p = mmap(NULL, n ? n : 1, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        ez_out_of_memory();
    return p;
}

void ez_free_sparse(void *p, size_t n)
{
    if (p)
        munmap(p, n ? n : 1);
}
