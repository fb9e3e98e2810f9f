/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_buffer.c - the drain thread's side of the shared memory.
 *
 * THE TARGET MAY BE HOSTILE. It can change every shared byte at any moment. So:
 *   - offsets and counts come from a private copy, never from the segment;
 *   - a record is copied first and checked on the copy;
 *   - a round reads a limited number of sub-buffers of each ring, so a round ends;
 *   - wrong shared words can only cost the target its own events.
 *
 * HOLES. A thread reserves a record, is interrupted by a signal handler that hits probes too, and
 * commits later. The reader sees records after an uncommitted one, and waits. The hole counts as
 * torn (it will not be filled any more) when the thread has been two sub-buffers ahead for five
 * seconds, has entered all other sub-buffers (of two: and has no room), or has ended. (A timer
 * whose handler takes longer than its period keeps the interrupted code from running between two
 * handlers.) The position where a buffer's current owner began (buffer.begin) separates the owner's
 * holes from an earlier owner's.
 *
 * Tests: tests/unit/record/check_drain.c */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>

#include "engine/record/drain_priv.h"

#include "engine/base/fault.h"
#include "engine/base/now.h"
#include "engine/data_abi.h"

/* after this time, a hole that its thread has left two sub-buffers behind counts as torn */
#define HOLE_NS 5000000000ull
/* at the start one buffer is ready; a thread that finds no buffer waits until a round makes more */
#define BUFFERS_AT_START 1
#define REAP_NS 100000000u        /* period in ns of the search for ended threads */
#define REAP_SHORT_NS 10000000u   /* the same period when few buffers are free */
#define GROW_RETRY_NS 1000000000u /* delay in ns after an allocation failed */

#define LOAD(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define STORE(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)

/* ---- layout ------------------------------------------------------------------ */

static uint64_t drain_ring_off(const struct ez_drain *d, uint32_t buffer)
{
    return d->seg.off_rings + (uint64_t)buffer * d->seg.nsub * EZ_SUB_BYTES;
}

static uint32_t drain_subs_of(const struct ez_drain *d, uint32_t buffer)
{
    return ez_buffer_subs(buffer, d->seg.nsub);
}

static char *drain_sub_at(const struct ez_drain *d, uint32_t buffer, uint32_t sub)
{
    return drain_buffer_at(d, drain_ring_off(d, buffer) +
                                  (uint64_t)(sub % drain_subs_of(d, buffer)) * EZ_SUB_BYTES);
}

static struct ez_rec *drain_recs_of(char *sub)
{
    return (struct ez_rec *)(sub + 8);
}

/* Returns true if the writer has entered this sub-buffer. */
static bool drain_buffer_entered(const struct ez_drain *d, uint32_t buffer, uint32_t sub)
{
    char *s = drain_sub_at(d, buffer, sub);
    return LOAD((uint64_t *)s) || LOAD(&drain_recs_of(s)->code);
}

/* ---- pages ------------------------------------------------------------------- */

/* Allocates the pages of the bytes [from, to) of the segment, so that touching them later cannot
 * raise SIGBUS. Returns 0 or an errno. */
static int drain_pages(struct ez_drain *d, uint64_t from, uint64_t to)
{
    uint64_t lo = from / EZ_PAGE * EZ_PAGE, hi = EZ_MIN(EZ_ROUND_UP(to, EZ_PAGE), d->seg.size);
    int e = ez_fault("fallocate", NULL);
    if (e || lo >= hi)
        return e;
    while (fallocate(d->cfg.memfd, 0, (off_t)lo, (off_t)(hi - lo)))
        if (errno != EINTR)
            return errno;
    return 0;
}

static int drain_counter_pages(struct ez_drain *d, uint32_t buffer, uint32_t from, uint32_t to)
{
    uint64_t base = drain_counters_off(d, buffer);
    return drain_pages(d, base + from * sizeof(struct ez_counter),
                       base + to * sizeof(struct ez_counter));
}

static int drain_addup_pages(struct ez_drain *d, uint32_t buffer, uint32_t from, uint32_t to)
{
    return buffer && to > from
               ? drain_pages(d, drain_addup_off(d, buffer, from), drain_addup_off(d, buffer, to))
               : 0;
}

/* Allocates the pages of a buffer's counters and ring. Buffer 0 is the common buffer, in which hits
 * are only counted; it has no ring. */
static int buffer_pages(struct ez_drain *d, uint32_t buffer, uint32_t ids)
{
    uint64_t words = d->seg.off_buffers + buffer * sizeof(struct ez_buffer),
             ring = drain_ring_off(d, buffer);
    int e = drain_pages(d, words, words + sizeof(struct ez_buffer));
    if (!e)
        e = drain_counter_pages(d, buffer, 0, ids);
    if (!e)
        e = drain_addup_pages(d, buffer, 0, d->buffers.addups);
    if (!e && buffer)
        e = drain_pages(d, ring, ring + (uint64_t)drain_subs_of(d, buffer) * EZ_SUB_BYTES);
    return e;
}

/* Returns the number of records that an earlier shell has read from the sub-buffer at the reading
 * position on: some of a sub-buffer, or all of several, which it has not returned. */
static uint32_t drain_adopted_rec(uint32_t rec, uint32_t nsub)
{
    const uint32_t subs = rec / EZ_SUB_RECS;
    bool whole = rec % EZ_SUB_RECS == 0 && subs <= DRAIN_SUBS && subs <= nsub;
    return whole ? rec : EZ_MIN(rec, (uint32_t)EZ_SUB_RECS);
}

/* Adopts a buffer that an earlier shell left. Not called for a buffer that no earlier shell made
 * ready: its counts begin at 0, whatever the target has written into the buffer. */
static void drain_buffer_adopt(struct drain_buffer *l, const struct ez_buffer *shared,
                               uint32_t nsub)
{
    uint32_t read = shared->read;
    l->given = shared->space;
    l->sub = l->given % nsub;
    l->rec = read >> 16 == (l->given & 0xffff) ? drain_adopted_rec(read & 0xffff, nsub) : 0;
    l->headed = l->rec;
    l->used = true;
    l->recorded = shared->recorded;
    l->discarded = shared->discarded;
    l->torn = shared->torn;
    l->unwound = shared->unwound;
    l->filtered = shared->filtered;
    l->owner = (uint32_t)shared->owner;
}

/* Rounds the number of counters up to a multiple of DRAIN_IDS_STEP, at most to ids_max. */
static uint32_t drain_ids_step(const struct ez_drain *d, uint32_t want)
{
    return (uint32_t)EZ_MIN(EZ_ROUND_UP(want, DRAIN_IDS_STEP), d->seg.ids_max);
}

/* Makes `ids` counters exist in the first `ready` buffers. Announces counters and buffers only when
 * all their pages exist, so that after an error the target uses no incomplete buffer. */
int drain_grow(struct ez_drain *d, uint32_t ready, uint32_t ids)
{
    int e = 0;
    if (ids > d->buffers.reserved) {
        e = drain_pages(d, d->seg.off_rows + d->buffers.reserved * sizeof(struct ez_row),
                        d->seg.off_rows + ids * sizeof(struct ez_row));
        for (uint32_t i = 0; !e && i < d->buffers.ready; i++)
            e = drain_counter_pages(d, i, d->buffers.reserved, ids);
        if (e)
            return e;
        STORE(&d->buffers.reserved, ids);
    }
    while (!e && d->buffers.ready < ready) {
        e = buffer_pages(d, d->buffers.ready, d->buffers.reserved);
        if (e)
            break;
        if (d->buffers.ready < d->buffers.adopted)
            drain_buffer_adopt(&d->buffers.at[d->buffers.ready], drain_shared(d, d->buffers.ready),
                               drain_subs_of(d, d->buffers.ready));
        STORE(&d->buffers.ready, d->buffers.ready + 1);
        STORE(&d->hdr->buffers_ready, d->buffers.ready);
    }
    return e;
}

int drain_reserve_ids(struct ez_drain *d, uint32_t n)
{
    return n > d->seg.ids_max ? ENOSPC : drain_grow(d, 0, drain_ids_step(d, n));
}

int drain_reserve_addups(struct ez_drain *d, uint32_t n)
{
    int e = n > d->seg.naddups || !d->seg.off_addups ? ENOSPC : 0;
    for (uint32_t i = 1; !e && i < d->buffers.ready; i++)
        e = drain_addup_pages(d, i, d->buffers.addups, n);
    if (e)
        return e;
    d->buffers.addups = n;
    STORE(&d->hdr->addups_ready, n);
    return 0;
}

/* ---- begin and end ------------------------------------------------------------ */

static bool buffer_fits(const struct drain_segment *s)
{
    uint64_t counters = (uint64_t)s->nbuffers * s->ids_max * sizeof(struct ez_counter);
    uint64_t rings = (uint64_t)s->nbuffers * s->nsub * EZ_SUB_BYTES;
    return s->nbuffers && s->nsub >= 2 && s->ids_max && s->nbuffers <= 1u << 20 &&
           s->nsub <= 1u << 12 && s->ids_max <= 1u << 24 &&
           s->off_rows + s->ids_max * sizeof(struct ez_row) <= s->size &&
           s->off_buffers + s->nbuffers * sizeof(struct ez_buffer) <= s->size &&
           s->off_counters + counters <= s->size && s->off_rings + rings <= s->size &&
           (!s->off_addups ||
            s->off_addups + (uint64_t)s->nbuffers * s->naddups * EZ_ADDUP_BYTES <= s->size);
}

/* Tables of an earlier shell's aggregates are kept, because calls that are open now may still add
 * to them. */
bool drain_buffers_begin(struct ez_drain *d, const struct ez_drain_cfg *cfg)
{
    const struct ez_hdr *h = cfg->layout ? cfg->layout : cfg->hdr;
    d->seg = (struct drain_segment){ .nbuffers = h->nbuffers,
                                     .ids_max = h->ids_max,
                                     .nsub = h->nsub,
                                     .naddups = EZ_MIN(h->naddups, (uint32_t)EZ_ADDUPS),
                                     .off_rows = h->off_rows,
                                     .off_buffers = h->off_buffers,
                                     .off_counters = h->off_counters,
                                     .off_rings = h->off_rings,
                                     .off_addups = h->off_addups,
                                     .size = h->size };
    if (!buffer_fits(&d->seg))
        return false;
    d->buffers.most = d->seg.nbuffers;
    d->buffers.adopted = h->buffers_ready;
    d->buffers.nids = cfg->layout ? h->ids_used : 0;
    d->buffers.addups = cfg->layout ? EZ_MIN(h->addups_ready, d->seg.naddups) : 0;
    d->buffers.at = ez_alloc_sparse(d->seg.nbuffers * sizeof *d->buffers.at);
    return true;
}

int drain_buffers_start(struct ez_drain *d)
{
    int e = drain_pages(d, 0, EZ_PAGE);
    if (!e)
        e = drain_reserve_ids(d, d->buffers.nids + 1);
    if (!e)
        e = drain_grow(
            d, EZ_MIN(d->buffers.most, EZ_MAX(d->buffers.adopted, 1u + BUFFERS_AT_START)), 0);
    if (e)
        d->buffers.ready = d->hdr->buffers_ready = 0;
    else
        drain_shared(d, 0)->state = EZ_BUFFER_USED;
    return e;
}

/* Each of the three tables has a part for each buffer, in the order of buffers, from the common
 * buffer 0 on. */
void drain_no_more_buffers(struct ez_drain *d, struct ez_drain_part part[EZ_DRAIN_PARTS])
{
    const struct {
        uint64_t off, buffer, end;
    } table[EZ_DRAIN_PARTS] = {
        { d->seg.off_counters, (uint64_t)d->seg.ids_max * sizeof(struct ez_counter),
          d->seg.off_rings },
        { d->seg.off_rings, (uint64_t)d->seg.nsub * EZ_SUB_BYTES, d->seg.off_addups },
        { d->seg.off_addups, (uint64_t)d->seg.naddups * EZ_ADDUP_BYTES, d->seg.size },
    };
    d->buffers.most = d->buffers.ready;
    for (size_t i = 0; i < EZ_DRAIN_PARTS; i++) {
        uint64_t from = EZ_ROUND_UP(table[i].off + d->buffers.ready * table[i].buffer, EZ_PAGE);
        uint64_t to = table[i].end & ~(uint64_t)(EZ_PAGE - 1);
        part[i] = (struct ez_drain_part){ from, d->buffers.ready && to > from ? to - from : 0 };
    }
}

void drain_buffers_free(struct ez_drain *d)
{
    ez_free_sparse(d->buffers.at, d->seg.nbuffers * sizeof *d->buffers.at);
}

/* ---- records ------------------------------------------------------------------ */

static size_t drain_buffer_committed(const struct ez_rec *r, size_t max)
{
    size_t n = 0;
    while (n < max && LOAD(&r[n].code))
        n++;
    return n;
}

static bool drain_is_emitted(uint64_t code)
{
    uint64_t kind = (code >> 8) - EZ_C_THREAD, own = (code >> 8) - EZ_R_LEFT;
    return (code & 0xff) == 1 && (kind <= EZ_T_GAP_END || own < EZ_NR);
}

static bool drain_is_modules(uint64_t code)
{
    return (code >> 8) - EZ_C_MODULE <= 0xffffff && (code & 0xff) - 1 <= EZ_EVENT_WORDS;
}

/* Removes the invalid records from r[0..n): those that are not of a known probe or of a module, and
 * have none of the codes that the runtime itself writes (drain_is_emitted). Returns the number of
 * records that remain. */
static size_t drain_keep_valid(const struct ez_drain *d, struct ez_rec *r, size_t n)
{
    uint32_t used = LOAD(&d->hdr->ids_used), ids = EZ_MIN(used, d->buffers.reserved);
    uint64_t first = (uint64_t)EZ_C_PROBE << 8 | 1, span = (uint64_t)ids * 2 << 8;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t c = r[i].code - first;
        if ((c >= span || (c & 0xff) > EZ_DATA_WORDS) && !drain_is_emitted(r[i].code) &&
            !drain_is_modules(r[i].code))
            continue;
        if (kept != i)
            r[kept] = r[i];
        kept++;
    }
    return kept;
}

static void drain_buffer_mirror(struct ez_buffer *shared, const struct drain_buffer *l)
{
    shared->recorded = l->recorded;
    shared->discarded = l->discarded;
    shared->torn = l->torn;
    shared->unwound = l->unwound;
    shared->filtered = l->filtered + l->overwritten + l->held.recs;
    shared->owner = l->owner;
    shared->read = l->given << 16 | l->rec;
}

/* Returns the number of sub-buffers of a ring that one write may contain. A thread that waits for
 * room gets it after the write, so a write has at most a quarter of the ring. The flight recorder
 * keeps what one sub-buffer needs. */
static uint32_t drain_most_subs(const struct ez_drain *d, uint32_t i)
{
    return d->kept.most ? 1 : EZ_MIN(EZ_MAX(drain_subs_of(d, i) / 4, 1u), (uint32_t)DRAIN_SUBS);
}

/* Copies the complete sub-buffers of the same owner that follow the current one. Returns the number
 * of their records. */
static size_t drain_copy_more(struct ez_drain *d, uint32_t i)
{
    const struct drain_buffer *l = &d->buffers.at[i];
    const uint64_t owner = LOAD((uint64_t *)drain_sub_at(d, i, l->sub));
    uint32_t k = 1;
    for (const uint32_t most = drain_most_subs(d, i); k < most; k++) {
        char *sub = drain_sub_at(d, i, l->sub + k);
        const struct ez_rec *r = drain_recs_of(sub);
        if (LOAD((uint64_t *)sub) != owner || drain_buffer_committed(r, EZ_SUB_RECS) < EZ_SUB_RECS)
            break;
        memcpy(d->buffers.copy + k * EZ_SUB_RECS, r, EZ_SUB_RECS * sizeof *r);
    }
    return (k - 1) * EZ_SUB_RECS;
}

/* Emits n committed records of buffer i, which begin at `src`. If they are a whole sub-buffer, also
 * emits complete sub-buffers that follow, because one large write is faster than several. Invalid
 * records count as torn. */
static void drain_buffer_consume(struct ez_drain *d, uint32_t i, const struct ez_rec *src, size_t n)
{
    struct drain_buffer *l = &d->buffers.at[i];
    memcpy(d->buffers.copy, src, n * sizeof *src);
    if (!l->headed) /* start of a sub-buffer */
        drain_owner(d, i, (uint32_t)LOAD((uint64_t *)drain_sub_at(d, i, l->sub)), src->tick);
    l->headed = true;
    n += n == EZ_SUB_RECS ? drain_copy_more(d, i) : 0;
    size_t good = drain_keep_valid(d, d->buffers.copy, n);
    l->torn += n - good;
    drain_emit(d, i, d->buffers.copy, good);
    l->rec += (uint32_t)n;
    l->used = true; /* the buffer has records, even if the drain never saw its owner's tid */
    drain_buffer_mirror(drain_shared(d, i), l);
}

/* Returns the emptied sub-buffers to the target, and their number. Before that, a checkpoint writes
 * their records to the file. They are returned at once: until then, buffer.read says to the next
 * shell that all of them were read. */
static uint32_t drain_buffer_release(struct ez_drain *d, uint32_t i)
{
    struct drain_buffer *l = &d->buffers.at[i];
    struct ez_buffer *shared = drain_shared(d, i);
    const uint32_t n = l->rec / EZ_SUB_RECS;
    drain_file_checkpoint(d);
    for (uint32_t k = 0; k < n; k++) {
        char *sub = drain_sub_at(d, i, l->sub + k);
        memset(sub + 8, 0, EZ_SUB_BYTES - 8);
        STORE((uint64_t *)sub, 0);
    }
    l->sub = (l->sub + n) % drain_subs_of(d, i);
    l->rec = 0;
    l->headed = false;
    l->given += n;
    __atomic_add_fetch(&shared->space, n, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&shared->waiting, __ATOMIC_SEQ_CST))
        syscall(SYS_futex, &shared->space, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    drain_progress(d);
    return n;
}

/* Called if the writer has entered both sub-buffers of a ring of two. Returns true if the writer
 * waits for room, or is not allowed to wait. */
static bool drain_no_room(const struct ez_drain *d, uint32_t i)
{
    return LOAD(&drain_shared(d, i)->waiting) || !LOAD(&d->hdr->overflow_wait) ||
           LOAD(&d->hdr->no_syscalls);
}

/* Returns an index in the sub-buffer that is being read. The records before that index belong to an
 * owner that has ended, so uncommitted records before it will never be committed. */
static uint32_t drain_left_behind(const struct ez_drain *d, uint32_t i)
{
    uint64_t begin = LOAD(&drain_shared(d, i)->begin), in = begin % EZ_SUB_BYTES;
    uint32_t ahead = (uint32_t)(begin / EZ_SUB_BYTES) - d->buffers.at[i].given;
    if (ahead)
        return (int32_t)ahead > 0 ? EZ_SUB_RECS : 0;
    return in < 8 ? 0 : (uint32_t)(in - 8) / EZ_REC_BYTES;
}

/* Returns true if the writer is so far beyond the hole at the reading position that the hole counts
 * as torn (see the head of this file). Call only if the writer has entered the next sub-buffer. */
static bool drain_hole_stays(struct ez_drain *d, uint32_t i)
{
    struct drain_buffer *l = &d->buffers.at[i];
    uint32_t n = drain_subs_of(d, i);
    if (n <= 2)
        return drain_no_room(d, i);
    if (drain_buffer_entered(d, i, l->sub + n - 1))
        return true;
    if (!drain_buffer_entered(d, i, l->sub + 2))
        return false;
    uint64_t at = ((uint64_t)l->given << 16 | l->rec) + 1, now = ez_now_ns();
    if (l->hole != at) {
        l->hole = at;
        l->hole_ns = now;
    }
    return now - l->hole_ns > HOLE_NS;
}

/* Steps over uncommitted records at the reading position that will never be committed. Returns
 * false if there is nothing more to read now. */
static bool drain_skip_hole(struct ez_drain *d, uint32_t i, bool ended)
{
    struct drain_buffer *l = &d->buffers.at[i];
    struct ez_rec *r = drain_recs_of(drain_sub_at(d, i, l->sub));
    bool next = drain_buffer_entered(d, i, l->sub + 1);
    uint32_t p = l->rec, left = drain_left_behind(d, i);

    /* A record is in progress if its tick is set, or if later records exist. */
    l->behind = next || LOAD(&r[p].tick) || (p + 1 < EZ_SUB_RECS && LOAD(&r[p + 1].code));
    if (p >= left && !ended && !(next && drain_hole_stays(d, i)))
        return false;
    for (uint32_t end = p < left ? left : EZ_SUB_RECS; p < end && !LOAD(&r[p].code);)
        p++;
    if (p == EZ_SUB_RECS && p > left && !next) {
        /* At the end of the written records: if the thread has ended, records with a tick that were
         * not committed are torn. */
        for (; ended && l->rec < EZ_SUB_RECS && r[l->rec].tick; l->rec++)
            l->torn++;
        return false;
    }
    l->torn += p - l->rec;
    l->rec = p;
    l->behind = false;
    return true;
}

/* Reads a limited number of sub-buffers, so that a fast writer does not keep the drain thread at
 * one buffer. Returns true if any record was read. */
static bool drain_read_buffer(struct ez_drain *d, uint32_t i, bool ended)
{
    struct drain_buffer *l = &d->buffers.at[i];
    bool moved = false;
    uint32_t most = drain_subs_of(d, i);
    l->behind = false;
    for (uint32_t subs = 0; subs <= most;) {
        const uint32_t left = EZ_SUB_RECS - EZ_MIN(l->rec, (uint32_t)EZ_SUB_RECS);
        const struct ez_rec *r = drain_recs_of(drain_sub_at(d, i, l->sub)) + l->rec;
        size_t n = left ? drain_buffer_committed(r, left) : 0;
        if (n) {
            drain_buffer_consume(d, i, r, n);
            moved = true;
        }
        if (l->rec >= EZ_SUB_RECS) {
            subs += drain_buffer_release(d, i);
            d->buffers.pressed |= subs >= most / 2;
        } else if (!drain_skip_hole(d, i, ended)) {
            drain_buffer_mirror(drain_shared(d, i), l);
            return moved;
        }
    }
    l->behind = true;
    return moved;
}

/* ---- buffers -------------------------------------------------------------------- */

bool drain_buffers(struct ez_drain *d, bool final)
{
    bool moved = false;
    d->buffers.pressed = false;
    for (uint32_t i = 1; i < d->buffers.ready; i++) {
        struct drain_buffer *l = &d->buffers.at[i];
        struct ez_buffer *shared = drain_shared(d, i);
        if (LOAD(&shared->state) == EZ_BUFFER_FREE && !final)
            continue;
        uint32_t tid = LOAD(&shared->tid);
        if (tid && tid != l->tid) {
            l->tid = tid;
            l->used = true;
            l->comm[0] = 0;
            drain_file_thread(d, l);
            drain_switches_know(d, tid);
        }
        moved |= drain_read_buffer(d, i, final);
        if (l->rec < EZ_SUB_RECS)
            drain_lines_open(d, LOAD(&drain_recs_of(drain_sub_at(d, i, l->sub))[l->rec].tick));
        if (shared->untraced || shared->dropped)
            l->used = true;
    }
    return moved;
}

/* Frees buffers whose owner has ended and whose records are all read. The next owner continues at
 * the same ring position with the same counters. */
static void drain_buffer_reap(struct ez_drain *d)
{
    for (uint32_t i = 1; i < d->buffers.ready; i++) {
        struct drain_buffer *l = &d->buffers.at[i];
        struct ez_buffer *shared = drain_shared(d, i);
        /* A thread that has just claimed the buffer writes its tid a moment later. */
        if (LOAD(&shared->state) != EZ_BUFFER_USED || !l->tid || LOAD(&shared->tid) != l->tid ||
            !drain_thread_gone(d, l->tid))
            continue;
        if (d->switches.from && !l->ended &&
            /* wait for one more round, in which the kernel may report when the thread ended */
            !l->awaited) {
            l->awaited = true;
            continue;
        }
        /* A new thread on the same stack may claim the buffer at this moment. Claim the buffer
         * before reading it to its end. Otherwise records that the new thread has in progress would
         * count as torn. */
        uint32_t was = l->tid;
        if (!__atomic_compare_exchange_n(&shared->tid, &was, 0, 0, __ATOMIC_ACQ_REL,
                                         __ATOMIC_RELAXED))
            continue;
        drain_read_buffer(d, i, true);
        if (l->behind) {
            STORE(&shared->tid, l->tid);
            continue;
        }
        drain_thread_over(d, i, drain_tick(d));
        l->tid = 0;
        shared->fs = 0;
        shared->waiting = 0;
        STORE(&shared->state, EZ_BUFFER_FREE);
    }
}

static uint32_t drain_free_buffers(const struct ez_drain *d)
{
    uint32_t n = 0;
    for (uint32_t i = 1; i < d->buffers.ready; i++)
        n += LOAD(&drain_shared(d, i)->state) == EZ_BUFFER_FREE;
    return n;
}

/* Returns how many free buffers to keep ready: more if many buffers are used, because a new thread
 * waits if no buffer is free. A program with one thread has few free buffers, because it usually
 * stays single-threaded, and each buffer costs a MiB in each process of a job. If threads do not
 * wait, at least DRAIN_FREE_BUFFERS are free, because a thread without a buffer loses events. */
static uint32_t drain_spare_buffers(const struct ez_drain *d, uint32_t unused)
{
    uint32_t used =
        /* buffer 0, the common buffer, belongs to no thread */
        d->buffers.ready - EZ_MIN(d->buffers.ready, unused + 1);
    bool waits = d->hdr->overflow_wait && !d->hdr->no_syscalls;
    uint32_t few = waits ? EZ_MIN(used + 1, (uint32_t)DRAIN_FREE_BUFFERS) : DRAIN_FREE_BUFFERS;
    return EZ_MAX(few, EZ_MIN(d->buffers.ready / 8, 64u));
}

void drain_tend_buffers(struct ez_drain *d, uint64_t now)
{
    if (!d->buffers.ready)
        return; /* The drain has not started yet. */
    uint32_t unused = drain_free_buffers(d), spare = drain_spare_buffers(d, unused);
    bool low = unused < spare;
    if (now >= d->buffers.next_reap ||
        (low && now + REAP_NS - REAP_SHORT_NS >= d->buffers.next_reap)) {
        d->buffers.next_reap = now + REAP_NS;
        drain_buffer_reap(d);
        unused = drain_free_buffers(d);
    }
    if (unused >= spare || d->buffers.ready >= d->buffers.most || now < d->buffers.next_grow)
        return;
    uint32_t want = EZ_MIN(d->buffers.most, d->buffers.ready + spare - unused);
    if (drain_grow(d, want, d->buffers.reserved))
        d->buffers.next_grow = now + GROW_RETRY_NS;
    syscall(SYS_futex, &d->hdr->buffers_ready, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
