/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_fxt.c - any files through reading, order, model, statistics, timeline, formats and repair;
 * one file, or two that are merged.
 *
 * The result is an error, or consistent items: time never goes back, each push has its pop. A
 * repaired file has the events that were read before the repair. */
#define FUZZ_AS_CHECK
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <sys/mman.h>

#include "engine/analysis/analysis.h"
#include "engine/base/zst.h"
#include "engine/format/convert.h"
#include "engine/trace/fxt_in.h"
#include "engine/trace/locks.h"
#include "engine/trace/long_messages.h"
#include "engine/trace/messages.h"
#include "engine/trace/samples.h"
#include "engine/trace/slowest.h"
#include "engine/trace/stacks.h"
#include "engine/trace/stats.h"
#include "engine/trace/timeline.h"
#include "engine/trace/values.h"
#include "engine/trace/vars.h"
#include "tests/fuzz/fuzz_fxt_seeds.h"

const unsigned long fuzz_runs = 12000;
const size_t fuzz_max = 8192;

/* ---- seeds ------------------------------------------------------------------------------- */

/* Kinds of files: 0 to 3 of probes, then of modules; ITEMS: of probes that collect; PACKED: in zstd
 * frames. */
enum { WORDS = 4, MPI_0, MPI_1, ITEMS, PACKED, ADDS_0, ADDS_1, NONE };

/* A file with a name, for traces are written beside it and then get the name. */
static size_t seed_file(unsigned kind, uint8_t *buf, size_t max)
{
    char name[64];
    snprintf(name, sizeof name, "fuzz_fxt-%d.seed", getpid());
    if (kind < WORDS)
        write_example(name, kind, false);
    else if (kind == WORDS)
        write_words(name);
    else if (kind == ITEMS)
        write_items(name);
    else if (kind >= ADDS_0)
        write_adds(name, 42 + kind - ADDS_0);
    else if (kind == PACKED)
        write_example(name, 3, ez_zst_can());
    else
        write_mpi(name, kind - MPI_0);
    size_t n = tf_load(name, (char *)buf, max);
    unlink(name);
    return n;
}

/* Inputs are: a byte that says what to do, then the file. Those of two files: the byte,
 * 2 bytes of length, then both. */
size_t fuzz_seed(unsigned n, uint8_t *buf, size_t max)
{
    static const uint8_t kinds[][2] = {
        { 0, NONE },       { 1, NONE },      { 2, NONE },        { 3, NONE },
        { 0, 0 },          { 1, 1 },         { 2, 2 },           { 3, 3 },
        { WORDS, NONE },   { WORDS, NONE },  { WORDS, 3 },       { MPI_0, NONE },
        { MPI_0, MPI_1 },  { MPI_1, MPI_0 }, { WORDS, MPI_1 },   { PACKED, NONE },
        { PACKED, WORDS }, { ITEMS, NONE },  { ITEMS, NONE },    { ITEMS, WORDS },
        { ADDS_0, NONE },  { ADDS_0, NONE }, { ADDS_0, ADDS_1 }, { ADDS_1, ADDS_1 },
    };
    if (n >= EZ_ARRAY_LEN(kinds))
        return 0;
    buf[0] = (uint8_t)(n * 2);
    if (kinds[n][1] == NONE)
        return 1 + seed_file(kinds[n][0], buf + 1, max - 1);
    size_t half = max / 2 - 3, len = seed_file(kinds[n][0], buf + 3, half);
    uint16_t first = (uint16_t)len;
    buf[0] |= 1;
    memcpy(buf + 1, &first, 2);
    return 3 + len + seed_file(kinds[n][1], buf + 3 + len, half);
}

/* ---- the whole way -------------------------------------------------------------------------- */

struct all {
    struct ez_stats *st;
    struct ez_timeline *t;
    struct ez_samples *samples;
    struct ez_messages *messages;
    struct ez_long_messages *long_messages;
    struct ez_vars *vars, *files;
    struct ez_values *values;
    struct ez_slowest *slowest;
    struct ez_locks *locks;
    struct ez_analysis *analysis;
    struct ez_stacks stacks;
    uint64_t last;
    unsigned depth[4096];
    uint64_t self[4096], all[4096]; /* of what is in a container; of the outermost    */
};

static ez_err *check_item(void *arg, const struct ez_item *it)
{
    struct all *a = arg;
    bool known = it->container < EZ_ARRAY_LEN(a->depth);
    MUST(it->ns >= a->last, "time goes back");
    a->last = it->ns;
    if (known && it->kind == EZ_I_PUSH)
        MUST(a->depth[it->container]++ == it->depth, "depth %u", it->depth);
    if (known && it->kind == EZ_I_POP) {
        MUST(--a->depth[it->container] == it->depth, "depth %u", it->depth);
        MUST(it->start_ns <= it->ns && it->spent_ns <= it->ns - it->start_ns &&
                 it->self_ns <= it->spent_ns,
             "more than all");
        a->self[it->container] += it->self_ns;
        a->all[it->container] += it->depth ? 0 : it->ns - it->start_ns;
    }
    if (known && it->kind == EZ_I_CONTAINER_END) {
        MUST(a->depth[it->container] == 0, "left open");
        MUST(a->self[it->container] == a->all[it->container], "calls and pauses are not all");
    }
    EZ_TRY(ez_stats_item(a->st, it));
    EZ_TRY(ez_samples_item(a->samples, it));
    EZ_TRY(ez_messages_item(a->messages, it));
    EZ_TRY(ez_long_messages_item(a->long_messages, it));
    EZ_TRY(ez_vars_item(a->vars, it));
    EZ_TRY(ez_vars_item(a->files, it));
    EZ_TRY(ez_values_item(a->values, it));
    EZ_TRY(ez_stacks_item(&a->stacks, it));
    EZ_TRY(ez_slowest_item(a->slowest, it));
    EZ_TRY(ez_locks_item(a->locks, it));
    EZ_TRY(ez_analysis_item(a->analysis, it));
    return ez_timeline_item(a->t, it);
}

/* What aggregates found: as many hits as their rows have, and keys that can be shown. */
static void check_adds(const struct ez_replay *r)
{
    const struct ez_adds_all *all = ez_replay_adds(r);
    for (size_t i = 0; i < all->of.n; i++) {
        const struct ez_aggregate *a = &all->of.at[i].is;
        MUST(*ez_adds_name(a->adds), "no aggregate");
        for (size_t k = 0; k < a->sum->line.n; k++) {
            char *key = ez_aggregate_key(a, k);
            MUST(a->sum->line.at[k].n && strlen(key) < 512, "key %s", key);
            (void)ez_addup_quantile(a->sum, &a->sum->line.at[k], 0.5);
            free(key);
        }
    }
}

static struct all *all_begin(const struct ez_replay *r)
{
    const struct ez_model *m = ez_replay_model(r);
    struct all *a = ez_alloc(sizeof *a);
    a->st = ez_stats_create(m, EZ_BY_FUNCTION | EZ_BY_THREAD, false);
    ez_stats_subjects(a->st, "lock");
    a->t = ez_timeline_create(m, 0, ez_replay_sum(r)->span_ns, 100);
    a->samples = ez_samples_create(m);
    a->values = ez_values_create(m);
    a->messages = ez_messages_create(m);
    a->long_messages = ez_long_messages_create(m, 2);
    a->vars = ez_vars_create(m, NULL);
    a->files = ez_vars_create(m, "file");
    ez_stacks_init(&a->stacks, m, true);
    a->slowest = ez_slowest_create(m, 4);
    a->locks = ez_locks_create(m, true);
    a->analysis = ez_analysis_create(m);
    return a;
}

/* The parts of a thread's time are at most the whole, and the critical path is the whole. */
static void check_analysis(struct ez_analysis *a)
{
    int64_t critical = 0;
    ez_analysis_finish(a);
    for (size_t i = 0; i < a->threads; i++) {
        uint64_t all = a->thread[i].absent_ns;
        for (int k = 0; k < EZ_TIMES; k++)
            all += a->thread[i].time[k];
        MUST(all == a->to_ns - a->from_ns, "time of a thread");
    }
    for (size_t i = 0; i < a->causes; i++)
        critical += a->cause[i].critical_ns;
    MUST(!a->threads || critical == (int64_t)(a->to_ns - a->from_ns), "critical path");
}

static void check_slowest(struct ez_slowest *s)
{
    ez_slowest_sort(s);
    for (size_t i = 0; i < s->n; i++)
        MUST(s->call[i].self_ns <= s->call[i].ns && (!i || s->call[i].ns <= s->call[i - 1].ns),
             "slowest calls");
}

static void check_locks(struct ez_locks *l)
{
    ez_locks_sort(l);
    for (size_t i = 0; i < l->n; i++) {
        const struct ez_lock *k = &l->lock[i];
        uint64_t times = 0;
        for (size_t h = 0; h < k->holders; h++)
            times += k->holder[h].times;
        MUST(times == k->taken, "holders of a lock"); /* sums of times may exceed 64 bits */
        for (size_t p = 0; p < k->pairs; p++)
            MUST(k->pair[p].waits && k->pair[p].waits <= k->waits, "waits for a lock");
    }
}

static void check_long_messages(struct ez_long_messages *l)
{
    ez_long_messages_sort(l);
    MUST(l->n == EZ_MIN(l->all, 2u), "long messages");
    for (size_t i = 0; i < l->n; i++)
        MUST(l->at[i].sent_ns <= l->at[i].received_ns, "the time of a message");
}

static void all_tables(struct all *a)
{
    check_long_messages(a->long_messages);
    check_slowest(a->slowest);
    check_locks(a->locks);
    check_analysis(a->analysis);
    ez_stats_table(a->st, EZ_SORT_TOTAL);
    ez_timeline_finish(a->t);
    ez_samples_table(a->samples);
    ez_values_table(a->values);
    for (size_t i = 0; i < a->values->n; i++) {
        const struct ez_value_row *v = &a->values->row[i];
        MUST(v->count + v->other && v->min <= v->max, "values of %s", v->item);
    }
    ez_messages_sort(a->messages);
    ez_vars_table(a->vars);
    ez_vars_table(a->files);
    for (size_t i = 0; i < a->samples->n; i++) {
        const struct ez_sample_row *s = &a->samples->row[i];
        MUST(s->min <= s->max && (s->calls || !s->total), "samples of %s", s->counter);
    }
    for (size_t i = 0; i < a->messages->n; i++) {
        const struct ez_message_row *m = &a->messages->row[i];
        MUST(m->messages && m->least <= m->most && m->least_ns <= m->most_ns, "messages");
    }
}

static void all_end(struct all *a)
{
    ez_stats_free(a->st);
    ez_timeline_free(a->t);
    ez_samples_free(a->samples);
    ez_values_free(a->values);
    ez_messages_free(a->messages);
    ez_long_messages_free(a->long_messages);
    ez_vars_free(a->vars);
    ez_vars_free(a->files);
    ez_stacks_free(&a->stacks);
    ez_slowest_free(a->slowest);
    ez_locks_free(a->locks);
    ez_analysis_free(a->analysis);
    free(a);
}

static ez_err *through(char *const *name, size_t n, bool window)
{
    struct ez_replay *r;
    EZ_TRY(ez_replay_open(name, n, NULL, &r));
    uint64_t span = ez_replay_sum(r)->span_ns;
    if (window) /* of no length: refused */
        ez_err_drop(ez_replay_window(r, span / 4, span / 2));
    struct all *a = all_begin(r);
    ez_replay_about(r, "n");
    ez_err *e = ez_replay_run(r, check_item, a, NULL);
    if (!e) {
        all_tables(a);
        check_adds(r);
        MUST(window || ez_replay_sum(r)->late == 0, "told late");
    }
    all_end(a);
    ez_replay_close(r);
    return e;
}

static void convert(char *const *name, size_t n, unsigned how)
{
    static const char *const formats[] = {
        "csv",   "chrome",   "folded", "speedscope", "callgrind",
#ifdef HAVE_PROTOBUF_C
        "pprof", "perfetto",
#endif
    };
    char out[64];
    struct ez_converted done = { .out = NULL };
    snprintf(out, sizeof out, "fuzz_fxt-%d.out", getpid());
    size_t format = how % EZ_ARRAY_LEN(formats);
    const struct ez_convert w = {
        .in = name, .n = n, .format = formats[format], .columns = !format && how & 1, .out = out
    };
    ez_err *e = ez_convert(&w, &done);
    MUST(!e, "%s", e->msg);
    free(done.out);
    free(done.notice);
    ez_trace_sum_free(&done.sum);
    unlink(out);
}

/* ---- repair ------------------------------------------------------------------------------------ */

static uint64_t whole_records(const char *name, bool *damaged)
{
    struct ez_fxt_in *in = NULL;
    struct ez_fxt_event ev;
    bool got = false;
    uint64_t n = 0, pos = 0;
    ez_err *e = ez_fxt_in_open(name, &in);
    while (!e && !(e = ez_fxt_in_next(in, &ev, &got)) && got) {
        MUST(ez_fxt_in_pos(in) > pos && ev.narg <= 254, "stands still at %lu", (unsigned long)pos);
        pos = ez_fxt_in_pos(in);
        n++;
    }
    ez_fxt_in_close(in);
    *damaged = !ez_err_drop(e);
    return n;
}

static void repair(const char *name)
{
    struct ez_fxt_repair r;
    bool damaged;
    uint64_t n = whole_records(name, &damaged);
    if (!ez_err_drop(ez_fxt_repair(name, NULL, &r)))
        return;
    MUST(r.events == n && r.gained <= n, "%lu records, repaired %lu, gained %lu", (unsigned long)n,
         (unsigned long)r.events, (unsigned long)r.gained);
    MUST(whole_records(name, &damaged) == n && !damaged, "%lu records before the repair",
         (unsigned long)n);
    struct ez_fxt_repair again;
    ez_err *e = ez_fxt_repair(name, NULL, &again);
    MUST(!e && !again.gained && !again.cut && again.events == n, "repaired twice");
}

/* A compressed trace is not mended in its place, but replaced: so it needs a name. */
static void repair_compressed(const uint8_t *data, size_t size)
{
    char name[64];
    snprintf(name, sizeof name, "fuzz_fxt-%d.packed", getpid());
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size && !close(fd), "no disk");
    repair(name);
    unlink(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes b = { data, size };
    unsigned how = (unsigned)fuzz_take(&b, 1);
    size_t n = how & 1 ? 2 : 1;
    size_t cut = n == 2 ? fuzz_take(&b, 2) : b.left, len[2] = { EZ_MIN(cut, b.left), 0 };
    char text[2][64], *name[2] = { text[0], text[1] };
    int fd[2];
    len[1] = b.left - len[0];
    for (size_t i = 0; i < n; i++) {
        fd[i] = memfd_create("fuzz", MFD_CLOEXEC);
        snprintf(text[i], sizeof text[i], "/proc/self/fd/%d", fd[i]);
        MUST(write(fd[i], b.at + (i ? len[0] : 0), len[i]) == (ssize_t)len[i], "no memory");
    }
    ez_err *e = through(name, n, how & 0x40);
    MUST(!e || e->code == EZ_E_FORMAT, "%s", e->msg);
    MUST(!e || strstr(e->msg, "/proc/self/fd/"), "names no file: %s", e->msg);
    if (ez_err_drop(e) && how & 2)
        convert(name, n, how >> 2);
    bool compressed;
    ez_fxt_is_trace(fd[0], &compressed);
    if (compressed)
        repair_compressed(b.at, len[0]);
    else
        repair(name[0]);
    for (size_t i = 0; i < n; i++)
        close(fd[i]);
    return 0;
}
