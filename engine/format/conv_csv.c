/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_csv.c - a table of all calls, for spreadsheets, awk, Python, R (RFC 4180).
 *
 *     process,pid,thread,tid,function,library,depth,start_ns,duration_ns,self_ns,complete,
 *     paused_ns,unwound,cut,rank,host,job,data
 *
 * A state is one line, written when the state ends, so an inner call precedes the outer one.
 * complete: 1; or 0 if the exit is missing, so the state ended with the state around it. paused_ns:
 * time between start and end that does not belong to the call (waiting for the trace,
 * engine/trace/model.h). unwound: 1 if an exception or a longjmp left the call. cut: 1 if only a
 * part of the call was measured. rank, host and job are those of the process, if known. data: the
 * values that a probe collected, as `events` shows them: NAME=VALUE, separated by blanks, first the
 * values of the entry. (Texts are in quotes; a quote inside a text has a backslash before it.)
 *
 * With -columns, each item that probes collect has a column of its own instead of `data`
 * (conv_columns.h). A field of the column is empty if the call did not collect the item. Strings of
 * the program have no quotes in these columns, except those that RFC 4180 requires.
 *
 * In the line of a point event, all fields from depth to cut are empty, except start_ns. So the
 * lines with a duration are the calls and pauses. Events of a process as a whole have no thread and
 * no tid; unknown numbers are empty. Variables and links are not in the table. Lines end with a
 * line feed alone, which all readers accept.
 *
 * A name is one printable line (engine/base/strutil.h), so each line of the file is one row. Fields
 * with quotes or commas are quoted as in RFC 4180. A name that a spreadsheet would treat as a
 * formula gets an apostrophe before it.
 *
 * Tests: tests/unit/format/check_formats.c, tests/unit/trace/check_values.c */
#include <stdio.h>
#include <string.h>

#include "engine/format/conv.h"
#include "engine/format/conv_columns.h"
#include "engine/format/conv_values.h"
#include "engine/base/outfile.h"
#include "engine/base/strutil.h"

struct text {
    char *p;
    size_t n;
};
typedef EZ_VEC(struct text) texts;

struct csv {
    struct ez_sink sink;
    const struct ez_model *m;
    struct ez_outfile *f;
    texts who;      /* index: container; "process,pid,thread,tid," */
    texts where;    /* index: container; ",rank,host,job" */
    texts what;     /* index: name; "function,library," */
    bool by_column; /* collected values are in `columns`, not in `values` */
    struct ez_conv_columns columns;
    struct ez_conv_values values;
};

static const char *const csv_headings[] = {
    "process", "pid",      "thread",      "tid",     "function", "library",
    "depth",   "start_ns", "duration_ns", "self_ns", "complete", "paused_ns",
    "unwound", "cut",      "rank",        "host",    "job",
};

/* Returns printable text as a field, quoted ("a ""b"", c") only if necessary. The caller frees the
 * field. */
static char *csv_quoted(const char *plain)
{
    if (!strpbrk(plain, "\","))
        return ez_strdup(plain);
    char *out = ez_alloc(2 * strlen(plain) + 3), *o = out;
    *o++ = '"';
    for (const char *p = plain; *p; p++) {
        if (*p == '"')
            *o++ = '"';
        *o++ = *p;
    }
    *o = '"';
    return out;
}

/* Returns any text as a field: printable, and never a formula. The caller frees the field. */
static char *csv_field(const char *text)
{
    EZ_FREE char *printable = ez_str_plain(text, "", 0);
    const char *neutral = *printable && strchr("=+-@", *printable) ? "'" : "";
    EZ_FREE char *plain = ez_sprintf("%s%s", neutral, printable);
    return csv_quoted(plain);
}

static char *csv_number(uint64_t v)
{
    return v ? ez_sprintf("%llu", (unsigned long long)v) : ez_strdup("");
}

static void csv_add(texts *v, char *p)
{
    struct text t = { p, strlen(p) };
    EZ_PUSH(v, t);
}

static void csv_make_who(struct csv *s, const struct ez_container *c)
{
    bool thread = c->level == EZ_L_THREAD && c->parent < s->m->container.n;
    const struct ez_container *process = thread ? &s->m->container.at[c->parent] : c;
    EZ_FREE char *name = csv_field(process->name), *pid = csv_number(process->pid);
    EZ_FREE char *tname = csv_field(thread ? c->name : ""), *tid = csv_number(thread ? c->tid : 0);
    csv_add(&s->who, ez_sprintf("%s,%s,%s,%s,", name, pid, tname, tid));
}

static void csv_make_where(struct csv *s, uint32_t container)
{
    const struct ez_container *p = ez_model_process(s->m, container);
    EZ_FREE char *rank = p && p->rank != EZ_NO_RANK ? ez_sprintf("%u", p->rank) : ez_strdup("");
    EZ_FREE char *host = csv_field(p && p->host ? p->host : "");
    EZ_FREE char *job = csv_field(p && p->job ? p->job : "");
    csv_add(&s->where, ez_sprintf(",%s,%s,%s", rank, host, job));
}

static void csv_make_what(struct csv *s, const struct ez_name *n)
{
    EZ_FREE char *text = csv_field(n->text), *group = csv_field(n->group);
    csv_add(&s->what, ez_sprintf("%s,%s,", text, group));
}

static void csv_put_names(struct csv *s, const struct ez_item *it)
{
    while (s->who.n <= it->container)
        csv_make_who(s, &s->m->container.at[s->who.n]);
    while (s->what.n <= it->name)
        csv_make_what(s, &s->m->name.at[s->what.n]);
    ez_outfile_write(s->f, s->who.at[it->container].p, s->who.at[it->container].n);
    ez_outfile_write(s->f, s->what.at[it->name].p, s->what.at[it->name].n);
}

static void csv_put_where(struct csv *s, uint32_t container)
{
    while (s->where.n <= container)
        csv_make_where(s, (uint32_t)s->where.n);
    ez_outfile_write(s->f, s->where.at[container].p, s->where.at[container].n);
}

/* Writes the columns of collected values, and ends the line. A number gets no apostrophe, even if
 * it begins with a minus. */
static void csv_put_columns(struct csv *s)
{
    for (size_t i = 0; i < s->columns.heading.n; i++) {
        const struct ez_conv_cell *cell = s->columns.cell[i];
        EZ_FREE char *field = !cell          ? NULL
                              : cell->number ? csv_quoted(cell->text)
                                             : csv_field(cell->text);
        ez_outfile_write(s->f, ",", 1);
        if (field)
            ez_outfile_puts(s->f, field);
    }
    ez_outfile_write(s->f, "\n", 1);
}

/* Writes the collected values of a row, and ends the line. data: the values as one text, or
 * NULL. */
static void csv_put_data(struct csv *s, const char *data)
{
    if (s->by_column) {
        csv_put_columns(s);
        return;
    }
    EZ_FREE char *field = csv_field(data ? data : "");
    ez_outfile_write(s->f, ",", 1);
    ez_outfile_puts(s->f, field);
    ez_outfile_write(s->f, "\n", 1);
}

static ez_err *csv_item(void *arg, const struct ez_item *it)
{
    struct csv *s = arg;
    EZ_FREE char *data = s->by_column ? NULL : ez_conv_values(&s->values, it);
    if (s->by_column)
        ez_conv_columns_item(&s->columns, it);
    if (it->kind == EZ_I_POP) {
        csv_put_names(s, it);
        ez_outfile_u64(s->f, it->depth);
        ez_outfile_write(s->f, ",", 1);
        ez_outfile_u64(s->f, it->start_ns);
        ez_outfile_write(s->f, ",", 1);
        ez_outfile_u64(s->f, it->ns - it->start_ns);
        ez_outfile_write(s->f, ",", 1);
        ez_outfile_u64(s->f, it->self_ns);
        ez_outfile_puts(s->f, it->end == EZ_END_UNKNOWN ? ",0," : ",1,");
        ez_outfile_u64(s->f, it->ns - it->start_ns - it->spent_ns);
        ez_outfile_puts(s->f, it->end == EZ_END_UNWOUND ? ",1" : ",0");
        ez_outfile_puts(s->f, it->cut ? ",1" : ",0");
        csv_put_where(s, it->container);
        csv_put_data(s, data);
    } else if (it->kind == EZ_I_EVENT) {
        csv_put_names(s, it);
        ez_outfile_write(s->f, ",", 1);
        ez_outfile_u64(s->f, it->ns);
        ez_outfile_puts(s->f, ",,,,,,");
        csv_put_where(s, it->container);
        csv_put_data(s, data);
    }
    return ez_outfile_good(s->f) ? NULL : ez_outfile_error(s->f);
}

static void csv_put_headings(struct csv *s)
{
    for (size_t i = 0; i < EZ_ARRAY_LEN(csv_headings); i++)
        ez_outfile_printf(s->f, "%s%s", i ? "," : "", csv_headings[i]);
    for (size_t i = 0; i < s->columns.heading.n; i++) {
        EZ_FREE char *field = csv_field(s->columns.heading.at[i]);
        ez_outfile_printf(s->f, ",%s", field);
    }
    ez_outfile_puts(s->f, s->by_column ? "\n" : ",data\n");
}

static ez_err *csv_begin(const struct ez_format *f, const struct ez_model *m,
                         const struct ez_conv_out *out, bool by_column, struct ez_sink **sink)
{
    struct ez_outfile *file;
    EZ_TRY(ez_outfile_open(out->path, out->gzip, &file));
    struct csv *s = ez_alloc(sizeof *s);
    *s = (struct csv){ .sink = { .format = f }, .m = m, .f = file, .by_column = by_column };
    if (by_column)
        ez_conv_columns_init(&s->columns, m, csv_headings, EZ_ARRAY_LEN(csv_headings));
    csv_put_headings(s);
    *sink = &s->sink;
    return NULL;
}

static ez_err *csv_open(const struct ez_format *f, const struct ez_model *m,
                        const struct ez_conv_out *out, struct ez_sink **sink)
{
    return csv_begin(f, m, out, false, sink);
}

static ez_err *csv_open_columns(const struct ez_format *f, const struct ez_model *m,
                                const struct ez_conv_out *out, struct ez_sink **sink)
{
    return csv_begin(f, m, out, true, sink);
}

static ez_err *csv_close(struct ez_sink *sink)
{
    struct csv *s = (struct csv *)sink;
    if (s->columns.left_out)
        sink->notice = ez_sprintf("Values without a column: %llu. Their definitions came after the "
                                  "trace was opened",
                                  (unsigned long long)s->columns.left_out);
    return ez_outfile_commit(s->f);
}

static void csv_free_texts(texts *v)
{
    for (size_t i = 0; i < v->n; i++)
        free(v->at[i].p);
    EZ_VEC_FREE(v);
}

static void csv_destroy(struct ez_sink *sink)
{
    struct csv *s = (struct csv *)sink;
    if (!s)
        return;
    csv_free_texts(&s->who);
    csv_free_texts(&s->where);
    csv_free_texts(&s->what);
    ez_conv_values_free(&s->values);
    ez_conv_columns_free(&s->columns);
    free(s->sink.notice);
    ez_outfile_destroy(s->f);
    free(s);
}

static const struct ez_format csv_columns = {
    .name = "csv",
    .suffix = ".csv",
    .brief = "a line each call, a column each collected item",
    .collected = true,
    .gzip = true,
    .open = csv_open_columns,
    .item = csv_item,
    .close = csv_close,
    .destroy = csv_destroy,
};

const struct ez_format ez_conv_csv = {
    .name = "csv",
    .suffix = ".csv",
    .brief = "a line each call, for tables",
    .collected = true,
    .columns = &csv_columns,
    .gzip = true,
    .open = csv_open,
    .item = csv_item,
    .close = csv_close,
    .destroy = csv_destroy,
};
