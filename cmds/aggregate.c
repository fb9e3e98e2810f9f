/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aggregate.c - `count`, `sum`, `min`, `max`, `avg`, `hist`, `top`, and `info aggregates`.
 *
 *   WORD [EXPR at] FUNC [by KEY] [if EXPR]
 *
 * An aggregate is a probe that leaves no record: the target adds values up in tables of its threads. */
#include <string.h>

#include "cmds/aggregate.h"
#include "cmds/cmd.h"
#include "cmds/jobs.h"
#include "cmds/parse.h"
#include "shell/lex.h"
#include "shell/out.h"
#include "shell/sess.h"

struct aggregate_words {
    const char *value, *function, *key, *cond;
};

/* Splits "EXPR at FUNC by KEY if EXPR"; without "at" there is no value. False = a part is missing. */
static bool aggregate_split(struct ez_sess *s, const char *text, struct aggregate_words *w)
{
    static const char *const at[] = { "at", NULL }, *const parts[] = { "by", "if", NULL };
    const char *p = lex_find_word(text, at);
    *w = (struct aggregate_words){ "", "", "", "" };
    if (*p) {
        w->value = parse_text(s, text, p);
        text = lex_skip_blanks(p + 2);
    }
    p = lex_find_word(text, parts);
    w->function = parse_text(s, text, p);
    while (*p) {
        const char **to = *p == 'b' ? &w->key : &w->cond, *from = lex_skip_blanks(p + 2);
        p = lex_find_word(from, parts);
        *to = parse_text(s, from, p);
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
    const struct ez_probe_spec spec = {
        .kind = aggregate_needs_exit(&w, adds) ? EZ_PROBE_BOTH : EZ_PROBE_ENTRY,
        .location = w.function,
        .cond = w.cond,
        .adds = adds,
        .value = w.value,
        .key = w.key,
    };
    EZ_TRY(ez_location_check(w.function));
    EZ_TRY(ez_probe_add(s->target, &spec, &first, &n));
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

ez_err *cmd_info_aggregates(struct ez_sess *s, int argc, char **argv)
{
    struct aggregates_json j = { s, 0 };
    (void)argc, (void)argv;
    if (s->job)
        return jobs_info_aggregates(s, (unsigned)opt_number(s, "-by", 0));
    if (!out_json_asked(s)) {
        ez_aggregates(s->target, aggregates_print, s);
        return NULL;
    }
    out_ours(s, "{\"schema\": \"eztsh-aggregates-1\", \"aggregates\": [");
    ez_aggregates(s->target, aggregates_json, &j);
    out_ours(s, "]}");
    return NULL;
}
