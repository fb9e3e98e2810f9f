/* SPDX-License-Identifier: GPL-3.0-or-later */
/* type.c - finds, derives and writes types (type.h). Base types, and types that expressions derive
 * (pointers, arrays), are never freed, because there are few. */
#include "engine/dwarf/type.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/vec.h"

const struct ez_type *ez_type_load(const struct ez_type *t)
{
    struct ez_type *own = (struct ez_type *)t;
    if (own && own->load && !own->loaded) {
        own->loaded = own->loading = true;
        own->load(own);
        own->loading = false;
    }
    return t;
}

const struct ez_type_class *ez_type_class(const struct ez_type *t)
{
    struct ez_type *own = (struct ez_type *)ez_type_load(t);
    if (!own->class && own->request_class)
        own->class = own->request_class(own);
    return own->class;
}

const struct ez_type *ez_type_strip(const struct ez_type *t)
{
    static const struct ez_type nothing = { .kind = EZ_TY_VOID, .name = "void" };
    while (t && (t->kind == EZ_TY_NAMED || t->kind == EZ_TY_CONST))
        t = t->to;
    return t ? t : &nothing;
}

/* ---- base types ------------------------------------------------------------------------- */

/* in the order of C's conversion ranks, unsigned after signed */
static const struct ez_type base[] = {
    { .kind = EZ_TY_VOID, .name = "void" },
    { .kind = EZ_TY_BOOL, .size = 1, .name = "bool" },
    { .kind = EZ_TY_CHAR, .size = 1, .name = "char", .is_signed = true },
    { .kind = EZ_TY_CHAR, .size = 1, .name = "signed char", .is_signed = true },
    { .kind = EZ_TY_CHAR, .size = 1, .name = "unsigned char" },
    { .kind = EZ_TY_INT, .size = 2, .name = "short", .is_signed = true },
    { .kind = EZ_TY_INT, .size = 2, .name = "unsigned short" },
    { .kind = EZ_TY_INT, .size = 4, .name = "int", .is_signed = true },
    { .kind = EZ_TY_INT, .size = 4, .name = "unsigned int" },
    { .kind = EZ_TY_INT, .size = 8, .name = "long", .is_signed = true },
    { .kind = EZ_TY_INT, .size = 8, .name = "unsigned long" },
    { .kind = EZ_TY_INT, .size = 8, .name = "long long", .is_signed = true },
    { .kind = EZ_TY_INT, .size = 8, .name = "unsigned long long" },
    { .kind = EZ_TY_INT, .size = 16, .name = "__int128", .is_signed = true },
    { .kind = EZ_TY_INT, .size = 16, .name = "unsigned __int128" },
    { .kind = EZ_TY_FLOAT, .size = 4, .name = "float", .is_signed = true },
    { .kind = EZ_TY_FLOAT, .size = 8, .name = "double", .is_signed = true },
    { .kind = EZ_TY_FLOAT, .size = 16, .name = "long double", .is_signed = true },
    { .kind = EZ_TY_COMPLEX, .size = 8, .name = "complex float" },
    { .kind = EZ_TY_COMPLEX, .size = 16, .name = "complex double" },
    { .kind = EZ_TY_COMPLEX, .size = 32, .name = "complex long double" },
};

/* How often each of C's type words occurs in a type's name, in any order. */
struct base_words {
    unsigned n_char, n_short, n_int, n_long, n_float, n_double, n_signed, n_unsigned, n_bool,
        n_complex, n_int128, n_void, n_other;
};

static void type_count_word(struct base_words *w, const char *s, size_t n)
{
    const struct {
        const char *word;
        unsigned *count;
    } known[] = {
        { "char", &w->n_char },       { "short", &w->n_short },       { "int", &w->n_int },
        { "long", &w->n_long },       { "float", &w->n_float },       { "double", &w->n_double },
        { "signed", &w->n_signed },   { "unsigned", &w->n_unsigned }, { "_Bool", &w->n_bool },
        { "bool", &w->n_bool },       { "_Complex", &w->n_complex },  { "complex", &w->n_complex },
        { "__int128", &w->n_int128 }, { "void", &w->n_void },         { "const", NULL },
        { "volatile", NULL }
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(known); i++)
        if (strlen(known[i].word) == n && !memcmp(known[i].word, s, n)) {
            if (known[i].count)
                ++*known[i].count;
            return;
        }
    w->n_other++;
}

static const char *type_base_name(const struct base_words *w)
{
    bool u = w->n_unsigned;
    if (w->n_other)
        return "";
    if (w->n_void)
        return "void";
    if (w->n_bool)
        return "bool";
    if (w->n_complex)
        return w->n_float ? "complex float" : w->n_long ? "complex long double" : "complex double";
    if (w->n_float)
        return "float";
    if (w->n_double)
        return w->n_long ? "long double" : "double";
    if (w->n_char)
        return u ? "unsigned char" : w->n_signed ? "signed char" : "char";
    if (w->n_int128)
        return u ? "unsigned __int128" : "__int128";
    if (w->n_short)
        return u ? "unsigned short" : "short";
    if (w->n_long)
        return w->n_long > 1 ? (u ? "unsigned long long" : "long long")
                             : (u ? "unsigned long" : "long");
    return w->n_int || w->n_signed || u ? (u ? "unsigned int" : "int") : "";
}

const struct ez_type *ez_type_base(const char *name)
{
    struct base_words w = { 0 };
    for (const char *p = name + strspn(name, " "); *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, " ");
        type_count_word(&w, p, n);
        p += n;
    }
    for (size_t i = 0; i < EZ_ARRAY_LEN(base); i++)
        if (!strcmp(base[i].name, type_base_name(&w)))
            return &base[i];
    return NULL;
}

const struct ez_type *ez_type_int(unsigned bytes, bool is_signed)
{
    static const char *const names[2][5] = {
        { "unsigned char", "unsigned short", "unsigned int", "unsigned long", "unsigned __int128" },
        { "signed char", "short", "int", "long", "__int128" },
    };
    unsigned i = bytes <= 1 ? 0 : bytes <= 2 ? 1 : bytes <= 4 ? 2 : bytes <= 8 ? 3 : 4;
    return ez_type_base(names[is_signed][i]);
}

const struct ez_type *ez_type_double(void)
{
    return ez_type_base("double");
}

bool ez_type_is_quad(const struct ez_type *t)
{
    return (t->kind == EZ_TY_FLOAT || t->kind == EZ_TY_COMPLEX) &&
           t->size == (t->kind == EZ_TY_FLOAT ? 16 : 32) && t->name &&
           /* Fortran compilers give such types these names */
           (strstr(t->name, "128") || strstr(t->name, "kind=16"));
}

const struct ez_type *ez_type_part(const struct ez_type *complex)
{
    static const struct ez_type quad = {
        .kind = EZ_TY_FLOAT, .size = 16, .name = "_Float128", .is_signed = true
    };
    if (ez_type_is_quad(complex))
        return &quad;
    return ez_type_base(complex->size == 8    ? "float"
                        : complex->size == 16 ? "double"
                                              : "long double");
}

/* ---- derived types -------------------------------------------------------------------------- */

static const struct ez_type *type_made(const struct ez_type *like)
{
    static EZ_VEC(struct ez_type *) made;
    for (size_t i = 0; i < made.n; i++)
        if (made.at[i]->kind == like->kind && made.at[i]->to == like->to &&
            made.at[i]->of == like->of && made.at[i]->count == like->count &&
            made.at[i]->size == like->size)
            return made.at[i];
    struct ez_type *t = ez_alloc(sizeof *t);
    *t = *like;
    EZ_PUSH(&made, t);
    return t;
}

const struct ez_type *ez_type_pointer_to(const struct ez_type *to)
{
    const struct ez_type t = { .kind = EZ_TY_POINTER, .size = 8, .to = to };
    return type_made(&t);
}

const struct ez_type *ez_type_reference_to(const struct ez_type *to)
{
    const struct ez_type t = { .kind = EZ_TY_REFERENCE, .size = 8, .to = to };
    return type_made(&t);
}

const struct ez_type *ez_type_member_of(const struct ez_type *class, const struct ez_type *to)
{
    const struct ez_type t = { .kind = EZ_TY_MEMBER,
                               .size = ez_type_strip(to)->kind == EZ_TY_FUNC ? 16 : 8,
                               .to = to,
                               .of = class };
    return type_made(&t);
}

const struct ez_type *ez_type_function_of(const struct ez_type *result)
{
    const struct ez_type t = { .kind = EZ_TY_FUNC, .to = result };
    return type_made(&t);
}

const struct ez_type *ez_type_array_of(const struct ez_type *to, uint64_t count)
{
    const struct ez_type t = {
        .kind = EZ_TY_ARRAY, .size = ez_type_strip(to)->size * count, .to = to, .count = count
    };
    return type_made(&t);
}

/* ---- places ---------------------------------------------------------------------------------- */

bool ez_where_same(const struct ez_where *a, const struct ez_where *b)
{
    if (a->kind != b->kind || a->offset != b->offset || a->nregs != b->nregs)
        return false;
    for (unsigned i = 0; i < a->nregs; i++)
        if (a->reg[i].vector != b->reg[i].vector || a->reg[i].high != b->reg[i].high ||
            a->reg[i].stack != b->reg[i].stack || a->reg[i].number != b->reg[i].number)
            return false;
    return true;
}

/* ---- types in C's syntax --------------------------------------------------------------------- */

/* Maximum number of types in a declaration: a function type contains the types of its parameters,
 * which may be function types again, without limit in a damaged file. */
#define MOST_WORDS 1000

/* Returns a declaration in which `inner`, the inner part of a C declarator ("*p"), has type `t`.
 * Frees `inner`; the caller frees the result. left: number of types that may still be written. */
static char *type_around(const struct ez_type *t, char *inner, unsigned *left);

static char *type_joined(const char *base, char *inner)
{
    bool space = *inner && *inner != ' ';
    char *s = ez_sprintf("%s%s%s", base, space ? " " : "", inner);
    free(inner);
    return s;
}

static char *type_parameters(const struct ez_type *t, unsigned *left)
{
    char *s = ez_strdup("");
    ez_type_load(t);
    for (size_t i = 0; i < t->nparams && *left; i++) {
        const struct ez_param *p = &t->param[i];
        const struct ez_type this = { .kind = EZ_TY_CONST, .name = "const", .to = p->type };
        bool is_this = !i && p->name && !strcmp(p->name, "this") && p->type->kind == EZ_TY_POINTER;
        EZ_FREE char *was = s, *one = type_around(is_this ? &this : p->type, ez_strdup(""), left);
        s = ez_sprintf("%s%s%s", was, i ? ", " : "", one);
    }
    if (t->is_variadic || (t->has_protos && !t->nparams)) {
        EZ_FREE char *was = s;
        s = ez_sprintf("%s%s%s", was, t->nparams ? ", " : "", t->is_variadic ? "..." : "void");
    }
    return s;
}

static char *type_suffixed(const struct ez_type *t, char *inner, unsigned *left)
{
    EZ_FREE char *in = inner;
    bool wraps = *in == '*' || *in == '&';
    if (t->kind == EZ_TY_FUNC) {
        EZ_FREE char *params = type_parameters(t, left);
        const char *space = *in ? "" : " ";
        return type_around(t->to,
                           wraps ? ez_sprintf("(%s)(%s)", in, params)
                                 : ez_sprintf("%s%s(%s)", in, space, params),
                           left);
    }
    const char *open = wraps ? "(" : "", *close = wraps ? ")" : "";
    if (t->is_vector)
        return type_around(t->to,
                           ez_sprintf("%s%s%s __attribute__ ((vector_size(%lu)))", open, in, close,
                                      (unsigned long)t->count),
                           left);
    if (t->count == UINT64_MAX)
        return type_around(t->to, ez_sprintf("%s%s%s[]", open, in, close), left);
    return type_around(t->to, ez_sprintf("%s%s%s[%lu]", open, in, close, (unsigned long)t->count),
                       left);
}

static const char *type_tag(const struct ez_type *t)
{
    if (t->kind == EZ_TY_STRUCT && !t->name && ez_type_class(t) && ez_type_class(t)->is_class)
        return "class ";
    return t->is_cxx && t->name      ? ""
           : t->kind == EZ_TY_STRUCT ? "struct "
           : t->kind == EZ_TY_UNION  ? "union "
           : t->kind == EZ_TY_ENUM   ? "enum "
                                     : "";
}

static char *type_member(const struct ez_type *t, const char *inner)
{
    bool wraps = t->to && (t->to->kind == EZ_TY_FUNC || t->to->kind == EZ_TY_ARRAY);
    return ez_sprintf("%s%s::*%s%s", wraps ? "(" : "", t->of && t->of->name ? t->of->name : "?",
                      inner, wraps ? ")" : "");
}

/* Returns the declaration of a pointer to a member function. Writes the parameter `this` as a
 * constant pointer ("A * const"), as gdb does. */
static char *type_method(const struct ez_type *t, char *inner, unsigned *left)
{
    struct ez_type f = *ez_type_load(t->to), this = { .kind = EZ_TY_CONST, .name = "const" };
    EZ_FREE struct ez_param *param = ez_alloc((f.nparams + 1) * sizeof *param);
    if (f.nparams)
        memcpy(param, f.param, f.nparams * sizeof *param);
    this.to = param[0].type;
    if (f.nparams && ez_type_strip(this.to) == this.to && this.to->kind == EZ_TY_POINTER)
        param[0].type = &this;
    f.param = param;
    return type_suffixed(&f, inner, left);
}

/* Returns the declaration of an array with constant elements. */
static char *type_constant_array(const struct ez_type *t, char *inner, unsigned *left)
{
    struct ez_type array = *t->to, element = *t;
    element.to = array.to;
    array.to = &element;
    return type_around(&array, inner, left);
}

static char *type_around(const struct ez_type *t, char *inner, unsigned *left)
{
    EZ_FREE char *was = NULL, *base = NULL;
    if (!*left)
        return type_joined("...", inner);
    --*left;
    switch (t ? t->kind : EZ_TY_VOID) {
    case EZ_TY_POINTER:
    case EZ_TY_REFERENCE:
        was = inner;
        return type_around(t->to,
                           ez_sprintf("%s%s",
                                      t->kind == EZ_TY_POINTER ? "*"
                                      : t->name                ? t->name
                                                               : "&",
                                      inner),
                           left);
    case EZ_TY_MEMBER: /* int (A::*)(int) */
        was = inner;
        if (t->to && t->to->kind == EZ_TY_FUNC)
            return type_method(t, type_member(t, inner), left);
        return type_around(t->to, type_member(t, inner), left);
    case EZ_TY_ARRAY:
    case EZ_TY_FUNC:
        return type_suffixed(t, inner, left);
    case EZ_TY_CONST:
        if (t->to && t->to->kind == EZ_TY_ARRAY)
            return type_constant_array(t, inner, left);
        if (t->to && t->to->kind == EZ_TY_CONST && !strcmp(t->name, t->to->name))
            return type_around(t->to, inner, left);
        if (t->to && t->to->kind == EZ_TY_POINTER) { /* int * const p, int * const& */
            was = inner;
            bool space = *inner && *inner != '&' && *inner != '[';
            return type_around(t->to, ez_sprintf(" %s%s%s", t->name, space ? " " : "", inner),
                               left);
        }
        was = type_around(t->to, ez_strdup(""), left);
        base = ez_sprintf("%s %s", t->name, was);
        return type_joined(base, inner);
    case EZ_TY_VOID:
        return type_joined("void", inner);
    default:
        base = ez_sprintf("%s%s", type_tag(t), t->name ? t->name : "{...}");
        return type_joined(base, inner);
    }
}

char *ez_type_declare(const struct ez_type *t, const char *name)
{
    unsigned left = MOST_WORDS;
    if (ez_type_is_rust(t))
        return ez_rust_declare(t, name);
    return type_around(t, ez_strdup(name), &left);
}

char *ez_type_text(const struct ez_type *t)
{
    return ez_type_declare(t, "");
}

/* ---- alignment ------------------------------------------------------------------------------- */

static uint64_t type_alignment(const struct ez_type *t, unsigned depth)
{
    uint64_t most = 1;
    t = ez_type_load(ez_type_strip(t));
    if (t->align || depth > 100) /* damaged debug information may have cycles */
        return t->align ? t->align : 1;
    if (t->kind == EZ_TY_ARRAY || t->kind == EZ_TY_REFERENCE)
        return type_alignment(t->to, depth + 1);
    if (t->kind == EZ_TY_COMPLEX)
        return type_alignment(ez_type_part(t), depth + 1);
    if (t->kind != EZ_TY_STRUCT && t->kind != EZ_TY_UNION)
        return EZ_MIN(t->size, 16u);
    for (size_t i = 0; i < t->nfields; i++)
        if (t->field[i].type)
            most = EZ_MAX(most, type_alignment(t->field[i].type, depth + 1));
    return most;
}

uint64_t ez_type_alignment(const struct ez_type *t)
{
    return type_alignment(t, 0);
}
