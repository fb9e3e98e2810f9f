/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hash.c - a hash from 64-bit keys to indexes (hash.h): open addressing, at most half full.
 * Tests: tests/unit/record/check_fxt.c */
#include "engine/base/hash.h"

uint64_t ez_hash_key(uint64_t h, const char *text)
{
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 0x100000001b3u;
    /* marks the end of the text: the texts "a", "bc" get another key than "ab", "c" */
    return (h ^ 0xff) * 0x100000001b3u;
}

static size_t hash_home(const struct ez_hash *m, uint64_t key)
{
    return (size_t)(key * 0x9e3779b97f4a7c15u >> 20) & (m->cap - 1);
}

static struct ez_hash_slot *hash_find(const struct ez_hash *m, uint64_t key)
{
    size_t i = hash_home(m, key);
    while (m->slot[i].val && m->slot[i].key != key)
        i = (i + 1) & (m->cap - 1);
    return &m->slot[i];
}

static void hash_grow(struct ez_hash *m)
{
    struct ez_hash old = *m;
    m->cap = old.cap ? old.cap * 2 : 64;
    m->slot = ez_alloc(m->cap * sizeof *m->slot);
    for (size_t i = 0; i < old.cap; i++)
        if (old.slot[i].val)
            *hash_find(m, old.slot[i].key) = old.slot[i];
    free(old.slot);
}

size_t ez_hash_put(struct ez_hash *m, uint64_t key, size_t fresh)
{
    if (m->n * 2 >= m->cap)
        hash_grow(m);
    struct ez_hash_slot *s = hash_find(m, key);
    if (!s->val) {
        *s = (struct ez_hash_slot){ key, fresh + 1 };
        m->n++;
    }
    return s->val - 1;
}

bool ez_hash_get(const struct ez_hash *m, uint64_t key, size_t *val)
{
    const struct ez_hash_slot *s = m->cap ? hash_find(m, key) : NULL;
    if (!s || !s->val)
        return false;
    *val = s->val - 1;
    return true;
}

/* Removes a key. Displaced keys behind it move up, so that no tombstones are needed. */
bool ez_hash_remove(struct ez_hash *m, uint64_t key, size_t *val)
{
    if (!ez_hash_get(m, key, val))
        return false;
    size_t hole = (size_t)(hash_find(m, key) - m->slot), mask = m->cap - 1;
    for (size_t i = (hole + 1) & mask; m->slot[i].val; i = (i + 1) & mask) {
        size_t want = hash_home(m, m->slot[i].key);
        if (((i - want) & mask) >= ((i - hole) & mask)) {
            m->slot[hole] = m->slot[i];
            hole = i;
        }
    }
    m->slot[hole].val = 0;
    m->n--;
    return true;
}

void ez_hash_free(struct ez_hash *m)
{
    free(m->slot);
    *m = (struct ez_hash){ 0 };
}
