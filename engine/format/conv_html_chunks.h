/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_html_chunks.h - all calls and points of a trace for the page of `report`, in chunks.
 *
 * A chunk has up to EZ_CHUNK_EVENTS consecutive events of one container (EZ_CHUNK_EVENTS_MANY if
 * there are many containers). Each chunk is compressed separately, so the page unpacks only the
 * chunks that it shows. The sums of all chunks are in an element of their own. For a time window,
 * the page adds up the sums of the chunks inside the window, and unpacks only the chunks that begin
 * or end outside it. So the page shows the same figures as `stats -from -to`.
 *
 * Numbers are little-endian base 128 (7 bits a byte, the high bit set in all but the last byte).
 * Each element is compressed by raw deflate and written as base64. report/store.js reads the
 * elements:
 *
 *   tree    number of nodes; then the parents of all nodes but 0; then the indexes of their names.
 *           A node is a path of names; node 0 is the empty path. Children of a node are numbered
 *           in this order.
 *   chunk   number of calls that are open at the chunk's start t0, and for each, the outermost
 *           first: node, t0 - start, time in pauses of eztsh within the call before t0
 *           number of events, and for each: 0 for an exit, or number of the child + 1
 *           for each event: ns since the previous event, or for the first event since t0
 *           number of marks, and for each: events since the previous mark, mark (EZ_MARK_...)
 *           number of values, and for each: events since the previous value, bytes, text
 *   sums    for each chunk: container, t0, t1 - t0, events
 *             calls that end here and began in an earlier chunk: number, and for each: node,
 *               t0 - start, end - t0, duration without pauses of eztsh, mark
 *             number of bytes that follow for this chunk, so that the page can read them later
 *             number of nodes, then their indexes (each minus the previous one), then their
 *               numbers of begun calls, then their self times
 *             number of names, and for each: index (minus the previous one), number of calls that
 *               begin and end in the chunk and have a known duration, sum, least and greatest
 *               duration, number of buckets of the histogram (engine/trace/hist.h), and for each
 *               bucket: its index (minus the previous one), number of calls
 *             number of names with unwound calls, and for each: index, number of unwound calls
 *           t1 is the time at which the next chunk of the container begins.
 *
 * Tests: tests/unit/trace/check_html.c, tests/trace/report.sh */
#ifndef EZ_CONV_HTML_CHUNKS_H
#define EZ_CONV_HTML_CHUNKS_H

#include "engine/base/outfile.h"
#include "engine/trace/model.h"

enum {
    EZ_CHUNK_EVENTS = 16384,
    /* smaller, for traces with many threads, because each thread has an open chunk */
    EZ_CHUNK_EVENTS_MANY = 4096,
    EZ_CHUNK_NODES = 1 << 20
};

/* Bits that say how a call ended, in the data of the page. */
enum { EZ_MARK_UNWOUND = 1, EZ_MARK_UNKNOWN = 2, EZ_MARK_CUT = 4 };
static inline unsigned ez_chunks_mark(const struct ez_item *it)
{
    return (it->end == EZ_END_UNWOUND ? EZ_MARK_UNWOUND : 0) |
           (it->end == EZ_END_UNKNOWN ? EZ_MARK_UNKNOWN : 0) | (it->cut ? EZ_MARK_CUT : 0);
}

struct ez_chunks;

/* ---- the parts of an element, also for conv_html_links.c ---- */
typedef EZ_VEC(unsigned char) ez_chunks_bytes;
/* Adds a number, with 7 bits in each byte. */
void ez_chunks_put(ez_chunks_bytes *b, uint64_t v);
/* Returns the compressed bytes of `b` as an element <script type="b" id="ID">, or NULL if zlib
 * fails. The caller frees the text. */
char *ez_chunks_element(const char *id, const ez_chunks_bytes *b);

/* Creates the store, which keeps compressed chunks in an unnamed file. most_bytes: maximum bytes of
 * the chunks in the page. */
ez_err *ez_chunks_open(const struct ez_model *m, uint64_t most_bytes,
                       struct ez_chunks **out) EZ_WUR;
/* Adds an item. values: text of the values that a probe collected, or NULL. */
ez_err *ez_chunks_item(struct ez_chunks *c, const struct ez_item *it, const char *values) EZ_WUR;
/* Writes the store as elements <script type="b" id="...">: "tree", "sums", "c0", "c1"... */
ez_err *ez_chunks_write(struct ez_chunks *c, struct ez_outfile *f) EZ_WUR;
/* Completes the open chunks. Returns the number of chunks, or 0 if they need more than most_bytes
 * or have more than EZ_CHUNK_NODES nodes. */
size_t ez_chunks_finish(struct ez_chunks *c);
void ez_chunks_free(struct ez_chunks *c);

#endif
