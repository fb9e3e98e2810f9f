/* SPDX-License-Identifier: GPL-3.0-or-later */
/* abi.c - finds where arguments and results are, by the System V ABI (3.2.3).
 *
 * Each 8 bytes of a value of at most 16 bytes have a class. A value is as a whole in registers, or
 * as a whole on the stack (but see enum ez_abi_int128). If too few registers are left for a value,
 * later values can use the remaining registers.
 * Tests: tests/unit/dwarf/check_dwarf.c, tests/procs/types.sh */
#include "arch/x86_64/x64.h"

enum { NO, INT, SSE, SSEUP, X87, MEMORY };
enum { RAX = 0, RDX = 1, INTS = 6, FLOATS = 8 };
static const uint8_t abi_int[INTS] = { 5, 4, 1, 2, 8, 9 };

static int abi_merge(int a, int b)
{
    if (a == b || b == NO)
        return a;
    if (a == NO)
        return b;
    if (a == MEMORY || b == MEMORY)
        return MEMORY;
    if (a == INT || b == INT)
        return INT;
    return a == X87 || b == X87 ? MEMORY : SSE;
}

static void abi_add(int c[2], const struct ez_abi_scalar *s)
{
    uint64_t i = s->offset / 8;
    if (s->bytes && s->offset % EZ_MIN(s->bytes, 16u)) /* unaligned: a packed struct */
        c[0] = MEMORY;
    else if (s->class == EZ_ABI_LDOUBLE)
        c[0] = abi_merge(c[0], X87);
    else if (s->class == EZ_ABI_VECTOR) {
        c[0] = abi_merge(c[0], SSE);
        c[1] = abi_merge(c[1], SSEUP);
    } else {
        c[i] = abi_merge(c[i], s->class == EZ_ABI_INT ? INT : SSE);
        if (s->bytes > 8)
            c[1] = abi_merge(c[1], INT);
    }
}

static void abi_classify(const struct ez_abi_value *v, int c[2])
{
    c[0] = c[1] = NO;
    for (size_t k = 0; k < v->n; k++) {
        if (v->size > 16 || v->scalar[k].offset >= 16) {
            c[0] = MEMORY;
            return;
        }
        abi_add(c, &v->scalar[k]);
    }
    if (v->size > 16)
        c[0] = MEMORY;
    if (c[1] == MEMORY)
        c[0] = MEMORY;
}

static bool abi_is_wide(const struct ez_abi_value *v)
{
    return v->size > 16 && v->n == 1 && v->scalar[0].class == EZ_ABI_VECTOR;
}

/* Assigns registers to a value whose first and second 8 bytes have the classes c[0] and c[1]: a
 * register of `ints` from index *i on, or a vector register from number *f on. */
static void abi_assign(const int c[2], const uint8_t *ints, unsigned *i, unsigned *f,
                       struct ez_abi_place *out)
{
    out->at = EZ_ABI_IN_REGS;
    /* The first 8 bytes are padding, so their register does not matter. */
    if (c[0] == NO && c[1] != NO) {
        out->reg[1].vector = c[1] != INT;
        out->reg[1].number = c[1] == INT ? ints[(*i)++] : (*f)++;
        out->reg[0] = out->reg[1];
        out->nregs = 2;
        return;
    }
    for (unsigned k = 0; k < 2 && c[k] != NO; k++) {
        out->reg[k].vector = c[k] != INT;
        out->reg[k].high = c[k] == SSEUP;
        out->reg[k].number = c[k] == INT ? ints[(*i)++] : c[k] == SSEUP ? *f - 1 : (*f)++;
        out->nregs++;
    }
}

static void abi_push(struct ez_abi_call *c, uint64_t size, unsigned align, struct ez_abi_place *out)
{
    c->stack = (int64_t)EZ_ROUND_UP(c->stack, align >= 16 ? align : 8);
    out->offset = c->stack + 8; /* the return address has 8 bytes */
    c->stack += (int64_t)EZ_ROUND_UP(size, 8);
}

/* If c->int128 requires one of LLVM's rules, the value is an __int128, and too few registers are
 * left, finds where the value is, and returns true. Else returns false. */
static bool abi_int128(struct ez_abi_call *c, const struct ez_abi_value *v,
                       struct ez_abi_place *out)
{
    if (c->int128 == EZ_INT128_STACK || v->aggregate || v->size != 16 || v->n != 1 ||
        v->scalar[0].class != EZ_ABI_INT || c->ints + 2 <= INTS)
        return false;
    if (c->ints == INTS || c->int128 == EZ_INT128_FILLS) {
        out->at = EZ_ABI_STACK;
        abi_push(c, 16, c->int128 == EZ_INT128_FILLS ? 16 : 8, out);
        c->ints = INTS;
        return true;
    }
    out->at = EZ_ABI_IN_REGS;
    out->nregs = 2;
    out->reg[0].number = abi_int[c->ints++];
    out->reg[1].stack = true;
    abi_push(c, 8, 8, out);
    return true;
}

void x64_place_argument(struct ez_abi_call *c, const struct ez_abi_value *v,
                        struct ez_abi_place *out)
{
    int k[2];
    *out = (struct ez_abi_place){ .at = EZ_ABI_NOWHERE };
    if (v->by_address) {
        out->at = c->ints < INTS ? EZ_ABI_POINTED : EZ_ABI_STACKED;
        if (c->ints < INTS)
            out->reg[out->nregs++].number = abi_int[c->ints++];
        else
            abi_push(c, 8, 8, out);
        return;
    }
    if (abi_int128(c, v, out))
        return;
    abi_classify(v, k);
    unsigned ints = (k[0] == INT) + (k[1] == INT), floats = (k[0] == SSE) + (k[1] == SSE);
    if (abi_is_wide(v) && c->floats < FLOATS) {
        c->floats++;
        out->at = EZ_ABI_WIDE;
    } else if (k[0] == MEMORY || k[0] == X87 || c->ints + ints > INTS ||
               c->floats + floats > FLOATS) {
        out->at = EZ_ABI_STACK;
        abi_push(c, v->size, v->align, out);
    } else if (ints + floats) {
        abi_assign(k, abi_int, &c->ints, &c->floats, out);
    }
}

void x64_place_result(struct ez_abi_call *c, const struct ez_abi_value *v, struct ez_abi_place *out)
{
    static const uint8_t ints[2] = { RAX, RDX };
    unsigned i = 0, f = 0;
    int k[2];
    *out = (struct ez_abi_place){ .at = EZ_ABI_NOWHERE };
    abi_classify(v, k);
    if (!v->by_address && abi_is_wide(v)) {
        out->at = EZ_ABI_WIDE;
    } else if (!v->by_address && v->n && v->scalar[0].class == EZ_ABI_LDOUBLE &&
               (k[0] == X87 || !v->aggregate)) {
        out->at = EZ_ABI_X87;
    } else if (v->by_address || k[0] == MEMORY || k[0] == X87) {
        c->ints++; /* the address of the result is the first argument */
        out->at = EZ_ABI_RETURNED;
        out->reg[out->nregs++].number = RAX;
    } else if (k[0] != NO || k[1] != NO) {
        abi_assign(k, ints, &i, &f, out);
    }
}
