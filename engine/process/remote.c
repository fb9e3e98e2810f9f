/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remote.c - the commands mmap, munmap, syscall and call, with the texts of their errors.
 * engine/inferior/inject.c and call.c do the injection.
 *
 * Input: a stopped target, and the user's numbers, which were not checked before.
 * Errors: EZ_E_STATE, EZ_E_ARG, EZ_E_REMOTE if the target's call failed; those of inject.c and
 * call.c.
 * Tests: tests/e2e/inject.ezt, tests/e2e/mmap.ezt, tests/procs/sweep.sh */
#include "engine/process/session.h"
#include "engine/target.h"
#include "engine/inferior/progress.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/thread.h"
#include "engine/patch/alloc.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

ez_err *ez_remote_syscall(struct ez_target *t, long nr, const uint64_t arg[6], int64_t *result)
{
    EZ_TRY(ez_need_stopped(t));
    EZ_TRY(ez_inject_allowed(t));
    return ez_inject_syscall(t, ez_thread_current(t), nr, arg, result,
                             "run the user's system call");
}

static ez_err *remote_failed(const char *call, int errnum, const char *cause)
{
    ez_err *e = ez_err_new(EZ_E_REMOTE, 0, "The target's %s failed: %s (%s)%s%s", call,
                           ez_errno_name(errnum), strerror(errnum), *cause ? ": " : "", cause);
    e->errnum = errnum;
    return e;
}

static unsigned long remote_min_map_address(void)
{
    unsigned long v = 0;
    FILE *f = fopen("/proc/sys/vm/mmap_min_addr", "re");
    if (f) {
        if (fscanf(f, "%lu", &v) != 1)
            v = 0;
        fclose(f);
    }
    return v;
}

ez_err *ez_remote_mmap(struct ez_target *t, uint64_t length, int prot, uint64_t at, ez_addr *out)
{
    uint64_t arg[6] = { at, length, (uint64_t)prot, MAP_PRIVATE | MAP_ANONYMOUS, (uint64_t)-1, 0 };
    int64_t r;
    if (at == EZ_ANYWHERE)
        arg[0] = 0;
    else
        arg[3] |= MAP_FIXED_NOREPLACE;
    EZ_TRY(ez_remote_syscall(t, SYS_mmap, arg, &r));
    if (r < 0 && r > -4096) {
        char cause[96] = "";
        if (!length)
            snprintf(cause, sizeof cause, "the length is 0");
        else if (at != EZ_ANYWHERE && at % ez_page())
            snprintf(cause, sizeof cause, "0x%lx is not a multiple of the page size (%lu)",
                     (unsigned long)at, (unsigned long)ez_page());
        else if (at < remote_min_map_address())
            snprintf(cause, sizeof cause, "address %lu is below vm.mmap_min_addr (%lu)",
                     (unsigned long)at, remote_min_map_address());
        else if (r == -EEXIST)
            snprintf(cause, sizeof cause, "something is mapped there already");
        return remote_failed("mmap", (int)-r, cause);
    }
    EZ_PUSH(&t->session.mine,
            ((struct ez_range){ (uint64_t)r, (uint64_t)r + EZ_ROUND_UP(length, ez_page()) }));
    *out = ez_addr_of((uint64_t)r);
    return NULL;
}

static bool remote_overlaps(uint64_t a, uint64_t an, uint64_t b, uint64_t bn)
{
    return a < b + bn && b < a + an;
}

static bool remote_ours(struct ez_target *t, uint64_t at, uint64_t n)
{
    const struct ez_runtime *rt = &t->rt;
    return rt->up &&
           (remote_overlaps(at, n, rt->blob, EZ_RT_SIZE) ||
            remote_overlaps(at, n, rt->ctls, rt->ctls_size) ||
            remote_overlaps(at, n, rt->seg, rt->seg_size) || ez_trampoline_owns(t, at, at + n));
}

ez_err *ez_remote_munmap(struct ez_target *t, ez_addr at, uint64_t length)
{
    uint64_t arg[6] = { at.v, length };
    int64_t r;
    EZ_TRY(ez_need_stopped(t));
    if (remote_ours(t, at.v, length))
        return ez_err_new(EZ_E_ARG, 0,
                          "0x%lx belongs to the runtime of eztsh: a thread may be executing it",
                          (unsigned long)at.v);
    EZ_TRY(ez_remote_syscall(t, SYS_munmap, arg, &r));
    if (r < 0) {
        char cause[96] = "";
        if (!length)
            snprintf(cause, sizeof cause, "the length is 0");
        else if (at.v % ez_page())
            snprintf(cause, sizeof cause, "0x%lx is not a multiple of the page size (%lu)",
                     (unsigned long)at.v, (unsigned long)ez_page());
        return remote_failed("munmap", (int)-r, cause);
    }
    for (size_t i = 0; i < t->session.mine.n; i++)
        if (t->session.mine.at[i].lo == at.v)
            t->session.mine.at[i] = t->session.mine.at[--t->session.mine.n];
    return NULL;
}

ez_err *ez_remote_call(struct ez_target *t, ez_addr func, const uint64_t *arg, size_t nargs,
                       uint64_t *result)
{
    EZ_TRY(ez_need_stopped(t));
    if (nargs > 6)
        return ez_err_new(EZ_E_ARG, 0, "At most 6 arguments can be passed in registers");
    return ez_remote_call_more(
        t, &(struct ez_call){ .func = func.v, .arg = arg, .n = nargs, .others = true }, NULL,
        result);
}

ez_err *ez_remote_call_more(struct ez_target *t, const struct ez_call *call,
                            struct ez_call_more *more, uint64_t *result)
{
    EZ_TRY(ez_need_stopped(t));
    ez_progress_begin(t);
    return ez_progress_end(t, ez_inject_call_more(t, ez_thread_current(t), call, more, result,
                                                  "call the user's function"));
}
