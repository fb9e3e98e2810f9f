/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fortran.c - instruments Fortran (instrument.h).
 *
 * Code is inserted as separate lines: declarations, `init` and `entry` before the first executable
 * statement, `exit` before RETURN and END. `if (...) return` becomes a block, and a label moves to
 * a CONTINUE before the code. If the compiler preprocesses the file (.F90), the preprocessor's
 * output is edited: its conditions are decided, and its markers give the lines.
 * Tests: tests/source/snippets.sh, tests/fuzz/fuzz_fortran.c */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "engine/base/strutil.h"
#include "modules/instrument/source/fdirective.h"
#include "modules/instrument/source/floop.h"
#include "modules/instrument/source/fown.h"
#include "modules/instrument/source/fwrap.h"
#include "modules/instrument/source/instrument.h"

struct fortran {
    const struct ez_instrument *k;
    struct ez_instrumented *out;
    char *text;
    size_t size;
    ez_lines lines;
    ez_fstmts s;
    ez_units units;
    struct ez_edits edits;
    EZ_VEC(unsigned long) labels; /* labels that were added */
    const struct ez_unit *u;
    ez_floops loops;     /* loops of the unit */
    EZ_VEC(bool) around; /* for each statement: code was put around it */
    char *result;        /* NAME of `result(NAME)`; NULL = the function's name is that of its
                          * result */
    ez_fown_names own;   /* names that are replaced in the unit's code */
    const char *left; /* why the unit cannot be instrumented; NULL = the unit can be instrumented */
    struct ez_spec_routine r;
    unsigned places;
};

/* ---- fragments ------------------------------------------------------------------------------------------ */

static char *fortran_fragment(const struct fortran *x, enum ez_spec_point point,
                              const struct ez_spec_routine *r, size_t at, const char *callee)
{
    struct ez_spec_site site = { r, x->k->file, EZ_SPEC_FORTRAN, 0, 0, callee };
    ez_lines_place(&x->lines, at, &site.line, &site.col);
    char *code = ez_spec_marked(x->k->spec, point, &site);
    const char *last = strrchr(r->name, ':');
    if (code && x->result && r == &x->r)
        code = ez_frename(code, last ? last + 1 : r->name, x->result, false);
    return ez_fwrap(x->k->fixed, r == &x->r ? ez_fown_rename(&x->own, code) : code);
}

/* Finds names that the code declares although the unit uses them for something else. */
static void fortran_own_names(struct fortran *x, const struct ez_fstmt *head, size_t begin,
                              size_t n)
{
    const struct ez_spec_site site = { &x->r, x->k->file, EZ_SPEC_FORTRAN, 0, 0, NULL };
    EZ_FREE char *code = ez_spec_fragment(x->k->spec, EZ_SPEC_DECL, &site);
    ez_fown_free(&x->own);
    if (code)
        ez_fown_find(code, x->text + begin, n, head ? head->raw.at : "", &x->own);
}

/* ---- edits ------------------------------------------------------------------------------------------------------ */

static const char *fortran_margin(const struct fortran *x)
{
    return x->k->fixed ? "      " : "";
}

/* Inserts lines before a statement. The statement's label moves to a CONTINUE before the lines.
 * Owns `lines`. */
static void fortran_before(struct fortran *x, const struct ez_fstmt *s, char *lines)
{
    size_t begin = ez_lines_begin(&x->lines, s->a);
    if (s->behind) {
        ez_edit_around(&x->edits, s->a, ez_sprintf("\n%s", lines), s->a, NULL);
    } else if (s->label_n) {
        EZ_FREE char *label = ez_strndup(x->text + s->label, s->label_n);
        ez_edit_around(&x->edits, begin, ez_sprintf("%-5s continue\n%s", label, lines), begin,
                       NULL);
        for (size_t i = 0; i < s->label_n; i++)
            x->text[s->label + i] = ' ';
    } else {
        begin = ez_fdirective_above(x->text, &x->lines, x->k->fixed, begin, false);
        ez_edit_around(&x->edits, begin, ez_strdup(lines), begin, NULL);
    }
    free(lines);
}

/* Inserts lines after a statement: after the directive that ends the statement's construct or,
 * with `inside`, before that directive. Owns `lines`. */
static void fortran_behind(struct fortran *x, const struct ez_fstmt *s, char *lines, bool inside)
{
    size_t next = s->b + strspn(x->text + s->b, " \t"), end = s->b + strcspn(x->text + s->b, "\n");
    if (x->text[next] == ';')
        ez_edit_replace(&x->edits, next, 1, ez_sprintf("\n%s", lines), next + 1, 0, NULL);
    else {
        end = inside ? end : ez_fdirective_below(x->text, x->size, end);
        ez_edit_around(&x->edits, end, ez_sprintf("\n%s", lines), end, NULL);
    }
    free(lines);
}

/* Turns `if (...) STATEMENT` into a block that contains the lines. */
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
        fortran_behind(x, s, after, true);
}

/* Returns an unused label with at most `digits` digits; 0 if all labels are used. */
static unsigned long fortran_label(struct fortran *x, size_t digits)
{
    unsigned long label = 1;
    for (size_t i = 0; i < EZ_MIN(digits, (size_t)5); i++)
        label *= 10;
    while (--label) {
        bool used = false;
        for (size_t i = 0; i < x->s.n && !used; i++)
            used = x->s.at[i].label_value == label;
        for (size_t i = 0; i < x->labels.n && !used; i++)
            used = x->labels.at[i] == label;
        if (!used)
            break;
    }
    if (label)
        EZ_PUSH(&x->labels, label);
    else
        x->left = "a label is needed, and none is free";
    return label;
}

/* Handles an ENTRY, a second entry point of the procedure. Control from above jumps over its
 * code. */
static void fortran_entry(struct fortran *x, const struct ez_fstmt *s)
{
    struct ez_spec_routine r = x->r;
    const struct ez_unit *parent = x->u->parent == SIZE_MAX ? NULL : &x->units.at[x->u->parent];
    const char *name = s->t + strlen("entry"), *m = fortran_margin(x);
    EZ_FREE char *full = parent ? ez_sprintf("%s::%.*s", parent->name, (int)ez_fname(name), name)
                                : ez_strndup(name, ez_fname(name));
    r.name = r.signature = full;
    EZ_FREE char *code = fortran_fragment(x, EZ_SPEC_ENTRY, &r, s->at.at[0], NULL);
    if (!code)
        return;
    unsigned long label = fortran_label(x, 5);
    x->places++;
    fortran_before(x, s, ez_sprintf("%sgoto %lu", m, label));
    fortran_behind(x, s, ez_sprintf("%s\n%-5lu continue", code, label), true);
}

/* Returns the exit code of all loops that the jump in statement i leaves, followed by `more`. Owns
 * `more`. */
static char *fortran_left(struct fortran *x, size_t i, size_t at, char *more)
{
    char *lines = NULL;
    for (size_t n = ez_floops_left(&x->s, x->u, &x->loops, i); n; n--) {
        EZ_FREE char *one = fortran_fragment(x, EZ_SPEC_LOOP_EXIT, &x->r, at, NULL);
        if (one)
            ez_str_add_line(&lines, "%s", one);
    }
    if (more)
        ez_str_add_line(&lines, "%s", more);
    free(more);
    return lines;
}

/* Gives a loop a label of its own and returns it. If several loops end at one label, all but the
 * innermost need one, because a GO TO the label means the end of the innermost. The innermost needs
 * one, too, if code is put around the statement there. The new label has as many digits, so that no
 * line becomes longer. */
static unsigned long fortran_relabel(struct fortran *x, const struct ez_floop *l)
{
    const struct ez_fstmt *s = &x->s.at[l->begin];
    unsigned long label = fortran_label(x, l->label_n);
    EZ_FREE char *digits = ez_sprintf("%-*lu", (int)l->label_n, label);
    for (size_t i = 0; i < l->label_n && label; i++)
        x->text[s->at.at[l->label + i]] = digits[i];
    return label;
}

/* Inserts exit code behind the loops that end at the same statement. Loop i is the outermost of
 * these. */
static void fortran_ends(struct fortran *x, size_t i)
{
    size_t end = x->loops.at[i].end, at = x->s.at[end].at.at[0], wanted = 0, many = 0;
    EZ_FREE char *exit = fortran_fragment(x, EZ_SPEC_LOOP_EXIT, &x->r, at, NULL);
    char *inside = NULL;
    for (size_t k = i; k < x->loops.n; k++) {
        many += x->loops.at[k].end == end;
        wanted += exit && x->loops.at[k].end == end && !x->loops.at[k].closed;
    }
    bool apart = x->around.at[end] || (wanted && many > 1 && x->loops.at[i].label_n);
    size_t left = many;
    for (size_t k = x->loops.n; k-- > i;) {
        const struct ez_floop *l = &x->loops.at[k];
        if (l->end != end)
            continue;
        if (apart && l->label_n && (x->around.at[end] || left < many))
            ez_str_add_line(&inside, "%-5lu continue", fortran_relabel(x, l));
        if (exit && k > i && !l->closed)
            ez_str_add_line(&inside, "%s", exit);
        left--;
    }
    if (inside)
        fortran_behind(x, &x->s.at[end], inside, true);
    if (exit && !x->loops.at[i].closed)
        fortran_behind(x, &x->s.at[end], ez_strdup(exit), false);
    x->places += (unsigned)wanted;
}

/* Returns true if nothing may be inserted between this loop and loops inside of it. */
static bool fortran_closes(const struct fortran *x, const struct ez_floop *l)
{
    size_t begin = ez_lines_begin(&x->lines, x->s.at[l->begin].a),
           above = ez_fdirective_above(x->text, &x->lines, x->k->fixed, begin, false);
    EZ_FREE char *directives = ez_strndup(x->text + above, (size_t)(begin - above));
    return l->concurrent || strcasestr(directives, "collapse(") ||
           strcasestr(directives, "ordered(");
}

static void fortran_loops(struct fortran *x)
{
    for (size_t i = 0; i < x->loops.n; i++) {
        struct ez_floop *l = &x->loops.at[i];
        for (size_t k = i + 1; k < x->loops.n && fortran_closes(x, l); k++)
            x->loops.at[k].closed |= ez_floop_has(l, x->loops.at[k].begin);
    }
    for (size_t i = 0; i < x->loops.n; i++) {
        const struct ez_floop *l = &x->loops.at[i];
        const struct ez_fstmt *first = &x->s.at[l->begin];
        char *entry = l->closed
                          ? NULL
                          : fortran_fragment(x, EZ_SPEC_LOOP_ENTRY, &x->r, first->at.at[0], NULL);
        bool outermost = true;
        for (size_t k = 0; k < i; k++)
            outermost &= x->loops.at[k].end != l->end;
        x->places += entry != NULL;
        if (entry)
            fortran_before(x, first, entry);
        if (outermost)
            fortran_ends(x, i);
    }
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
        for (size_t k = 0; k < x->loops.n; k++)
            if (x->loops.at[k].concurrent && ez_floop_has(&x->loops.at[k], i))
                return;
        EZ_FREE char *callee = ez_strndup(name, ez_fname(name));
        fortran_act(x, s, from, fortran_fragment(x, EZ_SPEC_CALL_ENTRY, &x->r, at, callee),
                    fortran_fragment(x, EZ_SPEC_CALL_EXIT, &x->r, at, callee));
    } else if (act == EZ_UNIT_ENTRY) {
        fortran_entry(x, s);
    }
}

/* ---- units -------------------------------------------------------------------------------------------------------- */

/* Returns the offset at which the unit begins: its head; in a main program without a head, the
 * first statement. */
static size_t fortran_head(const struct fortran *x)
{
    return x->s.at[x->u->head != SIZE_MAX ? x->u->head : x->u->own.at[0]].at.at[0];
}

/* Inserts the first code of the unit. The code's position is the position of the head (as for the
 * brace in C), because debug information has no other position. */
static void fortran_begin(struct fortran *x, const struct ez_fstmt *first)
{
    size_t at = fortran_head(x), begin = ez_lines_begin(&x->lines, first->a);
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
    begin = ez_fdirective_above(x->text, &x->lines, x->k->fixed, begin, true);
    ez_edit_around(&x->edits, begin, lines, begin, NULL);
}

/* Returns true if control may reach the end of the unit. After a RETURN or STOP control cannot
 * reach the end, unless a label follows. */
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
        size_t before = x->edits.v.n;
        fortran_statement(x, u->own.at[i]);
        x->around.at[u->own.at[i]] = x->edits.v.n > before;
        last = s;
    }
    fortran_loops(x);
    char *exit = fortran_fragment(x, EZ_SPEC_EXIT, &x->r, x->s.at[u->end].at.at[0], NULL);
    if (!exit || !fortran_falls(last, stop)) {
        free(exit);
        return;
    }
    x->places++;
    fortran_before(x, stop, exit);
}

/* Returns NAME of `result(NAME)` behind the arguments of a function; NULL if there is none. The
 * caller frees it. */
static char *fortran_result(const struct ez_fstmt *head)
{
    static const char clause[] = ")result(";
    const char *at = head ? strstr(head->t, clause) : NULL, *name = at ? at + strlen(clause) : NULL;
    return name && ez_fname(name) ? ez_strndup(name, ez_fname(name)) : NULL;
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
    ez_lines_place(&x->lines, fortran_head(x), &x->r.begin_line, &x->r.begin_col);
    ez_lines_place(&x->lines, x->s.at[u->end].at.at[0], &x->r.end_line, &x->r.end_col);
    char *left =
        u->pure ? ez_strdup("it is PURE or ELEMENTAL: it may not call what a specification calls")
                : NULL;
    if (!ez_spec_wants(x->k->spec, &x->r) && u->kind != EZ_UNIT_PROGRAM) {
        free(left);
        return;
    }
    if (!left) {
        size_t begin = x->s.at[u->own.at[0]].a, n = x->s.at[u->end].b - begin, edits = x->edits.v.n;
        EZ_FREE char *before = ez_strndup(x->text + begin, n);
        x->result = fortran_result(head);
        fortran_own_names(x, head, begin, n);
        x->left = NULL;
        x->loops.n = 0;
        ez_floops_find(&x->s, u, &x->loops);
        fortran_begin(x, &x->s.at[u->first]);
        fortran_body(x);
        if (x->left) {
            left = ez_strdup(x->left);
            ez_edit_undo(&x->edits, edits);
            memcpy(x->text + begin, before, n);
        }
        free(x->result);
        x->result = NULL;
    }
    if (left || x->places)
        EZ_PUSH(
            &x->out->routines,
            ((struct ez_done){ ez_strdup(u->name), ez_strdup(u->name), x->r.begin_line, x->places,
                               left, left && (x->places || ez_spec_applies(x->k->spec, &x->r)) }));
}

/* Loads the file, as the output of the compiler's preprocessor if the compiler uses one. */
static ez_err *fortran_load(struct fortran *x)
{
    const char *const more[] = { "-cpp", x->k->file, NULL };
    if (!ez_command_preprocessed(x->k->file, x->k->options))
        return ez_instrument_load(x->k, &x->text, &x->size);
    x->text = ez_command_preprocess(x->k->cc[0], x->k->options, more);
    x->size = x->text ? strlen(x->text) : 0;
    return x->text
               ? NULL
               : ez_err_new(EZ_E_FORMAT, 0, "%s: \"%s -cpp -E\" fails", x->k->file, x->k->cc[0]);
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
            EZ_PUSH(&x.around, false);
        out->lines = ez_instrument_lines(k, &x.lines, &x.edits, NULL, NULL);
        for (size_t i = 0; i < x.units.n; i++)
            fortran_unit(&x, i);
        out->text = ez_edit_apply(&x.edits, x.text, x.size, k->file, &out->n);
    }
    ez_fown_free(&x.own);
    EZ_VEC_FREE(&x.loops);
    EZ_VEC_FREE(&x.labels);
    EZ_VEC_FREE(&x.around);
    EZ_VEC_FREE(&x.lines);
    ez_edit_free(&x.edits);
    ez_units_free(&x.units);
    ez_fscan_free(&x.s);
    free(x.text);
    return e;
}
