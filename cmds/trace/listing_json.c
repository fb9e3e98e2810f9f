/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listing_json.c - prints the lines of a listing as rows of one JSON object (listing_json.h). Rows
 * are printed one by one, because a trace may have more of them than memory can hold.
 * Tests: tests/procs/json.sh, tests/unit/shell/check_read.c */
#include "cmds/trace/listing_json.h"

#include <string.h>

#include "shell/out.h"

/* Prints the lines that are complete. `before` keeps the last one, which a comma may follow. */
static void listing_print_rows(struct listing *l)
{
    struct ez_json *j = &l->row;
    char *rest = j->text, *line;
    while ((line = strsep(&rest, "\n"))) {
        char *whole = ez_sprintf("%s%s", l->before ? l->before : "", line);
        free(l->before);
        l->before = rest ? NULL : whole;
        if (!rest)
            break;
        out_safe(l->s, whole);
        free(whole);
    }
    ez_json_used(j);
}

void listing_rows_begin(struct listing *l)
{
    ez_json_begin(&l->row, NULL, '{');
    ez_json_add_text(&l->row, "schema", "eztsh-replay-1");
    ez_json_begin(&l->row, "rows", '[');
}

void listing_rows_end(struct listing *l)
{
    ez_json_next_line(&l->row, 0);
    ez_json_end(&l->row, ']');
    ez_json_end(&l->row, '}');
    listing_print_rows(l);
    out_safe(l->s, l->before);
}

static const char *listing_kind(const struct listing *l, const struct ez_nest_line *line)
{
    static const char *const of_call[] = { "entry", "call", "exit" };
    if (line->kind != EZ_NEST_POINT)
        return l->m->name.at[line->name].pause && line->kind == EZ_NEST_LEAF ? "pause"
                                                                             : of_call[line->kind];
    return line->item == EZ_I_VAR          ? "variable"
           : line->item == EZ_I_LINK_START ? "send"
           : line->item == EZ_I_LINK_END   ? "receive"
                                           : "event";
}

/* Members for the end of a call: null, or false, in other rows. */
static void listing_row_end(struct listing *l, const struct ez_nest_line *line)
{
    struct ez_json *j = &l->row;
    bool ended = line->kind == EZ_NEST_LEAF || line->kind == EZ_NEST_CLOSE;
    if (ended)
        ez_json_add_uint(j, "duration_ns", line->spent_ns);
    else
        ez_json_add_raw(j, "duration_ns", "null");
    ez_json_add_text(j, "result", line->result);
    ez_json_add_text(j, "exit_data", line->after);
    ez_json_add_bool(j, "unwound", ended && line->end == EZ_END_UNWOUND);
    ez_json_add_bool(j, "cut", ended && (line->cut || line->end == EZ_END_UNKNOWN));
}

/* Members for events, variables and messages: null in other rows. */
static void listing_row_point(struct listing *l, const struct ez_nest_line *line)
{
    struct ez_json *j = &l->row;
    bool point = line->kind == EZ_NEST_POINT;
    if (point && line->item == EZ_I_VAR)
        ez_json_add_real(j, "value", line->value);
    else
        ez_json_add_raw(j, "value", "null");
    ez_json_add_text(j, "peer",
                     line->peer == EZ_NONE_IDX ? NULL : l->m->container.at[line->peer].name);
    if (!line->narg) {
        ez_json_add_raw(j, "arguments", "null");
        return;
    }
    ez_json_begin(j, "arguments", '[');
    for (unsigned i = 0; i < line->narg && i < EZ_ARRAY_LEN(line->arg); i++)
        ez_json_add_uint(j, NULL, line->arg[i]);
    ez_json_end(j, ']');
}

void listing_row(struct listing *l, const struct ez_nest_line *line)
{
    struct ez_json *j = &l->row;
    const struct ez_container *c = &l->m->container.at[line->container];
    const struct ez_container *p = ez_model_process(l->m, line->container);
    const struct ez_name *n = &l->m->name.at[line->name];
    ez_json_next_line(j, 1);
    ez_json_begin(j, NULL, '{');
    ez_json_add_uint(j, "ns", line->ns);
    ez_json_add_text(j, "kind", listing_kind(l, line));
    if (p && p->rank != EZ_NO_RANK)
        ez_json_add_uint(j, "rank", p->rank);
    else
        ez_json_add_raw(j, "rank", "null");
    ez_json_add_text(j, "thread", c->name);
    ez_json_add_uint(j, "tid", c->tid);
    ez_json_add_uint(j, "depth", line->depth);
    ez_json_add_text(j, "function", n->text);
    ez_json_add_text(j, "library", *n->group ? n->group : NULL);
    ez_json_add_text(j, "data", line->values);
    ez_json_add_text(j, "subject",
                     line->subject == EZ_NONE_IDX ? NULL : l->m->subject.at[line->subject].text);
    listing_row_end(l, line);
    listing_row_point(l, line);
    ez_json_end(j, '}');
    listing_print_rows(l);
}
