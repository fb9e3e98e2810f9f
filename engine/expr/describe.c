/* SPDX-License-Identifier: GPL-3.0-or-later */
/* describe.c - types as text (describe.h). Tests: tests/unit/dwarf/check_dwarf.c,
 * tests/procs/types.sh */
#include "engine/expr/describe.h"

#include <string.h>

#include "arch/arch.h"
#include "engine/expr/describe_priv.h"
#include "engine/expr/expr.h"
#include "engine/expr/gen.h"

#define MOST_LINES 10000 /* maximum number of members shown */
#define DEEPEST 1        /* maximum depth to which structs without a name are shown, as in gdb */

/* ---- the type of a text ---------------------------------------------------------------------- */

/* Finds the type of an expression by generating code and dropping it. */
static ez_err *describe_expression(const struct ez_scope *s, const struct ez_expr *x,
                                   const struct ez_type **out)
{
    struct ez_clause_code code = { 0 };
    struct gen g = { .code = &code, .scope = s, .at_exit = true, .types = true };
    struct gen_operand o;
    /* A C++ name may be the name of a reference, whose type must not be replaced by the
     * target's. */
    bool named = x->kind == EZ_X_NAME && s->is_cxx;
    ez_err *e = named ? gen_name(&g, x, &o) : gen_expr(&g, x, &o);
    EZ_VEC_FREE(&code.op);
    EZ_VEC_FREE(&g.saved);
    if (!e)
        *out = g.referred == x ? g.by : o.type;
    return e;
}

ez_err *ez_describe_type(const struct ez_scope *s, const char *text, const struct ez_type **out,
                         bool *named)
{
    struct ez_type_name *name = NULL;
    struct ez_expr *x = NULL;
    const struct ez_language words = ez_scope_language(s);
    *named = ez_err_drop(ez_type_name_parse(text, &words, &name));
    if (*named) {
        ez_err *e = s->type(s->arg, name, out);
        ez_type_name_free(name);
        return e;
    }
    EZ_TRY(ez_expr_parse(text, &words, &x));
    ez_err *e = describe_expression(s, x, out);
    ez_expr_free(x);
    return e;
}

/* ---- types over several lines ---------------------------------------------------------------- */

void describe_add(char **to, const char *text)
{
    char *was = *to;
    *to = ez_sprintf("%s%s", was, text);
    free(was);
}

static char *describe_body(const struct ez_type *t, unsigned depth, unsigned *left);

char *describe_member(const struct ez_field *f, unsigned depth, unsigned *left)
{
    const struct ez_type *t = ez_type_strip(f->type);
    bool inside = (t->kind == EZ_TY_STRUCT || t->kind == EZ_TY_UNION || t->kind == EZ_TY_ENUM) &&
                  !t->name && f->type == t && depth < DEEPEST && *left;
    const char *name = f->name ? f->name : "";
    EZ_FREE char *body = inside ? describe_body(t, depth + 1, left) : NULL;
    EZ_FREE char *text = inside ? ez_sprintf("%s%s%s", body, *name ? " " : "", name)
                                : ez_type_declare(f->type, name);
    EZ_FREE char *bits = f->bits ? ez_sprintf(" : %u", f->bits) : ez_strdup("");
    return ez_sprintf("%*s%s%s;\n", (int)(4 * (depth + 1)), "", text, bits);
}

static const char *describe_access(const struct ez_field *f)
{
    return f->access == EZ_PRIVATE ? "private" : f->access == EZ_PROTECTED ? "protected" : "public";
}

static char *describe_bases(const struct ez_type *t)
{
    char *s = ez_strdup("");
    for (size_t i = 0; i < t->nfields; i++)
        if (t->field[i].base) {
            EZ_FREE char *of =
                ez_sprintf("%s%s %s%s", *s ? ", " : " : ", describe_access(&t->field[i]),
                           t->field[i].vbase ? "virtual " : "",
                           t->field[i].type->name ? t->field[i].type->name : "?");
            describe_add(&s, of);
        }
    return s;
}

static char *describe_struct(const struct ez_type *t, unsigned depth, unsigned *left)
{
    EZ_FREE char *bases = describe_bases(t);
    const struct ez_type_class *class = ez_type_class(t);
    char *s = ez_sprintf("%s%s%s%s {\n",
                         t->kind == EZ_TY_UNION     ? "union"
                         : class && class->is_class ? "class"
                                                    : "struct",
                         t->name ? " " : "", t->name ? t->name : "", bases);
    if (class && describe_class(&s, t, depth, left)) {
        EZ_FREE char *last = ez_sprintf("%*s}", (int)(4 * depth), "");
        describe_add(&s, last);
        return s;
    }
    for (size_t i = 0; i < t->nfields && *left; i++) {
        --*left;
        EZ_FREE char *line = t->field[i].base ? NULL : describe_member(&t->field[i], depth, left);
        if (line)
            describe_add(&s, line);
    }
    EZ_FREE char *end = ez_sprintf("%s%*s}",
                                   t->nfields       ? ""
                                   : t->is_declared ? "    <incomplete type>\n"
                                                    : "    <no data fields>\n",
                                   (int)(4 * depth), "");
    describe_add(&s, end);
    return s;
}

static char *describe_enum(const struct ez_type *t)
{
    EZ_FREE char *under = t->is_cxx && t->to ? ez_type_text(t->to) : NULL;
    char *s =
        ez_sprintf("enum %s%s%s%s%s%s{", t->is_scoped ? "class " : "", t->name ? t->name : "",
                   t->name ? " " : "", under ? ": " : "", under ? under : "", under ? " " : "");
    int64_t next = 0;
    for (size_t i = 0; i < t->nenumerators; i++) {
        const struct ez_enumerator *n = &t->enumerator[i];
        EZ_FREE char *value =
            n->value == next ? ez_strdup("") : ez_sprintf(" = %lld", (long long)n->value);
        EZ_FREE char *one = ez_sprintf("%s%s%s", i ? ", " : "", n->name, value);
        describe_add(&s, one);
        next = n->value + 1;
    }
    describe_add(&s, "}");
    return s;
}

/* Returns a struct, union or enum from its keyword to its closing brace. */
static char *describe_body(const struct ez_type *t, unsigned depth, unsigned *left)
{
    ez_type_load(t);
    return t->kind == EZ_TY_ENUM ? describe_enum(t) : describe_struct(t, depth, left);
}

/* Returns the type without typedefs; for a struct or an enum, with members. */
char *ez_type_whole(const struct ez_type *t)
{
    unsigned left = MOST_LINES;
    struct ez_type part[64];
    size_t n = 0;
    bool more = true;
    if (ez_type_is_rust(t))
        return ez_rust_whole(t);
    EZ_FREE char *body = NULL;
    for (; more && n < EZ_ARRAY_LEN(part); t = t->to) {
        while (t->kind == EZ_TY_NAMED && t->to)
            t = t->to;
        part[n] = *t;
        if (n)
            part[n - 1].to = &part[n];
        more = t->to && t->kind != EZ_TY_FUNC && t->kind != EZ_TY_ENUM;
        if (t->kind == EZ_TY_STRUCT || t->kind == EZ_TY_UNION || t->kind == EZ_TY_ENUM) {
            body = describe_body(t, 0, &left);
            part[n] = (struct ez_type){ .kind = EZ_TY_INT, .name = body };
            more = false;
        }
        n++;
    }
    return ez_type_text(part);
}

/* ---- functions and places -------------------------------------------------------------------- */

char *ez_scope_prototype(const struct ez_scope *s)
{
    if (s->why_not)
        return NULL;
    EZ_FREE char *params = ez_strdup("");
    size_t n = 0;
    for (size_t i = 0; i < s->nparams; i++) {
        const char *name = s->param[i].name;
        if (!strcmp(name, "this"))
            continue;
        EZ_FREE char *one = ez_type_declare(s->param[i].at.type, *name == '$' ? "" : name);
        EZ_FREE char *more = ez_sprintf("%s%s", n++ ? ", " : "", one);
        describe_add(&params, more);
    }
    describe_add(&params, s->is_variadic ? n ? ", ..." : "..." : n ? "" : "void");
    EZ_FREE char *inner = ez_sprintf("%s(%s)", s->name_in_source ? s->name_in_source : s->function,
                                     params),
                 *all = ez_type_declare(s->result.type, inner);
    return ez_sprintf("%s%s", s->is_static ? "static " : "", all);
}

static char *describe_registers(const struct ez_where *w)
{
    const struct ez_convention *by = ez_arch_host()->abi.convention;
    char *s = ez_strdup("");
    for (unsigned i = 0; i < w->nregs && by; i++) {
        if (w->reg[i].stack) {
            EZ_FREE char *half = ez_sprintf(
                " and on the stack, %lld bytes above the return address", (long long)w->offset);
            describe_add(&s, half);
            continue;
        }
        EZ_FREE char *one = ez_sprintf("%s$%s", i ? " and " : "",
                                       w->reg[i].vector ? by->vector : by->name[w->reg[i].number]);
        describe_add(&s, one);
        EZ_FREE char *number = ez_sprintf("%u", w->reg[i].number);
        if (w->reg[i].vector)
            describe_add(&s, number);
        if (w->reg[i].high)
            describe_add(&s, " (its upper half)");
    }
    return s;
}

char *ez_where_text(const struct ez_where *w)
{
    EZ_FREE char *regs = describe_registers(w);
    switch (w->kind) {
    case EZ_AT_REGS:
        return ez_sprintf("in %s", regs);
    case EZ_AT_STACK:
        return ez_sprintf("on the stack, %lld bytes above the return address",
                          (long long)w->offset);
    case EZ_AT_MEMORY:
        return ez_sprintf("static storage at address 0x%llx", (unsigned long long)w->addr);
    case EZ_AT_POINTED:
        return ez_sprintf("where %s points", regs);
    case EZ_AT_STACKED:
        return ez_sprintf("where the stack points, %lld bytes above the return address",
                          (long long)w->offset);
    case EZ_AT_CONST:
        return ez_sprintf("constant %lld", (long long)w->addr);
    case EZ_AT_X87:
        return ez_strdup("in the floating point stack");
    case EZ_AT_RETURNED:
        return ez_strdup("where the caller wants it");
    default:
        return ez_strdup(w->gone || !w->why ? "optimized out" : w->why);
    }
}
