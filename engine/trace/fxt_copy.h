/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt_copy.h - a trace as another file: the plain one of it, or its whole records compressed anew.
 *
 * The copy takes the name only when it is whole, so a copy that fails leaves what was there.
 * Tests: tests/unit/engine/check_zst.c, tests/procs/compress.sh */
#ifndef EZ_FXT_COPY_H
#define EZ_FXT_COPY_H

#include "engine/trace/fxt_in.h"

/* Replaces the trace `path`, which `in` reads, by its first `end` bytes, compressed; they are all that
 * the block of events whose head is at `block` holds. EZ_E_FORMAT: its
 * head is far from the file's begin. */
ez_err *ez_fxt_pack(struct ez_fxt_in *in, const char *path, const struct ez_progress *progress,
                    uint64_t block, uint64_t end) EZ_WUR;

#endif
