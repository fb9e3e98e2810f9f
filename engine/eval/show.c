/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show.c - shows values as text by their types, like gdb's print. Scalars are shown by the
 * functions for values of traces (engine/record/items.h).
 * Tests: tests/procs/print.sh, tests/unit/eval/check_eval.c */
#include <math.h>
#include <string.h>

#include "engine/expr/gen.h"
#include "engine/dwarf/type.h"
#include "engine/eval/eval_priv.h"
#include "engine/inferior/inferior.h"
#include "engine/record/items.h"

#define DEEPEST 30 /* maximum depth of nested structs */
/* maximum length of the text in bytes; later parts of the value are shown as {...} */
#define LONGEST (8u << 20)

struct shown { /* a value, or a part of it, to be shown */
    const struct ez_type *type;
    const uint8_t *byte; /* its first byte, in the bytes of the whole value */
    uint64_t n;          /* bytes of the whole value from `byte` on: show_part() reads no more */
    /* position of a bit-field within `byte`; for a value that is a bit-field, `byte` is its
     * number */
    unsigned bit, bits;
};

static void show_part(struct show *s, const struct shown *p);

/* ---- scalars --------------------------------------------------------------------------------- */

static bool show_is_flags(const struct ez_type *t)
{
    uint64_t seen = 0;
    bool several = false;
    for (size_t i = 0; i < t->nenumerators; i++) {
        uint64_t v = (uint64_t)t->enumerator[i].value;
        if (t->enumerator[i].value < 0 || seen & v)
            return false;
        several |= (v & (v - 1)) != 0;
        if (several) /* unlike gdb, which accepts flags of several adjacent bits */
            return false;
        seen |= v;
    }
    return t->nenumerators > 0;
}

static void show_flags(struct show *s, const struct ez_type *t, uint64_t v)
{
    uint64_t left = v;
    bool any = false;
    for (size_t i = 0; i < t->nenumerators; i++) {
        uint64_t bit = (uint64_t)t->enumerator[i].value;
        if (!bit || (left & bit) != bit)
            continue;
        show_add(s, "%s", any ? " | " : "(");
        show_add(s, "%s", t->enumerator[i].name);
        any = true;
        left &= ~bit;
    }
    if (left)
        show_add(s, "%sunknown: 0x%llx", any ? " | " : "(", (unsigned long long)left);
    show_add(s, any || left ? ")" : "0");
}

static void show_enum(struct show *s, const struct ez_type *t, uint64_t v)
{
    ez_type_load(t);
    int64_t number = t->is_signed ? (int64_t)ez_cut(v, 8 * (unsigned)t->size, true) : (int64_t)v;
    for (size_t i = 0; i < t->nenumerators; i++)
        if (t->enumerator[i].value == number) {
            show_add(s, "%s", t->enumerator[i].name);
            return;
        }
    if (show_is_flags(t))
        show_flags(s, t, v);
    else
        show_add(s, "%lld", (long long)number);
}

static void show_complex(struct show *s, const struct ez_type *t, const uint8_t *byte)
{
    const struct ez_type *of = ez_type_part(t);
    show_add(s, s->fortran ? "(" : "");
    for (size_t i = 0; i < 2; i++) {
        if (!s->format || s->format == 's' || !show_as(s, of, byte + i * of->size))
            show_float(s, of, byte + i * of->size);
        show_add(s, "%s", s->fortran ? i ? ")" : "," : i ? "i" : " + ");
    }
}

static bool show_is_char(const struct ez_type *t)
{
    t = ez_type_strip(t);
    return t->kind == EZ_TY_CHAR && t->size == 1;
}

static void show_pointer(struct show *s, const struct ez_type *t, uint64_t at)
{
    size_t size = 1;
    if (t->kind == EZ_TY_POINTER && held_is_pointed(at)) {
        show_add(s, "<synthetic pointer>");
        return;
    }
    show_address(s, at);
    if (s->fortran) {
        show_fortran_text_at(s, t, at);
        return;
    }
    show_rust_bytes(s, t, at);
    const char prefix = at && t->kind == EZ_TY_POINTER ? show_wide_prefix(t->to, &size) : 0;
    if (t->kind != EZ_TY_POINTER || !at || (!prefix && !show_is_char(t->to)))
        return;
    show_add(s, " ");
    show_pointed(s, at, prefix, size);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

void show_chars(struct show *s, const uint8_t *c, size_t n)
{
    size_t most = EZ_MIN(n, (size_t)s->most), whole = n;
    /* zeros at the end of the array do not count for the limit of characters */
    while (whole && !c[whole - 1])
        whole--;
    bool cut = whole > most;
    size_t all = n - (n && !c[n - 1] && !s->fortran);
    n = cut ? most : n;
    while (cut && n < whole && c[n] == c[n - 1]) /* do not end within a run of equal characters */
        n++;
    cut &= n < all;
    if (!cut && n && !c[n - 1] && !s->fortran)
        n--; /* the terminating NUL is not shown; Fortran's strings have none */
    show_string(s, c, n, cut);
}

/* Returns the mask `lost` of struct ez_value from `byte` on, or NULL. */
static const uint8_t *show_lost(const struct show *s, const uint8_t *byte)
{
    const struct ez_value *v = s->of;
    return v && v->lost && byte >= v->byte && byte < v->byte + v->n ? v->lost + (byte - v->byte)
                                                                    : NULL;
}

bool show_same(const struct show *s, const uint8_t *a, const uint8_t *b, size_t n)
{
    const uint8_t *lost = show_lost(s, a);
    return !memcmp(a, b, n) && (!lost || !memcmp(lost, lost + (b - a), n));
}

/* Shows an array. For an array of unknown length, such as a flexible array member, shows its
 * address like gdb. */
static void show_array(struct show *s, const struct ez_type *t, const uint8_t *byte)
{
    const struct ez_type *to = ez_type_load(ez_type_strip(t->to));
    size_t size = to->size ? to->size : 1;
    uint64_t n = t->count == UINT64_MAX ? 0 : EZ_MIN(t->count, t->size / size);
    if (t->count == UINT64_MAX && s->of && s->of->lval == EZ_L_MEMORY) {
        show_pointer(s, ez_type_pointer_to(t->to), s->of->addr + (uint64_t)(byte - s->of->byte));
        return;
    }
    bool there = value_lost(show_lost(s, byte), n * size) == VALUE_THERE;
    bool plain = !s->format || s->format == 's';
    const char prefix = plain ? show_wide_prefix(t->to, &size) : 0;
    bool bytes = s->format == 's' && to->kind == EZ_TY_INT && to->size == 1;
    if (there && prefix) {
        show_wide_chars(s, prefix, byte, n, size);
        return;
    }
    if (there && plain && !t->is_vector && (show_is_char(to) || bytes)) {
        show_chars(s, byte, n);
        return;
    }
    bool rust = ez_type_is_rust(t);
    show_add(s, rust ? "[" : "{");
    char format = s->format;
    if (t->is_vector && show_is_char(to) && !format) /* a vector of chars is shown as numbers */
        s->format = to->is_signed ? 'd' : 'u';
    bool nested = to->kind == EZ_TY_ARRAY && !show_is_char(to->to);
    uint64_t i = 0;
    for (; i < n && s->left; i++) {
        uint64_t run = 1;
        while (i + run < n && show_same(s, byte + i * size, byte + (i + run) * size, size))
            run++;
        const struct shown one = { t->to, byte + i * size, size, 0, 0 };
        unsigned before = s->left;
        show_add(s, "%s", i ? ", " : "");
        show_part(s, &one);
        bool repeats = run >= SHOW_REPEATS && !nested;
        if (repeats) {
            show_add(s, " <repeats %llu times>", (unsigned long long)run);
            i += run - 1;
        }
        unsigned took = repeats ? SHOW_REPEATS : 1;
        if (!nested)
            s->left = before - EZ_MIN(before, took);
    }
    s->format = format;
    show_add(s, "%s%s", i < n ? "..." : "", rust ? "]" : "}");
}

/* ---- structs --------------------------------------------------------------------------------- */

/* Returns the address of a virtual base, from the object's table of virtual functions, or 0 if it
 * cannot be read. */
static uint64_t show_vbase_at(struct show *s, const struct ez_field *f, const uint8_t *byte)
{
    const struct ez_value *of = s->of;
    uint64_t vptr;
    int64_t by = 0;
    memcpy(&vptr, byte, sizeof vptr);
    bool there = of && of->lval == EZ_L_MEMORY && byte >= of->byte && byte < of->byte + of->n &&
                 ez_err_drop(ez_read(s->v->t, ez_addr_of(vptr + (uint64_t)(int64_t)f->vbase), &by,
                                     sizeof by));
    return there ? of->addr + (uint64_t)(byte - of->byte) + (uint64_t)by : 0;
}

/* Returns whether the virtual base was already shown, in another part of the object, and notes that
 * it is shown now. at: the base's address, 0 if it is not a virtual base or cannot be read. */
static bool show_is_again(struct show *s, uint64_t at)
{
    for (size_t i = 0; at && i < s->vbase.n; i++)
        if (s->vbase.at[i] == at)
            return true;
    if (at)
        EZ_PUSH(&s->vbase, at);
    return false;
}

static void show_virtual_base(struct show *s, const struct ez_field *f, uint64_t at)
{
    const struct ez_type *t = ez_type_strip(f->type);
    const struct ez_value *of = s->of;
    EZ_FREE uint8_t *part = ez_alloc(t->size + 1);
    show_add(s, "<%s> = ", t->name ? t->name : "?");
    if (!at || !ez_err_drop(ez_read(s->v->t, ez_addr_of(at), part, t->size))) {
        show_add(s, "<invalid address>");
        return;
    }
    const struct ez_value base = {
        .type = f->type, .byte = part, .n = t->size, .lval = EZ_L_MEMORY, .addr = at
    };
    s->of = &base;
    show_part(s, &(struct shown){ f->type, part, t->size, 0, 0 });
    s->of = of;
}

static void show_field(struct show *s, const struct ez_field *f, const struct ez_type *t,
                       const uint8_t *byte)
{
    uint64_t from = EZ_MIN(f->offset, t->size);
    const struct shown one = { f->type, byte + from, t->size - from, f->bit, f->bits };
    const struct ez_type *its = ez_type_load(ez_type_strip(f->type));
    if (f->base)
        show_add(s, "<%s> = ", its->name ? its->name : "?");
    else if (f->name && *f->name)
        show_add(s, "%s = ", f->name);
    show_part(s, &one);
}

void show_line(struct show *s, unsigned in)
{
    if (s->pretty)
        show_add(s, "\n%*s", (int)(2 * (s->depth - 1 + in)), "");
}

struct show_members { /* state while the members of a struct are shown */
    const struct ez_type *t;
    bool any, based; /* any: a member was shown; based: the last one was a base class */
};

/* Writes what separates two members. Like gdb, adds the line "members of CLASS:" after base
 * classes. */
static void show_between(struct show *s, struct show_members *m, bool base)
{
    if (m->any)
        show_add(s, s->pretty && !m->based ? "," : ", ");
    show_line(s, 1);
    if (s->pretty && m->any && m->based && !base) {
        show_add(s, "members of %s:", m->t->name ? m->t->name : "");
        show_line(s, 1);
    }
    m->any = true;
    m->based = base;
}

/* Shows the static members that are declared after `before` data members or, with `last`, after at
 * least `before` data members. */
static void show_statics(struct show *s, struct show_members *m, size_t before, bool last)
{
    const struct ez_type *t = m->t;
    const struct ez_type_class *c = t->is_cxx && t->name ? ez_type_class(t) : NULL;
    for (size_t i = 0; c && s->v->eval && i < c->nfixed; i++) {
        const struct ez_class_static *f = &c->fixed[i];
        if (last ? f->before < before : f->before != before)
            continue;
        EZ_FREE char *name = ez_sprintf("::%s::%s", t->name, f->name);
        struct ez_value v = { .type = NULL };
        show_between(s, m, false);
        show_add(s, "static %s = ", f->name);
        ez_err *e = s->v->eval(s->v, name, NULL, &v);
        bool again = false;
        for (size_t k = 0; !e && v.lval == EZ_L_MEMORY && k < s->fixed.n; k++)
            again |= s->fixed.at[k] == v.addr;
        if (e || v.gone) {
            show_add(s, "<optimized out>");
        } else if (again) {
            show_add(s, "<same as static member of an already seen type>");
        } else {
            const struct ez_value *of = s->of;
            if (v.lval == EZ_L_MEMORY && !ez_value_is_scalar(&v))
                EZ_PUSH(&s->fixed, v.addr);
            s->of = &v;
            show_any(s, v.type, v.byte, v.n);
            s->of = of;
        }
        ez_err_free(e);
        ez_value_clear(&v);
    }
}

static void show_struct(struct show *s, const struct ez_type *t, const uint8_t *byte)
{
    ez_type_load(t);
    if (t->is_declared) {
        show_add(s, "<incomplete type>");
        return;
    }
    if (s->fortran) {
        show_fortran_struct(s, t, byte);
        return;
    }
    if (t->is_rust) {
        show_rust_struct(s, t, byte);
        return;
    }
    /* each array in the struct may have as many elements as are left now */
    unsigned left = s->left;
    struct show_members m = { .t = t };
    show_add(s, "{");
    for (size_t i = 0; i < t->nfields; i++) {
        const struct ez_field *f = &t->field[i];
        show_statics(s, &m, i, false);
        uint64_t vbase = f->vbase ? show_vbase_at(s, f, byte) : 0;
        if (show_is_again(s, vbase))
            continue;
        show_between(s, &m, f->base);
        if (f->vbase)
            show_virtual_base(s, f, vbase);
        else
            show_field(s, f, t, byte);
        s->left = left;
    }
    show_statics(s, &m, t->nfields, true);
    bool own = m.any && !m.based;
    if (own)
        show_line(s, 0);
    show_add(s, own ? "}" : t->nfields ? ", <No data fields>}" : "<No data fields>}");
}

/* ---- any value ------------------------------------------------------------------------------- */

/* Shows the number of a bit-field, in the notation of its type. */
static void show_bits(struct show *s, const struct shown *p)
{
    const struct ez_type *t = ez_type_strip(p->type);
    uint8_t byte[16] = { 0 };
    uint64_t v = value_bits(p->byte, p->bit, p->bits, t->is_signed);
    memset(byte, t->is_signed && (int64_t)v < 0 ? 0xff : 0, sizeof byte);
    memcpy(byte, &v, sizeof v);
    if (show_as(s, t, byte))
        return;
    const struct shown whole = { p->type, byte, sizeof byte, 0, 0 };
    char format = s->format;
    s->format = 0;
    show_part(s, &whole);
    s->format = format;
}

static void show_scalar(struct show *s, const struct ez_type *t, const uint8_t *byte)
{
    uint64_t w[2] = { 0 };
    memcpy(w, byte, EZ_MIN(t->size, (uint64_t)sizeof w));
    uint64_t extended = ez_cut(w[0], 8 * (unsigned)t->size, t->is_signed);
    switch (t->kind) {
    case EZ_TY_BOOL:
        if (s->fortran)
            show_add(s, w[0] ? ".TRUE." : ".FALSE.");
        else
            show_item(s, EZ_IT_BOOL, w, 1);
        break;
    case EZ_TY_CHAR:
        show_item(s, EZ_IT_CHAR, &extended, 1);
        break;
    case EZ_TY_ENUM:
        show_enum(s, t, w[0]);
        break;
    case EZ_TY_POINTER:
        show_pointer(s, t, w[0]);
        break;
    case EZ_TY_REFERENCE:
        show_add(s, "@0x%llx", (unsigned long long)w[0]);
        break;
    default:
        if (t->size > 8)
            show_item(s, t->is_signed ? EZ_IT_INT128 : EZ_IT_UINT128, w, 2);
        else
            show_item(s, t->is_signed ? EZ_IT_INT : EZ_IT_UINT, &extended, 1);
    }
}

/* Returns whether a part of type `t` lies within the value. Debug information may be damaged. */
static bool show_is_there(const struct shown *p, const struct ez_type *t)
{
    bool whole = t->kind == EZ_TY_STRUCT || t->kind == EZ_TY_UNION || t->kind == EZ_TY_ARRAY;
    if (p->bits)
        return !whole && t->size <= 16 && p->bits <= 64 &&
               value_bits_bytes(p->bit, p->bits) <= p->n;
    return t->size <= p->n || t->kind == EZ_TY_FUNC;
}

/* Returns whether the value is optimized out. For a struct or an array returns false, because its
 * parts are judged one by one. */
static bool show_is_gone(const struct show *s, const struct shown *p, const struct ez_type *t)
{
    const uint8_t *lost = show_lost(s, p->byte);
    if (p->bits)
        return value_bits_lost(lost, p->bit, p->bits);
    return t->kind != EZ_TY_STRUCT && t->kind != EZ_TY_UNION && t->kind != EZ_TY_ARRAY &&
           value_lost(lost, t->size) != VALUE_THERE;
}

static void show_part(struct show *s, const struct shown *p)
{
    const struct ez_type *t = ez_type_load(ez_type_strip(p->type));
    if (!show_is_there(p, t)) {
        show_add(s, "<error: it is not in the value>");
        return;
    }
    if (show_is_gone(s, p, t)) {
        show_add(s, "<optimized out>");
        return;
    }
    if (p->bits) {
        show_bits(s, p);
        return;
    }
    if (s->depth >= DEEPEST || s->text.n >= LONGEST) {
        show_add(s, "{...}");
        return;
    }
    s->depth++;
    switch (t->kind) {
    case EZ_TY_STRUCT:
    case EZ_TY_UNION:
        show_struct(s, t, p->byte);
        break;
    case EZ_TY_ARRAY:
        if (s->fortran && !t->is_vector)
            show_fortran_array(s, t, p->byte, p->n);
        else
            show_array(s, t, p->byte);
        break;
    case EZ_TY_VOID:
        show_add(s, "void");
        break;
    case EZ_TY_FUNC:
    case EZ_TY_UNKNOWN:
        show_add(s, "<unknown type>");
        break;
    case EZ_TY_COMPLEX:
        /* like gdb, shows a complex number that is not part of another value as one large number in
         * the user's format */
        if (!s->format || s->format == 's' || s->depth > 1 || !show_as(s, t, p->byte))
            show_complex(s, t, p->byte);
        break;
    case EZ_TY_MEMBER:
        if (!s->format || t->size > 8 || !show_as(s, t, p->byte))
            show_member_pointer(s, t, p->byte);
        break;
    default:
        if (s->format && s->format != 's' && show_as(s, t, p->byte))
            break;
        if (!s->format && show_rust_char(s, t, p->byte))
            break;
        if (t->kind == EZ_TY_FLOAT)
            show_float(s, t, p->byte);
        else
            show_scalar(s, t, p->byte);
        if (t->kind == EZ_TY_INT && (!s->format || s->format == 's'))
            show_wide(s, p->type, p->byte);
    }
    s->depth--;
    /* shows the error instead of the member, so that the other members are shown */
    if (s->wrong && s->depth) {
        show_add(s, "<error reading variable: %s>", s->wrong->msg);
        ez_err_free(s->wrong);
        s->wrong = NULL;
    }
}

void show_any(struct show *s, const struct ez_type *type, const uint8_t *byte, uint64_t n)
{
    show_part(s, &(struct shown){ type, byte, n, 0, 0 });
}

static char *show_type(const struct show *s, const struct ez_type *t)
{
    return s->fortran ? ez_fortran_text(t, false) : ez_type_text(t);
}

/* Writes "(int *) " before a pointer that is not part of another value, unless a string is
 * shown. */
static void show_head(struct show *s, const struct ez_value *value)
{
    const struct ez_type *t = ez_type_strip(value->type), *to = ez_type_strip(t->to);
    if (value->by && value->lval == EZ_L_MEMORY) {
        EZ_FREE char *by = show_type(s, value->by);
        if (!s->bare)
            show_add(s, "(%s) ", by);
        show_add(s, "@0x%llx: ", (unsigned long long)value->addr);
        return;
    }
    if (t->kind != EZ_TY_POINTER || (s->format && s->format != 's' && s->format != 'a'))
        return;
    if (s->format == 'a')
        return;
    const struct ez_type *outer = value->type, *pointed = t->to;
    while (outer->kind == EZ_TY_CONST)
        outer = outer->to;
    while (pointed && pointed->kind == EZ_TY_CONST)
        pointed = pointed->to;
    bool chars = to->kind == EZ_TY_CHAR && to->name && !strcmp(to->name, "char") && pointed &&
                 pointed->kind != EZ_TY_NAMED;
    bool text = outer->kind == EZ_TY_POINTER && (chars || show_wide_is_named(pointed));
    EZ_FREE char *name = show_type(s, value->type);
    text &= !s->fortran;
    if (!text && !s->bare)
        show_add(s, "(%s) ", name);
}

static void show_register_flags(struct show *s, const char *names, uint64_t v)
{
    show_add(s, "[ ");
    for (const char *p = names; *p; p += strcspn(p, ","), p += *p == ',') {
        size_t n = strcspn(p, "=");
        if (v & strtoull(p + n + 1, NULL, 0))
            show_add(s, "%.*s ", (int)n, p);
    }
    show_add(s, "]");
}

/* Shows a function; with a format, its first byte, like gdb. */
static void show_function(struct show *s, const struct ez_value *value, const struct ez_type *t)
{
    static const struct ez_type byte = { .kind = EZ_TY_INT, .size = 1, .is_signed = true };
    EZ_FREE char *name = show_type(s, t);
    uint8_t first;
    if (s->format == 'a' || s->format == 'c') {
        show_wrong(s, "Value can't be converted to integer.");
    } else if (s->format && s->format != 's') {
        s->wrong = ez_err_first(s->wrong, ez_read(s->v->t, ez_addr_of(value->addr), &first, 1));
        show_as(s, &byte, &first);
    } else {
        show_add(s, "{%s} ", name);
        show_address(s, value->addr);
    }
}

static void show_value(struct show *s, const struct ez_value *value)
{
    bool plain = !s->format || s->format == 's';
    const struct ez_type *t = ez_type_load(ez_type_strip(value->type));
    /* the type's size became known only after the value was made */
    if (!value->gone && t->kind != EZ_TY_FUNC && value->n < t->size) {
        show_add(s, "<incomplete type>");
    } else if (value->gone) {
        show_add(s, "<optimized out>");
    } else if (t->kind == EZ_TY_FUNC) {
        show_function(s, value, t);
    } else if (plain && value->reg && value->reg->flags && t->kind == EZ_TY_INT) {
        show_register_flags(s, value->reg->flags, value_word(value->byte, value->n));
    } else {
        show_head(s, value);
        const struct shown whole = { value->type, value->byte, value->n, 0, 0 };
        show_part(s, &whole);
    }
}

static ez_err *show_text_of(struct show *s, const struct ez_value *value, char **out)
{
    s->of = value;
    s->fortran = value->is_fortran;
    show_value(s, value);
    EZ_PUSH(&s->text, 0);
    EZ_VEC_FREE(&s->vbase);
    EZ_VEC_FREE(&s->fixed);
    *out = s->wrong ? NULL : s->text.at;
    if (s->wrong)
        EZ_VEC_FREE(&s->text);
    return s->wrong;
}

/* Returns the value's text, or the reason why there is none. */
static char *show_text_or_why(struct show *s, const struct ez_value *value)
{
    char *text;
    ez_err *e = show_text_of(s, value, &text);
    if (e)
        text = ez_sprintf("<error: %s>", e->msg);
    ez_err_free(e);
    return text;
}

ez_err *ez_value_format(struct ez_history *v, const struct ez_value *value, char format, bool sized,
                        char **out)
{
    struct show s = show_begin(v, format);
    s.sized = sized;
    return show_text_of(&s, value, out);
}

char *ez_value_text(struct ez_history *v, const struct ez_value *value, char format)
{
    struct show s = show_begin(v, format);
    return show_text_or_why(&s, value);
}

char *ez_value_text_bare(struct ez_history *v, const struct ez_value *value)
{
    struct show s = show_begin(v, 0);
    s.bare = true;
    return show_text_or_why(&s, value);
}
