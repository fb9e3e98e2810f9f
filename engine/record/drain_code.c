/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_code.c - collects the code addresses in events, so that the main thread can name them:
 * words of type `code` of modules (words.h), and items of type `code` or `ptr` that probes collect
 * (items.h).
 *
 * The drain thread knows no symbols. It records each address once. Before a trace is closed, the
 * main thread requests the addresses that have no name yet (ez_drain_unnamed), and defines their
 * names. Most pointers do not point to code, and there may be any number of them. So the limit for
 * pointers is lower, and leaves room for addresses that are known to be code.
 * Tests: tests/procs/values.sh */
#include <string.h>

#include "engine/record/drain_priv.h"
#include "engine/record/words.h"

#define MOST 65536     /* maximum number of addresses; only a hostile program has more */
#define MOST_PTR 32768 /* number of addresses from which on pointers are no longer recorded */

/* A value in code.mask is, for a module's event, a mask of its words that are code addresses. For a
 * probe's event it is MASK_ITEMS + the index of the event's items, because the position of a word
 * depends on the length of strings before it. */
#define MASK_ITEMS ((size_t)1 << 32)

static void drain_code_learn_items(struct ez_drain *d, const struct drain_def *def)
{
    struct ez_items k;
    bool any = false;
    ez_items_parse(def->text, &k);
    for (size_t i = 0; i < k.at.n; i++)
        any |= k.at.at[i].type == EZ_IT_CODE || k.at.at[i].type == EZ_IT_PTR;
    if (any && ez_hash_put(&d->code.mask, def->arg[0], MASK_ITEMS + d->code.items.n) ==
                   MASK_ITEMS + d->code.items.n)
        EZ_PUSH(&d->code.items, k);
    else
        ez_items_free(&k);
}

/* Drain thread: records which words of the defined events are code addresses. */
void drain_code_learn(struct ez_drain *d, const struct drain_def *def)
{
    struct ez_words w;
    if (def->kind == EZ_DEF_ITEMS)
        drain_code_learn_items(d, def);
    if (def->kind != EZ_DEF_MEANING)
        return;
    const char *group = def->text + strlen(def->text) + 1;
    if (!ez_words_parse(group + strlen(group) + 1, &w))
        return;
    size_t mask = 0;
    for (unsigned i = 0; i < w.n; i++)
        mask |= (size_t)(w.word[i].type == EZ_W_CODE) << i;
    if (mask)
        ez_hash_put(&d->code.mask, def->arg[0], mask);
}

/* Records an address. pointer: the value may point to anything; the address is recorded again when
 * it occurs as a code address. */
void drain_code_note(struct ez_drain *d, uint64_t addr, bool pointer)
{
    size_t was;
    bool known = ez_hash_get(&d->code.seen, addr, &was);
    size_t most = pointer ? MOST_PTR : MOST;
    if (!addr || (known && (pointer || !was)) || (!known && d->code.seen.n >= most))
        return;
    if (known)
        ez_hash_remove(&d->code.seen, addr, &was);
    ez_hash_put(&d->code.seen, addr, pointer);
    pthread_mutex_lock(&d->defs.lock);
    EZ_PUSH(&d->code.fresh, ((struct ez_code_addr){ addr, pointer }));
    pthread_mutex_unlock(&d->defs.lock);
}

static void drain_code_see_value(const struct ez_item_value *v, void *arg)
{
    enum ez_item_type type = v->item->type;
    if (v->state == EZ_V_GOOD && (type == EZ_IT_CODE || type == EZ_IT_PTR))
        drain_code_note(arg, v->word[0], type == EZ_IT_PTR);
}

/* Drain thread: records the code addresses in an event with n words. */
void drain_code_see(struct ez_drain *d, uint64_t code, const uint64_t *word, size_t n)
{
    size_t mask;
    if (!d->code.mask.n || !ez_hash_get(&d->code.mask, code, &mask))
        return;
    if (mask >= MASK_ITEMS)
        ez_items_values(&d->code.items.at[mask - MASK_ITEMS], code & 1, word, (unsigned)n,
                        drain_code_see_value, d);
    for (size_t i = 0; mask < MASK_ITEMS && i < n && mask >> i; i++)
        if (mask >> i & 1)
            drain_code_note(d, word[i], false);
}

size_t ez_drain_unnamed(struct ez_drain *d, struct ez_code_addr *addr, size_t most)
{
    pthread_mutex_lock(&d->defs.lock);
    size_t n = EZ_MIN(most, d->code.fresh.n);
    d->code.fresh.n -= n;
    for (size_t i = 0; i < n; i++)
        addr[i] = d->code.fresh.at[d->code.fresh.n + i];
    pthread_mutex_unlock(&d->defs.lock);
    return n;
}

void drain_code_free(struct ez_drain *d)
{
    ez_hash_free(&d->code.mask);
    ez_hash_free(&d->code.seen);
    EZ_VEC_FREE(&d->code.fresh);
    for (size_t i = 0; i < d->code.items.n; i++)
        ez_items_free(&d->code.items.at[i]);
    EZ_VEC_FREE(&d->code.items);
}
