/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf.c - makes types, functions and names from the answers of the reader process (dwarf.h).
 *
 * Answers are not trusted (dwarf_request.c). A type that is still being made cannot become a part
 * of itself, so chains of types end. Numbers are bounded.
 *
 * Tests: tests/unit/dwarf/check_dwarf.c, tests/procs/types.sh */
#include "engine/dwarf/dwarf.h"

#include <string.h>

#include "engine/dwarf/dwarf_query.h"
#include "engine/sym/sym.h"

#define LARGEST (1ul << 40) /* maximum size of a type in bytes */

static const struct ez_type nothing = { .kind = EZ_TY_VOID, .name = "void" };
static const struct ez_type unknown = { .kind = EZ_TY_UNKNOWN, .name = "<unknown type>" };

static struct dwarf_where dwarf_place(struct said *a)
{
    struct dwarf_where w = { .at = dwarf_number(a) };
    w.value = dwarf_number(a);
    w.nregs = dwarf_bounded(a, 2ul);
    w.reg[0] = dwarf_number(a);
    w.reg[1] = dwarf_number(a);
    w.by_address = dwarf_number(a);
    w.high = dwarf_number(a);
    return w;
}

/* ---- types ----------------------------------------------------------------------------------- */

static void dwarf_load(struct ez_type *t);
static const struct ez_type_class *dwarf_class_of(struct ez_type *t);

/* Sets the type and the number of an array's elements. An array larger than LARGEST gets an unknown
 * length. */
static void dwarf_set_elements(struct ez_type *t, const struct ez_type *to, uint64_t count)
{
    t->to = to;
    t->count = count;
    if (count == UINT64_MAX || __builtin_mul_overflow(count, ez_type_strip(to)->size, &t->size) ||
        t->size > LARGEST) {
        t->count = UINT64_MAX;
        t->size = 0;
    }
}

static void dwarf_read_array(struct ez_dwarf *d, struct said *a, struct ez_type *t)
{
    uint64_t n = dwarf_bounded(a, 8ul), count[8] = { 0 };
    int64_t lower[8] = { 0 };
    const struct ez_type *to = t->to;
    for (uint64_t i = 0; i < n; i++) {
        count[i] = dwarf_number(a);
        lower[i] = (int64_t)dwarf_number(a);
    }
    t->lower = lower[0];
    for (uint64_t i = n; i-- > 1;) {
        struct ez_type *inner = ez_alloc(sizeof *inner);
        *inner = (struct ez_type){ .kind = EZ_TY_ARRAY, .lower = lower[i] };
        dwarf_set_elements(inner, to, count[i]);
        EZ_PUSH(&d->kept, inner);
        to = inner;
    }
    dwarf_set_elements(t, to, n ? count[0] : UINT64_MAX);
}

/* Returns whether a scalar has a size that C's scalars or x87's have. Other sizes cannot be shown,
 * collected or computed with. */
static bool dwarf_is_sized(const struct ez_type *t)
{
    uint64_t n = t->size;
    bool word = n == 1 || n == 2 || n == 4 || n == 8;
    switch (t->kind) {
    case EZ_TY_BOOL:
    case EZ_TY_CHAR:
    case EZ_TY_ENUM:
        return word || t->is_declared;
    case EZ_TY_INT:
        return word || n == 16;
    case EZ_TY_FLOAT:
        return n == 2 || n == 4 || n == 8 || n == 10 || n == 12 || n == 16;
    case EZ_TY_COMPLEX:
        return n == 8 || n == 16 || n == 32;
    case EZ_TY_MEMBER:
        return n == 8 || n == 16;
    case EZ_TY_POINTER:
    case EZ_TY_REFERENCE:
        return n == 8;
    default:
        return true;
    }
}

static struct ez_type *dwarf_read_type(struct ez_dwarf *d, struct said *a, uint64_t key)
{
    uint64_t kind = dwarf_number(a), flags = dwarf_number(a);
    struct ez_type *t = ez_alloc(sizeof *t);
    t->kind = kind <= EZ_TY_UNKNOWN ? (enum ez_type_kind)kind : EZ_TY_UNKNOWN;
    t->is_signed = flags & DWARF_TY_SIGNED;
    t->is_variadic = flags & DWARF_TY_VARIADIC;
    t->has_protos = flags & DWARF_TY_PROTOS;
    t->is_char_text = flags & DWARF_TY_TEXT;
    t->by_address = flags & DWARF_TY_BY_ADDRESS;
    t->is_cxx = flags & DWARF_TY_CXX;
    t->is_scoped = flags & DWARF_TY_SCOPED;
    t->is_rust = flags & DWARF_TY_RUST;
    t->is_dynamic = flags & DWARF_TY_DYNAMIC;
    t->is_allocatable = flags & DWARF_TY_ALLOCATABLE;
    t->size = dwarf_bounded(a, LARGEST);
    t->align = (unsigned)dwarf_bounded(a, 4096ul);
    t->is_vector = dwarf_number(a) && t->kind == EZ_TY_ARRAY;
    t->is_declared = dwarf_number(a) && t->kind != EZ_TY_FUNC;
    if (t->kind == EZ_TY_STRUCT ||
        /* A class that is only declared is assumed to be passed by address: clang describes a class
         * with constructors only in the file that defines the constructors. */
        t->kind == EZ_TY_UNION)
        t->by_address |= t->is_declared;
    t->name = dwarf_text(d, a);
    uint64_t to = dwarf_number(a);
    t->maker = d;
    t->key = key;
    t->load = dwarf_load;
    if (t->is_cxx && (t->kind == EZ_TY_STRUCT || t->kind == EZ_TY_UNION))
        t->request_class = dwarf_class_of;
    if (t->kind != EZ_TY_STRUCT && t->kind != EZ_TY_UNION && to)
        t->to = ez_dwarf_type(d, to);
    if (t->kind == EZ_TY_MEMBER)
        t->of = ez_dwarf_type(d, dwarf_number(a));
    if (t->kind == EZ_TY_ARRAY)
        dwarf_read_array(d, a, t);
    if (t->kind == EZ_TY_INT && t->size <= 8 && t->name && ez_type_base(t->name))
        t->name = ez_type_base(t->name)->name; /* "long int" is shown as "long" */
    if (t->kind == EZ_TY_CONST && !t->name)
        t->name = "const";
    if (!dwarf_is_sized(t))
        t->kind = EZ_TY_UNKNOWN;
    return t;
}

const struct ez_type *ez_dwarf_type(struct ez_dwarf *d, uint64_t key)
{
    struct said a = { .all = NULL };
    if (!key)
        return &nothing;
    if (key == DWARF_KEY_CHAR)
        return ez_type_base("char");
    size_t i = ez_hash_put(&d->by_key, key, d->type.n);
    if (i < d->type.n)
        return d->type.at[i] ? d->type.at[i] : &unknown;
    EZ_PUSH(&d->type, NULL);
    const uint64_t word[3] = { key };
    bool good = d->deep < EZ_TYPE_DEEPEST && dwarf_request(d, DWARF_TYPE, "", word, &a);
    d->deep++;
    struct ez_type *t = good ? dwarf_read_type(d, &a, key) : NULL;
    d->deep--;
    if (t && !a.good) {
        free(t);
        t = NULL;
    }
    free(a.all);
    d->type.at[i] = t;
    return t ? t : &unknown;
}

/* Returns the struct or union that the type is or, for an array, that its elements are; else
 * NULL. */
static const struct ez_type *dwarf_held(const struct ez_type *t)
{
    for (t = ez_type_strip(t); t->kind == EZ_TY_ARRAY && t->count != UINT64_MAX;)
        t = ez_type_strip(t->to);
    return t->kind == EZ_TY_STRUCT || t->kind == EZ_TY_UNION ? t : NULL;
}

static bool dwarf_bits_fit(const struct ez_type *whole, const struct ez_field *f)
{
    const struct ez_type *its = ez_type_strip(f->type);
    bool number = its->kind == EZ_TY_INT || its->kind == EZ_TY_BOOL || its->kind == EZ_TY_CHAR ||
                  its->kind == EZ_TY_ENUM;
    return number && f->bits <= 8 * EZ_MIN(its->size, (uint64_t)8) &&
           f->bit + f->bits <= 8 * (whole->size - f->offset);
}

/* Returns whether the member lies within the struct. Only a member as large as the struct can
 * contain the struct itself. Such a member is loaded first. If it contains the struct, the inner
 * call rejects the struct, because the struct's `loading` is set. */
static bool dwarf_fits(struct ez_dwarf *d, const struct ez_type *whole, const struct ez_field *f)
{
    uint64_t room = whole->size - f->offset;
    const struct ez_type *held = dwarf_held(f->type);
    if (f->bits)
        return dwarf_bits_fit(whole, f);
    if (held && (held->is_declared || held->size >= whole->size)) {
        if (held->loading || d->deep >= EZ_TYPE_DEEPEST)
            return false;
        d->deep++;
        ez_type_load(held);
        d->deep--;
    }
    return ez_type_strip(f->type)->size <= room && (!held || held->size <= room);
}

/* Reads a member. Returns false if it begins behind the struct. A member that only ends behind the
 * struct gets an unknown type. */
static bool dwarf_read_field(struct ez_dwarf *d, struct said *a, const struct ez_type *t,
                             struct ez_field *f)
{
    *f = (struct ez_field){ .name = dwarf_text(d, a) };
    f->type = ez_dwarf_type(d, dwarf_number(a));
    f->offset = dwarf_bounded(a, 1ul << 40);
    f->bit = (unsigned)(dwarf_number(a) & 7);
    f->bits = (unsigned)dwarf_bounded(a, 1024ul);
    f->base = dwarf_number(a);
    f->access = (uint8_t)dwarf_bounded(a, 3ul);
    f->vbase = (int32_t)dwarf_number(a);
    if (f->offset > t->size)
        return false;
    if (!dwarf_fits(d, t, f)) {
        f->type = &unknown;
        f->bits = 0;
    }
    return true;
}

struct dwarf_parts { /* state while the parts of a type are read */
    EZ_VEC(struct ez_field) field;
    EZ_VEC(struct ez_type_variant) variant;
    EZ_VEC(struct ez_enumerator) name;
    EZ_VEC(struct ez_param) param;
    bool has_variants;
    struct ez_field *discr;
};

static void dwarf_read_member(struct ez_dwarf *d, struct said *a, const struct ez_type *t,
                              enum dwarf_part what, struct dwarf_parts *p)
{
    struct ez_field f;
    struct ez_type_variant v = { .by = EZ_VARIANT_STRANGE };
    if (what == DWARF_PART_VARIANT) {
        uint64_t by = dwarf_number(a);
        v.by = by == DWARF_VARIANT_ELSE    ? EZ_VARIANT_ELSE
               : by == DWARF_VARIANT_VALUE ? EZ_VARIANT_VALUE
                                           : EZ_VARIANT_STRANGE;
        v.value = (int64_t)dwarf_number(a);
        p->has_variants = true;
    }
    if (!dwarf_read_field(d, a, t, &f))
        return;
    if (what == DWARF_PART_DISCR) {
        if (!p->discr) {
            p->discr = ez_alloc(sizeof f);
            EZ_PUSH(&d->kept, p->discr);
        }
        *p->discr = f;
        return;
    }
    EZ_PUSH(&p->field, f);
    EZ_PUSH(&p->variant, v);
}

/* Reads the members of a struct, the names of an enum or the parameters of a function, up to
 * DWARF_MOST_PARTS. */
static void dwarf_read_parts(struct ez_dwarf *d, struct said *a, struct ez_type *t)
{
    struct dwarf_parts p = { .discr = NULL };
    uint64_t what;
    for (size_t n = 0; (what = dwarf_number(a)) && a->good && n < DWARF_MOST_PARTS; n++) {
        if (t->kind == EZ_TY_STRUCT || t->kind == EZ_TY_UNION) {
            dwarf_read_member(d, a, t, (enum dwarf_part)what, &p);
            continue;
        }
        const char *its = dwarf_text(d, a);
        uint64_t value = dwarf_number(a);
        if (t->kind == EZ_TY_ENUM)
            EZ_PUSH(&p.name, ((struct ez_enumerator){ its ? its : "?", (int64_t)value }));
        else
            EZ_PUSH(&p.param, ((struct ez_param){ its, ez_dwarf_type(d, value) }));
    }
    t->field = p.field.at, t->nfields = p.field.n;
    t->enumerator = p.name.at, t->nenumerators = p.name.n;
    t->param = p.param.at, t->nparams = p.param.n;
    t->variant = p.has_variants ? p.variant.at : NULL;
    t->discr = p.has_variants ? p.discr : NULL;
    EZ_PUSH(&d->kept, p.field.at);
    EZ_PUSH(&d->kept, p.variant.at);
    EZ_PUSH(&d->kept, p.name.at);
    EZ_PUSH(&d->kept, p.param.at);
}

static const char *dwarf_tagged(const struct ez_type *t)
{
    return t->kind == EZ_TY_STRUCT ? "struct " : t->kind == EZ_TY_UNION ? "union " : "enum ";
}

/* Completes a type that is only declared: copies the definition of the same name, which any unit of
 * the file may have. */
static void dwarf_load_declared(struct ez_dwarf *d, struct ez_type *t)
{
    EZ_FREE char *name = ez_sprintf("%s%s", dwarf_tagged(t), t->name ? t->name : "");
    const struct ez_type *whole = t->name ? ez_dwarf_named(d, NULL, name, false) : NULL;
    if (!whole || whole == t || whole->kind != t->kind || whole->is_declared)
        return;
    ez_type_load(whole);
    t->whole = whole;
    t->size = whole->size;
    t->field = whole->field, t->nfields = whole->nfields;
    t->variant = whole->variant, t->discr = whole->discr;
    t->enumerator = whole->enumerator, t->nenumerators = whole->nenumerators;
    t->is_char_text = whole->is_char_text;
    t->is_declared = false;
}

static void dwarf_load(struct ez_type *t)
{
    struct ez_dwarf *d = t->maker;
    const uint64_t word[3] = { t->key };
    struct said a;
    if (t->is_declared) {
        dwarf_load_declared(d, t);
        return;
    }
    if (t->kind != EZ_TY_STRUCT && t->kind != EZ_TY_UNION && t->kind != EZ_TY_ENUM &&
        t->kind != EZ_TY_FUNC)
        return;
    if (dwarf_request(d, DWARF_PARTS, "", word, &a))
        dwarf_read_parts(d, &a, t);
    free(a.all);
}

/* ---- parts of a class other than members ----------------------------------------------------- */

struct dwarf_abouts {
    EZ_VEC(struct ez_class_static) fixed;
    EZ_VEC(struct ez_class_method) method;
    EZ_VEC(struct ez_class_alias) alias;
};

static struct ez_class_method dwarf_read_method(struct ez_dwarf *d, struct said *a)
{
    uint64_t flags = dwarf_number(a);
    struct ez_class_method m = { .is_virtual = flags & DWARF_METHOD_VIRTUAL,
                                 .is_static = flags & DWARF_METHOD_STATIC,
                                 .is_artificial = flags & DWARF_METHOD_ARTIFICIAL,
                                 .is_deleted = flags & DWARF_METHOD_DELETED };
    m.hidden = dwarf_number(a);
    m.vtable = dwarf_number(a);
    m.linkage = dwarf_text(d, a);
    return m;
}

static void dwarf_read_about(struct ez_dwarf *d, struct said *a, enum dwarf_about what,
                             struct dwarf_abouts *to)
{
    const char *own = dwarf_text(d, a), *name = own ? own : "?";
    const struct ez_type *type = ez_dwarf_type(d, dwarf_number(a));
    uint8_t access = (uint8_t)dwarf_bounded(a, 3ul);
    struct ez_class_method m;
    switch (what) {
    case DWARF_ABOUT_ALIAS:
        EZ_PUSH(&to->alias, ((struct ez_class_alias){ name, type, access }));
        break;
    case DWARF_ABOUT_FIXED:
        EZ_PUSH(&to->fixed, ((struct ez_class_static){ name, type, access, dwarf_number(a) }));
        break;
    default:
        m = dwarf_read_method(d, a);
        m.name = name, m.type = type, m.access = access;
        EZ_PUSH(&to->method, m);
    }
}

/* Returns what the debug information says of the class, or of its definition if `t` is only
 * declared. */
static const struct ez_type_class *dwarf_class_of(struct ez_type *t)
{
    struct ez_dwarf *d = t->maker;
    const uint64_t word[3] = { t->whole ? t->whole->key : t->key };
    struct said a;
    struct dwarf_abouts to = { .fixed = { 0 } };
    uint64_t what;
    struct ez_type_class *c = ez_alloc(sizeof *c);
    if (dwarf_request(d, DWARF_CLASS, "", word, &a)) {
        c->is_class = dwarf_number(&a);
        for (size_t n = 0; (what = dwarf_number(&a)) && a.good && n < DWARF_MOST_PARTS; n++)
            dwarf_read_about(d, &a, (enum dwarf_about)what, &to);
    }
    free(a.all);
    c->fixed = to.fixed.at, c->nfixed = to.fixed.n;
    c->method = to.method.at, c->nmethods = to.method.n;
    c->alias = to.alias.at, c->naliases = to.alias.n;
    EZ_PUSH(&d->kept, c);
    EZ_PUSH(&d->kept, to.fixed.at);
    EZ_PUSH(&d->kept, to.method.at);
    EZ_PUSH(&d->kept, to.alias.at);
    return c;
}

/* ---- functions, names ------------------------------------------------------------------------ */

bool ez_dwarf_function(struct ez_dwarf *d, uint64_t vaddr, struct ez_dwarf_function *out)
{
    const uint64_t word[3] = { vaddr };
    struct said a;
    *out = (struct ez_dwarf_function){ .unit = DWARF_NO_UNIT, .result = &nothing };
    bool found = dwarf_request(d, DWARF_FUNC, "", word, &a);
    if (found) {
        out->unit = dwarf_number(&a);
        out->key = dwarf_number(&a);
        out->flags = (unsigned)dwarf_number(&a);
        out->name = dwarf_text(d, &a);
        out->result = ez_dwarf_type(d, dwarf_number(&a));
    }
    while (found && dwarf_number(&a) && a.good && out->param.n < DWARF_MOST_PARTS) {
        struct ez_dwarf_param p = { .name = dwarf_text(d, &a) };
        p.type = ez_dwarf_type(d, dwarf_number(&a));
        p.where = dwarf_place(&a);
        EZ_PUSH(&out->param, p);
    }
    free(a.all);
    return found;
}

bool ez_dwarf_body(struct ez_dwarf *d, uint64_t vaddr, struct ez_dwarf_body *out)
{
    const uint64_t word[3] = { vaddr };
    struct said a;
    bool found = dwarf_request(d, DWARF_BODY, "", word, &a);
    *out = (struct ez_dwarf_body){ .file = NULL };
    if (found) {
        out->file = dwarf_text(d, &a);
        out->name = dwarf_text(d, &a);
        out->language = (unsigned)dwarf_number(&a);
        out->end = dwarf_number(&a);
        out->begin_line = (unsigned)dwarf_number(&a);
        out->begin_col = (unsigned)dwarf_number(&a);
        out->end_line = (unsigned)dwarf_number(&a);
        out->end_col = (unsigned)dwarf_number(&a);
        out->result = dwarf_text(d, &a);
    }
    found = found && a.good;
    free(a.all);
    return found;
}

static bool dwarf_find(struct ez_dwarf *d, uint32_t what, const struct ez_dwarf_function *in,
                       const char *name, bool near, struct said *a)
{
    const uint64_t word[3] = { in ? in->unit : DWARF_NO_UNIT, in ? in->key : 0, near };
    return dwarf_request_many(d, &(struct dwarf_request_key){ what, name, word, 3, &d->memo }, a);
}

bool ez_dwarf_symbol(struct ez_dwarf *d, const struct ez_dwarf_function *in, const char *name,
                     bool near, struct ez_dwarf_symbol *out)
{
    struct said a;
    bool found = dwarf_find(d, DWARF_NAME, in, name, near, &a);
    if (found) {
        out->linkage = dwarf_text(d, &a);
        out->type = ez_dwarf_type(d, dwarf_number(&a));
        out->where = dwarf_place(&a);
    }
    found = found && a.good;
    free(a.all);
    return found;
}

const struct ez_type *ez_dwarf_named(struct ez_dwarf *d, const struct ez_dwarf_function *in,
                                     const char *name, bool near)
{
    struct said a;
    uint64_t key = dwarf_find(d, DWARF_NAMED, in, name, near, &a) ? dwarf_number(&a) : 0;
    free(a.all);
    return key ? ez_dwarf_type(d, key) : NULL;
}

enum ez_means ez_dwarf_means(struct ez_dwarf *d, const struct ez_dwarf_function *in,
                             const char *name, bool near)
{
    struct said a;
    bool found = dwarf_find(d, DWARF_MEANS, in, name, near, &a);
    bool type = found && dwarf_number(&a);
    found = found && a.good;
    free(a.all);
    return !found ? EZ_MEANS_NOTHING : type ? EZ_MEANS_TYPE : EZ_MEANS_VALUE;
}

void dwarf_read_ops(struct said *a, struct ez_dwarf_ops *out)
{
    uint64_t n = dwarf_bounded(a, 256ul);
    for (uint64_t i = 0; i < n && a->good; i++) {
        struct ez_dwarf_op op = { .atom = dwarf_number(a) };
        op.a = dwarf_number(a);
        op.b = dwarf_number(a);
        EZ_PUSH(&out->op, op);
    }
}

static bool dwarf_request_local(struct ez_dwarf *d, uint32_t what, const char *name,
                                const uint64_t word[3], struct ez_dwarf_local *out)
{
    struct said a;
    *out = (struct ez_dwarf_local){ .type = &nothing };
    bool found = dwarf_request(d, what, name, word, &a);
    if (found) {
        out->type = ez_dwarf_type(d, dwarf_number(&a));
        out->is_const = dwarf_number(&a);
        out->value = dwarf_number(&a);
        out->high = dwarf_number(&a);
        dwarf_read_ops(&a, &out->at);
        dwarf_read_ops(&a, &out->base);
    }
    found = found && a.good;
    free(a.all);
    return found;
}

bool ez_dwarf_local(struct ez_dwarf *d, uint64_t vaddr, unsigned inside, uint64_t which,
                    const char *name, struct ez_dwarf_local *out)
{
    return dwarf_request_local(d, DWARF_LOCAL, name, (uint64_t[3]){ vaddr, inside, which }, out);
}

bool ez_dwarf_variable(struct ez_dwarf *d, uint64_t vaddr, uint64_t offset,
                       struct ez_dwarf_local *out)
{
    return dwarf_request_local(d, DWARF_VARIABLE, "", (uint64_t[3]){ vaddr, offset }, out);
}

bool ez_dwarf_link(struct ez_dwarf *d, uint64_t vaddr, unsigned inside, struct ez_dwarf_local *out)
{
    return ez_dwarf_local(d, vaddr, inside, DWARF_WHICH_LINK, "", out);
}

void ez_dwarf_local_free(struct ez_dwarf_local *l)
{
    EZ_VEC_FREE(&l->at.op);
    EZ_VEC_FREE(&l->base.op);
}

/* ---- objects --------------------------------------------------------------------------------- */

static void dwarf_close(void *arg)
{
    struct ez_dwarf *d = arg;
    for (size_t i = 0; i < d->type.n; i++)
        free(d->type.at[i]);
    for (size_t i = 0; i < d->kept.n; i++)
        free(d->kept.at[i]);
    for (size_t i = 0; i < d->calls.n; i++) {
        EZ_VEC_FREE(&d->calls.at[i]->call);
        free(d->calls.at[i]);
    }
    ez_dwarf_ahead(d, NULL, 0);
    EZ_VEC_FREE(&d->calls);
    EZ_VEC_FREE(&d->name_of);
    EZ_VEC_FREE(&d->type);
    EZ_VEC_FREE(&d->kept);
    ez_hash_free(&d->by_key);
    ez_hash_free(&d->by_pc);
    ez_hash_free(&d->by_name);
    for (size_t i = 0; i < EZ_ARRAY_LEN(d->macro); i++)
        free(d->macro[i].name);
    ez_hash_free(&d->noted);
    ez_dwarf_memo_free(d->memo);
    for (size_t i = 0; i < EZ_ARRAY_LEN(d->table); i++)
        ez_dwarf_memo_free(d->table[i].memo);
    free(d->name);
    free(d);
}

struct ez_dwarf *dwarf_made(struct ez_object *o)
{
    void **slot = ez_object_slot(o, dwarf_close);
    struct ez_dwarf *d = *slot;
    bool separate;
    if (d)
        return d;
    d = *slot = ez_alloc(sizeof *d);
    d->obj = o;
    d->file = ez_object_debug(o, &separate);
    d->name = ez_strdup(d->file && separate ? ez_foreign_path(d->file) : "/nonexistent/program");
    d->table[0].file = ez_object_own(o);
    d->table[1].file = separate ? d->file : NULL;
    return d;
}

struct ez_dwarf *ez_dwarf_of(struct ez_object *o, const char **why)
{
    struct ez_dwarf *d = dwarf_made(o);
    *why = "there is no debug information";
    if (d->known.lost)
        *why = "its debug information cannot be read";
    return d->file && !d->known.lost ? d : NULL;
}
