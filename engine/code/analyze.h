/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analyze.h - may this function carry a jump, and over which bytes?
 *
 * Pure: looks at bytes, touches no process. Any doubt is a refusal with its
 * reason, so that a bad guess can never be planted. */
#ifndef EZ_ANALYZE_H
#define EZ_ANALYZE_H

#include "engine/ezt.h"
#include "arch/arch.h"

/* Allow a pun only where the next function is planted together with it: any other pun forbids
 * every change of the next instructions' bytes. */
#define EZ_BY_NOT_ALONE (1u << 31)
/* The strategies that are tried unless the user asks for others. A trap is not among them: it
 * costs a thousand times more than a jump. */
#define EZ_BY_DEFAULT (EZ_BY(EZ_JUMP) | EZ_BY(EZ_PADDING) | EZ_BY(EZ_ISLAND) | EZ_BY(EZ_PUN))

struct ez_patch_region {
    uint64_t site;           /* where the jump goes: the entry, or behind endbr64       */
    uint8_t strategy;        /* enum ez_strategy                                        */
    uint8_t jump;            /* bytes that are overwritten there                        */
    uint8_t len;             /* bytes of whole instructions it overwrites (>= jump, or
                      * less when the rest is padding)                          */
    uint8_t padding;         /* bytes of padding used behind the function's end         */
    uint8_t n;               /* instructions in `len`                                   */
    bool ends;               /* the last one never falls through (ret, jmp)             */
    uint8_t bytes[32];       /* the bytes there, len + padding of them and what follows */
    uint64_t island;         /* S3, S4: where the jump leads, which goes on to the trampoline */
    uint8_t island_bytes[8]; /* the bytes that the island replaces                  */
    uint64_t evicted;        /* S3: the function that made room for the island; 0 = padding */
    uint8_t prefix;          /* S4: bytes before the jump that mean nothing            */
};

/* A word of data that holds an address of code. */
struct ez_pointer {
    uint64_t at, to;
};

/* One function of a text image. Addresses are the image's own. */
struct ez_func {
    uint64_t addr, end, next; /* entry; end of its body; start of the next symbol */
    bool linkage;             /* a PLT: its instructions are known, but it carries no probe */
    uint64_t body;            /* the end that its own symbol says, even if another begins before */
};

/* A prepared text image: keeps where far branches lead, found by one scan, so that thousands of
 * functions can be judged at memory speed. */
struct ez_text;

struct ez_text_desc {
    const struct ez_arch *arch;
    const uint8_t *text; /* its n bytes, which stand at va                              */
    size_t n;
    uint64_t va;
    const struct ez_func *funcs; /* all functions in it, sorted by addr, no duplicates: not only */
    size_t nfuncs;               /* those to be probed, for they give the boundaries             */
    const struct ez_pointer *pointers; /* words of data that may hold addresses in it            */
    size_t npointers;
};
/* The text, funcs and pointers must outlive the result. */
ez_err *ez_text_create(const struct ez_text_desc *code, struct ez_text **out) EZ_WUR;
void ez_text_destroy(struct ez_text *t);
/* Set the function that reads data outside the text, for jump tables: fn returns how many bytes
 * it read. The call drops the cache: data that was read before is read again. */
typedef size_t ez_text_read(void *arg, uint64_t addr, void *buf, size_t n);
void ez_text_data(struct ez_text *t, ez_text_read *fn, void *arg);

/* Judge the function at `addr` (must be one of funcs, else EZ_E_ARG): the first strategy
 * of `by` (EZ_BY) that works.
 * EZ_E_REFUSED with the reason in one line: "too short: 1 byte, the jump needs 5",
 * "branch into the prologue from 0x1234", "an indirect call in the first 5 bytes",
 * "a system call in the first 5 bytes", ... Lock-prefixed, rep, and such plain
 * instructions relocate like any other. */
ez_err *ez_analyze(struct ez_text *t, uint64_t addr, unsigned by,
                   struct ez_patch_region *out) EZ_WUR;
/* A short jump at `site` needs an island, and there is no padding for it. Find the next function
 * (*host) and the place among its first instructions (*island) that could hold the island. Begin
 * with 0, 0. */
bool ez_text_evict(struct ez_text *t, uint64_t site, uint64_t *evicted, uint64_t *island);
/* Judge the host itself: its window is as long as possible, to leave room for islands. */
ez_err *ez_analyze_evicted(struct ez_text *t, uint64_t evicted, uint64_t site,
                           struct ez_patch_region *out) EZ_WUR;
/* Judge a short jump at the function's entry. The caller finds its island. */
ez_err *ez_analyze_guest(struct ez_text *t, uint64_t addr, struct ez_patch_region *out) EZ_WUR;
/* w is a pun at the function's entry: replace it by the next longer pun, over more instructions. */
ez_err *ez_analyze_longer_pun(struct ez_text *t, uint64_t addr, struct ez_patch_region *w) EZ_WUR;
/* Mark the island as taken for good: its window is used. */
void ez_text_claim(struct ez_text *t, uint64_t island);
/* ez_analyze for one exact address inside a function (probe *ADDR): EZ_E_REFUSED
 * "not an instruction boundary" and the rules above. */
ez_err *ez_analyze_at(struct ez_text *t, uint64_t addr, unsigned by,
                      struct ez_patch_region *out) EZ_WUR;

/* Call fn for each confirmed branch, taken address or pointer that leads into (lo, hi). */
void ez_text_leads(struct ez_text *t, uint64_t lo, uint64_t hi,
                   void (*fn)(uint64_t source, enum ez_lead lead, void *arg), void *arg);
/* May a direct branch in the text lead to addr? A superset: any byte is taken as the beginning of
 * a branch. */
bool ez_text_called(const struct ez_text *t, uint64_t addr);

#endif
