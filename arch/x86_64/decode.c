/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decode.c - decodes one instruction: its length, its effect on the flow of control, and the
 * address to which it branches or refers.
 *
 * Why:    To move code, every operand that depends on the code's address must be known.
 * Input:  code[n bytes] of the target at va.
 * Output: struct ez_insn.
 * Errors: EZ_E_DECODE (no valid instruction), EZ_E_MISMATCH (libopcodes and the table of length.c
 *         disagree: such code is not changed).
 * Invariant: the two decoders agree on length, branch target and pc-relative operand of a decoded
 *         instruction. An instruction that the table does not contain is decoded as plain, and
 *         only if libopcodes prints no address for it.
 * Not thread-safe, because libopcodes stores its state in one struct.
 * Tests: tests/unit/arch/check_decode.c */
#include "config.h"

#include <dis-asm.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "arch/disas.h"
#include "arch/x86_64/x64.h"

/* What libopcodes printed about an instruction. */
struct answer {
    int naddr;     /* number of printed addresses */
    uint64_t addr; /* the last printed address */
    /* "(bad)" was printed, or ".byte", for an instruction that the buffer's end cuts off */
    bool bad;
};

static struct answer answer; /* global, because libopcodes passes no argument to
                              * print_address_func */

static void decode_note(const char *piece, size_t n)
{
    if (memmem(piece, n, "(bad", 4) || memmem(piece, n, ".byte", 5))
        answer.bad = true;
}

/* Searches a text that libopcodes prints for "(bad" and ".byte". Formats the text only if the
 * format is not a plain string, because libopcodes calls this function millions of times. */
static void on_any(const char *fmt, va_list ap)
{
    char piece[24];
    if (!strcmp(fmt, "%.*s")) {
        int n = va_arg(ap, int);
        const char *text = va_arg(ap, const char *);
        decode_note(text, strnlen(text, n < 0 ? 0 : (size_t)n));
    } else if (!strcmp(fmt, "%s")) {
        const char *text = va_arg(ap, const char *);
        decode_note(text, strlen(text));
    } else {
        int n = vsnprintf(piece, sizeof piece, fmt, ap);
        decode_note(piece, n < 0 ? 0 : EZ_MIN((size_t)n, sizeof piece - 1));
    }
}

static int on_text(void *arg, const char *fmt, ...)
{
    va_list ap;
    (void)arg;
    va_start(ap, fmt);
    on_any(fmt, ap);
    va_end(ap);
    return 0;
}

static int on_styled_text(void *arg, enum disassembler_style style, const char *fmt, ...)
{
    va_list ap;
    (void)arg, (void)style;
    va_start(ap, fmt);
    on_any(fmt, ap);
    va_end(ap);
    return 0;
}

static void on_address(bfd_vma addr, struct disassemble_info *info)
{
    (void)info;
    answer.addr = addr;
    answer.naddr++;
}

static void on_memory_error(int status, bfd_vma addr, struct disassemble_info *info)
{
    /* decode_by_libopcodes() returns the error: a length of at most 0. */
    (void)status, (void)addr, (void)info;
}

static int decode_by_libopcodes(const uint8_t *code, size_t n, uint64_t va, bool *branch)
{
    static disassembler_ftype disassemble;
    static disassemble_info info;
    if (!disassemble) {
        init_disassemble_info(&info, NULL, on_text, on_styled_text);
        info.arch = bfd_arch_i386;
        info.mach = bfd_mach_x86_64;
        info.read_memory_func = buffer_read_memory;
        info.memory_error_func = on_memory_error;
        info.print_address_func = on_address;
        disassemble_init_for_target(&info);
        disassemble = disassembler(bfd_arch_i386, false, bfd_mach_x86_64, NULL);
    }
    answer = (struct answer){ 0 };
    info.buffer = (bfd_byte *)code;
    info.buffer_vma = va;
    info.buffer_length = EZ_MIN(n, (size_t)EZ_MAX_INSN);
    info.insn_info_valid = 0;
    int len = disassemble(va, &info);
    *branch = info.insn_info_valid;
    return len;
}

static enum ez_flow decode_flow_of_map0(uint8_t op, uint8_t modrm)
{
    switch (op) {
    case 0x70 ... 0x7f:
        return EZ_FLOW_JCC;
    case 0xc2:
    case 0xc3:
    case 0xca:
    case 0xcb:
    case 0xcf:
        return EZ_FLOW_RET;
    case 0xc7:
        return modrm == 0xf8 ? EZ_FLOW_XBEGIN : EZ_FLOW_PLAIN;
    case 0xcc:
    case 0xf1:
    case 0xf4:
        return EZ_FLOW_TRAP;
    case 0xcd:
        return EZ_FLOW_SYSCALL; /* int $0x80 is a system call; other interrupts trap. */
    case 0xe0 ... 0xe3:
        return EZ_FLOW_LOOP;
    case 0xe8:
        return EZ_FLOW_CALL;
    case 0xe9:
    case 0xeb:
        return EZ_FLOW_JMP;
    case 0xff:
        switch ((modrm >> 3) & 7) {
        case 2:
        case 3:
            return EZ_FLOW_ICALL;
        case 4:
        case 5:
            return EZ_FLOW_IJMP;
        }
    }
    return EZ_FLOW_PLAIN;
}

static enum ez_flow decode_flow_of(const uint8_t *code, const struct x64_parts *p)
{
    uint8_t op = code[p->op];
    if (p->vex || !p->len)
        return EZ_FLOW_PLAIN;
    if (p->map == 0)
        return decode_flow_of_map0(op, p->modrm ? code[p->modrm] : 0);
    if (p->map != 1)
        return EZ_FLOW_PLAIN;
    switch (op) {
    case 0x05:
    case 0x34:
        return EZ_FLOW_SYSCALL;
    case 0x07:
    case 0x0b:
    case 0x35:
    case 0xb9:
        return EZ_FLOW_TRAP;
    case 0x80 ... 0x8f:
        return EZ_FLOW_JCC;
    default:
        return EZ_FLOW_PLAIN;
    }
}

static bool decode_is_branch(enum ez_flow f)
{
    return f == EZ_FLOW_CALL || f == EZ_FLOW_JMP || f == EZ_FLOW_JCC || f == EZ_FLOW_LOOP ||
           f == EZ_FLOW_XBEGIN;
}

static uint8_t decode_branch_width(const uint8_t *code, const struct x64_parts *p)
{
    uint8_t op = code[p->op];
    return p->map == 1 || op == 0xe8 || op == 0xe9 || op == 0xc7 ? 4 : 1;
}

static int64_t decode_displacement(const uint8_t *at, unsigned width)
{
    int32_t d;
    if (width == 1)
        return (int8_t)*at;
    memcpy(&d, at, 4);
    return d;
}

/* Returns true if the instruction that libopcodes reports consists only of prefixes, because no
 * valid instruction follows them. After relocation, such prefixes would change the instruction that
 * follows them. libopcodes treats fwait (9b) as a prefix of x87 instructions; if it is the only
 * byte, it is an instruction. The byte after REX2 (d5, which libopcodes decodes from binutils 2.43
 * on) is part of the prefix. */
static bool decode_only_prefixes(const uint8_t *code, size_t len)
{
    static const uint8_t prefix[] = { 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
                                      0x66, 0x67, 0xf0, 0xf2, 0xf3, 0x9b };
    for (size_t i = 0; i < len; i++)
        if (code[i] == 0xd5)
            i++;
        else if ((code[i] & 0xf0) != 0x40 && !memchr(prefix, code[i], sizeof prefix))
            return false;
    return len > 1 || code[0] != 0x9b;
}

/* Returns true for padding instructions of assemblers. `pause` (f3 90) and xchg with %r8 are no
 * padding. */
static bool decode_is_nop(const uint8_t *code, const struct x64_parts *p)
{
    if (!p->len || p->vex)
        return false;
    if (p->map == 0 && code[p->op] == 0x90)
        return !(p->rex & 1) && !memchr(code, 0xf3, p->op);
    if (p->map == 0 && code[p->op] == 0xcc)
        return p->len == 1;
    return p->map == 1 && code[p->op] == 0x1f && !(code[p->modrm] & 0x38);
}

size_t x64_nop(const uint8_t *code, size_t n)
{
    struct x64_parts p;
    return x64_split(code, n, &p) && decode_is_nop(code, &p) ? p.len : 0;
}

/* Checks that the two decoders agree on the instruction at va: `in`, from the table, and `answer`,
 * from libopcodes. branch: libopcodes reported a branch. */
static ez_err *decode_check(const struct ez_insn *in, const struct x64_parts *p, bool branch,
                            uint64_t va)
{
    bool refers = decode_is_branch(in->flow) || in->riprel;
    if ((p->len && p->len != in->len) || branch != decode_is_branch(in->flow) ||
        (answer.naddr != 0) != refers || answer.naddr > 1 || (refers && answer.addr != in->target))
        return ez_err_place(
            ez_err_new(EZ_E_MISMATCH, 0, "Two decoders disagree about the instruction"),
            " at 0x%lx", (unsigned long)va);
    return NULL;
}

/* ---- cache of decoded forms ---- */

/* Prologues consist of few different instructions, so most instructions were decoded before. The
 * key of the cache is the form of an instruction: its prefixes, opcode, ModRM and SIB. For the
 * one-byte opcodes and those after 0f, the decoding does not depend on the value of a displacement
 * or an immediate. For all other opcodes, the form consists of all bytes. */
static struct known {
    uint64_t lo, hi;   /* bytes of the form, then zeros */
    struct ez_insn in; /* len 0 = free entry */
} known[4096];

static size_t decode_form_len(const uint8_t *code, const struct x64_parts *p)
{
    if (p->vex || p->map > 1)
        return p->len;
    if (!p->modrm)
        return p->op + 1u;
    bool sib = code[p->modrm] < 0xc0 && (code[p->modrm] & 7) == 4;
    return p->modrm + 1u + sib;
}

struct x64_form x64_form_of(const uint8_t *code, const struct x64_parts *p)
{
    uint8_t form[16] = { 0 };
    struct x64_form f;
    memcpy(form, code, decode_form_len(code, p));
    memcpy(&f.lo, form, 8);
    memcpy(&f.hi, form + 8, 8);
    f.hash = (f.lo ^ f.hi * 0xff51afd7ed558ccdull) * 0x9e3779b97f4a7c15ull;
    return f;
}

static struct known *decode_slot_for(const struct x64_form *f)
{
    return &known[f->hash >> 52];
}

/* Returns true if a byte of the instruction is 66 or 67. As a prefix, such a byte can shorten an
 * address to 16 or 32 bits, so the decoding can depend on the address of the code, and must not be
 * cached. */
static bool decode_place_matters(const uint8_t *code, size_t len)
{
    return memchr(code, 0x66, len) || memchr(code, 0x67, len);
}

static void decode_find_target(const uint8_t *code, uint64_t va, struct ez_insn *in)
{
    if (in->width)
        in->target = va + in->len + decode_displacement(code + in->len - in->width, in->width);
    else if (in->riprel)
        in->target = va + in->len + decode_displacement(code + in->riprel, 4);
}

static bool decode_recall(const uint8_t *code, const struct x64_parts *p, uint64_t va,
                          struct ez_insn *out)
{
    const struct x64_form f = x64_form_of(code, p);
    const struct known *k = decode_slot_for(&f);
    if (k->in.len != p->len || k->lo != f.lo || k->hi != f.hi)
        return false;
    *out = k->in;
    decode_find_target(code, va, out);
    return true;
}

static void decode_remember(const uint8_t *code, const struct x64_parts *p,
                            const struct ez_insn *in)
{
    const struct x64_form f = x64_form_of(code, p);
    if ((in->width || in->riprel) && decode_place_matters(code, in->len))
        return;
    *decode_slot_for(&f) = (struct known){ f.lo, f.hi, *in };
}

static ez_err *decode_anew(const uint8_t *code, size_t n, uint64_t va, const struct x64_parts *p,
                           struct ez_insn *out)
{
    struct ez_insn in = { 0 };
    bool branch;
    int len = n ? decode_by_libopcodes(code, n, va, &branch) : 0;
    if (len <= 0 || (size_t)len > n || answer.bad || decode_only_prefixes(code, (size_t)len))
        return ez_err_place(ez_err_new(EZ_E_DECODE, 0, "no instruction"), " at 0x%lx",
                            (unsigned long)va);
    in.len = len;
    in.flow = decode_flow_of(code, p);
    if (decode_is_branch(in.flow))
        in.width = decode_branch_width(code, p);
    else
        in.riprel = p->disp32;
    decode_find_target(code, va, &in);
    in.is_nop = decode_is_nop(code, p);
    in.is_landing = len == 4 && !memcmp(code, "\xf3\x0f\x1e\xfa", 4);
    EZ_TRY(decode_check(&in, p, branch, va));
    *out = in;
    return NULL;
}

ez_err *x64_decode(const uint8_t *code, size_t n, uint64_t va, struct ez_insn *out)
{
    struct x64_parts p;
    bool split = x64_split(code, n, &p);
    if (!split)
        memset(&p, 0, sizeof p);
    else if (decode_recall(code, &p, va, out))
        return NULL;
    EZ_TRY(decode_anew(code, n, va, &p, out));
    if (split)
        decode_remember(code, &p, out);
    return NULL;
}

ez_err *x64_print(const struct ez_print *p, char *buf, size_t bufsize, size_t *len)
{
    const struct ez_disas by = { bfd_arch_i386, bfd_mach_x86_64, p->intel ? "intel" : NULL };
    return ez_disas(&by, p, buf, bufsize, len);
}
