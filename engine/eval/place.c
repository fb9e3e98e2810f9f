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
    struct {
        uint64_t v, type; /* type: as in struct ez_dwarf_op; 0 = an address or any integer  */
    } stack[DEEPEST];
    unsigned n;
    bool in_base;    /* being computed: it cannot need itself                      */
    uint64_t object; /* of DW_OP_push_object_address; 0 = none                    */
    const char *why; /* what is wrong; NULL = nothing                           */
};
struct piece {
    enum { PIECE_NONE, PIECE_MEMORY, PIECE_REGISTER, PIECE_VALUE } kind;
    uint64_t v, high;    /* high: of a VALUE of more than 8 bytes                          */
    uint64_t bits, from; /* so many, from that bit of what is there; 0 = all of it          */
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
    p->stack[p->n].type = 0;
    p->stack[p->n++].v = v;
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
    struct piece piece = { PIECE_NONE, 0, 0, 0, 0 };
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
    if (size > sizeof v) /* clang 19 writes so of vector registers that it stored on the stack */
        return place_wrong(p, "its place is told by a word of more than 8 bytes");
    if (!p->n || !size)
        return place_wrong(p, "its place is damaged");
    if (!ez_err_drop(eval_read(p->ev, p->stack[p->n - 1].v, &v, size)))
        return place_wrong(p, "its place is in memory that cannot be read");
    p->n--;
    return place_push(p, v);
}

/* The word on top becomes one of an integer type (struct ez_dwarf_op). */
static bool place_typed(struct place *p, uint64_t type)
{
    if (!p->n)
        return place_wrong(p, "its place is damaged");
    if (!type)
        return place_wrong(p, "its place is told by a type that is no integer");
    type = type == EZ_DWARF_GENERIC ? 0 : type;
    uint64_t *v = &p->stack[p->n - 1].v;
    *v = type ? ez_cut(*v, 8 * (unsigned)(type >> 1), type & 1) : *v;
    p->stack[p->n - 1].type = type;
    return true;
}

/* The word on top has changed: it is one of its type again. */
static bool place_again(struct place *p)
{
    uint64_t type = p->stack[p->n - 1].type;
    return !type || place_typed(p, type);
}

/* Operands have one type, but for shifts, and so has the result, but for comparisons. Words without a type are signed
 * where they are divided or compared, and unsigned for DW_OP_mod (DWARF 5, 2.5.1.4). */
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
    size_t i = 0;
    while (i < EZ_ARRAY_LEN(known) && known[i].atom != atom)
        i++;
    if (i == EZ_ARRAY_LEN(known))
        return place_wrong(p, "its place is told by an operation that is not known here");
    if (p->n < 2)
        return place_wrong(p, "its place is damaged");
    bool shift = known[i].op == EZ_OP_SHL || known[i].op == EZ_OP_SHR;
    uint64_t type = p->stack[p->n - 2].type, a = p->stack[p->n - 2].v;
    struct ez_code_op op = { .op = known[i].op, .a = known[i].is_signed };
    if (type != p->stack[p->n - 1].type && !shift)
        return place_wrong(p, "its place is told by operands of different types");
    if (type && !shift)
        op.a = type & 1;
    if (type && shift) /* the operation says whether the sign is shifted in */
        a = ez_cut(a, 8 * (unsigned)(type >> 1), op.a);
    p->n--;
    uint64_t *v = &p->stack[p->n - 1].v;
    if (!ez_err_drop(ez_machine_integers(&op, a, p->stack[p->n].v, v)))
        return place_wrong(p, "its place is damaged");
    if (op.op >= EZ_OP_EQ && op.op <= EZ_OP_GE)
        p->stack[p->n - 1].type = 0;
    return place_again(p);
}

static bool place_shuffle(struct place *p, const struct ez_dwarf_op *op)
{
    unsigned need = op->atom == DW_OP_over || op->atom == DW_OP_swap ? 2 : 1;
    if (op->atom == DW_OP_pick)
        need = (unsigned)EZ_MIN(op->a + 1, (uint64_t)DEEPEST + 1);
    if (p->n < need)
        return place_wrong(p, "its place is damaged");
    __typeof__(p->stack[0]) word = p->stack[p->n - (op->atom == DW_OP_over ? 2 : need)],
                            *top = &p->stack[p->n - 1];
    switch (op->atom) {
    case DW_OP_dup:
    case DW_OP_over:
    case DW_OP_pick:
        if (!place_push(p, word.v))
            return false;
        p->stack[p->n - 1] = word;
        return true;
    case DW_OP_drop:
        p->n--;
        return true;
    case DW_OP_swap:
        top[-1] = top[0];
        top[0] = word;
        return true;
    case DW_OP_neg:
        top->v = -top->v;
        return place_again(p);
    case DW_OP_not:
        top->v = ~top->v;
        return place_again(p);
    default: /* DW_OP_abs */
        if ((int64_t)top->v < 0 && (!top->type || top->type & 1))
            top->v = -top->v;
        return place_again(p);
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
    case DW_OP_push_object_address:
        return p->object ? place_push(p, p->object) : place_wrong(p, "its object is not known");
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
        return place_typed(p, op->b);
    case DW_OP_plus_uconst:
        if (!p->n)
            return place_wrong(p, "its place is damaged");
        p->stack[p->n - 1].v += op->a;
        return place_again(p);
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

/* A word that was computed, with its sign above it: a value may have 16 bytes. */
static struct piece place_value(uint64_t v)
{
    return (struct piece){ PIECE_VALUE, v, (int64_t)v < 0 ? UINT64_MAX : 0, 0, 0 };
}

/* One piece: up to DW_OP_piece, or to the end. */
static bool place_run(struct place *p, const struct ez_dwarf_ops *ops, size_t *i, struct piece *out)
{
    *out = (struct piece){ PIECE_NONE, 0, 0, 0, 0 };
    p->n = 0;
    for (; *i < ops->op.n; ++*i) {
        const struct ez_dwarf_op *op = &ops->op.at[*i];
        if (op->atom == DW_OP_piece || op->atom == DW_OP_bit_piece) {
            bool bits = op->atom == DW_OP_bit_piece;
            out->bits = EZ_MIN(op->a, 8ul * EVAL_LARGEST) * (bits ? 1 : 8);
            out->from = bits ? EZ_MIN(op->b, 8ul * EVAL_LARGEST) : 0;
            ++*i;
            break;
        }
        if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
            *out = (struct piece){ PIECE_REGISTER, op->atom - DW_OP_reg0, 0, 0, 0 };
        else if (op->atom == DW_OP_regx)
            *out = (struct piece){ PIECE_REGISTER, op->a, 0, 0, 0 };
        else if (op->atom == DW_OP_implicit_value)
            *out = (struct piece){ PIECE_VALUE, op->a, op->b, 0, 0 };
        else if (op->atom == DW_OP_stack_value && p->n)
            *out = place_value(p->stack[p->n - 1].v);
        else if (!place_op(p, op))
            return false;
    }
    if (out->kind == PIECE_NONE && p->n) {
        out->kind = PIECE_MEMORY;
        out->v = p->stack[p->n - 1].v;
    }
    return true;
}

/* The vector register that DWARF numbers so; false = it is none. */
static bool place_vector(const struct place *p, uint64_t number, unsigned *out)
{
    const struct ez_convention *by = p->ev->t->inf.arch->convention;
    bool is = by && number >= by->vector0 && number - by->vector0 < by->nvectors;
    *out = is ? (unsigned)number - by->vector0 : 0;
    return is;
}

static struct ez_where place_in_register(struct place *p, uint64_t number)
{
    struct ez_where w = { .kind = EZ_AT_REGS, .nregs = 1 };
    unsigned vector;
    if (place_vector(p, number, &vector)) {
        w.nregs = 2;
        w.reg[0].vector = w.reg[1].vector = w.reg[1].high = true;
        w.reg[0].number = w.reg[1].number = vector;
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
        return (struct ez_where){ .kind = EZ_AT_CONST, .addr = piece->v, .high = piece->high };
    default:
        return ez_where_gone();
    }
}

/* The first n bytes of what a piece is in. */
static bool place_bytes(struct place *p, const struct piece *piece, uint8_t *to, size_t n)
{
    uint64_t v = piece->v;
    const uint8_t *there = NULL;
    unsigned vector;
    if (piece->kind == PIECE_MEMORY)
        return ez_err_drop(eval_read(p->ev, v, to, n)) ||
               place_wrong(p, "its place is in memory that cannot be read");
    if (piece->kind == PIECE_REGISTER && place_vector(p, v, &vector)) {
        if (n > 16 || !ez_err_drop(frame_vector(p->ev, vector, &there)))
            return place_wrong(p, "its place needs a register that is not known");
        memcpy(to, there, n);
        return true;
    }
    const uint64_t value[2] = { piece->v, piece->high };
    if (piece->kind == PIECE_VALUE && n <= sizeof value) {
        memcpy(to, value, n);
        return true;
    }
    if (n > sizeof v || piece->kind != PIECE_REGISTER)
        return place_wrong(p, "its place is damaged");
    if (!place_register(p, piece->v, &v))
        return false;
    memcpy(to, &v, n);
    return true;
}

/* n bits from bit `from` of one text of bytes to bit `to` of another, which has zeros there. */
static void place_copy_bits(uint8_t *out, uint64_t to, const uint8_t *in, uint64_t from, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        uint8_t bit = in[(from + i) / 8] >> (from + i) % 8 & 1;
        out[(to + i) / 8] |= (uint8_t)(bit << (to + i) % 8);
    }
}

/* A piece of a value, as n bits behind the first `at`. What no piece says is optimized out. */
static bool place_piece(struct place *p, const struct piece *piece, uint8_t *bytes, uint8_t *lost,
                        uint64_t at, uint64_t n)
{
    size_t read = (piece->from + n + 7) / 8;
    EZ_FREE uint8_t *there = ez_alloc(read + 1);
    bool none = piece->kind == PIECE_NONE;
    if (none)
        memset(there, 0xff, read);
    else if (!place_bytes(p, piece, there, read))
        return false;
    place_copy_bits(none ? lost : bytes, at, there, piece->from, n);
    return true;
}

/* A value in several pieces is put together, and held. */
static bool place_pieces(struct place *p, struct piece piece, size_t i, struct ez_named *out)
{
    const struct ez_type *t = ez_type_strip(out->type);
    if (t->size > EVAL_LARGEST)
        return place_wrong(p, "it is in pieces, and larger than 1 MiB");
    uint64_t all = 8 * t->size, at = 0;
    EZ_FREE uint8_t *bytes = ez_alloc(t->size + 1), *lost = ez_alloc(t->size + 1);
    do {
        uint64_t n =
            piece.kind == PIECE_NONE && !piece.bits ? all - at : EZ_MIN(piece.bits, all - at);
        if (!n || !place_piece(p, &piece, bytes, lost, at, n))
            return false;
        at += n;
    } while (at < all && place_run(p, &p->l->at, &i, &piece));
    struct ez_value value = value_partly(out->type, bytes, lost, t->size);
    eval_hold(p->ev, &value, out);
    ez_value_clear(&value);
    return at == all;
}

void place_of(struct eval *ev, const struct ez_dwarf_local *l, struct ez_named *out)
{
    struct place p = { .ev = ev, .l = l };
    struct piece piece;
    size_t i = 0;
    out->type = l->type;
    out->where = ez_where_gone();
    if (l->is_const) {
        out->where = (struct ez_where){ .kind = EZ_AT_CONST, .addr = l->value, .high = l->high };
        return;
    }
    bool good = place_run(&p, &l->at, &i, &piece);
    if (good && piece.bits)
        good = place_pieces(&p, piece, i, out);
    else if (good)
        out->where = place_whole(&p, &piece);
    if (good)
        shape_resolve(ev, &l->base, out);
    if (!good)
        out->where =
            p.why ? (struct ez_where){ .kind = EZ_AT_NONE, .why = p.why } : ez_where_gone();
}

bool place_computed(struct eval *ev, const struct ez_dwarf_ops *base, uint64_t object,
                    const struct ez_dwarf_ops *ops, uint64_t *out)
{
    const struct ez_dwarf_local l = { .base = base ? *base : (struct ez_dwarf_ops){ { 0 } } };
    struct place p = { .ev = ev, .l = &l, .in_base = !base, .object = object };
    struct piece piece = { PIECE_NONE, 0, 0, 0, 0 };
    size_t i = 0;
    bool found =
        place_run(&p, ops, &i, &piece) && piece.kind != PIECE_NONE && piece.kind != PIECE_REGISTER;
    *out = piece.v;
    return found;
}

bool place_word(struct eval *ev, const struct ez_dwarf_ops *at, uint64_t *out)
{
    struct place p = { .ev = ev, .in_base = true };
    struct piece piece = { PIECE_NONE, 0, 0, 0, 0 };
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
    struct piece piece = { PIECE_NONE, 0, 0, 0, 0 };
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

bool place_computed(struct eval *ev, const struct ez_dwarf_ops *base, uint64_t object,
                    const struct ez_dwarf_ops *ops, uint64_t *out)
{
    return false;
}

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
