/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outer.c - the variables of the program that code of Fortran names: see fragment.h.
 *
 * In source code a routine sees the variables of its module, of modules that it uses, of COMMON blocks, and its own. A
 * fragment is a routine of no module. So each name that its code neither declares nor has as an argument becomes a pointer
 * to what debug information says of it; the engine connects its place (engine/plugin/import.c).
 * Test: tests/procs/spec.sh */
#include <ctype.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "modules/fragment/fragment.h"

struct outer {
    struct ez_fragments *f;
    size_t i; /* the routine */
    struct ez_hash declared, seen;
    char *why; /* the first name that code cannot have */
};

/* ---- words of Fortran ---------------------------------------------------------------------------------- */

#define OUTER_WORD 1 /* kinds of tokens: 0 = the end, a word, else the character */

struct outer_token {
    int kind;
    const char *at;
    size_t n;
};

static bool outer_in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Behind blanks, comments, lines that tell places, and joints of lines. */
static const char *outer_blank(const char *p, const char *text)
{
    for (;;) {
        const char *from = p;
        p += strspn(p, " \t\r&");
        if (*p == '!' || (*p == '#' && (p == text || p[-1] == '\n')))
            p += strcspn(p, "\n");
        if (*p == '\n' && from < p && memchr(from, '&', (size_t)(p - from)))
            p++;
        if (p == from)
            return p;
    }
}

/* The token at *p, which goes behind it. */
static struct outer_token outer_token(const char **p, const char *text)
{
    const char *at = outer_blank(*p, text);
    struct outer_token t = { *at, at, *at != 0 };
    if (*at == '\'' || *at == '"') {
        const char *end = at + 1 + strcspn(at + 1, *at == '"' ? "\"\n" : "'\n");
        t.n = (size_t)(end - at) + (*end == *at);
    } else if (outer_in_word(*at)) {
        for (t.kind = OUTER_WORD; outer_in_word(at[t.n]);)
            t.n++;
    }
    *p = at + t.n;
    return t;
}

static char *outer_lower(const struct outer_token *t)
{
    char *word = ez_sprintf("%.*s", (int)t->n, t->at);
    for (char *c = word; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return word;
}

/* ---- what the code declares ------------------------------------------------------------------------------ */

static bool outer_ends(const struct outer_token *t)
{
    return !t->kind || t->kind == '\n' || t->kind == ';';
}

/* "integer, save :: a = b, c(n)" declares a and c; "integer a" has no colons. */
static const char *outer_statement(struct outer *o, const char *p, const char *text)
{
    bool colons = false, value = false, first = true;
    int depth = 0;
    const char *end = p;
    for (struct outer_token t = outer_token(&end, text); !outer_ends(&t);
         t = outer_token(&end, text))
        colons |= t.kind == ':' && *end == ':';
    for (struct outer_token t = outer_token(&p, text); !outer_ends(&t); t = outer_token(&p, text)) {
        if (colons && t.kind == ':' && *p == ':' && !depth) {
            p++;
            colons = false;
            continue;
        }
        depth += (t.kind == '(' || t.kind == '[') - (t.kind == ')' || t.kind == ']');
        value = t.kind == '=' || (value && (t.kind != ',' || depth));
        EZ_FREE char *word = outer_lower(&t);
        if (t.kind == OUTER_WORD && !colons && !depth && !value && !first)
            ez_hash_put(&o->declared, ez_hash_key(EZ_HASH_SEED, word), 1);
        first = false;
    }
    return p;
}

/* ---- what it names ----------------------------------------------------------------------------------------- */

static void outer_refuse(struct outer *o, const char *name, const char *why)
{
    if (!o->why)
        o->why = ez_sprintf("%s %s: a running program's code cannot name it", name, why);
}

/* An argument, or the result. */
static bool outer_is_param(struct outer *o, const char *name)
{
    const struct ez_fragment_routine *r = &o->f->routine[o->i];
    for (size_t i = 0; i < r->nparams; i++)
        if (!strcmp(r->param[i].name, name)) {
            if (r->param[i].why)
                outer_refuse(o, name, r->param[i].why);
            return true;
        }
    return false;
}

static void outer_ask(struct outer *o, const char *name)
{
    struct ez_fragment_routine *r = &o->f->routine[o->i];
    struct ez_fragment_param p = { .name = NULL };
    uint64_t vaddr = 0;
    if (outer_is_param(o, name) || !o->f->outer || !o->f->outer(o->i, name, &p, &vaddr, o->f->arg))
        return;
    if (p.why) {
        outer_refuse(o, name, p.why);
        return;
    }
    p.name = ez_strdup(name);
    p.declaration = vaddr ? ez_fragment_label(o->f, vaddr) : NULL;
    EZ_PUSH(&r->outer, p);
}

/* Names of components, and of arguments (`unit=0`), are no variables. */
static void outer_names(struct outer *o, const char *text)
{
    int depth = 0, before = 0;
    const char *p = text;
    for (struct outer_token t = outer_token(&p, text); t.kind; t = outer_token(&p, text)) {
        const char *next = outer_blank(p, text);
        const bool argument = depth > 0 && *next == '=' && next[1] != '=';
        depth += (t.kind == '(') - (t.kind == ')');
        if (outer_ends(&t))
            depth = 0;
        EZ_FREE char *word = outer_lower(&t);
        const uint64_t key = ez_hash_key(EZ_HASH_SEED, word);
        size_t known;
        if (t.kind == OUTER_WORD && !isdigit((unsigned char)*word) && before != '%' && !argument &&
            !ez_hash_get(&o->declared, key, &known) && !ez_hash_get(&o->seen, key, &known)) {
            ez_hash_put(&o->seen, key, 1);
            outer_ask(o, word);
        }
        before = t.kind;
    }
}

/* ---- routines ------------------------------------------------------------------------------------------------ */

void ez_fragment_outer(struct ez_fragments *f, size_t i)
{
    static const enum ez_spec_point points[] = { EZ_SPEC_DECL, EZ_SPEC_INIT, EZ_SPEC_ENTRY,
                                                 EZ_SPEC_ABORT, EZ_SPEC_EXIT };
    struct ez_fragment_routine *r = &f->routine[i];
    struct outer o = { .f = f, .i = i };
    for (size_t k = 0; k < EZ_ARRAY_LEN(points); k++) {
        ez_fragment_bytes code = { 0 };
        ez_fragment_code(f, &code, r, points[k]);
        EZ_PUSH(&code, 0);
        for (const char *p = code.at; points[k] == EZ_SPEC_DECL && *p;)
            p = outer_statement(&o, p, code.at);
        outer_names(&o, code.at);
        EZ_VEC_FREE(&code);
    }
    for (size_t k = 0; k < r->place.n; k++) {
        outer_names(&o, r->place.at[k].before ? r->place.at[k].before : "");
        outer_names(&o, r->place.at[k].behind ? r->place.at[k].behind : "");
    }
    if (o.why)
        ez_fragment_leave(f, i, o.why);
    free(o.why);
    ez_hash_free(&o.declared);
    ez_hash_free(&o.seen);
}

void ez_fragment_outer_free(struct ez_fragment_routine *r)
{
    for (size_t i = 0; i < r->outer.n; i++) {
        const struct ez_fragment_param *p = &r->outer.at[i];
        free((char *)p->name);
        free((char *)p->declaration);
        free((char *)p->fortran);
        free((char *)p->shape);
        free((char *)p->bounds);
    }
    EZ_VEC_FREE(&r->outer);
}
