/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reloc.c - copies a function's first instructions so that they can run at another address.
 *
 * Why:    A patch overwrites instructions, which must still be executed (PROPER'12, section 5.2).
 * Input:  code[n bytes], whole instructions at va, to run at `to`.
 * Output: struct ez_reloc; unchanged on error.
 * Errors: EZ_E_UNRELOC (the message names the instruction), EZ_E_RANGE, and those of x64_decode().
 *
 * Invariant: the copy has the effects of the original, also on the flags and all registers, except
 *         for RIP and timing.
 *
 *      original                     copy
 *      mov  x(%rip),%rax            the same, disp32 corrected
 *      je   L          (2 bytes)    je   L           (6 bytes)
 *      jrcxz L                      jrcxz 1f; jmp 2f; 1: jmp L; 2:
 *      call f                       push $return; movl $high,4(%rsp); jmp f
 *      call *16(%rax)               push ...;                         jmp *16(%rax)
 *
 * A call in the copy pushes the *original* return address, so that backtraces and unwinders find
 * the function itself. The call must be the last instruction of the patch region, so that it
 * returns to bytes that the patch did not change. A branch to va belongs to a loop, and becomes a
 * branch to the copy, because otherwise the probe would count iterations. A *call* of va is
 * recursion, and hits the probe again.
 * Tests: tests/unit/arch/check_reloc.c */
#include <string.h>

#include "arch/x86_64/x64.h"

struct job {
    struct ez_reloc *out;
    uint64_t va, to; /* addresses of the original and of the copy */
    size_t n;        /* bytes of the original */
    bool overflow;   /* `out->code` is full */
    bool too_far;    /* a displacement does not fit into 32 bits */
};

static void reloc_put(struct job *j, const void *bytes, size_t n)
{
    if (j->out->len + n > sizeof j->out->code) {
        j->overflow = true;
        return;
    }
    memcpy(j->out->code + j->out->len, bytes, n);
    j->out->len += n;
}

/* Appends a 32-bit displacement to the address `target`. behind: number of bytes of the instruction
 * that follow the displacement. */
static void reloc_put_rel32(struct job *j, uint64_t target, size_t behind)
{
    int64_t d = (int64_t)(target - (j->to + j->out->len + 4 + behind));
    int32_t d32 = (int32_t)d;
    if (d != d32)
        j->too_far = true;
    reloc_put(j, &d32, 4);
}

static void reloc_put_jump(struct job *j, uint64_t target)
{
    reloc_put(j, "\xe9", 1);
    reloc_put_rel32(j, target, 0);
}

/* Appends code that pushes a 64-bit value: push imm32, which extends the sign, and a store of the
 * high half if the sign extension does not equal the value. */
static void reloc_put_push(struct job *j, uint64_t value)
{
    uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);
    reloc_put(j, "\x68", 1);
    reloc_put(j, &low, 4);
    if ((uint64_t)(int64_t)(int32_t)low == value)
        return;
    reloc_put(j, "\xc7\x44\x24\x04", 4); /* movl $high,4(%rsp) */
    reloc_put(j, &high, 4);
}

static ez_err *reloc_refuse(uint64_t va, const char *why)
{
    ez_err *e = ez_err_place(ez_err_new(EZ_E_UNRELOC, 0, "%s cannot run at another address", why),
                             ", at 0x%lx", (unsigned long)va);
    e->addr = va;
    return e;
}

/* Returns the target of the copied branch: the copy's address if the original is no call and leads
 * to va, else the original target. */
static uint64_t reloc_retarget(const struct job *j, const struct ez_insn *in)
{
    return in->target == j->va && in->flow != EZ_FLOW_CALL ? j->to : in->target;
}

static bool reloc_inside(const struct job *j, uint64_t target)
{
    return target > j->va && target < j->va + j->n;
}

static ez_err *reloc_check_call(const struct job *j, const struct ez_insn *in, uint64_t ip)
{
    if (ip + in->len != j->va + j->n)
        return reloc_refuse(ip, "a call that returns into the patch region");
    return NULL;
}

/* Appends code for an indirect call: a push of the original return address, and a jump with the
 * same operand. The push can be first, because the operand is never in memory below the stack
 * pointer, which a call overwrites. */
static ez_err *reloc_put_icall(struct job *j, const uint8_t *b, const struct ez_insn *in,
                               uint64_t ip)
{
    struct x64_parts p;
    uint8_t copy[EZ_MAX_INSN];
    EZ_TRY(reloc_check_call(j, in, ip));
    if (!x64_split(b, in->len, &p) || ((b[p.modrm] >> 3) & 7) != 2)
        return reloc_refuse(ip, "a far call");
    uint8_t mod = b[p.modrm] >> 6, rm = b[p.modrm] & 7;
    /* The operand is %rsp, or is in memory with base %rsp, which the push would change before the
     * jump. */
    if (rm == 4 && !(p.rex & 1) && (mod == 3 || (b[p.modrm + 1] & 7) == 4))
        return reloc_refuse(ip, "a call through the stack pointer");
    reloc_put_push(j, ip + in->len);
    memcpy(copy, b, in->len);
    copy[p.modrm] = (uint8_t)((copy[p.modrm] & ~0x38) | 4 << 3); /* /2 call -> /4 jmp */
    if (in->riprel) {
        reloc_put(j, copy, in->riprel);
        reloc_put_rel32(j, in->target, 0);
    } else {
        reloc_put(j, copy, in->len);
    }
    return NULL;
}

static void reloc_put_plain(struct job *j, const uint8_t *b, const struct ez_insn *in)
{
    if (!in->riprel) {
        reloc_put(j, b, in->len);
        return;
    }
    size_t behind = in->len - in->riprel - 4u;
    reloc_put(j, b, in->riprel);
    reloc_put_rel32(j, in->target, behind);
    reloc_put(j, b + in->riprel + 4, behind);
}

static void reloc_put_jcc(struct job *j, const uint8_t *b, const struct ez_insn *in)
{
    uint8_t op = in->width == 1 ? b[in->len - 2] : b[in->len - 5];
    reloc_put(j, (uint8_t[]){ 0x0f, 0x80 | (op & 15) }, 2);
    reloc_put_rel32(j, reloc_retarget(j, in), 0);
}

static ez_err *reloc_put_insn(struct job *j, const uint8_t *b, const struct ez_insn *in,
                              uint64_t ip)
{
    bool refers = in->width || in->riprel;
    if (refers && reloc_inside(j, in->target))
        return reloc_refuse(ip, in->width ? "a branch into the patch region"
                                          : "a reference into the patch region");
    switch (in->flow) {
    case EZ_FLOW_CALL:
        EZ_TRY(reloc_check_call(j, in, ip));
        reloc_put_push(j, ip + in->len);
        reloc_put_jump(j, reloc_retarget(j, in));
        break;
    case EZ_FLOW_ICALL:
        return reloc_put_icall(j, b, in, ip);
    case EZ_FLOW_JMP:
        reloc_put_jump(j, reloc_retarget(j, in));
        break;
    case EZ_FLOW_JCC:
        reloc_put_jcc(j, b, in);
        break;
    /* The 8-bit displacement of a loop instruction is too short, so the copy branches to a jump
     * that is right behind it. */
    case EZ_FLOW_LOOP:
        reloc_put(j, b, in->len - 1u);
        reloc_put(j, "\x02\xeb\x05", 3);
        reloc_put_jump(j, reloc_retarget(j, in));
        break;
    case EZ_FLOW_XBEGIN:
        reloc_put(j, b, in->len - 4u);
        reloc_put_rel32(j, reloc_retarget(j, in), 0);
        break;
    /* A system call is not moved, because a thread could sleep in it for long, with its pc in the
     * copy. */
    case EZ_FLOW_SYSCALL:
        return reloc_refuse(ip, "a system call");
    default:
        reloc_put_plain(j, b, in);
    }
    return NULL;
}

/* Returns true if the next instruction is never reached from this one. Returns false for a call,
 * which returns to the original code, and for int3 and int1, behind which a debugger can continue;
 * they can have prefixes. */
static bool reloc_never_falls_through(const uint8_t *b, const struct ez_insn *in)
{
    uint8_t last = b[in->len - 1];
    return in->flow == EZ_FLOW_JMP || in->flow == EZ_FLOW_IJMP || in->flow == EZ_FLOW_RET ||
           (in->flow == EZ_FLOW_TRAP && last != 0xcc && last != 0xf1);
}

static ez_err *reloc_put_all(struct job *j, const uint8_t *code)
{
    struct ez_insn in = { 0 };
    struct ez_reloc *out = j->out;
    for (size_t off = 0; off < j->n; off += in.len) {
        EZ_TRY(x64_decode(code + off, j->n - off, j->va + off, &in));
        if (out->n == EZ_MAX_PROLOGUE)
            return reloc_refuse(j->va + off, "a prologue of this length");
        out->from[out->n] = (uint8_t)off;
        out->to[out->n++] = (uint16_t)out->len;
        EZ_TRY(reloc_put_insn(j, code + off, &in, j->va + off));
        out->ends = reloc_never_falls_through(code + off, &in);
    }
    if (!out->ends && in.flow != EZ_FLOW_CALL && in.flow != EZ_FLOW_ICALL)
        reloc_put_jump(j, j->va + j->n);
    return NULL;
}

ez_err *x64_relocate(const uint8_t *code, size_t n, uint64_t va, uint64_t to, struct ez_reloc *out)
{
    /* The struct is large, so only the used bytes are initialized and copied. */
    struct ez_reloc r;
    r.len = r.n = 0;
    r.ends = false;
    struct job j = { .out = &r, .va = va, .to = to, .n = n };
    if (!n || n > UINT8_MAX)
        return ez_err_new(EZ_E_ARG, 0, "A patch region cannot have %zu bytes", n);
    EZ_TRY(reloc_put_all(&j, code));
    if (j.overflow)
        return reloc_refuse(va, "a prologue of this length");
    if (j.too_far)
        return ez_err_place(
            ez_err_new(EZ_E_RANGE, 0, "the code refers to an address more than 2 GiB away"),
            ", at 0x%lx from 0x%lx", (unsigned long)va, (unsigned long)to);
    memcpy(out->code, r.code, r.len);
    memcpy(out->from, r.from, r.n * sizeof *r.from);
    memcpy(out->to, r.to, r.n * sizeof *r.to);
    out->len = r.len;
    out->n = r.n;
    out->ends = r.ends;
    return NULL;
}

ez_err *x64_jump(uint64_t from, uint64_t to, uint8_t *buf)
{
    int64_t d = (int64_t)(to - (from + X64_JUMP_LEN));
    int32_t d32 = (int32_t)d;
    if (d != d32)
        return ez_err_new(EZ_E_RANGE, 0, "a jump from 0x%lx does not reach 0x%lx",
                          (unsigned long)from, (unsigned long)to);
    buf[0] = 0xe9;
    memcpy(buf + 1, &d32, 4);
    return NULL;
}

ez_err *x64_short_jump(uint64_t from, uint64_t to, uint8_t *buf)
{
    int64_t d = (int64_t)(to - (from + X64_SHORT_JUMP_LEN));
    int8_t d8 = (int8_t)d;
    if (d != d8)
        return ez_err_new(EZ_E_RANGE, 0, "a short jump from 0x%lx does not reach 0x%lx",
                          (unsigned long)from, (unsigned long)to);
    buf[0] = 0xeb;
    memcpy(buf + 1, &d8, 1);
    return NULL;
}

void x64_far_jump(uint64_t to, uint8_t *buf)
{
    memcpy(buf, "\xff\x25\0\0\0\0", 6); /* jmp *0(%rip) */
    memcpy(buf + 6, &to, 8);
}

/* A punned jump consists of k segment prefixes, which have no effect, then e9 and the displacement.
 * The first n - 1 - k bytes of the displacement can be chosen; the others are bytes of the text. */
void x64_pun_range(const uint8_t *code, size_t n, size_t k, uint64_t from, uint64_t *lo,
                   uint64_t *hi)
{
    int32_t d;
    memcpy(&d, code + k + 1, 4);
    uint32_t width = 1u << (8 * (n - 1 - k));
    d = (int32_t)((uint32_t)d & ~(width - 1));
    *lo = from + k + X64_JUMP_LEN + (uint64_t)(int64_t)d;
    *hi = *lo + width - 1;
}

void x64_pun_jump(size_t n, size_t k, uint64_t from, uint64_t to, uint8_t *buf)
{
    uint32_t d = (uint32_t)(to - (from + k + X64_JUMP_LEN));
    memset(buf, 0x2e, k);
    buf[k] = 0xe9;
    memcpy(buf + k + 1, &d, n - 1 - k);
}
