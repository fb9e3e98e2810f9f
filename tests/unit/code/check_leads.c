/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_leads.c - what leads to some bytes of a text, in texts of random bytes, against a plain
 * reading: all branches and addresses of the whole text, each decoded from its function's start. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/vec.h"
#include "engine/code/analyze.h"
#include "tests/unit/suite.h"

#define VA 0x401000ull

struct lead {
    uint64_t source, target;
    enum ez_lead lead;
};

struct plain {
    const struct ez_text_desc *d;
    uint64_t lo, hi;
    EZ_VEC(struct lead) v;
    bool branch_to_lo;
};

static uint64_t seed = 88172645463325252ull;

static uint32_t roll(uint32_t n)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (uint32_t)(seed >> 32) % n;
}

static bool wanted(uint64_t target, void *arg)
{
    const struct plain *p = arg;
    return target >= p->lo && target < p->hi;
}

static size_t length_at(const struct ez_text_desc *d, uint64_t at)
{
    const uint8_t *code = d->text + (at - d->va);
    size_t n = d->n - (size_t)(at - d->va), len = d->arch->decode.length(code, n);
    struct ez_insn in;
    return len ? len : ez_err_drop(d->arch->decode.insn(code, n, at, &in)) ? in.len : 0;
}

/* The instruction that holds the byte at `source`; false = that cannot be told. */
static bool insn_at(const struct ez_text_desc *d, uint64_t source, uint64_t *at, struct ez_insn *in)
{
    size_t n = EZ_UPTO(d->funcs, d->nfuncs, addr, source), len = 1;
    if (!n || source >= d->funcs[n - 1].end)
        return false;
    for (*at = d->funcs[n - 1].addr; *at < source; *at += len)
        if (!(len = length_at(d, *at)) || *at + len > source)
            break;
    return len && ez_err_drop(
                      d->arch->decode.insn(d->text + (*at - d->va), d->n - (*at - d->va), *at, in));
}

static void add_branch(uint64_t source, uint64_t target, void *arg)
{
    struct plain *p = arg;
    struct ez_insn in;
    uint64_t at;
    p->branch_to_lo |= target == p->lo;
    if (target > p->lo && (!insn_at(p->d, source, &at, &in) || (in.width && in.target == target)))
        EZ_PUSH(&p->v, ((struct lead){ source, target, EZ_LEAD_BRANCH }));
}

static void add_address(uint64_t source, uint64_t target, void *arg)
{
    struct plain *p = arg;
    struct ez_insn in;
    uint64_t at = source;
    bool known = insn_at(p->d, source, &at, &in);
    uint64_t last = known ? at + in.len - source : 0;
    bool absolute = known && !in.width && (last == 4 || last == 8) && source != at + in.riprel;
    if (target > p->lo && (!known || absolute || (in.riprel && in.target == target)))
        EZ_PUSH(&p->v, ((struct lead){ known ? at : source, target, EZ_LEAD_ADDRESS }));
}

static int by_all(const void *pa, const void *pb)
{
    const struct lead *a = pa, *b = pb;
    if (a->target != b->target)
        return a->target < b->target ? -1 : 1;
    if (a->lead != b->lead)
        return a->lead < b->lead ? -1 : 1;
    return a->source < b->source ? -1 : a->source > b->source;
}

static void read_plainly(struct plain *p)
{
    const struct ez_text_desc *d = p->d;
    d->arch->scan.branches(d->text, d->n, d->va, wanted, add_branch, p);
    d->arch->scan.addresses(d->text, d->n, d->va, wanted, add_address, p);
    for (size_t i = 0; i < d->npointers; i++)
        if (d->pointers[i].to > p->lo && d->pointers[i].to < p->hi)
            EZ_PUSH(&p->v,
                    ((struct lead){ d->pointers[i].at, d->pointers[i].to, EZ_LEAD_POINTER }));
    if (p->v.n)
        qsort(p->v.at, p->v.n, sizeof *p->v.at, by_all);
}

struct told {
    const struct plain *p;
    size_t n;
};

static void tell(uint64_t source, enum ez_lead lead, void *arg)
{
    struct told *t = arg;
    ck_assert_uint_lt(t->n, t->p->v.n);
    ck_assert_uint_eq(source, t->p->v.at[t->n].source);
    ck_assert_int_eq(lead, t->p->v.at[t->n].lead);
    t->n++;
}

static size_t ask(struct ez_text *t, const struct ez_text_desc *d, uint64_t lo, uint64_t hi)
{
    struct plain p = { .d = d, .lo = lo, .hi = hi };
    struct told told = { .p = &p };
    read_plainly(&p);
    ez_text_leads(t, lo, hi, tell, &told);
    ck_assert_uint_eq(told.n, p.v.n);
    ck_assert_int_eq(ez_text_called(t, lo), p.branch_to_lo);
    EZ_VEC_FREE(&p.v);
    return told.n;
}

/* Bytes that are branches more often than chance has it, to places in the text. */
static uint8_t *some_text(size_t n)
{
    static const uint8_t likely[] = { 0x55, 0x90, 0x74, 0xeb, 0xe2, 0xc3, 0x48, 0x89, 0xe5, 0x06 };
    uint8_t *b = ez_alloc(n + 16);
    for (size_t i = 0; i < n; i++)
        b[i] = roll(3) ? likely[roll(sizeof likely)] : (uint8_t)roll(256);
    for (size_t i = 0; i + 8 < n; i += 8 + roll(24)) {
        static const uint8_t op[4][2] = {
            { 0xe8, 0x90 }, { 0x0f, 0x85 }, { 0x8d, 0x05 }, { 0xb9, 0 }
        };
        unsigned k = roll(4), opcode = k == 1 || k == 2 ? 2 : 1;
        int32_t to =
            (int32_t)roll((uint32_t)n) - (k == 3 ? -(int32_t)VA : (int32_t)(i + opcode + 4));
        memcpy(b + i, op[k], opcode);
        memcpy(b + i + opcode, &to, 4);
    }
    return b;
}

/* _i: functions of so many bytes */
START_TEST(leads)
{
    size_t found = 0;
    for (size_t round = 0; round < 40; round++) {
        size_t n = 1 + roll(30000), nfuncs = 0;
        EZ_FREE uint8_t *text = some_text(n);
        EZ_FREE struct ez_func *f = ez_alloc((n + 1) * sizeof *f);
        for (uint64_t at = VA + roll(20); at < VA + n; nfuncs++) {
            uint64_t end = at + 1 + roll((uint32_t)_i);
            end = EZ_MIN(end, VA + n);
            f[nfuncs] =
                (struct ez_func){ .addr = at, .end = end, .next = end + roll(3), .body = end };
            at = f[nfuncs].next;
        }
        struct ez_pointer pointer[64];
        for (size_t i = 0; i < EZ_ARRAY_LEN(pointer); i++)
            pointer[i] = (struct ez_pointer){ 0x800000 + 8 * i, VA + roll((uint32_t)n + 10) };
        const struct ez_text_desc d = { ez_arch_host(), text, n, VA, f, nfuncs, pointer, 64 };
        struct ez_text *t;
        ck_assert_ptr_null(ez_text_create(&d, &t));
        for (size_t i = 0; i < 60; i++) {
            uint64_t lo = VA - 2 + roll((uint32_t)n + 4), hi = lo + 1 + roll(roll(10) ? 8 : 400);
            found += ask(t, &d, lo, EZ_MIN(hi, VA + n));
        }
        ez_text_destroy(t);
    }
    ck_assert_uint_gt(found, 500);
}
END_TEST

int main(void)
{
    static const int sizes[] = { 16, 300, 20000 };
    Suite *s = suite_create("leads");
    TCase *t = tcase_create("leads");
    tcase_set_timeout(t, 60);
    for (size_t i = 0; i < EZ_ARRAY_LEN(sizes); i++)
        tcase_add_loop_test(t, leads, sizes[i], sizes[i] + 1);
    suite_add_tcase(s, t);
    return run_suite(s);
}
