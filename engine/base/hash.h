/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hash.h - maps a 64-bit key to an index, usually of an element in a vector of the caller.
 * Zero-initialise; free with ez_hash_free. */
#ifndef EZ_HASH_H
#define EZ_HASH_H

#include "engine/base/base.h"

struct ez_hash {
    struct ez_hash_slot {
        uint64_t key;
        size_t val; /* index + 1; 0 means an empty slot */
    } * slot;
    size_t n, cap; /* cap: a power of two */
};

/* Adds a text to the key h (FNV-1a) and returns the new key. The first h is EZ_HASH_SEED. Different
 * texts can have the same key, so the caller must compare the texts. */
#define EZ_HASH_SEED 0xcbf29ce484222325u
uint64_t ez_hash_key(uint64_t h, const char *text);
/* Returns a key made of two numbers. Different pairs can have the same key. */
static inline uint64_t ez_hash_pair(uint64_t a, uint64_t b)
{
    return a * 0x9e3779b97f4a7c15u ^ b;
}
/* Returns the value of key. A key that is not in the hash is added with the value `fresh`. */
size_t ez_hash_put(struct ez_hash *m, uint64_t key, size_t fresh);
/* Sets *val to the value of the key. Returns false if the key is not in the hash. */
bool ez_hash_get(const struct ez_hash *m, uint64_t key, size_t *val);
/* Removes a key and sets *val to its value. Returns false if the key is not in the hash. */
bool ez_hash_remove(struct ez_hash *m, uint64_t key, size_t *val);
void ez_hash_free(struct ez_hash *m);

/* Sets the value of key, which may have another value. */
static inline void ez_hash_set(struct ez_hash *m, uint64_t key, size_t val)
{
    size_t was;
    ez_hash_remove(m, key, &was);
    ez_hash_put(m, key, val);
}

#endif
