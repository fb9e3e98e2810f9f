/* SPDX-License-Identifier: GPL-3.0-or-later */
/* maps.c - the target's mappings, from /proc/PID/maps, and the free address ranges between them.
 * modules.c finds the modules among the mappings.
 * Tests: tests/unit/inferior/check_places.c */
#include "engine/target.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/foreign.h"
#include "engine/inferior/corefile.h"
#include "engine/inferior/maps.h"

static bool maps_begins(const struct ez_map *m, const char *name)
{
    return !strncmp(m->name, name, strlen(name));
}

bool ez_map_is_ours(const struct ez_map *m)
{
    return maps_begins(m, "/memfd:eztsh-");
}

bool ez_map_is_return_trampolines(const struct ez_map *m)
{
    return maps_begins(m, "/memfd:eztsh-slots");
}

static char *maps_slurp(const char *path)
{
    size_t n;
    return ez_str_load(path, SIZE_MAX / 4, &n);
}

/* Reads the maps file of any live thread. The main thread's file is empty if the main thread has
 * ended before the others (pthread_exit in main). */
static char *maps_slurp_of_thread(pid_t pid)
{
    char path[64];
    struct dirent *d;
    char *s = NULL;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *dir = opendir(path);
    while (dir && (!s || !*s) && (d = readdir(dir))) {
        free(s);
        snprintf(path, sizeof path, "/proc/%d/task/%d/maps", pid, atoi(d->d_name));
        s = maps_slurp(path);
    }
    if (dir)
        closedir(dir);
    return s;
}

/* Returns start_brk, field 47 of /proc/PID/stat, or 0 if it is unknown. Before the first brk()
 * there is no [heap] mapping. */
static uint64_t maps_heap_start(pid_t pid)
{
    char path[64];
    unsigned long v = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    EZ_FREE char *s = maps_slurp(path);
    char *p = s ? strrchr(s, ')') : NULL;
    for (int field = 2; p && field < 47; field++)
        p = strchr(p + 1, ' ');
    return p && sscanf(p, "%lu", &v) == 1 ? v : 0;
}

ez_err *ez_maps_read(pid_t pid, struct ez_maps *m)
{
    char path[64];
    memset(m, 0, sizeof *m);
    snprintf(path, sizeof path, "/proc/%d/maps", pid);
    m->text = maps_slurp(path);
    if (m->text && !*m->text) {
        free(m->text);
        m->text = maps_slurp_of_thread(pid);
    }
    if (!m->text)
        return ez_err_new(errno == ENOENT ? EZ_E_GONE : EZ_E_SYS, errno, "Cannot read %s", path);
    if (!*m->text) { /* the process is a zombie */
        free(m->text);
        m->text = NULL;
        return ez_err_new(EZ_E_GONE, 0, "Process %d is gone", pid);
    }
    for (char *line = m->text, *next; *line; line = next) {
        struct ez_map e = { 0 };
        unsigned long lo, hi, off, ino;
        int at = 0;
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        else
            next = line + strlen(line);
        if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu %n", &lo, &hi, e.perm, &off, &e.dev_major,
                   &e.dev_minor, &ino, &at) < 7)
            continue;
        e.lo = lo;
        e.hi = hi;
        e.offset = off;
        e.inode = ino;
        e.name = line + at;
        EZ_PUSH(&m->map, e);
        if (!strcmp(e.name, "[heap]"))
            m->brk = e.hi;
    }
    if (!m->brk)
        m->brk = maps_heap_start(pid);
    return NULL;
}

ez_err *ez_maps_of(struct ez_target *t, struct ez_maps *m)
{
    if (!t->inf.core)
        return ez_maps_read(t->inf.pid, m);
    ez_corefile_maps(t->inf.core, m);
    return NULL;
}

void ez_maps_free(struct ez_maps *m)
{
    EZ_VEC_FREE(&m->map);
    free(m->text);
    m->text = NULL;
}

size_t ez_maps_above(const struct ez_maps *m, uint64_t at)
{
    return EZ_UPTO(m->map.at, m->map.n, hi, at);
}

bool ez_maps_cover(const struct ez_maps *m, uint64_t lo, uint64_t hi, const char *perm)
{
    for (size_t i = ez_maps_above(m, lo); i < m->map.n && lo < hi; i++) {
        const struct ez_map *one = &m->map.at[i];
        if (one->lo > lo || one->inode || strcmp(one->perm, perm))
            return false;
        lo = one->hi;
    }
    return lo >= hi;
}

#define FAR_ALIGN (1ull << 21) /* alignment that fits large pages and page tables */
#define FAR_OFF (1ull << 36)   /* minimum distance from the neighbouring mappings, in bytes */
#define HEAP_ROOM (1ull << 30)

static uint64_t maps_top(void)
{
    return (1ull << ez_arch_host()->address_bits) - ez_page();
}

/* Returns true if the heap may grow into [lo, hi). */
static bool maps_above_heap(const struct ez_maps *m, uint64_t lo, uint64_t hi)
{
    return m->brk && hi > m->brk && lo < m->brk + HEAP_ROOM;
}

static bool maps_spoils_growth(const struct ez_maps *m, size_t i, uint64_t lo, uint64_t hi)
{
    const struct ez_map *after = i < m->map.n ? &m->map.at[i] : NULL;
    const uint64_t stack = 128ull << 20;
    if (maps_above_heap(m, lo, hi))
        return true;
    return after && !strcmp(after->name, "[stack]") && hi > after->lo - stack;
}

uint64_t ez_maps_free_at(const struct ez_maps *m, uint64_t lo, uint64_t hi, uint64_t size)
{
    const uint64_t top = maps_top();
    uint64_t prev = 0x10000;
    for (size_t i = 0; i <= m->map.n; i++) {
        uint64_t end = i < m->map.n ? EZ_MIN(m->map.at[i].lo, top) : top;
        uint64_t at = EZ_MAX(lo, prev);
        if (at <= hi && at + size <= end &&
            !maps_spoils_growth(m, i, at & ~(ez_page() - 1), EZ_ROUND_UP(at + size, ez_page())))
            return at;
        if (i < m->map.n)
            prev = EZ_MAX(prev, m->map.at[i].hi);
    }
    return 0;
}

uint64_t ez_maps_far(const struct ez_maps *m, uint64_t *behind)
{
    const uint64_t top = maps_top();
    uint64_t far = 0, most = 0, prev = 0x10000;
    *behind = 0;
    for (size_t i = 0; i <= m->map.n; i++) {
        uint64_t end = i < m->map.n ? EZ_MIN(m->map.at[i].lo, top) : top;
        uint64_t room = end > prev ? end - prev : 0;
        if (room >= FAR_OFF + EZ_FAR_SIZE + FAR_OFF) {
            far = end - FAR_OFF - EZ_FAR_SIZE;
            most = room;
            *behind = EZ_FAR_SIZE;
        } else if (room > most) {
            far = prev + room / 2;
            most = room;
            *behind = room / 2;
        }
        if (i < m->map.n)
            prev = EZ_MAX(prev, m->map.at[i].hi);
    }
    return far & ~(FAR_ALIGN - 1);
}

uint64_t ez_maps_gap(const struct ez_maps *m, uint64_t lo, uint64_t hi, uint64_t size,
                     int64_t reach)
{
    const uint64_t top = maps_top();
    uint64_t best = 0, best_d = ~0ull, prev = 0x10000, align = size % EZ_HUGE ? ez_page() : EZ_HUGE;
    for (size_t i = 0; i <= m->map.n; i++) {
        uint64_t end = i < m->map.n ? EZ_MIN(m->map.at[i].lo, top) : top;
        for (int low = 0; low < 2 && end > prev && end - prev >= size; low++) {
            uint64_t at = low ? EZ_ROUND_UP(prev, align) : (end - size) & ~(align - 1);
            if (low && maps_above_heap(m, at, at + size))
                at = EZ_ROUND_UP(m->brk + HEAP_ROOM, align);
            if (at < prev || at + size > end || maps_spoils_growth(m, i, at, at + size))
                continue;
            /* Addresses below the module are preferred, because the heap of a PIE grows upwards. */
            uint64_t d = at < lo ? hi - at : at + size - lo + (1ull << 28);
            if ((int64_t)(hi - EZ_MIN(at, hi)) < reach &&
                (int64_t)(at + size - EZ_MIN(lo, at)) < reach && d < best_d) {
                best = at;
                best_d = d;
            }
        }
        if (i < m->map.n && m->map.at[i].hi > prev)
            prev = m->map.at[i].hi;
    }
    return best;
}
