/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index_file.c - keeps the indexes of traces in the user's cache folder (index.h).
 *
 * A file in the folder "indexes" is the index of one trace. The name of the file is a hash of the
 * trace's device and inode. The index contains the state of the trace for which it was made: size,
 * times of the last changes, and a hash of the first and last bytes. An index of another state is
 * replaced. If there are too many indexes, those that were used longest ago are deleted. No error
 * is reported: without an index, the trace is read from the start.
 *
 * Tests: tests/unit/trace/check_index.c, tests/procs/index.sh */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "engine/base/cachedir.h"
#include "engine/base/newfile.h"
#include "engine/trace/index.h"

#define FOLDER "indexes"
#define ENDING ".idx"
/* number of bytes that are hashed at the begin and at the end of the trace */
#define END_BYTES 4096
#define MOST_FILES 64 /* MOST_FILES, MOST_BYTES: limits for all indexes together */
#define MOST_BYTES (256u << 20)
#define MOST_WORDS ((size_t)MOST_BYTES / 8)

/* ---- the state of a trace -------------------------------------------------------------------- */

static uint64_t index_ns(struct timespec t)
{
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Adds up to END_BYTES bytes of the file from offset `at` on to the hash *h. Returns false if they
 * cannot be read. */
static bool index_hash_end(int fd, uint64_t at, uint64_t *h)
{
    uint64_t w[END_BYTES / 8] = { 0 };
    ssize_t n = pread(fd, w, sizeof w, (off_t)at);
    for (size_t i = 0; i < EZ_ARRAY_LEN(w); i++)
        *h = ez_index_mix(*h, w[i]);
    return n > 0;
}

bool ez_index_key_of(const struct ez_fxt_in *in, struct ez_index_key *key)
{
    struct stat st;
    struct timespec now;
    int fd = ez_fxt_in_fd(in);
    if (fstat(fd, &st) || clock_gettime(CLOCK_REALTIME_COARSE, &now) || ez_fxt_in_is_written(in))
        return false;
    *key = (struct ez_index_key){ .dev = st.st_dev,
                                  .ino = st.st_ino,
                                  .size = (uint64_t)st.st_size,
                                  .mtime_ns = index_ns(st.st_mtim),
                                  .ctime_ns = index_ns(st.st_ctim) };
    /* the clock of ctime advances only every few ms: another change within the same step would
     * leave the same ctime */
    return index_ns(now) > key->ctime_ns && index_hash_end(fd, 0, &key->ends) &&
           index_hash_end(fd, key->size - EZ_MIN(key->size, (uint64_t)END_BYTES), &key->ends);
}

bool ez_index_key_same(const struct ez_index_key *a, const struct ez_index_key *b)
{
    return !memcmp(a, b, sizeof *a);
}

/* ---- files ----------------------------------------------------------------------------------- */

static char *index_path(const char *folder, const struct ez_index_key *key)
{
    uint64_t h = ez_hash_pair(ez_hash_pair(EZ_HASH_SEED, key->dev), key->ino);
    return ez_sprintf("%s/%016" PRIx64 ENDING, folder, h);
}

/* Reads the words of an index's file. Returns NULL if the file cannot be read, does not belong to
 * the user, or can be written by others. The caller frees the words. */
static uint64_t *index_read(const char *path, size_t *n)
{
    struct stat st;
    EZ_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
        st.st_mode & 022 || st.st_size % 8 || st.st_size / 8 > (off_t)MOST_WORDS)
        return NULL;
    *n = (size_t)st.st_size / 8;
    uint64_t *word = ez_alloc(*n * 8 + 1);
    for (size_t got = 0; got < *n * 8;) {
        ssize_t k = pread(fd, (char *)word + got, *n * 8 - got, (off_t)got);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0) {
            free(word);
            return NULL;
        }
        got += (size_t)k;
    }
    return word;
}

struct ez_index *ez_index_load(const struct ez_fxt_in *in)
{
    size_t n;
    struct ez_cachedir d;
    struct ez_index_key key;
    struct ez_index *x = NULL;
    if (!ez_index_key_of(in, &key))
        return NULL;
    if (ez_cachedir_open(&d, FOLDER, false)) {
        EZ_FREE char *path = index_path(d.path, &key);
        uint64_t *word = index_read(path, &n);
        x = word ? ez_index_of(word, n) : NULL;
        if (x && !ez_index_key_same(&x->head->key, &key)) {
            ez_index_free(x);
            x = NULL;
        }
        /* sets mtime, the time of the last use: the indexes that were used longest ago are deleted
         * first */
        if (x)
            (void)!utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW);
    }
    ez_cachedir_close(&d);
    return x;
}

/* ---- limits ---------------------------------------------------------------------------------- */

struct old {
    char *path;
    uint64_t used_ns, bytes;
};

static int index_latest_first(const void *a, const void *b)
{
    const struct old *x = a, *y = b;
    return x->used_ns != y->used_ns ? (x->used_ns > y->used_ns ? -1 : 1) : strcmp(x->path, y->path);
}

/* Returns nonzero if the entry has the name of an index: 16 hexadecimal digits and ENDING. */
static int index_is_name(const struct dirent *entry)
{
    return strspn(entry->d_name, "0123456789abcdef") == 16 && !strcmp(entry->d_name + 16, ENDING);
}

/* Deletes the indexes that were used longest ago, until the remaining indexes are within the
 * limits. */
static void index_delete_old(const char *folder)
{
    struct dirent **entry;
    struct stat st;
    EZ_VEC(struct old) old = { 0 };
    uint64_t bytes = 0;
    int n = scandir(folder, &entry, index_is_name, NULL);
    for (int i = 0; i < n; i++) {
        struct old o = { .path = ez_sprintf("%s/%s", folder, entry[i]->d_name) };
        if (!lstat(o.path, &st)) {
            o.used_ns = index_ns(st.st_mtim);
            o.bytes = (uint64_t)st.st_size;
        }
        EZ_PUSH(&old, o);
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
    if (old.n)
        qsort(old.at, old.n, sizeof *old.at, index_latest_first);
    for (size_t i = 0; i < old.n; i++) {
        bytes += old.at[i].bytes;
        if (i >= MOST_FILES || bytes > MOST_BYTES)
            unlink(old.at[i].path);
        free(old.at[i].path);
    }
    EZ_VEC_FREE(&old);
}

void ez_index_store(const struct ez_index *x)
{
    struct ez_cachedir d;
    struct ez_newfile f;
    if (x->n > MOST_WORDS)
        return;
    if (ez_cachedir_open(&d, FOLDER, true)) {
        EZ_FREE char *path = index_path(d.path, &x->head->key);
        if (ez_newfile_open(&f, path, 0600)) {
            bool whole = !ez_pwrite_all(f.fd, x->word, x->n * 8, 0, NULL) && !fchmod(f.fd, 0600);
            if (!whole || !ez_newfile_replace(&f, path))
                ez_newfile_drop(&f);
            close(f.fd);
            index_delete_old(d.path);
        }
    }
    ez_cachedir_close(&d);
}
