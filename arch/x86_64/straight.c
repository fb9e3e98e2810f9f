/* SPDX-License-Identifier: GPL-3.0-or-later */
/* straight.c - generates code for the holes of trampolines with clauses: comparisons of arguments,
 * stores of an event's words, and counts by a register (arch/x86_64/rt_entry.S, "functions with
 * clauses").
 *
 * The generated code runs after a SAVE: %rdx, %rcx and %rax are saved at 0, 8 and 24(%rsp). The
 * code may change these registers and the flags. It must not change other registers, which have the
 * values of the program.
 * Tests: tests/unit/arch/check_straight.c, tests/procs/data.sh */
#include <string.h>

#include "arch/x86_64/x64.h"
#include "engine/data_abi.h"

struct out {
    uint8_t *to;
    size_t n, room;
};

static void straight_put(struct out *o, const void *bytes, size_t n)
{
    if (o->n + n <= o->room)
        memcpy(o->to + o->n, bytes, n);
    o->n += n;
}

static void straight_put32(struct out *o, int32_t v)
{
    straight_put(o, &v, sizeof v);
}

/* Returns the number that instructions use for the register with DWARF number `dwarf`. */
static uint8_t straight_number(uint8_t dwarf)
{
    static const uint8_t of[] = { 0, 2, 1, 3, 6, 7, 5, 4 };
    return dwarf < 8 ? of[dwarf] : dwarf;
}

/* The source operand of a load: a ModRM byte with the destination, %rdx (2) or %rax (0), in its reg
 * field, the bytes after ModRM, and REX.B. */
struct operand {
    uint8_t rex, bytes[3], n;
};

static struct operand straight_operand(uint8_t dwarf, uint8_t to)
{
    uint8_t reg = straight_number(dwarf), slot = reg == 2 ? 0 : reg == 1 ? 8 : 24;
    if (reg > 2) /* The SAVE did not store this register. */
        return (struct operand){ reg > 7, { (uint8_t)(0xc0 | to << 3 | (reg & 7)) }, 1 };
    /* slot(%rsp), where the SAVE stored the register */
    return (struct operand){ 0, { (uint8_t)(0x44 | to << 3), 0x24, slot }, 3 };
}

/* Writes an instruction that loads p, a part of a register, extended to 64 bits, into %rax (to = 0)
 * or %rdx (to = 2). */
static void straight_load(struct out *o, const struct ez_reg_part *p, uint8_t to)
{
    struct operand src = straight_operand(p->reg, to);
    uint8_t wide = 0x48 | src.rex; /* REX.W, REX.B */
    uint8_t code[8], n = 0;
    if (p->bits == 64) {
        code[n++] = wide;
        code[n++] = 0x8b; /* mov */
    } else if (p->bits == 32 && p->is_signed) {
        code[n++] = wide;
        code[n++] = 0x63; /* movslq */
    } else if (p->bits == 32) {
        code[n++] = 0x40 | src.rex;
        code[n++] = 0x8b; /* mov, which clears the upper half */
    } else {
        code[n++] = wide;
        code[n++] = 0x0f; /* movzx, movsx */
        code[n++] = (uint8_t)((p->is_signed ? 0xbe : 0xb6) + (p->bits == 16));
    }
    memcpy(code + n, src.bytes, src.n);
    straight_put(o, code, n + (size_t)src.n);
}

static bool straight_can(const struct ez_reg_part *p)
{
    return p->reg < 16 && p->reg != 7 &&
           (p->bits == 8 || p->bits == 16 || p->bits == 32 || p->bits == 64);
}

/* Returns the second byte of the opcode of the conditional jump that is taken if the test is
 * false. */
static uint8_t straight_fails(const struct ez_reg_test *t)
{
    static const uint8_t code[][2] = {
        /* for unsigned and for signed values */
        [EZ_TEST_EQ] = { 0x85, 0x85 }, [EZ_TEST_NE] = { 0x84, 0x84 }, [EZ_TEST_LT] = { 0x83, 0x8d },
        [EZ_TEST_LE] = { 0x87, 0x8f }, [EZ_TEST_GT] = { 0x86, 0x8e }, [EZ_TEST_GE] = { 0x82, 0x8c },
    };
    return code[t->how][t->is_signed];
}

size_t x64_straight_tests(const struct ez_reg_test *test, size_t n, int32_t fail, int32_t pass,
                          uint8_t *to, size_t room)
{
    struct out o = { to, 0, room };
    for (size_t i = 0; i < n; i++) {
        if (!straight_can(&test[i].part))
            return 0;
        straight_load(&o, &test[i].part, 0);
        straight_put(&o, "\x48\x3d", 2); /* cmp $value,%rax */
        straight_put32(&o, test[i].value);
        straight_put(&o, (uint8_t[]){ 0x0f, straight_fails(&test[i]) }, 2);
        straight_put32(&o, fail - (int32_t)o.n - 4);
    }
    straight_put(&o, "\xe9", 1);
    straight_put32(&o, pass - (int32_t)o.n - 4);
    return o.n <= room ? o.n : 0;
}

size_t x64_straight_words(const struct ez_reg_part *word, size_t n, uint8_t *to, size_t room)
{
    struct out o = { to, 0, room };
    for (size_t i = 0; i < n; i++) {
        if (!straight_can(&word[i]))
            return 0;
        straight_load(&o, &word[i], 2);
        straight_put(&o,
                     (uint8_t[]){ 0x48, 0x89, 0x50, (uint8_t)(24 + 24 * (i / 2) + 8 * (i & 1)) },
                     4); /* mov %rdx,AT(%rax) */
        if (!(i & 1) && i + 1 < n)
            continue;
        /* movq $code,AT(%rax) commits the record with the two words. The drain thread reads it only
         * after the event's first record is committed. */
        straight_put(&o, (uint8_t[]){ 0x48, 0xc7, 0x40, (uint8_t)(40 + 24 * (i / 2)) }, 4);
        straight_put32(&o, (int32_t)(EZ_R_PAIR << 8 | 1));
    }
    straight_put(&o, "\xe9", 1); /* jmp rel32 over the rest of the hole */
    straight_put32(&o, (int32_t)room - (int32_t)o.n - 4);
    return o.n <= room ? o.n : 0;
}

static void straight_put64(struct out *o, uint64_t v)
{
    straight_put(o, &v, sizeof v);
}

size_t x64_straight_count(const struct ez_reg_part *key, uint32_t table, uint32_t counter,
                          int32_t more, uint8_t *to, size_t room)
{
    struct out o = { to, 0, room };
    const uint32_t row = table + (uint32_t)offsetof(struct ez_addup_table, row);
    if (!straight_can(key))
        return 0;
    /* cmpq $0,ADDUPS(%rcx): 0 if fork cleared the control block */
    straight_put(&o, "\x48\x83\x79", 3);
    straight_put(&o, (uint8_t[]){ EZ_CTL_ADDUPS, 0, 0x0f, 0x84 }, 4);
    straight_put32(&o, more - (int32_t)o.n - 4);
    straight_load(&o, key, 0);
    straight_put(&o, "\x48\xba", 2); /* mov $NOBODY,%rdx */
    straight_put64(&o, EZ_ADDUP_NOBODY);
    straight_put(&o, "\x48\x31\xd0\x48\xba", 5); /* xor %rdx,%rax; mov $...,%rdx */
    straight_put64(&o, EZ_ADDUP_SPREAD);
    straight_put(&o, "\x48\x0f\xaf\xd0\x48\xc1\xea\x20\x48\x69\xd2", 11);
    straight_put32(&o, (int32_t)ez_addup_rows(EZ_ADDUP_NUMBERS)); /* imul; shr $32; imul $rows */
    /* shr $32,%rdx; shl $6,%rdx; add ADDUPS(%rcx),%rdx */
    straight_put(&o, "\x48\xc1\xea\x20\x48\xc1\xe2\x06\x48\x03\x51", 11);
    straight_put(&o, (uint8_t[]){ EZ_CTL_ADDUPS, 0x48, 0x39, 0x82 }, 4); /* cmp %rax,row(%rdx) */
    straight_put32(&o, (int32_t)row);
    straight_put(&o, "\x0f\x85", 2); /* jne more */
    straight_put32(&o, more - (int32_t)o.n - 4);
    straight_put(&o, "\x48\xff\x82", 3); /* incq n(%rdx) */
    straight_put32(&o, (int32_t)(row + offsetof(struct ez_addup_row, n)));
    straight_put(&o, "\x48\xff\x82", 3); /* incq sum(%rdx) */
    straight_put32(&o, (int32_t)(row + offsetof(struct ez_addup_row, sum)));
    straight_put(&o, "\x48\x8b\x51", 3); /* mov CNT(%rcx),%rdx */
    straight_put(&o, (uint8_t[]){ EZ_CTL_CNT, 0x48, 0xff, 0x82 }, 4);
    straight_put32(&o, (int32_t)counter); /* incq counter(%rdx) */
    return o.n <= room ? o.n : 0;
}
