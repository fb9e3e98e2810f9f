/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bind.c - declarations of the program's static variables and functions: see fragment.h.
 *
 * In source code `static int level;` before the program's own definition declares that. In an object of its own it would be
 * another variable. So what the routine's file defines becomes `extern`, by a symbol that says its address: the
 * engine connects it (engine/plugin/import.c).
 * Test: tests/procs/spec.sh */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "modules/ezt_fragment.h"
#include "modules/fragment/fragment.h"

struct bind {
    struct ez_fragments *f;
    const char *file; /* the routines' */
    ez_fragment_bytes out;
};

static void bind_put(struct bind *b, const char *text, size_t n)
{
    EZ_APPEND(&b->out, text, n);
}

/* ---- pieces of C ------------------------------------------------------------------------------------ */

/* Behind the comment, the literal or the character at p. */
static const char *bind_skip(const char *p)
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

/* Behind the directive whose '#' is at p. */
static const char *bind_directive(const char *p)
{
    do
        p += strcspn(p, "\n"), p += *p == '\n';
    while (*p && p[-2] == '\\');
    return p;
}

static size_t bind_word(const char *p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_')
        n++;
    return n;
}

static bool bind_is(const char *p, size_t n, const char *word)
{
    return n == strlen(word) && !memcmp(p, word, n);
}

/* Behind the brackets at p, up to `end`. */
static const char *bind_group(const char *p, const char *end)
{
    int depth = 0;
    do {
        depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
        p = bind_skip(p);
    } while (p < end && depth > 0);
    return EZ_MIN(p, end);
}

static const char *bind_blanks(const char *p, const char *end)
{
    while (p < end && isspace((unsigned char)*p))
        p++;
    return p;
}

/* Words whose brackets name nothing. */
static bool bind_has_group(const char *p, size_t n)
{
    return bind_is(p, n, "__attribute__") || bind_is(p, n, "__typeof__") ||
           bind_is(p, n, "typeof") || bind_is(p, n, "_Alignas");
}

/* ---- declarators -------------------------------------------------------------------------------------- */

struct bind_name {
    const char *begin,
        *behind;    /* the declarator: where its specifiers end, where a label may stand */
    const char *at; /* its name                                                   */
    size_t n;
};

/* The declarator in [p, end). The first one has the specifiers before it. */
static bool bind_name(const char *p, const char *end, struct bind_name *d)
{
    *d = (struct bind_name){ .begin = NULL };
    for (size_t n; (p = bind_blanks(p, end)) < end; p = n ? p + n : bind_skip(p)) {
        if ((n = bind_word(p)) && bind_has_group(p, n)) {
            p = bind_blanks(p + n, end);
            n = (size_t)(bind_group(p, end) - p);
        } else if (n) {
            d->at = p;
            d->n = n;
        } else if (*p == '*' && !d->begin) {
            d->begin = p;
        } else if (*p == '(' && *bind_blanks(p + 1, end) == '*') { /* a pointer to a function */
            const char *in = p;
            while (in < end && !(n = bind_word(in)))
                in++;
            d->at = in;
            d->n = n;
            d->begin = d->begin ? d->begin : p;
            d->behind = bind_group(p, end);
            break;
        } else if (*p == '(' || *p == '[') {
            break;
        }
    }
    if (!d->at || !d->n)
        return false;
    d->begin = d->begin ? d->begin : d->at;
    d->behind = d->behind ? d->behind : d->at + d->n;
    for (const char *q; (q = bind_blanks(d->behind, end)) < end && (*q == '(' || *q == '[');)
        d->behind = bind_group(q, end);
    return true;
}

char *ez_fragment_label(struct ez_fragments *f, uint64_t vaddr)
{
    char *label = ez_sprintf(EZT_FRAGMENT_STATIC "%llx", (unsigned long long)vaddr);
    ez_hash_put(&f->own, ez_hash_key(EZ_HASH_SEED, label), 1);
    return label;
}

/* One declarator, as a declaration of its own. */
static void bind_declare(struct bind *b, const char *specifiers, size_t n,
                         const struct bind_name *d, const char *end)
{
    uint64_t vaddr;
    EZ_FREE char *name = ez_sprintf("%.*s", (int)d->n, d->at), *text = NULL;
    const int before = (int)(d->behind - d->begin), behind = (int)(end - d->behind);
    switch (b->f->own_static(name, b->file, &vaddr, b->f->arg)) {
    case EZ_FRAGMENT_NONE:
        text = ez_sprintf("static%.*s %.*s%.*s;", (int)n, specifiers, before, d->begin, behind,
                          d->behind);
        break;
    case EZ_FRAGMENT_THERE: {
        EZ_FREE char *label = ez_fragment_label(b->f, vaddr);
        text = ez_sprintf("extern%.*s %.*s __asm__(\"%s\")%.*s;", (int)n, specifiers, before,
                          d->begin, label, behind, d->behind);
        break;
    }
    case EZ_FRAGMENT_NO_PLACE: /* code that names it does not compile: it is no other variable */
        break;
    }
    if (text)
        bind_put(b, text, strlen(text));
}

/* The comma in [p, end) that parts declarators; `end`: there is none. */
static const char *bind_comma(const char *p, const char *end)
{
    while (p < end && *p != ',')
        p = *p == '(' || *p == '[' ? bind_group(p, end) : bind_skip(p);
    return EZ_MIN(p, end);
}

/* "static int level, *where" */
static void bind_declaration(struct bind *b, const char *p, const char *end)
{
    struct bind_name d;
    const char *rest = p + strlen("static"), *comma = bind_comma(rest, end);
    if (!bind_name(rest, comma, &d)) {
        bind_put(b, p, (size_t)(end - p) + 1);
        return;
    }
    EZ_FREE char *specifiers = ez_sprintf("%.*s", (int)(d.begin - rest), rest);
    for (char *c = specifiers; *c; c++)
        *c = isspace((unsigned char)*c) ? ' ' : *c;
    for (;; comma = bind_comma(rest, end)) {
        bind_declare(b, specifiers, strlen(specifiers), &d, comma);
        rest = comma + 1;
        if (comma == end || !bind_name(rest, bind_comma(rest, end), &d))
            return;
    }
}

/* ---- the text ------------------------------------------------------------------------------------------- */

/* Behind the declaration or definition at p. *plain: it has no body, and no value. */
static const char *bind_statement(const char *p, bool *plain)
{
    int depth = 0;
    *plain = true;
    for (; *p; p = bind_skip(p)) {
        if (*p == '#' && p[-1] == '\n')
            p = bind_directive(p) - 1;
        depth += (*p == '{' || *p == '(' || *p == '[') - (*p == '}' || *p == ')' || *p == ']');
        *plain &= *p != '{' && (*p != '=' || depth);
        if (depth <= 0 && (*p == ';' || (*p == '}' && p[1 + strspn(p + 1, " \t\n")] != ';')))
            return p + 1;
    }
    *plain = false;
    return p;
}

char *ez_fragment_bind(struct ez_fragments *f, const char *file, const char *head)
{
    struct bind b = { .f = f, .file = file };
    bool plain;
    for (const char *p = head, *end; *p; p = end) {
        end = p + 1;
        plain = false;
        if (*p == '#')
            end = bind_directive(p);
        else if (*p == '/' && (p[1] == '/' || p[1] == '*'))
            end = bind_skip(p);
        else if (!isspace((unsigned char)*p))
            end = bind_statement(p, &plain);
        if (bind_is(p, bind_word(p), "static") && plain && f->own_static)
            bind_declaration(&b, p, end - 1);
        else
            bind_put(&b, p, (size_t)(end - p));
    }
    EZ_PUSH(&b.out, 0);
    return b.out.at;
}
