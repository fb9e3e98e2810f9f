/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rt_load.c - maps the runtime and its shared memory into a stopped target.
 *
 * Every mapping is made by an injected mmap. Contents are written through /proc/PID/mem, so no page
 * is ever writable and executable. The shared segment is a memfd that the *target* creates (by an
 * injected memfd_create). The shell duplicates the descriptor with pidfd_getfd, and sizes and seals
 * the memfd. So the segment has no name in a file system, and the target cannot truncate it, which
 * would make the shell fault.
 *
 * Every step that can fail for lack of memory precedes the first change of text. Layout:
 * engine/rt/rt.h.
 * Tests: tests/unit/patch/check_denied.c, tests/unit/patch/check_layout.c */
#include "engine/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "engine/data_abi.h"
#include "engine/record/clock.h"
#include "engine/inferior/pt.h"
#include "engine/inferior/image.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/restorer.h"
#include "engine/inferior/thread.h"

/* Maximum numbers of buffers (one for each thread) and ids. Each buffer has counters for all ids,
 * and tables of aggregates: together 232 GiB of address space, of which only the pages of used
 * buffers and ids take memory. */
#define NBUFFERS 8192
#define NBUFFERS_USUAL 512
#define IDS_MAX 1048576
_Static_assert(IDS_MAX *EZ_RETURN_THUNK <= EZ_RETURN_THUNK_DIST, "a return thunk for every id");
#define NBUFFERS_LEAST 16
#define IDS_LEAST 4096

static ez_err *rt_load_remote(struct ez_target *t, long nr, const uint64_t arg[6], int64_t *r,
                              const char *why)
{
    EZ_TRY(ez_inject_syscall(t, ez_inject_thread(t), nr, arg, r, why));
    return ez_inject_error(*r, "the target's system call failed", why);
}

static ez_err *rt_too_small_limit(void)
{
    return ez_err_hint(
        ez_err_new(EZ_E_LIMIT, EFBIG, "Cannot create the shared memory of the trace buffers"),
        "The limit on the size of files (ulimit -f) applies to shared memory too");
}

/* Raises the shell's soft RLIMIT_FSIZE to the hard limit, or removes the limit if the shell may.
 * Called before the shell sizes memfds, to which its limit applies. Returns the limit to restore
 * afterwards. */
static struct rlimit rt_lift_file_limit(void)
{
    struct rlimit was = { RLIM_INFINITY, RLIM_INFINITY }, most = was;
    if (getrlimit(RLIMIT_FSIZE, &was) || !setrlimit(RLIMIT_FSIZE, &most))
        return was;
    most.rlim_cur = most.rlim_max = was.rlim_max;
    setrlimit(RLIMIT_FSIZE, &most);
    return was;
}

/* Creates a memfd of `size` bytes in the target. *here: the shell's descriptor; rt.there: the
 * target's. scratch: writable memory of the target, for the name. */
static ez_err *rt_make_memfd(struct ez_target *t, uint64_t scratch, const char *name, uint64_t size,
                             int *here)
{
    int64_t r;
    EZ_TRY(ez_mem_write(t, scratch, name, strlen(name) + 1, "name a memfd"));
    EZ_TRY(rt_load_remote(t, SYS_memfd_create,
                          (uint64_t[6]){ scratch, MFD_CLOEXEC | MFD_ALLOW_SEALING }, &r,
                          "create shared memory"));
    t->rt.there = (int)r;
    *here = ez_fetch_fd(t, t->rt.there);
    if (*here < 0)
        return ez_err_new(EZ_E_SYS, errno, "Cannot fetch the target's shared memory");
    if (ftruncate(*here, (off_t)size) < 0)
        return errno == EFBIG
                   ? rt_too_small_limit()
                   : ez_err_new(EZ_E_SYS, errno, "Cannot size %lu bytes of shared memory",
                                (unsigned long)size);
    return NULL;
}

static ez_err *rt_close_remote(struct ez_target *t)
{
    int64_t r;
    uint64_t fd = (uint64_t)t->rt.there;
    t->rt.there = -1;
    return rt_load_remote(t, SYS_close, (uint64_t[6]){ fd }, &r, "close the target's descriptor");
}

static uint32_t rt_new_cookie(void)
{
    uint32_t c = 0;
    while (!c)
        if (getrandom(&c, sizeof c, 0) != sizeof c)
            c = (uint32_t)getpid() * 2654435761u | 1;
    return c;
}

/* Sets *at to an address hint for the mmaps of the runtime's memory. Without a hint the kernel
 * chooses addresses next to the libraries, which trampolines need. */
#define FAR_STEP (1ull << 30)
static ez_err *rt_far_away(struct ez_target *t, uint64_t *at)
{
    struct ez_maps maps;
    EZ_TRY(ez_maps_read(t->inf.pid, &maps));
    *at = ez_maps_far(&maps, &t->rt.far_room);
    ez_maps_free(&maps);
    return NULL;
}

/* Maps [blob, blob + EZ_RT_SIZE) RW-, then remaps the part for the runtime's code R-X and writes
 * the code. */
static ez_err *rt_map_blob(struct ez_target *t)
{
    struct ez_runtime *rt = &t->rt;
    const int anon = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    uint64_t at;
    EZ_TRY(rt_far_away(t, &rt->far));
    EZ_TRY(ez_inject_mmap(
        t,
        &(struct ez_mmap){
            .at = rt->far, .size = EZ_RT_SIZE, .prot = PROT_READ | PROT_WRITE, .flags = anon },
        &rt->blob, "reserve room for the runtime"));
    EZ_TRY(ez_inject_mmap(t,
                          &(struct ez_mmap){ .at = rt->blob,
                                             .size = EZ_RT_STATE,
                                             .prot = PROT_READ | PROT_EXEC,
                                             .flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED },
                          &at, "map the runtime's code"));
    ez_rt_restorer(t);
    return ez_mem_write(t, rt->blob, rt->image, rt->image_size, "write the runtime");
}

/* Maps the return trampolines: a file of 2 MiB with identical pages, which is mapped many times, at
 * consecutive addresses. */
static ez_err *rt_map_return_trampolines(struct ez_target *t)
{
    struct ez_runtime *rt = &t->rt;
    uint8_t page[EZ_CHUNK];
    EZ_CLOSE int fd = -1;
    uint64_t at;
    t->inf.arch->rt->return_trampolines(page);
    EZ_TRY(
        rt_make_memfd(t, rt->blob + EZ_RT_STATE, "eztsh-slots", EZ_RT_RETURN_TRAMPOLINE_FILE, &fd));
    struct iovec all[EZ_RT_RETURN_TRAMPOLINE_FILE / EZ_CHUNK];
    for (size_t i = 0; i < EZ_ARRAY_LEN(all); i++)
        all[i] = (struct iovec){ page, EZ_CHUNK };
    if (pwritev(fd, all, (int)EZ_ARRAY_LEN(all), 0) != EZ_RT_RETURN_TRAMPOLINE_FILE)
        return ez_err_new(EZ_E_SYS, errno, "Cannot write the return trampolines");
    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
    for (uint64_t off = 0; off < EZ_DIST; off += EZ_RT_RETURN_TRAMPOLINE_FILE)
        EZ_TRY(ez_inject_mmap(t,
                              &(struct ez_mmap){ .at = rt->blob + EZ_RT_RETURN_TRAMPOLINES + off,
                                                 .size = EZ_RT_RETURN_TRAMPOLINE_FILE,
                                                 .prot = PROT_READ | PROT_EXEC,
                                                 .flags = MAP_PRIVATE | MAP_FIXED,
                                                 .fd = rt->there },
                              &at, "map return trampolines"));
    return rt_close_remote(t);
}

ez_err *ez_rt_unmap(struct ez_target *t, uint64_t at, uint64_t size)
{
    int64_t r;
    if (!size)
        return NULL;
    ez_err *e = ez_inject_syscall(t, ez_inject_thread(t), SYS_munmap, (uint64_t[6]){ at, size }, &r,
                                  "unmap unused memory of the runtime");
    if (e && e->code == EZ_E_GONE)
        return e;
    return ez_err_drop(e), NULL;
}

uint64_t ez_rt_ctls_size(uint32_t nbuffers)
{
    return EZ_ROUND_UP(4096 + nbuffers * sizeof(struct ez_ctl), EZ_PAGE);
}

/* The scratch memory is the last 512 bytes of the page that serves as thread control block before
 * libc has set up one. */
uint64_t ez_rt_scratch(const struct ez_target *t)
{
    return t->rt.blob + EZ_RT_TCB + EZ_PAGE - 512;
}

/* Maps the control blocks, which the kernel wipes in forked children. */
static ez_err *rt_map_control(struct ez_target *t)
{
    struct ez_runtime *rt = &t->rt;
    int64_t r;
    struct rt_proc proc = { .alive = 1 };
    rt->ctls_size = ez_rt_ctls_size(NBUFFERS);
    EZ_TRY(ez_inject_mmap(t,
                          &(struct ez_mmap){ .at = rt->far + FAR_STEP,
                                             .size = rt->ctls_size,
                                             .prot = PROT_READ | PROT_WRITE,
                                             .flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE },
                          &rt->ctls, "map control blocks"));
    EZ_TRY(rt_load_remote(t, SYS_madvise,
                          (uint64_t[6]){ rt->ctls, rt->ctls_size, 18 /* MADV_WIPEONFORK */ }, &r,
                          "have control blocks wiped on fork"));
    return ez_mem_write(t, rt->ctls, &proc, sizeof proc, "mark the process as probed");
}

uint64_t ez_rt_layout(struct ez_hdr *h)
{
    uint64_t at = EZ_PAGE;
    h->off_ranges = at;
    at += EZ_PAGE;
    h->off_semaphores = at;
    at += EZ_ROUND_UP(EZ_SEMAPHORES * sizeof(struct ez_semaphore), EZ_PAGE);
    h->off_rows = at;
    at += h->ids_max * sizeof(struct ez_row);
    h->off_buffers = at;
    at += h->nbuffers * sizeof(struct ez_buffer);
    h->off_counters = at = EZ_ROUND_UP(at, EZ_PAGE);
    at += (uint64_t)h->nbuffers * h->ids_max * sizeof(struct ez_counter);
    h->off_rings = at = EZ_ROUND_UP(at, EZ_SUB_BYTES);
    h->off_addups = at += (uint64_t)h->nbuffers * h->nsub * EZ_SUB_BYTES;
    return h->size = at + (uint64_t)h->nbuffers * h->naddups * EZ_ADDUP_BYTES;
}

/* Makes the layout one step smaller, for a limit of file sizes or of the address space: first fewer
 * buffers (threads), down to NBUFFERS_USUAL, then fewer tables of aggregates, fewer ids (probes),
 * fewer buffers again, then smaller rings. Returns false if all are minimal. */
static bool rt_load_shrink(struct ez_hdr *h)
{
    uint32_t *what = h->nbuffers > NBUFFERS_USUAL   ? &h->nbuffers
                     : h->naddups                   ? &h->naddups
                     : h->ids_max > IDS_LEAST       ? &h->ids_max
                     : h->nbuffers > NBUFFERS_LEAST ? &h->nbuffers
                     : h->nsub > 2                  ? &h->nsub
                                                    : NULL;
    if (what)
        *what /= 2;
    return what;
}

/* Returns the number of bytes that are free for the shared segment, which is mapped 2 * FAR_STEP
 * above the runtime. */
static uint64_t rt_far_room(const struct ez_target *t)
{
    uint64_t room = t->rt.far_room;
    return room > 8 * FAR_STEP ? room - 4 * FAR_STEP : room / 2;
}

static void rt_header_init(struct ez_target *t, struct ez_hdr *h, uint32_t nsub, uint64_t most)
{
    static uint32_t generation;
    h->magic = EZ_ABI_MAGIC;
    h->abi = EZ_ABI_VERSION;
    h->row_bytes = sizeof(struct ez_row);
    h->generation = ++generation;
    h->target_pid = (uint32_t)t->inf.pid;
    h->shell_pid = (uint32_t)getpid();
    h->nbuffers = NBUFFERS;
    h->ids_max = IDS_MAX;
    h->nsub = nsub;
    h->naddups = EZ_ADDUPS;
    while (ez_rt_layout(h) > EZ_MIN(most, rt_far_room(t)) && rt_load_shrink(h))
        ;
    h->clock = t->tracing.mono ? EZ_CLOCK_MONO_NS : EZ_CLOCK_RAW_TSC;
    h->overflow_wait = t->set.overflow == EZ_OVERFLOW_WAIT;
}

/* Returns half of the number of bytes that process pid may still map under RLIMIT_AS; UINT64_MAX if
 * there is no limit. */
static uint64_t rt_address_room(pid_t pid)
{
    struct rlimit limit;
    char path[32];
    unsigned long long pages = 0;
    if (prlimit(pid, RLIMIT_AS, NULL, &limit) || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    snprintf(path, sizeof path, "/proc/%d/statm", pid);
    FILE *f = fopen(path, "re");
    if (f && fscanf(f, "%llu", &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    return limit.rlim_cur > pages * ez_page() ? (limit.rlim_cur - pages * ez_page()) / 2 : 0;
}

static uint32_t rt_ring_subs(const struct ez_target *t)
{
    uint32_t n = 2;
    while (n * 2 * (EZ_SUB_BYTES / 1024) <= t->set.ring_kib && n < 512)
        n *= 2;
    return n;
}

static ez_err *rt_load_map_segment(struct ez_target *t)
{
    struct ez_runtime *rt = &t->rt;
    struct ez_hdr plan = { 0 };
    int64_t r;
    struct rlimit limit;
    uint64_t most = getrlimit(RLIMIT_FSIZE, &limit) ? RLIM_INFINITY : limit.rlim_cur;
    most = EZ_MIN(most, EZ_MIN(rt_address_room(ez_live_tid(t)), rt_address_room(getpid())));
    rt_header_init(t, &plan, rt_ring_subs(t), most);
    EZ_TRY(rt_make_memfd(t, rt->blob + EZ_RT_STATE, EZ_SEG_NAME, plan.size, &rt->memfd));
    /* Allocates the pages before the rows (header, ranges). The drain thread allocates the rest of
     * the segment on demand. */
    if (fallocate(rt->memfd, 0, 0, (off_t)plan.off_rows) < 0)
        return ez_err_new(EZ_E_SYS, errno,
                          "Shared memory is exhausted, and the process is unchanged");
    if (fcntl(rt->memfd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)
        return ez_err_new(EZ_E_SYS, errno, "Cannot seal shared memory");
    rt->hdr =
        mmap(NULL, plan.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, rt->memfd, 0);
    if (rt->hdr == MAP_FAILED) {
        rt->hdr = NULL;
        return ez_err_new(EZ_E_SYS, errno, "Cannot map %lu bytes of shared memory",
                          (unsigned long)plan.size);
    }
    rt->seg_size = plan.size;
    *rt->hdr = plan;
    rt->hdr->no_syscalls |= t->inf.dispatches;
    rt->rows = (struct ez_row *)((char *)rt->hdr + plan.off_rows);
    rt->semaphores = (struct ez_semaphore *)((char *)rt->hdr + plan.off_semaphores);
    EZ_TRY(ez_inject_mmap(t,
                          &(struct ez_mmap){ .at = rt->far + 2 * FAR_STEP,
                                             .size = plan.size,
                                             .prot = PROT_READ | PROT_WRITE,
                                             .flags = MAP_SHARED | MAP_NORESERVE,
                                             .fd = rt->there },
                          &rt->seg, "map the rings"));
    EZ_TRY(rt_close_remote(t));
    EZ_TRY(rt_load_remote(t, SYS_madvise, (uint64_t[6]){ rt->seg, plan.size, MADV_DONTDUMP }, &r,
                          "keep the rings out of core files"));
    return rt_load_remote(t, SYS_madvise, (uint64_t[6]){ rt->seg, plan.size, MADV_DONTFORK }, &r,
                          "keep forked children out of the rings");
}

void ez_rt_none(struct ez_target *t)
{
    t->rt = (struct ez_runtime){ .memfd = -1, .there = -1 };
}

/* Frees the pages of rings and aggregates, which no shell reads any more. The addresses stay mapped
 * in the target: a thread that is recording a hit writes to a new page of zeros. */
static void rt_load_empty(const struct ez_runtime *rt)
{
    struct ez_hdr plan = *rt->hdr;
    uint64_t from = ez_rt_layout(&plan) == rt->seg_size ? plan.off_rings : rt->seg_size;
    if (from < rt->seg_size)
        fallocate(rt->memfd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)from,
                  (off_t)(rt->seg_size - from));
}

static void rt_load_release(struct ez_target *t, bool leave, bool open)
{
    struct ez_runtime *rt = &t->rt;
    ez_trace_drain_end(t, leave, open);
    ez_restorer_is(t, 0);
    if (rt->hdr && rt->trimmed)
        rt_load_empty(rt);
    if (rt->hdr)
        munmap(rt->hdr, rt->seg_size);
    if (rt->memfd >= 0)
        close(rt->memfd);
    for (size_t i = 0; i < rt->area.n; i++)
        ez_free_sparse(rt->area.at[i].mirror, rt->area.at[i].size);
    EZ_VEC_FREE(&rt->area);
    EZ_VEC_FREE(&rt->trap);
    EZ_VEC_FREE(&rt->stack);

    for (unsigned i = 0; i < rt->npools; i++)
        EZ_VEC_FREE(&rt->pool[i].thunk);
    free(rt->image);
    ez_rt_none(t);
}

void ez_rt_image(struct ez_runtime *rt)
{
    const struct ez_arch_rt *a = ez_arch_host()->rt;
    rt->image_size = (size_t)(a->image_end - a->image);
    rt->image = ez_alloc(rt->image_size);
    memcpy(rt->image, a->image, rt->image_size);
    rt->bh = (const struct ez_blob_hdr *)rt->image;
}

ez_err *ez_rt_write_state(struct ez_target *t, uint32_t tid_off)
{
    struct ez_runtime *rt = &t->rt;
    struct rt_state s = { .hdr = (struct ez_hdr *)rt->seg,
                          .ctls = (uint8_t *)rt->ctls,
                          .tid_off = tid_off,
                          .tcb_free = tid_off != 0,
                          .max_chunks = EZ_NCHUNK,
                          .cookie = rt->cookie,
                          .eh_frame = rt->blob + rt->bh->eh_frame,
                          .mono = t->tracing.mono,
                          .vdso_clock = t->tracing.vdso_clock,
                          .clock_add = t->tracing.clock_add };
    t->inf.arch->rt->vector_state(&s.xs_mask, &s.xs_inuse, &s.xs_size);
    /* the runtime's SIGTRAP handler is set already: its part of the state must not change */
    if (rt->trap.n)
        EZ_TRY(ez_mem_read(t, rt->blob + EZ_RT_STATE + offsetof(struct rt_state, trap_act),
                           &s.trap_act, 2 * sizeof s.trap_act));
    return ez_mem_write(t, rt->blob + EZ_RT_STATE, &s, sizeof s, "set up the runtime");
}

static ez_err *rt_bring_up(struct ez_target *t)
{
    struct ez_runtime *rt = &t->rt;
    ez_rt_image(rt);
    rt->cookie = rt_new_cookie();
    ez_clock_choose(t);
    EZ_TRY(rt_map_blob(t));
    EZ_TRY(rt_load_map_segment(t));
    struct ez_drain_cfg cfg = { .hdr = rt->hdr,
                                .memfd = rt->memfd,
                                .pid = t->inf.pid,
                                .task = ez_live_tid(t),
                                .program = ez_program_name(t),
                                .event_fd = t->inf.eventfd,
                                .mono = t->tracing.mono };
    /* From now on the drain thread allocates the rings, while this thread continues. */
    EZ_TRY(ez_trace_drain_begin(t, &cfg));
    EZ_TRY(rt_map_return_trampolines(t));
    EZ_TRY(rt_map_control(t));
    EZ_TRY(ez_rt_write_state(t, 0));
    rt->nids = 0;
    EZ_TRY(ez_drain_finish(t->tracing.drain));
    rt->up = true;
    return ez_trace_opened(t);
}

/* Unmaps what a failed ez_rt_up() has mapped, because the target may be near its limit of
 * mappings. */
static void rt_load_unmap(struct ez_target *t)
{
    const struct ez_runtime *rt = &t->rt;
    const uint64_t part[][2] = { { rt->blob, EZ_RT_SIZE },
                                 { rt->ctls, rt->ctls_size },
                                 { rt->seg, rt->seg_size } };
    ez_restorer_is(t, 0); /* the restorer is in the memory to unmap */
    if (rt->there >= 0)
        ez_err_drop(rt_close_remote(t));
    for (size_t i = 0; i < EZ_ARRAY_LEN(part) && t->inf.state != EZ_NONE; i++)
        if (part[i][0])
            ez_err_drop(ez_rt_unmap(t, part[i][0], part[i][1]));
}

ez_err *ez_rt_up(struct ez_target *t)
{
    if (t->rt.up)
        return NULL;
    EZ_TRY(ez_need_strategy());
    EZ_TRY(ez_image_known(t)); /* the program may have been replaced by exec */
    EZ_TRY(ez_inject_allowed(t));
    struct rlimit limit = rt_lift_file_limit();
    ez_err *e = rt_bring_up(t);
    setrlimit(RLIMIT_FSIZE, &limit);
    if (e) {
        rt_load_unmap(t);
        rt_load_release(t, false, false);
    }
    return e;
}

/* Copies the settings that concern the runtime from t->set to the shared header. */
void ez_rt_settings(struct ez_target *t)
{
    if (t->rt.up)
        t->rt.hdr->overflow_wait = t->set.overflow == EZ_OVERFLOW_WAIT;
}

void ez_rt_restorer(struct ez_target *t)
{
    uint64_t end = EZ_RT_STATE - EZ_RESTORER_BYTES;
    ez_restorer_is(t, t->rt.image_size <= end ? t->rt.blob + end : 0);
}

void ez_rt_down(struct ez_target *t)
{
    rt_load_release(t, false, false);
}

void ez_rt_leave(struct ez_target *t, bool open)
{
    rt_load_release(t, true, open);
}
