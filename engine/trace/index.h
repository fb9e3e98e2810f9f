/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index.h - the index of a trace: which records a reader of a window (a time span of the trace)
 * must read.
 *
 * The index contains the results of the first reading of the file (merge.h), and a MARK every few
 * blocks of records. In a window that begins after a mark, calls that ended before the mark are not
 * shown, so their records are skipped. Of the records before a mark, only these are needed:
 *   - those that ALL marks need: all records that are not hits of probes, and the hits that have a
 *     lasting effect (index_make.c);
 *   - those that THIS mark needs: the entries of the calls that are open at the mark.
 * The index contains copies of these records, so no part of the file before the mark is read. From
 * the mark on, all records are read.
 *
 * An index is kept in the user's cache folder (index_file.c). Its file is not trusted: it has a
 * checksum, each number in it is checked, and it belongs to one state of one file. A trace for
 * which an index would be wrong gets no index. If the marks of an index would need too many
 * records, the index has no marks.
 *
 * Tests: tests/unit/trace/check_index.c */
#ifndef EZ_INDEX_H
#define EZ_INDEX_H

#include "engine/trace/fxt_defs.h"

/* number of records of a block, for which one tick is stored (merge.h) */
#define EZ_INDEX_BLOCK 1024
#define EZ_INDEX_MAGIC 0x78656469747a65u /* "eztidex" */
#define EZ_INDEX_VERSION 2 /* increase the version whenever an index would have other contents */

enum ez_index_use {
    EZ_INDEX_NONE,
    EZ_INDEX_LOOK,  /* uses an index that exists */
    EZ_INDEX_MAKE,  /* also makes an index if the trace is large */
    EZ_INDEX_ALWAYS /* also makes an index if the trace is small, for tests */
};

/* Results of the first reading, except the definitions. */
struct ez_index_survey {
    uint64_t records;
    uint64_t first, last; /* smallest and largest tick, valid if `any` */
    uint64_t any;         /* 1: the file has an event */
    uint64_t events, emitted;
};

struct ez_index_key { /* a state of a file */
    uint64_t dev, ino, size, mtime_ns, ctime_ns;
    uint64_t ends; /* hash of the first and the last bytes of the file */
};

/* The file of an index consists of 64-bit words: this head and the arrays that it counts. */
struct ez_index_head {
    uint64_t magic, version;
    uint64_t sum; /* checksum of all words after this one */
    struct ez_index_key key;
    struct ez_index_survey survey;
    /* number of words, one for each block: the smallest tick in this block and all later blocks */
    uint64_t leasts;
    uint64_t marks;  /* number of struct ez_index_mark, sorted by `number` */
    uint64_t ranges; /* number of struct ez_index_range, sorted by `number` */
    uint64_t needs;  /* number of words: indexes of the records that single marks need */
    uint64_t recs;   /* number of records */
    uint64_t words;  /* number of words of all records (REC_WORDS in index.c) */
};

struct ez_index_mark {
    uint64_t number;   /* number of the first record after the mark; a multiple of EZ_INDEX_BLOCK */
    uint64_t pos;      /* offset of this record in the plain file */
    uint64_t greatest; /* largest tick before the mark */
    uint64_t needs;    /* end of the mark's part of the array `needs` */
};

/* n adjacent definitions, which are read from the file: number of the first definition, its
 * offset */
struct ez_index_range {
    uint64_t number, pos, n;
};

struct ez_index_rec { /* a copy of a record */
    uint64_t number;  /* number of the record in the file, counted from 0 */
    uint64_t tick, tid, code;
    unsigned narg;
    bool def; /* the record is a definition */
    bool all; /* all marks after the record need it */
    const uint64_t *arg;
};

struct ez_index {
    /* owned: the contents of the index's file; the pointers below point into these words */
    uint64_t *word;
    size_t n;
    const struct ez_index_head *head;
    const uint64_t *least;
    const struct ez_index_mark *mark;
    const struct ez_index_range *range;
    const uint64_t *need, *rec;
};

/* Returns the index with these contents, or NULL if a check of the contents fails. In both cases
 * `word` belongs to the index, and is freed. */
struct ez_index *ez_index_of(uint64_t *word, size_t n);
void ez_index_free(struct ez_index *x);
/* Adds a word to a hash. */
static inline uint64_t ez_index_mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}
/* Returns the checksum (ez_index_head.sum) of these contents. */
uint64_t ez_index_sum(const uint64_t *word, size_t n);
/* Iterates over the records: stores the record at word *at, and advances *at, which is 0 at first.
 * Returns false after the last record. */
bool ez_index_next(const struct ez_index *x, size_t *at, struct ez_index_rec *r);
/* Appends a record to the words of an index. */
typedef EZ_VEC(uint64_t) ez_index_words;
void ez_index_put(ez_index_words *w, const struct ez_index_rec *r);
/* Adds all definitions of the trace to d. Returns false if the file has no definitions at the
 * positions that the index contains. */
bool ez_index_learn(const struct ez_index *x, struct ez_fxt_in *in, struct ez_fxt_defs *d) EZ_WUR;

/* ---- index_file.c ---------------------------------------------------------------------------- */

/* Sets *key to the current state of the file. Returns false if the file is being written, or if it
 * was changed so recently that another change could leave the same key. */
bool ez_index_key_of(const struct ez_fxt_in *in, struct ez_index_key *key) EZ_WUR;
bool ez_index_key_same(const struct ez_index_key *a, const struct ez_index_key *b);
/* Returns the index of the trace from the cache folder, or NULL. */
struct ez_index *ez_index_load(const struct ez_fxt_in *in);
/* Stores an index in the cache folder, if possible, and deletes old indexes. */
void ez_index_store(const struct ez_index *x);

/* ---- index_make.c: makes an index during the first reading ----------------------------------- */

struct ez_index_maker;

/* Begins to make an index. Returns NULL if no index of this trace is wanted or possible. defs: the
 * definitions read so far, also later. */
struct ez_index_maker *ez_index_make(const struct ez_fxt_in *in, enum ez_index_use use,
                                     const struct ez_fxt_defs *defs);
/* Call for each record, in the order of the file; for a definition, after it was added to `defs`.
 * number: number of the record. */
void ez_index_note(struct ez_index_maker *m, uint64_t number, const struct ez_fxt_event *ev);
/* Returns the index, or NULL if the trace gets no index, and frees m (may be NULL). survey: NULL if
 * the trace is damaged. least: for each of n blocks, the smallest tick in this block and all later
 * blocks. */
struct ez_index *ez_index_made(struct ez_index_maker *m, const struct ez_index_survey *survey,
                               const uint64_t *least, size_t n);

#endif
