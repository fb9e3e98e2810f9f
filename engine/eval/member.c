/* SPDX-License-Identifier: GPL-3.0-or-later */
/* member.c - pointers to members of classes: &CLASS::NAME, OBJECT.*P, POINTER->*P, by the Itanium
 * C++ ABI.
 *
 * A pointer to a data member is the member's offset in the object; -1 = null. A pointer to a member
 * function has two words: the function's address, or 1 plus its offset in the table of virtual
 * functions; and the number to add to `this`.
 *
 * Tests: tests/procs/kinds.sh */
#include <string.h>

#include "engine/expr/gen.h"
#include "engine/eval/eval_priv.h"

/* Sets *class and *name to the parts of CLASS::NAME. Returns false if the expression x is not of
 * this form. */
static bool member_named(struct eval *ev, const struct ez_expr *x, const struct ez_type **class,
                         const char **name)
{
    const char *last = x->kind == EZ_X_NAME && !x->scope ? strrchr(x->text, ':') : NULL;
    if (!last || last - x->text < 2 || !ev->scope.is_cxx)
        return false;
    EZ_FREE char *base = ez_strndup(x->text, (size_t)(last - 1 - x->text));
    *name = last + 1;
    return ez_err_drop(ev->scope.type(ev, &(struct ez_type_name){ .base = base }, class)) &&
           ez_type_strip(*class)->kind == EZ_TY_STRUCT;
}

static const struct ez_class_method *member_function(const struct ez_type *class, const char *name)
{
    const struct ez_type_class *c = ez_type_class(ez_type_strip(class));
    for (size_t i = 0; c && i < c->nmethods; i++)
        if (!strcmp(c->method[i].name, name) && !c->method[i].is_static)
            return &c->method[i];
    return NULL;
}

/* Evaluates &CLASS::f. A virtual function is given by its offset in the table of virtual
 * functions. */
static ez_err *member_of_function(struct eval *ev, const struct ez_expr *x,
                                  const struct ez_type *class, const struct ez_class_method *m,
                                  struct ez_value *out)
{
    uint64_t word[2] = { 0 };
    const struct ez_type *type = m->type;
    struct ez_value f = { .type = NULL };
    if (m->is_virtual && m->vtable) {
        word[0] = 8 * (m->vtable - 1) + 1;
    } else {
        EZ_TRY(eval_tree(ev, x, &f));
        word[0] = f.addr;
        type = ez_type_strip(f.type)->kind == EZ_TY_FUNC ? f.type : type;
        ez_value_clear(&f);
    }
    *out = value_made(ez_type_member_of(class, type), word, sizeof word);
    return NULL;
}

bool member_address(struct eval *ev, const struct ez_expr *x, struct ez_value *out, ez_err **e)
{
    const struct ez_type *class;
    const char *name;
    struct gen_path path;
    const struct ez_expr *of = x->at.at[0];
    if (x->op != '&' || !member_named(ev, of, &class, &name))
        return false;
    const struct ez_field *f = gen_field(class, name, &path);
    const struct ez_class_method *m = f ? NULL : member_function(class, name);
    if (m) {
        *e = member_of_function(ev, of, class, m, out);
        return true;
    }
    if (!f || f->bits || gen_path_is_virtual(&path))
        return false;
    uint64_t at = 0;
    for (unsigned i = 0; i < path.n; i++)
        at += (uint64_t)path.step[i].by;
    *out = value_made(ez_type_member_of(class, f->type), &at, sizeof at);
    return true;
}

/* Evaluates the object. Sets *at to the address of that part of it whose class is `of`, the class
 * of the pointer to member. */
static ez_err *member_object(struct eval *ev, const struct ez_expr *x, const struct ez_type *of,
                             uint64_t *at)
{
    struct ez_value v;
    bool arrow = x->op == EZ_OP2('>', '*');
    EZ_TRY(eval_tree(ev, x->at.at[0], &v));
    const struct ez_type *t = ez_type_strip(v.type);
    bool leads = t->kind == EZ_TY_POINTER;
    const struct ez_type *class = leads ? t->to : v.type;
    enum ez_type_kind kind = ez_type_strip(class)->kind;
    ez_err *e = value_whole(&v);
    if (!e && ((arrow && !leads) || (kind != EZ_TY_STRUCT && kind != EZ_TY_UNION)))
        e = ez_err_new(EZ_E_ARG, 0,
                       arrow ? "The operand left of \"->*\" is not a pointer to an object"
                             : "The operand left of \".*\" is not an object of a class");
    else if (!e && !leads && v.lval != EZ_L_MEMORY)
        e = ez_err_new(EZ_E_ARG, 0, "The object left of \".*\" is not in the program's memory");
    *at = leads ? value_word(v.byte, v.n) : v.addr;
    if (!e)
        e = eval_class_address(ev, class, ez_type_pointer_to(of), at);
    ez_value_clear(&v);
    return e;
}

/* Finds the function to which a pointer to member points, and adjusts *object, its `this`. */
static ez_err *member_code(struct eval *ev, const uint8_t *byte, uint64_t *func, uint64_t *object)
{
    uint64_t vptr = 0;
    *func = value_word(byte, 8);
    *object += value_word(byte + 8, 8);
    if (!*func)
        return ez_err_new(EZ_E_ARG, 0, "The pointer to a member is null");
    if (!(*func & 1))
        return NULL;
    EZ_TRY(eval_read(ev, *object, &vptr, sizeof vptr));
    return eval_read(ev, vptr + *func - 1, func, sizeof *func);
}

ez_err *member_apply(struct eval *ev, const struct ez_expr *x, struct ez_named *out,
                     uint64_t *object)
{
    struct ez_value p;
    EZ_TRY(eval_tree(ev, x->at.at[1], &p));
    const struct ez_type *t = ez_type_strip(p.type);
    uint64_t func = 0;
    *object = 0;
    ez_err *e = value_whole(&p);
    if (!e && (t->kind != EZ_TY_MEMBER || !t->of))
        e = ez_err_gdb(EZ_E_ARG, "non-pointer-to-member value used in pointer-to-member construct");
    if (!e && t->size == 8 && value_word(p.byte, 8) == UINT64_MAX)
        e = ez_err_new(EZ_E_ARG, 0, "The pointer to a member is null");
    if (!e)
        e = member_object(ev, x, t->of, object);
    if (!e && t->size == 16)
        e = member_code(ev, p.byte, &func, object);
    if (!e)
        *out =
            (struct ez_named){ t->to,
                               { .kind = EZ_AT_MEMORY,
                                 .addr = t->size == 16 ? func : *object + value_word(p.byte, 8) } };
    ez_value_clear(&p);
    return e;
}
