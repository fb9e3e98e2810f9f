/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_reloc.c - the relocations of RELA tables that the loader applies, in the order of the file.
 *
 * Only tables that are kept at run time (SHF_ALLOC) count, also in static programs. Damaged tables
 * read as empty.
 *
 * Source: gABI chapter 4, "Relocation". Tests: tests/unit/sym/check_sym.c */
#include <string.h>

#include "arch/arch.h"
#include "engine/sym/sym_priv.h"

static bool symbol_of(const struct ez_dynreloc *r, Elf64_Sym *s)
{
    size_t size;
    const uint8_t *p = elf_data(r->file, r->symtab, &size);
    if (!r->index || r->index >= size / sizeof *s)
        return false;
    memcpy(s, p + r->index * sizeof *s, sizeof *s);
    return true;
}

const char *ez_dynreloc_name(const struct ez_dynreloc *r)
{
    Elf64_Sym s;
    return symbol_of(r, &s) ? elf_string(r->file, elf_link(r->file, r->symtab), s.st_name) : "";
}

uint64_t ez_dynreloc_value(const struct ez_dynreloc *r)
{
    Elf64_Sym s;
    return symbol_of(r, &s) && s.st_shndx != SHN_UNDEF ? s.st_value : 0;
}

/* Returns whether the word is in a .got section, which holds the linker's own slots. The program's
 * variables are elsewhere. */
bool ez_dynreloc_in_got(const struct ez_dynreloc *r)
{
    for (size_t i = 0; i < r->file->nsh; i++) {
        const Elf64_Shdr *sh = &r->file->sh[i];
        if (sh->sh_flags & SHF_ALLOC && r->at - sh->sh_addr < sh->sh_size &&
            !strncmp(elf_section_name(r->file, sh), ".got", 4))
            return true;
    }
    return false;
}

static void reloc_read_section(const struct elf_file *f, const Elf64_Shdr *sh, unsigned kinds,
                               void (*fn)(const struct ez_dynreloc *, void *), void *arg)
{
    struct ez_dynreloc x = { .file = f, .symtab = elf_link(f, sh) };
    size_t size;
    const uint8_t *p = elf_data(f, sh, &size);
    for (Elf64_Rela r; size >= sizeof r; p += sizeof r, size -= sizeof r) {
        memcpy(&r, p, sizeof r);
        x.kind = ez_arch_host()->elf.reloc_kind(ELF64_R_TYPE(r.r_info));
        if (!(x.kind & kinds))
            continue;
        x.at = r.r_offset;
        x.addend = (uint64_t)r.r_addend;
        x.index = ELF64_R_SYM(r.r_info);
        fn(&x, arg);
    }
}

void ez_object_relocs(const struct ez_object *o, unsigned kinds,
                      void (*fn)(const struct ez_dynreloc *, void *), void *arg)
{
    for (size_t i = 0; i < o->elf.nsh; i++)
        if (o->elf.sh[i].sh_type == SHT_RELA && o->elf.sh[i].sh_flags & SHF_ALLOC)
            reloc_read_section(&o->elf, &o->elf.sh[i], kinds, fn, arg);
}

struct imports {
    void (*fn)(const char *name, void *arg);
    void *arg;
};

static void reloc_import(const struct ez_dynreloc *r, void *arg)
{
    const struct imports *i = arg;
    const char *name = ez_dynreloc_name(r);
    if (*name && !ez_dynreloc_value(r) && ez_dynreloc_in_got(r))
        i->fn(name, i->arg);
}

void ez_object_imports(const struct ez_object *o, void (*fn)(const char *name, void *arg),
                       void *arg)
{
    ez_object_relocs(o, EZ_RELOC_SYMBOL, reloc_import, &(struct imports){ fn, arg });
}
