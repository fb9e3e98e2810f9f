/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aggregate.c - what aggregates found: the live tables, and what the processes before found. */
#include "engine/target.h"

#include <stdio.h>
#include <string.h>

/* The symbol of an address in code, while it is known. */
static void aggregate_name(struct ez_target *t, struct ez_addup_line *l)
{
    uint64_t in;
    const struct ez_sym *s = *l->text ? NULL : ez_symbolize(t, ez_addr_of(l->key), &in, NULL);
    if (s)
        snprintf(l->text, sizeof l->text, "%s+%lu", ez_sym_pretty(s), (unsigned long)in);
}

void ez_probe_adds_end(struct ez_target *t, struct ez_probe *p)
{
    if (p->table >= 0 && t->tracing.drain) {
        ez_drain_addup(t->tracing.drain, (uint32_t)p->table, &p->added);
        p->ns_per_tick = ez_drain_ns_per_tick(t->tracing.drain);
        for (size_t i = 0; p->key_type == EZ_IT_CODE && i < p->added.line.n; i++)
            aggregate_name(t, &p->added.line.at[i]);
    }
    p->table = -1;
}

/* A copy, to which the live tables can be added. */
static void aggregate_copy(const struct ez_addup_sum *from, struct ez_addup_sum *to)
{
    *to = (struct ez_addup_sum){ .kind = from->kind,
                                 .is_double = from->is_double,
                                 .full = from->full };
    for (size_t i = 0; i < from->line.n; i++) {
        struct ez_addup_line l = from->line.at[i];
        if (l.bucket) {
            uint64_t *bucket = ez_alloc(EZ_ADDUP_BUCKETS * sizeof *bucket);
            memcpy(bucket, l.bucket, EZ_ADDUP_BUCKETS * sizeof *bucket);
            l.bucket = bucket;
        }
        ez_hash_put(&to->by_key, l.key, i);
        EZ_PUSH(&to->line, l);
    }
}

void ez_aggregates(struct ez_target *t, void (*fn)(const struct ez_aggregate *, void *), void *arg)
{
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        struct ez_probe *p = t->probes.probe.at[i];
        struct ez_addup_sum sum;
        if (!p->asked.adds)
            continue;
        aggregate_copy(&p->added, &sum);
        if (p->table >= 0 && t->tracing.drain)
            ez_drain_addup(t->tracing.drain, (uint32_t)p->table, &sum);
        struct ez_aggregate a = { .number = p->number,
                                  .function = p->function ? p->function : p->location,
                                  .value = p->asked.value,
                                  .key = p->asked.key,
                                  .adds = p->asked.adds,
                                  .ticks = p->asked.adds == EZ_ADDS_LATENCY,
                                  .ns_per_tick = t->tracing.drain
                                                     ? ez_drain_ns_per_tick(t->tracing.drain)
                                                     : p->ns_per_tick,
                                  .sum = &sum };
        fn(&a, arg);
        ez_addup_free(&sum);
    }
}

char *ez_aggregate_key(struct ez_target *t, const struct ez_aggregate *a, size_t line)
{
    const struct ez_probe *p = ez_probe_numbered(t, a->number);
    struct ez_addup_line *l = &a->sum->line.at[line];
    struct ez_data_item item = { .name = "", .type = p ? p->key_type : EZ_IT_INT, .names = "" };
    struct ez_item_value v = { .item = &item, .word = &l->key, .n = 1 };
    uint64_t text[4] = { strlen(l->text) };
    if (item.type == EZ_IT_TEXT) {
        memcpy(text + 1, l->text, 24);
        v = (struct ez_item_value){ .item = &item, .word = text, .n = 4, .len = text[0] };
    }
    if (item.type == EZ_IT_CODE)
        aggregate_name(t, l);
    return item.type == EZ_IT_CODE && *l->text ? ez_strdup(l->text) : ez_item_text(&v, NULL);
}
