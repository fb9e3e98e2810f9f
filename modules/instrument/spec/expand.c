/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expand.c - replaces keywords in a clause's code, for a place (spec.h).
 *
 * Inside of a literal, the inserted text is quoted as the language requires, so that "@ROUTINE@" is
 * one text even for `operator""_x`. In Fortran a quote is doubled, in C it gets a backslash.
 * Tests: tests/unit/modules/check_spec.c, tests/procs/spec.sh */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "modules/instrument/spec/words.h"

struct expand {
    const struct ez_spec_site *site;
    EZ_VEC(char) out;
    char quote; /* quote of the open literal; 0: none */
};

static void expand_value(struct expand *x, const char *value)
{
    bool c = x->site->lang != EZ_SPEC_FORTRAN;
    for (; *value; value++) {
        if (x->quote && (*value == x->quote || (c && *value == '\\')))
            EZ_PUSH(&x->out, c ? '\\' : x->quote);
        EZ_PUSH(&x->out, *value);
    }
}

/* Writes a C++ expression that computes the routine's name at run time. Inside of a literal, where
 * it cannot run, writes its text. */
static void expand_rtti(struct expand *x)
{
    const struct ez_spec_routine *r = x->site->routine;
    if (x->quote) {
        expand_value(x, r->signature);
    } else if (r->rtti) {
        expand_value(x, r->rtti);
    } else {
        EZ_PUSH(&x->out, '"');
        x->quote = '"';
        expand_value(x, r->signature);
        x->quote = 0;
        EZ_PUSH(&x->out, '"');
    }
}

static void expand_word(struct expand *x, enum ez_spec_word w)
{
    const struct ez_spec_site *s = x->site;
    const struct ez_spec_routine *r = s->routine;
    const unsigned numbers[EZ_SPEC_WORDS] = {
        [EZ_SPEC_W_LINE] = s->line,
        [EZ_SPEC_W_COL] = s->col,
        [EZ_SPEC_W_BEGIN_LINE] = r ? r->begin_line : 0,
        [EZ_SPEC_W_BEGIN_COL] = r ? r->begin_col : 0,
        [EZ_SPEC_W_END_LINE] = r ? r->end_line : 0,
        [EZ_SPEC_W_END_COL] = r ? r->end_col : 0,
    };
    const char *const texts[EZ_SPEC_WORDS] = {
        [EZ_SPEC_W_FILE] = s->file,
        [EZ_SPEC_W_ROUTINE] = r ? r->signature : NULL,
        [EZ_SPEC_W_ARGC] = r ? r->argc : NULL,
        [EZ_SPEC_W_ARGV] = r ? r->argv : NULL,
        [EZ_SPEC_W_CALLEE] = s->callee,
    };
    char number[16];
    snprintf(number, sizeof number, "%u", numbers[w]);
    if (w == EZ_SPEC_W_RTTI && r)
        expand_rtti(x);
    else
        expand_value(x, texts[w] ? texts[w] : number);
}

/* Updates x->quote if the character at p opens or closes a literal. Returns how many bytes to copy,
 * at least 1. */
static size_t expand_plain(struct expand *x, const char *p)
{
    bool c = x->site->lang != EZ_SPEC_FORTRAN;
    if (c && *p == '\\' && x->quote && p[1])
        return 2;
    if (*p == '\n')
        x->quote = 0;
    else if (x->quote ? *p == x->quote : *p == '"' || *p == '\'')
        x->quote = x->quote ? 0 : *p;
    return 1;
}

/* ---- __func__ ---------------------------------------------------------------------------------------- */

static bool expand_in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Returns the last part of a qualified name, without template arguments: "get" of
 * "ns::Box<ns::T>::get<int>", "operator<<" of "ns::operator<<". *n: its length. */
static const char *expand_own_name(const char *name, size_t *n)
{
    const char *own = name;
    int depth = 0;
    for (const char *p = name; *p; p++) {
        if (p == own && !strncmp(p, "operator", 8) && !expand_in_name(p[8])) {
            *n = strlen(p);
            return p;
        }
        depth += (*p == '<') - (*p == '>');
        if (!depth && !strncmp(p, "::", 2))
            own = p + 2;
    }
    *n = strcspn(own, "<");
    return own;
}

/* Returns the text that replaces a word such as __func__ or __LINE__, n letters at p; NULL for any
 * other word. The caller frees it. */
static char *expand_own(const struct expand *x, const char *p, size_t n)
{
    static const char *const words[] = { "__func__", "__FUNCTION__", "__PRETTY_FUNCTION__",
                                         "__FILE__", "__LINE__" };
    const struct ez_spec_routine *r = x->site->routine;
    size_t i = 0, own;
    while (i < EZ_ARRAY_LEN(words) && (n != strlen(words[i]) || memcmp(p, words[i], n) != 0))
        i++;
    const char *name = expand_own_name(r->name, &own);
    switch (i) {
    case 0:
    case 1:
        return ez_strndup(name, own);
    case 2:
        return x->site->lang == EZ_SPEC_CXX ? ez_strdup(r->signature) : ez_strndup(name, own);
    case 3:
        return ez_strdup(x->site->file);
    case 4:
        return ez_sprintf("%u", x->site->line);
    default:
        return NULL;
    }
}

/* If the word at p is __func__, __LINE__ or the like, writes its value for the routine: the code
 * may be compiled inside of a lambda or another function, and its lines are the specification's.
 * Returns the length of the word, 0 for any other word. */
static size_t expand_function(struct expand *x, const char *p, bool begins)
{
    size_t n = 0;
    while (expand_in_name(p[n]))
        n++;
    if (!begins || n < 8 || !x->site->routine || x->quote || x->site->lang == EZ_SPEC_FORTRAN)
        return 0;
    EZ_FREE char *text = expand_own(x, p, n);
    const bool number = text && isdigit((unsigned char)*text);
    if (!text)
        return 0;
    if (!number)
        EZ_PUSH(&x->out, '"');
    x->quote = number ? 0 : '"';
    expand_value(x, text);
    x->quote = 0;
    if (!number)
        EZ_PUSH(&x->out, '"');
    return n;
}

char *ez_spec_expand(const struct ez_spec_clause *c, const struct ez_spec_site *site)
{
    struct expand x = { .site = site };
    for (const char *p = c->code; *p;) {
        size_t n = 0;
        enum ez_spec_word w = *p == '@' ? ez_spec_word(p, &n) : EZ_SPEC_WORDS;
        if (w != EZ_SPEC_WORDS && (ez_spec_keywords[w].langs & site->lang || w == EZ_SPEC_W_RTTI)) {
            expand_word(&x, w);
        } else if (w == EZ_SPEC_WORDS &&
                   (n = expand_function(&x, p, p == c->code || !expand_in_name(p[-1])))) {
            /* the word was replaced */
        } else {
            if (w != EZ_SPEC_WORDS)
                ez_src_error(c->t, c->at, "%.*s has no meaning in %s: restrict the clause by lang",
                             (int)n, p, site->file);
            n = expand_plain(&x, p);
            EZ_APPEND(&x.out, p, n);
        }
        p += n;
    }
    EZ_PUSH(&x.out, 0);
    return x.out.at;
}

/* ---- code with marks that name its places ---------------------------------------------------- */

/* Returns the code with a line directive before each line. A line that a backslash joins with the
 * previous line has none. */
char *ez_spec_placed(const struct ez_spec_clause *c, const char *code, const char *before,
                     const char *quote)
{
    char *all = NULL;
    size_t i = 0;
    for (const char *p = code, *end; p; p = *end ? end + 1 : NULL) {
        end = p + strcspn(p, "\n");
        const bool joined = p > code + 1 && p[-2] == '\\';
        if (!joined)
            ez_str_add_line(&all, "%s%u %s%s%s", before, ez_spec_code_line(c, i), quote, c->t->name,
                            quote);
        ez_str_add_line(&all, "%.*s", (int)(end - p), p);
        i++;
    }
    return all;
}

static char *expand_marked(const struct ez_spec_clause *c, const char *code)
{
    const char from[] = { EZ_SPEC_FROM, 0 };
    return ez_spec_placed(c, code, from, "");
}

char *ez_spec_mark(const struct ez_spec_clause *c, char *code)
{
    EZ_FREE char *was = code, *marked = expand_marked(c, was);
    return ez_sprintf("%s\n%c", marked, EZ_SPEC_BACK);
}

/* Returns the code of all clauses that apply at a point, each on its own lines; NULL if there is
 * none. marked: with marks. The caller frees. */
static char *expand_point(const struct ez_spec *s, enum ez_spec_point point,
                          const struct ez_spec_site *site, bool marked)
{
    char *all = NULL;
    for (size_t i = ez_spec_next(s, 0, point, site); i != SIZE_MAX;
         i = ez_spec_next(s, i + 1, point, site)) {
        const struct ez_spec_clause *c = &s->clauses.at[i];
        EZ_FREE char *code = ez_spec_expand(c, site),
                     *with = marked ? expand_marked(c, code) : NULL;
        ez_str_add_line(&all, "%s", marked ? with : code);
    }
    return all;
}

char *ez_spec_fragment(const struct ez_spec *s, enum ez_spec_point point,
                       const struct ez_spec_site *site)
{
    return expand_point(s, point, site, false);
}

char *ez_spec_marked(const struct ez_spec *s, enum ez_spec_point point,
                     const struct ez_spec_site *site)
{
    char *all = expand_point(s, point, site, true);
    if (all)
        ez_str_add_line(&all, "%c", EZ_SPEC_BACK);
    return all;
}
