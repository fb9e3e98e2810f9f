/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place_ops.c - executes the operations of DWARF expressions (DWARF 5, 2.5) on a stack of words.
 * place.c executes those that need the frame. A word may have a type. Words with a floating-point
 * type can be converted, but not computed with.
 * Tests: tests/procs/print.sh, tests/procs/hostile.sh */
#include <string.h>

#include "engine/expr/machine.h"
#include "engine/eval/place.h"
#include "engine/inferior/inferior.h"
#include "engine/target.h"

bool place_wrong(struct place *p, const char *why)
{
    p->why = p->why ? p->why : why;
    return false;
}

bool place_push(struct place *p, uint64_t v)
{
    if (p->n == PLACE_DEEPEST)
        return place_wrong(p, "its location expression needs too many words of stack");
    p->stack[p->n].type = 0;
    p->stack[p->n++].v = v;
    return true;
}

bool place_register(struct place *p, uint64_t number, uint64_t *out)
{
    const struct ez_reg_desc *d = number < 256 ? register_numbered((unsigned)number) : NULL;
    /* column 16 is the return address: in this frame, the pc */
    if (!d && p->ev->regs && number == 16) {
        *out = p->ev->pc;
        return true;
    }
    if (!d || !p->ev->regs)
        return place_wrong(p, "its location needs a register that is not available");
    *out = ez_reg_get(p->ev->regs, d);
    return true;
}

static bool place_load(struct place *p, uint64_t size)
{
    uint64_t v = 0;
    if (size > sizeof v)
        return place_wrong(p, "its location expression reads more than 8 bytes at once");
    if (!p->n || !size)
        return place_wrong(p, "its location expression is damaged");
    if (!ez_err_drop(eval_read(p->ev, p->stack[p->n - 1].v, &v, size)))
        return place_wrong(p, "its location expression reads memory that cannot be read");
    p->n--;
    return place_push(p, v);
}

static bool place_is_float(uint64_t type)
{
    return type > EZ_DWARF_FLOAT;
}

static double place_real(uint64_t v, uint64_t size)
{
    float single;
    double real;
    memcpy(&single, &v, sizeof single);
    memcpy(&real, &v, sizeof real);
    return size == sizeof single ? (double)single : real;
}

/* Sets the type (struct ez_dwarf_op) of the word on top of the stack. Truncates and extends an
 * integer to the type's size, but converts nothing between integers and floating-point numbers. */
static bool place_typed(struct place *p, uint64_t type)
{
    if (!p->n)
        return place_wrong(p, "its location expression is damaged");
    if (!type)
        return place_wrong(p, "its location expression uses an unsupported type");
    type = type == EZ_DWARF_GENERIC ? 0 : type;
    uint64_t *v = &p->stack[p->n - 1].v;
    *v = type && !place_is_float(type) ? ez_cut(*v, 8 * (unsigned)(type >> 1), type & 1) : *v;
    p->stack[p->n - 1].type = type;
    return true;
}

/* Converts a typed word to another type (DW_OP_convert). */
static bool place_converted(struct place *p, uint64_t type)
{
    uint64_t was = p->n ? p->stack[p->n - 1].type : 0;
    if (!p->n || (!place_is_float(was) && !place_is_float(type)))
        return place_typed(p, type);
    uint64_t *v = &p->stack[p->n - 1].v;
    double real = place_is_float(was) ? place_real(*v, was - EZ_DWARF_FLOAT)
                  : was & 1           ? (double)(int64_t)*v
                                      : (double)*v;
    float single = (float)real;
    if (place_is_float(type) && type - EZ_DWARF_FLOAT == sizeof single)
        memcpy(memset(v, 0, sizeof *v), &single, sizeof single);
    else if (place_is_float(type))
        memcpy(v, &real, sizeof real);
    /* C does not define the conversion of a number out of the integer's range. */
    else if (!(real > -0x1p63 && real < 0x1p63))
        return place_wrong(p, "its location expression converts a number that no integer can hold");
    else
        *v = (uint64_t)(int64_t)real;
    return place_typed(p, type);
}

/* Truncates the word on top of the stack to the size of its type, after an operation changed it. */
static bool place_again(struct place *p)
{
    uint64_t type = p->stack[p->n - 1].type;
    if (place_is_float(type))
        return place_wrong(p, "its location expression computes with floating-point numbers");
    return !type || place_typed(p, type);
}

/* Computes an operation with two operands. Both have the same type, which is also the result's,
 * except in shifts and comparisons. Words without a type are signed in divisions and comparisons,
 * and unsigned in DW_OP_mod (DWARF 5, 2.5.1.4). */
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
        return place_wrong(p, "its location expression has an unsupported operation");
    if (p->n < 2)
        return place_wrong(p, "its location expression is damaged");
    bool shift = known[i].op == EZ_OP_SHL || known[i].op == EZ_OP_SHR;
    uint64_t type = p->stack[p->n - 2].type, a = p->stack[p->n - 2].v;
    struct ez_code_op op = { .op = known[i].op, .a = known[i].is_signed };
    if (place_is_float(type) || place_is_float(p->stack[p->n - 1].type))
        return place_wrong(p, "its location expression computes with floating-point numbers");
    if (type != p->stack[p->n - 1].type && !shift)
        return place_wrong(p, "its location expression has operands of different types");
    if (type && !shift)
        op.a = type & 1;
    if (type && shift) /* the operation, not the type, decides whether the sign is extended */
        a = ez_cut(a, 8 * (unsigned)(type >> 1), op.a);
    p->n--;
    uint64_t *v = &p->stack[p->n - 1].v;
    if (!ez_err_drop(ez_machine_integers(&op, a, p->stack[p->n].v, v)))
        return place_wrong(p, "its location expression is damaged");
    if (op.op >= EZ_OP_EQ && op.op <= EZ_OP_GE)
        p->stack[p->n - 1].type = 0;
    return place_again(p);
}

static bool place_shuffle(struct place *p, const struct ez_dwarf_op *op)
{
    unsigned need = op->atom == DW_OP_over || op->atom == DW_OP_swap ? 2 : 1;
    if (op->atom == DW_OP_pick)
        need = (unsigned)EZ_MIN(op->a + 1, (uint64_t)PLACE_DEEPEST + 1);
    if (p->n < need)
        return place_wrong(p, "its location expression is damaged");
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

bool place_vector(const struct place *p, uint64_t number, unsigned *out)
{
    const struct ez_convention *by = p->ev->t->inf.arch->abi.convention;
    bool is = by && number >= by->vector0 && number - by->vector0 < by->nvectors;
    *out = is ? (unsigned)number - by->vector0 : 0;
    return is;
}

/* Pushes a register as a word with a type (DW_OP_regval_type); of a vector register, the low 8
 * bytes. */
static bool place_regval(struct place *p, const struct ez_dwarf_op *op)
{
    const uint8_t *there = NULL;
    uint64_t v = 0;
    unsigned vector;
    if (!place_vector(p, op->a, &vector))
        return place_register(p, op->a, &v) && place_push(p, v) && place_typed(p, op->b);
    if (!ez_err_drop(register_vector(p->ev, vector, &there)))
        return place_wrong(p, "its location needs a register that is not available");
    memcpy(&v, there, sizeof v);
    return place_push(p, v) && place_typed(p, op->b);
}

/* Executes an operation that pushes a word. *known is false if `op` is another operation. */
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
    case DW_OP_const_type:
        return place_push(p, op->a) && place_typed(p, op->b);
    case DW_OP_regval_type:
        return place_regval(p, op);
    case DW_OP_bregx:
        return place_register(p, op->a, &v) && place_push(p, v + op->b);
    case DW_OP_push_object_address:
        return p->object
                   ? place_push(p, p->object)
                   : place_wrong(
                         p, "its location expression needs an object whose address is not known");
    default:
        *known = false;
        return true;
    }
}

/* Replaces the offset on top of the stack by the address in the thread's TLS block of the module
 * (DW_OP_form_tls_address). */
static bool place_thread_local(struct place *p)
{
    uint64_t at;
    if (!p->n)
        return place_wrong(p, "its location expression is damaged");
    if (!ez_err_drop(tls_address(p->ev, p->ev->here.obj, "it", p->stack[p->n - 1].v, &at)))
        return place_wrong(p, "it is thread-local, and the thread has no storage for it");
    p->n--;
    return place_push(p, at);
}

bool place_op(struct place *p, const struct ez_dwarf_op *op)
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
        return place_converted(p, op->b);
    case DW_OP_plus_uconst:
        if (!p->n)
            return place_wrong(p, "its location expression is damaged");
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
    case DW_OP_form_tls_address:
    case DW_OP_GNU_push_tls_address:
        return place_thread_local(p);
    default:
        return place_binary(p, op->atom);
    }
}
