/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_local.c - emits the variables that a function and its blocks have at an instruction
 * (dwarf_read.h). The DWARF operations of their places are emitted, not executed: only the shell
 * has the registers and the memory to execute them (engine/eval/place.c).
 * Tests: tests/procs/print.sh, tests/procs/scopes.sh */
#include <stdlib.h>
#include <string.h>

#include "engine/dwarf/dwarf.h"
#include "engine/dwarf/dwarf_read.h"

#define DEEPEST 64 /* maximum depth of nested blocks */

/* Returns the DWARF 5 number of an operation that has a type operand, or 0 for other operations. */
static uint64_t dwarflocal_naming(uint64_t atom)
{
    switch (atom) {
    case DW_OP_convert:
    case DW_OP_GNU_convert:
        return DW_OP_convert;
    case DW_OP_regval_type:
    case DW_OP_GNU_regval_type:
        return DW_OP_regval_type;
    case DW_OP_deref_type:
    case DW_OP_GNU_deref_type:
        return DW_OP_deref_type;
    case DW_OP_const_type:
    case DW_OP_GNU_const_type:
        return DW_OP_const_type;
    default:
        return 0;
    }
}

/* Returns the operation's type, encoded as `b` of struct ez_dwarf_op. */
static uint64_t dwarflocal_typed(Dwarf_Attribute *of, const Dwarf_Op *op)
{
    Dwarf_Die type;
    if (dwarflocal_naming(op->atom) == DW_OP_convert && !op->number)
        return EZ_DWARF_GENERIC;
    if (!of || dwarf_getlocation_die(of, op, &type))
        return 0;
    uint64_t encoding = dwarfread_number(&type, DW_AT_encoding, 0);
    int size = dwarf_bytesize(&type);
    bool is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
    bool integer = is_signed || encoding == DW_ATE_unsigned || encoding == DW_ATE_unsigned_char ||
                   encoding == DW_ATE_boolean || encoding == DW_ATE_address;
    if (encoding == DW_ATE_float && (size == sizeof(float) || size == sizeof(double)))
        return EZ_DWARF_FLOAT + (uint64_t)size;
    return integer && size > 0 && size <= 8 ? (uint64_t)size << 1 | is_signed : 0;
}

/* Reads the value of DW_OP_const_type. */
static bool dwarflocal_constant(Dwarf_Attribute *of, const Dwarf_Op *op, uint64_t *out)
{
    Dwarf_Attribute inner;
    Dwarf_Block b;
    bool good = of && !dwarf_getlocation_attr(of, op, &inner) && !dwarf_formblock(&inner, &b) &&
                b.length <= sizeof *out;
    *out = 0;
    if (good)
        memcpy(out, b.data, b.length);
    return good;
}

/* Returns the register of DW_OP_entry_value, or -1 if its operand is no register. */
static int64_t dwarflocal_entry(Dwarf_Attribute *of, const Dwarf_Op *op)
{
    Dwarf_Attribute inner;
    Dwarf_Op *its;
    size_t n;
    if (!of || dwarf_getlocation_attr(of, op, &inner) || dwarf_getlocation(&inner, &its, &n) ||
        n != 1)
        return -1;
    return dwarflocal_naming(its->atom) == DW_OP_regval_type ? (int64_t)its->number
                                                             : dwarfwhere_register(its);
}

/* Emits the number of operations, then the operations, with two operands each. */
void dwarflocal_emit_ops(struct dwarf_answer *a, Dwarf_Attribute *of, const Dwarf_Op *op, size_t n)
{
    dwarf_answer_number(a, n);
    for (size_t i = 0; i < n; i++) {
        Dwarf_Attribute at;
        Dwarf_Addr addr;
        Dwarf_Block b;
        uint64_t atom = op[i].atom, number = op[i].number, number2 = op[i].number2;
        bool indexed = atom == DW_OP_addrx || atom == DW_OP_GNU_addr_index;
        if (indexed && of && !dwarf_getlocation_attr(of, &op[i], &at) &&
            !dwarf_formaddr(&at, &addr)) {
            atom = DW_OP_addr;
            number = addr;
        }
        if (atom == DW_OP_implicit_value) {
            uint64_t value[2] = { 0 };
            bool good =
                of && !dwarf_getlocation_implicit_value(of, &op[i], &b) && b.length <= sizeof value;
            if (good)
                memcpy(value, b.data, b.length);
            atom = good ? DW_OP_implicit_value : 0;
            number = value[0];
            number2 = value[1];
        }
        if (atom == DW_OP_entry_value || atom == DW_OP_GNU_entry_value) {
            number = (uint64_t)dwarflocal_entry(of, &op[i]);
            number2 = number != UINT64_MAX;
        }
        if (dwarflocal_naming(atom)) {
            atom = dwarflocal_naming(atom);
            number2 = dwarflocal_typed(of, &op[i]);
        }
        if (atom == DW_OP_const_type && !dwarflocal_constant(of, &op[i], &number))
            atom = 0;
        dwarf_answer_number(a, atom);
        dwarf_answer_number(a, number);
        dwarf_answer_number(a, number2);
    }
}

static void dwarflocal_emit_attribute(struct dwarf_answer *a, Dwarf_Die *die, unsigned which,
                                      uint64_t pc)
{
    Dwarf_Attribute at;
    Dwarf_Op *op;
    size_t n;
    if (die && dwarf_attr_integrate(die, which, &at) &&
        dwarf_getlocation_addr(&at, pc, &op, &n, 1) == 1)
        dwarflocal_emit_ops(a, &at, op, n);
    else
        dwarf_answer_number(a, 0);
}

/* ---- variables directly in a block ----------------------------------------------------------- */

/* is called for a variable or parameter; returns false to end the search */
typedef bool dwarflocal_fn(Dwarf_Die *die, void *arg);
/* abstract entries whose instances the block has, so that they are skipped */
struct dwarflocal_had {
    EZ_VEC(const void *) addr;
};

/* Finds the abstract entry of an instance. */
static bool dwarflocal_origin(Dwarf_Die *die, Dwarf_Die *out)
{
    Dwarf_Attribute a;
    return dwarf_attr(die, DW_AT_abstract_origin, &a) && dwarf_formref_die(&a, out);
}

static bool dwarflocal_is_had(const struct dwarflocal_had *had, const Dwarf_Die *die)
{
    for (size_t i = 0; had && i < had->addr.n; i++)
        if (had->addr.at[i] == die->addr)
            return true;
    return false;
}

/* Calls fn for the variables and parameters among the children of a block. A block without code is
 * replaced by its children, as in gdb. but: entries to skip. had: receives the abstract entries of
 * the children; may be NULL. Returns false if fn ended the search. */
static bool dwarflocal_children(Dwarf_Die *in, const struct dwarflocal_had *but, unsigned depth,
                                struct dwarflocal_had *had, dwarflocal_fn *fn, void *arg)
{
    Dwarf_Die die, of;
    Dwarf_Addr base, lo, hi;
    bool more = true;
    if (depth == DEEPEST || dwarf_child(in, &die))
        return true;
    do {
        int tag = dwarf_tag(&die);
        if (dwarflocal_is_had(but, &die))
            continue;
        if (had && dwarflocal_origin(&die, &of))
            EZ_PUSH(&had->addr, (const void *)of.addr);
        if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
            more = dwarf_hasattr(&die, DW_AT_declaration) || fn(&die, arg);
        else if (tag == DW_TAG_common_block || /* of Fortran */
                 (tag == DW_TAG_lexical_block && dwarf_ranges(&die, 0, &base, &lo, &hi) <= 0))
            more = dwarflocal_children(&die, but, depth + 1, had, fn, arg);
    } while (more && !dwarf_siblingof(&die, &die));
    return more;
}

/* Calls fn for the variables and parameters directly in the block: first the block's own; then
 * those that only the block's abstract entry has, which have no place. */
static void dwarflocal_each(Dwarf_Die *in, dwarflocal_fn *fn, void *arg)
{
    struct dwarflocal_had had = { { 0 } };
    Dwarf_Die of;
    if (dwarflocal_children(in, NULL, 0, &had, fn, arg) && dwarflocal_origin(in, &of))
        dwarflocal_children(&of, &had, 0, NULL, fn, arg);
    EZ_VEC_FREE(&had.addr);
}

/* ---- one of them ----------------------------------------------------------------------------- */

struct dwarflocal_finding {
    const char *name;
    Dwarf_Die *out;
    uint64_t which; /* enum dwarf_which */
    bool found;
};

/* Accepts a variable of the wanted name, as f->which says. DWARF_WHICH_SEEN: the first variable or,
 * if the block has none, the parameter, as in gdb. */
static bool dwarflocal_is(Dwarf_Die *die, void *arg)
{
    struct dwarflocal_finding *f = arg;
    const char *its = dwarf_diename(die);
    bool variable = dwarf_tag(die) == DW_TAG_variable;
    if (!its || strcmp(its, f->name))
        return true;
    if (f->which == DWARF_WHICH_SEEN && !variable && f->found)
        return true;
    if (f->which != DWARF_WHICH_SEEN && variable == (f->which == DWARF_WHICH_PARAMETER))
        return true;
    if (f->which > DWARF_WHICH_VARIABLE) {
        f->which--;
        return true;
    }
    *f->out = *die;
    f->found = true;
    return f->which == DWARF_WHICH_SEEN && !variable;
}

/* Finds the variable in the innermost block of the frame that has it. */
static bool dwarflocal_find(struct dwarf_blocks *b, const char *name, uint64_t which,
                            Dwarf_Die *out)
{
    struct dwarflocal_finding f = { name, out, which, false };
    for (size_t i = b->to; i-- > b->from && !f.found;)
        dwarflocal_each(&b->die.at[i], dwarflocal_is, &f);
    return f.found;
}

/* Emits a variable: the key of its type, whether it is a constant, the constant; the operations of
 * its place and of the frame base. */
static void dwarflocal_emit_one(struct dwarf_file *f, struct dwarf_answer *a, Dwarf_Die *function,
                                Dwarf_Die *die, uint64_t pc)
{
    Dwarf_Die type;
    dwarf_answer_number(a, dwarfread_type_of(die, &type) ? dwarfread_key(f, &type) : 0);
    struct dwarf_where w = { .at = DWARF_AT_NONE };
    if (dwarf_hasattr_integrate(die, DW_AT_const_value))
        w = dwarfwhere(die, NULL, pc);
    dwarf_answer_number(a, w.at == DWARF_AT_CONST);
    dwarf_answer_number(a, w.value);
    dwarf_answer_number(a, w.high);
    if (w.at == DWARF_AT_LOADED) {
        const Dwarf_Op op[] = { { .atom = DW_OP_addr, .number = w.value },
                                { .atom = DW_OP_stack_value } };
        dwarflocal_emit_ops(a, NULL, op, EZ_ARRAY_LEN(op));
    } else {
        dwarflocal_emit_attribute(a, die, DW_AT_location, pc);
    }
    dwarflocal_emit_attribute(a, function, DW_AT_frame_base, pc);
}

/* Returns the start of the function in which `function` is nested, or 0 if there is none. */
static uint64_t dwarflocal_host(Dwarf_Die *function)
{
    Dwarf_Die *scope = NULL;
    Dwarf_Addr begin = 0;
    int n = dwarf_getscopes_die(function, &scope);
    for (int i = 1; i < n && !begin; i++)
        if (dwarf_tag(&scope[i]) == DW_TAG_subprogram && dwarf_entrypc(&scope[i], &begin))
            break;
    free(scope);
    return begin;
}

/* Emits, in the format of a variable, the frame base of the function in which the frame's function
 * is nested. The begins of both functions take the place of the constant's value. An inlined
 * function has no static link. */
static void dwarflocal_emit_link(struct dwarf_answer *a, struct dwarf_blocks *b, uint64_t pc)
{
    Dwarf_Die *function = &b->die.at[0];
    Dwarf_Addr begin = 0;
    uint64_t host = b->from ? 0 : dwarflocal_host(function);
    dwarf_answer_number(a, 0);
    dwarf_answer_number(a, 0);
    dwarf_answer_number(a, dwarf_entrypc(function, &begin) ? 0 : begin);
    dwarf_answer_number(a, host);
    dwarflocal_emit_attribute(a, b->from ? NULL : function, DW_AT_static_link, pc);
    dwarflocal_emit_attribute(a, function, DW_AT_frame_base, pc);
}

void dwarflocal_emit(struct dwarf_file *f, struct dwarf_answer *a, const uint64_t *word,
                     const char *name)
{
    struct dwarf_blocks b;
    Dwarf_Die die;
    bool frame = dwarfblocks_frame(f, word[0], word[1], &b);
    if (frame && word[2] == DWARF_WHICH_LINK)
        dwarflocal_emit_link(a, &b, word[0]);
    else if (frame && dwarflocal_find(&b, name, word[2], &die))
        dwarflocal_emit_one(f, a, &b.die.at[0], &die, word[0]);
    EZ_VEC_FREE(&b.die);
}

void dwarflocal_emit_variable(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc,
                              uint64_t offset)
{
    struct dwarf_blocks b;
    Dwarf_Die die;
    if (dwarfblocks_around(f, pc, &b) &&
        dwarf_offdie(dwarf_cu_getdwarf(b.die.at[0].cu), offset, &die))
        dwarflocal_emit_one(f, a, &b.die.at[0], &die, pc);
    EZ_VEC_FREE(&b.die);
}

/* ---- all names ------------------------------------------------------------------------------- */

struct dwarflocal_naming {
    struct dwarf_answer *a;
    int tag;
};

/* Emits 1 and the name of an entry that has the wanted tag. */
static bool dwarflocal_name(Dwarf_Die *die, void *arg)
{
    struct dwarflocal_naming *n = arg;
    const char *name = dwarf_tag(die) == n->tag ? dwarf_diename(die) : NULL;
    if (name && *name) {
        dwarf_answer_number(n->a, 1);
        dwarf_answer_text(n->a, name);
    }
    return true;
}

/* Emits the names of the parameters or, with `others`, of the other variables. Names of inner
 * blocks come first, because they hide names of outer blocks. */
void dwarflocal_emit_names(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc, bool others,
                           uint64_t inside)
{
    struct dwarflocal_naming n = { a, others ? DW_TAG_variable : DW_TAG_formal_parameter };
    struct dwarf_blocks b;
    if (dwarfblocks_frame(f, pc, inside, &b)) {
        for (size_t i = others ? b.to : b.from + 1; i-- > b.from;)
            dwarflocal_each(&b.die.at[i], dwarflocal_name, &n);
        dwarf_answer_number(a, 0);
    }
    EZ_VEC_FREE(&b.die);
}
