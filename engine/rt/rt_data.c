/* SPDX-License-Identifier: MIT */
/* rt_data.c - hits of functions that have clauses: conditions, and events with words
 * (engine/data_abi.h).
 *
 * The trampoline of such a function calls this file, with all general registers saved. A call whose
 * exit is followed uses a return trampoline. *Companions* keep the values that the exit needs.
 * Companions are shadow frames below the call's own shadow frame. They are reserved together with
 * that frame, and marked as holes, so that they are removed together with it:
 *
 *   e[-1] ra: the trampoline's data, target: the tick at entry, cnt: a bit per clause that passed
 *   e[-2]  ra, target, cnt and exit: saved words 0 to 2;  e[-3]: 3 to 5
 *
 * Each clause that passes counts the hit and, if it records, makes an event of its own. If no
 * clause that records passed, the site's own counters count the hit, and the site records the hit
 * if a probe without clauses requests that. An event's words follow it in pairs (EZ_R_PAIR). All
 * records of an event are reserved together, and the first one is committed last.
 *
 * Tests: tests/unit/rt/check_code.c, tests/procs/data.sh */
#include "engine/rt/rt_code.h"

#include "modules/ezt_fragment.h"

#define DATA_FLAGS (EZ_DATA_EXIT | EZ_DATA_TIMED) /* bits of shadow_frame.exit */

static const struct ez_program *data_program(const struct ez_trampoline_data *s)
{
    return (const struct ez_program *)s->room;
}

HIDDEN uint64_t *rt_saved(struct shadow_frame *e, uint32_t i)
{
    if (!e || i >= EZ_SAVED_WORDS)
        return 0;
    struct shadow_frame *k = e - 2 - i / 3;
    return i % 3 == 0 ? &k->ra : i % 3 == 1 ? &k->target : (uint64_t *)&k->cnt;
}

/* ---- events ---------------------------------------------------------------------------- */

/* Frees the unneeded records of an event, unless a signal handler reserved records after them.
 * words: number of words that the event has. Returns how many of the `pairs` records remain
 * reserved. */
static uint32_t data_give_back(struct ez_ctl *b, volatile uint64_t *pair, uint32_t words,
                               uint32_t pairs)
{
    uint32_t used = (words + 1) / 2;
    uint64_t head = b->head;
    if (used == pairs || b->ring + (head & b->mask) != (uint64_t)(pair + 3 * pairs) ||
        !rt_cas(&b->head, head, head - (uint64_t)(pairs - used) * EZ_REC_BYTES))
        return pairs;
    return used;
}

static void data_close(volatile uint64_t *pair, uint32_t words, uint32_t pairs, uint64_t now)
{
    if (words & 1)
        pair[3 * (words / 2) + 1] = 0;
    for (uint32_t i = 0; i < pairs; i++, pair += 3) {
        int used = i < (words + 1) / 2;
        if (!used)
            pair[0] = now, pair[1] = 0;
        pair[2] = (uint64_t)(used ? EZ_R_PAIR : EZ_R_PAD) << 8 | 1;
    }
}

/* Runs the code `at`, and records its event. r->reg 0: the registers are unknown, so no code runs.
 * code 0: there is no event; the code `at` only saves words. */
APART static void data_event(struct rt_run *r, const struct ez_program *p, struct ez_code_at at,
                             uint32_t code, uint32_t words)
{
    uint32_t pairs = (words + 1) / 2;
    volatile uint64_t *rec = 0;
    uint64_t unused;
    r->bad = r->item = r->words = 0;
    r->out = 0;
    while (code && !(rec = rt_records(r->b, 1 + pairs)))
        if (!ez_room(0, r->b))
            break;
    if (rec) {
        /* A placeholder: the drain thread must not print later hits before this hit
         * (drain_lines.c). */
        rec[0] = EZ_TICK_SOON;
        if (!r->ticked)
            r->tick = rt_tick_now(r->b);
        rec[0] = r->tick;
        r->out = rec + 3;
        r->most = words;
    }
    if (at.n && r->reg)
        rt_code_run(r, p, at, &unused);
    if (!rec)
        return;
    /* At a tail call the registers of the exit are unknown: marks the items, if any, as unknown. */
    if (at.n && !r->reg)
        r->bad |= 1u << EZ_DATA_UNKNOWN;
    data_close(rec + 3, r->words, data_give_back(r->b, rec + 3, r->words, pairs), r->tick);
    rec[0] = r->tick;
    rec[1] = (uint64_t)r->loc | (uint64_t)(r->bad & 0xffff) << EZ_FRAME_BITS;
    rec[2] = 1ull << EZ_CODE_BIT | (code + r->words);
}

/* Assigns field by field. For an initializer, the compiler would clear the other fields with `rep
 * stos`, which takes longer than the whole function. */
WITHIN void data_begin(struct rt_run *r, struct ez_ctl *b, const uint64_t *loc, const uint64_t *reg)
{
    r->b = b;
    r->reg = reg;
    r->loc = loc;
    r->tick = 0;
    r->ticked = 0;
    r->saved = 0;
    r->out = 0;
    r->bad = r->item = 0;
    r->name[0] = r->name[1] = r->name[2] = 0;
}

/* ---- entry ----------------------------------------------------------------------------- */

/* Returns a bit for each clause whose condition is true. Counts for each clause whether the hit
 * passed. */
static uint32_t data_pass(struct rt_run *r, const struct ez_program *p)
{
    uint32_t passed = 0;
    for (uint32_t i = 0; i < p->nclauses && i < EZ_CLAUSES; i++) {
        const struct ez_clause *c = ez_clause_at(p, i);
        uint64_t yes = 1;
        int read = 1;
        if (c->cond.n)
            read = rt_code_run(r, p, c->cond, &yes);
        if (read && yes) {
            passed |= 1u << i;
            rt_inc(&rt_counter(r->b, c->cnt)->entry);
        } else {
            rt_inc(&rt_counter(r->b, c->filtered)->entry);
            if (!read)
                rt_inc(&rt_counter(r->b, c->filtered)->exit);
        }
    }
    return passed;
}

static int data_follows(const struct ez_program *p, uint32_t passed)
{
    for (uint32_t i = 0; passed >> i; i++)
        if (passed >> i & 1 && ez_clause_at(p, i)->follows)
            return 1;
    return 0;
}

/* Reserves the call's shadow frame, and its companions below it. Returns 0 if there is no memory.
 * If the space left in a chunk is too small for these frames, marks that space as holes and uses
 * the next chunk. */
APART static struct shadow_frame *data_reserve(struct ez_ctl *b, uint64_t *loc, uint32_t companions)
{
    for (;;) {
        uint64_t t = b->top, room = EZ_CHUNK - (t & (EZ_CHUNK - 1));
        uint64_t need = (companions + 1) * EZ_RETURN_TRAMPOLINE,
                 reserve = room < need ? EZ_RETURN_TRAMPOLINE : need;
        if (!t)
            return 0;
        if (room == EZ_CHUNK) {
            if (!rt_grow(b, t, (uint64_t)loc))
                return 0;
            continue;
        }
        if (!rt_cas(&b->top, t, t + reserve))
            continue;
        struct shadow_frame *e = (struct shadow_frame *)t;
        for (uint64_t i = 0; reserve == need ? i < companions : !i; i++)
            e[i].loc = EZ_HOLE;
        if (reserve == need)
            return e + companions;
    }
}

/* Releases e, and the companions below e. */
static void data_release(struct ez_ctl *b, uint64_t *loc, struct shadow_frame *e)
{
    *loc = e->ra;
    __asm__ volatile("" ::: "memory");
    e->loc = 0;
    ez_release_slow(loc, e);
    if (!b->busy)
        rt_trim(b);
}

/* Counts the call of a thread without a buffer: a lost hit for each clause that records. Returns 0:
 * no exit is followed. */
static uint64_t data_common(const struct ez_trampoline_data *s)
{
    const struct ez_program *p = data_program(s);
    for (uint32_t i = 0; i < p->nclauses && i < EZ_CLAUSES; i++)
        if (ez_clause_at(p, i)->code)
            rt_count_common(ez_clause_at(p, i)->cnt, 1);
    return rt_without_buffer(s);
}

/* Returns nonzero if a clause that passed records this call. */
static int data_is_recorded(const struct ez_program *p, uint32_t passed)
{
    for (uint32_t i = 0; passed >> i; i++)
        if (passed >> i & 1 && (ez_clause_at(p, i)->code || ez_clause_at(p, i)->exit))
            return 1;
    return 0;
}

static void data_enter(struct rt_run *r, const struct ez_trampoline_data *s, uint32_t passed)
{
    const struct ez_program *p = data_program(s);
    rt_act(r, p, passed, 0, 1);
    for (uint32_t i = 0; passed >> i; i++) {
        const struct ez_clause *c = ez_clause_at(p, i);
        if (passed >> i & 1 && (c->code || c->entry.n))
            data_event(r, p, c->entry, c->code, c->words);
    }
    if (data_is_recorded(p, passed))
        return;
    if (!r->ticked) {
        rt_entry(r->b, s, (uint64_t)r->loc);
        return;
    }
    rt_inc(&rt_counter(r->b, s->cnt)->entry);
    if (s->flags & EZ_TRAMPOLINE_REC)
        data_event(r, p, (struct ez_code_at){ .n = 0 }, s->code, 0);
}

/* Called by the trampoline. word: the stack pointer after the trampoline saved its registers. reg:
 * the registers by DWARF numbers. Returns the return trampoline to enter, or 0 if no exit is
 * followed. */
HIDDEN uint64_t ez_data(uint64_t *word, const struct ez_trampoline_data *s, const uint64_t *reg)
{
    const struct ez_program *p = data_program(s);
    int paired = s->flags & EZ_TRAMPOLINE_PAIRED;
    struct rt_run r;
    data_begin(&r, rt_self(), paired ? word : word + 16, reg);
    if (!r.b)
        return data_common(s);
    if (r.b->unnamed && rt_state.hdr->trace_open)
        rt_name(r.b, rt_tick_now(r.b));
    if (paired && *word - (uint64_t)ez_return_trampolines < EZ_DIST)
        rt_tail_end(r.b, word);
    r.caller = *r.loc;
    uint32_t passed = data_pass(&r, p);
    struct shadow_frame *e = 0;
    if (paired && (s->flags & EZ_TRAMPOLINE_FOLLOW || data_follows(p, passed))) {
        e = data_reserve(r.b, word, 1 + (p->nsaved + 2) / 3);
        if (!e)
            rt_unhooked(r.b);
    }
    r.saved = e;
    data_enter(&r, s, passed);
    if (!e) {
        rt_act(&r, p, passed, 0, 0);
        return 0;
    }
    e[-1].ra = (uint64_t)s;
    e[-1].target = r.tick;
    e[-1].cnt = passed;
    e->ra = *word;
    e->target = s->body;
    e->cnt = s->cnt;
    e->exit = s->exit | EZ_DATA_EXIT;
    __asm__ volatile("" ::: "memory");
    e->loc = (uint64_t)word;
    rt_act(&r, p, passed, 0, 0);
    return rt_return_trampoline_of(e);
}

/* ---- exit ------------------------------------------------------------------------------ */

/* Ends the call's fragments before anything else at the exit, in reverse order of their start. */
static void data_end_fragments(struct rt_run *r, const struct ez_program *p, uint32_t passed)
{
    for (uint32_t i = p->acts ? p->nclauses : 0; i--;) {
        const struct ez_clause *c = ez_clause_at(p, i);
        if (passed >> i & 1 && c->fragment && c->follows)
            rt_fragment_exit(r, c);
    }
}

/* Counts and records the exit of the call of e. reg 0: the result is unknown. */
static void data_leave(struct rt_run *r, struct shadow_frame *e)
{
    const struct ez_trampoline_data *s = (const struct ez_trampoline_data *)e[-1].ra;
    const struct ez_program *p = data_program(s);
    uint32_t passed = e[-1].cnt & ((1u << p->nclauses) - 1);
    r->saved = e;
    r->caller = e->ra;
    data_end_fragments(r, p, passed);
    for (uint32_t i = 0; passed >> i; i++) {
        const struct ez_clause *c = ez_clause_at(p, i);
        uint64_t yes = 1;
        if (!(passed >> i & 1) || !c->follows)
            continue;
        if (c->leave.n && !(r->reg && rt_code_run(r, p, c->leave, &yes) && yes)) {
            rt_inc(&rt_counter(r->b, c->filtered)->entry);
            continue;
        }
        rt_inc(&rt_counter(r->b, c->cnt)->exit);
        rt_act(r, p, 1u << i, 1, 1);
        if (c->exit || c->out.n)
            data_event(r, p, c->out, c->exit, r->reg ? c->out_words : 0);
        rt_act(r, p, 1u << i, 1, 0);
    }
    if (data_is_recorded(p, passed))
        return;
    rt_inc(&rt_counter(r->b, e->cnt)->exit);
    if (e->exit & ~DATA_FLAGS)
        rt_record(r->b, e->exit & ~DATA_FLAGS, (uint64_t)r->loc);
}

/* Handles an exception that leaves the call whose return address was at `loc`: runs the code of its
 * caller's fragment for such a call (EZT_LEAVES). The call's own fragment has ended already. */
HIDDEN void rt_data_left(struct ez_ctl *b, const uint64_t *loc)
{
    struct shadow_frame *e =
        (struct shadow_frame *)((*loc & -(uint64_t)EZ_RETURN_TRAMPOLINE) + EZ_DIST);
    struct rt_run r;
    if (*loc - (uint64_t)ez_return_trampolines >= EZ_DIST || e->loc != (uint64_t)loc ||
        !(e->exit & EZ_DATA_EXIT))
        return;
    const struct ez_program *p = data_program((const struct ez_trampoline_data *)e[-1].ra);
    data_begin(&r, b, loc, 0);
    r.caller = e->ra;
    for (uint32_t i = 0; p->acts && i < p->nclauses; i++)
        if (e[-1].cnt >> i & 1 && ez_clause_at(p, i)->place & EZT_BEHIND)
            rt_fragment_place(&r, EZT_LEAVES);
}

/* Called from ez_exit. loc: address of the return address. */
HIDDEN void ez_data_exit(uint64_t *loc, struct shadow_frame *e, const uint64_t *reg)
{
    struct rt_run r;
    data_begin(&r, rt_self(), loc, reg);
    if (r.b) {
        data_leave(&r, e);
        data_release(r.b, loc, e);
        return;
    }
    rt_count_common(e->cnt + (uint32_t)offsetof(struct ez_counter, exit),
                    (e->exit & ~DATA_FLAGS) != 0);
    rt_restore(loc, e);
}

/* Ends the call whose continuation is at `loc`, because its function jumps into the function that
 * is entered now (a tail call). Records the exit of that call, and restores the return address. */
HIDDEN void rt_tail_end(struct ez_ctl *b, uint64_t *loc)
{
    struct shadow_frame *e =
        (struct shadow_frame *)((*loc & -(uint64_t)EZ_RETURN_TRAMPOLINE) + EZ_DIST);
    struct rt_run r;
    data_begin(&r, b, loc, 0);
    if (e->exit & EZ_DATA_EXIT) {
        data_leave(&r, e);
    } else {
        rt_inc(&rt_counter(b, e->cnt)->exit);
        if (e->exit)
            rt_record(b, e->exit, (uint64_t)loc);
    }
    data_release(b, loc, e);
}

/* Calls rt_tail_end() and returns 1 if the call at `loc` has clauses. Otherwise returns 0: the
 * entered function, which has no clauses, can use the call's shadow frame. */
HIDDEN int rt_tail_of_data(struct ez_ctl *b, uint64_t *loc)
{
    struct shadow_frame *e =
        (struct shadow_frame *)((*loc & -(uint64_t)EZ_RETURN_TRAMPOLINE) + EZ_DIST);
    if (!(e->exit & EZ_DATA_EXIT))
        return 0;
    rt_tail_end(b, loc);
    return 1;
}
