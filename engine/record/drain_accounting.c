/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_accounting.c - counts how many hits were recorded, filtered, untraced, dropped and
 * overwritten.
 *
 * ACCOUNTING. hits = recorded + filtered + untraced + dropped + overwritten. The runtime counts
 * hits. The other numbers count what happened to each event, mostly by the drain. Different code
 * counts the two sides of the equation, so the equation is a check. It holds once all records are
 * drained and no thread is inside a hit. A thread that was killed inside a hit may have counted it
 * without committing its record: at most one record per thread, called torn.
 *
 * Tests: tests/unit/record/check_drain.c, tests/unit/record/check_filter.c,
 * tests/unit/record/check_snapshot.c */
#include "engine/record/drain_priv.h"

/* The flags of an id come from the definition of the id; without a definition, from the row in
 * shared memory. */
uint32_t *drain_flags_of_ids(struct ez_drain *d, uint32_t n)
{
    uint32_t *flags = ez_alloc(n * sizeof *flags);
    const struct ez_row *row = (const void *)((const char *)d->hdr + d->seg.off_rows);
    for (uint32_t i = 0; i < n; i++)
        flags[i] = row[i].flags;
    pthread_mutex_lock(&d->defs.lock);
    for (size_t i = 0; i < d->defs.all.n; i++)
        if (d->defs.all.at[i].kind == EZ_DEF_PROBE && d->defs.all.at[i].arg[0] < n)
            flags[d->defs.all.at[i].arg[0]] = (uint32_t)d->defs.all.at[i].arg[1];
    pthread_mutex_unlock(&d->defs.lock);
    return flags;
}

/* The sum saturates at UINT64_MAX, because a hostile target may have written any number. */
void drain_add(uint64_t *sum, uint64_t n)
{
    *sum = n > UINT64_MAX - *sum ? UINT64_MAX : *sum + n;
}

uint64_t ez_drain_accounted(const struct ez_drain_stat *st)
{
    uint64_t sum = st->recorded;
    drain_add(&sum, st->filtered);
    drain_add(&sum, st->untraced);
    drain_add(&sum, st->dropped);
    drain_add(&sum, st->overwritten);
    return sum;
}

bool ez_drain_balanced(const struct ez_drain_stat *st)
{
    uint64_t hits = st->entries;
    drain_add(&hits, st->exits);
    return hits == ez_drain_accounted(st);
}

static void accounting_add_counters(struct ez_drain *d, uint32_t buffer, const uint32_t *flags,
                                    uint32_t n, struct ez_drain_stat *st)
{
    const struct ez_counter *c = drain_counter(d, buffer, 0);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t entry = flags[i] & EZ_ROW_ENTRY ? c[i].entry : 0;
        uint64_t exit = flags[i] & EZ_ROW_EXIT ? c[i].exit : 0;
        drain_add(&st->entries, entry);
        drain_add(&st->exits, exit);
        drain_add(&st->filtered, flags[i] & EZ_ROW_REC_ENTRY ? 0 : entry);
        drain_add(&st->filtered, flags[i] & EZ_ROW_REC_EXIT ? 0 : exit);
    }
}

/* Settles a small difference between hits and accounting, of at most one record per thread: threads
 * were killed inside a hit, or (if the drain is parked) are inside a hit now. */
static void accounting_settle(struct ez_drain *d, struct ez_drain_stat *st)
{
    uint64_t hits = st->entries;
    drain_add(&hits, st->exits);
    uint64_t sum = ez_drain_accounted(st), threads = 0;
    for (uint32_t i = 1; i < d->buffers.ready; i++)
        threads += d->buffers.at[i].used;
    uint64_t off = hits > sum ? hits - sum : sum - hits;
    bool ended = drain_target_ended(d);
    if (off > threads)
        return;
    if (hits > sum && ended) {
        st->torn += off;
        st->dropped += off;
    } else if (ended) {
        /* The runtime records an exit before it counts the exit. The thread was killed between the
         * two steps. */
        uint64_t vain = EZ_MIN(off, st->torn);
        st->torn -= vain;
        st->dropped -= vain;
        st->uncounted = off - vain;
        drain_add(&st->exits, st->uncounted);
    } else if (hits > sum && d->life.parked) {
        /* hits in progress, which the next shell's accounting will contain */
        st->entries -= EZ_MIN(st->entries, off);
    }
}

/* Subtracts the accounting of earlier shells. Hits whose records an earlier shell left in the rings
 * remain in this shell's accounting. */
static void accounting_subtract(struct ez_drain_stat *st, const struct ez_drain_stat *was)
{
    uint64_t hits = ez_drain_accounted(was);
    st->earlier = (struct ez_drain_earlier){ hits,          was->recorded, was->filtered,
                                             was->untraced, was->dropped,  was->overwritten };
    st->recorded -= EZ_MIN(st->recorded, was->recorded);
    st->filtered -= EZ_MIN(st->filtered, was->filtered);
    st->untraced -= EZ_MIN(st->untraced, was->untraced);
    st->dropped -= EZ_MIN(st->dropped, was->dropped);
    st->overwritten -= EZ_MIN(st->overwritten, was->overwritten);
    st->unhooked -= EZ_MIN(st->unhooked, was->unhooked);
    st->torn -= EZ_MIN(st->torn, was->torn);
    st->unwound -= EZ_MIN(st->unwound, was->unwound);
    st->waits -= EZ_MIN(st->waits, was->waits);
    st->waited_ns -= EZ_MIN(st->waited_ns, was->waited_ns);
    uint64_t entries = EZ_MIN(st->entries, hits);
    st->entries -= entries;
    st->exits -= EZ_MIN(st->exits, hits - entries);
}

void drain_accounting(struct ez_drain *d, struct ez_drain_stat *st)
{
    const struct ez_drain_stat was = d->earlier; /* a copy, because `st` may point to d->earlier */
    /* one read, because the target can change the shared word */
    uint32_t used = d->hdr->ids_used, n = EZ_MIN(used, d->buffers.reserved);
    EZ_FREE uint32_t *flags = drain_flags_of_ids(d, n);
    *st = (struct ez_drain_stat){ .open = drain_is_open(d),
                                  .keeps = d->kept.most,
                                  .lost = d->file.lost,
                                  .lost_errno = d->file.lost_errno };
    st->bytes = d->file.out ? ez_fxt_out_stored(d->file.out) : d->file.last_bytes;
    st->plain = d->file.out ? ez_fxt_out_bytes(d->file.out) : d->file.last_plain;
    st->dropped = d->hdr->common_dropped;
    uint64_t waited = 0;
    for (uint32_t i = 0; i < d->buffers.ready; i++) {
        const struct drain_buffer *l = &d->buffers.at[i];
        const struct ez_buffer *shared = drain_shared(d, i);
        if (i && !l->used)
            continue;
        accounting_add_counters(d, i, flags, n, st);
        drain_add(&st->recorded, l->recorded + l->held.recs);
        drain_add(&st->filtered, l->filtered);
        drain_add(&st->hurried, l->hurried);
        drain_add(&st->overwritten, l->overwritten);
        drain_add(&st->kept_bytes, d->kept.most ? l->held.n * sizeof(uint64_t) : 0);
        drain_add(&st->untraced, l->discarded);
        drain_add(&st->untraced, shared->untraced);
        drain_add(&st->torn, l->torn);
        drain_add(&st->dropped, l->torn);
        drain_add(&st->dropped, shared->dropped);
        drain_add(&st->unhooked, shared->unhooked);
        drain_add(&st->unwound, l->unwound);
        drain_add(&st->waits, shared->waits);
        drain_add(&waited, shared->waited);
    }
    st->switches_errno = d->switches.errnum;
    st->switches_lost =
        d->switches.lost + (d->switches.from ? ez_switches_lost(d->switches.from) : 0);
    st->waited_ns = (uint64_t)((double)waited * d->clock.ns_per_tick);
    accounting_settle(d, st);
    accounting_subtract(st, &was);
}

/* Reads the counters without the drain thread, because the counters are plain shared words. */
void ez_drain_counts(struct ez_drain *d, uint32_t id, uint64_t *entries, uint64_t *exits)
{
    uint32_t ready = __atomic_load_n(&d->buffers.ready, __ATOMIC_ACQUIRE);
    *entries = *exits = 0;
    if (id >= __atomic_load_n(&d->buffers.reserved, __ATOMIC_ACQUIRE))
        return;
    for (uint32_t i = 0; i < ready; i++) {
        const struct ez_counter *c = drain_counter(d, i, id);
        *entries += c->entry;
        *exits += c->exit;
    }
}
