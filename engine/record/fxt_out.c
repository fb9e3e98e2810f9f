/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt_out.c - writes FxT files (fxt_out.h).
 *
 * libfxt ends the process on errors of its file. So libfxt writes the header into an anonymous file
 * in memory, where no such error can occur, and this unit copies the finished bytes to the trace.
 * After the header, the format needs two plain writes: records at the end of the file, and the size
 * of the events block in the head of that block. A compressed trace has the same bytes, and the
 * same two writes (zst.h).
 *
 * libfxt would write a list of all tasks of the machine into the header. The list is left out,
 * because it would disclose which programs run on the machine. It is also slow if there are many
 * tasks: for 64 traced processes, it took a quarter of the time up to their first probe. Definition
 * events name the target's threads.
 *
 * Invariant: bytes [0, end) of the file are a header and whole events. After a checkpoint, the size
 * in the head of the events block ends at `end`, too.
 * Tests: tests/unit/record/check_fxt.c */
#include "engine/record/fxt_out.h"

#include <errno.h>
#include <fxt/fxt.h>
#include <pthread.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/times.h>
#include <time.h>

#include "engine/base/newfile.h"
#include "engine/base/zst.h"

#define FXT_AT_INFOS 4       /* offset of the outer INFOS block */
#define FXT_BLOCK_HEAD 16    /* u64 size, i32 type, i32 subtype */
#define FXT_BLOCK_PIDS 0x14  /* {u64 pid, char name[16]}..., u64 0 */
#define MAX_HEADER (1 << 20) /* far more than the size of any header that libfxt writes */
#define USUAL_HEADER 65536   /* more than the size of a header without the list of tasks */
#define MIN_HEADER 16384
#define MAX_TEXT_ARGS 240
#define SUFFIX ".fxt"

struct ez_fxt_out {
    int fd;
    /* compressor; NULL: the file is plain. Offsets are always offsets of the plain file */
    struct ez_zst_out *z;
    bool finished;
    char *path;
    int traced_pid;
    time_t start_time;
    clock_t start_jiffies;
    uint64_t events; /* offset of the events block's head */
    uint64_t end;    /* offset of the next event */
    uint64_t safe;   /* end of the events that the last checkpoint made valid */
};

/* libfxt keeps its state in global variables and cannot free a writer's handle. So the shell has
 * one handle, and only one thread at a time uses it. */
static pthread_mutex_t fxt_lock = PTHREAD_MUTEX_INITIALIZER;

static fxt_t fxt_handle(void)
{
    static fxt_t handle;
    if (!handle)
        handle = fxt_setinfos(FXT_SPACE_USER);
    return handle;
}

static ez_err *out_error(const struct ez_fxt_out *f, const char *what, int errnum)
{
    return ez_err_new(EZ_E_SYS, errnum, "%s: cannot %s", f->path, what);
}

static uint64_t fxt_word_at(const char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static void fxt_put_word(char *p, uint64_t v)
{
    memcpy(p, &v, sizeof v);
}

/* Replaces libfxt's function, which lists every task of the machine: writes an empty list. The
 * symbol is weak, because it would conflict with the function of a static libfxt. With a static
 * libfxt, fxt_drop_pids() empties the list. */
int fkt_record_pids(fxt_t fxt, int fd);
__attribute__((weak, visibility("default"))) int fkt_record_pids(fxt_t fxt, int fd)
{
    const uint64_t none = 0;
    (void)fxt;
    return write(fd, &none, sizeof none) == sizeof none ? 0 : -1;
}

/* Empties the PIDS block, the last block inside INFOS, in the header h[0..n). Returns the new
 * length of the header. */
static size_t fxt_drop_pids(char *h, size_t n)
{
    size_t at = FXT_AT_INFOS + FXT_BLOCK_HEAD;
    while (at + FXT_BLOCK_HEAD <= n) {
        uint64_t size = fxt_word_at(h + at);
        uint32_t type = (uint32_t)fxt_word_at(h + at + 8);
        if (size < FXT_BLOCK_HEAD || size > n - at)
            break;
        if (type == FXT_BLOCK_PIDS && at + size == n && size >= FXT_BLOCK_HEAD + 8) {
            fxt_put_word(h + at, FXT_BLOCK_HEAD + 8);
            fxt_put_word(h + at + FXT_BLOCK_HEAD, 0);
            n = at + FXT_BLOCK_HEAD + 8;
            fxt_put_word(h + FXT_AT_INFOS, n - FXT_AT_INFOS);
            return n;
        }
        at += size;
    }
    return n;
}

static void fxt_fill_infos(const struct ez_fxt_out *f, fxt_t fxt, bool stopped)
{
    struct fxt_infos *i = fxt_infos(fxt);
    struct tms unused;
    i->record_pid = getpid();
    i->traced_pid = f->traced_pid;
    i->start_time = f->start_time;
    i->start_jiffies = f->start_jiffies;
    i->stop_time = stopped ? time(NULL) : 0;
    i->stop_jiffies = stopped ? times(&unused) : 0;
}

/* Makes a file in memory whose pages exist already, so that libfxt's writes cannot fail. *room:
 * size of the pages, which is less than `most` if the kernel refuses more. Returns -1 on errors. */
static int fxt_scratch_file(off_t most, off_t *room)
{
    int fd = memfd_create("eztsh-fxt-header", MFD_CLOEXEC);
    for (*room = most; fd >= 0 && *room >= MIN_HEADER; *room /= 2)
        if (!fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, *room))
            return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Makes the header of a new trace, up to and including the head of the events block. Returns the
 * length of the header, or 0 if the header needs more than `most` bytes or on another error
 * (errno). The caller frees *out. */
static size_t fxt_make_header(const struct ez_fxt_out *f, off_t most, char **out)
{
    off_t room;
    EZ_CLOSE int fd = fxt_scratch_file(most, &room);
    fxt_t fxt = fxt_handle();
    size_t n = 0;
    if (fd < 0 || !fxt)
        return 0;
    fxt_fill_infos(f, fxt, false);
    if (fxt_fdwrite(fxt, fd) < 0)
        return 0;
    off_t infos = lseek(fd, 0, SEEK_CUR);
    if (infos <= 0 || infos > room - MIN_HEADER / 2)
        return 0;
    char *h = ez_alloc((size_t)infos + FXT_BLOCK_HEAD);
    if (pread(fd, h, (size_t)infos, 0) == infos) {
        n = fxt_drop_pids(h, (size_t)infos);
        /* The library writes the head of the events block right after the infos. */
        lseek(fd, infos, SEEK_SET);
        if (fxt_fdevents_start(fxt, fd, FXT_TRACE_USER_RAW64) < 0 ||
            pread(fd, h + n, FXT_BLOCK_HEAD, infos) != FXT_BLOCK_HEAD)
            n = 0;
    }
    if (n)
        *out = h;
    else
        free(h);
    return n ? n + FXT_BLOCK_HEAD : 0;
}

static ez_err *fxt_write_header(struct ez_fxt_out *f, bool compress)
{
    EZ_FREE char *h = NULL;
    pthread_mutex_lock(&fxt_lock);
    errno = 0;
    size_t n = fxt_make_header(f, USUAL_HEADER, &h);
    n = n ? n : fxt_make_header(f, MAX_HEADER, &h);
    int e = errno;
    pthread_mutex_unlock(&fxt_lock);
    if (!n)
        return out_error(f, "make the FxT header", e ? e : EIO);
    if ((e = compress ? ez_zst_out_begin(f->fd, h, n, &f->z) : ez_pwrite_all(f->fd, h, n, 0, NULL)))
        return out_error(f, "write", e);
    f->events = n - FXT_BLOCK_HEAD;
    f->end = n;
    return NULL;
}

/* Overwrites bytes of the header. */
static int fxt_patch(struct ez_fxt_out *f, const void *buf, size_t n, uint64_t at)
{
    return f->z ? ez_zst_out_patch(f->z, buf, n, at) : ez_pwrite_all(f->fd, buf, n, at, NULL);
}

static ez_err *fxt_cannot_create(const char *path)
{
    return ez_err_new(EZ_E_SYS, errno, "%s: cannot create the trace file", path);
}

/* Creates a trace with a complete header and no events. The trace has no name in its directory
 * yet. */
static ez_err *fxt_out_begin(const struct ez_fxt_want *w, const char *place,
                             struct ez_newfile *file, struct ez_fxt_out **out)
{
    struct tms unused;
    if (!ez_newfile_open(file, place, 0644))
        return fxt_cannot_create(w->path);
    struct ez_fxt_out *f = ez_alloc(sizeof *f);
    f->fd = file->fd;
    f->path = ez_strdup(w->path);
    f->traced_pid = w->traced_pid;
    f->start_time = time(NULL);
    f->start_jiffies = times(&unused);
    /* No other process can lock the file yet. The error is dropped, because some file systems have
     * no locks. */
    (void)!flock(f->fd, LOCK_EX);
    ez_err *e = fxt_write_header(f, w->compress);
    if (!e)
        e = ez_fxt_out_checkpoint(f);
    *out = f;
    return e;
}

static int fxt_out_free(struct ez_fxt_out *f) /* returns 0, or the errno of close() */
{
    int e = close(f->fd) ? errno : 0;
    ez_zst_out_free(f->z);
    free(f->path);
    free(f);
    return e;
}

/* Ends what fxt_out_begin() began: removes the file's temporary name, if it has one. If e is an
 * error, also closes the trace and sets *f to NULL. Returns e. */
static ez_err *fxt_out_settle(struct ez_newfile *file, struct ez_fxt_out **f, ez_err *e)
{
    ez_newfile_drop(file);
    if (e && *f) {
        fxt_out_free(*f);
        *f = NULL;
    }
    return e;
}

ez_err *ez_fxt_lock_old(const char *path, const char *place, int *lock)
{
    struct stat named, locked;
    for (;; close(*lock)) {
        *lock = open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        /* no trace exists, or the name is a link, or the file belongs to another user */
        if (*lock < 0)
            return NULL;
        if (flock(*lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
            return ez_err_hint(
                ez_err_new(EZ_E_STATE, 0, "%s: another eztsh is writing this trace", path),
                "Without a name each process, and each rank, gets a file of its own");
        if (fstat(*lock, &locked) || lstat(place, &named) ||
            (locked.st_ino == named.st_ino && locked.st_dev == named.st_dev))
            return NULL;
    }
}

static ez_err *fxt_out_replace(const struct ez_fxt_want *w, struct ez_fxt_out **out)
{
    EZ_CLOSE int lock = -1;
    struct ez_newfile file = { .fd = -1 };
    EZ_FREE char *place = ez_newfile_place(w->path);
    EZ_TRY(ez_fxt_out_possible(w->path));
    ez_err *e = fxt_out_begin(w, place, &file, out);
    if (!e && !ez_newfile_claim(&file, place)) {
        e = ez_fxt_lock_old(w->path, place, &lock);
        if (!e && !ez_newfile_replace(&file, place))
            e = fxt_cannot_create(w->path);
    }
    return fxt_out_settle(&file, out, e);
}

static ez_err *fxt_out_create(const struct ez_fxt_want *w, struct ez_fxt_out **out)
{
    struct ez_newfile file = { .fd = -1 };
    size_t stem = strlen(w->path) - strlen(SUFFIX);
    ez_err *e = fxt_out_begin(w, w->path, &file, out);
    for (unsigned i = 2; !e && !ez_newfile_claim(&file, (*out)->path); i++) {
        if (errno != EEXIST)
            e = fxt_cannot_create(w->path);
        free((*out)->path);
        (*out)->path = ez_sprintf("%.*s.%u" SUFFIX, (int)stem, w->path, i);
    }
    return fxt_out_settle(&file, out, e);
}

ez_err *ez_fxt_out_begin(const struct ez_fxt_want *w, struct ez_fxt_out **out)
{
    *out = NULL;
    return w->keep ? fxt_out_create(w, out) : fxt_out_replace(w, out);
}

ez_err *ez_fxt_out_open(const char *path, int traced_pid, struct ez_fxt_out **out)
{
    return ez_fxt_out_begin(&(struct ez_fxt_want){ path, traced_pid, false, false }, out);
}

ez_err *ez_fxt_out_create(const char *path, int traced_pid, struct ez_fxt_out **out)
{
    return ez_fxt_out_begin(&(struct ez_fxt_want){ path, traced_pid, true, false }, out);
}

/* Returns an error if the file is a regular file, not empty, and not readable as a trace: "trace
 * app" instead of "trace app.fxt" must not destroy a program or a source file. */
static ez_err *fxt_only_traces(const char *path, const char *place)
{
    struct stat st;
    bool compressed;
    EZ_CLOSE int fd = open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool there = !lstat(place, &st) && S_ISREG(st.st_mode) && st.st_size;
    if (!there || (fd >= 0 && ez_fxt_is_trace(fd, &compressed)))
        return NULL;
    return ez_err_hint(
        ez_err_new(EZ_E_ARG, 0, "%s exists and is not a readable FxT trace", path),
        "Only traces are overwritten: choose another name, or remove the file first");
}

ez_err *ez_fxt_out_possible(const char *path)
{
    struct ez_newfile file;
    EZ_FREE char *place = ez_newfile_place(path);
    ez_err *e = ez_newfile_refused(place);
    if (e && e->code == EZ_E_ARG) {
        ez_err_free(e);
        return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "%s: a trace must be a regular file", path),
                           "FxT files are patched in place, which pipes and devices do not allow");
    }
    if (!e)
        e = fxt_only_traces(path, place);
    if (!e && !ez_newfile_open(&file, place, 0644))
        return fxt_cannot_create(path);
    if (!e) {
        ez_newfile_drop(&file);
        close(file.fd);
    }
    return e;
}

const char *ez_fxt_out_path(const struct ez_fxt_out *f)
{
    return f->path;
}

/* Returns how many of the n words belong to whole events. */
static size_t fxt_out_whole(const uint64_t *word, size_t n)
{
    size_t at = 0;
    while (n - at >= 3 && n - at >= 2 + (word[at + 2] & 0xff))
        at += 2 + (word[at + 2] & 0xff);
    return at;
}

/* Compresses n words of whole events. No event is in two zstd frames. */
static ez_err *fxt_compress(struct ez_fxt_out *f, const uint64_t *word, size_t n)
{
    const size_t most = ZST_PIECE / sizeof *word;
    for (size_t k; n; word += k, n -= k) {
        k = n <= most ? n : fxt_out_whole(word, most);
        int e = ez_zst_out_append(f->z, word, k * sizeof *word);
        if (e)
            return out_error(f, "write", e);
        f->end += k * sizeof *word;
    }
    return NULL;
}

/* After an error, the whole events that were written stay in the file. */
ez_err *ez_fxt_out_events(struct ez_fxt_out *f, const uint64_t *word, size_t n)
{
    size_t done;
    if (f->z)
        return fxt_compress(f, word, n);
    int e = ez_pwrite_all(f->fd, word, n * sizeof *word, f->end, &done);
    f->end += (e ? fxt_out_whole(word, done / sizeof *word) : n) * sizeof *word;
    if (!e)
        return NULL;
    if (ftruncate(f->fd, (off_t)f->end))
        /* the part of an event stays behind `end`; the size of the events block excludes it */
        e = errno;
    return out_error(f, "write", e);
}

/* Appends one event to a batch that has room. */
static void batch_put(struct ez_fxt_batch *b, const struct ez_fxt_def *def)
{
    size_t ntext = (def->textlen + 7) / 8, n = def->narg + ntext;
    uint64_t *ev = b->word + b->n;
    ev[0] = def->tick;
    ev[1] = def->tid;
    ev[2] = ((uint64_t)EZ_C_DEF + def->kind) << 8 | (n + 1);
    if (def->narg)
        memcpy(ev + 3, def->arg, def->narg * 8);
    if (ntext) {
        ev[3 + n - 1] = 0; /* bytes 0 after the text in its last word */
        memcpy(ev + 3 + def->narg, def->text, def->textlen);
    }
    b->n += 3 + n;
}

bool ez_fxt_batch_add(struct ez_fxt_batch *b, const struct ez_fxt_def *def)
{
    struct ez_fxt_def d = *def;
    d.narg = EZ_MIN(def->narg, (size_t)16);
    d.textlen = EZ_MIN(def->textlen, (size_t)EZ_FXT_TEXT);
    const size_t most = 8 * (MAX_TEXT_ARGS - d.narg);
    const size_t more = d.textlen - EZ_MIN(d.textlen, most); /* bytes that go into earlier events */
    const size_t heads = 1 + (more + 8 * MAX_TEXT_ARGS - 1) / (8 * MAX_TEXT_ARGS);
    if (b->n + 3 * heads + d.narg + (d.textlen + 7) / 8 > EZ_ARRAY_LEN(b->word))
        return false;
    while (d.textlen > most) {
        size_t n = EZ_MIN((d.textlen - most + 7) / 8, (size_t)MAX_TEXT_ARGS) * 8;
        batch_put(b, &(struct ez_fxt_def){ EZ_DEF_TEXT, d.tick, d.tid, NULL, 0, d.text, n });
        d.text += n;
        d.textlen -= n;
    }
    batch_put(b, &d);
    return true;
}

ez_err *ez_fxt_out_batch(struct ez_fxt_out *f, struct ez_fxt_batch *b)
{
    size_t n = b->n;
    b->n = 0;
    return n ? ez_fxt_out_events(f, b->word, n) : NULL;
}

ez_err *ez_fxt_out_define(struct ez_fxt_out *f, const struct ez_fxt_def *def)
{
    struct ez_fxt_batch b;
    b.n = 0;
    (void)!ez_fxt_batch_add(&b, def); /* an empty batch has room */
    return ez_fxt_out_batch(f, &b);
}

ez_err *ez_fxt_out_checkpoint(struct ez_fxt_out *f)
{
    uint64_t size = f->end - f->events;
    if (f->safe == f->end)
        return NULL;
    int e = fxt_patch(f, &size, sizeof size, f->events);
    if (e)
        return out_error(f, "write", e);
    f->safe = f->end;
    return NULL;
}

/* libfxt writes the stop time into a copy of the header, which is then written to the file. */
static ez_err *fxt_write_stop_time(struct ez_fxt_out *f)
{
    size_t n = f->events;
    off_t room;
    EZ_CLOSE int fd = -1;
    EZ_FREE char *h = ez_alloc(n);
    if (pread(f->fd, h, n, f->z ? ZST_HEAD : 0) != (ssize_t)n)
        return out_error(f, "read back the header", errno);
    pthread_mutex_lock(&fxt_lock);
    fd = fxt_scratch_file(EZ_MAX((off_t)n, USUAL_HEADER), &room);
    bool ok = fd >= 0 && pwrite(fd, h, n, 0) == (ssize_t)n &&
              lseek(fd, FXT_AT_INFOS, SEEK_SET) == FXT_AT_INFOS;
    if (ok) {
        fxt_fill_infos(f, fxt_handle(), true);
        ok = fxt_fdwritetime(fxt_handle(), fd) >= 0 && pread(fd, h, n, 0) == (ssize_t)n;
    }
    int e = errno;
    pthread_mutex_unlock(&fxt_lock);
    if (!ok)
        return out_error(f, "make the stop time", e);
    e = fxt_patch(f, h, n, 0);
    return e ? out_error(f, "write", e) : NULL;
}

ez_err *ez_fxt_out_finish(struct ez_fxt_out *f)
{
    ez_err *e = f->finished ? NULL : ez_fxt_out_checkpoint(f);
    if (!e && !f->finished)
        e = fxt_write_stop_time(f);
    int failed = !e && !f->finished && f->z ? ez_zst_out_finish(f->z) : 0;
    f->finished = true;
    return failed ? out_error(f, "write", failed) : e;
}

ez_err *ez_fxt_out_close(struct ez_fxt_out *f)
{
    ez_err *e = ez_fxt_out_finish(f);
    EZ_FREE char *path = ez_strdup(f->path);
    int failed = fxt_out_free(f);
    return e || !failed ? e : ez_err_new(EZ_E_SYS, failed, "%s: cannot close", path);
}

uint64_t ez_fxt_out_stored(const struct ez_fxt_out *f)
{
    return f->z ? ez_zst_out_bytes(f->z) : f->end;
}

uint64_t ez_fxt_out_bytes(const struct ez_fxt_out *f)
{
    return f->end;
}

/* Every writer of FxT files begins a file with the INFOS block. */
bool ez_fxt_is_trace(int fd, bool *compressed)
{
    uint32_t word[8] = { 0 };
    ssize_t n = pread(fd, word, sizeof word, 0);
    *compressed = n >= ZST_HEAD && word[0] == ZST_MAGIC;
    return word[(*compressed ? ZST_HEAD : 0) / 4 + 3] == FXT_INFOS;
}
