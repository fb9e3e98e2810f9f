/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macro.c - see macro.h
 *
 * The file is preprocessed with a mark before and behind each use, and what stands between the marks then
 * replaces the use. */
#include "modules/source/macro.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "modules/source/scratch.h"

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

/* Sorted, and none inside another. */
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

/* What use i became, as one line. False: its marks are not there. */
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

char *ez_macro_expand(const struct ez_instrument *k, const char *text, size_t size,
                      struct ez_tu_macro *uses, size_t n)
{
    macro_text marked = { 0 }, out = { 0 };
    size_t at = 0, replaced = 0;
    n = macro_outermost(uses, n);
    EZ_FREE char *file = ez_edit_quote(k->file), *line = ez_sprintf("#line 1 %s\n", file);
    macro_put(&marked, line, strlen(line));
    for (size_t i = 0; i < n; i++) {
        EZ_FREE char *begin = ez_sprintf(" ez_use_%zu_begin_ ", i),
                     *end = ez_sprintf(" ez_use_%zu_end_ ", i);
        macro_put(&marked, text + at, uses[i].a - at);
        macro_put(&marked, begin, strlen(begin));
        macro_put(&marked, text + uses[i].a, uses[i].b - uses[i].a);
        macro_put(&marked, end, strlen(end));
        at = uses[i].b;
    }
    macro_put(&marked, text + at, size - at);
    EZ_FREE char *all = ez_macro_preprocess(k, marked.at, marked.n);
    EZ_VEC_FREE(&marked);
    at = 0;
    for (size_t i = 0; all && i < n; i++) {
        macro_put(&out, text + at, uses[i].a - at);
        bool found = macro_became(all, i, &out);
        replaced += found;
        if (!found)
            macro_put(&out, text + uses[i].a, uses[i].b - uses[i].a);
        for (size_t c = uses[i].a; found && c < uses[i].b; c++)
            if (text[c] == '\n')
                EZ_PUSH(&out, '\n');
        at = uses[i].b;
    }
    macro_put(&out, text + at, size - at);
    EZ_PUSH(&out, 0);
    if (replaced)
        return out.at;
    EZ_VEC_FREE(&out);
    return NULL;
}
