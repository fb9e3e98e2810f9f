/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own.c - finds and replaces names in code for C and C++ (own.h). The code may also name a variable
 * inside of a macro, so a macro renames it.
 * Tests: tests/source/names.sh */
#include "modules/instrument/source/own.h"

#include <string.h>

#include "engine/base/strutil.h"
#include "modules/instrument/spec/spec.h"

struct own {
    const struct ez_tu *made, *t;
    const struct ez_edits *edits;
    const struct ez_own_routine *routine; /* routine of t */
    size_t i;                             /* index of the routine */
    ez_own_names *names;
    bool found;
};

static bool own_is_known(const struct own *o, const char *name)
{
    for (size_t k = 0; k < o->names->n; k++)
        if (o->names->at[k].routine == o->i && !strcmp(o->names->at[k].name, name))
            return true;
    return false;
}

/* Returns true if the name is a parameter. A parameter needs no renaming: a declaration of the
 * same name in the body is an error. */
static bool own_is_parameter(const struct ez_own_routine *r, const char *name)
{
    const int n = clang_Cursor_getNumArguments(r->cursor);
    for (int k = 0; k < n; k++) {
        EZ_FREE char *its =
            ez_tu_string(clang_getCursorSpelling(clang_Cursor_getArgument(r->cursor, (unsigned)k)));
        if (!strcmp(its, name))
            return true;
    }
    return false;
}

/* Adds to o->names the name that c, in a declaration of the inserted code, declares, if the routine
 * also uses the name. Leaves out parameters, and what is declared extern, which is the program's. A
 * visitor. */
static enum CXChildVisitResult own_declared(CXCursor c, CXCursor parent, CXClientData data)
{
    struct own *o = data;
    (void)parent;
    if ((c.kind != CXCursor_VarDecl && c.kind != CXCursor_TypedefDecl &&
         c.kind != CXCursor_TypeAliasDecl) ||
        clang_Cursor_getStorageClass(c) == CX_SC_Extern)
        return CXChildVisit_Continue;
    EZ_FREE char *name = ez_tu_string(clang_getCursorSpelling(c));
    if (!*name || !strncmp(name, "ez_", 3) || own_is_known(o, name) ||
        own_is_parameter(o->routine, name) ||
        !ez_tu_has_word(o->t, o->routine->begin, o->routine->end, name))
        return CXChildVisit_Continue;
    EZ_PUSH(o->names, ((struct ez_own_name){ o->i, ez_strdup(name) }));
    o->found = true;
    return CXChildVisit_Continue;
}

/* Looks for declarations in the inserted code of a body. The routine's own statements are in a
 * block of their own, and are not visited. A visitor. */
static enum CXChildVisitResult own_statement(CXCursor c, CXCursor parent, CXClientData data)
{
    struct own *o = data;
    size_t a, b;
    (void)parent;
    if (c.kind == CXCursor_DeclStmt && ez_tu_range(o->made, c, &a, &b) &&
        ez_edit_is_ours(o->edits, a))
        clang_visitChildren(c, own_declared, o);
    return CXChildVisit_Continue;
}

bool ez_own_find(const struct ez_tu *made, const struct ez_edits *edits, const struct ez_tu *t,
                 const ez_routines *routines, ez_own_names *names)
{
    struct own o = { .made = made, .t = t, .edits = edits, .names = names };
    ez_routines found = { 0 };
    size_t theirs = 0;
    ez_routines_find(made, made->name, &found);
    for (size_t i = 0; i < found.n; i++) /* lambdas at these places were inserted around calls */
        theirs += !ez_edit_is_ours(edits, found.at[i].begin);
    for (size_t i = 0; i < found.n && theirs == routines->n; i++) {
        if (ez_edit_is_ours(edits, found.at[i].begin))
            continue;
        o.routine = &routines->at[o.i];
        if (!o.routine->left)
            clang_visitChildren(found.at[i].body, own_statement, &o);
        o.i++;
    }
    ez_routines_free(&found);
    return o.found;
}

char *ez_own_rename(const ez_own_names *names, size_t routine, char *code)
{
    EZ_FREE char *before = ez_strdup(""), *behind = ez_strdup("");
    const char back[] = { EZ_SPEC_BACK, 0 };
    for (size_t k = 0; k < names->n; k++) {
        const struct ez_own_name *n = &names->at[k];
        if (n->routine != routine)
            continue;
        EZ_FREE char *had = before, *was = behind;
        before = ez_sprintf("%s\n#define %s ez_own_%s", had, n->name, n->name);
        behind = ez_sprintf("%s#undef %s\n", was, n->name);
    }
    const size_t n = strlen(code);
    if (!*before || !n || code[n - 1] != EZ_SPEC_BACK)
        return code;
    char *renamed = ez_sprintf("%s\n%.*s%s%s", before, (int)n - 1, code, behind, back);
    free(code);
    return renamed;
}

void ez_own_free(ez_own_names *names)
{
    for (size_t k = 0; k < names->n; k++)
        free(names->at[k].name);
    EZ_VEC_FREE(names);
}
