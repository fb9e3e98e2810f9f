/* SPDX-License-Identifier: GPL-3.0-or-later */
/* routine.c - finds the routines of a C or C++ file, and why some cannot be instrumented
 * (routine.h).
 * Tests: tests/source/snippets.sh, tests/source/dwarf.sh */
#include "modules/instrument/source/routine.h"

#include <string.h>

#include "engine/base/strutil.h"

struct routine_walk {
    const struct ez_tu *t;
    const char *file;
    ez_routines *out;
};

/* Returns "ns::C::", the scopes around a declaration; lambdas are left out, and an unnamed
 * namespace is "(anonymous namespace)". The caller frees. */
static char *routine_scope(CXCursor c)
{
    char *scope = ez_strdup("");
    for (c = clang_getCursorSemanticParent(c);
         !clang_isInvalid(c.kind) && !clang_isTranslationUnit(c.kind);
         c = clang_getCursorSemanticParent(c)) {
        if (c.kind == CXCursor_VarDecl) /* a lambda in the initializer of a variable */
            continue;
        bool function = c.kind == CXCursor_FunctionDecl || c.kind == CXCursor_CXXMethod;
        EZ_FREE char *name =
            ez_tu_string(function ? clang_getCursorSpelling(c) : clang_getCursorDisplayName(c));
        EZ_FREE char *inner = scope;
        const char *shown = *name ? name : "(anonymous namespace)";
        scope = *name || c.kind == CXCursor_Namespace ? ez_sprintf("%s::%s", shown, inner)
                                                      : ez_strdup(inner);
    }
    return scope;
}

char *ez_routine_name(CXCursor c)
{
    EZ_FREE char *scope = routine_scope(c), *name = ez_tu_string(clang_getCursorSpelling(c));
    return ez_sprintf("%s%s", scope, *name ? name : "operator()");
}

static char *routine_pointer(CXType to, const char *mark, const char *is_const);

/* Returns a type in words, with the scopes of all names, as in debug information; the source may
 * omit scopes. The caller frees. */
static char *routine_spelled(CXType t)
{
    const char *mark = t.kind == CXType_Pointer           ? "*"
                       : t.kind == CXType_LValueReference ? "&"
                       : t.kind == CXType_RValueReference ? "&&"
                                                          : NULL;
    const char *is_const = clang_isConstQualifiedType(t) ? "const" : "";
    CXType in = mark ? clang_getPointeeType(t) : clang_Type_getNamedType(t);
    /* A name from a using-declaration: libclang 16 and later return no declaration for its type. */
    bool brought = !mark && clang_isInvalid(clang_getTypeDeclaration(in).kind);
    bool plain = in.kind == CXType_Invalid || (in.kind == CXType_Unexposed && !brought) ||
                 clang_getResultType(in).kind != CXType_Invalid ||
                 clang_getArrayElementType(in).kind != CXType_Invalid ||
                 clang_isVolatileQualifiedType(t) || clang_isRestrictQualifiedType(t);
    /* The type is returned as clang prints it. This includes pointers to arrays and functions, and
     * templates, which clang prints without scopes. */
    if (plain)
        return ez_tu_string(clang_getTypeSpelling(t));
    if (mark)
        return routine_pointer(in, mark, is_const);
    EZ_FREE char *inner = routine_spelled(in);
    return ez_sprintf("%s%s%s", is_const, *is_const ? " " : "", inner);
}

static char *routine_pointer(CXType to, const char *mark, const char *is_const)
{
    EZ_FREE char *inner = routine_spelled(to);
    const char last = inner[strlen(inner) - 1];
    return ez_sprintf("%s%s%s%s", inner, last == '*' || last == '&' ? "" : " ", mark, is_const);
}

/* Returns the type of a parameter. An array is a pointer there, but clang returns the type as
 * written. */
static char *routine_parameter_type(CXType t)
{
    CXType of = clang_getArrayElementType(t);
    return of.kind != CXType_Invalid && clang_getArrayElementType(of).kind == CXType_Invalid
               ? routine_pointer(of, "*", "")
               : routine_spelled(t);
}

/* Returns "f(int, char *)". For templates clang has no list of parameters, so returns the text as
 * written. The caller frees. */
static char *routine_call(CXCursor c)
{
    const int n = clang_Cursor_getNumArguments(c);
    EZ_FREE char *display = ez_tu_string(clang_getCursorDisplayName(c));
    if (n < 0 || !*display)
        return ez_strdup(*display ? display : "operator()");
    EZ_FREE char *name = ez_tu_string(clang_getCursorSpelling(c));
    const bool special = !strncmp(display + strlen(name), "<>", 2); /* a specialization of a
                                                                     * template */
    char *all = ez_sprintf("%s%s", name, special ? "<>" : "");
    for (unsigned i = 0; i < (unsigned)n; i++) {
        CXType t = clang_getCursorType(clang_Cursor_getArgument(c, i));
        EZ_FREE char *was = all, *one = routine_parameter_type(t);
        all = ez_sprintf("%s%s%s", was, i ? ", " : "(", one);
    }
    EZ_FREE char *was = all;
    return ez_sprintf("%s%s%s)", was, n ? "" : "(",
                      !clang_Cursor_isVariadic(c) ? ""
                      : n                         ? ", ..."
                                                  : "...");
}

char *ez_routine_signature(CXCursor c)
{
    EZ_FREE char *scope = routine_scope(c), *call = routine_call(c),
                 *type = routine_spelled(clang_getCursorResultType(c));
    bool made = c.kind == CXCursor_Constructor || c.kind == CXCursor_Destructor ||
                c.kind == CXCursor_ConversionFunction || !*type;
    const char last = *type ? type[strlen(type) - 1] : 0;
    return ez_sprintf("%s%s%s%s%s", made ? "" : type, made || last == '*' || last == '&' ? "" : " ",
                      scope, call, clang_CXXMethod_isConst(c) ? " const" : "");
}

static enum CXChildVisitResult routine_body(CXCursor c, CXCursor parent, CXClientData data)
{
    CXCursor *body = data;
    (void)parent;
    if (c.kind != CXCursor_CompoundStmt && c.kind != CXCursor_CXXTryStmt &&
        c.kind != CXCursor_UnexposedStmt) /* the body of a coroutine */
        return CXChildVisit_Continue;
    *body = c;
    return CXChildVisit_Break;
}

static bool routine_is(enum CXCursorKind k)
{
    return k == CXCursor_FunctionDecl || k == CXCursor_CXXMethod || k == CXCursor_Constructor ||
           k == CXCursor_Destructor || k == CXCursor_ConversionFunction ||
           k == CXCursor_FunctionTemplate || k == CXCursor_LambdaExpr;
}

/* Returns true if the routine is constexpr or consteval, also through a macro. */
static bool routine_constant(const struct ez_tu *t, const struct ez_own_routine *r, size_t a)
{
    static const char *const words[] = { "constexpr", "consteval" };
    CXPrintingPolicy policy = clang_getCursorPrintingPolicy(r->cursor);
    clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput, 1);
    EZ_FREE char *head = ez_tu_string(clang_getCursorPrettyPrinted(r->cursor, policy));
    bool found = false;
    clang_PrintingPolicy_dispose(policy);
    for (size_t i = 0; i < EZ_ARRAY_LEN(words); i++)
        found |= ez_tu_has_word(t, a, r->begin, words[i]) || (!r->lambda && strstr(head, words[i]));
    return found;
}

/* Finds the beginning. For a template with `auto` parameters clang only knows the name's place. */
static bool routine_begins(const struct ez_tu *t, const struct ez_own_routine *r, size_t *at)
{
    CXFile f;
    unsigned name;
    size_t end;
    if (ez_tu_range(t, r->cursor, at, &end))
        return true;
    clang_getFileLocation(clang_getCursorLocation(r->cursor), &f, NULL, NULL, &name);
    *at = name;
    return f && clang_File_isEqual(f, t->file) && name <= r->begin;
}

/* Returns why the routine cannot be instrumented; NULL if it can. */
static const char *routine_left(const struct ez_tu *t, const struct ez_own_routine *r)
{
    static const char *const coroutine[] = { "co_await", "co_yield", "co_return" };
    size_t a;
    if (!routine_begins(t, r, &a))
        return "it is not in this file as a whole";
    if (t->lang == EZ_SPEC_CXX && routine_constant(t, r, a))
        return "it is constexpr";
    if (ez_tu_has_word(t, a, r->begin, "naked") || ez_tu_has_word(t, a, r->begin, "__naked__"))
        return "it is naked: the compiler makes no frame for it";
    for (size_t i = 0; t->lang == EZ_SPEC_CXX && i < EZ_ARRAY_LEN(coroutine); i++)
        if (ez_tu_has_word(t, r->begin, r->end, coroutine[i]))
            return "it is a coroutine";
    return NULL;
}

static bool routine_templated(CXCursor c)
{
    CXCursor p = clang_getCursorSemanticParent(c);
    return c.kind == CXCursor_FunctionTemplate || p.kind == CXCursor_ClassTemplate ||
           p.kind == CXCursor_ClassTemplatePartialSpecialization;
}

static bool routine_member(CXCursor c)
{
    enum CXCursorKind k = clang_getCursorSemanticParent(c).kind;
    return c.kind != CXCursor_LambdaExpr && !clang_CXXMethod_isStatic(c) &&
           (k == CXCursor_ClassDecl || k == CXCursor_StructDecl || k == CXCursor_ClassTemplate ||
            k == CXCursor_ClassTemplatePartialSpecialization);
}

static char *routine_parameter(const struct ez_own_routine *r, unsigned i)
{
    EZ_FREE char *name =
        clang_Cursor_getNumArguments(r->cursor) < 2
            ? ez_strdup("")
            : ez_tu_string(clang_getCursorSpelling(clang_Cursor_getArgument(r->cursor, i)));
    return ez_strdup(*name ? name : i ? "ez_argv" : "ez_argc");
}

static void routine_describe(struct routine_walk *w, struct ez_own_routine *r)
{
    CXType type = clang_getCursorResultType(r->cursor), can = clang_getCanonicalType(type);
    EZ_FREE char *spelled = ez_tu_string(clang_getTypeSpelling(type));
    bool none = can.kind == CXType_Void || can.kind == CXType_Invalid ||
                r->cursor.kind == CXCursor_Constructor || r->cursor.kind == CXCursor_Destructor;
    r->result = none || r->lambda ? NULL : ez_strdup(spelled);
    r->scalar = can.kind != CXType_Record && can.kind != CXType_LValueReference &&
                can.kind != CXType_RValueReference && can.kind != CXType_Unexposed &&
                can.kind != CXType_Auto;
    r->r = (struct ez_spec_routine){
        .name = ez_routine_name(r->cursor),
        .signature = ez_routine_signature(r->cursor),
        .file = w->file,
        .lang = w->t->lang,
        .rtti = routine_member(r->cursor) && routine_templated(r->cursor) ? "typeid(*this).name()"
                                                                          : NULL,
    };
    clang_getFileLocation(clang_getCursorLocation(r->cursor), NULL, &r->line, NULL, NULL);
    ez_tu_place(w->t, r->begin, &r->r.begin_line, &r->r.begin_col);
    ez_tu_place(w->t, r->end - 1, &r->r.end_line, &r->r.end_col);
    r->is_main = !strcmp(r->r.name, "main") && r->cursor.kind == CXCursor_FunctionDecl;
    r->r.argc = routine_parameter(r, 0);
    r->r.argv = routine_parameter(r, 1);
}

static void routine_add(struct routine_walk *w, CXCursor c)
{
    struct ez_own_routine r = { .cursor = c,
                                .body = clang_getNullCursor(),
                                .lambda = c.kind == CXCursor_LambdaExpr };
    clang_visitChildren(c, routine_body, &r.body);
    if (r.body.kind == CXCursor_CXXTryStmt) /* a function try block: the handlers are outside of the
                                             * body */
        clang_visitChildren(r.body, routine_body, &r.body);
    if (clang_Cursor_isNull(r.body) || !ez_tu_range(w->t, r.body, &r.begin, &r.end) ||
        r.end < r.begin + 1)
        return;
    /* The body is the same: another instance of a template, or the second body from a macro. */
    for (size_t i = 0; i < w->out->n; i++)
        if (w->out->at[i].begin == r.begin)
            return;
    r.hidden = ez_tu_in_macro(w->t, r.begin) || ez_tu_in_macro(w->t, r.end - 1);
    if (!r.hidden && (w->t->text[r.begin] != '{' || w->t->text[r.end - 1] != '}'))
        return;
    routine_describe(w, &r);
    const char *left = r.hidden ? NULL : routine_left(w->t, &r);
    r.left = left ? ez_strdup(left) : NULL;
    EZ_PUSH(w->out, r);
}

static enum CXChildVisitResult routine_visit(CXCursor c, CXCursor parent, CXClientData data)
{
    struct routine_walk *w = data;
    CXFile f;
    (void)parent;
    clang_getFileLocation(clang_getCursorLocation(c), &f, NULL, NULL, NULL);
    if (clang_isTranslationUnit(parent.kind) && (!f || !clang_File_isEqual(f, w->t->file)))
        return CXChildVisit_Continue;
    if (routine_is(c.kind) && (c.kind == CXCursor_LambdaExpr || clang_isCursorDefinition(c)))
        routine_add(w, c);
    return CXChildVisit_Recurse;
}

void ez_routines_find(const struct ez_tu *t, const char *file, ez_routines *out)
{
    struct routine_walk w = { t, file, out };
    clang_visitChildren(clang_getTranslationUnitCursor(t->unit), routine_visit, &w);
}

void ez_routines_free(ez_routines *v)
{
    for (size_t i = 0; i < v->n; i++) {
        struct ez_own_routine *r = &v->at[i];
        free((char *)r->r.name);
        free((char *)r->r.signature);
        free((char *)r->r.argc);
        free((char *)r->r.argv);
        free(r->left);
        free(r->result);
    }
    EZ_VEC_FREE(v);
}
