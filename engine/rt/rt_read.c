/* SPDX-License-Identifier: MIT */
/* rt_read.c - reads the program's memory where there may be none.
 *
 * A pointer that a probe follows may be wrong, and a fault would end the program. So the runtime
 * reads itself only where memory cannot go away while it reads: in the ranges that the shell lists
 * (struct ez_ranges: the files of program and libraries, the main stack), and in the page of the
 * stack on which it stands. All else is read by the kernel, which says so when there is nothing:
 * dearer (a microsecond), and never wrong. Where system calls are forbidden, all else is not
 * readable.
 *
 * Tests: tests/unit/engine/check_code.c, tests/procs/data.sh */
#include "engine/rt/rt_code.h"

/* The list holds only for the state of the loader in which the shell made it. */
static int read_is_stable(struct ez_ctl *b, uint64_t from, uint64_t end)
{
    const struct ez_hdr *h = rt_state.hdr;
    const struct ez_ranges *k = (const struct ez_ranges *)((const char *)h + h->off_ranges);
    uint32_t seq = __atomic_load_n(&k->seq, __ATOMIC_ACQUIRE), n = k->n, lo = 0, hi;
    if (seq & 1 || k->loader != h->loader_seq || h->loader_busy || n > EZ_RANGES)
        return 0;
    lo = b->range < n ? (uint32_t)b->range : 0;
    if (!n || from < k->range[lo].lo || end > k->range[lo].hi) {
        for (lo = 0, hi = n; hi - lo > 1;) {
            uint32_t mid = (lo + hi) / 2;
            if (k->range[mid].lo <= from)
                lo = mid;
            else
                hi = mid;
        }
        if (!n || from < k->range[lo].lo || end > k->range[lo].hi)
            return 0;
        b->range = lo;
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return k->seq == seq;
}

static long read_pid(void)
{
    struct rt_proc *p = rt_process();
    if (!p->pid)
        p->pid = (uint64_t)rt_syscall(RT_SYS_GETPID, 0, 0, 0, 0, 0, 0);
    return (long)p->pid;
}

HIDDEN uint32_t rt_read(struct rt_run *r, void *to, uint64_t from, uint32_t n)
{
    struct {
        uint64_t base, len;
    } here = { (uint64_t)to, n }, there = { from, n };
    uint64_t end = from + n, page = (uint64_t)&here & -4096ull;
    if (end < from)
        return 0;
    if ((from >= page && end <= page + 4096) || read_is_stable(r->b, from, end)) {
        uint32_t i = 0;
        for (; i + 8 <= n; i += 8)
            __builtin_memcpy((char *)to + i, (const char *)from + i, 8);
        for (; i < n; i++)
            ((char *)to)[i] = ((const volatile char *)from)[i];
        return n;
    }
    if (rt_state.hdr->no_syscalls)
        return 0;
    long got = rt_syscall(RT_SYS_PROCESS_VM_READV, read_pid(), (long)&here, 1, (long)&there, 1, 0);
    return got > 0 ? (uint32_t)got : 0;
}
