/* SPDX-License-Identifier: MIT */
/* rt_code.c - the interpreter for the code of clauses (engine/data_abi.h): a stack of eight words,
 * operations of eight bytes, jumps only forward.
 *
 * The shell verified the code before it wrote it to memory. The target may have changed it since.
 * Changed code can compute anything, but it ends, writes only to the runtime's own memory, and
 * reads the program's memory only through rt_read() and rt_look().
 * Tests: tests/unit/rt/check_code.c, tests/unit/rt/check_code_adds.c */
#include "engine/rt/rt_code.h"

#include "rt_regs.h"

#define TEXT_STEP 64

/* ---- words of the event ---------------------------------------------------------------- */

static void code_emit(struct rt_run *r, uint64_t word)
{
    if (!r->out || r->words >= r->most)
        return;
    uint32_t i = r->words++;
    r->out[3 * (i / 2) + (i & 1)] = word;
}

/* Returns the index of the lowest byte of v that is 0, or 8 if there is none. */
static inline uint32_t code_nul(uint64_t v)
{
    uint64_t z = (v - 0x0101010101010101u) & ~v & 0x8080808080808080u;
    return z ? (uint32_t)__builtin_ctzll(z) / 8 : 8;
}

/* Emits n bytes at s as words, and pads the last word with zeros. With `text`, stops at a NUL.
 * Returns the number of bytes emitted. */
static uint32_t code_emit_bytes(struct rt_run *r, const char *s, uint32_t n, int text)
{
    uint32_t i = 0, here = 8;
    for (; i < n && here == 8; i += here) {
        uint64_t v = 0;
        uint32_t left = n - i < 8 ? n - i : 8;
        if (left == 8)
            __builtin_memcpy(&v, s + i, 8);
        else
            for (uint32_t k = 0; k < left; k++)
                v |= (uint64_t)(uint8_t)s[i + k] << 8 * k;
        here = text ? code_nul(v) : 8;
        here = here < left ? here : left;
        if (here)
            code_emit(r, here < 8 ? v & ((1ull << 8 * here) - 1) : v);
    }
    return i;
}

/* Emits a length and the bytes at `from`: `most` bytes, or with `text` up to a NUL. If a text does
 * not end within `most` bytes, its length has the flag EZ_TEXT_CUT. A text at address 0 has
 * EZ_TEXT_NULL. */
APART static void code_emit_memory(struct rt_run *r, uint64_t from, uint32_t most, int text)
{
    uint64_t buf[TEXT_STEP / 8];
    uint32_t at = r->words, len = 0, n, got, took;
    code_emit(r, 0);
    if (r->words == at)
        return;
    if (text && !from) {
        r->out[3 * (at / 2) + (at & 1)] = EZ_TEXT_NULL;
        return;
    }
    do {
        n = most - len < TEXT_STEP ? most - len : TEXT_STEP;
        const char *s = rt_look(r, buf, from + len, n, &got);
        took = code_emit_bytes(r, s, got, text);
        len += took;
    } while (took == n && len < most);
    if (took == got && got < n) /* the text continues into unreadable memory */
        r->bad |= 1u << (r->item & 31);
    int cut = text && took == n;
    r->out[3 * (at / 2) + (at & 1)] = len | (cut ? EZ_TEXT_CUT : 0);
}

/* ---- integers -------------------------------------------------------------------------- */

static inline uint64_t code_cut(uint64_t v, uint32_t bits, uint32_t is_signed)
{
    uint32_t k = (64 - bits) & 63;
    return is_signed ? (uint64_t)((int64_t)(v << k) >> k) : v << k >> k;
}

/* Marks the current item as unreadable and clears *ok. Returns 0, the value of an operand that
 * cannot be read or computed. */
static uint64_t code_fault(struct rt_run *r, int *ok)
{
    r->bad |= 1u << (r->item & 31);
    *ok = 0;
    return 0;
}

static uint64_t code_divide(struct rt_run *r, const struct ez_code_op *c, uint64_t a, uint64_t b,
                            int *ok)
{
    int mod = c->op == EZ_OP_MOD;
    if (!b)
        return code_fault(r, ok);
    if (c->a && b == ~0ull) /* the smallest number divided by -1 would trap */
        return mod ? 0 : -a;
    if (c->a)
        return (uint64_t)(mod ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
    return mod ? a % b : a / b;
}

/* ---- rare operands -------------------------------------------------------------------- */

APART static uint64_t code_load(struct rt_run *r, const struct ez_code_op *c, uint64_t from,
                                int *ok)
{
    uint64_t v = 0;
    uint32_t n = c->a <= 8 ? c->a : 8;
    if (!rt_read(r, &v, from, n))
        return code_fault(r, ok);
    return code_cut(v, 8 * n, c->b);
}

/* Returns 1 if the n bytes at `from` are those at `want`, else 0. Faults if bytes before the first
 * difference cannot be read. */
APART static uint64_t code_same(struct rt_run *r, const char *want, uint32_t n, uint64_t from,
                                int *ok)
{
    uint64_t buf[TEXT_STEP / 8];
    uint32_t got;
    for (; n; n -= got, from += got, want += got) {
        uint32_t step = n < TEXT_STEP ? n : TEXT_STEP, i = 0;
        const char *s = rt_look(r, buf, from, step, &got);
        for (; i + 8 <= got; i += 8) {
            uint64_t a, b;
            __builtin_memcpy(&a, s + i, 8);
            __builtin_memcpy(&b, want + i, 8);
            if (a != b)
                return 0;
        }
        for (; i < got; i++)
            if (s[i] != want[i])
                return 0;
        if (got < step)
            return code_fault(r, ok);
    }
    return 1;
}

/* Returns the length of the text at `from`. Faults if it does not end within `most` bytes. */
APART static uint64_t code_length(struct rt_run *r, uint64_t from, uint32_t most, int *ok)
{
    uint64_t buf[TEXT_STEP / 8];
    uint32_t len = 0, got, step;
    do {
        step = most - len < TEXT_STEP ? most - len : TEXT_STEP;
        const char *s = rt_look(r, buf, from + len, step, &got);
        for (uint32_t i = 0; i < got; i++, len++)
            if (!s[i])
                return len;
    } while (got == step && len < most);
    return code_fault(r, ok);
}

/* Reads 8 bytes of the calling thread's name from the kernel, because any thread may change the
 * name. half: 0 or 1. */
APART static uint64_t code_comm(struct rt_run *r, uint32_t half, int *ok)
{
    uint64_t name[2] = { 0 };
    if (rt_state.hdr->no_syscalls ||
        rt_syscall(RT_SYS_PRCTL, 16 /* PR_GET_NAME */, (long)name, 0, 0, 0, 0))
        return code_fault(r, ok);
    return name[half & 1];
}

/* Increments a counter that all threads share, and returns its new value. Returns 0 if `off` is not
 * the offset of a counter in use, because the target may have changed the code. */
static uint64_t code_nth(uint32_t off)
{
    if (off / sizeof(struct ez_counter) >= rt_state.hdr->ids_used ||
        off % sizeof(struct ez_counter))
        return 0;
    return __atomic_add_fetch((uint64_t *)((char *)rt_counters_of(0) + off), 1, __ATOMIC_RELAXED);
}

/* Returns the operand that a rarely used operation pushes. */
APART static uint64_t code_push(struct rt_run *r, const struct ez_code_op *c, int *ok)
{
    static const struct ez_code_op word = { .a = 8 };
    uint64_t *w;
    switch (c->op) {
    case EZ_OP_VEC:
        return rt_vector_word(c->a, c->b);
    case EZ_OP_X87:
        return rt_x87_word(c->a, c->b);
    case EZ_OP_ARG:
        return code_load(r, &word, (uint64_t)r->loc + (uint64_t)(int64_t)c->imm, ok);
    case EZ_OP_TICK:
        if (!r->tick)
            r->tick = rt_tick_now(r->b);
        return r->tick;
    case EZ_OP_COMM:
        return code_comm(r, c->a, ok);
    case EZ_OP_NTH:
        return code_nth((uint32_t)c->imm);
    case EZ_OP_GATE:
        return rt_state.hdr->gates >> (c->imm & 63) & 1;
    default: /* EZ_OP_SAVED */
        w = rt_saved(r->saved, c->a);
        return w ? *w : 0;
    }
}

/* ---- the interpreter ------------------------------------------------------------------- */

/* A single long switch. A function for each group of operations would need a second switch, and
 * conditions would take 20 % longer. */

#define TOP s[(n - 1) & (EZ_CODE_STACK - 1)]
#define PUSH(v)                                                                                    \
    do {                                                                                           \
        uint64_t v_ = (v);                                                                         \
        s[n++ & (EZ_CODE_STACK - 1)] = v_;                                                         \
    } while (0)
/* Replaces the words a and b on top of the stack by `what`. b may be in the operation
 * (EZ_CODE_IMM). */
#define BINARY(what)                                                                               \
    do {                                                                                           \
        uint64_t b = c->b & EZ_CODE_IMM ? (uint64_t)(int64_t)c->imm : s[--n & 7], a = TOP;         \
        TOP = (what);                                                                              \
    } while (0)

static uint64_t code_shift_right(uint64_t a, uint64_t b, int is_signed)
{
    if (is_signed)
        return (uint64_t)((int64_t)a >> (b > 63 ? 63 : b));
    return b > 63 ? 0 : a >> b;
}

static void code_effect(struct rt_run *r, const struct ez_code_op *c, uint64_t v)
{
    uint64_t *w;
    switch (c->op) {
    case EZ_OP_EMIT:
        code_emit(r, v);
        break;
    case EZ_OP_TEXT:
    case EZ_OP_BYTES:
        code_emit_memory(r, v, (uint32_t)c->imm, c->op == EZ_OP_TEXT);
        break;
    case EZ_OP_SAVE:
        w = rt_saved(r->saved, c->a);
        if (w)
            *w = v;
        break;
    default: /* EZ_OP_DROP */
        break;
    }
}

HIDDEN int rt_code_run(struct rt_run *r, const struct ez_program *p, struct ez_code_at at,
                       uint64_t *result)
{
    const struct ez_code_op *c = ez_program_ops(p) + at.first, *end = c + at.n;
    uint64_t s[EZ_CODE_STACK];
    uint32_t n = 0;
    int ok = 1;
    s[0] = 0;
/* verify.c has checked that the code reads only words that the code pushed. */
#ifdef __clang_analyzer__
    __builtin_memset(s, 0, sizeof s);
#endif
    if (at.first + at.n > p->nops || !rt_process()->alive) /* a forked child: the fork came while
                                                            * the hit waited for room */
        return 0;
    for (; c < end; c++) {
        switch (c->op) {
        case EZ_OP_END:
            c = end - 1;
            break;
        case EZ_OP_IMM:
            PUSH((uint64_t)(int64_t)c->imm);
            break;
        case EZ_OP_WIDE:
            if (++c < end)
                PUSH(*(const uint64_t *)c);
            break;
        case EZ_OP_REG:
            PUSH(c->a == RT_REG_SP ? (uint64_t)r->loc
                                   : code_cut(r->reg[c->a & 15], c->b, (uint32_t)c->imm & 1));
            break;
        case EZ_OP_CALLER:
            PUSH(r->caller);
            break;
        case EZ_OP_FRAME:
            PUSH((uint64_t)r->loc);
            break;
        case EZ_OP_THREAD:
            PUSH(r->b->tid);
            break;
        case EZ_OP_LOAD:
            TOP = code_load(r, c, TOP + (uint64_t)(int64_t)c->imm, &ok);
            break;
        case EZ_OP_CUT:
            TOP = code_cut(TOP, c->a, c->b);
            break;
        case EZ_OP_DUP:
            PUSH(TOP);
            break;
        case EZ_OP_JUMP:
            c += (uint16_t)c->imm;
            break;
        case EZ_OP_JZ:
        case EZ_OP_JNZ:
            n--;
            if (!s[n & 7] == (c->op == EZ_OP_JZ))
                c += (uint16_t)c->imm;
            break;
        case EZ_OP_ADD:
            BINARY(a + b);
            break;
        case EZ_OP_SUB:
            BINARY(a - b);
            break;
        case EZ_OP_MUL:
            BINARY(a * b);
            break;
        case EZ_OP_AND:
            BINARY(a & b);
            break;
        case EZ_OP_OR:
            BINARY(a | b);
            break;
        case EZ_OP_XOR:
            BINARY(a ^ b);
            break;
        case EZ_OP_SHL:
            BINARY(b < 64 ? a << b : 0);
            break;
        case EZ_OP_SHR:
            BINARY(code_shift_right(a, b, c->a));
            break;
        case EZ_OP_EQ:
            BINARY(a == b);
            break;
        case EZ_OP_NE:
            BINARY(a != b);
            break;
        case EZ_OP_LT:
            BINARY(c->a ? (int64_t)a < (int64_t)b : a < b);
            break;
        case EZ_OP_LE:
            BINARY(c->a ? (int64_t)a <= (int64_t)b : a <= b);
            break;
        case EZ_OP_GT:
            BINARY(c->a ? (int64_t)a > (int64_t)b : a > b);
            break;
        case EZ_OP_GE:
            BINARY(c->a ? (int64_t)a >= (int64_t)b : a >= b);
            break;
        case EZ_OP_DIV:
        case EZ_OP_MOD:
            BINARY(code_divide(r, c, a, b, &ok));
            break;
        case EZ_OP_NOT:
            TOP = !TOP;
            break;
        case EZ_OP_NEG:
            TOP = -TOP;
            break;
        case EZ_OP_COM:
            TOP = ~TOP;
            break;
        case EZ_OP_FADD:
        case EZ_OP_FSUB:
        case EZ_OP_FMUL:
        case EZ_OP_FDIV:
        case EZ_OP_FEQ:
        case EZ_OP_FLT:
        case EZ_OP_FLE:
        case EZ_OP_FGT:
        case EZ_OP_FGE:
            BINARY(rt_double(c->op, c->a, a, b));
            break;
        case EZ_OP_OF_FLOAT:
        case EZ_OP_OF_INT:
        case EZ_OP_TO_INT:
        case EZ_OP_ROUND:
            TOP = rt_double(c->op, c->a, TOP, 0);
            break;
        case EZ_OP_ITEM:
            r->item = c->a;
            break;
        case EZ_OP_NAME:
            TOP = rt_name_key(r, TOP, &ok);
            break;
        case EZ_OP_SAME: /* the length is bounded by the data, which the target may have changed */
            if (c->b > (uint32_t)(end - c) - 1) {
                c = end - 1;
                break;
            }
            TOP = code_same(r, (const char *)(c + 1),
                            (uint32_t)c->imm <= 8u * c->b ? (uint32_t)c->imm : 8u * c->b, TOP, &ok);
            c += c->b;
            break;
        case EZ_OP_LENGTH:
            TOP = code_length(r, TOP, (uint16_t)c->imm, &ok);
            break;
        case EZ_OP_ADDUP: /* adds nothing if an operand was unreadable */
            n -= 2;
            if (ok)
                rt_addup(r, c, s[n & 7], s[(n + 1) & 7]);
            break;
        case EZ_OP_EMIT:
        case EZ_OP_TEXT:
        case EZ_OP_BYTES:
        case EZ_OP_SAVE:
        case EZ_OP_DROP:
            n--;
            code_effect(r, c, s[n & 7]);
            break;
        default:
            PUSH(code_push(r, c, &ok));
        }
    }
    *result = n ? TOP : 0;
    return ok;
}
