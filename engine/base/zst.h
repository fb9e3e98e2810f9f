/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zst.h - a file that is kept as zstd frames, and is whole after every write.
 *
 * The zstd program reads such a file as any other (`zstd -dc FILE`). It is a chain of frames:
 *
 *   head    one block as it is ("raw"): its bytes stand in the file ZST_HEAD bytes behind where they
 *           stand in the plain file, so they can be written over later
 *   gap     8 bytes {ZST_SKIP, n}, then n bytes that mean nothing ("skippable frame")
 *   frame   up to ZST_BLOCK bytes of the plain file, compressed, with a checksum
 *   gap, frame, gap, frame, ... and at last, once nothing more will come:
 *   table   the sizes of all frames, in a skippable frame ("seekable format")
 *
 * While the file is written all gaps are empty (n = 0) but the last, which is wide. What is not
 * compressed yet stands behind it, in frames of raw blocks: the tail. So nothing is lost when the
 * writer is killed, and no frame is cut early to be safe. A new frame is written *into* the gap,
 * behind its 8 bytes, with a new gap behind it that leads to what is left of the tail. Then the old
 * gap's n is set to 0: these four bytes change the chain, which is whole before and after. When the
 * tail has moved far to the right, a copy of it is written close behind the last frame, and the gap
 * then leads there.
 *
 * zst_out.c writes, zst_in.c reads. Both formats: RFC 8878, and contrib/seekable_format of zstd.
 * Tests: tests/unit/engine/check_zst.c */
#ifndef EZ_ZST_H
#define EZ_ZST_H

#include "engine/base/base.h"
#include "engine/base/err.h"

#define ZST_MAGIC 0xFD2FB528u
#define ZST_SKIP 0x184D2A50u  /* the first of 16 magic numbers of skippable frames */
#define ZST_TABLE 0x184D2A5Eu /* the one of the seek table                         */
#define ZST_FOOTER 0x8F92EAB1u
#define ZST_FOOT 9                    /* bytes {u32 frames, u8 how, u32 ZST_FOOTER}          */
#define ZST_GAP 8                     /* bytes {u32 magic, u32 n}                            */
#define ZST_HEAD 12                   /* the head's bytes before its content                 */
#define ZST_BLOCK ((size_t)1 << 20)   /* bytes of the plain file in a frame                  */
#define ZST_PIECE ((size_t)128 << 10) /* most bytes of a raw block                           */
#define ZST_RAW_HEAD 6                /* of a frame of raw blocks whose size is not known    */
#define ZST_RAW_PIECE 3               /* before each raw block; an empty one ends the frame  */
#define ZST_MOST ((size_t)64 << 20)   /* plain bytes of a frame that we read                 */

/* Was eztsh built with libzstd? Without it only raw blocks can be read. */
bool ez_zst_can(void);

/* ---- writing: one thread uses these, others compress -------------------------------------------- */

struct ez_zst_out;

/* Begins the empty file fd (borrowed) with this head of at most ZST_PIECE bytes. 0 or errno. */
int ez_zst_out_begin(int fd, const void *head, size_t n, struct ez_zst_out **out);
/* Appends n bytes of the plain file. They survive us once this returns. 0 or errno: of these bytes
 * nothing is in the file then, all earlier ones are. */
int ez_zst_out_append(struct ez_zst_out *o, const void *bytes, size_t n);
/* Writes over bytes of the head. */
int ez_zst_out_patch(struct ez_zst_out *o, const void *bytes, size_t n, uint64_t at);
/* Compresses all, and writes the table. 0 or errno: the file stays as it was, and is whole. */
int ez_zst_out_finish(struct ez_zst_out *o);
uint64_t ez_zst_out_bytes(const struct ez_zst_out *o); /* of the file, without the gap */
void ez_zst_out_free(struct ez_zst_out *o);

/* ---- reading ------------------------------------------------------------------------------------- */

struct ez_zst_in;

/* Finds the frames of fd (borrowed), which begins with one. EZ_E_SYS; EZ_E_FORMAT: no zstd file that
 * we can read in parts. */
ez_err *ez_zst_in_open(int fd, struct ez_zst_in **out) EZ_WUR;
/* Finds what was appended since. */
ez_err *ez_zst_in_refresh(struct ez_zst_in *z) EZ_WUR;
uint64_t ez_zst_in_size(const struct ez_zst_in *z); /* of the plain file, as far as it is there */
uint64_t ez_zst_in_cut(const struct ez_zst_in *z);  /* bytes at the file's end that are no frame */
bool ez_zst_in_finished(
    const struct ez_zst_in *z); /* its writer came to the end: there is a table */
/* As pread() of the plain file: *got = 0 at its end. EZ_E_SYS; EZ_E_FORMAT: this frame is damaged;
 * EZ_E_STATE: built without libzstd. */
ez_err *ez_zst_in_read(struct ez_zst_in *z, void *buf, size_t n, uint64_t at, size_t *got) EZ_WUR;
void ez_zst_in_free(struct ez_zst_in *z);

#endif
