/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt_in.h - read a FxT file of any writer, bounded and streaming.
 *
 * libfxt's reader is not used, since it exits the process on damaged files. This reader
 * reads raw64 event blocks; it ignores and reports everything after the last whole record.
 * A file of zstd frames (zst.h) is read as the plain file in them. */
#ifndef EZ_FXT_IN_H
#define EZ_FXT_IN_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/progress.h"

struct ez_fxt_in;
struct ez_zst_in;

struct ez_fxt_event {
    uint64_t tick, tid, code; /* code without the argument count               */
    unsigned narg;
    const uint64_t *arg; /* valid until the next call                     */
};

ez_err *ez_fxt_in_open(const char *path, struct ez_fxt_in **out) EZ_WUR;
/* *got false = the end. EZ_E_FORMAT on a damaged record (with its offset). */
ez_err *ez_fxt_in_next(struct ez_fxt_in *f, struct ez_fxt_event *ev, bool *got) EZ_WUR;
/* For a trace that is still being written: the next calls of ez_fxt_in_next() read what was
 * checkpointed up to now, and stop at the last checkpoint. */
ez_err *ez_fxt_in_follow(struct ez_fxt_in *f) EZ_WUR;
/* Offset of the next record, and of the current block's head; in a compressed file as if it were
 * plain. */
uint64_t ez_fxt_in_pos(const struct ez_fxt_in *f);
uint64_t ez_fxt_in_block(const struct ez_fxt_in *f);
/* Bytes of the plain file, as many as there are up to n, from offset `at` on. */
ez_err *ez_fxt_in_bytes(struct ez_fxt_in *f, void *buf, size_t n, uint64_t at, size_t *got) EZ_WUR;
uint64_t ez_fxt_in_size(const struct ez_fxt_in *f);                  /* of the plain file */
const struct ez_zst_in *ez_fxt_in_frames(const struct ez_fxt_in *f); /* NULL = the file is plain */
bool ez_fxt_in_is_written(const struct ez_fxt_in *f); /* another descriptor has the writer's lock */
void ez_fxt_in_close(struct ez_fxt_in *f);

/* `trace repair`: make all whole records of a trace readable for every reader, after
 * its writer was killed between an append and a checkpoint. What comes after the last
 * whole record is cut off. Nothing is written when nothing is wrong, nor when `progress` (NULL = nobody) gives up. */
struct ez_fxt_repair {
    uint64_t events; /* whole records, definitions included                       */
    uint64_t gained; /* of these, records that the file did not count as its own  */
    uint64_t cut;    /* bytes                                                     */
    bool packed;     /* what a killed writer had not compressed is so now         */
};
ez_err *ez_fxt_repair(const char *path, const struct ez_progress *progress,
                      struct ez_fxt_repair *out) EZ_WUR;
/* `trace export`: writes the plain file of a trace, which may be compressed, to `to`; of a trace that
 * is being written, what was checkpointed. It takes the place of a trace that is there. */
ez_err *ez_fxt_export(const char *path, const char *to, const struct ez_progress *progress,
                      uint64_t *bytes) EZ_WUR;

#endif
