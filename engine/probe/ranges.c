/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ranges.c - gives the runtime a list of memory that it may read directly, without a system call
 * (engine/rt/rt_read.c): the program, its libraries, and the main stack.
 *
 * dlclose calls the loader's rendezvous before it unmaps a library. So the list is valid only until
 * the next rendezvous, and only while the loader is in a consistent state. If the rendezvous has no
 * hook, the list has no libraries.
 * Tests: tests/unit/patch/check_refused.c */
#include "engine/target.h"

#include <string.h>

#include "engine/data_abi.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/probe/solib.h"

/* Returns true if the mapping is for the list: readable, and of the main stack, the program or,
 * with `libraries`, a library. */
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

/* Gives the runtime the address of the loader's struct r_debug, from which it reads the loader's
 * state at each rendezvous. */
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
    ez_solib_wait(t, waits); /* the loader need not wait for the shell because of the list */
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
