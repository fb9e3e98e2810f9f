/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ranges.c - writes the list of memory that the runtime may read directly, without a system call
 * (engine/rt/rt_read.c): the program, its libraries, and the main stack.
 *
 * dlclose calls the loader's rendezvous function before it unmaps a library. So the runtime uses
 * the list only until the next call of that function, and only while the loader's state is
 * consistent. If the function has no hook, the list has no libraries.
 * Tests: tests/unit/patch/check_refused.c */
#include "engine/target.h"

#include <string.h>

#include "engine/data_abi.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/probe/solib.h"

/* Returns true if the mapping belongs in the list: it is readable, and of the main stack, the
 * program or, if `libraries` is true, a library. */
static bool ranges_is_stable(struct ez_target *t, const struct ez_map *m, bool libraries)
{
    if (*m->perm != 'r')
        return false;
    if (!strcmp(m->name, "[stack]"))
        return true;
    for (size_t i = 0; i < t->inf.module.n; i++) {
        const struct ez_module *k = t->inf.module.at[i];
        if (m->lo >= k->lo && m->hi <= k->hi)
            return k->is_program || libraries;
    }
    return false;
}

static void ranges_add(struct ez_ranges *to, uint64_t lo, uint64_t hi)
{
    if (to->n && to->range[to->n - 1].hi == lo) {
        to->range[to->n - 1].hi = hi;
    } else if (to->n < EZ_RANGES) {
        to->range[to->n].lo = lo;
        to->range[to->n++].hi = hi;
    }
}

/* Writes address `at` of the loader's struct r_debug to the runtime's state; the runtime reads the
 * loader's state from it. */
static ez_err *ranges_call_loader(struct ez_target *t, uint64_t at)
{
    return ez_mem_write(t, t->rt.blob + EZ_RT_STATE + offsetof(struct rt_state, r_debug), &at,
                        sizeof at, "give the runtime the address of the loader's state");
}

ez_err *ez_ranges_register(struct ez_target *t)
{
    struct ez_hdr *h = t->rt.hdr;
    struct ez_maps maps;
    uint64_t debug = ez_solib_debug(t);
    bool hooked = false, waits = h && h->loader_wait;
    if (!h || !t->rt.up || !t->probes.reads)
        return NULL;
    EZ_TRY(ez_solib_hook(t, &hooked));
    /* restores the setting, because the list does not require that the loader waits */
    ez_solib_wait(t, waits);
    EZ_TRY(ranges_call_loader(t, debug));
    EZ_TRY(ez_maps_read(t->inf.pid, &maps));
    struct ez_ranges *to = (struct ez_ranges *)((char *)h + EZ_PAGE);
    __atomic_add_fetch(&to->seq, 1, __ATOMIC_SEQ_CST);
    to->n = 0;
    to->loader = h->loader_seq;
    for (size_t i = 0; i < maps.map.n; i++)
        if (ranges_is_stable(t, &maps.map.at[i], hooked && debug))
            ranges_add(to, maps.map.at[i].lo, maps.map.at[i].hi);
    __atomic_add_fetch(&to->seq, 1, __ATOMIC_SEQ_CST);
    ez_maps_free(&maps);
    return NULL;
}
