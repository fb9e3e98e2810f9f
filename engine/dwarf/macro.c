/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macro.c - expands preprocessor macros (macro.h). The result of an expansion is searched for
 * macros again, except for those that are being expanded, so recursion ends.
 *
 * Tests: tests/procs/macros.sh */
#include <ctype.h>
#include <string.h>

#include "engine/base/vec.h"
#include "engine/dwarf/macro.h"

#define LONGEST (64u << 10) /* maximum number of bytes scanned for one expansion, in all steps */
#define DEEPEST 64          /* maximum depth of nested macros */
#define MOST_ARGUMENTS 128

struct macro_text {
    char *at;
    size_t n, cap;
};
/* stack of the macros that are being expanded, as a list from the innermost outwards */
struct macro_open {
    const char *name;
    size_t n;
    unsigned depth;
    const struct macro_open *around;
};
struct macro_word {
    const char *at;
    size_t n;
};
struct macro_list {
    struct macro_word at[MOST_ARGUMENTS];
    size_t n;
};
struct macro_scan {
    const struct ez_macros *by;
    bool changed;
    size_t work; /* bytes scanned so far, in all steps */
};

static ez_err *macro_scan_text(struct macro_scan *s, const char *text, size_t n,
                               const struct macro_open *open, struct macro_text *out);

static void macro_add(struct macro_text *t, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        EZ_PUSH(t, text[i]);
}

static bool macro_in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Returns the length of the text's first token: a name, a number, a literal, blanks or one
 * character. */
static size_t macro_token(const char *p, const char *end)
{
    const char *from = p;
    if (isdigit((unsigned char)*p) || (*p == '.' && p + 1 < end && isdigit((unsigned char)p[1]))) {
        while (p < end && (macro_in_name(*p) || *p == '.' ||
                           ((*p == '+' || *p == '-') && p > from && strchr("eEpP", p[-1]))))
            p++;
        return (size_t)(p - from);
    }
    if (macro_in_name(*p)) {
        while (p < end && macro_in_name(*p))
            p++;
        return (size_t)(p - from);
    }
    if (*p == '"' || *p == '\'') {
        for (p++; p < end && *p != *from; p++)
            p += *p == '\\' && p + 1 < end;
        return (size_t)(EZ_MIN(p + 1, end) - from);
    }
    while (p < end && isspace((unsigned char)*p))
        p++;
    return p > from ? (size_t)(p - from) : 1;
}

static const char *macro_skip(const char *p, const char *end)
{
    while (p < end && isspace((unsigned char)*p))
        p++;
    return p;
}

static struct macro_word macro_trim(const char *from, const char *to)
{
    from = macro_skip(from, to);
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    return (struct macro_word){ from, (size_t)(to - from) };
}

/* Splits the arguments at commas, up to the closing parenthesis. `at` is behind the opening
 * parenthesis. Returns the position behind the closing parenthesis, or NULL if there is none. */
static const char *macro_arguments(const char *at, const char *end, struct macro_list *out)
{
    unsigned depth = 0;
    const char *from = at;
    out->n = 0;
    for (const char *p = at; p < end; p += macro_token(p, end)) {
        bool closes = *p == ')' && !depth;
        if ((closes || (*p == ',' && !depth)) && out->n < MOST_ARGUMENTS) {
            out->at[out->n++] = macro_trim(from, p);
            from = p + 1;
        }
        if (closes)
            return p + 1;
        depth += *p == '(';
        depth -= *p == ')';
    }
    return NULL;
}

/* ---- a definition ---------------------------------------------------------------------------- */

struct macro_definition {
    struct macro_word name, body;
    bool is_function, variadic;
    struct macro_list parameter, argument;
};

static bool macro_define(const char *text, struct macro_definition *d)
{
    const char *end = text + strlen(text), *p = text;
    *d = (struct macro_definition){ .variadic = false };
    while (p < end && macro_in_name(*p))
        p++;
    d->name = (struct macro_word){ text, (size_t)(p - text) };
    d->is_function = p < end && *p == '(';
    if (d->is_function)
        p = macro_arguments(p + 1, end, &d->parameter);
    if (!p)
        return false;
    struct macro_list *list = &d->parameter;
    if (list->n == 1 && !list->at[0].n) /* "f()" has no parameter */
        list->n = 0;
    struct macro_word *last = list->n ? &list->at[list->n - 1] : NULL;
    d->variadic = last && last->n >= 3 && !memcmp(last->at + last->n - 3, "...", 3);
    if (d->variadic && last->n == 3)
        *last = (struct macro_word){ "__VA_ARGS__", 11 };
    else if (d->variadic) /* a GNU macro with "args..." */
        last->n -= 3;
    d->body = macro_trim(p, end);
    return true;
}

static ez_err *macro_bind(struct macro_definition *d)
{
    struct macro_list *a = &d->argument;
    const size_t want = d->parameter.n;
    if (!want && a->n == 1 && !a->at[0].n)
        a->n = 0;
    if (d->variadic && a->n == want - 1)
        a->at[a->n++] = (struct macro_word){ "", 0 };
    /* the last parameter gets all remaining arguments, with the commas between them */
    if (d->variadic && a->n > want) {
        const struct macro_word *last = &a->at[a->n - 1];
        a->at[want - 1].n = (size_t)(last->at + last->n - a->at[want - 1].at);
        a->n = want;
    }
    return a->n == want
               ? NULL
               : ez_err_gdb(EZ_E_ARG,
                            "Wrong number of arguments to macro `%.*s' (expected %zu, got %zu).",
                            (int)d->name.n, d->name.at, want, a->n);
}

static const struct macro_word *macro_argument(const struct macro_definition *d, const char *at,
                                               size_t n)
{
    for (size_t i = 0; i < d->argument.n; i++)
        if (d->parameter.at[i].n == n && !memcmp(d->parameter.at[i].at, at, n))
            return &d->argument.at[i];
    return NULL;
}

static void macro_quote(const struct macro_word *w, struct macro_text *out)
{
    macro_add(out, "\"", 1);
    for (size_t i = 0; i < w->n; i++) {
        if (w->at[i] == '"' || w->at[i] == '\\')
            macro_add(out, "\\", 1);
        macro_add(out, w->at + i, 1);
    }
    macro_add(out, "\"", 1);
}

/* Removes blanks at the end, because ## joins tokens. */
static void macro_cut_blanks(struct macro_text *t)
{
    while (t->n && isspace((unsigned char)t->at[t->n - 1]))
        t->n--;
}

/* Substitutes arguments for parameters in the body: unexpanded next to # and ##, else expanded. */
static ez_err *macro_fill(struct macro_scan *s, const struct macro_definition *d,
                          const struct macro_open *open, struct macro_text *out)
{
    const char *p = d->body.at, *end = p + d->body.n;
    bool glued = false;
    while (p < end) {
        size_t n = macro_token(p, end);
        const char *next = macro_skip(p + n, end);
        bool paste = next + 1 < end && next[0] == '#' && next[1] == '#';
        const struct macro_word *a = d->is_function ? macro_argument(d, p, n) : NULL;
        if (p + 1 < end && p[0] == '#' && p[1] == '#') {
            macro_cut_blanks(out);
            p = macro_skip(p + 2, end);
            glued = true;
            continue;
        }
        const char *named = macro_skip(p + 1, end);
        const size_t m = *p == '#' && named < end ? macro_token(named, end) : 0;
        const struct macro_word *quoted = d->is_function && m ? macro_argument(d, named, m) : NULL;
        if (quoted) {
            macro_quote(quoted, out);
            p = named + m;
        } else if (a && !paste && !glued) {
            EZ_TRY(macro_scan_text(s, a->at, a->n, open, out));
            p += n;
        } else {
            macro_add(out, a ? a->at : p, a ? a->n : n);
            p += n;
        }
        glued = false;
    }
    return NULL;
}

/* ---- text ------------------------------------------------------------------------------------ */

static bool macro_is_open(const struct macro_open *open, const char *at, size_t n)
{
    for (; open; open = open->around)
        if (open->n == n && !memcmp(open->name, at, n))
            return true;
    return false;
}

/* Expands the macro name at p. Sets *end behind the macro and its arguments. Appends nothing and
 * sets *end to NULL if the name is no macro, or a function-like macro without "(". */
static ez_err *macro_use(struct macro_scan *s, const char *p, size_t n, const char *stop,
                         const struct macro_open *around, struct macro_text *out, const char **end)
{
    EZ_FREE char *name = ez_strndup(p, n);
    EZ_FREE struct macro_definition *d = ez_alloc(sizeof *d);
    const char *text = s->by->find(s->by->arg, name);
    *end = NULL;
    if (!text || !macro_define(text, d))
        return NULL;
    const char *behind = p + n, *paren = macro_skip(behind, stop);
    if (d->is_function) {
        behind =
            paren < stop && *paren == '(' ? macro_arguments(paren + 1, stop, &d->argument) : NULL;
        if (!behind)
            return NULL;
        EZ_TRY(macro_bind(d));
    }
    const struct macro_open open = { name, n, around ? around->depth + 1 : 1, around };
    struct macro_text body = { .n = 0 };
    ez_err *e = open.depth > DEEPEST ? ez_err_new(EZ_E_LIMIT, 0, "The macros are nested too deeply")
                                     : macro_fill(s, d, around, &body);
    if (!e)
        e = macro_scan_text(s, body.at, body.n, &open, out);
    EZ_VEC_FREE(&body);
    s->changed = true;
    *end = behind;
    return e;
}

static ez_err *macro_scan_text(struct macro_scan *s, const char *text, size_t n,
                               const struct macro_open *open, struct macro_text *out)
{
    const char *p = text, *stop = text + n, *end;
    while (p < stop) {
        n = macro_token(p, stop);
        s->work += n;
        if (s->work > LONGEST)
            return ez_err_new(EZ_E_LIMIT, 0, "The expansion of macros is too long");
        bool name = macro_in_name(*p) && !isdigit((unsigned char)*p) && *p != '$';
        end = NULL;
        if (name && !macro_is_open(open, p, n))
            EZ_TRY(macro_use(s, p, n, stop, open, out, &end));
        if (!end)
            macro_add(out, p, n);
        p = end ? end : p + n;
    }
    return NULL;
}

ez_err *ez_macro_expand(const struct ez_macros *m, const char *text, char **out)
{
    struct macro_scan s = { .by = m };
    struct macro_text all = { .n = 0 };
    ez_err *e = macro_scan_text(&s, text, strlen(text), NULL, &all);
    EZ_PUSH(&all, '\0');
    *out = !e && s.changed ? all.at : NULL;
    if (!*out)
        EZ_VEC_FREE(&all);
    return e;
}
