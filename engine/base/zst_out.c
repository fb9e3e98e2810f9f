/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zst_out.c - writes a file of zstd frames: see zst.h.
 *
 * Only the caller's thread writes to the file. Other threads compress full blocks, from memory to
 * memory. The caller's thread writes the compressed blocks in order, at the next call of
 * ez_zst_out_append(). It waits for a compression only if QUEUE blocks are in use, and at the end.
 * Tests: tests/unit/base/check_zst.c */
#include "engine/base/zst.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "config.h"
#include "engine/base/newfile.h"
#include "engine/base/vec.h"

#ifdef HAVE_ZSTD
#include <zstd.h>

enum {
    LEVEL = 3,
    QUEUE = 5,   /* number of blocks: the block that is being filled, and the blocks before it */
    WRITERS = 4, /* maximum number of threads that compress */
    /* number of bytes by which the wide gap may become narrower before the tail is moved */
    MARGIN = 1 << 16
};
/* if the wide gap is wider than these bytes, the tail is moved to make it narrower */
#define FAR (8 * ZST_BLOCK)

struct zst_block {
    char *plain, *z;
    size_t n, nz; /* n: number of bytes in `plain`; nz: number of bytes in `z` */
    uint64_t at;  /* offset in the file of the frame of raw blocks with the same data */
    bool done;    /* compressed, or failed with the errno `error`; protected by the lock */
    int error;
};

struct zst_entry { /* a row of the table: bytes of a frame in this file and in the plain file */
    uint32_t in_file, plain;
};

struct ez_zst_out {
    int fd;
    uint64_t gap; /* offset of the wide gap, which is behind all compressed frames */
    uint64_t end; /* offset of the empty block that ends the tail */
    size_t foot;  /* bytes of the table; 0: not written yet */
    EZ_VEC(struct zst_entry) table;
    char piece[ZST_RAW_PIECE + ZST_PIECE + ZST_RAW_PIECE];
    size_t bound; /* maximum size of a compressed block */

    /* The tail: `full` blocks from block[first] on, then the block that is being filled. */
    struct zst_block block[QUEUE];
    /* first: oldest block; full: number of full blocks; claimed: number of blocks that threads
     * have begun; under the lock */
    size_t first, full, claimed;
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    pthread_t thread[WRITERS];
    /* nthreads: number of threads; most: maximum; idle: number of waiting threads */
    size_t nthreads, most, idle;
    bool quit;
};

/* ---- parts of the format --------------------------------------------------------------------- */

static size_t zst_put32(char *p, uint64_t v)
{
    uint32_t w = (uint32_t)v;
    memcpy(p, &w, sizeof w);
    return sizeof w;
}

static size_t zst_put_gap(char *p, uint32_t magic, uint64_t n)
{
    zst_put32(p, magic);
    zst_put32(p + 4, n);
    return ZST_GAP;
}

/* Writes the head of a raw block of n bytes. last: the block is the last block of the frame.
 * Returns the number of bytes written. */
static size_t zst_put_piece(char *p, size_t n, bool last)
{
    uint32_t word = (uint32_t)(n << 3 | last);
    memcpy(p, &word, ZST_RAW_PIECE);
    return ZST_RAW_PIECE;
}

/* Writes the head of a frame that does not contain its size. Returns the number of bytes
 * written. */
static size_t zst_put_raw_head(char *p)
{
    zst_put32(p, ZST_MAGIC);
    p[4] = 0;
    p[5] = 10 << 3; /* window of 2^(10 + 10) bytes: ZST_BLOCK */
    return ZST_RAW_HEAD;
}

static struct zst_block *zst_at(struct ez_zst_out *o, size_t i) /* the i-th block of the tail */
{
    return &o->block[(o->first + i) % QUEUE];
}

/* ---- threads --------------------------------------------------------------------------------- */

static ZSTD_CCtx *zst_context(void)
{
    ZSTD_CCtx *c = ZSTD_createCCtx();
    if (c) {
        ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, LEVEL);
        ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
    }
    return c;
}

/* Compresses the next block that no thread has begun. Called with the lock, and returns with it;
 * unlocks it during the compression. */
static void zst_compress_next(struct ez_zst_out *o, ZSTD_CCtx *c)
{
    struct zst_block *b = zst_at(o, o->claimed++);
    pthread_mutex_unlock(&o->lock);
    size_t n = c ? ZSTD_compress2(c, b->z, o->bound, b->plain, b->n) : 0;
    b->error = !c ? ENOMEM : ZSTD_isError(n) ? EIO : 0;
    b->nz = n;
    pthread_mutex_lock(&o->lock);
    b->done = true;
    pthread_cond_signal(&o->done);
}

static void *zst_main(void *arg)
{
    struct ez_zst_out *o = arg;
    ZSTD_CCtx *c = zst_context();
    pthread_mutex_lock(&o->lock);
    while (!o->quit) {
        if (o->claimed < o->full) {
            zst_compress_next(o, c);
            continue;
        }
        o->idle++;
        pthread_cond_wait(&o->work, &o->lock);
        o->idle--;
    }
    pthread_mutex_unlock(&o->lock);
    ZSTD_freeCCtx(c);
    return NULL;
}

/* Starts a thread that compresses. All signals are blocked in that thread, so that other threads
 * handle them. */
static void zst_start_thread(struct ez_zst_out *o)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    o->nthreads += !pthread_create(&o->thread[o->nthreads], NULL, zst_main, o);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* Queues the block that was being filled for compression. If no thread can be created, compresses
 * the block itself. */
static void zst_submit(struct ez_zst_out *o)
{
    pthread_mutex_lock(&o->lock);
    o->full++;
    if (!o->idle && o->nthreads < o->most)
        zst_start_thread(o);
    pthread_cond_signal(&o->work);
    if (!o->nthreads) {
        ZSTD_CCtx *c = zst_context();
        zst_compress_next(o, c);
        ZSTD_freeCCtx(c);
    }
    pthread_mutex_unlock(&o->lock);
}

/* Returns true if there is a full block and the oldest block is compressed. With `wait`, waits for
 * the compression. */
static bool zst_ready(struct ez_zst_out *o, bool wait)
{
    const struct zst_block *b = zst_at(o, 0);
    pthread_mutex_lock(&o->lock);
    while (wait && o->full && !b->done)
        pthread_cond_wait(&o->done, &o->lock);
    bool ready = o->full && b->done;
    pthread_mutex_unlock(&o->lock);
    return ready;
}

/* ---- from the tail to frames ----------------------------------------------------------------- */

/* Writes a block's data as a frame of raw blocks to `to`. Returns the length of the frame. */
static size_t zst_raw_frame(const struct zst_block *b, char *to)
{
    size_t n = zst_put_raw_head(to);
    for (size_t from = 0, k; from < b->n; from += k) {
        k = EZ_MIN(b->n - from, ZST_PIECE);
        n += zst_put_piece(to + n, k, false);
        memcpy(to + n, b->plain + from, k);
        n += k;
    }
    return n + zst_put_piece(to + n, 0, true);
}

/* Writes the tail again at offset `to`, then makes the wide gap end at `to`. If a part of the old
 * tail remains behind the new tail, that part becomes a gap until the file is truncated. Returns 0
 * or errno. */
static int zst_move(struct ez_zst_out *o, uint64_t to)
{
    uint64_t begin[QUEUE], at = to, old = o->end + ZST_RAW_PIECE;
    EZ_FREE char *buf = ez_alloc(ZST_BLOCK + ZST_PIECE);
    char word[4];
    int e = 0;
    for (size_t i = 0; i <= o->full && !e; i++) {
        size_t n = zst_raw_frame(zst_at(o, i), buf);
        begin[i] = at;
        at += n;
        if (i == o->full && at + ZST_GAP <= old)
            n += zst_put_gap(buf + n, ZST_SKIP, old - at - ZST_GAP);
        e = ez_pwrite_all(o->fd, buf, n, begin[i], NULL);
    }
    if (!e)
        e = ez_pwrite_all(o->fd, word, zst_put32(word, to - o->gap - ZST_GAP), o->gap + 4, NULL);
    if (e)
        return e;
    for (size_t i = 0; i <= o->full; i++)
        zst_at(o, i)->at = begin[i];
    o->end = at - ZST_RAW_PIECE;
    return at < old && ftruncate(o->fd, (off_t)at) ? errno : 0;
}

/* Returns the smallest offset for the tail that leaves enough room for a frame in the wide gap. */
static uint64_t zst_near(const struct ez_zst_out *o)
{
    return o->gap + ZST_GAP + o->bound + ZST_GAP + MARGIN;
}

/* Moves the tail if the wide gap is too narrow for a frame, or wider than FAR. Returns 0 or
 * errno. */
static int zst_keep_gap(struct ez_zst_out *o)
{
    uint64_t tail = zst_at(o, 0)->at, near = zst_near(o);
    if (tail < near - MARGIN)
        return zst_move(o, EZ_MAX(near, o->end + ZST_RAW_PIECE));
    return tail > o->gap + FAR ? zst_move(o, near) : 0;
}

/* Writes the compressed frame of the oldest block into the wide gap, and moves the tail if that is
 * necessary. Call when zst_ready() returned true. Returns 0 or errno. */
static int zst_commit(struct ez_zst_out *o)
{
    struct zst_block *b = zst_at(o, 0);
    uint64_t at = o->gap + ZST_GAP, gap = at + b->nz;
    char none[4] = { 0 };
    if (b->error)
        return b->error;
    size_t n = b->nz + zst_put_gap(b->z + b->nz, ZST_SKIP, zst_at(o, 1)->at - gap - ZST_GAP);
    int e = ez_pwrite_all(o->fd, b->z, n, at, NULL);
    if (!e)
        e = ez_pwrite_all(o->fd, none, sizeof none, o->gap + 4, NULL);
    if (e)
        return e;
    EZ_PUSH(&o->table, ((struct zst_entry){ ZST_GAP, 0 }));
    EZ_PUSH(&o->table, ((struct zst_entry){ (uint32_t)b->nz, (uint32_t)b->n }));
    o->gap = gap;
    pthread_mutex_lock(&o->lock);
    o->first = (o->first + 1) % QUEUE;
    o->full--;
    o->claimed--;
    pthread_mutex_unlock(&o->lock);
    return zst_keep_gap(o);
}

/* Writes frames of compressed blocks. Waits for compressions as long as more than `most` full
 * blocks are left. Returns 0 or errno. */
static int zst_commit_to(struct ez_zst_out *o, size_t most)
{
    int e = 0;
    while (!e && zst_ready(o, o->full > most))
        e = zst_commit(o);
    return e;
}

/* Begins block i of the tail, which is new, at offset `at`, behind the tail. Returns 0 or errno. */
static int zst_begin_block(struct ez_zst_out *o, size_t i, uint64_t at)
{
    struct zst_block *b = zst_at(o, i);
    char raw[ZST_RAW_HEAD + ZST_RAW_PIECE];
    size_t n = zst_put_raw_head(raw);
    int e = ez_pwrite_all(o->fd, raw, n + zst_put_piece(raw + n, 0, true), at, NULL);
    if (e)
        return ftruncate(o->fd, (off_t)at) ? errno : e;
    char *plain = b->plain ? b->plain : ez_alloc(ZST_BLOCK);
    char *z = b->z ? b->z : ez_alloc(o->bound + ZST_GAP);
    *b = (struct zst_block){ .plain = plain, .z = z, .at = at };
    o->end = at + n;
    return 0;
}

static int zst_next_block(struct ez_zst_out *o)
{
    int e = zst_commit_to(o, QUEUE - 2);
    if (!e)
        e = zst_begin_block(o, o->full + 1, o->end + ZST_RAW_PIECE);
    if (!e)
        zst_submit(o);
    return e;
}

/* ---- the functions of zst.h ------------------------------------------------------------------ */

bool ez_zst_can(void)
{
    return true;
}

int ez_zst_out_begin(int fd, const void *head, size_t n, struct ez_zst_out **out)
{
    struct ez_zst_out *o = ez_alloc(sizeof *o);
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    pthread_mutex_init(&o->lock, NULL);
    pthread_cond_init(&o->work, NULL);
    pthread_cond_init(&o->done, NULL);
    o->fd = fd;
    o->most = (size_t)EZ_MIN(EZ_MAX(cpus / 2, 1), WRITERS);
    o->bound = ZSTD_compressBound(ZST_BLOCK);
    o->gap = ZST_HEAD + n;
    uint64_t tail = zst_near(o);
    char *p = o->piece; /* the head, and the gap behind it */
    zst_put32(p, ZST_MAGIC);
    p[4] = (char)0xa0; /* single segment; four bytes with the size */
    zst_put32(p + 5, n);
    zst_put_piece(p + 9, n, true);
    int e = n > sizeof o->piece - ZST_HEAD - ZST_GAP ? EFBIG : 0;
    if (!e) {
        memcpy(p + ZST_HEAD, head, n);
        zst_put_gap(p + o->gap, ZST_SKIP, tail - o->gap - ZST_GAP);
        e = ez_pwrite_all(fd, p, o->gap + ZST_GAP, 0, NULL);
    }
    EZ_PUSH(&o->table, ((struct zst_entry){ (uint32_t)o->gap, (uint32_t)n }));
    if (!e)
        e = zst_begin_block(o, 0, tail);
    if (!e)
        *out = o;
    else
        ez_zst_out_free(o);
    return e;
}

int ez_zst_out_append(struct ez_zst_out *o, const void *bytes, size_t n)
{
    int e = zst_commit_to(o, QUEUE);
    if (!e && zst_at(o, o->full)->n + n > ZST_BLOCK)
        e = zst_next_block(o);
    if (e)
        return e;
    struct zst_block *b = zst_at(o, o->full);
    size_t len = zst_put_piece(o->piece, n, false);
    memcpy(o->piece + len, bytes, n);
    len += n;
    e = ez_pwrite_all(o->fd, o->piece, len + zst_put_piece(o->piece + len, 0, true), o->end, NULL);
    if (e) { /* write the old end of the tail again, for which the file has room */
        if (ftruncate(o->fd, (off_t)(o->end + ZST_RAW_PIECE)))
            return errno;
        zst_put_piece(o->piece, 0, true);
        (void)!ez_pwrite_all(o->fd, o->piece, ZST_RAW_PIECE, o->end, NULL);
        return e;
    }
    memcpy(b->plain + b->n, bytes, n);
    b->n += n;
    o->end += len;
    return 0;
}

int ez_zst_out_patch(struct ez_zst_out *o, const void *bytes, size_t n, uint64_t at)
{
    return ez_pwrite_all(o->fd, bytes, n, ZST_HEAD + at, NULL);
}

/* Cuts off the wide gap and the tail, which has no data, and appends the table. Returns 0 or
 * errno. */
static int zst_write_table(struct ez_zst_out *o)
{
    size_t n = o->table.n, len = n * sizeof *o->table.at;
    EZ_FREE char *buf = ez_alloc(ZST_GAP + len + ZST_FOOT);
    char *p = buf + zst_put_gap(buf, ZST_TABLE, len + ZST_FOOT);
    memcpy(p, o->table.at, len);
    p += len;
    zst_put32(p, n);
    zst_put32(p + 5, ZST_FOOTER);
    size_t all = ZST_GAP + len + ZST_FOOT;
    if (ftruncate(o->fd, (off_t)o->gap))
        return errno;
    int e = ez_pwrite_all(o->fd, buf, all, o->gap, NULL);
    if (e) /* remove the incomplete table: without a table, readers follow the chain of frames */
        return ftruncate(o->fd, (off_t)o->gap) ? errno : e;
    o->foot = all;
    return 0;
}

int ez_zst_out_finish(struct ez_zst_out *o)
{
    int e = zst_at(o, o->full)->n ? zst_next_block(o) : 0;
    if (!e)
        e = zst_commit_to(o, 0);
    return e ? e : zst_write_table(o);
}

uint64_t ez_zst_out_bytes(const struct ez_zst_out *o)
{
    return o->foot ? o->gap + o->foot : o->gap + o->end + ZST_RAW_PIECE - o->block[o->first].at;
}

void ez_zst_out_free(struct ez_zst_out *o)
{
    if (!o)
        return;
    pthread_mutex_lock(&o->lock);
    o->quit = true;
    pthread_cond_broadcast(&o->work);
    pthread_mutex_unlock(&o->lock);
    for (size_t i = 0; i < o->nthreads; i++)
        pthread_join(o->thread[i], NULL);
    for (size_t i = 0; i < QUEUE; i++) {
        free(o->block[i].plain);
        free(o->block[i].z);
    }
    EZ_VEC_FREE(&o->table);
    pthread_cond_destroy(&o->done);
    pthread_cond_destroy(&o->work);
    pthread_mutex_destroy(&o->lock);
    free(o);
}

#else /* Without libzstd, ez_zst_can() returns false and nothing is written. */

bool ez_zst_can(void)
{
    return false;
}

int ez_zst_out_begin(int fd, const void *head, size_t n, struct ez_zst_out **out)
{
    return ENOTSUP;
}

int ez_zst_out_append(struct ez_zst_out *o, const void *bytes, size_t n)
{
    return ENOTSUP;
}

int ez_zst_out_patch(struct ez_zst_out *o, const void *bytes, size_t n, uint64_t at)
{
    return ENOTSUP;
}

int ez_zst_out_finish(struct ez_zst_out *o)
{
    return ENOTSUP;
}

uint64_t ez_zst_out_bytes(const struct ez_zst_out *o)
{
    return 0;
}

void ez_zst_out_free(struct ez_zst_out *o)
{
}
#endif
