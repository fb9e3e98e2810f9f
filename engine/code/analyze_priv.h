/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analyze_priv.h - a prepared text, for the files that judge functions:
 *   analyze.c        the text
 *   leads.c          what leads to given bytes
 *   patch_region.c   one function: which strategy, over which bytes
 *   jumptable.c      jump tables
 *   holes.c          padding between functions that a short jump can reach */
#ifndef EZ_ANALYZE_PRIV_H
#define EZ_ANALYZE_PRIV_H

#include "engine/code/analyze.h"
#include "engine/base/vec.h"

struct branch {
    uint64_t source, target;
    enum ez_lead lead;
};
/* A row of an exception table of the program. The row is at `row`. It means that a thread that
 * faults at `at` continues at `on`. */
struct fault {
    uint64_t at, on, row;
};
struct branches { /* sorted by target */
    EZ_VEC(struct branch) v;
};

/* Candidates: what may lead to an address of the text, sorted by buckets of target addresses. */
struct lead_far {
    uint32_t from, to; /* offsets in the text; `from` of a pointer is its index in pointers[] */
};
struct lead_index {
    EZ_VEC(struct lead_far) v;
    uint32_t *first; /* for each bucket: its first index in v */
};

struct ez_text {
    const struct ez_arch *arch;
    const uint8_t *text;
    size_t n;
    uint64_t va;
    const struct ez_func *funcs;
    size_t nfuncs;
    struct lead_index far;     /* far branches */
    struct lead_index formed;  /* instructions that form an address */
    struct lead_index pointed; /* pointers */
    struct cursor {
        const struct ez_func *func;
        uint64_t at; /* start of an instruction */
        bool lost;   /* decoding failed between the function's start and `at` */
    } cursor;
    EZ_VEC(struct cursor) mark; /* earlier positions of the cursor in its function, 4 KiB apart */
    uint8_t *used;              /* one bit for each byte that an island uses; NULL: none yet */
    ez_text_read *data;         /* reads data outside the text; NULL: unreadable */
    void *data_arg;
    struct ez_text_cache *cache; /* cache of data outside the text (jumptable.c) */
    const struct ez_pointer *pointers;
    size_t npointers;
    EZ_VEC(struct fault) fault; /* sorted by `at` */
};

/* Returns the number of bytes from `at` to the end of the text. */
static inline size_t text_left(const struct ez_text *t, uint64_t at)
{
    return at - t->va < t->n ? t->n - (size_t)(at - t->va) : 0;
}
static inline const uint8_t *text_bytes(const struct ez_text *t, uint64_t at)
{
    return t->text + (at - t->va);
}
static inline ez_err *text_decode(const struct ez_text *t, uint64_t at, struct ez_insn *in)
{
    return t->arch->decode.insn(text_bytes(t, at), text_left(t, at), at, in);
}

/* Returns the length of the instruction at `at`, or 0 if there is none. */
static inline size_t text_step(const struct ez_text *t, uint64_t at)
{
    struct ez_insn in;
    size_t n = text_left(t, at);
    size_t len = n ? t->arch->decode.length(text_bytes(t, at), n) : 0;
    if (!len && n && ez_err_drop(text_decode(t, at, &in)))
        len = in.len;
    return len;
}
/* Returns the last function that starts at or below `at`, or NULL. */
static inline const struct ez_func *text_func(const struct ez_text *t, uint64_t at)
{
    size_t n = EZ_UPTO(t->funcs, t->nfuncs, addr, at);
    return n ? &t->funcs[n - 1] : NULL;
}

/* Returns the number of bytes from `at` to the end of its page, which limits a jump
 * (patch_region.c). */
static inline uint64_t text_page_left(uint64_t at)
{
    return EZ_PAGE - at % EZ_PAGE;
}

/* Returns true if a jump table of f leads to an address between lo and hi, both excluded. */
bool text_tabled(struct ez_text *t, const struct ez_func *f, uint64_t lo, uint64_t hi);
/* Returns the address after the landing instruction at addr, or addr if there is none. A landing
 * instruction must stay where indirect calls expect it. */
uint64_t text_behind_landing(const struct ez_text *t, uint64_t addr);
/* Returns the number of bytes of padding (nops, traps, zeros) from `at` on, up to `limit`. */
size_t text_padding(const struct ez_text *t, uint64_t at, uint64_t limit);
/* arch->scan.addresses() has found bytes at *source that look like the address `target`. Returns
 * true if they are a real instruction's operand that forms the address, or if the code cannot be
 * decoded. *source becomes the start of the instruction. Fast if called in the order of sources. */
bool text_forms(struct ez_text *t, uint64_t *source, uint64_t target);
void text_leads_read(struct ez_text *t); /* Builds the indexes of a new text. */
void text_leads_free(struct ez_text *t);
/* Finds all confirmed branches, taken addresses and pointers to addresses between lo and hi, both
 * excluded. The caller frees *out. */
void text_leads(struct ez_text *t, uint64_t lo, uint64_t hi, struct branches *out);
/* Returns true if text_leads() would find a branch, an address or a pointer. */
bool text_is_led_into(struct ez_text *t, uint64_t lo, uint64_t hi);

/* Returns the address of the row of an exception table that has f's instruction at `site` as the
 * address of a fault, or 0. (Rows for later instructions of a patch region need no test: the row
 * contains a pointer into the region, and text_leads() finds it.) */
uint64_t text_fault_row(const struct ez_text *t, const struct ez_func *f, uint64_t site);
/* Returns the address of n bytes of padding that a short jump at `site` reaches, that no code runs
 * or jumps into, and that no island uses. Returns 0 if there are none. */
uint64_t text_hole(struct ez_text *t, uint64_t site, size_t n);

#endif
