/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_code.c - addresses in code that events of modules carry (words of type `code`, words.h).
 *
 * The drain knows no symbols. It notes each address once; the main thread asks for those that have
 * no name yet before a trace is closed (ez_drain_unnamed), and defines what it finds. */
#include <string.h>

#include "engine/ring/drain_priv.h"
#include "engine/ring/words.h"

#define MOST 65536 /* addresses; a program has no more of such functions, unless it lies */

/* Drain thread: which words of the events that this definition describes are code? */
void drain_code_learn(struct ez_drain *d, const struct drain_def *def)
{
    struct ez_words w;
    const char *group = def->text + strlen(def->text) + 1;
    if (def->kind != EZ_DEF_MEANING || !ez_words_parse(group + strlen(group) + 1, &w))
        return;
    size_t mask = 0;
    for (unsigned i = 0; i < w.n; i++)
        mask |= (size_t)(w.word[i].type == EZ_W_CODE) << i;
    if (mask)
        ez_hash_put(&d->code.mask, def->arg[0], mask);
}

/* Drain thread: an event with n words. */
void drain_code_see(struct ez_drain *d, uint64_t code, const uint64_t *word, size_t n)
{
    size_t mask, known;
    if (!d->code.mask.n || !ez_hash_get(&d->code.mask, code, &mask))
        return;
    for (size_t i = 0; i < n && mask >> i; i++) {
        if (!(mask >> i & 1) || !word[i] || ez_hash_get(&d->code.seen, word[i], &known) ||
            d->code.seen.n >= MOST)
            continue;
        ez_hash_put(&d->code.seen, word[i], 0);
        pthread_mutex_lock(&d->defs_lock);
        EZ_PUSH(&d->code.fresh, word[i]);
        pthread_mutex_unlock(&d->defs_lock);
    }
}

size_t ez_drain_unnamed(struct ez_drain *d, uint64_t *addr, size_t most)
{
    pthread_mutex_lock(&d->defs_lock);
    size_t n = EZ_MIN(most, d->code.fresh.n);
    d->code.fresh.n -= n;
    for (size_t i = 0; i < n; i++)
        addr[i] = d->code.fresh.at[d->code.fresh.n + i];
    pthread_mutex_unlock(&d->defs_lock);
    return n;
}

void drain_code_free(struct ez_drain *d)
{
    ez_hash_free(&d->code.mask);
    ez_hash_free(&d->code.seen);
    EZ_VEC_FREE(&d->code.fresh);
}
