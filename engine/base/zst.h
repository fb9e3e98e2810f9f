/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zst.h - a file of zstd frames that is complete after every write.
 *
 * The zstd program reads such a file as any other (`zstd -dc FILE`). It is a chain of frames:
 *
 *   head    one raw block: byte N of the plain file is byte ZST_HEAD + N of this file, and can be
 *           overwritten later
 *   gap     8 bytes {ZST_SKIP, n}, then n unused bytes ("skippable frame")
 *   frame   up to ZST_BLOCK bytes of the plain file, compressed, with a checksum
 *   gap, frame, gap, frame, ... and finally, once the file is finished:
 *   table   the sizes of all frames, in a skippable frame ("seekable format")
 *
 * While the file is being written, all gaps are empty (n = 0) except the last, the wide gap. Data
 * that is not compressed yet follows the wide gap, in frames of raw blocks: the tail. So nothing is
 * lost if the writer is killed, and no frame has to end early for that. A new frame is written
 * *into* the wide gap, after its 8 bytes, followed by a new gap that leads to the rest of the tail.
 * Then n of the old gap is set to 0: these four bytes change the chain, which is complete before
 * and after. When the wide gap has become too wide, a copy of the tail is written close after the
 * last frame, and the gap then leads to the copy.
 *
 * zst_out.c writes, zst_in.c reads. Both formats: RFC 8878, and contrib/seekable_format of zstd.
 *
 * Tests: tests/unit/base/check_zst.c */
#ifndef EZ_ZST_H
#define EZ_ZST_H

#include "engine/base/base.h"
#include "engine/base/err.h"

#define ZST_MAGIC 0xFD2FB528u
#define ZST_SKIP 0x184D2A50u  /* the first of 16 magic numbers of skippable frames */
#define ZST_TABLE 0x184D2A5Eu /* the magic number of the seek table */
#define ZST_FOOTER 0x8F92EAB1u
#define ZST_FOOT 9                    /* bytes {u32 frames, u8 how, u32 ZST_FOOTER} of the table */
#define ZST_GAP 8                     /* bytes {u32 magic, u32 n} */
#define ZST_HEAD 12                   /* bytes of the head before its content */
#define ZST_BLOCK ((size_t)1 << 20)   /* bytes of the plain file in a frame */
#define ZST_PIECE ((size_t)128 << 10) /* maximum size of a raw block, bytes */
#define ZST_RAW_HEAD 6                /* bytes before the blocks of a raw frame of unknown size */
#define ZST_RAW_PIECE 3             /* bytes before each raw block; an empty block ends the frame */
#define ZST_MOST ((size_t)64 << 20) /* largest frame that is read, in plain bytes */

/* Returns whether eztsh was built with libzstd. Without libzstd, only raw blocks can be read. */
bool ez_zst_can(void);

/* ---- writing: only one thread may call these functions -------------------------------------- */

struct ez_zst_out;

/* Begins the empty file fd (borrowed) with this head of at most ZST_PIECE bytes. Returns 0 or
 * errno. */
int ez_zst_out_begin(int fd, const void *head, size_t n, struct ez_zst_out **out);
/* Appends n bytes of the plain file, at most ZST_PIECE. Once this returns 0, they survive the end
 * of the shell. On failure, returns errno: the file has none of these bytes and all earlier
 * ones. */
int ez_zst_out_append(struct ez_zst_out *o, const void *bytes, size_t n);
/* Overwrites n bytes of the head, from offset `at` on. Returns 0 or errno. */
int ez_zst_out_patch(struct ez_zst_out *o, const void *bytes, size_t n, uint64_t at);
/* Compresses all data and writes the table. Returns 0 or errno; on failure the file stays complete
 * as it was. */
int ez_zst_out_finish(struct ez_zst_out *o);
uint64_t ez_zst_out_bytes(const struct ez_zst_out *o); /* size of the file without the wide gap */
void ez_zst_out_free(struct ez_zst_out *o);

/* ---- reading --------------------------------------------------------------------------------- */

struct ez_zst_in;

/* Finds the frames of fd (borrowed), which begins with a frame. Returns EZ_E_SYS, or EZ_E_FORMAT if
 * the file is no zstd file that can be read in parts. */
ez_err *ez_zst_in_open(int fd, struct ez_zst_in **out) EZ_WUR;
/* Finds what was appended since the last call. */
ez_err *ez_zst_in_refresh(struct ez_zst_in *z) EZ_WUR;
uint64_t ez_zst_in_size(const struct ez_zst_in *z); /* size of the plain file so far */
uint64_t ez_zst_in_cut(const struct ez_zst_in *z);  /* bytes at the file's end that are no frame */
bool ez_zst_in_finished(
    const struct ez_zst_in *z); /* the writer has finished the file: the file has a table */
/* Reads bytes of the plain file, as pread() does; *got is 0 at its end. Returns EZ_E_SYS,
 * EZ_E_FORMAT if the frame is damaged, or EZ_E_STATE without libzstd. */
ez_err *ez_zst_in_read(struct ez_zst_in *z, void *buf, size_t n, uint64_t at, size_t *got) EZ_WUR;
void ez_zst_in_free(struct ez_zst_in *z);

#endif
