/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fortran.c - Fortran: see instrument.h
 *
 * Code goes in as lines of its own: declarations, `init` and `entry` before the first executable statement,
 * `exit` before RETURN and END. `if (...) return` becomes a block, a label moves to a CONTINUE before
 * the code. A file that is preprocessed (.F90) is so first, and what comes out is changed: its conditions are
 * decided, and its lines are told. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "engine/base/strutil.h"
#include "modules/source/floop.h"
#include "modules/source/fwrap.h"
#include "modules/source/instrument.h"

struct fortran {
    const struct ez_instrument *k;
    struct ez_instrumented *out;
    char *text;
    size_t size;
    ez_lines lines;
    ez_fstmts s;
    ez_units units;
    struct ez_edits edits;
    unsigned label; /* the highest that the file has or got                                 */
    const struct ez_unit *u;
    ez_floops loops; /* of the unit                                                         */
    struct ez_spec_routine r;
    unsigned places;
};

/* ---- fragments ------------------------------------------------------------------------------------------ */

static char *fortran_fragment(const struct fortran *x, enum ez_spec_point point,
                              const struct ez_spec_routine *r, size_t at, const char *callee)
{
    struct ez_spec_site site = { r, x->k->file, EZ_SPEC_FORTRAN, 0, 0, callee };
    ez_lines_place(&x->lines, at, &site.line, &site.col);
    return ez_fwrap(x->k->fixed, ez_spec_fragment(x->k->spec, point, &site));
}

/* ---- directives --------------------------------------------------------------------------------------------------- */

/* Behind "!$omp" or "!$acc" at the beginning of the line; NULL: it is no such directive. */
static const char *fortran_directive(const char *line)
{
    line += strspn(line, " \t");
    if (!*line || !strchr("!cC*", *line) || line[1] != '$' ||
        (strncasecmp(line + 2, "omp", 3) != 0 && strncasecmp(line + 2, "acc", 3) != 0))
        return NULL;
    return line + 5 + strspn(line + 5, " \t&");
}

/* Does one of these words begin there? */
static bool fortran_says(const char *directive, const char *const *words)
{
    for (; directive && *words; words++)
        if (!strncasecmp(directive, *words, strlen(*words)))
            return true;
    return false;
}

/* The line at or above `begin` before which nothing belongs to the statement at `begin`: directives above a statement
 * are about it, but for those that declare or end something. */
static size_t fortran_above(const struct fortran *x, size_t begin)
{
    static const char *const others[] = { "threadprivate", "declare", "end", NULL };
    while (begin) {
        size_t line = ez_lines_begin(&x->lines, begin - 1);
        const char *directive = fortran_directive(x->text + line);
        if (!directive || fortran_says(directive, others))
            break;
        begin = line;
    }
    return begin;
}

/* The end of the line with the directive that ends what the statement on the line that ends at `end` is in. */
static size_t fortran_below(const struct fortran *x, size_t end)
{
    static const char *const ends[] = { "end", NULL };
    if (end < x->size && fortran_says(fortran_directive(x->text + end + 1), ends))
        return end + 1 + strcspn(x->text + end + 1, "\n");
    return end;
}

/* ---- edits ------------------------------------------------------------------------------------------------------ */

static const char *fortran_margin(const struct fortran *x)
{
    return x->k->fixed ? "      " : "";
}

/* Lines before the statement; its label moves to a CONTINUE before them. `lines` is taken. */
static void fortran_before(struct fortran *x, const struct ez_fstmt *s, char *lines)
{
    size_t begin = ez_lines_begin(&x->lines, s->a);
    if (s->behind) {
        ez_edit_around(&x->edits, s->a, ez_sprintf("\n%s", lines), s->a, NULL);
    } else if (s->label_n) {
        EZ_FREE char *label = ez_sprintf("%.*s", (int)s->label_n, x->text + s->label);
        ez_edit_around(&x->edits, begin, ez_sprintf("%-5s continue\n%s", label, lines), begin,
                       NULL);
        for (size_t i = 0; i < s->label_n; i++)
            x->text[s->label + i] = ' ';
    } else {
        begin = fortran_above(x, begin);
        ez_edit_around(&x->edits, begin, ez_strdup(lines), begin, NULL);
    }
    free(lines);
}

/* Lines behind the statement. Taken. */
static void fortran_behind(struct fortran *x, const struct ez_fstmt *s, char *lines)
{
    size_t next = s->b + strspn(x->text + s->b, " \t"), end = s->b + strcspn(x->text + s->b, "\n");
    if (x->text[next] == ';')
        ez_edit_replace(&x->edits, next, 1, ez_sprintf("\n%s", lines), next + 1, 0, NULL);
    else {
        end = fortran_below(x, end);
        ez_edit_around(&x->edits, end, ez_sprintf("\n%s", lines), end, NULL);
    }
    free(lines);
}

/* `if (...) STATEMENT` becomes a block with the lines in it. */
static void fortran_block(struct fortran *x, const struct ez_fstmt *s, size_t from, char *before,
                          char *after)
{
    const char *m = fortran_margin(x);
    size_t raw = s->in_raw.at[from], end = s->b, semicolon = end + strspn(x->text + end, " \t");
    EZ_FREE char *inner = ez_fwrap(x->k->fixed, ez_sprintf("%s%s", m, s->raw.at + raw));
    char *block = ez_strdup("then");
    EZ_FREE char *first = before, *last = after;
    const char *const parts[] = { first, inner, last };
    for (size_t i = 0; i < EZ_ARRAY_LEN(parts); i++)
        if (parts[i])
            ez_str_add_line(&block, "%s", parts[i]);
    ez_str_add_line(&block, "%send if", m);
    if (x->text[semicolon] == ';')
        end = semicolon + 1;
    size_t at = s->at.at[from];
    ez_edit_replace(&x->edits, at, end - at, block, end, 0, NULL);
}

static void fortran_act(struct fortran *x, const struct ez_fstmt *s, size_t from, char *before,
                        char *after)
{
    if (!before && !after)
        return;
    x->places++;
    if (from) {
        fortran_block(x, s, from, before, after);
        return;
    }
    if (before)
        fortran_before(x, s, before);
    if (after)
        fortran_behind(x, s, after);
}

/* An ENTRY is a second head: who comes from above jumps over its code. */
static void fortran_entry(struct fortran *x, const struct ez_fstmt *s)
{
    struct ez_spec_routine r = x->r;
    const struct ez_unit *parent = x->u->parent == SIZE_MAX ? NULL : &x->units.at[x->u->parent];
    const char *name = s->t + strlen("entry"), *m = fortran_margin(x);
    EZ_FREE char *full = parent ? ez_sprintf("%s::%.*s", parent->name, (int)ez_fname(name), name)
                                : ez_sprintf("%.*s", (int)ez_fname(name), name);
    r.name = r.signature = full;
    EZ_FREE char *code = fortran_fragment(x, EZ_SPEC_ENTRY, &r, s->at.at[0], NULL);
    if (!code)
        return;
    x->places++;
    x->label++;
    fortran_before(x, s, ez_sprintf("%sgoto %u", m, x->label));
    fortran_behind(x, s, ez_sprintf("%s\n%-5u continue", code, x->label));
}

/* The code of the ends of loops that are left by jumping, `more` behind it, which is taken. */
static char *fortran_left(struct fortran *x, size_t i, size_t at, char *more)
{
    char *lines = NULL;
    for (size_t n = ez_floops_left(&x->s, &x->loops, i); n; n--) {
        EZ_FREE char *one = fortran_fragment(x, EZ_SPEC_LOOP_EXIT, &x->r, at, NULL);
        if (one)
            ez_str_add_line(&lines, "%s", one);
    }
    if (more)
        ez_str_add_line(&lines, "%s", more);
    free(more);
    return lines;
}

static void fortran_loop(struct fortran *x, const struct ez_floop *l)
{
    const struct ez_fstmt *first = &x->s.at[l->begin], *last = &x->s.at[l->end];
    char *entry = fortran_fragment(x, EZ_SPEC_LOOP_ENTRY, &x->r, first->at.at[0], NULL),
         *exit = fortran_fragment(x, EZ_SPEC_LOOP_EXIT, &x->r, last->at.at[0], NULL);
    x->places += entry || exit;
    if (entry)
        fortran_before(x, first, entry);
    if (exit)
        fortran_behind(x, last, exit);
}

static void fortran_statement(struct fortran *x, size_t i)
{
    const struct ez_fstmt *s = &x->s.at[i];
    size_t from;
    enum ez_unit_act act = ez_unit_act(s, &from);
    size_t at = s->at.at[EZ_MIN(from, s->n - 1)];
    if (act == EZ_UNIT_RETURN) {
        fortran_act(x, s, from,
                    fortran_left(x, i, at, fortran_fragment(x, EZ_SPEC_EXIT, &x->r, at, NULL)),
                    NULL);
    } else if (act == EZ_UNIT_OTHER) {
        fortran_act(x, s, from, fortran_left(x, i, at, NULL), NULL);
    } else if (act == EZ_UNIT_STOP) {
        fortran_act(x, s, from, fortran_fragment(x, EZ_SPEC_ABORT, &x->r, at, NULL), NULL);
    } else if (act == EZ_UNIT_CALL) {
        const char *name = s->t + from + strlen("call");
        EZ_FREE char *callee = ez_sprintf("%.*s", (int)ez_fname(name), name);
        fortran_act(x, s, from, fortran_fragment(x, EZ_SPEC_CALL_ENTRY, &x->r, at, callee),
                    fortran_fragment(x, EZ_SPEC_CALL_EXIT, &x->r, at, callee));
    } else if (act == EZ_UNIT_ENTRY) {
        fortran_entry(x, s);
    }
}

/* ---- units -------------------------------------------------------------------------------------------------------- */

static void fortran_begin(struct fortran *x, const struct ez_fstmt *first)
{
    size_t at = first->at.at[0], begin = ez_lines_begin(&x->lines, first->a);
    EZ_FREE char *decl = fortran_fragment(x, EZ_SPEC_DECL, &x->r, at, NULL),
                 *entry = fortran_fragment(x, EZ_SPEC_ENTRY, &x->r, at, NULL),
                 *init = x->u->kind == EZ_UNIT_PROGRAM
                             ? fortran_fragment(x, EZ_SPEC_INIT, &x->r, at, NULL)
                             : NULL;
    const char *const parts[] = { decl, init, entry };
    char *lines = NULL;
    for (size_t i = 0; i < EZ_ARRAY_LEN(parts); i++)
        if (parts[i])
            ez_str_add_line(&lines, "%s", parts[i]);
    if (!lines)
        return;
    x->places++;
    if (first->behind) {
        ez_edit_around(&x->edits, first->a, ez_sprintf("\n%s", lines), first->a, NULL);
        free(lines);
        return;
    }
    begin = fortran_above(x, begin);
    ez_edit_around(&x->edits, begin, lines, begin, NULL);
}

/* Does control come to the end? Not behind a RETURN or STOP that nothing jumps over. */
static bool fortran_falls(const struct ez_fstmt *last, const struct ez_fstmt *stop)
{
    size_t from;
    if (!last || stop->label_n)
        return true;
    enum ez_unit_act act = ez_unit_act(last, &from);
    return from || last->label_n || (act != EZ_UNIT_RETURN && act != EZ_UNIT_STOP);
}

static void fortran_body(struct fortran *x)
{
    const struct ez_unit *u = x->u;
    const struct ez_fstmt *stop = &x->s.at[u->contains != SIZE_MAX ? u->contains : u->end],
                          *last = NULL;
    for (size_t i = 0; i < u->own.n; i++) {
        const struct ez_fstmt *s = &x->s.at[u->own.at[i]];
        if (u->own.at[i] < u->first || u->own.at[i] == u->end)
            continue;
        fortran_statement(x, u->own.at[i]);
        last = s;
    }
    for (size_t i = 0; i < x->loops.n; i++)
        fortran_loop(x, &x->loops.at[i]);
    char *exit = fortran_fragment(x, EZ_SPEC_EXIT, &x->r, stop->at.at[0], NULL);
    if (!exit || !fortran_falls(last, stop)) {
        free(exit);
        return;
    }
    x->places++;
    fortran_before(x, stop, exit);
}

static void fortran_unit(struct fortran *x, size_t i)
{
    const struct ez_unit *u = &x->units.at[i];
    const struct ez_fstmt *head = u->head != SIZE_MAX ? &x->s.at[u->head] : NULL;
    if (u->kind == EZ_UNIT_SCOPE || u->end == SIZE_MAX || !u->own.n)
        return;
    x->u = u;
    x->places = 0;
    x->r = (struct ez_spec_routine){
        .name = u->name, .signature = u->name, .file = x->k->file, .lang = EZ_SPEC_FORTRAN
    };
    ez_lines_place(&x->lines, head ? head->at.at[0] : x->s.at[u->own.at[0]].at.at[0],
                   &x->r.begin_line, &x->r.begin_col);
    ez_lines_place(&x->lines, x->s.at[u->end].at.at[0], &x->r.end_line, &x->r.end_col);
    char *left =
        u->pure ? ez_strdup("it is PURE or ELEMENTAL: it may not call what a specification calls")
                : NULL;
    if (!ez_spec_wants(x->k->spec, &x->r) && u->kind != EZ_UNIT_PROGRAM) {
        free(left);
        return;
    }
    if (!left) {
        x->loops.n = 0;
        ez_floops_find(&x->s, u, &x->loops);
        fortran_begin(x, &x->s.at[u->first]);
        fortran_body(x);
    }
    if (left || x->places)
        EZ_PUSH(&x->out->routines, ((struct ez_done){ ez_strdup(u->name), ez_strdup(u->name),
                                                      x->r.begin_line, x->places, left }));
}

/* The file, as the compiler's preprocessor leaves it. */
static ez_err *fortran_load(struct fortran *x)
{
    const char *const more[] = { "-cpp", x->k->file, NULL };
    if (!ez_command_preprocessed(x->k->file, x->k->options))
        return ez_instrument_load(x->k, &x->text, &x->size);
    x->text = ez_command_preprocess(x->k->cc[0], x->k->options, more);
    x->size = x->text ? strlen(x->text) : 0;
    return x->text ? NULL
                   : ez_err_new(EZ_E_FORMAT, 0, "%s: %s -cpp -E fails", x->k->file, x->k->cc[0]);
}

ez_err *ez_instrument_fortran(const struct ez_instrument *k, struct ez_instrumented *out)
{
    struct fortran x = { .k = k, .out = out, .edits = { .fortran = true } };
    *out = (struct ez_instrumented){ 0 };
    if (!ez_spec_wants_file(k->spec, k->file))
        return NULL;
    ez_err *e = fortran_load(&x);
    if (!e) {
        ez_lines_read(&x.lines, x.text, x.size, true);
        ez_fscan(x.text, x.size, k->fixed, &x.s);
        ez_units_find(&x.s, &x.units);
        for (size_t i = 0; i < x.s.n; i++)
            if (x.s.at[i].label_n)
                x.label = EZ_MAX(x.label, (unsigned)x.s.at[i].label_value);
        out->lines = ez_instrument_lines(k, &x.lines, &x.edits);
        for (size_t i = 0; i < x.units.n; i++)
            fortran_unit(&x, i);
        out->text = ez_edit_apply(&x.edits, x.text, x.size, k->file, &out->n);
    }
    EZ_VEC_FREE(&x.loops);
    EZ_VEC_FREE(&x.lines);
    ez_edit_free(&x.edits);
    ez_units_free(&x.units);
    ez_fscan_free(&x.s);
    free(x.text);
    return e;
}
