/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analyze.c - see analyze.h. May these bytes become a jump?
 *
 * THE DANGER. The jump replaces several instructions. Whoever arrives at the
 * second of them, by a branch or by a return, executes the middle of the jump.
 * So nothing may arrive there:
 *
 *      site          +1 ... +4            +5
 *      |  a direct branch in: refused      |
 *      |  a call's return:    refused      |
 *      |  the next symbol:    refused      |
 *      S1: whole instructions of the function fill it
 *      S2: the function ends earlier, and padding that only padding follows
 *          up to the next symbol takes the rest
 *
 * DIRECT BRANCHES are found by arch->scan_branches over the whole text (a
 * superset), and confirmed by decoding from the start of the function that holds
 * the source. Where decoding fails on the way the candidate counts as real.
 *
 * INDIRECT ONES cannot be found. We rely on compilers: jump tables and landing
 * pads lead to no address within 5 bytes of a function's entry. For other
 * addresses (ez_analyze_at) a function with an indirect jump is refused, and so
 * is a window with code behind an instruction that never falls through.
 *
 * Tests: tests/unit/engine/check_analyze.c */
#include "engine/analyze.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/vec.h"

struct branch {
    uint64_t source, target;
};

struct ez_text {
    const struct ez_arch *arch;
    const uint8_t *text;
    size_t n;
    uint64_t va;
    const struct ez_func *funcs;
    size_t nfuncs;
    uint8_t *guarded;         /* a bit per byte that a jump would overwrite, but the first */
    EZ_VEC(struct branch) in; /* confirmed branches there, by target */
    struct cursor {
        const struct ez_func *func;
        uint64_t at; /* an instruction's start */
        bool lost;   /* decoding failed before `at` */
    } cursor;
};

/* ---- bytes and functions of the text ---- */

static size_t left(const struct ez_text *t, uint64_t at)
{
    return at - t->va < t->n ? t->n - (size_t)(at - t->va) : 0;
}

static const uint8_t *bytes(const struct ez_text *t, uint64_t at)
{
    return t->text + (at - t->va);
}

static ez_err *decode(const struct ez_text *t, uint64_t at, struct ez_insn *in)
{
    return t->arch->decode(bytes(t, at), left(t, at), at, in);
}

/* Bytes of the instruction at `at`, 0 = none there. */
static size_t step(const struct ez_text *t, uint64_t at)
{
    struct ez_insn in;
    size_t n = left(t, at);
    size_t len = n ? t->arch->length(bytes(t, at), n) : 0;
    if (!len && n && ez_err_drop(decode(t, at, &in)))
        len = in.len;
    return len;
}

/* The last function that starts at or below `at`, or NULL. */
static const struct ez_func *func_at(const struct ez_text *t, uint64_t at)
{
    size_t lo = 0, hi = t->nfuncs;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (t->funcs[mid].addr <= at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo ? &t->funcs[lo - 1] : NULL;
}

/* A landing instruction must stay where indirect calls look for it. */
static uint64_t behind_landing(const struct ez_text *t, uint64_t addr)
{
    enum { LANDING_LEN = 4 };
    struct ez_insn in;
    if (left(t, addr) < LANDING_LEN ||
        t->arch->length(bytes(t, addr), left(t, addr)) != LANDING_LEN)
        return addr;
    return ez_err_drop(decode(t, addr, &in)) && in.is_landing ? addr + in.len : addr;
}

/* ---- who branches into the bytes of a jump? ---- */

static bool is_guarded(uint64_t target, void *arg)
{
    const struct ez_text *t = arg;
    uint64_t off = target - t->va;
    return off < t->n && t->guarded[off / 8] >> (off % 8) & 1;
}

static void guard(struct ez_text *t, uint64_t addr)
{
    uint64_t site = behind_landing(t, addr);
    for (int k = 1; k < t->arch->jump_len; k++) {
        uint64_t off = site + (uint64_t)k - t->va;
        if (off < t->n)
            t->guarded[off / 8] |= (uint8_t)(1u << (off % 8));
    }
}

/* Put the cursor on the instruction that holds the byte at `source`. Sources come
 * in ascending order, but for a byte, so that a text is decoded once at most. */
static void move_cursor(struct ez_text *t, uint64_t source)
{
    struct cursor *c = &t->cursor;
    const struct ez_func *f = func_at(t, source);
    if (f != c->func || source < c->at || !c->at)
        *c = (struct cursor){ .func = f, .at = f ? EZ_MAX(f->addr, t->va) : t->va };
    for (size_t len; c->at < source; c->at += len) {
        len = step(t, c->at);
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
    move_cursor(t, source);
    if (t->cursor.lost || !ez_err_drop(decode(t, t->cursor.at, &in)))
        return true;
    return in.width && in.target == target;
}

static void keep_if_real(uint64_t source, uint64_t target, void *arg)
{
    struct ez_text *t = arg;
    struct branch b = { source, target };
    if (is_real(t, source, target))
        EZ_PUSH(&t->in, b);
}

static int by_target(const void *pa, const void *pb)
{
    const struct branch *a = pa, *b = pb;
    return a->target < b->target ? -1 : a->target > b->target;
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
    arch->scan_branches(text, n, va, is_guarded, keep_if_real, t);
    if (t->in.n)
        qsort(t->in.at, t->in.n, sizeof *t->in.at, by_target);
    *out = t;
    return NULL;
}

void ez_text_destroy(struct ez_text *t)
{
    if (!t)
        return;
    free(t->guarded);
    EZ_VEC_FREE(&t->in);
    free(t);
}

/* Index of the first confirmed branch to a target above lo. */
static size_t first_above(const struct ez_text *t, uint64_t lo)
{
    size_t a = 0, b = t->in.n;
    while (a < b) {
        size_t mid = a + (b - a) / 2;
        if (t->in.at[mid].target <= lo)
            a = mid + 1;
        else
            b = mid;
    }
    return a;
}

/* A confirmed branch to a target in (lo, hi), or NULL. */
static const struct branch *branch_into(const struct ez_text *t, uint64_t lo, uint64_t hi)
{
    size_t a = first_above(t, lo);
    return a < t->in.n && t->in.at[a].target < hi ? &t->in.at[a] : NULL;
}

void ez_text_branches(const struct ez_text *t, uint64_t lo, uint64_t hi,
                      void (*fn)(uint64_t source, uint64_t target, void *arg), void *arg)
{
    for (size_t i = first_above(t, lo); i < t->in.n && t->in.at[i].target < hi; i++)
        fn(t->in.at[i].source, t->in.at[i].target, arg);
}

/* ---- the window ---- */

/* One window under judgement. */
struct look {
    const struct ez_text *t;
    uint64_t site, end, next;
    bool at_entry;
    bool moves; /* some instruction must be rewritten */
    struct ez_window w;
};

static ez_err *EZ_PRINTF(2, 3) refuse(uint64_t addr, const char *fmt, ...)
{
    char *msg = NULL;
    va_list ap;
    va_start(ap, fmt);
    if (vasprintf(&msg, fmt, ap) < 0)
        msg = NULL;
    va_end(ap);
    ez_err *e = ez_err_new(EZ_E_REFUSED, 0, "%s", msg ? msg : "refused");
    e->addr = addr;
    free(msg);
    return e;
}

static bool never_falls_through(const struct ez_insn *in)
{
    return in->flow == EZ_FLOW_JMP || in->flow == EZ_FLOW_IJMP || in->flow == EZ_FLOW_RET ||
           in->flow == EZ_FLOW_TRAP;
}

static ez_err *check_insn(const struct look *l, uint64_t at, const struct ez_insn *in)
{
    int jump = l->w.jump;
    bool inside = at + in->len < l->site + (uint64_t)jump;
    if (in->flow == EZ_FLOW_TRAP && in->is_nop)
        return refuse(at, "a breakpoint in the first %d bytes", jump);
    if (in->flow == EZ_FLOW_SYSCALL)
        return refuse(at, "a system call in the first %d bytes", jump);
    if (in->flow == EZ_FLOW_ICALL && inside)
        return refuse(at, "an indirect call in the first %d bytes", jump);
    if (in->flow == EZ_FLOW_CALL && inside)
        return refuse(at, "a call in the first %d bytes", jump);
    if (at + in->len > l->end)
        return refuse(at, "its end is inside an instruction");
    if (!l->at_entry && inside && never_falls_through(in) && at + in->len < l->end)
        return refuse(at, "code behind an unconditional jump in the first %d bytes", jump);
    return NULL;
}

/* Whole instructions from the site on, until the jump has room or the function ends. */
static ez_err *take_insns(struct look *l)
{
    struct ez_window *w = &l->w;
    while (w->len < w->jump && l->site + w->len < l->end) {
        struct ez_insn in;
        uint64_t at = l->site + w->len;
        ez_err *e = decode(l->t, at, &in);
        if (e) {
            ez_err *r = refuse(at, "%s", e->msg);
            ez_err_free(e);
            return r;
        }
        EZ_TRY(check_insn(l, at, &in));
        w->len += in.len;
        w->n++;
        w->ends = never_falls_through(&in);
        l->moves |= in.flow != EZ_FLOW_PLAIN || in.riprel;
    }
    return NULL;
}

/* Padding from `at` up to `limit`: nops, traps, zeros. */
static size_t padding(const struct ez_text *t, uint64_t at, uint64_t limit)
{
    uint64_t start = at;
    while (at < limit && left(t, at)) {
        struct ez_insn in = { .len = 1 };
        bool zero = *bytes(t, at) == 0;
        if (!zero && (!ez_err_drop(decode(t, at, &in)) || !in.is_nop || at + in.len > limit))
            break;
        at += in.len;
    }
    return (size_t)(at - start);
}

/* The function is over: may the rest of the jump lie behind it? */
static ez_err *take_padding(struct look *l)
{
    struct ez_window *w = &l->w;
    unsigned want = (unsigned)w->jump - w->len;
    uint64_t end = l->site + w->len;
    size_t have = padding(l->t, end, EZ_MIN(l->next, end + EZ_MAX_INSN));
    if (have < want)
        return refuse(l->site, "too short: %u byte%s, the jump needs %u", w->len,
                      w->len == 1 ? "" : "s", w->jump);
    if (!w->ends)
        return refuse(l->site, "too short, and it runs on into what follows");
    w->padding = (uint8_t)want;
    return NULL;
}

/* The last word has the code that will do the move. */
static ez_err *try_relocation(const struct look *l)
{
    struct ez_reloc r;
    if (!l->moves)
        return NULL;
    ez_err *e = l->t->arch->relocate(bytes(l->t, l->site), l->w.len, l->site, l->site, &r);
    if (!e)
        return NULL;
    ez_err *why = refuse(e->addr ? e->addr : l->site, "%s", e->msg);
    ez_err_free(e);
    return why;
}

static ez_err *judge(struct look *l, struct ez_window *out)
{
    struct ez_window *w = &l->w;
    w->site = l->site;
    w->jump = (uint8_t)l->t->arch->jump_len;
    EZ_TRY(take_insns(l));
    if (w->len < w->jump)
        EZ_TRY(take_padding(l));
    if (l->site + w->jump > l->next || w->len + w->padding > sizeof w->bytes)
        return refuse(l->site, "the jump would reach the next symbol");
    EZ_TRY(try_relocation(l));
    memcpy(w->bytes, bytes(l->t, l->site), w->len + w->padding);
    *out = *w;
    return NULL;
}

static struct look look_at(const struct ez_text *t, const struct ez_func *f, uint64_t addr)
{
    struct look l = { .t = t, .next = f->next > f->addr ? f->next : t->va + t->n };
    l.site = behind_landing(t, addr);
    l.next = EZ_MIN(l.next, t->va + t->n);
    l.end = f->end > f->addr ? EZ_MIN(f->end, l.next) : l.next;
    l.at_entry = addr == f->addr;
    return l;
}

ez_err *ez_analyze(struct ez_text *t, uint64_t addr, struct ez_window *out)
{
    const struct ez_func *f = func_at(t, addr);
    if (!f || f->addr != addr || !left(t, addr))
        return ez_err_new(EZ_E_ARG, 0, "no function starts at 0x%lx", (unsigned long)addr);
    struct look l = look_at(t, f, addr);
    EZ_TRY(judge(&l, out));
    const struct branch *b = branch_into(t, l.site, l.site + l.w.jump);
    if (b)
        return refuse(b->target, "branch into the prologue from 0x%lx", (unsigned long)b->source);
    return NULL;
}

/* ---- any other address ---- */

static ez_err *check_boundary(const struct ez_text *t, const struct ez_func *f, uint64_t end,
                              uint64_t addr)
{
    bool boundary = false;
    for (uint64_t at = f->addr; at < end;) {
        struct ez_insn in;
        if (!ez_err_drop(decode(t, at, &in)))
            return refuse(at, "the function cannot be decoded at 0x%lx", (unsigned long)at);
        boundary |= at == addr;
        if (in.flow == EZ_FLOW_IJMP && addr != f->addr)
            return refuse(at, "the indirect jump at 0x%lx may lead there", (unsigned long)at);
        at += in.len;
    }
    return boundary ? NULL : refuse(addr, "not an instruction boundary");
}

struct range {
    struct ez_text *t;
    uint64_t lo, hi, source; /* source of a real branch into (lo, hi), 0 = none */
};

static bool in_range(uint64_t target, void *arg)
{
    const struct range *r = arg;
    return target > r->lo && target < r->hi;
}

static void note_if_real(uint64_t source, uint64_t target, void *arg)
{
    struct range *r = arg;
    if (!r->source && is_real(r->t, source, target))
        r->source = source;
}

ez_err *ez_analyze_at(struct ez_text *t, uint64_t addr, struct ez_window *out)
{
    const struct ez_func *f = func_at(t, addr);
    if (!f || !left(t, addr))
        return refuse(addr, "no function at 0x%lx", (unsigned long)addr);
    struct look l = look_at(t, f, addr);
    if (addr >= l.end)
        return refuse(addr, "no function at 0x%lx", (unsigned long)addr);
    EZ_TRY(check_boundary(t, f, l.end, addr));
    EZ_TRY(judge(&l, out));
    struct range r = { .t = t, .lo = l.site, .hi = l.site + l.w.jump };
    t->arch->scan_branches(t->text, t->n, t->va, in_range, note_if_real, &r);
    if (r.source)
        return refuse(addr, "branch into the first %u bytes from 0x%lx", l.w.jump,
                      (unsigned long)r.source);
    return NULL;
}
