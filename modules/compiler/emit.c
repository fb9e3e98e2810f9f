/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emit.c - writes the frame of a module's C, and texts into it (emit.h). */
#include "modules/compiler/emit.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "modules/compiler/token.h"

/* ---- writing ------------------------------------------------------------------------------ */

static void emit_bytes(struct ez_emit *e, const char *text, size_t n)
{
    EZ_RESERVE(&e->out, n + 1);
    for (size_t i = 0; i < n; i++) {
        e->out.at[e->out.n++] = text[i];
        e->col++;
        if (text[i] == '\n') {
            e->line++;
            e->col = 1;
        }
    }
    e->out.at[e->out.n] = 0;
}

static void emit_format(struct ez_emit *e, const char *fmt, va_list ap)
{
    EZ_FREE char *text = NULL;
    int n = vasprintf(&text, fmt, ap);
    if (n < 0)
        ez_out_of_memory();
    emit_bytes(e, text, (size_t)n);
}

void ez_emit_text(struct ez_emit *e, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    emit_format(e, fmt, ap);
    va_end(ap);
}

void ez_emit_line(struct ez_emit *e, unsigned depth, const char *fmt, ...)
{
    va_list ap;
    ez_emit_text(e, "%*s", (int)depth * 4, "");
    va_start(ap, fmt);
    emit_format(e, fmt, ap);
    va_end(ap);
}

void ez_emit_here(struct ez_emit *e, size_t at)
{
    EZ_PUSH(&e->from, ((struct ez_emit_from){ e->line, e->col, 0, at }));
}

static void emit_from(struct ez_emit *e, struct ez_piece p)
{
    EZ_PUSH(&e->from, ((struct ez_emit_from){ e->line, e->col, (unsigned)p.n, p.at }));
    emit_bytes(e, e->s->t->text + p.at, p.n);
}

static bool emit_is_reference(const struct ez_emit *e, const struct ez_tpl_function *f,
                              struct ez_piece word)
{
    for (size_t i = 0; f && i < f->params.n; i++)
        if (ez_piece_is(e->s->t, word, f->params.at[i].name))
            return ez_emit_by_reference(e->s, &f->params.at[i]);
    return false;
}

void ez_emit_piece(struct ez_emit *e, struct ez_piece p, const struct ez_tpl_function *f)
{
    const struct ez_src *t = e->s->t;
    bool member = false;
    for (size_t at = p.at, last = p.at; at < p.at + p.n; last = at) {
        struct ez_token k = ez_token_next(t, &at);
        if (k.p.at >= p.at + p.n) /* the last token was a comment */
            return;
        if (k.p.at > last && last > p.at)
            ez_emit_text(e, " ");
        bool value = k.kind == EZ_TOK_WORD && !member && emit_is_reference(e, f, k.p);
        ez_emit_text(e, "%s", value ? "(*" : "");
        emit_from(e, k.p);
        ez_emit_text(e, "%s", value ? ")" : "");
        member = ez_token_is(t, k, ".") || ez_token_is(t, k, "->");
    }
}

/* Writes a text as a C string. Keeps UTF-8, and escapes all other bytes. Also escapes a '?' after
 * another one, which -std=c11 could read as a trigraph. */
void ez_emit_string(struct ez_emit *e, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    ez_emit_text(e, "\"");
    while (*p) {
        uint32_t cp;
        size_t n = ez_utf8_decode(p, &cp);
        if (!n || *p < ' ' || *p == 0x7f) {
            ez_emit_text(e, "\\%03o", *p++);
        } else {
            bool escape =
                *p == '"' || *p == '\\' || (*p == '?' && (const char *)p > text && p[-1] == '?');
            ez_emit_text(e, "%s%.*s", escape ? "\\" : "", (int)n, (const char *)p);
            p += n;
        }
    }
    ez_emit_text(e, "\"");
}

/* ---- the module ----------------------------------------------------------------------------- */

static void emit_counters(struct ez_emit *e)
{
    bool any = false;
    for (size_t i = 0; i < e->s->functions.n; i++)
        any |= e->s->functions.at[i].counters;
    if (!any)
        return;
    for (size_t i = 0; i < e->s->counters.n; i++) {
        ez_emit_text(e, "%s", i ? " \" \" " : "#define EZT_COUNTERS_EVENTS ");
        ez_emit_string(e, e->s->counters.at[i]);
    }
    ez_emit_text(e, "%s#include <ezt_counters.h>\n", e->s->counters.n ? "\n" : "");
}

/* Writes the file's first comment. The script's file name is changed so that it cannot end the
 * comment. */
static void emit_head(struct ez_emit *e)
{
    EZ_FREE char *file = ez_strdup(ez_base_name(e->s->t->name));
    for (char *p = file; *p; p++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", *p))
            *p = '_';
    ez_emit_text(e,
                 "/* %s.c - made by eztsh-modc from %s, to be read, and edited if need be:\n"
                 " *\n"
                 " *   cc -O2 -fPIC -shared -fvisibility=hidden -fexceptions -std=gnu11 \\\n"
                 " *       $(eztsh-modc -cflags) %s.c -o %s.so\n"
                 " *\n"
                 " * with what BEGIN_CFLAGS and BEGIN_LDFLAGS of the script say. Each EZT_EVENT "
                 "says what an\n"
                 " * event of that number means. orig_NAME goes on into the original function. */\n"
                 "#include <ezt_probe.h>\n\n"
                 "#include <stdarg.h>\n#include <stddef.h>\n#include <sys/types.h>\n",
                 e->s->name, file, e->s->name, e->s->name);
    emit_counters(e);
}

static void emit_includes(struct ez_emit *e)
{
    const struct ez_src *t = e->s->t;
    for (size_t i = 0; i < e->s->includes.n; i++) {
        struct ez_piece block = e->s->includes.at[i];
        ez_emit_text(e, "\n");
        for (size_t at = block.at; at < block.at + block.n;) {
            size_t end = ez_src_line_end(t, at), last = end;
            last -= last > at && t->text[last - 1] == '\r';
            emit_from(e, (struct ez_piece){ at, last - at });
            ez_emit_text(e, "\n");
            at = end + 1;
        }
    }
}

/* Defines the FORTRAN names of types that prototypes use. */
static void emit_types(struct ez_emit *e)
{
    static const char *const types[][2] = {
        { "INTEGER", "int" },
        { "INTEGER8", "long long" },
        { "LOGICAL", "int" },
        { "REAL", "float" },
        { "REAL8", "double" },
        { "COMPLEX", "float _Complex" },
        { "COMPLEX16", "double _Complex" },
    };
    const char *blank = "\n";
    for (size_t i = 0; i < EZ_ARRAY_LEN(types) && e->s->fortran; i++) {
        bool used = false;
        for (size_t k = 0; k < e->s->functions.n; k++) {
            const struct ez_tpl_function *f = &e->s->functions.at[k];
            used |= ez_piece_is(e->s->t, f->before, types[i][0]);
            for (size_t n = 0; n < f->params.n; n++)
                used |= ez_expr_uses(e->s->t, f->params.at[n].before, types[i][0]) != SIZE_MAX;
        }
        if (!used)
            continue;
        ez_emit_text(e, "%stypedef %s %s;\n", blank, types[i][1], types[i][0]);
        blank = "";
    }
}

/* Declares "struct s" once before the prototypes: inside each prototype it would be another
 * type. */
static void emit_tag(struct ez_emit *e, struct ez_token word, struct ez_token tag)
{
    const struct ez_src *t = e->s->t;
    if (!(ez_token_is(t, word, "struct") || ez_token_is(t, word, "union")) ||
        tag.kind != EZ_TOK_WORD)
        return;
    EZ_FREE char *line = ez_sprintf("\n%.*s %.*s;\n", (int)word.p.n, t->text + word.p.at,
                                    (int)tag.p.n, t->text + tag.p.at);
    if (!strstr(e->out.at, line))
        ez_emit_text(e, "%s", line + 1);
}

static void emit_tags(struct ez_emit *e, struct ez_piece p)
{
    struct ez_token last = { EZ_TOK_END, { 0, 0 } };
    for (size_t at = p.at; at < p.at + p.n;) {
        struct ez_token k = ez_token_next(e->s->t, &at);
        emit_tag(e, last, k);
        last = k;
    }
}

static void emit_declared(struct ez_emit *e)
{
    ez_emit_text(e, "\n");
    size_t start = e->out.n;
    for (size_t i = 0; i < e->s->functions.n; i++) {
        const struct ez_tpl_function *f = &e->s->functions.at[i];
        emit_tags(e, f->before);
        for (size_t k = 0; k < f->params.n; k++) {
            emit_tags(e, f->params.at[k].before);
            emit_tags(e, f->params.at[k].after);
        }
    }
    ez_emit_text(e, "%s", e->out.n > start ? "\n" : "");
}

/* Writes code that pops the states which a call has pushed, if an exception or a cancellation
 * leaves the original before the call's own pops. If the call leaves no state open, the C compiler
 * removes this code. */
static void emit_unwound(struct ez_emit *e)
{
    bool any = false;
    for (size_t i = 0; i < e->s->functions.n; i++)
        any |= ez_emit_unwinds(&e->s->functions.at[i]);
    if (!any)
        return;
    ez_emit_text(e,
                 "\n/* An exception or a cancellation left the original: the states that the call "
                 "has pushed end. */\n"
                 "EZT_EVENT(0, \"pop\", \"thread\", \"\")\n"
                 "static inline void ezt_unwound(const unsigned *open)\n"
                 "{\n"
                 "    for (unsigned i = *open; i; i--)\n"
                 "        ezt_event0(0);\n"
                 "}\n");
}

void ez_emit_module(struct ez_emit *e, const struct ez_script *s)
{
    *e = (struct ez_emit){ .s = s, .line = 1, .col = 1 };
    emit_head(e);
    emit_includes(e);
    emit_declared(e);
    ez_emit_text(e, "EZT_MODULE(");
    ez_emit_string(e, s->name);
    ez_emit_text(e, ", 0x%x, ", s->id);
    ez_emit_string(e, s->desc);
    ez_emit_text(e, ")\n");
    emit_types(e);
    emit_unwound(e);
    for (size_t i = 0; i < s->functions.n; i++)
        ez_emit_function(e, &s->functions.at[i]);
}

void ez_emit_deinit(struct ez_emit *e)
{
    EZ_VEC_FREE(&e->out);
    EZ_VEC_FREE(&e->from);
}

size_t ez_emit_origin(const struct ez_emit *e, unsigned line, unsigned col)
{
    size_t best = SIZE_MAX, function = SIZE_MAX;
    for (size_t i = 0; i < e->from.n; i++) {
        const struct ez_emit_from *f = &e->from.at[i];
        if (f->line > line)
            break;
        if (!f->n)
            function = f->at;
        if (f->line != line || !f->n || f->col > col)
            continue;
        best = f->at + (col < f->col + f->n ? col - f->col : 0);
    }
    return best == SIZE_MAX ? function : best;
}
