/* SPDX-License-Identifier: GPL-3.0-or-later */
/* returns.c - the line of the return statement by which a routine is left, if it can only be one; see routine.h.
 *
 * Without optimisation gcc evaluates what is returned in the statement's row of the line table, and goes on to the rows of
 * the closing brace, of which there is one set. So the code that leads there tells the line: it falls in from before, or
 * jumps. Test: tests/source/places.sh */
#include <string.h>

#include "arch/arch.h"
#include "engine/data/dwarf.h"
#include "engine/data/routine.h"
#include "engine/sym/sym.h"

struct returns {
    struct ez_dwarf *d;
    uint64_t lo, hi;      /* the rows of the brace                                         */
    uint64_t from, to;    /* the row before them, if control comes from there              */
    unsigned brace, line; /* line: what was found; 0 = nothing yet                         */
    bool several,
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

/* Rows before that of the return instruction may have the brace's line, too: those of destructors. */
static bool returns_brace(struct returns *r, uint64_t begin, uint64_t ret)
{
    struct ez_dwarf_line row;
    if (!ez_dwarf_line(r->d, ret, &row))
        return false;
    r->brace = row.line;
    r->hi = ret;
    for (r->lo = row.lo; r->lo > begin && ez_dwarf_line(r->d, r->lo - 1, &row) &&
                         row.line == r->brace && row.lo < r->lo;) {
        r->lo = row.lo;
    }
    return r->lo > begin;
}

/* The instruction at `at` leads to the brace. */
static void returns_from(struct returns *r, uint64_t at, bool falls)
{
    struct ez_dwarf_line row = { .line = 0 };
    const bool known = ez_dwarf_line(r->d, at, &row);
    r->several |= !known || !row.line || (r->line && r->line != row.line);
    r->line = row.line;
    r->several |= r->is_main && falls && row.lo != at;
    if (falls) {
        r->from = row.lo;
        r->to = r->lo;
    }
}

/* Calls fn for each instruction; false = bytes mean nothing. */
static bool returns_each(struct ez_object *obj, uint64_t begin, uint64_t end,
                         void (*fn)(const struct ez_insn *, uint64_t at, void *), void *arg)
{
    const struct ez_arch *a = ez_arch_host();
    const size_t n = (size_t)(end - begin);
    EZ_FREE uint8_t *code = ez_alloc(n + 1);
    if (ez_object_read_text(obj, begin, code, n) != n)
        return false;
    for (size_t at = 0; at < n;) {
        struct ez_insn in;
        if (!ez_err_drop(a->decode(code + at, n - at, begin + at, &in)) || !in.len)
            return false;
        fn(&in, begin + at, arg);
        at += in.len;
    }
    return true;
}

struct returns_found {
    uint64_t at;
    unsigned many;
};

static void returns_find(const struct ez_insn *in, uint64_t at, void *arg)
{
    struct returns_found *f = arg;
    if (in->flow != EZ_FLOW_RET)
        return;
    f->at = at;
    f->many++;
}

static bool returns_jumps(const struct ez_insn *in)
{
    return in->flow == EZ_FLOW_JMP || in->flow == EZ_FLOW_JCC || in->flow == EZ_FLOW_LOOP;
}

static void returns_lead(const struct ez_insn *in, uint64_t at, void *arg)
{
    struct returns *r = arg;
    const bool ends = in->flow == EZ_FLOW_JMP || in->flow == EZ_FLOW_IJMP ||
                      in->flow == EZ_FLOW_RET || in->flow == EZ_FLOW_TRAP,
               falls = !ends && at + in->len == r->lo;
    if (at >= r->lo && at <= r->hi)
        return;
    if (falls || (returns_jumps(in) && in->target >= r->lo && in->target <= r->hi))
        returns_from(r, at, falls);
}

/* Another return may come into the middle of the last one's row: what all of them do (the end of an array's life) has that
 * row. */
static void returns_join(const struct ez_insn *in, uint64_t at, void *arg)
{
    struct returns *r = arg;
    r->several |= returns_jumps(in) && in->target > r->from && in->target < r->to &&
                  (at < r->from || at >= r->to);
}

unsigned ez_routine_return_line(struct ez_object *obj, const struct ez_routine *of)
{
    const char *why;
    struct returns r = { .d = ez_dwarf_of(obj, &why), .is_main = !strcmp(of->symbol, "main") };
    struct returns_found ret = { 0, 0 };
    const uint64_t begin = of->vaddr, end = of->end;
    if (end <= begin || !r.d || !returns_is_plain(r.d, begin) ||
        !returns_each(obj, begin, end, returns_find, &ret) || ret.many != 1 ||
        !returns_brace(&r, begin, ret.at) || !returns_each(obj, begin, end, returns_lead, &r) ||
        !returns_each(obj, begin, end, returns_join, &r))
        return 0;
    /* the line of a function that was inlined there is another */
    return r.several || r.line < of->begin_line || r.line > of->end_line ? 0 : r.line;
}
