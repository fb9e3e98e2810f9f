/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_order.c - see drain.h: what the main thread asks of a running drain thread. An order is
 * a function that the drain thread runs between two rounds; here each order stands beside the
 * function that gives it. Functions that need no order read shared words, or take a lock that
 * only these two threads use.
 *
 * Tests: tests/unit/engine/check_drain.c */
#include "engine/ring/drain.h"

#include <errno.h>
#include <string.h>

#include "engine/ring/drain_priv.h"

static ez_err *order_flush(struct ez_drain *d, void *arg)
{
    drain_round(d, drain_target_ended(d));
    return NULL;
}

void ez_drain_flush(struct ez_drain *d)
{
    ez_err_drop(drain_ask(d, order_flush, NULL));
}

static ez_err *order_open_with(struct ez_drain *d, const char *path, bool keep)
{
    if (drain_takes(d))
        return ez_err_new(EZ_E_STATE, 0, "a trace is open already");
    if (!d->life.hold)
        drain_round(d, false); /* older records belong to no trace */
    ez_err *e = drain_trace_open(d, path, keep);
    d->life.hold &= e != NULL;
    return e;
}

static ez_err *order_open(struct ez_drain *d, void *path)
{
    return order_open_with(d, path, false);
}

static ez_err *order_create(struct ez_drain *d, void *path)
{
    return order_open_with(d, path, true);
}

ez_err *ez_drain_open(struct ez_drain *d, const char *path)
{
    return drain_ask(d, order_open, (void *)path);
}

void ez_drain_create_begin(struct ez_drain *d, const char *path)
{
    drain_begin(d, order_create, (void *)path);
}

void ez_drain_keep_begin(struct ez_drain *d, uint64_t *bytes)
{
    drain_begin(d, drain_order_keep, bytes);
}

ez_err *ez_drain_snapshot(struct ez_drain *d, const char *path, bool another, char **written,
                          struct ez_drain_stat *out)
{
    *written = NULL;
    return drain_ask(d, drain_order_snapshot,
                     &(struct drain_snapshot){ path, another, written, out });
}

static ez_err *order_path(struct ez_drain *d, void *out)
{
    *(char **)out = d->file.out ? ez_strdup(ez_fxt_out_path(d->file.out)) : NULL;
    return NULL;
}

char *ez_drain_path(struct ez_drain *d)
{
    char *path = NULL;
    ez_err_drop(drain_ask(d, order_path, &path));
    return path;
}

static ez_err *order_unhold(struct ez_drain *d, void *arg)
{
    d->life.hold = false;
    if (!d->file.out)
        __atomic_store_n(&d->hdr->trace_open, 0, __ATOMIC_SEQ_CST);
    return NULL;
}

void ez_drain_unhold(struct ez_drain *d)
{
    ez_err_drop(drain_ask(d, order_unhold, NULL));
}

static ez_err *order_close(struct ez_drain *d, void *arg)
{
    if (d->kept.most) {
        __atomic_store_n(&d->hdr->trace_open, 0, __ATOMIC_SEQ_CST);
        drain_round(d, drain_target_ended(d));
        drain_keep_end(d);
        return NULL;
    }
    if (!d->file.out)
        return d->file.lost ? ez_err_new(EZ_E_SYS, d->file.lost_errno, "the trace was lost")
                            : ez_err_new(EZ_E_STATE, 0, "no trace is open");
    __atomic_store_n(&d->hdr->trace_open, 0, __ATOMIC_SEQ_CST);
    drain_round(d, drain_target_ended(d));
    return drain_trace_close(d);
}

ez_err *ez_drain_close(struct ez_drain *d)
{
    return drain_ask(d, order_close, NULL);
}

static ez_err *order_reserve(struct ez_drain *d, void *arg)
{
    uint32_t want = *(uint32_t *)arg;
    int e = want > d->seg.ids_max ? ENOSPC : drain_grow(d, 0, drain_ids_step(d, want));
    return e ? ez_err_new(EZ_E_SYS, e, "no shared memory for %u probes", want) : NULL;
}

ez_err *ez_drain_reserve_ids(struct ez_drain *d, uint32_t n)
{
    return n <= d->lanes.reserved ? NULL : drain_ask(d, order_reserve, &n);
}

void ez_drain_reserve_begin(struct ez_drain *d, uint32_t n)
{
    d->lanes.want_ids = n;
    if (n > d->lanes.reserved)
        drain_begin(d, order_reserve, &d->lanes.want_ids);
}

static ez_err *order_stat(struct ez_drain *d, void *out)
{
    struct ez_drain_stat *s = out;
    drain_ledger(d, s);
    s->no_syscalls = d->hdr->no_syscalls;
    s->clock_enters = d->hdr->clock_enters;
    return NULL;
}

void ez_drain_stat(struct ez_drain *d, struct ez_drain_stat *out)
{
    ez_err_drop(drain_ask(d, order_stat, out));
}

struct order_time {
    uint64_t now;
    double ticks_per_ns;
};

static ez_err *order_time(struct ez_drain *d, void *out)
{
    drain_settle(d);
    drain_calibrate(d);
    *(struct order_time *)out = (struct order_time){ drain_tick(d), 1 / d->clock.ns_per_tick };
    return NULL;
}

void ez_drain_time(struct ez_drain *d, uint64_t *now, double *ticks_per_ns)
{
    struct order_time out;
    ez_err_drop(drain_ask(d, order_time, &out));
    *now = out.now;
    *ticks_per_ns = out.ticks_per_ns;
}

static ez_err *order_anew(struct ez_drain *d, void *arg)
{
    drain_ledger(d, &d->earlier);
    return NULL;
}

void ez_drain_anew(struct ez_drain *d)
{
    ez_err_drop(drain_ask(d, order_anew, NULL));
}

static ez_err *order_pause(struct ez_drain *d, void *pause)
{
    drain_pause(d, *(bool *)pause);
    return NULL;
}

void ez_drain_pause(struct ez_drain *d, bool pause)
{
    ez_err_drop(drain_ask(d, order_pause, &pause));
}

bool ez_drain_paused(const struct ez_drain *d)
{
    return __atomic_load_n(&d->hdr->pauses, __ATOMIC_ACQUIRE) & 1;
}

static ez_err *order_park(struct ez_drain *d, void *arg)
{
    if (!d->life.hold)
        drain_round(d, false);
    d->life.parked = true;
    return NULL;
}

void ez_drain_park(struct ez_drain *d)
{
    ez_err_drop(drain_ask(d, order_park, NULL));
}

/* Lane 0 is the common one. Each table has a part for each lane, in order. */
static ez_err *order_no_more_lanes(struct ez_drain *d, void *arg)
{
    struct ez_drain_part *part = arg;
    const struct {
        uint64_t off, lane, end;
    } table[EZ_DRAIN_PARTS] = {
        { d->seg.off_counters, (uint64_t)d->seg.ids_max * sizeof(struct ez_counter),
          d->seg.off_rings },
        { d->seg.off_rings, (uint64_t)d->seg.nsub * EZ_SUB_BYTES, d->seg.off_addups },
        { d->seg.off_addups, (uint64_t)d->seg.naddups * EZ_ADDUP_BYTES, d->seg.size },
    };
    d->lanes.most = d->lanes.ready;
    for (size_t i = 0; i < EZ_DRAIN_PARTS; i++) {
        uint64_t from = EZ_ROUND_UP(table[i].off + d->lanes.ready * table[i].lane, EZ_PAGE);
        uint64_t to = table[i].end & ~(uint64_t)(EZ_PAGE - 1);
        part[i] = (struct ez_drain_part){ from, d->lanes.ready && to > from ? to - from : 0 };
    }
    return NULL;
}

void ez_drain_no_more_lanes(struct ez_drain *d, struct ez_drain_part part[EZ_DRAIN_PARTS])
{
    ez_err_drop(drain_ask(d, order_no_more_lanes, part));
}

void ez_drain_want_switches(struct ez_drain *d, unsigned how)
{
    __atomic_store_n(&d->switches.want, how, __ATOMIC_RELAXED);
}

void ez_drain_watch(struct ez_drain *d)
{
    __atomic_store_n(&d->rounds.watched, true, __ATOMIC_RELAXED);
}

void ez_drain_want_rounds(struct ez_drain *d, bool on)
{
    __atomic_store_n(&d->rounds.wanted, on, __ATOMIC_RELAXED);
}

void ez_drain_want_compress(struct ez_drain *d, bool on)
{
    __atomic_store_n(&d->file.compress, on, __ATOMIC_RELAXED);
}

/* ---- without an order ------------------------------------------------------------ */

void ez_drain_image_ended(struct ez_drain *d)
{
    if (d)
        __atomic_store_n(&d->life.ended, true, __ATOMIC_RELEASE);
}

void ez_drain_instant(struct ez_drain *d, struct ez_instant *now)
{
    struct drain_sample s = drain_sample(d->cfg.mono);
    *now = (struct ez_instant){ s.tick, s.mono_ns, s.real_ns };
}

/* Queues a definition whose text is the texts, with NULs between them; the last may be NULL. */
static void order_define(struct ez_drain *d, struct drain_def def, const char *a, const char *b,
                         const char *c)
{
    size_t na = strlen(a) + 1, nb = strlen(b), nc = c ? strlen(c) + 1 : 0;
    def.len = na + nb + nc;
    def.text = ez_alloc(def.len + 2); /* whoever looks for a third text finds "" */
    memcpy(def.text, a, na);
    memcpy(def.text + na, b, nb);
    if (c)
        memcpy(def.text + na + nb + 1, c, nc - 1);
    drain_queue_def(d, &def);
}

void drain_queue_def(struct ez_drain *d, const struct drain_def *f)
{
    struct drain_def def = *f;
    pthread_mutex_lock(&d->defs.lock);
    if (def.kind == EZ_DEF_SYMBOL || def.kind == EZ_DEF_ITEMS)
        ez_hash_put(&d->defs.texts, ez_hash_pair(def.arg[0], def.kind), d->defs.all.n);
    if (def.kind == EZ_DEF_ADDS)
        EZ_PUSH(&d->defs.adds, d->defs.all.n);
    EZ_PUSH(&d->defs.all, def);
    pthread_mutex_unlock(&d->defs.lock);
}

static const char *order_defined(struct ez_drain *d, enum ez_def kind, uint64_t arg)
{
    size_t i;
    pthread_mutex_lock(&d->defs.lock);
    const char *text =
        ez_hash_get(&d->defs.texts, ez_hash_pair(arg, kind), &i) ? d->defs.all.at[i].text : NULL;
    pthread_mutex_unlock(&d->defs.lock);
    return text;
}

const char *ez_drain_symbol(const void *drain, uint64_t addr)
{
    return order_defined((struct ez_drain *)drain, EZ_DEF_SYMBOL, addr);
}

const char *ez_drain_items(struct ez_drain *d, uint64_t code)
{
    return order_defined(d, EZ_DEF_ITEMS, code);
}

/* What a trace has of a name that is too long: its begin, and a number that tells it apart. The caller frees. NULL: the
 * trace has all of it. */
static char *order_name(const char *function)
{
    const size_t most = EZ_FXT_TEXT - 4096; /* a library's name stands behind it */
    if (strlen(function) <= most)
        return NULL;
    return ez_sprintf("%.*s...#%016llx", (int)most, function,
                      (unsigned long long)ez_hash_key(EZ_HASH_SEED, function));
}

void ez_drain_define(struct ez_drain *d, uint32_t id, uint32_t flags, uint64_t addr,
                     const char *function, const char *library)
{
    EZ_FREE char *name = order_name(function);
    order_define(d,
                 (struct drain_def){ .kind = EZ_DEF_PROBE, .arg = { id, flags, addr }, .narg = 3 },
                 name ? name : function, library, NULL);
}

void ez_drain_define_throttle(struct ez_drain *d, uint64_t addr, bool on, const char *function,
                              const char *library)
{
    EZ_FREE char *name = order_name(function);
    order_define(d,
                 (struct drain_def){
                     .kind = EZ_DEF_THROTTLE, .arg = { addr, on, drain_tick(d) }, .narg = 3 },
                 name ? name : function, library, NULL);
}

void ez_drain_define_module(struct ez_drain *d, uint32_t id, const char *name, const char *desc)
{
    order_define(d, (struct drain_def){ .kind = EZ_DEF_MODULE, .arg = { id }, .narg = 1 }, name,
                 desc, NULL);
}

void ez_drain_define_meaning(struct ez_drain *d, const struct ez_event_meaning *m)
{
    order_define(d,
                 (struct drain_def){
                     .kind = EZ_DEF_MEANING, .arg = { m->code, m->action, m->level }, .narg = 3 },
                 m->name, m->group, m->words && *m->words ? m->words : NULL);
}

void ez_drain_define_symbol(struct ez_drain *d, uint64_t addr, const char *name)
{
    order_define(d, (struct drain_def){ .kind = EZ_DEF_SYMBOL, .arg = { addr }, .narg = 1 }, name,
                 "", NULL);
}

void ez_drain_define_items(struct ez_drain *d, uint64_t code, const char *items)
{
    order_define(d, (struct drain_def){ .kind = EZ_DEF_ITEMS, .arg = { code }, .narg = 1 }, items,
                 "", NULL);
}

bool ez_drain_meaning(struct ez_drain *d, uint64_t code, struct ez_event_meaning *out)
{
    bool found = false;
    pthread_mutex_lock(&d->defs.lock);
    for (size_t i = d->defs.all.n; i-- > 0 && !found;) {
        const struct drain_def *f = &d->defs.all.at[i];
        found = f->kind == EZ_DEF_MEANING && f->arg[0] == code;
        if (found)
            *out = (struct ez_event_meaning){ .code = code,
                                              .action = (unsigned)f->arg[1],
                                              .level = (unsigned)f->arg[2],
                                              .name = f->text,
                                              .group = f->text + strlen(f->text) + 1 };
    }
    pthread_mutex_unlock(&d->defs.lock);
    return found;
}

const char **ez_drain_names(struct ez_drain *d, size_t *n)
{
    *n = 0;
    pthread_mutex_lock(&d->defs.lock);
    for (size_t i = 0; i < d->defs.all.n; i++)
        if (d->defs.all.at[i].kind == EZ_DEF_PROBE)
            *n = EZ_MAX(*n, (size_t)d->defs.all.at[i].arg[0] + 1);
    const char **name = ez_alloc((*n + 1) * sizeof *name);
    for (size_t i = 0; i < d->defs.all.n; i++)
        if (d->defs.all.at[i].kind == EZ_DEF_PROBE)
            name[d->defs.all.at[i].arg[0]] = d->defs.all.at[i].text;
    pthread_mutex_unlock(&d->defs.lock);
    return name;
}

double ez_drain_ns_per_tick(const struct ez_drain *d)
{
    double ns;
    __atomic_load(&d->clock.ns_per_tick, &ns, __ATOMIC_RELAXED);
    return ns;
}

uint32_t ez_drain_rank(const struct ez_drain *d)
{
    return d->job.rank;
}

size_t ez_drain_recent(struct ez_drain *d, uint64_t *cursor, struct ez_rec *out, size_t max)
{
    struct drain_recent *r = &d->recent;
    size_t n = 0;
    pthread_mutex_lock(&r->lock);
    uint64_t oldest = r->next > DRAIN_RECENT ? r->next - DRAIN_RECENT : 0;
    if (*cursor < oldest)
        *cursor = oldest;
    for (; *cursor < r->next && n < max; ++*cursor)
        out[n++] = r->rec[*cursor % DRAIN_RECENT];
    pthread_mutex_unlock(&r->lock);
    return n;
}

unsigned ez_drain_recent_words(struct ez_drain *d, uint64_t seq, uint64_t word[EZ_DATA_WORDS + 2])
{
    struct drain_recent *r = &d->recent;
    unsigned n = 0;
    pthread_mutex_lock(&r->lock);
    uint64_t at = r->at[seq % DRAIN_RECENT];
    if (seq < r->next && r->next - seq <= DRAIN_RECENT && r->next_word - at <= DRAIN_RECALL)
        n = (unsigned)EZ_MIN((r->rec[seq % DRAIN_RECENT].code & 0xff) - 1, EZ_DATA_WORDS + 2ull);
    for (unsigned i = 0; i < n; i++)
        word[i] = r->word[(at + i) % DRAIN_RECALL];
    pthread_mutex_unlock(&r->lock);
    return n;
}
