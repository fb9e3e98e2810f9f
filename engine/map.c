/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map.c - see map.h: open addressing, at most half full.
 * Tests: tests/unit/engine/check_fxt.c */
#include "engine/map.h"

static struct ez_map_slot *find(const struct ez_map *m, uint64_t key)
{
    size_t i = (size_t)(key * 0x9e3779b97f4a7c15u >> 20) & (m->cap - 1);
    while (m->slot[i].val && m->slot[i].key != key)
        i = (i + 1) & (m->cap - 1);
    return &m->slot[i];
}

static void grow(struct ez_map *m)
{
    struct ez_map old = *m;
    m->cap = old.cap ? old.cap * 2 : 64;
    m->slot = ez_alloc(m->cap * sizeof *m->slot);
    for (size_t i = 0; i < old.cap; i++)
        if (old.slot[i].val)
            *find(m, old.slot[i].key) = old.slot[i];
    free(old.slot);
}

size_t ez_map_put(struct ez_map *m, uint64_t key, size_t fresh)
{
    if (m->n * 2 >= m->cap)
        grow(m);
    struct ez_map_slot *s = find(m, key);
    if (!s->val) {
        *s = (struct ez_map_slot){ key, fresh + 1 };
        m->n++;
    }
    return s->val - 1;
}

bool ez_map_get(const struct ez_map *m, uint64_t key, size_t *val)
{
    const struct ez_map_slot *s = m->cap ? find(m, key) : NULL;
    if (!s || !s->val)
        return false;
    *val = s->val - 1;
    return true;
}

void ez_map_free(struct ez_map *m)
{
    free(m->slot);
    *m = (struct ez_map){ 0 };
}
