/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rt_refer.c - determines whether a thread of the process can still reach code that eztsh mapped.
 *
 * A thread reaches code by an address: in a register, as a return address on a stack, in the saved
 * context of a coroutine, in a signal frame, in a pointer that a replacement calls. So while the
 * target is stopped, the general registers and all memory that may contain such an address are
 * searched for words that point into eztsh's code. Every such word counts, even if no thread will
 * use it. Not searched are:
 *  - pages with the contents of their file, and pages never touched (/proc/PID/pagemap); a page
 *    of shared memory that the kernel has removed from the page table looks like a page that was
 *    never touched;
 *  - mappings without any permission, memory of devices, and eztsh's own data, also that of other
 *    shells, which only eztsh's code reads;
 *  - the memory below the stack pointer on a thread's own stack, whose calls have returned, and the
 *    stacks of threads that have ended, which glibc keeps for new threads. (The caller has checked
 *    that no call is open. So even if other memory is mistaken for a stack, it has no return address
 *    to eztsh's code.)
 * Words are searched at multiples of their size, where the ABIs put return addresses.
 * Tests: tests/unit/patch/check_refer.c, tests/procs/again.sh */
#include "engine/patch/rt_refer.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/target.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/thread.h"

#define REFER_TOUCHED (128ull << 20) /* maximum number of bytes to search, in about 0.1 s */
#define REFER_MAPPED (16ull << 30)   /* maximum bytes of mappings to look up in pagemap, in 0.1 s */
#define REFER_NEAR (1ull << 30)      /* ranges of code closer than this (bytes) share a hull */
#define REFER_AT_ONCE 16             /* pages that one call reads */

#define PAGE_PRESENT (1ull << 63)
#define PAGE_SWAPPED (1ull << 62)
/* the page belongs to a file, or to memory that processes share */
#define PAGE_OF_FILE (1ull << 61)
#define PAGE_GUARD (1ull << 58) /* a guard page of MADV_GUARD_INSTALL (Linux 6.15) */

struct refer {
    struct ez_target *t;
    const struct ez_mapped *ours;
    /* few ranges that together contain all ranges of code, for a quick test: most words are in
     * none */
    EZ_VEC(struct ez_range) hull;
    EZ_VEC(struct ez_range) dead; /* parts of stacks below the stack pointer */
    EZ_VEC(uint64_t) sp;          /* stack pointers of all threads */
    int pagemap;
    uint64_t touched;    /* number of bytes that may be searched before the search ends */
    uint64_t mapped;     /* likewise of mapped bytes to look up in pagemap */
    enum ez_refer found; /* result if an address of eztsh's code is in the present mapping */
};

static bool refer_within(const struct ez_range *r, size_t n, uint64_t word)
{
    for (size_t i = 0; i < n; i++)
        if (word - r[i].lo < r[i].hi - r[i].lo)
            return true;
    return false;
}

static bool refer_any(const struct refer *r, const uint64_t *word, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (refer_within(r->hull.at, r->hull.n, word[i]) &&
            refer_within(r->ours->code, r->ours->ncode, word[i]))
            return true;
    return false;
}

static void refer_hulls(struct refer *r)
{
    for (size_t i = 0; i < r->ours->ncode; i++) {
        struct ez_range *last = r->hull.n ? &r->hull.at[r->hull.n - 1] : NULL;
        if (last && r->ours->code[i].lo - last->hi < REFER_NEAR)
            last->hi = r->ours->code[i].hi;
        else
            EZ_PUSH(&r->hull, r->ours->code[i]);
    }
}

static const struct ez_map *refer_map_at(const struct ez_maps *m, uint64_t at,
                                         const struct ez_map **before)
{
    *before = NULL;
    for (size_t i = 0; i < m->map.n; *before = &m->map.at[i++])
        if (at - m->map.at[i].lo < m->map.at[i].hi - m->map.at[i].lo)
            return &m->map.at[i];
    return NULL;
}

/* Adds the part of a thread's stack below the stack pointer to r->dead, if the stack is the
 * kernel's [stack] or a thread stack of libc, which has a guard page below it and the thread
 * control block above it. If the stack pointer is elsewhere, for instance on a coroutine's stack,
 * the memory below it may be in use. */
static void refer_stack(struct refer *r, const struct ez_maps *m, pid_t tid,
                        const struct ez_regs *regs)
{
    const uint64_t sp = r->t->inf.arch->regs.sp(regs),
                   tp = r->t->inf.arch->regs.thread_pointer(regs);
    const struct ez_map *guard, *stack = refer_map_at(m, sp, &guard);
    if (!stack)
        return;
    bool first = tid == r->t->inf.pid && !strcmp(stack->name, "[stack]");
    bool other = tp > sp && tp < stack->hi && guard && guard->hi == stack->lo &&
                 !strncmp(guard->perm, "---", 3);
    if (first || other)
        EZ_PUSH(&r->dead, ((struct ez_range){ stack->lo, sp }));
}

static bool refer_is_stack(const struct refer *r, const struct ez_map *m)
{
    for (size_t i = 0; i < r->sp.n; i++)
        if (r->sp.at[i] >= m->lo && r->sp.at[i] < m->hi)
            return true;
    return false;
}

struct refer_tcb { /* offsets in glibc's thread control block */
    uint32_t tid, list;
};

/* Returns true if the thread control block at address `at` is in one of glibc's lists: its
 * neighbours there point to it. It is not if the program has got the stack back that it gave to the
 * thread. */
static bool refer_listed(struct ez_target *t, uint64_t at)
{
    uint64_t node[2], next[2], prev[2];
    return ez_mem_read_some(t, at, node, sizeof node) == sizeof node &&
           ez_mem_read_some(t, node[0], next, sizeof next) == sizeof next &&
           ez_mem_read_some(t, node[1], prev, sizeof prev) == sizeof prev && next[1] == at &&
           prev[0] == at;
}

/* Returns the lowest address of a thread's block of stack, guard included, which ends at `hi`; 0 =
 * unknown. control: glibc's thread control block, n words, which contains the address and the size
 * of the block. */
static uint64_t refer_block(const uint64_t *control, size_t n, uint64_t hi)
{
    for (size_t i = 0; i + 1 < n; i++)
        if (control[i] && control[i] % EZ_PAGE == 0 && control[i] < hi &&
            control[i] + control[i + 1] == hi)
            return control[i];
    return 0;
}

/* Sets *dead to the stack of a thread that has ended, if there is one at the end of the mapping m.
 * glibc's control block at the end of a stack has its own address at the offsets 0 and 16. The
 * kernel clears the thread's id when the thread ends; pthread_join sets it to -1. */
static bool refer_ended(struct ez_target *t, const struct ez_map *m, struct refer_tcb field,
                        struct ez_range *dead)
{
    uint64_t word[EZ_PAGE / 8];
    const uint64_t last = m->hi - sizeof word;
    if (ez_mem_read_some(t, last, word, sizeof word) != sizeof word)
        return false;
    for (size_t i = 0; i + 2 < EZ_ARRAY_LEN(word); i += 8) {
        uint64_t at = last + 8 * i;
        int32_t id;
        if (word[i] != at || word[i + 2] != at ||
            ez_mem_read_some(t, at + field.tid, &id, sizeof id) != sizeof id || id > 0 ||
            !refer_listed(t, at + field.list))
            continue;
        uint64_t block = refer_block(word + i, EZ_ARRAY_LEN(word) - i, m->hi);
        *dead = (struct ez_range){ EZ_MAX(m->lo, block), at };
        return block;
    }
    return false;
}

/* Adds the stacks of threads that have ended to r->dead: they have a guard page below, a control
 * block at the end, and no stack pointer in them. */
static void refer_ended_stacks(struct refer *r, const struct ez_maps *maps)
{
    const struct refer_tcb field = { ez_rt_tid_offset(r->t), ez_rt_list_offset(r->t) };
    for (size_t i = 1; field.tid && field.list && i < maps->map.n; i++) {
        const struct ez_map *m = &maps->map.at[i], *guard = m - 1;
        if (m->inode || strcmp(m->perm, "rw-p") || guard->hi != m->lo ||
            strcmp(guard->perm, "---p") || m->hi - m->lo < 2 * EZ_PAGE || refer_is_stack(r, m))
            continue;
        struct ez_range dead;
        if (refer_ended(r->t, m, field, &dead))
            EZ_PUSH(&r->dead, dead);
    }
}

static enum ez_refer refer_threads(struct refer *r, const struct ez_maps *m)
{
    for (size_t i = 0; i < r->t->inf.thread.n; i++) {
        struct ez_thread *th = r->t->inf.thread.at[i];
        struct ez_regs *regs;
        if (!ez_err_drop(ez_thread_regs(th, &regs)))
            return EZ_REFER_LASTING;
        if (refer_any(r, regs->word, EZ_ARRAY_LEN(regs->word)))
            return EZ_REFER_PASSING;
        EZ_PUSH(&r->sp, r->t->inf.arch->regs.sp(regs));
        refer_stack(r, m, th->tid, regs);
    }
    refer_ended_stacks(r, m);
    return EZ_REFER_NONE;
}

/* Searches the addresses [lo, hi), at most REFER_AT_ONCE pages, without dead parts of stacks. */
static enum ez_refer refer_pages(struct refer *r, uint64_t lo, uint64_t hi)
{
    static uint64_t word[REFER_AT_ONCE * EZ_PAGE / 8];
    for (size_t i = 0; i < r->dead.n; i++)
        if (lo >= r->dead.at[i].lo && lo < r->dead.at[i].hi)
            lo = EZ_MIN(EZ_ROUND_UP(r->dead.at[i].hi, 8), hi);
    if (r->touched < hi - lo || ez_mem_read_some(r->t, lo, word, hi - lo) != hi - lo)
        return EZ_REFER_LASTING;
    r->touched -= hi - lo;
    return refer_any(r, word, (hi - lo) / 8) ? r->found : EZ_REFER_NONE;
}

/* Returns true if eztsh mapped the page. The test is made for each page, because the kernel may
 * have merged mappings of eztsh with mappings that an earlier shell left. */
static bool refer_ours(const struct refer *r, uint64_t page)
{
    return refer_within(r->ours->data, r->ours->ndata, page) ||
           refer_within(r->ours->code, r->ours->ncode, page + ez_page() - 1);
}

/* Returns true if the page, which eztsh has not mapped, may contain bytes that are not from its
 * file. */
static bool refer_holds(const struct refer *r, uint64_t page, uint64_t entry, bool shared)
{
    return entry & (PAGE_PRESENT | PAGE_SWAPPED) && !(entry & PAGE_GUARD) &&
           (shared || !(entry & PAGE_OF_FILE)) && !refer_ours(r, page);
}

/* Searches, of the n pages from address `at` on, those that were touched according to their pagemap
 * entries. */
static enum ez_refer refer_touched(struct refer *r, uint64_t at, const uint64_t *entry, size_t n,
                                   bool shared)
{
    const uint64_t page = ez_page();
    enum ez_refer found = EZ_REFER_NONE;
    for (size_t i = 0, k; i < n && !found; i = EZ_MAX(k, i + 1)) {
        for (k = i; k < n && k - i < REFER_AT_ONCE * EZ_PAGE / page &&
                    refer_holds(r, at + k * page, entry[k], shared);)
            k++;
        if (k > i)
            found = refer_pages(r, at + i * page, at + k * page);
    }
    return found;
}

static enum ez_refer refer_mapping(struct refer *r, const struct ez_map *m)
{
    const uint64_t page = ez_page();
    uint64_t entry[512];
    enum ez_refer found = EZ_REFER_NONE;
    if (r->mapped < m->hi - m->lo)
        return EZ_REFER_LASTING;
    r->mapped -= m->hi - m->lo;
    r->found = refer_is_stack(r, m) ? EZ_REFER_PASSING : EZ_REFER_LASTING;
    for (uint64_t at = m->lo; at < m->hi && !found; at += EZ_ARRAY_LEN(entry) * page) {
        size_t n = EZ_MIN((m->hi - at) / page, EZ_ARRAY_LEN(entry));
        found = pread(r->pagemap, entry, n * 8, (off_t)(at / page * 8)) == (ssize_t)(n * 8)
                    ? refer_touched(r, at, entry, n, m->perm[3] == 's')
                    : EZ_REFER_LASTING;
    }
    return found;
}

/* Returns true if the mapping is memory of a device (a character device, or a PCI device in /sys),
 * which must not be read because reading may have effects. */
static bool refer_device(const struct refer *r, const struct ez_map *m)
{
    static const char sys[] = "/sys/";
    struct stat st;
    if (m->name[0] != '/' || m->perm[3] != 's')
        return false;
    if (!strncmp(m->name, sys, sizeof sys - 1))
        return true;
    EZ_FREE char *path = ez_sprintf("/proc/%d/root%s", r->t->inf.pid, m->name);
    return !stat(path, &st) && S_ISCHR(st.st_mode);
}

/* Returns true if the mapping may contain an address of eztsh's code. Read-only private memory may
 * have been written before it became read-only. */
static bool refer_wanted(const struct refer *r, const struct ez_map *m)
{
    const struct ez_mapped *ours = r->ours;
    bool some = m->perm[3] == 's' ? m->perm[1] == 'w' : strncmp(m->perm, "---", 3);
    bool data = refer_within(ours->data, ours->ndata, m->lo) &&
                refer_within(ours->data, ours->ndata, m->hi - 1);
    return some && !data && !ez_map_is_ours(m) && !refer_device(r, m) &&
           strncmp(m->name, "[vvar", 5) && strcmp(m->name, "[vsyscall]");
}

static enum ez_refer refer_memory(struct refer *r, const struct ez_maps *m)
{
    enum ez_refer found = EZ_REFER_NONE;
    for (size_t i = 0; i < m->map.n && !found; i++)
        if (refer_wanted(r, &m->map.at[i]))
            found = refer_mapping(r, &m->map.at[i]);
    return found;
}

/* Returns true if more than REFER_TOUCHED bytes of the process's anonymous memory are resident, or
 * if that is unknown. */
static bool refer_large(struct ez_target *t)
{
    char path[64];
    unsigned long long resident = 0, of_files = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", ez_live_tid(t));
    FILE *f = fopen(path, "re");
    bool known = f && fscanf(f, "%*u %llu %llu", &resident, &of_files) == 2;
    if (f)
        fclose(f);
    return !known || (resident - of_files) * ez_page() > REFER_TOUCHED;
}

enum ez_refer ez_rt_referred(struct ez_target *t, const struct ez_mapped *ours)
{
    struct refer r = { .t = t, .ours = ours, .touched = REFER_TOUCHED, .mapped = REFER_MAPPED };
    struct ez_maps maps;
    char path[64];
    if (refer_large(t) || ez_sharer(t->inf.pid, 0) || !ez_err_drop(ez_maps_read(t->inf.pid, &maps)))
        return EZ_REFER_LASTING;
    snprintf(path, sizeof path, "/proc/%d/pagemap", ez_live_tid(t));
    r.pagemap = open(path, O_RDONLY | O_CLOEXEC);
    refer_hulls(&r);
    enum ez_refer found = r.pagemap < 0 ? EZ_REFER_LASTING : refer_threads(&r, &maps);
    if (!found)
        found = refer_memory(&r, &maps);
    if (r.pagemap >= 0)
        close(r.pagemap);
    EZ_VEC_FREE(&r.hull);
    EZ_VEC_FREE(&r.dead);
    EZ_VEC_FREE(&r.sp);
    ez_maps_free(&maps);
    return found;
}
