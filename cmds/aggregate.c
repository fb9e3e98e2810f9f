/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aggregate.c - `count`, `sum`, `min`, `max`, `avg`, `hist`, `top`, and `info aggregates`.
 *
 *   WORD [EXPR at] FUNC [by KEY] [if EXPR]
 *
 * An aggregate is a probe that leaves no record: the target adds values up in tables of its threads. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "engine/ring/addup.h"
#include "shell/lex.h"
#include "shell/out.h"
#include "shell/sess.h"

#define LINES_MOST 20 /* keys that a table shows                                       */
#define BAR 40        /* columns of the longest bar                                    */

struct aggregate_words {
    const char *value, *function, *key, *cond;
};

static const char *aggregate_cut(struct ez_sess *s, const char *from, const char *to)
{
    while (to > from && strchr(" \t", to[-1]))
        to--;
    return sess_format(s, "%.*s", (int)(to - from), from);
}

/* Splits "EXPR at FUNC by KEY if EXPR"; without "at" there is no value. False = a part is missing. */
static bool aggregate_split(struct ez_sess *s, const char *text, struct aggregate_words *w)
{
    static const char *const at[] = { "at", NULL }, *const parts[] = { "by", "if", NULL };
    const char *p = lex_find_word(text, at);
    *w = (struct aggregate_words){ "", "", "", "" };
    if (*p) {
        w->value = aggregate_cut(s, text, p);
        text = lex_skip_blanks(p + 2);
    }
    p = lex_find_word(text, parts);
    w->function = aggregate_cut(s, text, p);
    while (*p) {
        const char **to = *p == 'b' ? &w->key : &w->cond, *from = lex_skip_blanks(p + 2);
        p = lex_find_word(from, parts);
        *to = aggregate_cut(s, from, p);
        if (!**to)
            return false;
    }
    return *w->function;
}

static bool aggregate_needs_exit(const struct aggregate_words *w, enum ez_adds adds)
{
    return adds == EZ_ADDS_LATENCY || strstr(w->value, "$ret") || strstr(w->value, "$fret") ||
           strstr(w->key, "$ret");
}

static ez_err *aggregate_add(struct ez_sess *s, const char *text, enum ez_adds adds,
                             bool needs_value, bool needs_key)
{
    struct aggregate_words w;
    int first = 0, n = 0;
    if (!aggregate_split(s, text ? text : "", &w) || (needs_value && !*w.value) ||
        (needs_key && !*w.key))
        return opt_misuse(s);
    if (adds == EZ_ADDS_HIST && !*w.value)
        adds = EZ_ADDS_LATENCY;
    const struct ez_probe_asks asks = {
        .cond = w.cond, .adds = adds, .value = w.value, .key = w.key
    };
    EZ_TRY(ez_location_check(w.function));
    EZ_TRY(ez_probe_add(s->target, aggregate_needs_exit(&w, adds) ? EZ_PROBE_BOTH : EZ_PROBE_ENTRY,
                        false, w.function, &asks, &first, &n));
    for (int i = 0; i < n; i++)
        out_line(s, "Aggregate %d at %s.", first + i, w.function);
    return NULL;
}

#define AGGREGATE(name, adds, value, key)                                                          \
    ez_err *cmd_##name(struct ez_sess *s, int argc, char **argv)                                   \
    {                                                                                              \
        (void)argc;                                                                                \
        return aggregate_add(s, argv[1], adds, value, key);                                        \
    }
AGGREGATE(count, EZ_ADDS_COUNT, false, false)
AGGREGATE(sum, EZ_ADDS_SUM, true, false)
AGGREGATE(min, EZ_ADDS_MIN, true, false)
AGGREGATE(max, EZ_ADDS_MAX, true, false)
AGGREGATE(avg, EZ_ADDS_AVG, true, false)
AGGREGATE(hist, EZ_ADDS_HIST, false, false)
AGGREGATE(top, EZ_ADDS_TOP, false, true)

/* ---- info aggregates --------------------------------------------------------------------------- */

static const char *const aggregate_names[] = { "",    "count", "sum",  "min", "max",
                                               "avg", "hist",  "hist", "top" };

static const char *aggregate_number(struct ez_sess *s, const struct ez_aggregate *a,
                                    union ez_number v)
{
    if (a->ticks)
        return out_time(s, (uint64_t)((double)v.i * a->ns_per_tick + 0.5));
    return a->sum->is_double ? sess_format(s, "%.6g", v.d) : sess_format(s, "%" PRId64, v.i);
}

/* What the aggregate is about, for one key. */
static const char *aggregate_result(struct ez_sess *s, const struct ez_aggregate *a,
                                    const struct ez_addup_line *l)
{
    double sum = a->sum->is_double ? l->sum.d : (double)l->sum.i;
    switch (a->adds) {
    case EZ_ADDS_SUM:
        return aggregate_number(s, a, l->sum);
    case EZ_ADDS_MIN:
        return aggregate_number(s, a, l->least);
    case EZ_ADDS_MAX:
        return aggregate_number(s, a, l->most);
    case EZ_ADDS_AVG:
        return sess_format(s, "%.6g", l->n ? sum / (double)l->n : 0);
    default:
        return "";
    }
}

/* The lines' indexes, those with the most hits first. */
static int aggregate_by_hits(const void *a, const void *b, void *arg)
{
    const struct ez_addup_line *line = arg, *x = &line[*(const size_t *)a],
                               *y = &line[*(const size_t *)b];
    return x->n != y->n ? (x->n < y->n ? 1 : -1) : x->key < y->key ? -1 : x->key > y->key;
}

static void aggregate_bars(struct ez_sess *s, const struct ez_aggregate *a,
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
            aggregate_number(s, a, (union ez_number){ o ? (int64_t)(1ull << (o - 1)) : 0 });
        out_line(s, "%12s  %12" PRIu64 "  %s", from, octave[o], bar);
    }
}

static void aggregate_quantiles(struct ez_sess *s, const struct ez_aggregate *a,
                                const struct ez_addup_line *l)
{
    static const struct {
        const char *name;
        double share;
    } q[] = { { "p50", 0.5 }, { "p90", 0.9 }, { "p99", 0.99 } };
    const char *text = "";
    for (size_t i = 0; i < EZ_ARRAY_LEN(q); i++)
        text = sess_format(
            s, "%s  %s %s", text, q[i].name,
            aggregate_number(s, a, (union ez_number){ (int64_t)ez_addup_quantile(l, q[i].share) }));
    out_line(s, "  min %s%s  max %s", aggregate_number(s, a, l->least), text,
             aggregate_number(s, a, l->most));
}

static void aggregate_print(const struct ez_aggregate *a, void *arg)
{
    struct ez_sess *s = arg;
    const struct ez_addup_sum *sum = a->sum;
    EZ_FREE size_t *order = ez_alloc((sum->line.n + 1) * sizeof *order);
    out_line(s, "%d: %s%s%s%s %s%s%s", a->number, aggregate_names[a->adds], *a->value ? " " : "",
             a->value, *a->value ? " at" : "", a->function, *a->key ? " by " : "", a->key);
    for (size_t i = 0; i < sum->line.n; i++)
        order[i] = i;
    qsort_r(order, sum->line.n, sizeof *order, aggregate_by_hits, sum->line.at);
    for (size_t i = 0; i < sum->line.n && i < LINES_MOST; i++) {
        const struct ez_addup_line *l = &sum->line.at[order[i]];
        EZ_FREE char *key = *a->key ? ez_aggregate_key(a, order[i]) : ez_strdup("");
        const char *result = aggregate_result(s, a, l);
        out_line(s, "  %-24s %12" PRIu64 " hits%s%s", key, l->n, *result ? "  " : "", result);
        if (l->bucket) {
            aggregate_quantiles(s, a, l);
            aggregate_bars(s, a, l);
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

static double aggregate_scaled(const struct ez_aggregate *a, union ez_number v)
{
    return a->sum->is_double ? v.d : (double)v.i * (a->ticks ? a->ns_per_tick : 1);
}

static const char *aggregate_json_buckets(struct ez_sess *s, const struct ez_aggregate *a,
                                          const struct ez_addup_line *l)
{
    const char *text = "";
    for (uint32_t k = 0; l->bucket && k < EZ_ADDUP_BUCKETS; k++)
        if (l->bucket[k])
            text = sess_format(s, "%s%s[%.17g, %" PRIu64 "]", text, *text ? ", " : "",
                               aggregate_scaled(a, (union ez_number){ (int64_t)ez_addup_floor(k) }),
                               l->bucket[k]);
    return l->bucket ? sess_format(s, ", \"buckets\": [%s]", text) : "";
}

static void aggregate_json_line(struct ez_sess *s, const struct ez_aggregate *a, size_t i)
{
    const struct ez_addup_line *l = &a->sum->line.at[i];
    EZ_FREE char *key = *a->key ? ez_aggregate_key(a, i) : ez_strdup("");
    out_ours(s,
             "    {\"key\": %s, \"hits\": %" PRIu64
             ", \"sum\": %.17g, \"min\": %.17g, \"max\": %.17g%s}%s",
             out_json(s, key), l->n, aggregate_scaled(a, l->sum), aggregate_scaled(a, l->least),
             aggregate_scaled(a, l->most), aggregate_json_buckets(s, a, l),
             i + 1 < a->sum->line.n ? "," : "");
}

struct aggregate_json {
    struct ez_sess *s;
    unsigned n;
};

static void aggregate_json(const struct ez_aggregate *a, void *arg)
{
    struct aggregate_json *j = arg;
    struct ez_sess *s = j->s;
    out_ours(s,
             "%s{\"number\": %d, \"aggregate\": \"%s\", \"function\": %s, \"value\": %s, "
             "\"by\": %s, \"unit\": \"%s\", \"no_room\": %" PRIu64 ", \"rows\": [",
             j->n++ ? "  , " : "  ", a->number, aggregate_names[a->adds], out_json(s, a->function),
             out_json(s, a->value), out_json(s, a->key), a->ticks ? "ns" : "", a->sum->full);
    for (size_t i = 0; i < a->sum->line.n; i++)
        aggregate_json_line(s, a, i);
    out_ours(s, "  ]}");
}

ez_err *cmd_info_aggregates(struct ez_sess *s, int argc, char **argv)
{
    struct aggregate_json j = { s, 0 };
    (void)argc, (void)argv;
    if (!opt_given(s, "-json")) {
        ez_aggregates(s->target, aggregate_print, s);
        return NULL;
    }
    out_ours(s, "[");
    ez_aggregates(s->target, aggregate_json, &j);
    out_ours(s, "]");
    return NULL;
}
