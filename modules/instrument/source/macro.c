/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macro.c - expands macros by the compiler's preprocessor (macro.h).
 *
 * The file is preprocessed with a mark before and after each use of a macro. The output between the
 * two marks then replaces the use.
 * Tests: tests/source/snippets.sh */
#include "modules/instrument/source/macro.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "modules/instrument/source/scratch.h"

typedef EZ_VEC(char) macro_text;

static void macro_put(macro_text *v, const char *text, size_t n)
{
    EZ_APPEND(v, text, n);
}

static int macro_order(const void *a, const void *b)
{
    const struct ez_tu_macro *x = a, *y = b;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b > y->b ? -1 : x->b < y->b;
}

/* Sorts the uses, and removes uses inside of other uses. Returns the number of remaining uses. */
static size_t macro_outermost(struct ez_tu_macro *uses, size_t n)
{
    size_t kept = 0;
    ez_sort(uses, n, sizeof *uses, macro_order);
    for (size_t i = 0; i < n; i++)
        if (!kept || uses[i].a >= uses[kept - 1].b)
            uses[kept++] = uses[i];
    return kept;
}

char *ez_macro_preprocess(const struct ez_instrument *k, const char *text, size_t size)
{
    const char *slash = strrchr(k->file, '/'), *path;
    EZ_FREE char *quote =
        slash ? ez_sprintf("-iquote%.*s", (int)(slash - k->file), k->file) : ez_strdup("-iquote.");
    if (!ez_err_drop(ez_scratch_path("macros", &path)))
        return NULL;
    FILE *f = fopen(path, "we");
    if (!f || fwrite(text, 1, size, f) != size || fclose(f))
        return NULL;
    const char *const more[] = {
        quote, "-P", "-x", k->lang == EZ_SPEC_CXX ? "c++" : "c", path, NULL
    };
    return ez_command_preprocess(k->cc[0], k->options, more);
}

/* Stores the expansion of use i, as one line. Returns false if the output lacks its marks. */
static bool macro_became(const char *all, size_t i, macro_text *out)
{
    EZ_FREE char *begin = ez_sprintf(" ez_use_%zu_begin_ ", i),
                 *end = ez_sprintf("ez_use_%zu_end_", i);
    const char *from = strstr(all, begin + 1), *to = from ? strstr(from, end) : NULL;
    if (!to)
        return false;
    for (from += strlen(begin) - 1; from < to; from++)
        EZ_PUSH(out, *from == '\n' ? ' ' : *from);
    return true;
}

/* Returns the preprocessed text with marks around each use, or NULL if that fails. The caller frees
 * it. */
static char *macro_marked(const struct ez_instrument *k, const macro_text *text,
                          const struct ez_tu_macro *uses, size_t n)
{
    macro_text marked = { 0 };
    size_t at = 0;
    EZ_FREE char *file = ez_edit_quote(k->file), *line = ez_sprintf("#line 1 %s\n", file);
    macro_put(&marked, line, strlen(line));
    for (size_t i = 0; i < n; i++) {
        EZ_FREE char *begin = ez_sprintf(" ez_use_%zu_begin_ ", i),
                     *end = ez_sprintf(" ez_use_%zu_end_ ", i);
        macro_put(&marked, text->at + at, uses[i].a - at);
        macro_put(&marked, begin, strlen(begin));
        macro_put(&marked, text->at + uses[i].a, uses[i].b - uses[i].a);
        macro_put(&marked, end, strlen(end));
        at = uses[i].b;
    }
    macro_put(&marked, text->at + at, text->n - at);
    char *all = ez_macro_preprocess(k, marked.at, marked.n);
    EZ_VEC_FREE(&marked);
    return all;
}

/* Returns an array with the expansion of each use. A use has no expansion (at = NULL) if the
 * output lacks its marks. The caller frees the array with macro_free(). */
static macro_text *macro_results(const struct ez_instrument *k, const macro_text *text,
                                 const struct ez_tu_macro *uses, size_t n)
{
    macro_text *v = ez_alloc((n + 1) * sizeof *v);
    EZ_FREE char *all = macro_marked(k, text, uses, n);
    for (size_t i = 0; all && i < n; i++)
        if (!macro_became(all, i, &v[i]))
            EZ_VEC_FREE(&v[i]);
    return v;
}

static void macro_free(macro_text *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        EZ_VEC_FREE(&v[i]);
    free(v);
}

/* Returns true if two texts differ only in blanks. */
static bool macro_same(const char *a, size_t n, const char *b, size_t m)
{
    size_t i = 0, j = 0;
    for (;; i++, j++) {
        while (i < n && isspace((unsigned char)a[i]))
            i++;
        while (j < m && isspace((unsigned char)b[j]))
            j++;
        if (i == n || j == m)
            return i == n && j == m;
        if (a[i] != b[j])
            return false;
    }
}

/* Replaces the uses by their expansions, and notes where these are in *to. A use whose expansion is
 * NULL stays. */
static void macro_replace(const macro_text *text, const struct ez_tu_macro *uses,
                          const macro_text *became, size_t n, macro_text *out,
                          struct ez_tu_macro *to)
{
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        const char *use = text->at + uses[i].a;
        const size_t len = uses[i].b - uses[i].a;
        macro_put(out, text->at + at, uses[i].a - at);
        to[i].a = out->n;
        macro_put(out, became[i].at ? became[i].at : use, became[i].at ? became[i].n : len);
        for (size_t c = 0; became[i].at && c < len; c++)
            if (use[c] == '\n')
                EZ_PUSH(out, '\n');
        to[i].b = out->n;
        at = uses[i].b;
    }
    macro_put(out, text->at + at, text->n - at);
}

/* Adds a use that is not replaced, because the compiler would expand its expansion again. */
static void macro_settle(ez_macros_settled *settled, const char *use, size_t n,
                         const macro_text *became)
{
    for (size_t i = 0; i < settled->n; i++)
        if (strlen(settled->at[i].use) == n && !memcmp(settled->at[i].use, use, n))
            return;
    struct ez_macro_settled s = { .use = ez_strndup(use, n) };
    s.itself = macro_same(use, n, became->at, became->n);
    s.value = !memchr(became->at, ';', became->n) && !memchr(became->at, '{', became->n) &&
              !memchr(became->at, '}', became->n);
    EZ_PUSH(settled, s);
}

void ez_macros_settled_free(ez_macros_settled *v)
{
    for (size_t i = 0; i < v->n; i++)
        free(v->at[i].use);
    EZ_VEC_FREE(v);
}

/* Finds the uses whose expansions change when they are preprocessed again. A macro is not expanded
 * inside of its own expansion, but it would be if that text were in the source. */
static void macro_find_settled(const struct ez_instrument *k, const macro_text *text,
                               const struct ez_tu_macro *uses, macro_text *became, size_t n,
                               ez_macros_settled *settled)
{
    macro_text once = { 0 };
    struct ez_tu_macro *to = ez_alloc((n + 1) * sizeof *to);
    macro_replace(text, uses, became, n, &once, to);
    macro_text *twice = macro_results(k, &once, to, n);
    for (size_t i = 0; i < n; i++) {
        const char *use = text->at + uses[i].a;
        const size_t len = uses[i].b - uses[i].a;
        if (!became[i].at || !twice[i].at ||
            (macro_same(became[i].at, became[i].n, twice[i].at, twice[i].n) &&
             !macro_same(use, len, became[i].at, became[i].n)))
            continue;
        macro_settle(settled, use, len, &became[i]);
        EZ_VEC_FREE(&became[i]);
    }
    macro_free(twice, n);
    free(to);
    EZ_VEC_FREE(&once);
}

char *ez_macro_expand(const struct ez_instrument *k, const char *text, size_t size,
                      struct ez_tu_macro *uses, size_t n, ez_macros_settled *settled)
{
    macro_text all = { 0 }, out = { 0 };
    size_t replaced = 0, before = settled->n;
    macro_put(&all, text, size);
    n = size ? macro_outermost(uses, n) : 0; /* an empty file uses no macros */
    macro_text *became = macro_results(k, &all, uses, n);
    macro_find_settled(k, &all, uses, became, n, settled);
    for (size_t i = 0; i < n; i++)
        replaced += became[i].at != NULL;
    struct ez_tu_macro *to = ez_alloc((n + 1) * sizeof *to);
    macro_replace(&all, uses, became, n, &out, to);
    EZ_PUSH(&out, 0);
    free(to);
    macro_free(became, n);
    EZ_VEC_FREE(&all);
    if (replaced || settled->n > before)
        return out.at;
    EZ_VEC_FREE(&out);
    return NULL;
}
