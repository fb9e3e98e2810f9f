/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outfile.c - see outfile.h. */
#include "engine/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "engine/text.h"

enum { BUF = 256 << 10, SLACK = 64 }; /* SLACK: room for a number is always there */

struct ez_outfile {
    char *path, *real; /* as asked for; where it goes                             */
    char *tmp;         /* its temporary name; NULL = it has none                  */
    int fd;
    bool gzip, committed;
    ez_err *err;
    size_t n;
    z_stream z;
    char buf[BUF + SLACK];
    unsigned char packed[BUF];
};

/* ---- names -------------------------------------------------------------------- */

char *ez_out_resolve(const char *path)
{
    EZ_FREE char *bare = ez_strdup(path);
    for (size_t n = strlen(bare); n > 1 && bare[n - 1] == '/'; n--)
        bare[n - 1] = 0;
    EZ_FREE char *real = realpath(bare, NULL);
    return ez_strdup(real ? real : bare);
}

static char *folder_of(const char *path)
{
    size_t n = (size_t)(ez_base_name(path) - path);
    return n ? ez_sprintf("%.*s", (int)n, path) : ez_strdup(".");
}

char *ez_out_beside(const char *path, unsigned n)
{
    const char *base = ez_base_name(path);
    size_t most = NAME_MAX - 32; /* a long name must leave room for what we add */
    int keep = (int)(base - path + (ptrdiff_t)EZ_MIN(strlen(base), most));
    return ez_sprintf("%.*s.%d-%u.tmp", keep, path, getpid(), n);
}

/* ---- open --------------------------------------------------------------------- */

static ez_err *refused(const char *path)
{
    struct stat st;
    if (stat(path, &st))
        return NULL;
    if (S_ISDIR(st.st_mode))
        return ez_err_new(EZ_E_ARG, 0, "%s is a folder", path);
    if (!S_ISREG(st.st_mode))
        return ez_err_new(EZ_E_ARG, 0, "%s is not a regular file", path);
    if (access(path, W_OK))
        return ez_err_new(EZ_E_SYS, errno, "cannot write %s", path);
    return NULL;
}

/* Nameless first: then not even a kill leaves anything. */
static void open_temporary(struct ez_outfile *f)
{
    EZ_FREE char *folder = folder_of(f->real);
    if (!access("/proc/self/fd", X_OK))
        f->fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    for (unsigned n = 0; f->fd < 0 && n < 1000; n++) {
        free(f->tmp);
        f->tmp = ez_out_beside(f->real, n);
        f->fd = open(f->tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (f->fd < 0 && errno != EEXIST)
            break;
    }
    struct stat st;
    if (f->fd >= 0 && !stat(f->real, &st)) /* as private as what it replaces */
        (void)!fchmod(f->fd, st.st_mode & 0777);
}

ez_err *ez_outfile_open(const char *path, bool gzip, struct ez_outfile **out)
{
    EZ_TRY(refused(path));
    struct ez_outfile *f = ez_alloc(sizeof *f);
    f->path = ez_strdup(path);
    f->real = ez_out_resolve(path);
    f->fd = -1;
    open_temporary(f);
    if (f->fd < 0) {
        ez_err *e = ez_err_new(EZ_E_SYS, errno, "cannot write %s", path);
        free(f->tmp);
        f->tmp = NULL;
        ez_outfile_destroy(f);
        return e;
    }
    /* Level 1: five times as fast as the default and a tenth larger. 31: a gzip header. */
    if (gzip && deflateInit2(&f->z, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        ez_outfile_destroy(f);
        return ez_err_new(EZ_E_LIMIT, 0, "zlib cannot start");
    }
    f->gzip = gzip;
    *out = f;
    return NULL;
}

/* ---- write -------------------------------------------------------------------- */

static void fail(struct ez_outfile *f, int errnum)
{
    if (!f->err)
        f->err = ez_err_new(EZ_E_SYS, errnum, "cannot write %s", f->path);
}

static void put_down(struct ez_outfile *f, const void *data, size_t n)
{
    const char *p = data;
    while (n && !f->err) {
        ssize_t done = write(f->fd, p, n);
        if (done < 0 && errno != EINTR)
            fail(f, errno);
        if (done > 0)
            p += done, n -= (size_t)done;
    }
}

static void pack(struct ez_outfile *f, const void *data, size_t n, int flush)
{
    f->z.next_in = (void *)(uintptr_t)data;
    f->z.avail_in = (uInt)n;
    do {
        f->z.next_out = f->packed;
        f->z.avail_out = sizeof f->packed;
        if (deflate(&f->z, flush) == Z_STREAM_ERROR)
            fail(f, EIO);
        put_down(f, f->packed, sizeof f->packed - f->z.avail_out);
    } while (!f->z.avail_out && !f->err);
}

static void empty(struct ez_outfile *f, int flush)
{
    if (f->gzip && !f->err)
        pack(f, f->buf, f->n, flush);
    else
        put_down(f, f->buf, f->n);
    f->n = 0;
}

void ez_outfile_write(struct ez_outfile *f, const void *data, size_t n)
{
    const char *p = data;
    while (n > BUF - f->n) {
        size_t now = BUF - f->n;
        memcpy(f->buf + f->n, p, now);
        f->n = BUF;
        empty(f, Z_NO_FLUSH);
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
        fail(f, ENOMEM);
    else
        ez_outfile_write(f, text, (size_t)n);
    free(text);
}

/* Two digits a step, backwards from `end`; where the text begins. */
static char *digits(char *end, uint64_t v)
{
    static const char pair[] = "00010203040506070809101112131415161718192021222324252627282930"
                               "31323334353637383940414243444546474849505152535455565758596061"
                               "62636465666768697071727374757677787980818283848586878889909192"
                               "93949596979899";
    for (; v >= 100; v /= 100)
        end = memcpy(end - 2, pair + v % 100 * 2, 2);
    if (v >= 10)
        return memcpy(end - 2, pair + v * 2, 2);
    *--end = (char)('0' + v);
    return end;
}

/* `len` <= SLACK bytes that need not be looked for room. */
static void put_short(struct ez_outfile *f, const char *p, size_t len)
{
    memcpy(f->buf + f->n, p, len);
    f->n += len;
    if (f->n >= BUF)
        empty(f, Z_NO_FLUSH);
}

void ez_outfile_u64(struct ez_outfile *f, uint64_t v)
{
    char text[24], *p = digits(text + sizeof text, v);
    put_short(f, p, (size_t)(text + sizeof text - p));
}

void ez_outfile_us(struct ez_outfile *f, uint64_t ns)
{
    char text[32], *end = text + sizeof text, *p = digits(end, ns % 1000);
    while (p > end - 3)
        *--p = '0';
    *--p = '.';
    p = digits(p, ns / 1000);
    put_short(f, p, (size_t)(end - p));
}

void ez_outfile_json(struct ez_outfile *f, const char *text)
{
    EZ_FREE char *quoted = ez_json_quote(text);
    ez_outfile_puts(f, quoted);
}

/* ---- end ---------------------------------------------------------------------- */

bool ez_outfile_good(const struct ez_outfile *f)
{
    return !f->err;
}

ez_err *ez_outfile_error(struct ez_outfile *f)
{
    ez_err *e = f->err;
    if (e) /* still an error for those who come later */
        f->err = ez_err_new(e->code, e->errnum, "cannot write %s", f->path);
    return e;
}

/* Give a nameless file a name beside its place: link() replaces nothing, rename() does. */
static bool give_name(struct ez_outfile *f)
{
    char from[40];
    if (f->tmp)
        return true;
    snprintf(from, sizeof from, "/proc/self/fd/%d", f->fd);
    for (unsigned n = 0; n < 1000; n++) {
        EZ_FREE char *name = ez_out_beside(f->real, n);
        if (!linkat(AT_FDCWD, from, AT_FDCWD, name, AT_SYMLINK_FOLLOW)) {
            f->tmp = ez_strdup(name);
            return true;
        }
        if (errno != EEXIST)
            return false;
    }
    return false;
}

ez_err *ez_outfile_commit(struct ez_outfile *f)
{
    empty(f, Z_FINISH);
    int fd = f->fd;
    if (!f->err && !give_name(f))
        fail(f, errno);
    f->fd = -1;
    if (close(fd) && errno != EINTR) /* some file systems find out only here */
        fail(f, errno);
    if (!f->err && rename(f->tmp, f->real))
        fail(f, errno);
    f->committed = !f->err;
    return ez_outfile_error(f);
}

void ez_outfile_destroy(struct ez_outfile *f)
{
    if (!f)
        return;
    if (f->fd >= 0)
        close(f->fd);
    if (f->tmp && !f->committed)
        unlink(f->tmp);
    if (f->gzip)
        deflateEnd(&f->z);
    ez_err_free(f->err);
    free(f->tmp);
    free(f->real);
    free(f->path);
    free(f);
}
