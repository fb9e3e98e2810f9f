/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zst_in.c - reads a file of zstd frames at any offset: see zst.h.
 *
 * The positions of frames are read from the seek table; without a table, from the heads of frames
 * and blocks. One frame at a time is decompressed. Files are not trusted: a frame of more than
 * ZST_MOST bytes is refused, and the sizes in the file are checked against the data.
 *
 * The writer sometimes moves the data behind the wide gap, and changes the gap before it overwrites
 * such data. So after each read of data behind the wide gap, the reader checks that the gap is
 * unchanged.
 * Tests: tests/unit/base/check_zst.c */
#include "engine/base/zst.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "config.h"
#include "engine/base/vec.h"

#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

enum {
    WINDOW = 4096,
    FRAME_HEAD = 18, /* largest head of a frame, bytes */
    PATIENCE = 1000  /* maximum number of attempts to read while the writer moves the data */
};

struct zst_frame {
    uint64_t plain; /* offset of the frame in the plain file; frames are sorted by this offset */
    uint64_t at;    /* offset of the frame in this file */
    size_t n, len; /* n: size of the frame in the plain file; len: size of the frame in this file */
};

struct ez_zst_in {
    int fd;
    uint64_t file; /* size of this file in bytes */
    uint64_t size; /* size of the plain file */
    /* chain: offset after the last whole frame; cut: number of bytes after that offset */
    uint64_t chain, cut;
    bool finished; /* the file has a table */
    EZ_VEC(struct zst_frame) frame;
    uint64_t gap;         /* offset of the wide gap, or 0 */
    char said[ZST_GAP];   /* the first 8 bytes of the wide gap, as they were read last */
    size_t stable;        /* number of frames before the wide gap */
    uint64_t stable_size; /* size of these frames in the plain file */
    /* a window (WINDOW bytes of the file), from which heads are read */
    uint64_t win_at;
    size_t win_n;
    char win[WINDOW];
    /* the decompressed frame */
    size_t open; /* index of the decompressed frame, or SIZE_MAX */
    char *plain, *packed;
    size_t plain_cap, packed_cap;
};

static uint32_t zst_get32(const char *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static bool zst_is_skip(uint32_t magic)
{
    return (magic & ~15u) == ZST_SKIP;
}

/* Reads like pread(), but repeats short reads: without an error, *got < n only at the end of the
 * file. */
static ez_err *zst_pread(int fd, char *buf, size_t n, uint64_t at, size_t *got)
{
    for (*got = 0; *got < n;) {
        ssize_t k = pread(fd, buf + *got, n - *got, (off_t)(at + *got));
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return ez_err_new(EZ_E_SYS, errno, "Cannot read");
        if (!k)
            break;
        *got += (size_t)k;
    }
    return NULL;
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Sets *p to the address of up to n bytes of the file from offset `at` on, and *got to their
 * number. */
static ez_err *zst_look(struct ez_zst_in *z, uint64_t at, size_t n, const char **p, size_t *got)
{
    if (at < z->win_at || at + n > z->win_at + z->win_n) {
        z->win_at = at;
        z->win_n = 0;
        EZ_TRY(zst_pread(z->fd, z->win, sizeof z->win, at, &z->win_n));
    }
    *p = z->win + (at - z->win_at);
    *got = EZ_MIN(n, z->win_n - (size_t)(at - z->win_at));
    return NULL;
}

/* Parses a frame's head in the n bytes at p. Returns the length of the head, or 0 if the bytes are
 * not a complete head. *known: the head contains *size, the size of the frame in the plain file.
 * *checked: the frame ends with a checksum. */
static size_t zst_frame_head(const char *p, size_t n, uint64_t *size, bool *known, bool *checked)
{
    static const unsigned id_bytes[] = { 0, 1, 2, 4 }, size_bytes[] = { 0, 2, 4, 8 };
    if (n < 5 || zst_get32(p) != ZST_MAGIC)
        return 0;
    unsigned how = (unsigned char)p[4];
    bool single = how & 0x20;
    unsigned bytes = how >> 6 ? size_bytes[how >> 6] : single;
    size_t at = 5 + !single + id_bytes[how & 3];
    if (n < at + bytes)
        return 0;
    *size = 0;
    memcpy(size, p + at, bytes);
    *size += bytes == 2 ? 256 : 0;
    *known = bytes;
    *checked = how & 4;
    return at + bytes;
}

/* Sets f->len and f->n for the frame at f->at; f->len is 0 if the frame is incomplete. A frame that
 * consists only of raw blocks, and does not contain its size, counts as complete even if the file
 * ends within the frame: the bytes up to the end of the file can be read. */
static ez_err *zst_walk_frame(struct ez_zst_in *z, struct zst_frame *f)
{
    const char *p;
    size_t got;
    uint64_t size = 0, raw = 0;
    bool known = false, checked = false, all_raw = true, last = false;
    EZ_TRY(zst_look(z, f->at, FRAME_HEAD, &p, &got));
    size_t len = zst_frame_head(p, got, &size, &known, &checked);
    f->len = 0;
    while (len && !last) {
        EZ_TRY(zst_look(z, f->at + len, ZST_RAW_PIECE, &p, &got));
        uint32_t word = 0;
        memcpy(&word, p, EZ_MIN(got, ZST_RAW_PIECE));
        size_t type = word >> 1 & 3, n = word >> 3, in_file = type == 1 ? 1 : n;
        uint64_t room = z->file - EZ_MIN(z->file, f->at + len + ZST_RAW_PIECE);
        all_raw &= type == 0;
        if (got < ZST_RAW_PIECE || in_file > room) {
            if (!all_raw || known)
                return NULL;
            in_file = n = got < ZST_RAW_PIECE ? 0 : room;
            last = true;
        }
        last |= word & 1;
        raw += n;
        len += EZ_MIN(got, ZST_RAW_PIECE) + in_file;
    }
    len += checked ? 4 : 0;
    if (f->at + len > z->file || !len)
        return NULL;
    if (!known && !all_raw)
        return ez_err_new(EZ_E_FORMAT, 0, "A zstd frame does not contain its size");
    f->n = known ? size : raw;
    f->len = len;
    if ((known ? size : raw) > ZST_MOST || len > 2 * ZST_MOST)
        return ez_err_hint(ez_err_new(EZ_E_FORMAT, 0,
                                      "A zstd frame of %" PRIu64 " MiB is too large",
                                      (known ? size : raw) >> 20),
                           "\"zstd -d\" decompresses the file");
    return NULL;
}

/* Adds the frame at offset z->chain, or skips the gap at this offset. *more is false if there is
 * neither a whole frame nor a gap. */
static ez_err *zst_walk_one(struct ez_zst_in *z, bool *more)
{
    const char *p;
    size_t got;
    *more = false;
    EZ_TRY(zst_look(z, z->chain, ZST_GAP, &p, &got));
    if (got == ZST_GAP && zst_is_skip(zst_get32(p))) {
        uint64_t n = zst_get32(p + 4);
        *more = z->chain + ZST_GAP + n <= z->file;
        if (*more && n && zst_get32(p) == ZST_SKIP && !z->gap) {
            z->gap = z->chain;
            memcpy(z->said, p, ZST_GAP);
            z->stable = z->frame.n;
            z->stable_size = z->size;
        }
        z->chain += *more ? ZST_GAP + n : 0;
        return NULL;
    }
    struct zst_frame f = { .plain = z->size, .at = z->chain };
    EZ_TRY(zst_walk_frame(z, &f));
    *more = f.len;
    z->chain += f.len;
    z->size += f.len ? f.n : 0;
    if (f.len && f.n)
        EZ_PUSH(&z->frame, f);
    return NULL;
}

/* Returns true if the wide gap is unchanged since it was read: then data that was read from behind
 * the gap is correct. */
static bool zst_gap_stays(const struct ez_zst_in *z)
{
    char now[ZST_GAP];
    return !z->gap || (pread(z->fd, now, sizeof now, (off_t)z->gap) == sizeof now &&
                       !memcmp(now, z->said, sizeof now));
}

static ez_err *zst_too_fast(void)
{
    return ez_err_new(EZ_E_TIMEOUT, 0, "The program writes the trace faster than eztsh reads it");
}

ez_err *ez_zst_in_refresh(struct ez_zst_in *z)
{
    struct stat st;
    bool more;
    for (int i = 0; i < PATIENCE; i++) {
        if (fstat(z->fd, &st))
            return ez_err_new(EZ_E_SYS, errno, "Cannot read");
        z->file = (uint64_t)st.st_size;
        z->win_n = 0;
        if (z->gap) { /* walk again from the wide gap on */
            z->chain = z->gap;
            z->frame.n = z->stable;
            z->size = z->stable_size;
            z->gap = 0;
        }
        z->open = SIZE_MAX;
        ez_err *e;
        do {
            e = zst_walk_one(z, &more);
        } while (!e && more);
        z->cut = z->file - EZ_MIN(z->file, z->chain);
        if (zst_gap_stays(z))
            return e;
        ez_err_drop(e); /* the writer moved the data during the read, which explains the error */
    }
    return zst_too_fast();
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Finds the table. *at: its offset; *n: its number of entries; *each: bytes of an entry. Returns
 * false if there is no table. */
static bool zst_table_is(struct ez_zst_in *z, uint64_t *at, size_t *n, size_t *each)
{
    char foot[ZST_FOOT], head[ZST_GAP];
    if (z->file < ZST_FOOT + ZST_GAP ||
        pread(z->fd, foot, sizeof foot, (off_t)(z->file - ZST_FOOT)) != ZST_FOOT ||
        zst_get32(foot + 5) != ZST_FOOTER)
        return false;
    *n = zst_get32(foot);
    *each = foot[4] & 0x80 ? 12 : 8;
    uint64_t len = *n * *each + ZST_FOOT;
    if (len + ZST_GAP > z->file)
        return false;
    *at = z->file - len - ZST_GAP;
    return pread(z->fd, head, sizeof head, (off_t)*at) == ZST_GAP && zst_get32(head) == ZST_TABLE &&
           zst_get32(head + 4) == len;
}

/* Reads the frames from the table. *read is true if there is a table and it fits the file. */
static ez_err *zst_read_table(struct ez_zst_in *z, bool *read)
{
    uint64_t at = 0, plain = 0, end;
    size_t n, each, got = 0;
    *read = false;
    if (!zst_table_is(z, &end, &n, &each))
        return NULL;
    EZ_FREE char *entry = ez_alloc(n * each + 1);
    EZ_TRY(zst_pread(z->fd, entry, n * each, end + ZST_GAP, &got));
    bool fits = got == n * each;
    for (size_t i = 0; fits && i < n; i++) {
        struct zst_frame f = { plain, at, zst_get32(entry + i * each + 4),
                               zst_get32(entry + i * each) };
        at += f.len;
        plain += f.n;
        fits = f.n ? f.n <= ZST_MOST && f.len <= 2 * ZST_MOST : f.len == ZST_GAP;
        if (fits && f.n)
            EZ_PUSH(&z->frame, f);
    }
    *read = fits && at == end;
    z->size = *read ? plain : 0;
    z->frame.n = *read ? z->frame.n : 0;
    z->chain = *read ? z->file : 0;
    z->finished = *read;
    return NULL;
}

/* ---- content --------------------------------------------------------------------------------- */

/* Copies the contents of a frame of raw blocks to `to`. Returns false if the frame has other
 * blocks, or if the size of the contents is not n. */
static bool zst_copy_raw(const char *p, size_t len, char *to, size_t n)
{
    uint64_t size;
    bool known, checked;
    size_t at = zst_frame_head(p, len, &size, &known, &checked), have = 0;
    for (bool last = false; at && !last && len - at >= ZST_RAW_PIECE;) {
        uint32_t word = 0;
        memcpy(&word, p + at, ZST_RAW_PIECE);
        at += ZST_RAW_PIECE;
        size_t k = EZ_MIN(word >> 3, len - at);
        if (word >> 1 & 3 || k > n - have)
            return false;
        memcpy(to + have, p + at, k);
        have += k;
        at += k;
        last = word & 1;
    }
    return at && have == n;
}

static ez_err *zst_unpack(const struct ez_zst_in *z, const struct zst_frame *f)
{
    if (zst_copy_raw(z->packed, f->len, z->plain, f->n))
        return NULL;
#ifdef HAVE_ZSTD
    if (ZSTD_decompress(z->plain, f->n, z->packed, f->len) == f->n)
        return NULL;
    return ez_err_new(EZ_E_FORMAT, 0, "The zstd frame at byte %" PRIu64 " is damaged", f->at);
#else
    return ez_err_hint(
        ez_err_new(EZ_E_STATE, 0, "The file is compressed, and eztsh was built without libzstd"),
        "Install libzstd-dev (Debian) or libzstd-devel (Fedora) and build eztsh again, or "
        "decompress the file with \"zstd -d\"");
#endif
}

static void zst_room(char **p, size_t *cap, size_t n)
{
    if (n <= *cap)
        return;
    free(*p);
    *p = ez_alloc(n);
    *cap = n;
}

/* Decompresses the frame that contains byte `at` of the plain file, and sets *f to it. Sets *f to
 * NULL if the plain file ends before `at`. */
static ez_err *zst_open_frame(struct ez_zst_in *z, uint64_t at, const struct zst_frame **f)
{
    for (int i = 0; i < PATIENCE; i++) {
        *f = NULL;
        if (at >= z->size)
            return NULL;
        size_t k = EZ_UPTO(z->frame.at, z->frame.n, plain, at) - 1, got;
        *f = &z->frame.at[k];
        if (z->open == k)
            return NULL;
        z->open = SIZE_MAX;
        zst_room(&z->plain, &z->plain_cap, (*f)->n);
        zst_room(&z->packed, &z->packed_cap, (*f)->len);
        EZ_TRY(zst_pread(z->fd, z->packed, (*f)->len, (*f)->at, &got));
        ez_err *e = got < (*f)->len
                        ? ez_err_new(EZ_E_FORMAT, 0, "The file became shorter while it was read")
                        : zst_unpack(z, *f);
        if (k < z->stable || !z->gap || zst_gap_stays(z)) {
            z->open = e ? SIZE_MAX : k;
            return e;
        }
        ez_err_drop(e); /* the writer moved the frame during the read, which explains the error */
        EZ_TRY(ez_zst_in_refresh(z));
    }
    return zst_too_fast();
}

ez_err *ez_zst_in_read(struct ez_zst_in *z, void *buf, size_t n, uint64_t at, size_t *got)
{
    const struct zst_frame *f;
    *got = 0;
    EZ_TRY(zst_open_frame(z, at, &f));
    if (!f)
        return NULL;
    size_t from = (size_t)(at - f->plain);
    *got = EZ_MIN(n, f->n - from);
    memcpy(buf, z->plain + from, *got);
    return NULL;
}

/* ---- open and close -------------------------------------------------------------------------- */

ez_err *ez_zst_in_open(int fd, struct ez_zst_in **out)
{
    struct stat st;
    bool read = false;
    struct ez_zst_in *z = ez_alloc(sizeof *z);
    z->fd = fd;
    z->open = SIZE_MAX;
    ez_err *e = fstat(fd, &st) ? ez_err_new(EZ_E_SYS, errno, "Cannot read") : NULL;
    if (!e) {
        z->file = (uint64_t)st.st_size;
        e = zst_read_table(z, &read);
    }
    if (!e && !read)
        e = ez_zst_in_refresh(z);
    if (e)
        ez_zst_in_free(z);
    else
        *out = z;
    return e;
}

uint64_t ez_zst_in_size(const struct ez_zst_in *z)
{
    return z->size;
}

bool ez_zst_in_finished(const struct ez_zst_in *z)
{
    return z->finished;
}

uint64_t ez_zst_in_cut(const struct ez_zst_in *z)
{
    return z->cut;
}

void ez_zst_in_free(struct ez_zst_in *z)
{
    if (!z)
        return;
    EZ_VEC_FREE(&z->frame);
    free(z->plain);
    free(z->packed);
    free(z);
}
