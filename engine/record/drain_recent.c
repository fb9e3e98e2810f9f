/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_recent.c - the newest events, which the command "events" shows while the program runs.
 *
 * Tests: tests/unit/record/check_drain.c, tests/e2e/follow.ezt */
#include "engine/record/drain_recent.h"

#include "engine/data_abi.h"
#include "engine/record/drain_priv.h"

void drain_remember(struct ez_drain *d, const uint64_t *word, size_t n)
{
    struct drain_recent *r = &d->recent;
    if (pthread_mutex_trylock(&r->lock))
        return; /* the reader holds the lock: skip these events rather than wait */
    for (const uint64_t *w = word; w < word + n; w += ez_fxt_words(w)) {
        uint64_t code = w[2] >> 8, narg = code < EZ_C_MODULE ? (w[2] & 0xff) - 1 : 0;
        if (code < EZ_C_PROBE)
            continue;
        r->at[r->next % DRAIN_RECENT] = r->next_word;
        for (uint64_t i = 0; i < narg; i++)
            r->word[r->next_word++ % DRAIN_RECALL] = w[3 + i];
        r->rec[r->next++ % DRAIN_RECENT] =
            (struct ez_rec){ .tick = w[0], .tid = w[1], .code = code << 8 | (1 + narg) };
    }
    pthread_mutex_unlock(&r->lock);
}

size_t ez_drain_recent(struct ez_drain *d, uint64_t *cursor, struct ez_rec *out, size_t max)
{
    struct drain_recent *r = &d->recent;
    size_t n = 0;
    pthread_mutex_lock(&r->lock);
    uint64_t oldest = r->next > DRAIN_RECENT ? r->next - DRAIN_RECENT : 0;
    if (*cursor < oldest)
        *cursor = oldest;
    for (; *cursor < r->next && n < max; ++*cursor)
        out[n++] = r->rec[*cursor % DRAIN_RECENT];
    pthread_mutex_unlock(&r->lock);
    return n;
}

unsigned ez_drain_recent_words(struct ez_drain *d, uint64_t seq, uint64_t word[EZ_DATA_WORDS + 2])
{
    struct drain_recent *r = &d->recent;
    unsigned n = 0;
    pthread_mutex_lock(&r->lock);
    uint64_t at = r->at[seq % DRAIN_RECENT];
    if (seq < r->next && r->next - seq <= DRAIN_RECENT && r->next_word - at <= DRAIN_RECALL)
        n = (unsigned)EZ_MIN((r->rec[seq % DRAIN_RECENT].code & 0xff) - 1, EZ_DATA_WORDS + 2ull);
    for (unsigned i = 0; i < n; i++)
        word[i] = r->word[(at + i) % DRAIN_RECALL];
    pthread_mutex_unlock(&r->lock);
    return n;
}

void drain_recent_begin(struct ez_drain *d)
{
    pthread_mutex_init(&d->recent.lock, NULL);
}

void drain_recent_free(struct ez_drain *d)
{
    pthread_mutex_destroy(&d->recent.lock);
}
