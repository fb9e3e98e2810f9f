/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_alt.c - units that dwz split: into partial units, which several units import, and into a
 * file that several files share (.gnu_debugaltlink).
 *
 * A partial unit without a language gets the language of the first unit that imports it.
 *
 * Tests: tests/procs/split.sh */
#include <elfutils/libdwelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/dwarf/dwarf_read.h"

#define DEEPEST 16 /* maximum depth of nested imports */

/* ---- the file -------------------------------------------------------------------------------- */

static bool dwarfalt_is(Elf *elf, const void *id, size_t n)
{
    const void *its;
    return elf && dwelf_elf_gnu_build_id(elf, &its) == (ssize_t)n && !memcmp(its, id, n);
}

void dwarfalt_open(struct dwarf_file *f)
{
    struct dwarf_want w = { .what = DWARF_WANT_ALT };
    const char *name;
    const void *id;
    const ssize_t n = dwelf_dwarf_gnu_debugaltlink(f->dw, &name, &id);
    uint64_t place, at = 0;
    enum dwarf_trouble trouble = DWARF_TROUBLE_MISSING;
    int fd;
    if (n <= 0)
        return;
    for (size_t i = 0; i < (size_t)n && 2 * i + 2 < sizeof w.folder; i++)
        snprintf(w.folder + 2 * i, 3, "%02x", ((const uint8_t *)id)[i]);
    snprintf(w.name, sizeof w.name, "%s", name);
    for (; (fd = dwarfwant_file(&w, &place)) >= 0; w.n = place + 1) {
        Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
        bool same = dwarfalt_is(elf, id, (size_t)n);
        f->alt = same ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
        if (f->alt)
            break;
        trouble = same ? DWARF_TROUBLE_DAMAGED : DWARF_TROUBLE_OTHER;
        at = place;
        elf_end(elf);
        close(fd);
    }
    if (f->alt)
        dwarf_setalt(f->dw, f->alt);
    else
        dwarfwant_note(&w, at, trouble);
}

/* ---- languages ------------------------------------------------------------------------------- */

static struct ez_hash dwarfalt_known; /* address of a partial unit's entry -> language */

static void dwarfalt_note_imports(Dwarf_Die *unit, int lang, unsigned depth)
{
    Dwarf_Die die, part;
    Dwarf_Attribute a;
    if (depth > DEEPEST || dwarf_child(unit, &die))
        return;
    do { /* imports are the first children of a unit */
        if (dwarf_tag(&die) != DW_TAG_imported_unit)
            return;
        if (!dwarf_attr(&die, DW_AT_import, &a) || !dwarf_formref_die(&a, &part))
            continue;
        const size_t n = dwarfalt_known.n;
        ez_hash_put(&dwarfalt_known, (uint64_t)(uintptr_t)part.addr, (size_t)lang);
        if (dwarfalt_known.n > n)
            dwarfalt_note_imports(&part, lang, depth + 1);
    } while (!dwarf_siblingof(&die, &die));
}

void dwarfalt_note_languages(struct dwarf_file *f)
{
    for (size_t i = 0; i < f->unit.n; i++) {
        const int lang = dwarf_srclang(&f->unit.at[i].die);
        if (lang > 0)
            dwarfalt_note_imports(&f->unit.at[i].die, lang, 0);
    }
}

int dwarfalt_language(Dwarf_Die *die)
{
    Dwarf_Die top;
    size_t lang = 0;
    if (!dwarf_diecu(die, &top, NULL, NULL))
        return 0;
    const int its = dwarf_srclang(&top);
    if (its <= 0)
        ez_hash_get(&dwarfalt_known, (uint64_t)(uintptr_t)top.addr, &lang);
    return its > 0 ? its : (int)lang;
}
