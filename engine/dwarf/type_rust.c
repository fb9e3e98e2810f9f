/* SPDX-License-Identifier: GPL-3.0-or-later */
/* type_rust.c - writes Rust types as gdb does (type.h). In the debug information, rustc describes
 * an enum as a struct with one of several members (DW_TAG_variant_part), tuples as structs with
 * members __0, __1, ..., and &str and &[T] as structs of a pointer and a length.
 *
 * Tests: tests/procs/rust.sh */
#include "engine/dwarf/type.h"

#include <string.h>

#include "engine/data_abi.h"

#define DEEPEST 32 /* maximum depth of nested types in a type's name */

bool ez_type_is_rust(const struct ez_type *t)
{
    for (; t; t = t->to)
        if (t->is_rust)
            return true;
    return false;
}

static bool rust_is_struct(const struct ez_type *t)
{
    return t->kind == EZ_TY_STRUCT && t->is_rust && t->name;
}

bool ez_rust_is_tuple(const struct ez_type *t)
{
    return rust_is_struct(t) && *t->name == '(';
}

bool ez_rust_is_numbered(const struct ez_type *t)
{
    ez_type_load(t);
    return rust_is_struct(t) && t->nfields && t->field[0].name && !strcmp(t->field[0].name, "__0");
}

static bool rust_is_fat(const struct ez_type *t)
{
    ez_type_load(t);
    return rust_is_struct(t) && t->nfields == 2 && t->field[0].name && t->field[1].name &&
           !strcmp(t->field[0].name, "data_ptr") && !strcmp(t->field[1].name, "length") &&
           ez_type_strip(t->field[0].type)->kind == EZ_TY_POINTER &&
           ez_type_strip(t->field[1].type)->size == 8;
}

bool ez_rust_is_text(const struct ez_type *t)
{
    return rust_is_fat(t) && (!strcmp(t->name, "&str") || !strcmp(t->name, "&mut str"));
}

bool ez_rust_is_slice(const struct ez_type *t)
{
    return rust_is_fat(t) && (!strncmp(t->name, "&[", 2) || !strncmp(t->name, "&mut [", 6));
}

bool ez_rust_is_char(const struct ez_type *t)
{
    return t->kind == EZ_TY_INT && t->is_rust && t->size == 4 && t->name &&
           !strcmp(t->name, "char");
}

const struct ez_field *ez_rust_variant(const struct ez_type *t, uint64_t discr)
{
    const struct ez_field *other = NULL;
    if (!t->discr)
        return t->nfields == 1 ? &t->field[0] : NULL;
    unsigned bits = 8 * (unsigned)EZ_MIN(ez_type_strip(t->discr->type)->size, (uint64_t)8);
    for (size_t i = 0; i < t->nfields; i++) {
        const struct ez_type_variant *v = &t->variant[i];
        if (v->by == EZ_VARIANT_STRANGE)
            return NULL;
        if (v->by == EZ_VARIANT_ELSE)
            other = &t->field[i];
        else if (ez_cut((uint64_t)v->value, bits, false) == ez_cut(discr, bits, false))
            return &t->field[i];
    }
    return other;
}

const struct ez_type *ez_rust_base(const char *name)
{
#define RUST(bytes, of, sign)                                                                      \
    {                                                                                              \
        .kind = EZ_TY_INT, .size = bytes, .name = of, .is_signed = sign, .is_rust = true           \
    }
    static const struct ez_type base[] = {
        RUST(1, "i8", true),
        RUST(2, "i16", true),
        RUST(4, "i32", true),
        RUST(8, "i64", true),
        RUST(16, "i128", true),
        RUST(8, "isize", true),
        RUST(1, "u8", false),
        RUST(2, "u16", false),
        RUST(4, "u32", false),
        RUST(8, "u64", false),
        RUST(16, "u128", false),
        RUST(8, "usize", false),
        RUST(4, "char", false),
        { .kind = EZ_TY_BOOL, .size = 1, .name = "bool", .is_rust = true },
        { .kind = EZ_TY_FLOAT, .size = 4, .name = "f32", .is_signed = true, .is_rust = true },
        { .kind = EZ_TY_FLOAT, .size = 8, .name = "f64", .is_signed = true, .is_rust = true },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(base); i++)
        if (!strcmp(base[i].name, name))
            return &base[i];
    return ez_type_base(name);
}

/* ---- types in Rust's syntax ------------------------------------------------------------------ */

static void rust_add(char **to, const char *text)
{
    char *was = *to;
    *to = ez_sprintf("%s%s", was, text);
    free(was);
}

static char *rust_text(const struct ez_type *t, unsigned depth);

static char *rust_function(const struct ez_type *t, unsigned depth)
{
    char *s = ez_strdup("fn (");
    ez_type_load(t);
    for (size_t i = 0; i < t->nparams; i++) {
        EZ_FREE char *one = rust_text(t->param[i].type, depth + 1);
        rust_add(&s, i ? ", " : "");
        rust_add(&s, one);
    }
    rust_add(&s, ")");
    if (ez_type_strip(t->to)->kind == EZ_TY_VOID)
        return s;
    EZ_FREE char *result = rust_text(t->to, depth + 1);
    rust_add(&s, " -> ");
    rust_add(&s, result);
    return s;
}

static char *rust_text(const struct ez_type *t, unsigned depth)
{
    if (depth > DEEPEST)
        return ez_strdup("...");
    EZ_FREE char *to =
        t->kind == EZ_TY_POINTER || t->kind == EZ_TY_REFERENCE || t->kind == EZ_TY_ARRAY
            ? rust_text(ez_type_strip(t->to), depth + 1)
            : NULL;
    switch (t->kind) {
    case EZ_TY_POINTER:
    case EZ_TY_REFERENCE:
        return ez_sprintf("*mut %s", to);
    case EZ_TY_ARRAY:
        return ez_sprintf("[%s; %lu]", to, (unsigned long)(t->count == UINT64_MAX ? 0 : t->count));
    case EZ_TY_FUNC:
        return rust_function(t, depth);
    case EZ_TY_VOID:
        return ez_strdup("()");
    default:
        return ez_strdup(t->name ? t->name : "{...}");
    }
}

char *ez_rust_declare(const struct ez_type *t, const char *name)
{
    char *text = rust_text(t, 0);
    if (!*name)
        return text;
    char *all = ez_sprintf("%s: %s", name, text);
    free(text);
    return all;
}

/* ---- over several lines ---------------------------------------------------------------------- */

/* Writes members in one line, as for an enum's variant: "(i32, u8)", "{r: f64}". */
static void rust_add_inline(char **to, const struct ez_type *t)
{
    bool numbered = ez_rust_is_numbered(t);
    if (!t->nfields)
        return;
    rust_add(to, numbered ? "(" : "{");
    for (size_t i = 0; i < t->nfields; i++) {
        const char *name = t->field[i].name ? t->field[i].name : "";
        EZ_FREE char *one = ez_rust_declare(t->field[i].type, numbered ? "" : name);
        rust_add(to, i ? ", " : "");
        rust_add(to, one);
    }
    rust_add(to, numbered ? ")" : "}");
}

static char *rust_enum(const struct ez_type *t)
{
    char *s = ez_sprintf("enum %s {\n", t->name);
    for (size_t i = 0; t->kind == EZ_TY_ENUM && i < t->nenumerators; i++) {
        const char *name = strrchr(t->enumerator[i].name, ':');
        EZ_FREE char *line = ez_sprintf("  %s,\n", name ? name + 1 : t->enumerator[i].name);
        rust_add(&s, line);
    }
    for (size_t i = 0; t->kind == EZ_TY_STRUCT && i < t->nfields; i++) {
        rust_add(&s, "  ");
        rust_add(&s, t->field[i].name ? t->field[i].name : "?");
        rust_add_inline(&s, ez_type_load(ez_type_strip(t->field[i].type)));
        rust_add(&s, ",\n");
    }
    rust_add(&s, "}");
    return s;
}

static char *rust_struct(const struct ez_type *t)
{
    bool numbered = ez_rust_is_numbered(t);
    char *s = ez_sprintf("%s %s", t->kind == EZ_TY_UNION ? "union" : "struct", t->name);
    if (!t->nfields)
        return s;
    rust_add(&s, numbered ? " (\n" : " {\n");
    for (size_t i = 0; i < t->nfields; i++) {
        const char *name = t->field[i].name ? t->field[i].name : "";
        EZ_FREE char *one = ez_rust_declare(t->field[i].type, numbered ? "" : name),
                     *line = ez_sprintf("  %s,\n", one);
        rust_add(&s, line);
    }
    rust_add(&s, numbered ? ")" : "}");
    return s;
}

char *ez_rust_whole(const struct ez_type *t)
{
    t = ez_type_load(ez_type_strip(t));
    bool named = t->name && !ez_rust_is_tuple(t);
    if (t->kind == EZ_TY_ENUM && named)
        return rust_enum(t);
    if ((t->kind != EZ_TY_STRUCT && t->kind != EZ_TY_UNION) || !named)
        return rust_text(t, 0);
    return t->variant ? rust_enum(t) : rust_struct(t);
}
