/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_ptr.c - the words of a file's data that contain addresses of its code.
 *
 * Why: through a pointer to a label inside a function, an indirect jump can reach the label.
 *
 * How: a file that may be loaded anywhere has a relocation for each such word: RELATIVE with the
 * address as addend, RELR with the address in the word, or one that names a symbol of the file. A
 * program linked to a fixed address has no relocations, so each word that may be an address counts.
 *
 * Invariant: the file is not trusted: sizes are those of elf_data(), and everything else is only
 * numbers.
 *
 * Source: gABI chapter 4 and "RELR"; the x86-64 psABI, "Relocation Types".
 *
 * Tests: tests/unit/sym/check_sym.c ("pointers"), tests/fault/check_labels.sh */
#include "engine/sym/sym_priv.h"

#include <string.h>

#include "arch/arch.h"

struct found {
    const struct elf_file *f;
    uint64_t lo, hi;
    ez_object_pointer *fn;
    void *arg;
    const uint8_t *data; /* contents of the section that was read last */
    uint64_t va;
    size_t size;
};

static void sym_ptr_note(const struct found *p, uint64_t at, uint64_t to)
{
    if (to > p->lo && to < p->hi)
        p->fn(at, to, p->arg);
}

static void sym_ptr_note_reloc(const struct ez_dynreloc *r, void *arg)
{
    sym_ptr_note(arg, r->at, ez_dynreloc_value(r) + r->addend);
}

static bool sym_ptr_has_word(const struct found *p, uint64_t at)
{
    return at - p->va < p->size && p->size - (at - p->va) >= sizeof(uint64_t);
}

static void sym_note_word(struct found *p, uint64_t at)
{
    uint64_t to;
    for (size_t i = 0; !sym_ptr_has_word(p, at) && i < p->f->nsh; i++) {
        const Elf64_Shdr *sh = &p->f->sh[i];
        if (!(sh->sh_flags & SHF_ALLOC) || at - sh->sh_addr >= sh->sh_size)
            continue;
        p->data = elf_data(p->f, sh, &p->size);
        p->va = sh->sh_addr;
    }
    if (!sym_ptr_has_word(p, at))
        return;
    memcpy(&to, p->data + (at - p->va), sizeof to);
    sym_ptr_note(p, at, to);
}

/* Reads RELR: an address, then words of 63 bits, with one bit for each of the next 63 words. */
static void sym_read_relr(struct found *p, const Elf64_Shdr *sh)
{
    uint64_t entry, at = 0;
    size_t size;
    const uint8_t *rel = elf_data(p->f, sh, &size);
    for (; size >= sizeof entry; rel += sizeof entry, size -= sizeof entry) {
        memcpy(&entry, rel, sizeof entry);
        if (entry & 1) {
            for (unsigned i = 1; i < 64; i++, at += 8)
                if (entry >> i & 1)
                    sym_note_word(p, at);
        } else {
            sym_note_word(p, entry);
            at = entry + 8;
        }
    }
}

static void sym_read_words(const struct found *p, const Elf64_Shdr *sh)
{
    uint64_t to;
    size_t size;
    const uint8_t *data = elf_data(p->f, sh, &size);
    for (size_t i = 0; i + sizeof to <= size; i += sizeof to) {
        memcpy(&to, data + i, sizeof to);
        sym_ptr_note(p, sh->sh_addr + i, to);
    }
}

bool ez_object_named(const struct ez_object *o, const char *name, uint64_t *start, uint64_t *end)
{
    const Elf64_Shdr *sh = elf_named(&o->elf, name);
    *start = sh ? sh->sh_addr : 0;
    *end = sh ? sh->sh_addr + sh->sh_size : 0;
    return sh;
}

void ez_object_pointers(const struct ez_object *o, uint64_t lo, uint64_t hi, ez_object_pointer *fn,
                        void *arg)
{
    struct found p = { .f = &o->elf, .lo = lo, .hi = hi, .fn = fn, .arg = arg };
    ez_object_relocs(o, EZ_RELOC_RELATIVE | EZ_RELOC_IRELATIVE | EZ_RELOC_SYMBOL,
                     sym_ptr_note_reloc, &p);
    for (size_t i = 0; i < o->elf.nsh; i++) {
        const Elf64_Shdr *sh = &o->elf.sh[i];
        if (!(sh->sh_flags & SHF_ALLOC) || sh->sh_flags & SHF_EXECINSTR)
            continue;
        if (sh->sh_type == SHT_RELR)
            sym_read_relr(&p, sh);
        else if (sh->sh_type != SHT_RELA && o->elf.type == ET_EXEC)
            sym_read_words(&p, sh);
    }
}
