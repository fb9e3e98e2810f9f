/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_calls.c - turns the records of a ring into events of the file: finds the thread of each
 * record, and which calls ended without returning (calls.h).
 *
 * A lane serves one thread after the other, and its ring may hold records of several threads
 * that ended; header words and EZ_R_OWNER records say where each begins (ring_abi.h).
 *
 * Tests: tests/unit/engine/check_drain.c, tests/procs/left.sh */
#include <stdio.h>
#include <string.h>

#include "engine/data_abi.h"
#include "engine/ring/drain_priv.h"
#include "engine/base/strutil.h"

#define MAPS_MOST (16u << 20)     /* bytes of /proc/PID/maps                           */
#define MAPS_SHARE 20             /* at most 1/20 of the time goes into reading them  */
#define MAPS_BURST 2000000000u    /* ns of past time whose share may be spent at once */
#define STACK_GAP (128u << 20)    /* below the main stack the kernel maps nothing else */
#define EXTRA (4 + EZ_DATA_WORDS) /* most words of an event that is put alone */
#define TCB_ROOM 0x1000           /* bytes of a thread's control block, at its stack's top */

/* ---- events ------------------------------------------------------------------------ */

bool drain_is_unwound(const uint64_t *event)
{
    uint64_t code = event[2] >> 8;
    return code >= EZ_C_PROBE && code < EZ_C_MODULE && code & 1 && ez_fxt_words(event) == 4 &&
           event[3] == EZ_EXIT_UNWOUND;
}

void drain_write(struct ez_drain *d, struct drain_lane *l, size_t n, size_t recs, size_t unwound)
{
    size_t written = drain_trace_append(d, d->batch.word, n);
    if (written < n) {
        l->discarded += recs;
        recs = unwound = 0;
        for (size_t i = 0; i < written; i += ez_fxt_words(d->batch.word + i)) {
            bool left = drain_is_unwound(d->batch.word + i);
            recs += !left && d->batch.word[i + 2] >> 8 >= EZ_C_PROBE;
            unwound += left;
        }
        l->discarded -= recs;
    }
    l->recorded += recs;
    l->unwound += unwound;
}

static void drain_flush(struct ez_drain *d)
{
    struct drain_lane *l = &d->lanes.at[d->lane_of];
    size_t n = d->batch.n, recs = d->batch.recs, unwound = d->batch.unwound;
    if (drain_holds(d, l)) {
        drain_hold(d, l);
        return;
    }
    if (!n)
        return;
    d->batch.n = d->batch.recs = d->batch.unwound = 0;
    l->held.end += n;
    drain_write(d, l, n, recs, unwound);
}

/* Puts the records that were checked into d->batch.word, before the event that comes now. */
static void drain_put_run(struct ez_drain *d)
{
    size_t recs = (size_t)(d->at - d->run), n = recs * sizeof *d->run / sizeof *d->batch.word;
    if (d->batch.n + n + EXTRA > DRAIN_WORDS)
        drain_flush(d);
    memcpy(d->batch.word + d->batch.n, d->run, recs * sizeof *d->run);
    d->batch.n += n;
    d->batch.recs += recs;
    d->run = d->at;
}

static void drain_put(struct ez_drain *d, uint64_t tick, uint64_t code, const uint64_t *arg)
{
    drain_put_run(d);
    uint64_t *w = d->batch.word + d->batch.n;
    w[0] = tick;
    w[1] = d->lanes.at[d->lane_of].owner;
    w[2] = code << 8 | (arg ? 2 : 1);
    w[3] = arg ? *arg : 0;
    d->batch.n += arg ? 4 : 3;
}

void drain_put_other(struct ez_drain *d, uint64_t tick, uint32_t id, bool exit)
{
    drain_put(d, tick, (uint64_t)EZ_C_PROBE + 2 * (uint64_t)id + exit, NULL);
    d->batch.recs++;
}

static void drain_put_left(void *arg, const struct ez_open_call *k, uint64_t tick)
{
    static const uint64_t unwound = EZ_EXIT_UNWOUND;
    struct ez_drain *d = arg;
    drain_put_run(d);
    uint32_t id = k->id;
    if (k->state != EZ_CALL_RECORDED &&
        !drain_admit_left(d, &d->lanes.at[d->lane_of], k, tick, &id))
        return;
    d->batch.unwound++;
    drain_put(d, tick, (uint64_t)EZ_C_PROBE + 2 * (uint64_t)id + 1, &unwound);
}

/* ---- stacks ------------------------------------------------------------------------ */

static char *drain_slurp_maps(const struct ez_drain *d)
{
    char path[32];
    size_t n;
    snprintf(path, sizeof path, "/proc/%d/maps", d->cfg.task ? d->cfg.task : d->cfg.pid);
    return ez_str_load(path, MAPS_MOST, &n);
}

/* The maps of a process that has ended cannot be read: the mappings known before stay. */
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
        if (stack) /* it may grow before the maps are read again */
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

/* A thread's stack ends with its control block; what follows in the same mapping is another
 * thread's. (The main thread's stack is not near its control block.) */
static bool drain_region(void *arg, uint64_t frame, struct ez_call_region *out)
{
    struct ez_drain *d = arg;
    uint64_t fs = drain_shared(d, d->lane_of)->fs;
    const struct drain_map *m = drain_map_at(d, frame);
    if (!m && drain_now() >= d->stacks.next_maps) {
        drain_read_maps(d);
        m = drain_map_at(d, frame);
    }
    if (!m)
        return false;
    uint64_t top = EZ_MIN(m->hi, EZ_ROUND_UP(EZ_MIN(fs, UINT64_MAX / 2) + TCB_ROOM, EZ_PAGE));
    bool mine = fs >= m->lo && fs < m->hi && !d->foreign_tids &&
                d->lanes.at[d->lane_of].owner != (uint32_t)d->cfg.pid;
    *out = (struct ez_call_region){ m->lo, m->hi, .own = m->stack || (mine && frame < fs) };
    if (mine && frame < top)
        out->hi = top;
    else if (mine)
        out->lo = top;
    return true;
}

static struct ez_calls_env *drain_env_of(struct ez_drain *d, uint32_t lane)
{
    d->lane_of = lane;
    d->run = d->at; /* no checked records are pending */
    d->stacks.env.left = drain_put_left;
    d->stacks.env.region = drain_region;
    d->stacks.env.arg = d;
    return &d->stacks.env;
}

/* ---- threads ----------------------------------------------------------------------- */

bool drain_tell_lost(struct ez_drain *d, uint32_t lane)
{
    struct drain_lane *l = &d->lanes.at[lane];
    uint64_t dropped = drain_shared(d, lane)->dropped, n = dropped - l->lost;
    if (dropped <= l->lost)
        return false;
    drain_env_of(d, lane);
    l->lost = dropped;
    if (drain_takes(d) && l->owner)
        drain_put(d, l->last_tick, EZ_C_THREAD + EZ_T_GAP, &n);
    drain_flush(d);
    return true;
}

void drain_thread_over(struct ez_drain *d, uint32_t lane, uint64_t tick)
{
    struct drain_lane *l = &d->lanes.at[lane];
    struct ez_calls_env *env = drain_env_of(d, lane);
    if (l->ended)
        tick = EZ_MIN(tick, l->ended);
    l->ended = 0;
    l->awaited = false;
    if (drain_takes(d) && !drain_tell_lost(d, lane)) /* a gap ends the calls itself */
        ez_calls_end(&l->calls, env, EZ_MAX(tick, l->last_tick));
    drain_settle_calls(d, l);
    drain_flush(d);
    ez_calls_forget(&l->calls, env);
}

void drain_all_over(struct ez_drain *d)
{
    for (uint32_t i = 1; i < d->lanes.ready; i++)
        drain_thread_over(d, i, drain_tick(d));
}

void drain_thread_ended(struct ez_drain *d, uint32_t tid, uint64_t tick)
{
    for (uint32_t i = 1; i < d->lanes.ready; i++)
        if (d->lanes.at[i].owner == tid)
            d->lanes.at[i].ended = tick;
}

void drain_owner(struct ez_drain *d, uint32_t lane, uint32_t tid, uint64_t tick)
{
    struct drain_lane *l = &d->lanes.at[lane];
    if (tid == l->owner || !tid)
        return;
    drain_flush(d);
    if (l->owner)
        drain_thread_over(d, lane, tick);
    l->owner = tid;
    l->new_stack = 0;
    drain_switches_know(d, tid);
}

void drain_calls_follow(struct ez_drain *d, uint32_t id, bool exits)
{
    d->stacks.exits[id] = exits;
}

void drain_calls_begin(struct ez_drain *d)
{
    d->stacks.exits = ez_alloc_sparse(d->seg.ids_max);
}

void drain_calls_free(struct ez_drain *d)
{
    drain_calls_forget(d);
    ez_free_sparse(d->stacks.exits, d->seg.ids_max);
    EZ_VEC_FREE(&d->stacks.map);
}

void drain_calls_forget(struct ez_drain *d)
{
    for (uint32_t i = 1; i < d->lanes.ready; i++) {
        ez_calls_forget(&d->lanes.at[i].calls, &d->stacks.env);
        d->lanes.at[i].lost = drain_shared(d, i)->dropped;
    }
}

/* ---- records ----------------------------------------------------------------------- */

/* The tick of the last record before `r` in d->lanes.copy that has one. */
static uint64_t drain_tick_before(const struct ez_drain *d, const struct ez_rec *r)
{
    while (r > d->lanes.copy && r[-1].code >> 8 == EZ_R_PAIR)
        r--;
    return r > d->lanes.copy ? r[-1].tick : d->lanes.at[d->lane_of].last_tick;
}

/* The environment for record `r` in d->lanes.copy: sets the tick before it. */
static struct ez_calls_env *drain_env_at(struct ez_drain *d, const struct ez_rec *r)
{
    d->stacks.env.before = drain_tick_before(d, r);
    return &d->stacks.env;
}

/* Keeps account of the call that a probe's record begins or ends. Returns its state, -1 = not known. */
static int drain_follow(struct ez_drain *d, struct drain_lane *l, const struct ez_rec *r,
                        uint64_t frame, bool quick)
{
    uint32_t n = (uint32_t)((r->code >> 8) - EZ_C_PROBE), id = n / 2;
    d->at = r;
    if (n & 1)
        return quick && ez_calls_quick_exit(&l->calls, frame)
                   ? EZ_CALL_RECORDED
                   : ez_calls_exit(&l->calls, drain_env_at(d, r), frame, r->tick);
    if (!d->stacks.exits[id] || !ez_calls_quick_entry(&l->calls, frame, id))
        ez_calls_entry(&l->calls, drain_env_at(d, r), frame, r->tick, id, d->stacks.exits[id]);
    return EZ_CALL_RECORDED;
}

/* The same for an id with a filter. Returns whether the event, of n words, is to be put. */
static bool drain_follow_filtered(struct ez_drain *d, struct drain_lane *l, struct drain_filter *f,
                                  const struct ez_rec *r, uint64_t frame, size_t n)
{
    int state = drain_follow(d, l, r, frame, false);
    drain_put_run(d);
    return r->code >> 8 & 1 ? drain_admit_exit(d, l, f, r, frame, n, state)
                            : drain_admit(d, l, f, r, frame, n);
}

static struct drain_filter *drain_filter_at(const struct ez_drain *d, const struct ez_rec *r)
{
    return d->filters.n ? drain_filter_of(d, (uint32_t)((r->code >> 8) - EZ_C_PROBE) / 2) : NULL;
}

static void drain_tell_probe(struct ez_drain *d, struct drain_lane *l, struct ez_rec *r)
{
    uint64_t frame = r->tid;
    struct drain_filter *f = drain_filter_at(d, r);
    r->tid = l->owner;
    if (drain_prints(d, r))
        drain_line(d, (const uint64_t *)r);
    if (!f)
        drain_follow(d, l, r, frame, true);
    else if (!drain_follow_filtered(d, l, f, r, frame, 3))
        d->run = d->at = r + 1;
}

static bool drain_is_data(const struct ez_rec *r)
{
    return (r->code & 0xff) != 1 || r->tid >> EZ_FRAME_BITS;
}

/* A probe's event with words, which come two by two in the records behind it (data_abi.h). Returns
 * its last record; an event that is not complete is torn. */
static struct ez_rec *drain_tell_data(struct ez_drain *d, struct drain_lane *l, struct ez_rec *r,
                                      const struct ez_rec *end)
{
    size_t n = (r->code & 0xff) - 1, pairs = (n + 1) / 2, got = 0;
    uint64_t bits = r->tid >> EZ_FRAME_BITS, frame = r->tid & ((1ull << EZ_FRAME_BITS) - 1);
    uint64_t bad = (bits & ~(1ull << EZ_DATA_UNKNOWN)) << EZ_DATA_BAD;
    bool is_exit = r->code >> 8 & 1;
    drain_put_run(d);
    while (got < pairs && r + 1 + got < end && r[1 + got].code == ((uint64_t)EZ_R_PAIR << 8 | 1))
        got++;
    l->torn += got < pairs;
    if (got < pairs || !drain_takes(d)) {
        l->discarded += got == pairs;
        return r + got;
    }
    struct drain_filter *f = drain_filter_at(d, r);
    size_t size = 3 + n + (is_exit || bad);
    if (f && !drain_follow_filtered(d, l, f, r, frame, size))
        return r + got;
    if (!f)
        drain_follow(d, l, r, frame, true);
    drain_put_run(d);
    uint64_t *w = d->batch.word + d->batch.n + 3;
    if (is_exit)
        *w++ = bad | (bits >> EZ_DATA_UNKNOWN & 1 ? EZ_DATA_TAIL : 0);
    for (size_t i = 0; i < n; i++)
        *w++ = i & 1 ? r[1 + i / 2].tid : r[1 + i / 2].tick;
    if (!is_exit && bad)
        *w++ = bad;
    size_t words = (size_t)(w - d->batch.word) - d->batch.n;
    w = d->batch.word + d->batch.n;
    w[0] = r->tick;
    w[1] = l->owner;
    w[2] = r->code >> 8 << 8 | (words - 2);
    drain_code_see(d, r->code >> 8, w + 3, words - 3);
    if (drain_prints(d, r))
        drain_line(d, w);
    d->batch.n += words;
    d->batch.recs++;
    return r + got;
}

/* The name comes in two records, half by half; its bytes may be anything. */
static void drain_learn_name(struct ez_drain *d, struct drain_lane *l, unsigned half, uint64_t text)
{
    memcpy(l->name + half * sizeof text, &text, sizeof text);
    l->name[sizeof l->name - 1] = 0;
    if (half && *l->name)
        drain_trace_name(d, l->owner, l->name);
}

/* The bounds come in two records. */
static void drain_learn_stack(struct ez_drain *d, struct drain_lane *l, const struct ez_rec *r,
                              bool end)
{
    if (end && l->new_stack && drain_takes(d))
        ez_calls_stack(&l->calls, drain_env_at(d, r), l->new_stack, r->tid, r->tick);
    l->new_stack = end ? 0 : r->tid;
}

/* Handles a record that is not a probe's; those of the thread (EZ_C_THREAD) go to the file. */
static void drain_tell_other(struct ez_drain *d, uint32_t lane, const struct ez_rec *r)
{
    struct drain_lane *l = &d->lanes.at[lane];
    uint64_t code = r->code >> 8, arg = r->tid;
    drain_put_run(d);
    if (code == EZ_R_OWNER)
        drain_owner(d, lane, (uint32_t)arg, r->tick);
    else if (code == EZ_R_LEFT && drain_takes(d))
        ez_calls_left(&l->calls, drain_env_at(d, r), arg, r->tick);
    else if (code - EZ_R_STACK < 2)
        drain_learn_stack(d, l, r, code > EZ_R_STACK);
    else if (code == EZ_C_THREAD + EZ_T_GAP)
        l->lost += arg;
    else if (code - EZ_R_NAME < 2)
        drain_learn_name(d, l, (unsigned)(code - EZ_R_NAME), arg);
    if (code < EZ_C_THREAD + EZ_NT && drain_takes(d))
        drain_put(d, r->tick, code, code == EZ_C_THREAD + EZ_T_GAP ? &arg : NULL);
    if (code == EZ_C_THREAD + EZ_T_GAP) {
        drain_settle_calls(d, l);
        ez_calls_forget(&l->calls, &d->stacks.env);
    }
}

/* An event of a module: its words come in the records behind it. Returns its last record; if they
 * are not there (the target wrote something else), it is torn, and they are left out. */
static struct ez_rec *drain_tell_module(struct ez_drain *d, struct drain_lane *l, struct ez_rec *r,
                                        const struct ez_rec *end)
{
    size_t n = (r->code & 0xff) - 1, got = 1;
    drain_put_run(d);
    while (got < n && r + got < end && r[got].code == ((uint64_t)EZ_R_MORE << 8 | 1))
        got++;
    l->torn += got < n;
    if (got >= n && drain_takes(d)) {
        uint64_t *w = d->batch.word + d->batch.n;
        w[0] = r->tick;
        w[1] = l->owner;
        w[2] = r->code;
        for (size_t i = 0; i < n; i++)
            w[3 + i] = r[i].tid;
        drain_code_see(d, r->code >> 8, w + 3, n);
        d->batch.n += 3 + n;
        d->batch.recs++;
    } else if (got >= n) {
        l->discarded++;
    }
    return r + got - 1;
}

/* Is the event that begins with r left out because recording was paused? Then *last is its last record. What
 * is not recorded of a thread is a gap. */
static bool drain_leave_out(struct ez_drain *d, struct drain_lane *l, struct ez_rec *r,
                            const struct ez_rec *end, struct ez_rec **last)
{
    uint64_t none = 0;
    bool paused = drain_paused_at(d, r->tick);
    if (!drain_takes(d) || (!paused && !l->paused))
        return false;
    if (paused != l->paused) {
        d->at = r;
        drain_put(d, r->tick, EZ_C_THREAD + (paused ? EZ_T_GAP : EZ_T_GAP_END),
                  paused ? &none : NULL);
        d->run = d->at;
        if (paused) {
            drain_settle_calls(d, l);
            ez_calls_forget(&l->calls, &d->stacks.env);
        }
    }
    l->paused = paused;
    if (!paused)
        return false;
    while (r + 1 < end && (r[1].code >> 8 == EZ_R_PAIR || r[1].code >> 8 == EZ_R_MORE))
        r++;
    *last = r;
    l->discarded++;
    return true;
}

void drain_tell(struct ez_drain *d, uint32_t lane, size_t n)
{
    struct drain_lane *l = &d->lanes.at[lane];
    struct ez_rec *end = d->lanes.copy + n;
    drain_env_of(d, lane);
    d->run = d->at = d->lanes.copy;
    drain_pauses_learn(d);
    for (struct ez_rec *r = d->lanes.copy; r < end; r++) {
        if (d->pauses.at.n && r->code >> 8 >= EZ_C_PROBE && drain_leave_out(d, l, r, end, &r)) {
            d->run = d->at = r + 1;
            continue;
        }
        if (r->code >> 8 >= EZ_C_MODULE) {
            d->at = r;
            r = drain_tell_module(d, l, r, end);
            d->run = d->at = r + 1;
            continue;
        }
        if (r->code >> 8 >= EZ_C_PROBE && drain_is_data(r)) {
            d->at = r;
            r = drain_tell_data(d, l, r, end);
            d->run = d->at = r + 1;
            continue;
        }
        if (r->code >> 8 >= EZ_C_PROBE) {
            if (drain_takes(d))
                drain_tell_probe(d, l, r);
            continue;
        }
        d->at = r;
        drain_tell_other(d, lane, r);
        d->run = d->at = r + 1;
    }
    d->at = end;
    drain_put_run(d);
    drain_flush(d);
    l->last_tick = drain_tick_before(d, end);
}
