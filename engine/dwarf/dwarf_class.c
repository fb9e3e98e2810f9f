/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_class.c - emits what C++ classes have besides members: access, static members, functions,
 * typedefs; and pointers to members (dwarf_read.h).
 * Tests: tests/procs/classes.sh, tests/procs/kinds.sh */
#include <string.h>

#include "engine/dwarf/dwarf_read.h"

/* Returns the access (DW_ACCESS_*) of a part (member, base, function) of a class or struct with tag
 * `of`. Without DW_AT_accessibility, DWARF 2 makes bases private and members public, in structs and
 * classes; later versions follow the language. */
uint64_t dwarfclass_access(Dwarf_Die *die, int of)
{
    Dwarf_Half version = 0;
    const bool known = dwarf_cu_die(die->cu, &(Dwarf_Die){ .addr = NULL }, &version, NULL, NULL,
                                    NULL, NULL, NULL),
               old = known && version < 3,
               private = old ? dwarf_tag(die) == DW_TAG_inheritance : of == DW_TAG_class_type;
    return dwarfread_number(die, DW_AT_accessibility,
                            private ? DW_ACCESS_private : DW_ACCESS_public);
}

static bool dwarfclass_type(Dwarf_Die *die, unsigned attribute, Dwarf_Die *out)
{
    Dwarf_Attribute a;
    return dwarf_attr_integrate(die, attribute, &a) && dwarf_formref_die(&a, out);
}

uint64_t dwarfclass_containing(struct dwarf_file *f, Dwarf_Die *die)
{
    Dwarf_Die class;
    return dwarfclass_type(die, DW_AT_containing_type, &class) ? dwarfread_key(f, &class) : 0;
}

/* Returns the size of a pointer to member. A pointer to a member function has two words of 8 bytes:
 * an address, or 1 plus an offset in the table of virtual functions; and the number to add to
 * `this`. */
uint64_t dwarfclass_pointer_size(Dwarf_Die *die)
{
    Dwarf_Die to;
    bool function = dwarfread_type_of(die, &to) && !dwarf_peel_type(&to, &to) &&
                    dwarf_tag(&to) == DW_TAG_subroutine_type;
    return function ? 16 : 8;
}

/* Returns the number of leading parameters that the source does not have: `this`, and those that
 * the compiler adds to constructors. */
static uint64_t dwarfclass_hidden(Dwarf_Die *fn)
{
    Dwarf_Die p;
    uint64_t n = 0;
    if (!dwarf_child(fn, &p))
        do {
            if (dwarf_tag(&p) != DW_TAG_formal_parameter)
                continue;
            if (!dwarf_hasattr(&p, DW_AT_artificial))
                break;
            n++;
        } while (!dwarf_siblingof(&p, &p));
    return n;
}

static void dwarfclass_item(struct dwarf_answer *a, enum dwarf_about what, Dwarf_Die *die,
                            uint64_t key, uint64_t access)
{
    dwarf_answer_number(a, what);
    dwarf_answer_text(a, dwarf_diename(die));
    dwarf_answer_number(a, key);
    dwarf_answer_number(a, access);
}

static void dwarfclass_method(struct dwarf_file *f, struct dwarf_answer *a, Dwarf_Die *fn,
                              uint64_t access)
{
    Dwarf_Attribute attr;
    bool linked = dwarf_attr(fn, DW_AT_linkage_name, &attr);
    /* A function without hidden parameters is static: `this` is a hidden parameter. */
    const uint64_t hidden = dwarfclass_hidden(fn);
    dwarfclass_item(a, DWARF_ABOUT_METHOD, fn, dwarfread_key(f, fn), access);
    dwarf_answer_number(a,
                        (dwarfread_number(fn, DW_AT_virtuality, 0) ? DWARF_METHOD_VIRTUAL : 0u) |
                            (!hidden ? DWARF_METHOD_STATIC : 0u) |
                            (dwarf_hasattr(fn, DW_AT_artificial) ? DWARF_METHOD_ARTIFICIAL : 0u) |
                            (dwarf_hasattr(fn, DW_AT_deleted) ? DWARF_METHOD_DELETED : 0u));
    dwarf_answer_number(a, hidden);
    dwarf_answer_number(a, dwarf_answer_vtable(fn));
    dwarf_answer_text(a, linked ? dwarf_formstring(&attr) : NULL);
}

void dwarfclass_emit(struct dwarf_file *f, struct dwarf_answer *a, Dwarf_Die *die)
{
    Dwarf_Die part, type;
    uint64_t members = 0;
    dwarfread_whole(die);
    int of = dwarf_tag(die);
    dwarf_answer_number(a, of == DW_TAG_class_type);
    if (!dwarf_child(die, &part))
        do {
            int tag = dwarf_tag(&part);
            uint64_t access = dwarfclass_access(&part, of);
            uint64_t key = dwarfread_type_of(&part, &type) ? dwarfread_key(f, &type) : 0;
            if (tag == DW_TAG_subprogram) {
                dwarfclass_method(f, a, &part, access);
            } else if (tag == DW_TAG_typedef) {
                dwarfclass_item(a, DWARF_ABOUT_ALIAS, &part, key, access);
            } else if (dwarftype_is_part(&part, of)) {
                members++;
            } else if (tag == DW_TAG_variable || tag == DW_TAG_member) {
                dwarfclass_item(a, DWARF_ABOUT_FIXED, &part, key, access);
                dwarf_answer_number(a, members);
            }
        } while (!dwarf_siblingof(&part, &part));
    dwarf_answer_number(a, DWARF_ABOUT_END);
}
