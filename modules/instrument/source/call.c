/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call.c - code around calls in C and C++ (body.h).
 * Tests: tests/source/snippets.sh, tests/source/inside.sh */
#include "modules/instrument/source/body.h"

#include <ctype.h>
#include <string.h>

#include "engine/base/strutil.h"

static bool call_aborts(const char *name)
{
    static const char *const names[] = { "exit",       "abort",      "_exit",
                                         "_Exit",      "quick_exit", "std::exit",
                                         "std::abort", "std::_Exit", "std::quick_exit" };
    for (size_t i = 0; i < EZ_ARRAY_LEN(names); i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

/* Returns true if the call's result is neither a class nor a reference, so that C++98 can keep it
 * in a variable. */
static bool call_kept(CXCursor callee)
{
    CXType type = clang_getCanonicalType(clang_getCursorResultType(callee));
    return type.kind != CXType_Record && type.kind != CXType_LValueReference &&
           type.kind != CXType_Unexposed && type.kind != CXType_Invalid;
}

/* ---- C++11: a lambda around the call, in which an object's destructor runs the code ---------- */

/* Finds a class object that lives until the end of the expression: the result of the call may refer
 * to that object. A visitor. */
static enum CXChildVisitResult call_temporary(CXCursor c, CXCursor parent, CXClientData data)
{
    CXCursor callee = clang_getCursorReferenced(c);
    (void)parent;
    if (c.kind == CXCursor_LambdaExpr || c.kind == CXCursor_InitListExpr)
        *(bool *)data = true;
    else if (c.kind == CXCursor_CallExpr)
        *(bool *)data |=
            callee.kind == CXCursor_Constructor ||
            (clang_getCanonicalType(clang_getCursorType(c)).kind == CXType_Record &&
             clang_getCanonicalType(clang_getCursorResultType(callee)).kind == CXType_Record);
    return *(bool *)data ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static enum CXChildVisitResult call_first(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(CXCursor *)data = c;
    return CXChildVisit_Break;
}

/* Returns true if a reference parameter gets an unnamed value. */
static bool call_value(CXCursor argument)
{
    while (argument.kind == CXCursor_UnexposedExpr || argument.kind == CXCursor_ParenExpr) {
        CXCursor inner = clang_getNullCursor();
        clang_visitChildren(argument, call_first, &inner);
        if (clang_Cursor_isNull(inner))
            break;
        argument = inner;
    }
    return argument.kind != CXCursor_DeclRefExpr && argument.kind != CXCursor_MemberRefExpr &&
           argument.kind != CXCursor_ArraySubscriptExpr &&
           argument.kind != CXCursor_StringLiteral && argument.kind != CXCursor_UnaryOperator &&
           argument.kind != CXCursor_CXXThisExpr;
}

static bool call_reference(CXType type)
{
    type = clang_getCanonicalType(type);
    return type.kind == CXType_LValueReference || type.kind == CXType_RValueReference;
}

/* Returns true if the result may refer to an object that would end with the lambda. */
static bool call_refers(CXCursor c, CXCursor callee)
{
    CXType result = clang_getCanonicalType(clang_getCursorResultType(callee)),
           type = clang_getCursorType(callee);
    bool found = false;
    if ((result.kind >= CXType_Void && result.kind <= CXType_LongDouble) ||
        result.kind == CXType_Enum)
        return false;
    clang_visitChildren(c, call_temporary, &found);
    for (int i = 0; i < clang_Cursor_getNumArguments(c) && !found; i++)
        if (i < clang_getNumArgTypes(type) && call_reference(clang_getArgType(type, (unsigned)i)))
            found = call_value(clang_Cursor_getArgument(c, (unsigned)i));
    return found;
}

static enum CXChildVisitResult call_lambda(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(bool *)data |= c.kind == CXCursor_LambdaExpr;
    return *(bool *)data ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* Returns the result type for the lambda, or NULL if none can be written. In C++11 it is the name
 * of the type, or else decltype of the expression, which then may not call a member of `this` nor
 * contain a lambda. The caller frees. */
static char *call_type(const struct ez_body *b, CXCursor c, CXCursor callee, size_t a, size_t end)
{
    CXType type = clang_getCanonicalType(clang_getCursorResultType(callee));
    EZ_FREE char *name = ez_tu_string(clang_getTypeSpelling(type));
    bool lambda = false;
    if (b->t->standard >= 14)
        return ez_strdup("decltype(auto)");
    if (*name && type.kind != CXType_Unexposed && !strchr(name, '(') &&
        !strstr(name, "type-parameter"))
        return ez_strdup(name);
    clang_visitChildren(c, call_lambda, &lambda);
    return lambda ? NULL : ez_sprintf("decltype(%.*s)", (int)(end - a), b->t->text + a);
}

static void call_guarded(struct ez_body *b, CXCursor c, CXCursor callee, size_t a, size_t end,
                         const char *entry, const char *exit)
{
    unsigned id = b->id, n = b->places;
    EZ_FREE char *type = call_type(b, c, callee, a, end);
    EZ_FREE char *guard =
        exit ? ez_sprintf("auto ez_after_%u_%u = [&] { %s\n}; ez_guard_<decltype(ez_after_%u_%u)> "
                          "ez_call_%u_%u{ez_after_%u_%u}; ",
                          id, n, exit, id, n, id, n, id, n)
             : ez_strdup("");
    if (call_refers(c, callee))
        ez_body_leave(b, "the result of a call may refer to a value that ends with it");
    else if (!type)
        ez_body_leave(b, "the type of a call's result has no name in C++11");
    else
        ez_edit_around(b->edits, a,
                       ez_sprintf("([&]() -> %s { %s\n%sreturn ", type, entry ? entry : "", guard),
                       end, ez_strdup("; }())"));
}

/* ---- C and C++98: a statement expression or a block ------------------------------------------ */

static void call_around(struct ez_body *b, CXCursor c, CXCursor callee, size_t a, size_t end,
                        const char *entry, const char *exit)
{
    bool none = clang_getCanonicalType(clang_getCursorType(c)).kind == CXType_Void;
    EZ_FREE char *type = b->t->lang == EZ_SPEC_CXX
                             ? ez_sprintf("__typeof__(%.*s)", (int)(end - a), b->t->text + a)
                             : ez_strdup("__auto_type");
    if (ez_body_guarded(b))
        call_guarded(b, c, callee, a, end, entry, exit);
    else if (b->t->lang == EZ_SPEC_CXX && !call_kept(callee))
        ez_body_leave(b, "the result of a call is a class or a reference, which C++98 cannot keep");
    else if (none)
        ez_edit_around(b->edits, a, ez_sprintf("__extension__ ({ %s\n", entry ? entry : ""), end,
                       ez_sprintf("; %s\n(void)0; })", exit ? exit : ""));
    else
        ez_edit_around(b->edits, a,
                       ez_sprintf("__extension__ ({ %s\n%s ez_call_%u_%u = ", entry ? entry : "",
                                  type, b->id, b->places),
                       end,
                       ez_sprintf("; %s\nez_call_%u_%u; })", exit ? exit : "", b->id, b->places));
}

/* Returns true if the byte is in decltype(...) or the like, where calls are not evaluated: libclang
 * visits types, too. */
static bool call_unevaluated(const struct ez_body *b, size_t at)
{
    static const char *const words[] = { "decltype",   "typeof",  "__typeof__",
                                         "__decltype", "alignof", "static_assert" };
    const char *p = b->t->text;
    size_t closed = 0;
    for (; at > b->r->begin && !strchr(";{}", p[at - 1]); at--) {
        size_t end = at - 1, n = 0;
        closed += p[at - 1] == ')';
        if (p[at - 1] != '(' || (closed && closed--))
            continue;
        while (end && strchr(" \t\n", p[end - 1]))
            end--;
        while (n < end && (isalnum((unsigned char)p[end - n - 1]) || p[end - n - 1] == '_'))
            n++;
        for (size_t i = 0; i < EZ_ARRAY_LEN(words); i++)
            if (n == strlen(words[i]) && !memcmp(p + end - n, words[i], n))
                return true;
    }
    return false;
}

/* Returns true if the bytes [a, end) are written as a call. Constructors also occur where no call
 * can be: in declarations, after new. Implicit calls of C++ have no text. */
static bool call_is(const struct ez_body *b, CXCursor callee, const char *name, size_t a,
                    size_t end)
{
    static const char *const inside[] = { "alloca",    "setjmp",      "_setjmp",
                                          "sigsetjmp", "__sigsetjmp", "vfork" };
    if (b->t->lang != EZ_SPEC_CXX)
        return true;
    for (size_t i = 0; i < EZ_ARRAY_LEN(inside); i++)
        if (!strcmp(name, inside[i]))
            return false; /* alloca, setjmp and the like must be called by the routine itself */
    return callee.kind != CXCursor_Constructor && callee.kind != CXCursor_Destructor &&
           callee.kind != CXCursor_ConversionFunction && b->t->text[end - 1] == ')' &&
           strncmp(name, "__builtin_", 10) != 0 && !call_unevaluated(b, a);
}

void ez_body_call(struct ez_body *b, CXCursor c, size_t a, size_t end)
{
    CXCursor callee = clang_getCursorReferenced(c);
    if (clang_Cursor_isNull(callee) || clang_isInvalid(callee.kind))
        return;
    EZ_FREE char *name = ez_routine_name(callee);
    bool is = call_is(b, callee, name, a, end);
    EZ_FREE char *abort = call_aborts(name) ? ez_body_fragment(b, EZ_SPEC_ABORT, a, NULL) : NULL,
                 *entry = is ? ez_body_fragment(b, EZ_SPEC_CALL_ENTRY, a, name) : NULL,
                 *exit = is ? ez_body_fragment(b, EZ_SPEC_CALL_EXIT, a, name) : NULL;
    if ((!abort && !entry && !exit) || ez_body_hidden(b, a, end - 1))
        return;
    b->places++;
    if (abort)
        ez_edit_around(b->edits, a, ez_sprintf("__extension__ ({ %s\n", abort), end,
                       ez_strdup("; })"));
    if (entry || exit)
        call_around(b, c, callee, a, end, entry, exit);
}
