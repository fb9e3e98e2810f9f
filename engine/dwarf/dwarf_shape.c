/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_shape.c - emits how the bounds, strides and the address of an array or string are computed
 * at run time (dwarf_read.h): as DWARF operations, which the shell executes with the registers and
 * the memory of the process. Such arrays are variable-length arrays of C, and arrays of Fortran
 * that are allocatable, assumed-shape, pointers, or have bounds from variables.
 *
 * Tests: tests/procs/shapes.sh */
#include "engine/dwarf/dwarf.h"
#include "engine/dwarf/dwarf_read.h"

/* Returns whether the attribute has no constant value, but is computed at run time. */
static bool dwarfshape_runs(Dwarf_Die *die, unsigned which)
{
    Dwarf_Attribute a;
    if (!dwarf_attr_integrate(die, which, &a))
        return false;
    switch (dwarf_whatform(&a)) {
    case DW_FORM_exprloc:
    case DW_FORM_block:
    case DW_FORM_block1:
    case DW_FORM_block2:
    case DW_FORM_block4:
    case DW_FORM_ref4:
    case DW_FORM_ref8:
    case DW_FORM_ref_udata:
    case DW_FORM_ref_addr:
    case DW_FORM_sec_offset:
    case DW_FORM_loclistx:
        return true;
    }
    return false;
}

static const unsigned dwarfshape_of_dimension[] = { DW_AT_lower_bound, DW_AT_upper_bound,
                                                    DW_AT_count, DW_AT_byte_stride };

bool dwarfshape_is_dynamic(Dwarf_Die *die)
{
    Dwarf_Die dim;
    if (dwarf_hasattr(die, DW_AT_data_location) || dwarfshape_runs(die, DW_AT_string_length))
        return true;
    if (dwarf_tag(die) != DW_TAG_array_type || dwarf_child(die, &dim))
        return false;
    do
        for (size_t i = 0; i < EZ_ARRAY_LEN(dwarfshape_of_dimension); i++)
            if (dwarf_tag(&dim) == DW_TAG_subrange_type &&
                dwarfshape_runs(&dim, dwarfshape_of_dimension[i]))
                return true;
    while (!dwarf_siblingof(&dim, &dim));
    return false;
}

/* ---- a value as operations ------------------------------------------------------------------- */

struct dwarfshape {
    struct dwarf_answer *a;
    uint64_t pc;
    /* The same operations serve all dimensions; they begin with the dimension's number on the
     * stack. */
    bool numbered;
};

static void dwarfshape_emit(struct dwarfshape *s, Dwarf_Attribute *of, const Dwarf_Op *op, size_t n,
                            const Dwarf_Op *more, size_t nmore)
{
    EZ_VEC(Dwarf_Op) all = { 0 };
    if (s->numbered && n)
        EZ_PUSH(&all, ((Dwarf_Op){ .atom = DW_OP_constu }));
    for (size_t i = 0; i < n; i++)
        EZ_PUSH(&all, op[i]);
    for (size_t i = 0; i < nmore; i++)
        EZ_PUSH(&all, more[i]);
    dwarflocal_emit_ops(s->a, of, all.at, all.n);
    EZ_VEC_FREE(&all);
}

/* Emits the value of the variable `die`. */
static void dwarfshape_emit_variable(struct dwarfshape *s, Dwarf_Die *die)
{
    static const Dwarf_Op value = { .atom = DW_OP_stack_value };
    Dwarf_Attribute at;
    Dwarf_Die type;
    Dwarf_Op *op;
    size_t n;
    if (!dwarf_attr_integrate(die, DW_AT_location, &at) ||
        dwarf_getlocation_addr(&at, s->pc, &op, &n, 1) != 1 || !n) {
        dwarf_answer_number(s->a, 0);
        return;
    }
    int size = dwarfread_type_of(die, &type) ? dwarf_bytesize(&type) : 0;
    bool in_register = n == 1 && op[0].atom >= DW_OP_reg0 && op[0].atom <= DW_OP_reg31;
    Dwarf_Op held = { .atom = (uint8_t)(op[0].atom - DW_OP_reg0 + DW_OP_breg0) };
    const Dwarf_Op load[] = {
        { .atom = DW_OP_deref_size, .number = size > 0 && size <= 8 ? (Dwarf_Word)size : 8 }, value
    };
    if (in_register)
        dwarfshape_emit(s, &at, &held, 1, &value, 1);
    else if (op[n - 1].atom == DW_OP_stack_value)
        dwarfshape_emit(s, &at, op, n, NULL, 0);
    else
        dwarfshape_emit(s, &at, op, n, load, EZ_ARRAY_LEN(load));
}

/* Returns whether the operation executes the location of another entry (DW_OP_call). gfortran
 * describes the length of a string in this way in DWARF 4. */
static bool dwarfshape_calls(const Dwarf_Op *op)
{
    return op->atom == DW_OP_call2 || op->atom == DW_OP_call4 || op->atom == DW_OP_call_ref;
}

/* Emits operations that compute the value of an attribute, which is a constant, a variable or
 * operations. Emits no operations if there is no such attribute. */
static void dwarfshape_emit_value(struct dwarfshape *s, Dwarf_Die *die, unsigned which)
{
    static const Dwarf_Op value = { .atom = DW_OP_stack_value };
    Dwarf_Attribute at;
    Dwarf_Die variable;
    Dwarf_Op *op;
    size_t n;
    int64_t number = 0;
    const uint64_t size = dwarfread_number(die, DW_AT_string_length_byte_size, 8);
    const Dwarf_Op load[] = { { .atom = DW_OP_deref_size, .number = size }, value };
    if (!dwarf_attr_integrate(die, which, &at)) {
        dwarf_answer_number(s->a, 0);
    } else if (!dwarfshape_runs(die, which)) {
        bool known = dwarfread_signed(&at, &number);
        const Dwarf_Op constant = { .atom = DW_OP_consts, .number = (Dwarf_Word)number };
        dwarfshape_emit(s, NULL, &constant, known, &value, known);
    } else if (dwarf_formref_die(&at, &variable)) {
        dwarfshape_emit_variable(s, &variable);
    } else if (dwarf_getlocation_addr(&at, s->pc, &op, &n, 1) == 1 && n == 1 &&
               dwarfshape_calls(op) && !dwarf_getlocation_die(&at, op, &variable)) {
        dwarfshape_emit_variable(s, &variable);
    } else if (dwarf_getlocation_addr(&at, s->pc, &op, &n, 1) == 1 && n) {
        /* operations of DW_AT_string_length compute the place of the length, not the length */
        bool place = which == DW_AT_string_length;
        dwarfshape_emit(s, &at, op, n, place ? load : &value, place ? EZ_ARRAY_LEN(load) : 1);
    } else {
        dwarf_answer_number(s->a, 0);
    }
}

/* Emits the address of the elements; whether there are elements; the length of a string; the rank;
 * whether the array is Fortran's; then for each dimension 1, its lower and upper bound, count and
 * stride; then 0. */
void dwarfshape_emit_type(struct dwarf_answer *a, Dwarf_Die *die, uint64_t pc)
{
    struct dwarfshape s = { .a = a, .pc = pc };
    Dwarf_Die dim;
    dwarfshape_emit_value(&s, die, DW_AT_data_location);
    dwarfshape_emit_value(&s, die,
                          dwarf_hasattr(die, DW_AT_allocated) ? DW_AT_allocated : DW_AT_associated);
    dwarfshape_emit_value(&s, die, DW_AT_string_length);
    dwarfshape_emit_value(&s, die, DW_AT_rank);
    dwarf_answer_number(a, dwarf_answer_language(die) == DWARF_FN_FORTRAN);
    if (dwarf_tag(die) == DW_TAG_array_type && !dwarf_child(die, &dim))
        do {
            if (dwarf_tag(&dim) != DW_TAG_subrange_type &&
                dwarf_tag(&dim) != DW_TAG_generic_subrange)
                continue;
            dwarf_answer_number(a, 1);
            s.numbered = dwarf_tag(&dim) == DW_TAG_generic_subrange;
            for (size_t i = 0; i < EZ_ARRAY_LEN(dwarfshape_of_dimension); i++)
                dwarfshape_emit_value(&s, &dim, dwarfshape_of_dimension[i]);
        } while (!dwarf_siblingof(&dim, &dim));
    dwarf_answer_number(a, 0);
}
