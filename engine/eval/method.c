/* SPDX-License-Identifier: GPL-3.0-or-later */
/* method.c - finds C++ functions by the classes of objects.
 *
 * OBJECT.FUNCTION(ARG, ...): the function is searched in the object's class and in its bases; a
 * virtual function is read from the object's table of virtual functions. OPERATOR OBJECT: operator
 * functions of the class, else those of the namespaces around the operands' classes, else global
 * ones. FUNCTION(OBJECT): functions of the namespaces around the object's class.
 *
 * Tests: tests/procs/classes.sh, tests/procs/operators.sh */
#include <string.h>

#include "engine/expr/gen.h"
#include "engine/eval/eval_priv.h"
#include "engine/target.h"

#define DEEPEST 16 /* maximum depth of bases */

struct method {
    struct eval *ev;
    struct overload_call call; /* call.name is not set */
    const char *name;
    const struct ez_type *class; /* the object's */
    uint64_t at;                 /* the object's address */
};

/* Finds the function in the class, or in one of its bases: *at becomes the address of that base in
 * the object. found->func is 0 if there is none. */
static ez_err *method_find(const struct method *m, const struct ez_type *class, unsigned depth,
                           uint64_t *at, struct overload_chosen *found)
{
    class = ez_type_load(ez_type_strip(class));
    EZ_FREE char *full = ez_sprintf("%s::%s", class->name ? class->name : "", m->name);
    struct overload_call call = m->call;
    call.name = full;
    EZ_TRY(overload_choose(m->ev, &call, found));
    if (found->of_object && depth &&
        depth < DEEPEST) { /* An object that has the base twice is an error. */
        uint64_t its = m->at;
        EZ_TRY(eval_class_address(m->ev, m->class, ez_type_pointer_to(class), &its));
    }
    for (size_t i = 0; i < class->nfields && !found->func && depth < DEEPEST; i++) {
        const struct ez_type *base = ez_type_strip(class->field[i].type);
        uint64_t its = *at;
        if (!class->field[i].base)
            continue;
        EZ_TRY(eval_class_address(m->ev, class, ez_type_pointer_to(base), &its));
        EZ_TRY(method_find(m, base, depth + 1, &its, found));
        if (found->func)
            *at = its;
    }
    return NULL;
}

static ez_err *method_unknown(const char *name)
{
    return ez_err_hint(ez_err_new(EZ_E_NOTFOUND, 0,
                                  "Cannot call the virtual function %s: its place in the object's "
                                  "table of virtual functions is not known",
                                  name),
                       "Call the function by its address");
}

/* Finds the name of the object's class by its vptr. In the C++ ABI the word before the table points
 * to the class's type_info. Without type_info (-fno-rtti), uses the symbol of the table, if vptr
 * points to the first function in it. The caller frees *out, which is NULL if the class is
 * unknown. */
static ez_err *method_class_name(struct eval *ev, uint64_t vptr, struct ez_module_info *in,
                                 char **out)
{
    static const char of_table[] = "vtable for ", of_type[] = "typeinfo for ";
    uint64_t off = 0, type = 0;
    const struct ez_sym *s = ez_symbolize_any(ev->t, ez_addr_of(vptr), &off, in);
    const bool table = s && !strncmp(s->name, "_ZTV", 4), primary = off == 16;
    /* _ZTC: the table of an object under construction */
    if (!table && (!s || strncmp(s->name, "_ZTC", 4) != 0))
        return NULL;
    EZ_TRY(eval_read(ev, vptr - 8, &type, sizeof type));
    const char *pretty = !type && table && primary ? ez_sym_pretty(s) : "";
    if (!strncmp(pretty, of_table, sizeof of_table - 1))
        *out = ez_strdup(pretty + sizeof of_table - 1);
    s = type ? ez_symbolize_any(ev->t, ez_addr_of(type), &off, in) : NULL;
    pretty = s && !off && !strncmp(s->name, "_ZTI", 4) ? ez_sym_pretty(s) : "";
    if (!strncmp(pretty, of_type, sizeof of_type - 1))
        *out = ez_strdup(pretty + sizeof of_type - 1);
    return NULL;
}

/* Sets *class to the class that the object at *at was created as, and *at to the object's begin.
 * *at may be the address of a base in the object. */
ez_err *method_whole(void *arg, uint64_t *at, const struct ez_type **class)
{
    struct eval *ev = arg;
    struct ez_module_info in;
    uint64_t vptr = 0;
    int64_t to_top = 0;
    EZ_FREE char *name = NULL;
    *class = NULL;
    EZ_TRY(eval_read(ev, *at, &vptr, sizeof vptr));
    EZ_TRY(method_class_name(ev, vptr, &in, &name));
    /* an unnamed namespace has different classes in each file */
    if (!name || (in.obj != ev->here.obj && strstr(name, "(anonymous namespace)")))
        return NULL;
    EZ_TRY(eval_read(ev, vptr - 16, &to_top, sizeof to_top));
    const struct ez_type_name type = { .base = name };
    ez_err *e = ev->scope.type(ev, &type, class);
    if (e || ez_type_strip(*class)->kind != EZ_TY_STRUCT) {
        ez_err_free(e);
        *class = NULL;
        return NULL;
    }
    *at += (uint64_t)to_top;
    return NULL;
}

/* Finds the address and the class of object `v`. Sets *is to false if `v` is no object, or if its
 * class has a data member `name`. */
static ez_err *method_object(struct eval *ev, const struct ez_value *v, const char *name,
                             uint64_t *at, const struct ez_type **class, bool *is_const, bool *is)
{
    struct gen_path path;
    *is = false;
    const struct ez_type *t = ez_type_strip(v->type), *object = v->type;
    bool pointer = t->kind == EZ_TY_POINTER;
    object = pointer ? t->to : object;
    *is_const = object && object->kind == EZ_TY_CONST;
    t = ez_type_load(pointer && t->to ? ez_type_strip(t->to) : t);
    if (t->kind != EZ_TY_STRUCT || !t->is_cxx || gen_field(t, name, &path))
        return NULL;
    *is = true;
    *class = t;
    if (!pointer || v->gone)
        return held_object(ev, v, at);
    *at = value_word(v->byte, v->n);
    return NULL;
}

/* Reads the address of a virtual function from the table of virtual functions of the object, or of
 * the base, at `at`. The result may be a thunk that adjusts `this`; the thunk has the parameters
 * and the result of the declared function. */
static ez_err *method_slot(const struct method *m, uint64_t at, const struct overload_chosen *found,
                           struct method_called *out)
{
    uint64_t vptr = 0, func = 0;
    if (!found->vtable)
        return method_unknown(m->name);
    EZ_TRY(eval_read(m->ev, at, &vptr, sizeof vptr));
    EZ_TRY(eval_read(m->ev, vptr + 8 * (found->vtable - 1), &func, sizeof func));
    out->func = func;
    return NULL;
}

/* Handles a function that is pure virtual in `class`: finds the function of the class that the
 * object was created as, if that class itself defines one. */
static ez_err *method_pure(const struct method *m, const struct ez_type *class, uint64_t *at,
                           struct overload_chosen *found)
{
    const struct ez_type *whole = NULL;
    uint64_t its = *at;
    ez_err *e = method_whole(m->ev, &its, &whole);
    if (!e && whole && gen_base_depth(whole, class) >= 0)
        e = method_find(m, whole, DEEPEST, &its, found);
    if (e || !found->func || !found->is_virtual) {
        ez_err_free(e);
        return ez_err_gdb(EZ_E_NOTFOUND, "Couldn't find method %s::%s",
                          class->name ? class->name : "", m->name);
    }
    *at = its;
    return NULL;
}

/* Handles OBJECT.CLASS::f(...): selects the function of that base even if it is virtual. */
static ez_err *method_qualified(struct method *m, const struct ez_type **class, uint64_t *at,
                                bool *is)
{
    const char *last = strrchr(m->name, ':');
    const struct ez_type *base = NULL;
    *is = last && last - m->name > 1;
    if (!*is)
        return NULL;
    EZ_FREE char *name = ez_strndup(m->name, (size_t)(last - 1 - m->name));
    EZ_TRY(m->ev->scope.type(m->ev, &(struct ez_type_name){ .base = name }, &base));
    if (gen_base_depth(*class, base) < 0)
        return ez_err_new(EZ_E_ARG, 0, "%s is not a base of this object's class", name);
    EZ_TRY(eval_class_address(m->ev, *class, ez_type_pointer_to(base), at));
    m->name = last + 1;
    *class = base;
    return NULL;
}

ez_err *method_call(struct eval *ev, const struct overload_call *call,
                    const struct ez_value *object, struct method_called *out)
{
    struct method m = { .ev = ev, .call = *call, .name = call->x->at.at[0]->text };
    const struct ez_type *class = NULL;
    struct overload_chosen found;
    bool is, qualified;
    *out = (struct method_called){ 0 };
    EZ_TRY(method_object(ev, object, m.name, &out->object, &class, &m.call.is_const, &is));
    if (!is)
        return NULL;
    uint64_t at = out->object;
    EZ_TRY(method_qualified(&m, &class, &at, &qualified));
    m.class = class;
    m.at = at;
    EZ_TRY(method_find(&m, class, 0, &at, &found));
    if (!found.func) /* a pure virtual function has no code in its class */
        EZ_TRY(method_pure(&m, class, &at, &found));
    *out = (struct method_called){ found.func, found.func, at, found.of_object };
    return found.is_virtual && !qualified ? method_slot(&m, at, &found, out) : NULL;
}

/* Finds a function in the object's class or its bases. out->func is 0 if there is none. */
static ez_err *method_of(struct eval *ev, const struct overload_call *call, const char *name,
                         const struct ez_value *object, struct method_called *out)
{
    struct method m = { .ev = ev, .call = *call, .name = name };
    const struct ez_type *class = ez_type_load(ez_type_strip(object->type));
    struct overload_chosen found;
    uint64_t at = 0;
    *out = (struct method_called){ 0 };
    if (class->kind != EZ_TY_STRUCT || !class->is_cxx)
        return NULL;
    m.call.is_const = object->type->kind == EZ_TY_CONST;
    EZ_TRY(held_object(ev, object, &at));
    m.class = class;
    m.at = at;
    EZ_TRY(method_find(&m, class, 0, &at, &found));
    *out = (struct method_called){ found.func, found.func, at, found.of_object };
    return found.func && found.is_virtual && !ev->types ? method_slot(&m, at, &found, out) : NULL;
}

/* ---- operators, and functions of namespaces -------------------------------------------------- */

/* Returns the length of a qualified name before its last "::", 0 if there is none. Text between <>
 * belongs to a name. */
static size_t method_outside(const char *name, size_t n)
{
    int depth = 0;
    while (n-- > 2) {
        depth += (name[n] == '>') - (name[n] == '<');
        if (!depth && name[n] == ':' && name[n - 1] == ':')
            return n - 1;
    }
    return 0;
}

/* Finds a function of that name in the namespaces around the class, from the innermost outwards. */
static ez_err *method_around(struct eval *ev, const struct overload_call *call, const char *base,
                             const char *class, struct overload_chosen *out)
{
    ez_err *first = NULL;
    for (size_t n = method_outside(class, strlen(class)); n && !out->func;
         n = method_outside(class, n)) {
        EZ_FREE char *name = ez_sprintf("%.*s::%s", (int)n, class, base);
        struct overload_call as = *call;
        as.name = name;
        ez_err *e = overload_choose(ev, &as, out);
        first = ez_err_first(first, e);
        /* a member function of a surrounding class is no function of a namespace */
        if (e || out->of_object)
            out->func = 0;
    }
    if (out->func)
        first = (ez_err_free(first), NULL);
    return first;
}

/* Returns the name of the class or enum of an argument, or of what it points to, or NULL. */
static const char *method_class_of(const struct ez_type *t)
{
    t = ez_type_strip(t);
    while ((t->kind == EZ_TY_POINTER || t->kind == EZ_TY_REFERENCE || t->kind == EZ_TY_ARRAY) &&
           t->to)
        t = ez_type_strip(t->to);
    return t->kind == EZ_TY_STRUCT || t->kind == EZ_TY_UNION || t->kind == EZ_TY_ENUM ? t->name
                                                                                      : NULL;
}

ez_err *method_by_arguments(struct eval *ev, const struct overload_call *call, const char *base,
                            struct overload_chosen *out)
{
    ez_err *first = NULL;
    *out = (struct overload_chosen){ 0 };
    for (size_t i = 0; i < call->n && !out->func; i++) {
        const char *class = method_class_of(call->arg[i].type);
        if (class)
            first = ez_err_first(first, method_around(ev, call, base, class, out));
    }
    if (out->func)
        first = (ez_err_free(first), NULL);
    return first;
}

/* Finds the function of the operator. out->of_object is true if the first operand becomes
 * `this`. */
static ez_err *method_choose_operator(struct eval *ev, const struct overload_call *call,
                                      const char *name, struct method_called *out)
{
    struct overload_call method = *call, global = *call;
    struct overload_chosen chosen = { 0 };
    method.arg = call->arg + 1;
    method.n = call->n - 1;
    global.name = name;
    *out = (struct method_called){ 0 };
    ez_err *e = method_of(ev, &method, name, &call->arg[0], out);
    if (out->func)
        return e;
    e = ez_err_first(e, method_by_arguments(ev, call, name, &chosen));
    if (!chosen.func)
        e = ez_err_first(e, overload_choose(ev, &global, &chosen));
    *out = (struct method_called){ .func = chosen.func, .like = chosen.func };
    if (chosen.func) {
        ez_err_free(e);
        return NULL;
    }
    return e ? e
             : ez_err_new(EZ_E_NOTFOUND, 0, "There is no %s for operands of type %s", name,
                          method_class_of(call->arg[0].type) ? method_class_of(call->arg[0].type)
                                                             : method_class_of(call->arg[1].type));
}

static ez_err *method_run_operator(struct eval *ev, const struct overload_call *call,
                                   const char *name, struct ez_value *out)
{
    struct method_called f;
    EZ_TRY(method_choose_operator(ev, call, name, &f));
    if (ev->still && !ev->types)
        return value_no_calls();
    struct ez_value func = value_made(ez_type_int(8, false), &f.func, sizeof f.func),
                    this = value_made(ez_type_int(8, false), &f.object, sizeof f.object);
    ez_err *e = ev->types ? called_type(ev, call->x, &func, &out->type)
                          : called_of(ev, call->x, &func, f.like, f.of_object ? &this : NULL,
                                      call->arg + f.of_object, call->n - f.of_object, out);
    ez_value_clear(&func);
    ez_value_clear(&this);
    return e;
}

ez_err *method_operator(struct eval *ev, const char *sign, const struct ez_value *v, unsigned n,
                        struct ez_value *out)
{
    EZ_FREE char *name = ez_sprintf("operator%s", sign);
    struct ez_expr as = { .kind = EZ_X_NAME, .text = name }, x = { .kind = EZ_X_CALL };
    const struct overload_call call = { .x = &x, .arg = v, .n = n, .strict = true };
    *out = (struct ez_value){ .type = NULL };
    EZ_PUSH(&x.at, &as);
    ez_err *e = method_run_operator(ev, &call, name, out);
    EZ_VEC_FREE(&x.at);
    return e;
}
