/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_html_chunks.h - all calls and points of a trace for the page of `report`, in chunks.
 *
 * A chunk has up to EZ_CHUNK_EVENTS consecutive events of one container. It is compressed by itself,
 * so the page unpacks what it shows and no more. The sums of each chunk are apart. So the page adds
 * up the sums of the chunks inside a time window, and unpacks the two chunks that the window cuts:
 * its figures are those of `stats -from -to`.
 *
 * Numbers are little-endian base 128 (7 bits a byte, the high bit set in all but the last byte).
 * All is raw deflate, then base64 (report/store.js reads it):
 *
 *   tree    nodes, then for each node but 0: its parent, the index of its name. A node is a path of
 *           names; node 0 is the empty path. Children of a node are numbered in this order.
 *   chunk   number of open calls, and for each from the outermost: node, t0 - start, time in pauses
 *           of eztsh within it before t0
 *           number of events, and for each: 0 for an exit, or number of the child + 1
 *           for each event: ns since the event before, the first since t0
 *           number of marks, and for each: events since the mark before, mark (1 unwound,
 *           2 the exit is missing, 4 the duration is known in part)
 *           number of values, and for each: events since the value before, bytes, text
 *   sums    for each chunk: container, t0, t1 - t0, events
 *             calls that end here and began in an earlier chunk: number, and for each: node,
 *               t0 - start, end - t0, duration without pauses of eztsh, mark
 *             bytes of what follows, which the page reads when it needs it
 *             nodes, their numbers (each less the one before), their begun calls, their self times
 *             names, and for each: name (less the one before), calls that begin and end in the chunk
 *               with known duration, sum, least and greatest duration, number of buckets of the
 *               histogram (hist.h), and for each: number (less the one before), calls
 *             unwound calls of names: names, and for each: name, calls
 *           t1 is where the next chunk of the container begins.
 *
 * Tests: tests/unit/trace/check_html.c, tests/trace/report.sh */
#ifndef EZ_CONV_HTML_CHUNKS_H
#define EZ_CONV_HTML_CHUNKS_H

#include "engine/base/outfile.h"
#include "engine/trace/model.h"

enum {
    EZ_CHUNK_EVENTS = 16384,
    EZ_CHUNK_EVENTS_MANY = 4096, /* if there are many threads, each of which has an open chunk */
    EZ_CHUNK_NODES = 1 << 20
};

/* How a call ended, as the page has it. */
enum { EZ_MARK_UNWOUND = 1, EZ_MARK_UNKNOWN = 2, EZ_MARK_CUT = 4 };
static inline unsigned ez_chunks_mark(const struct ez_item *it)
{
    return (it->end == EZ_END_UNWOUND ? EZ_MARK_UNWOUND : 0) |
           (it->end == EZ_END_UNKNOWN ? EZ_MARK_UNKNOWN : 0) | (it->cut ? EZ_MARK_CUT : 0);
}

struct ez_chunks;

/* ---- the parts of an element, also for conv_html_links.c ---- */
typedef EZ_VEC(unsigned char) ez_chunks_bytes;
/* Adds a number, 7 bits a byte. */
void ez_chunks_put(ez_chunks_bytes *b, uint64_t v);
/* Compresses b, and returns it as an element <script type="b" id="ID">, or NULL if zlib refuses. The
 * caller frees the text. */
char *ez_chunks_element(const char *id, const ez_chunks_bytes *b);

/* Creates the store, which keeps compressed chunks in an unnamed file. most_bytes: of the page. */
ez_err *ez_chunks_open(const struct ez_model *m, uint64_t most_bytes,
                       struct ez_chunks **out) EZ_WUR;
/* Adds an item. `values`: text of what a probe collected, or NULL. */
ez_err *ez_chunks_item(struct ez_chunks *c, const struct ez_item *it, const char *values) EZ_WUR;
/* Writes the store as elements <script type="b" id="...">: "tree", "sums", "c0", "c1"... */
ez_err *ez_chunks_write(struct ez_chunks *c, struct ez_outfile *f) EZ_WUR;
/* Completes the open chunks. Returns the number of chunks, or 0 if the trace does not fit. */
size_t ez_chunks_finish(struct ez_chunks *c);
void ez_chunks_free(struct ez_chunks *c);

#endif
