/* SPDX-License-Identifier: GPL-3.0-or-later */
/* merge.c - merges FxT files into one stream of events in the order of time (merge.h). */
#include "engine/trace/merge.h"

#include <string.h>

#include "engine/base/heap.h"
#include "engine/trace/order.h"

/* number of records for which the first reading stores one tick */
#define BLOCK EZ_INDEX_BLOCK
#define DRIFT_NS 500000000u /* minimum ns over which the drift of a clock is measured */
#define DRIFT_MOST 1e-3     /* a larger drift means that the wall clock was set */
/* maximum number of events in memory for all files together: 16 MiB */
#define WINDOW ((size_t)1 << 18)

struct input {
    struct ez_merge_input pub; /* must be first: the public part */
    uint64_t first, last;      /* smallest and largest tick, valid if `any` */
    bool any;                  /* the file has an event */
    EZ_VEC(uint64_t) least;    /* element i: smallest tick in block i and all later blocks */
    struct ez_calib clock;
    uint64_t shift;      /* added to CLOCK_MONOTONIC to align machines; an int64_t, in ns */
    uint64_t drift_from; /* CLOCK_MONOTONIC from which `drift` applies, ns */
    double drift;        /* ns that the wall clock gains per ns of CLOCK_MONOTONIC */
    size_t machine;      /* number of the file's machine */
    /* number of records in the first reading; records that were added to the file later are
     * ignored */
    uint64_t records;
    struct ez_index *index; /* index of the file; NULL if the file has no index */
    /* state of the second reading */
    struct ez_fxt_in *in;
    struct ez_order *order;
    size_t block;
    bool skipped; /* the reading began at a mark of the index */
    struct ez_ordered head;
    uint64_t head_ns;
};

struct ez_merge {
    EZ_VEC(struct input *) input;
    struct ez_heap heap;    /* heap of the inputs, by the time of their next event (`head`) */
    bool started, has_real; /* has_real: at least one file has a calibration with the wall clock */
    uint32_t taken;         /* input of the event that was returned last, or EZ_NO_INPUT */
    uint64_t events, emitted, zero, last, real_ns, now, late;
    uint64_t from_ns; /* ns from which events are wanted (ez_merge_from), or 0 */
};
#define EZ_NO_INPUT UINT32_MAX

/* ---- first reading -------------------------------------------------------------------- */

/* Replaces the minimum of each block by the minimum of this block and all later blocks. */
static void merge_suffix_minima(struct input *f)
{
    for (size_t i = f->least.n; i-- > 1;)
        f->least.at[i - 1] = EZ_MIN(f->least.at[i - 1], f->least.at[i]);
}

/* Returns true if the event is a context switch of a thread. Context switches do not determine the
 * begin and the end of the trace, because the kernel also reports switches before and after the
 * other events. */
static bool merge_is_switch(const struct ez_fxt_event *ev)
{
    return ev->code - EZ_C_THREAD - EZ_T_SWITCH_OUT <= EZ_T_SWITCH_IN - EZ_T_SWITCH_OUT;
}

static void merge_note(struct input *f, uint64_t record, const struct ez_fxt_event *ev)
{
    while (f->least.n <= record / BLOCK)
        EZ_PUSH(&f->least, UINT64_MAX);
    if (ez_fxt_is_def(ev)) {
        ez_fxt_defs_learn(&f->pub.defs, ev);
        return;
    }
    f->pub.emitted++;
    f->least.at[record / BLOCK] = EZ_MIN(f->least.at[record / BLOCK], ev->tick);
    if (merge_is_switch(ev))
        return;
    f->first = f->any ? EZ_MIN(f->first, ev->tick) : ev->tick;
    f->last = EZ_MAX(f->last, ev->tick);
    f->any = true;
    f->pub.events += !ez_fxt_is_thread(ev);
}

/* Copies the results of the first reading from the file's index. Returns false, and drops the
 * index, if the index does not fit the file. */
static bool merge_adopt_index(struct input *f, struct ez_fxt_in *in)
{
    const struct ez_index_head *h = f->index->head;
    if (!ez_index_learn(f->index, in, &f->pub.defs)) {
        ez_fxt_defs_free(&f->pub.defs);
        ez_index_free(f->index);
        f->index = NULL;
        return false;
    }
    f->records = h->survey.records;
    f->first = h->survey.first;
    f->last = h->survey.last;
    f->any = h->survey.any;
    f->pub.events = h->survey.events;
    f->pub.emitted = h->survey.emitted;
    EZ_APPEND(&f->least, f->index->least, h->leasts);
    return true;
}

/* Reads the whole file. With `maker`, also makes the file's index, and stores it in the cache
 * folder. */
static ez_err *merge_survey_file(struct input *f, struct ez_fxt_in *in,
                                 struct ez_index_maker *maker, const struct ez_progress *p,
                                 uint64_t *done)
{
    struct ez_fxt_event ev;
    bool got = false, enough = false;
    ez_err *e;
    for (uint64_t i = 0; !(e = ez_fxt_in_next(in, &ev, &got)) && got && !enough; i++) {
        merge_note(f, i, &ev);
        if (maker)
            ez_index_note(maker, i, &ev);
        f->records = i + 1;
        enough = !ez_progress_go_on(p, ++*done, 0);
    }
    merge_suffix_minima(f);
    const struct ez_index_survey s = { f->records, f->first,      f->last,
                                       f->any,     f->pub.events, f->pub.emitted };
    f->index = ez_index_made(maker, e || enough ? NULL : &s, f->least.at, f->least.n);
    if (f->index)
        ez_index_store(f->index);
    if (enough)
        return ez_err_new(EZ_E_STATE, 0, "Interrupted");
    if (e && !f->pub.events)
        return e;
    if (e)
        f->pub.damage = ez_strdup(e->msg);
    ez_err_free(e);
    return NULL;
}

static ez_err *merge_survey(struct input *f, enum ez_index_use use, const struct ez_progress *p,
                            uint64_t *done)
{
    struct ez_fxt_in *in = NULL;
    ez_err *e = NULL;
    EZ_TRY(ez_fxt_in_open(f->pub.path, &in));
    f->index = use ? ez_index_load(in) : NULL;
    if (f->index && !merge_adopt_index(f, in)) {
        ez_fxt_in_close(in);
        /* a new reader is at the start of the file again */
        EZ_TRY(ez_fxt_in_open(f->pub.path, &in));
    }
    if (!f->index)
        e = merge_survey_file(f, in, ez_index_make(in, use, &f->pub.defs), p, done);
    ez_fxt_in_close(in);
    EZ_TRY(e);
    ez_calib_init(&f->clock, f->pub.defs.clocks.at, f->pub.defs.clocks.n, f->pub.defs.ticks_per_s);
    return NULL;
}

/* ---- ranks ------------------------------------------------------------------------------- */

static int merge_by_rank(const void *a, const void *b)
{
    const struct ez_merge_input *x = &(*(struct input *const *)a)->pub;
    const struct ez_merge_input *y = &(*(struct input *const *)b)->pub;
    if (!x->defs.job != !y->defs.job)
        return x->defs.job ? -1 : 1;
    int jobs = x->defs.job ? strcmp(x->defs.job, y->defs.job) : 0;
    if (jobs)
        return jobs;
    if (x->defs.job && x->defs.rank != y->defs.rank)
        return x->defs.rank < y->defs.rank ? -1 : 1;
    return x->given < y->given ? -1 : 1;
}

/* ---- clocks ------------------------------------------------------------------------------ */

/* Sets *ns to the wall clock minus CLOCK_MONOTONIC. Returns false if the file has no
 * calibration. */
static bool merge_epoch_of(const struct input *f, uint64_t *ns)
{
    const struct ez_fxt_defs *d = &f->pub.defs;
    if (!d->clocks.n)
        return false;
    *ns = d->clocks.at[0].real_ns - d->clocks.at[0].mono_ns;
    return true;
}

/* Returns true if both files have the same host name and, within a minute, the same boot time. */
static bool merge_same_machine(const struct input *a, const struct input *b)
{
    uint64_t x = 0, y = 0;
    const char *ha = a->pub.defs.host, *hb = b->pub.defs.host;
    if (strcmp(ha ? ha : "", hb ? hb : "") || merge_epoch_of(a, &x) != merge_epoch_of(b, &y))
        return false;
    return x - y + 60000000000u < 120000000000u;
}

/* Converts CLOCK_MONOTONIC of the file's machine to ns on the aligned clock. In a damaged file, a
 * time may be out of range: such a time becomes 0 or UINT64_MAX, so that a larger tick never gets a
 * smaller time. */
static uint64_t merge_aligned(const struct input *f, uint64_t mono)
{
    __int128 ns = (__int128)mono + (int64_t)f->shift +
                  (int64_t)(f->drift * (double)(int64_t)(mono - f->drift_from));
    return ns < 0 ? 0 : ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

/* Converts a tick of the file to ns on the aligned clock. */
static inline uint64_t merge_when(struct input *f, uint64_t tick)
{
    uint64_t mono = ez_calib_ns(&f->clock, tick);
    /* the clocks of one machine need no alignment */
    return !f->shift && f->drift == 0 ? mono : merge_aligned(f, mono);
}

/* Returns the time of the first event in the files of one machine; if machine is SIZE_MAX, in all
 * files with a calibration. Returns UINT64_MAX if these files have no event. */
static uint64_t merge_begin_of(struct ez_merge *m, size_t machine)
{
    uint64_t least = UINT64_MAX, ignored;
    for (size_t i = 0; i < m->input.n; i++) {
        struct input *f = m->input.at[i];
        if (f->any && (machine == SIZE_MAX ? merge_epoch_of(f, &ignored) : f->machine == machine))
            least = EZ_MIN(least, merge_when(f, f->first));
    }
    return least;
}

/* Computes f->drift from the file's first and last calibration. The drift is 0 if the time between
 * these calibrations is too short, or if the wall clock was set between them. */
static void merge_drift_of(struct input *f)
{
    const struct ez_fxt_defs *d = &f->pub.defs;
    size_t n = d->clocks.n;
    f->drift = 0;
    f->drift_from = n ? d->clocks.at[0].mono_ns : 0;
    if (n < 2 || d->clocks.at[n - 1].mono_ns - f->drift_from < DRIFT_NS)
        return;
    const struct ez_calibration *a = &d->clocks.at[0], *b = &d->clocks.at[n - 1];
    int64_t lost = (int64_t)((b->real_ns - b->mono_ns) - (a->real_ns - a->mono_ns));
    double rate = (double)lost / (double)(b->mono_ns - a->mono_ns);
    if (rate > -DRIFT_MOST && rate < DRIFT_MOST)
        f->drift = rate;
}

/* Aligns the clocks of the files. With one machine, CLOCK_MONOTONIC needs no alignment. With
 * several machines, all files of a machine get the shift and the drift of the machine's first file,
 * so that times of one machine stay exact relative to each other. Files of a machine without
 * calibrations are shifted so that they begin at the same time as the files of the other
 * machines. */
static void merge_align(struct ez_merge *m)
{
    size_t machines = 0;
    uint64_t ignored;
    for (size_t i = 0; i < m->input.n; i++) {
        struct input *f = m->input.at[i];
        size_t k = 0;
        while (k < i && !merge_same_machine(m->input.at[k], f))
            k++;
        f->machine = k == i ? machines++ : m->input.at[k]->machine;
        f->shift = k == i ? 0 : m->input.at[k]->shift;
        if (k == i)
            m->has_real |= merge_epoch_of(f, &f->shift);
        merge_drift_of(m->input.at[k]);
        f->drift = m->input.at[k]->drift;
        f->drift_from = m->input.at[k]->drift_from;
    }
    if (machines == 1)
        merge_epoch_of(m->input.at[0], &m->real_ns);
    for (size_t i = 0; machines == 1 && i < m->input.n; i++) {
        m->input.at[i]->shift = 0;
        m->input.at[i]->drift = 0;
    }
    uint64_t begin = merge_begin_of(m, SIZE_MAX);
    for (size_t k = 0; begin != UINT64_MAX && k < machines; k++) {
        uint64_t own = merge_begin_of(m, k);
        for (size_t i = 0; i < m->input.n; i++)
            if (m->input.at[i]->machine == k && !merge_epoch_of(m->input.at[i], &ignored))
                m->input.at[i]->shift = begin - own;
    }
}

static void merge_extent(struct ez_merge *m)
{
    m->zero = UINT64_MAX;
    for (size_t i = 0; i < m->input.n; i++) {
        struct input *f = m->input.at[i];
        m->events += f->pub.events;
        m->emitted += f->pub.emitted;
        if (!f->any)
            continue;
        m->zero = EZ_MIN(m->zero, merge_when(f, f->first));
        m->last = EZ_MAX(m->last, merge_when(f, f->last));
    }
    m->zero = EZ_MIN(m->zero, m->last); /* if the files have no events, UINT64_MAX becomes 0 */
    if (m->has_real)
        m->real_ns += m->zero;
}

ez_err *ez_merge_open(char *const *path, size_t n, const struct ez_progress *progress,
                      struct ez_merge **out)
{
    return ez_merge_open_by(path, n, EZ_INDEX_NONE, progress, out);
}

ez_err *ez_merge_open_by(char *const *path, size_t n, enum ez_index_use use,
                         const struct ez_progress *progress, struct ez_merge **out)
{
    struct ez_merge *m = ez_alloc(sizeof *m);
    ez_err *e = NULL;
    uint64_t done = 0;
    for (size_t i = 0; i < n && !e; i++) {
        struct input *f = ez_alloc(sizeof *f);
        f->pub.path = path[i];
        f->pub.given = i;
        EZ_PUSH(&m->input, f);
        e = merge_survey(f, use, progress, &done);
    }
    if (!n)
        e = ez_err_new(EZ_E_ARG, 0, "No trace was given");
    if (e) {
        ez_merge_close(m);
        return e;
    }
    m->taken = EZ_NO_INPUT;
    qsort(m->input.at, n, sizeof *m->input.at, merge_by_rank);
    merge_align(m);
    merge_extent(m);
    *out = m;
    return NULL;
}

/* ---- second reading ------------------------------------------------------------------------ */

/* Reads the next record. Sets *got to false at the end of the file, and at damaged data, which the
 * first reading reported. */
static ez_err *merge_read(struct ez_fxt_in *in, struct ez_fxt_event *ev, bool *got)
{
    ez_err *e = ez_fxt_in_next(in, ev, got);
    if (!e || e->code == EZ_E_SYS)
        return e;
    ez_err_drop(e);
    return NULL;
}

/* Returns true if the second reading returns the event: not definitions, and not context switches
 * after the file's last other event. */
static bool merge_returns(const struct input *f, const struct ez_fxt_event *ev)
{
    return !ez_fxt_is_def(ev) && !(merge_is_switch(ev) && ev->tick > f->last);
}

/* Reads the next block of records into f->order, in which the events are sorted. Sets *end at the
 * end of the file. */
static ez_err *merge_read_block(struct input *f, bool *end)
{
    struct ez_fxt_event ev;
    bool got = true;
    uint64_t left = f->records - EZ_MIN(f->records, (uint64_t)f->block * BLOCK);
    for (size_t i = 0; i < BLOCK && got; i++) {
        if (i == left) {
            got = false;
            break;
        }
        EZ_TRY(merge_read(f->in, &ev, &got));
        if (!got || !merge_returns(f, &ev))
            continue;
        struct ez_ordered o = { ev.tick, ev.tid, ev.code, ev.narg, ev.arg };
        EZ_TRY(ez_order_put(f->order, &o));
    }
    f->block++;
    *end = !got;
    ez_order_bound(f->order, got && f->block < f->least.n ? f->least.at[f->block] : UINT64_MAX);
    return NULL;
}

/* Converts a tick of the file to ns since the first event of all files. */
static uint64_t merge_since_zero(const struct ez_merge *m, struct input *f, uint64_t tick)
{
    uint64_t ns = merge_when(f, tick);
    return ns > m->zero ? ns - m->zero : 0;
}

/* Sets f->head to the file's next event. Sets *got to false at the end of the file. */
static ez_err *merge_advance(struct ez_merge *m, struct input *f, bool *got)
{
    bool end = false;
    for (;;) {
        EZ_TRY(ez_order_next(f->order, &f->head, got));
        if (*got) {
            f->head_ns = merge_since_zero(m, f, f->head.tick);
            return NULL;
        }
        if (end || !f->in)
            return NULL;
        EZ_TRY(merge_read_block(f, &end));
        if (end) {
            ez_fxt_in_close(f->in);
            f->in = NULL;
        }
    }
}

/* Returns the last mark of the file's index before which all records are earlier than m->from_ns,
 * or NULL if the file must be read from its start. */
static const struct ez_index_mark *merge_mark(const struct ez_merge *m, struct input *f)
{
    struct ez_index_key now;
    const struct ez_index *x = f->index;
    const struct ez_index_mark *mark = NULL;
    for (size_t lo = 0, hi = x && m->from_ns ? x->head->marks : 0; lo < hi;) {
        size_t mid = lo + (hi - lo) / 2;
        if (merge_since_zero(m, f, x->mark[mid].greatest) < m->from_ns) {
            mark = &x->mark[mid];
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    /* the file was opened again for the second reading, so it must still be the file of the
     * index */
    return mark && ez_index_key_of(f->in, &now) && ez_index_key_same(&now, &x->head->key) ? mark
                                                                                          : NULL;
}

/* Adds the records before the mark that the mark or all marks need to f->order. */
static ez_err *merge_put_needed(struct input *f, const struct ez_index_mark *mark)
{
    const struct ez_index *x = f->index;
    struct ez_index_rec r;
    uint64_t need = mark > x->mark ? mark[-1].needs : 0, i = 0;
    for (size_t at = 0; ez_index_next(x, &at, &r) && r.number < mark->number; i++) {
        bool needed = need < mark->needs && x->need[need] == i;
        need += needed;
        if (r.def || !(r.all || needed))
            continue;
        struct ez_ordered o = { r.tick, r.tid, r.code, r.narg, r.arg };
        EZ_TRY(ez_order_put(f->order, &o));
    }
    return NULL;
}

/* Begins the second reading of a file at a mark of its index, if that is possible. */
static ez_err *merge_skip(struct ez_merge *m, struct input *f)
{
    const struct ez_index_mark *mark = merge_mark(m, f);
    f->skipped = mark && ez_fxt_in_go(f->in, mark->pos);
    if (!f->skipped)
        return NULL;
    EZ_TRY(merge_put_needed(f, mark));
    f->block = mark->number / BLOCK;
    ez_order_bound(f->order, f->least.at[f->block]);
    return NULL;
}

static ez_err *merge_start(struct ez_merge *m)
{
    m->started = true;
    for (size_t i = 0; i < m->input.n; i++) {
        struct input *f = m->input.at[i];
        bool got;
        EZ_TRY(ez_fxt_in_open(f->pub.path, &f->in));
        f->order = ez_order_create(EZ_MAX(WINDOW / m->input.n, (size_t)4 * BLOCK));
        EZ_TRY(merge_skip(m, f));
        EZ_TRY(merge_advance(m, f, &got));
        if (got)
            ez_heap_push(&m->heap, f->head_ns, (uint32_t)i);
    }
    return NULL;
}

/* Advances the file whose event was returned last to its next event. */
static ez_err *merge_step(struct ez_merge *m)
{
    bool got;
    struct input *f = m->input.at[m->taken];
    EZ_TRY(merge_advance(m, f, &got));
    if (got) {
        m->heap.node.at[0].key = f->head_ns;
        ez_heap_sink(&m->heap);
    } else {
        ez_heap_pop(&m->heap);
    }
    return NULL;
}

ez_err *ez_merge_next(struct ez_merge *m, struct ez_merged *ev, bool *got)
{
    if (!m->started)
        EZ_TRY(merge_start(m));
    else if (m->taken != EZ_NO_INPUT)
        EZ_TRY(merge_step(m));
    m->taken = EZ_NO_INPUT;
    *got = m->heap.node.n;
    if (!*got)
        return NULL;
    m->taken = m->heap.node.at[0].id;
    const struct input *f = m->input.at[m->taken];
    m->late += f->head_ns < m->now;
    m->now = EZ_MAX(m->now, f->head_ns);
    *ev =
        (struct ez_merged){ m->now,  f->head.tid, f->head.code, f->head.arg, (unsigned)f->head.narg,
                            m->taken };
    return NULL;
}

void ez_merge_rewind(struct ez_merge *m)
{
    for (size_t i = 0; i < m->input.n; i++) {
        struct input *f = m->input.at[i];
        ez_fxt_in_close(f->in);
        ez_order_destroy(f->order);
        f->in = NULL;
        f->order = NULL;
        f->block = 0;
    }
    m->heap.node.n = 0;
    m->taken = EZ_NO_INPUT;
    m->started = false;
    m->now = m->late = m->from_ns = 0;
}

ez_err *ez_merge_scan(struct ez_merge *m, size_t i, uint64_t to_ns, ez_merge_scan_fn *fn, void *arg)
{
    struct input *f = m->input.at[i];
    struct ez_fxt_in *in;
    struct ez_fxt_event ev;
    ez_err *e = NULL;
    bool got = true, enough = false;
    EZ_TRY(ez_fxt_in_open(f->pub.path, &in));
    for (uint64_t n = 0; n < f->records && !e && !enough; n++) {
        if (n % BLOCK == 0 && merge_since_zero(m, f, f->least.at[n / BLOCK]) > to_ns)
            break;
        e = merge_read(in, &ev, &got);
        if (e || !got)
            break;
        if (!merge_returns(f, &ev))
            continue;
        const struct ez_merged out = {
            merge_since_zero(m, f, ev.tick), ev.tid, ev.code, ev.arg, ev.narg, (uint32_t)i
        };
        e = fn(arg, &out, ev.tick, &enough);
    }
    ez_fxt_in_close(in);
    return e;
}

bool ez_merge_indexed(const struct ez_merge *m)
{
    for (size_t i = 0; i < m->input.n; i++)
        if (m->input.at[i]->index && m->input.at[i]->index->head->marks)
            return true;
    return false;
}

void ez_merge_from(struct ez_merge *m, uint64_t from_ns)
{
    m->from_ns = from_ns;
}

bool ez_merge_skipped(const struct ez_merge *m, size_t i)
{
    return m->input.at[i]->skipped;
}

void ez_merge_close(struct ez_merge *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->input.n; i++) {
        struct input *f = m->input.at[i];
        ez_fxt_in_close(f->in);
        ez_order_destroy(f->order);
        ez_fxt_defs_free(&f->pub.defs);
        ez_calib_deinit(&f->clock);
        EZ_VEC_FREE(&f->least);
        ez_index_free(f->index);
        free(f->pub.damage);
        free(f);
    }
    EZ_VEC_FREE(&m->input);
    EZ_VEC_FREE(&m->heap.node);
    free(m);
}

/* ---- properties --------------------------------------------------------------------------- */

size_t ez_merge_inputs(const struct ez_merge *m)
{
    return m->input.n;
}

struct ez_merge_input *ez_merge_input(const struct ez_merge *m, size_t i)
{
    return &m->input.at[i]->pub;
}

uint64_t ez_merge_events(const struct ez_merge *m)
{
    return m->events;
}

uint64_t ez_merge_read(const struct ez_merge *m)
{
    return m->emitted;
}

uint64_t ez_merge_when(const struct ez_merge *m, size_t i, uint64_t tick)
{
    return EZ_MIN(EZ_MAX(merge_when(m->input.at[i], tick), m->zero), m->last) - m->zero;
}

uint64_t ez_merge_span_ns(const struct ez_merge *m)
{
    return m->last - m->zero;
}

uint64_t ez_merge_start_real_ns(const struct ez_merge *m)
{
    return m->real_ns;
}

uint64_t ez_merge_late(const struct ez_merge *m)
{
    return m->late;
}
