/* SPDX-License-Identifier: GPL-3.0-or-later */
/* break.c - sets, checks and reports breakpoints and watchpoints (move.h).
 * Tests: tests/procs/moving.sh, tests/procs/breaks.sh */
#include <stdlib.h>
#include <string.h>

#include "engine/inferior/inferior.h"
#include "engine/move/move_priv.h"
#include "engine/probe/probe.h"
#include "engine/process/session.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/thread.h"
#include "engine/probe/probe_list.h"
#include "engine/probe/stap.h"
#include "engine/probe/solib.h"

void breaks_drop(struct ez_break *b)
{
    free(b->what);
    free(b->cond);
    free(b->commands);
    catch_drop(b);
    EZ_VEC_FREE(&b->place);
    ez_value_clear(&b->value);
    free(b);
}

void breaks_free(struct ez_move *m)
{
    for (size_t i = 0; i < m->brk.n; i++)
        breaks_drop(m->brk.at[i]);
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

/* Decrements the counters of the USDT probes on which enabled breakpoints of `what` were. If another
 * breakpoint needs them, they are incremented again before the program runs on (move_arm). */
static void break_settle(struct ez_move *m, const char *what)
{
    m->changed = true;
    if (!ez_location_stap(what) || m->t->inf.state == EZ_NONE)
        return;
    ez_semaphores_of_breaks(m->t, NULL, 0);
    ez_err *e = ez_semaphores_settle(m->t);
    if (e)
        ez_post_note(m->t, "%s%s", e->msg, ez_err_stop(e->msg));
    ez_err_free(e);
}

bool ez_break_delete(struct ez_move *m, int number)
{
    size_t i = break_find(m, number);
    if (i == m->brk.n)
        return false;
    struct ez_break *b = m->brk.at[i];
    for (m->brk.n--; i < m->brk.n; i++)
        m->brk.at[i] = m->brk.at[i + 1];
    break_settle(m, b->what);
    breaks_drop(b);
    return true;
}

bool ez_break_enable(struct ez_move *m, int number, bool on)
{
    size_t i = break_find(m, number);
    m->changed = true;
    if (i == m->brk.n)
        return false;
    m->brk.at[i]->enabled = on;
    if (!on)
        break_settle(m, m->brk.at[i]->what);
    return true;
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
        return ez_err_gdb(EZ_E_NOTFOUND, "Bad breakpoint number '%d.%llu'", number,
                          (unsigned long long)place);
    struct ez_break *b = m->brk.at[i];
    if (!place || place > b->place.n)
        return ez_err_gdb(EZ_E_NOTFOUND, "Bad breakpoint location number '%llu'",
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

ez_err *breaks_check(struct ez_move *m, const struct ez_break *b, const char *cond)
{
    ez_err *first = NULL;
    /* A pending breakpoint or a catchpoint has no place where its condition could be compiled;
     * errors show at a hit. */
    if (!cond || !*cond || (!break_is_watch(b) && !b->place.n))
        return NULL;
    if (!break_has_places(b))
        return ez_eval_check(m->v, 0, cond);
    for (size_t i = 0; i < b->place.n; i++) {
        /* the condition is for the function that the resolver returns, not for the resolver */
        if (b->place.at[i].resolver)
            return ez_err_free(first), NULL;
        ez_err *e = ez_eval_check(m->v, b->place.at[i].addr, cond);
        if (!e)
            return ez_err_free(first), NULL;
        first = ez_err_first(first, e);
    }
    EZ_ASSUME(first);       /* there is a place */
    first->code = EZ_E_ARG; /* The code EZ_E_NOTFOUND would mean that LOCATION was not found. */
    return first;
}

ez_err *ez_break_change(struct ez_move *m, int number, const char *cond, const char *commands,
                        const uint64_t *ignore)
{
    size_t i = break_find(m, number);
    if (i == m->brk.n)
        return ez_err_gdb(EZ_E_NOTFOUND, "No breakpoint number %d.", number);
    EZ_TRY(breaks_check(m, m->brk.at[i], cond));
    break_set(&m->brk.at[i]->cond, cond);
    break_set(&m->brk.at[i]->commands, commands);
    if (ignore)
        m->brk.at[i]->ignore = *ignore;
    return NULL;
}

/* ---- places ---------------------------------------------------------------------------------- */

static void break_place(uint64_t addr, void *arg)
{
    struct ez_break *b = arg;
    for (size_t i = 0; i < b->place.n; i++)
        if (b->place.at[i].addr == addr)
            return;
    EZ_PUSH(&b->place, ((struct ez_break_place){ .addr = addr }));
}

static void break_find_resolvers(struct ez_move *m, struct ez_break *b)
{
    b->chosen = 0;
    for (size_t i = 0; *b->what != '*' && i < b->place.n; i++)
        b->place.at[i].resolver = move_is_resolver(m->t, b->place.at[i].addr);
}

/* Returns whether the breakpoint is on an IFUNC's resolver that the loader may have called since
 * the places were found. */
static bool break_may_be_chosen(const struct ez_break *b)
{
    bool any = false;
    for (size_t i = 0; !b->chosen && i < b->place.n; i++)
        any |= b->place.at[i].resolver;
    return any;
}

static ez_err *break_find_places(struct ez_move *m, struct ez_break *b)
{
    const char *second = catch_location(b, true);
    ez_err *e = ez_code_places(m->t, catch_location(b, false), break_place, b);
    if (!e || e->code != EZ_E_NOTFOUND || !second)
        return e;
    ez_err_free(e);
    return ez_code_places(m->t, second, break_place, b);
}

/* Finds the breakpoint's places again if they may have changed: the process is another one, files
 * were loaded or unloaded, or an IFUNC's resolver may have been called. The address of a location
 * *ADDR is not changed: it is valid only in the process in which the user typed it. */
static ez_err *break_resolve(struct ez_move *m, struct ez_break *b)
{
    if ((b->image == move_image(m) && !break_may_be_chosen(b)) || (b->place.n && *b->what == '*'))
        return NULL;
    size_t had = b->place.n;
    struct ez_break_place *old = b->place.at;
    b->place.at = NULL;
    b->place.n = b->place.cap = 0;
    ez_err *e = break_find_places(m, b);
    break_find_resolvers(m, b);
    b->of = m->t->inf.pid;
    /* computed again, because the search for places may have read further libraries */
    b->image = move_image(m);
    for (size_t i = 0; i < had && i < b->place.n; i++)
        b->place.at[i].off = old[i].off;
    free(old);
    return e;
}

void ez_breaks(struct ez_move *m, void (*fn)(const struct ez_break_info *, void *), void *arg)
{
    for (size_t i = 0; i < m->brk.n; i++) {
        struct ez_break *b = m->brk.at[i];
        if (break_has_places(b))
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
            .number_of = b->number_of.at,
            .n_of = b->number_of.n,
            .all = b->all,
            .last = b->last,
            .last_text = b->last_text,
            .place = b->place.at,
            .n = b->place.n,
        };
        fn(&info, arg);
    }
}

struct ez_break *breaks_new(struct ez_move *m, enum ez_break_kind kind, const char *what,
                            const char *cond)
{
    struct ez_break *b = ez_alloc(sizeof *b);
    b->kind = kind;
    b->what = ez_strdup(what);
    b->cond = ez_strdup(cond ? cond : "");
    b->commands = ez_strdup("");
    b->enabled = true;
    b->counter = -1;
    return b;
}

void breaks_keep(struct ez_move *m, struct ez_break *b, int *number)
{
    *number = b->number = ez_probe_number(m->t);
    EZ_PUSH(&m->brk, b);
    m->changed = true;
}

ez_err *ez_break_add(struct ez_move *m, const char *location, bool temporary, const char *cond,
                     bool pending, int *number)
{
    struct ez_break *b = breaks_new(m, EZ_BREAK_CODE, location, cond);
    b->then = temporary ? EZ_BREAK_GOES : EZ_BREAK_STAYS;
    ez_err *e = break_resolve(m, b);
    if (!e && !b->place.n)
        e = ez_err_gdb(EZ_E_NOTFOUND, "Function \"%s\" not defined.", location);
    if (e && e->code == EZ_E_NOTFOUND && pending)
        e = (ez_err_free(e), NULL);
    if (!e)
        e = breaks_check(m, b, cond);
    if (e) {
        breaks_drop(b);
        return e;
    }
    breaks_keep(m, b, number);
    return NULL;
}

static bool break_waits(struct ez_move *m, struct ez_break *b)
{
    if (!break_has_places(b) || !b->enabled)
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
        ez_post_note(t, "Libraries that are loaded later will not be seen: %s.", e->msg);
    m->unwatched = ez_err_drop(e) && hooked ? 0 : move_image(m);
}

/* ---- halts ----------------------------------------------------------------------------------- */

void break_want(struct ez_move *m, struct ez_break *b)
{
    ez_err_drop(break_resolve(m, b));
    catch_begin(m, b);
    for (size_t i = 0; i < b->place.n; i++) {
        struct move_places p = { { 0 } };
        if (b->place.at[i].off)
            continue;
        if (b->kind == EZ_BREAK_CODE && ez_location_stap(b->what))
            ez_semaphores_of_breaks(m->t, b->what, b->place.at[i].addr);
        move_copies(m->t, b->place.at[i].addr, &p);
        for (size_t k = 0; k < p.at.n; k++)
            move_want(m, (struct ez_halt){ .addr = p.at.at[k], .kind = EZ_HALT_CODE });
        EZ_VEC_FREE(&p.at);
    }
    if (b->chosen)
        move_want(m, (struct ez_halt){ .addr = b->chosen, .kind = EZ_HALT_CODE });
}

/* Returns whether the condition holds, and counts a hit if it does. A condition that cannot be
 * evaluated counts as true, with a note for the user. */
bool breaks_count(struct ez_move *m, struct ez_break *b)
{
    struct ez_value v;
    uint64_t n = 1;
    bool real;
    double d = 1;
    if (*b->cond) {
        ez_err *e = ez_eval_so(m->v, EZ_EVAL_STILL, b->cond, &v);
        if (!e) {
            e = ez_value_number(&v, &n, &real, &d);
            n = real ? d != 0 : n;
            ez_value_clear(&v);
        }
        if (e)
            ez_post_note(m->t, "Error in testing condition for breakpoint %d: %s%s", b->number,
                         e->msg, ez_err_stop(e->msg));
        ez_err_drop(e);
    }
    if (!n)
        return false;
    b->hits++;
    b->ignore -= b->ignore > 0;
    return true;
}

void move_detail(struct ez_move *m, const char *detail)
{
    free(m->detail);
    m->end.detail = m->detail = detail ? ez_strdup(detail) : NULL;
}

void breaks_end(struct ez_move *m, struct ez_break *b, enum ez_move_end how)
{
    m->on = false;
    m->end.end = how;
    m->end.number = b->number;
    m->end.temporary = b->then == EZ_BREAK_GOES;
    m->end.kind = b->kind;
    free(m->commands);
    m->commands = ez_strdup(b->commands);
    m->end.commands = *m->commands ? m->commands : NULL;
    free(m->what);
    m->end.what = m->what = ez_strdup(b->what);
}

/* Counts a stop by the breakpoint, and disables or deletes the breakpoint after its last stop.
 * Returns true if it was deleted. */
bool breaks_spent(struct ez_move *m, struct ez_break *b)
{
    b->stops -= b->stops > 0;
    b->enabled = b->then != EZ_BREAK_SLEEPS || b->stops;
    return b->then == EZ_BREAK_GOES && ez_break_delete(m, b->number);
}

/* Returns whether a thread at `raw` executes the program's instruction `addr`, or a copy of it. The
 * copy of a function's first instruction in a trampoline does not count, because the breakpoint was
 * already passed at the function. */
bool breaks_is_at(struct ez_move *m, uint64_t addr, uint64_t raw)
{
    struct move_places p = { { 0 } };
    bool is = false;
    move_copies(m->t, addr, &p);
    for (size_t i = 0; i < p.at.n; i++)
        is |= p.at.at[i] == raw;
    EZ_VEC_FREE(&p.at);
    return is;
}

/* Returns the number (from 1) of the breakpoint's place at which the thread is, or 0 if it is at
 * none. */
static unsigned break_here(struct ez_move *m, const struct ez_break *b, uint64_t raw, uint64_t at)
{
    for (size_t k = 0; break_has_places(b) && b->enabled && k < b->place.n; k++)
        if (!b->place.at[k].off && b->place.at[k].addr == at && breaks_is_at(m, at, raw))
            return (unsigned)k + 1;
    return 0;
}

/* Shows the thread inside the inlined functions that begin at `at`, unless the breakpoint is on the
 * function into which they are inlined. */
static void break_enter(struct ez_move *m, const struct ez_break *b, uint64_t at)
{
    uint64_t func = move_function(m->t, at, NULL);
    bool line = *b->what == '*' || ez_location_is_line(b->what);
    if (line || (at != func && at != move_past_prologue(m->t, func)))
        ez_frame_enter(m->t, true);
}

/* Handles a stop at the start of an IFUNC's resolver, or at its return. At the return, the
 * breakpoint moves to the function that the resolver returned, as in gdb. */
static void break_follow_resolver(struct ez_move *m, struct ez_break *b, unsigned place,
                                  uint64_t raw)
{
    struct ez_regs *r;
    const struct ez_arch *a = m->t->inf.arch;
    bool returned = b->chosen == raw && b->choice < b->place.n;
    if (!place && !returned)
        return;
    m->changed = true;
    b->chosen = 0;
    if (!ez_err_drop(ez_thread_regs(ez_thread_current(m->t), &r)))
        return;
    if (!returned) {
        b->choice = place - 1;
        if (!move_word(m, a->regs.sp(r), &b->chosen))
            b->chosen = 0;
        return;
    }
    struct ez_break_place *p = &b->place.at[b->choice];
    p->addr = move_past_prologue(m->t, (uint64_t)a->abi.result(r));
    p->resolver = false;
}

/* Counts a hit for each breakpoint at this place whose condition holds, and reports the first one
 * that stops the program. */
bool breaks_hit(struct ez_move *m, uint64_t raw, uint64_t at)
{
    bool stops = false;
    for (size_t i = 0; i < m->brk.n; i++) {
        struct ez_break *b = m->brk.at[i];
        uint64_t ignored = b->ignore;
        unsigned place = break_here(m, b, raw, at);
        bool resolver = place && b->place.at[place - 1].resolver;
        if (b->kind == EZ_BREAK_CODE)
            break_follow_resolver(m, b, resolver ? place : 0, raw);
        place = resolver ? 0 : place;
        if (place && b->kind == EZ_BREAK_CODE)
            break_enter(m, b, at);
        EZ_FREE char *detail = NULL;
        if (!place || !catch_happened(m, b, &detail) || !breaks_count(m, b) || ignored)
            continue;
        if (!stops) {
            breaks_end(m, b, ez_break_is_catch(b->kind) ? EZ_MOVED_CATCH : EZ_MOVED_BREAK);
            move_detail(m, detail);
            m->end.place = b->kind == EZ_BREAK_CODE && b->place.n > 1 ? place : 0;
        }
        stops = true;
        if (breaks_spent(m, b))
            i--;
    }
    return stops;
}
