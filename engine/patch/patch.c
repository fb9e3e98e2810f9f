/* SPDX-License-Identifier: GPL-3.0-or-later */
/* patch.c - changes the first bytes of functions in a live process.
 *
 * THE PROBLEM. Other threads execute the bytes that eztsh overwrites. A thread's pc may be between
 * two of the overwritten instructions, or a thread may be in a signal handler that will return to
 * this pc. The shell may be killed between any two of its system calls.
 *
 * THE PROTOCOL (every thread is stopped, and all sites are analysed before):
 *   trampolines  Writes the trampolines with their relocated code. No jump leads to them yet.
 *   compare      Compares the live bytes with the expected bytes. A difference means that the
 *                target has changed them: the site is lost, and never overwritten.
 *   move         Moves each program counter inside a patch region, also those saved in signal
 *                frames, to the copy of the same instruction in the relocated code.
 *   lead on      Threads may be in old trampolines of the site that were generated for a shorter
 *                patch region. The jumps back of these trampolines would lead into the new patch
 *                region, so their destinations are changed to the same instruction in the new
 *                relocated code.
 *   journal      Sets `planted` in the row, which has the bytes before and after.
 *   write        Writes the jumps; sites close to each other share a write.
 *   verify       Reads the bytes back. After a difference, writes all old bytes back.
 *
 * INVARIANTS, at every instruction of this file:
 *   I1  Every byte of text is the file's or belongs to one site.
 *   I2  A jump is written only when its island and trampoline are complete.
 *   I3  Until a detach (rt_trim.c), a trampoline is not unmapped, not given to another site, and
 *       not changed except for its jump back, which always leads to the next instruction or to a
 *       copy of it.
 *   I4  If the shell dies, the program runs correctly. Each write replaces whole jumps, and the
 *       program can run before and after each write. An interrupted write ends between pages
 *       (mem.c), and no jump spans two pages (patch_region.c, island.c, variant.c).
 *
 *      before                         after
 *      f:   push %rbp                 f:   jmp  trampoline
 *           mov  %rsp,%rbp                 (rest of an instruction that is never executed)
 *           sub  $16,%rsp
 *      f+8: ...                       f+8: ...
 *
 * Tests: tests/unit/patch/check_patch.c, tests/fault/check_window.sh, tests/procs/killed.sh,
 * tests/procs/sweep.sh, tests/procs/pages.sh.
 * Source: PROPER'12 section 5.2; the kernel's kprobes.rst, "jump optimization". */
#include "engine/target.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/queue.h"
#include "engine/patch/return_thunk.h"
#include "engine/patch/clause.h"
#include "engine/patch/trap.h"
#include "engine/patch/variant.h"

#include <stdlib.h>
#include <string.h>

#define MERGE 4096 /* pieces that begin less than this number of bytes apart share a write */

struct step {
    struct ez_site *site;
    const struct ez_variant *to, *from; /* NULL: the original bytes */
    bool lost;
};

/* A piece is a range of bytes that a step changes: those of its site or of its island. An island is
 * written before the jump of the site that leads to it, and removed after this jump. The evicted
 * neighbour that makes room for an island is written before the island, and restored after it. An
 * island in a page that eztsh mapped is written before all other pieces, and never removed. */
enum order { OURS_FIRST, EVICTED_FIRST, ISLAND_FIRST, SITE, ISLAND_LAST, EVICTED_LAST, NORDER };
struct piece {
    struct step *step;
    enum order order;
    uint64_t addr;
    /* identifies the module, or the page of islands; only pieces of the same zone share a write */
    const void *zone;
    uint8_t len, want[16], have[16];
};

static int patch_by_addr(const void *a, const void *b)
{
    const struct step *x = a, *y = b;
    return x->site->addr < y->site->addr ? -1 : x->site->addr > y->site->addr;
}

static int patch_by_order(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void patch_plan(struct ez_target *t, const struct ez_change *c, struct step *s)
{
    s->site = &t->patcher.site.at[c->site];
    s->from = s->site->current < 0 ? NULL : &s->site->variant.at[s->site->current];
    s->to = c->variant < 0 ? NULL : &s->site->variant.at[c->variant];
}

static const uint8_t *patch_site_bytes(const struct ez_target *t, const struct ez_site *s,
                                       const struct ez_variant *v)
{
    return v ? t->rt.rows[v->id].after : s->win.bytes;
}

/* Sets buf to the bytes of the island that leads to variant v, or to the original bytes there if v
 * is NULL. */
static void patch_island_bytes(const struct ez_target *t, const struct ez_patch_region *w,
                               const struct ez_variant *v, uint8_t *buf)
{
    if (ez_strategy(w->strategy)->island == EZ_ISLAND_MAPPED)
        t->inf.arch->jump.write_far(v->trampoline, buf);
    else
        memcpy(buf, v ? t->rt.rows[v->id].island_after : w->island_bytes, sizeof w->island_bytes);
}

static size_t patch_cut_site(const struct ez_target *t, struct step *s, struct piece *p)
{
    enum order order = !s->site->guests && !s->site->hosted ? SITE
                       : s->to                              ? EVICTED_FIRST
                                                            : EVICTED_LAST;
    *p = (struct piece){ s, order, s->site->addr, s->site->mod, s->site->win.jump, { 0 }, { 0 } };
    memcpy(p->have, patch_site_bytes(t, s->site, s->from), p->len);
    memcpy(p->want, patch_site_bytes(t, s->site, s->to), p->len);
    return 1;
}

/* Sets *p to the piece of the site's island. Returns the number of pieces, 1 or 0. When a probe is
 * removed, its island in a page that eztsh mapped needs no piece: the island stays, but no jump
 * leads to it. */
static size_t patch_cut_island(const struct ez_target *t, struct step *s, struct piece *p)
{
    const struct ez_patch_region *w = &s->site->win;
    bool ours = ez_strategy(w->strategy)->island == EZ_ISLAND_MAPPED;
    if (!w->island || (ours && !s->to))
        return 0;
    enum order order = ours ? OURS_FIRST : s->to ? ISLAND_FIRST : ISLAND_LAST;
    *p = (struct piece){ s, order, w->island, NULL, 0, { 0 }, { 0 } };
    p->len = (uint8_t)(ours ? t->inf.arch->jump.far_len : t->inf.arch->jump.len);
    p->zone = ours ? (const void *)(w->island / EZ_PAGE) : s->site->mod;
    patch_island_bytes(t, w, s->to, p->want);
    if (!ours)
        patch_island_bytes(t, w, s->from, p->have);
    return 1;
}

struct plan {
    struct step *step;   /* sorted by address */
    struct piece *piece; /* sorted by order, then address */
    size_t n, npieces;
};

static void patch_cut(const struct ez_target *t, struct plan *q)
{
    for (size_t i = 0; i < q->n; i++) {
        q->npieces += patch_cut_site(t, &q->step[i], &q->piece[q->npieces]);
        q->npieces += patch_cut_island(t, &q->step[i], &q->piece[q->npieces]);
    }
    ez_sort(q->piece, q->npieces, sizeof *q->piece, patch_by_order);
}

/* ---- program counters ------------------------------------------------------------------ */

/* Returns the step that plants a jump at an unpatched site and whose patch region contains pc,
 * after its first byte; NULL if there is none. */
static struct step *patch_find_region(struct step *s, size_t n, uint64_t pc)
{
    size_t upto = EZ_UPTO(s, n, site->addr, pc);
    if (!upto)
        return NULL;
    struct step *w = &s[upto - 1];
    bool inside = pc > w->site->addr && pc < w->site->addr + w->site->win.len;
    return inside && w->to && !w->from && !w->lost ? w : NULL;
}

/* Returns the address of the relocated copy of the instruction at pc, or 0 if no instruction of the
 * patch region begins at pc. */
static uint64_t patch_moved(const struct step *w, uint64_t pc)
{
    const struct ez_moved *r = &w->site->reloc;
    for (size_t i = 0; i < r->n; i++)
        if (w->site->addr + r->from[i] == pc)
            return w->to->relocated + r->to[i];
    return 0;
}

/* Returns the piece that removes the island at pc, or NULL if there is none. */
static const struct piece *patch_island_at(const struct plan *q, uint64_t pc)
{
    const struct piece key = { .order = ISLAND_LAST, .addr = pc };
    return bsearch(&key, q->piece, q->npieces, sizeof key, patch_by_order);
}

/* Returns true if pc is in a patch region that gets a jump, or at an island that is removed. */
static bool patch_concerns(void *plan, uint64_t pc)
{
    const struct plan *q = plan;
    return patch_find_region(q->step, q->n, pc) || patch_island_at(q, pc);
}

/* Returns the address at which a thread at pc must continue, or 0 if the pc does not change. If the
 * pc is in a patch region and cannot be moved, marks the step as lost. */
static uint64_t patch_way(void *plan, uint64_t pc)
{
    struct plan *q = plan;
    struct step *w = patch_find_region(q->step, q->n, pc);
    uint64_t to = w ? patch_moved(w, pc) : 0;
    if (w && !to)
        w->lost = true;
    const struct piece *island =
        to ? NULL : patch_island_at(q, pc); /* a thread on an island continues in the trampoline */
    return island && island->step->from ? island->step->from->trampoline : to;
}

static ez_err *patch_move_all(struct ez_target *t, struct plan *q, bool look)
{
    const uint64_t near =
        (uint64_t)t->inf.arch->jump.short_reach + 32; /* limit for the distance of islands from
                                                       * their sites */
    struct ez_way w = { .lo = q->step[0].site->addr - near,
                        .hi = q->step[q->n - 1].site->addr + near,
                        .concerns = patch_concerns,
                        .to = patch_way,
                        .arg = q,
                        .look = look };
    return ez_pc_fixup(t, &w);
}

/* ---- bytes -------------------------------------------------------------------------------- */

enum pass { COMPARE, WRITE, VERIFY, UNDO };

/* Makes one pass over the pieces p[0..n), which share a read and a write. An island in a page that
 * eztsh mapped is not compared and not undone. */
static ez_err *patch_run_pass(struct ez_target *t, struct piece *p, size_t n, enum pass pass)
{
    uint64_t lo = p[0].addr, hi = lo;
    for (size_t i = 0; i < n; i++)
        hi = EZ_MAX(hi, p[i].addr + p[i].len);
    EZ_FREE uint8_t *buf = ez_alloc(hi - lo);
    size_t got = ez_mem_read_some(t, lo, buf, hi - lo);
    if (got < hi - lo)
        EZ_TRY(ez_mem_alive(t));
    for (size_t i = 0; i < n; i++) {
        bool *lost = &p[i].step->lost, ours = p[i].zone != p[i].step->site->mod;
        uint8_t *at = buf + (p[i].addr - lo);
        bool readable = p[i].addr - lo + p[i].len <= got;
        if (pass == COMPARE && (!readable || (!ours && memcmp(at, p[i].have, p[i].len))))
            *lost = true;
        if (*lost || !readable)
            continue;
        if (pass == VERIFY && memcmp(at, p[i].want, p[i].len))
            return ez_err_new(EZ_E_MISMATCH, 0, "The code written at 0x%lx reads back differently",
                              (unsigned long)p[i].addr);
        if (pass == WRITE || (pass == UNDO && !ours))
            memcpy(at, pass == WRITE ? p[i].want : p[i].have, p[i].len);
    }
    if (pass == WRITE || pass == UNDO)
        return ez_mem_write(t, lo, buf, got,
                            pass == WRITE ? "plant or remove probes"
                                          : "restore the original bytes");
    return NULL;
}

/* Makes one pass over the pieces with this `order`. Pieces close to each other share a write. */
static ez_err *patch_run_order(struct ez_target *t, struct plan *q, enum order order,
                               enum pass pass)
{
    for (size_t i = 0, k; i < q->npieces; i = k) {
        const struct piece *p = q->piece;
        for (k = i + 1; k < q->npieces && p[k].order == p[i].order && p[k].zone == p[i].zone &&
                        p[k].addr - p[k - 1].addr < MERGE && !t->inf.pokes;
             k++)
            continue;
        if (p[i].order == order)
            EZ_TRY(patch_run_pass(t, q->piece + i, k - i, pass));
    }
    return NULL;
}

static ez_err *patch_all_runs(struct ez_target *t, struct plan *q, enum pass pass)
{
    for (int i = 0; i < NORDER; i++)
        EZ_TRY(patch_run_order(t, q, (enum order)(pass == UNDO ? NORDER - 1 - i : i), pass));
    return NULL;
}

static void patch_journal(struct ez_target *t, const struct step *s, size_t n, bool before)
{
    for (size_t i = 0; i < n; i++) {
        if (s[i].lost)
            continue;
        if (before && s[i].to)
            t->rt.rows[s[i].to->id].planted = 1;
        if (!before && s[i].from && s[i].from != s[i].to)
            t->rt.rows[s[i].from->id].planted = 0;
    }
}

/* Posts a note about n sites that were to be restored but whose bytes are not eztsh's any more.
 * addr: address of the first of these sites. */
static void patch_say_left(struct ez_target *t, uint64_t addr, unsigned n)
{
    if (n)
        ez_post_note(t,
                     "The bytes at 0x%lx%s were changed by somebody else: they stay as they are.",
                     (unsigned long)addr, n > 1 ? " and other places" : "");
}

static void patch_settle(struct ez_target *t, struct step *s, size_t n, unsigned *lost)
{
    uint64_t left = 0;
    unsigned nleft = 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i].lost) {
            s[i].site->lost = true;
            ++*lost;
            left = s[i].to || nleft++ ? left : s[i].site->addr;
        } else {
            s[i].site->current = s[i].to ? (int)(s[i].to - s[i].site->variant.at) : -1;
            ez_clauses_share(t, s[i].site);
            s[i].site->hosted = s[i].to && s[i].site->guests;
        }
    }
    patch_say_left(t, left, nleft);
}

/* If the destination `lands` of the jump back at address *at is inside the step's patch region,
 * changes it to the copy of the same instruction in the relocated code, and sets *at to 0. If that
 * is impossible, marks the step as lost. */
static ez_err *patch_lead_on(struct ez_target *t, struct step *s, uint64_t *at, uint64_t lands)
{
    uint8_t jump[16];
    if (!*at || lands <= s->site->addr || lands >= s->site->addr + s->site->win.len)
        return NULL;
    uint64_t to = patch_moved(s, lands);
    s->lost = !to || !ez_err_drop(t->inf.arch->jump.write(*at, to, jump));
    if (s->lost)
        return NULL;
    EZ_TRY(ez_mem_write(t, *at, jump, (size_t)t->inf.arch->jump.len,
                        "redirect the jump back of an old trampoline"));
    *at = 0;
    return NULL;
}

/* Changes the jumps back of old trampolines and of halts' copies ("lead on" above). The new
 * relocated code is complete, so the changed jumps are correct even if the site's new jump is not
 * written. */
static ez_err *patch_chain(struct ez_target *t, struct step *s)
{
    if (!s->to || s->from)
        return NULL;
    for (size_t i = 0; !s->lost && i < s->site->variant.n; i++) {
        struct ez_variant *v = &s->site->variant.at[i];
        if (v != s->to)
            EZ_TRY(patch_lead_on(t, s, &v->back, v->lands));
    }
    for (size_t i = 0; !s->lost && i < t->inf.halts.back.n; i++) {
        struct ez_jump_back *b = &t->inf.halts.back.at[i];
        /* false: the copy belongs to a library that was loaded at this address earlier */
        if (patch_moved(s, b->lands))
            EZ_TRY(patch_lead_on(t, s, &b->at, b->lands));
    }
    return NULL;
}

static ez_err *patch_point_traps(struct ez_target *t, const struct plan *q)
{
    for (size_t i = 0; i < q->n; i++)
        if (q->step[i].to && !q->step[i].lost && ez_strategy(q->step[i].site->win.strategy)->trap)
            EZ_TRY(ez_trap_point(t, q->step[i].site->addr, q->step[i].to->trampoline));
    return NULL;
}

/* Sets the pointers by which replacements call the originals. A pointer is set before a jump leads
 * to the replacement, and keeps its value when the replacement is removed, because a thread may
 * still be in the replacement. (ez_originals_restore() is for the detach.) */
static ez_err *patch_point_originals(struct ez_target *t, const struct plan *q)
{
    for (size_t i = 0; i < q->n; i++) {
        const struct ez_variant *v = q->step[i].to;
        if (v && v->with.orig && !q->step[i].lost)
            EZ_TRY(ez_mem_write(t, v->with.orig, &v->relocated, sizeof v->relocated,
                                "store the address of the original for a replacement"));
    }
    return NULL;
}

uint64_t ez_site_original_at(const struct ez_target *t, uint64_t func)
{
    for (size_t i = 0; i < t->patcher.site.n; i++) {
        const struct ez_site *s = &t->patcher.site.at[i];
        if (s->func == func && ez_site_planted(s) && s->variant.at[s->current].with.func)
            return s->variant.at[s->current].relocated;
    }
    return func;
}

/* Sets the pointer of a removed replacement to the original function itself, if the pointer still
 * has the address of the original's relocated code. */
static ez_err *patch_restore_original(struct ez_target *t, const struct ez_site *s,
                                      const struct ez_variant *v)
{
    uint64_t at;
    if (!v->with.orig || ez_mem_read_some(t, v->with.orig, &at, sizeof at) != sizeof at ||
        at != v->relocated)
        return NULL;
    return ez_mem_write(t, v->with.orig, &s->func, sizeof s->func,
                        "store the address of an original");
}

ez_err *ez_originals_restore(struct ez_target *t)
{
    for (size_t i = 0; i < t->patcher.site.n; i++) {
        const struct ez_site *s = &t->patcher.site.at[i];
        for (size_t k = 0; k < s->variant.n && s->mod && !ez_site_planted(s); k++)
            EZ_TRY(patch_restore_original(t, s, &s->variant.at[k]));
    }
    return NULL;
}

/* Returns true if the site with index `evicted` has its jump after all steps of the plan are
 * done. */
static bool patch_evicted_planted(const struct ez_target *t, const struct plan *q, int evicted)
{
    if (evicted < 0)
        return false;
    const struct step key = { .site = &t->patcher.site.at[evicted] };
    const struct step *s = bsearch(&key, q->step, q->n, sizeof key, patch_by_addr);
    return s ? s->to && !s->lost : key.site->current >= 0 && !key.site->lost;
}

/* Marks steps as lost whose evicted neighbour is lost: their islands would overwrite instructions
 * of the neighbour that threads still execute. */
static void patch_lose_guests(const struct ez_target *t, struct plan *q)
{
    for (size_t i = 0; i < q->n; i++) {
        struct step *s = &q->step[i];
        if (s->to && s->site->win.evicted)
            s->lost |= !patch_evicted_planted(t, q, ez_site_evict(t, s->site));
    }
}

static ez_err *patch_apply(struct ez_target *t, struct plan *q, unsigned *lost)
{
    EZ_TRY(patch_all_runs(t, q, COMPARE));
    EZ_TRY(patch_move_all(t, q, false));
    for (size_t i = 0; i < q->n; i++)
        EZ_TRY(patch_chain(t, &q->step[i]));
    patch_lose_guests(t, q);
    EZ_TRY(patch_point_traps(t, q));
    EZ_TRY(patch_point_originals(t, q));
    patch_journal(t, q->step, q->n, true);
    ez_err *e = patch_all_runs(t, q, WRITE);
    if (!e)
        e = patch_all_runs(t, q, VERIFY);
    if (e) {
        ez_err *undo = e->code != EZ_E_GONE ? patch_all_runs(t, q, UNDO) : NULL;
        if (undo)
            e = ez_err_hint(e, "The original bytes could not be restored, either: %s", undo->msg);
        ez_err_free(undo);
        return e;
    }
    patch_journal(t, q->step, q->n, false);
    patch_settle(t, q->step, q->n, lost);
    return NULL;
}

static ez_err *patch_only_look(struct ez_target *t, struct plan *q, unsigned *lost)
{
    EZ_TRY(patch_all_runs(t, q, COMPARE));
    return patch_move_all(t, q, true);
}

static ez_err *patch_only_move(struct ez_target *t, struct plan *q, unsigned *lost)
{
    EZ_TRY(patch_all_runs(t, q, COMPARE));
    return patch_move_all(t, q, false);
}

/* Makes a plan of the n changes, and calls work() with it while processes that share the target's
 * memory are stopped. */
static ez_err *patch_with_plan(struct ez_target *t, const struct ez_change *c, size_t n,
                               unsigned *lost,
                               ez_err *(*work)(struct ez_target *, struct plan *, unsigned *))
{
    *lost = 0;
    if (!n)
        return NULL;
    EZ_FREE struct step *step = ez_alloc(n * sizeof *step);
    EZ_FREE struct piece *piece = ez_alloc(2 * n * sizeof *piece);
    struct plan q = { .step = step, .piece = piece, .n = n };
    for (size_t i = 0; i < n; i++)
        patch_plan(t, &c[i], &step[i]);
    ez_sort(step, n, sizeof *step, patch_by_addr);
    patch_cut(t, &q);
    struct ez_sharers others = { .tid = { 0 } };
    EZ_TRY(ez_code_flush(t));
    EZ_TRY(ez_sharers_stop(t, &others));
    ez_err *e = work(t, &q, lost);
    ez_sharers_release(t, &others);
    return e;
}

ez_err *ez_patch_apply(struct ez_target *t, const struct ez_change *c, size_t n, unsigned *lost)
{
    return patch_with_plan(t, c, n, lost, patch_apply);
}

ez_err *ez_patch_threads(struct ez_target *t, const struct ez_change *c, size_t n, bool look)
{
    unsigned lost;
    t->patcher.region.n = 0;
    return patch_with_plan(t, c, n, &lost, look ? patch_only_look : patch_only_move);
}

/* ---- from the relocated code back to the original ------------------------------------------ */

struct back {
    const struct ez_site *site;
    const struct ez_variant *v;
};

static uint64_t patch_way_back(void *arg, uint64_t pc)
{
    const struct back *b = arg;
    const struct ez_moved *r = &b->site->reloc;
    for (size_t i = 0; i < r->n; i++)
        if (b->v->relocated + r->to[i] == pc)
            return b->site->addr + r->from[i];
    return 0;
}

static bool patch_is_back(void *arg, uint64_t pc)
{
    return patch_way_back(arg, pc);
}

ez_err *ez_patch_threads_back(struct ez_target *t, const struct ez_site *s,
                              const struct ez_variant *v)
{
    struct back b = { s, v };
    struct ez_way w = { .lo = v->relocated,
                        .hi = v->relocated + s->reloc.len,
                        .concerns = patch_is_back,
                        .to = patch_way_back,
                        .arg = &b };
    return ez_pc_fixup(t, &w);
}
