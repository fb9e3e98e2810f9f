/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt_in.c - reads the events of a FxT file, one by one (fxt_in.h).
 *
 * The file is a big-endian word (the architecture), then blocks {u64 size with this head, i32 type,
 * i32 subtype}. Only raw64 event blocks are read; other blocks are skipped. A block of size 0 was
 * not finished, because its writer was killed; such a block extends to the end of the file. A
 * writer that was killed between an append and its checkpoint leaves whole events behind the end of
 * the block. The reader reads these events, too.
 *
 * The file is read with pread(), not mapped: if a mapped file shrank, SIGBUS would end the shell.
 * With pread() this file reads 80 million events a second, several times more than any reader of
 * the events can handle (`make bench` prints both figures).
 *
 * Files may be damaged, and only the damaged part may be lost. So the reader checks each size
 * against the size of the file, each call advances, and after an error the reader reports the end
 * of the file.
 *
 * Tests: tests/unit/record/check_fxt.c */
#include "engine/trace/fxt_in.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "engine/base/zst.h"
#include "engine/record/fxt_out.h"

#define FXT_RAW64 0x201
#define BLOCK_HEAD 16
#define EVENT_HEAD 24
#define BUF_BYTES (1 << 16)

struct ez_fxt_in {
    int fd;
    char *path;
    struct ez_zst_in *z; /* NULL if the file is plain */
    uint64_t size;       /* size of the plain file */
    uint64_t block;      /* offset of the head of the block that is being read */
    uint64_t block_end;
    uint64_t pos;    /* offset of buf[at] in the plain file */
    size_t at, have; /* buf[at, have) is not used yet */
    bool ended;
    bool following; /* ez_fxt_in_follow() was called: the reader stops at the last checkpoint */
    uint64_t arg[254];
    char buf[BUF_BYTES];
};

static ez_err *fxt_in_damaged(struct ez_fxt_in *f, const char *what)
{
    f->ended = true;
    return ez_err_new(EZ_E_FORMAT, 0, "%s: %s at byte %" PRIu64, f->path, what, f->pos);
}

const struct ez_zst_in *ez_fxt_in_frames(const struct ez_fxt_in *f)
{
    return f->z;
}

uint64_t ez_fxt_in_size(const struct ez_fxt_in *f)
{
    return f->size;
}

/* Reads up to n bytes of the plain file from offset `at` on. *got is their number, 0 at the end of
 * the file. */
static ez_err *fxt_in_pread(struct ez_fxt_in *f, void *buf, size_t n, uint64_t at, size_t *got)
{
    if (f->z) {
        ez_err *e = ez_zst_in_read(f->z, buf, n, at, got);
        f->ended |= e != NULL;
        return e ? ez_err_wrap(e, "%s", f->path) : NULL;
    }
    ssize_t k;
    do
        k = pread(f->fd, buf, n, (off_t)at);
    while (k < 0 && errno == EINTR);
    *got = k < 0 ? 0 : (size_t)k;
    return k < 0 ? ez_err_new(EZ_E_SYS, errno, "%s: cannot read", f->path) : NULL;
}

ez_err *ez_fxt_in_bytes(struct ez_fxt_in *f, void *buf, size_t n, uint64_t at, size_t *got)
{
    size_t k = 1;
    for (*got = 0; *got < n && k; *got += k)
        EZ_TRY(fxt_in_pread(f, (char *)buf + *got, n - *got, at + *got, &k));
    return NULL;
}

static ez_err *fxt_in_fill(struct ez_fxt_in *f, size_t n, bool *ok)
{
    char *buf = f->buf;
    memmove(buf, buf + f->at, f->have - f->at);
    f->have -= f->at;
    f->at = 0;
    while (f->have < n) {
        size_t k;
        EZ_TRY(fxt_in_pread(f, buf + f->have, BUF_BYTES - f->have, f->pos + f->have, &k));
        if (k == 0) {
            *ok = false;
            return NULL;
        }
        f->have += k;
    }
    return NULL;
}

/* Fills the buffer until it has at least n bytes from f->pos on. Sets *ok to false if the file has
 * fewer bytes. */
static inline ez_err *fxt_in_need(struct ez_fxt_in *f, size_t n, bool *ok)
{
    *ok = true;
    return f->have - f->at >= n ? NULL : fxt_in_fill(f, n, ok);
}

static void fxt_in_advance(struct ez_fxt_in *f, uint64_t n)
{
    f->pos += n;
    f->at += EZ_MIN(n, f->have - f->at);
}

static void fxt_in_seek(struct ez_fxt_in *f, uint64_t pos)
{
    f->pos = pos;
    f->at = f->have = 0;
}

/* Returns true if the type is that of a block of events, which is the only type that follows a
 * block of events. If not, the bytes after the block are not the head of a block, but an event. */
static bool fxt_of_events(uint32_t type)
{
    return (type & ~1u) == 0x100 || (type & ~1u) == 0x200;
}

/* Returns true if the file is still being written: its writer holds a lock. In this case the bytes
 * behind the file's only block are not checkpointed yet, and may end inside a record. */
bool ez_fxt_in_is_written(const struct ez_fxt_in *f)
{
    if (flock(f->fd, LOCK_SH | LOCK_NB))
        return errno == EWOULDBLOCK;
    flock(f->fd, LOCK_UN);
    return false;
}

/* Returns an error if a compressed file ends inside a zstd frame, because the data of this frame is
 * lost. */
static ez_err *fxt_in_cut(const struct ez_fxt_in *f)
{
    uint64_t n = ez_zst_in_cut(f->z);
    return n ? ez_err_new(EZ_E_FORMAT, 0,
                          "%s: the last %" PRIu64
                          " bytes are not a complete zstd frame, and are left out",
                          f->path, n)
             : NULL;
}

/* Moves f->pos to the first event of the next block of events, or sets f->ended at the end of the
 * file. */
static ez_err *fxt_next_block(struct ez_fxt_in *f)
{
    for (;;) {
        struct {
            uint64_t size;
            uint32_t type, subtype;
        } head;
        bool ok;
        if (f->pos >= f->size || (f->block_end && ez_fxt_in_is_written(f))) {
            f->ended = true;
            return f->z && !ez_fxt_in_is_written(f) ? fxt_in_cut(f) : NULL;
        }
        uint64_t room = f->size - f->pos;
        EZ_TRY(fxt_in_need(f, BLOCK_HEAD, &ok));
        if (!ok)
            return fxt_in_damaged(f, "a block's head is cut off");
        memcpy(&head, f->buf + f->at, sizeof head);
        if (head.size == 0)
            head.size = room;
        if (f->block_end &&
            (head.size < BLOCK_HEAD || head.size > room || !fxt_of_events(head.type))) {
            /* the next bytes are events after the last checkpoint, not the head of a block */
            f->block_end = f->size;
            return NULL;
        }
        if (head.size < BLOCK_HEAD)
            return fxt_in_damaged(f, "a block of impossible size");
        if (head.type == FXT_RAW64) {
            f->block = f->pos;
            f->block_end = head.size > room ? f->size : f->pos + head.size;
            fxt_in_advance(f, BLOCK_HEAD);
            return NULL;
        }
        if (head.size > room)
            return fxt_in_damaged(f, "a block is cut off");
        fxt_in_seek(f, f->pos + head.size);
    }
}

/* Checks that the file is a trace, plain or compressed, and sets its size. */
static ez_err *fxt_in_identify(struct ez_fxt_in *f, uint64_t size)
{
    uint32_t type = 0;
    size_t got = 0;
    bool compressed, is = ez_fxt_is_trace(f->fd, &compressed);
    f->size = size;
    if (compressed) {
        ez_err *e = ez_zst_in_open(f->fd, &f->z);
        if (e)
            return ez_err_wrap(e, "%s", f->path);
        f->size = ez_zst_in_size(f->z);
        EZ_TRY(ez_fxt_in_bytes(f, &type, sizeof type, 4 + 8, &got));
        is = type == FXT_INFOS;
    }
    return is ? NULL : ez_err_new(EZ_E_FORMAT, 0, "%s is not an FxT trace", f->path);
}

ez_err *ez_fxt_in_open(const char *path, struct ez_fxt_in **out)
{
    struct stat st = { 0 };
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return ez_err_new(errno == ENOENT ? EZ_E_NOTFOUND : EZ_E_SYS, errno, "%s", path);
    struct ez_fxt_in *f = ez_alloc(sizeof *f);
    ez_err *e = NULL;
    f->fd = fd;
    f->path = ez_strdup(path);
    if (!fstat(fd, &st) && S_ISDIR(st.st_mode))
        e = ez_err_new(EZ_E_FORMAT, 0, "%s is a folder, not an FxT trace", path);
    else if (!S_ISREG(st.st_mode))
        e = ez_err_new(EZ_E_FORMAT, 0, "%s is not an FxT trace", path);
    else
        e = fxt_in_identify(f, (uint64_t)st.st_size);
    if (!e) {
        fxt_in_seek(f, 4);
        e = fxt_next_block(f);
    }
    if (!e && f->ended)
        e = ez_err_new(EZ_E_FORMAT, 0, "%s has no events of a format that eztsh reads", path);
    if (e)
        ez_fxt_in_close(f);
    else
        *out = f;
    return e;
}

/* Reads the next event if it has no arguments and the buffer contains it as a whole, which is true
 * for most events. */
static inline bool fxt_in_next_short(struct ez_fxt_in *f, struct ez_fxt_event *ev)
{
    uint64_t w[3];
    if (f->ended || f->have - f->at < EVENT_HEAD || f->pos + EVENT_HEAD > f->block_end)
        return false;
    memcpy(w, f->buf + f->at, sizeof w);
    if ((w[2] & 0xff) != 1)
        return false;
    *ev = (struct ez_fxt_event){ w[0], w[1], w[2] >> 8, 0, f->arg };
    f->pos += EVENT_HEAD;
    f->at += EVENT_HEAD;
    return true;
}

/* Not inlined, so that ez_fxt_in_next() saves no registers for a short event. */
__attribute__((noinline)) static ez_err *fxt_in_next_any(struct ez_fxt_in *f,
                                                         struct ez_fxt_event *ev, bool *got)
{
    bool ok;
    *got = false;
    if (f->following && f->pos >= f->block_end)
        return NULL;
    while (!f->ended && f->pos >= f->block_end)
        EZ_TRY(fxt_next_block(f));
    if (f->ended)
        return NULL;
    EZ_TRY(fxt_in_need(f, EVENT_HEAD, &ok));
    if (!ok || f->block_end - f->pos < EVENT_HEAD)
        return fxt_in_damaged(f, "an event is cut off");
    uint64_t w[3]; /* copied, because events are not aligned in the buffer */
    memcpy(w, f->buf + f->at, sizeof w);
    unsigned narg = (unsigned)(w[2] & 0xff) - 1; /* a count of 0 becomes UINT_MAX */
    if (narg > 254)
        return fxt_in_damaged(f, "an event of impossible length");
    size_t len = EVENT_HEAD + narg * 8;
    EZ_TRY(fxt_in_need(f, len, &ok));
    if (!ok || f->block_end - f->pos < len)
        return fxt_in_damaged(f, "an event is cut off");
    /* word by word, because a copy of a variable size costs more for a few words */
    for (unsigned i = 0; i < narg; i++)
        memcpy(&f->arg[i], f->buf + f->at + EVENT_HEAD + i * 8, 8);
    *ev = (struct ez_fxt_event){ w[0], w[1], w[2] >> 8, narg, f->arg };
    fxt_in_advance(f, len);
    *got = true;
    return NULL;
}

ez_err *ez_fxt_in_next(struct ez_fxt_in *f, struct ez_fxt_event *ev, bool *got)
{
    if (!fxt_in_next_short(f, ev))
        return fxt_in_next_any(f, ev, got);
    *got = true;
    return NULL;
}

ez_err *ez_fxt_in_follow(struct ez_fxt_in *f)
{
    struct stat st;
    uint64_t size;
    size_t got;
    ez_err *e = f->z ? ez_zst_in_refresh(f->z) : NULL;
    if (e)
        return ez_err_wrap(e, "%s", f->path);
    EZ_TRY(ez_fxt_in_bytes(f, &size, sizeof size, f->block, &got));
    if (got < sizeof size || fstat(f->fd, &st))
        return ez_err_new(EZ_E_SYS, got < sizeof size ? EIO : errno, "%s: cannot read", f->path);
    f->size = f->z ? ez_zst_in_size(f->z) : (uint64_t)st.st_size;
    if (f->size < f->pos) /* another writer has truncated the file and writes a new trace */
        return fxt_in_damaged(f, "this trace was begun anew");
    f->block_end = f->block + EZ_MIN(size, f->size - EZ_MIN(f->size, f->block));
    f->following = true;
    f->ended = false;
    /* read the buffered bytes again, because they may come from an unfinished write */
    fxt_in_seek(f, f->pos);
    return NULL;
}

bool ez_fxt_in_go(struct ez_fxt_in *f, uint64_t pos)
{
    if (pos < f->block + BLOCK_HEAD || pos >= f->size)
        return false;
    if (pos >= f->block_end) /* the events after the last checkpoint */
        f->block_end = f->size;
    f->ended = false;
    fxt_in_seek(f, pos);
    return true;
}

int ez_fxt_in_fd(const struct ez_fxt_in *f)
{
    return f->fd;
}

uint64_t ez_fxt_in_pos(const struct ez_fxt_in *f)
{
    return f->pos;
}

uint64_t ez_fxt_in_block(const struct ez_fxt_in *f)
{
    return f->block;
}

void ez_fxt_in_close(struct ez_fxt_in *f)
{
    if (!f)
        return;
    ez_zst_in_free(f->z);
    close(f->fd);
    free(f->path);
    free(f);
}
