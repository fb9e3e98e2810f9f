/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_name.c - names, $variables, members and dereferences (gen.h).
 * Tests: tests/unit/rt/check_code.c, tests/procs/print.sh */
#include "engine/expr/gen.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"

#define MOST_CLASSES 16 /* maximum number of classes whose static members are searched */

/* ---- names ----------------------------------------------------------------------------------- */

/* Returns an error if the probe is inside of its function: only the function's first instruction
 * has the return address at the top of the stack, and the arguments where the convention says. */
static ez_err *gen_not_inside(const struct gen *g, const char *name)
{
    if (!g->scope->is_inside)
        return NULL;
    ez_err *e = ez_err_new(EZ_E_ARG, 0, "%s is known only at a function's first instruction", name);
    return g->scope->stap ? ez_err_hint(e, "$_probe_arg0, ... are the arguments of the probe") : e;
}

static ez_err *gen_argument(struct gen *g, const char *digits, bool is_float,
                            struct gen_operand *out)
{
    const struct ez_convention *by = ez_arch_host()->abi.convention;
    unsigned long n = strtoul(digits, NULL, 10);
    unsigned regs = is_float ? by->nfloats : by->narguments;
    if (!*digits || strspn(digits, "0123456789") != strlen(digits) || n > 63 ||
        (is_float && n >= regs))
        return ez_err_new(EZ_E_ARG, 0, "There is no argument $%sarg%s", is_float ? "f" : "",
                          digits);
    *out = (struct gen_operand){ .kind = GEN_PLACE,
                                 .type = is_float ? ez_type_double() : ez_type_int(8, true),
                                 .where = { .kind = n < regs ? EZ_AT_REGS : EZ_AT_STACK } };
    if (n < regs) {
        out->where.nregs = 1;
        out->where.reg[0].vector = is_float;
        out->where.reg[0].number = is_float ? (unsigned)n : by->argument[n];
    } else {
        out->where.offset = 8 * (int64_t)(n - regs + 1);
    }
    return NULL;
}

bool gen_no_result(const struct gen *g)
{
    const struct ez_named *r = &g->scope->result;
    return r->type && ez_type_strip(r->type)->kind == EZ_TY_VOID;
}

static ez_err *gen_result(struct gen *g, bool is_float, struct gen_operand *out)
{
    const struct ez_named *r = &g->scope->result;
    if (!g->at_exit)
        return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "$ret is known only at the function's exit"),
                           "\"return EXPR\" collects at the exit");
    *out = (struct gen_operand){ .kind = GEN_PLACE, .type = r->type, .where = r->where };
    if (is_float || (g->scope->why_not && !r->type)) {
        out->type = is_float ? ez_type_double() : ez_type_int(8, true);
        out->where = (struct ez_where){ .kind = EZ_AT_REGS, .nregs = 1, .at_exit = true };
        out->where.reg[0].vector = is_float;
        out->where.reg[0].number = is_float ? 0 : ez_arch_host()->abi.convention->result[0];
    }
    return gen_no_result(g) && !is_float ? ez_err_new(EZ_E_ARG, 0, "The function has no result")
                                         : NULL;
}

ez_err *gen_variable(struct gen *g, const char *name, struct gen_operand *out)
{
    static const struct {
        const char *name;
        enum ez_opcode op;
    } words[] = { { "$caller", EZ_OP_CALLER },
                  { "$thread", EZ_OP_THREAD },
                  { "$_thread", EZ_OP_THREAD },
                  { "$cfa", EZ_OP_FRAME } };
    const struct ez_convention *by = ez_arch_host()->abi.convention;
    bool is_stap;
    if (!by)
        return ez_err_new(EZ_E_NOTFOUND, 0, "%s is not available in a probe", name);
    EZ_TRY(gen_stap(g, name, out, &is_stap));
    if (is_stap)
        return NULL;
    const bool arg = !strncmp(name, "$arg", 4), farg = !strncmp(name, "$farg", 5);
    if (arg || farg || !strcmp(name, "$caller") || !strcmp(name, "$cfa"))
        EZ_TRY(gen_not_inside(g, name));
    if (arg || farg)
        return gen_argument(g, name + (arg ? 4 : 5), farg, out);
    if (!strcmp(name, "$ret") || !strcmp(name, "$fret"))
        return gen_result(g, name[1] == 'f', out);
    for (size_t i = 0; i < EZ_ARRAY_LEN(words); i++)
        if (!strcmp(words[i].name, name)) {
            bool code = words[i].op == EZ_OP_CALLER;
            gen_op(g, words[i].op, 0, 0, 0);
            *out =
                gen_value(code ? ez_type_pointer_to(ez_type_base("void")) : ez_type_int(8, false));
            return NULL;
        }
    for (unsigned i = 0; i < by->nnames; i++)
        if (!strcmp(by->name[i], name + 1) || (i == by->sp && !strcmp(name, "$sp"))) {
            /* At the exit, this reads the register's value at the exit. */
            gen_op(g, EZ_OP_REG, i, 64, 0);
            *out = gen_value(ez_type_int(8, true));
            return NULL;
        }
    return ez_err_new(EZ_E_NOTFOUND, 0, "%s is not available in a probe", name);
}

static bool gen_parameter(const struct gen *g, const char *name, struct gen_operand *out)
{
    const struct ez_scope *s = g->scope;
    for (size_t i = 0; i < s->nparams; i++)
        if (!strcmp(s->param[i].name, name)) {
            *out = gen_of_named(&s->param[i].at);
            return true;
        }
    return false;
}

/* Finds a variable that a lambda captured, as a member of the parameter __closure: gcc calls the
 * members __x, and __this, which may be a pointer or a copy of the object. Returns false if there
 * is no such member, or if the parameters are unknown. The debug information places captured
 * variables relative to the frame, which does not exist yet at the first instruction. */
static bool gen_captured(struct gen *g, const char *name, struct gen_operand *out, ez_err **e)
{
    struct gen_operand o;
    struct gen_path path;
    if (!g->scope->is_cxx || !gen_parameter(g, "__closure", &o))
        return false;
    const struct ez_type *t = ez_type_strip(o.type);
    const struct ez_type *to = t->kind == EZ_TY_POINTER ? ez_type_load(ez_type_strip(t->to)) : t;
    EZ_FREE char *member = ez_sprintf("__%s", name);
    const struct ez_field *f = to->kind == EZ_TY_STRUCT ? gen_field(to, member, &path) : NULL;
    if (!f || t == to)
        return false;
    *e = gen_pointed(g, &o);
    *out = o;
    if (!*e)
        *e = gen_walk(g, out, &path, f->type);
    if (!*e && !strcmp(name, "this") && ez_type_strip(f->type)->kind == EZ_TY_STRUCT) {
        *e = gen_address(g, out);
        *out = gen_value(ez_type_pointer_to(f->type));
    }
    return true;
}

/* Finds a parameter or another variable of the function itself. */
static bool gen_local(struct gen *g, const char *name, struct gen_operand *out, ez_err **e)
{
    const struct ez_scope *s = g->scope;
    struct ez_named n;
    if (gen_parameter(g, name, out) || gen_captured(g, name, out, e))
        return true;
    if (!s->local || !s->local(s->arg, name, &n))
        return false;
    *out = gen_of_named(&n);
    return true;
}

/* Returns the class that the type is or points to, or NULL. */
static const struct ez_type *gen_class_at(const struct ez_type *type)
{
    const struct ez_type *t = ez_type_strip(type);
    if (t->kind == EZ_TY_POINTER)
        t = ez_type_load(ez_type_strip(t->to));
    return t->kind == EZ_TY_STRUCT || t->kind == EZ_TY_UNION ? t : NULL;
}

/* Replaces `o`, the pointer `this`, by the object's member at the end of the path. */
static ez_err *gen_this_walk(struct gen *g, const struct gen_path *path, const struct ez_field *f,
                             struct gen_operand *o)
{
    if (ez_type_strip(o->type)->kind == EZ_TY_POINTER)
        EZ_TRY(gen_pointed(g, o));
    EZ_TRY(gen_walk(g, o, path, f->type));
    o->bit = f->bit;
    o->bits = f->bits;
    return NULL;
}

/* Finds `x` as this->x in a C++ member function, if the class has it. In clang's lambdas, `this` is
 * the closure: it has captured variables under their names, and the outer object as a member
 * `this`. */
static bool gen_of_this(struct gen *g, const char *name, struct gen_operand *out, ez_err **e)
{
    struct gen_operand o;
    struct gen_path path;
    size_t begin = g->code->op.n;
    if (!gen_local(g, "this", &o, e))
        return false;
    const struct ez_type *class = gen_class_at(o.type);
    const struct ez_field *f = class ? gen_field(class, name, &path) : NULL,
                          *around = class && !f ? gen_field(class, "this", &path) : NULL;
    if (around && gen_class_at(around->type) && !*e) {
        *e = gen_this_walk(g, &path, around, &o);
        f = gen_field(gen_class_at(around->type), name, &path);
    }
    if (f && !*e)
        *e = gen_this_walk(g, &path, f, &o);
    if (!f)
        g->code->op.n = begin;
    *out = o;
    return f || *e;
}

static bool gen_bool(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    bool yes = !strcmp(x->text, "true");
    if ((!g->scope->is_cxx && !g->scope->is_rust) || x->scope || (!yes && strcmp(x->text, "false")))
        return false;
    gen_const(g, yes);
    *out = gen_value(ez_type_base("bool"));
    return true;
}

ez_err *gen_name(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    const struct ez_scope *s = g->scope;
    struct ez_named n;
    ez_err *e = NULL;
    if (gen_bool(g, x, out))
        return NULL;
    if (!x->scope && gen_local(g, x->text, out, &e))
        return e;
    if (!x->scope && s->is_cxx && gen_of_this(g, x->text, out, &e))
        return e;
    e = s->name ? s->name(s->arg, x->scope, x->text, &n)
                : ez_err_gdb(EZ_E_NOTFOUND, "No symbol \"%s\" in current context.", x->text);
    if (e && s->stap && !e->hint)
        e = ez_err_hint(e, "$_probe_arg0, ... are the arguments of the probe");
    else if (e && s->why_not && !e->hint)
        e = ez_err_hint(
            e, "The arguments are not known: %s; $arg0, $arg1, ... are the arguments by position",
            s->why_not);
    EZ_TRY(e);
    *out = gen_of_named(&n);
    return NULL;
}

ez_err *gen_held(struct gen *g, const struct ez_expr *x, struct gen_operand *out, bool *is)
{
    struct ez_named n;
    ez_err *e = NULL;
    *is = g->scope->held && g->scope->held(g->scope->arg, x, &n, &e);
    if (!e && *is)
        *out = gen_of_named(&n);
    return e;
}

/* ---- members --------------------------------------------------------------------------------- */

/* Finds a static member of the class or of one of its bases. Generates code that drops the object's
 * address from the stack. */
static bool gen_static_member(struct gen *g, const struct ez_type *t, const char *name,
                              unsigned *left, struct gen_operand *o)
{
    struct ez_named n;
    EZ_FREE char *full = ez_sprintf("::%s::%s", t->name ? t->name : "", name);
    if (!t->is_cxx || !t->name || !g->scope->name || !*left)
        return false;
    --*left;
    if (!ez_err_drop(g->scope->name(g->scope->arg, NULL, full, &n))) {
        for (size_t i = 0; i < t->nfields; i++)
            if (t->field[i].base &&
                gen_static_member(g, ez_type_load(ez_type_strip(t->field[i].type)), name, left, o))
                return true;
        return false;
    }
    if (o->kind != GEN_PLACE)
        gen_op(g, EZ_OP_DROP, 0, 0, 0);
    *o = gen_of_named(&n);
    return true;
}

/* For a member written OBJECT.CLASS::name, replaces `o`, the object, by its base CLASS, and *name
 * by "name". Does nothing for an unqualified name. */
static ez_err *gen_qualified(struct gen *g, const char **name, struct gen_operand *o)
{
    const char *last = strrchr(*name, ':');
    const struct ez_type *base;
    bool related = false;
    if (!last || last - *name < 2)
        return NULL;
    EZ_FREE char *class = ez_strndup(*name, (size_t)(last - 1 - *name));
    EZ_TRY(g->scope->type(g->scope->arg, &(struct ez_type_name){ .base = class }, &base));
    EZ_TRY(gen_address(g, o));
    const struct ez_type *whole = ez_type_pointer_to(o->type), *part = ez_type_pointer_to(base);
    if (gen_base_depth(o->type, base) < 0)
        return ez_err_new(EZ_E_ARG, 0, "%s is not a base of this object's class", class);
    EZ_TRY(gen_class_pointer(g, whole, part, &related));
    o->type = base;
    *name = last + 1;
    return NULL;
}

/* Replaces a Rust enum by its active variant, which is found by its discriminant. The operand's
 * code begins at `begin`. */
static ez_err *gen_variant(struct gen *g, size_t begin, struct gen_operand *o)
{
    const struct ez_type *t = ez_type_load(ez_type_strip(o->type));
    uint64_t discr = 0;
    if (!t->variant)
        return NULL;
    if (!g->scope->number)
        return ez_err_new(EZ_E_ARG, 0,
                          "Cannot use members of the Rust enum %s in a probe: they depend on its "
                          "value",
                          t->name ? t->name : "?");
    if (t->discr) {
        size_t end = g->code->op.n;
        struct gen_operand part = *o;
        gen_part(g, &part, t->discr->offset, t->discr->type);
        EZ_TRY(gen_run(g, g->scope->number, begin, &part, &discr));
        g->code->op.n = end;
    }
    const struct ez_field *f = ez_rust_variant(t, discr);
    if (!f)
        return ez_err_new(EZ_E_ARG, 0, "The Rust enum %s has no variant for its discriminant %llu",
                          t->name, (unsigned long long)discr);
    gen_part(g, o, f->offset, f->type);
    return NULL;
}

/* Generates OBJECT->x by the operator of the class. Sets *is to false if the class has no such
 * operator: the caller then accepts p->x for p.x, like gdb. */
static ez_err *gen_arrow(struct gen *g, const struct ez_expr *x, size_t begin,
                         struct gen_operand *o, bool *is)
{
    size_t end = g->code->op.n;
    ez_err *e = gen_operator_of(g, x, EZ_OP_ARROW, begin, o);
    *is = !e || e->code != EZ_E_NOTFOUND;
    if (*is)
        return e;
    g->code->op.n = end; /* remove the code of the operator, but keep the operand's */
    ez_err_free(e);
    return NULL;
}

ez_err *gen_member(struct gen *g, const struct ez_expr *x, size_t begin, struct gen_operand *o)
{
    struct gen_path path;
    bool arrow = x->kind == EZ_X_ARROW;
    for (unsigned i = 0; arrow && gen_is_object(g, o->type) && i < MOST_CLASSES; i++)
        EZ_TRY(gen_arrow(g, x, begin, o, &arrow));
    const struct ez_type *t = ez_type_strip(o->type);
    if (t->kind == EZ_TY_POINTER) /* As gdb, accepts p.x for p->x. */
        EZ_TRY(gen_pointed(g, o));
    t = ez_type_strip(o->type);
    if (t->kind != EZ_TY_STRUCT && t->kind != EZ_TY_UNION)
        return ez_err_gdb(EZ_E_ARG,
                          "Attempt to extract a component of a value that is not a structure%s.",
                          x->kind == EZ_X_ARROW ? " pointer" : "");
    const char *name = x->text;
    EZ_TRY(gen_variant(g, begin, o));
    EZ_TRY(gen_qualified(g, &name, o));
    t = ez_type_strip(o->type);
    const struct ez_field *f = gen_field(t, name, &path);
    unsigned left = MOST_CLASSES;
    if (!f && path.n) /* the name is ambiguous */
        return ez_err_new(EZ_E_ARG, 0, "Request for member '%s' is ambiguous in type '%s'", name,
                          t->name ? t->name : "?");
    if (!f && gen_static_member(g, t, name, &left, o))
        return gen_referred(g, o);
    if (!f)
        return ez_err_gdb(EZ_E_NOTFOUND, "There is no member %snamed %s.",
                          g->scope->is_cxx ? "or method " : "", x->text);
    EZ_TRY(gen_walk(g, o, &path, f->type));
    o->bit = f->bit;
    o->bits = f->bits;
    EZ_TRY(gen_shape(g, begin, o));
    return gen_referred(g, o);
}
