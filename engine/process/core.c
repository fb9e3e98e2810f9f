/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core.c - writes a core file of the stopped process: gdb's generate-core-file.
 *
 * The readers of the file (gdb, eu-stack, readelf) do not know probes. So the file shows the
 * program as it would be without probes: text has its original bytes, the address of a return
 * trampoline is replaced by the original return address, and a pc in relocated code becomes the
 * address of the original instruction. Two things stay different. A pc elsewhere in a trampoline is
 * unchanged. A call with a return thunk has two more words on the stack: the thunk's address, and a
 * word that the trampoline skipped. gdb interprets each of the two as a return address, and ends
 * the backtrace at a zero. So the second word is set to the thunk's address, too, and gdb reaches
 * the original return address.
 *
 * libelf writes files by sections, but a core file has none, and libelf would need gigabytes of
 * memory at once. So this file writes the three headers itself. Pages of zeros, and pages that do
 * not exist, become holes. The file gets its name when it is complete: after an error or Ctrl-C no
 * file remains.
 * Tests: tests/procs/core.sh */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/newfile.h"
#include "engine/process/core.h"
#include "engine/target.h"
#include "engine/inferior/progress.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/thread.h"

#define PIECE (256u << 10) /* bytes read at a time */
#define CHAIN 64           /* maximum chain of return trampolines (tail calls make chains) */

struct core {
    struct ez_target *t;
    struct ez_newfile file;
    const char *path;
    struct ez_core_parts part;
    struct ez_core_bytes notes;
    int pagemap; /* -1 = not readable */
    uint64_t done, total;
    uint8_t *buf;
    const uint64_t *cfa; /* CFAs of all frames */
    size_t ncfa;
};

/* ---- the program without probes ---------------------------------------------------------- */

static bool core_is_return_trampoline(struct ez_target *t, uint64_t word)
{
    uint64_t off = word - (t->rt.blob + EZ_RT_RETURN_TRAMPOLINES);
    return t->rt.up && off < EZ_DIST && off % EZ_RETURN_TRAMPOLINE == t->inf.arch->rt->continuation;
}

/* Returns the value that a word of memory would have without probes: the original return address if
 * the word is the address of a return trampoline, otherwise the word itself. */
static uint64_t core_word(struct ez_target *t, uint64_t word)
{
    for (unsigned i = 0; i < CHAIN && core_is_return_trampoline(t, word); i++) {
        uint64_t entry = word - t->inf.arch->rt->continuation + EZ_DIST, ra;
        if (ez_mem_read_some(t, entry, &ra, sizeof ra) != sizeof ra || !ra)
            break;
        word = ra;
    }
    return word;
}

static void core_show_words(struct core *c, uint64_t at, uint8_t *buf, size_t n)
{
    for (size_t i = -at & 7; c->t->rt.up && i + 8 <= n; i += 8) {
        uint64_t w;
        memcpy(&w, buf + i, 8);
        if (!core_is_return_trampoline(c->t, w))
            continue;
        w = core_word(c->t, w);
        memcpy(buf + i, &w, 8);
    }
}

static bool core_is_thunk(const struct ez_target *t, uint64_t word)
{
    for (unsigned i = 0; i < t->rt.npools; i++)
        if (word - t->rt.pool[i].base < EZ_POOL_SIZE)
            return true;
    return false;
}

/* For each frame that returns to a thunk, writes the thunk's address over the word at the frame's
 * CFA, which the trampoline skipped. */
static void core_show_frames(struct core *c, uint64_t at, uint8_t *buf, size_t n)
{
    uint64_t thunk;
    for (size_t i = 0; i < c->ncfa; i++)
        if (c->cfa[i] - at <= n - sizeof thunk &&
            ez_mem_read_some(c->t, c->cfa[i] - sizeof thunk, &thunk, sizeof thunk) ==
                sizeof thunk &&
            core_is_thunk(c->t, thunk))
            memcpy(buf + (c->cfa[i] - at), &thunk, sizeof thunk);
}

/* ---- memory ------------------------------------------------------------------------------- */

static ez_err *core_failed(const struct core *c, int e)
{
    return ez_err_new(EZ_E_SYS, e, "%s: cannot write the core file", c->path);
}

/* Reads n bytes of the part into c->buf, as they would be without probes. Unreadable pages become
 * zeros. */
static void core_read(struct core *c, const struct ez_core_part *p, uint64_t at, size_t n)
{
    size_t got = p->map->perm[2] == 'x' ? ez_read_original(c->t, at, c->buf, n)
                                        : ez_mem_read_some(c->t, at, c->buf, n);
    memset(c->buf + got, 0, n - got);
    if (p->map->perm[1] == 'w')
        core_show_words(c, at, c->buf, n), core_show_frames(c, at, c->buf, n);
}

/* Returns false if the page does not exist, so that it reads as zeros. Only a part that is
 * `anonymous` can have such pages. */
static bool core_is_there(struct core *c, const struct ez_core_part *p, uint64_t at)
{
    uint64_t entry;
    return !p->anonymous || c->pagemap < 0 ||
           pread(c->pagemap, &entry, 8, (off_t)(at / ez_page() * 8)) != 8 || entry >> 62;
}

static bool core_is_zero(const uint8_t *p, size_t n)
{
    return !p[0] && !memcmp(p, p + 1, n - 1);
}

/* Writes the bytes [at, at + n) of the target's memory to file offset `to`, without pages of
 * zeros. */
static ez_err *core_write_piece(struct core *c, const struct ez_core_part *p, uint64_t at, size_t n,
                                uint64_t to)
{
    const size_t page = ez_page();
    bool any = false;
    for (size_t i = 0; i < n && !any; i += page)
        any = core_is_there(c, p, at + i);
    if (!any)
        return NULL;
    core_read(c, p, at, n);
    for (size_t i = 0, k; i < n; i = k) {
        for (k = i; k < n && core_is_zero(c->buf + k, page); k += page)
            continue;
        size_t from = k;
        for (; k < n && !core_is_zero(c->buf + k, page); k += page)
            continue;
        int e = k > from ? ez_pwrite_all(c->file.fd, c->buf + from, k - from, to + from, NULL) : 0;
        if (e)
            return core_failed(c, e);
    }
    return NULL;
}

static ez_err *core_write_part(struct core *c, const struct ez_core_part *p, uint64_t to)
{
    const size_t most = p->map->perm[2] == 'x' ? ez_page() : PIECE;
    for (uint64_t at = 0; at < p->kept; at += most) {
        size_t n = EZ_MIN(most, p->kept - at);
        EZ_TRY(ez_progress_step(c->t, "Writing the core file", c->done, c->total));
        EZ_TRY(core_write_piece(c, p, p->lo + at, n, to + at));
        c->done += n;
    }
    return NULL;
}

/* ---- headers ------------------------------------------------------------------------------ */

static Elf64_Phdr core_header_of(const struct ez_core_part *p, uint64_t at)
{
    unsigned flags = (p->map->perm[0] == 'r' ? PF_R : 0) | (p->map->perm[1] == 'w' ? PF_W : 0) |
                     (p->map->perm[2] == 'x' ? PF_X : 0);
    return (Elf64_Phdr){ .p_type = PT_LOAD,
                         .p_flags = flags,
                         .p_offset = at,
                         .p_vaddr = p->lo,
                         .p_filesz = p->kept,
                         .p_memsz = p->hi - p->lo,
                         .p_align = ez_page() };
}

/* Writes the file's header, the program headers and the notes. If the number of program headers
 * exceeds the header's 16 bits, a single section header has the number. *memory: file offset of the
 * first mapping's contents. */
static ez_err *core_write_headers(struct core *c, uint64_t *memory)
{
    const size_t n = c->part.n + 1;
    const bool many = n >= PN_XNUM;
    uint64_t notes = sizeof(Elf64_Ehdr) + n * sizeof(Elf64_Phdr) + many * sizeof(Elf64_Shdr);
    Elf64_Ehdr eh = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
                      .e_type = ET_CORE,
                      .e_machine = (Elf64_Half)c->t->inf.arch->elf.machine,
                      .e_version = EV_CURRENT,
                      .e_phoff = sizeof eh,
                      .e_ehsize = sizeof eh,
                      .e_phentsize = sizeof(Elf64_Phdr),
                      .e_phnum = (Elf64_Half)(many ? PN_XNUM : n) };
    Elf64_Shdr counts = { .sh_info = (Elf64_Word)n };
    EZ_FREE Elf64_Phdr *ph = ez_alloc(n * sizeof *ph);
    if (many)
        eh.e_shoff = notes - sizeof counts, eh.e_shentsize = sizeof counts, eh.e_shnum = 1;
    ph[0] =
        (Elf64_Phdr){ .p_type = PT_NOTE, .p_offset = notes, .p_filesz = c->notes.n, .p_align = 4 };
    uint64_t at = *memory = EZ_ROUND_UP(notes + c->notes.n, ez_page());
    for (size_t i = 0; i < c->part.n; i++) {
        ph[i + 1] = core_header_of(&c->part.at[i], at);
        at += c->part.at[i].kept;
        c->total += c->part.at[i].kept;
    }
    int e = ez_pwrite_all(c->file.fd, &eh, sizeof eh, 0, NULL);
    e = e ? e : ez_pwrite_all(c->file.fd, ph, n * sizeof *ph, sizeof eh, NULL);
    e = e || !many ? e : ez_pwrite_all(c->file.fd, &counts, sizeof counts, eh.e_shoff, NULL);
    e = e ? e : ez_pwrite_all(c->file.fd, c->notes.at, c->notes.n, notes, NULL);
    return e ? core_failed(c, e) : ftruncate(c->file.fd, (off_t)at) ? core_failed(c, errno) : NULL;
}

/* ---- the whole file ----------------------------------------------------------------------- */

static ez_err *core_write(struct core *c)
{
    uint64_t at;
    EZ_TRY(core_write_headers(c, &at));
    for (size_t i = 0; i < c->part.n; i++) {
        EZ_TRY(core_write_part(c, &c->part.at[i], at));
        at += c->part.at[i].kept;
    }
    return NULL;
}

static ez_err *core_make(struct core *c)
{
    struct ez_maps maps;
    char pagemap[64];
    EZ_TRY(ez_maps_read(c->t->inf.pid, &maps));
    ez_err *e = ez_core_notes(c->t, &maps, &c->notes);
    if (!e)
        e = ez_core_parts(c->t, &maps, &c->part);
    snprintf(pagemap, sizeof pagemap, "/proc/%d/pagemap", ez_live_tid(c->t));
    c->pagemap = open(pagemap, O_RDONLY | O_CLOEXEC);
    c->buf = ez_alloc(PIECE);
    if (!e)
        e = core_write(c);
    free(c->buf);
    if (c->pagemap >= 0)
        close(c->pagemap);
    EZ_VEC_FREE(&c->notes);
    EZ_VEC_FREE(&c->part);
    ez_maps_free(&maps);
    return e;
}

ez_err *ez_core(struct ez_target *t, const char *path, const uint64_t *cfa, size_t n)
{
    struct core c = { .t = t, .path = path, .cfa = cfa, .ncfa = n };
    EZ_TRY(ez_need_stopped(t));
    EZ_FREE char *place = ez_newfile_place(path);
    EZ_TRY(ez_newfile_refused(place));
    if (!ez_newfile_open(&c.file, place, 0600))
        return core_failed(&c, errno);
    ez_progress_begin(t);
    ez_err *e = ez_progress_end(t, core_make(&c));
    if (!e && !ez_newfile_replace(&c.file, place))
        e = core_failed(&c, errno);
    ez_newfile_drop(&c.file);
    close(c.file.fd);
    return e;
}
