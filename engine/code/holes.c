/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holes.c - padding between functions, within the reach of a short jump.
 *
 * A hole contains the long jump of a site that has too few bytes. A hole is safe if
 *   - only padding is between the end of a function and the next symbol,
 *   - the function before the hole does not run on into it,
 *   - no direct branch leads into the hole,
 *   - a jump at that function's own entry would not reach into the hole (the first bytes after a
 *     short function are kept for the function's own jump),
 *   - no other site uses the hole.
 * Without padding, a function nearby, the evicted neighbour, makes room: its patch region is longer
 * than its own jump, and the bytes after its jump are free for islands of other sites. No branch
 * may lead into these bytes, and the neighbour must have no indirect jump, which could lead there.
 *
 *      f:   jmp short n+5             n:   jmp trampoline of n (or its relocated code)
 *                                     n+5: jmp trampoline of f
 *
 * Tests: tests/unit/code/check_analyze.c */
#include "engine/code/analyze_priv.h"

#define EVICTED_MOST 30 /* limit of an evicted neighbour's patch region, bytes */

static uint64_t holes_jump_len(const struct ez_text *t)
{
    return (uint64_t)t->arch->jump.len;
}

/* Sets [*lo, *hi) to the padding after function f that an island may use. Returns false if there is
 * too little. */
static bool holes_gap_behind(const struct ez_text *t, const struct ez_func *f, uint64_t *lo,
                             uint64_t *hi)
{
    uint64_t next = EZ_MIN(f->next > f->addr ? f->next : 0, t->va + t->n);
    uint64_t own = text_behind_landing(t, f->addr) + holes_jump_len(t);
    if (f->end <= f->addr || f->end >= next || next - f->end < holes_jump_len(t) ||
        text_padding(t, f->end, next) != next - f->end)
        return false;
    *lo = EZ_MAX(f->end, own);
    *hi = next;
    return *lo + holes_jump_len(t) <= *hi;
}

/* Returns true if the end of f may be reached without a jump, return or trap, or is unknown. */
static bool holes_runs_on(const struct ez_text *t, const struct ez_func *f)
{
    struct ez_insn in = { .flow = EZ_FLOW_PLAIN };
    for (uint64_t at = f->addr; at < f->end; at += in.len)
        if (!ez_err_drop(text_decode(t, at, &in)) || at + in.len > f->end)
            return true;
    return !ez_flow_ends(in.flow);
}

/* Returns the index of the first function within a short jump's reach of `site`, and sets *end to
 * one more than the index of the last. */
static size_t holes_near_funcs(const struct ez_text *t, uint64_t site, size_t *end)
{
    const uint64_t reach = (uint64_t)t->arch->jump.short_reach;
    const struct ez_func *f = text_func(t, site + reach);
    size_t last = f ? (size_t)(f - t->funcs) : 0, first = last;
    while (first && t->funcs[first].addr + reach > site)
        first--;
    *end = last + 1;
    return first;
}

/* ---- finding ---- */

/* Returns true if the bytes cannot be used for an island, because another island uses some of them,
 * or because they span two pages. */
static bool holes_is_used(const struct ez_text *t, uint64_t lo, size_t n)
{
    if (n > text_page_left(lo))
        return true;
    for (size_t off = (size_t)(lo - t->va); t->used && n && off < t->n; off++, n--)
        if (t->used[off / 8] >> (off % 8) & 1)
            return true;
    return false;
}

static bool holes_reaches(const struct ez_text *t, uint64_t site, uint64_t hole)
{
    int64_t d = (int64_t)(hole - site) - t->arch->jump.short_len;
    const int64_t reach = t->arch->jump.short_reach;
    return d >= -reach && d < reach;
}

uint64_t text_hole(struct ez_text *t, uint64_t site, size_t n)
{
    size_t end, i = holes_near_funcs(t, site, &end);
    for (; i < end; i++) {
        uint64_t lo, hi, at;
        if (!holes_gap_behind(t, &t->funcs[i], &lo, &hi))
            continue;
        for (at = lo; at + n <= hi && (holes_is_used(t, at, n) || !holes_reaches(t, site, at));
             at++)
            continue;
        if (at + n > hi || holes_runs_on(t, &t->funcs[i]))
            continue;
        if (!text_is_led_into(t, lo - 1, hi))
            return at;
    }
    return 0;
}

/* Returns true if the first `need` bytes of function f can contain its own jump and islands. */
static bool holes_can_evict(struct ez_text *t, uint64_t site, const struct ez_func *f,
                            uint64_t need)
{
    uint64_t entry = text_behind_landing(t, f->addr);
    if (f->end < entry + need || entry == site)
        return false;
    for (uint64_t at = f->addr; at < f->end;) {
        struct ez_insn in;
        if (!ez_err_drop(text_decode(t, at, &in)) || in.flow == EZ_FLOW_IJMP)
            return false;
        at += in.len;
    }
    return !text_is_led_into(t, entry, entry + need);
}

bool ez_text_evict(struct ez_text *t, uint64_t site, uint64_t *evicted, uint64_t *island)
{
    size_t end, i = holes_near_funcs(t, site, &end), n = (size_t)holes_jump_len(t);
    for (; i < end; i++) {
        const struct ez_func *f = &t->funcs[i];
        uint64_t entry = text_behind_landing(t, f->addr), at = entry + n;
        if (f->addr < *evicted)
            continue;
        while (at <= *island || (at < entry + EVICTED_MOST &&
                                 (holes_is_used(t, at, n) || !holes_reaches(t, site, at))))
            at += n;
        if (at + n > entry + EVICTED_MOST || !holes_can_evict(t, site, f, at + n - entry))
            continue;
        *evicted = f->addr;
        *island = at;
        return true;
    }
    return false;
}

void ez_text_claim(struct ez_text *t, uint64_t hole)
{
    if (!t->used)
        t->used = ez_alloc_sparse(t->n / 8 + 1);
    for (size_t i = 0, off = (size_t)(hole - t->va); i < (size_t)holes_jump_len(t); i++, off++)
        if (off < t->n)
            t->used[off / 8] |= (uint8_t)(1u << (off % 8));
}
