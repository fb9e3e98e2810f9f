/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stackop_insn.c - the effect of each opcode on the frame (stackop.h).
 *
 * Invariant: a register that may point into the frame is never EZ_FR_OTHER, except if its value was
 * stored in memory or in a vector register meanwhile: such a value is the address of a local
 * variable, and C allows no access beyond that variable. For an unknown instruction, UNKNOWN is
 * returned.
 * Tests: tests/unit/code/check_frame.c */
#include <string.h>

#include "arch/x86_64/stackop.h"

#define is_known(v) (is_frame(v) && (v) != EZ_FR_SOME)

int32_t x64_stack_value(const struct op *o, unsigned r)
{
    return r == NO_REG ? EZ_FR_OTHER : o->f->reg[r];
}

/* Returns the value of register r; EZ_FR_SOME if r is the stack pointer and only its maximum is
 * known. */
static int32_t stackop_exact(const struct op *o, unsigned r)
{
    return r == SP && o->f->bound ? EZ_FR_SOME : x64_stack_value(o, r);
}

/* Returns the number of the register that contains operand r. For 8-bit operands without REX
 * prefix, 4 to 7 are ah, ch, dh and bh. */
static unsigned stackop_byte_reg(const struct op *o, unsigned r)
{
    return o->byte && !o->p.rex && !o->p.vex && r >= 4 && r < 8 ? r - 4 : r;
}

/* ---- memory and results ------------------------------------------------------------- */

/* Stores in the frame how the function uses its return address, if no use is stored yet. Returns
 * `how`. */
static const char *stackop_uses(const struct op *o, const char *how)
{
    o->f->uses = o->f->uses ? o->f->uses : how;
    return how;
}

#define is_return(v) ((v) >= 0 && (v) < 8) /* v points to a byte of the return address */

/* Returns true if r is the stack pointer, and it points to the return address. */
static bool stackop_at_return(const struct op *o, unsigned r)
{
    return r == SP && !o->f->reg[SP] && !o->f->bound;
}

/* If the memory operand with the base value `base` is certainly the return address, stores that in
 * the frame and returns how it is used; else returns NULL. Compiled code computes addresses in its
 * local variables, and C allows no access beyond a variable by its address. So a computed address
 * counts only if it was computed from the address of the return address. */
static const char *stackop_touch_return(const struct op *o, int32_t base)
{
    bool whole = o->p.map == 1 && !o->p.vex && !o->rep && /* the operand has 16 bytes */
                 (o->code == 0x10 || o->code == 0x28 || (o->code == 0x6f && o->op16));
    if (!is_frame(base) || (o->base == SP && o->f->bound) || (o->evex && o->mod == 1))
        return NULL; /* unknown, because EVEX scales the displacement */
    if (base == EZ_FR_SOME)
        return o->f->mixed ? stackop_uses(o, EZ_FR_LOOKS) : NULL;
    int64_t at = (int64_t)base + o->disp;
    /* Not counted: the prologue of gcc that aligns the stack pushes a copy of the return address,
     * for unwinders. */
    if (o->f->bound && base == 8 && at == 0 && !o->p.map && o->code == 0xff && o->ext == 6)
        return NULL;
    return is_return(at) || (whole && at < 0 && at > -16) ? stackop_uses(o, EZ_FR_LOOKS) : NULL;
}

const char *x64_stack_touch(const struct op *o)
{
    int32_t base = x64_stack_value(o, o->base);
    if (o->mod == 3)
        return NULL;
    if (o->f->lenient)
        return stackop_touch_return(o, base);
    if (is_frame(x64_stack_value(o, o->index)) ||
        (is_frame(base) && (o->a32 || (o->evex && o->mod == 1))))
        return UNKNOWN;
    if (!is_frame(base))
        return NULL;
    if (base == EZ_FR_SOME || o->index != NO_REG || (o->base == SP && o->f->dynamic))
        return "it accesses its frame through a computed address";
    int64_t at = (int64_t)base + o->disp;
    return at < 0   ? NULL
           : at < 8 ? stackop_uses(o, EZ_FR_LOOKS)
                    : "it takes arguments on the stack";
}

const char *x64_stack_put(struct op *o, unsigned r, int32_t v)
{
    r = stackop_byte_reg(o, r);
    if (r == SP) {
        o->f->reg[SP] = o->f->lenient ? EZ_FR_OTHER : o->f->reg[SP];
        return "it computes its stack pointer";
    }
    if (o->byte || o->op16) /* only a part of the register changes */
        v = is_frame(o->f->reg[r]) ? EZ_FR_SOME : EZ_FR_OTHER;
    else if (!o->wide)
        v = EZ_FR_OTHER; /* a 32-bit value is no stack address, because no stack is below 4 GiB */
    o->f->reg[r] = v;
    return NULL;
}

/* The result of arithmetic with a and b: EZ_FR_SOME if a or b points into the frame, else
 * EZ_FR_OTHER. */
#define mix(a, b) (is_frame(a) || is_frame(b) ? EZ_FR_SOME : EZ_FR_OTHER)

/* Sets the operand rm of ModRM to a result of arithmetic with its old value and v. */
static const char *stackop_put_rm(struct op *o, int32_t v)
{
    return o->mod == 3
               ? x64_stack_put(o, o->rm, mix(x64_stack_value(o, stackop_byte_reg(o, o->rm)), v))
               : x64_stack_touch(o);
}

const char *x64_stack_load_reg(struct op *o)
{
    const char *why = x64_stack_touch(o);
    o->wide = true;
    return why ? why : x64_stack_put(o, o->reg, EZ_FR_OTHER);
}

void x64_stack_forget(struct op *o, unsigned mask)
{
    for (unsigned r = 0; r < EZ_FRAME_REGS; r++)
        if (mask >> r & 1)
            o->f->reg[r] = EZ_FR_OTHER;
}

/* The registers in `mask` may have changed, wholly or in part: sets those that point into the frame
 * to EZ_FR_SOME. */
static void stackop_blur(struct op *o, unsigned mask)
{
    for (unsigned r = 0; r < EZ_FRAME_REGS; r++)
        if (mask >> r & 1 && is_frame(o->f->reg[r]))
            o->f->reg[r] = EZ_FR_SOME;
}

/* ---- the stack pointer ---------------------------------------------------------------- */

static const char *stackop_move_sp(struct op *o, int64_t by)
{
    int64_t at = (int64_t)o->f->reg[SP] + by;
    if (o->f->lenient && !is_frame(o->f->reg[SP]))
        return NULL;
    if (at > 0 || at < -(1 << 20)) {
        o->f->reg[SP] = o->f->lenient ? EZ_FR_OTHER : o->f->reg[SP];
        return at <= 0 ? UNKNOWN : o->f->bound ? EZ_FR_POPS : stackop_uses(o, EZ_FR_POPS);
    }
    o->f->reg[SP] = (int32_t)at;
    return NULL;
}

/* Sets the stack pointer to v, the value of another register or of a computation. Returns NULL, or
 * a text if v is unknown or above the return address, or if the operands have fewer than 64
 * bits. */
static const char *stackop_set_sp(struct op *o, int32_t v)
{
    if (!is_known(v) || !o->wide || v > 0) {
        o->f->reg[SP] = o->f->lenient ? EZ_FR_OTHER : o->f->reg[SP];
        return "it computes its stack pointer";
    }
    o->f->reg[SP] = v;
    o->f->bound = o->f->dynamic = false;
    return NULL;
}

static const char *stackop_pop(struct op *o, unsigned r)
{
    const char *why = o->op16 ? UNKNOWN : stackop_move_sp(o, 8);
    o->wide = true;
    return why || r == NO_REG ? why : x64_stack_put(o, r, EZ_FR_OTHER);
}

static const char *stackop_leave(struct op *o)
{
    o->wide = true;
    const char *why = stackop_set_sp(o, x64_stack_value(o, BP));
    return why ? why : stackop_pop(o, BP);
}

static const char *stackop_ret(const struct op *o)
{
    return o->f->reg[SP] || o->f->bound ? "it returns from an unknown stack depth" : NULL;
}

/* ---- moves and arithmetic -------------------------------------------------------------- */

/* For an instruction that copies register r: sets `copied` in the frame if r is the stack pointer
 * and points to the return address. Returns a text if r is the stack pointer and points to the
 * return address or above, unless the check is lenient; else NULL. */
static const char *stackop_hand_on(const struct op *o, unsigned r)
{
    o->f->copied |= stackop_at_return(o, r);
    if (o->f->lenient)
        return NULL;
    return r == SP && o->f->reg[SP] >= 0 ? "it takes the address of memory above its frame" : NULL;
}

/* In a lenient check, for a store of register r to memory: if r points to the return address,
 * stores in the frame that the function passes on that address. Not if the memory is in the frame
 * (in_frame) and the stack pointer was never copied when it pointed there: then the value is
 * probably the end of a local array, which has the same address. A stack pointer below the return
 * address is not counted: __builtin_setjmp and coroutine switches store it, to return to a call
 * that has not returned. */
static void stackop_store(const struct op *o, unsigned r, bool in_frame)
{
    int32_t v = x64_stack_value(o, r);
    if (!o->f->lenient || o->byte || o->op16 || !o->wide)
        return;
    if (is_return(v) && (!in_frame || o->f->copied))
        stackop_uses(o, EZ_FR_HANDS);
}

static const char *stackop_mov(struct op *o, bool to_rm)
{
    unsigned from = stackop_byte_reg(o, to_rm ? o->reg : o->rm),
             to = stackop_byte_reg(o, to_rm ? o->rm : o->reg);
    if ((to_rm || o->mod == 3) && stackop_hand_on(o, from))
        return stackop_hand_on(o, from);
    if (o->mod != 3 && to_rm)
        stackop_store(o, from, is_frame(x64_stack_value(o, o->base)));
    if (o->mod != 3)
        return to_rm ? x64_stack_touch(o) : x64_stack_load_reg(o);
    return to == SP ? stackop_set_sp(o, stackop_exact(o, from))
                    : x64_stack_put(o, to, stackop_exact(o, from));
}

static const char *stackop_lea(struct op *o)
{
    int32_t base = stackop_exact(o, o->base), v = mix(base, x64_stack_value(o, o->index));
    if (o->a32 || !o->wide)
        return o->reg == SP ? UNKNOWN : x64_stack_put(o, o->reg, EZ_FR_OTHER);
    if (o->reg == SP && o->base == SP && o->index == NO_REG)
        return stackop_move_sp(o, o->disp);
    if (stackop_at_return(o, o->base) && o->disp >= 0) {
        o->f->copied |= o->disp < 8;
        o->f->mixed |= o->index != NO_REG;
    }
    if (is_known(base) && o->index == NO_REG) {
        if ((int64_t)base + o->disp >= 0 && !o->f->lenient)
            return "it takes the address of memory above its frame";
        v = base + o->disp;
    }
    return o->reg == SP ? stackop_set_sp(o, v) : x64_stack_put(o, o->reg, v);
}

/* Opcodes 80, 81, 83: arithmetic with a constant. */
static const char *stackop_alu_constant(struct op *o)
{
    int32_t c = 0, v = x64_stack_value(o, stackop_byte_reg(o, o->rm));
    if (o->code == 0x81 && !o->op16)
        memcpy(&c, o->b + o->p.len - 4, 4);
    else
        c = (int8_t)o->b[o->p.len - 1];
    if (o->mod != 3 && !c && o->ext < 2)
        return NULL; /* e.g. lock orq $0,(%rsp), a memory barrier: no effect on the frame */
    if (o->mod != 3 || o->ext == 7)
        return x64_stack_touch(o);
    if (o->ext == 0 || o->ext == 5) {
        int64_t by = o->ext ? -(int64_t)c : c;
        if (o->rm == SP && o->wide && !o->byte)
            return stackop_move_sp(o, by);
        return x64_stack_put(o, o->rm,
                             !is_known(v)                  ? v
                             : v + by < 0 || o->f->lenient ? (int32_t)(v + by)
                                                           : EZ_FR_SOME);
    }
    if (o->rm == SP && o->ext == 4 && c < 0 && o->wide && !o->byte) {
        /* `and` aligns the stack pointer: lowers it by an unknown number of bytes. */
        o->f->bound = true;
        return NULL;
    }
    return stackop_put_rm(o, EZ_FR_OTHER);
}

/* Opcodes 00 to 3f: arithmetic with two operands. */
static const char *stackop_alu(struct op *o)
{
    unsigned kind = o->code >> 3, form = o->code & 7;
    if (form >= 4 || kind == 7) /* arithmetic with rax and a constant; comparisons */
        return form >= 4 ? kind == 7
                               ? NULL
                               : x64_stack_put(o, AX, mix(x64_stack_value(o, AX), EZ_FR_OTHER))
                         : x64_stack_touch(o);
    if (o->mod == 3 && o->reg == o->rm && (kind == 5 || kind == 6) && o->reg != SP)
        return x64_stack_put(o, o->reg, EZ_FR_OTHER); /* xor or sub of a register with itself: 0 */
    unsigned to = form < 2 ? o->rm : o->reg, from = form < 2 ? o->reg : o->rm;
    if (o->mod == 3 && !kind && stackop_at_return(o, from))
        o->f->copied = o->f->mixed = true;
    if (o->mod == 3 && to == SP && kind == 5 && o->wide && !o->byte &&
        !is_frame(x64_stack_value(o, from))) {
        /* alloca: lowers the stack pointer by an unknown number of bytes. */
        o->f->bound = o->f->dynamic = true;
        return NULL;
    }
    if (form < 2)
        return stackop_put_rm(o, x64_stack_value(o, stackop_byte_reg(o, o->reg)));
    const char *why = x64_stack_touch(o);
    int32_t of = o->mod == 3 ? x64_stack_value(o, stackop_byte_reg(o, o->rm)) : EZ_FR_OTHER;
    return why ? why
               : x64_stack_put(o, o->reg, mix(x64_stack_value(o, stackop_byte_reg(o, o->reg)), of));
}

static const char *stackop_exchange(struct op *o, unsigned a, unsigned b)
{
    if (o->f->lenient && o->wide) {
        int32_t va = x64_stack_value(o, a), vb = x64_stack_value(o, b);
        o->f->copied |= stackop_at_return(o, a) || stackop_at_return(o, b);
        o->f->reg[a] = vb, o->f->reg[b] = va;
        return NULL;
    }
    int32_t v =
        mix(x64_stack_value(o, stackop_byte_reg(o, a)), x64_stack_value(o, stackop_byte_reg(o, b)));
    const char *why = x64_stack_put(o, a, v);
    return why ? why : x64_stack_put(o, b, v);
}

/* If the string instruction reads or writes the return address, stores that in the frame, and
 * returns how it is used; else returns NULL. */
static const char *stackop_string_return(const struct op *o)
{
    bool reads = (o->code >= 0xa4 && o->code <= 0xa7) || o->code == 0xac || o->code == 0xad;
    bool writes = o->code != 0xac && o->code != 0xad;
    int32_t si = reads ? o->f->reg[SI] : EZ_FR_OTHER, di = writes ? o->f->reg[DI] : EZ_FR_OTHER;
    bool mixed = o->f->mixed && (si == EZ_FR_SOME || di == EZ_FR_SOME);
    return is_return(si) || is_return(di) || mixed ? stackop_uses(o, EZ_FR_LOOKS) : NULL;
}

static const char *stackop_string_op(struct op *o)
{
    if (o->f->lenient) {
        const char *why = stackop_string_return(o);
        stackop_blur(o, 1 << SI | 1 << DI);
        x64_stack_forget(o, o->code == 0xac || o->code == 0xad ? 1 << AX : 0);
        return why;
    }
    bool framed = is_frame(x64_stack_value(o, SI)) || is_frame(x64_stack_value(o, DI));
    return framed ? "it accesses its frame through a computed address" : NULL;
}

/* Opcodes f6 and f7. */
static const char *stackop_group3(struct op *o)
{
    if (o->ext < 2)
        return x64_stack_touch(o);
    if (o->ext < 4)
        return stackop_put_rm(o, EZ_FR_OTHER);
    const char *why = x64_stack_touch(o);
    if (o->byte)
        stackop_blur(o, 1 << AX);
    else
        x64_stack_forget(o, 1 << AX | 1 << DX);
    return why;
}

/* Opcodes fe and ff. */
static const char *stackop_group5(struct op *o)
{
    const char *why = o->ext < 2 ? stackop_put_rm(o, EZ_FR_OTHER) : x64_stack_touch(o);
    if (why || o->ext != 6)
        return o->ext == 3 || o->ext == 5 ? UNKNOWN : why;
    return o->op16 ? UNKNOWN : stackop_move_sp(o, -8);
}

/* ---- by opcode map ----------------------------------------------------------------------- */

/* enter $n,$0 equals push %rbp; mov %rsp,%rbp; sub $n,%rsp. Only a lenient check applies that;
 * otherwise the instruction is unknown. */
static const char *stackop_enter(struct op *o)
{
    uint16_t n;
    memcpy(&n, o->b + o->p.len - 3, sizeof n);
    if (o->f->lenient && !o->b[o->p.len - 1] && !stackop_move_sp(o, -8)) {
        o->f->reg[BP] = o->f->reg[SP];
        stackop_move_sp(o, -(int64_t)n);
    }
    return UNKNOWN;
}

static const char *stackop_map0_high(struct op *o)
{
    switch (o->code) {
    case 0xc8:
        return stackop_enter(o);
    case 0xc0 ... 0xc1:
    case 0xd0 ... 0xd3:
        return stackop_put_rm(o, EZ_FR_OTHER);
    case 0xc6 ... 0xc7:
        if (o->p.modrm && o->b[o->p.modrm] == 0xf8)
            return UNKNOWN; /* xbegin, xabort */
        return o->mod == 3 ? x64_stack_put(o, o->rm, EZ_FR_OTHER) : x64_stack_touch(o);
    case 0xc3:
        return stackop_ret(o);
    case 0xc9:
        return stackop_leave(o);
    case 0xd8 ... 0xdf:
        if (o->code == 0xdf && o->mod == 3)
            stackop_blur(o, 1 << AX); /* fnstsw %ax */
        return x64_stack_touch(o);
    case 0xe0 ... 0xe3:
    case 0xe8 ... 0xe9:
    case 0xeb:
    case 0xcc:
    case 0xf4 ... 0xf5:
    case 0xf8 ... 0xf9:
    case 0xfc ... 0xfd:
        return NULL;
    case 0xf6 ... 0xf7:
        return stackop_group3(o);
    case 0xfe ... 0xff:
        return stackop_group5(o);
    default:
        return UNKNOWN;
    }
}

static const char *stackop_map0_low(struct op *o)
{
    unsigned embedded = (o->code & 7u) | (o->p.rex & 1u) << 3;
    switch (o->code) {
    case 0x50 ... 0x57:
        o->wide = true;
        stackop_store(o, embedded, embedded != SP);
        if (stackop_hand_on(o, embedded))
            return stackop_hand_on(o, embedded);
        /* fall through */
    case 0x68:
    case 0x6a:
    case 0x9c:
        return o->op16 ? UNKNOWN : stackop_move_sp(o, -8);
    case 0x58 ... 0x5f:
        return stackop_pop(o, embedded);
    case 0x9d:
        return stackop_pop(o, NO_REG);
    case 0x63:
    case 0x69:
    case 0x6b:
        return x64_stack_load_reg(o);
    case 0x70 ... 0x7f:
    case 0x9e ... 0x9f:
    case 0xa2 ... 0xa3:
    case 0xa8 ... 0xa9:
        return NULL;
    case 0x80 ... 0x83:
        return stackop_alu_constant(o);
    case 0x84 ... 0x85:
        return x64_stack_touch(o);
    case 0x86 ... 0x87:
        return o->mod == 3 ? stackop_exchange(o, o->reg, o->rm) : x64_stack_load_reg(o);
    case 0x88 ... 0x89:
        return stackop_mov(o, true);
    case 0x8a ... 0x8b:
        return stackop_mov(o, false);
    case 0x8d:
        return stackop_lea(o);
    case 0x90 ... 0x97:
        return embedded ? stackop_exchange(o, AX, embedded) : NULL;
    case 0x98 ... 0x99:
    case 0xa0 ... 0xa1:
        if (o->op16 || o->code == 0xa0)
            stackop_blur(o, 1 << AX | 1 << DX);
        else
            x64_stack_forget(o, o->code == 0x99 ? 1 << DX : 1 << AX);
        return NULL;
    case 0xa4 ... 0xa7:
    case 0xaa ... 0xaf:
        return stackop_string_op(o);
    case 0xb0 ... 0xbf:
        return x64_stack_put(o, embedded, EZ_FR_OTHER);
    default:
        return UNKNOWN;
    }
}

static const char *stackop_map0(struct op *o)
{
    /* Many even opcodes have 8-bit operands; these do not change the stack pointer. */
    o->byte = o->code < 0x40
                  ? !(o->code & 1)
                  : (o->code >= 0xb0 && o->code < 0xb8) ||
                        (!(o->code & 1) && ((o->code >= 0x80 && o->code < 0x8c) ||
                                            o->code == 0xc0 || o->code == 0xc6 || o->code == 0xd0 ||
                                            o->code == 0xd2 || o->code == 0xf6 || o->code == 0xfe));
    if (o->code < 0x40)
        return stackop_alu(o);
    return o->code < 0xc0 ? stackop_map0_low(o) : stackop_map0_high(o);
}

static const char *stackop_cmov(struct op *o)
{
    int32_t a = x64_stack_value(o, o->reg), b = o->mod == 3 ? stackop_exact(o, o->rm) : EZ_FR_OTHER;
    if (o->mod == 3 && stackop_at_return(o, o->rm))
        o->f->copied = o->f->mixed = true;
    const char *why = x64_stack_touch(o);
    return why ? why : x64_stack_put(o, o->reg, a == b ? a : mix(a, b));
}

/* bt, bts, btr, btc: if the bit's number is in a register, they can access memory far from the
 * address of the operand. */
static const char *stackop_bits(struct op *o)
{
    if (o->mod != 3)
        return is_frame(x64_stack_value(o, o->base)) ? UNKNOWN : x64_stack_touch(o);
    return o->code == 0xa3 ? NULL : stackop_put_rm(o, EZ_FR_OTHER);
}

/* Opcodes 0f c7 (group 9), 0f ae (group 15) and 0f 01 (xgetbv, rdtscp and others). */
static const char *stackop_map1_groups(struct op *o)
{
    if (o->mod == 3 && o->code == 0x01)
        stackop_blur(o, 1 << AX | 1 << CX | 1 << DX);
    else if (o->code == 0xc7 && o->mod != 3)
        stackop_blur(o, 1 << AX | 1 << DX);
    else if (o->mod == 3)
        return o->code == 0xc7 || o->rep ? x64_stack_put(o, o->rm, EZ_FR_OTHER) : NULL;
    return x64_stack_touch(o);
}

static const char *stackop_map1_general(struct op *o)
{
    switch (o->code) {
    case 0x0b:
    case 0x77:
    case 0x80 ... 0x8f:
        return NULL;
    case 0x31:
        x64_stack_forget(o, 1 << AX | 1 << DX);
        return NULL;
    case 0xa2:
        x64_stack_forget(o, 1 << AX | 1 << BX | 1 << CX | 1 << DX);
        return NULL;
    case 0xc3:
        return x64_stack_touch(o);
    case 0x40 ... 0x4f:
        return stackop_cmov(o);
    case 0x90 ... 0x9f:
        o->byte = true;
        return o->mod == 3 ? x64_stack_put(o, o->rm, EZ_FR_OTHER) : x64_stack_touch(o);
    case 0xa3:
    case 0xab:
    case 0xb3:
    case 0xbb:
        return stackop_bits(o);
    case 0xa4 ... 0xa5:
    case 0xac ... 0xad:
    case 0xba:
        return stackop_put_rm(o, EZ_FR_OTHER);
    case 0xb0 ... 0xb1:
        if (o->mod == 3 && is_frame(x64_stack_value(o, o->rm)))
            o->f->reg[AX] = EZ_FR_SOME;
        stackop_blur(o, 1 << AX);
        return stackop_put_rm(o, x64_stack_value(o, o->reg));
    case 0xc0 ... 0xc1:
        o->byte = o->code == 0xc0;
        return o->mod == 3 ? stackop_exchange(o, o->reg, o->rm) : x64_stack_load_reg(o);
    case 0x01:
    case 0xae:
    case 0xc7:
        return stackop_map1_groups(o);
    case 0xc8 ... 0xcf:
        return x64_stack_put(o, (o->code & 7u) | (o->p.rex & 1u) << 3, EZ_FR_OTHER);
    case 0xaf:
    case 0xb6 ... 0xb8:
    case 0xbc ... 0xbf:
        return x64_stack_load_reg(o);
    default:
        return UNKNOWN;
    }
}

static const char *stackop_map1(struct op *o)
{
    switch (o->code) {
    case 0x0d: /* prefetch and other hints */
    case 0x18 ... 0x1f:
        return NULL;
    case 0x10 ... 0x17:
    case 0x28 ... 0x2f:
    case 0x50 ... 0x76:
    case 0x7c ... 0x7f:
    case 0xc2:
    case 0xc4 ... 0xc6:
    case 0xd0 ... 0xfe:
        return x64_stack_vector(o);
    default:
        return stackop_map1_general(o);
    }
}

const char *x64_stack_effect(struct op *o)
{
    const char *why = o->p.vex                           ? x64_stack_vex(o)
                      : !o->p.map                        ? stackop_map0(o)
                      : o->p.map == 1                    ? stackop_map1(o)
                      : o->p.map == 2 && o->code >= 0xf0 ? x64_stack_crc(o)
                                                         : x64_stack_vector(o);
    bool call = !o->p.map && !o->p.vex && (o->code == 0xe8 || (o->code == 0xff && o->ext == 2));
    if (!why && call)
        /* A call changes the result registers; all other registers may remain unchanged (gcc
         * -fipa-ra). */
        x64_stack_forget(o, 1 << AX | 1 << DX);
    return o->f->lenient ? o->f->uses : why;
}

void x64_stack_passes(struct op *o, const struct ez_frame_step *s, uint64_t va)
{
    static const uint8_t argument[] = { DI, SI, DX, CX, 8, 9 };
    bool leaves = s->flow == EZ_FLOW_CALL || s->flow == EZ_FLOW_ICALL || s->flow == EZ_FLOW_JMP ||
                  s->flow == EZ_FLOW_IJMP || s->flow == EZ_FLOW_SYSCALL;
    for (unsigned i = 0; leaves && o->f->copied && i < EZ_ARRAY_LEN(argument); i++)
        if (is_return(o->f->reg[argument[i]]))
            stackop_uses(o, EZ_FR_HANDS);
    if (s->flow == EZ_FLOW_CALL && s->target == va + s->len)
        stackop_move_sp(o, -8);
}
