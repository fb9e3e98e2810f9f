/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outfile.c - a text file that appears only when it is complete (outfile.h). */
#include "engine/base/outfile.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "engine/base/json.h"
#include "engine/base/newfile.h"
#include "engine/base/strutil.h"

enum { BUF = 256 << 10, SLACK = 64 }; /* SLACK: bytes after a full buffer, for one number */

struct ez_outfile {
    char *path; /* as the caller gave it */
    char *real; /* the path after following symbolic links */
    struct ez_newfile file;
    bool gzip;
    ez_err *err;
    size_t n;
    z_stream z;
    char buf[BUF + SLACK];
    unsigned char packed[BUF];
};

/* ---- open --------------------------------------------------------------------- */

ez_err *ez_outfile_open(const char *path, bool gzip, struct ez_outfile **out)
{
    EZ_FREE char *real = ez_newfile_place(path);
    EZ_TRY(ez_newfile_refused(real));
    struct ez_newfile file;
    if (!ez_newfile_open(&file, real, 0666))
        return ez_err_new(EZ_E_SYS, errno, "Cannot write %s", path);
    struct ez_outfile *f = ez_alloc(sizeof *f);
    f->path = ez_strdup(path);
    f->real = ez_strdup(real);
    f->file = file;
    /* Level 1 is five times as fast as the default, and its output is a tenth larger. 31 means a
     * gzip header. */
    if (gzip && deflateInit2(&f->z, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        ez_outfile_destroy(f);
        return ez_err_new(EZ_E_LIMIT, 0, "Cannot initialize zlib");
    }
    f->gzip = gzip;
    *out = f;
    return NULL;
}

/* ---- write -------------------------------------------------------------------- */

static void outfile_fail(struct ez_outfile *f, int errnum)
{
    if (!f->err)
        f->err = ez_err_new(EZ_E_SYS, errnum, "Cannot write %s", f->path);
}

static void outfile_put_down(struct ez_outfile *f, const void *data, size_t n)
{
    const char *p = data;
    while (n && !f->err) {
        ssize_t done = write(f->file.fd, p, n);
        if (done < 0 && errno != EINTR)
            outfile_fail(f, errno);
        if (done > 0)
            p += done, n -= (size_t)done;
    }
}

static void outfile_pack(struct ez_outfile *f, const void *data, size_t n, int flush)
{
    f->z.next_in = (void *)(uintptr_t)data;
    f->z.avail_in = (uInt)n;
    do {
        f->z.next_out = f->packed;
        f->z.avail_out = sizeof f->packed;
        if (deflate(&f->z, flush) == Z_STREAM_ERROR)
            outfile_fail(f, EIO);
        outfile_put_down(f, f->packed, sizeof f->packed - f->z.avail_out);
    } while (!f->z.avail_out && !f->err);
}

/* Writes the buffer to the file, and empties the buffer. flush: as in deflate(). */
static void outfile_empty(struct ez_outfile *f, int flush)
{
    if (f->gzip && !f->err)
        outfile_pack(f, f->buf, f->n, flush);
    else
        outfile_put_down(f, f->buf, f->n);
    f->n = 0;
}

void ez_outfile_write(struct ez_outfile *f, const void *data, size_t n)
{
    const char *p = data;
    while (n > BUF - f->n) {
        size_t now = BUF - f->n;
        memcpy(f->buf + f->n, p, now);
        f->n = BUF;
        outfile_empty(f, Z_NO_FLUSH);
        p += now, n -= now;
    }
    memcpy(f->buf + f->n, p, n);
    f->n += n;
}

void ez_outfile_puts(struct ez_outfile *f, const char *text)
{
    ez_outfile_write(f, text, strlen(text));
}

void ez_outfile_printf(struct ez_outfile *f, const char *fmt, ...)
{
    va_list ap;
    char *text = NULL;
    va_start(ap, fmt);
    int n = vasprintf(&text, fmt, ap);
    va_end(ap);
    if (n < 0)
        outfile_fail(f, ENOMEM);
    else
        ez_outfile_write(f, text, (size_t)n);
    free(text);
}

/* Appends len <= SLACK bytes to the buffer, which always has room for them. */
static void outfile_put_short(struct ez_outfile *f, const char *p, size_t len)
{
    memcpy(f->buf + f->n, p, len);
    f->n += len;
    if (f->n >= BUF)
        outfile_empty(f, Z_NO_FLUSH);
}

void ez_outfile_u64(struct ez_outfile *f, uint64_t v)
{
    char text[24], *p = ez_str_digits(text + sizeof text, v);
    outfile_put_short(f, p, (size_t)(text + sizeof text - p));
}

void ez_outfile_json(struct ez_outfile *f, struct ez_json *j)
{
    ez_outfile_write(f, j->text, j->n);
    ez_json_used(j);
}

/* ---- end ---------------------------------------------------------------------- */

bool ez_outfile_good(const struct ez_outfile *f)
{
    return !f->err;
}

ez_err *ez_outfile_error(struct ez_outfile *f)
{
    ez_err *e = f->err;
    if (e) /* The caller gets e. f keeps a copy, so that later calls fail, too. */
        f->err = ez_err_new(e->code, e->errnum, "Cannot write %s", f->path);
    return e;
}

ez_err *ez_outfile_commit(struct ez_outfile *f)
{
    outfile_empty(f, Z_FINISH);
    int last = dup(f->file.fd); /* some file systems report errors only at close() */
    if (last >= 0 && close(last) && errno != EINTR)
        outfile_fail(f, errno);
    if (!f->err && !ez_newfile_replace(&f->file, f->real))
        outfile_fail(f, errno);
    return ez_outfile_error(f);
}

void ez_outfile_destroy(struct ez_outfile *f)
{
    if (!f)
        return;
    ez_newfile_drop(&f->file);
    close(f->file.fd);
    if (f->gzip)
        deflateEnd(&f->z);
    ez_err_free(f->err);
    free(f->real);
    free(f->path);
    free(f);
}
