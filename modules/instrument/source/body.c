/* SPDX-License-Identifier: GPL-3.0-or-later */
/* body.c - finds the places inside a routine of C or C++, and makes their edits (body.h). */
#include "modules/instrument/source/body.h"

#include <string.h>

#include "engine/base/strutil.h"

const char ez_body_prelude[] =
    "namespace { template <class F> struct ez_guard_ { F &f; ~ez_guard_() { f(); } }; }";

bool ez_body_guarded(const struct ez_body *b)
{
    return b->t->lang == EZ_SPEC_CXX && b->t->standard >= 11;
}

bool ez_body_catches(const struct ez_body *b)
{
    return b->t->lang == EZ_SPEC_CXX && b->t->exceptions && !ez_body_guarded(b) &&
           b->r->cursor.kind != CXCursor_Destructor;
}

char *ez_body_fragment(const struct ez_body *b, enum ez_spec_point point, size_t at,
                       const char *callee)
{
    struct ez_spec_site site = {
        .routine = &b->r->r, .file = b->r->r.file, .lang = b->t->lang, .callee = callee
    };
    ez_tu_place(b->t, at, &site.line, &site.col);
    char *code = ez_spec_marked(b->spec, point, &site);
    return code ? ez_own_rename(b->own, b->id - 1, code) : NULL;
}

bool ez_body_hidden(struct ez_body *b, size_t from, size_t last)
{
    const struct ez_tu_macro *m = ez_tu_in_macro(b->t, from);
    if (!m)
        m = ez_tu_in_macro(b->t, last);
    /* the macro's use is the end of a longer expression, and is not expanded */
    if (m && m->stays && m->a > from)
        return false;
    if (m)
        EZ_PUSH(&b->hiding, *m);
    return m;
}

void ez_body_leave(struct ez_body *b, const char *why)
{
    if (!b->r->left)
        b->r->left = ez_strdup(why);
}

/* Returns the offset behind the ';' that ends the statement whose last byte is before `end`; `end`
 * if there is no ';'. */
static size_t body_statement_end(const struct ez_body *b, size_t end)
{
    size_t at = ez_tu_skip(b->t, end);
    return at < b->t->size && b->t->text[at] == ';' ? at + 1 : end;
}

/* ---- returns --------------------------------------------------------------------------------------------- */

/* Handles a return in C++. EXIT itself is in the object's destructor; where its text differs
 * (@LINE@), a variable selects it. */
static void body_return_guarded(struct ez_body *b, size_t a, size_t value, size_t semicolon,
                                char *exit)
{
    char *before = NULL, *after = NULL;
    if (exit && strcmp(exit, b->leave) != 0) {
        EZ_PUSH(&b->exits, exit);
        before = ez_sprintf("{ ez_site_%u = %zu;", b->id, b->exits.n);
        after = ez_strdup(" }");
    } else {
        free(exit);
    }
    ez_edit_around(b->edits, a, before, semicolon + 1, after);
    if (b->result && value < semicolon) {
        bool braces = b->t->text[value] == '{';
        ez_edit_around(b->edits, value, ez_strdup(braces ? "ez_result = " : "ez_result = ("),
                       semicolon, braces ? NULL : ez_strdup(")"));
    }
}

/* Returns the exit code of the loops that a jump from `at` to `target` leaves, the innermost first.
 * The caller frees. */
static char *body_loops_left(const struct ez_body *b, size_t at, size_t target)
{
    char *all = NULL;
    for (size_t i = b->loops.n; i-- > 0;) {
        const struct ez_body_loop *l = &b->loops.at[i];
        if (at < l->a || at >= l->b || (target >= l->a && target < l->b))
            continue;
        EZ_FREE char *one = ez_body_fragment(b, EZ_SPEC_LOOP_EXIT, at, NULL);
        if (one)
            ez_str_add_line(&all, "%s", one);
    }
    return all;
}

static void body_return(struct ez_body *b, size_t a, size_t end)
{
    size_t word = a + strlen("return"), semicolon = ez_tu_skip(b->t, end),
           value = ez_tu_skip(b->t, word);
    EZ_FREE char *loops = ez_body_guarded(b) ? NULL : body_loops_left(b, a, SIZE_MAX);
    char *exit = ez_body_fragment(b, EZ_SPEC_EXIT, a, NULL);
    if (!exit && !loops)
        return;
    if (ez_body_hidden(b, a, end - 1) || ez_body_hidden(b, semicolon, semicolon)) {
        free(exit);
        return;
    }
    if (strncmp(b->t->text + a, "return", 6) != 0 || b->t->text[semicolon] != ';') {
        free(exit);
        ez_body_leave(b, "a return that is no statement of its own");
        return;
    }
    b->places++;
    if (ez_body_guarded(b)) {
        body_return_guarded(b, a, value, semicolon, exit);
        return;
    }
    EZ_FREE char *done =
        exit && b->t->lang == EZ_SPEC_CXX ? ez_sprintf("ez_done_%u = 1; ", b->id) : ez_strdup("");
    EZ_FREE char *leave = ez_sprintf("%s%s%s%s", loops ? loops : "", loops && exit ? "\n" : "",
                                     done, exit ? exit : "");
    free(exit);
    if (value >= semicolon)
        ez_edit_around(b->edits, a, ez_sprintf("{ %s", leave), semicolon + 1, ez_strdup(" }"));
    else if (!b->r->result) /* return f(); in a function without a result */
        ez_edit_replace(b->edits, a, 6, ez_strdup("{ "), semicolon, 1,
                        ez_sprintf("; %s\nreturn; }", leave));
    else
        ez_edit_replace(b->edits, a, 6, ez_sprintf("{ ez_result_%u ez_result = (", b->id),
                        semicolon, 1, ez_sprintf("); %s\nreturn ez_result; }", leave));
}

/* ---- loops --------------------------------------------------------------------------------------------------- */

struct body_jumped {
    bool found;
};

/* Finds a `case` inside of the loop that belongs to a switch around the loop. Such a `case` jumps
 * past code that is inserted before the loop. */
static enum CXChildVisitResult body_jumped(CXCursor c, CXCursor parent, CXClientData data)
{
    struct body_jumped *j = data;
    (void)parent;
    if (c.kind == CXCursor_SwitchStmt || c.kind == CXCursor_LambdaExpr)
        return CXChildVisit_Continue;
    j->found |= c.kind == CXCursor_CaseStmt || c.kind == CXCursor_DefaultStmt;
    return j->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* Returns the offset of the line above the one at `line`; lines joined by backslashes count as
 * one. */
static size_t body_line_above(const struct ez_body *b, size_t line)
{
    const char *p = b->t->text;
    do
        for (line--; line && p[line - 1] != '\n';)
            line--;
    while (line > 1 && p[line - 2] == '\\');
    return line;
}

/* Returns the offset of the pragmas that apply to the loop at `a`. Code goes before the pragmas,
 * because nothing may be between them and the loop. *collapsed: the pragma collapses inner loops,
 * too. */
static size_t body_loop_begin(const struct ez_body *b, size_t a, bool *collapsed)
{
    const char *p = b->t->text;
    size_t line = a, begin = a;
    while (line && strchr(" \t", p[line - 1]))
        line--;
    if (line && p[line - 1] != '\n')
        return a;
    while (line) {
        line = body_line_above(b, line);
        size_t word = line + strspn(p + line, " \t");
        if (p[word] != '#' || strncmp(p + word + 1 + strspn(p + word + 1, " \t"), "pragma", 6) != 0)
            break;
        *collapsed |= memmem(p + line, begin - line, "collapse", 8) != NULL;
        begin = line;
    }
    return begin;
}

static void body_loop(struct ez_body *b, CXCursor c, size_t a, size_t end)
{
    struct body_jumped jumped = { false };
    EZ_FREE char *entry = ez_body_fragment(b, EZ_SPEC_LOOP_ENTRY, a, NULL),
                 *exit = ez_body_fragment(b, EZ_SPEC_LOOP_EXIT, end - 1, NULL);
    if ((!entry && !exit) || ez_body_hidden(b, a, end - 1))
        return;
    clang_visitChildren(c, body_jumped, &jumped);
    if (jumped.found)
        return;
    end = body_statement_end(b, end);
    if (a < b->collapsed)
        return;
    bool collapsed = false;
    a = body_loop_begin(b, a, &collapsed);
    b->collapsed = collapsed ? end : b->collapsed;
    b->places++;
    if (ez_body_guarded(b) && exit) {
        unsigned n = (unsigned)b->loops.n;
        EZ_PUSH(&b->loops, ((struct ez_body_loop){ a, end }));
        ez_edit_around(b->edits, a,
                       ez_sprintf("{ %s\nauto ez_end_%u_%u = [&] { %s\n}; "
                                  "ez_guard_<decltype(ez_end_%u_%u)> ez_loop_%u_%u{ez_end_%u_%u};",
                                  entry ? entry : "", b->id, n, exit, b->id, n, b->id, n, b->id, n),
                       end, ez_strdup(" }"));
        return;
    }
    if (exit)
        EZ_PUSH(&b->loops, ((struct ez_body_loop){ a, end }));
    bool caught = exit && ez_body_catches(b);
    EZ_FREE char *handler =
        caught ? ez_sprintf("} catch (...) { %s\nthrow; }\n", exit) : ez_strdup("");
    ez_edit_around(b->edits, a, ez_sprintf("{ %s%s", entry ? entry : "", caught ? "\ntry {" : ""),
                   end, ez_sprintf("\n%s%s\n}", handler, exit ? exit : ""));
}

static enum CXChildVisitResult body_label(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(CXCursor *)data = clang_getCursorReferenced(c);
    return CXChildVisit_Break;
}

/* Handles a goto in C that leaves loops. */
static void body_goto(struct ez_body *b, CXCursor c, size_t a, size_t end)
{
    CXCursor label = clang_getNullCursor();
    size_t to = SIZE_MAX, ignored;
    if (ez_body_guarded(b) || !b->loops.n)
        return;
    clang_visitChildren(c, body_label, &label);
    if (!clang_Cursor_isNull(label))
        (void)ez_tu_range(b->t, label, &to, &ignored);
    char *loops = body_loops_left(b, a, to);
    if (!loops)
        return;
    if (!ez_body_hidden(b, a, end - 1))
        ez_edit_around(b->edits, a, ez_sprintf("{ %s", loops), body_statement_end(b, end),
                       ez_strdup(" }"));
    free(loops);
}

/* ---- exceptions ----------------------------------------------------------------------------------------------------- */

/* Handles a throw. Where it is a statement, the code goes before it, which avoids a copy of the
 * thrown object. Inside of an expression the code goes into the operand. */
static void body_throw(struct ez_body *b, CXCursor parent, size_t a, size_t end)
{
    EZ_FREE char *code = ez_body_fragment(b, EZ_SPEC_THROW, a, NULL);
    size_t behind = body_statement_end(b, end), value = ez_tu_skip(b->t, a + strlen("throw"));
    if (!code || ez_body_hidden(b, a, end - 1))
        return;
    b->places++;
    if (behind > end && (clang_isStatement(parent.kind) || parent.kind == CXCursor_CompoundStmt))
        ez_edit_around(b->edits, a, ez_sprintf("{ %s\n", code), behind, ez_strdup(" }"));
    else if (value < end)
        ez_edit_around(b->edits, value,
                       ez_body_guarded(b) ? ez_sprintf("([&] { %s\n}(), ", code)
                                          : ez_sprintf("(__extension__ ({ %s\n(void)0; }), ", code),
                       end, ez_strdup(")"));
    else
        ez_body_leave(b, "a throw; inside an expression");
}

static void body_catch(struct ez_body *b, size_t a)
{
    EZ_FREE char *code = ez_body_fragment(b, EZ_SPEC_CATCH, a, NULL);
    if (!code || ez_body_hidden(b, a, a))
        return;
    ez_edit_around(b->edits, a + 1, ez_sprintf(" %s\n", code), a + 1, NULL);
    b->places++;
}

/* ---- the walk ---------------------------------------------------------------------------------------------------------- */

static enum CXChildVisitResult body_visit(CXCursor c, CXCursor parent, CXClientData data)
{
    struct ez_body *b = data;
    size_t a, end;
    if (c.kind == CXCursor_LambdaExpr || c.kind == CXCursor_BlockExpr ||
        c.kind == CXCursor_StructDecl || c.kind == CXCursor_ClassDecl ||
        c.kind == CXCursor_UnionDecl)
        return CXChildVisit_Continue; /* nested routines are handled separately */
    if (!ez_tu_range(b->t, c, &a, &end) || end <= a)
        return CXChildVisit_Recurse;
    switch ((int)c.kind) {
    case CXCursor_ReturnStmt:
        body_return(b, a, end);
        break;
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_CXXForRangeStmt:
        body_loop(b, c, a, end);
        break;
    case CXCursor_GotoStmt:
        body_goto(b, c, a, end);
        break;
    case CXCursor_CallExpr:
        ez_body_call(b, c, a, end);
        break;
    case CXCursor_UnaryExpr: /* operands of sizeof and the like are not evaluated */
        return b->t->lang == EZ_SPEC_CXX ? CXChildVisit_Continue : CXChildVisit_Recurse;
    case CXCursor_CXXThrowExpr:
        body_throw(b, parent, a, end);
        break;
    case CXCursor_CompoundStmt:
        if (parent.kind == CXCursor_CXXCatchStmt)
            body_catch(b, a);
        break;
    }
    return CXChildVisit_Recurse;
}

void ez_body_edit(struct ez_body *b)
{
    struct ez_own_routine *r = b->r;
    if (r->hidden) {
        (void)ez_body_hidden(b, r->begin, r->end - 1);
        return;
    }
    b->leave = ez_body_fragment(b, EZ_SPEC_EXIT, r->end - 1, NULL);
    b->result = b->leave && strstr(b->leave, "ez_ret");
    if (b->result && !r->result)
        ez_body_leave(b, "its exit code asks for ez_ret(), and it returns nothing");
    else if (b->result && b->t->lang == EZ_SPEC_CXX && !r->scalar)
        ez_body_leave(
            b, "its exit code asks for ez_ret(), and the result is a class or not known yet");
    if (b->leave && r->result && !ez_body_guarded(b) && strstr(r->result, " at "))
        ez_body_leave(b, "the type of its result has no name");
    b->order = ez_edit_reserve(b->edits);
    clang_visitChildren(r->body, body_visit, b);
    if (!r->left)
        ez_body_frame(b);
}

void ez_body_free(struct ez_body *b)
{
    for (size_t i = 0; i < b->exits.n; i++)
        free(b->exits.at[i]);
    EZ_VEC_FREE(&b->exits);
    EZ_VEC_FREE(&b->hiding);
    EZ_VEC_FREE(&b->loops);
    free(b->leave);
}
