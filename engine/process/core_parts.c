/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core_parts.c - selects the memory of a core file: see core.h.
 *
 * The rules are the kernel's (core(5), vma_dump_size in fs/coredump.c), with
 * /proc/PID/coredump_filter, as in gdb: memory with MADV_DONTDUMP, of a device, or without any
 * access is omitted. For an ELF file's mapping without written pages only the first page is dumped,
 * which has the build-id. eztsh's own shared memory (rings, slots: up to hundreds of sparse GiB) is
 * not part of the program, and is omitted.
 * Tests: tests/procs/core.sh */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "engine/process/core.h"
#include "engine/target.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/thread.h"

/* Bits of coredump_filter. */
#define FILTER_ANON 1u
#define FILTER_ANON_SHARED 2u
#define FILTER_FILE 4u
#define FILTER_FILE_SHARED 8u
#define FILTER_HEADERS 16u
#define FILTER_HUGE 32u
#define FILTER_HUGE_SHARED 64u
#define FILTER_USUAL (FILTER_ANON | FILTER_ANON_SHARED | FILTER_HEADERS | FILTER_HUGE)

struct smaps {    /* properties of one mapping, from /proc/PID/smaps */
    bool written; /* the mapping has pages that are not the file's */
    bool no_dump, huge;
};

static unsigned core_filter(pid_t pid)
{
    char path[64];
    size_t n;
    snprintf(path, sizeof path, "/proc/%d/coredump_filter", pid);
    EZ_FREE char *text = ez_str_load(path, 64, &n);
    return text ? (unsigned)strtoul(text, NULL, 16) : FILTER_USUAL;
}

static bool core_name_begins(const struct ez_map *m, const char *with)
{
    return !strncmp(m->name, with, strlen(with));
}

static bool core_is_file(const struct ez_map *m)
{
    return *m->name == '/' && m->inode;
}

static bool core_is_elf(struct ez_target *t, const struct ez_map *m)
{
    char magic[SELFMAG];
    return !m->offset && m->perm[0] == 'r' &&
           ez_mem_read_some(t, m->lo, magic, SELFMAG) == SELFMAG && !memcmp(magic, ELFMAG, SELFMAG);
}

/* Returns the number of bytes of the mapping, counted from its start, that the core file
 * contains. */
static uint64_t core_kept(struct ez_target *t, const struct ez_map *m, const struct smaps *s,
                          unsigned filter)
{
    uint64_t all = m->hi - m->lo;
    bool shared = m->perm[3] == 's', deleted = strstr(m->name, " (deleted)");
    if (!strcmp(m->name, "[vdso]"))
        return all;
    if (s->no_dump || core_name_begins(m, "[v") || (!strncmp(m->perm, "---", 3) && !s->written))
        return 0;
    if (s->huge)
        return filter & (shared ? FILTER_HUGE_SHARED : FILTER_HUGE) ? all : 0;
    if (shared)
        return filter & (!core_is_file(m) || deleted ? FILTER_ANON_SHARED : FILTER_FILE_SHARED)
                   ? all
                   : 0;
    if ((!core_is_file(m) || s->written) && filter & FILTER_ANON)
        return all;
    if (core_is_file(m) && filter & FILTER_FILE)
        return all;
    return filter & FILTER_HEADERS && core_is_file(m) && core_is_elf(t, m) ? EZ_MIN(all, ez_page())
                                                                           : 0;
}

/* Parses the lines about mapping m in the text of smaps. *at: in, the position from which to parse;
 * out, the position behind these lines. */
static void core_read_smaps(char **at, const struct ez_map *m, struct smaps *out)
{
    unsigned long lo = 0, kb; /* lo: start address of the mapping to which the line belongs */
    *out = (struct smaps){ .written = false };
    for (char *line = *at; line && *line; line = *at) {
        char *end = strchr(line, '\n');
        bool head = line[0] < 'A' || line[0] > 'Z';
        if (head && (sscanf(line, "%lx-", &lo) != 1 || lo > m->lo))
            return;
        if (end)
            *end = '\0';
        if (!head && lo == m->lo && sscanf(line, "Anonymous: %lu", &kb) == 1)
            out->written = kb;
        if (!head && lo == m->lo && !strncmp(line, "VmFlags:", 8)) {
            out->no_dump = strstr(line, " dd") || strstr(line, " io");
            out->huge = strstr(line, " ht");
        }
        *at = end ? end + 1 : line + strlen(line);
    }
}

ez_err *ez_core_parts(struct ez_target *t, const struct ez_maps *maps, struct ez_core_parts *out)
{
    char path[64];
    size_t n;
    unsigned filter = core_filter(t->inf.pid);
    snprintf(path, sizeof path, "/proc/%d/smaps", ez_live_tid(t));
    EZ_FREE char *text = ez_str_load(path, SIZE_MAX / 4, &n);
    char *at = text;
    for (size_t i = 0; i < maps->map.n; i++) {
        const struct ez_map *m = &maps->map.at[i];
        struct smaps s = { .written = true }; /* used if smaps cannot be read */
        if (text)
            core_read_smaps(&at, m, &s);
        if (strcmp(m->name, "[vsyscall]") && !ez_map_is_ours(m))
            EZ_PUSH(out,
                    ((struct ez_core_part){ .lo = m->lo,
                                            .hi = m->hi,
                                            .kept = core_kept(t, m, &s, filter),
                                            .map = m,
                                            .anonymous = !core_is_file(m) && m->perm[3] == 'p' &&
                                                         !core_name_begins(m, "[v") }));
    }
    return NULL;
}
