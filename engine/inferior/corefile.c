/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corefile.c - the memory and the mappings of a core file (corefile.h).
 *
 * The kernel leaves pages out that are in files: they are read from the files. A file is taken for
 * the mapped one if it has the build-id that the first page in the core file has. Other memory that
 * was left out reads as zeros.
 * Tests: tests/procs/corefile.sh, tests/fuzz/fuzz_core.c */
#include "engine/inferior/corefile.h"

#include <elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/strutil.h"
#include "engine/inferior/corefile_priv.h"

#define NOTES_MOST (256ul << 20) /* bytes of notes: 65,536 threads have 100 MB */
#define SEGMENTS_MOST (1u << 20)

void corefile_damaged(struct ez_corefile *c, const char *format, ...)
{
    va_list ap;
    char text[160];
    if (c->damage)
        return;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    c->damage = ez_strdup(text);
}

/* ---- the file -------------------------------------------------------------------------------- */

static int corefile_by_lo(const void *a, const void *b)
{
    const struct core_segment *x = a, *y = b;
    return x->lo < y->lo ? -1 : x->lo > y->lo;
}

static void corefile_add_segment(struct ez_corefile *c, const Elf64_Phdr *p)
{
    struct core_segment s = { p->p_vaddr, p->p_memsz, p->p_offset, EZ_MIN(p->p_filesz, p->p_memsz),
                              0,          p->p_flags };
    if (!s.size || s.lo > UINT64_MAX - s.size)
        return;
    uint64_t room = s.offset < c->size ? c->size - s.offset : 0;
    s.there = EZ_MIN(s.kept, room);
    if (s.there < s.kept)
        corefile_damaged(c, "the file ends before the memory at 0x%llx",
                         (unsigned long long)(s.lo + room));
    EZ_PUSH(&c->segment, s);
}

static void corefile_add_notes(struct ez_corefile *c, const Elf64_Phdr *p)
{
    uint64_t room = p->p_offset < c->size ? c->size - p->p_offset : 0;
    uint64_t n = EZ_MIN(EZ_MIN(p->p_filesz, room), (uint64_t)NOTES_MOST);
    if (n < p->p_filesz)
        corefile_damaged(c, "the file ends within the notes");
    if (!n || c->note.n > 16)
        return;
    uint8_t *note = ez_alloc((size_t)n);
    EZ_PUSH(&c->note, note);
    corefile_notes(c, note, ez_foreign_read(c->file, p->p_offset, note, (size_t)n));
}

/* Reads the number of program headers: it is in the first section header if it does not fit. */
static uint64_t corefile_count(struct ez_corefile *c, const Elf64_Ehdr *eh)
{
    Elf64_Shdr sh;
    if (eh->e_phnum != PN_XNUM ||
        ez_foreign_read(c->file, eh->e_shoff, &sh, sizeof sh) != sizeof sh)
        return eh->e_phnum;
    return sh.sh_info;
}

static void corefile_segments(struct ez_corefile *c, const Elf64_Ehdr *eh)
{
    uint64_t n = corefile_count(c, eh), done = 0;
    Elf64_Phdr p[64];
    n = EZ_MIN(n, (uint64_t)SEGMENTS_MOST);
    while (done < n) {
        size_t want = (size_t)EZ_MIN(n - done, (uint64_t)EZ_ARRAY_LEN(p));
        size_t got =
            eh->e_phoff > c->size
                ? 0
                : ez_foreign_read(c->file, eh->e_phoff + done * sizeof *p, p, want * sizeof *p) /
                      sizeof *p;
        for (size_t i = 0; i < got; i++)
            if (p[i].p_type == PT_LOAD)
                corefile_add_segment(c, &p[i]);
            else if (p[i].p_type == PT_NOTE)
                corefile_add_notes(c, &p[i]);
        done += got;
        if (got < want) {
            corefile_damaged(c, "the file ends within the program headers");
            break;
        }
    }
    if (c->segment.n)
        qsort(c->segment.at, c->segment.n, sizeof *c->segment.at, corefile_by_lo);
    size_t kept = 0;
    for (size_t i = 0; i < c->segment.n; i++) {
        EZ_ASSUME(c->segment.at);
        const struct core_segment *last = kept ? &c->segment.at[kept - 1] : NULL;
        if (last && c->segment.at[i].lo < last->lo + last->size)
            corefile_damaged(c, "parts of the memory overlap at 0x%llx",
                             (unsigned long long)c->segment.at[i].lo);
        else
            c->segment.at[kept++] = c->segment.at[i];
    }
    c->segment.n = kept;
}

static ez_err *corefile_check(struct ez_corefile *c, const Elf64_Ehdr *eh, size_t n)
{
    bool elf = n == sizeof *eh && !memcmp(eh->e_ident, ELFMAG, SELFMAG);
    if (!elf || eh->e_type != ET_CORE)
        return ez_err_gdb(EZ_E_FORMAT, "\"%s\" is not a core dump: %s", c->path,
                          "file format not recognized");
    if (eh->e_ident[EI_CLASS] != ELFCLASS64 || eh->e_machine != c->arch->elf.machine)
        return ez_err_new(EZ_E_FORMAT, 0,
                          "\"%s\" is a core dump of a %d-bit process on another processor (ELF "
                          "machine %u); this eztsh supports only %s",
                          c->path, eh->e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32,
                          (unsigned)eh->e_machine, c->arch->name);
    if (eh->e_phentsize != sizeof(Elf64_Phdr))
        return ez_err_new(EZ_E_FORMAT, 0, "\"%s\" is a damaged core dump: no program headers",
                          c->path);
    return NULL;
}

static void corefile_make_maps(struct ez_corefile *c);

ez_err *ez_corefile_open(const char *path, const struct ez_arch *arch, struct ez_corefile **out)
{
    struct ez_foreign *file;
    Elf64_Ehdr eh;
    EZ_TRY(ez_foreign_open(path, path, &file));
    struct ez_corefile *c = ez_alloc(sizeof *c);
    *c = (struct ez_corefile){ .file = file,
                               .path = ez_strdup(path),
                               .arch = arch,
                               .size = ez_foreign_id(file)->size,
                               .sysroot = ez_strdup(""),
                               .search = ez_strdup("") };
    ez_err *e = corefile_check(c, &eh, ez_foreign_read(file, 0, &eh, sizeof eh));
    if (!e)
        corefile_segments(c, &eh);
    if (!e && !c->thread.n)
        e = ez_err_new(EZ_E_FORMAT, 0, "\"%s\" is a damaged core dump: it has no registers (%s)",
                       path, c->damage ? c->damage : "there is no note about a thread");
    if (e) {
        ez_corefile_close(c);
        return e;
    }
    corefile_make_maps(c);
    *out = c;
    return NULL;
}

void ez_corefile_close(struct ez_corefile *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->name.n; i++) {
        free(c->name.at[i].name);
        free(c->name.at[i].path);
        if (c->name.at[i].file)
            ez_foreign_close(c->name.at[i].file);
    }
    for (size_t i = 0; i < c->note.n; i++)
        free(c->note.at[i]);
    EZ_VEC_FREE(&c->note);
    EZ_VEC_FREE(&c->name);
    EZ_VEC_FREE(&c->segment);
    EZ_VEC_FREE(&c->mapping);
    EZ_VEC_FREE(&c->map);
    EZ_VEC_FREE(&c->thread);
    ez_foreign_close(c->file);
    free(c->path);
    free(c->sysroot);
    free(c->search);
    free(c->damage);
    free(c);
}

/* ---- the mapped files ------------------------------------------------------------------------ */

static const struct core_segment *corefile_segment(const struct ez_corefile *c, uint64_t at)
{
    size_t n = EZ_UPTO(c->segment.at, c->segment.n, lo, at);
    const struct core_segment *s = n ? &c->segment.at[n - 1] : NULL;
    return s && at - s->lo < s->size ? s : NULL;
}

/* Copies the bytes that the core file itself has. */
static size_t corefile_own(struct ez_corefile *c, uint64_t from, void *buf, size_t n)
{
    const struct core_segment *s = corefile_segment(c, from);
    if (!s || from - s->lo >= s->there)
        return 0;
    return ez_foreign_read(c->file, s->offset + (from - s->lo), buf,
                           (size_t)EZ_MIN((uint64_t)n, s->there - (from - s->lo)));
}

/* Memory that was left out reads as zeros, as in gdb: the kernel leaves out pages that were never
 * touched. Returns the number of bytes. */
static size_t corefile_zeros(struct ez_corefile *c, uint64_t from, void *buf, size_t n)
{
    const struct core_segment *s = corefile_segment(c, from);
    if (!s || from - s->lo < s->kept || !(s->flags & PF_R))
        return 0;
    n = (size_t)EZ_MIN((uint64_t)n, s->size - (from - s->lo));
    memset(buf, 0, n);
    return n;
}

static const struct core_mapping *corefile_mapping(const struct ez_corefile *c, uint64_t at)
{
    size_t n = EZ_UPTO(c->mapping.at, c->mapping.n, lo, at);
    const struct core_mapping *m = n ? &c->mapping.at[n - 1] : NULL;
    return m && at < m->hi ? m : NULL;
}

/* Returns the build-id note (NT_GNU_BUILD_ID) in a file's first page, with its head, or NULL. */
static const uint8_t *corefile_build_id(const uint8_t *page, size_t n, size_t *len)
{
    static const uint8_t mark[] = { 3, 0, 0, 0, 'G', 'N', 'U', 0 };
    const uint8_t *at = memmem(page, n, mark, sizeof mark);
    uint32_t size;
    if (!at || at - page < 4)
        return NULL;
    memcpy(&size, at - 4, sizeof size);
    *len = sizeof mark + size;
    return size <= 64 && *len <= (size_t)(page + n - at) ? at : NULL;
}

/* Returns true if the file may be the one of which the core file has the first page. */
static bool corefile_fits(struct ez_corefile *c, size_t name, struct ez_foreign *file)
{
    uint8_t core[EZ_PAGE], page[EZ_PAGE];
    size_t got = 0, there = 0, nc = 0, nf = 0;
    for (size_t i = 0; i < c->mapping.n && !got; i++)
        if (c->mapping.at[i].name == name && !c->mapping.at[i].offset)
            got = corefile_own(c, c->mapping.at[i].lo, core, sizeof core);
    if (got < sizeof(Elf64_Ehdr))
        return true;
    there = ez_foreign_read(file, 0, page, sizeof page);
    const uint8_t *a = corefile_build_id(core, got, &nc), *b = corefile_build_id(page, there, &nf);
    if (a || b)
        return a && b && nc == nf && !memcmp(a, b, nc);
    return there >= sizeof(Elf64_Ehdr) && !memcmp(core, page, sizeof(Elf64_Ehdr));
}

static bool corefile_try(struct ez_corefile *c, size_t name, const char *path)
{
    struct core_name *n = &c->name.at[name];
    struct ez_foreign *file;
    if (!ez_err_drop(ez_foreign_open(path, n->name, &file)))
        return false;
    if (!corefile_fits(c, name, file)) {
        n->other = true;
        ez_foreign_close(file);
        return false;
    }
    n->file = file;
    n->path = ez_strdup(path);
    return true;
}

static void corefile_look(struct ez_corefile *c, size_t name)
{
    static const char deleted[] = " (deleted)";
    struct core_name *n = &c->name.at[name];
    EZ_FREE char *plain = ez_strdup(n->name);
    size_t len = strlen(plain), k = sizeof deleted - 1;
    if (n->tried)
        return;
    n->tried = true;
    if (len > k && !strcmp(plain + len - k, deleted))
        plain[len - k] = 0;
    if (*plain != '/')
        return;
    EZ_FREE char *below = ez_sprintf("%s%s", c->sysroot, plain);
    if (corefile_try(c, name, below))
        return;
    for (const char *p = c->search; *p; p += *p == ':') {
        size_t dir = strcspn(p, ":");
        EZ_FREE char *path = ez_sprintf("%.*s/%s", (int)dir, p, strrchr(plain, '/') + 1);
        if (dir && corefile_try(c, name, path))
            return;
        p += dir;
    }
}

void ez_corefile_search(struct ez_corefile *c, const char *sysroot, const char *path)
{
    free(c->sysroot);
    free(c->search);
    c->sysroot = ez_strdup(sysroot);
    c->search = ez_strdup(path);
    for (size_t i = 0; i < c->name.n; i++)
        c->name.at[i].tried = c->name.at[i].file != NULL;
}

bool ez_corefile_take(struct ez_corefile *c, uint64_t at, const char *path)
{
    const struct core_mapping *m = corefile_mapping(c, at);
    struct ez_foreign *file;
    if (!m || !ez_err_drop(ez_foreign_open(path, path, &file)))
        return true;
    struct core_name *n = &c->name.at[m->name];
    bool fits = corefile_fits(c, m->name, file);
    if (n->file)
        ez_foreign_close(n->file);
    free(n->path);
    n->file = file;
    n->path = ez_strdup(path);
    n->tried = n->taken = true;
    return fits;
}

const char *ez_corefile_find(struct ez_corefile *c, const char *name, bool *other)
{
    *other = false;
    for (size_t i = 0; i < c->name.n; i++) {
        if (strcmp(c->name.at[i].name, name))
            continue;
        corefile_look(c, i);
        *other = c->name.at[i].other && !c->name.at[i].file;
        return c->name.at[i].path;
    }
    return NULL;
}

/* Copies the bytes of a mapping from its file; after the file's end, up to the page's end, zeros. */
static size_t corefile_of_file(struct ez_corefile *c, const struct core_mapping *m, uint64_t from,
                               void *buf, size_t n)
{
    corefile_look(c, m->name);
    struct ez_foreign *file = c->name.at[m->name].file;
    uint64_t offset = m->offset + (from - m->lo);
    n = (size_t)EZ_MIN((uint64_t)n, m->hi - from);
    if (!file)
        return 0;
    size_t got = ez_foreign_read(file, offset, buf, n);
    uint64_t size = ez_foreign_id(file)->size, end = EZ_ROUND_UP(size, (uint64_t)EZ_PAGE);
    if (got < n && offset + got >= size && offset + got < end) {
        size_t zeros = (size_t)EZ_MIN((uint64_t)(n - got), end - (offset + got));
        memset((char *)buf + got, 0, zeros);
        got += zeros;
    }
    return got;
}

/* Returns the number of bytes from `from` to the next segment of the core file with contents. */
static uint64_t corefile_until_own(const struct ez_corefile *c, uint64_t from)
{
    size_t lo = 0, hi = c->segment.n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (c->segment.at[mid].lo <= from)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < c->segment.n ? c->segment.at[lo].lo - from : UINT64_MAX;
}

size_t ez_corefile_read(struct ez_corefile *c, uint64_t from, void *buf, size_t n)
{
    size_t done = 0;
    while (done < n && from + done >= from) {
        uint64_t at = from + done;
        char *to = (char *)buf + done;
        size_t got = corefile_own(c, at, to, n - done);
        const struct core_mapping *m = got ? NULL : corefile_mapping(c, at);
        if (!got && !m)
            got = corefile_zeros(c, at, to, n - done);
        if (m)
            got = corefile_of_file(c, m, at, to,
                                   (size_t)EZ_MIN((uint64_t)(n - done), corefile_until_own(c, at)));
        if (!got)
            break;
        done += got;
    }
    return done;
}

/* ---- mappings -------------------------------------------------------------------------------- */

static void corefile_perm(uint32_t flags, char perm[5])
{
    memcpy(perm, "---p", 5);
    perm[0] = flags & PF_R ? 'r' : '-';
    perm[1] = flags & PF_W ? 'w' : '-';
    perm[2] = flags & PF_X ? 'x' : '-';
}

/* Returns the permissions with which the loader maps these bytes of a file. */
static uint32_t corefile_flags_of(struct ez_corefile *c, const struct core_mapping *m)
{
    Elf64_Ehdr eh;
    Elf64_Phdr p[32];
    corefile_look(c, m->name);
    struct ez_foreign *file = c->name.at[m->name].file;
    if (!file || ez_foreign_read(file, 0, &eh, sizeof eh) != sizeof eh ||
        memcmp(eh.e_ident, ELFMAG, SELFMAG) || eh.e_phentsize != sizeof *p)
        return PF_R;
    size_t n = EZ_MIN((size_t)eh.e_phnum, EZ_ARRAY_LEN(p));
    n = ez_foreign_read(file, eh.e_phoff, p, n * sizeof *p) / sizeof *p;
    for (size_t i = 0; i < n; i++)
        if (p[i].p_type == PT_LOAD && m->offset >= (p[i].p_offset & ~(uint64_t)(EZ_PAGE - 1)) &&
            m->offset < p[i].p_offset + p[i].p_filesz)
            return p[i].p_flags;
    return PF_R;
}

static void corefile_add_map(struct ez_corefile *c, uint64_t lo, uint64_t hi, uint32_t flags,
                             const struct core_mapping *m)
{
    struct ez_map one = { .lo = lo, .hi = hi, .name = "" };
    corefile_perm(flags, one.perm);
    if (m) {
        one.offset = m->offset + (lo - m->lo);
        one.inode = m->name + 1; /* tells files apart; the true number is not in the file */
        one.name = c->name.at[m->name].name;
    }
    EZ_PUSH(&c->map, one);
}

static uint64_t corefile_auxv_value(const struct ez_corefile *c, uint64_t type)
{
    Elf64_auxv_t a;
    for (size_t i = 0; i + sizeof a <= c->nauxv; i += sizeof a) {
        memcpy(&a, c->auxv + i, sizeof a);
        if (a.a_type == AT_NULL)
            break;
        if (a.a_type == type)
            return a.a_un.a_val;
    }
    return 0;
}

/* The mappings are the segments, and the mapped files that have no segment: gdb writes none for
 * what it leaves out. */
static void corefile_make_maps(struct ez_corefile *c)
{
    uint64_t vdso = corefile_auxv_value(c, AT_SYSINFO_EHDR);
    size_t s = 0, k = 0;
    uint64_t end = 0; /* of the last mapping */
    while (s < c->segment.n || k < c->mapping.n) {
        const struct core_segment *seg = s < c->segment.n ? &c->segment.at[s] : NULL;
        const struct core_mapping *m = k < c->mapping.n ? &c->mapping.at[k] : NULL;
        if (m && (!seg || m->hi <= seg->lo)) {
            if (m->lo >= end)
                corefile_add_map(c, m->lo, end = m->hi, corefile_flags_of(c, m), m);
            k++;
            continue;
        }
        EZ_ASSUME(seg); /* one of both is left, and a mapping alone was handled above */
        bool within = m && seg->lo >= m->lo && seg->lo < m->hi;
        corefile_add_map(c, seg->lo, end = seg->lo + seg->size, seg->flags, within ? m : NULL);
        if (vdso && vdso == seg->lo)
            c->map.at[c->map.n - 1].name = "[vdso]";
        s++;
        EZ_ASSUME(!c->mapping.n || c->mapping.at);
        while (k < c->mapping.n && c->mapping.at[k].hi <= end)
            k++;
    }
}

void ez_corefile_maps(const struct ez_corefile *c, struct ez_maps *m)
{
    memset(m, 0, sizeof *m);
    for (size_t i = 0; i < c->map.n; i++)
        EZ_PUSH(&m->map, c->map.at[i]);
}

/* ---- answers --------------------------------------------------------------------------------- */

const struct ez_core_thread *ez_corefile_threads(const struct ez_corefile *c, size_t *n)
{
    *n = c->thread.n;
    return c->thread.at;
}

const struct ez_core_thread *ez_corefile_thread(const struct ez_corefile *c, pid_t tid)
{
    for (size_t i = 0; i < c->thread.n; i++)
        if (c->thread.at[i].tid == tid)
            return &c->thread.at[i];
    return NULL;
}

pid_t ez_corefile_pid(const struct ez_corefile *c)
{
    return c->pid > 0 ? c->pid : c->thread.at[0].tid;
}

const char *ez_corefile_path(const struct ez_corefile *c)
{
    return c->path;
}

const char *ez_corefile_command(const struct ez_corefile *c)
{
    return c->command;
}

const uint8_t *ez_corefile_auxv(const struct ez_corefile *c, size_t *n)
{
    *n = c->nauxv;
    return c->auxv;
}

const char *ez_corefile_damage(const struct ez_corefile *c)
{
    return c->damage;
}
