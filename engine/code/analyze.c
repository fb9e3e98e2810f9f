/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analyze.c - a text prepared for judging functions: which branches lead where?
 *
 * DIRECT BRANCHES are found by arch->scan_branches over the whole text (a
 * superset), and confirmed by decoding from the start of the function that holds
 * the source. Where decoding fails on the way, the candidate counts as real.
 * Branches to the bytes under a jump at each function's entry are searched for once,
 * when the text is prepared.
 *
 * LABELS whose address is taken (computed goto) can be jumped to as well. Their addresses are
 * formed by instructions (arch->scan_addresses) or held by words of data (sym_ptr.c). Tables of
 * distances are found by jumptable.c.
 *
 * Tests: tests/unit/engine/check_analyze.c, tests/fault/check_labels.sh */
#include "engine/code/analyze_priv.h"

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
    const size_t len = (size_t)t->arch->landing_len;
    struct ez_insn in;
    if (text_left(t, addr) < len || t->arch->length(text_bytes(t, addr), text_left(t, addr)) != len)
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
 * in ascending order, give or take a byte, so that a text is decoded once at most. */
static void analyze_move_cursor(struct ez_text *t, uint64_t source)
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

/* Decode the instruction that holds the byte at `source`, which the scan saw; false = which
 * instruction that is cannot be told. */
static bool analyze_insn_at(struct ez_text *t, uint64_t source, struct ez_insn *in)
{
    const struct ez_func *f = text_func(t, source);
    if (!f || source >= f->end)
        return false;
    analyze_move_cursor(t, source);
    return !t->cursor.lost && ez_err_drop(text_decode(t, t->cursor.at, in));
}

struct scan {
    struct ez_text *t;
    struct branches *out;
    bool (*wanted)(uint64_t target, void *arg);
    void *arg;
};

static bool analyze_is_wanted(uint64_t target, void *arg)
{
    const struct scan *s = arg;
    return s->wanted(target, s->arg);
}

static void analyze_keep_branch(uint64_t source, uint64_t target, void *arg)
{
    struct scan *s = arg;
    struct ez_insn in;
    if (!analyze_insn_at(s->t, source, &in) || (in.width && in.target == target))
        EZ_PUSH(&s->out->v, ((struct branch){ source, target, EZ_LEAD_BRANCH }));
}

/* An instruction forms the address as a pc-relative operand, or in its last 4 or 8 bytes: as a
 * constant, or as a displacement. A displacement before a constant only names memory. */
bool text_forms(struct ez_text *t, uint64_t *source, uint64_t target)
{
    struct ez_insn in;
    if (!analyze_insn_at(t, *source, &in))
        return true;
    uint64_t at = t->cursor.at, last = at + in.len - *source;
    bool absolute = !in.width && (last == 4 || last == 8) && *source != at + in.riprel;
    *source = at;
    return absolute || (in.riprel && in.target == target);
}

static void analyze_keep_address(uint64_t source, uint64_t target, void *arg)
{
    struct scan *s = arg;
    if (text_forms(s->t, &source, target))
        EZ_PUSH(&s->out->v, ((struct branch){ source, target, EZ_LEAD_ADDRESS }));
}

static void analyze_keep_pointers(struct scan *s)
{
    for (size_t i = 0; i < s->t->npointers; i++) {
        const struct ez_pointer *p = &s->t->pointers[i];
        if (analyze_is_wanted(p->to, s))
            EZ_PUSH(&s->out->v, ((struct branch){ p->at, p->to, EZ_LEAD_POINTER }));
    }
}

static int analyze_by_target(const void *pa, const void *pb)
{
    const struct branch *a = pa, *b = pb;
    return a->target < b->target ? -1 : a->target > b->target;
}

void text_scan(struct ez_text *t, bool (*wanted)(uint64_t target, void *arg), void *arg,
               struct branches *out)
{
    struct scan s = { t, out, wanted, arg };
    t->arch->scan_branches(t->text, t->n, t->va, analyze_is_wanted, analyze_keep_branch, &s);
    t->arch->scan_addresses(t->text, t->n, t->va, analyze_is_wanted, analyze_keep_address, &s);
    analyze_keep_pointers(&s);
    ez_sort(out->v.at, out->v.n, sizeof *out->v.at, analyze_by_target);
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

void ez_text_leads(const struct ez_text *t, uint64_t lo, uint64_t hi,
                   void (*fn)(uint64_t source, enum ez_lead lead, void *arg), void *arg)
{
    for (size_t i = text_first_above(&t->in, lo); i < t->in.v.n && t->in.v.at[i].target < hi; i++)
        fn(t->in.v.at[i].source, t->in.v.at[i].lead, arg);
}

struct range {
    uint64_t lo, hi;
};

static bool analyze_in_range(uint64_t target, void *arg)
{
    const struct range *r = arg;
    return target > r->lo && target < r->hi;
}

void text_scan_range(struct ez_text *t, uint64_t lo, uint64_t hi, struct branches *out)
{
    text_scan(t, analyze_in_range, &(struct range){ lo, hi }, out);
}

/* ---- exception tables ---- */

#define FIXUP_NEAR 4096

static int analyze_by_fault(const void *pa, const void *pb)
{
    const struct fault *a = pa, *b = pb;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* A row of an exception table is two words side by side: the address of an instruction, and an
 * address a little behind it. */
static void analyze_collect_faults(struct ez_text *t)
{
    for (size_t i = 0; i + 1 < t->npointers; i++) {
        const struct ez_pointer *p = &t->pointers[i];
        if (p[1].at == p->at + 8 && p[1].to > p->to && p[1].to - p->to < FIXUP_NEAR)
            EZ_PUSH(&t->fault, ((struct fault){ p->to, p[1].to, p->at }));
    }
    ez_sort(t->fault.at, t->fault.n, sizeof *t->fault.at, analyze_by_fault);
}

/* Both addresses of the row must be in f, and f must have no indirect jump: an interpreter has
 * tables of its labels, which look the same. */
uint64_t text_fault_row(const struct ez_text *t, const struct ez_func *f, uint64_t site)
{
    size_t i = EZ_UPTO(t->fault.at, t->fault.n, at, site);
    const struct fault *row = i ? &t->fault.at[i - 1] : NULL;
    size_t n = EZ_MIN((size_t)(f->end - f->addr), text_left(t, f->addr));
    bool is = row && row->at == site && row->on < f->end &&
              !t->arch->may_jump_indirectly(text_bytes(t, f->addr), n);
    return is ? row->row : 0;
}

/* ---- the text ---- */

static bool analyze_is_guarded(uint64_t target, void *arg)
{
    const struct ez_text *t = arg;
    uint64_t off = target - t->va;
    return off < t->n && t->guarded[off / 8] >> (off % 8) & 1;
}

static void analyze_guard(struct ez_text *t, uint64_t addr)
{
    uint64_t site = text_behind_landing(t, addr);
    for (int k = 1; k < t->arch->jump_len; k++) {
        uint64_t off = site + (uint64_t)k - t->va;
        if (off < t->n)
            t->guarded[off / 8] |= (uint8_t)(1u << (off % 8));
    }
}

ez_err *ez_text_create(const struct ez_text_desc *code, struct ez_text **out)
{
    const struct ez_func *f = code->funcs;
    for (size_t i = 1; i < code->nfuncs; i++)
        if (f[i].addr <= f[i - 1].addr)
            return ez_err_new(EZ_E_ARG, 0, "functions out of order at 0x%lx",
                              (unsigned long)f[i].addr);
    struct ez_text *t = ez_alloc(sizeof *t);
    t->arch = code->arch;
    t->text = code->text;
    t->n = code->n;
    t->va = code->va;
    t->funcs = f;
    t->nfuncs = code->nfuncs;
    t->pointers = code->pointers;
    t->npointers = code->npointers;
    t->guarded = ez_alloc(t->n / 8 + 1);
    for (size_t i = 0; i < t->nfuncs; i++)
        analyze_guard(t, f[i].addr);
    text_scan(t, analyze_is_guarded, t, &t->in);
    analyze_collect_faults(t);
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
    EZ_VEC_FREE(&t->fault);
    ez_free_sparse(t->taken, t->n / 8 + 1);
    free(t);
}
