/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt_copy.h - replaces a compressed trace by a compressed copy.
 *
 * A copy is written under a temporary name, and renamed when it is complete. So a failed copy
 * leaves the old file in place.
 *
 * Tests: tests/unit/base/check_zst.c, tests/procs/compress.sh */
#ifndef EZ_FXT_COPY_H
#define EZ_FXT_COPY_H

#include "engine/trace/fxt_in.h"

/* Replaces the trace `path`, which `in` reads, by a compressed copy of its first `end` bytes.
 * block: offset of the head of the last block of events. In the copy, the size in this head covers
 * all bytes up to `end`. Returns EZ_E_FORMAT if the head is too far from the start of the file. */
ez_err *ez_fxt_pack(struct ez_fxt_in *in, const char *path, const struct ez_progress *progress,
                    uint64_t block, uint64_t end) EZ_WUR;

#endif
