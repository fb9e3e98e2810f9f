/* SPDX-License-Identifier: GPL-3.0-or-later */
/* patch_region.c - judges whether the first bytes of a function may become a jump. See
 * analyze.h.
 *
 * THE DANGER. A jump replaces several instructions. A thread that arrives after the jump's first
 * byte, by a branch or by a return, executes the middle of the jump. So nothing may lead there:
 *
 *      site          +1 ... +4            +5
 *      |  a branch leads here:  refused    |
 *      |  an address is taken:  refused    |
 *      |  a call returns here:  refused    |
 *      |  a symbol begins here: refused    |
 *
 * If a jump of five bytes does not fit, strategies that use fewer bytes are tried:
 *
 *   jump    5 bytes, within the function                                             (S1)
 *   padding 5 bytes. The function ends earlier; between its end and the next symbol there is
 *           only padding, which contains the rest of the jump                        (S2)
 *   island  2 bytes: a short jump to padding nearby, which contains the long jump:
 *              f: jmp short hole          hole: jmp trampoline                      (S3)
 *   pun     The bytes of the first instruction, fewer than 5, become the first bytes of a
 *           jump. Its last bytes are the next instructions' first bytes, unchanged. Memory
 *           is mapped at the resulting destination. If no memory can be mapped there, the
 *           bytes of more instructions are used, so that the jump can lead to more places:
 *              f: e9 xx | 8b 07 ...       f+5+0x..078bxx: jmp *trampoline           (S4)
 *   trap    1 byte, a breakpoint that the runtime handles inside the target         (S5)
 *
 * NO JUMP SPANS TWO PAGES. When the shell dies, a write across a page's end may stop between the
 * pages (mem.c) and leave half a jump. Where a five-byte jump would span two pages, a strategy is
 * used that writes only to the first page: an island, or a pun that leaves the bytes on the second
 * page as they are.
 *
 * INDIRECT BRANCHES cannot all be found, but the addresses that they need can: words of data that
 * contain an address, instructions that form one (leads.c), tables of distances (jumptable.c). An
 * address that a program computes in another way is not seen. Landing pads are after calls, so they
 * are in no patch region. If a function has an indirect jump, a probe inside the function
 * (ez_analyze_at) replaces only one instruction: nothing can lead to the middle of an instruction.
 * Bytes after an instruction that never falls through belong to no patch region, unless they are
 * no-ops.
 *
 * Tests: tests/unit/code/check_analyze.c, tests/fault/check_strategy.sh, tests/procs/pages.sh */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "engine/code/analyze_priv.h"
#include "engine/code/refusal.h"

/* A patch region that is being judged. */
struct region_look {
    struct ez_text *t;
    uint64_t site, end, next;
    bool at_entry;
    bool moves; /* some instruction must be rewritten to run in the trampoline */
    /* address of an indirect jump of the function; 0: none, or a harmless jump */
    uint64_t indirect;
    const struct ez_func *f;
    struct ez_patch_region w;
};

static ez_err *EZ_PRINTF(2, 3) region_refuse(uint64_t addr, const char *fmt, ...)
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

/* Turns the error e into a refusal (EZ_E_REFUSED) because of the code at addr. Returns e. */
static ez_err *region_refuse_for(uint64_t addr, ez_err *e)
{
    e->code = EZ_E_REFUSED;
    e->errnum = 0;
    e->addr = addr;
    return e;
}

#define region_short(l, ...) ez_err_why(region_refuse((l)->site, __VA_ARGS__), EZ_REFUSE_SHORT)

/* ---- the bytes under the jump ---- */

static ez_err *region_check_insn(const struct region_look *l, uint64_t at, const struct ez_insn *in)
{
    int jump = l->w.jump;
    bool inside = at + in->len < l->site + (uint64_t)jump;
    const char *s = ez_plural(jump);
    if (in->flow == EZ_FLOW_TRAP && in->is_nop)
        return region_refuse(at, "a breakpoint in the first %d byte%s", jump, s);
    if (in->flow == EZ_FLOW_SYSCALL)
        return ez_err_why(region_refuse(at, "a system call in the first %d byte%s", jump, s),
                          EZ_REFUSE_SYSCALL);
    if ((in->flow == EZ_FLOW_ICALL || in->flow == EZ_FLOW_CALL) && inside)
        return ez_err_why(region_refuse(at, "%s call in the first %d bytes",
                                        in->flow == EZ_FLOW_ICALL ? "an indirect" : "a", jump),
                          EZ_REFUSE_CALL);
    if (at + in->len > l->end)
        return region_refuse(at, "the function ends inside an instruction");
    return NULL;
}

/* Adds whole instructions from the site on, until the jump has room or an instruction does not fall
 * through: after a return there may be data, or code that an unseen branch leads to. (After a trap
 * at a function's entry, instructions are still added: a debugger can let a thread continue behind
 * the trap.) */
static ez_err *region_add_insns(struct region_look *l)
{
    struct ez_patch_region *w = &l->w;
    struct ez_insn in = { .flow = EZ_FLOW_PLAIN };
    while (w->len < w->jump && l->site + w->len < l->end &&
           (!w->ends || (l->at_entry && in.flow == EZ_FLOW_TRAP))) {
        uint64_t at = l->site + w->len;
        ez_err *e = text_decode(l->t, at, &in);
        if (e)
            return region_refuse_for(at, e);
        EZ_TRY(region_check_insn(l, at, &in));
        w->len += in.len;
        w->n++;
        w->ends = ez_flow_ends(in.flow);
        l->moves |= in.flow != EZ_FLOW_PLAIN || in.riprel;
    }
    return NULL;
}

/* Checks, for a function that is shorter than the jump, that the rest of the jump may be in
 * padding, and sets w.padding to the size of that rest. */
static ez_err *region_add_padding(struct region_look *l)
{
    struct ez_patch_region *w = &l->w;
    unsigned want = (unsigned)w->jump - w->len;
    uint64_t end = l->site + w->len;
    size_t have = text_padding(l->t, end, EZ_MIN(l->next, end + EZ_MAX_INSN));
    if (have < want)
        return region_short(l, "too short: %u byte%s, the jump needs %u", w->len, ez_plural(w->len),
                            w->jump);
    if (!w->ends)
        return region_short(l, "too short, and it does not end with a jump or return");
    w->padding = (uint8_t)want;
    return NULL;
}

/* Relocates the instructions as a trial, so that refusals of the relocator are known now. */
static ez_err *region_try_relocation(const struct region_look *l)
{
    struct ez_reloc r;
    if (!l->moves)
        return NULL;
    ez_err *e =
        l->t->arch->codegen.relocate(text_bytes(l->t, l->site), l->w.len, l->site, l->site, &r);
    return e ? region_refuse_for(e->addr ? e->addr : l->site, e) : NULL;
}

/* Checks that no branch, address or pointer leads to the middle of the jump. */
static ez_err *region_check_leads(const struct region_look *l)
{
    static const struct {
        const char *what, *where;
        enum ez_refuse why;
    } how[EZ_NLEADS] = {
        [EZ_LEAD_BRANCH] = { "branch into the %s", " from 0x%lx", EZ_REFUSE_BRANCH },
        [EZ_LEAD_ADDRESS] = { "an address in the %s is taken", " at 0x%lx", EZ_REFUSE_ADDRESS },
        [EZ_LEAD_POINTER] = { "a pointer into the %s", " at 0x%lx", EZ_REFUSE_ADDRESS },
    };
    const char *where = l->at_entry ? "prologue" : "first bytes";
    struct branches in = { .v = { 0 } };
    text_leads(l->t, l->site, l->site + l->w.jump, &in);
    const struct branch *b = in.v.at;
    ez_err *e = NULL;
    if (in.v.n)
        e = ez_err_why(ez_err_place(region_refuse(b->target, how[b->lead].what, where),
                                    how[b->lead].where, (unsigned long)b->source),
                       how[b->lead].why);
    EZ_VEC_FREE(&in.v);
    return e;
}

/* Builds the patch region for a jump, or an evicted neighbour's jump and islands, of `jump` bytes.
 * The first `written` bytes are overwritten at once, so they must be on one page. */
static ez_err *region_build(struct region_look *l, unsigned jump, unsigned written)
{
    struct ez_patch_region *w = &l->w;
    *w = (struct ez_patch_region){ .site = l->site, .jump = (uint8_t)jump };
    l->moves = false;
    if (written > text_page_left(l->site))
        return region_refuse(l->site, "its first %u bytes are on two pages", written);
    EZ_TRY(region_add_insns(l));
    if (l->indirect && w->n > 1)
        return ez_err_place(region_refuse(l->site, "an indirect jump may lead into the prologue"),
                            " from 0x%lx", (unsigned long)l->indirect);
    if (w->len < w->jump)
        EZ_TRY(region_add_padding(l));
    EZ_TRY(region_try_relocation(l));
    EZ_TRY(region_check_leads(l));
    uint64_t row = l->at_entry ? text_fault_row(l->t, l->f, l->site) : 0;
    if (row)
        return ez_err_why(
            ez_err_place(
                region_refuse(
                    l->site,
                    "an exception table of the program has the address of the first instruction"),
                " at 0x%lx", (unsigned long)row),
            EZ_REFUSE_FAULTS);
    if (l->at_entry && text_tabled(l->t, l->f, l->site, l->site + jump))
        return ez_err_why(region_refuse(l->site, "a jump table leads into the prologue"),
                          EZ_REFUSE_TABLE);
    memcpy(w->bytes, text_bytes(l->t, l->site), EZ_MIN(sizeof w->bytes, text_left(l->t, l->site)));
    return NULL;
}

/* ---- the strategies ---- */

static ez_err *region_by_jump(struct region_look *l, unsigned by)
{
    unsigned n = (unsigned)l->t->arch->jump.len;
    EZ_TRY(region_build(l, n, n));
    l->w.strategy = l->w.padding ? EZ_PADDING : EZ_JUMP;
    if (by & EZ_BY(l->w.strategy))
        return NULL;
    return l->w.padding
               ? region_short(l, "too short without the padding after it")
               : region_refuse(l->site, "the function is long enough and needs no padding");
}

static ez_err *region_by_island(struct region_look *l, unsigned by)
{
    unsigned n = (unsigned)l->t->arch->jump.short_len;
    EZ_TRY(region_build(l, n, n));
    l->w.strategy = EZ_ISLAND;
    l->w.island = text_hole(l->t, l->site, (size_t)l->t->arch->jump.len);
    if (!l->w.island)
        return region_refuse(l->site, "no padding within reach of a short jump");
    memcpy(l->w.island_bytes, text_bytes(l->t, l->w.island), (size_t)l->t->arch->jump.len);
    return NULL;
}

/* The destinations of a pun depend on the process: engine/patch/island.c looks for memory there. */
static ez_err *region_by_pun(struct region_look *l, unsigned by)
{
    struct ez_insn in;
    unsigned jump = (unsigned)l->t->arch->jump.len;
    if (!ez_err_drop(text_decode(l->t, l->site, &in)) || text_left(l->t, l->site) < 2 * jump)
        return region_refuse(l->site, "no next instruction whose bytes a pun could use");
    unsigned n = (unsigned)EZ_MIN(in.len, text_page_left(l->site));
    if (n >= jump)
        return region_refuse(l->site, "the first instruction is long enough and needs no pun");
    EZ_TRY(region_build(l, n, n));
    l->w.strategy = EZ_PUN;
    return NULL;
}

static ez_err *region_by_trap(struct region_look *l, unsigned by)
{
    EZ_TRY(region_build(l, l->t->arch->trap.len, l->t->arch->trap.len));
    l->w.strategy = EZ_TRAP;
    return NULL;
}

/* The function that judges a region for each strategy. Only region_by_jump() uses `by`, because it
 * judges jumps with and without padding. */
static ez_err *(*const region_by[EZ_NSTRATEGY])(struct region_look *l, unsigned by) = {
    [EZ_JUMP] = region_by_jump, [EZ_PADDING] = region_by_jump, [EZ_ISLAND] = region_by_island,
    [EZ_PUN] = region_by_pun,   [EZ_TRAP] = region_by_trap,
};

static ez_err *region_try(void *look, const struct ez_strategy_row *row, unsigned by)
{
    return region_by[row - ez_strategy_rows](look, by);
}

static ez_err *region_choose(struct region_look *l, unsigned by, struct ez_patch_region *out)
{
    if (!(by & EZ_BY_ALL))
        return region_refuse(l->site, "no strategy is allowed");
    EZ_TRY(ez_strategy_choose(by, region_try, l));
    *out = l->w;
    return NULL;
}

static struct region_look region_look_at(struct ez_text *t, const struct ez_func *f, uint64_t addr)
{
    struct region_look l = { .t = t, .f = f, .next = f->next > f->addr ? f->next : t->va + t->n };
    l.site = text_behind_landing(t, addr);
    l.next = EZ_MIN(l.next, t->va + t->n);
    l.end = f->end > f->addr ? EZ_MIN(f->end, l.next) : l.next;
    l.at_entry = addr == f->addr;
    return l;
}

/* Begins to judge the function that starts at addr. */
static ez_err *region_look_at_entry(struct ez_text *t, uint64_t addr, struct region_look *l)
{
    const struct ez_func *f = text_func(t, addr);
    if (!f || f->addr != addr || f->linkage || !text_left(t, addr))
        return ez_err_new(EZ_E_ARG, 0, "No function starts at 0x%lx", (unsigned long)addr);
    *l = region_look_at(t, f, addr);
    return NULL;
}

ez_err *ez_analyze(struct ez_text *t, uint64_t addr, unsigned by, struct ez_patch_region *out)
{
    struct region_look l;
    EZ_TRY(region_look_at_entry(t, addr, &l));
    return region_choose(&l, by, out);
}

ez_err *ez_analyze_longer_pun(struct ez_text *t, uint64_t addr, struct ez_patch_region *w)
{
    struct region_look l;
    EZ_TRY(region_look_at_entry(t, addr, &l));
    for (unsigned n = w->jump + 1u; n < (unsigned)t->arch->jump.len; n++) {
        if (!ez_err_drop(region_build(&l, n, n)) || l.w.len != n)
            continue;
        l.w.strategy = EZ_PUN;
        *w = l.w;
        return NULL;
    }
    return region_refuse(l.site, "no further instruction whose bytes a pun could use");
}

/* The patch region has more bytes than the neighbour's jump needs: the bytes after the jump are
 * free for other sites' islands. */
ez_err *ez_analyze_evicted(struct ez_text *t, uint64_t evicted, uint64_t site,
                           struct ez_patch_region *out)
{
    struct region_look l;
    EZ_TRY(region_look_at_entry(t, evicted, &l));
    unsigned jump = (unsigned)t->arch->jump.len;
    for (unsigned n = sizeof l.w.bytes / jump; n > 1; n--) {
        if (!ez_err_drop(region_build(&l, n * jump, jump)) || l.w.padding ||
            l.w.len > sizeof l.w.bytes || l.w.n > EZ_MAX_PROLOGUE)
            continue;
        if (text_is_led_into(t, l.site, l.site + n * jump))
            continue;
        l.w.strategy = EZ_JUMP;
        l.w.jump = (uint8_t)jump;
        *out = l.w;
        return NULL;
    }
    return region_short(&l, "too short for two jumps");
}

ez_err *ez_analyze_guest(struct ez_text *t, uint64_t addr, struct ez_patch_region *out)
{
    struct region_look l;
    EZ_TRY(region_look_at_entry(t, addr, &l));
    unsigned n = (unsigned)t->arch->jump.short_len;
    EZ_TRY(region_build(&l, n, n));
    l.w.strategy = EZ_ISLAND;
    *out = l.w;
    return NULL;
}

/* ---- any other address ---- */

static ez_err *region_check_boundary(struct region_look *l, uint64_t addr)
{
    bool boundary = false;
    for (uint64_t at = l->f->addr; at < l->end;) {
        struct ez_insn in;
        if (!ez_err_drop(text_decode(l->t, at, &in)))
            return ez_err_place(region_refuse(at, "the function cannot be decoded"), " at 0x%lx",
                                (unsigned long)at);
        boundary |= at == addr;
        if (in.flow == EZ_FLOW_IJMP && addr != l->f->addr && !l->indirect)
            l->indirect = at;
        at += in.len;
    }
    return boundary ? NULL : region_refuse(addr, "not an instruction boundary");
}

ez_err *ez_analyze_at(struct ez_text *t, uint64_t addr, unsigned by, struct ez_patch_region *out)
{
    const struct ez_func *f = text_func(t, addr);
    if (!f || f->linkage || !text_left(t, addr))
        return region_refuse(addr, "no function at 0x%lx", (unsigned long)addr);
    struct region_look l = region_look_at(t, f, addr);
    if (addr >= l.end)
        return region_refuse(addr, "no function at 0x%lx", (unsigned long)addr);
    EZ_TRY(region_check_boundary(&l, addr));
    return region_choose(&l, by, out);
}
