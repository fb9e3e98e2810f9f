/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_ahead.c - answers about many functions at once: see dwarf.h.
 *
 * Most of the time of a question is the way to the reader and back. So code that visits all
 * routines of a file announces them, and later questions find their answers here.
 *
 * Test: tests/unit/engine/check_dwarf.c */
#include "engine/dwarf/dwarf.h"

#include <string.h>

#include "engine/dwarf/dwarf_query.h"
#include "engine/dwarf/dwarf_priv.h"

static uint64_t ahead_key(uint32_t what, uint64_t word)
{
    return ez_hash_pair(what + 1, word);
}

bool dwarf_ahead_pop(struct ez_dwarf *d, uint32_t what, const uint64_t word[3], struct said *a)
{
    size_t i;
    bool kept = what == DWARF_BODY || what == DWARF_FUNC || what == DWARF_TYPE;
    if (!kept || !d->ahead.n || !ez_hash_remove(&d->by_question, ahead_key(what, word[0]), &i))
        return false;
    *a = (struct said){ .all = d->ahead.at[i].bytes, .good = true };
    a->at = a->all;
    a->end = a->all + d->ahead.at[i].n;
    d->ahead.at[i].bytes = NULL;
    return true;
}

static void ahead_forget(struct ez_dwarf *d)
{
    for (size_t i = 0; i < d->ahead.n; i++)
        free(d->ahead.at[i].bytes);
    EZ_VEC_FREE(&d->ahead);
    ez_hash_free(&d->by_question);
}

void ez_dwarf_ahead(struct ez_dwarf *d, const uint64_t *vaddr, size_t n)
{
    struct said a;
    ahead_forget(d);
    if (n < 3) /* a question has three words */
        return;
    bool good =
        dwarf_request_many(d, &(struct dwarf_request_key){ DWARF_MANY, "", vaddr, n, NULL }, &a);
    while (good && a.at < a.end) {
        const uint32_t what = (uint32_t)dwarf_number(&a);
        const uint64_t word = dwarf_number(&a), bytes = dwarf_number(&a);
        if (!a.good || bytes > (size_t)(a.end - a.at))
            break;
        struct dwarf_ahead one = { .bytes = ez_alloc(bytes + 1), .n = bytes };
        memcpy(one.bytes, a.at, bytes);
        a.at += bytes;
        const uint64_t key = ahead_key(what, word);
        if (ez_hash_put(&d->by_question, key, d->ahead.n) == d->ahead.n)
            EZ_PUSH(&d->ahead, one);
        else
            free(one.bytes);
    }
    free(a.all);
}
