/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listing.c - prints the lines of a nested listing, in the form of `uftrace replay` (listing.h).
 *
 * A listing may have ten million lines, so names are made printable once, and a line is assembled
 * without printf.
 * Tests: tests/unit/shell/check_read.c, tests/trace/uftrace.sh */
#include "cmds/trace/listing.h"

#include <stdio.h>
#include <string.h>

#include "cmds/trace/listing_json.h"
#include "engine/base/strutil.h"
#include "engine/sym/sym.h"
#include "shell/out.h"
#include "shell/sess.h"
#include "shell/width.h"

enum {
    WHO_LEAST = 6,         /* columns of a thread's number */
    INDENT = 2,            /* columns of a level */
    INDENT_MOST = 64,      /* columns of the deepest indentation; a third of a terminal's line */
    VALUES_LEAST = 12,     /* minimum number of columns of shortened values */
    NAME_LEAST = 24,       /* columns of a shortened name, if the line is long enough */
    SHORTEST = 3,          /* minimum number of columns of a shortened name */
    SLOW_NS = 1000000,     /* ns; durations of at least this are yellow */
    SLOWER_NS = 1000000000 /* ns; durations of at least this are red */
};

/* ---- text ----------------------------------------------------------------------------- */

static void listing_add(struct listing *l, const char *text)
{
    EZ_APPEND(&l->text, text, strlen(text));
}

static void listing_fill(struct listing *l, size_t n)
{
    static const char blanks[] = "                                                                ";
    for (; n > sizeof blanks - 1; n -= sizeof blanks - 1)
        EZ_APPEND(&l->text, blanks, sizeof blanks - 1);
    EZ_APPEND(&l->text, blanks, n);
}

/* Adds a number, right-aligned in a field of `width` columns. */
static void listing_number(struct listing *l, uint64_t v, size_t width)
{
    char digits[24], *end = digits + sizeof digits, *at = ez_str_digits(end, v);
    if ((size_t)(end - at) < width)
        listing_fill(l, width - (size_t)(end - at));
    EZ_APPEND(&l->text, at, (size_t)(end - at));
}

/* Adds v / unit with three decimals. */
static void listing_fixed(struct listing *l, uint64_t v, uint64_t unit, size_t width)
{
    uint64_t thousandth = v % unit * 1000 / unit;
    char rest[4] = { '.', (char)('0' + thousandth / 100), (char)('0' + thousandth / 10 % 10),
                     (char)('0' + thousandth % 10) };
    listing_number(l, v / unit, width - 4);
    EZ_APPEND(&l->text, rest, 4);
}

static void listing_duration(struct listing *l, uint64_t ns)
{
    static const struct {
        uint64_t most, unit;
        const char *name;
    } units[] = { { 1000000, 1000, " us" },
                  { 1000000000, 1000000, " ms" },
                  { 1000000000000, 1000000000, "  s" },
                  { UINT64_MAX, 60000000000, "  m" } };
    size_t i = 0;
    while (ns >= units[i].most && i + 1 < EZ_ARRAY_LEN(units))
        i++;
    listing_fixed(l, ns, units[i].unit, 8);
    listing_add(l, units[i].name);
}

/* Returns the printable name, made at its first use. Names of functions are shortened. */
static const char *listing_name(struct listing *l, uint32_t i)
{
    while (l->name.n <= i)
        EZ_PUSH(&l->name, NULL);
    if (!l->name.at[i]) {
        const struct ez_name *n = &l->m->name.at[i];
        EZ_FREE char *text = n->addr && !l->whole ? ez_name_short(n->text) : NULL;
        l->name.at[i] = ez_str_escape(text && *text ? text : n->text);
    }
    return l->name.at[i];
}

/* ---- the columns before a call ------------------------------------------------------------ */

/* Returns "RANK:TID" for ranks, the thread's number, or the container's name. */
static const char *listing_thread(struct listing *l, uint32_t i)
{
    while (l->thread.n <= i)
        EZ_PUSH(&l->thread, NULL);
    if (l->thread.at[i])
        return l->thread.at[i];
    const struct ez_container *c = &l->m->container.at[i], *p = ez_model_process(l->m, i);
    char *text;
    if (c->level != EZ_L_THREAD)
        text = ez_str_escape(c->name);
    else if (p && p->rank != EZ_NO_RANK)
        text = ez_sprintf("%u:%llu", p->rank, (unsigned long long)c->tid);
    else
        text = ez_sprintf("%llu", (unsigned long long)c->tid);
    l->who = EZ_MAX(l->who, (unsigned)strlen(text));
    return l->thread.at[i] = text;
}

static void listing_columns(struct listing *l, const struct ez_nest_line *line)
{
    const char *who = listing_thread(l, line->container);
    l->text.n = 0;
    if (l->time) {
        char digits[8];
        snprintf(digits, sizeof digits, ".%06u", (unsigned)(line->ns % 1000000));
        listing_number(l, line->ns / 1000000, 7);
        listing_add(l, digits);
        listing_add(l, " ms ");
    }
    if (line->kind == EZ_NEST_LEAF || line->kind == EZ_NEST_CLOSE)
        listing_duration(l, line->spent_ns);
    else
        listing_fill(l, 11);
    listing_add(l, " [");
    listing_fill(l, l->who - strlen(who));
    listing_add(l, who);
    listing_add(l, "] ");
    if (l->flat)
        return;
    listing_add(l, "| ");
    unsigned most = l->limit ? EZ_MIN(l->limit / 3, (unsigned)INDENT_MOST) : INDENT_MOST;
    if (line->depth * (uint64_t)INDENT <= most) {
        listing_fill(l, (size_t)line->depth * INDENT);
        return;
    }
    listing_number(l, line->depth, 0); /* deep calls: the depth in place of blanks */
    listing_add(l, "> ");
}

/* ---- the call ------------------------------------------------------------------------- */

/* Part of a line after its columns. If the line is longer than the terminal's, values are shortened,
 * then names. */
enum part_kind { PART_WHOLE, PART_VALUE, PART_NAME };
struct parts {
    struct part {
        const char *text;
        enum part_kind kind;
    } part[16];
    size_t n;
};

static void parts_add(struct parts *p, enum part_kind kind, const char *text)
{
    if (text && *text)
        p->part[p->n++] = (struct part){ text, kind };
}

/* Returns a note about an unusual end of a call (unwound, no exit, cut off); "" for a usual end. */
static const char *listing_ending(const struct ez_nest_line *line)
{
    if (line->kind == EZ_NEST_OPEN)
        return "";
    return line->end == EZ_END_UNWOUND   ? "unwound"
           : line->cut                   ? "cut off"
           : line->end == EZ_END_UNKNOWN ? "no exit"
                                         : "";
}

static char *listing_subject(const struct listing *l, const struct ez_nest_line *line)
{
    if (line->subject == EZ_NONE_IDX)
        return NULL;
    const struct ez_subject *s = &l->m->subject.at[line->subject];
    EZ_FREE char *text = ez_sprintf("%s %s", s->kind, s->text);
    return ez_str_ours(text);
}

/* Returns the values of the entry or the event, and its subject; NULL if there are none. */
static char *listing_values(const struct listing *l, const struct ez_nest_line *line)
{
    EZ_FREE char *subject = listing_subject(l, line);
    EZ_FREE char *values = line->values ? ez_str_ours(line->values) : NULL;
    if (!subject && !values)
        return NULL;
    return ez_sprintf("%s%s%s", subject ? subject : "", subject && values ? ", " : "",
                      values ? values : "");
}

/* Returns the parts of a message or another link between two containers, as a comment. */
static char *listing_link(const struct listing *l, const struct ez_nest_line *line,
                          const char *name)
{
    bool message = !strcmp(l->m->name.at[line->name].group, "mpi");
    bool start = line->item == EZ_I_LINK_START;
    const char *peer = line->peer == EZ_NONE_IDX ? "?" : l->m->container.at[line->peer].name;
    EZ_FREE char *safe = ez_str_escape(peer);
    if (!start && message && !line->narg)
        return ez_sprintf(" a %s was not received", name);
    EZ_FREE char *size = message && line->narg
                             ? ez_sprintf(", %llu bytes", (unsigned long long)line->arg[0])
                             : ez_strdup("");
    return ez_sprintf(" %s %s %s%s", name, start ? "to" : "from", safe, size);
}

/* Returns the text of an event without duration, between its name and the end of the line. */
static char *listing_point(struct listing *l, const struct ez_nest_line *line, const char *values)
{
    char *text = NULL;
    if (line->item == EZ_I_VAR)
        return ez_sprintf(" = %s", out_number(l->s, line->value));
    if (values)
        return ez_sprintf(": %s", values);
    for (unsigned i = 0; i < line->narg && i < EZ_ARRAY_LEN(line->arg); i++) {
        EZ_FREE char *before = text;
        text = ez_sprintf("%s%s%llu", before ? before : "", before ? ", " : ": ",
                          (unsigned long long)line->arg[i]);
    }
    return text ? text : ez_strdup("");
}

/* Shortens the parts of a kind, each to at least `least` columns, until the line is `excess` columns
 * shorter. short_text[i] is the short text of part i, if it has one. Returns the rest of the
 * excess. */
static size_t listing_shorten(const struct parts *p, enum part_kind kind, size_t least,
                              size_t excess, char **short_text)
{
    for (size_t i = 0; i < p->n && excess; i++) {
        const size_t width = width_of(short_text[i] ? short_text[i] : p->part[i].text);
        if (p->part[i].kind != kind || width <= least)
            continue;
        char *text = width_shorten(p->part[i].text, EZ_MAX(width - EZ_MIN(excess, width), least));
        excess -= EZ_MIN(excess, width - EZ_MIN(width, width_of(text)));
        free(short_text[i]);
        short_text[i] = text;
    }
    return excess;
}

/* Adds the parts to the line, shortened so that the line fits into the limit. */
static void listing_put(struct listing *l, const struct parts *p)
{
    char *short_text[EZ_ARRAY_LEN(p->part)] = { NULL };
    size_t width = l->text.n;
    for (size_t i = 0; l->limit && i < p->n; i++)
        width += width_of(p->part[i].text);
    size_t excess = l->limit && width > l->limit ? width - l->limit : 0;
    excess = listing_shorten(p, PART_VALUE, VALUES_LEAST, excess, short_text);
    excess = listing_shorten(p, PART_NAME, NAME_LEAST, excess, short_text);
    listing_shorten(p, PART_NAME, SHORTEST, excess, short_text);
    for (size_t i = 0; i < p->n; i++) {
        listing_add(l, short_text[i] ? short_text[i] : p->part[i].text);
        free(short_text[i]);
    }
}

/* Adds a signal as strace prints it. */
static void listing_signal(struct listing *l, const char *name)
{
    listing_add(l, "--- ");
    listing_add(l, name);
    listing_add(l, " ---");
}

static void listing_comment(struct listing *l, const struct ez_nest_line *line)
{
    const char *name = listing_name(l, line->name);
    if (line->item == EZ_I_EVENT && !strcmp(l->m->name.at[line->name].group, EZ_SIGNAL_GROUP)) {
        listing_signal(l, name);
        return;
    }
    struct parts p = { .n = 0 };
    bool link = line->item == EZ_I_LINK_START || line->item == EZ_I_LINK_END;
    EZ_FREE char *values = listing_values(l, line);
    EZ_FREE char *text = link ? listing_link(l, line, name) : listing_point(l, line, values);
    parts_add(&p, PART_WHOLE, link ? "/*" : "/* ");
    if (!link)
        parts_add(&p, PART_NAME, name);
    parts_add(&p, PART_VALUE, text);
    parts_add(&p, PART_WHOLE, " */");
    listing_put(l, &p);
}

static void listing_pause(struct listing *l, const struct ez_nest_line *line)
{
    struct parts p = { .n = 0 };
    if (line->kind == EZ_NEST_CLOSE && !l->flat)
        parts_add(&p, PART_WHOLE, "... ");
    else if (l->flat && line->caller != EZ_NONE_IDX) {
        parts_add(&p, PART_NAME, listing_name(l, line->caller));
        parts_add(&p, PART_WHOLE, " > ");
    }
    parts_add(&p, PART_NAME, listing_name(l, line->name));
    if (line->kind == EZ_NEST_OPEN)
        parts_add(&p, PART_WHOLE, " ...");
    listing_put(l, &p);
}

/* Adds the end of a call: the result, and a comment, which begins with `name` unless that is NULL.
 * Puts the parts on the line. */
static void listing_put_end(struct listing *l, struct parts *p, const struct ez_nest_line *line,
                            const char *name)
{
    EZ_FREE char *result = line->result ? ez_str_ours(line->result) : NULL;
    EZ_FREE char *after = line->after ? ez_str_ours(line->after) : NULL;
    const char *ending = listing_ending(line);
    const bool notes = *ending || after;
    if (result)
        parts_add(p, PART_WHOLE, " = ");
    parts_add(p, PART_VALUE, result);
    parts_add(p, PART_WHOLE, name && !result ? "" : ";");
    if (name || notes) {
        parts_add(p, PART_WHOLE, " /* ");
        parts_add(p, PART_NAME, name);
        parts_add(p, PART_WHOLE, name && notes ? ": " : "");
        parts_add(p, PART_WHOLE, ending);
        parts_add(p, PART_WHOLE, *ending && after ? ", " : "");
        parts_add(p, PART_VALUE, after);
        parts_add(p, PART_WHOLE, " */");
    }
    listing_put(l, p);
}

/* Adds a call that takes two lines, or one; with -flat the caller precedes. */
static void listing_call(struct listing *l, const struct ez_nest_line *line)
{
    const char *name = listing_name(l, line->name);
    struct parts p = { .n = 0 };
    if (l->m->name.at[line->name].pause) {
        listing_pause(l, line);
        return;
    }
    if (line->kind == EZ_NEST_CLOSE && !l->flat) {
        parts_add(&p, PART_WHOLE, "}");
        listing_put_end(l, &p, line, name);
        return;
    }
    EZ_FREE char *values = listing_values(l, line);
    if (l->flat && line->caller != EZ_NONE_IDX) {
        parts_add(&p, PART_NAME, listing_name(l, line->caller));
        parts_add(&p, PART_WHOLE, " > ");
    }
    parts_add(&p, PART_NAME, name);
    parts_add(&p, PART_WHOLE, "(");
    parts_add(&p, PART_VALUE, values);
    parts_add(&p, PART_WHOLE, ")");
    if (line->kind != EZ_NEST_OPEN) {
        listing_put_end(l, &p, line, NULL);
        return;
    }
    parts_add(&p, PART_WHOLE, " {");
    listing_put(l, &p);
}

/* ---- lines ---------------------------------------------------------------------------- */

/* Colours the duration of a slow call, and the comment at the end of the line. */
static void listing_paint(struct listing *l, const struct ez_nest_line *line)
{
    struct out_colour part[2];
    size_t n = 0, duration = l->time ? 18 : 0;
    const char *text = l->text.at, *comment = strstr(text, "/* ");
    bool timed = line->kind == EZ_NEST_LEAF || line->kind == EZ_NEST_CLOSE;
    if (timed && line->spent_ns >= SLOW_NS)
        part[n++] = (struct out_colour){ duration, duration + 11,
                                         line->spent_ns >= SLOWER_NS ? OUT_RED : OUT_YELLOW };
    if (comment)
        part[n++] = (struct out_colour){ (size_t)(comment - text), l->text.n, OUT_FAINT };
    l->text.n--; /* its zero */
    if (comment)
        part[n - 1].to = l->text.n;
    out_paint(l->s, text, part, n);
}

ez_err *listing_line(void *listing, const struct ez_nest_line *line)
{
    struct listing *l = listing;
    size_t kept = l->s->kept.n;
    if (l->s->out.quit_pager)
        return ez_err_gdb(EZ_E_QUIT, "Quit");
    if (l->apart && l->lines && l->last != line->container && !l->json)
        out_safe(l->s, "");
    l->last = line->container;
    l->lines++;
    if (l->json) {
        listing_row(l, line);
        return NULL;
    }
    listing_columns(l, line);
    if (line->kind == EZ_NEST_POINT)
        listing_comment(l, line);
    else
        listing_call(l, line);
    EZ_PUSH(&l->text, '\0');
    if (l->colours)
        listing_paint(l, line);
    else
        out_safe(l->s, l->text.at);
    sess_forget(l->s, kept);
    return NULL;
}

void listing_begin(struct listing *l)
{
    l->limit = out_limit(l->s);
    l->colours = out_coloured(l->s);
    l->who = WHO_LEAST;
    if (l->json) {
        listing_rows_begin(l);
        return;
    }
    EZ_FREE char *head = ez_sprintf("#%s DURATION   %*s  FUNCTION",
                                    l->time ? "      TIME        " : "", WHO_LEAST, "THREAD");
    out_head(l->s, head);
}

void listing_end(struct listing *l)
{
    if (l->json)
        listing_rows_end(l);
}

void listing_free(struct listing *l)
{
    for (size_t i = 0; i < l->name.n; i++)
        free(l->name.at[i]);
    for (size_t i = 0; i < l->thread.n; i++)
        free(l->thread.at[i]);
    EZ_VEC_FREE(&l->name);
    EZ_VEC_FREE(&l->thread);
    EZ_VEC_FREE(&l->text);
    ez_json_free(&l->row);
    free(l->before);
}
