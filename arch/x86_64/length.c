/* SPDX-License-Identifier: GPL-3.0-or-later */
/* length.c - splits an instruction into prefixes, opcode, ModRM, displacement and immediate by a
 * table, without libopcodes.
 *
 * Why:    libopcodes decodes 3 M instructions/s, and does not report the offset of an operand.
 *         Scans of whole texts must be fifty times as fast; relocation needs the offset.
 * Input:  code[n bytes].
 * Output: struct x64_parts, and the length; 0 for an instruction that is invalid in 64-bit mode, or
 *         so rare that only libopcodes decodes it.
 * Invariant: a length other than 0 equals the length that libopcodes finds.
 * Source: SDM volume 2, appendix A (opcode maps).
 * Tests: tests/unit/arch/check_decode.c */
#include <string.h>

#include "arch/x86_64/x64.h"

enum {
    M = 1,      /* has a ModRM byte */
    I8 = 2,     /* 8-bit immediate or displacement */
    IZ = 4,     /* 32-bit immediate; 16-bit with prefix 66 */
    I16 = 8,    /* 16-bit immediate */
    I64 = 16,   /* the immediate of IZ has 64 bits if REX.W is set */
    MOFFS = 32, /* absolute address: 8 bytes; 4 with prefix 67 */
    GRP3 = 64,  /* only /0 and /1 have the immediate */
    REL = 128,  /* the immediate is a branch displacement; with prefix 66, AMD and Intel differ */
    BAD = 256,
};

#define ALU(base)                                                                                  \
    [base... base + 3] = M, [base + 4] = I8, [base + 5] = IZ, [base + 6 ... base + 7] = BAD

static const uint16_t map0[256] = {
    ALU(0x00),
    ALU(0x08),
    ALU(0x10),
    ALU(0x18),
    ALU(0x20),
    ALU(0x28),
    ALU(0x30),
    ALU(0x38),
    [0x40 ... 0x4f] = BAD, /* REX, handled as a prefix */
    [0x60 ... 0x62] = BAD,
    [0x63] = M,
    [0x64 ... 0x67] = BAD,
    [0x68] = IZ,
    [0x69] = M | IZ,
    [0x6a] = I8,
    [0x6b] = M | I8,
    [0x70 ... 0x7f] = I8 | REL,
    [0x80] = M | I8,
    [0x81] = M | IZ,
    [0x82] = BAD,
    [0x83] = M | I8,
    [0x84 ... 0x8f] = M,
    [0x9a] = BAD,
    [0x9b] = BAD, /* fwait: libopcodes treats it as a prefix of the next x87 instruction */
    [0xa0 ... 0xa3] = MOFFS,
    [0xa8] = I8,
    [0xa9] = IZ,
    [0xb0 ... 0xb7] = I8,
    [0xb8 ... 0xbf] = IZ | I64,
    [0xc0 ... 0xc1] = M | I8,
    [0xc2] = I16,
    [0xc4 ... 0xc5] = BAD,
    [0xc6] = M | I8,
    [0xc7] = M | IZ,
    [0xc8] = I16 | I8,
    [0xca] = I16,
    [0xcd] = I8,
    [0xce] = BAD,
    [0xd0 ... 0xd3] = M,
    [0xd4 ... 0xd6] = BAD,
    [0xd8 ... 0xdf] = M,
    [0xe0 ... 0xe3] = I8 | REL,
    [0xe4 ... 0xe7] = I8,
    [0xe8 ... 0xe9] = IZ | REL,
    [0xea] = BAD,
    [0xeb] = I8 | REL,
    [0xf0] = BAD,
    [0xf2 ... 0xf3] = BAD,
    [0xf6] = M | GRP3 | I8,
    [0xf7] = M | GRP3 | IZ,
    [0xfe ... 0xff] = M,
};

static const uint16_t map1[256] = {
    [0x00 ... 0x03] = M,
    [0x04] = BAD,
    [0x0a] = BAD,
    [0x0c] = BAD,
    [0x0d] = M,
    [0x0e ... 0x0f] = BAD, /* 3DNow! */
    [0x10 ... 0x1f] = M,
    [0x20 ... 0x27] = BAD, /* moves of control and debug registers, which are privileged */
    [0x28 ... 0x2f] = M,
    [0x36] = BAD,
    [0x38 ... 0x3f] = BAD,
    [0x40 ... 0x6f] = M,
    [0x70 ... 0x73] = M | I8,
    [0x74 ... 0x76] = M,
    [0x78 ... 0x7b] = BAD,
    [0x7c ... 0x7f] = M,
    [0x80 ... 0x8f] = IZ | REL,
    [0x90 ... 0x9f] = M,
    [0xa3] = M,
    [0xa4] = M | I8,
    [0xa5] = M,
    [0xa6 ... 0xa7] = BAD,
    [0xab] = M,
    [0xac] = M | I8,
    [0xad ... 0xb9] = M,
    [0xba] = M | I8,
    [0xbb ... 0xc1] = M,
    [0xc2] = M | I8,
    [0xc3] = M,
    [0xc4 ... 0xc6] = M | I8,
    [0xc7] = M,
    [0xd0 ... 0xfe] = M,
    [0xff] = BAD, /* ud0: has a ModRM byte only on some processors */
};

struct prefixes {
    uint8_t n;
    bool o16, a32, other; /* o16: operand size (66); a32: address size (67); other: f0, f2 or f3 */
};

static struct prefixes length_read_prefixes(const uint8_t *b, size_t n)
{
    struct prefixes p = { 0 };
    for (; p.n < n; p.n++) {
        switch (b[p.n]) {
        case 0x66:
            p.o16 = true;
            break;
        case 0x67:
            p.a32 = true;
            break;
        case 0xf0:
        case 0xf2:
        case 0xf3:
            p.other = true;
            break;
        case 0x26:
        case 0x2e:
        case 0x36:
        case 0x3e:
        case 0x64:
        case 0x65:
            break;
        default:
            return p;
        }
    }
    return p;
}

/* Returns the flags (M, I8, ...) of a VEX, EVEX or XOP instruction by its opcode map `map` and
 * opcode op. */
static unsigned length_vector_flags(unsigned map, uint8_t op)
{
    switch (map) {
    case 1:
        return op == 0x77 ? 0 : M | (map1[op] & I8);
    case 2:
    case 5:
    case 6:
    case 9:
        return M;
    case 3:
    case 8:
        return M | I8;
    case 10:
        return M | IZ;
    default:
        return BAD;
    }
}

/* Reads the opcode, which is behind the prefixes, at p->op. Sets p->op to the offset of its last
 * byte, and p->map and p->vex. Returns the instruction's flags (M, I8, ...). */
static unsigned length_read_opcode(const uint8_t *b, const struct prefixes *pre,
                                   struct x64_parts *p)
{
    unsigned i = p->op;
    unsigned vex = b[i] == 0xc5                                             ? 2
                   : b[i] == 0xc4 || (b[i] == 0x8f && (b[i + 1] & 31) >= 8) ? 3
                   : b[i] == 0x62                                           ? 4
                                                                            : 0;
    if (vex) {
        if (p->rex || pre->o16 || pre->other || (vex == 4 && (b[i + 1] & 8)))
            return BAD;
        p->vex = true;
        p->map = vex == 2 ? 1 : b[i + 1] & (vex == 4 ? 7 : 31);
        if ((p->map >= 8) != (b[i] == 0x8f))
            return BAD;
        p->op = i + vex;
        return length_vector_flags(p->map, b[p->op]);
    }
    if (b[i] != 0x0f)
        return map0[b[i]];
    p->map = b[i + 1] == 0x38 ? 2 : b[i + 1] == 0x3a ? 3 : 1;
    p->op = i + (p->map == 1 ? 1 : 2);
    return p->map == 1 ? map1[b[p->op]] : p->map == 2 ? M : M | I8;
}

/* Returns true if the opcode is invalid with this ModRM byte. */
static inline bool length_bad_group(const uint8_t *b, const struct x64_parts *p)
{
    uint8_t modrm = b[p->modrm], reg = (modrm >> 3) & 7;
    if (p->map || p->vex)
        return false;
    switch (b[p->op]) {
    case 0x8d:
        return modrm >= 0xc0;
    case 0x8f:
        return reg != 0;
    case 0xc6:
    case 0xc7:
        return reg != 0 && modrm != 0xf8; /* valid: mov (/0), xabort and xbegin (f8) */
    case 0xfe:
        return reg > 1;
    case 0xff:
        return reg == 7 || ((reg == 3 || reg == 5) && modrm >= 0xc0);
    default:
        return false;
    }
}

/* Sets p->modrm and p->disp32, and returns the total length of ModRM, SIB and displacement. */
static inline unsigned length_read_modrm(const uint8_t *b, struct x64_parts *p)
{
    unsigned i = p->op + 1u, mod = b[i] >> 6, rm = b[i] & 7, n = 1;
    p->modrm = i;
    if (mod == 3)
        return n;
    if (rm == 4)
        n += mod == 0 && (b[i + 1] & 7) == 5 ? 5 : 1;
    else if (mod == 0 && rm == 5) {
        p->disp32 = i + 1;
        n += 4;
    }
    return n + (mod == 1 ? 1 : mod == 2 ? 4 : 0);
}

static unsigned length_immediate_bytes(unsigned f, const struct prefixes *pre, bool wide)
{
    unsigned n = (f & I8 ? 1 : 0) + (f & I16 ? 2 : 0);
    if (f & IZ)
        n += f & I64 && wide ? 8 : pre->o16 && !wide ? 2 : 4;
    if (f & MOFFS)
        n += pre->a32 ? 4 : 8;
    return n;
}

/* Splits an instruction of the most frequent form (nine of ten instructions): no prefix except REX,
 * and an opcode of one byte, or of 0f and one byte, without exceptions. Returns its length; 0 for
 * other forms, for which length_split() is needed. */
static inline size_t length_split_usual(const uint8_t *b, struct x64_parts *p)
{
    unsigned rex = (b[0] & 0xf0) == 0x40, two = b[rex] == 0x0f, op = rex + two;
    unsigned f = two ? map1[b[op]] : map0[b[op]];
    if (f & (BAD | I16 | I64 | MOFFS | GRP3) || (b[op] == 0x8f && !two))
        return 0;
    *p = (struct x64_parts){ .op = (uint8_t)op, .map = (uint8_t)two, .rex = rex ? b[0] : 0 };
    size_t len = op + 1 + (f & I8 ? 1 : 0) + (f & IZ ? 4 : 0);
    if (!(f & M))
        return len;
    len += length_read_modrm(b, p);
    return length_bad_group(b, p) ? 0 : len;
}

#define MARGIN 32
static __attribute__((noinline)) size_t length_split(const uint8_t *b, struct x64_parts *p)
{
    struct prefixes pre = length_read_prefixes(b, EZ_MAX_INSN);
    p->op = pre.n;
    if ((b[p->op] & 0xf0) == 0x40)
        p->rex = b[p->op++];
    if (p->op > 11) /* so that the reads below do not exceed the buffer */
        return 0;
    unsigned f = length_read_opcode(b, &pre, p);
    bool wide = p->rex & 8;
    if (f & BAD || (f & REL && pre.o16 && !wide))
        return 0;
    size_t len = p->op + 1u;
    if (f & M) {
        len += length_read_modrm(b, p);
        if (length_bad_group(b, p))
            return 0;
        if (!p->map && b[p->op] == 0xc7 && b[p->modrm] == 0xf8 && pre.o16)
            return 0; /* xbegin with a 16-bit displacement */
        if (f & GRP3 && b[p->modrm] & 0x30)
            f = 0;
    }
    return len + length_immediate_bytes(f, &pre, wide);
}

size_t x64_split(const uint8_t *code, size_t n, struct x64_parts *p)
{
    /* Near the end of the buffer, splits a copy of the bytes with zeros behind them, because the
     * functions above may read beyond the instruction. A length that is greater than n is not
     * accepted, so the zeros cannot change an accepted length. */
    uint8_t b[MARGIN] = { 0 };
    if (n < MARGIN)
        code = memcpy(b, code, EZ_MIN(n, (size_t)EZ_MAX_INSN));
    size_t len = length_split_usual(code, p);
    if (!len) {
        memset(p, 0, sizeof *p);
        len = length_split(code, p);
    }
    if (len > EZ_MAX_INSN || len > n)
        return 0;
    p->len = len;
    return len;
}

size_t x64_length(const uint8_t *code, size_t n)
{
    struct x64_parts p;
    return x64_split(code, n, &p);
}
