/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_index.c - what a unit defines: functions by address, variables and types by name.
 *
 * clang writes no .debug_aranges: the units themselves say where their code is. A unit is indexed
 * when somebody asks for something in it. */
#include "config.h"

#ifdef HAVE_LIBDW

#include <string.h>

#include "engine/data/dwarf_read.h"

/* ---- units by address --------------------------------------------------------------------------- */

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
        int tag = dwarf_tag(&f->unit.at[i].die);
        while (tag == DW_TAG_compile_unit &&
               (at = dwarf_ranges(&f->unit.at[i].die, at, &base, &lo, &hi)) > 0)
            if (lo && lo < hi) /* of functions that the linker left out, lo is 0 */
                EZ_PUSH(&f->range, ((struct dwarf_range){ lo, hi, i }));
    }
    ez_sort(f->range.at, f->range.n, sizeof *f->range.at, dwarfindex_by_lo);
}

struct dwarf_unit *dwarfindex_unit_at(struct dwarf_file *f, uint64_t vaddr)
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
    for (size_t k = 0; k < 8 && k < lo; k++) /* damaged, they may overlap */
        if (vaddr < f->range.at[lo - 1 - k].hi)
            return &f->unit.at[f->range.at[lo - 1 - k].unit];
    return NULL;
}

/* ---- entries ------------------------------------------------------------------------------------ */

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

/* Does it hold names that are reached by "name::"? */
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

static int dwarfindex_by_place(const void *key, const void *entry)
{
    const char *a = key, *b = ((const struct dwarf_entry *)entry)->die.addr;
    return a < b ? -1 : a > b;
}

const char *dwarfindex_within(struct dwarf_unit *u, const Dwarf_Die *die)
{
    const struct dwarf_entry *e = u->entry.n ? bsearch(die->addr, u->entry.at, u->entry.n,
                                                       sizeof *u->entry.at, dwarfindex_by_place)
                                             : NULL;
    return e ? e->within : "";
}

static void dwarfindex_add(struct dwarf_unit *u, Dwarf_Die *die, int tag, const char *within,
                           const Dwarf_Die *parent)
{
    Dwarf_Attribute a;
    Dwarf_Die at = *die;
    for (unsigned i = 0; i < 4; i++) { /* its declaration says where it belongs */
        if ((!dwarf_attr(&at, DW_AT_specification, &a) &&
             !dwarf_attr(&at, DW_AT_abstract_origin, &a)) ||
            !dwarf_formref_die(&a, &at))
            break;
        within = dwarfindex_within(u, &at);
    }
    struct dwarf_entry e = { dwarf_diename(die), within, *die, tag, parent->addr, 0 };
    if (tag == DW_TAG_subprogram)
        e.begin = dwarfindex_begin(die);
    if (e.name || e.begin)
        EZ_PUSH(&u->entry, e);
}

static const char *dwarfindex_inside(struct dwarf_unit *u, Dwarf_Die *die, int tag,
                                     const char *within)
{
    const char *name = dwarf_diename(die);
    if (!name && tag != DW_TAG_namespace)
        return within;
    char *s = ez_sprintf("%s%s::", within, name ? name : "(anonymous namespace)");
    EZ_PUSH(&u->within, s);
    return s;
}

static void dwarfindex_children(struct dwarf_unit *u, Dwarf_Die *parent, const char *within)
{
    Dwarf_Die die;
    if (dwarf_child(parent, &die))
        return;
    do {
        int tag = dwarf_tag(&die);
        bool type = dwarfindex_is_type(tag);
        if (type || tag == DW_TAG_subprogram || tag == DW_TAG_variable ||
            tag == DW_TAG_enumerator ||
            (tag == DW_TAG_member && dwarf_hasattr(&die, DW_AT_external)))
            dwarfindex_add(u, &die, tag, within, parent);
        if (dwarfindex_is_around(tag) && dwarf_haschildren(&die))
            dwarfindex_children(u, &die, dwarfindex_inside(u, &die, tag, within));
        else if (tag == DW_TAG_enumeration_type)
            dwarfindex_children(u, &die, within);
    } while (!dwarf_siblingof(&die, &die));
}

void dwarfindex_unit(struct dwarf_unit *u)
{
    if (u->indexed)
        return;
    u->indexed = true;
    dwarfindex_children(u, &u->die, "");
}

void dwarfindex_forget(struct dwarf_unit *u)
{
    for (size_t i = 0; i < u->within.n; i++)
        free(u->within.at[i]);
    EZ_VEC_FREE(&u->within);
    EZ_VEC_FREE(&u->entry);
    EZ_VEC_FREE(&u->inner);
    u->indexed = u->looked_inside = false;
}

/* ---- functions inside functions ------------------------------------------------------------------- */

/* Fortran's internal procedures, members of local classes, lambdas: "f::g", "f::C::g", "f::operator()". */
static void dwarfindex_inner(struct dwarf_unit *u, Dwarf_Die *parent, const char *within,
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
            EZ_PUSH(&u->inner, ((struct dwarf_entry){ name, within, die, tag, NULL, begin }));
        if (tag == DW_TAG_lexical_block || (dwarfindex_is_around(tag) && (!name || *name == '<')))
            dwarfindex_inner(u, &die, within, depth + 1);
        else if ((begin || dwarfindex_is_around(tag)) && dwarf_haschildren(&die))
            dwarfindex_inner(u, &die, dwarfindex_inside(u, &die, tag, within), depth + 1);
    } while (!dwarf_siblingof(&die, &die));
}

static void dwarfindex_inner_all(struct dwarf_unit *u)
{
    u->looked_inside = true;
    for (size_t i = 0; i < u->entry.n; i++) {
        struct dwarf_entry *e = &u->entry.at[i];
        if (e->begin && e->name) {
            char *within = ez_sprintf("%s%s::", e->within, e->name);
            EZ_PUSH(&u->within, within);
            dwarfindex_inner(u, &e->die, within, 0);
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
    if (!e && !u->looked_inside)
        dwarfindex_inner_all(u);
    return e ? e : dwarfindex_begins(u->inner.at, u->inner.n, vaddr);
}

/* ---- names -------------------------------------------------------------------------------------- */

/* A variable of that name in a function's blocks. */
static bool dwarfindex_local(Dwarf_Die *in, const char *name, unsigned depth, Dwarf_Die *out)
{
    Dwarf_Die die;
    if (depth > 32 || dwarf_child(in, &die))
        return false;
    do {
        const char *its = dwarf_tag(&die) == DW_TAG_variable ? dwarf_diename(&die) : NULL;
        *out = die;
        if (its && !strcmp(its, name) && dwarfwhere(&die, NULL, 0).at == DWARF_AT_ADDRESS)
            return true;
        if (dwarf_tag(&die) == DW_TAG_lexical_block && dwarfindex_local(&die, name, depth + 1, out))
            return true;
    } while (!dwarf_siblingof(&die, &die));
    return false;
}

/* The static variable `text` = "function::name". */
static bool dwarfindex_of_function(struct dwarf_unit *u, const char *text, struct dwarf_entry *out)
{
    const char *last = NULL;
    for (const char *p = text; (p = strstr(p, "::")); p += 2)
        last = p;
    for (size_t i = 0; last && i < u->entry.n; i++) {
        struct dwarf_entry *e = &u->entry.at[i];
        size_t n = (size_t)(last - text);
        if (e->tag == DW_TAG_subprogram && e->name && strlen(e->name) == n &&
            !memcmp(e->name, text, n) && dwarfindex_local(&e->die, last + 2, 0, &out->die)) {
            *out = (struct dwarf_entry){ last + 2, "", out->die, DW_TAG_variable, NULL, 0 };
            return true;
        }
    }
    return false;
}

/* How well an entry is what a name means: 0 = not at all. */
static unsigned dwarfindex_rank(struct dwarf_entry *e, const char *name, bool type)
{
    size_t n = strlen(e->within);
    bool whole = !strncmp(name, e->within, n) && !strcmp(name + n, e->name);
    if (dwarfindex_is_type(e->tag) != type || (!whole && strcmp(name, e->name)))
        return 0;
    bool declared = dwarf_hasattr(&e->die, DW_AT_declaration);
    return 1 + 2 * whole + !declared;
}

/* "struct s" means a struct, "s" any type. */
static const char *dwarfindex_untagged(const char *name, int *tag)
{
    static const struct {
        const char *word;
        int tag;
    } tags[] = { { "struct ", DW_TAG_structure_type },
                 { "class ", DW_TAG_structure_type },
                 { "union ", DW_TAG_union_type },
                 { "enum ", DW_TAG_enumeration_type } };
    *tag = 0;
    for (size_t i = 0; i < EZ_ARRAY_LEN(tags); i++)
        if (!strncmp(name, tags[i].word, strlen(tags[i].word))) {
            *tag = tags[i].tag;
            return name + strlen(tags[i].word);
        }
    return name;
}

static bool dwarfindex_fits(int tag, int wanted)
{
    tag = tag == DW_TAG_class_type ? DW_TAG_structure_type : tag;
    return !wanted || tag == wanted;
}

/* 'file.c'::name: only in the unit of that source file. */
static bool dwarfindex_in_file(struct dwarf_unit *u, const char **name)
{
    const char *bar = strchr(*name, '\t');
    if (!bar)
        return true;
    EZ_FREE char *file = ez_sprintf("%.*s", (int)(bar - *name), *name);
    const char *its = dwarf_diename(&u->die);
    size_t n = strlen(file), k = its ? strlen(its) : 0;
    *name = bar + 1;
    return k >= n && !strcmp(its + k - n, file) && (k == n || its[k - n - 1] == '/');
}

bool dwarfindex_find(struct dwarf_file *f, struct dwarf_unit *u, uint64_t function,
                     const char *name, bool type, struct dwarf_entry *out)
{
    Dwarf_Die in;
    int tag;
    unsigned best = 0;
    if (!dwarfindex_in_file(u, &name))
        return false;
    if (!type && function && dwarfread_die(f, function, &in) &&
        dwarfindex_local(&in, name, 0, &out->die)) {
        *out = (struct dwarf_entry){ name, "", out->die, DW_TAG_variable, NULL, 0 };
        return true;
    }
    dwarfindex_unit(u);
    const char *bare = dwarfindex_untagged(name, &tag);
    for (size_t i = 0; i < u->entry.n && best < 4; i++) {
        struct dwarf_entry *e = &u->entry.at[i];
        unsigned rank =
            e->name && dwarfindex_fits(e->tag, tag) ? dwarfindex_rank(e, bare, type) : 0;
        if (rank > best) {
            best = rank;
            *out = *e;
        }
    }
    return best || (!type && dwarfindex_of_function(u, name, out));
}

#endif
