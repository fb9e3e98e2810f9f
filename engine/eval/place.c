/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.c - finds local variables by their debug information, whose operations run on the registers
 * and the memory of the stopped target.
 * Tests: tests/procs/print.sh, tests/procs/scopes.sh */
#include <string.h>

#include "engine/dwarf/dwarf.h"
#include "engine/eval/eval_priv.h"
#include "engine/eval/place.h"
#include "engine/inferior/inferior.h"
#include "engine/target.h"

static bool place_run(struct place *p, const struct ez_dwarf_ops *ops, size_t *i,
                      struct piece *out);
static bool place_synthetic(struct place *p, const struct ez_dwarf_op *op, struct piece *out);

static bool place_address(struct place *p, const struct ez_dwarf_ops *ops, uint64_t *out)
{
    struct place inner = { .ev = p->ev, .l = p->l, .in_base = p->in_base, .pointers = p->pointers };
    struct piece piece = { PIECE_NONE, 0, 0, 0, 0 };
    size_t i = 0;
    if (!place_run(&inner, ops, &i, &piece) || piece.kind == PIECE_NONE)
        return place_wrong(p, inner.why ? inner.why
                                        : "the debug information does not describe its frame");
    if (piece.kind == PIECE_REGISTER)
        return place_register(p, piece.v, out);
    *out = piece.v;
    return true;
}

/* Returns a computed word, sign-extended, because a value may have 16 bytes. */
static struct piece place_signed(uint64_t v)
{
    return (struct piece){ PIECE_VALUE, v, (int64_t)v < 0 ? UINT64_MAX : 0, 0, 0 };
}

/* Handles DW_OP_deref_size with more than a word, by which clang 19 describes stored vector
 * registers. */
static bool place_stored(struct place *p, const struct ez_dwarf_op *op, struct piece *out)
{
    uint64_t v[2] = { 0 };
    if (!ez_err_drop(eval_read(p->ev, p->stack[p->n - 1].v, v, op->a)))
        return place_wrong(p, "its location expression reads memory that cannot be read");
    *out = (struct piece){ PIECE_VALUE, v[0], v[1], 0, 0 };
    return true;
}

static bool place_is_stored(const struct place *p, const struct ez_dwarf_ops *ops, size_t i)
{
    const struct ez_dwarf_op *op = &ops->op.at[i];
    return op->atom == DW_OP_deref_size && op->a > 8 && op->a <= 16 && p->n && i + 1 < ops->op.n &&
           op[1].atom == DW_OP_stack_value;
}

static bool place_base(struct place *p, uint64_t *out)
{
    if (p->in_base)
        return place_wrong(p, "the debug information does not describe its frame");
    p->in_base = true;
    bool good = place_address(p, &p->l->base, out);
    p->in_base = false;
    return good;
}

/* Executes an operation. Operations that need the frame or its caller are in this file, the others
 * in place_ops.c. */
static bool place_operation(struct place *p, const struct ez_dwarf_op *op)
{
    uint64_t v = 0;
    switch (op->atom) {
    case DW_OP_fbreg:
        return place_base(p, &v) && place_push(p, v + op->a);
    case DW_OP_call_frame_cfa:
        return step_cfa(p->ev, &v)
                   ? place_push(p, v)
                   : place_wrong(p, "the debug information does not describe its frame");
    case DW_OP_entry_value:
    case DW_OP_GNU_entry_value:
        return op->b && passed_register(p->ev, op->a, &v) && place_push(p, v);
    default:
        return place_op(p, op);
    }
}

/* Executes the operations of one piece: up to DW_OP_piece, or to the end. */
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
        else if (op->atom == DW_OP_implicit_pointer || op->atom == DW_OP_GNU_implicit_pointer) {
            if (!place_synthetic(p, op, out))
                return false;
        } else if (place_is_stored(p, ops, *i)) {
            if (!place_stored(p, op, out))
                return false;
            ++*i; /* skip DW_OP_stack_value */
        } else if (op->atom == DW_OP_stack_value && p->n)
            *out = place_signed(p->stack[p->n - 1].v);
        else if (!place_operation(p, op))
            return false;
    }
    if (out->kind == PIECE_NONE && p->n) {
        out->kind = PIECE_MEMORY;
        out->v = p->stack[p->n - 1].v;
    }
    return true;
}

static struct ez_where place_in_register(struct place *p, uint64_t number)
{
    struct ez_where w = { .kind = EZ_AT_REGS, .nregs = 1 };
    unsigned vector;
    if (place_vector(p, number, &vector)) {
        w.nregs = 2;
        w.reg[0].vector = w.reg[1].vector = w.reg[1].high = true;
        w.reg[0].number = w.reg[1].number = vector;
    } else if (number < 256 && register_numbered((unsigned)number)) {
        w.reg[0].number = (unsigned)number;
    } else {
        w = (struct ez_where){ .kind = EZ_AT_NONE,
                               .why = "its location needs a register that is not available" };
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

/* Reads the first n bytes of a piece. */
static bool place_bytes(struct place *p, const struct piece *piece, uint8_t *to, size_t n)
{
    uint64_t v = piece->v;
    const uint8_t *there = NULL;
    unsigned vector;
    if (piece->kind == PIECE_MEMORY)
        return ez_err_drop(eval_read(p->ev, v, to, n)) ||
               place_wrong(p, "its location expression reads memory that cannot be read");
    if (piece->kind == PIECE_REGISTER && place_vector(p, v, &vector)) {
        if (n > 16 || !ez_err_drop(register_vector(p->ev, vector, &there)))
            return place_wrong(p, "its location needs a register that is not available");
        memcpy(to, there, n);
        return true;
    }
    const uint64_t value[2] = { piece->v, piece->high };
    if (piece->kind == PIECE_VALUE && n <= sizeof value) {
        memcpy(to, value, n);
        return true;
    }
    if (n > sizeof v || piece->kind != PIECE_REGISTER)
        return place_wrong(p, "its location expression is damaged");
    if (!place_register(p, piece->v, &v))
        return false;
    memcpy(to, &v, n);
    return true;
}

/* Copies n bits from bit `from` of one byte array to bit `to` of another, which has zeros there. */
static void place_copy_bits(uint8_t *out, uint64_t to, const uint8_t *in, uint64_t from, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        uint8_t bit = in[(from + i) / 8] >> (from + i) % 8 & 1;
        out[(to + i) / 8] |= (uint8_t)(bit << (to + i) % 8);
    }
}

/* Adds a piece of a value, as n bits after the first `at`. Bits without a piece are optimized
 * out. */
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

/* Assembles a value from its pieces (DW_OP_piece). */
static bool place_pieces(struct place *p, struct piece piece, size_t i, const struct ez_type *type,
                         struct ez_value *out)
{
    const struct ez_type *t = ez_type_strip(type);
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
        if (at < all && !place_run(p, &p->l->at, &i, &piece))
            return false;
    } while (at < all);
    *out = value_partly(type, bytes, lost, t->size);
    return true;
}

/* Finds the value of a variable in memory, in registers, in pieces, or computed. */
static bool place_value(struct place *p, struct ez_value *out)
{
    const struct ez_dwarf_local *l = p->l;
    size_t size = ez_type_strip(l->type)->size, i = 0;
    struct piece piece = { PIECE_VALUE, l->value, l->high, 0, 0 };
    if (size > EVAL_LARGEST ||
        (!l->is_const && (!place_run(p, &l->at, &i, &piece) || piece.kind == PIECE_NONE)))
        return false;
    if (!size && piece.kind == PIECE_VALUE &&
        /* a string in the debug information, whose type has no size: all 16 bytes are read */
        !piece.bits)
        size = sizeof piece.v + sizeof piece.high;
    if (!size)
        return false;
    if (piece.bits)
        return place_pieces(p, piece, i, l->type, out);
    EZ_FREE uint8_t *bytes = ez_alloc(size + 1);
    if (!place_bytes(p, &piece, bytes, size))
        return false;
    *out = value_made(l->type, bytes, size);
    return true;
}

/* Handles a pointer to a variable that the optimizer removed from memory
 * (DW_OP_implicit_pointer). */
static bool place_synthetic(struct place *p, const struct ez_dwarf_op *op, struct piece *out)
{
    struct ez_dwarf_local l;
    struct place its = { .ev = p->ev, .l = &l, .in_base = p->in_base, .pointers = p->pointers + 1 };
    struct ez_value value;
    const char *why;
    struct ez_dwarf *d = p->ev->here.obj ? ez_dwarf_of(p->ev->here.obj, &why) : NULL;
    if (!d || p->pointers == PLACE_DEEPEST || ++p->ev->steps > EVAL_STEPS)
        return place_wrong(p, "its location expression is damaged");
    *out = (struct piece){ PIECE_VALUE, op->b, 0, 0, 0 };
    uint64_t at;
    if (held_known(p->ev, op->a, &at)) {
        out->v += at;
        return true;
    }
    bool known = ez_dwarf_variable(d, p->ev->look - p->ev->here.bias, op->a, &l);
    /* the variable is optimized out, but the pointer to it is known */
    if (known && !place_value(&its, &value))
        value = (struct ez_value){ .type = l.type,
                                   .gone = true,
                                   .n = EZ_MIN(ez_type_strip(l.type)->size, EVAL_LARGEST) };
    if (known) {
        out->v += held_pointed(p->ev, &value, op->a);
        ez_value_clear(&value);
    }
    ez_dwarf_local_free(&l);
    return known;
}

bool place_of(struct eval *ev, const struct ez_dwarf_local *l, struct ez_named *out)
{
    struct place p = { .ev = ev, .l = l };
    struct piece piece;
    size_t i = 0;
    out->type = l->type;
    out->where = ez_where_gone();
    if (l->is_const) {
        out->where = (struct ez_where){ .kind = EZ_AT_CONST, .addr = l->value, .high = l->high };
        return false;
    }
    bool good = place_run(&p, &l->at, &i, &piece);
    if (good && piece.bits) {
        struct ez_value value;
        good = place_pieces(&p, piece, i, l->type, &value);
        if (good) {
            eval_hold(ev, &value, out);
            ez_value_clear(&value);
        }
    } else if (good)
        out->where = place_whole(&p, &piece);
    if (!good)
        out->where =
            p.why ? (struct ez_where){ .kind = EZ_AT_NONE, .why = p.why } : ez_where_gone();
    return good;
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

bool place_number(struct eval *ev, const struct ez_dwarf_ops *base, const struct ez_dwarf_ops *ops,
                  uint64_t *out)
{
    const struct ez_dwarf_local l = { .base = *base };
    struct place p = { .ev = ev, .l = &l };
    return ops->op.n && place_address(&p, ops, out);
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
