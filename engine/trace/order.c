/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order.c - sorts the events of one file by time, with bounded memory (order.h).
 *
 * The window (the events in memory) is slot[at..n): slot[at..sorted) is sorted, slot[sorted..n) is
 * in the order of arrival. The events' arguments are in a separate array, the arena; window and
 * arena are emptied together. A run (a sorted sequence of events) in the temporary file consists of
 * records {tick, tid, code, narg, args...}. Each run is read back through a small buffer, and a
 * heap finds the run with the smallest tick. */
#include "engine/trace/order.h"

#include <errno.h>
#include <string.h>

#include "engine/base/heap.h"
#include "engine/base/newfile.h"

#define RUN_WORDS 4096 /* words of the buffer of a run (32 KiB); the longest record is shorter */
#define HEAD_WORDS 4
#define MAX_ARGS 254

struct slot {
    uint64_t tick, tid, code;
    uint64_t arg; /* index of the first argument in the arena << 8 | number of arguments */
};

struct run {
    /* words [at, end) of the temporary file belong to the run and are not in buf yet */
    uint64_t at, end;
    /* buf[next..have) has not been returned yet; the run's next event is at buf[next] */
    uint64_t *buf;
    size_t next, have;
};

struct ez_order {
    struct slot *slot, *spare;
    size_t cap, at, sorted, n;
    uint64_t low; /* smallest tick in slot[sorted..n) */
    EZ_VEC(uint64_t) arena;
    uint64_t bound;
    int fd;         /* temporary file, or -1 */
    uint64_t words; /* number of words written to the temporary file */
    EZ_VEC(struct run) runs;
    struct ez_heap heap; /* heap of the runs, by the tick of their next event */
    EZ_VEC(size_t) starts;
    uint64_t out[MAX_ARGS];
};

struct ez_order *ez_order_create(size_t capacity)
{
    struct ez_order *o = ez_alloc(sizeof *o);
    o->cap = EZ_MAX(capacity, (size_t)64);
    o->slot = ez_alloc(o->cap * sizeof *o->slot);
    o->spare = ez_alloc(o->cap * sizeof *o->spare);
    o->fd = -1;
    o->low = UINT64_MAX;
    return o;
}

void ez_order_destroy(struct ez_order *o)
{
    if (!o)
        return;
    for (size_t i = 0; i < o->runs.n; i++)
        free(o->runs.at[i].buf);
    EZ_VEC_FREE(&o->runs);
    EZ_VEC_FREE(&o->heap.node);
    EZ_VEC_FREE(&o->starts);
    EZ_VEC_FREE(&o->arena);
    if (o->fd >= 0)
        close(o->fd);
    free(o->slot);
    free(o->spare);
    free(o);
}

/* ---- sorting ----------------------------------------------------------------------- */

static void order_merge_two(struct slot *to, const struct slot *a, size_t na, size_t nb)
{
    const struct slot *b = a + na, *ea = b, *eb = b + nb;
    while (a < ea && b < eb)
        *to++ = b->tick < a->tick ? *b++ : *a++;
    memcpy(to, a, (size_t)(ea - a) * sizeof *a);
    memcpy(to + (ea - a), b, (size_t)(eb - b) * sizeof *b);
}

/* Merges each two adjacent sorted runs of the window in one pass into o->spare, then exchanges
 * o->slot and o->spare. */
static void order_merge_pass(struct ez_order *o)
{
    size_t k = 0, *s = o->starts.at, runs = o->starts.n - 1;
    for (size_t i = 0; i < runs; i += 2, k++) {
        size_t from = s[i], mid = s[i + 1], to = i + 2 <= runs ? s[i + 2] : mid;
        order_merge_two(o->spare + from, o->slot + from, mid - from, to - mid);
        s[k] = from;
    }
    s[k] = o->n;
    o->starts.n = k + 1;
    struct slot *t = o->slot;
    o->slot = o->spare;
    o->spare = t;
}

static void order_sort(struct ez_order *o)
{
    o->starts.n = 0;
    EZ_PUSH(&o->starts, o->at);
    for (size_t i = EZ_MAX(o->sorted, o->at + 1); i < o->n; i++)
        if (o->slot[i].tick < o->slot[i - 1].tick)
            EZ_PUSH(&o->starts, i);
    EZ_PUSH(&o->starts, o->n);
    while (o->starts.n > 2)
        order_merge_pass(o);
    o->sorted = o->n;
    o->low = UINT64_MAX;
}

/* ---- the temporary file ---------------------------------------------------------------- */

static ez_err *order_open_temporary(struct ez_order *o)
{
    const char *dir = ez_tmp_folder();
    o->fd = ez_newfile_unnamed(dir);
    return o->fd >= 0 ? NULL
                      : ez_err_hint(ez_err_new(EZ_E_SYS, errno, "%s: Cannot create a file", dir),
                                    "TMPDIR names another folder for temporary files");
}

static ez_err *order_flush_words(struct ez_order *o, const uint64_t *w, size_t n)
{
    const char *p = (const char *)w;
    size_t left = n * 8;
    while (left) {
        ssize_t k = pwrite(o->fd, p, left, (off_t)(o->words * 8 + (n * 8 - left)));
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return ez_err_hint(ez_err_new(EZ_E_SYS, errno, "Cannot write a temporary file"),
                               "TMPDIR names another folder for temporary files");
        p += k;
        left -= (size_t)k;
    }
    o->words += n;
    return NULL;
}

static ez_err *order_refill(struct ez_order *o, struct run *r)
{
    size_t keep = r->have - r->next;
    memmove(r->buf, r->buf + r->next, keep * 8);
    size_t want = (size_t)EZ_MIN(RUN_WORDS - keep, r->end - r->at);
    for (size_t got = 0; got < want * 8;) {
        ssize_t k =
            pread(o->fd, (char *)(r->buf + keep) + got, want * 8 - got, (off_t)(r->at * 8 + got));
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return ez_err_new(EZ_E_SYS, errno, "Cannot read a temporary file");
        got += (size_t)k;
    }
    r->at += want;
    r->next = 0;
    r->have = keep + want;
    return NULL;
}

/* Writes the events of the window to the temporary file, as a sorted run. */
static ez_err *order_spill(struct ez_order *o)
{
    size_t n = 0;
    EZ_FREE uint64_t *w = ez_alloc(RUN_WORDS * sizeof *w);
    struct run r = { .at = o->words };
    if (o->fd < 0)
        EZ_TRY(order_open_temporary(o));
    order_sort(o);
    for (size_t i = o->at; i < o->n; i++) {
        const struct slot *s = &o->slot[i];
        size_t narg = s->arg & 0xff;
        if (n + HEAD_WORDS + narg > RUN_WORDS) {
            EZ_TRY(order_flush_words(o, w, n));
            n = 0;
        }
        memcpy(w + n, (uint64_t[]){ s->tick, s->tid, s->code, narg }, HEAD_WORDS * 8);
        if (narg)
            memcpy(w + n + HEAD_WORDS, o->arena.at + (s->arg >> 8), narg * 8);
        n += HEAD_WORDS + narg;
    }
    EZ_TRY(order_flush_words(o, w, n));
    r.end = o->words;
    r.buf = ez_alloc(RUN_WORDS * sizeof *r.buf);
    EZ_PUSH(&o->runs, r);
    struct run *head = &o->runs.at[o->runs.n - 1];
    EZ_TRY(order_refill(o, head));
    ez_heap_push(&o->heap, head->buf[0], (uint32_t)(o->runs.n - 1));
    o->at = o->sorted = o->n = o->arena.n = 0;
    return NULL;
}

/* ---- in ------------------------------------------------------------------------------------ */

/* Moves the remaining events to the front of the array, if at least half of the array's events were
 * returned already and no event has arguments. Returns true if they were moved. */
static bool order_compact(struct ez_order *o)
{
    if (o->at < o->cap / 2 || o->arena.n)
        return false;
    memmove(o->slot, o->slot + o->at, (o->n - o->at) * sizeof *o->slot);
    o->n -= o->at;
    o->sorted = o->sorted > o->at ? o->sorted - o->at : 0;
    o->at = 0;
    return true;
}

ez_err *ez_order_put(struct ez_order *o, const struct ez_ordered *ev)
{
    if (o->at == o->n)
        o->at = o->sorted = o->n = o->arena.n = 0;
    if ((o->n == o->cap || o->arena.n > o->cap * 4) && !order_compact(o))
        EZ_TRY(order_spill(o));
    struct slot s = { ev->tick, ev->tid, ev->code, (uint64_t)o->arena.n << 8 | ev->narg };
    for (uint64_t i = 0; i < ev->narg; i++)
        EZ_PUSH(&o->arena, ev->arg[i]);
    o->slot[o->n++] = s;
    o->low = EZ_MIN(o->low, ev->tick);
    return NULL;
}

void ez_order_bound(struct ez_order *o, uint64_t bound)
{
    o->bound = bound;
    /* sorts only if an event can be returned, so that many events are sorted at a time */
    if (o->sorted < o->n && (o->low < bound || bound == UINT64_MAX))
        order_sort(o);
}

/* ---- out ----------------------------------------------------------------------------------- */

static bool order_below(const struct ez_order *o, uint64_t tick)
{
    return tick < o->bound || o->bound == UINT64_MAX;
}

/* Removes the first event of a run, and sets *ev to this event. Copies the arguments, because the
 * run's buffer is filled again. */
static ez_err *order_pop_run(struct ez_order *o, struct run *r, struct ez_ordered *ev)
{
    const uint64_t *w = r->buf + r->next;
    *ev = (struct ez_ordered){ w[0], w[1], w[2], w[3], o->out };
    memcpy(o->out, w + HEAD_WORDS, ev->narg * 8);
    r->next += HEAD_WORDS + ev->narg;
    if (r->have - r->next < HEAD_WORDS + MAX_ARGS && r->at < r->end)
        EZ_TRY(order_refill(o, r));
    if (r->next < r->have) {
        o->heap.node.at[0].key = r->buf[r->next];
        ez_heap_sink(&o->heap);
        return NULL;
    }
    free(r->buf);
    r->buf = NULL;
    ez_heap_pop(&o->heap);
    return NULL;
}

ez_err *ez_order_next(struct ez_order *o, struct ez_ordered *ev, bool *got)
{
    const struct slot *s = o->at < o->sorted ? &o->slot[o->at] : NULL;
    const struct ez_heap_node *h = o->heap.node.n ? &o->heap.node.at[0] : NULL;
    *got = true;
    if (h && order_below(o, h->key) && (!s || h->key <= s->tick))
        return order_pop_run(o, &o->runs.at[h->id], ev);
    if (s && order_below(o, s->tick)) {
        uint64_t narg = s->arg & 0xff; /* the arena may be NULL if no event had arguments */
        *ev = (struct ez_ordered){ s->tick, s->tid, s->code, narg,
                                   narg ? o->arena.at + (s->arg >> 8) : NULL };
        o->at++;
        return NULL;
    }
    *got = false;
    return NULL;
}
