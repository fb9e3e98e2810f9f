/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt_repair.c - `trace repair`: corrects a file whose writer was killed (fxt_in.h).
 *
 * fxt_in.c can read such a file. Programs that use libfxt cannot read it, because the size in the
 * head of the event block is 0 or too small. The repair reads the file, sets that size, and cuts
 * the file after the last whole record. The size is written first: a crash between the two steps
 * leaves a file that is correct except for extra bytes at its end. A compressed file is written
 * again, and the copy replaces the old file (fxt_copy.c).
 *
 * Tests: tests/unit/record/check_fxt.c */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "engine/base/zst.h"
#include "engine/trace/fxt_copy.h"
#include "engine/trace/fxt_in.h"

struct last {            /* the last whole record */
    uint64_t end, block; /* offsets of the record's end and of the head of the record's block */
    uint64_t known; /* size in the head of the block; 0 = the writer did not finish the block */
    bool damage;    /* damaged data follows the record */
};

static ez_err *fxt_repair_walk(struct ez_fxt_in *in, const struct ez_progress *progress,
                               struct ez_fxt_repair *r, struct last *l)
{
    struct ez_fxt_event ev;
    bool got = false;
    size_t got_bytes;
    uint64_t n = 0;
    ez_err *e;
    *l = (struct last){ .end = ez_fxt_in_pos(in) };
    do {
        if (!ez_progress_go_on(progress, ++n, 0))
            return ez_err_new(EZ_E_STATE, 0, "Interrupted");
        if (ez_fxt_in_block(in) != l->block) {
            l->block = ez_fxt_in_block(in);
            EZ_TRY(ez_fxt_in_bytes(in, &l->known, sizeof l->known, l->block, &got_bytes));
        }
        l->end = ez_fxt_in_pos(in);
        r->events += got;
        r->gained += got && l->end - l->block > l->known;
    } while (!(e = ez_fxt_in_next(in, &ev, &got)) && got);
    if (e && e->code == EZ_E_SYS)
        return e;
    l->damage = e;
    ez_err_drop(e); /* damage ends the reading; the records before the damage are whole */
    return NULL;
}

static ez_err *fxt_repair_mend(int fd, const struct last *l, struct ez_fxt_repair *r)
{
    struct stat st;
    uint64_t size = l->end - l->block;
    if (fstat(fd, &st))
        return ez_err_new(EZ_E_SYS, errno, "Cannot read");
    uint64_t length = (uint64_t)st.st_size;
    if (!l->damage && !r->gained && l->known && l->known <= length - l->block)
        /* nothing to repair: the bytes behind the block are blocks of another writer */
        return NULL;
    if (l->known != size && pwrite(fd, &size, sizeof size, (off_t)l->block) != sizeof size)
        return ez_err_new(EZ_E_SYS, errno, "Cannot write");
    if (length <= l->end)
        return NULL;
    r->cut = length - l->end;
    return ftruncate(fd, (off_t)l->end) ? ez_err_new(EZ_E_SYS, errno, "Cannot truncate the file")
                                        : NULL;
}

/* Repairs a compressed file, if necessary, by writing it again. */
static ez_err *fxt_repair_pack(const char *path, const struct ez_progress *progress,
                               struct ez_fxt_in *in, const struct last *l, struct ez_fxt_repair *r)
{
    const struct ez_zst_in *z = ez_fxt_in_frames(in);
    if (!l->damage && !r->gained && ez_zst_in_finished(z))
        return NULL;
    r->cut = ez_fxt_in_size(in) - l->end + ez_zst_in_cut(z);
    r->packed = true;
    return ez_fxt_pack(in, path, progress, l->block, l->end);
}

ez_err *ez_fxt_repair(const char *path, const struct ez_progress *progress,
                      struct ez_fxt_repair *out)
{
    struct ez_fxt_in *in = NULL;
    struct last last;
    *out = (struct ez_fxt_repair){ 0 };
    EZ_TRY(ez_fxt_in_open(path, &in));
    EZ_CLOSE int fd = open(path, O_RDWR | O_CLOEXEC);
    ez_err *e = fd < 0 ? ez_err_new(EZ_E_SYS, errno, "Cannot open for writing") : NULL;
    if (!e && flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        e = ez_err_new(EZ_E_STATE, 0, "Another process writes or repairs this trace");
    if (!e)
        /* with a shared lock, no writer can begin, and `in` is not taken for a file that is being
         * written */
        flock(fd, LOCK_SH);
    if (e)
        e = ez_err_wrap(e, "%s", path);
    if (!e)
        e = fxt_repair_walk(in, progress, out, &last);
    if (!e && ez_fxt_in_frames(in))
        e = fxt_repair_pack(path, progress, in, &last, out);
    else if (!e && (e = fxt_repair_mend(fd, &last, out)))
        e = ez_err_wrap(e, "%s", path);
    ez_fxt_in_close(in);
    return e;
}
