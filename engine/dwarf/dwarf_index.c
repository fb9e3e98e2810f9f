/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_index.c - indexes the definitions in a unit: functions by address, variables and types by
 * name.
 *
 * The address ranges of units are read from the units, because clang writes no .debug_aranges. A
 * unit is indexed when something in it is requested.
 * Tests: tests/unit/dwarf/check_dwarf.c */
#include <string.h>

#include "engine/dwarf/dwarf_read.h"

/* ---- units by address ------------------------------------------------------------------------ */

static int dwarfindex_by_lo(const void *pa, const void *pb)
{
    const struct dwarf_range *a = pa, *b = pb;
    return a->lo < b->lo ? -1 : a->lo > b->lo;
}

static void dwarfindex_ranges(struct dwarf_file *f)
{
    f->known = true;
    for (size_t i = 0; i < f->unit.n; i++) {
        Dwarf_Addr base, lo, hi;
        ptrdiff_t at = 0;
        struct dwarf_unit *u = &f->unit.at[i];
        /* Only the skeleton of a split unit has the addresses. */
        Dwarf_Die *die = u->skeleton.addr ? &u->skeleton : &u->die;
        int tag = dwarf_tag(die);
        while ((tag == DW_TAG_compile_unit || tag == DW_TAG_skeleton_unit) &&
               (at = dwarf_ranges(die, at, &base, &lo, &hi)) > 0)
            if (lo && lo < hi) /* lo is 0 for functions that the linker dropped. */
                EZ_PUSH(&f->range, ((struct dwarf_range){ lo, hi, i }));
    }
    ez_sort(f->range.at, f->range.n, sizeof *f->range.at, dwarfindex_by_lo);
}

struct dwarf_unit *dwarfindex_covering(struct dwarf_file *f, uint64_t vaddr)
{
    size_t lo = 0, hi = f->range.n;
    if (!f->known) {
        dwarfindex_ranges(f);
        hi = f->range.n;
    }
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (f->range.at[mid].lo <= vaddr)
            lo = mid + 1;
        else
            hi = mid;
    }
    /* Ranges may overlap in a damaged file, so a few earlier ranges are checked, too. */
    for (size_t k = 0; k < 8 && k < lo; k++)
        if (vaddr < f->range.at[lo - 1 - k].hi)
            return &f->unit.at[f->range.at[lo - 1 - k].unit];
    return NULL;
}

struct dwarf_unit *dwarfindex_unit_at(struct dwarf_file *f, uint64_t vaddr)
{
    struct dwarf_unit *u = dwarfindex_covering(f, vaddr);
    if (u)
        dwarfsplit_ready(u);
    return u;
}

/* ---- entries --------------------------------------------------------------------------------- */

bool dwarfindex_is_type(int tag)
{
    switch (tag) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
    case DW_TAG_enumeration_type:
    case DW_TAG_typedef:
    case DW_TAG_base_type:
    case DW_TAG_interface_type:
        return true;
    }
    return false;
}

/* Returns whether names in the entry can be written as "NAME::...". */
static bool dwarfindex_is_around(int tag)
{
    return tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
           tag == DW_TAG_union_type || tag == DW_TAG_module;
}

static uint64_t dwarfindex_begin(Dwarf_Die *die)
{
    Dwarf_Addr pc, base, end;
    if (!dwarf_lowpc(die, &pc) || !dwarf_entrypc(die, &pc) ||
        (dwarf_hasattr(die, DW_AT_ranges) && dwarf_ranges(die, 0, &base, &pc, &end) > 0))
        return pc;
    return 0;
}

static int dwarfindex_by_place(const void *key, const void *die)
{
    const char *a = key, *b = ((const Dwarf_Die *)die)->addr;
    return a < b ? -1 : a > b;
}

/* Finds the element of `die` by bisection among n elements that begin with a Dwarf_Die and are in
 * the order of the file. Returns NULL if no element is for `die`. */
static const void *dwarfindex_placed(const void *at, size_t n, size_t size, const Dwarf_Die *die)
{
    return n ? bsearch(die->addr, at, n, size, dwarfindex_by_place) : NULL;
}

const struct dwarf_entry *dwarfindex_entry(const struct dwarf_unit *u, const Dwarf_Die *die)
{
    return dwarfindex_placed(u->entry.at, u->entry.n, sizeof *u->entry.at, die);
}

const struct dwarf_space *dwarfindex_space(const struct dwarf_unit *u, const Dwarf_Die *die)
{
    return dwarfindex_placed(u->space.at, u->space.n, sizeof *u->space.at, die);
}

const char *dwarfindex_within(struct dwarf_unit *u, const Dwarf_Die *die)
{
    const struct dwarf_entry *e = dwarfindex_entry(u, die);
    return e ? e->within : "";
}

/* Adds the entry `die` to the index. in: the scope that contains it. */
static void dwarfindex_add(struct dwarf_unit *u, Dwarf_Die *die, int tag,
                           const struct dwarf_space *in, const Dwarf_Die *parent)
{
    struct dwarf_entry e = { .name = dwarf_diename(die),
                             .within = in->full,
                             .plain = in->plain,
                             .die = *die,
                             .tag = tag,
                             .around = parent->addr };
    if (tag == DW_TAG_subprogram)
        e.begin = dwarfindex_begin(die);
    if (e.name || e.begin)
        EZ_PUSH(&u->entry, e);
}

/* Replaces a definition by its declaration, or an instance by its abstract entry. Returns false if
 * the entry has no declaration or abstract entry. */
static bool dwarfindex_declaration(Dwarf_Die *die)
{
    Dwarf_Attribute a;
    return (dwarf_attr(die, DW_AT_specification, &a) ||
            dwarf_attr(die, DW_AT_abstract_origin, &a)) &&
           dwarf_formref_die(&a, die);
}

/* Sets the scope of an entry from its declaration, which may come later in the file. */
static void dwarfindex_place(struct dwarf_unit *u, struct dwarf_entry *e)
{
    Dwarf_Die at = e->die;
    for (unsigned i = 0; i < 4 && dwarfindex_declaration(&at); i++) {
        /* dwz may have moved the declaration to another unit */
        struct dwarf_unit *of = dwarfsplit_unit_of(u->file, &at);
        if (of)
            dwarfindex_unit(of);
        const struct dwarf_entry *declared = dwarfindex_entry(of ? of : u, &at);
        e->within = declared ? declared->within : "";
        e->plain = declared ? declared->plain : "";
    }
}

/* Returns the scope "name::" inside the scope `in`. */
static struct dwarf_space dwarfindex_named(struct dwarf_unit *u, const char *name,
                                           const struct dwarf_space *in)
{
    struct dwarf_space s = { .full = ez_sprintf("%s%s::", in->full, name),
                             .plain = ez_sprintf("%s%s::", in->plain, name) };
    EZ_PUSH(&u->within, (char *)s.full);
    EZ_PUSH(&u->within, (char *)s.plain);
    return s;
}

/* Returns the scope of the entry's children. A struct without a name adds nothing to the scope
 * `in`; an anonymous or inline namespace adds its name only to `full`. */
static struct dwarf_space dwarfindex_inside(struct dwarf_unit *u, Dwarf_Die *die, int tag,
                                            const struct dwarf_space *in)
{
    const char *name = dwarf_diename(die);
    bool space = tag == DW_TAG_namespace;
    struct dwarf_space s =
        name || space ? dwarfindex_named(u, name ? name : "(anonymous namespace)", in) : *in;
    if (space && (!name || dwarf_hasattr(die, DW_AT_export_symbols)))
        s.plain = in->plain;
    s.die = *die;
    EZ_PUSH(&u->space, s);
    return s;
}

/* Adds a using-directive (a whole namespace), a using-declaration or a namespace alias to
 * u->import. */
static void dwarfindex_import(struct dwarf_unit *u, Dwarf_Die *die, int tag,
                              const struct dwarf_space *in)
{
    Dwarf_Attribute a;
    struct dwarf_import by = { .in = in->full };
    if (!dwarf_attr(die, DW_AT_import, &a) || !dwarf_formref_die(&a, &by.die))
        return;
    if (tag == DW_TAG_imported_declaration) {
        by.name = dwarf_diename(die) ? dwarf_diename(die) : dwarf_diename(&by.die);
        if (!by.name)
            return;
    }
    EZ_PUSH(&u->import, by);
    Dwarf_Die child; /* "use m, x => y" of Fortran has the renaming as a child */
    if (tag == DW_TAG_imported_module && !dwarf_child(die, &child))
        do
            if (dwarf_tag(&child) == DW_TAG_imported_declaration)
                dwarfindex_import(u, &child, DW_TAG_imported_declaration, in);
        while (!dwarf_siblingof(&child, &child));
}

/* Returns the scope of a type. A class that is defined outside of its namespace or class, and each
 * type in a type unit, has the scope of its earlier declaration. */
static struct dwarf_space dwarfindex_type_in(const struct dwarf_unit *u, Dwarf_Die *die,
                                             const struct dwarf_space *in)
{
    Dwarf_Attribute a;
    Dwarf_Die declared;
    const struct dwarf_entry *e =
        dwarf_attr(die, DW_AT_specification, &a) && dwarf_formref_die(&a, &declared)
            ? dwarfindex_entry(u, &declared)
            : NULL;
    return e ? (struct dwarf_space){ .full = e->within, .plain = e->plain } : *in;
}

static void dwarfindex_children(struct dwarf_unit *u, Dwarf_Die *parent,
                                const struct dwarf_space *in);

/* Adds the names in a namespace, a class or an enum. */
static void dwarfindex_descend(struct dwarf_unit *u, Dwarf_Die *die, int tag,
                               const struct dwarf_space *in)
{
    /* The entry of a Fortran module has no children if another unit defines the module. */
    bool around = dwarfindex_is_around(tag) && (dwarf_haschildren(die) || tag == DW_TAG_module);
    bool scoped = tag == DW_TAG_enumeration_type && dwarf_hasattr(die, DW_AT_enum_class);
    if (around || scoped) {
        const struct dwarf_space inner = dwarfindex_inside(u, die, tag, in);
        dwarfindex_children(u, die, &inner);
    } else if (tag == DW_TAG_enumeration_type) {
        dwarfindex_children(u, die, in);
    }
}

static void dwarfindex_children(struct dwarf_unit *u, Dwarf_Die *parent,
                                const struct dwarf_space *around)
{
    Dwarf_Die die;
    if (dwarf_child(parent, &die))
        return;
    do {
        int tag = dwarf_tag(&die);
        /* A constant of Fortran (`parameter`) is indexed as a variable. */
        if (tag == DW_TAG_constant)
            tag = DW_TAG_variable;
        bool type = dwarfindex_is_type(tag);
        const struct dwarf_space in = type ? dwarfindex_type_in(u, &die, around) : *around;
        if (type || tag == DW_TAG_subprogram || tag == DW_TAG_variable ||
            tag == DW_TAG_enumerator ||
            (tag == DW_TAG_member && dwarf_hasattr(&die, DW_AT_external)))
            dwarfindex_add(u, &die, tag, &in, parent);
        if (tag == DW_TAG_imported_module || tag == DW_TAG_imported_declaration)
            dwarfindex_import(u, &die, tag, &in);
        dwarfindex_descend(u, &die, tag, &in);
    } while (!dwarf_siblingof(&die, &die));
}

void dwarfindex_unit(struct dwarf_unit *u)
{
    if (u->indexed)
        return;
    u->indexed = true;
    dwarfsplit_ready(u);
    const struct dwarf_space all = { .full = "", .plain = "" };
    dwarfindex_children(u, &u->die, &all);
    for (size_t i = 0; i < u->entry.n; i++)
        if (u->entry.at[i].tag == DW_TAG_subprogram || u->entry.at[i].tag == DW_TAG_variable)
            dwarfindex_place(u, &u->entry.at[i]);
}

void dwarfindex_forget(struct dwarf_unit *u)
{
    for (size_t i = 0; i < u->within.n; i++)
        free(u->within.at[i]);
    EZ_VEC_FREE(&u->within);
    EZ_VEC_FREE(&u->entry);
    EZ_VEC_FREE(&u->inner);
    EZ_VEC_FREE(&u->space);
    EZ_VEC_FREE(&u->import);
    for (size_t i = 0; i < u->types.n; i++)
        dwarfindex_forget(u->types.at[i]);
    u->indexed = u->looked_inside = false;
}

/* ---- functions inside functions -------------------------------------------------------------- */

/* Adds functions that are nested in functions (Fortran's internal procedures, members of local
 * classes, lambdas), under the names "f::g", "f::C::g", "f::operator()". */
static void dwarfindex_inner(struct dwarf_unit *u, Dwarf_Die *parent, const struct dwarf_space *in,
                             unsigned depth)
{
    Dwarf_Die die;
    if (depth > 16 || dwarf_child(parent, &die))
        return;
    do {
        int tag = dwarf_tag(&die);
        const char *name = dwarf_diename(&die);
        uint64_t begin = tag == DW_TAG_subprogram ? dwarfindex_begin(&die) : 0;
        if (begin)
            EZ_PUSH(&u->inner, ((struct dwarf_entry){ .name = name,
                                                      .within = in->full,
                                                      .plain = in->plain,
                                                      .die = die,
                                                      .tag = tag,
                                                      .begin = begin }));
        if (tag == DW_TAG_lexical_block || (dwarfindex_is_around(tag) && (!name || *name == '<'))) {
            dwarfindex_inner(u, &die, in, depth + 1);
        } else if ((begin || dwarfindex_is_around(tag)) && dwarf_haschildren(&die)) {
            const struct dwarf_space inner = dwarfindex_named(u, name ? name : "?", in);
            dwarfindex_inner(u, &die, &inner, depth + 1);
        }
    } while (!dwarf_siblingof(&die, &die));
}

void dwarfindex_inner_functions(struct dwarf_unit *u)
{
    if (u->looked_inside)
        return;
    u->looked_inside = true;
    for (size_t i = 0; i < u->entry.n; i++) {
        struct dwarf_entry *e = &u->entry.at[i];
        const struct dwarf_space around = { .full = e->within, .plain = e->plain };
        if (e->begin && e->name) {
            const struct dwarf_space inner = dwarfindex_named(u, e->name, &around);
            dwarfindex_inner(u, &e->die, &inner, 0);
        }
    }
}

static struct dwarf_entry *dwarfindex_begins(struct dwarf_entry *e, size_t n, uint64_t vaddr)
{
    for (size_t i = 0; i < n; i++)
        if (e[i].begin == vaddr && vaddr)
            return &e[i];
    return NULL;
}

struct dwarf_entry *dwarfindex_function_at(struct dwarf_unit *u, uint64_t vaddr)
{
    dwarfindex_unit(u);
    struct dwarf_entry *e = dwarfindex_begins(u->entry.at, u->entry.n, vaddr);
    if (!e)
        dwarfindex_inner_functions(u);
    return e ? e : dwarfindex_begins(u->inner.at, u->inner.n, vaddr);
}
