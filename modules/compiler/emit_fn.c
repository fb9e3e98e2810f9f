/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emit_fn.c - writes the replacement of one function.
 *
 * The C has only the instructions that the commands need: the guard against nesting is written only
 * if a value calls something. If no command follows the call of the original, the call comes last,
 * so that the compiler makes it a jump.
 * Tests: tests/unit/modules/check_emit.c, tests/unit/modules/check_module.c */
#include <ctype.h>
#include <string.h>

#include "modules/compiler/emit.h"

struct fn {
    struct ez_emit *e;
    const struct ez_tpl_function *f;
    /* pushes, pops: numbers before the call of the original; later: number of pops after the
     * call */
    unsigned pushes, pops, later;
    bool conditional; /* pushes or pops before the call are in IFs */
    /* records: the function has a RECORD_STATE; behind: the function has commands after the call */
    bool records, behind;
};

static struct fn fn_plan(struct ez_emit *e, const struct ez_tpl_function *f)
{
    struct fn p = { .e = e, .f = f };
    for (size_t i = 0; i < f->cmds.n; i++) {
        const struct ez_tpl_cmd *c = &f->cmds.at[i];
        bool pushes = c->kind == EZ_TPL_PUSH || c->kind == EZ_TPL_RECORD;
        p.behind |= i > f->call || c->kind == EZ_TPL_RECORD || c->kind == EZ_TPL_COUNTERS;
        p.records |= c->kind == EZ_TPL_RECORD;
        p.later += c->kind == EZ_TPL_RECORD || (i > f->call && c->kind == EZ_TPL_POP);
        if (i > f->call)
            continue;
        p.pushes += pushes;
        p.pops += c->kind == EZ_TPL_POP;
        p.conditional |= c->depth && (pushes || c->kind == EZ_TPL_POP);
    }
    return p;
}

/* Returns how many states are open during the original, and are closed after the original. */
static unsigned fn_open(const struct fn *p)
{
    unsigned depth = 0;
    for (size_t i = 0; i < p->f->call; i++) {
        enum ez_tpl_kind kind = p->f->cmds.at[i].kind;
        depth += kind == EZ_TPL_PUSH || kind == EZ_TPL_RECORD;
        depth -= kind == EZ_TPL_POP && depth;
    }
    return EZ_MIN(depth, p->later);
}

static bool fn_unwinds(const struct fn *p)
{
    return p->conditional ? p->pushes && p->later : fn_open(p) > 0;
}

bool ez_emit_unwinds(const struct ez_tpl_function *f)
{
    struct fn p = fn_plan(NULL, f);
    return fn_unwinds(&p);
}

/* ---- the description ------------------------------------------------------------------------- */

static void fn_describe(struct ez_emit *e, const struct ez_tpl_cmd *c)
{
    static const char *const action[] = {
        [EZ_TPL_COUNTERS] = "sample", [EZ_TPL_ADD_VAR] = "var-add", [EZ_TPL_EVENT] = "event",
        [EZ_TPL_POP] = "pop",         [EZ_TPL_PUSH] = "push",       [EZ_TPL_RECORD] = "push",
        [EZ_TPL_SET] = "set",         [EZ_TPL_SET_VAR] = "var-set", [EZ_TPL_SUB_VAR] = "var-sub",
    };
    bool variable = c->text && c->expr.n;
    if (!c->event)
        return;
    ez_emit_text(e, "EZT_EVENT(%u, \"%s\", \"%s\", ", c->event, action[c->kind],
                 variable ? "process" : "thread");
    ez_emit_string(e, c->text ? c->text : "");
    ez_emit_text(e, ")\n");
    if (c->kind == EZ_TPL_COUNTERS)
        ez_emit_text(e, "EZT_WORDS_FROM(%u, ezt_counters_words)\n", c->event);
    if (c->kind == EZ_TPL_RECORD)
        ez_emit_text(e, "EZT_EVENT(%u, \"pop\", \"thread\", \"\")\n", c->event + 1);
}

/* ---- the commands ---------------------------------------------------------------------------- */

static void fn_value(const struct fn *p, const struct ez_tpl_cmd *c)
{
    ez_emit_line(p->e, c->depth + 1, "ezt_event1(%u, ezt_double((double)(", c->event);
    ez_emit_piece(p->e, c->expr, p->f);
    ez_emit_text(p->e, ")));\n");
}

static void fn_if(const struct fn *p, const struct ez_tpl_cmd *c)
{
    ez_emit_line(p->e, c->depth + 1, "if (");
    ez_emit_piece(p->e, c->expr, p->f);
    ez_emit_text(p->e, ") {\n");
}

/* Writes code that counts the open states, if their number is known only at run time. */
static void fn_count(const struct fn *p, const struct ez_tpl_cmd *c, bool before)
{
    if (!before || !p->conditional || !fn_unwinds(p))
        return;
    if (c->kind == EZ_TPL_POP)
        ez_emit_line(p->e, c->depth + 1, "ezt_open -= ezt_open > 0;\n");
    else if (c->kind == EZ_TPL_PUSH || c->kind == EZ_TPL_RECORD)
        ez_emit_line(p->e, c->depth + 1, "ezt_open++;\n");
}

static void fn_command(const struct fn *p, const struct ez_tpl_cmd *c, bool before)
{
    switch (c->kind) {
    case EZ_TPL_IF:
        fn_if(p, c);
        break;
    case EZ_TPL_ELSE:
        ez_emit_line(p->e, c->depth + 1, "} else {\n");
        break;
    case EZ_TPL_END_IF:
        ez_emit_line(p->e, c->depth + 1, "}\n");
        break;
    case EZ_TPL_ADD_VAR:
    case EZ_TPL_SET_VAR:
    case EZ_TPL_SUB_VAR:
        fn_value(p, c);
        break;
    case EZ_TPL_COUNTERS:
        ez_emit_line(p->e, 1, "ezt_counters(%u);\n", c->event);
        break;
    default:
        ez_emit_line(p->e, c->depth + 1, "ezt_event0(%u);\n", c->event);
    }
    if (c->kind == EZ_TPL_RECORD && c->depth)
        ez_emit_line(p->e, c->depth + 1, "ezt_in_%u = 1;\n", c->event);
    fn_count(p, c, before);
}

/* Writes the end of each RECORD_STATE after all other commands, in reverse order; of COUNTERS,
 * too. */
static void fn_end_records(const struct fn *p)
{
    for (size_t i = p->f->call; i-- > 0;) {
        const struct ez_tpl_cmd *c = &p->f->cmds.at[i];
        if (c->kind == EZ_TPL_COUNTERS)
            ez_emit_line(p->e, 1, "ezt_counters(%u);\n", c->event);
        if (c->kind != EZ_TPL_RECORD)
            continue;
        if (c->depth)
            ez_emit_line(p->e, 1, "if (ezt_in_%u)\n    ", c->event);
        ez_emit_line(p->e, 1, "ezt_event0(%u);\n", c->event + 1);
    }
}

/* ---- the function ---------------------------------------------------------------------------- */

static void fn_nested(const struct fn *p)
{
    ez_emit_text(p->e,
                 "    struct ezt_frame ezt_frame;\n    if (!ezt_enter(&ezt_frame)) {\n        ");
    if (!p->f->is_void && !p->f->character) {
        ez_emit_text(p->e, p->f->ellipsis ? "" : "return ");
        if (p->f->ellipsis)
            ez_emit_result(p->e, p->f);
    }
    ez_emit_call(p->e, p->f);
    ez_emit_text(p->e, ";\n");
    if (p->f->ellipsis)
        ez_emit_text(p->e, "        va_end(ezt_args);\n");
    if (p->f->is_void || p->f->character)
        ez_emit_text(p->e, "        return;\n");
    else if (p->f->ellipsis)
        ez_emit_text(p->e, "        return RESULT;\n");
    ez_emit_text(p->e, "    }\n");
}

static void fn_locals(const struct fn *p)
{
    const struct ez_tpl_function *f = p->f;
    if (f->ellipsis)
        ez_emit_text(p->e, "    va_list ezt_args;\n    va_start(ezt_args, %s);\n",
                     f->params.at[f->params.n - 1].name);
    if (f->guard)
        fn_nested(p);
    if (p->conditional && fn_unwinds(p))
        ez_emit_text(p->e, "    __attribute__((cleanup(ezt_unwound))) unsigned ezt_open = 0;\n");
    for (size_t i = 0; i < f->call; i++)
        if (f->cmds.at[i].kind == EZ_TPL_RECORD && f->cmds.at[i].depth)
            ez_emit_text(p->e, "    int ezt_in_%u = 0;\n", f->cmds.at[i].event);
}

static void fn_call(const struct fn *p)
{
    bool gives = !p->f->is_void && !p->f->character, unwinds = fn_unwinds(p);
    if (p->f->guard)
        ez_emit_text(p->e, "    ezt_out(&ezt_frame);\n");
    if (unwinds && !p->conditional)
        ez_emit_text(p->e, "    __attribute__((cleanup(ezt_unwound))) unsigned ezt_open = %u;\n",
                     fn_open(p));
    else if (unwinds && p->pushes > p->later)
        ez_emit_text(p->e, "    ezt_open = ezt_open > %u ? %u : ezt_open;\n", p->later, p->later);
    ez_emit_text(p->e, "    ");
    if (gives && !p->behind && !p->f->ellipsis)
        ez_emit_text(p->e, "return ");
    else if (gives)
        ez_emit_result(p->e, p->f);
    ez_emit_call(p->e, p->f);
    ez_emit_text(p->e, ";\n");
    if (unwinds)
        ez_emit_text(p->e, "    ezt_open = 0;\n");
    if (p->f->guard && p->behind)
        ez_emit_text(p->e, "    ezt_in(&ezt_frame);\n");
}

static void fn_body(const struct fn *p)
{
    const struct ez_tpl_function *f = p->f;
    fn_locals(p);
    for (size_t i = 0; i < f->call; i++)
        fn_command(p, &f->cmds.at[i], true);
    fn_call(p);
    for (size_t i = f->call + 1; i < f->cmds.n; i++)
        fn_command(p, &f->cmds.at[i], false);
    fn_end_records(p);
    if (f->guard && p->behind)
        ez_emit_text(p->e, "    ezt_leave(&ezt_frame);\n");
    if (f->ellipsis)
        ez_emit_text(p->e, "    va_end(ezt_args);\n");
    if (!f->is_void && !f->character && (p->behind || f->ellipsis))
        ez_emit_text(p->e, "    return RESULT;\n");
}

/* Returns true if a part of the name begins at p: for example printf in sqlite3_mprintf, gzprintf
 * and xmlStrPrintf. */
static bool fn_word_begins(const char *name, const char *p)
{
    static const char *const stem[] = { "printf", "scanf", "Printf", "Scanf" };
    if (p == name || p[-1] == '_')
        return *p != 0;
    for (size_t i = 0; i < EZ_ARRAY_LEN(stem); i++)
        if (!strncmp(p, stem[i], strlen(stem[i])))
            return true;
    return false;
}

/* Lists usual names of functions with a va_list in place of "...": vprintf, gzvprintf,
 * g_object_set_valist. */
static void fn_twins(struct ez_emit *e, const char *name)
{
    ez_emit_text(e, ", \"");
    for (const char *p = name; *p; p++)
        if (fn_word_begins(name, p))
            ez_emit_text(e, "%.*s%c%s ", (int)(p - name), name,
                         p > name && isupper((unsigned char)*p) ? 'V' : 'v', p);
    ez_emit_text(e, "%s_valist\"", name);
}

void ez_emit_function(struct ez_emit *e, const struct ez_tpl_function *f)
{
    struct fn p = fn_plan(e, f);
    ez_emit_text(e, "\n");
    ez_emit_here(e, f->at);
    ez_emit_text(e, "/* ---- %s, line %u ---- */\n", f->name, ez_src_line(e->s->t, f->at));
    for (size_t i = 0; i < f->cmds.n; i++)
        fn_describe(e, &f->cmds.at[i]);
    ez_emit_text(e, "EZT_REPLACE%s(\"%s\", replace_%s, orig_%s", f->ellipsis ? "_VARIADIC" : "",
                 f->symbol, f->symbol, f->symbol);
    if (f->ellipsis)
        fn_twins(e, f->symbol);
    ez_emit_text(e, ")\n\n");
    ez_emit_declare(e, f, EZ_EMIT_ORIGINAL);
    ez_emit_text(e, ";\n\n");
    ez_emit_declare(e, f, EZ_EMIT_REPLACEMENT);
    ez_emit_text(e, "\n{\n");
    fn_body(&p);
    ez_emit_text(e, "}\n");
}
