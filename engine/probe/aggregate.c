/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aggregate.c - results of aggregates, from the tables of the live process and of earlier
 * processes.
 * Tests: tests/procs/addup.sh */
#include "engine/target.h"

#include <stdio.h>
#include <string.h>

/* Stores the symbol name of the line's key, a code address, if the line has no name yet. It is
 * stored now because the module may be unloaded later. */
static void aggregate_name(struct ez_target *t, struct ez_addup_line *l)
{
    uint64_t in;
    const struct ez_sym *s = *l->text ? NULL : ez_symbolize(t, ez_addr_of(l->key), &in, NULL);
    if (s)
        snprintf(l->text, sizeof l->text, "%s+%lu", ez_sym_pretty(s), (unsigned long)in);
}

static void aggregate_name_all(struct ez_target *t, const struct ez_probe *p,
                               struct ez_addup_sum *sum)
{
    for (size_t i = 0; p->key_type == EZ_IT_CODE && i < sum->line.n; i++)
        aggregate_name(t, &sum->line.at[i]);
}

void ez_probe_adds_end(struct ez_target *t, struct ez_probe *p)
{
    if (p->table >= 0 && t->tracing.drain) {
        ez_drain_addup(t->tracing.drain, (uint32_t)p->table, &p->added);
        p->ns_per_tick = ez_drain_ns_per_tick(t->tracing.drain);
        aggregate_name_all(t, p, &p->added);
    }
    p->table = -1;
}

/* Makes a copy of the earlier processes' results, to which the caller adds the live table. */
static void aggregate_copy(const struct ez_addup_sum *from, struct ez_addup_sum *to)
{
    *to = (struct ez_addup_sum){ .kind = from->kind, .of = from->of, .full = from->full };
    for (size_t i = 0; i < from->line.n; i++)
        ez_addup_add_line(to, &from->line.at[i]);
}

void ez_aggregates(struct ez_target *t, void (*fn)(const struct ez_aggregate *, void *), void *arg)
{
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        struct ez_probe *p = t->probes.probe.at[i];
        struct ez_addup_sum sum;
        if (!p->spec.adds)
            continue;
        aggregate_copy(&p->added, &sum);
        if (p->table >= 0 && t->tracing.drain)
            ez_drain_addup(t->tracing.drain, (uint32_t)p->table, &sum);
        aggregate_name_all(t, p, &sum);
        struct ez_aggregate a = { .number = p->number,
                                  .function = p->function ? p->function : p->spec.location,
                                  .value = ez_text(p->spec.value),
                                  .key = ez_text(p->spec.key),
                                  .adds = p->spec.adds,
                                  .key_type = p->key_type,
                                  .ticks = ez_adds_ops[p->spec.adds].ticks,
                                  .ns_per_tick = t->tracing.drain
                                                     ? ez_drain_ns_per_tick(t->tracing.drain)
                                                     : p->ns_per_tick,
                                  .sum = &sum };
        fn(&a, arg);
        ez_addup_free(&sum);
    }
}

void ez_aggregates_write(struct ez_target *t)
{
    if (!t->tracing.drain)
        return;
    t->inf.ops->name_code(t);
    ez_drain_write_adds(t->tracing.drain);
}
