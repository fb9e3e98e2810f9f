/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt_in.h - reads a FxT file of any writer, as a stream with bounded memory.
 *
 * libfxt's reader is not used, because it ends the process on damaged files. This reader reads
 * raw64 event blocks, and reports damaged data behind the last whole record as an error. A file of
 * zstd frames (zst.h) is decompressed while it is read; offsets and sizes are those of the
 * decompressed file (the *plain file*). */
#ifndef EZ_FXT_IN_H
#define EZ_FXT_IN_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/progress.h"

struct ez_fxt_in;
struct ez_zst_in;

struct ez_fxt_event {
    /* code: the code word without its low byte, which contains the number of arguments */
    uint64_t tick, tid, code;
    unsigned narg;
    const uint64_t *arg; /* valid until the next call for this file */
};

ez_err *ez_fxt_in_open(const char *path, struct ez_fxt_in **out) EZ_WUR;
/* Reads the next event. Sets *got to false at the end of the file. Returns EZ_E_FORMAT, with the
 * offset in the message, on a damaged record. */
ez_err *ez_fxt_in_next(struct ez_fxt_in *f, struct ez_fxt_event *ev, bool *got) EZ_WUR;
/* Prepares to read more of a trace that is still being written: the next calls of ez_fxt_in_next()
 * read the events up to the last checkpoint, then set *got to false. */
ez_err *ez_fxt_in_follow(struct ez_fxt_in *f) EZ_WUR;
/* Return the offset of the next record and of the current block's head. In a compressed file,
 * offsets are those of the plain file. */
uint64_t ez_fxt_in_pos(const struct ez_fxt_in *f);
uint64_t ez_fxt_in_block(const struct ez_fxt_in *f);
/* Makes ez_fxt_in_next() continue at the event at offset `pos`. The event must be in the block that
 * is being read, or behind the end of the block. Returns false if `pos` is outside of these
 * bytes. */
bool ez_fxt_in_go(struct ez_fxt_in *f, uint64_t pos) EZ_WUR;
/* Reads up to n bytes of the plain file from offset `at`. *got is the number of bytes read. */
ez_err *ez_fxt_in_bytes(struct ez_fxt_in *f, void *buf, size_t n, uint64_t at, size_t *got) EZ_WUR;
uint64_t ez_fxt_in_size(const struct ez_fxt_in *f);                  /* size of the plain file */
const struct ez_zst_in *ez_fxt_in_frames(const struct ez_fxt_in *f); /* NULL if the file is plain */
int ez_fxt_in_fd(const struct ez_fxt_in *f);          /* descriptor of the file, borrowed */
bool ez_fxt_in_is_written(const struct ez_fxt_in *f); /* true if a writer has the file open */
void ez_fxt_in_close(struct ez_fxt_in *f);

/* `trace repair`, for a trace whose writer was killed between an append and a checkpoint: makes all
 * whole records readable for other readers, such as libfxt, and cuts off the bytes behind the last
 * whole record. Writes nothing if nothing needs repair, or if `progress` (may be NULL) cancels. */
struct ez_fxt_repair {
    uint64_t events; /* number of whole records, definitions included */
    /* number of those `events` that were behind the end of their block, by the size in its head */
    uint64_t gained;
    uint64_t cut; /* number of bytes cut off at the end */
    bool packed;  /* the file is compressed, and was written again */
};
ez_err *ez_fxt_repair(const char *path, const struct ez_progress *progress,
                      struct ez_fxt_repair *out) EZ_WUR;
/* `trace export`: writes an uncompressed copy of a trace to the file `to`, and replaces a trace
 * that has this name. Copies only the checkpointed part of a trace that is being written. *bytes is
 * the size of the copy. */
ez_err *ez_fxt_export(const char *path, const char *to, const struct ez_progress *progress,
                      uint64_t *bytes) EZ_WUR;

#endif
