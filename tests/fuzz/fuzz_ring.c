/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_ring.c - the drain thread reads a segment that an adversary writes.
 *
 * The input is a program of writes to any shared word: header, rows, lanes, counters,
 * rings; in between the shell's own calls. Whatever is written:
 *   - each call comes back in time, and nothing is touched outside (sanitizers);
 *   - the trace is whole for our reader, its events are of ids that the header ever gave out;
 *   - it holds as many events as the ledger says, and no more than were written;
 *   - no sum of the ledger wraps: none is less than one of its parts. */
#define FUZZ_AS_CHECK
#include "tests/fuzz/fuzz.h"

#include "engine/trace/replay.h"
#include "tests/unit/drain_harness.h"

const unsigned long fuzz_runs = 350;
const size_t fuzz_max = 1024;

#define MAX_OPS 200
#define TIME_LIMIT 20 /* s for one input: hours would be a hang, this machine may be slow */

enum op {
    OP_BUFFER,
    OP_HEADER,
    OP_RECORDS,
    OP_RAW,
    OP_FILL,
    OP_COUNTER,
    OP_ROW,
    OP_FLUSH,
    OP_TRACE,
    OP_OWNER,
    OP_RESERVE,
    OP_DEFINE,
    OP_LOOK,
    OP_STORM,
    OP_COUNT
};

static struct ez_hdr real;  /* the header before it was overwritten, for offsets */
static uint64_t slots;      /* records that were written, one way or another */
static uint64_t rec_before; /* st.recorded when the trace was opened */
static uint64_t ids_most;   /* that hdr->ids_used ever said */
static bool is_open, stormy;
static double deadline;

static char *shared(uint64_t offset)
{
    return (char *)hdr + offset;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- seeds ---------------------------------------------------------------------------------- */

size_t fuzz_seed(unsigned n, uint8_t *buf, size_t max)
{
    uint64_t x = n + 77;
    size_t len = EZ_MIN((size_t)64 << n % 4, max);
    if (n >= 16)
        return 0;
    for (size_t i = 0; i < len; i++)
        buf[i] = (uint8_t)(fuzz_random(&x) >> 33);
    /* Each seed opens a trace, takes a lane and writes records; then the seeds differ. */
    memcpy(buf, "\x08\x09\x01\x00\x02\x01\x00\x40\x02\x07\x02\x01\x00\xff\xff\x07\x08", 17);
    return len;
}

/* ---- what it writes ---------------------------------------------------------------------------- */

/* A number, often one at the edge of a range. */
static uint64_t value(struct fuzz_bytes *b)
{
    static const uint64_t edges[] = {
        0,          1,          UINT64_MAX,   UINT64_MAX - 1, 1ull << 63, INT64_MAX, UINT32_MAX,
        1ull << 32, 1ull << 31, EZ_SUB_BYTES, NSUB - 1,       NBUFFERS,   IDS_MAX
    };
    unsigned k = (unsigned)fuzz_take(b, 1);
    if (k < EZ_ARRAY_LEN(edges))
        return edges[k];
    return fuzz_take(b, k & 1 ? 8 : 2);
}

static uint64_t buffer_off(struct fuzz_bytes *b)
{
    return real.off_buffers + fuzz_take(b, 1) % NBUFFERS * sizeof(struct ez_buffer);
}

static void put_records(struct fuzz_bytes *b)
{
    uint64_t l = fuzz_take(b, 1) % 12, first = fuzz_take(b, 1) * 43, n = fuzz_take(b, 2) % 4096;
    uint64_t code = fuzz_take(b, 1), spread = code & 0x40 ? 1 : 0;
    uint64_t frame = code & 0x20 ? value(b) : 0x7000 + l * 4096, by = fuzz_take(b, 1);
    bool tells = (code & 0x3c) == 0x3c; /* what threads tell, or records of probes */
    uint64_t near[] = { 0, ids_most - 32, IDS_MAX - 32, value(b) };
    uint64_t tell = !(code & 2) ? EZ_C_THREAD : code & 0x80 ? EZ_R_STACK : EZ_R_LEFT;
    code = tells         ? (tell + (code & 1) + (code >> 5 & 2)) << 8 | 1
           : code & 0x80 ? value(b)
                         : CODE(near[by >> 4 & 3] + (code & 0x3f), code & 1);
    spread = tells ? 0 : spread;
    slots += n;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t k = (first + i) % (NSUB * (uint64_t)EZ_SUB_RECS), sub = k / EZ_SUB_RECS;
        char *s = shared(real.off_rings + l * RING_BYTES + sub * EZ_SUB_BYTES);
        *(volatile uint64_t *)s = 1 + by % 3;
        commit((struct ez_rec *)(s + 8) + k % EZ_SUB_RECS,
               frame + (by & 7) * i * (by & 8 ? 8 : -8ull), code + spread * i % 128 * 256);
    }
}

static void put_raw(struct fuzz_bytes *b, bool fill)
{
    uint64_t ring = real.off_rings + fuzz_take(b, 1) % 12 * RING_BYTES;
    uint64_t at = ring + (fuzz_take(b, 1) % 4 * EZ_SUB_BYTES + fuzz_take(b, 2)) % RING_BYTES;
    uint64_t n = fill ? fuzz_take(b, 2) : 8, v = fill ? fuzz_take(b, 1) : value(b);
    n = EZ_MIN(n, ring + RING_BYTES - at);
    slots += n / EZ_REC_BYTES + 2;
    if (fill)
        memset(shared(at), (int)v, n);
    else
        memcpy(shared(at), &v, n);
}

static void put_header(struct fuzz_bytes *b)
{
    uint64_t at = fuzz_take(b, 1) % (sizeof(struct ez_hdr) / 4) * 4, v = value(b);
    memcpy(shared(at), &v, 4);
    ids_most = EZ_MAX(ids_most, hdr->ids_used);
}

static void put_word(uint64_t at, uint64_t v)
{
    memcpy(shared(at & ~7ull), &v, 8);
}

/* A lane gets a live owner, one that has ended, or none. */
static void put_owner(struct fuzz_bytes *b)
{
    struct ez_buffer *l = (struct ez_buffer *)shared(buffer_off(b));
    uint64_t who = fuzz_take(b, 1);
    l->state = who & 4 ? EZ_BUFFER_FREE : EZ_BUFFER_USED;
    l->tid = who & 1 ? (uint32_t)getpid() : who & 2 ? 0x7ffffff0u + (uint32_t)who : 0;
}

/* Write many words while the drain thread reads: they change between two of its reads. */
static void *storm(void *arg)
{
    uint64_t x = *(uint64_t *)arg | 1;
    for (int i = 0; i < 20000; i++) {
        uint64_t r = fuzz_random(&x), at = fuzz_random(&x) >> 20;
        if (r & 1)
            at = real.off_buffers + at % (NBUFFERS * sizeof(struct ez_buffer));
        else
            at = real.off_rings + RING_BYTES + at % (8 * RING_BYTES);
        if (r & 2)
            put_word(at, r & 4 ? CODE(r >> 3 & 31, r >> 8 & 1) : r);
        else
            put_word(at, r >> 60);
    }
    return NULL;
}

/* ---- what must hold ------------------------------------------------------------------------------ */

static void in_time(const char *what)
{
    MUST(seconds() < deadline, "%s took too long", what);
}

static struct ez_drain_stat look(void)
{
    struct ez_drain_stat s;
    ez_drain_flush(drain);
    in_time("a flush");
    ez_drain_stat(drain, &s);
    MUST(stormy || s.recorded <= slots, "%lu recorded, %lu written", (unsigned long)s.recorded,
         (unsigned long)slots);
    MUST(s.dropped >= s.torn, "dropped %lu, torn %lu", (unsigned long)s.dropped,
         (unsigned long)s.torn);
    MUST(s.filtered <= s.entries || s.filtered - s.entries <= s.exits, "filtered more than hit");
    MUST(stormy || s.torn <= slots + NBUFFERS * NSUB * (uint64_t)EZ_SUB_RECS * MAX_OPS, "torn %lu",
         (unsigned long)s.torn);
    MUST(!s.lost, "lost: %d", s.lost_errno);
    return s;
}

static uint64_t read_back(void)
{
    struct ez_fxt_in *in = NULL;
    struct ez_fxt_event ev;
    bool got = false;
    uint64_t n = 0, entries = 0, unwound = 0, ids = EZ_MIN(ids_most, IDS_MAX);
    ez_err *e;
    ok(ez_fxt_in_open(path, &in));
    while (!(e = ez_fxt_in_next(in, &ev, &got)) && got) {
        bool probe = ev.code >= EZ_C_PROBE, ends = probe && ev.code & 1;
        MUST(probe || (ev.code & ~0xfull) == EZ_C_DEF || ev.code - EZ_C_THREAD <= EZ_T_GAP_END,
             "code 0x%lx", (unsigned long)ev.code);
        MUST(!probe || (ev.narg <= EZ_DATA_WORDS + 1 && ev.code < EZ_C_PROBE + 2 * ids),
             "code 0x%lx", (unsigned long)ev.code);
        bool left = ends && ev.narg == 1 && *ev.arg == EZ_EXIT_UNWOUND;
        MUST(!ends || !ev.narg || left || !(*ev.arg & 0xff & ~EZ_DATA_TAIL), "argument 0x%lx",
             (unsigned long)*ev.arg);
        n += probe && !left;
        entries += probe && !ends;
        unwound += left;
    }
    MUST(unwound <= entries, "%lu of %lu calls were left", (unsigned long)unwound,
         (unsigned long)entries);
    ok(e);
    ez_fxt_in_close(in);
    return n;
}

static void close_trace(void)
{
    struct ez_drain_stat s;
    ok(ez_drain_close(drain));
    in_time("closing");
    ez_drain_stat(drain, &s);
    uint64_t events = read_back(), recorded = s.recorded - rec_before;
    MUST(events == recorded, "%lu events, %lu recorded", (unsigned long)events,
         (unsigned long)recorded);
    is_open = false;
}

static void open_or_close(void)
{
    struct ez_drain_stat s;
    if (is_open) {
        close_trace();
        return;
    }
    ez_drain_flush(drain);
    ez_drain_stat(drain, &s);
    uint64_t before = s.recorded;
    ok(ez_drain_open(drain, path));
    is_open = true;
    rec_before = before; /* with no trace open nothing is recorded */
}

static void look_around(struct fuzz_bytes *b)
{
    static struct ez_rec rec[256];
    uint64_t cursor = value(b), entries, exits;
    uint64_t word[EZ_DATA_WORDS + 2];
    size_t n = ez_drain_recent(drain, &cursor, rec, EZ_ARRAY_LEN(rec));
    MUST(n <= EZ_ARRAY_LEN(rec), "too many");
    for (size_t i = 0; i < n; i++)
        MUST(ez_drain_recent_words(drain, cursor - n + i, word) < (rec[i].code & 0xff), "words");
    (void)ez_drain_recent_words(drain, value(b), word);
    ez_drain_counts(drain, (uint32_t)value(b), &entries, &exits);
    (void)ez_drain_ns(drain, value(b));
}

static void storm_and_flush(struct fuzz_bytes *b)
{
    pthread_t t;
    uint64_t seed = fuzz_take(b, 4);
    stormy = true;
    MUST(!pthread_create(&t, NULL, storm, &seed), "no thread");
    for (int i = 0; i < 3; i++)
        ez_drain_flush(drain);
    pthread_join(t, NULL);
    look();
}

static void step(struct fuzz_bytes *b)
{
    uint64_t at;
    switch ((enum op)(fuzz_take(b, 1) % OP_COUNT)) {
    case OP_BUFFER:
        at = buffer_off(b) + fuzz_take(b, 1) % sizeof(struct ez_buffer);
        put_word(at, value(b));
        break;
    case OP_HEADER:
        put_header(b);
        break;
    case OP_RECORDS:
        put_records(b);
        break;
    case OP_RAW:
        put_raw(b, false);
        break;
    case OP_FILL:
        put_raw(b, true);
        break;
    case OP_COUNTER:
        at = fuzz_take(b, 1) % NBUFFERS * (uint64_t)IDS_MAX + fuzz_take(b, 1) % 64;
        put_word(real.off_counters + at * sizeof(struct ez_counter) + (at & 8), value(b));
        break;
    case OP_ROW:
        at = fuzz_take(b, 1) * sizeof(struct ez_row) + fuzz_take(b, 1) % sizeof(struct ez_row);
        put_word(real.off_rows + at, value(b));
        break;
    case OP_TRACE:
        open_or_close();
        break;
    case OP_OWNER:
        put_owner(b);
        break;
    case OP_RESERVE:
        ez_err_drop(ez_drain_reserve_ids(drain, (uint32_t)fuzz_take(b, 2)));
        break;
    case OP_DEFINE:
        ez_drain_define(drain, (uint32_t)value(b), (uint32_t)value(b), 1, "f", "l");
        break;
    case OP_LOOK:
        look_around(b);
        break;
    case OP_STORM:
        if (b->left % 4 == 0) /* it costs milliseconds */
            storm_and_flush(b);
        break;
    default:
        look();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes b = { data, size };
    make_segment();
    real = *hdr;
    slots = 0;
    ids_most = hdr->ids_used;
    is_open = stormy = false;
    deadline = seconds() + TIME_LIMIT;
    snprintf(path, sizeof path, "fuzz_ring-%d.fxt", getpid());
    ok(create(getpid()));
    for (int i = 0; b.left && i < MAX_OPS; i++)
        step(&b);
    look();
    if (is_open)
        close_trace();
    ez_drain_destroy(drain);
    in_time("the end");
    unlink(path);
    hdr->size = real.size; /* what teardown goes by */
    teardown_segment();
    return 0;
}
