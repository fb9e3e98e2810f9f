/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tu.c - parses a file with libclang (tu.h).
 * Tests: tests/source/snippets.sh, tests/source/command.sh */
#include "modules/instrument/source/tu.h"

#include <ctype.h>
#include <string.h>

char *ez_tu_string(CXString s)
{
    char *copy = ez_strdup(clang_getCString(s) ? clang_getCString(s) : "");
    clang_disposeString(s);
    return copy;
}

static enum CXChildVisitResult tu_macro(CXCursor c, CXCursor parent, CXClientData data)
{
    struct ez_tu *t = data;
    struct ez_tu_macro m = { 0 };
    (void)parent;
    if (clang_getCursorKind(c) == CXCursor_MacroExpansion && ez_tu_range(t, c, &m.a, &m.b))
        EZ_PUSH(&t->macros, m);
    return CXChildVisit_Continue;
}

/* Returns the offset of a diagnostic; SIZE_MAX if it is in another file. */
static size_t tu_diagnosed(const struct ez_tu *t, CXDiagnostic d)
{
    CXFile f;
    unsigned at;
    clang_getFileLocation(clang_getDiagnosticLocation(d), &f, NULL, NULL, &at);
    return f && clang_File_isEqual(f, t->file) ? at : SIZE_MAX;
}

static void tu_error(struct ez_tu *t, CXDiagnostic d)
{
    struct ez_tu_error e = {
        .at = tu_diagnosed(t, d),
        .text = ez_tu_string(clang_formatDiagnostic(d, CXDiagnostic_DisplaySourceLocation |
                                                           CXDiagnostic_DisplayColumn)),
    };
    CXDiagnosticSet notes = clang_getChildDiagnostics(d); /* owned by d */
    for (unsigned i = 0; i < clang_getNumDiagnosticsInSet(notes); i++) {
        size_t at = tu_diagnosed(t, clang_getDiagnosticInSet(notes, i));
        if (at != SIZE_MAX)
            EZ_PUSH(&e.notes, at);
    }
    EZ_PUSH(&t->errors, e);
}

static void tu_errors(struct ez_tu *t)
{
    for (unsigned i = 0; i < clang_getNumDiagnostics(t->unit); i++) {
        CXDiagnostic d = clang_getDiagnostic(t->unit, i);
        if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error)
            tu_error(t, d);
        clang_disposeDiagnostic(d);
    }
}

/* Finds the C++ standard, and whether exceptions are on, in the options. */
static void tu_options(struct ez_tu *t, const ez_words *options)
{
    static const struct {
        const char *name;
        unsigned standard;
    } names[] = { { "++98", 3 }, { "++03", 3 }, { "++0x", 11 }, { "++11", 11 } };
    t->standard = 14;
    t->exceptions = t->lang == EZ_SPEC_CXX;
    for (size_t i = 0; i < options->n; i++) {
        const char *o = options->at[i];
        if (!strcmp(o, "-fno-exceptions") || !strcmp(o, "-fexceptions"))
            t->exceptions = t->lang == EZ_SPEC_CXX && o[2] == 'e';
        if (!strcmp(o, "-ansi"))
            t->standard = 3;
        if (strncmp(o, "-std=", 5) != 0)
            continue;
        t->standard = 14;
        for (size_t k = 0; k < EZ_ARRAY_LEN(names); k++)
            if (strstr(o, names[k].name))
                t->standard = names[k].standard;
    }
}

ez_err *ez_tu_parse(struct ez_tu *t, const char *name, const char *text, size_t size,
                    enum ez_spec_lang lang, const ez_words *options)
{
    *t = (struct ez_tu){ .name = name, .text = text, .size = size, .lang = lang };
    EZ_VEC(const char *) argv = { 0 };
    tu_options(t, options);
    for (size_t i = 0; i < options->n;
         i++) { /* removes -fopenmp: libclang does not visit statements that belong to OpenMP
                 * directives */
        bool openmp = !strncmp(options->at[i], "-fopenmp", 8);
        EZ_PUSH(&argv, openmp ? "-D_OPENMP=201511" : options->at[i]);
    }
    EZ_PUSH(&argv, "-x");
    EZ_PUSH(&argv, lang == EZ_SPEC_CXX ? "c++" : "c");
    struct CXUnsavedFile unsaved = { name, text, size };
    t->index = clang_createIndex(0, 0);
    enum CXErrorCode failed = clang_parseTranslationUnit2(
        t->index, name, argv.at, (int)argv.n, &unsaved, 1,
        CXTranslationUnit_DetailedPreprocessingRecord | CXTranslationUnit_KeepGoing, &t->unit);
    EZ_VEC_FREE(&argv);
    if (failed)
        return ez_err_new(EZ_E_SYS, 0, "%s: libclang cannot parse it", name);
    t->file = clang_getFile(t->unit, name);
    tu_errors(t);
    clang_visitChildren(clang_getTranslationUnitCursor(t->unit), tu_macro, t);
    return NULL;
}

struct tu_named {
    const struct ez_tu *t;
    const char *name;
    enum ez_tu_own found;
    bool unnamed;
};

/* Returns true for an unnamed namespace. */
static bool tu_is_unnamed(CXCursor c)
{
    return c.kind == CXCursor_Namespace && clang_Cursor_isAnonymous(c);
}

static enum CXChildVisitResult tu_named(CXCursor c, CXCursor parent, CXClientData data)
{
    struct tu_named *n = data;
    size_t a, b;
    const bool unnamed = tu_is_unnamed(parent);
    if (tu_is_unnamed(c) || c.kind == CXCursor_LinkageSpec || c.kind == CXCursor_UnexposedDecl)
        return CXChildVisit_Recurse;
    if ((c.kind != CXCursor_VarDecl && c.kind != CXCursor_FunctionDecl) ||
        (!unnamed && clang_Cursor_getStorageClass(c) != CX_SC_Static) ||
        !ez_tu_range(n->t, c, &a, &b))
        return CXChildVisit_Continue;
    EZ_FREE char *its = ez_tu_string(clang_getCursorSpelling(c));
    if (strcmp(its, n->name) != 0)
        return CXChildVisit_Continue;
    n->found = c.kind == CXCursor_VarDecl ? EZ_TU_VARIABLE : EZ_TU_FUNCTION;
    n->unnamed = unnamed;
    return CXChildVisit_Break;
}

enum ez_tu_own ez_tu_static(const struct ez_tu *t, const char *name, bool *unnamed)
{
    struct tu_named n = { .t = t, .name = name };
    clang_visitChildren(clang_getTranslationUnitCursor(t->unit), tu_named, &n);
    *unnamed = n.unnamed;
    return n.found;
}

void ez_tu_free(struct ez_tu *t)
{
    for (size_t i = 0; i < t->errors.n; i++) {
        free(t->errors.at[i].text);
        EZ_VEC_FREE(&t->errors.at[i].notes);
    }
    EZ_VEC_FREE(&t->errors);
    EZ_VEC_FREE(&t->macros);
    if (t->unit)
        clang_disposeTranslationUnit(t->unit);
    if (t->index)
        clang_disposeIndex(t->index);
    *t = (struct ez_tu){ 0 };
}

bool ez_tu_range(const struct ez_tu *t, CXCursor c, size_t *a, size_t *b)
{
    CXSourceRange r = clang_getCursorExtent(c);
    CXFile f, g;
    unsigned from, to;
    clang_getFileLocation(clang_getRangeStart(r), &f, NULL, NULL, &from);
    clang_getFileLocation(clang_getRangeEnd(r), &g, NULL, NULL, &to);
    *a = from;
    *b = to;
    return f && g && clang_File_isEqual(f, t->file) && clang_File_isEqual(g, t->file) &&
           to <= t->size;
}

const struct ez_tu_macro *ez_tu_in_macro(const struct ez_tu *t, size_t at)
{
    for (size_t i = 0; i < t->macros.n; i++)
        if (at >= t->macros.at[i].a && at < t->macros.at[i].b)
            return &t->macros.at[i];
    return NULL;
}

void ez_tu_place(const struct ez_tu *t, size_t at, unsigned *line, unsigned *col)
{
    clang_getFileLocation(clang_getLocationForOffset(t->unit, t->file, (unsigned)at), NULL, line,
                          col, NULL);
}

/* Returns the offset behind the directive whose '#' is at `at`, and behind the text that the
 * directive excludes. */
static size_t tu_directive(const struct ez_tu *t, size_t at)
{
    const char *p = t->text;
    size_t end = at + strcspn(p + at, "\n");
    CXSourceRangeList *skipped = clang_getSkippedRanges(t->unit, t->file);
    for (unsigned i = 0; i < skipped->count; i++) {
        unsigned from, to;
        clang_getFileLocation(clang_getRangeStart(skipped->ranges[i]), NULL, NULL, NULL, &from);
        clang_getFileLocation(clang_getRangeEnd(skipped->ranges[i]), NULL, NULL, NULL, &to);
        if (from >= at && from < end) {
            at = to;
            break;
        }
    }
    clang_disposeSourceRangeList(skipped);
    do
        at += strcspn(p + at, "\n") + 1;
    while (at < t->size && p[at - 2] == '\\');
    return EZ_MIN(at, t->size);
}

size_t ez_tu_skip(const struct ez_tu *t, size_t at)
{
    const char *p = t->text;
    for (;;) {
        const char *end;
        if (at >= t->size)
            return t->size;
        if (isspace((unsigned char)p[at]))
            at++;
        else if (p[at] == '\\' && (p[at + 1] == '\n' || p[at + 1] == '\r'))
            at += 2;
        else if (p[at] == '/' && p[at + 1] == '*' && (end = strstr(p + at + 2, "*/")))
            at = (size_t)(end + 2 - p);
        else if (p[at] == '#')
            at = tu_directive(t, at);
        else if (p[at] == '/' && p[at + 1] == '/')
            at += strcspn(p + at, "\n");
        else
            return at;
    }
}

bool ez_tu_has_word(const struct ez_tu *t, size_t a, size_t b, const char *word)
{
    CXSourceRange range = clang_getRange(clang_getLocationForOffset(t->unit, t->file, (unsigned)a),
                                         clang_getLocationForOffset(t->unit, t->file, (unsigned)b));
    CXToken *tokens;
    unsigned n;
    bool found = false;
    clang_tokenize(t->unit, range, &tokens, &n);
    for (unsigned i = 0; i < n && !found; i++)
        if (clang_getTokenKind(tokens[i]) <= CXToken_Identifier) {
            EZ_FREE char *text = ez_tu_string(clang_getTokenSpelling(t->unit, tokens[i]));
            found = !strcmp(text, word);
        }
    clang_disposeTokens(t->unit, tokens, n);
    return found;
}
