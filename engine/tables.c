/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tables.c - does a jump table of a function lead into given bytes of it?
 *
 * Why:    an indirect jump into the bytes behind a probe's first one would kill the
 *         target, and the scan for direct branches cannot see it.
 * How:    in a function that has an indirect jump, every address that an instruction
 *         names as data is read as the beginning of a table, of 32-bit distances from
 *         itself and of 64-bit addresses, up to the first entry that leads out of the
 *         function. A superset: what is no table seldom begins with such entries.
 * Input:  the data by `ez_text_data`; without it nothing is found.
 *
 * Landing pads need no such look: an unwinder enters a function behind a call of it, and
 * no window reaches beyond its first call.
 * Tests:  tests/unit/engine/check_analyze.c */
#include <string.h>

#include "engine/analyze_priv.h"

#define MOST 4096 /* entries of a table that are looked at */
#define BLOCK 1024

struct table {
    const struct ez_text *t;
    const struct ez_func *f;
    uint64_t at; /* where it begins                                           */
    uint64_t lo, hi;
    uint64_t from; /* buf[0..have) is what stands there: what one function names is near */
    size_t have;
    uint8_t buf[BLOCK];
};

static bool in_function(const struct table *b, uint64_t target)
{
    return target >= b->f->addr && target < b->f->end;
}

/* n <= 8 bytes of data at `at`; NULL = they cannot be read. */
static const uint8_t *data_at(struct table *b, uint64_t at, size_t n)
{
    if (at - b->from + n > b->have || at < b->from) {
        b->from = at & ~(uint64_t)(BLOCK / 2 - 1);
        b->have = b->t->data(b->t->data_arg, b->from, b->buf, sizeof b->buf);
    }
    return at - b->from + n <= b->have ? b->buf + (at - b->from) : NULL;
}

/* Entries of `size` bytes. */
static bool leads_there(struct table *b, size_t size)
{
    for (size_t i = 0; i < MOST; i++) {
        const uint8_t *entry = data_at(b, b->at + i * size, size);
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

/* Has f an indirect jump at a boundary of its instructions? Some of its bytes look like
 * one, so it counts as having one where they cannot be told apart. */
static bool jumps_indirectly(const struct ez_text *t, const struct ez_func *f)
{
    size_t len;
    for (uint64_t at = f->addr; at < f->end; at += len) {
        len = text_step(t, at);
        if (!len || t->arch->may_jump_indirectly(text_bytes(t, at), len))
            return true;
    }
    return false;
}

bool text_tabled(const struct ez_text *t, const struct ez_func *f, uint64_t lo, uint64_t hi)
{
    size_t len, n = f->end > f->addr ? (size_t)(f->end - f->addr) : 0;
    if (!t->data || n > text_left(t, f->addr) ||
        !t->arch->may_jump_indirectly(text_bytes(t, f->addr), n) || !jumps_indirectly(t, f))
        return false;
    struct table b;
    b.t = t, b.f = f, b.lo = lo, b.hi = hi, b.from = b.have = 0;
    for (uint64_t at = f->addr; at < f->end && (len = text_step(t, at)); at += len) {
        b.at = t->arch->data_named(text_bytes(t, at), len, at);
        if (b.at && b.at - t->va >= t->n && (leads_there(&b, 4) || leads_there(&b, 8)))
            return true;
    }
    return false;
}
