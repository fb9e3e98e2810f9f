/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analyze.c - makes and frees a struct ez_text, which is code prepared for judging functions, and
 * answers simple questions about it: padding, landing instructions, rows of exception tables.
 *
 * Indirect jumps may also lead to labels whose address is taken (computed goto). Three files find
 * such labels: leads.c instructions that form the address, engine/sym/sym_ptr.c words of data that
 * contain the address, jumptable.c tables of distances.
 *
 * Tests: tests/unit/code/check_analyze.c, tests/fault/check_labels.sh */
#include "engine/code/analyze_priv.h"

#include <string.h>

/* ---- instructions and functions ---- */

uint64_t text_behind_landing(const struct ez_text *t, uint64_t addr)
{
    const size_t len = (size_t)t->arch->decode.landing_len;
    struct ez_insn in;
    if (text_left(t, addr) < len ||
        t->arch->decode.length(text_bytes(t, addr), text_left(t, addr)) != len)
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

/* ---- exception tables ---- */

#define FIXUP_NEAR 4096

static int analyze_by_fault(const void *pa, const void *pb)
{
    const struct fault *a = pa, *b = pb;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* Collects rows of exception tables. A row is two adjacent words: the address of an instruction,
 * and an address a little after it. */
static void analyze_collect_faults(struct ez_text *t)
{
    for (size_t i = 0; i + 1 < t->npointers; i++) {
        const struct ez_pointer *p = &t->pointers[i];
        if (p[1].at == p->at + 8 && p[1].to > p->to && p[1].to - p->to < FIXUP_NEAR)
            EZ_PUSH(&t->fault, ((struct fault){ p->to, p[1].to, p->at }));
    }
    ez_sort(t->fault.at, t->fault.n, sizeof *t->fault.at, analyze_by_fault);
}

/* Both addresses of the row must be in f, and f must have no indirect jump: the tables of labels of
 * a bytecode interpreter look like exception tables. */
uint64_t text_fault_row(const struct ez_text *t, const struct ez_func *f, uint64_t site)
{
    size_t i = EZ_UPTO(t->fault.at, t->fault.n, at, site);
    const struct fault *row = i ? &t->fault.at[i - 1] : NULL;
    size_t n = EZ_MIN((size_t)(f->end - f->addr), text_left(t, f->addr));
    bool is = row && row->at == site && row->on < f->end &&
              !t->arch->scan.may_jump_indirectly(text_bytes(t, f->addr), n);
    return is ? row->row : 0;
}

/* ---- the text ---- */

ez_err *ez_text_create(const struct ez_text_desc *code, struct ez_text **out)
{
    const struct ez_func *f = code->funcs;
    if (code->n > UINT32_MAX)
        return ez_err_new(EZ_E_LIMIT, 0, "A code section of %zu bytes is too large", code->n);
    for (size_t i = 1; i < code->nfuncs; i++)
        if (f[i].addr <= f[i - 1].addr)
            return ez_err_new(EZ_E_ARG, 0, "The functions at 0x%lx are not in order",
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
    text_leads_read(t);
    analyze_collect_faults(t);
    *out = t;
    return NULL;
}

void ez_text_destroy(struct ez_text *t)
{
    if (!t)
        return;
    free(t->cache);
    text_leads_free(t);
    EZ_VEC_FREE(&t->fault);
    ez_free_sparse(t->used, t->n / 8 + 1);
    free(t);
}
