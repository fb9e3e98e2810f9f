/* SPDX-License-Identifier: GPL-3.0-or-later */
/* patch.c - change the first bytes of functions in a live process.
 *
 * THE PROBLEM. Other threads execute the bytes that we overwrite. A thread may stand
 * between two instructions of the prologue, or sleep in a signal handler whose frame
 * will return there. The shell may be killed between any two of our system calls.
 *
 * THE PROTOCOL (called with every thread stopped; planning is done before):
 *   stubs     and replays are written first, nothing leads to them yet
 *   compare   the live bytes with what we believe is there; a difference means the
 *             target changed them: that site is lost, never overwritten
 *   move      each program counter, and each saved one in a signal frame, that stands
 *             inside a window goes to the same instruction in its replay
 *   journal   the row says what stands where, before it stands there
 *   write     the jumps, neighbours in one write
 *   verify    read back; on a difference everything is undone
 *
 * WHAT STAYS TRUE at every instruction of this file:
 *   I1  every byte of text is the file's or belongs to one site;
 *   I2  a jump is written only when all that it leads to is complete;
 *   I3  a stub is never unmapped, changed or given to another site;
 *   I4  dying here leaves a program that runs correctly: each write replaces whole
 *       jumps, and either side of each write is runnable.
 *
 *      before                         after
 *      f:   push %rbp                 f:   jmp  stub
 *           mov  %rsp,%rbp                 (rest of an instruction nobody runs)
 *           sub  $16,%rsp
 *      f+8: ...                       f+8: ...
 *
 * Tests: tests/fault/ (29, 49, 51). Source: PROPER'12 section 5.2; the kernel's
 * kprobes.rst, "jump optimization". */
#include "engine/target.h"

#include <string.h>

#define MERGE 4096 /* neighbours closer than this share one write */

struct step {
    struct ez_site *site;
    const struct ez_variant *to, *from; /* NULL = the original bytes */
    struct ez_row *row;                 /* of `to` */
    uint8_t want[16], have[16];
    bool lost;
};

static int by_addr(const void *a, const void *b)
{
    const struct step *x = a, *y = b;
    return x->site->addr < y->site->addr ? -1 : x->site->addr > y->site->addr;
}

static void plan(struct ez_target *t, const struct ez_change *c, struct step *s)
{
    size_t len = (size_t)t->arch->jump_len;
    s->site = &t->site.at[c->site];
    s->from = s->site->current < 0 ? NULL : &s->site->variant.at[s->site->current];
    s->to = c->variant < 0 ? NULL : &s->site->variant.at[c->variant];
    memcpy(s->have, s->from ? t->rt.rows[s->from->id].after : s->site->win.bytes, len);
    memcpy(s->want, s->to ? t->rt.rows[s->to->id].after : s->site->win.bytes, len);
}

/* ---- program counters ------------------------------------------------------------------ */

/* The step whose window strictly contains pc and gets a jump now. */
static struct step *find_window(struct step *s, size_t n, uint64_t pc)
{
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (s[mid].site->addr <= pc)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (!lo)
        return NULL;
    struct step *w = &s[lo - 1];
    bool inside = pc > w->site->addr && pc < w->site->addr + w->site->win.len;
    return inside && w->to && !w->from && !w->lost ? w : NULL;
}

/* Where pc goes; 0 = it is not on an instruction of the window (the step is lost). */
static uint64_t moved(const struct step *w, uint64_t pc)
{
    const struct ez_reloc *r = &w->site->reloc;
    for (size_t i = 0; i < r->n; i++)
        if (w->site->addr + r->from[i] == pc)
            return w->to->replay + r->to[i];
    return 0;
}

static ez_err *move_thread(struct ez_target *t, struct ez_thread *th, struct step *s, size_t n,
                           struct ez_window_info *said)
{
    struct ez_regs *live;
    EZ_TRY(ez_thread_regs(th, &live));
    struct step *w = find_window(s, n, t->arch->pc(live));
    said->pc = t->arch->pc(live);
    if (!w)
        return NULL;
    uint64_t to = moved(w, t->arch->pc(live));
    said->moved_to = to;
    if (!to) {
        w->lost = true;
        return NULL;
    }
    struct ez_regs r = *live;
    t->arch->set_pc(&r, to);
    return ez_thread_set_regs(th, &r);
}

/* A saved pc in a signal frame: the word `sigframe_pc_offset` bytes below it holds
 * the address of the code that ends a handler (mov $15,%eax or %rax; syscall). */
static bool in_signal_frame(struct ez_target *t, const uint64_t *stack, size_t i)
{
    size_t back = t->arch->sigframe_pc_offset / 8;
    uint8_t code[16];
    if (i < back || ez_mem_read_some(t, stack[i - back], code, 9) != 9)
        return false;
    const uint8_t *nr = memchr(code, 15, 4);
    return nr && memmem(code, 9, t->arch->syscall_insn, t->arch->syscall_len);
}

#define STACK_LOOK (256 * 1024) /* bytes above the stack pointer that are searched */

static ez_err *move_frames(struct ez_target *t, struct ez_thread *th, struct step *s, size_t n,
                           struct ez_window_info *said)
{
    struct ez_regs *live;
    EZ_TRY(ez_thread_regs(th, &live));
    uint64_t sp = t->arch->sp(live) & ~7ull;
    EZ_FREE uint64_t *stack = ez_alloc(STACK_LOOK);
    size_t words = ez_mem_read_some(t, sp, stack, STACK_LOOK) / 8;
    uint64_t lo = s[0].site->addr, hi = s[n - 1].site->addr + 16;
    for (size_t i = 0; i < words; i++) {
        if (stack[i] < lo || stack[i] > hi)
            continue;
        struct step *w = find_window(s, n, stack[i]);
        if (!w || !in_signal_frame(t, stack, i))
            continue;
        uint64_t to = moved(w, stack[i]);
        if (to)
            EZ_TRY(ez_mem_write(t, sp + 8 * i, &to, 8, "move a saved program counter"));
        w->lost |= !to;
        said->frames += to != 0;
    }
    return NULL;
}

static ez_err *move_all(struct ez_target *t, struct step *s, size_t n)
{
    t->window.n = 0;
    for (size_t i = 0; i < t->thread.n; i++) {
        struct ez_window_info said = { .tid = t->thread.at[i]->tid };
        EZ_TRY(move_thread(t, t->thread.at[i], s, n, &said));
        EZ_TRY(move_frames(t, t->thread.at[i], s, n, &said));
        EZ_PUSH(&t->window, said);
    }
    return NULL;
}

/* ---- bytes -------------------------------------------------------------------------------- */

enum pass { COMPARE, WRITE, VERIFY, UNDO };

/* One run of neighbours s[0..n). */
static ez_err *run_pass(struct ez_target *t, struct step *s, size_t n, enum pass pass)
{
    size_t len = (size_t)t->arch->jump_len;
    uint64_t lo = s[0].site->addr, hi = s[n - 1].site->addr + len;
    EZ_FREE uint8_t *buf = ez_alloc(hi - lo);
    size_t got = ez_mem_read_some(t, lo, buf, hi - lo);
    for (size_t i = 0; i < n; i++) {
        uint8_t *at = buf + (s[i].site->addr - lo);
        bool readable = s[i].site->addr - lo + len <= got;
        if (pass == COMPARE && (!readable || memcmp(at, s[i].have, len)))
            s[i].lost = true;
        if (s[i].lost || !readable)
            continue;
        if (pass == VERIFY && memcmp(at, s[i].want, len))
            return ez_err_new(EZ_E_MISMATCH, 0, "bytes written at 0x%lx do not read back",
                              (unsigned long)s[i].site->addr);
        if (pass == WRITE || pass == UNDO)
            memcpy(at, pass == WRITE ? s[i].want : s[i].have, len);
    }
    if (pass == WRITE || pass == UNDO)
        return ez_mem_write(t, lo, buf, got, pass == WRITE ? "plant or remove probes" : "undo");
    return NULL;
}

static ez_err *all_runs(struct ez_target *t, struct step *s, size_t n, enum pass pass)
{
    for (size_t i = 0, k; i < n; i = k) {
        for (k = i + 1; k < n && s[k].site->mod == s[i].site->mod &&
                        s[k].site->addr - s[k - 1].site->addr < MERGE;
             k++)
            continue;
        EZ_TRY(run_pass(t, s + i, k - i, pass));
    }
    return NULL;
}

static void journal(struct ez_target *t, const struct step *s, size_t n, bool before)
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

static void settle(struct ez_target *t, struct step *s, size_t n, unsigned *lost)
{
    for (size_t i = 0; i < n; i++) {
        if (s[i].lost) {
            s[i].site->lost = true;
            ++*lost;
        } else {
            s[i].site->current = s[i].to ? (int)(s[i].to - s[i].site->variant.at) : -1;
        }
    }
    (void)t;
}

ez_err *ez_patch_apply(struct ez_target *t, const struct ez_change *c, size_t n, unsigned *lost)
{
    *lost = 0;
    if (!n)
        return NULL;
    EZ_FREE struct step *s = ez_alloc(n * sizeof *s);
    for (size_t i = 0; i < n; i++)
        plan(t, &c[i], &s[i]);
    qsort(s, n, sizeof *s, by_addr);
    EZ_TRY(ez_stub_flush(t));
    EZ_TRY(all_runs(t, s, n, COMPARE));
    EZ_TRY(move_all(t, s, n));
    journal(t, s, n, true);
    ez_err *e = all_runs(t, s, n, WRITE);
    if (!e)
        e = all_runs(t, s, n, VERIFY);
    if (e) {
        if (e->code != EZ_E_GONE)
            ez_err_drop(all_runs(t, s, n, UNDO));
        return e;
    }
    journal(t, s, n, false);
    settle(t, s, n, lost);
    return NULL;
}
