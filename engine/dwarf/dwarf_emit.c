/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_emit.c - writes functions and variables of the debug information into answers, which
 * dwarf.c reads (dwarf_priv.h).
 * Tests: tests/unit/dwarf/check_dwarf.c */
#include <stdlib.h>
#include <string.h>

#include "engine/dwarf/dwarf_read.h"
#include "engine/dwarf/type.h"

void dwarf_answer_number(struct dwarf_answer *a, uint64_t n)
{
    for (unsigned i = 0; i < 8; i++)
        EZ_PUSH(&a->byte, (uint8_t)(n >> 8 * i));
}

void dwarf_answer_text(struct dwarf_answer *a, const char *text)
{
    for (const char *p = text ? text : ""; *p; p++)
        EZ_PUSH(&a->byte, (uint8_t)*p);
    EZ_PUSH(&a->byte, 0);
}

uint64_t dwarf_answer_language(Dwarf_Die *die)
{
    switch (dwarfalt_language(die)) {
    case DW_LANG_Fortran77:
    case DW_LANG_Fortran90:
    case DW_LANG_Fortran95:
    case DW_LANG_Fortran03:
    case DW_LANG_Fortran08:
    case 0x2d: /* Fortran 2018 */
        return DWARF_FN_FORTRAN;
    case DW_LANG_C_plus_plus:
    case DW_LANG_C_plus_plus_03:
    case DW_LANG_C_plus_plus_11:
    case DW_LANG_C_plus_plus_14:
    case 0x2a: /* C++17 and C++20: numbers assigned after DWARF 5 */
    case 0x2b:
        return DWARF_FN_CXX;
    case DW_LANG_Rust:
        return DWARF_FN_RUST;
    case DW_LANG_Mips_Assembler:
        return DWARF_FN_ASM;
    }
    return 0;
}

bool dwarf_answer_is_constant(const Dwarf_Op *op, int64_t *out)
{
    bool literal = op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31;
    bool number = op->atom >= DW_OP_const1u && op->atom <= DW_OP_consts;
    *out = literal ? op->atom - DW_OP_lit0 : (int64_t)op->number;
    return literal || number;
}

/* ---- functions, variables -------------------------------------------------------------------- */

static void dwarf_answer_where(struct dwarf_answer *a, const struct dwarf_where *w)
{
    const uint64_t word[] = { w->at,     w->value,      w->nregs, w->reg[0],
                              w->reg[1], w->by_address, w->high };
    for (size_t i = 0; i < EZ_ARRAY_LEN(word); i++)
        dwarf_answer_number(a, word[i]);
}

/* Returns the function's parameter that is an instance of the parameter `abstract` of the abstract
 * function, or NULL. */
static Dwarf_Die *dwarf_answer_concrete(Dwarf_Die *function, Dwarf_Die *abstract, Dwarf_Die *out)
{
    Dwarf_Attribute a;
    Dwarf_Die origin;
    if (dwarf_child(function, out))
        return NULL;
    do
        if (dwarf_tag(out) == DW_TAG_formal_parameter &&
            dwarf_attr(out, DW_AT_abstract_origin, &a) && dwarf_formref_die(&a, &origin) &&
            origin.addr == abstract->addr)
            return out;
    while (!dwarf_siblingof(out, out));
    return NULL;
}

static size_t dwarf_answer_params(Dwarf_Die *function)
{
    Dwarf_Die p;
    size_t n = 0;
    if (!dwarf_child(function, &p))
        do
            n += dwarf_tag(&p) == DW_TAG_formal_parameter;
        while (!dwarf_siblingof(&p, &p));
    return n;
}

static void dwarf_answer_param(struct dwarf_file *f, struct dwarf_answer *a, Dwarf_Die *function,
                               Dwarf_Die *p, bool here, uint64_t pc)
{
    Dwarf_Die type;
    struct dwarf_where w = { .at = DWARF_AT_NONE };
    if (here)
        w = dwarfwhere(p, function, pc);
    dwarf_answer_number(a, 1);
    dwarf_answer_text(a, dwarf_diename(p));
    dwarf_answer_number(a, dwarfread_type_of(p, &type) ? dwarfread_key(f, &type) : 0);
    dwarf_answer_where(a, &w);
}

/* Returns the function's index in the table of virtual functions plus 1, or 0 if unknown. */
uint64_t dwarf_answer_vtable(Dwarf_Die *function)
{
    Dwarf_Attribute at;
    Dwarf_Op *op;
    size_t n;
    int64_t place;
    bool known = dwarf_attr_integrate(function, DW_AT_vtable_elem_location, &at) &&
                 !dwarf_getlocation(&at, &op, &n) && n == 1 &&
                 dwarf_answer_is_constant(op, &place) && place >= 0 && place < 1 << 20;
    return known ? (uint64_t)place + 1 : 0;
}

/* Returns a flag for how the function's compiler passes an __int128 (enum ez_abi_int128):
 * DWARF_FN_SPLITS, DWARF_FN_FILLS, or 0 if the compiler is not clang. */
static uint64_t dwarf_answer_int128(Dwarf_Die *die)
{
    Dwarf_Die top;
    Dwarf_Attribute attr;
    const char *by = dwarf_diecu(die, &top, NULL, NULL) && dwarf_attr(&top, DW_AT_producer, &attr)
                         ? dwarf_formstring(&attr)
                         : NULL;
    const char *version = by ? strstr(by, "clang version ") : NULL;
    return !version                                                     ? 0
           : strtoul(version + strlen("clang version "), NULL, 10) < 18 ? DWARF_FN_SPLITS
                                                                        : DWARF_FN_FILLS;
}

static uint64_t dwarf_answer_function_flags(Dwarf_Die *die, Dwarf_Die *listed)
{
    uint64_t flags = dwarfread_number(die, DW_AT_external, 0) ? DWARF_FN_EXTERNAL : 0;
    flags |= dwarfread_number(die, DW_AT_virtuality, 0) ? DWARF_FN_VIRTUAL : 0;
    flags |= dwarf_answer_vtable(die) << DWARF_FN_VTABLE;
    flags |= dwarf_answer_int128(die);
    Dwarf_Die p;
    if (!dwarf_child(listed, &p))
        do
            flags |= dwarf_tag(&p) == DW_TAG_unspecified_parameters ? DWARF_FN_VARIADIC : 0;
        while (!dwarf_siblingof(&p, &p));
    return flags | dwarf_answer_language(die);
}

/* Emits unit, key, flags, name and key of the result's type; then the parameters, each after a 1;
 * then 0. A parameter that the compiler removed from the code keeps its position in the list. */
void dwarf_answer_function(struct dwarf_file *f, struct dwarf_answer *a, size_t unit,
                           const struct dwarf_entry *e)
{
    Dwarf_Die die = e->die, origin, p, type, here;
    Dwarf_Attribute attr;
    bool abstract = dwarf_attr(&die, DW_AT_abstract_origin, &attr) &&
                    dwarf_formref_die(&attr, &origin) &&
                    dwarf_answer_params(&origin) >= dwarf_answer_params(&die);
    Dwarf_Die *listed = abstract ? &origin : &die;
    dwarf_answer_number(a, unit);
    dwarf_answer_number(a, dwarfread_key(f, &die));
    dwarf_answer_number(a, dwarf_answer_function_flags(&die, listed));
    EZ_FREE char *full = ez_sprintf("%s%s", e->within, e->name ? e->name : "");
    dwarf_answer_text(a, full);
    dwarf_answer_number(a, dwarfread_type_of(&die, &type) ? dwarfread_key(f, &type) : 0);
    if (!dwarf_child(listed, &p))
        do {
            if (dwarf_tag(&p) != DW_TAG_formal_parameter)
                continue;
            Dwarf_Die *its = abstract ? dwarf_answer_concrete(&die, &p, &here) : &p;
            const char *name = dwarf_diename(&p);
            if (!its && name && !strncmp(name, "__", 2) && dwarf_hasattr(&p, DW_AT_artificial))
                /* the parameter __in_chrg of destructors is missing in this variant of the
                 * destructor */
                continue;
            dwarf_answer_param(f, a, &die, its ? its : &p, its != NULL, e->begin);
        } while (!dwarf_siblingof(&p, &p));
    dwarf_answer_number(a, 0);
}

/* Emits the name of a function, variable or enumerator in symbol tables, the key of its type, and
 * its place. A function's own key is the key of its type. */
void dwarf_answer_symbol(struct dwarf_file *f, struct dwarf_answer *a, struct dwarf_entry *e)
{
    Dwarf_Die type;
    Dwarf_Attribute attr;
    const char *linkage = NULL;
    struct dwarf_where w = { .at = DWARF_AT_NONE };
    bool function = e->tag == DW_TAG_subprogram;
    uint64_t key = 0;
    if (function)
        w = (struct dwarf_where){ .at = e->begin ? DWARF_AT_ADDRESS : DWARF_AT_NONE,
                                  .value = e->begin };
    else
        w = dwarfwhere(&e->die, NULL, 0);
    /* If a variable has no place, `value` says whether the unit defines the variable. */
    if (w.at == DWARF_AT_NONE)
        w.value = !dwarf_hasattr_integrate(&e->die, DW_AT_declaration);
    if (dwarf_attr_integrate(&e->die, DW_AT_linkage_name, &attr))
        linkage = dwarf_formstring(&attr);
    if (e->tag == DW_TAG_enumerator) {
        type = e->die;
        type.addr = e->around;
        type.abbrev = NULL;
        key = dwarfread_key(f, &type);
    } else if (function) {
        key = dwarfread_key(f, &e->die);
    } else if (dwarfread_type_of(&e->die, &type)) {
        key = dwarfread_key(f, &type);
    }
    dwarf_answer_text(a, linkage ? linkage : e->name);
    dwarf_answer_number(a, key);
    dwarf_answer_where(a, &w);
}
