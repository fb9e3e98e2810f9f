/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tables.c - does a jump table of a function lead into given bytes of it?
 *
 * Why:    an indirect jump into the bytes behind a probe's first one would kill the
 *         target, and the scan for direct branches cannot see it.
 * How:    in a function that may have an indirect jump, every address that its bytes may
 *         name as data is read as the beginning of a table, of 32-bit distances from
 *         itself and of 64-bit addresses, up to the first entry that leads out of the
 *         function. A superset, without decoding: what is no table seldom begins with
 *         such entries. Tables of one function stand side by side, and entries of the
 *         next are no distances from this one: on a hit the function is decoded, and a
 *         table ends where another that it really names begins.
 * Input:  the data by `ez_text_data`; without it nothing is found.
 *
 * Landing pads need no such look: an unwinder enters a function behind a call of it, and
 * no window reaches beyond its first call.
 * Tests:  tests/unit/engine/check_analyze.c */
#include <string.h>

#include "engine/analyze_priv.h"

#define MOST 4096 /* entries of a table that are looked at */

/* Functions near each other name data near each other: a small cache of what was read.
 * It is kept for one plan (ez_text_data); the data of a program may change. */
#define BLOCK 4096u
#define NBLOCKS 64
struct ez_text_cache {
    struct block {
        uint64_t from; /* buf[0..have) is what stands there; 0 = nothing was read yet */
        size_t have;
        uint8_t buf[BLOCK];
    } block[NBLOCKS];
};

struct table {
    struct ez_text *t;
    const struct ez_func *f;
    uint64_t at, end; /* where it begins; where another does */
    uint64_t lo, hi;
    bool decoded;
    EZ_VEC(uint64_t) named; /* data that instructions of f name, if decoded          */
};

static bool in_function(const struct table *b, uint64_t target)
{
    return target >= b->f->addr && target < b->f->end;
}

static const struct block *block_of(struct ez_text *t, uint64_t at)
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

/* n <= 8 bytes of data at `at`, into or out of buf; NULL = they cannot be read. */
static const uint8_t *data_at(struct ez_text *t, uint64_t at, size_t n, uint8_t *buf)
{
    const struct block *b = block_of(t, at);
    size_t off = at % BLOCK;
    if (off + n <= BLOCK)
        return off + n <= b->have ? b->buf + off : NULL;
    return t->data(t->data_arg, at, buf, n) == n ? buf : NULL;
}

/* Entries of `size` bytes. */
static bool leads_there(struct table *b, size_t size)
{
    for (size_t i = 0; i < MOST && b->at + i * size < b->end; i++) {
        uint8_t buf[8];
        const uint8_t *entry = data_at(b->t, b->at + i * size, size, buf);
        uint64_t target;
        int32_t d;
        if (!entry)
            return false;
        memcpy(&d, entry, sizeof d);
        target = b->at + (uint64_t)(int64_t)d;
        if (size == 8)
            memcpy(&target, entry, sizeof target);
        if (!in_function(b, target))
            return false;
        if (target > b->lo && target < b->hi)
            return true;
    }
    return false;
}

static bool note_named(uint64_t addr, void *arg)
{
    struct table *b = arg;
    EZ_PUSH(&b->named, addr);
    return false;
}

static void decode_names(struct table *b)
{
    size_t n;
    b->decoded = true;
    for (uint64_t at = b->f->addr; at < b->f->end && (n = text_step(b->t, at)); at += n)
        b->t->arch->scan_data(text_bytes(b->t, at), n, at, note_named, b);
}

/* Where it ends at the latest. */
static void find_end(struct table *b)
{
    if (!b->decoded)
        decode_names(b);
    for (size_t i = 0; i < b->named.n; i++)
        if (b->named.at[i] > b->at && b->named.at[i] < b->end)
            b->end = b->named.at[i];
}

static bool is_table(uint64_t addr, void *arg)
{
    struct table *b = arg;
    b->at = addr;
    b->end = UINT64_MAX;
    if (addr - b->t->va < b->t->n || (!leads_there(b, 4) && !leads_there(b, 8)))
        return false;
    find_end(b);
    return leads_there(b, 4) || leads_there(b, 8);
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
    if (!t->data || n > text_left(t, f->addr) || !t->arch->may_jump_indirectly(code, n))
        return false;
    struct table b = { .t = t, .f = f, .lo = lo, .hi = hi };
    bool tabled = t->arch->scan_data(code, n, f->addr, is_table, &b);
    EZ_VEC_FREE(&b.named);
    return tabled;
}
