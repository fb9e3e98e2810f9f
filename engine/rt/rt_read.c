/* SPDX-License-Identifier: MIT */
/* rt_read.c - reads memory of the program that may be unmapped.
 *
 * A pointer that a probe follows may be wrong, and a fault would end the program. So the runtime
 * itself reads only memory that cannot be unmapped at that time: ranges that the shell lists
 * (struct ez_ranges: the files of program and libraries, the main stack), and the page of the stack
 * on which the runtime runs. All other memory is read by a system call, which reports unmapped
 * memory. The system call is slower (a microsecond), and never faults. If system calls are
 * forbidden, all other memory counts as unreadable.
 *
 * Tests: tests/unit/rt/check_code.c, tests/procs/data.sh */
#include "engine/rt/rt_code.h"

/* Returns nonzero if a range of the shell's list contains [from, end), and the list is valid. The
 * list is valid until the loader changes its list of libraries. */
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

/* Returns nonzero if the runtime itself may read n bytes at `from`. */
static int read_is_here(struct rt_run *r, uint64_t from, uint32_t n)
{
    uint64_t end = from + n, page = (uint64_t)&end & -4096ull;
    return end >= from && ((from >= page && end <= page + 4096) || read_is_stable(r->b, from, end));
}

static uint32_t read_by_kernel(void *to, uint64_t from, uint32_t n)
{
    struct {
        uint64_t base, len;
    } here = { (uint64_t)to, n }, there = { from, n };
    if (rt_state.hdr->no_syscalls || from + n < from)
        return 0;
    long got = rt_syscall(RT_SYS_PROCESS_VM_READV, read_pid(), (long)&here, 1, (long)&there, 1, 0);
    return got > 0 ? (uint32_t)got : 0;
}

HIDDEN const char *rt_look(struct rt_run *r, void *buf, uint64_t from, uint32_t n, uint32_t *got)
{
    if (read_is_here(r, from, n)) {
        *got = n;
        return (const char *)from;
    }
    *got = read_by_kernel(buf, from, n);
    return buf;
}

HIDDEN int rt_read(struct rt_run *r, uint64_t *to, uint64_t from, uint32_t n)
{
    if (!read_is_here(r, from, n))
        return read_by_kernel(to, from, n) == n;
    switch (n) {
    case 1:
        *to = *(const volatile uint8_t *)from;
        break;
    case 2:
        *to = *(const volatile uint16_t *)from;
        break;
    case 4:
        *to = *(const volatile uint32_t *)from;
        break;
    default:
        *to = *(const volatile uint64_t *)from;
    }
    return 1;
}
