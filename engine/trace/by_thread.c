/* SPDX-License-Identifier: GPL-3.0-or-later */
/* by_thread.c - emits the calls of a trace, one thread at a time (by_thread.h).
 *
 * The records of a thread follow one another in the file in the order of time, because the drain
 * copies each thread's ring. This file does for one thread what interp_default.c and model*.c do
 * for all threads, as far as calls need it: it tracks the states of a thread, and the time in which
 * the thread waited for the trace or lost events. A trace does not fit, and must be read in the
 * order of time, if
 *   - the records of a thread are not in the order of their ticks (except context switches and
 *     signals, which come from another source: context switches have no effect on calls, and
 *     signals are only EVENTs);
 *   - several threads share states: states of a process;
 *   - states end by their subjects, and events of other threads may rename subjects (files).
 *
 * Tests: tests/unit/trace/check_by_thread.c */
#include "engine/trace/by_thread.h"

#include <math.h>
#include <string.h>

#define NO_SUBJECT 0u

enum pause { NO_PAUSE, WAITING, LOST };

struct frame {
    uint32_t name;
    uint64_t start_ns;
    uint64_t paused_ns; /* paused_ns of the thread when the state began */
    uint64_t subject;   /* key of the subject, or NO_SUBJECT */
    uint64_t number;    /* number of calls that the thread began before this call */
};

struct thread {
    uint64_t tid;
    uint32_t container;
    uint64_t tick; /* tick of the last record */
    bool before, over;
    EZ_VEC(struct frame) frame;
    uint64_t calls; /* number of calls so far, from the start of the window */
    bool pauses;    /* a wait or a gap is open */
    bool gap;
    enum pause shown;
    uint64_t since_ns;     /* begin of the pause `shown` */
    uint64_t paused_ns;    /* time in pauses so far */
    EZ_VEC(uint32_t) wait; /* depths of the stack at which the waits began, as in model_pause.c */
};

struct probe {
    uint32_t name; /* EZ_NONE_IDX until the probe is used */
    bool state;
};

struct reading {
    const struct ez_by_thread *want;
    struct ez_model *m;
    uint64_t end_ns; /* time at which calls that are still open end */
    bool fits;
    /* renames: an event renamed a subject; exchanges: a state was ended by its subject */
    bool renames, exchanges;
    struct ez_item item;
    /* state of reading the current file */
    struct ez_fxt_defs *defs;
    uint32_t input, last; /* last: index of the thread of the last record, or EZ_NONE_IDX */
    struct ez_hash by_tid;
    EZ_VEC(struct thread) thread;
    EZ_VEC(struct probe) probe;       /* index: id */
    EZ_VEC(uint32_t) meaning;         /* name of each meaning, or EZ_NONE_IDX */
    const struct ez_event_data *data; /* values of the current record, or NULL */
};

/* ---- states --------------------------------------------------------------------------------- */

/* Fills in the fields of the next item that all kinds of items have. */
static struct ez_item *bt_item(struct reading *r, const struct thread *t, enum ez_item_kind kind,
                               uint32_t name, uint64_t ns)
{
    struct ez_item *it = &r->item;
    it->kind = kind;
    it->container = t->container;
    it->name = name;
    it->depth = (uint32_t)t->frame.n;
    it->ns = ns;
    return it;
}

/* Emits the PUSH of a state, before the state is put on the stack. */
static ez_err *bt_emit_push(struct reading *r, const struct thread *t, uint32_t name, uint64_t ns)
{
    r->item.arg = NULL;
    r->item.narg = 0;
    r->item.data = r->data;
    return r->want->fn(r->want->arg, bt_item(r, t, EZ_I_PUSH, name, ns));
}

static ez_err *bt_enter(struct reading *r, struct thread *t, uint32_t name, uint64_t subject,
                        uint64_t ns)
{
    ez_err *e = t->before || r->want->end ? NULL : bt_emit_push(r, t, name, ns);
    EZ_RESERVE(&t->frame, 1);
    struct frame *f = &t->frame.at[t->frame.n++];
    f->name = name;
    f->start_ns = ns;
    f->paused_ns = t->paused_ns;
    f->subject = subject;
    f->number = t->calls;
    t->calls += !t->before;
    return e;
}

/* Ends the innermost state. returned: the record that ends the state is the state's own exit. */
static ez_err *bt_leave(struct reading *r, struct thread *t, bool returned, uint64_t ns)
{
    const struct frame *f = &t->frame.at[--t->frame.n];
    if (t->before)
        return NULL;
    uint64_t duration = ns - f->start_ns;
    r->item.start_ns = f->start_ns;
    r->item.spent_ns = duration - EZ_MIN(t->paused_ns - f->paused_ns, duration);
    r->item.data = returned ? r->data : NULL;
    const struct ez_item *it = bt_item(r, t, EZ_I_POP, f->name, ns);
    return r->want->end ? r->want->end(r->want->arg, it, f->number) : r->want->fn(r->want->arg, it);
}

static ez_err *bt_point(struct reading *r, const struct thread *t, uint32_t name, uint64_t ns)
{
    r->item.data = NULL;
    return t->before ? NULL : r->want->fn(r->want->arg, bt_item(r, t, EZ_I_EVENT, name, ns));
}

/* ---- pauses (model_pause.c) ------------------------------------------------------------------ */

static void bt_hide(struct thread *t, uint64_t ns)
{
    t->paused_ns += t->shown ? ns - t->since_ns : 0;
    t->shown = NO_PAUSE;
}

static void bt_show(struct thread *t, uint64_t ns)
{
    while (t->wait.n && t->wait.at[t->wait.n - 1] > t->frame.n)
        t->wait.n--;
    bool waits = t->wait.n && t->wait.at[t->wait.n - 1] == t->frame.n;
    enum pause wanted = t->gap ? LOST : waits ? WAITING : NO_PAUSE;
    t->pauses = t->gap || t->wait.n;
    if (wanted == t->shown)
        return;
    bt_hide(t, ns);
    t->shown = wanted;
    t->since_ns = ns;
}

static void bt_wait(struct thread *t, bool begins, uint64_t ns)
{
    t->pauses = true;
    if (begins)
        EZ_PUSH(&t->wait, (uint32_t)t->frame.n);
    else if (t->wait.n)
        t->wait.n--;
    bt_show(t, ns);
}

static void bt_gap_end(struct thread *t, uint64_t ns)
{
    t->gap = false;
    bt_show(t, ns);
}

static ez_err *bt_leave_all(struct reading *r, struct thread *t, uint64_t ns)
{
    while (t->frame.n)
        EZ_TRY(bt_leave(r, t, false, ns));
    return NULL;
}

static ez_err *bt_gap(struct reading *r, struct thread *t, uint64_t ns)
{
    t->pauses = true;
    bt_gap_end(t, ns);
    bt_hide(t, ns);
    EZ_TRY(bt_leave_all(r, t, ns));
    t->wait.n = 0;
    t->gap = true;
    bt_show(t, ns);
    return NULL;
}

/* ---- the window ------------------------------------------------------------------------------ */

/* Emits the open states as if they began at the start of the window (the time span that is
 * read). */
static ez_err *bt_open(struct reading *r, struct thread *t)
{
    const uint64_t from = r->m->from_ns;
    size_t n = t->frame.n;
    ez_err *e = NULL;
    t->before = false;
    t->since_ns = from;
    r->data = NULL;
    t->frame.n = 0;
    for (size_t i = 0; i < n && !e; i++) {
        struct frame f = t->frame.at[i];
        e = bt_enter(r, t, f.name, f.subject, from);
    }
    return e;
}

static ez_err *bt_end(struct reading *r, struct thread *t)
{
    if (t->over)
        return NULL;
    if (t->before)
        EZ_TRY(bt_open(r, t));
    t->over = true;
    bt_hide(t, r->end_ns);
    return bt_leave_all(r, t, r->end_ns);
}

/* ---- hits of probes -------------------------------------------------------------------------- */

static struct probe bt_learn_probe(struct reading *r, uint32_t id)
{
    const struct probe fresh = { .name = EZ_NONE_IDX };
    struct probe p;
    const size_t i = ez_fxt_defs_probe(r->defs, id); /* may move r->defs->probes */
    const struct ez_fxt_probe *d = &r->defs->probes.at[i];
    p.state = ez_fxt_is_call(d);
    p.name = ez_inputs_function(r->m, r->defs, d, p.state ? EZ_N_STATE : EZ_N_EVENT);
    if (id >= EZ_FXT_MAX_ID)
        return p;
    while (r->probe.n <= id)
        EZ_PUSH(&r->probe, fresh);
    return r->probe.at[id] = p;
}

static inline struct probe bt_probe_of(struct reading *r, uint32_t id)
{
    if (id < r->probe.n && r->probe.at[id].name != EZ_NONE_IDX)
        return r->probe.at[id];
    return bt_learn_probe(r, id);
}

/* Ends the innermost state with this name, and the states inside it. Does nothing if no state has
 * the name. */
static ez_err *bt_pop_name(struct reading *r, struct thread *t, uint32_t name, uint64_t ns)
{
    size_t n = t->frame.n;
    while (n && t->frame.at[n - 1].name != name)
        n--;
    if (!n)
        return NULL;
    if (t->pauses)
        bt_hide(t, ns);
    while (t->frame.n > n)
        EZ_TRY(bt_leave(r, t, false, ns));
    EZ_TRY(bt_leave(r, t, true, ns));
    if (t->pauses)
        bt_show(t, ns);
    return NULL;
}

static ez_err *bt_push(struct reading *r, struct thread *t, uint32_t name, uint64_t subject,
                       uint64_t ns)
{
    if (t->pauses)
        bt_hide(t, ns);
    EZ_TRY(bt_enter(r, t, name, subject, ns));
    if (t->pauses)
        bt_show(t, ns);
    return NULL;
}

/* Handles a hit with the values r->data. */
static ez_err *bt_hit(struct reading *r, struct thread *t, const struct ez_merged *ev)
{
    uint64_t c = ev->code - EZ_C_PROBE;
    const struct probe p = bt_probe_of(r, (uint32_t)(c >> 1));
    if (p.state && c & 1)
        return bt_pop_name(r, t, p.name, ev->ns);
    if (p.state)
        return bt_push(r, t, p.name, NO_SUBJECT, ev->ns);
    return r->want->points ? bt_point(r, t, p.name, ev->ns) : NULL;
}

static ez_err *bt_hit_with_data(struct reading *r, struct thread *t, const struct ez_merged *ev,
                                const struct ez_items *items)
{
    const struct ez_event_data data = { .items = items,
                                        .is_exit = ev->code & 1,
                                        .word = ev->arg,
                                        .n = ev->narg,
                                        .symbol = ez_fxt_defs_symbol,
                                        .symbol_arg = r->defs };
    r->data = &data;
    ez_err *e = bt_hit(r, t, ev);
    r->data = NULL;
    return e;
}

/* ---- events with a meaning (interp_default.c) ------------------------------------------------ */

/* Returns a key that is equal for equal subjects of the process, or NO_SUBJECT. Sets r->fits to
 * false if equal subjects may have different keys. */
static uint64_t bt_subject(struct reading *r, const struct ez_words *w, const struct ez_merged *ev)
{
    size_t i;
    if (!w->n || w->subject < 0 || ev->narg <= (unsigned)w->subject)
        return NO_SUBJECT;
    const struct ez_word *word = &w->word[w->subject];
    uint64_t value = ev->arg[w->subject];
    bool twin = word->type == EZ_W_CODE && ez_hash_get(&r->defs->by_addr, value, &i) &&
                r->defs->symbols.at[i].shared;
    r->fits &= word->type != EZ_W_DOUBLE && !twin;
    return ez_hash_pair(value, ez_hash_key(EZ_HASH_SEED, word->name)) | 1;
}

/* Gives the subject of the innermost state, which ends next, to the state that has `subject`, as
 * model_bring_up() does. Returns false if no state has that subject. */
static bool bt_bring_up(struct reading *r, struct thread *t, uint64_t subject)
{
    const struct frame *top = &t->frame.at[t->frame.n - 1];
    size_t i = t->frame.n;
    if (subject == NO_SUBJECT || top->subject == NO_SUBJECT)
        return true;
    r->exchanges = true;
    r->fits &= !r->renames;
    while (i && t->frame.at[i - 1].subject != subject)
        i--;
    if (!i)
        return false;
    t->frame.at[i - 1].subject = top->subject;
    return true;
}

static uint32_t bt_meaning_name(struct reading *r, size_t i, enum ez_name_kind kind)
{
    const struct ez_fxt_meaning *k = &r->defs->meanings.at[i];
    while (r->meaning.n <= i)
        EZ_PUSH(&r->meaning, EZ_NONE_IDX);
    if (r->meaning.at[i] == EZ_NONE_IDX)
        r->meaning.at[i] = ez_model_name(r->m, kind, k->name, k->group, 0);
    return r->meaning.at[i];
}

static ez_err *bt_pop(struct reading *r, struct thread *t, uint64_t subject, uint64_t ns)
{
    bt_hide(t, ns);
    if (t->frame.n && bt_bring_up(r, t, subject))
        EZ_TRY(bt_leave(r, t, true, ns));
    bt_show(t, ns);
    return NULL;
}

static ez_err *bt_meaning(struct reading *r, struct thread *t, size_t i, const struct ez_merged *ev)
{
    const struct ez_fxt_meaning *k = &r->defs->meanings.at[i];
    const enum ez_action a = k->action;
    const bool states = a == EZ_A_PUSH || a == EZ_A_POP || a == EZ_A_SET;
    const bool calls = a == EZ_A_CALL || a == EZ_A_RETURN || a == EZ_A_UNWIND;
    double v = 0;
    r->fits &= !calls; /* the function's name may follow in a later event of another thread */
    r->renames |= k->words.n && k->words.by_name >= 0 && ev->narg > (unsigned)k->words.subject;
    r->fits &= !(r->renames && r->exchanges);
    if (k->is_double && ev->narg)
        memcpy(&v, &ev->arg[0], sizeof v);
    if (!isfinite(v))
        return NULL;
    if (a == EZ_A_EVENT && k->level == 2 && r->want->points)
        return bt_point(r, t, bt_meaning_name(r, i, EZ_N_EVENT), ev->ns);
    if (!states)
        return NULL;
    uint64_t subject = bt_subject(r, &k->words, ev);
    r->fits &= k->level == 2;
    if (a == EZ_A_POP)
        return bt_pop(r, t, subject, ev->ns);
    uint32_t name = bt_meaning_name(r, i, EZ_N_STATE);
    if (a == EZ_A_SET && t->frame.n) {
        bt_hide(t, ev->ns);
        EZ_TRY(bt_leave(r, t, true, ev->ns));
    }
    return bt_push(r, t, name, subject, ev->ns);
}

/* ---- records --------------------------------------------------------------------------------- */

static struct thread *bt_find_thread(struct reading *r, uint64_t tid)
{
    struct thread fresh = { .tid = tid, .before = r->m->from_ns > 0 };
    size_t i = ez_hash_put(&r->by_tid, tid, r->thread.n);
    if (i == r->thread.n) {
        fresh.container = ez_inputs_thread(r->want->inputs, r->input, tid);
        EZ_PUSH(&r->thread, fresh);
    }
    r->last = (uint32_t)i;
    return &r->thread.at[i];
}

static inline struct thread *bt_thread(struct reading *r, uint64_t tid)
{
    struct thread *last = r->last == EZ_NONE_IDX ? NULL : &r->thread.at[r->last];
    return last && last->tid == tid ? last : bt_find_thread(r, tid);
}

/* Handles an event of a thread that is not a hit (EZ_C_THREAD). */
static ez_err *bt_of_thread(struct reading *r, struct thread *t, const struct ez_merged *ev)
{
    switch (ev->code - EZ_C_THREAD) {
    case EZ_T_WAIT:
    case EZ_T_WAIT_END:
        bt_wait(t, ev->code == EZ_C_THREAD + EZ_T_WAIT, ev->ns);
        return NULL;
    case EZ_T_GAP:
        return bt_gap(r, t, ev->ns);
    case EZ_T_GAP_END:
        t->pauses = true;
        bt_gap_end(t, ev->ns);
        return NULL;
    default: /* such an event has no name in this file */
        r->fits &= !r->want->points;
        return NULL;
    }
}

static ez_err *bt_act(struct reading *r, struct thread *t, const struct ez_merged *ev)
{
    size_t i;
    const bool hit = ev->code - EZ_C_PROBE < 0x1000000;
    if (hit && (!ev->narg || ez_fxt_is_unwound(ev->code, ev->narg, ev->arg)))
        return bt_hit(r, t, ev);
    const struct ez_items *items = hit ? ez_fxt_defs_items(r->defs, ev->code) : NULL;
    if (items)
        return bt_hit_with_data(r, t, ev, items);
    if (ev->code - EZ_C_THREAD < 0x100)
        return bt_of_thread(r, t, ev);
    if (ez_hash_get(&r->defs->by_code, ev->code, &i))
        return bt_meaning(r, t, i, ev);
    r->fits &= !r->want->points;
    return NULL;
}

static bool bt_go_on(struct reading *r)
{
    const struct ez_by_thread *w = r->want;
    return ++*w->done % EZ_PROGRESS_EVENTS || w->go_on(w->go_on_arg);
}

/* Handles a record of any kind. Not inlined, so that bt_record() saves few registers. */
__attribute__((noinline)) static ez_err *
bt_any_record(struct reading *r, const struct ez_merged *ev, uint64_t tick, bool *enough)
{
    const uint64_t kind = ev->code - EZ_C_THREAD;
    if (kind == EZ_T_SWITCH_OUT || kind == EZ_T_SWITCH_IN)
        return NULL;
    struct thread *t = bt_thread(r, ev->tid);
    r->fits &= kind == EZ_T_SIGNAL ? !r->want->points : tick >= t->tick;
    *enough = !r->fits;
    if (*enough || kind == EZ_T_SIGNAL)
        return NULL;
    t->tick = tick;
    if (ev->ns > r->m->to_ns)
        return bt_end(r, t);
    if (t->before && ev->ns >= r->m->from_ns)
        EZ_TRY(bt_open(r, t));
    ez_err *e = bt_act(r, t, ev);
    *enough = !r->fits;
    return e;
}

/* Returns the thread if the record is a hit without values, of the thread of the record before,
 * inside the window, and the thread had no pauses. Otherwise returns NULL. */
static inline struct thread *bt_simple(struct reading *r, const struct ez_merged *ev, uint64_t tick)
{
    struct thread *t = r->last == EZ_NONE_IDX ? NULL : &r->thread.at[r->last];
    const bool simple = t && t->tid == ev->tid && ev->code - EZ_C_PROBE < 0x1000000 && !ev->narg &&
                        tick >= t->tick && ev->ns <= r->m->to_ns && !t->before && !t->pauses;
    return simple ? t : NULL;
}

/* Most records are simple entries, or simple exits of the innermost call. */
static ez_err *bt_record(void *arg, const struct ez_merged *ev, uint64_t tick, bool *enough)
{
    struct reading *r = arg;
    struct thread *t = bt_simple(r, ev, tick);
    const uint64_t hit = ev->code - EZ_C_PROBE, id = hit >> 1;
    if (!bt_go_on(r))
        return ez_err_new(EZ_E_STATE, 0, "Interrupted");
    if (!t || id >= r->probe.n || !r->probe.at[id].state)
        return bt_any_record(r, ev, tick, enough);
    const uint32_t name = r->probe.at[id].name;
    if (hit & 1 && !(t->frame.n && t->frame.at[t->frame.n - 1].name == name))
        return bt_any_record(r, ev, tick, enough);
    t->tick = tick;
    return hit & 1 ? bt_leave(r, t, true, ev->ns) : bt_enter(r, t, name, NO_SUBJECT, ev->ns);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Returns true if two files are of one process (the same pid), so that they may have the same
 * containers. The names of such containers depend on the order of time. */
static bool bt_twins(const struct ez_merge *in)
{
    struct ez_hash pids = { 0 };
    bool twins = false;
    for (size_t i = 0; i < ez_merge_inputs(in); i++)
        twins |= ez_hash_put(&pids, ez_merge_input((struct ez_merge *)in, i)->defs.pid, i) != i;
    ez_hash_free(&pids);
    return twins;
}

static void bt_free_file(struct reading *r)
{
    for (size_t i = 0; i < r->thread.n; i++) {
        EZ_VEC_FREE(&r->thread.at[i].frame);
        EZ_VEC_FREE(&r->thread.at[i].wait);
    }
    EZ_VEC_FREE(&r->thread);
    EZ_VEC_FREE(&r->probe);
    EZ_VEC_FREE(&r->meaning);
    ez_hash_free(&r->by_tid);
}

static ez_err *bt_file(struct reading *r, uint32_t input)
{
    r->input = input;
    r->defs = ez_inputs_defs(r->want->inputs, input);
    r->last = EZ_NONE_IDX;
    ez_err *e = ez_merge_scan(r->want->in, input, r->m->to_ns, bt_record, r);
    for (size_t i = 0; i < r->thread.n && !e && r->fits; i++)
        e = bt_end(r, &r->thread.at[i]);
    bt_free_file(r);
    return e;
}

ez_err *ez_by_thread_run(const struct ez_by_thread *want, bool *fits)
{
    struct reading r = { .want = want, .m = ez_inputs_model(want->inputs) };
    ez_err *e = NULL;
    r.fits = !bt_twins(want->in);
    r.end_ns = EZ_MAX(EZ_MIN(ez_merge_span_ns(want->in), r.m->to_ns), r.m->from_ns);
    r.item.subject = EZ_NONE_IDX;
    for (uint32_t i = 0; i < ez_merge_inputs(want->in) && !e && r.fits; i++)
        e = bt_file(&r, i);
    *fits = r.fits;
    return e;
}
