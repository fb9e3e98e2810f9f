/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jumptable.c - finds whether a jump table of a function leads into given bytes of the function.
 *
 * Why:  An indirect jump into the bytes after a probe's first one would kill the target, and the
 *       scan for direct branches cannot see it.
 * How:  In a function that may have an indirect jump, every address that its bytes may name as data
 *       is read as the start of a table: of 32-bit distances from the table, and of 64-bit
 *       addresses, up to the first entry that leads out of the function. Distances may also be from
 *       a label of the function whose address the function forms (computed goto); such distances
 *       have 32 or 16 bits. This finds a superset without decoding, because data that is no table
 *       seldom begins with such entries. Tables of one function are adjacent, and the entries of
 *       the next table are no distances from this one. So if a table seems to lead into the bytes,
 *       the function is decoded, the table's end is set to the next address of data that an
 *       instruction names, and the table is read again.
 * Input: The data, read by the function of ez_text_data(). Without it no table is found.
 *
 * Landing pads need no search: an exception enters the function only after a call of the function,
 * and no patch region extends beyond the function's first call.
 * Tests: tests/unit/code/check_analyze.c */
#include <string.h>

#include "engine/code/analyze_priv.h"

#define MOST 4096 /* limit of the entries read of a table */

/* A small cache of data, because functions near each other name data near each other. It is dropped
 * by ez_text_data(), which each planning of probes calls, because a program's data may change. */
#define BLOCK 4096u
#define NBLOCKS 64
struct ez_text_cache {
    struct block {
        uint64_t from; /* address of buf[0..have); 0: nothing was read yet */
        size_t have;
        uint8_t buf[BLOCK];
    } block[NBLOCKS];
};

struct table {
    struct ez_text *t;
    const struct ez_func *f;
    uint64_t at, end;       /* start of the table; start of the next one */
    uint64_t lo, hi;        /* range (lo, hi) to check entries against */
    EZ_VEC(uint64_t) label; /* addresses in f that its instructions form */
    uint8_t *starts;        /* starts of f's instructions, if decoded: a byte per byte of f */
    EZ_VEC(uint64_t) named; /* addresses of data that f's instructions name */
};

static bool jumptable_in_function(const struct table *b, uint64_t target)
{
    return target >= b->f->addr && target < b->f->end;
}

static const struct block *jumptable_block_of(struct ez_text *t, uint64_t at)
{
    uint64_t from = at & ~(uint64_t)(BLOCK - 1);
    if (!t->cache)
        t->cache = ez_alloc(sizeof *t->cache);
    struct block *b = &t->cache->block[from / BLOCK % NBLOCKS];
    if (b->from != from) {
        b->from = from;
        b->have = t->data(t->data_arg, from, b->buf, BLOCK);
    }
    return b;
}

/* Returns n <= 8 bytes of data at `at`, in the cache or read into buf, or NULL if they are
 * unreadable. */
static const uint8_t *jumptable_data_at(struct ez_text *t, uint64_t at, size_t n, uint8_t *buf)
{
    const struct block *b = jumptable_block_of(t, at);
    size_t off = at % BLOCK;
    if (off + n <= BLOCK)
        return off + n <= b->have ? b->buf + off : NULL;
    return t->data(t->data_arg, at, buf, n) == n ? buf : NULL;
}

/* Reads the entry of `size` bytes, a signed number, at `at`. Returns false if it is unreadable. */
static bool jumptable_entry_at(struct table *b, uint64_t at, size_t size, uint64_t *out)
{
    uint8_t buf[8];
    const uint8_t *entry = jumptable_data_at(b->t, at, size, buf);
    unsigned unused = 64 - 8 * (unsigned)size;
    int64_t number = 0;
    if (!entry)
        return false;
    memcpy(&number, entry, size);
    *out = (uint64_t)((int64_t)((uint64_t)number << unused) >> unused);
    return true;
}

/* Returns true if an entry of the table leads between lo and hi. Entries have `size` bytes and are
 * distances from `base`, or addresses if `base` is 0. Stops at an entry that leads out of f or, if
 * f is decoded, not to the start of an instruction. */
static bool jumptable_leads_there(struct table *b, size_t size, uint64_t base)
{
    for (size_t i = 0; i < MOST && b->at + i * size < b->end; i++) {
        uint64_t entry;
        if (!jumptable_entry_at(b, b->at + i * size, size, &entry) ||
            !jumptable_in_function(b, base + entry) ||
            (b->starts && !b->starts[base + entry - b->f->addr]))
            return false;
        if (base + entry > b->lo && base + entry < b->hi)
            return true;
    }
    return false;
}

/* Returns true if a table of any kind at b->at leads between lo and hi. */
static bool jumptable_leads_anyhow(struct table *b)
{
    if (jumptable_leads_there(b, 4, b->at) || jumptable_leads_there(b, 8, 0))
        return true;
    for (size_t i = 0; i < b->label.n; i++)
        if (jumptable_leads_there(b, 4, b->label.at[i]) ||
            jumptable_leads_there(b, 2, b->label.at[i]))
            return true;
    return false;
}

static bool jumptable_in_this(uint64_t target, void *arg)
{
    return jumptable_in_function(arg, target);
}

static void jumptable_note_label(uint64_t source, uint64_t target, void *arg)
{
    struct table *b = arg;
    for (size_t i = 0; i < b->label.n; i++)
        if (b->label.at[i] == target)
            return;
    if (text_forms(b->t, &source, target))
        EZ_PUSH(&b->label, target);
}

static bool jumptable_note_named(uint64_t addr, void *arg)
{
    struct table *b = arg;
    EZ_PUSH(&b->named, addr);
    return false;
}

static void jumptable_decode(struct table *b)
{
    uint64_t at = b->f->addr;
    size_t n;
    if (b->starts)
        return;
    b->starts = ez_alloc(b->f->end - at);
    for (; at < b->f->end && (n = text_step(b->t, at)); at += n) {
        b->starts[at - b->f->addr] = 1;
        b->t->arch->scan.data(text_bytes(b->t, at), n, at, jumptable_note_named, b);
    }
    /* where decoding failed, any byte may start an instruction */
    memset(b->starts + (at - b->f->addr), 1, at < b->f->end ? b->f->end - at : 0);
}

/* Sets b->end to the first address of data after b->at that the function names. */
static void jumptable_find_end(struct table *b)
{
    jumptable_decode(b);
    for (size_t i = 0; i < b->named.n; i++)
        if (b->named.at[i] > b->at && b->named.at[i] < b->end)
            b->end = b->named.at[i];
}

static bool jumptable_is_code(const struct ez_text *t, uint64_t addr)
{
    const struct ez_func *f = text_func(t, addr);
    return f && addr < f->end;
}

/* Returns true if a table at addr leads into (lo, hi). An address inside a function is no table;
 * one between functions may be. */
static bool jumptable_is_table(uint64_t addr, void *arg)
{
    struct table *b = arg;
    b->at = addr;
    b->end = UINT64_MAX;
    if (jumptable_is_code(b->t, addr) || !jumptable_leads_anyhow(b))
        return false;
    jumptable_find_end(b);
    return jumptable_leads_anyhow(b);
}

void ez_text_data(struct ez_text *t, ez_text_read *fn, void *arg)
{
    free(t->cache);
    t->cache = NULL;
    t->data = fn;
    t->data_arg = arg;
}

bool text_tabled(struct ez_text *t, const struct ez_func *f, uint64_t lo, uint64_t hi)
{
    size_t n = f->end > f->addr ? (size_t)(f->end - f->addr) : 0;
    const uint8_t *code = text_bytes(t, f->addr);
    if (!t->data || n > text_left(t, f->addr) || !t->arch->scan.may_jump_indirectly(code, n))
        return false;
    struct table b = { .t = t, .f = f, .lo = lo, .hi = hi };
    t->arch->scan.addresses(code, n, f->addr, jumptable_in_this, jumptable_note_label, &b);
    if (b.label.n)
        jumptable_decode(&b); /* small numbers look like distances from a label, so entries must
                               * lead to starts of instructions */
    bool tabled = t->arch->scan.data(code, n, f->addr, jumptable_is_table, &b);
    free(b.starts);
    EZ_VEC_FREE(&b.label);
    EZ_VEC_FREE(&b.named);
    return tabled;
}
