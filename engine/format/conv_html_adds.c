/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_html_adds.c - aggregates as JSON in the page of `report`: see the head of report/adds.js.
 *
 * Tests: tests/unit/engine/check_adds.c */
#include <math.h>

#include <stdio.h>

#include "engine/format/conv_html.h"
#include "engine/trace/adds.h"

/* Writes a number. JSON has neither NaN nor infinity. */
static void html_adds_number(struct ez_html *h, const char *before, double v)
{
    ez_outfile_puts(h->f, before);
    if (isfinite(v))
        ez_outfile_printf(h->f, "%.17g", v);
    else
        ez_outfile_puts(h->f, "null");
}

/* Writes quantiles as `info aggregates` shows them: integers, or ticks as ns. */
static void html_adds_quantiles(struct ez_html *h, const struct ez_aggregate *a,
                                const struct ez_addup_line *l)
{
    static const struct {
        const char *name;
        double part;
    } of[] = { { ",\"p50\":", 0.5 }, { ",\"p90\":", 0.9 }, { ",\"p99\":", 0.99 } };
    for (size_t i = 0; i < EZ_ARRAY_LEN(of); i++)
        html_adds_number(h, of[i].name,
                         ez_aggregate_scaled(a, ez_addup_quantile(a->sum, l, of[i].part)));
}

static void html_adds_put_row(struct ez_html *h, const struct ez_aggregate *a, size_t i)
{
    const struct ez_addup_line *l = &a->sum->line.at[i];
    EZ_FREE char *key = ez_aggregate_key(a, i);
    bool first = true;
    ez_outfile_puts(h->f, "{\"key\":");
    ez_outfile_json(h->f, key);
    ez_outfile_printf(h->f, ",\"hits\":%llu", (unsigned long long)l->n);
    html_adds_number(h, ",\"sum\":", ez_aggregate_scaled(a, l->sum));
    html_adds_number(h, ",\"min\":", ez_aggregate_scaled(a, l->least));
    html_adds_number(h, ",\"max\":", ez_aggregate_scaled(a, l->most));
    if (l->bucket)
        html_adds_quantiles(h, a, l);
    ez_outfile_puts(h->f, ",\"buckets\":[");
    for (uint32_t n = 0; l->bucket && n < EZ_ADDUP_LEVELS; n++) {
        uint32_t k = ez_addup_level(n);
        if (!l->bucket[k])
            continue;
        html_adds_number(h, first ? "[" : ",[", ez_aggregate_scaled(a, ez_addup_low(k)));
        ez_outfile_printf(h->f, ",%llu]", (unsigned long long)l->bucket[k]);
        first = false;
    }
    ez_outfile_puts(h->f, "]}");
}

static void html_adds_put(struct ez_html *h, const struct ez_aggregate *a)
{
    EZ_FREE size_t *order = ez_addup_order(a->sum);
    EZ_FREE char *title = ez_aggregate_title(a);
    ez_outfile_puts(h->f, "{\"title\":");
    ez_outfile_json(h->f, title);
    ez_outfile_printf(h->f,
                      ",\"what\":\"%s\",\"unit\":\"%s\",\"full\":%llu,\"keys\":%zu,\"rows\":[",
                      ez_adds_name(a->adds), a->ticks ? "ns" : "", (unsigned long long)a->sum->full,
                      a->sum->line.n);
    for (size_t i = 0; i < a->sum->line.n && i < EZ_HTML_KEYS; i++) {
        ez_outfile_puts(h->f, i ? ",\n" : "\n");
        html_adds_put_row(h, a, order[i]);
    }
    ez_outfile_puts(h->f, "]}");
}

void ez_html_adds(struct ez_html *h)
{
    const struct ez_adds_all *all = h->m->adds;
    ez_outfile_puts(h->f, ",\n\"adds\":[");
    for (size_t i = 0; all && i < all->of.n; i++) {
        ez_outfile_puts(h->f, i ? ",\n" : "\n");
        html_adds_put(h, &all->of.at[i].is);
    }
    ez_outfile_puts(h->f, "]");
}
