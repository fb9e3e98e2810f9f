/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watch.c - watchpoints (move.h). A watchpoint of a local variable is deleted when the variable's
 * frame returns, which a spare halt at the frame's return address notices.
 * Tests: tests/procs/moving.sh, tests/procs/breaks.sh */
#include <stdlib.h>
#include <string.h>

#include "engine/inferior/inferior.h"
#include "engine/move/move_priv.h"
#include "engine/inferior/halt.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/thread.h"

/* maximum number of frames in which the frame of a watched variable is searched */
#define FRAMES_MOST 200
/* gdb shows this before the expression */
#define LOCATION_WORD "-location "

/* Finds the frame that contains the watched variable, if the variable is on the stack. */
static void watch_scope(struct ez_move *m, struct ez_break *b)
{
    struct ez_stack all;
    const struct ez_regs *r = NULL;
    if (!ez_err_drop(ez_stack_frames(m->v, FRAMES_MOST, &all)))
        return;
    if (all.frame.n)
        r = all.frame.at[0].regs;
    /* 256 bytes below the stack pointer, which include the red zone */
    uint64_t low = r ? m->t->inf.arch->regs.sp(r) - 256 : UINT64_MAX;
    for (size_t i = 0; i < all.frame.n && b->value.addr >= low && !b->cfa; i++)
        if (b->value.addr < all.frame.at[i].cfa) {
            /* the caller of the function that contains the code, beyond inlined functions */
            size_t caller = i + all.frame.at[i].within + 1;
            b->cfa = all.frame.at[i].cfa;
            b->back = caller < all.frame.n ? all.frame.at[caller].pc : 0;
            b->func = move_function(m->t, all.frame.at[i].pc - !all.frame.at[i].exact, NULL);
        }
    ez_stack_clear(&all);
}

static bool watch_in_scope(struct ez_move *m, const struct ez_break *b)
{
    struct ez_stack all;
    bool there = !b->cfa;
    if (there || !ez_err_drop(ez_stack_frames(m->v, FRAMES_MOST, &all)))
        return there;
    for (size_t i = 0; i < all.frame.n && !there; i++)
        there = all.frame.at[i].cfa == b->cfa &&
                move_function(m->t, all.frame.at[i].pc - !all.frame.at[i].exact, NULL) == b->func;
    ez_stack_clear(&all);
    return there;
}

static const char *watch_expr(const struct ez_break *b)
{
    return b->what + (b->location ? strlen(LOCATION_WORD) : 0);
}

/* Finds the watched value of a watchpoint that was set in another process. Only a global variable
 * also exists in the present process. */
bool watch_resolve(struct ez_move *m, struct ez_break *b)
{
    struct ez_break now = { .value = { .type = NULL } };
    if (b->of == m->t->inf.pid || b->cfa)
        return b->of == m->t->inf.pid;
    bool there = ez_err_drop(ez_eval_so(m->v, EZ_EVAL_STILL, watch_expr(b), &now.value)) &&
                 now.value.lval == EZ_L_MEMORY && now.value.n == b->value.n;
    if (there)
        watch_scope(m, &now);
    /* A local variable of the same name is another variable, so the watchpoint does not apply. */
    if (there && !now.cfa) {
        ez_value_clear(&b->value);
        b->value = now.value;
        b->of = m->t->inf.pid;
        return true;
    }
    ez_value_clear(&now.value);
    return false;
}

ez_err *ez_watch_add(struct ez_move *m, enum ez_break_kind kind, const char *expr, bool location,
                     const char *cond, int *number)
{
    EZ_FREE char *what = ez_sprintf("%s%s", location ? LOCATION_WORD : "", expr);
    struct ez_break *b = breaks_new(m, kind, what, cond);
    b->location = location;
    ez_err *e = m->t->inf.state == EZ_NONE ? NULL : ez_need_stopped(m->t);
    if (!e)
        e = ez_eval_so(m->v, EZ_EVAL_STILL, expr, &b->value);
    if (!e && b->value.lval != EZ_L_MEMORY)
        e = ez_err_hint(ez_err_gdb(EZ_E_ARG, "Cannot watch constant value `%s'.", expr),
                        "Only values in memory can be watched");
    b->len = e ? 0 : (unsigned)EZ_MIN(b->value.n, (size_t)64);
    bool fits = b->len == 1 || b->len == 2 || b->len == 4 || b->len == 8;
    if (!e && (!fits || b->value.addr % b->len))
        e = ez_err_hint(
            ez_err_gdb(EZ_E_ARG, "Expression cannot be implemented with read/access watchpoint."),
            "The processor watches 1, 2, 4 or 8 bytes: watch a member");
    if (!e)
        e = breaks_check(m, b, cond);
    if (e) {
        breaks_drop(b);
        return e;
    }
    if (!location)
        watch_scope(m, b);
    b->of = m->t->inf.pid;
    breaks_keep(m, b, number);
    return NULL;
}

static struct ez_halt watch_halt(const struct ez_break *b)
{
    return (struct ez_halt){ .addr = b->value.addr,
                             .kind = b->kind == EZ_BREAK_WATCH ? EZ_HALT_WRITE : EZ_HALT_READ,
                             .len = b->len };
}

ez_err *watch_count(struct ez_move *m, pid_t tid)
{
    ez_err *e = NULL;
    for (size_t i = 0; i < m->brk.n && !e; i++) {
        struct ez_break *b = m->brk.at[i];
        bool reads = b->kind == EZ_BREAK_RWATCH || b->kind == EZ_BREAK_AWATCH;
        const struct ez_halt h = watch_halt(b);
        if (reads && b->enabled && b->of == m->t->inf.pid)
            e = ez_halt_count(tid, &h, &b->counter);
    }
    return e;
}

void watch_counted(struct ez_move *m)
{
    for (size_t i = 0; i < m->brk.n; i++)
        m->brk.at[i]->accessed = ez_halt_counted(&m->brk.at[i]->counter);
}

void watch_want(struct ez_move *m, struct ez_break *b)
{
    struct move_places p = { { 0 } };
    b->accessed = false;
    move_want(m, watch_halt(b));
    if (b->back)
        move_copies(m->t, b->back, &p);
    for (size_t i = 0; i < p.at.n; i++)
        move_want(m, (struct ez_halt){ .addr = p.at.at[i], .kind = EZ_HALT_CODE, .spare = true });
    EZ_VEC_FREE(&p.at);
}

static void watch_ends(struct ez_move *m, struct ez_break *b)
{
    breaks_end(m, b, EZ_MOVED_SCOPE);
    ez_break_delete(m, b->number);
}

bool breaks_left(struct ez_move *m, uint64_t raw, uint64_t sp)
{
    for (size_t i = 0; i < m->brk.n; i++) {
        struct ez_break *b = m->brk.at[i];
        if (!b->back || sp < b->cfa || b->of != m->t->inf.pid || !breaks_is_at(m, b->back, raw) ||
            watch_in_scope(m, b))
            continue;
        watch_ends(m, b);
        return true;
    }
    return false;
}

static bool watch_changed(struct ez_move *m, struct ez_break *b, bool hit, bool report)
{
    struct ez_value now = b->value;
    now.byte = ez_alloc(b->value.n + 1);
    if (!ez_err_drop(ez_mem_read(m->t, b->value.addr, now.byte, now.n)))
        return free(now.byte), false;
    bool same = !memcmp(now.byte, b->value.byte, now.n);
    bool stops = same ? hit && b->kind != EZ_BREAK_WATCH : b->kind != EZ_BREAK_RWATCH;
    uint64_t ignored = b->ignore;
    if (stops && report && !watch_in_scope(m, b)) {
        free(now.byte);
        watch_ends(m, b);
        return true;
    }
    stops = stops && breaks_count(m, b) && !ignored;
    if (stops && report) {
        breaks_end(m, b, EZ_MOVED_WATCH);
        free(m->was);
        free(m->is);
        m->was = m->is = NULL;
        if (!same)
            m->was = ez_value_text(m->v, &b->value, 0);
        m->is = ez_value_text(m->v, &now, 0);
        m->end.was = m->was;
        m->end.is = m->is;
    }
    free(b->value.byte);
    b->value.byte = now.byte;
    return stops;
}

/* Returns whether there is a watchpoint. (eztsh's own code uses the stack below the frames, and so
 * may write where a watched variable was whose frame has just returned.) */
static bool watch_any(const struct ez_move *m)
{
    for (size_t i = 0; i < m->brk.n; i++)
        if (break_is_watch(m->brk.at[i]))
            return true;
    return false;
}

static bool watch_by_us(struct ez_move *m)
{
    struct ez_regs *r;
    uint64_t at;
    struct ez_thread *th = ez_thread_current(m->t);
    return th && ez_err_drop(ez_thread_regs(th, &r)) &&
           !move_original(m, m->t->inf.arch->regs.pc(r), &at);
}

/* Returns whether the watchpoint was hit. which: index + 1 of the halt that was hit; 0 = the halt
 * belongs to no watchpoint. */
static bool watch_is_hit(const struct ez_move *m, const struct ez_break *b, unsigned which)
{
    const struct ez_halt h = watch_halt(b);
    return b->accessed || (which && which <= m->t->inf.halts.want.n &&
                           move_same_halt(&m->t->inf.halts.want.at[which - 1], &h));
}

/* Several watchpoints may be hit at once: all are counted, and the first is reported. */
bool breaks_watched(struct ez_move *m, unsigned which)
{
    bool ours = watch_any(m) && watch_by_us(m);
    struct ez_break *first = NULL;
    for (size_t i = 0; i < m->brk.n; i++) {
        struct ez_break *b = m->brk.at[i];
        if (!break_is_watch(b) || !b->enabled || (ours && b->cfa) || b->of != m->t->inf.pid ||
            !watch_changed(m, b, watch_is_hit(m, b, which), !first) || first)
            continue;
        if (m->end.end !=
            EZ_MOVED_WATCH) /* the watchpoint has ended, and is no longer in the list */
            return true;
        first = b;
    }
    if (first)
        breaks_spent(m, first);
    return first;
}
