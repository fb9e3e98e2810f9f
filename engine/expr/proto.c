/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proto.c - parses prototypes (proto.h).
 * Tests: tests/unit/dwarf/check_dwarf.c */
#include "engine/expr/proto.h"

#include <ctype.h>
#include <string.h>

#include "engine/expr/expr_priv.h"

struct proto {
    struct parse p;
    ez_err *(*type)(void *arg, const struct ez_type_name *name, const struct ez_type **out);
    void *arg;
};

static ez_err *proto_wrong(const struct proto *q)
{
    return ez_err_hint(
        ez_err_new(EZ_E_ARG, 0, "\"%s\" is not a prototype, near \"%s\"", q->p.text, q->p.at),
        "A prototype looks like int f(int n, char *name)");
}

/* Accepts any word as a type, where a type is required. */
static enum ez_means proto_any(void *arg, const char *word)
{
    (void)arg, (void)word;
    return EZ_MEANS_TYPE;
}

/* Finds a type. A pointer may point to an unknown struct; a value must have a known type. */
static ez_err *proto_lookup(struct proto *q, const struct ez_type_name *n,
                            const struct ez_type **out)
{
    static const struct ez_type opaque = { .kind = EZ_TY_VOID, .name = "void" };
    const struct ez_type *t = ez_type_base(n->base);
    ez_err *e = NULL;
    if (!t && q->type)
        e = q->type(q->arg, &(struct ez_type_name){ .base = n->base }, &t);
    if (!t)
        t = ez_known_type(n->base);
    if (!t && (!(n->stars + n->is_reference) || !strchr(n->base, ' ')))
        return e ? e : ez_err_gdb(EZ_E_NOTFOUND, "No type named %s.", n->base);
    ez_err_free(e);
    t = t ? t : &opaque;
    for (unsigned i = 0; i < n->stars + n->is_reference; i++)
        t = ez_type_pointer_to(t);
    *out = t;
    return NULL;
}

static ez_err *proto_type(struct proto *q, const struct ez_type **out)
{
    struct ez_type_name *n = NULL;
    while (expr_accept(&q->p, "static") || expr_accept(&q->p, "extern") ||
           expr_accept(&q->p, "inline"))
        ;
    EZ_TRY(expr_type(&q->p, &n));
    if (!n)
        return proto_wrong(q);
    ez_err *e = proto_lookup(q, n, out);
    ez_type_name_free(n);
    return e;
}

static char *proto_word(struct proto *q)
{
    expr_skip(&q->p);
    size_t n = expr_word_len(q->p.at);
    char *s = n ? expr_cut(q->p.at, q->p.at + n) : NULL;
    q->p.at += n;
    return s;
}

/* Parses "(*name)(...)" after the result type of a pointer to a function. */
static ez_err *proto_function_pointer(struct proto *q, struct ez_param *out)
{
    static const struct ez_type function = { .kind = EZ_TY_FUNC };
    int depth = 0;
    if (!expr_accept(&q->p, "*"))
        return proto_wrong(q);
    out->name = proto_word(q);
    out->type = ez_type_pointer_to(&function);
    if (!expr_accept(&q->p, ")") || !expr_accept(&q->p, "("))
        return proto_wrong(q);
    for (depth = 1; *q->p.at && depth; q->p.at++)
        depth += (*q->p.at == '(') - (*q->p.at == ')');
    return depth ? proto_wrong(q) : NULL;
}

static ez_err *proto_parameter(struct proto *q, struct ez_param *out)
{
    *out = (struct ez_param){ 0 };
    EZ_TRY(proto_type(q, &out->type));
    if (expr_accept(&q->p, "("))
        return proto_function_pointer(q, out);
    out->name = proto_word(q);
    /* a parameter that is an array is a pointer */
    for (bool first = true; expr_accept(&q->p, "["); first = false) {
        while (*q->p.at && *q->p.at != ']')
            q->p.at++;
        if (!expr_accept(&q->p, "]"))
            return proto_wrong(q);
        if (first)
            out->type = ez_type_pointer_to(out->type);
    }
    return NULL;
}

static ez_err *proto_parameters(struct proto *q, struct ez_proto *out)
{
    if (!expr_accept(&q->p, "("))
        return proto_wrong(q);
    for (bool more = !expr_accept(&q->p, ")"); more;) {
        struct ez_param one;
        if (expr_accept(&q->p, "...")) {
            out->variadic = true;
            return expr_accept(&q->p, ")") ? NULL : proto_wrong(q);
        }
        ez_err *e = proto_parameter(q, &one);
        bool none = !e && !one.name && ez_type_strip(one.type)->kind == EZ_TY_VOID;
        if (!none) /* none: the parameters are "(void)" */
            EZ_PUSH(&out->param, one);
        EZ_TRY(e);
        more = expr_accept(&q->p, ",");
        if (!more && !expr_accept(&q->p, ")"))
            return proto_wrong(q);
    }
    return NULL;
}

ez_err *ez_proto_parse(const char *text,
                       ez_err *(*type)(void *arg, const struct ez_type_name *name,
                                       const struct ez_type **out),
                       void *arg, struct ez_proto *out)
{
    struct proto q = { .p = { .text = text, .at = text, .by = { .means = proto_any } },
                       .type = type,
                       .arg = arg };
    *out = (struct ez_proto){ 0 };
    ez_err *e = proto_type(&q, &out->result);
    if (!e && !(out->name = proto_word(&q)))
        e = proto_wrong(&q);
    if (!e)
        e = proto_parameters(&q, out);
    (void)expr_accept(&q.p, ";");
    expr_skip(&q.p);
    if (!e && *q.p.at)
        e = proto_wrong(&q);
    if (e)
        ez_proto_free(out);
    return e;
}

void ez_proto_free(struct ez_proto *p)
{
    for (size_t i = 0; i < p->param.n; i++)
        free((char *)(uintptr_t)p->param.at[i].name);
    EZ_VEC_FREE(&p->param);
    free(p->name);
    *p = (struct ez_proto){ 0 };
}

/* Returns the name before the first parenthesis, if a type precedes it; else NULL. */
static const char *proto_name_at(const char *text, size_t *n)
{
    const char *open = strchr(text, '('), *end = open;
    while (end && end > text && isspace((unsigned char)end[-1]))
        end--;
    const char *name = end;
    while (name && name > text && (expr_is_word((unsigned char)name[-1]) || name[-1] == ':'))
        name--;
    *n = (size_t)(end - name);
    bool typed = name && name > text && *n && strchr(" *&", name[-1]);
    return typed && text[strspn(text, " ")] != '*' ? name : NULL;
}

bool ez_proto_is(const char *text)
{
    size_t n, len = strlen(text);
    while (len && strchr(" ;", text[len - 1]))
        len--;
    return len && text[len - 1] == ')' && proto_name_at(text, &n) && !strstr(text, "operator");
}

ez_err *ez_proto_name(const char *text, char **out)
{
    size_t n;
    const char *name = proto_name_at(text, &n);
    if (!name)
        return ez_err_hint(
            ez_err_new(EZ_E_ARG, 0,
                       "\"%s\" is not a prototype: no result type precedes the "
                       "function's name",
                       text),
            "The name of a library precedes the result type, as in lib.so:int f(int)");
    *out = ez_strndup(name, n);
    return NULL;
}
