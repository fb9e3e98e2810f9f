/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_adds.c - writes results of aggregates to the trace (EZ_DEF_ADDED and EZ_DEF_BUCKETS of
 * fxt_out.h). A result is the sum over all buffers. The tables of a buffer stay when its thread
 * ends, as counters do, so the sum is the result of the whole process.
 *
 * The target may write anything to a table, so each row is copied first (addup.c). The numbers are
 * not checked, because they are the target's own results and nothing else depends on them.
 *
 * Tests: tests/unit/record/check_drain_said.c, tests/procs/sums.sh */
#include <string.h>

#include "engine/record/addup.h"
#include "engine/record/drain_priv.h"

#define ADDS_PAIRS 100 /* maximum number of pairs in an event */

struct adds { /* the aggregates that were defined */
    size_t n;
    struct {
        uint32_t table;
        struct ez_addup_sum sum;
        bool is_code;
    } of[EZ_ADDUPS];
};

/* Returns text number i of a definition; the first text has number 0. */
static const char *adds_text(const struct drain_def *f, unsigned i)
{
    const char *s = f->text;
    while (i--)
        s += strlen(s) + 1;
    return s;
}

static void adds_defined(struct ez_drain *d, struct adds *all)
{
    bool seen[EZ_ADDUPS] = { false };
    all->n = 0;
    pthread_mutex_lock(&d->defs.lock);
    for (size_t i = 0; d->buffers.addups && i < d->defs.adds.n; i++) {
        const struct drain_def *f = &d->defs.all.at[d->defs.adds.at[i]];
        if (f->arg[0] >= EZ_ADDUPS || seen[f->arg[0]])
            continue;
        seen[f->arg[0]] = true;
        all->of[all->n].table = (uint32_t)f->arg[0];
        all->of[all->n].sum = (struct ez_addup_sum){
            .kind = ez_adds_kind(f->arg[2] & 0xff),
            .of = (enum ez_addup_of)(f->arg[2] >> 8),
        };
        all->of[all->n++].is_code = !strcmp(adds_text(f, 3), ez_item_type_name(EZ_IT_CODE));
    }
    pthread_mutex_unlock(&d->defs.lock);
}

void ez_drain_addup(struct ez_drain *d, uint32_t number, struct ez_addup_sum *out)
{
    uint32_t ready = __atomic_load_n(&d->buffers.ready, __ATOMIC_ACQUIRE);
    for (uint32_t i = 1; number < d->buffers.addups && i < ready; i++)
        if (d->buffers.at[i].used ||
            __atomic_load_n(&drain_shared(d, i)->state, __ATOMIC_ACQUIRE) != EZ_BUFFER_FREE)
            ez_addup_add(out, (const void *)drain_buffer_at(d, drain_addup_off(d, i, number)));
}

static void adds_emit_buckets(struct ez_drain *d, const struct drain_adds_to *to, uint32_t table,
                              const struct ez_addup_line *l)
{
    uint64_t pair[2 * ADDS_PAIRS];
    size_t n = 0;
    for (uint32_t i = 0; i < EZ_ADDUP_LEVELS; i++) {
        if (l->bucket[i]) {
            pair[n++] = i;
            pair[n++] = l->bucket[i];
        }
        if (n && (n == EZ_ARRAY_LEN(pair) || i + 1 == EZ_ADDUP_LEVELS)) {
            to->fn(to->arg,
                   &(struct ez_fxt_def){ EZ_DEF_BUCKETS, drain_tick(d), (uint64_t)d->cfg.pid,
                                         (uint64_t[]){ table, l->key }, 2, (const char *)pair,
                                         n * sizeof *pair });
            n = 0;
        }
    }
}

static void adds_emit_line(struct ez_drain *d, const struct drain_adds_to *to, uint32_t table,
                           uint64_t full, const struct ez_addup_line *l)
{
    const uint64_t arg[] = {
        table, full, l->key, l->n, (uint64_t)l->sum.i, (uint64_t)l->least.i, (uint64_t)l->most.i
    };
    to->fn(to->arg, &(struct ez_fxt_def){ EZ_DEF_ADDED, drain_tick(d), (uint64_t)d->cfg.pid, arg,
                                          EZ_ARRAY_LEN(arg), l->text, strlen(l->text) });
    if (l->bucket)
        adds_emit_buckets(d, to, table, l);
}

void drain_adds_emit(struct ez_drain *d, const struct drain_adds_to *to)
{
    EZ_FREE struct adds *all = ez_alloc(sizeof *all);
    adds_defined(d, all);
    for (size_t i = 0; i < all->n; i++) {
        struct ez_addup_sum *sum = &all->of[i].sum;
        ez_drain_addup(d, all->of[i].table, sum);
        for (size_t k = 0; k < sum->line.n; k++)
            adds_emit_line(d, to, all->of[i].table, sum->full, &sum->line.at[k]);
        ez_addup_free(sum);
    }
}

void drain_adds_note(struct ez_drain *d)
{
    EZ_FREE struct adds *all = ez_alloc(sizeof *all);
    adds_defined(d, all);
    for (size_t i = 0; i < all->n; i++) {
        struct ez_addup_sum *sum = &all->of[i].sum;
        if (all->of[i].is_code)
            ez_drain_addup(d, all->of[i].table, sum);
        for (size_t k = 0; k < sum->line.n; k++)
            drain_code_note(d, sum->line.at[k].key, EZ_ADDR_CODE);
        ez_addup_free(sum);
    }
}
