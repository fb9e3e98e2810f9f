/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proto.c - reads a C prototype: finds its name, and the names of its parameters.
 *
 * A declaration is kept as the text before the name and the text after it. With another name in
 * between, the two texts declare the replacement, the pointer to the original, or the variable for
 * its result, whatever the type is. Only the C compiler knows the types.
 * Tests: tests/unit/modules/check_script.c */
#include <string.h>

#include "modules/compiler/script.h"
#include "modules/compiler/token.h"

#define PROTO_DEPTH 32
#define PROTO_PARAMS 120 /* C11 allows 127; FORTRAN's CHARACTER adds two */

struct proto {
    struct ez_script *s;
    struct ez_src *t;
    struct ez_tpl_function *f; /* function to fill in; NULL = a parameter is being read */
    size_t at;
    unsigned depth;
    struct ez_piece name;
    bool typed, only_void, derived, listed;
};

static bool proto_params(struct proto *p);

static struct ez_token proto_peek(const struct proto *p)
{
    return ez_token_peek(p->t, p->at);
}

static bool proto_sees(const struct proto *p, const char *word)
{
    return ez_token_is(p->t, proto_peek(p), word);
}

static bool proto_accepts(struct proto *p, const char *word)
{
    struct ez_token k = proto_peek(p);
    if (!ez_token_is(p->t, k, word))
        return false;
    p->at = k.p.at + k.p.n;
    return true;
}

static bool proto_one_of(const struct proto *p, struct ez_token k, const char *const *words)
{
    for (; *words; words++)
        if (ez_token_is(p->t, k, *words))
            return true;
    return false;
}

/* Returns true if the word at p->at may be part of the type: no '(' follows, or a '(' that begins a
 * declarator, as in `int (*f)(void)`. */
static bool proto_before_declarator(const struct proto *p)
{
    size_t at = p->at;
    ez_token_next(p->t, &at);
    if (!ez_token_is(p->t, ez_token_next(p->t, &at), "("))
        return true;
    return ez_token_is(p->t, ez_token_peek(p->t, at), "*");
}

static bool proto_attribute(struct proto *p)
{
    static const char *const abi[] = { "ms_abi",  "sysv_abi",   "regparm",    "cdecl",
                                       "stdcall", "vectorcall", "regcall",    "target",
                                       "pcs",     "fastcall",   "sseregparm", NULL };
    ez_token_next(p->t, &p->at);
    if (!proto_sees(p, "(")) {
        ez_token_unfit(p->t, proto_peek(p), "'(' behind __attribute__");
        return false;
    }
    size_t from = p->at;
    if (!ez_token_balance(p->t, &p->at))
        return false;
    while (from < p->at) {
        struct ez_token k = ez_token_next(p->t, &from);
        if (proto_one_of(p, k, abi)) {
            ez_src_error(p->t, k.p.at,
                         "a function of another calling convention cannot be replaced");
            return false;
        }
    }
    return true;
}

/* Skips `extern`, `static inline` and attributes before a prototype that was copied from a
 * header. */
static bool proto_storage(struct proto *p)
{
    static const char *const words[] = { "extern",     "static",    "inline",        "__inline",
                                         "__inline__", "_Noreturn", "__extension__", NULL };
    for (;;) {
        struct ez_token k = proto_peek(p);
        if (ez_token_is(p->t, k, "__attribute__")) {
            if (!proto_attribute(p))
                return false;
        } else if (proto_one_of(p, k, words)) {
            ez_token_next(p->t, &p->at);
        } else {
            return true;
        }
    }
}

/* Reads a type of two parts, as `struct name` or `typeof (x)`. */
static bool proto_compound(struct proto *p, bool tagged)
{
    ez_token_next(p->t, &p->at);
    struct ez_token k = proto_peek(p);
    p->typed = true;
    p->only_void = false;
    if (!tagged) {
        if (ez_token_is(p->t, k, "("))
            return ez_token_balance(p->t, &p->at);
        ez_token_unfit(p->t, k, "'('");
        return false;
    }
    if (ez_token_is(p->t, k, "{")) {
        ez_src_error(p->t, k.p.at, "define types in BEGIN_INCLUDE, and name them here");
        return false;
    }
    if (k.kind != EZ_TOK_WORD || ez_token_reserved(p->t, k)) {
        ez_token_unfit(p->t, k, "the name of the type");
        return false;
    }
    p->at = k.p.at + k.p.n;
    return true;
}

/* Reads everything up to the declarator: `const struct s`, `unsigned long`, `FILE`. Of two unknown
 * words the first is the type. A word before `(` is the function's name, unless a declarator
 * follows. */
static bool proto_specifiers(struct proto *p)
{
    static const char *const qualifiers[] = { "const",        "volatile", "restrict", "__restrict",
                                              "__restrict__", "__const",  "register", NULL };
    static const char *const basic[] = { "char",      "short",      "int",         "long",
                                         "float",     "double",     "signed",      "unsigned",
                                         "_Bool",     "_Complex",   "__complex__", "__int128",
                                         "_Float128", "__float128", "__signed__",  NULL };
    static const char *const tagged[] = { "struct", "union", "enum", NULL };
    static const char *const called[] = { "typeof", "__typeof__", "__typeof", "_Atomic", NULL };
    for (;;) {
        struct ez_token k = proto_peek(p);
        if (k.kind != EZ_TOK_WORD || ez_token_reserved(p->t, k))
            return true;
        if (ez_token_is(p->t, k, "__attribute__")) {
            if (!proto_attribute(p))
                return false;
        } else if (proto_one_of(p, k, tagged) || proto_one_of(p, k, called)) {
            if (!proto_compound(p, proto_one_of(p, k, tagged)))
                return false;
        } else if (proto_one_of(p, k, qualifiers)) {
            ez_token_next(p->t, &p->at);
        } else if (ez_token_is(p->t, k, "void")) {
            p->only_void = !p->typed;
            p->typed = true;
            ez_token_next(p->t, &p->at);
        } else if (proto_one_of(p, k, basic) ||
                   (!p->typed && (!p->f || proto_before_declarator(p)))) {
            p->typed = true;
            p->only_void = false;
            ez_token_next(p->t, &p->at);
        } else {
            return true;
        }
    }
}

static bool proto_suffixes(struct proto *p, bool innermost)
{
    for (;;) {
        if (innermost && p->f && !p->listed && p->name.n && proto_sees(p, "(")) {
            p->listed = true;
            if (!proto_params(p))
                return false;
            p->f->after.at = p->at;
        } else if (proto_sees(p, "(") || proto_sees(p, "[")) {
            p->derived = true;
            if (!ez_token_balance(p->t, &p->at))
                return false;
        } else {
            return true;
        }
    }
}

/* Skips what headers put after a prototype, and a replacement does not need. */
static bool proto_trailing(struct proto *p)
{
    static const char *const glibc[] = { "__THROW", "__THROWNL", "__wur", "__nonnull", NULL };
    for (;;) {
        struct ez_token k = proto_peek(p);
        if (ez_token_is(p->t, k, "__attribute__")) {
            if (!proto_attribute(p))
                return false;
            continue;
        }
        if (!proto_one_of(p, k, glibc))
            return true;
        ez_token_next(p->t, &p->at);
        if (proto_sees(p, "(") && !ez_token_balance(p->t, &p->at))
            return false;
    }
}

/* Reads a declarator, such as "*const name[3]" or "(*name)(int)", also without its name. */
static bool proto_declarator(struct proto *p)
{
    if (++p->depth > PROTO_DEPTH) {
        ez_src_error(p->t, p->at, "the type is nested too deeply");
        return false;
    }
    while (proto_accepts(p, "*") || proto_accepts(p, "const") || proto_accepts(p, "volatile") ||
           proto_accepts(p, "restrict") || proto_accepts(p, "__restrict") ||
           proto_accepts(p, "__restrict__"))
        p->derived = true;
    struct ez_token k = proto_peek(p);
    size_t at = k.p.at + k.p.n;
    if (k.kind == EZ_TOK_WORD && !ez_token_reserved(p->t, k) &&
        !ez_token_is(p->t, k, "__attribute__")) {
        p->name = k.p;
        p->at = at;
        return proto_suffixes(p, true);
    }
    struct ez_token inner = ez_token_peek(p->t, at);
    if (!ez_token_is(p->t, k, "(") ||
        !(ez_token_is(p->t, inner, "*") || ez_token_is(p->t, inner, "("))) {
        p->name = (struct ez_piece){ p->at, 0 };
        return proto_suffixes(p, true);
    }
    p->at = at;
    p->derived = true;
    if (!proto_declarator(p))
        return false;
    if (!proto_accepts(p, ")")) {
        ez_token_unfit(p->t, proto_peek(p), "')'");
        return false;
    }
    return proto_suffixes(p, false);
}

/* Returns the text from `from` to `to`, without blanks at its ends. */
static struct ez_piece proto_piece(const struct ez_src *t, size_t from, size_t to)
{
    while (from < to && strchr(" \t\r\n\f\v", t->text[from]))
        from++;
    while (to > from && strchr(" \t\r\n\f\v", t->text[to - 1]))
        to--;
    return (struct ez_piece){ from, to - from };
}

static bool proto_param(struct proto *list)
{
    struct proto p = { .s = list->s, .t = list->t, .at = list->at, .depth = list->depth };
    struct ez_tpl_param param = { 0 };
    struct ez_token k = proto_peek(&p);
    if (p.s->fortran && ez_token_is(p.t, k, "VALUE")) {
        param.by_value = true;
        ez_token_next(p.t, &p.at);
        k = proto_peek(&p);
    }
    if (p.s->fortran && ez_token_is(p.t, k, "CHARACTER"))
        param.character = true;
    param.at = k.p.at;
    bool good = proto_specifiers(&p);
    if (good && !p.typed) {
        k = proto_peek(&p);
        if (ez_token_reserved(p.t, k))
            ez_src_error(p.t, list->f->at, "the '(' of %s is not closed", list->f->name);
        else
            ez_token_unfit(p.t, k, "the type of a parameter");
        good = false;
    }
    good = good && proto_declarator(&p);
    size_t end = p.at;
    good = good && proto_trailing(&p);
    list->at = p.at;
    if (!good)
        return false;
    param.before = proto_piece(p.t, param.at, p.name.at);
    param.after = proto_piece(p.t, p.name.at + p.name.n, end);
    param.derived = p.derived;
    if (p.name.n) {
        param.at = p.name.at;
        param.name = ez_piece_copy(p.t, p.name);
    } else {
        param.name = ez_sprintf("arg%zu", list->f->params.n + 1);
    }
    EZ_PUSH(&list->f->params, param);
    return true;
}

static bool proto_params(struct proto *p)
{
    p->f->name = ez_piece_copy(p->t, p->name);
    p->f->at = p->name.at;
    proto_accepts(p, "(");
    p->f->unspecified = proto_accepts(p, ")");
    if (p->f->unspecified)
        return true;
    size_t at = p->at;
    if (proto_accepts(p, "void") && proto_accepts(p, ")"))
        return true;
    p->at = at;
    do {
        struct ez_token k = proto_peek(p);
        if (ez_token_is(p->t, k, "...")) {
            p->f->ellipsis = k.p.at;
            p->at = k.p.at + k.p.n;
            break;
        }
        if (p->f->params.n == PROTO_PARAMS) {
            ez_src_error(p->t, k.p.at, "more than %d parameters", PROTO_PARAMS);
            return false;
        }
        if (!proto_param(p))
            return false;
    } while (proto_accepts(p, ","));
    if (proto_accepts(p, ")"))
        return true;
    struct ez_token k = proto_peek(p);
    if (k.kind == EZ_TOK_END || ez_token_reserved(p->t, k))
        ez_src_error(p->t, p->f->at, "the '(' of %s is not closed", p->f->name);
    else
        ez_token_unfit(p->t, k, p->f->ellipsis ? "')'" : "',' or ')'");
    return false;
}

bool ez_proto_read(struct ez_script *s, struct ez_tpl_function *f)
{
    struct proto p = { .s = s, .t = s->t, .f = f, .at = s->at };
    f->at = proto_peek(&p).p.at;
    bool good = proto_storage(&p);
    size_t from = good ? proto_peek(&p).p.at : 0;
    f->character = s->fortran && good && proto_sees(&p, "CHARACTER");
    f->is_void = s->fortran && good && proto_sees(&p, "SUBROUTINE");
    good = good && proto_specifiers(&p) && proto_declarator(&p);
    if (good && !p.listed) {
        struct ez_token k = proto_peek(&p);
        if (!p.name.n)
            ez_token_unfit(s->t, k, "the prototype of a function");
        else if (k.kind == EZ_TOK_BAD)
            ez_token_unfit(s->t, k, "'('");
        else
            ez_src_error(s->t, p.name.at, "%.*s is no function: '(' was expected behind it",
                         (int)EZ_MIN(p.name.n, (size_t)60), s->t->text + p.name.at);
        good = false;
    }
    size_t end = p.at;
    good = good && proto_trailing(&p);
    s->at = p.at;
    if (!good)
        return false;
    f->before = proto_piece(s->t, from, f->at);
    f->after = proto_piece(s->t, f->after.at, end);
    f->typeless = !p.typed;
    f->is_void |= p.only_void && !p.derived;
    proto_accepts(&p, ";");
    s->at = p.at;
    return true;
}
