/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analyze.h - judges whether a jump may replace the first bytes of a function, and which of them.
 *
 * This unit only reads bytes; it touches no process. In any doubt it refuses, and says why, so that
 * no patch is based on a guess. */
#ifndef EZ_ANALYZE_H
#define EZ_ANALYZE_H

#include "engine/ezt.h"
#include "arch/arch.h"
#include "engine/code/strategy.h"

struct ez_patch_region {
    uint64_t site;    /* start of the jump: the entry, or after endbr64 */
    uint8_t strategy; /* enum ez_strategy */
    uint8_t jump;     /* number of bytes at `site` that are overwritten */
    /* bytes of the whole instructions that are overwritten, also in part: at least `jump`, or less
     * if the rest of the jump is in padding */
    uint8_t len;
    uint8_t padding;         /* bytes of padding after the function that are overwritten, too */
    uint8_t n;               /* number of instructions in `len` */
    bool ends;               /* the last instruction never falls through (ret, jmp) */
    uint8_t bytes[32];       /* original bytes from `site` on */
    uint64_t island;         /* S3, S4: address of the island, to which the jump leads */
    uint8_t island_bytes[8]; /* bytes that the island replaces */
    uint64_t evicted;        /* S3: the function in whose bytes the island is; 0: in padding */
    uint8_t prefix;          /* S4: number of prefixes without effect before the jump's opcode */
};

/* A word of data that contains a code address. */
struct ez_pointer {
    uint64_t at, to;
};

/* One function of a text image. Addresses are those of the image. */
struct ez_func {
    uint64_t addr, end, next; /* entry; end of the body; start of the next symbol */
    bool linkage;             /* a PLT slot: its instructions count, but it cannot have a probe */
    /* end by the size of the function's symbol, even if another symbol begins before that end */
    uint64_t body;
};

/* A prepared text image: a code section as it is in memory. Its far branches are found by one scan
 * and indexed, so that thousands of functions can be judged at memory speed. */
struct ez_text;

struct ez_text_desc {
    const struct ez_arch *arch;
    const uint8_t *text; /* n bytes of text, whose address is va */
    size_t n;
    uint64_t va;
    /* All functions in the text, not only those to be probed, because they give the boundaries.
     * Sorted by addr, without duplicates. */
    const struct ez_func *funcs;
    size_t nfuncs;
    const struct ez_pointer *pointers; /* words of data that may contain addresses of the text */
    size_t npointers;
};
/* The text, funcs and pointers must outlive the result. */
ez_err *ez_text_create(const struct ez_text_desc *code, struct ez_text **out) EZ_WUR;
void ez_text_destroy(struct ez_text *t);
/* Sets the function that reads data outside the text, for jump tables. fn returns how many bytes it
 * read. Forgets data that was read before. */
typedef size_t ez_text_read(void *arg, uint64_t addr, void *buf, size_t n);
void ez_text_data(struct ez_text *t, ez_text_read *fn, void *arg);

/* Judges the function at `addr` (one of funcs without `linkage`, else EZ_E_ARG). Sets *out for the
 * first strategy of `by` (a set of EZ_BY()) that works. Returns EZ_E_REFUSED if none works, with
 * the reason in one line: "too short: 1 byte, the jump needs 5", "branch into the prologue from
 * 0x1234", "an indirect call in the first 5 bytes", ... */
ez_err *ez_analyze(struct ez_text *t, uint64_t addr, unsigned by,
                   struct ez_patch_region *out) EZ_WUR;
/* Finds room for the island of a short jump at `site` among the first instructions of a function
 * nearby, for the case that there is no padding. Each call sets the next possibility: *evicted, the
 * function, and *island, the island's address. Begin with 0, 0. Returns false after the last. */
bool ez_text_evict(struct ez_text *t, uint64_t site, uint64_t *evicted, uint64_t *island);
/* Judges the evicted neighbour `evicted` of `site`. Makes its patch region as long as possible, so
 * that there is room for islands after its own jump. */
ez_err *ez_analyze_evicted(struct ez_text *t, uint64_t evicted, uint64_t site,
                           struct ez_patch_region *out) EZ_WUR;
/* Judges a short jump at the function's entry. The caller finds a place for the island. */
ez_err *ez_analyze_guest(struct ez_text *t, uint64_t addr, struct ez_patch_region *out) EZ_WUR;
/* Replaces the pun *w at the function's entry by the next longer pun, which covers more
 * instructions. Returns EZ_E_REFUSED if there is none. */
ez_err *ez_analyze_longer_pun(struct ez_text *t, uint64_t addr, struct ez_patch_region *w) EZ_WUR;
/* Marks the bytes of an island as used. They stay so until the text is destroyed. */
void ez_text_claim(struct ez_text *t, uint64_t island);
/* Judges one exact address inside a function (probe *ADDR), as ez_analyze() does. EZ_E_REFUSED also
 * with "not an instruction boundary". */
ez_err *ez_analyze_at(struct ez_text *t, uint64_t addr, unsigned by,
                      struct ez_patch_region *out) EZ_WUR;

/* Calls fn for each confirmed branch, taken address or pointer that leads to an address between lo
 * and hi, both excluded. */
void ez_text_leads(struct ez_text *t, uint64_t lo, uint64_t hi,
                   void (*fn)(uint64_t source, enum ez_lead lead, void *arg), void *arg);
/* Returns true if a direct branch in the text may lead to addr. Any byte counts as the beginning of
 * a branch, so true may be wrong. */
bool ez_text_called(const struct ez_text *t, uint64_t addr);

#endif
