/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edit.c - collects edits of a text and applies them (edit.h). */
#include "modules/instrument/source/edit.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "modules/instrument/source/lines.h"
#include "modules/instrument/spec/spec.h"

long ez_edit_reserve(struct ez_edits *e)
{
    return ++e->pairs;
}

static void edit_pair(struct ez_edits *e, struct ez_edit begin, struct ez_edit end)
{
    if (begin.at == end.at && begin.text &&
        end.text) { /* a single edit: at the same offset, the end of the pair would be sorted before
                     * its start */
        char *text = ez_sprintf("%s%s", begin.text, end.text);
        free(begin.text);
        free(end.text);
        begin.text = text;
        begin.gone += end.gone;
        end = (struct ez_edit){ 0 };
    }
    if (begin.text || begin.gone)
        EZ_PUSH(&e->v, begin);
    if (end.text || end.gone)
        EZ_PUSH(&e->v, end);
}

void ez_edit_reserved(struct ez_edits *e, long order, size_t a, char *before, size_t b, char *after)
{
    edit_pair(e, (struct ez_edit){ a, 0, order, before }, (struct ez_edit){ b, 0, -order, after });
}

void ez_edit_replace(struct ez_edits *e, size_t a, size_t n, char *before, size_t b, size_t m,
                     char *after)
{
    long order = ez_edit_reserve(e);
    edit_pair(e, (struct ez_edit){ a, n, order, before }, (struct ez_edit){ b, m, -order, after });
}

void ez_edit_around(struct ez_edits *e, size_t a, char *before, size_t b, char *after)
{
    ez_edit_replace(e, a, 0, before, b, 0, after);
}

void ez_edit_undo(struct ez_edits *e, size_t from)
{
    while (e->v.n > from)
        free(e->v.at[--e->v.n].text);
}

void ez_edit_free(struct ez_edits *e)
{
    ez_edit_undo(e, 0);
    EZ_VEC_FREE(&e->v);
    EZ_VEC_FREE(&e->kept);
    e->pairs = 0;
}

bool ez_edit_is_ours(const struct ez_edits *e, size_t at)
{
    size_t n = EZ_UPTO(e->kept.at, e->kept.n, from, at);
    return !n || at >= e->kept.at[n - 1].to;
}

size_t ez_edit_near(const struct ez_edits *e, size_t at)
{
    size_t n = EZ_UPTO(e->kept.at, e->kept.n, from, at);
    return n && at >= e->kept.at[n - 1].to ? e->kept.at[n - 1].to - 1 : at;
}

/* Compares edits: by offset; then ends before begins. Ends are sorted in negative order: ends of
 * later pairs, which are inner pairs, come first. */
static int edit_order(const void *a, const void *b)
{
    const struct ez_edit *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

struct edit_out {
    EZ_VEC(char) v;
    char *file;    /* name of the original as a C string */
    unsigned line; /* current line of the original */
    size_t column; /* number of bytes in the current output line */
    struct ez_edits *e;
    char *of;    /* place in the specification from which the text comes, as in #line; NULL = the
                  * original */
    bool parted; /* text was inserted, and no original text follows yet */
};

static void edit_put(struct edit_out *o, const char *text, size_t n)
{
    EZ_APPEND(&o->v, text, n);
}

/* Writes a line directive, for the original or the specification. */
static void edit_line(struct edit_out *o)
{
    EZ_FREE char *original = ez_sprintf("%u %s", o->line, o->file);
    EZ_FREE char *directive =
        ez_sprintf("\n#%s %s\n", o->e->fortran ? "" : "line", o->of ? o->of : original);
    const bool begun = !o->v.n || o->v.at[o->v.n - 1] == '\n';
    edit_put(o, directive + begun, strlen(directive + begun));
}

/* Updates line and file after a line marker of the preprocessor in the original. */
static void edit_mark(struct edit_out *o, const struct ez_linemark *m)
{
    o->line = m->line - 1; /* The end of the marker's own line adds one line. */
    if (!m->n)
        return;
    free(o->file);
    o->file = ez_strndup(m->file, m->n);
}

static void edit_original(struct edit_out *o, const char *text, size_t n, bool keep)
{
    struct ez_linemark m;
    if (n && keep && o->parted) {
        edit_line(o);
        for (size_t i = 0; i < o->column; i++)
            EZ_PUSH(&o->v, ' ');
        o->parted = false;
    }
    for (size_t i = 0; i < n; i++) {
        if (o->e->fortran && !o->column && ez_linemark(text + i, n - i, &m))
            edit_mark(o, &m);
        o->column = text[i] == '\n' ? 0 : o->column + 1;
        o->line += text[i] == '\n';
    }
    if (n && keep) {
        EZ_PUSH(&o->e->kept, ((struct ez_edit_kept){ o->v.n, o->v.n + n }));
        edit_put(o, text, n);
    }
}

char *ez_edit_quote(const char *file)
{
    EZ_VEC(char) v = { 0 };
    EZ_PUSH(&v, '"');
    for (; *file; file++) {
        EZ_FREE char *octal = ez_sprintf("\\%03o", (unsigned char)*file);
        if (iscntrl((unsigned char)*file)) {
            EZ_APPEND(&v, octal, 4);
            continue;
        }
        if (*file == '"' || *file == '\\')
            EZ_PUSH(&v, '\\');
        EZ_PUSH(&v, *file);
    }
    EZ_APPEND(&v, "\"", 2);
    return v.at;
}

/* Reads a mark that names a place of the specification (spec.h), and returns the text after it. In
 * C, text that is inserted after code stays on the line of that code, where compilers report a
 * missing semicolon. */
static const char *edit_mark_from(struct edit_out *o, const char *mark)
{
    const char *name = mark + strcspn(mark, " \n"), *end = name + strcspn(name, "\n");
    if (*mark == EZ_SPEC_FROM || o->e->fortran) {
        free(o->of);
        o->of = NULL;
    }
    if (*mark == EZ_SPEC_BACK)
        return mark + 1;
    EZ_FREE char *file = ez_strndup(name + (name < end), (size_t)EZ_MAX(end - name - 1, 0));
    EZ_FREE char *quoted = ez_edit_quote(file);
    o->of = ez_sprintf("%.*s %s", (int)(name - mark) - 1, mark + 1, quoted);
    return end + (*end != 0);
}

/* Writes inserted text. It has the original's line, except behind marks, where it has lines of the
 * specification. A backslash at the end of a line joins the next line. */
static void edit_fragment(struct edit_out *o, const char *text)
{
    static const char ends[] = { '\n', EZ_SPEC_FROM, EZ_SPEC_BACK, 0 };
    if (o->parted && *text != EZ_SPEC_FROM)
        edit_line(o); /* the inserted text may end with a directive, which needs its own line */
    for (size_t n; text[n = strcspn(text, ends)];) {
        const bool joined = n && text[n - 1] == '\\' && text[n] == '\n';
        edit_put(o, text, n + joined);
        text += n + (text[n] == '\n');
        if (!joined && (*text == EZ_SPEC_FROM || *text == EZ_SPEC_BACK))
            text = edit_mark_from(o, text);
        if (!joined && *text)
            edit_line(o);
    }
    edit_put(o, text, strlen(text));
    free(o->of);
    o->of = NULL;
    o->parted = true;
}

char *ez_edit_apply(struct ez_edits *e, const char *text, size_t size, const char *file, size_t *n)
{
    struct edit_out o = { .e = e, .file = ez_edit_quote(file), .line = 1, .parted = true };
    size_t at = 0;
    e->kept.n = 0;
    ez_sort(e->v.at, e->v.n, sizeof *e->v.at, edit_order);
    for (size_t i = 0; i < e->v.n; i++) {
        const struct ez_edit *k = &e->v.at[i];
        size_t to = EZ_MIN(EZ_MAX(k->at, at), size),
               behind = EZ_MIN(EZ_MAX(k->at + k->gone, to), size);
        edit_original(&o, text + at, to - at, true);
        if (k->text)
            edit_fragment(&o, k->text);
        edit_original(&o, text + to, behind - to, false);
        at = behind;
    }
    edit_original(&o, text + at, size - at, true);
    free(o.file);
    *n = o.v.n;
    EZ_PUSH(&o.v, 0);
    return o.v.at;
}
