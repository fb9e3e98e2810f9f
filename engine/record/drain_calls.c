/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_calls.c - turns the records of a ring into events of the file: finds the thread of each
 * record, and the calls that ended without a return (calls.h).
 *
 * A buffer serves one thread after another, and its ring may hold records of several threads that
 * ended. Header words and EZ_R_OWNER records show where the records of each thread begin
 * (ring_abi.h).
 *
 * Tests: tests/unit/record/check_drain.c, tests/procs/left.sh */
#include <stdio.h>
#include <string.h>

#include "engine/data_abi.h"
#include "engine/record/drain_priv.h"
#include "engine/base/strutil.h"

#define MAPS_MOST (16u << 20) /* bytes of /proc/PID/maps */
/* reading the maps uses at most 1/20 of the processor time of the drain thread */
#define MAPS_SHARE 20
#define MAPS_BURST 2000000000u /* at most the share of this many past ns is used at once */
#define STACK_GAP (128u << 20) /* bytes that the kernel keeps free below the main stack */
/* maximum number of words of one event, except probes' records that are copied as they are */
#define EXTRA (4 + EZ_DATA_WORDS)
#define TCB_ROOM 0x1000 /* bytes assumed for a thread's control block, at the top of its stack */

/* ---- events ------------------------------------------------------------------------ */

static void drain_flush(struct drain_cursor *c)
{
    struct drain_batch *b = &c->d->batch;
    size_t n = b->n, recs = b->recs, unwound = b->unwound;
    if (drain_holds(c->d, c->l)) {
        drain_hold(c->d, c->l);
        return;
    }
    if (!n)
        return;
    b->n = b->recs = b->unwound = 0;
    c->l->held.end += n;
    drain_write(c->d, c->l, n, recs, unwound);
}

/* Appends the records [run, at) to the batch. The next event then comes after these records. */
static void drain_put_run(struct drain_cursor *c)
{
    struct drain_batch *b = &c->d->batch;
    size_t recs = (size_t)(c->at - c->run), n = recs * sizeof *c->run / sizeof *b->word;
    if (b->n + n + EXTRA > DRAIN_WORDS)
        drain_flush(c);
    memcpy(b->word + b->n, c->run, recs * sizeof *c->run);
    b->n += n;
    b->recs += recs;
    c->run = c->at;
}

static void drain_put(struct drain_cursor *c, uint64_t tick, uint64_t code, const uint64_t *arg)
{
    struct drain_batch *b = &c->d->batch;
    drain_put_run(c);
    uint64_t *w = b->word + b->n;
    w[0] = tick;
    w[1] = c->l->owner;
    w[2] = code << 8 | (arg ? 2 : 1);
    w[3] = arg ? *arg : 0;
    b->n += arg ? 4 : 3;
}

/* Appends an event of the id, without words, to the batch. */
static void drain_put_other(struct drain_cursor *c, uint64_t tick, uint32_t id, bool exit)
{
    drain_put(c, tick, (uint64_t)EZ_C_PROBE + 2 * (uint64_t)id + exit, NULL);
    c->d->batch.recs++;
}

static void drain_put_left(void *arg, const struct ez_open_call *k, uint64_t tick)
{
    static const uint64_t unwound = EZ_EXIT_UNWOUND;
    struct drain_cursor *c = arg;
    drain_put_run(c);
    uint32_t id = k->id;
    if (k->state != EZ_CALL_RECORDED && !drain_admit_left(c->d, c->l, k, tick, &id))
        return;
    c->d->batch.unwound++;
    drain_put(c, tick, (uint64_t)EZ_C_PROBE + 2 * (uint64_t)id + 1, &unwound);
}

/* ---- stacks ------------------------------------------------------------------------ */

static char *drain_slurp_maps(const struct ez_drain *d)
{
    char path[32];
    size_t n;
    snprintf(path, sizeof path, "/proc/%d/maps", d->cfg.task ? d->cfg.task : d->cfg.pid);
    return ez_str_load(path, MAPS_MOST, &n);
}

/* If the process has ended and its maps cannot be read, keeps the mappings that are known. */
void drain_read_maps(struct ez_drain *d)
{
    uint64_t begin = drain_cpu_ns(), now = drain_now();
    uint64_t below = 0; /* end of the previous mapping */
    EZ_FREE char *text = drain_slurp_maps(d);
    if (text && *text)
        d->stacks.map.n = 0;
    for (char *line = text, *next; line && *line; line = next) {
        char *end, *p = line;
        next = strchr(line, '\n');
        next = next ? next + 1 : line + strlen(line);
        uint64_t lo = strtoul(p, &end, 16), hi = *end == '-' ? strtoul(end + 1, &end, 16) : 0;
        if (hi <= lo)
            continue;
        bool stack = next - line > 9 && !strncmp(next - 8, "[stack]\n", 8);
        if (stack) /* the stack may grow before the maps are read again */
            lo = EZ_MAX(below, lo - EZ_MIN(lo, STACK_GAP));
        if (*end == ' ' && end[1] == 'r' && end[2] == 'w')
            EZ_PUSH(&d->stacks.map, ((struct drain_map){ lo, hi, stack }));
        below = hi;
    }
    d->stacks.next_maps = EZ_MAX(d->stacks.next_maps, now - EZ_MIN(now, MAPS_BURST)) +
                          (drain_cpu_ns() - begin) * MAPS_SHARE;
}

static const struct drain_map *drain_map_at(const struct ez_drain *d, uint64_t at)
{
    size_t i = EZ_UPTO(d->stacks.map.at, d->stacks.map.n, lo, at);
    return i && at < d->stacks.map.at[i - 1].hi ? &d->stacks.map.at[i - 1] : NULL;
}

/* Stores the range of the stack that contains `frame` in *out; returns false if no mapping contains
 * it. The stack of a thread ends with the thread's control block. The rest of the same mapping
 * belongs to another stack. (The main thread's stack is not near its control block.) */
static bool drain_region(void *arg, uint64_t frame, struct ez_call_region *out)
{
    const struct drain_cursor *c = arg;
    struct ez_drain *d = c->d;
    uint64_t fs = drain_shared(d, c->buffer)->fs;
    const struct drain_map *m = drain_map_at(d, frame);
    if (!m && drain_now() >= d->stacks.next_maps) {
        drain_read_maps(d);
        m = drain_map_at(d, frame);
    }
    if (!m)
        return false;
    uint64_t top = EZ_MIN(m->hi, EZ_ROUND_UP(EZ_MIN(fs, UINT64_MAX / 2) + TCB_ROOM, EZ_PAGE));
    bool mine =
        fs >= m->lo && fs < m->hi && !d->foreign_tids && c->l->owner != (uint32_t)d->cfg.pid;
    *out = (struct ez_call_region){ m->lo, m->hi, .own = m->stack || (mine && frame < fs) };
    if (mine && frame < top)
        out->hi = top;
    else if (mine)
        out->lo = top;
    return true;
}

/* Sets the cursor to `first`, the next record of the buffer. */
static struct drain_cursor *drain_cursor_at(struct drain_cursor *c, struct ez_drain *d,
                                            uint32_t buffer, const struct ez_rec *first)
{
    *c = (struct drain_cursor){ .d = d,
                                .l = &d->buffers.at[buffer],
                                .buffer = buffer,
                                .first = first,
                                .run = first,
                                .at = first };
    return c;
}

/* Sets and returns the struct that calls.c uses to report calls that were left. The exits of these
 * calls are written at the cursor's position. */
static struct ez_calls_env *drain_env_of(struct drain_cursor *c)
{
    struct ez_calls_env *env = &c->d->stacks.env;
    env->left = drain_put_left;
    env->region = drain_region;
    env->arg = c;
    return env;
}

/* ---- threads ----------------------------------------------------------------------- */

static bool drain_emit_lost_at(struct drain_cursor *c)
{
    struct drain_buffer *l = c->l;
    uint64_t dropped = drain_shared(c->d, c->buffer)->dropped, n = dropped - l->lost;
    if (dropped <= l->lost)
        return false;
    l->lost = dropped;
    if (drain_is_open(c->d) && l->owner)
        drain_put(c, l->last_tick, EZ_C_THREAD + EZ_T_GAP, &n);
    drain_flush(c);
    return true;
}

bool drain_emit_lost(struct ez_drain *d, uint32_t buffer)
{
    struct drain_cursor c;
    return drain_emit_lost_at(drain_cursor_at(&c, d, buffer, d->buffers.copy));
}

static void drain_over(struct drain_cursor *c, uint64_t tick)
{
    struct drain_buffer *l = c->l;
    struct ez_calls_env *env = drain_env_of(c);
    if (l->ended)
        tick = EZ_MIN(tick, l->ended);
    l->ended = 0;
    l->awaited = false;
    /* a gap event ends all open calls of the thread */
    if (drain_is_open(c->d) && !drain_emit_lost_at(c))
        ez_calls_end(&l->calls, env, EZ_MAX(tick, l->last_tick));
    drain_settle_calls(c->d, l);
    drain_flush(c);
    ez_calls_forget(&l->calls, env);
}

void drain_thread_over(struct ez_drain *d, uint32_t buffer, uint64_t tick)
{
    struct drain_cursor c;
    drain_over(drain_cursor_at(&c, d, buffer, d->buffers.copy), tick);
}

void drain_all_over(struct ez_drain *d)
{
    for (uint32_t i = 1; i < d->buffers.ready; i++)
        drain_thread_over(d, i, drain_tick(d));
}

/* Attributes the records from the cursor on to thread tid. */
static void drain_owner_at(struct drain_cursor *c, uint32_t tid, uint64_t tick)
{
    struct drain_buffer *l = c->l;
    if (tid == l->owner || !tid)
        return;
    drain_flush(c);
    if (l->owner)
        drain_over(c, tick);
    l->owner = tid;
    l->new_stack = 0;
    drain_switches_know(c->d, tid);
}

void drain_owner(struct ez_drain *d, uint32_t buffer, uint32_t tid, uint64_t tick)
{
    struct drain_cursor c;
    drain_owner_at(drain_cursor_at(&c, d, buffer, d->buffers.copy), tid, tick);
}

void drain_calls_free(struct ez_drain *d)
{
    drain_calls_forget(d);
    EZ_VEC_FREE(&d->stacks.map);
}

void drain_calls_forget(struct ez_drain *d)
{
    for (uint32_t i = 1; i < d->buffers.ready; i++) {
        ez_calls_forget(&d->buffers.at[i].calls, &d->stacks.env);
        d->buffers.at[i].lost = drain_shared(d, i)->dropped;
    }
}

/* ---- records ----------------------------------------------------------------------- */

/* Returns the tick of the last record before `r` that has a tick; if the copy of records has none,
 * the tick of the buffer's last record before the copy. */
static uint64_t drain_tick_before(const struct drain_cursor *c, const struct ez_rec *r)
{
    while (r > c->first && r[-1].code >> 8 == EZ_R_PAIR)
        r--;
    return r > c->first ? r[-1].tick : c->l->last_tick;
}

/* Like drain_env_of(), but also sets env->before to the tick of the record before `r`. */
static struct ez_calls_env *drain_env_at(struct drain_cursor *c, const struct ez_rec *r)
{
    struct ez_calls_env *env = drain_env_of(c);
    env->before = drain_tick_before(c, r);
    return env;
}

/* Tracks the call that a probe's record begins or ends. Returns, for an exit, the call's state, or
 * -1 if the call is unknown; for an entry, EZ_CALL_RECORDED. */
static int drain_follow(struct drain_cursor *c, const struct ez_rec *r, uint64_t frame, bool quick)
{
    uint32_t n = (uint32_t)((r->code >> 8) - EZ_C_PROBE), id = n / 2;
    c->at = r;
    if (n & 1)
        return quick && ez_calls_quick_exit(&c->l->calls, frame)
                   ? EZ_CALL_RECORDED
                   : ez_calls_exit(&c->l->calls, drain_env_at(c, r), frame, r->tick);
    if (!c->d->defs.exits[id] || !ez_calls_quick_entry(&c->l->calls, frame, id))
        ez_calls_entry(&c->l->calls, drain_env_at(c, r), frame, r->tick, id, c->d->defs.exits[id]);
    return EZ_CALL_RECORDED;
}

/* Tracks the call of an id with a filter. Returns true if the event of n words must be appended to
 * the batch. If the event becomes one of another probe (DRAIN_OTHERS), appends that event. */
static bool drain_follow_filtered(struct drain_cursor *c, struct drain_filter *f,
                                  const struct ez_rec *r, uint64_t frame, size_t n)
{
    bool exit = r->code >> 8 & 1;
    int state = drain_follow(c, r, frame, false);
    drain_put_run(c);
    enum drain_verdict is =
        exit ? drain_admit_exit(c, f, r, frame, n, state) : drain_admit(c, f, r, frame, n);
    if (is == DRAIN_OTHERS)
        drain_put_other(c, r->tick, f->other, exit);
    return is == DRAIN_ADMITTED;
}

static struct drain_filter *drain_filter_at(const struct drain_cursor *c, const struct ez_rec *r)
{
    return c->d->filters.n ? drain_filter_of(c->d, (uint32_t)((r->code >> 8) - EZ_C_PROBE) / 2)
                           : NULL;
}

static void drain_emit_probe(struct drain_cursor *c, struct ez_rec *r)
{
    uint64_t frame = r->tid;
    struct drain_filter *f = drain_filter_at(c, r);
    r->tid = c->l->owner;
    if (drain_prints(&c->d->lines, r))
        drain_line(c->d, (const uint64_t *)r);
    if (!f)
        drain_follow(c, r, frame, true);
    else if (!drain_follow_filtered(c, f, r, frame, 3))
        c->run = c->at = r + 1;
}

static bool drain_is_data(const struct ez_rec *r)
{
    return (r->code & 0xff) != 1 || r->tid >> EZ_FRAME_BITS;
}

/* Appends a probe's event with words to the batch: each record after the first contains two of the
 * words (data_abi.h). Returns the event's last record. An event that lacks records is not written,
 * and counts as torn. */
static struct ez_rec *drain_emit_data(struct drain_cursor *c, struct ez_rec *r,
                                      const struct ez_rec *end)
{
    size_t n = (r->code & 0xff) - 1, pairs = (n + 1) / 2, got = 0;
    uint64_t bits = r->tid >> EZ_FRAME_BITS, frame = r->tid & ((1ull << EZ_FRAME_BITS) - 1);
    uint64_t bad = (bits & ~(1ull << EZ_DATA_UNKNOWN)) << EZ_DATA_BAD;
    bool is_exit = r->code >> 8 & 1;
    drain_put_run(c);
    while (got < pairs && r + 1 + got < end && r[1 + got].code == ((uint64_t)EZ_R_PAIR << 8 | 1))
        got++;
    c->l->torn += got < pairs;
    if (got < pairs || !drain_is_open(c->d)) {
        c->l->discarded += got == pairs;
        return r + got;
    }
    struct drain_filter *f = drain_filter_at(c, r);
    size_t size = 3 + n + (is_exit || bad);
    if (f && !drain_follow_filtered(c, f, r, frame, size))
        return r + got;
    if (!f)
        drain_follow(c, r, frame, true);
    drain_put_run(c);
    uint64_t *w = c->d->batch.word + c->d->batch.n + 3;
    if (is_exit)
        *w++ = bad | (bits >> EZ_DATA_UNKNOWN & 1 ? EZ_DATA_TAIL : 0);
    for (size_t i = 0; i < n; i++)
        *w++ = i & 1 ? r[1 + i / 2].tid : r[1 + i / 2].tick;
    if (!is_exit && bad)
        *w++ = bad;
    size_t words = (size_t)(w - c->d->batch.word) - c->d->batch.n;
    w = c->d->batch.word + c->d->batch.n;
    w[0] = r->tick;
    w[1] = c->l->owner;
    w[2] = r->code >> 8 << 8 | (words - 2);
    drain_code_see(c->d, r->code >> 8, w + 3, words - 3);
    if (drain_prints(&c->d->lines, r))
        drain_line(c->d, w);
    c->d->batch.n += words;
    c->d->batch.recs++;
    return r + got;
}

/* Copies one half of a thread's name; each of two records contains a half. The bytes may be
 * anything. */
static void drain_learn_name(struct drain_cursor *c, unsigned half, uint64_t text)
{
    memcpy(c->l->name + half * sizeof text, &text, sizeof text);
    c->l->name[sizeof c->l->name - 1] = 0;
    if (half && *c->l->name)
        drain_file_name(c->d, c->l->owner, c->l->name);
}

/* Handles one of the two records that contain the bounds of a new stack. */
static void drain_learn_stack(struct drain_cursor *c, const struct ez_rec *r, bool end)
{
    if (end && c->l->new_stack && drain_is_open(c->d))
        ez_calls_stack(&c->l->calls, drain_env_at(c, r), c->l->new_stack, r->tid, r->tick);
    c->l->new_stack = end ? 0 : r->tid;
}

/* Handles a record that is neither a probe's nor a module's. Writes events of the thread itself
 * (EZ_C_THREAD) to the file. */
static void drain_emit_other(struct drain_cursor *c, const struct ez_rec *r)
{
    uint64_t code = r->code >> 8, arg = r->tid;
    drain_put_run(c);
    if (code == EZ_R_OWNER)
        drain_owner_at(c, (uint32_t)arg, r->tick);
    else if (code == EZ_R_LEFT && drain_is_open(c->d))
        ez_calls_left(&c->l->calls, drain_env_at(c, r), arg, r->tick);
    else if (code - EZ_R_STACK < 2)
        drain_learn_stack(c, r, code > EZ_R_STACK);
    else if (code == EZ_C_THREAD + EZ_T_GAP)
        c->l->lost += arg;
    else if (code - EZ_R_NAME < 2)
        drain_learn_name(c, (unsigned)(code - EZ_R_NAME), arg);
    if (code < EZ_C_THREAD + EZ_NT && drain_is_open(c->d))
        drain_put(c, r->tick, code, code == EZ_C_THREAD + EZ_T_GAP ? &arg : NULL);
    if (code == EZ_C_THREAD + EZ_T_GAP) {
        drain_settle_calls(c->d, c->l);
        ez_calls_forget(&c->l->calls, drain_env_of(c));
    }
}

/* Writes an event of a module, whose further words are in the following records. Returns the
 * event's last record. If records are missing, the event counts as torn, and is not written. */
static struct ez_rec *drain_emit_module(struct drain_cursor *c, struct ez_rec *r,
                                        const struct ez_rec *end)
{
    size_t n = (r->code & 0xff) - 1, got = 1;
    drain_put_run(c);
    while (got < n && r + got < end && r[got].code == ((uint64_t)EZ_R_MORE << 8 | 1))
        got++;
    c->l->torn += got < n;
    if (got >= n && drain_is_open(c->d)) {
        uint64_t *w = c->d->batch.word + c->d->batch.n;
        w[0] = r->tick;
        w[1] = c->l->owner;
        w[2] = r->code;
        for (size_t i = 0; i < n; i++)
            w[3 + i] = r[i].tid;
        drain_code_see(c->d, r->code >> 8, w + 3, n);
        c->d->batch.n += 3 + n;
        c->d->batch.recs++;
    } else if (got >= n) {
        c->l->discarded++;
    }
    return r + got - 1;
}

/* Returns true if the event that begins with r is left out because recording was paused. *last is
 * the event's last record. At the begin and the end of such events, writes the begin and the end of
 * a gap. */
static bool drain_leave_out(struct drain_cursor *c, struct ez_rec *r, const struct ez_rec *end,
                            struct ez_rec **last)
{
    uint64_t none = 0;
    bool paused = drain_paused_at(c->d, r->tick);
    if (!drain_is_open(c->d) || (!paused && !c->l->paused))
        return false;
    if (paused != c->l->paused) {
        c->at = r;
        drain_put(c, r->tick, EZ_C_THREAD + (paused ? EZ_T_GAP : EZ_T_GAP_END),
                  paused ? &none : NULL);
        c->run = c->at;
        if (paused) {
            drain_settle_calls(c->d, c->l);
            ez_calls_forget(&c->l->calls, drain_env_of(c));
        }
    }
    c->l->paused = paused;
    if (!paused)
        return false;
    while (r + 1 < end && (r[1].code >> 8 == EZ_R_PAIR || r[1].code >> 8 == EZ_R_MORE))
        r++;
    *last = r;
    c->l->discarded++;
    return true;
}

void drain_emit(struct ez_drain *d, uint32_t buffer, struct ez_rec *first, size_t n)
{
    struct drain_cursor cursor, *c = drain_cursor_at(&cursor, d, buffer, first);
    struct ez_rec *end = first + n;
    drain_pauses_learn(d);
    for (struct ez_rec *r = first; r < end; r++) {
        if (d->pauses.at.n && r->code >> 8 >= EZ_C_PROBE && drain_leave_out(c, r, end, &r)) {
            c->run = c->at = r + 1;
            continue;
        }
        if (r->code >> 8 >= EZ_C_MODULE) {
            c->at = r;
            r = drain_emit_module(c, r, end);
            c->run = c->at = r + 1;
            continue;
        }
        if (r->code >> 8 >= EZ_C_PROBE && drain_is_data(r)) {
            c->at = r;
            r = drain_emit_data(c, r, end);
            c->run = c->at = r + 1;
            continue;
        }
        if (r->code >> 8 >= EZ_C_PROBE) {
            if (drain_is_open(d))
                drain_emit_probe(c, r);
            continue;
        }
        c->at = r;
        drain_emit_other(c, r);
        c->run = c->at = r + 1;
    }
    c->at = end;
    drain_put_run(c);
    drain_flush(c);
    c->l->last_tick = drain_tick_before(c, end);
}
