/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hash.h - from a 64-bit key to an index (of a vector beside it).
 * Zero-initialise; end with ez_hash_free. */
#ifndef EZ_HASH_H
#define EZ_HASH_H

#include "engine/base/base.h"

struct ez_hash {
    struct ez_hash_slot {
        uint64_t key;
        size_t val; /* index + 1; 0 = empty slot                               */
    } * slot;
    size_t n, cap; /* cap: a power of two                                      */
};

/* A key made of texts: begin with EZ_HASH_SEED, go on with the last result (FNV-1a). Two texts
 * can have the same key, so the caller compares the texts. */
#define EZ_HASH_SEED 0xcbf29ce484222325u
uint64_t ez_hash_key(uint64_t h, const char *text);
/* A key made of two numbers: of a link, its key and its name. */
static inline uint64_t ez_hash_pair(uint64_t a, uint64_t b)
{
    return a * 0x9e3779b97f4a7c15u ^ b;
}
/* The value of key; on its first use it becomes `fresh`. */
size_t ez_hash_put(struct ez_hash *m, uint64_t key, size_t fresh);
/* false = unknown key */
bool ez_hash_get(const struct ez_hash *m, uint64_t key, size_t *val);
/* Removes a key: false = it was not there; else *val is the value it had. */
bool ez_hash_remove(struct ez_hash *m, uint64_t key, size_t *val);
void ez_hash_free(struct ez_hash *m);

#endif
