/* SPDX-License-Identifier: GPL-3.0-or-later */
/* branch.c - finds the branches of #if that the compiler compiles (branch.h).
 *
 * libclang is not the compiler: it reports another version of GCC, and has macros of its own. So it
 * may parse a branch that is not compiled, and code would be inserted there. Therefore the file is
 * preprocessed by the compiler, with a mark after each directive. If a mark is in the output, its
 * branch is compiled. The mark after #endif shows whether marks reach the output there at all:
 * among arguments of a macro they may not, and then the conditions stay unchanged.
 * Tests: tests/source/command.sh */
#include "modules/instrument/source/branch.h"

#include <ctype.h>
#include <string.h>

#include "modules/instrument/source/macro.h"

enum branch_kind { BRANCH_IF, BRANCH_ELIF, BRANCH_ELSE, BRANCH_ENDIF };

struct branch { /* a directive */
    enum branch_kind kind;
    size_t at, end; /* at: offset of its '#'; end: end of its line */
    size_t last;    /* for #if: index of its #endif; 0 = none */
    bool seen;      /* its mark was in the output */
};

typedef EZ_VEC(struct branch) branches;
typedef EZ_VEC(char) branch_text;

/* ---- directives ----------------------------------------------------------------------------------- */

/* Returns the end of the literal that begins at p; the end of the line if it is not closed. */
static const char *branch_literal(const char *p)
{
    const char quote = *p++;
    for (; *p && *p != '\n' && *p != quote; p++)
        if (*p == '\\' && p[1])
            p++;
    return *p == quote ? p + 1 : p;
}

/* Returns the end of the raw string R"x(...)x" whose quote is at p. */
static const char *branch_raw(const char *p)
{
    const size_t n = strcspn(p + 1, "( \n");
    EZ_FREE char *close = ez_sprintf(")%.*s\"", (int)n, p + 1);
    const char *end = p[1 + n] == '(' ? strstr(p, close) : NULL;
    return end ? end + strlen(close) : branch_literal(p);
}

/* Returns the end of the comment that begins at p; NULL if none begins there. */
static const char *branch_comment(const char *p)
{
    const char *end;
    if (p[0] == '/' && p[1] == '*')
        return (end = strstr(p + 2, "*/")) ? end + 2 : p + strlen(p);
    if (p[0] != '/' || p[1] != '/')
        return NULL;
    for (; *p && *p != '\n'; p++)
        if (*p == '\\' && p[1] == '\n')
            p++;
    return p;
}

/* Returns the end of the directive's line. Comments, and lines joined by a backslash, belong to
 * the line. */
static const char *branch_line(const char *p)
{
    const char *behind;
    while (*p && *p != '\n')
        if (*p == '\\' && p[1])
            p += 2;
        else if ((behind = branch_comment(p)))
            p = behind;
        else if (*p == '"' || *p == '\'')
            p = branch_literal(p);
        else
            p++;
    return p;
}

static void branch_directive(branches *v, const char *text, const char *p)
{
    static const struct {
        const char *name;
        enum branch_kind kind;
    } names[] = { { "if", BRANCH_IF },     { "ifdef", BRANCH_IF },     { "ifndef", BRANCH_IF },
                  { "elif", BRANCH_ELIF }, { "elifdef", BRANCH_ELIF }, { "elifndef", BRANCH_ELIF },
                  { "else", BRANCH_ELSE }, { "endif", BRANCH_ENDIF } };
    const char *name = p + 1 + strspn(p + 1, " \t");
    size_t n = 0;
    while (isalpha((unsigned char)name[n]))
        n++;
    for (size_t i = 0; i < EZ_ARRAY_LEN(names); i++)
        if (strlen(names[i].name) == n && !memcmp(name, names[i].name, n))
            EZ_PUSH(v, ((struct branch){ .kind = names[i].kind,
                                         .at = (size_t)(p - text),
                                         .end = (size_t)(branch_line(p) - text) }));
}

/* Returns true if the quote separates the digits of a number. */
static bool branch_in_number(const char *text, const char *p)
{
    const char *q = p;
    while (q > text && (isalnum((unsigned char)q[-1]) || q[-1] == '\''))
        q--;
    return *p == '\'' && q < p && isdigit((unsigned char)*q) && isxdigit((unsigned char)p[1]);
}

static void branch_find(branches *v, const char *text, bool cxx)
{
    bool fresh = true; /* true while the line has only blanks and comments */
    for (const char *p = text, *behind; *p;) {
        if ((behind = branch_comment(p))) {
            p = behind;
        } else if (fresh && *p == '#') {
            branch_directive(v, text, p);
            p = branch_line(p);
        } else if ((*p == '"' || *p == '\'') && !branch_in_number(text, p)) {
            p = cxx && *p == '"' && p > text && p[-1] == 'R' ? branch_raw(p) : branch_literal(p);
            fresh = false;
        } else {
            fresh = *p == '\n' || (fresh && isspace((unsigned char)*p));
            p++;
        }
    }
}

/* Finds the end of each #if. Returns false if directives do not match. */
static bool branch_pair(branches *v)
{
    EZ_VEC(size_t) open = { 0 };
    bool good = true;
    for (size_t i = 0; i < v->n && good; i++) {
        if (v->at[i].kind == BRANCH_IF)
            EZ_PUSH(&open, i);
        else if (!open.n)
            good = false;
        else if (v->at[i].kind == BRANCH_ENDIF)
            v->at[open.at[--open.n]].last = i;
    }
    good = good && !open.n;
    EZ_VEC_FREE(&open);
    return good;
}

/* ---- marks ------------------------------------------------------------------------------------------ */

#define MARK "ez_branch_"

static void branch_request(const struct ez_instrument *k, branches *v, const char *text,
                           size_t size)
{
    branch_text marked = { 0 };
    size_t at = 0;
    EZ_FREE char *file = ez_edit_quote(k->file), *first = ez_sprintf("#line 1 %s\n", file);
    EZ_APPEND(&marked, first, strlen(first));
    for (size_t i = 0; i < v->n; i++) {
        EZ_FREE char *mark = ez_sprintf("\n" MARK "%zu_ ", i);
        EZ_APPEND(&marked, text + at, v->at[i].end - at);
        EZ_APPEND(&marked, mark, strlen(mark));
        at = v->at[i].end;
    }
    EZ_APPEND(&marked, text + at, size - at);
    EZ_FREE char *all = ez_macro_preprocess(k, marked.at, marked.n);
    EZ_VEC_FREE(&marked);
    for (const char *p = all; p && (p = strstr(p, MARK)); p += strlen(MARK)) {
        char *end;
        const size_t i = strtoul(p + strlen(MARK), &end, 10);
        if (i < v->n && *end == '_')
            v->at[i].seen = true;
    }
}

/* ---- the text ----------------------------------------------------------------------------------------- */

static void branch_decide(char *view, const struct branch *b)
{
    const char *word = b->kind == BRANCH_IF ? "#if" : "#elif";
    EZ_FREE char *as = ez_sprintf("%s %d", word, b->seen);
    if (strlen(as) > b->end - b->at)
        return;
    for (size_t i = b->at; i < b->end; i++)
        view[i] = view[i] == '\n' ? '\n' : ' ';
    memcpy(view + b->at, as, strlen(as));
}

/* Returns true if a line break is inside of the condition that would be overwritten. */
static bool branch_is_joined(const char *text, const struct branch *b)
{
    return memchr(text + b->at, '\n', EZ_MIN(b->end - b->at, strlen("#elif 1"))) != NULL;
}

char *ez_branch_view(const struct ez_instrument *k, const char *text, size_t size)
{
    branches v = { 0 };
    branch_find(&v, text, k->lang == EZ_SPEC_CXX);
    if (!v.n || !branch_pair(&v)) {
        EZ_VEC_FREE(&v);
        return NULL;
    }
    branch_request(k, &v, text, size);
    char *view = ez_alloc(size + 1);
    memcpy(view, text, size);
    for (size_t i = 0; i < v.n; i++) {
        if (v.at[i].kind != BRANCH_IF || !v.at[v.at[i].last].seen)
            continue;
        size_t depth = 0;
        for (size_t b = i; b < v.at[i].last; b++) {
            depth += v.at[b].kind == BRANCH_IF;
            if (depth == 1 && v.at[b].kind <= BRANCH_ELIF && !branch_is_joined(text, &v.at[b]))
                branch_decide(view, &v.at[b]);
            depth -= v.at[b].kind == BRANCH_ENDIF;
        }
    }
    EZ_VEC_FREE(&v);
    return view;
}
