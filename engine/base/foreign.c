/* SPDX-License-Identifier: GPL-3.0-or-later */
/* foreign.c - opens and reads files that must not be trusted (foreign.h). */
#include "engine/base/foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "engine/base/vec.h"

enum {
    WINDOW = 64 << 10, /* bytes that ez_foreign_read() reads from the file at once */
    CHUNK = 16 << 20,  /* number of bytes that are read between two checks for a cancellation */
    MOST = 1 << 30     /* maximum bytes of a part */
};
/* limit of the bytes of all parts on a machine with little memory */
#define LEAST_ROOM (256ull << 20)

struct part {
    uint64_t offset, n;
    uint8_t *data;
};

struct ez_foreign {
    int fd; /* -1 while the descriptor is closed, because too many are open */
    char *path, *name;
    struct ez_foreign_id id;
    bool changed;
    char *trouble;
    EZ_VEC(struct part) part;
    uint8_t *window;    /* the WINDOW bytes of the file that ez_foreign_read() read last */
    uint64_t region_at; /* offset of the window in the file */
    size_t window_n;
};

static uint64_t held; /* sum of the sizes of the parts of all files, in bytes */

/* ---- cancel -------------------------------------------------------------------- */

static struct {
    bool (*stop)(void *arg);
    void *arg;
    bool yes;
} waiting;

void ez_foreign_on_wait(bool (*stop)(void *arg), void *arg)
{
    waiting.stop = stop;
    waiting.arg = arg;
    waiting.yes = false;
}

bool ez_foreign_stopped(void)
{
    waiting.yes = waiting.yes || (waiting.stop && waiting.stop(waiting.arg));
    return waiting.yes;
}

ez_err *ez_foreign_interrupted(void)
{
    return ez_err_new(EZ_E_QUIT, 0, "Quit: interrupted while symbols were read");
}

/* ---- open and close ------------------------------------------------------------ */

static struct ez_foreign_id foreign_id_of(const struct stat *st)
{
    return (struct ez_foreign_id){ st->st_dev, st->st_ino, (uint64_t)st->st_size,
                                   (uint64_t)st->st_mtim.tv_sec * 1000000000 +
                                       (uint64_t)st->st_mtim.tv_nsec };
}

/* Returns true if the file is in a file system of the kernel, or if that is unknown. Untrusted
 * debug information may name /proc/self/mem. */
static bool foreign_of_kernel(int fd)
{
    static const uint64_t kernel[] = { PROC_SUPER_MAGIC,   SYSFS_MAGIC,      TRACEFS_MAGIC,
                                       DEBUGFS_MAGIC,      SECURITYFS_MAGIC, CGROUP_SUPER_MAGIC,
                                       CGROUP2_SUPER_MAGIC };
    struct statfs fs;
    bool is = fstatfs(fd, &fs) < 0;
    for (size_t i = 0; i < EZ_ARRAY_LEN(kernel); i++)
        is |= (uint64_t)fs.f_type == kernel[i];
    return is;
}

/* Opens a path for reading if it is a regular file. Returns the descriptor, or -1 and sets errno.
 * Opens a handle (O_PATH) first, because opening for reading may block or activate a device. */
static int foreign_open_regular(const char *path, struct stat *st)
{
    char itself[40];
    EZ_CLOSE int handle = open(path, O_PATH | O_CLOEXEC);
    if (handle < 0 || fstat(handle, st))
        return -1;
    if (!S_ISREG(st->st_mode) || foreign_of_kernel(handle)) {
        errno = ENOEXEC;
        return -1;
    }
    snprintf(itself, sizeof itself, "/proc/self/fd/%d", handle);
    return open(itself, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

int ez_foreign_regular(const char *path)
{
    struct stat st;
    return foreign_open_regular(path, &st);
}

ez_err *ez_foreign_open(const char *path, const char *name, struct ez_foreign **out)
{
    struct stat st;
    int fd = foreign_open_regular(path, &st);
    if (fd < 0 && errno == ENOEXEC)
        return ez_err_new(EZ_E_FORMAT, 0, "%s: not in executable format", name);
    if (fd < 0)
        return ez_err_new(errno == ENOENT ? EZ_E_NOTFOUND : EZ_E_SYS, 0, "%s: %s", name,
                          strerror(errno));
    struct ez_foreign *f = ez_alloc(sizeof *f);
    f->fd = fd;
    f->path = ez_strdup(path);
    f->name = ez_strdup(name);
    f->id = foreign_id_of(&st);
    *out = f;
    return NULL;
}

void ez_foreign_close(struct ez_foreign *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->part.n; i++) {
        held -= f->part.at[i].n;
        free(f->part.at[i].data);
    }
    EZ_VEC_FREE(&f->part);
    if (f->fd >= 0)
        close(f->fd);
    free(f->window);
    free(f->trouble);
    free(f->path);
    free(f->name);
    free(f);
}

const struct ez_foreign_id *ez_foreign_id(const struct ez_foreign *f)
{
    return &f->id;
}

bool ez_foreign_same(const struct ez_foreign_id *a, const struct ez_foreign_id *b)
{
    return !memcmp(a, b, sizeof *a);
}

/* Closes the file's descriptor if its number is in the upper half of those allowed
 * (RLIMIT_NOFILE). */
static void foreign_rest(struct ez_foreign *f)
{
    struct rlimit most;
    if (f->fd >= 0 && !getrlimit(RLIMIT_NOFILE, &most) && (rlim_t)f->fd > most.rlim_cur / 2) {
        close(f->fd);
        f->fd = -1;
    }
}

/* Opens the file again if its descriptor is closed. Returns false if the file cannot be opened or
 * has changed. */
static bool foreign_ready(struct ez_foreign *f)
{
    struct stat st;
    if (f->fd < 0)
        f->fd = foreign_open_regular(f->path, &st);
    bool there = f->fd >= 0 && !fstat(f->fd, &st);
    struct ez_foreign_id now = there ? foreign_id_of(&st) : f->id;
    f->changed |= !there || !ez_foreign_same(&now, &f->id);
    return !f->changed;
}

bool ez_foreign_changed(struct ez_foreign *f)
{
    bool same = foreign_ready(f);
    foreign_rest(f);
    return !same;
}

int ez_foreign_dup(struct ez_foreign *f)
{
    int fd = foreign_ready(f) ? fcntl(f->fd, F_DUPFD_CLOEXEC, 3) : -1;
    foreign_rest(f);
    return fd;
}

const char *ez_foreign_path(const struct ez_foreign *f)
{
    return f->path;
}

/* ---- read ---------------------------------------------------------------------- */

static void foreign_no_more(struct ez_foreign *f, const char *why)
{
    if (!f->trouble)
        f->trouble = ez_sprintf("%s: %s", f->name, why);
}

ez_err *ez_foreign_trouble(const struct ez_foreign *f)
{
    return f->trouble ? ez_err_new(EZ_E_LIMIT, 0, "%s", f->trouble) : NULL;
}

static size_t foreign_read_some(const struct ez_foreign *f, uint64_t offset, uint8_t *buf, size_t n)
{
    size_t done = 0;
    while (done < n) {
        ssize_t k = pread(f->fd, buf + done, n - done, (off_t)(offset + done));
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            break;
        done += (size_t)k;
    }
    return done;
}

static bool foreign_read_all(struct ez_foreign *f, uint64_t offset, uint8_t *buf, uint64_t n)
{
    for (uint64_t done = 0; done < n; done += CHUNK) {
        size_t now = (size_t)EZ_MIN(n - done, (uint64_t)CHUNK);
        if (n > CHUNK && ez_foreign_stopped())
            return false; /* the user interrupted the reading, and the caller reports that */
        if (foreign_read_some(f, offset + done, buf + done, now) < now) {
            foreign_no_more(f, "the file cannot be read to its end");
            return false;
        }
    }
    return true;
}

static uint64_t foreign_room(void)
{
    uint64_t pages = (uint64_t)EZ_MAX(sysconf(_SC_PHYS_PAGES), 0L);
    return EZ_MAX(pages * (uint64_t)sysconf(_SC_PAGESIZE) / 4, LEAST_ROOM);
}

static const uint8_t *foreign_part(struct ez_foreign *f, uint64_t offset, uint64_t n)
{
    static const uint8_t nothing[1];
    if (offset > f->id.size || n > f->id.size - offset)
        return NULL;
    if (!n)
        return nothing;
    for (size_t i = 0; i < f->part.n; i++) {
        const struct part *p = &f->part.at[i];
        if (offset >= p->offset && offset - p->offset <= p->n && n <= p->n - (offset - p->offset))
            return p->data + (offset - p->offset);
    }
    if (!foreign_ready(f)) {
        foreign_no_more(f, "the file has changed since it was opened");
        return NULL;
    }
    struct part p = { offset, n, NULL };
    if (n <= MOST && held + n <= foreign_room())
        p.data = malloc(n);
    if (!p.data) {
        foreign_no_more(f, "a part of the file is too large to be read");
        return NULL;
    }
    if (!foreign_read_all(f, offset, p.data, n)) {
        free(p.data);
        return NULL;
    }
    foreign_rest(f);
    held += n;
    EZ_PUSH(&f->part, p);
    return p.data;
}

/* Reads the WINDOW bytes that contain `offset`, unless they were read last. Returns false if the
 * file cannot be opened or has changed. */
static bool foreign_look_at(struct ez_foreign *f, uint64_t offset)
{
    uint64_t at = offset / WINDOW * WINDOW;
    if (f->window_n && f->region_at == at)
        return true;
    if (!foreign_ready(f))
        return false;
    if (!f->window)
        f->window = ez_alloc(WINDOW);
    f->region_at = at;
    f->window_n = foreign_read_some(f, at, f->window, WINDOW);
    foreign_rest(f);
    return true;
}

/* The functions that read files hold this lock, so that any thread can call them. */
static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;

const uint8_t *ez_foreign_part(struct ez_foreign *f, uint64_t offset, uint64_t n)
{
    pthread_mutex_lock(&reading);
    const uint8_t *data = foreign_part(f, offset, n);
    pthread_mutex_unlock(&reading);
    return data;
}

static size_t foreign_read_mapped(struct ez_foreign *f, uint64_t offset, void *buf, size_t n)
{
    size_t done = 0;
    while (done < n && foreign_look_at(f, offset + done)) {
        size_t in = (size_t)(offset + done - f->region_at);
        size_t now = f->window_n > in ? EZ_MIN(f->window_n - in, n - done) : 0;
        if (!now)
            break;
        memcpy((char *)buf + done, f->window + in, now);
        done += now;
    }
    return done;
}

size_t ez_foreign_read(struct ez_foreign *f, uint64_t offset, void *buf, size_t n)
{
    pthread_mutex_lock(&reading);
    n = foreign_read_mapped(f, offset, buf, n);
    pthread_mutex_unlock(&reading);
    return n;
}
