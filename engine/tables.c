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

struct table {
    const struct ez_text *t;
    const struct ez_func *f;
    uint64_t at; /* where it begins                                           */
    uint64_t lo, hi;
};

static bool in_function(const struct table *b, uint64_t target)
{
    return target >= b->f->addr && target < b->f->end;
}

/* Entries of `size` bytes. */
static bool leads_there(const struct table *b, size_t size)
{
    uint8_t buf[256];
    size_t have = 0;
    for (size_t i = 0; i < MOST; i++) {
        size_t off = i * size % sizeof buf;
        uint64_t target;
        int32_t d;
        if (!off)
            have = b->t->data(b->t->data_arg, b->at + i * size, buf, sizeof buf);
        if (off + size > have)
            return false;
        memcpy(&d, buf + off, sizeof d);
        memcpy(&target, buf + (size == 8 ? off : 0), sizeof target);
        if (size == 4)
            target = b->at + (uint64_t)(int64_t)d;
        if (!in_function(b, target))
            return false;
        if (target > b->lo && target < b->hi)
            return true;
    }
    return false;
}

bool text_tabled(const struct ez_text *t, const struct ez_func *f, uint64_t lo, uint64_t hi)
{
    size_t n = f->end > f->addr ? (size_t)(f->end - f->addr) : 0;
    if (!t->data || n > text_left(t, f->addr) ||
        !t->arch->may_jump_indirectly(text_bytes(t, f->addr), n))
        return false;
    for (uint64_t at = f->addr; at < f->end;) {
        size_t len = text_step(t, at);
        struct table b = { t, f, 0, lo, hi };
        if (!len)
            return false; /* what cannot be decoded is refused elsewhere */
        b.at = t->arch->data_named(text_bytes(t, at), len, at);
        if (b.at && b.at - t->va >= t->n && (leads_there(&b, 4) || leads_there(&b, 8)))
            return true;
        at += len;
    }
    return false;
}
