/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analyze.c - a text prepared for judging functions: who branches where?
 *
 * DIRECT BRANCHES are found by arch->scan_branches over the whole text (a
 * superset), and confirmed by decoding from the start of the function that holds
 * the source. Where decoding fails on the way the candidate counts as real.
 * What is asked for of every function, the bytes under a jump at its entry, is
 * scanned for once, when the text is prepared.
 *
 * Tests: tests/unit/engine/check_analyze.c */
#include "engine/analyze_priv.h"

#include <string.h>

/* ---- instructions and functions ---- */

size_t text_step(const struct ez_text *t, uint64_t at)
{
    struct ez_insn in;
    size_t n = text_left(t, at);
    size_t len = n ? t->arch->length(text_bytes(t, at), n) : 0;
    if (!len && n && ez_err_drop(text_decode(t, at, &in)))
        len = in.len;
    return len;
}

const struct ez_func *text_func(const struct ez_text *t, uint64_t at)
{
    size_t n = EZ_UPTO(t->funcs, t->nfuncs, addr, at);
    return n ? &t->funcs[n - 1] : NULL;
}

uint64_t text_behind_landing(const struct ez_text *t, uint64_t addr)
{
    enum { LANDING_LEN = 4 };
    struct ez_insn in;
    if (text_left(t, addr) < LANDING_LEN ||
        t->arch->length(text_bytes(t, addr), text_left(t, addr)) != LANDING_LEN)
        return addr;
    return ez_err_drop(text_decode(t, addr, &in)) && in.is_landing ? addr + in.len : addr;
}

size_t text_padding(const struct ez_text *t, uint64_t at, uint64_t limit)
{
    uint64_t start = at;
    while (at < limit && text_left(t, at)) {
        struct ez_insn in;
        if (!ez_err_drop(text_decode(t, at, &in)) || !in.is_nop || at + in.len > limit)
            break;
        at += in.len;
    }
    return (size_t)(at - start);
}

bool text_never_falls_through(const struct ez_insn *in)
{
    return in->flow == EZ_FLOW_JMP || in->flow == EZ_FLOW_IJMP || in->flow == EZ_FLOW_RET ||
           in->flow == EZ_FLOW_TRAP;
}

/* ---- branches ---- */

/* Put the cursor on the instruction that holds the byte at `source`. Sources come
 * in ascending order, but for a byte, so that a text is decoded once at most. */
static void move_cursor(struct ez_text *t, uint64_t source)
{
    struct cursor *c = &t->cursor;
    const struct ez_func *f = text_func(t, source);
    if (f != c->func || source < c->at || !c->at)
        *c = (struct cursor){ .func = f, .at = f ? EZ_MAX(f->addr, t->va) : t->va };
    for (size_t len; c->at < source; c->at += len) {
        len = text_step(t, c->at);
        if (len && c->at + len > source)
            return;
        if (!len) {
            c->lost = true;
            len = 1;
        }
    }
}

/* Is the branch that the scan saw at `source` an instruction of the program? */
static bool is_real(struct ez_text *t, uint64_t source, uint64_t target)
{
    struct ez_insn in;
    const struct ez_func *f = text_func(t, source);
    if (!f || source >= f->end)
        return true;
    move_cursor(t, source);
    if (t->cursor.lost || !ez_err_drop(text_decode(t, t->cursor.at, &in)))
        return true;
    return in.width && in.target == target;
}

struct scan {
    struct ez_text *t;
    struct branches *out;
    bool (*wanted)(uint64_t target, void *arg);
    void *arg;
};

static bool is_wanted(uint64_t target, void *arg)
{
    const struct scan *s = arg;
    return s->wanted(target, s->arg);
}

static void keep_if_real(uint64_t source, uint64_t target, void *arg)
{
    struct scan *s = arg;
    struct branch b = { source, target };
    if (is_real(s->t, source, target))
        EZ_PUSH(&s->out->v, b);
}

static int by_target(const void *pa, const void *pb)
{
    const struct branch *a = pa, *b = pb;
    return a->target < b->target ? -1 : a->target > b->target;
}

void text_scan(struct ez_text *t, bool (*wanted)(uint64_t target, void *arg), void *arg,
               struct branches *out)
{
    struct scan s = { t, out, wanted, arg };
    t->arch->scan_branches(t->text, t->n, t->va, is_wanted, keep_if_real, &s);
    ez_sort(out->v.at, out->v.n, sizeof *out->v.at, by_target);
}

size_t text_first_above(const struct branches *b, uint64_t lo)
{
    return EZ_UPTO(b->v.at, b->v.n, target, lo);
}

const struct branch *text_branch_into(const struct branches *b, uint64_t lo, uint64_t hi)
{
    size_t i = text_first_above(b, lo);
    return i < b->v.n && b->v.at[i].target < hi ? &b->v.at[i] : NULL;
}

void ez_text_branches(const struct ez_text *t, uint64_t lo, uint64_t hi,
                      void (*fn)(uint64_t source, uint64_t target, void *arg), void *arg)
{
    for (size_t i = text_first_above(&t->in, lo); i < t->in.v.n && t->in.v.at[i].target < hi; i++)
        fn(t->in.v.at[i].source, t->in.v.at[i].target, arg);
}

struct range {
    uint64_t lo, hi;
};

static bool in_range(uint64_t target, void *arg)
{
    const struct range *r = arg;
    return target > r->lo && target < r->hi;
}

void text_scan_range(struct ez_text *t, uint64_t lo, uint64_t hi, struct branches *out)
{
    text_scan(t, in_range, &(struct range){ lo, hi }, out);
}

/* ---- the text ---- */

static bool is_guarded(uint64_t target, void *arg)
{
    const struct ez_text *t = arg;
    uint64_t off = target - t->va;
    return off < t->n && t->guarded[off / 8] >> (off % 8) & 1;
}

static void guard(struct ez_text *t, uint64_t addr)
{
    uint64_t site = text_behind_landing(t, addr);
    for (int k = 1; k < t->arch->jump_len; k++) {
        uint64_t off = site + (uint64_t)k - t->va;
        if (off < t->n)
            t->guarded[off / 8] |= (uint8_t)(1u << (off % 8));
    }
}

ez_err *ez_text_create(const struct ez_arch *arch, const uint8_t *text, size_t n, uint64_t va,
                       const struct ez_func *funcs, size_t nfuncs, struct ez_text **out)
{
    for (size_t i = 1; i < nfuncs; i++)
        if (funcs[i].addr <= funcs[i - 1].addr)
            return ez_err_new(EZ_E_ARG, 0, "functions out of order at 0x%lx",
                              (unsigned long)funcs[i].addr);
    struct ez_text *t = ez_alloc(sizeof *t);
    t->arch = arch;
    t->text = text;
    t->n = n;
    t->va = va;
    t->funcs = funcs;
    t->nfuncs = nfuncs;
    t->guarded = ez_alloc(n / 8 + 1);
    for (size_t i = 0; i < nfuncs; i++)
        guard(t, funcs[i].addr);
    text_scan(t, is_guarded, t, &t->in);
    *out = t;
    return NULL;
}

void ez_text_destroy(struct ez_text *t)
{
    if (!t)
        return;
    free(t->guarded);
    free(t->cache);
    EZ_VEC_FREE(&t->in.v);
    EZ_VEC_FREE(&t->gap.v);
    ez_free_sparse(t->taken, t->n / 8 + 1);
    free(t);
}
