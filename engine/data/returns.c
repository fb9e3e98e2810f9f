/* SPDX-License-Identifier: GPL-3.0-or-later */
/* returns.c - the lines of the return statements by which a routine is left; see routine.h.
 *
 * Without optimisation gcc evaluates what is returned in the statement's row of the line table, and goes on to the rows of
 * the closing brace, of which there is one set. So the code that leads there tells the line: it falls in from before, or
 * jumps. Test: tests/source/places.sh */
#include <string.h>

#include "arch/arch.h"
#include "engine/data/dwarf.h"
#include "engine/data/routine.h"
#include "engine/sym/sym.h"

struct returns_way {  /* an instruction that leads to the rows of the brace                      */
    uint64_t row, at; /* the begin of its row; itself                                        */
    uint64_t mark;    /* what runs from there on leads there; 0 = perhaps not              */
    unsigned line;
    bool falls, joined; /* it comes from before the brace; others jump into its row        */
};

struct returns {
    struct ez_dwarf *d;
    uint64_t begin, end;
    uint64_t lo, hi; /* the rows of the brace                                              */
    uint64_t block;  /* what runs from there on comes to the next instruction              */
    unsigned rets;
    uint64_t ret;        /* the return instruction, if it is the only one                       */
    EZ_VEC(uint64_t) to; /* where jumps lead                                                */
    EZ_VEC(struct returns_way) way;
    bool indirect, /* some jump leads to where it is not known                                  */
        unknown,
        is_main; /* main may end without a return: its 0 is in the last row, not first there */
};

static bool returns_is_plain(struct ez_dwarf *d, uint64_t begin)
{
    struct ez_dwarf_unit u;
    if (!ez_dwarf_unit(d, begin, &u) || !u.producer || strncmp(u.producer, "GNU ", 4))
        return false;
    for (const char *p = u.producer; (p = strstr(p, " -O")); p++)
        if (p[3] != '0')
            return false;
    return true;
}

/* Rows before that of the return instruction may be of the brace, too: those of destructors. A return statement may be on
 * its line. */
static bool returns_brace(struct returns *r)
{
    struct ez_dwarf_line ret, row;
    if (!ez_dwarf_line(r->d, r->ret, &ret) || !ret.col)
        return false;
    r->hi = r->ret;
    for (r->lo = ret.lo; r->lo > r->begin && ez_dwarf_line(r->d, r->lo - 1, &row) &&
                         row.line == ret.line && row.col == ret.col && row.lo < r->lo;) {
        r->lo = row.lo;
    }
    return r->lo > r->begin;
}

/* Calls fn for each instruction; false = bytes mean nothing. */
static bool returns_each(struct ez_object *obj, struct returns *r,
                         void (*fn)(struct returns *r, const struct ez_insn *, uint64_t at))
{
    const struct ez_arch *a = ez_arch_host();
    const size_t n = (size_t)(r->end - r->begin);
    EZ_FREE uint8_t *code = ez_alloc(n + 1);
    if (ez_object_read_text(obj, r->begin, code, n) != n)
        return false;
    for (size_t at = 0; at < n;) {
        struct ez_insn in;
        if (!ez_err_drop(a->decode(code + at, n - at, r->begin + at, &in)) || !in.len)
            return false;
        fn(r, &in, r->begin + at);
        at += in.len;
    }
    return true;
}

static bool returns_jumps(const struct ez_insn *in)
{
    return in->flow == EZ_FLOW_JMP || in->flow == EZ_FLOW_JCC || in->flow == EZ_FLOW_LOOP;
}

static void returns_find(struct returns *r, const struct ez_insn *in, uint64_t at)
{
    if (returns_jumps(in))
        EZ_PUSH(&r->to, in->target);
    r->indirect |= in->flow == EZ_FLOW_IJMP;
    if (in->flow != EZ_FLOW_RET)
        return;
    r->ret = at;
    r->rets++;
}

static bool returns_is_joined(const struct returns *r, uint64_t at)
{
    for (size_t i = 0; i < r->to.n; i++)
        if (r->to.at[i] == at)
            return true;
    return false;
}

/* From where on code of the row's line comes to the row. Jumps through tables come to statements, so not into the middle of
 * a row. */
static uint64_t returns_mark(const struct returns *r, const struct ez_dwarf_line *row)
{
    struct ez_dwarf_line before;
    uint64_t at = EZ_MAX(r->block, row->lo);
    while (!r->indirect && at > r->block && ez_dwarf_line(r->d, at - 1, &before) &&
           before.line == row->line && before.lo < at)
        at = EZ_MAX(r->block, before.lo);
    return at;
}

/* The instruction leads to the brace; may: it leads elsewhere, too. */
static void returns_from(struct returns *r, uint64_t at, bool falls, bool may)
{
    struct ez_dwarf_line row = { .line = 0 };
    const bool known = ez_dwarf_line(r->d, at, &row);
    r->unknown |= !known || !row.line || (r->is_main && falls && row.lo != at);
    const struct returns_way w = { .row = row.lo,
                                   .at = at,
                                   .mark = may || !known ? 0 : returns_mark(r, &row),
                                   .line = row.line,
                                   .falls = falls };
    EZ_PUSH(&r->way, w);
}

static void returns_lead(struct returns *r, const struct ez_insn *in, uint64_t at)
{
    const bool jumps = returns_jumps(in),
               ends = in->flow == EZ_FLOW_JMP || in->flow == EZ_FLOW_IJMP ||
                      in->flow == EZ_FLOW_RET || in->flow == EZ_FLOW_TRAP,
               falls = !ends && at + in->len == r->lo;
    if (returns_is_joined(r, at))
        r->block = at;
    if (at >= r->lo && at <= r->hi)
        return;
    if (falls || (jumps && in->target >= r->lo && in->target <= r->hi))
        returns_from(r, at, falls, jumps && in->flow != EZ_FLOW_JMP);
    if (jumps || ends)
        r->block = at + in->len;
}

static void returns_join(struct returns *r, const struct ez_insn *in, uint64_t at)
{
    for (size_t i = 0; i < r->way.n && returns_jumps(in); i++) {
        struct returns_way *w = &r->way.at[i];
        w->joined |= in->target > w->row && in->target <= w->at && (at < w->row || at > w->at);
    }
}

/* Is it known which line is left by? Another return may come into the middle of a row: what all of them do (the end of an
 * array's life) has the row of one. A return of several lines has such jumps, too. The line of a function that was inlined
 * there is another. */
static bool returns_are_known(const struct returns *r, const struct ez_routine *of)
{
    bool several = false, known = !r->unknown;
    for (size_t i = 0; i < r->way.n; i++)
        several |= r->way.at[i].line != r->way.at[0].line;
    for (size_t i = 0; i < r->way.n; i++) {
        const struct returns_way *w = &r->way.at[i];
        known &= w->line >= of->begin_line && w->line <= of->end_line &&
                 !(w->joined && (w->falls || several));
    }
    return known;
}

void ez_routine_returns(struct ez_object *obj, const struct ez_routine *of,
                        void (*fn)(uint64_t vaddr, unsigned line, void *arg), void *arg)
{
    const char *why;
    struct returns r = { .d = ez_dwarf_of(obj, &why),
                         .begin = of->vaddr,
                         .end = of->end,
                         .block = of->vaddr,
                         .is_main = !strcmp(of->symbol, "main") };
    bool known = r.end > r.begin && r.d && returns_is_plain(r.d, r.begin) &&
                 returns_each(obj, &r, returns_find) && r.rets == 1 && returns_brace(&r) &&
                 returns_each(obj, &r, returns_lead) && returns_each(obj, &r, returns_join) &&
                 returns_are_known(&r, of);
    for (size_t i = 0; i < r.way.n && known; i++)
        fn(r.way.at[i].mark, r.way.at[i].line, arg);
    EZ_VEC_FREE(&r.to);
    EZ_VEC_FREE(&r.way);
}
