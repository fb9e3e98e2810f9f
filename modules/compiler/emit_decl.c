/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emit_decl.c - declares the replacement of a function, and calls the original.
 *
 * FORTRAN: an argument is passed by its address. The length of a CHARACTER is one more argument,
 * after all others. A function with a CHARACTER result gets the address and the length of the
 * result as its first two arguments.
 * Tests: tests/unit/modules/check_emit.c */
#include <string.h>

#include "modules/compiler/emit.h"

bool ez_emit_by_reference(const struct ez_script *s, const struct ez_tpl_param *p)
{
    return s->fortran && !p->derived && !p->by_value && !p->character;
}

/* Writes a blank, if the last character must be separated from the name that follows. */
static void decl_blank(struct ez_emit *e)
{
    if (e->out.n && !strchr("*( ", e->out.at[e->out.n - 1]))
        ez_emit_text(e, " ");
}

static void decl_param(struct ez_emit *e, const struct ez_tpl_param *p)
{
    if (p->character) {
        ez_emit_text(e, "char *%s", p->name);
        return;
    }
    ez_emit_piece(e, p->before, NULL);
    decl_blank(e);
    ez_emit_text(e, "%s", ez_emit_by_reference(e->s, p) ? "*" : "");
    ez_emit_text(e, "%s", p->name);
    ez_emit_piece(e, p->after, NULL);
}

static void decl_params(struct ez_emit *e, const struct ez_tpl_function *f, const char *variable)
{
    const char *part = "";
    ez_emit_text(e, "(");
    if (f->character) {
        ez_emit_text(e, "char *RESULT, size_t RESULT_len");
        part = ", ";
    }
    for (size_t i = 0; i < f->params.n; i++, part = ", ") {
        ez_emit_text(e, "%s", part);
        decl_param(e, &f->params.at[i]);
    }
    for (size_t i = 0; i < f->params.n; i++)
        if (f->params.at[i].character)
            ez_emit_text(e, ", size_t %s_len", f->params.at[i].name);
    if (f->ellipsis)
        ez_emit_text(e, ", %s", variable);
    else if (!*part)
        ez_emit_text(e, "void");
    ez_emit_text(e, ")");
}

static void decl_type(struct ez_emit *e, const struct ez_tpl_function *f)
{
    if (f->is_void || f->character)
        ez_emit_text(e, "void");
    else
        ez_emit_piece(e, f->before, NULL);
    decl_blank(e);
}

void ez_emit_declare(struct ez_emit *e, const struct ez_tpl_function *f, enum ez_emit_as as)
{
    static const char *const prefix[] = {
        [EZ_EMIT_REPLACEMENT] = "replace_", [EZ_EMIT_ORIGINAL] = "(*orig_"
    };
    static const char *const storage[] = {
        [EZ_EMIT_REPLACEMENT] = "EZT_EXPORT", [EZ_EMIT_ORIGINAL] = "EZT_ORIG"
    };
    ez_emit_text(e, "%s ", storage[as]);
    decl_type(e, f);
    ez_emit_text(e, "%s%s%s", prefix[as], f->symbol, as == EZ_EMIT_ORIGINAL ? ")" : "");
    decl_params(e, f, as == EZ_EMIT_ORIGINAL ? "va_list" : "...");
    ez_emit_piece(e, f->after, NULL);
}

void ez_emit_call(struct ez_emit *e, const struct ez_tpl_function *f)
{
    const char *part = f->character ? ", " : "";
    ez_emit_text(e, "orig_%s(%s", f->symbol, f->character ? "RESULT, RESULT_len" : "");
    for (size_t i = 0; i < f->params.n; i++, part = ", ")
        ez_emit_text(e, "%s%s", part, f->params.at[i].name);
    for (size_t i = 0; i < f->params.n; i++)
        if (f->params.at[i].character)
            ez_emit_text(e, ", %s_len", f->params.at[i].name);
    ez_emit_text(e, "%s)", f->ellipsis ? ", ezt_args" : "");
}

void ez_emit_result(struct ez_emit *e, const struct ez_tpl_function *f)
{
    decl_type(e, f);
    ez_emit_text(e, "RESULT");
    ez_emit_piece(e, f->after, NULL);
    ez_emit_text(e, " = ");
}
