/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt_repair.c - `trace repair`: see fxt_in.h.
 *
 * Our reader already reads a file whose writer was killed; libfxt and what is built on
 * it does not: the size in the head of the events block says "nothing" or too little.
 * So the reader walks the file, and two things are put right: that size, and the length
 * of the file, which ends with the last whole record. First the size: a crash
 * between the two leaves a file that is right but for its tail.
 * Tests: tests/unit/engine/check_fxt.c */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "engine/fxt_in.h"

/* Walk to the last whole record: its end, and the block it is in. */
static ez_err *walk(struct ez_fxt_in *in, int fd, struct ez_fxt_repair *r, uint64_t *end)
{
    struct ez_fxt_event ev;
    bool got = false;
    uint64_t block = 0, known = 0;
    ez_err *e;
    *end = ez_fxt_in_pos(in);
    while (!(e = ez_fxt_in_next(in, &ev, &got)) && got) {
        if (ez_fxt_in_block(in) != block) {
            block = ez_fxt_in_block(in);
            if (pread(fd, &known, sizeof known, (off_t)block) != sizeof known)
                return ez_err_new(EZ_E_SYS, errno, "cannot read");
        }
        r->events++;
        *end = ez_fxt_in_pos(in);
        r->gained += *end - block > known;
    }
    if (e && e->code == EZ_E_SYS)
        return e;
    ez_err_drop(e); /* damage: what stands before it is kept */
    return NULL;
}

static ez_err *mend(int fd, uint64_t block, uint64_t end, struct ez_fxt_repair *r)
{
    struct stat st;
    uint64_t size = end - block, old;
    if (fstat(fd, &st) || pread(fd, &old, sizeof old, (off_t)block) != sizeof old)
        return ez_err_new(EZ_E_SYS, errno, "cannot read");
    if (old != size && pwrite(fd, &size, sizeof size, (off_t)block) != sizeof size)
        return ez_err_new(EZ_E_SYS, errno, "cannot write");
    if ((uint64_t)st.st_size <= end)
        return NULL;
    r->cut = (uint64_t)st.st_size - end;
    return ftruncate(fd, (off_t)end) ? ez_err_new(EZ_E_SYS, errno, "cannot cut the end") : NULL;
}

ez_err *ez_fxt_repair(const char *path, struct ez_fxt_repair *out)
{
    struct ez_fxt_in *in = NULL;
    uint64_t end = 0;
    *out = (struct ez_fxt_repair){ 0 };
    EZ_TRY(ez_fxt_in_open(path, &in));
    EZ_CLOSE int fd = open(path, O_RDWR | O_CLOEXEC);
    ez_err *e = fd < 0 ? ez_err_new(EZ_E_SYS, errno, "cannot open for writing") : NULL;
    if (!e && flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        e = ez_err_new(EZ_E_STATE, 0, "this trace is being written; it needs no repair");
    if (!e)
        e = walk(in, fd, out, &end);
    if (!e)
        e = mend(fd, ez_fxt_in_block(in), end, out);
    ez_fxt_in_close(in);
    return e ? ez_err_wrap(e, "%s", path) : NULL;
}
