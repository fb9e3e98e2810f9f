/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_inlined.c - emits the inlined functions of a unit, and the functions into which they are
 * inlined (dwarf_priv.h). An inlined function has an abstract entry without code. The entries of
 * its inlined copies refer to the abstract entry. If the function also has code of its own, the
 * entry of that code refers to the abstract entry, too.
 * Tests: tests/procs/spec.sh */
#include <string.h>

#include "engine/base/hash.h"
#include "engine/base/strutil.h"
#include "engine/dwarf/dwarf_read.h"

#define DEEPEST 32 /* maximum depth of nested blocks */
#define SHOWN 3    /* maximum number of callers that are named for each function */

struct inlined { /* a function with an abstract entry */
    const struct dwarf_entry *entry;
    const char *into[SHOWN + 1];
    size_t copies, ninto;
    uint64_t begin; /* first address of the function's own code; 0 = there is only inlined code */
};

struct inlined_all {
    EZ_VEC(struct inlined) of;
    struct ez_hash by_entry;
};

/* Returns the function of which the entry is an inlined copy, or NULL if that function is not one
 * of `all`. */
static struct inlined *dwarfinlined_origin(struct inlined_all *all, Dwarf_Die *die)
{
    Dwarf_Attribute a;
    Dwarf_Die origin;
    size_t i;
    return dwarf_attr(die, DW_AT_abstract_origin, &a) && dwarf_formref_die(&a, &origin) &&
                   ez_hash_get(&all->by_entry, (uint64_t)(uintptr_t)origin.addr, &i)
               ? &all->of.at[i]
               : NULL;
}

static void dwarfinlined_copy(struct inlined *f, const char *into)
{
    f->copies++;
    for (size_t i = 0; i < f->ninto; i++)
        if (!strcmp(f->into[i], into))
            return;
    if (f->ninto <= SHOWN)
        f->into[f->ninto++] = into;
}

static void dwarfinlined_within(struct inlined_all *all, Dwarf_Die *die, const char *function,
                                unsigned depth)
{
    Dwarf_Die child;
    if (depth > DEEPEST || dwarf_child(die, &child))
        return;
    do {
        const int tag = dwarf_tag(&child);
        struct inlined *f =
            tag == DW_TAG_inlined_subroutine ? dwarfinlined_origin(all, &child) : NULL;
        /* A copy in a function of the same name is not counted: the compiler split that part off
         * the function itself. */
        if (f && strcmp(function, f->entry->name) != 0)
            dwarfinlined_copy(f, function);
        if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block)
            dwarfinlined_within(all, &child, function, depth + 1);
    } while (!dwarf_siblingof(&child, &child));
}

static bool dwarfinlined_of_file(struct dwarf_unit *u, Dwarf_Die *die)
{
    const char *file = dwarfread_file(die, DW_AT_decl_file), *unit = dwarf_diename(&u->die);
    /* File number 0 without a name is the unit's own source file (DWARF 5). */
    if (!file && !dwarfread_number(die, DW_AT_decl_file, 1))
        return true;
    return file && unit && !strcmp(ez_base_name(file), ez_base_name(unit));
}

static void dwarfinlined_find(struct inlined_all *all, struct dwarf_unit *u)
{
    for (size_t i = 0; i < u->entry.n; i++) {
        struct dwarf_entry *e = &u->entry.at[i];
        if (e->tag != DW_TAG_subprogram || !e->name || e->begin ||
            !dwarf_hasattr(&e->die, DW_AT_inline) || dwarf_hasattr(&e->die, DW_AT_artificial) ||
            !dwarfinlined_of_file(u, &e->die))
            continue;
        ez_hash_put(&all->by_entry, (uint64_t)(uintptr_t)e->die.addr, all->of.n);
        EZ_PUSH(&all->of, ((struct inlined){ .entry = e }));
    }
    for (size_t i = 0; i < u->entry.n && all->of.n; i++) {
        struct dwarf_entry *e = &u->entry.at[i];
        struct inlined *own = e->begin ? dwarfinlined_origin(all, &e->die) : NULL;
        if (own)
            own->begin = e->begin;
        if (e->begin)
            dwarfinlined_within(all, &e->die, e->name ? e->name : "?", 0);
    }
}

/* Emits for each inlined function of the unit: 1, key, name, file, language, line, begin of its own
 * code, number of copies, names of callers. Then emits 0. */
void dwarfinlined_emit(struct dwarf_file *f, struct dwarf_answer *a, uint64_t unit)
{
    struct inlined_all all = { 0 };
    if (unit >= f->unit.n)
        return;
    struct dwarf_unit *u = &f->unit.at[unit];
    dwarfindex_unit(u);
    dwarfinlined_find(&all, u);
    for (size_t i = 0; i < all.of.n; i++) {
        struct inlined *it = &all.of.at[i];
        Dwarf_Die die = it->entry->die;
        int line = 0;
        dwarf_decl_line(&die, &line);
        EZ_FREE char *name = ez_sprintf("%s%s", it->entry->within, it->entry->name);
        char *into = ez_strdup("");
        for (size_t k = 0; k < it->ninto; k++) {
            EZ_FREE char *was = into;
            into = ez_sprintf("%s%s%s", was, k ? ", " : "", k == SHOWN ? "..." : it->into[k]);
        }
        dwarf_answer_number(a, 1);
        dwarf_answer_number(a, dwarfread_key(f, &die));
        dwarf_answer_text(a, name);
        dwarf_answer_text(a, dwarf_diename(&u->die));
        dwarf_answer_number(a, dwarf_answer_language(&die));
        dwarf_answer_number(a, (uint64_t)line);
        dwarf_answer_number(a, it->begin);
        dwarf_answer_number(a, it->copies);
        dwarf_answer_text(a, into);
        free(into);
    }
    dwarf_answer_number(a, 0);
    EZ_VEC_FREE(&all.of);
    ez_hash_free(&all.by_entry);
}
