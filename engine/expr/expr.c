/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr.c - parses expressions (expr.h): a recursive-descent parser with a function for each kind of
 * operator. Binary operators share a table of precedences. */
#include "engine/expr/expr_priv.h"

#include <ctype.h>
#include <string.h>

#define DEEPEST 200 /* maximum depth of nesting */
#define MOST_OPERATORS 2000

/* ---- operators ------------------------------------------------------------------------------ */

static ez_err *expr_sequence(struct parse *p, struct ez_expr **out);

/* Counts an operator. Returns EZ_E_ARG if there are too many. */
ez_err *expr_operator(struct parse *p)
{
    return p->operators++ < MOST_OPERATORS
               ? NULL
               : ez_err_new(EZ_E_ARG, 0, "The expression has more than %d operators",
                            MOST_OPERATORS);
}

static ez_err *expr_close(struct parse *p, const char *with, struct ez_expr *x,
                          struct ez_expr **out)
{
    if (expr_accept(p, with)) {
        *out = x;
        return NULL;
    }
    ez_expr_free(x);
    return expr_wrong(p);
}

static void expr_variable(struct parse *p, struct ez_expr **out)
{
    const char *from = p->at++;
    while (*p->at == '$')
        p->at++;
    while (expr_is_word((unsigned char)*p->at) && *p->at != '$')
        p->at++;
    *out = expr_new(EZ_X_VAR);
    (*out)->text = expr_cut(from, p->at);
}

/* Parses a name, which may contain "::". `quoted`, if not NULL, is a name in quotes; if "::"
 * follows, it is the scope of the name after that. */
static ez_err *expr_name(struct parse *p, struct ez_expr *quoted, struct ez_expr **out)
{
    struct ez_expr *x = quoted ? quoted : expr_new(EZ_X_NAME);
    if (quoted && !expr_accept(p, "::")) {
        *out = x;
        return NULL;
    }
    if (quoted) {
        x->scope = x->text;
        x->text = NULL;
    }
    expr_skip(p);
    size_t n = expr_name_len(p);
    if (!n) {
        ez_expr_free(x);
        return expr_wrong(p);
    }
    x->text = p->by.is_fortran ? expr_fortran_name(p, p->at, n) : expr_cut(p->at, p->at + n);
    p->at += n;
    *out = x;
    return NULL;
}

/* Parses (TYPE) after sizeof or alignof. If no such text follows, consumes nothing and sets *out to
 * NULL. */
static ez_err *expr_of_type(struct parse *p, int op, struct ez_expr **out)
{
    struct ez_type_name *t = NULL;
    const char *begin = p->at;
    *out = NULL;
    if (expr_accept(p, "("))
        EZ_TRY(expr_type(p, &t));
    if (!t) {
        p->at = begin;
        return NULL;
    }
    struct ez_expr *x = expr_new(EZ_X_SIZEOF);
    x->type = t;
    x->op = op;
    return expr_close(p, ")", x, out);
}

static ez_err *expr_sizeof(struct parse *p, struct ez_expr **out)
{
    struct ez_expr *x = NULL;
    EZ_TRY(expr_of_type(p, 0, out));
    if (*out)
        return NULL;
    EZ_TRY(expr_unary(p, &x));
    *out = expr_with(EZ_X_SIZEOF, 0, x, NULL);
    return NULL;
}

/* Parses gcc's operator for a part of a complex number. Returns 0 and consumes nothing if no such
 * operator is next. */
static int expr_part(struct parse *p)
{
    static const struct {
        const char *word;
        int op;
    } parts[] = { { "__real__", EZ_OP_REAL },
                  { "__real", EZ_OP_REAL },
                  { "__imag__", EZ_OP_IMAG },
                  { "__imag", EZ_OP_IMAG } };
    for (size_t i = 0; i < EZ_ARRAY_LEN(parts); i++) {
        size_t n = strlen(parts[i].word);
        expr_skip(p);
        if (!strncmp(p->at, parts[i].word, n) && !expr_is_word((unsigned char)p->at[n])) {
            p->at += n;
            return parts[i].op;
        }
    }
    return 0;
}

/* Parses C's alignof(TYPE), __real__ x and __imag__ x. If none of them is next, consumes nothing
 * and sets *out to NULL. */
static ez_err *expr_of_c(struct parse *p, struct ez_expr **out)
{
    struct ez_expr *x = NULL;
    const char *begin = p->at;
    int part;
    *out = NULL;
    if (p->by.is_fortran || p->by.is_rust)
        return NULL;
    if (expr_accept(p, "_Alignof") || expr_accept(p, "alignof")) {
        EZ_TRY(expr_of_type(p, EZ_OP_ALIGNOF, out));
        p->at = *out ? p->at : begin; /* without *out, the word is a name */
        return NULL;
    }
    if (!(part = expr_part(p)))
        return NULL;
    EZ_TRY(expr_unary(p, &x));
    *out = expr_with(EZ_X_UNARY, part, x, NULL);
    return NULL;
}

/* Parses the rest of an expression in parentheses, after "(". */
static ez_err *expr_parenthesis(struct parse *p, struct ez_expr **out)
{
    bool item = p->item;
    struct ez_expr *x = NULL;
    p->item = false;
    ez_err *e = expr_sequence(p, &x);
    p->item = item;
    if (!e && p->by.is_fortran)
        x = expr_fortran_parenthesis(x);
    return e ? e : expr_close(p, ")", x, out);
}

/* Returns whether "(" follows the next name, or the name is one of C's type words. Only in these
 * cases the text can be TYPE(x). */
static bool expr_may_construct(struct parse *p)
{
    size_t n = expr_name_len(p);
    if (expr_is_base(p->at, n))
        return true;
    n += strspn(p->at + n, " \t");
    return p->at[n] == '(';
}

/* Parses static_cast<TYPE>(x) and similar, and TYPE(x). Leaves *out unchanged if neither is
 * next. */
static ez_err *expr_named_cast(struct parse *p, struct ez_expr **out)
{
    const char *begin = p->at;
    struct ez_type_name *t = NULL;
    struct ez_expr *x = NULL;
    const int how = expr_accept(p, "reinterpret_cast") ? EZ_CAST_BITS
                    : expr_accept(p, "dynamic_cast")   ? EZ_CAST_DYNAMIC
                                                       : EZ_CAST_C;
    bool word = how != EZ_CAST_C || expr_accept(p, "static_cast") || expr_accept(p, "const_cast");
    if (word && !expr_accept(p, "<"))
        return expr_wrong(p);
    if (!word && !expr_may_construct(p))
        return NULL;
    EZ_TRY(expr_type(p, &t));
    if (!t && !word)
        return NULL;
    ez_err *e = t && (!word || expr_accept(p, ">")) ? NULL : expr_wrong(p);
    if (!e && !expr_accept(p, "(")) {
        e = word ? expr_wrong(p) : NULL;
        p->at = begin;
        ez_type_name_free(t);
        return e;
    }
    if (!e)
        e = expr_parenthesis(p, &x);
    if (e) {
        ez_type_name_free(t);
        return e;
    }
    *out = expr_with(EZ_X_CAST, how, x, NULL);
    (*out)->type = t;
    return NULL;
}

static ez_err *expr_primary(struct parse *p, struct ez_expr **out)
{
    expr_skip(p);
    int c = (unsigned char)*p->at;
    *out = NULL;
    if (p->by.is_fortran)
        EZ_TRY(expr_fortran_literal(p, out));
    if (*out)
        return NULL;
    if (isdigit(c) || (c == '.' && isdigit((unsigned char)p->at[1])))
        return expr_number(p, out);
    if (c == '$') {
        expr_variable(p, out);
        return NULL;
    }
    if (expr_is_quoted(p)) {
        struct ez_expr *x = NULL;
        EZ_TRY(expr_quoted(p, &x));
        if (x->kind != EZ_X_NAME) {
            *out = x;
            return NULL;
        }
        return expr_name(p, x, out);
    }
    if (c == '(') {
        p->at++;
        return expr_parenthesis(p, out);
    }
    if (p->by.is_cxx)
        EZ_TRY(expr_named_cast(p, out));
    if (*out)
        return NULL;
    return expr_name_len(p) ? expr_name(p, NULL, out) : expr_wrong(p);
}

static ez_err *expr_arguments(struct parse *p, struct ez_expr *call)
{
    if (expr_accept(p, ")"))
        return NULL;
    do {
        struct ez_expr *x = NULL;
        EZ_TRY(expr_assign(p, &x));
        EZ_PUSH(&call->at, x);
    } while (expr_accept(p, ","));
    return expr_accept(p, ")") ? NULL : expr_wrong(p);
}

/* Returns x += 1 for ++x, and x -= 1 for --x. */
static struct ez_expr *expr_count(int op, struct ez_expr *x)
{
    struct ez_expr *one = expr_new(EZ_X_INT);
    one->number = 1;
    struct ez_expr *count = expr_with(EZ_X_ASSIGN, op, x, one);
    count->counts = true;
    return count;
}

/* Parses one postfix operator after *x. Sets *more to whether there was one. */
static ez_err *expr_postfix_one(struct parse *p, struct ez_expr **x, bool *more)
{
    struct ez_expr *index = NULL;
    *more = true;
    EZ_TRY(expr_operator(p));
    if (expr_accept(p, "[")) {
        EZ_TRY(expr_sequence(p, &index));
        struct ez_expr *whole = expr_with(EZ_X_INDEX, 0, *x, index);
        *x = NULL;
        return expr_close(p, "]", whole, x);
    }
    if (expr_accept(p, "(")) {
        *x = expr_with(EZ_X_CALL, 0, *x, NULL);
        return p->by.is_fortran ? expr_fortran_arguments(p, *x) : expr_arguments(p, *x);
    }
    bool up = !p->by.is_fortran && expr_accept(p, "++");
    if (up || (!p->by.is_fortran && expr_accept(p, "--"))) {
        *x = expr_count(up ? '+' : '-', *x);
        (*x)->after = true;
        return NULL;
    }
    expr_skip(p);
    bool to_member = !strncmp(p->at, ".*", 2) || !strncmp(p->at, "->*", 3);
    if (to_member) { /* .* and ->* are operators between two operands */
        *more = false;
        return NULL;
    }
    bool arrow = expr_accept(p, "->");
    bool member = *p->at == (p->by.is_fortran ? '%' : '.');
    if (!arrow && !(member && p->at++)) {
        *more = false;
        return NULL;
    }
    expr_skip(p);
    size_t digits = p->by.is_rust ? strspn(p->at, "0123456789") : 0;
    size_t n = digits ? digits : expr_name_len(p);
    *x = expr_with(arrow ? EZ_X_ARROW : EZ_X_MEMBER, 0, *x, NULL);
    if (!n)
        return expr_wrong(p);
    (*x)->text = p->by.is_fortran ? expr_fortran_name(p, p->at, n)
                                  /* t.0, the member of a Rust tuple, is named __0 */
                                  : ez_sprintf("%s%.*s", digits ? "__" : "", (int)n, p->at);
    p->at += n;
    return NULL;
}

static ez_err *expr_postfix(struct parse *p, struct ez_expr **out)
{
    bool item = p->item, more = true;
    struct ez_expr *x = NULL;
    ez_err *e = expr_primary(p, &x);
    p->item = false;
    while (!e && more)
        e = expr_postfix_one(p, &x, &more);
    p->item = item;
    if (e)
        ez_expr_free(x);
    else
        *out = x;
    return e;
}

/* Parses (type) x and {type} x. Consumes nothing and leaves *out unchanged if neither is next. */
static ez_err *expr_cast(struct parse *p, struct ez_expr **out)
{
    const char *begin = p->at;
    struct ez_type_name *t = NULL;
    struct ez_expr *x = NULL;
    bool memory = expr_accept(p, "{");
    if (!memory && !expr_accept(p, "("))
        return NULL;
    EZ_TRY(expr_type(p, &t));
    if (!t && memory)
        return expr_wrong(p);
    if (!t) {
        p->at = begin;
        return NULL;
    }
    bool closed = expr_accept(p, memory ? "}" : ")");
    /* not a cast: a call of a function that has the name of a type */
    if (!closed && p->by.is_fortran && !memory) {
        ez_type_name_free(t);
        p->at = begin;
        return NULL;
    }
    ez_err *e = closed ? expr_unary(p, &x) : expr_wrong(p);
    if (e) {
        ez_type_name_free(t);
        return e;
    }
    *out = expr_with(memory ? EZ_X_MEMORY : EZ_X_CAST, 0, x, NULL);
    (*out)->type = t;
    return NULL;
}

static ez_err *expr_unary_inside(struct parse *p, struct ez_expr **out)
{
    static const char ops[] = "-+!~*&";
    struct ez_expr *x = NULL;
    expr_skip(p);
    const char *op = *p->at ? strchr(ops, *p->at) : NULL;
    if (expr_accept(p, "sizeof"))
        return expr_sizeof(p, out);
    EZ_TRY(expr_of_c(p, out));
    if (*out)
        return NULL;
    if (op) {
        bool counts = p->at[1] == *op && (*op == '+' || *op == '-');
        if (p->at[1] == *op && *op == '&')
            return expr_wrong(p);
        p->at += 1 + counts;
        EZ_TRY(expr_unary(p, &x));
        *out = counts ? expr_count(*op, x) : expr_with(EZ_X_UNARY, *op, x, NULL);
        return NULL;
    }
    *out = NULL;
    EZ_TRY(expr_cast(p, out));
    return *out ? NULL : expr_postfix(p, out);
}

ez_err *expr_unary(struct parse *p, struct ez_expr **out)
{
    if (p->depth >= DEEPEST)
        return ez_err_new(EZ_E_ARG, 0, "The expression is nested too deeply");
    p->depth++;
    ez_err *e = expr_unary_inside(p, out);
    p->depth--;
    return e;
}

/* level: precedence; a higher level binds more tightly */
static const struct infix {
    const char *text;
    int level, op;
} binary[] = { { "||", 1, EZ_OP2('|', '|') },
               { "&&", 2, EZ_OP2('&', '&') },
               { "|", 3, '|' },
               { "^", 4, '^' },
               { "&", 5, '&' },
               { "==", 6, EZ_OP2('=', '=') },
               { "!=", 6, EZ_OP2('!', '=') },
               { "<=", 7, EZ_OP2('<', '=') },
               { ">=", 7, EZ_OP2('>', '=') },
               { "<<", 8, EZ_OP2('<', '<') },
               { ">>", 8, EZ_OP2('>', '>') },
               { "<", 7, '<' },
               { ">", 7, '>' },
               { "@", 9, '@' },
               { "+", 10, '+' },
               { "-", 10, '-' },
               { "*", 11, '*' },
               { "/", 11, '/' },
               { "%", 11, '%' },
               { ".*", 12, EZ_OP2('.', '*') },
               { "->*", 12, EZ_OP2('>', '*') } };

/* Returns the next operator, without consuming it, if its level is `level` or higher; else, or if
 * it begins an assignment such as +=, NULL. */
static const struct infix *expr_binary_next(struct parse *p, int level)
{
    const struct infix *best = NULL;
    expr_skip(p);
    for (size_t i = 0; i < EZ_ARRAY_LEN(binary); i++) {
        size_t n = strlen(binary[i].text);
        if (!strncmp(p->at, binary[i].text, n) && (!best || strlen(best->text) <= n))
            best = &binary[i];
    }
    if (!best || best->level < level)
        return NULL;
    bool assigns = p->at[strlen(best->text)] == '=' && best->level >= 3 && best->level != 6 &&
                   best->level != 7; /* += and similar are assignments */
    return assigns ? NULL : best;
}

ez_err *expr_infix(struct parse *p, int op,
                   ez_err *(*operand)(struct parse *p, int level, struct ez_expr **out), int level,
                   struct ez_expr **x)
{
    struct ez_expr *y = NULL;
    EZ_TRY(expr_operator(p));
    EZ_TRY(operand(p, level, &y));
    *x = expr_with(op == '@' ? EZ_X_REPEAT : EZ_X_BINARY, op, *x, y);
    return NULL;
}

static ez_err *expr_binary(struct parse *p, int level, struct ez_expr **out)
{
    struct ez_expr *x = NULL;
    const struct infix *by;
    EZ_TRY(expr_unary(p, &x));
    ez_err *e = expr_rust_as(p, &x);
    while (!e && (by = expr_binary_next(p, level))) {
        p->at += strlen(by->text);
        e = expr_infix(p, by->op, expr_binary, by->level + 1, &x);
    }
    if (e)
        ez_expr_free(x);
    else
        *out = x;
    return e;
}

static ez_err *expr_conditional(struct parse *p, struct ez_expr **out)
{
    struct ez_expr *x = NULL, *branch;
    EZ_TRY(p->by.is_fortran ? expr_fortran(p, &x) : expr_binary(p, 1, &x));
    if (p->by.is_fortran || !expr_accept(p, "?")) {
        *out = x;
        return NULL;
    }
    x = expr_with(EZ_X_COND, 0, x, NULL);
    ez_err *e = expr_assign(p, &branch);
    if (!e) {
        EZ_PUSH(&x->at, branch);
        e = expr_accept(p, ":") ? expr_assign(p, &branch) : expr_wrong(p);
    }
    if (e) {
        ez_expr_free(x);
        return e;
    }
    EZ_PUSH(&x->at, branch);
    *out = x;
    return NULL;
}

/* Consumes and returns the operator of an assignment: '+' for "+=", 0 for "="; -1 if no assignment
 * follows. */
static int expr_assigns(struct parse *p)
{
    static const char ops[] = "+-*/%&|^";
    expr_skip(p);
    if (p->at[0] == '=' && p->at[1] != '=') {
        p->at++;
        return 0;
    }
    if (*p->at && strchr(ops, *p->at) && p->at[1] == '=' &&
        !p->by.is_fortran) { /* /= is a comparison in Fortran */
        p->at += 2;
        return p->at[-2];
    }
    return -1;
}

ez_err *expr_assign(struct parse *p, struct ez_expr **out)
{
    struct ez_expr *x = NULL, *value = NULL;
    if (p->depth >= DEEPEST)
        return ez_err_new(EZ_E_ARG, 0, "The expression is nested too deeply");
    p->depth++;
    ez_err *e = expr_conditional(p, &x);
    int op = e ? -1 : expr_assigns(p);
    if (op >= 0)
        e = expr_assign(p, &value);
    p->depth--;
    if (e) {
        ez_expr_free(x);
        return e;
    }
    *out = op >= 0 ? expr_with(EZ_X_ASSIGN, op, x, value) : x;
    return NULL;
}

/* Parses "x, y", whose value is that of y. */
static ez_err *expr_sequence(struct parse *p, struct ez_expr **out)
{
    struct ez_expr *x = NULL;
    ez_err *e = expr_assign(p, &x);
    while (!e && !p->item && expr_accept(p, ",")) {
        struct ez_expr *next = NULL;
        e = expr_operator(p);
        if (!e)
            e = expr_assign(p, &next);
        if (!e)
            x = expr_with(EZ_X_BINARY, ',', x, next);
    }
    if (e)
        ez_expr_free(x);
    else
        *out = x;
    return e;
}

/* ---- entry ----------------------------------------------------------------------------------- */

static ez_err *expr_whole(struct parse *p, struct ez_expr **out)
{
    struct ez_expr *x = NULL;
    ez_err *e = expr_sequence(p, &x);
    expr_skip(p);
    if (!e && *p->at && !(p->item && (*p->at == ',' || *p->at == ':')))
        e = expr_wrong(p);
    if (e)
        ez_expr_free(x);
    else
        *out = x;
    return e;
}

static struct parse expr_begin(const char *text, const struct ez_language *by)
{
    struct parse p = { .text = text, .at = text };
    if (by)
        p.by = *by;
    return p;
}

ez_err *ez_expr_parse(const char *text, const struct ez_language *by, struct ez_expr **out)
{
    struct parse p = expr_begin(text, by);
    return expr_whole(&p, out);
}

ez_err *ez_expr_parse_item(const char *text, const struct ez_language *by, struct ez_expr **out,
                           const char **end)
{
    struct parse p = expr_begin(text, by);
    p.item = true;
    ez_err *e = expr_whole(&p, out);
    *end = p.at;
    return e;
}

ez_err *ez_type_name_parse(const char *text, const struct ez_language *by,
                           struct ez_type_name **out)
{
    struct parse p = expr_begin(text, by);
    EZ_TRY(expr_type(&p, out));
    expr_skip(&p);
    if (*out && !*p.at)
        return NULL;
    ez_type_name_free(*out);
    *out = NULL;
    return ez_err_new(EZ_E_ARG, 0, "\"%s\" is not the name of a type", text);
}
