/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_where.c - finds where a value is at one instruction, if the debug information gives a
 * simple place (dwarf_read.h).
 * Tests: tests/unit/dwarf/check_dwarf.c, tests/procs/types.sh */
#include <string.h>

#include "engine/dwarf/dwarf_read.h"

struct place { /* DWARF operations, and the attribute that contains them */
    Dwarf_Attribute a;
    Dwarf_Op *op;
    size_t n;
};

static struct dwarf_where dwarfwhere_at(enum dwarf_at at, uint64_t value)
{
    return (struct dwarf_where){ .at = at, .value = value };
}

int64_t dwarfwhere_register(const Dwarf_Op *op)
{
    if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
        return op->atom - DW_OP_reg0;
    return op->atom == DW_OP_regx ? (int64_t)op->number : -1;
}

static int64_t dwarfwhere_based(const Dwarf_Op *op, uint64_t *offset)
{
    bool any = op->atom == DW_OP_bregx;
    *offset = any ? op->number2 : op->number;
    if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
        return op->atom - DW_OP_breg0;
    return any ? (int64_t)op->number : -1;
}

/* Returns the place of a value in one or two registers, each of which has at most 8 bytes of the
 * value; DWARF_AT_OTHER for other places. */
static struct dwarf_where dwarfwhere_pieces(const struct place *p)
{
    struct dwarf_where w = dwarfwhere_at(DWARF_AT_REGS, 0);
    for (size_t i = 0; i < p->n; i += 2) {
        int64_t reg = dwarfwhere_register(&p->op[i]);
        bool more = i + 1 < p->n;
        if (reg < 0 || w.nregs == 2 || (more && p->op[i + 1].atom != DW_OP_piece) ||
            (p->n > 1 && (!more || p->op[i + 1].number > 8)))
            return dwarfwhere_at(DWARF_AT_OTHER, 0);
        w.reg[w.nregs++] = (uint64_t)reg;
    }
    return w;
}

static bool dwarfwhere_is_cfa(Dwarf_Die *function)
{
    Dwarf_Attribute a;
    Dwarf_Op *op;
    size_t n;
    return function && dwarf_attr_integrate(function, DW_AT_frame_base, &a) &&
           !dwarf_getlocation(&a, &op, &n) && n == 1 && op->atom == DW_OP_call_frame_cfa;
}

/* Returns the place for DW_OP_entry_value: the register in its operand, because parameters are
 * examined at the function's first instruction. */
static struct dwarf_where dwarfwhere_entry(const struct place *p)
{
    Dwarf_Attribute inner;
    struct place q = { .n = 0 };
    if (dwarf_getlocation_attr((Dwarf_Attribute *)&p->a, &p->op[0], &inner) ||
        dwarf_getlocation(&inner, &q.op, &q.n) || q.n != 1)
        return dwarfwhere_at(DWARF_AT_OTHER, 0);
    return dwarfwhere_pieces(&q);
}

static struct dwarf_where dwarfwhere_bytes(const Dwarf_Block *b)
{
    uint64_t value[2] = { 0 };
    if (b->length > sizeof value)
        return dwarfwhere_at(DWARF_AT_OTHER, 0);
    memcpy(value, b->data, b->length);
    return (struct dwarf_where){ .at = DWARF_AT_CONST, .value = value[0], .high = value[1] };
}

static struct dwarf_where dwarfwhere_block(const struct place *p)
{
    Dwarf_Block b;
    return dwarf_getlocation_implicit_value((Dwarf_Attribute *)&p->a, p->op, &b)
               ? dwarfwhere_at(DWARF_AT_OTHER, 0)
               : dwarfwhere_bytes(&b);
}

/* Returns the place of a constant: a number of 8 bytes, sign-extended to 16. */
static struct dwarf_where dwarfwhere_signed(int64_t v)
{
    return (struct dwarf_where){ .at = DWARF_AT_CONST,
                                 .value = (uint64_t)v,
                                 .high = v < 0 ? UINT64_MAX : 0 };
}

static bool dwarfwhere_is_address(const Dwarf_Op *op)
{
    return op->atom == DW_OP_addr || op->atom == DW_OP_addrx || op->atom == DW_OP_GNU_addr_index;
}

/* Sets *out to the constant or address that the first operation pushes. Returns false if it pushes
 * neither. */
static bool dwarfwhere_number(const struct place *p, uint64_t *out)
{
    const Dwarf_Op *op = p->op;
    Dwarf_Attribute a;
    Dwarf_Addr addr;
    *out = op->number;
    if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
        *out = op->atom - DW_OP_lit0;
    else if (op->atom != DW_OP_addr && dwarfwhere_is_address(op)) {
        if (dwarf_getlocation_attr((Dwarf_Attribute *)&p->a, op, &a) || dwarf_formaddr(&a, &addr))
            return false;
        *out = addr;
    } else
        return op->atom == DW_OP_addr || (op->atom >= DW_OP_const1u && op->atom <= DW_OP_consts);
    return true;
}

static struct dwarf_where dwarfwhere_ops(const struct place *p, Dwarf_Die *function)
{
    const Dwarf_Op *last = &p->op[p->n - 1];
    bool value = last->atom == DW_OP_stack_value;
    struct dwarf_where w;
    uint64_t n;
    int64_t reg = dwarfwhere_based(&p->op[0], &n);
    if (p->op[0].atom == DW_OP_entry_value || p->op[0].atom == DW_OP_GNU_entry_value) {
        w = dwarfwhere_entry(p);
        bool whole = p->n == 1 || (p->n == 2 && value);
        return whole ? w : dwarfwhere_at(DWARF_AT_OTHER, 0);
    }
    if (dwarfwhere_register(&p->op[0]) >= 0)
        return dwarfwhere_pieces(p);
    if (p->op[0].atom == DW_OP_implicit_value && p->n == 1)
        return dwarfwhere_block(p);
    if (reg >= 0 && (p->n == 1 || (p->n == 2 && value && !n))) {
        w = dwarfwhere_at(value ? DWARF_AT_REGS : DWARF_AT_POINTED, n);
        w.nregs = 1;
        w.reg[0] = (uint64_t)reg;
        w.by_address = !value;
        return w;
    }
    if (p->n == 1 && p->op[0].atom == DW_OP_call_frame_cfa)
        return dwarfwhere_at(DWARF_AT_STACK, 0);
    if (p->n == 1 && p->op[0].atom == DW_OP_fbreg && dwarfwhere_is_cfa(function))
        return dwarfwhere_at(DWARF_AT_STACK, p->op[0].number);
    if (dwarfwhere_number(p, &n)) {
        if (p->n == 1)
            return dwarfwhere_at(DWARF_AT_ADDRESS, n);
        if (p->n == 2 && value)
            return dwarfwhere_is_address(p->op) ? dwarfwhere_at(DWARF_AT_LOADED, n)
                                                : dwarfwhere_signed((int64_t)n);
        if (p->n == 2 && p->op[1].atom == DW_OP_plus_uconst)
            return dwarfwhere_at(DWARF_AT_ADDRESS, n + p->op[1].number);
        if (p->op[1].atom == DW_OP_form_tls_address || p->op[1].atom == DW_OP_GNU_push_tls_address)
            return dwarfwhere_at(DWARF_AT_TLS, n);
    }
    w = dwarfwhere_at(DWARF_AT_OTHER, 0);
    w.by_address = last->atom == DW_OP_deref;
    return w;
}

static struct dwarf_where dwarfwhere_constant(Dwarf_Attribute *a)
{
    Dwarf_Block b;
    int64_t s;
    Dwarf_Addr addr;
    if (dwarfread_signed(a, &s))
        return dwarfwhere_signed(s);
    if (!dwarf_formaddr(a, &addr))
        return dwarfwhere_at(DWARF_AT_LOADED, addr);
    return dwarf_formblock(a, &b) ? dwarfwhere_at(DWARF_AT_OTHER, 0) : dwarfwhere_bytes(&b);
}

struct dwarf_where dwarfwhere(Dwarf_Die *die, Dwarf_Die *function, uint64_t pc)
{
    struct place p;
    if (dwarf_attr_integrate(die, DW_AT_const_value, &p.a))
        return dwarfwhere_constant(&p.a);
    if (!dwarf_attr_integrate(die, DW_AT_location, &p.a) ||
        dwarf_getlocation_addr(&p.a, pc, &p.op, &p.n, 1) != 1 || !p.n)
        return dwarfwhere_at(DWARF_AT_NONE, 0);
    return dwarfwhere_ops(&p, function);
}
