/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_zst.c - a file of zstd frames is whole whenever its writer is killed, and is read at any
 * place, damaged or not. Linked with --wrap=pwrite,ftruncate,pread, so that the test looks at the
 * file at each change, and changes it between two reads. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "engine/base/zst.h"
#include "engine/record/fxt_out.h"
#include "engine/trace/fxt_copy.h"
#include "engine/trace/fxt_in.h"
#include "tests/unit/trace_file.h"
#include "tests/unit/suite.h"
#include "tests/unit/tool.h"

enum { ALL = 24 << 20, HEAD = 1000 };

static char path[64], other[64];
static char *model; /* ALL bytes: what the plain file has                                 */
static int fd = -1;
static struct {
    bool on, half; /* look at each change; and in the midst of each                       */
    size_t sure;   /* so many bytes must be there                                         */
    size_t looks;
} watch;

/* Half of it repeats, half of it does not. */
static void setup(void)
{
    uint64_t x = 88172645463325252u;
    snprintf(path, sizeof path, "check_zst-%d.fxt", getpid());
    snprintf(other, sizeof other, "check_zst-%d-other.fxt", getpid());
    model = ez_alloc(ALL);
    for (size_t i = 0; i < ALL / 8; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        uint64_t word = i / 8192 % 8 == 0 ? x : i % 3 ? 0x100002a01 : i * 7 + x % 16;
        memcpy(model + i * 8, &word, 8);
    }
    fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ck_assert_int_ge(fd, 0);
    memset(&watch, 0, sizeof watch);
}

static void teardown(void)
{
    close(fd);
    free(model);
    unlink(path);
    unlink(other);
}

static void ok(ez_err *e)
{
    ck_assert_msg(!e, "%s", e ? e->msg : "");
}

/* Bytes [from, to) of the plain file are the model's. */
static void holds(struct ez_zst_in *z, size_t from, size_t to)
{
    static char buf[1 << 16];
    for (size_t got; from < to; from += got) {
        ok(ez_zst_in_read(z, buf, EZ_MIN(sizeof buf, to - from), from, &got));
        ck_assert_uint_gt(got, 0);
        ck_assert_msg(!memcmp(buf, model + from, got), "other bytes from %zu on", from);
    }
}

/* The file as it is now is a chain of frames, and nothing that was appended is missing. */
static void look(bool whole)
{
    struct ez_zst_in *z;
    ok(ez_zst_in_open(fd, &z));
    watch.looks++;
    ck_assert_uint_ge(ez_zst_in_size(z), watch.sure);
    ck_assert(!whole || !ez_zst_in_cut(z));
    holds(z, watch.sure - EZ_MIN(watch.sure, 3 << 19), watch.sure);
    ez_zst_in_free(z);
}

ssize_t __real_pwrite(int, const void *, size_t, off_t);
ssize_t __wrap_pwrite(int, const void *, size_t, off_t);
ssize_t __wrap_pwrite(int to, const void *buf, size_t n, off_t at)
{
    if (to == fd && watch.on && watch.half && n > ZST_GAP &&
        __real_pwrite(to, buf, n / 2, at) == (ssize_t)(n / 2))
        look(false);
    ssize_t k = __real_pwrite(to, buf, n, at);
    if (to == fd && watch.on)
        look(k == (ssize_t)n);
    return k;
}

int __real_ftruncate(int, off_t);
int __wrap_ftruncate(int, off_t);
int __wrap_ftruncate(int to, off_t n)
{
    int k = __real_ftruncate(to, n);
    if (to == fd && watch.on)
        look(true);
    return k;
}

static struct ez_zst_out *begin(void)
{
    struct ez_zst_out *o;
    ck_assert_int_eq(ez_zst_out_begin(fd, model, HEAD, &o), 0);
    watch.sure = HEAD;
    return o;
}

/* Appends up to n bytes in all, in pieces of at most `most`. */
static void append_to(struct ez_zst_out *o, size_t n, size_t most)
{
    static uint32_t x = 12345;
    while (watch.sure < n) {
        x = x * 1664525 + 1013904223;
        size_t k = EZ_MIN(n - watch.sure, 1 + (x >> 8) % most);
        ck_assert_int_eq(ez_zst_out_append(o, model + watch.sure, k), 0);
        watch.sure += k;
    }
}

static void finish(struct ez_zst_out *o)
{
    ck_assert_int_eq(ez_zst_out_finish(o), 0);
    struct stat st;
    ck_assert(!fstat(fd, &st) && (uint64_t)st.st_size == ez_zst_out_bytes(o));
    ez_zst_out_free(o);
}

static void all_there(size_t n)
{
    struct ez_zst_in *z;
    ok(ez_zst_in_open(fd, &z));
    ck_assert_uint_eq(ez_zst_in_size(z), n);
    ck_assert_uint_eq(ez_zst_in_cut(z), 0);
    holds(z, 0, n);
    ez_zst_in_free(z);
}

/* The zstd program gives the first n bytes of the model, and status 0. */
static void zstd_agrees(size_t n)
{
    char cmd[200];
    if (!tool_there("zstd"))
        return;
    FILE *f = fopen(other, "w");
    ck_assert(f && fwrite(model, 1, n, f) == n && !fclose(f));
    snprintf(cmd, sizeof cmd, "set -o pipefail; zstd -dc %s | cmp - %s", path, other);
    char line[300];
    snprintf(line, sizeof line, "bash -c '%s'", cmd);
    ck_assert_int_eq(system(line), 0);
}

START_TEST(what_was_written_is_read)
{
    struct stat st;
    struct ez_zst_out *o = begin();
    append_to(o, ALL, ZST_PIECE);
    ck_assert_int_eq(ez_zst_out_patch(o, model + 100, 8, 100), 0);
    finish(o);
    all_there(ALL);
    zstd_agrees(ALL);
    ck_assert(!fstat(fd, &st) && st.st_size < ALL / 2);
}
END_TEST

START_TEST(what_is_empty_is_read)
{
    finish(begin());
    all_there(HEAD);
    zstd_agrees(HEAD);
}
END_TEST

/* Killed between two writes, or in the midst of one: with half of each write done. */
START_TEST(whole_at_each_change)
{
    struct ez_zst_out *o = begin();
    watch.on = true;
    watch.half = _i;
    append_to(o, ALL, ZST_PIECE);
    finish(o);
    ck_assert_uint_gt(watch.looks, 400);
    watch.on = false;
    all_there(ALL);
}
END_TEST

/* Small pieces make a long tail of small blocks. The file never grows far beyond its frames. */
START_TEST(a_killed_writer)
{
    struct stat st;
    struct ez_zst_out *o = begin();
    append_to(o, ALL / 2 + 12345, 3000);
    all_there(ALL / 2 + 12345);
    zstd_agrees(ALL / 2 + 12345);
    ck_assert(!fstat(fd, &st) && (uint64_t)st.st_size < ez_zst_out_bytes(o) + 10 * ZST_BLOCK);
    ez_zst_out_free(o);
}
END_TEST

/* A block that cannot be made smaller takes a few bytes more, and the gap becomes narrower by these:
 * it is made wide again in time. */
START_TEST(noise_does_not_fill_the_gap)
{
    for (size_t i = 0; i < ALL / 8; i++) {
        static uint64_t x = 88172645463325252u;
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        memcpy(model + i * 8, &x, 8);
    }
    struct ez_zst_out *o = begin();
    append_to(o, ALL, ZST_PIECE);
    finish(o);
    all_there(ALL);
}
END_TEST

/* ---- what is not as it was ---------------------------------------------------------------------------- */

static off_t written(size_t n)
{
    struct stat st;
    struct ez_zst_out *o = begin();
    append_to(o, n, ZST_PIECE);
    finish(o);
    ck_assert_int_eq(fstat(fd, &st), 0);
    return st.st_size;
}

/* However much of the end is missing: whole frames are read, and what is left of one is told. */
START_TEST(a_file_that_was_cut)
{
    struct ez_zst_in *z;
    off_t size = written(ALL / 4);
    size_t before = ALL / 4;
    for (off_t n = size - 1; n > HEAD + ZST_HEAD; n -= n > size - 200 ? 1 : 40009) {
        ck_assert_int_eq(ftruncate(fd, n), 0);
        ok(ez_zst_in_open(fd, &z));
        size_t have = ez_zst_in_size(z);
        ck_assert_uint_le(have, before);
        ck_assert(!ez_zst_in_finished(z) && ez_zst_in_cut(z) < ZST_BLOCK);
        holds(z, 0, have);
        ez_zst_in_free(z);
        before = have;
    }
    ck_assert_uint_eq(before, HEAD);
}
END_TEST

static uint32_t word_at(off_t at)
{
    uint32_t v;
    ck_assert_int_eq(pread(fd, &v, 4, at), 4);
    return v;
}

static void set_word(off_t at, uint32_t v)
{
    ck_assert_int_eq(pwrite(fd, &v, 4, at), 4);
}

/* One frame is damaged: it is refused by its place in the file, the others are read. */
START_TEST(a_damaged_frame)
{
    struct ez_zst_in *z;
    char buf[100], words[80];
    size_t got;
    off_t size = written(ALL / 4);
    uint32_t n = word_at(size - ZST_FOOT);
    off_t table = size - ZST_FOOT - (off_t)n * 8, at = 0;
    for (unsigned i = 0; i < 4; i++) /* head, gap, frame, gap */
        at += word_at(table + i * 8);
    set_word(at + 5000, word_at(at + 5000) ^ 0x55);
    for (int table_too = 1; table_too >= 0; table_too--) {
        if (!table_too)
            ck_assert_int_eq(ftruncate(fd, table - ZST_GAP), 0);
        ok(ez_zst_in_open(fd, &z));
        ck_assert_uint_eq(ez_zst_in_size(z), ALL / 4);
        holds(z, 0, ZST_BLOCK / 2);
        ez_err *e = ez_zst_in_read(z, buf, sizeof buf, ZST_BLOCK + 500000, &got);
        snprintf(words, sizeof words, "The zstd frame at byte %ld is damaged", (long)at);
        ck_assert(e && e->code == EZ_E_FORMAT);
        ck_assert_str_eq(e->msg, words);
        ez_err_free(e);
        holds(z, 3 * ZST_BLOCK, ALL / 4);
        ez_zst_in_free(z);
    }
}
END_TEST

/* A table that lies about sizes does no harm: what it leads to is compared. */
START_TEST(a_table_that_lies)
{
    struct ez_zst_in *z;
    off_t size = written(ALL / 4);
    uint32_t n = word_at(size - ZST_FOOT);
    off_t table = size - ZST_FOOT - (off_t)n * 8;
    static const uint32_t lies[] = { 0, 1, 7, 1 << 20, 65 << 20, UINT32_MAX };
    char *buf = ez_alloc(ALL);
    for (size_t k = 0; k < 10; k++)
        for (size_t i = 0; i < EZ_ARRAY_LEN(lies); i++) {
            off_t at = table + (off_t)k * 4;
            uint32_t was = word_at(at);
            set_word(at, lies[i]);
            ok(ez_zst_in_open(fd, &z));
            size_t have = EZ_MIN(ez_zst_in_size(z), (size_t)ALL), got = 1;
            ez_err *e = NULL;
            for (size_t from = 0; !e && from < have && got; from += got)
                e = ez_zst_in_read(z, buf + from, have - from, from, &got);
            ck_assert(!e || e->code == EZ_E_FORMAT);
            ck_assert(e || !memcmp(buf, model, EZ_MIN(have, (size_t)ALL / 4)));
            ez_err_drop(e);
            ez_zst_in_free(z);
            set_word(at, was);
        }
    free(buf);
    all_there(ALL / 4);
}
END_TEST

/* Files of others: what we cannot read in parts is refused with what helps. */
static const struct {
    unsigned char bytes[24];
    size_t n;
    const char *says; /* NULL = no error, and no bytes */
} strange[] = {
    { { 0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0 },
      16,
      "A zstd frame of 4096 MiB is too large" },
    { { 0x28, 0xb5, 0x2f, 0xfd, 0, 0x50, 0x0d, 0, 0, 1 },
      10,
      "A zstd frame does not contain its size" },
    { { 0x28, 0xb5, 0x2f, 0xfd, 0, 0x50, 1, 0, 0 }, 9, NULL },
    { { 0x28, 0xb5, 0x2f, 0xfd }, 4, NULL },
    { { 0x28, 0xb5, 0x2f, 0xfd, 0xff, 0xff, 0xff }, 7, NULL },
    { { 0x50, 0x2a, 0x4d, 0x18, 0xff, 0xff, 0xff, 0xff }, 8, NULL },
    { { 0x5e, 0x2a, 0x4d, 0x18, 0x09, 0, 0, 0, 0, 0, 0, 0, 0, 0xb1, 0xea, 0x92, 0x8f }, 17, NULL },
};
START_TEST(strange_files)
{
    struct ez_zst_in *z = NULL;
    ck_assert_int_eq(pwrite(fd, strange[_i].bytes, strange[_i].n, 0), (ssize_t)strange[_i].n);
    ez_err *e = ez_zst_in_open(fd, &z);
    if (strange[_i].says) {
        ck_assert(e && e->code == EZ_E_FORMAT);
        ck_assert_str_eq(e->msg, strange[_i].says);
        if (strstr(e->msg, "too large"))
            ck_assert_str_eq(e->hint, "\"zstd -d\" decompresses the file");
        ez_err_free(e);
        return;
    }
    ok(e);
    ck_assert_uint_eq(ez_zst_in_size(z), 0);
    ez_zst_in_free(z);
}
END_TEST

/* The disk is full: what was appended before is there, and it stays so to the end. */
START_TEST(a_full_disk)
{
    struct ez_zst_out *o = begin();
    struct rlimit lim = { 6 << 20, RLIM_INFINITY };
    signal(SIGXFSZ, SIG_IGN);
    append_to(o, 3 << 20, ZST_PIECE);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &lim), 0);
    watch.on = true;
    int e = 0;
    while (!e && watch.sure + ZST_PIECE <= ALL)
        if (!(e = ez_zst_out_append(o, model + watch.sure, ZST_PIECE)))
            watch.sure += ZST_PIECE;
    ck_assert_int_eq(e, EFBIG);
    ck_assert_uint_gt(watch.sure, 4 << 20);
    (void)!ez_zst_out_finish(o);
    ez_zst_out_free(o);
    watch.on = false;
    all_there(watch.sure);
    zstd_agrees(watch.sure);
}
END_TEST

/* ---- read while it is written --------------------------------------------------------------------------- */

static size_t published; /* atomic */

static void *writes(void *arg)
{
    struct ez_zst_out *o = arg;
    static uint32_t x = 99;
    for (size_t at = HEAD, k; at < ALL; at += k) {
        x = x * 1664525 + 1013904223;
        k = EZ_MIN(ALL - at, 1 + (x >> 8) % 20000);
        if (ez_zst_out_append(o, model + at, k))
            abort();
        __atomic_store_n(&published, at + k, __ATOMIC_RELEASE);
    }
    return NULL;
}

START_TEST(read_while_it_is_written)
{
    struct ez_zst_in *z;
    pthread_t thread;
    struct ez_zst_out *o = begin();
    ok(ez_zst_in_open(fd, &z));
    published = HEAD;
    ck_assert_int_eq(pthread_create(&thread, NULL, writes, o), 0);
    size_t seen = 0;
    while (seen < ALL) {
        size_t least = __atomic_load_n(&published, __ATOMIC_ACQUIRE);
        ok(ez_zst_in_refresh(z));
        ck_assert_uint_ge(ez_zst_in_size(z), least);
        holds(z, seen - EZ_MIN(seen, 4096), least);
        seen = least;
    }
    pthread_join(thread, NULL);
    finish(o);
    ok(ez_zst_in_refresh(z));
    ck_assert_uint_eq(ez_zst_in_size(z), ALL);
    holds(z, 0, ALL);
    ez_zst_in_free(z);
}
END_TEST

/* The writer works between any two reads of the reader, now and then for longer than the reader needs to
 * find the tail: data are where the tail was, and the reader takes them for frames. */
static struct {
    struct ez_zst_out *out; /* NULL: nothing is written */
    uint32_t x;
    bool moved; /* the wide gap has changed each time that the reader looks at it again */
} between;

ssize_t __real_pread(int, void *, size_t, off_t);
ssize_t __wrap_pread(int, void *, size_t, off_t);
ssize_t __wrap_pread(int from, void *buf, size_t n, off_t at)
{
    ssize_t k = __real_pread(from, buf, n, at);
    struct ez_zst_out *o = between.out;
    if (from == fd && between.moved && n == ZST_GAP)
        *(char *)buf ^= 1;
    if (from == fd && o) {
        between.out = NULL;
        uint32_t x = between.x = between.x * 1664525 + 1013904223;
        append_to(o, EZ_MIN(ALL, watch.sure + (x >> 28 ? (x >> 8) % 20000 : 3 << 20)), ZST_PIECE);
        between.out = o;
    }
    return k;
}

START_TEST(written_between_two_reads)
{
    struct ez_zst_in *z;
    struct ez_zst_out *o = begin();
    ok(ez_zst_in_open(fd, &z));
    between.out = o;
    between.x = 7919 * (uint32_t)_i;
    while (watch.sure < ALL) {
        size_t least = watch.sure;
        ok(ez_zst_in_refresh(z));
        ck_assert_uint_ge(ez_zst_in_size(z), least);
        holds(z, least - EZ_MIN(least, 4096), least);
    }
    between.out = NULL;
    finish(o);
    ok(ez_zst_in_refresh(z));
    holds(z, 0, ALL);
    ez_zst_in_free(z);
}
END_TEST

/* A writer that moves the wide gap at each look: the reader gives up. */
START_TEST(written_too_fast)
{
    struct ez_zst_in *z;
    struct ez_zst_out *o = begin();
    append_to(o, 3 << 20, ZST_PIECE);
    ok(ez_zst_in_open(fd, &z));
    between.moved = true;
    ez_err *e = ez_zst_in_refresh(z);
    between.moved = false;
    ck_assert(e && e->code == EZ_E_TIMEOUT);
    ck_assert_str_eq(e->msg, "The program writes the trace faster than eztsh reads it");
    ez_err_free(e);
    ez_zst_in_free(z);
    ez_zst_out_free(o);
}
END_TEST

/* Somebody truncates the file between two reads. */
START_TEST(cut_between_two_reads)
{
    struct ez_zst_in *z;
    char byte;
    size_t got;
    struct ez_zst_out *o = begin();
    append_to(o, ALL, ZST_PIECE);
    finish(o);
    ok(ez_zst_in_open(fd, &z));
    ck_assert_int_eq(ftruncate(fd, 5000), 0);
    ez_err *e = ez_zst_in_read(z, &byte, 1, ALL / 2, &got);
    ck_assert(e && e->code == EZ_E_FORMAT);
    ck_assert_str_eq(e->msg, "The file became shorter while it was read");
    ez_err_free(e);
    ez_zst_in_free(z);
}
END_TEST

/* ---- traces --------------------------------------------------------------------------------------------- */

enum { EVENTS = 200000, DEFS = 3 };

static void write_trace(const char *to, bool compress, bool close_it)
{
    struct ez_fxt_out *f;
    struct ez_rec r[500];
    ok(ez_fxt_out_begin(&(struct ez_fxt_want){ to, 42, false, compress }, &f));
    tf_probe(f, 0, EZ_ROW_ENTRY | EZ_ROW_EXIT | EZ_ROW_REC_ENTRY | EZ_ROW_REC_EXIT, "work", "app");
    for (uint64_t i = 0; i < EVENTS;) {
        for (size_t k = 0; k < EZ_ARRAY_LEN(r); k++, i++)
            r[k] = (struct ez_rec){ 1000 + 40 * i + i % 7, 42, (EZ_C_PROBE + (i & 1)) << 8 | 1 };
        ok(tf_append(f, r, EZ_ARRAY_LEN(r)));
    }
    ok(ez_fxt_out_checkpoint(f));
    if (close_it)
        ok(ez_fxt_out_close(f));
}

static uint64_t events_of(const char *name, char *said, size_t n)
{
    struct ez_fxt_in *in;
    struct ez_fxt_event ev;
    bool got;
    uint64_t events = 0;
    ez_err *e;
    ok(ez_fxt_in_open(name, &in));
    while (!(e = ez_fxt_in_next(in, &ev, &got)) && got)
        events += ev.code >= EZ_C_PROBE;
    snprintf(said, n, "%s", e ? e->msg : "");
    ck_assert(!e || (e->code == EZ_E_FORMAT && ez_err_drop(ez_fxt_in_next(in, &ev, &got)) && !got));
    ez_err_free(e);
    ez_fxt_in_close(in);
    return events;
}

/* Truncates the trace that is being read. */
static bool cuts(void *arg, uint64_t done, uint64_t total)
{
    (void)total;
    if (!done)
        ck_assert_int_eq(truncate(arg, ZST_PIECE), 0);
    return true;
}

START_TEST(cut_while_it_is_exported)
{
    uint64_t bytes;
    write_trace(path, false, true);
    ez_err *e = ez_fxt_export(path, other, &(struct ez_progress){ cuts, path }, &bytes);
    ck_assert(e && e->code == EZ_E_FORMAT);
    EZ_FREE char *want = ez_sprintf("%s: the trace became shorter while it was read", other);
    ck_assert_str_eq(e->msg, want);
    ez_err_free(e);
}
END_TEST

/* A file whose last block does not fit into a piece: nothing can be packed. */
START_TEST(compressed_is_not_packed)
{
    struct ez_fxt_in *in;
    write_trace(path, true, true);
    ok(ez_fxt_in_open(path, &in));
    ez_err *e = ez_fxt_pack(in, path, NULL, ZST_PIECE, 2 * ZST_PIECE);
    ck_assert(e && e->code == EZ_E_FORMAT);
    EZ_FREE char *want = ez_sprintf("%s is compressed: only a plain file can be repaired", path);
    ck_assert_str_eq(e->msg, want);
    ck_assert_str_eq(e->hint, "\"trace export\" makes a plain file");
    ez_err_free(e);
    ez_fxt_in_close(in);
}
END_TEST

/* The plain file of a compressed trace is what would have been written (but for the times). */
START_TEST(the_same_trace)
{
    uint64_t bytes;
    char said[200];
    struct ez_fxt_in *in;
    write_trace(path, true, true);
    write_trace(other, false, true);
    ck_assert_uint_eq(events_of(path, said, sizeof said), EVENTS);
    ck_assert_str_eq(said, "");
    ok(ez_fxt_in_open(other, &in));
    size_t from = ez_fxt_in_block(in), n = ez_fxt_in_size(in), got;
    char *plain = ez_alloc(n), *exported = ez_alloc(n);
    ok(ez_fxt_in_bytes(in, plain, n, 0, &got));
    ez_fxt_in_close(in);
    ok(ez_fxt_export(path, path, NULL, &bytes)); /* it may take its own place */
    ck_assert_uint_eq(bytes, n);
    ok(ez_fxt_in_open(path, &in));
    ck_assert_ptr_null(ez_fxt_in_frames(in));
    ok(ez_fxt_in_bytes(in, exported, n, 0, &got));
    ez_fxt_in_close(in);
    ck_assert_int_eq(memcmp(plain + from, exported + from, n - from), 0);
    free(plain);
    free(exported);
}
END_TEST

/* A trace that was cut loses the frame in which it was; who reads it is told once how much that
 * is. Mended, it says no more. */
START_TEST(a_trace_that_was_cut)
{
    struct stat st;
    struct ez_fxt_repair r;
    char said[200], words[200];
    write_trace(path, true, true);
    ck_assert(!stat(path, &st) && !truncate(path, st.st_size * 2 / 3));
    uint64_t left = events_of(path, said, sizeof said);
    unsigned long n;
    ck_assert(left > EVENTS / 3 && left < EVENTS);
    snprintf(words, sizeof words, "%s: the last %%lu bytes", path);
    ck_assert_int_eq(sscanf(said, words, &n), 1);
    ck_assert(strstr(said, " bytes are not a complete zstd frame, and are left out"));
    ok(ez_fxt_repair(path, NULL, &r));
    ck_assert_uint_eq(r.events, left + 1);
    ck_assert_uint_eq(r.cut, n);
    ck_assert_uint_eq(events_of(path, said, sizeof said), left);
    ck_assert_str_eq(said, "");
    ok(ez_fxt_repair(path, NULL, &r));
    ck_assert(!r.packed && !r.cut && !r.gained);
    struct ez_fxt_in *in;
    uint64_t block = 0;
    size_t got;
    ok(ez_fxt_in_open(path, &in));
    ok(ez_fxt_in_bytes(in, &block, sizeof block, ez_fxt_in_block(in), &got));
    ck_assert_uint_eq(ez_fxt_in_block(in) + block, ez_fxt_in_size(in));
    ez_fxt_in_close(in);
}
END_TEST

/* Who follows a trace that grows is told every event once, and as soon as it is checkpointed. */
START_TEST(a_trace_that_grows)
{
    struct ez_fxt_out *f;
    struct ez_fxt_in *in;
    struct ez_fxt_event ev;
    struct ez_rec r[5000];
    uint64_t read = 0;
    bool got = true;
    ok(ez_fxt_out_begin(&(struct ez_fxt_want){ path, 42, false, true }, &f));
    ok(ez_fxt_in_open(path, &in));
    for (uint64_t i = 0; i < 3 * EVENTS;) {
        for (size_t k = 0; k < EZ_ARRAY_LEN(r); k++, i++)
            r[k] = (struct ez_rec){ 1000 + 40 * i, 42, (EZ_C_PROBE + (i & 1)) << 8 | 1 };
        ok(tf_append(f, r, EZ_ARRAY_LEN(r)));
        ok(ez_fxt_out_checkpoint(f));
        ok(tf_append(f, r, 1)); /* this one is not */
        ok(ez_fxt_in_follow(in));
        for (;; read++) {
            ok(ez_fxt_in_next(in, &ev, &got));
            if (!got)
                break;
        }
        ck_assert_uint_eq(read, i + i / EZ_ARRAY_LEN(r) - 1);
    }
    ez_fxt_in_close(in);
    ok(ez_fxt_out_close(f));
}
END_TEST

/* Its writer is gone without closing it. */
START_TEST(a_trace_that_was_left)
{
    struct ez_fxt_repair r;
    struct stat st;
    char said[200];
    pid_t pid = fork();
    if (!pid) {
        write_trace(path, true, false);
        kill(getpid(), SIGKILL);
    }
    int status;
    ck_assert(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status));
    ck_assert_uint_eq(events_of(path, said, sizeof said), EVENTS);
    ck_assert_str_eq(said, "");
    ok(ez_fxt_repair(path, NULL, &r));
    ck_assert(r.packed && !r.cut && !r.gained && r.events == EVENTS + 1);
    ck_assert(!stat(path, &st) && st.st_size < EVENTS * 5);
    ck_assert_uint_eq(events_of(path, said, sizeof said), EVENTS);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_was_written_is_read, what_is_empty_is_read,
        a_killed_writer,          noise_does_not_fill_the_gap,
        a_file_that_was_cut,      a_damaged_frame,
        a_table_that_lies,        a_full_disk,
        read_while_it_is_written, the_same_trace,
        a_trace_that_grows,       a_trace_that_was_cut,
        a_trace_that_was_left,
    };
    Suite *s = suite_create("zst");
    TCase *c = tcase_create("zst");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    if (!ez_zst_can()) {
        puts("skip - eztsh was built without libzstd");
        return 77;
    }
    for (size_t i = 0; i < EZ_ARRAY_LEN(tests); i++)
        tcase_add_test(c, tests[i]);
    tcase_add_loop_test(c, whole_at_each_change, 0, 2);
    tcase_add_loop_test(c, written_between_two_reads, 0, 40);
    tcase_add_test(c, written_too_fast);
    tcase_add_test(c, cut_between_two_reads);
    tcase_add_test(c, cut_while_it_is_exported);
    tcase_add_test(c, compressed_is_not_packed);
    tcase_add_loop_test(c, strange_files, 0, EZ_ARRAY_LEN(strange));
    suite_add_tcase(s, c);
    return run_suite(s);
}
