/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spool.c - stores many streams of records in one file (spool.h).
 *
 * The file is a sequence of blocks of equal size. A stream has a list of the numbers of its blocks
 * in the file, and keeps its last block in memory. */
#include "engine/base/spool.h"

#include <errno.h>
#include <string.h>

#include "engine/base/newfile.h"
#include "engine/base/vec.h"

struct block {
    uint32_t n; /* number of used bytes */
    char data[EZ_SPOOL_BLOCK];
};

struct stream {
    EZ_VEC(uint32_t) block; /* numbers of the stream's blocks in the file */
    struct block *last;     /* the last block, which is not in the file yet; NULL: no record yet */
};

struct ez_spool {
    char *what;
    int fd;
    uint32_t blocks; /* number of blocks in the file */
    EZ_VEC(struct stream) stream;
};

ez_err *ez_spool_open(const char *folder, const char *what, struct ez_spool **out)
{
    int fd = ez_newfile_unnamed(folder);
    if (fd < 0)
        return ez_err_new(EZ_E_SYS, errno, "Cannot write %s", what);
    *out = ez_alloc(sizeof **out);
    (*out)->what = ez_strdup(what);
    (*out)->fd = fd;
    return NULL;
}

/* Reads or writes a whole block. Returns 0 or an error number. */
static int spool_transfer(struct ez_spool *s, struct block *b, uint32_t number, bool reading)
{
    char *p = (char *)b;
    off_t at = (off_t)number * (off_t)sizeof *b;
    for (size_t left = sizeof *b; left;) {
        ssize_t n = reading ? pread(s->fd, p, left, at) : pwrite(s->fd, p, left, at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n ? errno : EIO;
        p += n, at += n, left -= (size_t)n;
    }
    return 0;
}

ez_err *ez_spool_put(struct ez_spool *s, size_t stream, const void *rec, size_t n)
{
    static const struct stream none;
    while (s->stream.n <= stream)
        EZ_PUSH(&s->stream, none);
    struct stream *t = &s->stream.at[stream];
    if (!t->last)
        t->last = ez_alloc(sizeof *t->last);
    if (t->last->n + n > EZ_SPOOL_BLOCK) {
        int why = spool_transfer(s, t->last, s->blocks, false);
        if (why)
            return ez_err_new(EZ_E_SYS, why, "Cannot write %s", s->what);
        EZ_PUSH(&t->block, s->blocks++);
        t->last->n = 0;
    }
    memcpy(t->last->data + t->last->n, rec, n);
    t->last->n += (uint32_t)n;
    return NULL;
}

ez_err *ez_spool_each(struct ez_spool *s, size_t stream, ez_spool_fn *fn, void *arg)
{
    if (stream >= s->stream.n)
        return NULL;
    struct stream *t = &s->stream.at[stream];
    EZ_FREE struct block *b = ez_alloc(sizeof *b);
    for (size_t i = 0; i < t->block.n; i++) {
        int why = spool_transfer(s, b, t->block.at[i], true);
        if (why)
            return ez_err_new(EZ_E_SYS, why, "Cannot read back %s", s->what);
        EZ_TRY(fn(arg, b->data, b->n));
    }
    return t->last ? fn(arg, t->last->data, t->last->n) : NULL;
}

void ez_spool_close(struct ez_spool *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->stream.n; i++) {
        EZ_VEC_FREE(&s->stream.at[i].block);
        free(s->stream.at[i].last);
    }
    EZ_VEC_FREE(&s->stream);
    close(s->fd);
    free(s->what);
    free(s);
}
