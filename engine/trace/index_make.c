/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index_make.c - makes the index of a trace (index.h): decides which records a reader of a window
 * (a time span) needs. If these are too many, as in a trace with mostly events of modules, the
 * index has no marks: it only replaces the first reading.
 *
 * A reader of a window needs the records before the window only for their lasting effects on the
 * model. A call has no lasting effect if, in its thread, only other such calls are between its
 * entry and its exit: the exit undoes the entry. So both records are skipped at all later marks,
 * unless
 *   - the call is the first of its thread or of its function, in the order of time: readers number
 *     threads and names by their first use. (A call counts as the first of its function if its tick
 *     is smaller than those of the calls before it in the file);
 *   - another record of the thread is between the entry and the exit (a wait, a gap, an event of a
 *     module): such a record may depend on the calls around it, or end them;
 *   - the call is the thread's last one before the mark: a call shows that a thread that was
 *     switched out runs again. So this rule applies only to threads with context switches.
 * Of the hits of a probe that records only entries or only exits, only the first has a lasting
 * effect. A switch out is undone by the next switch of the thread. All other records are kept.
 *
 * The rules use the order of a thread's records in the file. If this is not the order of their
 * ticks, the trace gets no index. Context switches come from another source, so only the order of
 * the context switches themselves is required. Signals come from another source, too; they have no
 * effect on the calls around them.
 *
 * Values that were collected at hits before the window are not kept, because they have no effect on
 * the window. (Exception: if ez_model.about_item is set, no record is skipped.)
 *
 * Tests: tests/unit/trace/check_index.c */
#include <string.h>

#include "engine/trace/index.h"

/* size in bytes, without compression, of the smallest trace that gets an index */
#define LEAST_BYTES ((uint64_t)8 << 20)
#define SHARE 100                 /* an index has at most 1/SHARE of the size of the trace, */
#define ROOM ((uint64_t)64 << 10) /* or ROOM bytes, if that is more */
#define MARKS 1024                /* approximate number of marks of a large trace */
#define MARK_BLOCKS 4             /* minimum number of blocks between two marks */
/* from this number on, adjacent definitions are not copied, but read from the file (struct
 * ez_index_range) */
#define RUN 64
/* if more marks than this need a record, the record is kept for all marks */
#define PATIENCE 2
#define NONE UINT32_MAX

struct kept { /* a record that is kept */
    uint64_t number, tick, tid, code;
    size_t arg; /* index of the first argument in ez_index_maker.arg */
    uint8_t narg;
    bool def, all;
    bool pair; /* `all` is set only if the thread has context switches */
    bool used;
};

struct frame { /* an open call, or the last call that ended */
    uint64_t number, tick, code;
    uint32_t kept;  /* index in ez_index_maker.kept, or NONE */
    uint8_t needed; /* number of marks that needed the entry */
    bool all;       /* all marks need the call's records */
};

struct thread {
    uint64_t tid;
    uint64_t tick; /* tick of the last record that is not a context switch */
    /* open calls; frame.at[frame.n] is the call that ended last, if `ended` */
    EZ_VEC(struct frame) frame;
    size_t pinned; /* all marks need the entries of the open calls before this index */
    bool begun;    /* the first hit of the thread was kept */
    bool ended; /* the last hit was the exit of the call frame.at[frame.n]; the exit is in `exit` */
    struct frame exit; /* exit of the last ended call */
    /* switches: the thread had context switches; out: the thread is switched out */
    bool switches, out;
    struct frame off; /* the last context switch */
    uint64_t off_arg;
    uint8_t off_narg;
};

struct probe {
    enum { P_UNKNOWN, P_CALL, P_POINT } kind;
    bool used;      /* a hit was handled by this kind */
    uint64_t first; /* smallest tick of a hit */
};

struct mark {
    struct ez_index_mark pub;
    size_t needs, pairs; /* ends of the mark's parts of ez_index_maker.need and pair */
};

struct run { /* adjacent definitions in the file */
    struct ez_index_range at;
    size_t kept, arg; /* indexes in ez_index_maker.kept and arg at which their copies begin */
    unsigned copies;
};

struct ez_index_maker {
    const struct ez_fxt_in *in;
    const struct ez_fxt_defs *defs;
    struct ez_index_key key;
    uint64_t most_words; /* maximum words of the index */
    uint64_t block;      /* offset of the FxT block that contains the records */
    uint64_t every;      /* number of records between two marks */
    uint64_t greatest;
    bool begun;     /* `block` is valid */
    bool part;      /* the last definition was EZ_DEF_TEXT, the beginning of a text */
    bool failed;    /* the trace gets no index */
    bool large;     /* too many records are kept */
    bool coarse;    /* only definitions are kept: no mark is possible */
    struct run run; /* run.at.n is 0 if the last record was not a definition */
    struct ez_hash by_tid;
    uint32_t last; /* index of the thread of the last record, or NONE */
    EZ_VEC(struct thread) thread;
    EZ_VEC(struct probe) probe; /* index: id */
    EZ_VEC(struct kept) kept;
    EZ_VEC(uint64_t) arg;
    EZ_VEC(struct mark) mark;
    /* indexes in `kept` of records that marks need. pair: they need them only if the thread has
     * context switches */
    EZ_VEC(uint32_t) need, pair;
    EZ_VEC(struct ez_index_range) range;
};

struct ez_index_maker *ez_index_make(const struct ez_fxt_in *in, enum ez_index_use use,
                                     const struct ez_fxt_defs *defs)
{
    struct ez_index_key key;
    uint64_t size = ez_fxt_in_size(in), blocks = size / 24 / EZ_INDEX_BLOCK;
    if (use < EZ_INDEX_MAKE || (use == EZ_INDEX_MAKE && size < LEAST_BYTES) ||
        !ez_index_key_of(in, &key))
        return NULL;
    struct ez_index_maker *m = ez_alloc(sizeof *m);
    m->in = in;
    m->defs = defs;
    m->key = key;
    m->most_words = EZ_MAX(size / SHARE, ROOM) / 8;
    m->every = EZ_MAX(blocks / MARKS, (uint64_t)MARK_BLOCKS) * EZ_INDEX_BLOCK;
    m->last = NONE;
    return m;
}

static void index_maker_free(struct ez_index_maker *m)
{
    for (size_t i = 0; i < m->thread.n; i++)
        EZ_VEC_FREE(&m->thread.at[i].frame);
    EZ_VEC_FREE(&m->thread);
    EZ_VEC_FREE(&m->probe);
    EZ_VEC_FREE(&m->kept);
    EZ_VEC_FREE(&m->arg);
    EZ_VEC_FREE(&m->mark);
    EZ_VEC_FREE(&m->need);
    EZ_VEC_FREE(&m->pair);
    EZ_VEC_FREE(&m->range);
    ez_hash_free(&m->by_tid);
    free(m);
}

/* ---- records that are kept ------------------------------------------------------------------- */

/* Keeps a record, and returns its index in m->kept. Sets m->large if the index becomes too large;
 * the limit is four times that of the index, because index_encode() omits records. */
static uint32_t index_keep(struct ez_index_maker *m, struct kept k, const uint64_t *arg)
{
    k.arg = m->arg.n;
    EZ_APPEND(&m->arg, arg, k.narg);
    EZ_PUSH(&m->kept, k);
    m->large |= 4 * m->kept.n + m->arg.n > 4 * m->most_words || m->kept.n >= NONE;
    return (uint32_t)(m->kept.n - 1);
}

/* Removes the marks and the records that they need, and keeps only definitions. With such an index,
 * the first reading is not needed, and a window is read from the start of the file. Sets m->large
 * if the definitions alone are too large. */
static void index_coarsen(struct ez_index_maker *m)
{
    size_t kept = 0, arg = 0;
    for (size_t i = 0; i < m->kept.n; i++) {
        struct kept k = m->kept.at[i];
        if (!k.def)
            continue;
        if (k.narg)
            memmove(m->arg.at + arg, m->arg.at + k.arg, k.narg * sizeof *m->arg.at);
        k.arg = arg;
        arg += k.narg;
        m->kept.at[kept++] = k;
    }
    m->kept.n = kept;
    m->arg.n = arg;
    m->mark.n = m->need.n = m->pair.n = 0;
    m->coarse = true;
    m->large = 4 * kept + arg > 4 * m->most_words;
}

static void index_keep_event(struct ez_index_maker *m, uint64_t number,
                             const struct ez_fxt_event *ev)
{
    index_keep(m,
               (struct kept){ .number = number,
                              .tick = ev->tick,
                              .tid = ev->tid,
                              .code = ev->code,
                              .narg = (uint8_t)ev->narg,
                              .def = ez_fxt_is_def(ev),
                              .all = true },
               ev->arg);
}

/* Keeps the record of a call, without arguments, unless it is kept already. Returns its index in
 * m->kept. */
static uint32_t index_keep_frame(struct ez_index_maker *m, const struct thread *t, struct frame *f)
{
    if (f->kept == NONE)
        f->kept = index_keep(
            m,
            (struct kept){ .number = f->number, .tick = f->tick, .tid = t->tid, .code = f->code },
            NULL);
    return f->kept;
}

static void index_keep_for_all(struct ez_index_maker *m, const struct thread *t, struct frame *f)
{
    uint32_t i = index_keep_frame(m, t, f); /* this call may move m->kept */
    m->kept.at[i].all = f->all = true;
}

/* Keeps the entries of all open calls of a thread for all marks. */
static void index_pin(struct ez_index_maker *m, struct thread *t)
{
    for (; t->pinned < t->frame.n; t->pinned++)
        if (!t->frame.at[t->pinned].all)
            index_keep_for_all(m, t, &t->frame.at[t->pinned]);
}

/* ---- marks ----------------------------------------------------------------------------------- */

static void index_mark_calls(struct ez_index_maker *m, struct thread *t)
{
    for (size_t i = t->pinned; i < t->frame.n; i++) {
        struct frame *f = &t->frame.at[i];
        if (!f->all && ++f->needed > PATIENCE) {
            index_keep_for_all(m, t, f);
        } else if (!f->all) {
            uint32_t entry = index_keep_frame(m, t, f);
            EZ_PUSH(&m->need, entry);
        }
    }
    while (t->pinned < t->frame.n && t->frame.at[t->pinned].all)
        t->pinned++;
}

/* Keeps the thread's last call, if it has ended, for all marks. */
static void index_keep_ended(struct ez_index_maker *m, struct thread *t)
{
    struct frame *f = t->ended ? &t->frame.at[t->frame.n] : NULL;
    if (!f || f->all || t->exit.all)
        return;
    uint32_t entry = index_keep_frame(m, t, f), exit = index_keep_frame(m, t, &t->exit);
    m->kept.at[entry].pair = m->kept.at[exit].pair = t->exit.all = true;
}

/* Adds the records of the thread's last call before the mark, if that call has ended, to the
 * records that the mark needs. */
static void index_mark_ended(struct ez_index_maker *m, struct thread *t)
{
    struct frame *f = t->ended ? &t->frame.at[t->frame.n] : NULL;
    if (!f || f->all || t->exit.all)
        return;
    if (++t->exit.needed > PATIENCE) {
        index_keep_ended(m, t);
    } else {
        uint32_t entry = index_keep_frame(m, t, f), exit = index_keep_frame(m, t, &t->exit);
        EZ_PUSH(&m->pair, entry);
        EZ_PUSH(&m->pair, exit);
    }
}

static void index_keep_switch(struct ez_index_maker *m, struct thread *t)
{
    struct kept k = { .number = t->off.number,
                      .tick = t->off.tick,
                      .tid = t->tid,
                      .code = t->off.code,
                      .narg = t->off_narg };
    if (t->off.kept == NONE)
        t->off.kept = index_keep(m, k, &t->off_arg);
}

static void index_mark_switch(struct ez_index_maker *m, struct thread *t)
{
    if (!t->out || t->off.all)
        return;
    index_keep_switch(m, t);
    t->off.all = ++t->off.needed > PATIENCE;
    m->kept.at[t->off.kept].all = t->off.all;
    if (!t->off.all)
        EZ_PUSH(&m->need, t->off.kept);
}

static void index_mark(struct ez_index_maker *m, uint64_t number, uint64_t pos)
{
    struct mark mark = { .pub = { .number = number, .pos = pos, .greatest = m->greatest } };
    for (size_t i = 0; i < m->thread.n; i++) {
        index_mark_calls(m, &m->thread.at[i]);
        index_mark_ended(m, &m->thread.at[i]);
        index_mark_switch(m, &m->thread.at[i]);
    }
    mark.needs = m->need.n;
    mark.pairs = m->pair.n;
    m->large |= m->need.n + m->pair.n > 4 * m->most_words;
    EZ_PUSH(&m->mark, mark);
}

/* ---- definitions ----------------------------------------------------------------------------- */

static void index_end_run(struct ez_index_maker *m)
{
    if (m->run.copies >= RUN)
        EZ_PUSH(&m->range, m->run.at);
    m->run.at.n = 0;
}

static void index_note_probe(struct ez_index_maker *m, const struct ez_fxt_event *ev)
{
    const struct probe unknown = { P_UNKNOWN, false, UINT64_MAX };
    size_t i;
    uint64_t id = ev->narg ? (uint32_t)ev->arg[0] : EZ_FXT_MAX_ID;
    if (id >= EZ_FXT_MAX_ID || !ez_hash_get(&m->defs->by_id, id, &i))
        return;
    while (m->probe.n <= id)
        EZ_PUSH(&m->probe, unknown);
    struct probe *p = &m->probe.at[id], was = *p;
    p->kind = ez_fxt_is_call(&m->defs->probes.at[i]) ? P_CALL : P_POINT;
    /* readers use the last definition of a probe for all its hits */
    m->failed |= was.used && was.kind != p->kind;
}

static void index_note_def(struct ez_index_maker *m, uint64_t number, uint64_t pos,
                           const struct ez_fxt_event *ev)
{
    uint64_t kind = ev->code - EZ_C_DEF;
    struct run *r = &m->run;
    /* an epoch has no effect, except that it ends a text */
    bool copy = kind != EZ_DEF_EPOCH || m->part;
    m->part = kind == EZ_DEF_TEXT;
    if (kind == EZ_DEF_PROBE)
        index_note_probe(m, ev);
    if (!r->at.n && !copy)
        return;
    if (!r->at.n)
        *r = (struct run){ { number, pos, 0 }, m->kept.n, m->arg.n, 0 };
    r->at.n++;
    if (!copy)
        return;
    if (++r->copies < RUN) {
        index_keep_event(m, number, ev);
    } else {
        m->kept.n = r->kept;
        m->arg.n = r->arg;
    }
}

/* ---- hits ------------------------------------------------------------------------------------ */

static struct thread *index_thread(struct ez_index_maker *m, uint64_t tid)
{
    struct thread fresh = { .tid = tid };
    if (m->last != NONE && m->thread.at[m->last].tid == tid)
        return &m->thread.at[m->last];
    size_t i = ez_hash_put(&m->by_tid, tid, m->thread.n);
    if (i == m->thread.n)
        EZ_PUSH(&m->thread, fresh);
    m->last = (uint32_t)i;
    return &m->thread.at[i];
}

static void index_enter(struct ez_index_maker *m, struct thread *t, const struct frame *f, bool all)
{
    EZ_RESERVE(&t->frame, 2); /* one element more, for the last ended call */
    t->frame.at[t->frame.n++] = *f;
    t->ended = false;
    if (all)
        index_keep_for_all(m, t, &t->frame.at[t->frame.n - 1]);
}

/* Handles an exit that does not belong to the innermost call. The exit may end several calls, or,
 * if it belongs to no open call, no call. */
static void index_leave_many(struct ez_index_maker *m, struct thread *t, struct frame *exit)
{
    size_t n = t->frame.n;
    index_keep_ended(m, t);
    index_pin(m, t);
    index_keep_for_all(m, t, exit);
    while (n && t->frame.at[n - 1].code != exit->code - 1)
        n--;
    t->frame.n = n ? n - 1 : t->frame.n;
    t->pinned = EZ_MIN(t->pinned, t->frame.n);
    t->ended = false;
}

static void index_leave(struct ez_index_maker *m, struct thread *t, struct frame *exit)
{
    if (!t->frame.n || t->frame.at[t->frame.n - 1].code != exit->code - 1) {
        index_leave_many(m, t, exit);
        return;
    }
    if (t->frame.at[--t->frame.n].all)
        index_keep_for_all(m, t, exit);
    t->pinned = EZ_MIN(t->pinned, t->frame.n);
    t->ended = true;
    t->exit = *exit;
}

/* Returns the probe if the event is a hit of a defined probe without arguments, or with arguments
 * that are defined. Otherwise returns NULL. */
static struct probe *index_probe(struct ez_index_maker *m, const struct ez_fxt_event *ev)
{
    uint64_t c = ev->code - EZ_C_PROBE;
    if (c >= 2 * m->probe.n || m->probe.at[c >> 1].kind == P_UNKNOWN)
        return NULL;
    bool unwound = ez_fxt_is_unwound(c, ev->narg, ev->arg);
    return !ev->narg || unwound || ez_fxt_defs_items(m->defs, ev->code) ? &m->probe.at[c >> 1]
                                                                        : NULL;
}

static void index_note_hit(struct ez_index_maker *m, struct thread *t, struct probe *p,
                           uint64_t number, const struct ez_fxt_event *ev)
{
    struct frame f = { .number = number, .tick = ev->tick, .code = ev->code, .kept = NONE };
    bool first = !t->begun || ev->tick < p->first;
    p->used = true;
    p->first = EZ_MIN(p->first, ev->tick);
    if (p->kind == P_CALL && (ev->code & 1)) {
        index_leave(m, t, &f);
        return;
    }
    t->begun = true;
    if (p->kind == P_CALL)
        index_enter(m, t, &f, first);
    else if (first)
        index_keep_for_all(m, t, &f);
}

/* ---- other events ---------------------------------------------------------------------------- */

static bool index_is_switch(const struct ez_fxt_event *ev)
{
    return ev->code - EZ_C_THREAD - EZ_T_SWITCH_OUT <= EZ_T_SWITCH_IN - EZ_T_SWITCH_OUT;
}

/* A switch is kept if it is the thread's first switch, or if it undoes a switch that is kept. */
static void index_note_switch(struct ez_index_maker *m, struct thread *t, uint64_t number,
                              const struct ez_fxt_event *ev)
{
    bool keep = !t->switches || (t->out && t->off.all);
    m->failed |= (t->switches && ev->tick < t->off.tick) || ev->narg > 1;
    t->off = (struct frame){ .number = number, .tick = ev->tick, .code = ev->code, .kept = NONE };
    t->off_narg = (uint8_t)(ev->narg & 1);
    t->off_arg = ev->narg ? ev->arg[0] : 0;
    t->out = ev->code == EZ_C_THREAD + EZ_T_SWITCH_OUT;
    t->switches = true;
    if (!keep)
        return;
    index_keep_switch(m, t);
    t->off.all = m->kept.at[t->off.kept].all = true;
}

static bool index_is_signal(const struct ez_fxt_event *ev)
{
    return ev->code == EZ_C_THREAD + EZ_T_SIGNAL;
}

static void index_note_other(struct ez_index_maker *m, struct thread *t, uint64_t number,
                             const struct ez_fxt_event *ev)
{
    index_keep_event(m, number, ev);
    index_pin(m, t);
    if (ev->code == EZ_C_THREAD + EZ_T_GAP) { /* a gap ends all open calls */
        t->frame.n = t->pinned = 0;
        t->ended = false;
    }
}

void ez_index_note(struct ez_index_maker *m, uint64_t number, const struct ez_fxt_event *ev)
{
    uint64_t pos = ez_fxt_in_pos(m->in) - 24 - 8 * (uint64_t)ev->narg;
    if (m->failed)
        return;
    m->failed = m->begun && m->block != ez_fxt_in_block(m->in);
    m->block = ez_fxt_in_block(m->in);
    m->begun = true;
    bool mark = number && number % m->every == 0, def = ez_fxt_is_def(ev);
    if (m->run.at.n && (mark || !def))
        index_end_run(m);
    if (m->large && !m->run.at.n && !m->coarse)
        index_coarsen(m);
    m->failed |= m->large && m->coarse;
    if (mark && !m->coarse)
        index_mark(m, number, pos);
    if (def)
        index_note_def(m, number, pos, ev);
    if (def || m->coarse)
        return;
    struct thread *t = index_thread(m, ev->tid);
    m->greatest = EZ_MAX(m->greatest, ev->tick);
    if (index_is_switch(ev)) {
        index_note_switch(m, t, number, ev);
        return;
    }
    if (index_is_signal(ev)) {
        index_keep_event(m, number, ev);
        return;
    }
    struct probe *p = index_probe(m, ev);
    m->failed |= ev->tick < t->tick;
    t->tick = ev->tick;
    if (p)
        index_note_hit(m, t, p, number, ev);
    else
        index_note_other(m, t, number, ev);
}

/* ---- the index ------------------------------------------------------------------------------- */

static bool index_has_switches(const struct ez_index_maker *m, const struct kept *k)
{
    size_t i;
    return ez_hash_get(&m->by_tid, k->tid, &i) && m->thread.at[i].switches;
}

/* Sets `used` of the records that a mark or all marks need, and `all` of the records that all marks
 * need. */
static void index_choose(struct ez_index_maker *m)
{
    for (size_t i = 0; i < m->kept.n; i++) {
        struct kept *k = &m->kept.at[i];
        k->all |= k->pair && index_has_switches(m, k);
        k->used = k->all;
    }
    for (size_t i = 0; i < m->need.n; i++)
        m->kept.at[m->need.at[i]].used = true;
    for (size_t i = 0; i < m->pair.n; i++)
        m->kept.at[m->pair.at[i]].used |= index_has_switches(m, &m->kept.at[m->pair.at[i]]);
}

struct placed { /* a record in the order of the file */
    uint64_t number;
    uint32_t kept;
};

static int index_by_number(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

static int index_by_word(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Appends the used records to `words`, in the order of the file. place[i] becomes the index of
 * m->kept.at[i] among them. Returns their number. */
static uint64_t index_put_recs(struct ez_index_maker *m, ez_index_words *words, uint32_t *place)
{
    EZ_VEC(struct placed) order = { 0 };
    for (size_t i = 0; i < m->kept.n; i++) {
        struct placed p = { m->kept.at[i].number, (uint32_t)i };
        if (m->kept.at[i].used)
            EZ_PUSH(&order, p);
    }
    size_t n = order.n;
    if (n)
        ez_sort(order.at, n, sizeof *order.at, index_by_number);
    for (size_t i = 0; i < n; i++) {
        const struct kept *k = &m->kept.at[order.at[i].kept];
        struct ez_index_rec r = { .number = k->number,
                                  .tick = k->tick,
                                  .tid = k->tid,
                                  .code = k->code,
                                  .narg = k->narg,
                                  .def = k->def,
                                  .all = k->all && !k->def,
                                  .arg = m->arg.at + k->arg };
        place[order.at[i].kept] = (uint32_t)i;
        ez_index_put(words, &r);
    }
    EZ_VEC_FREE(&order);
    return n;
}

/* Appends the index of a record that a mark needs to `needs`, unless all marks need the record. */
static void index_put_need(const struct ez_index_maker *m, uint32_t id, const uint32_t *place,
                           ez_index_words *needs)
{
    if (!m->kept.at[id].all)
        EZ_PUSH(needs, (uint64_t)place[id]);
}

/* Appends all marks to `marks`, and the indexes of the records that each mark needs to `needs`, in
 * the order of the file. */
static void index_put_marks(struct ez_index_maker *m, const uint32_t *place, ez_index_words *marks,
                            ez_index_words *needs)
{
    size_t need = 0, pair = 0;
    for (size_t i = 0; i < m->mark.n; i++) {
        struct mark *k = &m->mark.at[i];
        size_t from = needs->n;
        for (; need < k->needs; need++)
            index_put_need(m, m->need.at[need], place, needs);
        for (; pair < k->pairs; pair++)
            if (index_has_switches(m, &m->kept.at[m->pair.at[pair]]))
                index_put_need(m, m->pair.at[pair], place, needs);
        if (needs->n > from)
            ez_sort(needs->at + from, needs->n - from, sizeof *needs->at, index_by_word);
        k->pub.needs = needs->n;
        EZ_APPEND(marks, (const uint64_t *)&k->pub, sizeof k->pub / sizeof(uint64_t));
    }
}

static struct ez_index *index_encode(struct ez_index_maker *m, struct ez_index_head *h,
                                     const uint64_t *least)
{
    const size_t head = sizeof *h / sizeof(uint64_t);
    ez_index_words words = { 0 }, marks = { 0 }, needs = { 0 }, recs = { 0 };
    EZ_FREE uint32_t *place = ez_alloc((m->kept.n + 1) * sizeof *place);
    index_choose(m);
    h->recs = index_put_recs(m, &recs, place);
    index_put_marks(m, place, &marks, &needs);
    h->marks = m->mark.n;
    h->ranges = m->range.n;
    h->needs = needs.n;
    h->words = recs.n;
    EZ_APPEND(&words, (const uint64_t *)h, head);
    EZ_APPEND(&words, least, h->leasts);
    EZ_APPEND(&words, marks.at, marks.n);
    EZ_APPEND(&words, (const uint64_t *)m->range.at,
              m->range.n * (sizeof *m->range.at / sizeof(uint64_t)));
    EZ_APPEND(&words, needs.at, needs.n);
    EZ_APPEND(&words, recs.at, recs.n);
    EZ_VEC_FREE(&marks);
    EZ_VEC_FREE(&needs);
    EZ_VEC_FREE(&recs);
    ((struct ez_index_head *)(void *)words.at)->sum = ez_index_sum(words.at, words.n);
    if (words.n <= m->most_words)
        return ez_index_of(words.at, words.n);
    EZ_VEC_FREE(&words);
    if (m->coarse)
        return NULL;
    index_coarsen(m);
    return index_encode(m, h, least);
}

struct ez_index *ez_index_made(struct ez_index_maker *m, const struct ez_index_survey *survey,
                               const uint64_t *least, size_t n)
{
    struct ez_index *x = NULL;
    if (!m)
        return NULL;
    if (m->run.at.n)
        index_end_run(m);
    if (survey && !m->failed) {
        struct ez_index_head h = { .magic = EZ_INDEX_MAGIC,
                                   .version = EZ_INDEX_VERSION,
                                   .key = m->key,
                                   .survey = *survey,
                                   .leasts = n };
        x = index_encode(m, &h, least);
    }
    index_maker_free(m);
    return x;
}
