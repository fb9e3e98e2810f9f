/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_code.c - collects the addresses in events, so that the main thread can name them: words of
 * type `code` and `data` of modules (words.h), items of type `code` or `ptr` that probes collect
 * (items.h), and keys of aggregates that are code.
 *
 * The drain thread knows no symbols. Before a trace is closed, the main thread reads the addresses
 * that have no name yet (ez_drain_unnamed), and defines their names. Most pointers do not point to
 * code, locks may be on the heap, and there may be any number of pointers and locks. So the limit
 * for addresses that may not be code is lower.
 * Tests: tests/procs/values.sh, tests/procs/locks.sh */
#include <string.h>

#include "engine/record/drain_priv.h"
#include "engine/record/words.h"

#define MOST 65536      /* maximum number of addresses; only a hostile program has more */
#define MOST_DATA 32768 /* if so many addresses are recorded, only addresses of code are added */

static void drain_code_add(struct ez_drain *d, uint64_t code, const struct drain_code_event *e)
{
    struct ez_items items = e->items;
    size_t n = d->code.event.n;
    if (ez_hash_put(&d->code.by_code, code, n) == n)
        EZ_PUSH(&d->code.event, *e);
    else
        ez_items_free(&items);
}

static void drain_code_learn_items(struct ez_drain *d, const struct drain_def *def)
{
    struct drain_code_event e = { .code = 0 };
    bool any = false;
    ez_items_parse(def->text, &e.items);
    for (size_t i = 0; i < e.items.at.n; i++)
        any |= e.items.at.at[i].type == EZ_IT_CODE || e.items.at.at[i].type == EZ_IT_PTR;
    if (any)
        drain_code_add(d, def->arg[0], &e);
    else
        ez_items_free(&e.items);
}

/* Called by the drain thread. Stores which words of the events that `def` defines are addresses
 * that get names. */
void drain_code_learn(struct ez_drain *d, const struct drain_def *def)
{
    struct drain_code_event e = { .code = 0 };
    struct ez_words w;
    if (def->kind == EZ_DEF_ITEMS)
        drain_code_learn_items(d, def);
    if (def->kind != EZ_DEF_MEANING)
        return;
    const char *group = def->text + strlen(def->text) + 1;
    if (!ez_words_parse(group + strlen(group) + 1, &w))
        return;
    for (unsigned i = 0; i < w.n && i < EZ_ARRAY_LEN(w.word); i++) {
        e.code |= (uint32_t)(w.word[i].type == EZ_W_CODE) << i;
        e.data |= (uint32_t)(w.word[i].type == EZ_W_DATA) << i;
    }
    if (e.code || e.data)
        drain_code_add(d, def->arg[0], &e);
}

/* Records an address, unless it is 0 or the limit is reached. An address that was recorded already
 * is recorded again only if its new kind (enum ez_addr_kind) is smaller. */
void drain_code_note(struct ez_drain *d, uint64_t addr, enum ez_addr_kind kind)
{
    size_t was;
    bool known = ez_hash_get(&d->code.seen, addr, &was);
    size_t most = kind == EZ_ADDR_CODE ? MOST : MOST_DATA;
    if (!addr || (known && kind >= was) || (!known && d->code.seen.n >= most))
        return;
    if (known)
        ez_hash_remove(&d->code.seen, addr, &was);
    ez_hash_put(&d->code.seen, addr, kind);
    pthread_mutex_lock(&d->defs.lock);
    EZ_PUSH(&d->code.fresh, ((struct ez_code_addr){ addr, kind }));
    pthread_mutex_unlock(&d->defs.lock);
}

static void drain_code_see_value(const struct ez_item_value *v, void *arg)
{
    enum ez_item_type type = v->item->type;
    if (v->state == EZ_V_GOOD && (type == EZ_IT_CODE || type == EZ_IT_PTR))
        drain_code_note(arg, v->word[0], type == EZ_IT_PTR ? EZ_ADDR_POINTER : EZ_ADDR_CODE);
}

/* Called by the drain thread. Records the addresses in an event with n words. */
void drain_code_see(struct ez_drain *d, uint64_t code, const uint64_t *word, size_t n)
{
    size_t at;
    if (!d->code.event.n || !ez_hash_get(&d->code.by_code, code, &at))
        return;
    const struct drain_code_event *e = &d->code.event.at[at];
    if (e->items.at.n)
        ez_items_values(&e->items, code & 1, word, (unsigned)n, drain_code_see_value, d);
    for (size_t i = 0; i < n && i < 32 && (e->code | e->data) >> i; i++)
        if ((e->code | e->data) >> i & 1)
            drain_code_note(d, word[i], e->code >> i & 1 ? EZ_ADDR_CODE : EZ_ADDR_DATA);
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
    ez_hash_free(&d->code.by_code);
    ez_hash_free(&d->code.seen);
    EZ_VEC_FREE(&d->code.fresh);
    for (size_t i = 0; i < d->code.event.n; i++)
        ez_items_free(&d->code.event.at[i].items);
    EZ_VEC_FREE(&d->code.event);
}
