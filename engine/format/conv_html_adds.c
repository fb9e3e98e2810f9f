/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_html_adds.c - writes aggregates as JSON into the page of `report`. The head of
 * report/adds.js describes the JSON.
 *
 * Tests: tests/unit/trace/check_adds.c */
#include "engine/format/conv_html.h"
#include "engine/trace/adds.h"

/* Writes quantiles as `info aggregates` shows them: as integers, with ticks converted to ns. */
static void html_adds_quantiles(struct ez_html *h, const struct ez_aggregate *a,
                                const struct ez_addup_line *l)
{
    static const struct {
        const char *name;
        double part;
    } of[] = { { "p50", 0.5 }, { "p90", 0.9 }, { "p99", 0.99 } };
    for (size_t i = 0; i < EZ_ARRAY_LEN(of); i++)
        ez_json_add_real(&h->json, of[i].name,
                         ez_aggregate_scaled(a, ez_addup_quantile(a->sum, l, of[i].part)));
}

static void html_adds_put_row(struct ez_html *h, const struct ez_aggregate *a, size_t i)
{
    const struct ez_addup_line *l = &a->sum->line.at[i];
    struct ez_json *j = &h->json;
    EZ_FREE char *key = ez_aggregate_key(a, i);
    ez_json_next_line(j, 0);
    ez_json_begin(j, NULL, '{');
    ez_json_add_text(j, "key", key);
    ez_json_add_uint(j, "hits", l->n);
    ez_json_add_real(j, "sum", ez_aggregate_scaled(a, l->sum));
    ez_json_add_real(j, "min", ez_aggregate_scaled(a, l->least));
    ez_json_add_real(j, "max", ez_aggregate_scaled(a, l->most));
    if (l->bucket)
        html_adds_quantiles(h, a, l);
    ez_json_begin(j, "buckets", '[');
    for (uint32_t n = 0; l->bucket && n < EZ_ADDUP_LEVELS; n++) {
        uint32_t k = ez_addup_level(n);
        if (!l->bucket[k])
            continue;
        ez_json_begin(j, NULL, '[');
        ez_json_add_real(j, NULL, ez_aggregate_scaled(a, ez_addup_low(k)));
        ez_json_add_uint(j, NULL, l->bucket[k]);
        ez_json_end(j, ']');
    }
    ez_json_end(j, ']');
    ez_json_end(j, '}');
}

static void html_adds_put(struct ez_html *h, const struct ez_aggregate *a)
{
    EZ_FREE size_t *order = ez_addup_order(a->sum);
    EZ_FREE char *title = ez_aggregate_title(a);
    struct ez_json *j = &h->json;
    ez_json_next_line(j, 0);
    ez_json_begin(j, NULL, '{');
    ez_json_add_text(j, "title", title);
    ez_json_add_text(j, "what", ez_adds_name(a->adds));
    ez_json_add_text(j, "unit", a->ticks ? "ns" : "");
    ez_json_add_uint(j, "full", a->sum->full);
    ez_json_add_uint(j, "keys", a->sum->line.n);
    ez_json_begin(j, "rows", '[');
    for (size_t i = 0; i < a->sum->line.n && i < EZ_HTML_KEYS; i++)
        html_adds_put_row(h, a, order[i]);
    ez_json_end(j, ']');
    ez_json_end(j, '}');
}

void ez_html_adds(struct ez_html *h)
{
    const struct ez_adds_all *all = h->m->adds;
    ez_json_next_line(&h->json, 0);
    ez_json_begin(&h->json, "adds", '[');
    for (size_t i = 0; all && i < all->of.n; i++)
        html_adds_put(h, &all->of.at[i].is);
    ez_json_end(&h->json, ']');
}
