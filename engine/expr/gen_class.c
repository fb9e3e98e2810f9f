/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_class.c - members of classes, and conversion of pointers between base and derived classes
 * (gen.h).
 *
 * The way from an object to a part of it is a path of steps (struct gen_path). Each step adds an
 * offset; the offset of a virtual base is in the object's table of virtual functions. A pointer to
 * a derived class is converted to a pointer to its base by the steps of a path. The opposite
 * conversion subtracts the offsets, and is not possible if a base on the path is virtual.
 *
 * Tests: tests/procs/classes.sh */
#include "engine/expr/gen.h"

#include <string.h>

#define MOST_SEEN 4096 /* maximum number of types visited in the search for a member or a base */
#define DEEPEST 16     /* maximum depth of bases, and of structs without a name */

/* ---- paths ----------------------------------------------------------------------------------- */

static bool class_step(struct gen_path *p, const struct ez_field *f)
{
    if (!f->vbase && p->n && !p->step[p->n - 1].is_virtual) {
        p->step[p->n - 1].by += (int64_t)f->offset;
        return true;
    }
    if (p->n == EZ_ARRAY_LEN(p->step))
        return false;
    p->step[p->n].is_virtual = f->vbase;
    p->step[p->n++].by = f->vbase ? f->vbase : (int64_t)f->offset;
    return true;
}

struct gen_path gen_path_of(const struct ez_field *f)
{
    struct gen_path p = { .n = 0 };
    (void)class_step(&p, f);
    return p;
}

bool gen_path_is_virtual(const struct gen_path *p)
{
    for (unsigned i = 0; i < p->n; i++)
        if (p->step[i].is_virtual)
            return true;
    return false;
}

static int64_t class_offset(const struct gen_path *p)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < p->n; i++)
        sum += p->step[i].by;
    return sum;
}

/* Replaces the object's address on the stack by the address of its part. */
static void class_walk(struct gen *g, const struct gen_path *p)
{
    for (unsigned i = 0; i < p->n; i++) {
        if (!p->step[i].is_virtual) {
            gen_add(g, p->step[i].by);
            continue;
        }
        gen_op(g, EZ_OP_DUP, 0, 0, 0);
        gen_op(g, EZ_OP_LOAD, 8, 0, 0);
        gen_op(g, EZ_OP_LOAD, 8, 1, p->step[i].by);
        gen_op(g, EZ_OP_ADD, 0, 0, 0);
    }
}

ez_err *gen_walk(struct gen *g, struct gen_operand *o, const struct gen_path *p,
                 const struct ez_type *type)
{
    if (!gen_path_is_virtual(p)) {
        gen_part(g, o, (uint64_t)class_offset(p), type);
        return NULL;
    }
    EZ_TRY(gen_address(g, o));
    class_walk(g, p);
    o->type = type;
    return NULL;
}

/* ---- classes --------------------------------------------------------------------------------- */

/* Returns whether two types are the same class. Each compilation unit has its own description of a
 * class. */
static bool class_same(const struct ez_type *a, const struct ez_type *b)
{
    return a == b || (a->kind == b->kind && a->name && b->name && !strcmp(a->name, b->name));
}

static int class_depth(const struct ez_type *class, const struct ez_type *base, unsigned *left)
{
    int best = -1;
    if (class_same(class, base))
        return 0;
    class = ez_type_load(class);
    for (size_t i = 0; i < class->nfields && *left; i++) {
        if (!class->field[i].base)
            continue;
        --*left;
        int depth = class_depth(ez_type_strip(class->field[i].type), base, left);
        if (depth >= 0 && (best < 0 || depth < best))
            best = depth + 1;
    }
    return best;
}

int gen_base_depth(const struct ez_type *class, const struct ez_type *base)
{
    unsigned left = MOST_SEEN;
    return class_depth(ez_type_strip(class), ez_type_strip(base), &left);
}

/* ---- members --------------------------------------------------------------------------------- */

struct class_members { /* the members of one name, while they are searched */
    const char *name;
    const struct ez_field *found;
    const struct ez_type *of; /* the class of `found` */
    struct gen_path path;
    bool several; /* more than one member has the name: the name is ambiguous */
    /* types that may still be visited: structs may contain each other any number of times */
    unsigned left;
};

/* Adds a member. A member of a derived class hides the member of its base. A member of a virtual
 * base that is found on two paths is one member. */
static void class_add_member(struct class_members *m, const struct ez_type *of,
                             const struct ez_field *f, const struct gen_path *path)
{
    bool same = m->found && class_same(m->of, of) && gen_path_is_virtual(path) &&
                gen_path_is_virtual(&m->path);
    bool hidden = m->found && gen_base_depth(m->of, of) > 0;
    bool hides = m->found && gen_base_depth(of, m->of) > 0;
    if (same || hidden)
        return;
    m->several = m->found && !hides;
    m->found = f;
    m->of = of;
    m->path = *path;
}

/* Searches the members of bases, and of structs without a name, exactly `depth` levels inside the
 * type. */
static void class_members(struct class_members *m, const struct ez_type *t,
                          const struct gen_path *path, unsigned depth)
{
    if (!m->left)
        return;
    m->left--;
    t = ez_type_load(ez_type_strip(t));
    for (size_t i = 0; i < t->nfields; i++) {
        const struct ez_field *f = &t->field[i];
        struct gen_path inside = *path;
        bool named = f->name && !f->base;
        if (named ? depth || strcmp(f->name, m->name) : !depth)
            continue;
        if (!class_step(&inside, f))
            continue;
        if (named)
            class_add_member(m, t, f, &inside);
        else
            class_members(m, f->type, &inside, depth - 1);
    }
}

const struct ez_field *gen_field(const struct ez_type *t, const char *name, struct gen_path *path)
{
    const struct gen_path none = { .n = 0 };
    struct class_members m = { .name = name, .left = MOST_SEEN };
    for (unsigned depth = 0; depth < DEEPEST && !m.found && m.left; depth++)
        class_members(&m, t, &none, depth);
    *path = m.path;
    return m.several ? NULL : m.found;
}

/* ---- bases ----------------------------------------------------------------------------------- */

struct class_search {
    const struct ez_type *base;
    struct gen_path found;
    const struct ez_type *through; /* last virtual base on the path, or NULL */
    unsigned n, left;              /* n: number of bases of that class that the object has */
};

static void class_search(struct class_search *s, const struct ez_type *t,
                         const struct gen_path *path, const struct ez_type *through)
{
    if (!s->left)
        return;
    s->left--;
    t = ez_type_load(ez_type_strip(t));
    for (size_t i = 0; i < t->nfields; i++) {
        const struct ez_field *f = &t->field[i];
        struct gen_path inside = *path;
        if (!f->base || !class_step(&inside, f))
            continue;
        const struct ez_type *its = ez_type_strip(f->type), *via = f->vbase ? its : through;
        if (!class_same(its, s->base)) {
            class_search(s, its, &inside, via);
            continue;
        }
        if (s->n && via && s->through && class_same(via, s->through))
            continue; /* the same base, reached on another path */
        if (!s->n++) {
            s->found = inside;
            s->through = via;
        }
    }
}

static ez_err *class_ambiguous(const struct ez_type *base, const struct ez_type *derived)
{
    return ez_err_gdb(EZ_E_ARG, "base class '%s' is ambiguous in type '%s'", base->name,
                      derived->name);
}

/* Returns the class to which the type points or refers, or NULL. */
static const struct ez_type *class_of(const struct ez_type *t)
{
    t = ez_type_strip(t);
    bool leads = t->kind == EZ_TY_POINTER || t->kind == EZ_TY_REFERENCE;
    const struct ez_type *to = leads && t->to ? ez_type_strip(t->to) : NULL;
    return to && to->kind == EZ_TY_STRUCT && to->name && to->is_cxx ? to : NULL;
}

ez_err *gen_to_base(struct gen *g, const struct ez_type **a, size_t end, const struct ez_type **b,
                    size_t *grown)
{
    const struct ez_type *first = class_of(*a), *second = class_of(*b);
    size_t begin = g->code->op.n;
    bool related;
    *grown = 0;
    if (!first || !second || first == second)
        return NULL;
    if (gen_base_depth(second, first) > 0) {
        EZ_TRY(gen_class_pointer(g, *b, *a, &related));
        *b = *a;
        return NULL;
    }
    if (gen_base_depth(first, second) <= 0)
        return NULL;
    EZ_TRY(gen_class_pointer(g, *a, *b, &related));
    *grown = g->code->op.n - begin;
    /* move the code of the conversion behind the first operand's code */
    for (size_t i = 0; i < *grown; i++) {
        struct ez_code_op op = g->code->op.at[begin + i];
        memmove(g->code->op.at + end + i + 1, g->code->op.at + end + i, (begin - end) * sizeof op);
        g->code->op.at[end + i] = op;
    }
    *a = *b;
    return NULL;
}

ez_err *gen_class_pointer(struct gen *g, const struct ez_type *from, const struct ez_type *to,
                          bool *related)
{
    const struct ez_type *a = class_of(from), *b = class_of(to);
    const struct gen_path none = { .n = 0 };
    *related = false;
    if (!a || !b || class_same(a, b))
        return NULL;
    struct class_search up = { .base = b, .left = MOST_SEEN },
                        down = { .base = a, .left = MOST_SEEN };
    class_search(&up, a, &none, NULL);
    if (up.n > 1)
        return class_ambiguous(b, a);
    if (!up.n)
        class_search(&down, b, &none, NULL);
    if (down.n > 1)
        return class_ambiguous(a, b);
    if (down.n && gen_path_is_virtual(&down.found))
        return ez_err_new(EZ_E_ARG, 0,
                          "Cannot cast from '%s' to '%s': '%s' is a virtual base, and the object "
                          "may be of another class",
                          a->name, b->name, a->name);
    *related = up.n || down.n;
    if (!*related)
        return NULL;
    gen_op(g, EZ_OP_DUP, 0, 0, 0); /* a null pointer stays null */
    size_t jump = g->code->op.n;
    gen_op(g, EZ_OP_JZ, 0, 0, 0);
    if (up.n)
        class_walk(g, &up.found);
    else
        gen_add(g, -class_offset(&down.found));
    g->code->op.at[jump].imm = (int32_t)(g->code->op.n - jump - 1);
    return NULL;
}

/* ---- dynamic_cast ---------------------------------------------------------------------------- */

/* Checks C++'s requirements on the operand and the type. The error messages are gdb's. */
static ez_err *class_may_cast(const struct ez_type *t, const struct ez_type *from)
{
    const struct ez_type *to = t->to ? ez_type_strip(t->to) : NULL;
    bool reference = t->kind == EZ_TY_REFERENCE;
    if (t->kind != EZ_TY_POINTER && !reference)
        return ez_err_gdb(EZ_E_ARG, "Argument to dynamic_cast must be a pointer or reference type");
    if (!to || (to->kind != EZ_TY_STRUCT && (to->kind != EZ_TY_VOID || reference)))
        return ez_err_gdb(EZ_E_ARG,
                          "Argument to dynamic_cast must be pointer to class or `void *'");
    if (reference)
        return from->kind == EZ_TY_STRUCT
                   ? NULL
                   : ez_err_gdb(EZ_E_ARG, "Argument to dynamic_cast does not have class type");
    if (from->kind != EZ_TY_POINTER)
        return ez_err_gdb(EZ_E_ARG, "Argument to dynamic_cast does not have pointer type");
    return class_of(from)
               ? NULL
               : ez_err_gdb(EZ_E_ARG, "Argument to dynamic_cast does not have pointer to class "
                                      "type");
}

/* Returns whether `base` is the class itself or one of its public bases. */
static bool class_is_public(const struct ez_type *class, const struct ez_type *base, unsigned *left)
{
    if (class_same(class, base))
        return true;
    class = ez_type_load(class);
    for (size_t i = 0; i < class->nfields && *left; i++) {
        const struct ez_field *f = &class->field[i];
        if (!f->base || f->access > EZ_PUBLIC)
            continue;
        --*left;
        if (class_is_public(ez_type_strip(f->type), base, left))
            return true;
    }
    return false;
}

/* Returns whether C++ allows dynamic_cast from a base `from` of an object of class `whole` to its
 * base `to`. */
static bool class_allows(const struct ez_type *whole, const struct ez_type *from,
                         const struct ez_type *to)
{
    unsigned left = MOST_SEEN;
    if (class_same(whole, to))
        return class_is_public(whole, from, &left);
    return class_is_public(to, from, &left) ||
           (class_is_public(whole, from, &left) && class_is_public(whole, to, &left));
}

/* Executes dynamic_cast: replaces the pointer, whose code begins at `begin`, by a pointer to the
 * object's part of class `target`, or to the whole object for void. Sets *related to false if the
 * object has no such part, or C++ does not allow the cast. */
static ez_err *class_compute(struct gen *g, size_t begin, const struct ez_type *from,
                             const struct ez_type *to, const struct ez_type *target, bool *related)
{
    const struct gen_operand part = gen_value(ez_type_int(8, false));
    const struct ez_type *class = NULL;
    uint64_t at = 0;
    EZ_TRY(gen_run(g, g->scope->number, begin, &part, &at));
    if (at)
        EZ_TRY(g->scope->whole(g->scope->arg, &at, &class));
    if (at && !class)
        return ez_err_gdb(EZ_E_NOTFOUND,
                          "Couldn't determine value's most derived type for dynamic_cast");
    g->code->op.n = begin;
    gen_const(g, at);
    *related = !at || target->kind == EZ_TY_VOID;
    if (*related || gen_base_depth(class, target) < 0 ||
        !class_allows(ez_type_strip(class), class_of(from), target))
        return NULL;
    *related = gen_base_depth(class, target) == 0;
    if (*related)
        return NULL;
    return gen_class_pointer(g, ez_type_pointer_to(class), to, related);
}

ez_err *gen_dynamic_cast(struct gen *g, size_t begin, const struct ez_type *t,
                         struct gen_operand *o)
{
    const struct ez_type *to = ez_type_strip(t), *from = o->type;
    bool pointer = to->kind == EZ_TY_POINTER, related = false;
    EZ_TRY(class_may_cast(to, ez_type_strip(from)));
    EZ_TRY(pointer ? gen_load(g, o) : gen_address(g, o));
    from = pointer ? from : ez_type_pointer_to(from);
    o->type = pointer ? t : to->to;
    const struct ez_type *target = ez_type_strip(to->to);
    int up = target->kind == EZ_TY_VOID ? -1 : gen_base_depth(class_of(from), target);
    if (!up || g->types)
        return NULL;
    if (up > 0)
        return gen_class_pointer(g, from, to, &related);
    if (!g->scope->whole)
        return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "A dynamic_cast is not possible in a probe"),
                           "If the object has that very type, use static_cast<TYPE>(...)");
    EZ_TRY(class_compute(g, begin, from, to, target, &related));
    if (related)
        return NULL;
    if (!pointer)
        return ez_err_gdb(EZ_E_ARG, "dynamic_cast failed");
    g->code->op.n = begin;
    gen_const(g, 0);
    return NULL;
}

/* ---- operators ------------------------------------------------------------------------------- */

bool gen_is_object(const struct gen *g, const struct ez_type *t)
{
    t = ez_type_strip(t);
    return g->scope->wide && g->scope->is_cxx && t->kind == EZ_TY_STRUCT && t->is_cxx;
}

ez_err *gen_operator(struct gen *g, const struct ez_expr *x, int op, struct gen_wide *w,
                     struct gen_operand *out)
{
    w->kind = EZ_X_CALL;
    w->op = op;
    w->in = w->type = w->of[0].o.type;
    EZ_TRY(gen_wide(g, w, out));
    const struct ez_type *by = ez_type_strip(out->type);
    if (by->kind == EZ_TY_REFERENCE) {
        g->referred = x;
        g->by = by;
    }
    return gen_referred(g, out);
}

ez_err *gen_operator_of(struct gen *g, const struct ez_expr *x, int op, size_t begin,
                        struct gen_operand *o)
{
    struct gen_wide w = { .n = 1, .of = { { begin, g->code->op.n, *o } } };
    return gen_operator(g, x, op, &w, o);
}
