/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rt_adopt.c - adopts the runtime that an earlier shell mapped, if it equals the runtime that this
 * shell would map. engine/process/adopt.c calls these functions one after another; ez_rt_down()
 * undoes all of them.
 * Tests: tests/unit/process/check_adopt.c */
#include "engine/target.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/restorer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void ez_rt_found(struct ez_target *t, const struct ez_rt_found *f)
{
    struct ez_runtime *rt = &t->rt;
    rt->blob = f->blob;
    rt->ctls = (uint64_t)f->state->ctls;
    rt->ctls_size = ez_rt_ctls_size(f->hdr->nbuffers);
    rt->seg = f->seg;
    rt->seg_size = f->hdr->size;
    rt->cookie = f->state->cookie;
}

/* Sets rt->image to the code that ez_rt_up() writes to the target or, if `fitted`, to the code that
 * ez_rt_fit() writes for a libc with this tid_off (0: for an unknown libc). */
static void rt_load_image(struct ez_target *t, bool fitted, uint32_t tid_off)
{
    free(t->rt.image);
    ez_rt_image(&t->rt);
    t->rt.fitted = fitted;
    if (fitted)
        ez_rt_adapt(t, tid_off, t->rt.cookie);
}

static bool rt_is_image(struct ez_target *t, bool fitted, uint32_t tid_off)
{
    rt_load_image(t, fitted, tid_off);
    EZ_FREE uint8_t *live = ez_alloc(t->rt.image_size);
    return ez_mem_read_some(t, t->rt.blob, live, t->rt.image_size) == t->rt.image_size &&
           !memcmp(live, t->rt.image, t->rt.image_size);
}

bool ez_rt_image_is_ours(struct ez_target *t, uint32_t theirs)
{
    uint32_t ours = ez_rt_tid_offset(t);
    bool same = theirs ? theirs == ours && rt_is_image(t, true, ours)
                       : rt_is_image(t, false, 0) || rt_is_image(t, true, 0);
    if (!same && !theirs && rt_is_image(t, true, ours)) {
        rt_load_image(t, false, 0);
        same = true;
    }
    return same;
}

ez_err *ez_rt_adopt_segment(struct ez_target *t, const struct ez_hdr *h, int *memfd)
{
    struct ez_runtime *rt = &t->rt;
    void *at = mmap(NULL, h->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, *memfd, 0);
    if (at == MAP_FAILED)
        return ez_err_new(EZ_E_SYS, errno, "Cannot map the shared memory of the probes");
    rt->memfd = *memfd;
    *memfd = -1;
    rt->hdr = at;
    rt->rows = (struct ez_row *)((char *)at + h->off_rows);
    rt->semaphores = (struct ez_semaphore *)((char *)at + h->off_semaphores);
    rt->nids = h->ids_used;
    return NULL;
}

void ez_rt_adopted(struct ez_target *t, const struct ez_maps *maps, uint64_t inode,
                   const struct ez_hdr *h)
{
    t->rt.up = true;
    t->rt.unknown = !ez_rt_adopt_extent(t, maps, inode, h);
    ez_rt_restorer(t);
}
