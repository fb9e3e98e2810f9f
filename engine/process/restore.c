/* SPDX-License-Identifier: GPL-3.0-or-later */
/* restore.c - restores the file's bytes in the target's text, by the journal's rows, for probes
 * that are removed (repair.c) or planted again (adopt_rows.c).
 *
 * A row may be forged: at worst the file's bytes replace other bytes in the text. A patch that
 * jumps to another patch is removed before the latter, so that the program works even if the shell
 * dies between two writes. The order is:
 *
 *   short      patches shorter than a jump: they jump to an island, or depend on the bytes after
 *              them
 *   islands    in padding, or among the first instructions of an evicted neighbour
 *   jumps      all other jumps, also those of evicted neighbours and of functions behind a pun
 *
 * A thread on an island continues at the island's destination. A thread that hit a probe's trap
 * continues in the probe's trampoline. Trampolines, and pages with islands of puns, stay mapped.
 *
 * Traps of halts (engine/patch/halt_copy.c) are removed first: a trap may be in a jump, which must
 * be whole when it is compared. Threads that hit such a trap continue in the program's code, not in
 * the copied instruction. The SIGTRAP handler may still send a thread to the copy later. A later
 * patch may replace the bytes to which the copy jumps back; then it also changes this jump's
 * destination.
 *
 * Inputs: rows, a stopped target. Errors: those of reading and writing.
 * Tests: tests/unit/patch/check_patch.c, tests/procs/killed.sh, tests/procs/keep.sh,
 * tests/procs/reach.sh */
#include <string.h>

#include "engine/base/foreign.h"
#include "engine/process/keep_priv.h"
#include "engine/inferior/pt.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/thread.h"

/* maximum number of jumps back from halts' copies that are stored for later patches */
#define COPIES_MOST 4096

struct piece {
    uint64_t addr;
    enum { SHORT, ISLANDS, JUMPS } order;
    bool probe; /* the bytes are a probe's patch; false: an island, or the patch of a hook */
    uint8_t len, file[16];
};

struct lead { /* threads with pc `at` continue at address `to` */
    uint64_t at, to;
    bool stands; /* the patch is in the text; false: it was removed earlier */
};

struct plan {
    EZ_VEC(struct piece) piece;
    EZ_VEC(struct lead) island, trap;
};

static int restore_by_order(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

bool row_is_files(struct ez_target *t, const struct ez_row *r)
{
    uint8_t file[16];
    const struct ez_module *m = ez_module_at(t, r->addr);
    return m && m->obj && r->len <= sizeof file &&
           ez_object_read_text(m->obj, r->addr - m->bias, file, r->len) == r->len &&
           !memcmp(file, r->before, r->len);
}

static int restore_by_at(const void *a, const void *b)
{
    const struct lead *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Returns true if the patch `ours` is at addr, whole or in part (ez_patched()). file: the file's
 * bytes. */
static bool restore_replaced(struct ez_target *t, uint64_t addr, const uint8_t *ours, size_t n,
                             uint8_t file[16])
{
    uint8_t live[16];
    const struct ez_module *m = n && n <= sizeof live ? ez_module_at(t, addr) : NULL;
    return m && m->obj && ez_mem_read_some(t, addr, live, n) == n &&
           ez_object_read_text(m->obj, addr - m->bias, file, n) == n &&
           ez_patched(live, ours, file, n);
}

/* Returns true if the row's island, in memory that eztsh mapped, has a jump to the row's
 * trampoline. */
static bool restore_island_stands(struct ez_target *t, const struct ez_row *r)
{
    uint8_t want[16], live[16];
    size_t n = (size_t)t->inf.arch->jump.far_len;
    t->inf.arch->jump.write_far(r->trampoline, want);
    return ez_strategy(r->strategy)->island == EZ_ISLAND_MAPPED && r->island &&
           ez_mem_read_some(t, r->island, live, n) == n && !memcmp(live, want, n);
}

bool row_whole(const struct ez_target *t, const struct ez_row *r)
{
    return ez_strategy(r->strategy)->may_have(t->inf.arch, r->len);
}

unsigned row_stands(struct ez_target *t, const struct ez_row *r)
{
    uint8_t file[16];
    unsigned what = restore_island_stands(t, r) ? ROW_MAPPED : 0;
    if (r->planted && row_whole(t, r) && restore_replaced(t, r->addr, r->after, r->len, file))
        what |= ROW_SITE;
    if (r->planted && ez_strategy(r->strategy)->island == EZ_ISLAND_IN_TEXT &&
        restore_replaced(t, r->island, r->island_after, (size_t)t->inf.arch->jump.len, file))
        what |= ROW_ISLAND;
    return what;
}

/* Adds piece p, with the file's bytes, to plan q, if the patch `ours` is in the text at p.addr. */
static void restore_add_piece(struct ez_target *t, struct plan *q, struct piece p,
                              const uint8_t *ours)
{
    if (restore_replaced(t, p.addr, ours, p.len, p.file))
        EZ_PUSH(&q->piece, p);
}

/* Adds to plan q the pieces to restore for the row, and the addresses at which threads must be
 * moved. */
static void restore_cut(struct ez_target *t, struct plan *q, const struct ez_row *r)
{
    unsigned what = row_stands(t, r);
    size_t n = (size_t)t->inf.arch->jump.len;
    struct ez_insn jump;
    if (what & ROW_SITE)
        restore_add_piece(t, q,
                          (struct piece){ .addr = r->addr,
                                          .order = r->len < n ? SHORT : JUMPS,
                                          .probe = r->flags & (EZ_ROW_ENTRY | EZ_ROW_EXIT |
                                                               EZ_ROW_DATA | EZ_ROW_REPLACE),
                                          .len = (uint8_t)r->len },
                          r->after);
    if (what & ROW_ISLAND) {
        restore_add_piece(t, q,
                          (struct piece){ .addr = r->island, .order = ISLANDS, .len = (uint8_t)n },
                          r->island_after);
        if (ez_err_drop(t->inf.arch->decode.insn(r->island_after, n, r->island, &jump)) &&
            jump.target)
            EZ_PUSH(&q->island, ((struct lead){ r->island, jump.target, true }));
    }
    if (what & ROW_MAPPED)
        EZ_PUSH(&q->island, ((struct lead){ r->island, r->trampoline, true }));
    if (ez_strategy(r->strategy)->trap)
        EZ_PUSH(&q->trap, ((struct lead){ r->addr + t->inf.arch->trap.pc_after, r->trampoline,
                                          what & ROW_SITE }));
}

/* ---- threads ----------------------------------------------------------------------------- */

static const struct lead *restore_lead_at(const struct plan *q, uint64_t pc)
{
    struct lead key = { .at = pc };
    return q->island.n ? bsearch(&key, q->island.at, q->island.n, sizeof key, restore_by_at) : NULL;
}

static bool restore_concerns(void *plan, uint64_t pc)
{
    return restore_lead_at(plan, pc);
}

static uint64_t restore_way(void *plan, uint64_t pc)
{
    const struct lead *l = restore_lead_at(plan, pc);
    return l ? l->to : 0;
}

static uint64_t restore_behind_trap(const struct plan *q, uint64_t pc)
{
    uint64_t to = 0;
    for (size_t i = 0; i < q->trap.n; i++)
        if (q->trap.at[i].at == pc && (!to || q->trap.at[i].stands))
            to = q->trap.at[i].to;
    return to;
}

/* If the thread hit a trap of eztsh, sets its pc to `to` and drops the SIGTRAP, pending or already
 * reported, which the program must not get. */
static ez_err *restore_drop_trap(struct ez_target *t, struct ez_thread *th, uint64_t to)
{
    struct ez_regs *live, r;
    pid_t tid = th->tid;
    EZ_TRY(ez_thread_consume_trap(t, th));
    th = ez_thread_find(t, tid);
    if (!th || th->sig != SIGTRAP || !th->has_info || th->info.si_code != t->inf.arch->trap.si_code)
        return NULL;
    EZ_TRY(ez_thread_regs(th, &live));
    r = *live;
    t->inf.arch->regs.set_pc(&r, to);
    th->sig = 0;
    th->has_info = false;
    EZ_TRY(ez_thread_set_regs(th, &r));
    pt_report_consumed(tid);
    return NULL;
}

static ez_err *restore_past_trap(struct ez_target *t, struct ez_thread *th, const struct plan *q)
{
    struct ez_regs *live;
    EZ_TRY(ez_thread_regs(th, &live));
    uint64_t to = restore_behind_trap(q, t->inf.arch->regs.pc(live));
    return to ? restore_drop_trap(t, th, to) : NULL;
}

static ez_err *restore_move_threads(struct ez_target *t, struct plan *q)
{
    for (size_t i = q->trap.n ? t->inf.thread.n : 0; i-- > 0;)
        if (t->inf.thread.at[i]->stopped)
            EZ_TRY(restore_past_trap(t, t->inf.thread.at[i], q));
    if (!q->island.n)
        return NULL;
    qsort(q->island.at, q->island.n, sizeof *q->island.at, restore_by_at);
    struct ez_way w = { .lo = q->island.at[0].at,
                        .hi = q->island.at[q->island.n - 1].at,
                        .concerns = restore_concerns,
                        .to = restore_way,
                        .arg = q };
    return ez_pc_fixup(t, &w);
}

/* ---- halts ----------------------------------------------------------------------------------- */

bool row_is_halt(const struct ez_target *t, const struct ez_row *r)
{
    return ez_strategy(r->strategy)->trap && r->flags == EZ_ROW_INTERNAL &&
           r->len == t->inf.arch->trap.len;
}

/* Finds the jump from the halt's copied instruction back to the program's code. Returns false if
 * there is none. */
static bool restore_jump_back(struct ez_target *t, const struct ez_row *r, struct ez_jump_back *out)
{
    uint8_t code[16];
    struct ez_insn in = { .len = 0 };
    for (uint64_t at = r->trampoline; at - r->trampoline < EZ_MAX_RELOCATED; at += in.len) {
        size_t n = ez_mem_read_some(t, at, code, sizeof code);
        if (!ez_err_drop(t->inf.arch->decode.insn(code, n, at, &in)) || !in.len)
            return false;
        *out = (struct ez_jump_back){ at, in.target };
        if (in.flow == EZ_FLOW_JMP)
            return in.len == t->inf.arch->jump.len && in.target - r->addr - 1 < EZ_MAX_INSN;
    }
    return false;
}

/* Moves a thread that hit the halt's trap or is in the copy back to the program's code: to the
 * original instruction, or from the jump back to its destination. */
static ez_err *restore_halted(struct ez_target *t, struct ez_thread *th, const struct ez_row *r)
{
    struct ez_regs *live, moved;
    EZ_TRY(ez_thread_regs(th, &live));
    uint64_t pc = t->inf.arch->regs.pc(live),
             to = pc == r->trampoline ? r->addr : ez_halt_trap_lands(t, pc);
    if (pc == r->addr + t->inf.arch->trap.pc_after)
        return restore_drop_trap(t, th, r->addr);
    if (!to)
        return NULL;
    moved = *live;
    t->inf.arch->regs.set_pc(&moved, to);
    return ez_thread_set_regs(th, &moved);
}

/* Moves threads away from the trap of a halt and its copy, and removes the trap if it is in the
 * text. A program that forges such a row harms only itself. */
static ez_err *restore_halt(struct ez_target *t, const struct ez_row *r)
{
    uint8_t live[16];
    for (size_t i = t->inf.thread.n; i-- > 0;)
        if (t->inf.thread.at[i]->stopped)
            EZ_TRY(restore_halted(t, t->inf.thread.at[i], r));
    if (ez_mem_read_some(t, r->addr, live, r->len) != r->len ||
        memcmp(live, t->inf.arch->trap.insn, r->len))
        return NULL;
    return ez_mem_write(t, r->addr, r->before, r->len, "restore the bytes under a breakpoint");
}

ez_err *rows_free_halts(struct ez_target *t, const struct ez_row *row, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i % 4096 == 0 && ez_foreign_stopped())
            return ez_foreign_interrupted();
        if (!row_is_halt(t, &row[i]))
            continue;
        struct ez_jump_back back;
        if (t->inf.halts.back.n < COPIES_MOST && restore_jump_back(t, &row[i], &back))
            ez_halt_jumps_back(t, back.at, back.lands);
        if (row[i].planted)
            EZ_TRY(restore_halt(t, &row[i]));
    }
    return NULL;
}

/* ---- restoring ---------------------------------------------------------------------------- */

static ez_err *restore_give_back(struct ez_target *t, const struct plan *q, const char *why,
                                 unsigned *sites)
{
    for (size_t i = 0; i < q->piece.n; i++) {
        const struct piece *p = &q->piece.at[i];
        if (i && p->order == p[-1].order && p->addr == p[-1].addr)
            continue; /* a row of the same site, whose bytes were restored already */
        EZ_TRY(ez_mem_write(t, p->addr, p->file, p->len, why));
        *sites += p->probe;
    }
    return NULL;
}

ez_err *rows_restore(struct ez_target *t, const struct ez_row *row, size_t n, const char *why,
                     unsigned *sites)
{
    struct plan q = { 0 };
    *sites = 0;
    for (size_t i = 0; i < n; i++)
        restore_cut(t, &q, &row[i]);
    if (q.piece.n)
        qsort(q.piece.at, q.piece.n, sizeof *q.piece.at, restore_by_order);
    ez_err *e = restore_move_threads(t, &q);
    if (!e)
        e = restore_give_back(t, &q, why, sites);
    EZ_VEC_FREE(&q.piece);
    EZ_VEC_FREE(&q.island);
    EZ_VEC_FREE(&q.trap);
    return e;
}
