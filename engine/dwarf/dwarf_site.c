/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_site.c - emits what debug information says of a call: the called function, and how the
 * values that it passes can be computed in the caller (DW_TAG_call_site; before DWARF 5,
 * DW_TAG_GNU_call_site). The shell executes the operations (engine/eval/passed.c).
 * Tests: tests/procs/print.sh */
#include <string.h>

#include "engine/dwarf/dwarf_read.h"

#define DEEPEST 256    /* maximum depth of nested blocks */
#define FUNCTIONS 1000 /* maximum number of functions reached by tail calls */

static bool dwarfsite_attr(Dwarf_Die *die, unsigned of_5, unsigned of_gnu, Dwarf_Attribute *out)
{
    return dwarf_attr(die, of_5, out) || dwarf_attr(die, of_gnu, out);
}

/* is called for a call's entry; returns false to end the search */
typedef bool dwarfsite_fn(Dwarf_Die *site, void *arg);

/* Calls fn for each call in the function. Returns false if fn ended the search. */
static bool dwarfsite_each(Dwarf_Die *in, unsigned depth, dwarfsite_fn *fn, void *arg)
{
    Dwarf_Die die;
    bool more = true;
    if (depth == DEEPEST || dwarf_child(in, &die))
        return true;
    do {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site)
            more = fn(&die, arg);
        else if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine)
            more = dwarfsite_each(&die, depth + 1, fn, arg);
    } while (more && !dwarf_siblingof(&die, &die));
    return more;
}

/* Returns the first address of a function; for an abstract entry, the first address of its instance
 * in the same unit. Returns 0 if the unit has no code of the function. */
static uint64_t dwarfsite_begin(struct dwarf_file *f, Dwarf_Die *function)
{
    Dwarf_Addr begin;
    Dwarf_Attribute a;
    Dwarf_Die of;
    if (!dwarf_entrypc(function, &begin))
        return begin;
    struct dwarf_unit *u = dwarfsplit_unit_of(f, function);
    if (!u)
        return 0;
    dwarfindex_unit(u);
    for (size_t i = 0; i < u->entry.n; i++) {
        struct dwarf_entry *e = &u->entry.at[i];
        if (e->begin && dwarf_attr(&e->die, DW_AT_abstract_origin, &a) &&
            dwarf_formref_die(&a, &of) && of.addr == function->addr)
            return e->begin;
    }
    return 0;
}

/* Finds the called function's entry. Returns false for a call through a pointer. */
static bool dwarfsite_callee(Dwarf_Die *site, Dwarf_Die *out)
{
    Dwarf_Attribute a;
    return dwarfsite_attr(site, DW_AT_call_origin, DW_AT_abstract_origin, &a) &&
           dwarf_formref_die(&a, out);
}

/* ---- one call -------------------------------------------------------------------------------- */

struct dwarfsite_at {
    uint64_t ret; /* return address of the call */
    Dwarf_Die site;
    bool found;
};

static bool dwarfsite_returns_to(Dwarf_Die *site, void *arg)
{
    struct dwarfsite_at *at = arg;
    Dwarf_Attribute a;
    Dwarf_Addr ret;
    at->found = dwarfsite_attr(site, DW_AT_call_return_pc, DW_AT_low_pc, &a) &&
                !dwarf_formaddr(&a, &ret) && ret == at->ret;
    if (at->found)
        at->site = *site;
    return !at->found;
}

/* Finds the entry of the parameter that is passed in register `reg`. */
static bool dwarfsite_passed(Dwarf_Die *site, uint64_t reg, Dwarf_Die *out)
{
    Dwarf_Attribute a;
    Dwarf_Op *op;
    size_t n;
    if (dwarf_child(site, out))
        return false;
    do {
        int tag = dwarf_tag(out);
        bool is = tag == DW_TAG_call_site_parameter || tag == DW_TAG_GNU_call_site_parameter;
        if (is && dwarf_attr(out, DW_AT_location, &a) && !dwarf_getlocation(&a, &op, &n) &&
            n == 1 && dwarfwhere_register(op) == (int64_t)reg)
            return true;
    } while (!dwarf_siblingof(out, out));
    return false;
}

static void dwarfsite_emit_ops(struct dwarf_answer *a, Dwarf_Die *die, unsigned of_5,
                               unsigned of_gnu)
{
    Dwarf_Attribute at;
    Dwarf_Op *op;
    size_t n;
    if (die && dwarfsite_attr(die, of_5, of_gnu, &at) && !dwarf_getlocation(&at, &op, &n))
        dwarflocal_emit_ops(a, &at, op, n);
    else
        dwarf_answer_number(a, 0);
}

/* Emits the first address of the called function, or 0; its name, if the address is unknown; then
 * operations that compute its address, the passed value, and the caller's frame base. */
void dwarfsite_emit(struct dwarf_file *f, struct dwarf_answer *a, uint64_t ret, uint64_t reg)
{
    struct dwarf_blocks b;
    struct dwarfsite_at at = { .ret = ret };
    Dwarf_Die callee, passed;
    Dwarf_Attribute base;
    Dwarf_Op *op;
    size_t n;
    if (dwarfblocks_around(f, ret - 1, &b) &&
        !dwarfsite_each(&b.die.at[0], 0, dwarfsite_returns_to, &at) &&
        dwarfsite_passed(&at.site, reg, &passed)) {
        bool known = dwarfsite_callee(&at.site, &callee);
        uint64_t begin = known ? dwarfsite_begin(f, &callee) : 0;
        dwarf_answer_number(a, begin);
        if (known && !begin)
            dwarfblocks_emit_name(f, a, &callee);
        else
            dwarf_answer_text(a, "");
        dwarfsite_emit_ops(a, known ? NULL : &at.site, DW_AT_call_target,
                           DW_AT_GNU_call_site_target);
        dwarfsite_emit_ops(a, &passed, DW_AT_call_value, DW_AT_GNU_call_site_value);
        if (dwarf_attr_integrate(&b.die.at[0], DW_AT_frame_base, &base) &&
            dwarf_getlocation_addr(&base, ret - 1, &op, &n, 1) == 1)
            dwarflocal_emit_ops(a, &base, op, n);
        else
            dwarf_answer_number(a, 0);
    }
    EZ_VEC_FREE(&b.die);
}

/* ---- tail calls ------------------------------------------------------------------------------ */

struct dwarfsite_tails {
    struct dwarf_file *f;
    /* the function from which the search begins, then the functions that its tail calls reach */
    EZ_VEC(uint64_t) function;
    /* a tail call may lead back to the first function: it does so, its target is unknown, or the
     * list is full */
    bool unknown;
};

static bool dwarfsite_follow(Dwarf_Die *site, void *arg)
{
    struct dwarfsite_tails *t = arg;
    Dwarf_Attribute a;
    Dwarf_Die callee;
    bool tail = false;
    if (!dwarfsite_attr(site, DW_AT_call_tail_call, DW_AT_GNU_tail_call, &a) ||
        dwarf_formflag(&a, &tail) || !tail)
        return true;
    uint64_t begin = dwarfsite_callee(site, &callee) ? dwarfsite_begin(t->f, &callee) : 0;
    t->unknown = !begin || begin == t->function.at[0] || t->function.n == FUNCTIONS;
    for (size_t i = 0; i < t->function.n && !t->unknown; i++)
        if (t->function.at[i] == begin)
            return true;
    if (!t->unknown)
        EZ_PUSH(&t->function, begin);
    return !t->unknown;
}

/* Emits where the function at pc begins, and whether tail calls may lead from it back to itself. In
 * that case its arguments may not be those that its caller passed. */
void dwarfsite_emit_entry(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc)
{
    struct dwarfsite_tails t = { .f = f };
    struct dwarf_blocks b;
    Dwarf_Addr begin = 0;
    bool known = dwarfblocks_around(f, pc, &b) && !dwarf_entrypc(&b.die.at[0], &begin) && begin;
    EZ_VEC_FREE(&b.die);
    if (!known)
        return;
    EZ_PUSH(&t.function, begin);
    for (size_t i = 0; i < t.function.n && !t.unknown; i++) {
        t.unknown = !dwarfblocks_around(f, t.function.at[i], &b) ||
                    (!dwarfsite_each(&b.die.at[0], 0, dwarfsite_follow, &t) && t.unknown);
        EZ_VEC_FREE(&b.die);
    }
    dwarf_answer_number(a, begin);
    dwarf_answer_number(a, t.unknown);
    EZ_VEC_FREE(&t.function);
}
