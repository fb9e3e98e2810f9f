/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core_runtime.c - finds eztsh's runtime in a core file, so that frames lead through return
 * trampolines and return thunks to the true callers.
 *
 * The runtime's code and state, the control blocks and the thunks are in the core file; the rings,
 * with the journal of the patches, are not (MADV_DONTDUMP). The runtime is found as adopt.c finds
 * it, by the mapping of its return trampolines, and is used only if it is, byte for byte, that of
 * this build of eztsh.
 * Tests: tests/procs/corefile.sh */
#include <string.h>
#include <sys/mman.h>

#include "engine/base/strutil.h"
#include "engine/target.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/queue.h"
#include "engine/patch/return_thunk.h"

#define EMPTY_SEGMENT EZ_PAGE /* bytes of the segment, which stands for the rings */

/* Sets *blob and *state to those of the runtime whose return trampolines are mapped at m. */
static bool core_runtime_at(struct ez_target *t, const struct ez_map *m, uint64_t *blob,
                            struct rt_state *state)
{
    if (!ez_map_is_return_trampolines(m) || m->lo < EZ_RT_RETURN_TRAMPOLINES)
        return false;
    *blob = m->lo - EZ_RT_RETURN_TRAMPOLINES;
    return ez_mem_read_some(t, *blob + EZ_RT_STATE, state, sizeof *state) == sizeof *state &&
           state->hdr && state->npools <= EZ_NPOOLS;
}

/* Makes the runtime the target's, with an empty segment. Returns false if another build of eztsh
 * mapped the runtime. */
static bool core_runtime_take(struct ez_target *t, uint64_t blob, const struct rt_state *state)
{
    const struct ez_hdr none = { .size = EMPTY_SEGMENT };
    struct ez_runtime *rt = &t->rt;
    ez_rt_found(t, &(struct ez_rt_found){ blob, (uint64_t)state->hdr, state, &none });
    if (!ez_rt_image_is_ours(t, state->tid_off) ||
        !ez_err_drop(ez_pools_adopt(t, state->pool, (unsigned)state->npools, 0)))
        return false;
    void *empty =
        mmap(NULL, EMPTY_SEGMENT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (empty == MAP_FAILED)
        return false;
    rt->hdr = empty;
    rt->rows = empty;
    rt->semaphores = empty;
    rt->up = true;
    return true;
}

ez_err *ez_core_runtime(struct ez_target *t)
{
    struct ez_maps maps;
    struct rt_state state;
    uint64_t blob;
    bool other = false;
    EZ_TRY(ez_maps_of(t, &maps));
    for (size_t i = 0; i < maps.map.n && !t->rt.up; i++) {
        if (!core_runtime_at(t, &maps.map.at[i], &blob, &state) ||
            core_runtime_take(t, blob, &state))
            continue;
        ez_rt_down(t);
        other = true;
    }
    ez_maps_free(&maps);
    if (other && !t->rt.up)
        ez_post_note(t, "warning: another build of eztsh had planted probes in the process; frames "
                        "may end at them.");
    if (!t->rt.up)
        return NULL;
    unsigned n;
    EZ_TRY(ez_core_patches(t, &n));
    if (n)
        ez_post_note(t,
                     "The process had probes on %u function%s; their counters and events are not "
                     "in the core file.",
                     n, ez_plural(n));
    return NULL;
}
