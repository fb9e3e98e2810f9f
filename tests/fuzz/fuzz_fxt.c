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

#include "engine/format/convert.h"
#include "engine/trace/fxt_in.h"
#include "engine/trace/stats.h"
#include "engine/trace/timeline.h"
#include "tests/unit/engine/trace_file.h"

const unsigned long fuzz_runs = 12000;
const size_t fuzz_max = 8192;

/* ---- seeds ------------------------------------------------------------------------------- */

static void write_example(const char *path, unsigned kind)
{
    struct ez_fxt_out *f = tf_open(path, 42);
    uint64_t ledger[] = { 20, 12, 3, 2, 3, 7, 1 }, schema[] = { 1, 1000000000 };
    tf_ok(ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_SCHEMA, 1, 42, schema, 2, NULL, 0 }));
    tf_process(f, 42 + kind, "/bin/app", kind & 1 ? "here" : "there");
    tf_clock(f, 1, 1700000000000000000u, 1);
    tf_probe(f, 0, TF_BOTH, "outer", "app");
    tf_probe(f, 1, TF_BOTH, "inner", "lib.so");
    tf_probe(f, 2, EZ_ROW_ENTRY | EZ_ROW_REC_ENTRY, "point", "app");
    for (uint64_t c = 4; c < 4 + EZ_A_COUNT; c++)
        tf_meaning(f, c, (enum ez_action)(c - 4), (unsigned)(c + kind) % 3, "name");
    for (uint64_t i = 0; i < 10 * (kind + 1); i++) {
        uint64_t t = 1 + i % 3;
        tf_put(f, 100 * i + 50 * t, t, (uint32_t)i % 2, kind > 1 && i % 4 > 1);
        tf_put(f, 100 * i + 40, t, 2, false);
        if (kind != 1) /* a file without any argument, too */
            tf_event(f, 100 * i + 30, t, 4 + i % EZ_A_COUNT, t, 2);
        tf_put(f, 100 * i + 20, t, (uint32_t)i % 2, true);
        if (kind == 3) {
            tf_thread(f, 100 * i + 60, t, (unsigned)i % 6, i % 2);
            tf_unwind(f, 100 * i + 70, t, (uint32_t)i % 2);
            tf_thread(f, 100 * i + 80, t, (unsigned)(i / 2) % 6, i % 3 % 2);
        }
    }
    tf_clock(f, 2000001, 1700000000002000000u, 2000001);
    tf_ok(ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_LEDGER, 1, 42, ledger, 7, NULL, 0 }));
    tf_ok(ez_fxt_out_close(f));
}

/* Inputs are: a byte that says what to do, then the file. Those of two files: the byte,
 * 2 bytes of length, then both. */
size_t fuzz_seed(unsigned n, uint8_t *buf, size_t max)
{
    char name[64];
    if (n >= 8)
        return 0;
    EZ_CLOSE int fd = memfd_create("seed", MFD_CLOEXEC);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    write_example(name, n % 4);
    ssize_t len = pread(fd, buf + 1, max - 1, 0);
    buf[0] = (uint8_t)(n * 2);
    if (n < 4)
        return (size_t)len + 1;
    buf[0] |= 1;
    len = pread(fd, buf + 3, max / 2 - 3, 0);
    uint16_t first = (uint16_t)len;
    memcpy(buf + 1, &first, 2);
    memcpy(buf + 3 + len, buf + 3, (size_t)len);
    return 3 + 2 * (size_t)len;
}

/* ---- the whole way -------------------------------------------------------------------------- */

struct all {
    struct ez_stats *st;
    struct ez_timeline *t;
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
        MUST(it->start_ns <= it->ns && it->took_ns <= it->ns - it->start_ns &&
                 it->self_ns <= it->took_ns,
             "more than all");
        a->self[it->container] += it->self_ns;
        a->all[it->container] += it->depth ? 0 : it->ns - it->start_ns;
    }
    if (known && it->kind == EZ_I_CONTAINER_END) {
        MUST(a->depth[it->container] == 0, "left open");
        MUST(a->self[it->container] == a->all[it->container], "calls and pauses are not all");
    }
    EZ_TRY(ez_stats_item(a->st, it));
    return ez_timeline_item(a->t, it);
}

static ez_err *through(char *const *name, size_t n, bool window)
{
    struct ez_replay *r;
    EZ_TRY(ez_replay_open(name, n, NULL, &r));
    uint64_t span = ez_replay_sum(r)->span_ns;
    if (window) /* of no length: refused */
        ez_err_drop(ez_replay_window(r, span / 4, span / 2));
    struct all *a = ez_alloc(sizeof *a);
    a->st = ez_stats_create(ez_replay_model(r), EZ_BY_FUNCTION | EZ_BY_THREAD, false);
    a->t = ez_timeline_create(ez_replay_model(r), 0, ez_replay_sum(r)->span_ns, 100);
    ez_err *e = ez_replay_run(r, check_item, a, NULL);
    if (!e) {
        ez_stats_table(a->st, EZ_SORT_TOTAL);
        ez_timeline_finish(a->t);
        MUST(window || ez_replay_sum(r)->late == 0, "told late");
    }
    ez_stats_free(a->st);
    ez_timeline_free(a->t);
    ez_replay_close(r);
    free(a);
    return e;
}

static void convert(char *const *name, size_t n, unsigned how)
{
    static const char *const formats[] = { "csv", "chrome", "folded" };
    char out[64];
    struct ez_converted done = { .out = NULL };
    snprintf(out, sizeof out, "fuzz_fxt-%d.out", getpid());
    const struct ez_convert w = {
        .in = name, .n = n, .format = formats[how % EZ_ARRAY_LEN(formats)], .out = out
    };
    ez_err *e = ez_convert(&w, &done);
    MUST(!e, "%s", e->msg);
    free(done.out);
    free(done.notice);
    free(done.sum.damage);
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
    if (!ez_err_drop(ez_fxt_repair(name, &r)))
        return;
    MUST(r.events == n && r.gained <= n, "%lu records, repaired %lu, gained %lu", (unsigned long)n,
         (unsigned long)r.events, (unsigned long)r.gained);
    MUST(whole_records(name, &damaged) == n && !damaged, "%lu records before the repair",
         (unsigned long)n);
    struct ez_fxt_repair again;
    ez_err *e = ez_fxt_repair(name, &again);
    MUST(!e && !again.gained && !again.cut && again.events == n, "repaired twice");
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
    repair(name[0]);
    for (size_t i = 0; i < n; i++)
        close(fd[i]);
    return 0;
}
