/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leads.c - finds what leads to given bytes of a text: branches, instructions that form an address
 * of the bytes, and pointers in data.
 *
 * Why:  Callers ask about a few bytes of each of many functions, and a text has megabytes.
 * How:  The text is scanned once for far branches (arch->scan.far_branches) and formed addresses,
 *       with every byte as a possible start of an instruction. These candidates and the pointers
 *       are sorted by destination. Near branches are many more, but near their destination: the
 *       bytes around it are scanned when a caller asks. A candidate that leads to the bytes is
 *       confirmed by decoding from the start of the function that contains its source. If decoding
 *       fails before the source, the candidate counts as confirmed.
 * Order of results: by target; then branches, addresses, pointers; then by source.
 * Tests: tests/unit/code/check_leads.c, tests/fault/check_labels.sh */
#include "engine/code/analyze_priv.h"

#include <string.h>

#define BUCKET 64   /* bytes of text per bucket of targets */
#define MARKED 4096 /* bytes of a function between two marks of the cursor */

/* ---- confirmation ---- */

/* Moves the cursor back to the last mark at or below `source`. */
static void leads_go_back(struct ez_text *t, uint64_t source)
{
    struct cursor *c = &t->cursor;
    size_t n = EZ_UPTO(t->mark.at, t->mark.n, at, source);
    *c = n ? t->mark.at[n - 1]
           : (struct cursor){ .func = c->func,
                              .at = c->func ? EZ_MAX(c->func->addr, t->va) : t->va };
}

/* Moves the cursor to the instruction that contains the byte at `source`. */
static void leads_move_cursor(struct ez_text *t, uint64_t source)
{
    struct cursor *c = &t->cursor;
    const struct ez_func *f = text_func(t, source);
    if (f != c->func || !c->at) {
        t->mark.n = 0;
        *c = (struct cursor){ .func = f, .at = f ? EZ_MAX(f->addr, t->va) : t->va };
    } else if (source < c->at) {
        leads_go_back(t, source);
    }
    for (size_t len; c->at < source; c->at += len) {
        if (c->at - (t->mark.n ? t->mark.at[t->mark.n - 1].at : f ? f->addr : t->va) >= MARKED)
            EZ_PUSH(&t->mark, *c);
        len = text_step(t, c->at);
        if (len && c->at + len > source)
            return;
        if (!len) {
            c->lost = true;
            len = 1;
        }
    }
}

/* Decodes the instruction that contains the byte at `source`, where a scan found a candidate.
 * Returns false if the instruction is unknown. */
static bool leads_insn_at(struct ez_text *t, uint64_t source, struct ez_insn *in)
{
    const struct ez_func *f = text_func(t, source);
    if (!f || source >= f->end)
        return false;
    leads_move_cursor(t, source);
    return !t->cursor.lost && ez_err_drop(text_decode(t, t->cursor.at, in));
}

/* An instruction forms the address by a pc-relative operand, or contains it in its last 4 or 8
 * bytes, as a constant or a displacement. (A displacement before a constant is only the address of
 * an operand in memory.) */
bool text_forms(struct ez_text *t, uint64_t *source, uint64_t target)
{
    struct ez_insn in;
    if (!leads_insn_at(t, *source, &in))
        return true;
    uint64_t at = t->cursor.at, last = at + in.len - *source;
    bool absolute = !in.width && (last == 4 || last == 8) && *source != at + in.riprel;
    *source = at;
    return absolute || (in.riprel && in.target == target);
}

static bool leads_confirm(struct ez_text *t, struct branch *b)
{
    struct ez_insn in;
    if (b->lead == EZ_LEAD_ADDRESS)
        return text_forms(t, &b->source, b->target);
    return b->lead == EZ_LEAD_POINTER || !leads_insn_at(t, b->source, &in) ||
           (in.width && in.target == b->target);
}

/* ---- the index ---- */

struct gather {
    const struct ez_text *t;
    struct lead_index *into;
};

static bool leads_in_text(uint64_t target, void *arg)
{
    const struct gather *g = arg;
    return target - g->t->va < g->t->n;
}

static void leads_note(uint64_t source, uint64_t target, void *arg)
{
    const struct gather *g = arg;
    EZ_PUSH(&g->into->v,
            ((struct lead_far){ (uint32_t)(source - g->t->va), (uint32_t)(target - g->t->va) }));
}

/* Sorts by buckets of targets. Keeps the order within a bucket. */
static void leads_sort(const struct ez_text *t, struct lead_index *x)
{
    const size_t nbuckets = t->n / BUCKET + 1;
    struct lead_far *sorted = ez_alloc((x->v.n + 1) * sizeof *sorted);
    x->first = ez_alloc((nbuckets + 2) * sizeof *x->first);
    /* end[b + 1] is first the number of entries in bucket b; then end[b] is where its next entry
     * goes, and at last the end of bucket b, which is x->first[b + 1] */
    uint32_t *end = x->first + 1;
    for (size_t i = 0; i < x->v.n; i++)
        end[x->v.at[i].to / BUCKET + 1]++;
    for (size_t b = 0; b < nbuckets; b++)
        end[b + 1] += end[b];
    for (size_t i = 0; i < x->v.n; i++)
        sorted[end[x->v.at[i].to / BUCKET]++] = x->v.at[i];
    free(x->v.at);
    x->v.at = sorted;
    x->v.cap = x->v.n + 1;
}

void text_leads_read(struct ez_text *t)
{
    t->arch->scan.far_branches(t->text, t->n, t->va, leads_in_text, leads_note,
                               &(struct gather){ t, &t->far });
    t->arch->scan.addresses(t->text, t->n, t->va, leads_in_text, leads_note,
                            &(struct gather){ t, &t->formed });
    for (size_t i = 0; i < t->npointers; i++)
        if (t->pointers[i].to - t->va < t->n)
            EZ_PUSH(&t->pointed.v,
                    ((struct lead_far){ (uint32_t)i, (uint32_t)(t->pointers[i].to - t->va) }));
    leads_sort(t, &t->far);
    leads_sort(t, &t->formed);
    leads_sort(t, &t->pointed);
}

static void leads_free_index(struct lead_index *x)
{
    EZ_VEC_FREE(&x->v);
    free(x->first);
}

void text_leads_free(struct ez_text *t)
{
    leads_free_index(&t->far);
    leads_free_index(&t->formed);
    leads_free_index(&t->pointed);
    EZ_VEC_FREE(&t->mark);
}

/* ---- queries ---- */

struct query {
    uint64_t lo, hi;
    struct branches *out;
};

static bool leads_in_range(uint64_t target, void *arg)
{
    const struct query *a = arg;
    return target > a->lo && target < a->hi;
}

static void leads_add_branch(uint64_t source, uint64_t target, void *arg)
{
    struct query *a = arg;
    EZ_PUSH(&a->out->v, ((struct branch){ source, target, EZ_LEAD_BRANCH }));
}

static void leads_add_near(const struct ez_text *t, struct query *a)
{
    const uint64_t reach = t->arch->scan.near_reach;
    uint64_t lo = EZ_MAX(a->lo, t->va + reach) - reach, hi = EZ_MIN(a->hi + reach, t->va + t->n);
    if (lo < hi)
        t->arch->scan.branches(t->text + (lo - t->va), hi - lo, lo, leads_in_range,
                               leads_add_branch, a);
}

static void leads_add(const struct ez_text *t, const struct lead_index *x, enum ez_lead lead,
                      struct query *a)
{
    uint64_t lo = EZ_MAX(a->lo + 1, t->va) - t->va;
    uint64_t hi = EZ_MIN(EZ_MAX(a->hi, t->va) - t->va, (uint64_t)t->n);
    if (lo >= hi)
        return;
    size_t end = x->first[(hi - 1) / BUCKET + 1];
    for (size_t i = x->first[lo / BUCKET]; i < end; i++) {
        const struct lead_far *l = &x->v.at[i];
        if (l->to < lo || l->to >= hi)
            continue;
        uint64_t from = lead == EZ_LEAD_POINTER ? t->pointers[l->from].at : t->va + l->from;
        EZ_PUSH(&a->out->v, ((struct branch){ from, t->va + l->to, lead }));
    }
}

static int leads_by_source(const void *pa, const void *pb)
{
    const struct branch *a = pa, *b = pb;
    return a->source < b->source ? -1 : a->source > b->source;
}

static int leads_by_target(const void *pa, const void *pb)
{
    const struct branch *a = pa, *b = pb;
    if (a->target != b->target)
        return a->target < b->target ? -1 : 1;
    return a->lead != b->lead ? (int)a->lead - (int)b->lead : leads_by_source(pa, pb);
}

/* Drops duplicates: a far branch near the bytes is found by both scans. */
static void leads_drop_twins(struct branches *out)
{
    size_t k = 0;
    ez_sort(out->v.at, out->v.n, sizeof *out->v.at, leads_by_source);
    for (size_t i = 0; i < out->v.n; i++) {
        const struct branch *b = &out->v.at[i];
        bool twin = false;
        for (size_t j = k; j-- > 0 && out->v.at[j].source == b->source;)
            twin |= out->v.at[j].target == b->target;
        if (!twin)
            out->v.at[k++] = *b;
    }
    out->v.n = k;
}

void text_leads(struct ez_text *t, uint64_t lo, uint64_t hi, struct branches *out)
{
    struct query a = { lo, hi, out };
    out->v.n = 0;
    leads_add_near(t, &a);
    leads_add(t, &t->far, EZ_LEAD_BRANCH, &a);
    leads_drop_twins(out);
    leads_add(t, &t->formed, EZ_LEAD_ADDRESS, &a);
    leads_add(t, &t->pointed, EZ_LEAD_POINTER, &a);
    size_t k = 0;
    for (size_t i = 0; i < out->v.n; i++)
        if (leads_confirm(t, &out->v.at[i]))
            out->v.at[k++] = out->v.at[i];
    out->v.n = k;
    ez_sort(out->v.at, k, sizeof *out->v.at, leads_by_target);
}

bool text_is_led_into(struct ez_text *t, uint64_t lo, uint64_t hi)
{
    struct branches in = { .v = { 0 } };
    text_leads(t, lo, hi, &in);
    bool any = in.v.n;
    EZ_VEC_FREE(&in.v);
    return any;
}

bool ez_text_called(const struct ez_text *t, uint64_t addr)
{
    struct branches in = { .v = { 0 } };
    struct query a = { addr - 1, addr + 1, &in };
    leads_add_near(t, &a);
    leads_add(t, &t->far, EZ_LEAD_BRANCH, &a);
    bool any = in.v.n;
    EZ_VEC_FREE(&in.v);
    return any;
}

void ez_text_leads(struct ez_text *t, uint64_t lo, uint64_t hi,
                   void (*fn)(uint64_t source, enum ez_lead lead, void *arg), void *arg)
{
    struct branches in = { .v = { 0 } };
    text_leads(t, lo, hi, &in);
    for (size_t i = 0; i < in.v.n; i++)
        fn(in.v.at[i].source, in.v.at[i].lead, arg);
    EZ_VEC_FREE(&in.v);
}
