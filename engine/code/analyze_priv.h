/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analyze_priv.h - a prepared text, for the files that judge functions:
 *   analyze.c  the text
 *   leads.c    what leads to given bytes
 *   patch_region.c   one function: which strategy, over which bytes
 *   jumptable.c   jump tables
 *   holes.c    padding between functions that a short jump can reach */
#ifndef EZ_ANALYZE_PRIV_H
#define EZ_ANALYZE_PRIV_H

#include "engine/code/analyze.h"
#include "engine/base/vec.h"

struct branch {
    uint64_t source, target;
    enum ez_lead lead;
};
/* A row of an exception table, at `row`: a thread that faults at `at` goes on at `on`. */
struct fault {
    uint64_t at, on, row;
};
struct branches { /* in the order of targets */
    EZ_VEC(struct branch) v;
};

/* What may lead somewhere in the text, sorted by buckets of targets. */
struct lead_far {
    uint32_t from, to; /* offsets in the text; of a pointer, its number */
};
struct lead_index {
    EZ_VEC(struct lead_far) v;
    uint32_t *first; /* of each bucket: its first in v */
};

struct ez_text {
    const struct ez_arch *arch;
    const uint8_t *text;
    size_t n;
    uint64_t va;
    const struct ez_func *funcs;
    size_t nfuncs;
    struct lead_index far, formed, pointed; /* far branches; addresses; pointers */
    struct cursor {
        const struct ez_func *func;
        uint64_t at; /* an instruction's start */
        bool lost;   /* decoding failed before `at` */
    } cursor;
    EZ_VEC(struct cursor) mark; /* places of the cursor in its function, some KiB apart  */
    uint8_t *used;              /* a bit for each byte that an island took; NULL = none yet */
    ez_text_read *data;         /* reads data outside the text; NULL = it cannot be read */
    void *data_arg;
    struct ez_text_cache *cache; /* of the data that was read                        */
    const struct ez_pointer *pointers;
    size_t npointers;
    EZ_VEC(struct fault) fault; /* in the order of .at */
};

/* Bytes from `at` to the end of the text. */
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
    return t->arch->decode(text_bytes(t, at), text_left(t, at), at, in);
}

/* Bytes from `at` to the end of its page: a jump may not be longer (patch_region.c). */
static inline uint64_t text_page_left(uint64_t at)
{
    return EZ_PAGE - at % EZ_PAGE;
}

/* Bytes of the instruction at `at`, 0 = none there. */
size_t text_step(const struct ez_text *t, uint64_t at);
/* Does a jump table of f lead to an address in (lo, hi)? */
bool text_tabled(struct ez_text *t, const struct ez_func *f, uint64_t lo, uint64_t hi);
/* The last function that starts at or below `at`, or NULL. */
const struct ez_func *text_func(const struct ez_text *t, uint64_t at);
/* The address behind the landing instruction at addr, or addr if there is none: a landing
 * instruction must stay where indirect calls look for it. */
uint64_t text_behind_landing(const struct ez_text *t, uint64_t addr);
/* Bytes of padding from `at` up to `limit`: nops, traps, zeros. */
size_t text_padding(const struct ez_text *t, uint64_t at, uint64_t limit);
bool text_never_falls_through(const struct ez_insn *in);
/* Does an instruction of the program form the address that arch->scan_addresses saw at *source?
 * If one does, *source becomes the instruction's start. Ask in the order of sources. */
bool text_forms(struct ez_text *t, uint64_t *source, uint64_t target);
void text_leads_read(struct ez_text *t); /* the indexes of a new text */
void text_leads_free(struct ez_text *t);
/* *out = all confirmed branches, taken addresses and pointers to addresses in (lo, hi). */
void text_leads(struct ez_text *t, uint64_t lo, uint64_t hi, struct branches *out);
/* Is there any? */
bool text_is_led_into(struct ez_text *t, uint64_t lo, uint64_t hi);

/* The row of an exception table that has f's instruction at `site` as the address of a fault;
 * 0 = none. (Rows with a later instruction of the window count as pointers into the window.) */
uint64_t text_fault_row(const struct ez_text *t, const struct ez_func *f, uint64_t site);
/* `n` bytes of padding that a short jump at `site` reaches, that no code runs or jumps into, and
 * that no island took. 0 = none. */
uint64_t text_hole(struct ez_text *t, uint64_t site, size_t n);

#endif
