/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aggregate_print.c - what aggregates found, as tables with bars, and as JSON: for `info aggregates` of the
 * live ones, and for `stats` of those in traces. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmds/aggregate.h"
#include "shell/out.h"
#include "shell/sess.h"

#define LINES_MOST 20 /* keys that a table shows                                       */
#define BAR 40        /* columns of the longest bar                                    */

static const char *aggregates_number(struct ez_sess *s, const struct ez_aggregate *a,
                                     union ez_number v)
{
    if (a->ticks)
        return out_time(s, (uint64_t)((double)v.i * a->ns_per_tick + 0.5));
    return a->sum->is_double ? sess_format(s, "%.6g", v.d) : sess_format(s, "%" PRId64, v.i);
}

/* What the aggregate is about, for one key. */
static const char *aggregates_result(struct ez_sess *s, const struct ez_aggregate *a,
                                     const struct ez_addup_line *l)
{
    double sum = a->sum->is_double ? l->sum.d : (double)l->sum.i;
    switch (a->adds) {
    case EZ_ADDS_SUM:
        return aggregates_number(s, a, l->sum);
    case EZ_ADDS_MIN:
        return aggregates_number(s, a, l->least);
    case EZ_ADDS_MAX:
        return aggregates_number(s, a, l->most);
    case EZ_ADDS_AVG:
        return sess_format(s, "%.6g", l->n ? sum / (double)l->n : 0);
    default:
        return "";
    }
}

static void aggregates_bars(struct ez_sess *s, const struct ez_aggregate *a,
                            const struct ez_addup_line *l)
{
    uint64_t octave[64] = { 0 }, most = 1;
    unsigned first = 64, last = 0;
    for (uint32_t i = 0; l->bucket && i < EZ_ADDUP_BUCKETS; i++) {
        uint64_t v = ez_addup_floor(i);
        unsigned o = v ? 64 - (unsigned)__builtin_clzll(v) : 0;
        octave[EZ_MIN(o, 63u)] += l->bucket[i];
    }
    for (unsigned o = 0; o < 64; o++) {
        most = EZ_MAX(most, octave[o]);
        first = octave[o] && first == 64 ? o : first;
        last = octave[o] ? o : last;
    }
    for (unsigned o = first; o <= last && first < 64; o++) {
        char bar[BAR + 1];
        size_t n = (size_t)((double)octave[o] / (double)most * BAR + 0.5);
        memset(bar, '#', n);
        bar[n] = 0;
        const char *from =
            aggregates_number(s, a, (union ez_number){ o ? (int64_t)(1ull << (o - 1)) : 0 });
        out_line(s, "%12s  %12" PRIu64 "  %s", from, octave[o], bar);
    }
}

static void aggregates_quantiles(struct ez_sess *s, const struct ez_aggregate *a,
                                 const struct ez_addup_line *l)
{
    static const struct {
        const char *name;
        double share;
    } q[] = { { "p50", 0.5 }, { "p90", 0.9 }, { "p99", 0.99 } };
    const char *text = "";
    for (size_t i = 0; i < EZ_ARRAY_LEN(q); i++)
        text =
            sess_format(s, "%s  %s %s", text, q[i].name,
                        aggregates_number(
                            s, a, (union ez_number){ (int64_t)ez_addup_quantile(l, q[i].share) }));
    out_line(s, "  min %s%s  max %s", aggregates_number(s, a, l->least), text,
             aggregates_number(s, a, l->most));
}

void aggregates_print(const struct ez_aggregate *a, void *arg)
{
    struct ez_sess *s = arg;
    const struct ez_addup_sum *sum = a->sum;
    EZ_FREE size_t *order = ez_addup_order(sum);
    EZ_FREE char *title = ez_aggregate_title(a);
    out_line(s, "%d: %s", a->number, title);
    for (size_t i = 0; i < sum->line.n && i < LINES_MOST; i++) {
        const struct ez_addup_line *l = &sum->line.at[order[i]];
        EZ_FREE char *key = ez_aggregate_key(a, order[i]);
        const char *result = aggregates_result(s, a, l);
        out_line(s, "  %-24s %12" PRIu64 " hits%s%s", key, l->n, *result ? "  " : "", result);
        if (l->bucket) {
            aggregates_quantiles(s, a, l);
            aggregates_bars(s, a, l);
        }
    }
    if (sum->line.n > LINES_MOST)
        out_line(s, "  and %zu keys more", sum->line.n - LINES_MOST);
    if (!sum->line.n)
        out_line(s, "  no hits");
    if (sum->full)
        out_line(s, "  %" PRIu64 " hits found no room: there are too many keys", sum->full);
}

/* ---- JSON ---- */

/* JSON knows neither nan nor inf, which an aggregate of doubles may be. */
static const char *aggregates_json_number(struct ez_sess *s, double v)
{
    return isfinite(v) ? sess_format(s, "%.17g", v) : "null";
}

static const char *aggregates_json_buckets(struct ez_sess *s, const struct ez_aggregate *a,
                                           const struct ez_addup_line *l)
{
    const char *text = "";
    for (uint32_t k = 0; l->bucket && k < EZ_ADDUP_BUCKETS; k++)
        if (l->bucket[k])
            text =
                sess_format(s, "%s%s[%.17g, %" PRIu64 "]", text, *text ? ", " : "",
                            ez_aggregate_scaled(a, (union ez_number){ (int64_t)ez_addup_floor(k) }),
                            l->bucket[k]);
    return l->bucket ? sess_format(s, ", \"buckets\": [%s]", text) : "";
}

static void aggregates_json_line(struct ez_sess *s, const struct ez_aggregate *a, size_t i)
{
    const struct ez_addup_line *l = &a->sum->line.at[i];
    EZ_FREE char *key = ez_aggregate_key(a, i);
    out_ours(s,
             "    {\"key\": %s, \"hits\": %" PRIu64 ", \"sum\": %s, \"min\": %s, \"max\": %s%s}%s",
             out_json(s, key), l->n, aggregates_json_number(s, ez_aggregate_scaled(a, l->sum)),
             aggregates_json_number(s, ez_aggregate_scaled(a, l->least)),
             aggregates_json_number(s, ez_aggregate_scaled(a, l->most)),
             aggregates_json_buckets(s, a, l), i + 1 < a->sum->line.n ? "," : "");
}

void aggregates_json(const struct ez_aggregate *a, void *arg)
{
    struct aggregates_json *j = arg;
    struct ez_sess *s = j->s;
    out_ours(s,
             "%s{\"number\": %d, \"aggregate\": \"%s\", \"function\": %s, \"value\": %s, "
             "\"by\": %s, \"unit\": \"%s\", \"no_room\": %" PRIu64 ", \"rows\": [",
             j->n++ ? "  , " : "  ", a->number, ez_adds_name(a->adds), out_json(s, a->function),
             out_json(s, a->value), out_json(s, a->key), a->ticks ? "ns" : "", a->sum->full);
    for (size_t i = 0; i < a->sum->line.n; i++)
        aggregates_json_line(s, a, i);
    out_ours(s, "  ]}");
}
