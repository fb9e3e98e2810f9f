/* SPDX-License-Identifier: GPL-3.0-or-later */
/* declare.c - finds declarations in the code of a rule with file and line (declare.h).
 *
 * Reads only code outside of braces; braces of namespaces and of `extern "C"` do not count. Of this
 * code, it looks at statements that begin with `static` or `extern` and have no body and no value.
 * Everything else stays unchanged.
 * Tests: tests/procs/spec.sh, tests/source/places.sh */
#include "modules/instrument/spec/declare.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/strutil.h"

struct declare {
    ez_declare_fn *fn;
    void *arg;
    EZ_VEC(char) out, last;
    unsigned line;         /* line of the current statement within the code, from 0 */
    unsigned last_line;    /* line of the end of the text for the end of the file */
    EZ_VEC(char *) within; /* for each open brace: "ns::" of a namespace; "" of `extern "C"` */
};

static void declare_put(struct declare *d, const char *text, size_t n)
{
    EZ_APPEND(&d->out, text, n);
}

/* Appends to the text for the end of the file, in the line that the declaration has. */
static void declare_put_last(struct declare *d, const char *text)
{
    for (; d->last_line < d->line; d->last_line++)
        EZ_PUSH(&d->last, '\n');
    EZ_APPEND(&d->last, text, strlen(text));
}

/* ---- pieces of C ------------------------------------------------------------------------------------ */

/* Returns the place after the comment, literal or character at p. */
static const char *declare_skip(const char *p)
{
    if (*p == '/' && p[1] == '/')
        return p + strcspn(p, "\n");
    if (*p == '/' && p[1] == '*') {
        const char *end = strstr(p + 2, "*/");
        return end ? end + 2 : p + strlen(p);
    }
    if (*p != '"' && *p != '\'')
        return p + 1;
    const char quote = *p++;
    while (*p && *p != quote)
        p += 1 + (*p == '\\' && p[1]);
    return p + (*p != 0);
}

/* Returns the place after the directive whose '#' is at p. */
static const char *declare_directive(const char *p)
{
    do
        p += strcspn(p, "\n"), p += *p == '\n';
    while (*p && p[-2] == '\\');
    return p;
}

static size_t declare_word(const char *p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_')
        n++;
    return n;
}

static bool declare_is(const char *p, size_t n, const char *word)
{
    return n == strlen(word) && !memcmp(p, word, n);
}

/* Returns the end of the pair of brackets that begins at p, or `end`. */
static const char *declare_group(const char *p, const char *end)
{
    int depth = 0;
    do {
        depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
        p = declare_skip(p);
    } while (p < end && depth > 0);
    return EZ_MIN(p, end);
}

static const char *declare_blanks(const char *p, const char *end)
{
    while (p < end && isspace((unsigned char)*p))
        p++;
    return p;
}

/* Returns true for words whose parentheses contain no declared name, such as __attribute__. */
static bool declare_has_group(const char *p, size_t n)
{
    return declare_is(p, n, "__attribute__") || declare_is(p, n, "__typeof__") ||
           declare_is(p, n, "typeof") || declare_is(p, n, "_Alignas");
}

/* ---- declarators -------------------------------------------------------------------------------------- */

struct declare_name {
    const char *begin,
        /* begin: end of the specifiers; behind: where an assembler label can be inserted */
        *behind;
    const char *at; /* the declared name */
    size_t n;
};

/* Skips "noexcept", "noexcept(...)" and "throw()", which come before a label. */
static const char *declare_exceptions(const char *p, const char *end)
{
    const char *word = declare_blanks(p, end), *behind;
    const size_t n = word < end ? declare_word(word) : 0;
    if (!declare_is(word, n, "noexcept") && !declare_is(word, n, "throw"))
        return p;
    behind = declare_blanks(word + n, end);
    return behind < end && *behind == '(' ? declare_group(behind, end) : word + n;
}

/* Parses the declarator in [p, end), which specifiers may precede. Returns false if the text
 * declares no name. */
static bool declare_name(const char *p, const char *end, struct declare_name *d)
{
    *d = (struct declare_name){ .begin = NULL };
    for (size_t n; (p = declare_blanks(p, end)) < end; p = n ? p + n : declare_skip(p)) {
        if ((n = declare_word(p)) && declare_has_group(p, n)) {
            p = declare_blanks(p + n, end);
            n = (size_t)(declare_group(p, end) - p);
        } else if (n) {
            d->at = p;
            d->n = n;
        } else if (*p == '*' && !d->begin) {
            d->begin = p;
        } else if (*p == '(' && *declare_blanks(p + 1, end) == '*') { /* a declarator such as
                                                                       * (*name)(int) */
            const char *in = p;
            while (in < end && !(n = declare_word(in)))
                in++;
            d->at = in;
            d->n = n;
            d->begin = d->begin ? d->begin : p;
            d->behind = declare_group(p, end);
            break;
        } else if (*p == '(' || *p == '[') {
            break;
        }
    }
    /* The declaration declares no name, as in "static int *;". */
    if (!d->at || !d->n || (d->begin && d->at < d->begin))
        return false;
    d->begin = d->begin ? d->begin : d->at;
    d->behind = d->behind ? d->behind : d->at + d->n;
    for (const char *q; (q = declare_blanks(d->behind, end)) < end && (*q == '(' || *q == '[');)
        d->behind = declare_group(q, end);
    d->behind = declare_exceptions(d->behind, end);
    return true;
}

/* Returns the next comma in [p, end) that separates two declarators; `end` if there is none. */
static const char *declare_comma(const char *p, const char *end)
{
    while (p < end && *p != ',')
        p = *p == '(' || *p == '[' ? declare_group(p, end) : declare_skip(p);
    return EZ_MIN(p, end);
}

/* Returns the namespaces around. The caller frees the text. */
static char *declare_within(const struct declare *d)
{
    char *all = ez_strdup("");
    for (size_t i = 0; i < d->within.n; i++) {
        EZ_FREE char *was = all;
        all = ez_sprintf("%s%s", was, d->within.at[i]);
    }
    return all;
}

/* Passes one declarator to d->fn. Returns the text for it, as a statement of its own: the one that
 * d->fn chose, or the declaration itself. The caller frees. */
static char *declare_one(struct declare *d, bool is_static, const char *specifiers,
                         const struct declare_name *name, const char *end, bool *changed)
{
    EZ_FREE char *its = ez_strndup(name->at, name->n),
                 *before = ez_strndup(name->begin, (size_t)(name->behind - name->begin)),
                 *behind = ez_strndup(name->behind, (size_t)(end - name->behind));
    const char *next = declare_blanks(name->at + name->n, end);
    EZ_FREE char *within = declare_within(d);
    const struct ez_declaration one = { .within = within,
                                        .is_static = is_static,
                                        .is_function = next < end && *next == '(',
                                        .name = its,
                                        .specifiers = specifiers,
                                        .before = before,
                                        .behind = behind,
                                        .at = (size_t)(name->at - name->begin) };
    char *text = NULL;
    EZ_FREE char *last = NULL;
    if (d->fn(&one, &text, &last, d->arg)) {
        *changed = true;
        if (last)
            declare_put_last(d, last);
        return text ? text : ez_strdup("");
    }
    return ez_sprintf("%s%s %s%s;", is_static ? "static" : "extern", specifiers, before, behind);
}

/* Handles "static int level, *where": passes each declarator to fn. Keeps the text if none
 * changes. */
static void declare_statement(struct declare *d, const char *p, const char *end)
{
    struct declare_name name;
    const bool is_static = declare_is(p, declare_word(p), "static");
    const char *rest = p + strlen("static"), *comma = declare_comma(rest, end);
    if (!declare_name(rest, comma, &name)) {
        declare_put(d, p, (size_t)(end - p) + 1);
        return;
    }
    EZ_FREE char *specifiers = ez_strndup(rest, (size_t)(name.begin - rest));
    for (char *c = specifiers; *c; c++)
        *c = isspace((unsigned char)*c) ? ' ' : *c;
    const size_t was = d->out.n;
    bool changed = false;
    for (;; comma = declare_comma(rest, end)) {
        EZ_FREE char *one = declare_one(d, is_static, specifiers, &name, comma, &changed);
        declare_put(d, one, strlen(one));
        rest = comma + 1;
        if (comma == end || !declare_name(rest, declare_comma(rest, end), &name))
            break;
    }
    if (changed)
        return;
    d->out.n = was;
    declare_put(d, p, (size_t)(end - p) + 1);
}

/* ---- the text ------------------------------------------------------------------------------------------- */

/* Returns the end of the declaration or definition that begins at p. *plain: the declaration has
 * neither a body nor a value. */
static const char *declare_behind(const char *p, bool *plain)
{
    int depth = 0;
    *plain = true;
    for (; *p; p = declare_skip(p)) {
        if (*p == '#' && p[-1] == '\n')
            p = declare_directive(p) - 1;
        depth += (*p == '{' || *p == '(' || *p == '[') - (*p == '}' || *p == ')' || *p == ']');
        *plain &= *p != '{' && (*p != '=' || depth);
        if (depth <= 0 && (*p == ';' || (*p == '}' && p[1 + strspn(p + 1, " \t\n")] != ';')))
            return p + 1;
    }
    *plain = false;
    return p;
}

/* If p begins a namespace or an `extern "C" {`, returns the text after the brace, and *within: the
 * prefix of names in it. Else returns NULL. */
static const char *declare_opens(const char *p, char **within)
{
    const char *end = p + strlen(p);
    size_t n = declare_word(p);
    if (declare_is(p, n, "extern")) {
        p = declare_blanks(p + n, end);
        p = *p == '"' ? declare_blanks(declare_skip(p), end) : end;
        *within = *p == '{' ? ez_strdup("") : NULL;
        return *within ? p + 1 : NULL;
    }
    if (declare_is(p, n, "inline")) {
        p = declare_blanks(p + n, end);
        n = declare_word(p);
    }
    if (!declare_is(p, n, "namespace"))
        return NULL;
    const char *name = p = declare_blanks(p + n, end);
    while (declare_word(p) || *p == ':')
        p++;
    const char *brace = declare_blanks(p, end);
    if (*brace != '{')
        return NULL;
    *within = p > name ? ez_sprintf("%.*s::", (int)(p - name), name) : ez_strdup(EZ_SPEC_UNNAMED);
    return brace + 1;
}

/* If p opens or closes a namespace or an `extern "C"`, updates d->within and returns the text after
 * it. Else returns NULL. */
static const char *declare_brace(struct declare *d, const char *p)
{
    char *within;
    const char *end = declare_opens(p, &within);
    if (end) {
        EZ_PUSH(&d->within, within);
        return end;
    }
    if (*p != '}' || !d->within.n)
        return NULL;
    free(d->within.at[--d->within.n]);
    return p + 1;
}

char *ez_spec_declarations(const char *code, ez_declare_fn *fn, void *arg, char **last)
{
    struct declare d = { .fn = fn, .arg = arg };
    bool plain;
    for (const char *p = code, *end; *p; p = end) {
        const char *brace = declare_brace(&d, p);
        end = brace ? brace : p + 1;
        plain = false;
        if (!brace && *p == '#')
            end = declare_directive(p);
        else if (!brace && *p == '/' && (p[1] == '/' || p[1] == '*'))
            end = declare_skip(p);
        else if (!brace && !isspace((unsigned char)*p))
            end = declare_behind(p, &plain);
        const size_t n = declare_word(p);
        if ((declare_is(p, n, "static") || declare_is(p, n, "extern")) && plain)
            declare_statement(&d, p, end - 1);
        else
            declare_put(&d, p, (size_t)(end - p));
        for (const char *q = p; q < end; q++)
            d.line += *q == '\n';
    }
    while (d.within.n)
        free(d.within.at[--d.within.n]);
    EZ_VEC_FREE(&d.within);
    EZ_PUSH(&d.out, 0);
    EZ_PUSH(&d.last, 0);
    if (last)
        *last = *d.last.at ? d.last.at : NULL;
    if (!last || !*last)
        EZ_VEC_FREE(&d.last);
    return d.out.at;
}
