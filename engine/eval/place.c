/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.c - where debug information has a local variable: its operations run on the registers and the
 * memory of the stopped target. */
#include "config.h"

#include <string.h>

#include "engine/data/dwarf.h"
#include "engine/data/machine.h"
#include "engine/eval/eval_priv.h"
#include "engine/inferior/inferior.h"
#include "engine/target.h"

#define DEEPEST 64

#ifdef HAVE_LIBDW
#include <dwarf.h>

struct place {
    struct eval *ev;
    const struct ez_dwarf_local *l;
    uint64_t stack[DEEPEST];
    unsigned n;
    bool in_base;    /* being computed: it cannot need itself                      */
    const char *why; /* what is wrong; NULL = nothing                           */
};
struct piece {
    enum { PIECE_NONE, PIECE_MEMORY, PIECE_REGISTER, PIECE_VALUE } kind;
    uint64_t v;
    uint64_t size; /* 0 = all of it                                                  */
};

static bool place_run(struct place *p, const struct ez_dwarf_ops *ops, size_t *i,
                      struct piece *out);

static bool place_wrong(struct place *p, const char *why)
{
    p->why = p->why ? p->why : why;
    return false;
}

static bool place_push(struct place *p, uint64_t v)
{
    if (p->n == DEEPEST)
        return place_wrong(p, "its place is told by too deep a computation");
    p->stack[p->n++] = v;
    return true;
}

static bool place_register(struct place *p, uint64_t number, uint64_t *out)
{
    const struct ez_reg_desc *d = number < 256 ? frame_numbered((unsigned)number) : NULL;
    if (!d && p->ev->regs && number == 16) { /* the return address's column: this frame's pc */
        *out = p->ev->pc;
        return true;
    }
    if (!d || !p->ev->regs)
        return place_wrong(p, "its place needs a register that is not known");
    *out = ez_reg_get(p->ev->regs, d);
    return true;
}

/* The address that operations compute, on a stack of their own. */
static bool place_address(struct place *p, const struct ez_dwarf_ops *ops, uint64_t *out)
{
    struct place inner = { .ev = p->ev, .l = p->l, .in_base = p->in_base };
    struct piece piece = { PIECE_NONE, 0, 0 };
    size_t i = 0;
    if (!place_run(&inner, ops, &i, &piece) || piece.kind == PIECE_NONE)
        return place_wrong(p, inner.why ? inner.why : "its frame is not told");
    if (piece.kind == PIECE_REGISTER)
        return place_register(p, piece.v, out);
    *out = piece.v;
    return true;
}

static bool place_base(struct place *p, uint64_t *out)
{
    if (p->in_base)
        return place_wrong(p, "its frame is not told");
    p->in_base = true;
    bool good = place_address(p, &p->l->base, out);
    p->in_base = false;
    return good;
}

static bool place_load(struct place *p, uint64_t size)
{
    uint64_t v = 0;
    if (!p->n || size > 8 || !size)
        return place_wrong(p, "its place is damaged");
    if (!ez_err_drop(eval_read(p->ev, p->stack[p->n - 1], &v, size)))
        return place_wrong(p, "its place is in memory that cannot be read");
    p->stack[p->n - 1] = v;
    return true;
}

/* The word on top becomes one of an integer type (struct ez_dwarf_op). */
static bool place_typed(struct place *p, uint64_t type)
{
    if (!p->n)
        return place_wrong(p, "its place is damaged");
    if (!type)
        return place_wrong(p, "its place is told by a type that is no integer");
    p->stack[p->n - 1] = ez_cut(p->stack[p->n - 1], 8 * (unsigned)(type >> 1), type & 1);
    return true;
}

static bool place_binary(struct place *p, uint64_t atom)
{
    static const struct {
        uint8_t atom, op, is_signed;
    } known[] = {
        { DW_OP_plus, EZ_OP_ADD, 0 }, { DW_OP_minus, EZ_OP_SUB, 0 }, { DW_OP_mul, EZ_OP_MUL, 0 },
        { DW_OP_and, EZ_OP_AND, 0 },  { DW_OP_or, EZ_OP_OR, 0 },     { DW_OP_xor, EZ_OP_XOR, 0 },
        { DW_OP_shl, EZ_OP_SHL, 0 },  { DW_OP_shr, EZ_OP_SHR, 0 },   { DW_OP_shra, EZ_OP_SHR, 1 },
        { DW_OP_div, EZ_OP_DIV, 1 },  { DW_OP_mod, EZ_OP_MOD, 0 },   { DW_OP_eq, EZ_OP_EQ, 0 },
        { DW_OP_ne, EZ_OP_NE, 0 },    { DW_OP_lt, EZ_OP_LT, 1 },     { DW_OP_le, EZ_OP_LE, 1 },
        { DW_OP_gt, EZ_OP_GT, 1 },    { DW_OP_ge, EZ_OP_GE, 1 },
    };
    if (p->n < 2)
        return place_wrong(p, "its place is damaged");
    size_t i = 0;
    while (i < EZ_ARRAY_LEN(known) && known[i].atom != atom)
        i++;
    if (i == EZ_ARRAY_LEN(known))
        return place_wrong(p, "its place is told by an operation that is not known here");
    const struct ez_code_op op = { .op = known[i].op, .a = known[i].is_signed };
    p->n--;
    uint64_t *top = &p->stack[p->n - 1];
    return ez_err_drop(ez_machine_integers(&op, top[0], top[1], top)) ||
           place_wrong(p, "its place is damaged");
}

static bool place_shuffle(struct place *p, const struct ez_dwarf_op *op)
{
    uint64_t v;
    unsigned need = op->atom == DW_OP_over || op->atom == DW_OP_swap ? 2 : 1;
    if (op->atom == DW_OP_pick)
        need = (unsigned)EZ_MIN(op->a + 1, (uint64_t)DEEPEST + 1);
    if (p->n < need)
        return place_wrong(p, "its place is damaged");
    switch (op->atom) {
    case DW_OP_dup:
        return place_push(p, p->stack[p->n - 1]);
    case DW_OP_over:
        return place_push(p, p->stack[p->n - 2]);
    case DW_OP_pick:
        return place_push(p, p->stack[p->n - need]);
    case DW_OP_drop:
        p->n--;
        return true;
    case DW_OP_swap:
        v = p->stack[p->n - 1];
        p->stack[p->n - 1] = p->stack[p->n - 2];
        p->stack[p->n - 2] = v;
        return true;
    case DW_OP_neg:
        p->stack[p->n - 1] = -p->stack[p->n - 1];
        return true;
    case DW_OP_not:
        p->stack[p->n - 1] = ~p->stack[p->n - 1];
        return true;
    default: /* DW_OP_abs */
        if ((int64_t)p->stack[p->n - 1] < 0)
            p->stack[p->n - 1] = -p->stack[p->n - 1];
        return true;
    }
}

/* An operation that pushes a word; *known = it is one. */
static bool place_pushes(struct place *p, const struct ez_dwarf_op *op, bool *known)
{
    uint64_t v = 0;
    *known = true;
    if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
        return place_push(p, op->atom - DW_OP_lit0);
    if (op->atom >= DW_OP_const1u && op->atom <= DW_OP_consts)
        return place_push(p, op->a);
    if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
        return place_register(p, op->atom - DW_OP_breg0, &v) && place_push(p, v + op->a);
    switch (op->atom) {
    case DW_OP_addr:
        return place_push(p, op->a + p->ev->here.bias);
    case DW_OP_regval_type:
        return place_register(p, op->a, &v) && place_push(p, v) && place_typed(p, op->b);
    case DW_OP_bregx:
        return place_register(p, op->a, &v) && place_push(p, v + op->b);
    case DW_OP_fbreg:
        return place_base(p, &v) && place_push(p, v + op->a);
    case DW_OP_call_frame_cfa:
        return frame_cfa(p->ev, &v) ? place_push(p, v) : place_wrong(p, "its frame is not told");
    default:
        *known = false;
        return true;
    }
}

static bool place_op(struct place *p, const struct ez_dwarf_op *op)
{
    bool known;
    if (!place_pushes(p, op, &known))
        return false;
    if (known)
        return true;
    switch (op->atom) {
    case DW_OP_nop:
        return true;
    case DW_OP_deref:
        return place_load(p, 8);
    case DW_OP_deref_size:
        return place_load(p, op->a);
    case DW_OP_deref_type:
        return place_load(p, op->a) && place_typed(p, op->b);
    case DW_OP_convert:
        return place_typed(p, op->a);
    case DW_OP_plus_uconst:
        if (!p->n)
            return place_wrong(p, "its place is damaged");
        p->stack[p->n - 1] += op->a;
        return true;
    case DW_OP_dup:
    case DW_OP_over:
    case DW_OP_pick:
    case DW_OP_drop:
    case DW_OP_swap:
    case DW_OP_neg:
    case DW_OP_not:
    case DW_OP_abs:
        return place_shuffle(p, op);
    case DW_OP_entry_value:
    case DW_OP_GNU_entry_value:
        return place_wrong(p, "its value at the function's entry would be needed");
    case DW_OP_form_tls_address:
    case DW_OP_GNU_push_tls_address:
        return place_wrong(p, "it is thread-local");
    default:
        return place_binary(p, op->atom);
    }
}

/* One piece: up to DW_OP_piece, or to the end. */
static bool place_run(struct place *p, const struct ez_dwarf_ops *ops, size_t *i, struct piece *out)
{
    *out = (struct piece){ PIECE_NONE, 0, 0 };
    p->n = 0;
    for (; *i < ops->op.n; ++*i) {
        const struct ez_dwarf_op *op = &ops->op.at[*i];
        if (op->atom == DW_OP_piece) {
            out->size = op->a;
            ++*i;
            break;
        }
        if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
            *out = (struct piece){ PIECE_REGISTER, op->atom - DW_OP_reg0, 0 };
        else if (op->atom == DW_OP_regx)
            *out = (struct piece){ PIECE_REGISTER, op->a, 0 };
        else if (op->atom == DW_OP_implicit_value)
            *out = (struct piece){ PIECE_VALUE, op->a, 0 };
        else if (op->atom == DW_OP_stack_value && p->n)
            *out = (struct piece){ PIECE_VALUE, p->stack[p->n - 1], 0 };
        else if (!place_op(p, op))
            return false;
    }
    if (out->kind == PIECE_NONE && p->n) {
        out->kind = PIECE_MEMORY;
        out->v = p->stack[p->n - 1];
    }
    return true;
}

static struct ez_where place_in_register(struct place *p, uint64_t number)
{
    const struct ez_convention *by = p->ev->t->inf.arch->convention;
    struct ez_where w = { .kind = EZ_AT_REGS, .nregs = 1 };
    if (by && number >= by->vector0 && number - by->vector0 < by->nvectors) {
        w.nregs = 2;
        w.reg[0].vector = w.reg[1].vector = w.reg[1].high = true;
        w.reg[0].number = w.reg[1].number = (unsigned)number - by->vector0;
    } else if (number < 256 && frame_numbered((unsigned)number)) {
        w.reg[0].number = (unsigned)number;
    } else {
        w = (struct ez_where){ .kind = EZ_AT_NONE,
                               .why = "its place needs a register that is not known" };
    }
    return w;
}

static struct ez_where place_whole(struct place *p, const struct piece *piece)
{
    switch (piece->kind) {
    case PIECE_MEMORY:
        return (struct ez_where){ .kind = EZ_AT_MEMORY, .addr = piece->v };
    case PIECE_REGISTER:
        return place_in_register(p, piece->v);
    case PIECE_VALUE:
        return (struct ez_where){ .kind = EZ_AT_CONST, .addr = piece->v };
    default:
        return ez_where_gone();
    }
}

/* A value in several pieces is put together, and held. What no piece says is optimized out. */
static bool place_bytes(struct place *p, const struct piece *piece, uint8_t *to, uint8_t *lost,
                        size_t n)
{
    uint64_t v = piece->v;
    if (piece->kind == PIECE_MEMORY)
        return ez_err_drop(eval_read(p->ev, v, to, n));
    if (piece->kind == PIECE_NONE) {
        memset(lost, 1, n);
        return true;
    }
    if (n > 8 || (piece->kind == PIECE_REGISTER && !place_register(p, piece->v, &v)))
        return false;
    memcpy(to, &v, n);
    return true;
}

static bool place_pieces(struct place *p, struct piece piece, size_t i, struct ez_named *out)
{
    const struct ez_type *t = ez_type_strip(out->type);
    size_t n = EZ_MIN(t->size, (uint64_t)4096), at = 0;
    EZ_FREE uint8_t *bytes = ez_alloc(n + 1), *lost = ez_alloc(n + 1);
    do {
        size_t size = piece.kind == PIECE_NONE && !piece.size ? n - at : EZ_MIN(piece.size, n - at);
        if (!size || !place_bytes(p, &piece, bytes + at, lost + at, size))
            return false;
        at += size;
    } while (at < n && place_run(p, &p->l->at, &i, &piece));
    struct ez_value value = value_partly(out->type, bytes, lost, n);
    eval_hold(p->ev, &value, out);
    ez_value_clear(&value);
    return at == n;
}

void place_of(struct eval *ev, const struct ez_dwarf_local *l, struct ez_named *out)
{
    struct place p = { .ev = ev, .l = l };
    struct piece piece;
    size_t i = 0;
    out->type = l->type;
    out->where = ez_where_gone();
    if (l->is_const) {
        out->where = (struct ez_where){ .kind = EZ_AT_CONST, .addr = l->value };
        return;
    }
    bool good = place_run(&p, &l->at, &i, &piece);
    if (good && piece.size)
        good = place_pieces(&p, piece, i, out);
    else if (good)
        out->where = place_whole(&p, &piece);
    if (!good)
        out->where =
            p.why ? (struct ez_where){ .kind = EZ_AT_NONE, .why = p.why } : ez_where_gone();
}

bool place_word(struct eval *ev, const struct ez_dwarf_ops *at, uint64_t *out)
{
    struct place p = { .ev = ev, .in_base = true };
    struct piece piece = { PIECE_NONE, 0, 0 };
    size_t i = 0;
    if (!place_run(&p, at, &i, &piece) || piece.kind == PIECE_NONE)
        return false;
    if (piece.kind == PIECE_REGISTER)
        return place_register(&p, piece.v, out);
    *out = piece.v;
    return piece.kind == PIECE_VALUE || ez_err_drop(eval_read(ev, piece.v, out, sizeof *out));
}

bool place_memory(struct eval *ev, const struct ez_dwarf_ops *at, uint64_t *out)
{
    struct place p = { .ev = ev, .in_base = true };
    struct piece piece = { PIECE_NONE, 0, 0 };
    size_t i = 0;
    bool found = place_run(&p, at, &i, &piece) && piece.kind == PIECE_MEMORY;
    *out = piece.v;
    return found;
}

bool place_cfa(struct eval *ev, const struct ez_dwarf_ops *ops, uint64_t *out)
{
    struct place p = { .ev = ev, .in_base = true };
    return place_address(&p, ops, out);
}

#else

void place_of(struct eval *ev, const struct ez_dwarf_local *l, struct ez_named *out)
{
    out->type = l->type;
    out->where = ez_where_gone();
}

bool place_word(struct eval *ev, const struct ez_dwarf_ops *at, uint64_t *out)
{
    return false;
}

bool place_memory(struct eval *ev, const struct ez_dwarf_ops *at, uint64_t *out)
{
    return false;
}

bool place_cfa(struct eval *ev, const struct ez_dwarf_ops *ops, uint64_t *out)
{
    return false;
}

#endif
