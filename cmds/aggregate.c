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
    return ez_adds_ops[adds].ticks || strstr(w->value, "$ret") || strstr(w->value, "$fret") ||
           strstr(w->key, "$ret");
}

ez_err *cmd_adds(struct ez_sess *s, int argc, char **argv)
{
    enum ez_adds adds = ez_adds_of(argv[0]);
    const struct ez_adds_op *op = &ez_adds_ops[adds];
    struct aggregate_words w;
    int first = 0, n = 0;
    if (!aggregate_split(s, argc > 1 ? argv[1] : "", &w) || (op->needs_value && !*w.value) ||
        (op->needs_key && !*w.key))
        return opt_misuse(s);
    if (!*w.value && op->without_value)
        adds = op->without_value;
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
