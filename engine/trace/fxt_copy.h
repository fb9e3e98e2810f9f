/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt_copy.h - copies of a trace: as a plain file, or with its whole records compressed again.
 *
 * The copy gets the name only when it is complete. A failed copy leaves the old file in place.
 *
 * Tests: tests/unit/engine/check_zst.c, tests/procs/compress.sh */
#ifndef EZ_FXT_COPY_H
#define EZ_FXT_COPY_H

#include "engine/trace/fxt_in.h"

/* Replaces the trace `path`, which `in` reads, by its first `end` bytes, compressed. The block of
 * events at `block` is made to hold all of them. Returns EZ_E_FORMAT if the block's head is too far
 * from the start of the file. */
ez_err *ez_fxt_pack(struct ez_fxt_in *in, const char *path, const struct ez_progress *progress,
                    uint64_t block, uint64_t end) EZ_WUR;

#endif
