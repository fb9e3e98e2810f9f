/* SPDX-License-Identifier: GPL-3.0-or-later */
/* returns.c - finds the return statements of a routine by its code (routine.h).
 *
 * Without optimisation, gcc evaluates the result of a return statement in code that the line table
 * attributes to the statement's line. Then the code jumps or falls to the code of the routine's
 * closing brace, which exists once. So each instruction that leads to the brace's code belongs to a
 * return statement, and the instruction's line is the statement's line. Cleanup that must run
 * before the brace's code (destructors, the end of a variable-length array,
 * __attribute__((cleanup))) has other lines. If several return statements share such cleanup code,
 * no line is reported.
 *
 * Tests: tests/source/places.sh */
#include <string.h>

#include "arch/arch.h"
#include "engine/dwarf/dwarf.h"
#include "engine/expr/routine.h"
#include "engine/sym/names.h"
#include "engine/sym/sym.h"

struct returns_way {  /* an instruction that leads to the brace's code */
    uint64_t row, at; /* row: begin of its row in the line table; at: its address */
    /* code that runs from this address on leaves by this return; 0 = that is not certain */
    uint64_t mark;
    uint64_t block; /* begin of the basic block that contains the instruction */
    unsigned line;
    /* falls: the instruction is no jump, and the brace's code follows it; joined: a jump from
     * elsewhere leads into the instruction's row */
    bool falls, joined;
    /* may: the instruction is a conditional jump; kept: its block reads a callee-saved register,
     * in which the result was kept */
    bool may, kept;
};

struct returns {
    struct ez_dwarf *d;
    uint64_t begin, end;
    uint64_t lo, hi; /* range of the brace's rows: lo inclusive; hi: the return instruction */
    uint64_t file;   /* file of the brace */
    uint64_t block;  /* begin of the current basic block */
    unsigned rets;
    uint64_t ret;        /* address of the return instruction if the function has exactly one */
    EZ_VEC(uint64_t) to; /* targets of jumps */
    EZ_VEC(struct returns_way) way;
    bool indirect,      /* a jump has an unknown target */
        inner,          /* the end of an inner block has cleanup */
        brace_calls,    /* the brace's code contains calls, which do the cleanup */
        read_preserved, /* an instruction of the current block read a callee-saved register */
        /* the brace's code reads a callee-saved register, in which the result was kept */
        brace_kept,
        /* unknown: no return can be assigned to a statement; is_main: main may end without a return
         * statement */
        unknown, is_main;
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

/* Finds the range of the brace's rows: that of the return instruction, and rows before it with the
 * same line and column. (The line alone is not enough: a return statement may be on it.) */
static bool returns_brace(struct returns *r)
{
    struct ez_dwarf_line ret, row;
    if (!ez_dwarf_line(r->d, r->ret, &ret) || !ret.own.col)
        return false;
    r->hi = r->ret;
    r->file = ret.file;
    for (r->lo = ret.own.lo; r->lo > r->begin && ez_dwarf_line(r->d, r->lo - 1, &row) &&
                             row.own.line == ret.own.line && row.own.col == ret.own.col &&
                             row.own.lo < r->lo;) {
        r->lo = row.own.lo;
    }
    return r->lo > r->begin;
}

/* ---- cleanup on the way ---- */

/* Records a call that does cleanup: a destructor, or the end of an exception handler. Calls after
 * the brace's code are ignored, because landing pads of exceptions are there. */
static void returns_note_call(const struct ez_routine_call *c, void *arg)
{
    struct returns *r = arg;
    EZ_FREE char *pretty = ez_name_pretty(c->symbol);
    const bool destructor = *ez_name_last(pretty ? pretty : c->symbol) == '~',
               ends = destructor || !strcmp(c->symbol, "__cxa_end_catch");
    for (size_t i = 0; i < r->way.n && destructor; i++)
        r->unknown |= c->behind > r->way.at[i].row && c->behind <= r->way.at[i].at;
    r->inner |= ends && c->behind <= r->lo;
    r->brace_calls |= c->behind > r->lo && c->behind <= r->hi;
}

/* ---- instructions ---- */

/* Calls fn for each instruction. Returns false at undecodable bytes. */
static bool returns_each(struct ez_object *obj, struct returns *r,
                         void (*fn)(struct returns *r, const struct ez_insn *, uint64_t at,
                                    const uint8_t *code))
{
    const struct ez_arch *a = ez_arch_host();
    const size_t n = (size_t)(r->end - r->begin);
    EZ_FREE uint8_t *code = ez_alloc(n + EZ_MAX_INSN);
    if (ez_object_read_text(obj, r->begin, code, n) != n)
        return false;
    for (size_t at = 0; at < n;) {
        struct ez_insn in;
        if (!ez_err_drop(a->decode.insn(code + at, n - at, r->begin + at, &in)) || !in.len)
            return false;
        fn(r, &in, r->begin + at, code + at);
        at += in.len;
    }
    return true;
}

static void returns_find(struct returns *r, const struct ez_insn *in, uint64_t at,
                         const uint8_t *code)
{
    if (ez_flow_jumps(in->flow))
        EZ_PUSH(&r->to, in->target);
    r->indirect |= in->flow == EZ_FLOW_IJMP;
    /* a variable-length array is allocated */
    r->inner |= ez_arch_host()->decode.grows_stack(code, in->len);
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

/* Returns the start of the code, in the current block, that has the row's line and runs into the
 * row. */
static uint64_t returns_mark(const struct returns *r, const struct ez_dwarf_line *row)
{
    struct ez_dwarf_line before;
    uint64_t at = EZ_MAX(r->block, row->own.lo);
    while (!r->indirect && at > r->block && ez_dwarf_line(r->d, at - 1, &before) &&
           before.own.line == row->own.line && before.own.lo < at)
        at = EZ_MAX(r->block, before.own.lo);
    return at;
}

/* Records an instruction that leads to the brace's code. may: it is a conditional jump. Code of
 * inlined functions and of included files has other lines, so it makes the result unknown. */
static void returns_from(struct returns *r, uint64_t at, bool falls, bool may)
{
    struct ez_dwarf_line row = { .line = 0 };
    const bool known = ez_dwarf_line(r->d, at, &row);
    const struct ez_dwarf_calls *calls = ez_dwarf_calls(r->d, at);
    r->unknown |= !known || !row.own.line || row.file != r->file || !calls || calls->call.n != 1 ||
                  (r->is_main && falls && row.own.lo != at);
    const struct returns_way w = { .row = row.own.lo,
                                   .at = at,
                                   .mark = may || !known ? 0 : returns_mark(r, &row),
                                   .block = r->block,
                                   .line = row.own.line,
                                   .falls = falls,
                                   .may = may,
                                   .kept = r->read_preserved };
    EZ_PUSH(&r->way, w);
}

static void returns_block(struct returns *r, uint64_t at)
{
    r->block = at;
    r->read_preserved = false;
}

static void returns_lead(struct returns *r, const struct ez_insn *in, uint64_t at,
                         const uint8_t *code)
{
    const bool jumps = ez_flow_jumps(in->flow), ends = ez_flow_ends(in->flow),
               falls = !ends && at + in->len == r->lo;
    if (returns_is_joined(r, at))
        returns_block(r, at);
    const bool reads = ez_arch_host()->decode.reads_preserved(code, in->len);
    r->read_preserved |= reads;
    if (at >= r->lo && at <= r->hi) {
        r->brace_kept |= reads;
        return;
    }
    if (falls || (jumps && in->target >= r->lo && in->target <= r->hi))
        returns_from(r, at, falls, jumps && in->flow != EZ_FLOW_JMP);
    if (jumps || ends)
        returns_block(r, at + in->len);
}

static void returns_join(struct returns *r, const struct ez_insn *in, uint64_t at,
                         const uint8_t *code EZ_UNUSED)
{
    for (size_t i = 0; i < r->way.n && ez_flow_jumps(in->flow); i++) {
        struct returns_way *w = &r->way.at[i];
        w->joined |= in->target > w->row && in->target <= w->at && (at < w->row || at > w->at);
    }
}

/* Calls fn for each return, unless one has a line outside of the routine. If a jump leads into the
 * middle of a return's row, the jump may come from another return statement. fn then gets address 0
 * and line 0, except for a return that jumps to the brace's code while all returns have the same
 * line. */
static void returns_report(const struct returns *r, const struct ez_routine *of,
                           void (*fn)(uint64_t vaddr, unsigned line, void *arg), void *arg)
{
    bool several = false, outside = false;
    for (size_t i = 0; i < r->way.n; i++) {
        several |= r->way.at[i].line != r->way.at[0].line;
        outside |= r->way.at[i].line < of->begin_line || r->way.at[i].line > of->end_line;
    }
    for (size_t i = 0; i < r->way.n && !outside; i++) {
        const struct returns_way *w = &r->way.at[i];
        const bool known = !(w->joined && (w->falls || several));
        fn(known ? w->mark : 0, known ? w->line : 0, arg);
    }
}

/* For a result that is kept in a register during cleanup: returns whether the statement's line
 * begins before the cleanup in the same basic block, so that no other return statement uses the
 * cleanup. */
static bool returns_is_alone(const struct returns *r, const struct returns_way *w)
{
    struct ez_dwarf_line row;
    for (uint64_t at = w->row;
         at > w->block && ez_dwarf_line(r->d, at - 1, &row) && row.own.lo < at; at = row.own.lo)
        if (row.own.line == w->line && row.own.lo >= w->block)
            return true;
    return false;
}

/* Returns whether each instruction that leads to the brace's code belongs to a single return
 * statement. */
static bool returns_are_apart(const struct returns *r)
{
    bool apart = !r->brace_kept || r->brace_calls;
    for (size_t i = 0; i < r->way.n; i++) {
        const struct returns_way *w = &r->way.at[i];
        apart &= !r->inner || (r->way.n == 1 && !w->may);
        apart &= !w->kept || (r->way.n == 1 && returns_is_alone(r, w));
    }
    return apart;
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
    const struct ez_arch *a = ez_arch_host();
    const bool known = r.end > r.begin && r.d && a->decode.grows_stack &&
                       a->decode.reads_preserved && returns_is_plain(r.d, r.begin) &&
                       returns_each(obj, &r, returns_find) && r.rets == 1 && returns_brace(&r) &&
                       returns_each(obj, &r, returns_lead) && returns_each(obj, &r, returns_join) &&
                       !r.unknown;
    if (known)
        ez_routine_calls_of(obj, r.begin, r.end, false, returns_note_call, &r);
    if (known && !r.unknown && returns_are_apart(&r))
        returns_report(&r, of, fn, arg);
    EZ_VEC_FREE(&r.to);
    EZ_VEC_FREE(&r.way);
}
