/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zst.h - a file of zstd frames that the zstd program can read completely after every write.
 *
 * The zstd program reads such a file like any other zstd file (`zstd -dc FILE`). It is a chain of
 * frames:
 *
 *   head    a frame of one raw block with the begin of the plain file: byte N of the plain file is
 *           byte ZST_HEAD + N of this file, and can be overwritten later
 *   gap     8 bytes {ZST_SKIP, n}, then n unused bytes ("skippable frame")
 *   frame   up to ZST_BLOCK bytes of the plain file, compressed, with a checksum
 *   gap, frame, gap, frame, ... and finally, once the file is finished:
 *   table   the sizes of all frames, in a skippable frame ("seekable format")
 *
 * While the file is being written, all gaps are empty (n = 0) except the last gap, the *wide gap*.
 * Data that is not compressed yet is behind the wide gap, in frames of raw blocks: the *tail*. So
 * no data is lost if the writer is killed, even if a frame is not full yet. A new compressed frame
 * is written *into* the wide gap, behind its 8 bytes, followed by a new gap that ends at the tail
 * without that frame's data. Then n of the old gap is set to 0: this write of four bytes changes
 * the chain, which is complete before and after the write. When the wide gap has become too wide, a
 * copy of the tail is written close behind the last frame, and n of the gap is changed so that the
 * gap ends at the copy.
 *
 * zst_out.c writes, zst_in.c reads. Both formats: RFC 8878, and contrib/seekable_format of zstd.
 *
 * Tests: tests/unit/base/check_zst.c */
#ifndef EZ_ZST_H
#define EZ_ZST_H

#include "engine/base/base.h"
#include "engine/base/err.h"

#define ZST_MAGIC 0xFD2FB528u
#define ZST_SKIP 0x184D2A50u  /* first of the 16 magic numbers of skippable frames */
#define ZST_TABLE 0x184D2A5Eu /* the magic number of the seek table */
#define ZST_FOOTER 0x8F92EAB1u
#define ZST_FOOT 9  /* bytes at the end of the table: {u32 frames, u8 how, u32 ZST_FOOTER} */
#define ZST_GAP 8   /* bytes of a gap without its unused bytes: {u32 magic, u32 n} */
#define ZST_HEAD 12 /* bytes of the head before the content of its block */
#define ZST_BLOCK ((size_t)1 << 20)   /* maximum bytes of the plain file in a frame */
#define ZST_PIECE ((size_t)128 << 10) /* maximum size of a raw block, bytes */
/* bytes before the blocks of a frame of raw blocks, which does not contain its size */
#define ZST_RAW_HEAD 6
#define ZST_RAW_PIECE 3 /* bytes before each raw block; an empty block ends the frame */
/* size of the largest frame that is read, in bytes of the plain file */
#define ZST_MOST ((size_t)64 << 20)

/* Returns true if eztsh was built with libzstd. Without libzstd, only raw blocks can be read. */
bool ez_zst_can(void);

/* ---- writing: only one thread may call these functions -------------------------------------- */

struct ez_zst_out;

/* Begins the empty file fd (borrowed) with the n bytes `head` as its head, n <= ZST_PIECE. Returns
 * 0 or errno. */
int ez_zst_out_begin(int fd, const void *head, size_t n, struct ez_zst_out **out);
/* Appends n bytes to the plain file, n <= ZST_PIECE. Returns 0 or errno. After 0, the bytes are in
 * the file even if the shell is killed. After an error, the file contains all earlier bytes and
 * none of these. */
int ez_zst_out_append(struct ez_zst_out *o, const void *bytes, size_t n);
/* Overwrites n bytes of the head, from offset `at` on. Returns 0 or errno. */
int ez_zst_out_patch(struct ez_zst_out *o, const void *bytes, size_t n, uint64_t at);
/* Compresses all data that is not compressed yet, and writes the table. Returns 0 or errno; after
 * an error the file still contains all data, but no table. */
int ez_zst_out_finish(struct ez_zst_out *o);
uint64_t ez_zst_out_bytes(const struct ez_zst_out *o); /* size of the file without the wide gap */
void ez_zst_out_free(struct ez_zst_out *o);

/* ---- reading --------------------------------------------------------------------------------- */

struct ez_zst_in;

/* Finds the frames of the file fd (borrowed), which begins with a frame. Returns EZ_E_SYS,
 * EZ_E_FORMAT if a compressed frame does not contain its size or a frame is too large, or
 * EZ_E_TIMEOUT if the writer is faster than the reader. */
ez_err *ez_zst_in_open(int fd, struct ez_zst_in **out) EZ_WUR;
/* Finds the frames that were appended since the previous call. */
ez_err *ez_zst_in_refresh(struct ez_zst_in *z) EZ_WUR;
uint64_t ez_zst_in_size(const struct ez_zst_in *z); /* size of the plain file so far */
/* number of bytes at the end of the file that are not a whole frame */
uint64_t ez_zst_in_cut(const struct ez_zst_in *z);
bool ez_zst_in_finished(
    /* Returns true if the writer has finished the file: the file has a table. */
    const struct ez_zst_in *z);
/* Reads up to n bytes of the plain file from offset `at` on; *got is their number, 0 at the end of
 * the file. Returns EZ_E_FORMAT if the frame is damaged, EZ_E_STATE without libzstd, or an error of
 * ez_zst_in_open(). */
ez_err *ez_zst_in_read(struct ez_zst_in *z, void *buf, size_t n, uint64_t at, size_t *got) EZ_WUR;
void ez_zst_in_free(struct ez_zst_in *z);

#endif
