/* SPDX-License-Identifier: GPL-3.0-or-later */
/* break.c - see move.h: breakpoints and watchpoints. */
#include <stdlib.h>
#include <string.h>

#include "engine/inferior/inferior.h"
#include "engine/move/move_priv.h"
#include "engine/probe/probe.h"

#define FRAMES_MOST 200 /* among which the block of a watched variable is looked for        */

static void break_free(struct ez_break *b)
{
    free(b->what);
    free(b->cond);
    free(b->commands);
    EZ_VEC_FREE(&b->place);
    ez_value_clear(&b->value);
    free(b);
}

void breaks_free(struct ez_move *m)
{
    for (size_t i = 0; i < m->brk.n; i++)
        break_free(m->brk.at[i]);
    EZ_VEC_FREE(&m->brk);
}

static size_t break_find(const struct ez_move *m, int number)
{
    for (size_t i = 0; i < m->brk.n; i++)
        if (m->brk.at[i]->number == number)
            return i;
    return m->brk.n;
}

bool ez_break_is(const struct ez_move *m, int number)
{
    return break_find(m, number) < m->brk.n;
}

size_t ez_break_count(const struct ez_move *m)
{
    return m->brk.n;
}

bool ez_break_delete(struct ez_move *m, int number)
{
    size_t i = break_find(m, number);
    if (i == m->brk.n)
        return false;
    m->changed = true;
    break_free(m->brk.at[i]);
    for (m->brk.n--; i < m->brk.n; i++)
        m->brk.at[i] = m->brk.at[i + 1];
    return true;
}

bool ez_break_enable(struct ez_move *m, int number, bool on)
{
    size_t i = break_find(m, number);
    m->changed = true;
    if (i < m->brk.n)
        m->brk.at[i]->enabled = on;
    return i < m->brk.n;
}

bool ez_break_then(struct ez_move *m, int number, enum ez_break_then then, uint64_t stops)
{
    size_t i = break_find(m, number);
    if (!ez_break_enable(m, number, true))
        return false;
    m->brk.at[i]->then = then;
    m->brk.at[i]->stops = stops;
    return true;
}

ez_err *ez_break_place_enable(struct ez_move *m, int number, uint64_t place, bool on)
{
    size_t i = break_find(m, number);
    if (i == m->brk.n)
        return ez_err_new(EZ_E_NOTFOUND, 0, "Bad breakpoint number '%d.%llu'", number,
                          (unsigned long long)place);
    struct ez_break *b = m->brk.at[i];
    if (!place || place > b->place.n)
        return ez_err_new(EZ_E_NOTFOUND, 0, "Bad breakpoint location number '%llu'",
                          (unsigned long long)place);
    b->place.at[place - 1].off = !on;
    m->changed = true;
    return NULL;
}

static void break_set(char **text, const char *to)
{
    if (!to)
        return;
    free(*text);
    *text = ez_strdup(to);
}

ez_err *ez_break_change(struct ez_move *m, int number, const char *cond, const char *commands,
                        const uint64_t *ignore)
{
    size_t i = break_find(m, number);
    if (i == m->brk.n)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No breakpoint number %d.", number);
    break_set(&m->brk.at[i]->cond, cond);
    break_set(&m->brk.at[i]->commands, commands);
    if (ignore)
        m->brk.at[i]->ignore = *ignore;
    return NULL;
}

/* ---- places ------------------------------------------------------------------------------------ */

static void break_place(uint64_t addr, void *arg)
{
    struct ez_break *b = arg;
    for (size_t i = 0; i < b->place.n; i++)
        if (b->place.at[i].addr == addr)
            return;
    EZ_PUSH(&b->place, ((struct ez_break_place){ .addr = addr }));
}

/* Places of the file become the process's; another process, or libraries that come and go, have others. An
 * address is that of the process in which it was given. */
static ez_err *break_resolve(struct ez_move *m, struct ez_break *b)
{
    if (b->image == move_image(m) || (b->place.n && *b->what == '*'))
        return NULL;
    size_t had = b->place.n;
    struct ez_break_place *old = b->place.at;
    b->place.at = NULL;
    b->place.n = b->place.cap = 0;
    ez_err *e = ez_code_places(m->t, b->what, break_place, b);
    b->of = m->t->inf.pid;
    b->image = move_image(m); /* to look for places may have found libraries */
    for (size_t i = 0; i < had && i < b->place.n; i++)
        b->place.at[i].off = old[i].off;
    free(old);
    return e;
}

void ez_breaks(struct ez_move *m, void (*fn)(const struct ez_break_info *, void *), void *arg)
{
    for (size_t i = 0; i < m->brk.n; i++) {
        struct ez_break *b = m->brk.at[i];
        if (b->kind == EZ_BREAK_CODE)
            ez_err_drop(break_resolve(m, b));
        const struct ez_break_info info = {
            .number = b->number,
            .kind = b->kind,
            .then = b->then,
            .stops = b->stops,
            .enabled = b->enabled,
            .what = b->what,
            .cond = b->cond,
            .commands = b->commands,
            .hits = b->hits,
            .ignore = b->ignore,
            .place = b->place.at,
            .n = b->place.n,
        };
        fn(&info, arg);
    }
}

static struct ez_break *break_new(struct ez_move *m, enum ez_break_kind kind, const char *what,
                                  const char *cond)
{
    struct ez_break *b = ez_alloc(sizeof *b);
    b->kind = kind;
    b->what = ez_strdup(what);
    b->cond = ez_strdup(cond ? cond : "");
    b->commands = ez_strdup("");
    b->enabled = true;
    return b;
}

static void break_keep(struct ez_move *m, struct ez_break *b, int *number)
{
    *number = b->number = ez_probe_number(m->t);
    EZ_PUSH(&m->brk, b);
    m->changed = true;
}

ez_err *ez_break_add(struct ez_move *m, const char *location, bool temporary, const char *cond,
                     bool pending, int *number)
{
    struct ez_break *b = break_new(m, EZ_BREAK_CODE, location, cond);
    b->then = temporary ? EZ_BREAK_GOES : EZ_BREAK_STAYS;
    ez_err *e = break_resolve(m, b);
    if (!e && !b->place.n)
        e = ez_err_new(EZ_E_NOTFOUND, 0, "Function \"%s\" not defined.", location);
    if (e && e->code == EZ_E_NOTFOUND && pending)
        e = (ez_err_free(e), NULL);
    if (e) {
        break_free(b);
        return e;
    }
    break_keep(m, b, number);
    return NULL;
}

static bool break_waits(struct ez_move *m, struct ez_break *b)
{
    if (b->kind != EZ_BREAK_CODE || !b->enabled)
        return false;
    ez_err_drop(break_resolve(m, b));
    return !b->place.n;
}

void breaks_watch_loader(struct ez_move *m)
{
    struct ez_target *t = m->t;
    bool waits = false, hooked;
    for (size_t i = 0; i < m->brk.n && !waits; i++)
        waits = break_waits(m, m->brk.at[i]);
    if (!waits || t->inf.ops->loads_seen(t) || m->unwatched == move_image(m))
        return;
    ez_err *e = ez_solib_watch(t, &hooked);
    if (e)
        ez_post_note(t, "Libraries loaded later will not be seen: %s", e->msg);
    m->unwatched = ez_err_drop(e) && hooked ? 0 : move_image(m);
}

/* ---- watched values -------------------------------------------------------------------------------- */

/* The frame in which the variable at `addr` is, if it is on the stack. */
static void break_scope(struct ez_move *m, struct ez_break *b)
{
    struct ez_stack all;
    const struct ez_regs *r = NULL;
    if (!ez_err_drop(ez_stack_frames(m->v, FRAMES_MOST, &all)))
        return;
    if (all.frame.n)
        r = all.frame.at[0].regs;
    uint64_t low = r ? m->t->inf.arch->sp(r) - 256 : UINT64_MAX; /* and the red zone */
    for (size_t i = 0; i < all.frame.n && b->value.addr >= low && !b->cfa; i++)
        if (b->value.addr < all.frame.at[i].cfa) {
            b->cfa = all.frame.at[i].cfa;
            b->func = move_function(m->t, all.frame.at[i].pc - !all.frame.at[i].exact, NULL);
        }
    ez_stack_clear(&all);
}

static bool break_in_scope(struct ez_move *m, const struct ez_break *b)
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

ez_err *ez_watch_add(struct ez_move *m, enum ez_break_kind kind, const char *expr, const char *cond,
                     int *number)
{
    struct ez_break *b = break_new(m, kind, expr, cond);
    ez_err *e = ez_need_stopped(m->t);
    if (!e)
        e = ez_eval(m->v, expr, NULL, &b->value);
    if (!e && b->value.lval != EZ_L_MEMORY)
        e = ez_err_hint(ez_err_new(EZ_E_ARG, 0, "Cannot watch constant value `%s'.", expr),
                        "only what is in memory can be watched");
    b->len = e ? 0 : (unsigned)EZ_MIN(b->value.n, (size_t)64);
    bool fits = b->len == 1 || b->len == 2 || b->len == 4 || b->len == 8;
    if (!e && (!fits || b->value.addr % b->len))
        e = ez_err_hint(ez_err_new(EZ_E_ARG, 0,
                                   "Expression cannot be implemented with read/access watchpoint."),
                        "1, 2, 4 or 8 bytes can be watched; watch a member");
    if (e) {
        break_free(b);
        return e;
    }
    break_scope(m, b);
    b->of = m->t->inf.pid;
    break_keep(m, b, number);
    return NULL;
}

/* ---- halts ------------------------------------------------------------------------------------- */

static void break_want_code(struct ez_move *m, struct ez_break *b)
{
    ez_err_drop(break_resolve(m, b));
    for (size_t i = 0; i < b->place.n; i++) {
        struct move_places p = { { 0 } };
        if (b->place.at[i].off)
            continue;
        move_copies(m->t, b->place.at[i].addr, &p);
        for (size_t k = 0; k < p.at.n; k++)
            move_want(m, (struct ez_halt){ .addr = p.at.at[k], .kind = EZ_HALT_CODE }, b->number);
        EZ_VEC_FREE(&p.at);
    }
}

void breaks_want(struct ez_move *m)
{
    for (size_t i = 0; i < m->brk.n; i++) {
        struct ez_break *b = m->brk.at[i];
        if (!b->enabled)
            continue;
        if (b->kind == EZ_BREAK_CODE) {
            break_want_code(m, b);
        } else if (b->of == m->t->inf.pid) {
            move_want(
                m,
                (struct ez_halt){ .addr = b->value.addr,
                                  .kind = b->kind == EZ_BREAK_WATCH ? EZ_HALT_WRITE : EZ_HALT_READ,
                                  .len = b->len },
                b->number);
        }
    }
}

/* Does its condition hold? An error in it stops, too. */
static bool break_counts(struct ez_move *m, struct ez_break *b)
{
    struct ez_value v;
    uint64_t n = 1;
    bool real;
    double d = 1;
    if (*b->cond) {
        ez_err *e = ez_eval(m->v, b->cond, NULL, &v);
        if (!e) {
            e = ez_value_number(&v, &n, &real, &d);
            n = real ? d != 0 : n;
            ez_value_clear(&v);
        }
        if (e)
            ez_post_note(m->t, "Error in testing condition for breakpoint %d: %s", b->number,
                         e->msg);
        ez_err_drop(e);
    }
    if (!n)
        return false;
    b->hits++;
    b->ignore -= b->ignore > 0;
    return true;
}

static void break_ends(struct ez_move *m, struct ez_break *b, enum ez_move_end how)
{
    m->on = false;
    m->end.end = how;
    m->end.number = b->number;
    m->end.temporary = b->then == EZ_BREAK_GOES;
    m->end.access = b->kind == EZ_BREAK_AWATCH || b->kind == EZ_BREAK_RWATCH;
    free(m->commands);
    m->commands = ez_strdup(b->commands);
    m->end.commands = *m->commands ? m->commands : NULL;
    free(m->what);
    m->end.what = m->what = ez_strdup(b->what);
}

/* It has stopped the program. true: that was its last stop, and it is deleted. */
static bool break_spent(struct ez_move *m, struct ez_break *b)
{
    b->stops -= b->stops > 0;
    b->enabled = b->then != EZ_BREAK_SLEEPS || b->stops;
    return b->then == EZ_BREAK_GOES && ez_break_delete(m, b->number);
}

/* A stub runs the function's first instruction once more, behind the breakpoint. */
static bool break_is_at(struct ez_move *m, uint64_t addr, uint64_t raw)
{
    struct move_places p = { { 0 } };
    bool is = false;
    move_copies(m->t, addr, &p);
    for (size_t i = 0; i < p.at.n; i++)
        is |= p.at.at[i] == raw;
    EZ_VEC_FREE(&p.at);
    return is;
}

static bool break_here(struct ez_move *m, const struct ez_break *b, uint64_t raw, uint64_t at)
{
    for (size_t k = 0; b->kind == EZ_BREAK_CODE && b->enabled && k < b->place.n; k++)
        if (!b->place.at[k].off && b->place.at[k].addr == at && break_is_at(m, at, raw))
            return true;
    return false;
}

/* All that are there count the hit; the first one that stops is told. */
bool breaks_hit(struct ez_move *m, uint64_t raw, uint64_t at)
{
    bool stops = false;
    for (size_t i = 0; i < m->brk.n; i++) {
        struct ez_break *b = m->brk.at[i];
        uint64_t ignored = b->ignore;
        if (!break_here(m, b, raw, at) || !break_counts(m, b) || ignored)
            continue;
        if (!stops)
            break_ends(m, b, EZ_MOVED_BREAK);
        stops = true;
        if (break_spent(m, b))
            i--;
    }
    return stops;
}

static bool break_changed(struct ez_move *m, struct ez_break *b, bool hit)
{
    struct ez_value now = b->value;
    now.byte = ez_alloc(b->value.n + 1);
    if (!ez_err_drop(ez_mem_read(m->t, b->value.addr, now.byte, now.n)))
        return free(now.byte), false;
    bool same = !memcmp(now.byte, b->value.byte, now.n);
    bool stops = same ? hit && b->kind != EZ_BREAK_WATCH : b->kind != EZ_BREAK_RWATCH || hit;
    uint64_t ignored = b->ignore;
    if (stops && !break_in_scope(m, b)) {
        break_ends(m, b, EZ_MOVED_SCOPE);
        free(now.byte);
        ez_break_delete(m, b->number);
        return true;
    }
    stops = stops && break_counts(m, b) && !ignored;
    if (stops) {
        break_ends(m, b, EZ_MOVED_WATCH);
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

/* which: the halt that was hit, by its index + 1; 0 = none of a watchpoint. */
bool breaks_watched(struct ez_move *m, unsigned which)
{
    int number = which && which <= m->owner.n ? m->owner.at[which - 1] : 0;
    for (size_t i = 0; i < m->brk.n; i++) {
        struct ez_break *b = m->brk.at[i];
        if (b->kind != EZ_BREAK_CODE && b->enabled && b->of == m->t->inf.pid &&
            break_changed(m, b, b->number == number)) {
            if (m->end.end == EZ_MOVED_WATCH)
                break_spent(m, b);
            return true;
        }
    }
    return false;
}
