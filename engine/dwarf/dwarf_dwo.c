/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_dwo.c - reads the sections of .dwo files, and makes .dwo files in memory (dwarf_dwo.h).
 * Tests: tests/procs/split.sh */
#include "engine/dwarf/dwarf_dwo.h"

#include <gelf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LARGEST (1ul << 29) /* maximum size of a section of a .dwo file made in memory, in bytes */

static const char *const dwo_name[] = {
    ".debug_info.dwo",  ".debug_types.dwo",    ".debug_abbrev.dwo",      ".debug_line.dwo",
    ".debug_loc.dwo",   ".debug_loclists.dwo", ".debug_str_offsets.dwo", ".debug_macinfo.dwo",
    ".debug_macro.dwo", ".debug_rnglists.dwo", ".debug_str.dwo",         ".debug_cu_index",
    ".debug_tu_index",
};

/* ---- reading one ----------------------------------------------------------------------------- */

int dwarfdwo_machine(Elf *elf)
{
    GElf_Ehdr eh;
    bool good = elf && gelf_getehdr(elf, &eh) && eh.e_ident[EI_CLASS] == ELFCLASS64 &&
                eh.e_ident[EI_DATA] == ELFDATA2LSB;
    return good ? eh.e_machine : 0;
}

/* Sets *out to the section called `name`. Returns false if .dwo files and packages have no section
 * of that name. */
static bool dwarfdwo_known(const char *name, enum dwo_section *out)
{
    for (unsigned s = 0; s < DWO_ALL; s++)
        if (!strcmp(name, dwo_name[s])) {
            *out = s;
            return true;
        }
    return false;
}

void dwarfdwo_each(Elf *elf, void (*fn)(enum dwo_section s, struct dwo_bytes bytes, void *arg),
                   void *arg)
{
    size_t names;
    Elf_Scn *scn = NULL;
    enum dwo_section s;
    if (elf_getshdrstrndx(elf, &names))
        return;
    while ((scn = elf_nextscn(elf, scn))) {
        GElf_Shdr sh;
        const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(elf, names, sh.sh_name) : NULL;
        if (!name || sh.sh_type == SHT_NOBITS || !dwarfdwo_known(name, &s) ||
            (sh.sh_flags & SHF_COMPRESSED && elf_compress(scn, 0, 0) < 0))
            continue;
        const Elf_Data *d = elf_getdata(scn, NULL);
        if (d && d->d_buf)
            fn(s, (struct dwo_bytes){ d->d_buf, d->d_size }, arg);
    }
}

/* ---- making one ------------------------------------------------------------------------------ */

size_t dwarfdwo_add(struct dwarf_dwo *d, enum dwo_section s, const uint8_t *at, size_t n)
{
    const size_t was = d->section[s].n;
    if (n > LARGEST || was + n > LARGEST)
        d->bad = true;
    else
        EZ_APPEND(&d->section[s], at, n);
    return was;
}

void dwarfdwo_set_32(struct dwarf_dwo *d, enum dwo_section s, size_t at, size_t v)
{
    const uint32_t word = (uint32_t)v;
    if (at + sizeof word > d->section[s].n)
        d->bad = true;
    else
        memcpy(d->section[s].at + at, &word, sizeof word);
}

/* Writes an ELF file: header, sections, names of sections, section headers. Returns its size. If
 * `to` is NULL, only returns the size. */
static size_t dwarfdwo_write(const struct dwarf_dwo *d, uint8_t *to)
{
    Elf64_Shdr sh[DWO_FILE + 2] = { { 0 } };
    char names[512] = "";
    size_t at = sizeof(Elf64_Ehdr), n = 1, len = 1;
    for (unsigned s = 0; s < DWO_FILE; s++) {
        const size_t size = d->section[s].n;
        if (!size)
            continue;
        sh[n++] = (Elf64_Shdr){ .sh_name = (Elf64_Word)len,
                                .sh_type = SHT_PROGBITS,
                                .sh_offset = at,
                                .sh_size = size,
                                .sh_addralign = 1 };
        strcpy(names + len, dwo_name[s]);
        len += strlen(dwo_name[s]) + 1;
        if (to)
            memcpy(to + at, d->section[s].at, size);
        at += size;
    }
    sh[n] =
        (Elf64_Shdr){ .sh_type = SHT_STRTAB, .sh_offset = at, .sh_size = len, .sh_addralign = 1 };
    if (to)
        memcpy(to + at, names, len);
    at = EZ_ROUND_UP(at + len, 8);
    const Elf64_Ehdr eh = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
                                         ELFDATA2LSB, EV_CURRENT },
                            .e_type = ET_REL,
                            .e_machine = (Elf64_Half)d->machine,
                            .e_version = EV_CURRENT,
                            .e_shoff = at,
                            .e_ehsize = sizeof eh,
                            .e_shentsize = sizeof *sh,
                            .e_shnum = (Elf64_Half)(n + 1),
                            .e_shstrndx = (Elf64_Half)n };
    if (to) {
        memcpy(to, &eh, sizeof eh);
        memcpy(to + at, sh, (n + 1) * sizeof *sh);
    }
    return at + (n + 1) * sizeof *sh;
}

int dwarfdwo_file(const struct dwarf_dwo *d)
{
    const size_t n = dwarfdwo_write(d, NULL);
    struct dwarf_want w = { .what = DWARF_WANT_MEMORY, .n = n };
    uint64_t place;
    const int fd = d->bad ? -1 : dwarfwant_file(&w, &place);
    uint8_t *to = fd < 0 ? MAP_FAILED : mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (to == MAP_FAILED) {
        if (fd >= 0)
            close(fd);
        return -1;
    }
    dwarfdwo_write(d, to);
    munmap(to, n);
    return fd;
}

void dwarfdwo_free(struct dwarf_dwo *d)
{
    for (unsigned s = 0; s < DWO_FILE; s++)
        EZ_VEC_FREE(&d->section[s]);
}

/* ---- one that is in another file ------------------------------------------------------------- */

struct dwo_looked {
    unsigned n[DWO_ALL];
};

static void dwarfdwo_count(enum dwo_section s, struct dwo_bytes bytes EZ_UNUSED, void *arg)
{
    ((struct dwo_looked *)arg)->n[s]++;
}

static void dwarfdwo_copy(enum dwo_section s, struct dwo_bytes bytes, void *arg)
{
    if (s < DWO_FILE)
        dwarfdwo_add(arg, s, bytes.at, bytes.n);
}

/* Returns whether the file has a section .debug_info. */
static bool dwarfdwo_is_object(Elf *elf)
{
    size_t names;
    Elf_Scn *scn = NULL;
    bool good = !elf_getshdrstrndx(elf, &names);
    while (good && (scn = elf_nextscn(elf, scn))) {
        GElf_Shdr sh;
        const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(elf, names, sh.sh_name) : NULL;
        if (name && !strcmp(name, ".debug_info"))
            return true;
    }
    return false;
}

int dwarfdwo_plain(int fd)
{
    Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    struct dwarf_dwo d = { .machine = dwarfdwo_machine(elf) };
    struct dwo_looked has = { { 0 } };
    int made = -1;
    if (d.machine)
        dwarfdwo_each(elf, dwarfdwo_count, &has);
    if (has.n[DWO_INFO] > 1 || has.n[DWO_TYPES] > 1 ||
        (has.n[DWO_INFO] && dwarfdwo_is_object(elf))) {
        dwarfdwo_each(elf, dwarfdwo_copy, &d);
        made = dwarfdwo_file(&d);
    }
    dwarfdwo_free(&d);
    elf_end(elf);
    if (made < 0)
        return fd;
    close(fd);
    return made;
}
