/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_local.c - the variables of a function and of its blocks, at any of its instructions
 * (dwarf_read.h). Where they are is told as the debug information has it, operation by operation: the
 * shell has the registers and the memory that these need (engine/eval/place.c). */
#include "config.h"

#ifdef HAVE_LIBDW

#include <string.h>

#include "engine/data/dwarf_read.h"

#define DEEPEST 64 /* blocks in blocks                                                */

/* Operations, each with two numbers: how many, then they. */
void dwarflocal_tell_ops(struct dwarf_answer *a, Dwarf_Attribute *of, const Dwarf_Op *op, size_t n)
{
    dwarftell_number(a, n);
    for (size_t i = 0; i < n; i++) {
        Dwarf_Attribute at;
        Dwarf_Addr addr;
        Dwarf_Block b;
        uint64_t atom = op[i].atom, number = op[i].number;
        bool indexed = atom == DW_OP_addrx || atom == DW_OP_GNU_addr_index;
        if (indexed && of && !dwarf_getlocation_attr(of, &op[i], &at) &&
            !dwarf_formaddr(&at, &addr)) {
            atom = DW_OP_addr;
            number = addr;
        }
        if (atom == DW_OP_implicit_value) {
            uint64_t value = 0;
            bool good =
                of && !dwarf_getlocation_implicit_value(of, &op[i], &b) && b.length <= sizeof value;
            if (good)
                memcpy(&value, b.data, b.length);
            atom = good ? DW_OP_implicit_value : 0;
            number = value;
        }
        dwarftell_number(a, atom);
        dwarftell_number(a, number);
        dwarftell_number(a, op[i].number2);
    }
}

static void dwarflocal_tell_attribute(struct dwarf_answer *a, Dwarf_Die *die, unsigned which,
                                      uint64_t pc)
{
    Dwarf_Attribute at;
    Dwarf_Op *op;
    size_t n;
    if (die && dwarf_attr_integrate(die, which, &at) &&
        dwarf_getlocation_addr(&at, pc, &op, &n, 1) == 1)
        dwarflocal_tell_ops(a, &at, op, n);
    else
        dwarftell_number(a, 0);
}

/* The variable or parameter of that name right inside `in`; the last one, if there are several. */
static bool dwarflocal_in(Dwarf_Die *in, const char *name, Dwarf_Die *out)
{
    Dwarf_Die die;
    bool found = false;
    if (dwarf_child(in, &die))
        return false;
    do {
        int tag = dwarf_tag(&die);
        bool variable = tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
        const char *its = variable ? dwarf_diename(&die) : NULL;
        if (!its || strcmp(its, name) || dwarf_hasattr(&die, DW_AT_declaration))
            continue;
        *out = die;
        found = true;
    } while (!dwarf_siblingof(&die, &die));
    return found;
}

/* In the innermost block around pc that has such a variable, inside of `in`. An inlined function hides
 * the variables of what it is inlined into. */
static bool dwarflocal_find(Dwarf_Die *in, uint64_t pc, const char *name, unsigned depth,
                            Dwarf_Die *out)
{
    Dwarf_Die die;
    if (depth < DEEPEST && !dwarf_child(in, &die))
        do {
            int tag = dwarf_tag(&die);
            bool inlined = tag == DW_TAG_inlined_subroutine;
            if ((tag != DW_TAG_lexical_block && !inlined) || dwarf_haspc(&die, pc) <= 0)
                continue;
            if (dwarflocal_find(&die, pc, name, depth + 1, out))
                return true;
            if (inlined)
                return false;
        } while (!dwarf_siblingof(&die, &die));
    return dwarflocal_in(in, name, out);
}

/* The function of the unit that has code at pc. */
static bool dwarflocal_function(struct dwarf_unit *u, uint64_t pc, Dwarf_Die *out)
{
    dwarfindex_unit(u);
    for (size_t i = 0; i < u->entry.n; i++)
        if (u->entry.at[i].begin && dwarf_haspc(&u->entry.at[i].die, pc) > 0) {
            *out = u->entry.at[i].die;
            return true;
        }
    return false;
}

/* Key of the type, is it a constant, which; operations of its place, and of the frame's base. */
void dwarflocal_tell(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc, const char *name)
{
    struct dwarf_unit *u = dwarfindex_unit_at(f, pc);
    Dwarf_Die die, function, type;
    if (!u || !dwarflocal_function(u, pc, &function) ||
        !dwarflocal_find(&function, pc, name, 0, &die))
        return;
    dwarftell_number(a, dwarfread_type_of(&die, &type) ? dwarfread_key(f, &type) : 0);
    struct dwarf_where w = { .at = DWARF_AT_NONE };
    if (dwarf_hasattr_integrate(&die, DW_AT_const_value))
        w = dwarfwhere(&die, NULL, pc);
    dwarftell_number(a, w.at == DWARF_AT_CONST);
    dwarftell_number(a, w.value);
    dwarflocal_tell_attribute(a, &die, DW_AT_location, pc);
    dwarflocal_tell_attribute(a, &function, DW_AT_frame_base, pc);
}

/* The variables right inside `in`: for each 1 and its name. */
static void dwarflocal_name_all(struct dwarf_answer *a, Dwarf_Die *in, bool others)
{
    Dwarf_Die die;
    if (dwarf_child(in, &die))
        return;
    do {
        const char *name = dwarf_tag(&die) == (others ? DW_TAG_variable : DW_TAG_formal_parameter)
                               ? dwarf_diename(&die)
                               : NULL;
        if (!name || !*name || dwarf_hasattr(&die, DW_AT_declaration))
            continue;
        dwarftell_number(a, 1);
        dwarftell_text(a, name);
    } while (!dwarf_siblingof(&die, &die));
}

/* Blocks first, as they hide what is around them. */
static void dwarflocal_name_blocks(struct dwarf_answer *a, Dwarf_Die *in, uint64_t pc,
                                   unsigned depth)
{
    Dwarf_Die die;
    if (depth < DEEPEST && !dwarf_child(in, &die))
        do
            if (dwarf_tag(&die) == DW_TAG_lexical_block && dwarf_haspc(&die, pc) > 0)
                dwarflocal_name_blocks(a, &die, pc, depth + 1);
        while (!dwarf_siblingof(&die, &die));
    dwarflocal_name_all(a, in, true);
}

void dwarflocal_tell_names(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc, bool others)
{
    struct dwarf_unit *u = dwarfindex_unit_at(f, pc);
    Dwarf_Die function;
    if (!u || !dwarflocal_function(u, pc, &function))
        return;
    if (others)
        dwarflocal_name_blocks(a, &function, pc, 0);
    else
        dwarflocal_name_all(a, &function, false);
    dwarftell_number(a, 0);
}

#endif
