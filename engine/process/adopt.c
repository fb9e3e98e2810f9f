/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adopt.c - adopts the probes that an earlier shell left in a process, on purpose (`detach -keep`,
 * keep.c) or because it was killed.
 *
 * The target can write all memory that the earlier shell left, so every byte is checked. The
 * segment's header is copied, and the layout is computed from the copy. The segment must be sealed
 * and have the size of this layout. The runtime, its return thunks and every trampoline that stays
 * in use must be, byte for byte, what this eztsh would have written. Each row's function is
 * analysed again and must give the same result. The original bytes in a row must be the file's.
 * Only after these checks the data is used, at the offsets of the computed layout. A trampoline is
 * checked only if its patch is a plain jump; the probes of other trampolines are planted again
 * (adopt_rows.c).
 *
 * The segment is found by its name in /proc/PID/maps. The runtime is directly below the mapping of
 * its return trampolines (memfd eztsh-slots), and the runtime's state (struct rt_state) has the
 * segment's address. Mapping the segment needs a descriptor: the one that `detach -keep` left in
 * the target, or, for root, map_files.
 *
 * The target is not changed before all checks have succeeded. After an error the caller removes the
 * probes, by the journal's rows.
 * Errors: EZ_E_GONE. Any other error means that adoption is impossible; the message says why.
 * Tests: tests/unit/process/check_adopt.c, tests/unit/process/check_kept.c, tests/procs/keep.sh,
 * tests/procs/reach.sh, tests/procs/killed.sh */
#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "engine/process/keep_priv.h"
#include "engine/record/clock.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/thread.h"
#include "engine/patch/return_thunk.h"
#include "engine/patch/trap.h"
#include "engine/patch/variant.h"
#include "engine/probe/solib.h"

/* ---- the header ---------------------------------------------------------------------- */

static ez_err *adopt_check_header(struct ez_target *t, struct adoption *o)
{
    struct ez_hdr *h = &o->hdr, again;
    EZ_TRY(ez_mem_read(t, o->seg.lo, h, sizeof *h));
    if (h->magic != EZ_ABI_MAGIC || h->abi != EZ_ABI_VERSION ||
        h->row_bytes != sizeof(struct ez_row))
        return adopt_differs("another build of eztsh planted them");
    again = *h;
    bool sane = h->nbuffers && h->nbuffers <= 1u << 16 && h->nsub >= 2 && h->nsub <= 512 &&
                !(h->nsub & (h->nsub - 1)) && h->ids_max && h->ids_max <= 1u << 24 &&
                h->ids_used <= h->ids_max && h->buffers_ready <= h->nbuffers &&
                h->clock <= EZ_CLOCK_MONO_NS && h->target_pid == (uint32_t)t->inf.pid;
    if (!sane || ez_rt_layout(&again) != h->size || memcmp(&again, h, sizeof *h) ||
        h->size > o->seg.hi - o->seg.lo)
        return adopt_differs("their shared memory is damaged");
    return NULL;
}

/* ---- the runtime ----------------------------------------------------------------------- */

static bool adopt_find_runtime(struct ez_target *t, struct adoption *o)
{
    for (size_t i = 0; i < o->maps.map.n; i++) {
        const struct ez_map *m = &o->maps.map.at[i];
        if (!ez_map_is_return_trampolines(m) || m->lo < EZ_RT_RETURN_TRAMPOLINES)
            continue;
        o->blob = m->lo - EZ_RT_RETURN_TRAMPOLINES;
        if (ez_mem_read_some(t, o->blob + EZ_RT_STATE, &o->state, sizeof o->state) ==
                sizeof o->state &&
            (uint64_t)o->state.hdr == o->seg.lo)
            return true;
    }
    return false;
}

static ez_err *adopt_check_runtime(struct ez_target *t, struct adoption *o)
{
    const struct ez_runtime *rt = &t->rt;
    bool mono = o->hdr.clock == EZ_CLOCK_MONO_NS;
    if (!adopt_find_runtime(t, o))
        return adopt_differs("their runtime cannot be found");
    ez_rt_found(t, &(struct ez_rt_found){ o->blob, o->seg.lo, &o->state, &o->hdr });
    ez_clock_adopt(t, mono, o->state.vdso_clock, o->state.clock_add);
    if (!ez_maps_cover(&o->maps, rt->blob, rt->blob + EZ_RT_STATE, "r-xp") ||
        !ez_maps_cover(&o->maps, rt->blob + EZ_RT_STATE, rt->blob + EZ_RT_RETURN_TRAMPOLINES,
                       "rw-p") ||
        !ez_maps_cover(&o->maps, rt->ctls, rt->ctls + rt->ctls_size, "rw-p") ||
        mono != !!o->state.mono)
        return adopt_differs("their runtime is damaged");
    return ez_rt_image_is_ours(t, o->state.tid_off)
               ? NULL
               : adopt_differs("another build of eztsh planted them");
}

static ez_err *adopt_check_pools(struct ez_target *t, const struct adoption *o)
{
    uint64_t n = o->state.npools;
    bool there = n <= EZ_NPOOLS;
    for (uint64_t i = 0; there && i < n; i++)
        there = ez_maps_cover(&o->maps, o->state.pool[i], o->state.pool[i] + EZ_POOL_SIZE, "r-xp");
    return there ? ez_pools_adopt(t, o->state.pool, (unsigned)n, o->hdr.ids_used)
                 : adopt_differs("their return thunks are damaged");
}

/* ---- the segment ------------------------------------------------------------------------- */

static ez_err *adopt_open_segment(struct ez_target *t, const struct adoption *o, int *out)
{
    int there;
    *out = kept_find_fd(t, EZ_SEG_NAME, o->seg.ino, &there);
    if (*out >= 0)
        return NULL;
    EZ_FREE char *path = ez_sprintf("/proc/%d/map_files/%lx-%lx", ez_live_tid(t),
                                    (unsigned long)o->seg.lo, (unsigned long)o->seg.hi);
    *out = open(path, O_RDWR | O_CLOEXEC);
    if (*out >= 0)
        return NULL;
    return errno == EPERM || errno == EACCES
               ? ez_err_new(EZ_E_PERM, 0, "Only root can read the counts of the probes")
               : ez_err_new(EZ_E_SYS, errno, "Cannot open the shared memory of the probes");
}

static ez_err *adopt_map_segment(struct ez_target *t, const struct adoption *o)
{
    EZ_CLOSE int memfd = -1;
    struct stat st;
    EZ_TRY(adopt_open_segment(t, o, &memfd));
    int seals = fcntl(memfd, F_GET_SEALS);
    if (seals < 0 || !(seals & F_SEAL_SHRINK) || fstat(memfd, &st) || st.st_ino != o->seg.ino ||
        (uint64_t)st.st_size != o->hdr.size)
        return adopt_differs("their shared memory is not the file that eztsh made");
    return ez_rt_adopt_segment(t, &o->hdr, &memfd);
}

/* ---- adoption ------------------------------------------------------------------------------- */

static ez_err *adopt_start_drain(struct ez_target *t, const struct adoption *o)
{
    const struct ez_runtime *rt = &t->rt;
    struct ez_drain_cfg cfg = { .hdr = rt->hdr,
                                .memfd = rt->memfd,
                                .pid = t->inf.pid,
                                .task = ez_live_tid(t),
                                .program = ez_program_name(t),
                                .event_fd = t->inf.eventfd,
                                .mono = t->tracing.mono,
                                .layout = &o->hdr,
                                .since = o->kept.head.since };
    EZ_TRY(ez_trace_drain_create(t, &cfg));
    for (uint32_t id = 0; id < o->hdr.ids_used; id++) {
        const struct ez_row *r = &o->row[id];
        bool plain = r->flags & EZ_ROW_ENTRY && !(r->flags & (EZ_ROW_DATA | EZ_ROW_CLAUSE));
        int site = plain ? ez_site_find(t, r->func) : -1;
        if (site >= 0)
            ez_site_describe(t, &t->patcher.site.at[site],
                             &(struct ez_variant){ .id = id, .flags = r->flags });
    }
    return NULL;
}

static ez_err *adopt_check_all(struct ez_target *t, struct adoption *o)
{
    int there;
    EZ_TRY(adopt_check_header(t, o));
    EZ_CLOSE int list = kept_find_fd(t, EZ_KEPT_NAME, 0, &there);
    if (list >= 0)
        EZ_TRY(kept_read(list, &o->kept));
    if (o->kept.all && o->kept.head.seg_ino != o->seg.ino)
        kept_free(&o->kept); /* an older shell left the list, for another segment */
    EZ_TRY(adopt_check_runtime(t, o));
    EZ_TRY(adopt_check_pools(t, o));
    EZ_TRY(ez_traps_adopt(t));
    EZ_TRY(adopt_map_segment(t, o));
    EZ_TRY(adopt_rows(t, o));
    return adopt_start_drain(t, o);
}

/* Makes this shell the segment's owner. Marks the requests that the loader's hook made to the
 * earlier shell as answered. */
static void adopt_become_owner(struct ez_target *t, const struct adoption *o)
{
    struct ez_hdr *h = t->rt.hdr;
    h->shell_pid = (uint32_t)getpid();
    h->overflow_wait = t->set.overflow == EZ_OVERFLOW_WAIT;
    h->loader_ack = ez_solib_caught_up(t, h->loader_seq);
    h->loader_wait = t->rt.watching;
    ez_probes_adopted(t);
    ez_rt_adopted(t, &o->maps, o->seg.ino, &o->hdr);
}

static void adopt_undo(struct ez_target *t)
{
    ez_sites_clear(t);
    ez_rt_down(t);
    for (size_t i = 0; i < t->inf.module.n; i++)
        t->inf.module.at[i]->unwind_hooked = t->inf.module.at[i]->jumps_hooked =
            t->inf.module.at[i]->profile_hooked = false;
}

void ez_kept_close(struct ez_target *t, uint64_t seg_ino)
{
    const char *name[] = { EZ_SEG_NAME, EZ_KEPT_NAME };
    int64_t r;
    for (size_t i = 0; i < EZ_ARRAY_LEN(name); i++) {
        int there = -1;
        EZ_CLOSE int fd = kept_find_fd(t, name[i], i ? 0 : seg_ino, &there);
        if (fd >= 0 && ez_err_drop(ez_inject_allowed(t)))
            ez_err_drop(ez_inject_syscall(t, ez_inject_thread(t), SYS_close,
                                          (uint64_t[6]){ (uint64_t)there }, &r,
                                          "close a descriptor that an earlier eztsh left"));
    }
}

ez_err *ez_adopt(struct ez_target *t, const struct ez_kept_map *seg)
{
    struct adoption o = { .seg = *seg };
    EZ_TRY(ez_maps_read(t->inf.pid, &o.maps));
    ez_err *e = adopt_check_all(t, &o);
    if (!e)
        e = adopt_give_back(t, &o);
    if (e) {
        adopt_undo(t);
    } else {
        adopt_become_owner(t, &o);
        unsigned n = adopt_probes(t, &o);
        if (n) /* 0: the earlier shell left only hooks */
            ez_post_note(t, "Took over %u probe%s of an earlier eztsh (process %u).", n,
                         n == 1 ? "" : "s", o.hdr.shell_pid);
        if (o.left_out)
            ez_post_note(t,
                         "Removed %u probe%s of an earlier eztsh (process %u): conditions and data "
                         "cannot be taken over.",
                         o.left_out, o.left_out == 1 ? "" : "s", o.hdr.shell_pid);
    }
    free(o.row);
    EZ_VEC_FREE(&o.given);
    EZ_VEC_FREE(&o.carried);
    kept_free(&o.kept);
    ez_maps_free(&o.maps);
    return e;
}
