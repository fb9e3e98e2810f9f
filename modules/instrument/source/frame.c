/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frame.c - writes the code at the start and the end of a body (body.h).
 * Tests: tests/source/snippets.sh */
#include "modules/instrument/source/body.h"

#include <string.h>

#include "engine/base/strutil.h"

static enum CXChildVisitResult frame_last(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(enum CXCursorKind *)data = c.kind;
    return CXChildVisit_Continue;
}

/* Returns declarations of ez_argc and ez_argv if the code of `init` uses them and main has no
 * parameters; else "". The caller frees. */
static char *frame_arguments(const struct ez_body *b, const char *init)
{
    if (!init || strcmp(b->r->r.argc, "ez_argc") != 0 ||
        !(strstr(init, "ez_argc") || strstr(init, "ez_argv")))
        return ez_strdup("");
    return ez_strdup("int ez_argc = 1; char ez_arg0[] = \"unknown\", *ez_args[] = { ez_arg0, 0 }, "
                     "**ez_argv = ez_args; "
                     "(void)ez_argc; (void)ez_argv;");
}

/* Returns the C++ code that runs EXIT wherever the body is left: an object; in C++98, the start of
 * a try block. The caller frees. */
static char *frame_guard(const struct ez_body *b)
{
    if (!b->leave || b->t->lang != EZ_SPEC_CXX)
        return ez_strdup("");
    if (!ez_body_guarded(b))
        return ez_sprintf("int ez_done_%u = 0; (void)ez_done_%u;%s", b->id, b->id,
                          ez_body_catches(b) ? " try" : "");
    char *cases = ez_strdup("");
    for (size_t i = 0; i < b->exits.n; i++) {
        EZ_FREE char *before = cases;
        cases = ez_sprintf("%scase %zu: { %s\n} break; ", before, i + 1, b->exits.at[i]);
    }
    EZ_FREE char *all = cases;
    unsigned id = b->id;
    EZ_FREE char *code =
        b->exits.n ? ez_sprintf("switch (ez_site_%u) { %sdefault: { %s\n} }", id, all, b->leave)
                   : ez_sprintf("%s\n", b->leave);
    EZ_FREE char *site = b->exits.n ? ez_sprintf("int ez_site_%u = 0; ", id) : ez_strdup("");
    return ez_sprintf("%sauto ez_leave_%u = [&] { %s}; ez_guard_<decltype(ez_leave_%u)> "
                      "ez_left_%u{ez_leave_%u}; ",
                      site, id, code, id, id, id);
}

/* Returns a declaration for EXIT's code: if an object runs it, of the variable for the result; else
 * of a new name of the result's type, because a name in the body could hide the old one. The caller
 * frees. */
static char *frame_result_type(const struct ez_body *b)
{
    if (!b->leave || !b->r->result)
        return ez_strdup("");
    if (ez_body_guarded(b))
        return b->result ? ez_sprintf("%s ez_result; ", b->r->result) : ez_strdup("");
    return ez_sprintf("typedef __typeof__(%s) ez_result_%u __attribute__((__unused__));",
                      b->r->result, b->id);
}

/* Returns the code after the body. If no object runs EXIT, it is the handler that runs EXIT for
 * exceptions, and EXIT itself if control reaches the end. The caller frees. */
static char *frame_after(const struct ez_body *b, bool ends)
{
    if (!b->leave || ez_body_guarded(b))
        return ez_strdup("} ");
    unsigned id = b->id;
    bool cxx = b->t->lang == EZ_SPEC_CXX;
    EZ_FREE char *result = !b->result || !b->r->result ? ez_strdup("")
                           : cxx ? ez_sprintf("ez_result_%u ez_result = ez_result_%u(); ", id, id)
                                 : ez_sprintf("ez_result_%u ez_result = {0}; ", id);
    EZ_FREE char *handler =
        ez_body_catches(b)
            ? ez_sprintf("catch (...) { if (!ez_done_%u) { %s%s\n} throw; } ", id, result, b->leave)
            : ez_strdup("");
    if (!ends)
        return ez_sprintf("} %s", handler);
    return *result ? ez_sprintf("} %s{ %s%s\n}", handler, result, b->leave)
                   : ez_sprintf("} %s%s\n", handler, b->leave);
}

void ez_body_frame(struct ez_body *b)
{
    struct ez_own_routine *r = b->r;
    enum CXCursorKind last = 0;
    EZ_FREE char *decl = ez_body_fragment(b, EZ_SPEC_DECL, r->begin, NULL),
                 *entry = ez_body_fragment(b, EZ_SPEC_ENTRY, r->begin, NULL),
                 *init = r->is_main ? ez_body_fragment(b, EZ_SPEC_INIT, r->begin, NULL) : NULL;
    if (!decl && !entry && !init && !b->leave)
        return;
    b->places++;
    clang_visitChildren(r->body, frame_last, &last);
    EZ_FREE char *arguments = frame_arguments(b, init);
    EZ_FREE char *guard = frame_guard(b);
    EZ_FREE char *type = frame_result_type(b);
    const char *const parts[] = { decl, type, arguments, init, entry, guard };
    char *before = NULL;
    for (size_t i = 0; i < EZ_ARRAY_LEN(parts); i++)
        if (parts[i] && *parts[i])
            ez_str_add_line(&before, "%s%s", before ? "" : " ", parts[i]);
    EZ_FREE char *most = before;
    before = ez_sprintf("%s {", most ? most : "");
    ez_edit_reserved(b->edits, b->order, r->begin + 1, before, r->end - 1,
                     frame_after(b, last != CXCursor_ReturnStmt));
}
