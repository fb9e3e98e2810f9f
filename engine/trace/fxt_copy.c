/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt_copy.c - copies a trace to a plain file (ez_fxt_export() in fxt_in.h) or to a compressed file
 * (fxt_copy.h). */
#include "engine/trace/fxt_copy.h"

#include <errno.h>
#include <string.h>

#include "engine/base/newfile.h"
#include "engine/base/zst.h"
#include "engine/record/fxt_out.h"

#define BLOCK_HEAD 16

/* Calls `put`, which returns 0 or an errno, with the bytes [at, end) of the plain file, in pieces.
 * to: name of the copy, for messages. */
static ez_err *fxt_copy_bytes(struct ez_fxt_in *in, const char *to,
                              const struct ez_progress *progress, uint64_t at, uint64_t end,
                              int (*put)(void *arg, const void *bytes, size_t n, uint64_t at),
                              void *arg)
{
    EZ_FREE char *buf = ez_alloc(ZST_PIECE);
    for (size_t n; at < end; at += n) {
        if (progress && progress->fn && !progress->fn(progress->arg, at, end))
            return ez_err_new(EZ_E_STATE, 0, "Interrupted");
        EZ_TRY(ez_fxt_in_bytes(in, buf, EZ_MIN(end - at, ZST_PIECE), at, &n));
        if (!n)
            return ez_err_new(EZ_E_FORMAT, 0, "%s: the trace became shorter while it was read", to);
        int e = put(arg, buf, n, at);
        if (e)
            return ez_err_new(EZ_E_SYS, e, "%s: cannot write", to);
    }
    return NULL;
}

static int fxt_put_plain(void *fd, const void *bytes, size_t n, uint64_t at)
{
    return ez_pwrite_all(*(int *)fd, bytes, n, at, NULL);
}

static int fxt_put_frames(void *z, const void *bytes, size_t n, uint64_t at)
{
    return ez_zst_out_append(z, bytes, n);
}

/* Ends a copy: renames it to `place`, or deletes it if `e` is an error. to: name for messages.
 * Returns e, or a new error. */
static ez_err *fxt_copy_ends(struct ez_newfile *file, const char *to, const char *place, ez_err *e)
{
    if (!e && !ez_newfile_replace(file, place))
        e = ez_err_new(EZ_E_SYS, errno, "%s: cannot create the trace file", to);
    ez_newfile_drop(file);
    close(file->fd);
    return e;
}

/* Sets *end to the number of bytes of the plain file that can be copied: all bytes, or, if the file
 * is being written, the bytes up to the last checkpoint. */
static ez_err *fxt_copy_size(struct ez_fxt_in *in, uint64_t *end)
{
    uint64_t size = 0, block = ez_fxt_in_block(in);
    size_t got;
    *end = ez_fxt_in_size(in);
    if (!ez_fxt_in_is_written(in))
        return NULL;
    EZ_TRY(ez_fxt_in_bytes(in, &size, sizeof size, block, &got));
    *end = EZ_MIN(*end, block + size);
    return NULL;
}

ez_err *ez_fxt_export(const char *path, const char *to, const struct ez_progress *progress,
                      uint64_t *bytes)
{
    struct ez_fxt_in *in = NULL;
    struct ez_newfile file;
    EZ_CLOSE int lock = -1;
    EZ_FREE char *place = ez_newfile_place(to);
    EZ_TRY(ez_fxt_in_open(path, &in));
    ez_err *e = ez_fxt_out_possible(to);
    if (!e)
        e = fxt_copy_size(in, bytes);
    if (!e)
        e = ez_fxt_lock_old(to, place, &lock);
    if (!e && !ez_newfile_open(&file, place, 0644))
        e = ez_err_new(EZ_E_SYS, errno, "%s: cannot create the trace file", to);
    else if (!e)
        e = fxt_copy_ends(&file, to, place,
                          fxt_copy_bytes(in, to, progress, 0, *bytes, fxt_put_plain, &file.fd));
    ez_fxt_in_close(in);
    return e;
}

static ez_err *fxt_pack_to(struct ez_fxt_in *in, int fd, const char *path,
                           const struct ez_progress *progress, uint64_t block, uint64_t end)
{
    struct ez_zst_out *z = NULL;
    uint64_t size = end - block;
    size_t head = (size_t)block + BLOCK_HEAD, got;
    EZ_FREE char *h = ez_alloc(head);
    EZ_TRY(ez_fxt_in_bytes(in, h, head, 0, &got));
    memcpy(h + block, &size, sizeof size);
    int failed = ez_zst_out_begin(fd, h, head, &z);
    ez_err *e = failed ? NULL : fxt_copy_bytes(in, path, progress, head, end, fxt_put_frames, z);
    if (!e && !failed)
        failed = ez_zst_out_finish(z);
    ez_zst_out_free(z);
    return failed ? ez_err_new(EZ_E_SYS, failed, "%s: cannot write", path) : e;
}

ez_err *ez_fxt_pack(struct ez_fxt_in *in, const char *path, const struct ez_progress *progress,
                    uint64_t block, uint64_t end)
{
    struct ez_newfile file;
    EZ_FREE char *place = ez_newfile_place(path);
    if (block + BLOCK_HEAD > ZST_PIECE || end < block + BLOCK_HEAD)
        return ez_err_hint(
            ez_err_new(EZ_E_FORMAT, 0, "%s is compressed: only a plain file can be repaired", path),
            "\"trace export\" makes a plain file");
    if (!ez_newfile_open(&file, place, 0644))
        return ez_err_new(EZ_E_SYS, errno, "%s: cannot create the trace file", path);
    return fxt_copy_ends(&file, path, place, fxt_pack_to(in, file.fd, path, progress, block, end));
}
