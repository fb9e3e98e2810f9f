/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instrument.c - instruments C and C++ (instrument.h).
 *
 * The steps are: parse the text, find routines, make edits. If macros hide a place, they are
 * expanded, and all steps are repeated with the expanded text. The result is parsed once more. If
 * the original text of a routine no longer compiles, the routine is left unchanged. Names of the
 * code that the routine uses for something else are replaced. Errors in inserted text are errors of
 * the specification, and the compiler reports them.
 * Tests: tests/source/snippets.sh, tests/source/command.sh */
#include "modules/instrument/source/instrument.h"

#include <string.h>

#include "engine/base/strutil.h"
#include "modules/instrument/source/body.h"
#include "modules/instrument/source/branch.h"
#include "modules/instrument/source/macro.h"

/* maximum number of rounds in which macros are expanded, and of rounds in which routines are left
 * unchanged */
#define ROUNDS 5

struct instrument {
    const struct ez_instrument *k;
    struct ez_instrumented *out;
    ez_words options; /* options on which the meaning of the file depends, and folders of headers */
    bool compiled;    /* the folders of the compiler's headers were added to `options` */
    char *text;       /* text with macros expanded */
    char *view;       /* the text for libclang (branch.h); NULL: unchanged */
    size_t size;
    struct ez_tu t;
    ez_routines routines;
    ez_own_names own;    /* names to replace, found when the result was parsed */
    EZ_VEC(char *) left; /* why each routine is left unchanged, found when the result was parsed */
    struct ez_edits edits;
    EZ_VEC(struct ez_tu_macro) hiding;
    ez_macros_settled settled; /* uses of macros that must not be expanded */
    EZ_VEC(unsigned) places;
    EZ_VEC(bool) missed; /* for each routine: it is left unchanged, although it has places */
    bool result;         /* ez_ret() is used */
};

/* Inserts the declarations that edits need at the start of the text. */
static void instrument_prelude(struct instrument *x, long order)
{
    const char *guard = x->k->lang == EZ_SPEC_CXX && x->t.standard >= 11 ? ez_body_prelude : "";
    const char *result = x->result ? "\n#ifndef ez_ret\n#define ez_ret() ez_result\n#endif" : "";
    if (*guard || *result)
        ez_edit_reserved(&x->edits, order, 0, ez_sprintf("%s%s", guard, result), 0, NULL);
}

static const char *instrument_error_in(const struct instrument *x, const struct ez_own_routine *r)
{
    for (size_t i = 0; i < x->t.errors.n; i++)
        if (x->t.errors.at[i].at >= r->begin && x->t.errors.at[i].at < r->end)
            return x->t.errors.at[i].text;
    return NULL;
}

static void instrument_routine(struct instrument *x, size_t i, bool last)
{
    struct ez_own_routine *r = &x->routines.at[i];
    size_t before = x->edits.v.n;
    struct ez_body b = { .t = &x->t,
                         .spec = x->k->spec,
                         .r = r,
                         .edits = &x->edits,
                         .id = (unsigned)i + 1,
                         .own = &x->own };
    const char *error = instrument_error_in(x, r);
    if (!r->left && i < x->left.n && x->left.at[i])
        r->left = ez_strdup(x->left.at[i]);
    if (!r->left && error)
        r->left = ez_sprintf("clang does not understand it: %s", error);
    if (!r->left && ez_spec_wants(x->k->spec, &r->r)) {
        ez_body_edit(&b);
        if (b.hiding.n && last && !r->left)
            r->left = ez_strdup("a macro hides a part of it, and could not be expanded");
        else if (!r->left)
            EZ_APPEND(&x->hiding, b.hiding.at, b.hiding.n);
    }
    bool missed = r->left && (b.places || ez_spec_applies(x->k->spec, &r->r));
    EZ_PUSH(&x->missed, missed);
    if (r->left)
        ez_edit_undo(&x->edits, before);
    x->result |= b.result && !r->left;
    EZ_PUSH(&x->places, r->left ? 0 : b.places);
    ez_body_free(&b);
}

static void instrument_forget(struct instrument *x)
{
    ez_edit_free(&x->edits);
    ez_routines_free(&x->routines);
    ez_tu_free(&x->t);
    x->hiding.n = x->places.n = x->missed.n = 0;
    x->result = false;
}

/* Returns true if a header was not found that the compiler may know: wrappers of MPI add
 * folders. */
static bool instrument_misses(const struct instrument *x)
{
    for (size_t i = 0; i < x->t.errors.n; i++)
        if (strstr(x->t.errors.at[i].text, "file not found"))
            return true;
    return false;
}

/* Applies what macro.c found out: the use of a macro that expands to itself hides nothing. */
static void instrument_settled(struct instrument *x)
{
    size_t kept = 0;
    for (size_t i = 0; i < x->t.macros.n; i++) {
        struct ez_tu_macro m = x->t.macros.at[i];
        bool itself = false;
        for (size_t k = 0; k < x->settled.n; k++) {
            const struct ez_macro_settled *s = &x->settled.at[k];
            if (strlen(s->use) != m.b - m.a || memcmp(s->use, x->text + m.a, m.b - m.a) != 0)
                continue;
            itself = s->itself;
            m.stays = s->value;
        }
        if (!itself)
            x->t.macros.at[kept++] = m;
    }
    x->t.macros.n = kept;
}

/* Handles a rule that declares a static variable or function of the file before the file defines
 * it. C++ cannot declare a static variable without defining it, and `extern` contradicts `static`.
 * After the definition `extern` is allowed, and checks the type, so such a declaration goes to the
 * end of the file (*last). An unnamed namespace can be opened again. */
static bool instrument_own(const struct ez_declaration *d, char **text, char **last, void *arg)
{
    const struct ez_tu *t = arg;
    bool unnamed;
    const enum ez_tu_own own = *d->within ? EZ_TU_NONE : ez_tu_static(t, d->name, &unnamed);
    if (own == EZ_TU_NONE)
        return false;
    if (unnamed) {
        *text = ez_sprintf("namespace { extern%s %s%s; }", d->specifiers, d->before, d->behind);
        return true;
    }
    if (d->is_static && (own == EZ_TU_FUNCTION || t->lang == EZ_SPEC_C))
        return false;
    if (own == EZ_TU_FUNCTION || t->lang == EZ_SPEC_C)
        *text = ez_sprintf("static%s %s%s;", d->specifiers, d->before, d->behind);
    else
        *last = ez_sprintf("extern%s %s%s;", d->specifiers, d->before, d->behind);
    return true;
}

/* Makes the edits for the current text. last: the text is final. */
static ez_err *instrument_edit(struct instrument *x, bool last)
{
    instrument_forget(x);
    EZ_TRY(ez_tu_parse(&x->t, x->k->file, x->view ? x->view : x->text, x->size, x->k->lang,
                       &x->options));
    if (instrument_misses(x) && !x->compiled) {
        x->compiled = true;
        ez_command_folders(x->k->cc[0], x->k->options, x->k->lang == EZ_SPEC_CXX, &x->options);
        return instrument_edit(x, last);
    }
    instrument_settled(x);
    ez_routines_find(&x->t, x->k->file, &x->routines);
    long prelude = ez_edit_reserve(&x->edits);
    ez_lines lines = { 0 };
    ez_lines_read(&lines, x->text, x->size, false);
    x->out->lines = ez_instrument_lines(x->k, &lines, &x->edits, instrument_own, &x->t);
    EZ_VEC_FREE(&lines);
    for (size_t i = 0; i < x->routines.n; i++)
        instrument_routine(x, i, last);
    instrument_prelude(x, prelude);
    return NULL;
}

static void instrument_look(struct instrument *x)
{
    free(x->view);
    x->view = ez_branch_view(x->k, x->text, x->size);
}

/* Makes the edits, and expands macros that hide places, until none does. */
static ez_err *instrument_expanded(struct instrument *x)
{
    for (int round = 0;; round++) {
        EZ_TRY(instrument_edit(x, round == ROUNDS));
        if (!x->hiding.n || round == ROUNDS)
            return NULL;
        char *text =
            ez_macro_expand(x->k, x->text, x->size, x->hiding.at, x->hiding.n, &x->settled);
        if (!text)
            return instrument_edit(x, true);
        free(x->text);
        x->text = text;
        x->size = strlen(text);
        instrument_look(x);
    }
}

/* Returns the index of the innermost routine (or lambda) on a line that is still to be
 * instrumented; SIZE_MAX if there is none. */
static size_t instrument_routine_at(const struct instrument *x, unsigned line, bool lambda)
{
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < x->routines.n; i++) {
        const struct ez_own_routine *r = &x->routines.at[i];
        if (line >= r->r.begin_line && line <= r->r.end_line && !r->left && !x->left.at[i] &&
            (r->lambda || !lambda))
            found = i;
    }
    return found;
}

static bool instrument_leave(struct instrument *x, size_t i, const char *why)
{
    if (i == SIZE_MAX || x->left.at[i])
        return false;
    x->left.at[i] = ez_sprintf("instrumented it would not compile: %s", why);
    return true;
}

/* Returns the line in the original for a byte of the result. */
static unsigned instrument_line(const struct instrument *x, const struct ez_tu *t, size_t at)
{
    unsigned line;
    at = ez_edit_near(&x->edits, at);
    clang_getPresumedLocation(clang_getLocationForOffset(t->unit, t->file, (unsigned)at), NULL,
                              &line, NULL);
    return line;
}

/* Returns true if the error is in inserted text, so that the specification is wrong. */
static bool instrument_is_ours(const struct instrument *x, const struct ez_tu_error *e)
{
    return e->at != SIZE_MAX && ez_edit_is_ours(&x->edits, e->at) && !strstr(e->text, "ez_guard_");
}

/* Returns true if the same routine has an earlier error: the later one may only be its
 * consequence. */
static bool instrument_follows(const struct instrument *x, const struct ez_tu *t,
                               const struct ez_tu_error *e)
{
    size_t in = instrument_routine_at(x, instrument_line(x, t, e->at), false);
    for (const struct ez_tu_error *k = t->errors.at; k < e; k++)
        if (instrument_is_ours(x, k) &&
            instrument_routine_at(x, instrument_line(x, t, k->at), false) == in)
            return true;
    return false;
}

/* Finds the routine that causes an error. (A constant expression may have called a lambda that was
 * implicitly constexpr and is not any more: notes of the error name it.) Returns true if one more
 * routine must be left unchanged. */
static bool instrument_blame(struct instrument *x, const struct ez_tu *t,
                             const struct ez_tu_error *e)
{
    bool found = false;
    if (instrument_is_ours(x, e) || (e->at != SIZE_MAX && instrument_follows(x, t, e)))
        return false;
    for (size_t i = 0; i < e->notes.n; i++) {
        unsigned line = instrument_line(x, t, e->notes.at[i]);
        found |= instrument_leave(x, instrument_routine_at(x, line, true), e->text);
    }
    if (found || e->at == SIZE_MAX)
        return found;
    unsigned line = instrument_line(x, t, e->at);
    if (instrument_leave(x, instrument_routine_at(x, line, false), e->text))
        return true;
    for (size_t i = 0; i < x->routines.n; i++)
        if (x->routines.at[i].lambda)
            found |= instrument_leave(x, i, e->text);
    return found;
}

/* Parses the result. Returns true if more routines must be left unchanged. */
static bool instrument_verify(struct instrument *x)
{
    struct ez_tu t;
    bool again = false;
    while (x->left.n < x->routines.n)
        EZ_PUSH(&x->left, NULL);
    if (!ez_err_drop(
            ez_tu_parse(&t, x->k->file, x->out->text, x->out->n, x->k->lang, &x->options))) {
        ez_tu_free(&t);
        return false;
    }
    for (size_t i = 0; i < t.errors.n; i++)
        again |= instrument_blame(x, &t, &t.errors.at[i]);
    again |= ez_own_find(&t, &x->edits, &x->t, &x->routines, &x->own);
    ez_tu_free(&t);
    return again;
}

static void instrument_report(struct instrument *x)
{
    for (size_t i = 0; i < x->routines.n; i++) {
        struct ez_own_routine *r = &x->routines.at[i];
        if (!r->left && !x->places.at[i])
            continue; /* No clause applies to the routine. */
        EZ_PUSH(&x->out->routines,
                ((struct ez_done){ ez_strdup(r->r.name), ez_strdup(r->r.signature), r->line,
                                   x->places.at[i], r->left ? ez_strdup(r->left) : NULL,
                                   x->missed.at[i] }));
    }
}

static ez_err *instrument_file(struct instrument *x)
{
    for (int round = 0; round < ROUNDS; round++) {
        EZ_TRY(instrument_expanded(x));
        free(x->out->text);
        x->out->text = ez_edit_apply(&x->edits, x->text, x->size, x->k->file, &x->out->n);
        if (x->t.errors.n || !instrument_verify(x))
            break;
    }
    for (size_t i = 0; i < x->t.errors.n && !x->out->whole; i++)
        if (strstr(x->t.errors.at[i].text, "fatal error"))
            x->out->whole = ez_strdup(x->t.errors.at[i].text);
    instrument_report(x);
    return NULL;
}

ez_err *ez_instrument_c(const struct ez_instrument *k, struct ez_instrumented *out)
{
    struct instrument x = { .k = k, .out = out };
    *out = (struct ez_instrumented){ 0 };
    if (!ez_spec_wants_file(k->spec, k->file))
        return NULL;
    EZ_TRY(ez_instrument_load(k, &x.text, &x.size));
    for (size_t i = 0; i < k->options->n; i++)
        EZ_PUSH(&x.options, ez_strdup(k->options->at[i]));
    instrument_look(&x);
    ez_err *e = instrument_file(&x);
    if (e || out->whole) {
        free(out->text);
        out->text = NULL;
    }
    instrument_forget(&x);
    for (size_t i = 0; i < x.left.n; i++)
        free(x.left.at[i]);
    ez_words_free(&x.options);
    EZ_VEC_FREE(&x.left);
    ez_own_free(&x.own);
    EZ_VEC_FREE(&x.hiding);
    ez_macros_settled_free(&x.settled);
    EZ_VEC_FREE(&x.places);
    EZ_VEC_FREE(&x.missed);
    free(x.text);
    free(x.view);
    return e;
}
