/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aggregate_print.c - the results of aggregates, as tables with bars and as JSON: for `info
 * aggregates` of live ones, and for `stats` of those in traces.
 * Tests: tests/procs/addup.sh, tests/procs/sums.sh */
#include <inttypes.h>
#include <string.h>

#include "cmds/probe/aggregate.h"
#include "engine/base/json.h"
#include "engine/base/strutil.h"
#include "shell/out.h"
#include "shell/sess.h"

#define LINES_MOST 20 /* maximum rows of a table, one for each key */
#define BAR 40        /* width of the longest bar, in terminal columns */

static const char *aggregates_number(struct ez_sess *s, const struct ez_aggregate *a,
                                     union ez_number v)
{
    if (a->ticks) /* not below 0: a duration is negative if the clocks of two processors differ */
        return out_time(s, (uint64_t)((double)EZ_MAX(v.i, 0) * a->ns_per_tick + 0.5));
    if (a->sum->of == EZ_OF_DOUBLE)
        return sess_format(s, "%.15g", v.d);
    return sess_format(s, a->sum->of == EZ_OF_UINT ? "%" PRIu64 : "%" PRId64, v.i);
}

static const char *aggregates_result(struct ez_sess *s, const struct ez_aggregate *a,
                                     const struct ez_addup_line *l)
{
    const struct ez_adds_op *op = &ez_adds_ops[a->adds];
    if (op->figure)
        return sess_format(s, "%.15g", op->figure(a, l));
    if (!op->field)
        return "";
    return aggregates_number(s, a, *(const union ez_number *)((const char *)l + op->field));
}

#define OCTAVES 64 /* number of octaves (powers of two) of one sign */

/* Returns the octave (power of two) of bucket i: octave 0 has value 0, 1 has 1, 2 has 2 and 3.
 * Octaves of negative values are negative. */
static int aggregates_octave(uint32_t i)
{
    bool below = i >= EZ_ADDUP_BUCKETS;
    uint64_t v = ez_addup_floor(below ? i - EZ_ADDUP_BUCKETS : i);
    int o = v ? 64 - __builtin_clzll(v) : 0;
    return below ? -o : o;
}

static union ez_number aggregates_least(int octave)
{
    uint64_t least = octave > 0   ? 1ull << (octave - 1)
                     : octave < 0 ? 1 - (1ull << (-octave - 1)) * 2
                                  : 0;
    return (union ez_number){ (int64_t)least };
}

static void aggregates_bars(struct ez_sess *s, const struct ez_aggregate *a,
                            const struct ez_addup_line *l)
{
    uint64_t octave[2 * OCTAVES + 1] = { 0 }, most = 1;
    int first = OCTAVES + 1, last = -OCTAVES;
    for (uint32_t i = 0; l->bucket && i < EZ_ADDUP_LEVELS; i++) {
        int o = aggregates_octave(i);
        octave[o + OCTAVES] += l->bucket[i];
        first = l->bucket[i] ? EZ_MIN(first, o) : first;
        last = l->bucket[i] ? EZ_MAX(last, o) : last;
        most = EZ_MAX(most, octave[o + OCTAVES]);
    }
    for (int o = first; o <= last; o++) {
        char bar[BAR + 1];
        size_t n = (size_t)((double)octave[o + OCTAVES] / (double)most * BAR + 0.5);
        memset(bar, '#', n);
        bar[n] = 0;
        out_line(s, "%12s  %12" PRIu64 "  %s", aggregates_number(s, a, aggregates_least(o)),
                 octave[o + OCTAVES], bar);
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
        text = sess_format(s, "%s  %s %s", text, q[i].name,
                           aggregates_number(s, a, ez_addup_quantile(a->sum, l, q[i].share)));
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
        out_line(s, "  %" PRIu64 " hit%s had no room: there are too many keys.", sum->full,
                 ez_plural(sum->full));
}

/* ---- JSON ---- */

static void aggregates_json_number(struct ez_json *j, const char *key, const struct ez_aggregate *a,
                                   union ez_number n)
{
    if (a->ticks || a->sum->of == EZ_OF_DOUBLE)
        ez_json_add_real(j, key, ez_aggregate_scaled(a, n));
    else if (a->sum->of == EZ_OF_UINT)
        ez_json_add_uint(j, key, (uint64_t)n.i);
    else
        ez_json_add_int(j, key, n.i);
}

static void aggregates_json_buckets(struct ez_json *j, const struct ez_aggregate *a,
                                    const struct ez_addup_line *l)
{
    ez_json_begin(j, "buckets", '[');
    for (uint32_t k = 0; k < EZ_ADDUP_LEVELS; k++) {
        uint32_t i = ez_addup_level(k);
        if (!l->bucket[i])
            continue;
        ez_json_begin(j, NULL, '[');
        aggregates_json_number(j, NULL, a, ez_addup_low(i));
        ez_json_add_uint(j, NULL, l->bucket[i]);
        ez_json_end(j, ']');
    }
    ez_json_end(j, ']');
}

static void aggregates_json_line(struct ez_json *j, const struct ez_aggregate *a, size_t i)
{
    const struct ez_addup_line *l = &a->sum->line.at[i];
    EZ_FREE char *key = ez_aggregate_key(a, i);
    ez_json_next_line(j, 4);
    ez_json_begin(j, NULL, '{');
    ez_json_add_text(j, "key", key);
    ez_json_add_uint(j, "hits", l->n);
    aggregates_json_number(j, "sum", a, l->sum);
    aggregates_json_number(j, "min", a, l->least);
    aggregates_json_number(j, "max", a, l->most);
    if (l->bucket)
        aggregates_json_buckets(j, a, l);
    ez_json_end(j, '}');
}

void aggregates_json(const struct ez_aggregate *a, void *json)
{
    struct ez_json *j = json;
    ez_json_next_line(j, 2);
    ez_json_begin(j, NULL, '{');
    ez_json_add_int(j, "number", a->number);
    ez_json_add_text(j, "aggregate", ez_adds_name(a->adds));
    ez_json_add_text(j, "function", a->function);
    ez_json_add_text(j, "value", a->value);
    ez_json_add_text(j, "by", a->key);
    ez_json_add_text(j, "unit", a->ticks ? "ns" : "");
    ez_json_add_uint(j, "no_room", a->sum->full);
    ez_json_begin(j, "rows", '[');
    for (size_t i = 0; i < a->sum->line.n; i++)
        aggregates_json_line(j, a, i);
    ez_json_next_line(j, 2);
    ez_json_end(j, ']');
    ez_json_end(j, '}');
}
