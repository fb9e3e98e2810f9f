/* SPDX-License-Identifier: GPL-3.0-or-later */
/* type_source.c - makes a declaration that a C or C++ compiler accepts from a type of debug
 * information: for ez_type_source() of type.h.
 *
 * ez_type_text() writes for people, with the names of typedefs, which another source file may not
 * have. So this file replaces each typedef by its type, and, without `enums`, a C enum by its
 * integer type, which compilers accept in its place. For some types there is no such declaration:
 * classes of an unnamed namespace, template instances.
 *
 * Tests: tests/source/types.sh */
#include <string.h>

#include "engine/base/base.h"
#include "engine/dwarf/type.h"

/* Maximum number of types in a declaration: the type of a function pointer contains the types of
 * the parameters, which may be function pointers again. */
#define SOURCE_MOST 200

struct typesource {
    bool cxx, enums;
    unsigned left;
};

/* Returns a declaration in which `inner`, the inner part of a declarator, has type `t`, or NULL if
 * there is none. Frees `inner`; the caller frees the result. */
static char *typesource_around(struct typesource *s, const struct ez_type *t, char *inner);

static char *typesource_joined(const char *base, char *inner)
{
    char *all = base ? ez_sprintf("%s%s%s", base, *inner ? " " : "", inner) : NULL;
    free(inner);
    return all;
}

/* Returns whether t is a struct or union without a name or, in C++, an enum without a name. */
static bool typesource_is_unnamed(const struct typesource *s, const struct ez_type *t)
{
    return t && !t->name &&
           (t->kind == EZ_TY_STRUCT || t->kind == EZ_TY_UNION || (t->kind == EZ_TY_ENUM && s->cxx));
}

/* Returns the type without typedefs, except for a typedef of a struct that has no other name. */
static const struct ez_type *typesource_behind(const struct typesource *s, const struct ez_type *t)
{
    while (t && t->kind == EZ_TY_NAMED && !typesource_is_unnamed(s, t->to))
        t = t->to;
    return t;
}

/* Returns whether t is GCC's va_list: an array of a struct whose name cannot be written in a
 * source; as a parameter, a pointer to that struct. */
static bool typesource_is_va_list(const struct typesource *s, const struct ez_type *t)
{
    const struct ez_type *of =
        t->kind == EZ_TY_ARRAY || t->kind == EZ_TY_POINTER ? typesource_behind(s, t->to) : NULL;
    return of && of->kind == EZ_TY_STRUCT && of->name && !strcmp(of->name, "__va_list_tag");
}

/* Returns whether other files may use the name: the type is no template instance, and is not in an
 * unnamed namespace or class. */
static bool typesource_is_plain(const char *name)
{
    return name && *name && !strpbrk(name, "<>({=*");
}

static const char *typesource_integer(const struct ez_type *t)
{
    static const char *const names[2][4] = {
        { "unsigned char", "unsigned short", "unsigned int", "unsigned long" },
        { "signed char", "short", "int", "long" },
    };
    for (unsigned i = 0; i < 4; i++)
        if (t->size == 1u << i)
            return names[t->is_signed][i];
    return NULL;
}

/* Returns the name of a number's type in C or C++: the type's own name if the language has it, else
 * that of an integer type of the same size; NULL if there is none. */
static const char *typesource_number(const struct typesource *s, const struct ez_type *t)
{
    const struct ez_type *base = t->name ? ez_type_base(t->name) : NULL;
    if (t->kind == EZ_TY_BOOL)
        return t->size == 1 ? (s->cxx ? "bool" : "_Bool") : typesource_integer(t);
    if (base && base->size == t->size)
        return base->name;
    if (t->name && t->name[strspn(t->name, "_abcdefghijklmnopqrstuvwxyzF0123456789")] == 0 &&
        (s->cxx || *t->name == '_'))
        return t->name; /* wchar_t, _Float16 */
    return t->kind == EZ_TY_INT || t->kind == EZ_TY_CHAR ? typesource_integer(t) : NULL;
}

static char *typesource_complex(const struct ez_type *t, char *inner)
{
    static const char *const names[] = { "_Complex float", "_Complex double",
                                         "_Complex long double" };
    const unsigned i = t->size == 8 ? 0 : t->size == 16 ? 1 : 2;
    return typesource_joined(ez_type_is_quad(t) ? NULL : names[i], inner);
}

static char *typesource_tagged(const struct typesource *s, const struct ez_type *t, char *inner)
{
    const char *tag = t->kind == EZ_TY_STRUCT  ? "struct "
                      : t->kind == EZ_TY_UNION ? "union "
                                               : "enum ";
    if (t->kind == EZ_TY_ENUM && !s->cxx && !(s->enums && t->name))
        return typesource_joined(typesource_integer(t), inner);
    EZ_FREE char *base =
        typesource_is_plain(t->name) ? ez_sprintf("%s%s", s->cxx ? "" : tag, t->name) : NULL;
    return typesource_joined(base, inner);
}

/* Writes qualifiers behind the type that they qualify, "int const x", "*const p". Qualifiers of an
 * array qualify its elements. */
static char *typesource_qualified(struct typesource *s, const struct ez_type *t, char *inner)
{
    const struct ez_type *to = typesource_behind(s, t->to);
    const bool atomic = !strcmp(t->name, "_Atomic");
    if (to && to->kind == EZ_TY_ARRAY) {
        struct ez_type array = *to, element = *t;
        element.to = array.to;
        array.to = &element;
        return typesource_around(s, &array, inner);
    }
    if ((to && to->kind == EZ_TY_FUNC) || (atomic && s->cxx))
        return typesource_around(s, to, inner);
    char *with = ez_sprintf("%s%s%s", !strcmp(t->name, "restrict") ? "__restrict" : t->name,
                            *inner ? " " : "", inner);
    free(inner);
    return typesource_around(s, to, with);
}

static char *typesource_params(struct typesource *s, const struct ez_type *t)
{
    char *all = ez_strdup("");
    ez_type_load(t);
    for (size_t i = 0; i < t->nparams && all; i++) {
        const struct ez_param *p = &t->param[i];
        const bool is_this = p->name && !strcmp(p->name, "this");
        EZ_FREE char *was = all,
                     *one = is_this ? NULL : typesource_around(s, p->type, ez_strdup(""));
        all = one ? ez_sprintf("%s%s%s", was, i ? ", " : "", one) : NULL;
    }
    if (!all || (!t->is_variadic && (t->nparams || !t->has_protos)))
        return all;
    EZ_FREE char *was = all;
    return ez_sprintf("%s%s%s", was, t->nparams ? ", " : "", t->is_variadic ? "..." : "void");
}

static char *typesource_function(struct typesource *s, const struct ez_type *t, char *inner)
{
    const bool wraps = strchr("*&", *inner) && *inner;
    EZ_FREE char *in = inner, *params = typesource_params(s, t);
    return params ? typesource_around(
                        s, t->to,
                        ez_sprintf("%s%s%s(%s)", wraps ? "(" : "", in, wraps ? ")" : "", params))
                  : NULL;
}

static char *typesource_array(struct typesource *s, const struct ez_type *t, char *inner)
{
    const bool wraps = strchr("*&", *inner) && *inner;
    EZ_FREE char *in = inner,
                 *count = t->count == UINT64_MAX ? ez_strdup("") : ez_sprintf("%lu", t->count);
    if (t->is_dynamic || t->is_vector || t->is_char_text)
        return NULL;
    return typesource_around(
        s, t->to, ez_sprintf("%s%s%s[%s]", wraps ? "(" : "", in, wraps ? ")" : "", count));
}

static char *typesource_around(struct typesource *s, const struct ez_type *t, char *inner)
{
    t = typesource_behind(s, t);
    if (!t || t->kind == EZ_TY_VOID)
        return typesource_joined("void", inner);
    EZ_FREE char *was = NULL;
    if (!s->left || t->is_rust)
        return typesource_joined(NULL, inner);
    s->left--;
    if (typesource_is_va_list(s, t))
        return typesource_joined("__builtin_va_list", inner);
    switch (t->kind) {
    case EZ_TY_NAMED:
        return typesource_joined(typesource_is_plain(t->name) ? t->name : NULL, inner);
    case EZ_TY_INT:
    case EZ_TY_BOOL:
    case EZ_TY_CHAR:
    case EZ_TY_FLOAT:
        return typesource_joined(typesource_number(s, t), inner);
    case EZ_TY_COMPLEX:
        return typesource_complex(t, inner);
    case EZ_TY_STRUCT:
    case EZ_TY_UNION:
    case EZ_TY_ENUM:
        return typesource_tagged(s, t, inner);
    case EZ_TY_POINTER:
        if (t->name) /* the type of nullptr */
            return typesource_joined(NULL, inner);
        was = inner;
        return typesource_around(s, t->to, ez_sprintf("*%s", inner));
    case EZ_TY_REFERENCE:
        was = inner;
        return typesource_around(s, t->to,
                                 ez_sprintf("%s%s", t->name && *t->name ? t->name : "&", inner));
    case EZ_TY_ARRAY:
        return typesource_array(s, t, inner);
    case EZ_TY_FUNC:
        return typesource_function(s, t, inner);
    case EZ_TY_CONST:
        return typesource_qualified(s, t, inner);
    default:
        return typesource_joined(NULL, inner);
    }
}

char *ez_type_source(const struct ez_type *t, const char *name, bool cxx, bool enums)
{
    struct typesource s = { .cxx = cxx, .enums = enums, .left = SOURCE_MOST };
    return typesource_around(&s, t, ez_strdup(name));
}

char *ez_type_pointed(const struct ez_type *t, bool cxx, uint64_t *size)
{
    bool pointer = false;
    for (t = ez_type_strip(t);
         t->kind == EZ_TY_POINTER || t->kind == EZ_TY_ARRAY || t->kind == EZ_TY_REFERENCE;
         t = ez_type_strip(t->to))
        pointer |= t->kind != EZ_TY_ARRAY;
    if (!pointer || (t->kind != EZ_TY_STRUCT && t->kind != EZ_TY_UNION) ||
        !typesource_is_plain(t->name))
        return NULL;
    ez_type_load(t); /* of a declared type, loads the definition */
    *size = t->size;
    const char *tag = cxx ? "" : t->kind == EZ_TY_STRUCT ? "struct " : "union ";
    return t->size && !t->is_rust ? ez_sprintf("%s%s", tag, t->name) : NULL;
}
