/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.c - the value history and convenience variables (eval.h).
 * Tests: tests/unit/eval/check_eval.c */
#include <stdlib.h>
#include <string.h>

#include "engine/dwarf/type.h"
#include "engine/eval/eval_priv.h"

struct ez_history *ez_history_new(struct ez_target *t)
{
    struct ez_history *v = ez_alloc(sizeof *v);
    v->t = t;
    return v;
}

void ez_history_free(struct ez_history *v)
{
    if (!v)
        return;
    for (size_t i = 0; i < v->history.n; i++)
        ez_value_clear(&v->history.at[i]);
    for (size_t i = 0; i < v->var.n; i++) {
        ez_value_clear(&v->var.at[i].value);
        free(v->var.at[i].name);
    }
    for (size_t i = 0; i < v->kept.n; i++)
        free(v->kept.at[i]);
    EZ_VEC_FREE(&v->history);
    EZ_VEC_FREE(&v->var);
    EZ_VEC_FREE(&v->kept);
    own_code_end(v);
    free(v);
}

void history_copy(const struct ez_value *from, struct ez_value *to)
{
    *to = *from;
    to->byte = ez_alloc(from->n + 1);
    if (from->n)
        memcpy(to->byte, from->byte, from->n);
    to->lost = value_copy_lost(from->lost, from->n);
}

/* Marks a value with a synthetic pointer as optimized out, because the variable to which the
 * pointer points is held only until the evaluation ends. */
static void history_outlive(struct ez_value *value)
{
    ez_err *e = held_check(value);
    value->gone |= e != NULL;
    ez_err_free(e);
}

unsigned ez_history_record(struct ez_history *v, struct ez_value *value)
{
    history_outlive(value);
    EZ_PUSH(&v->history, *value);
    *value = (struct ez_value){ .type = NULL };
    return (unsigned)v->history.n;
}

/* Finds an old value by the name after "$": "" is the newest value and "$" the one before it; "3"
 * is value number 3, "$3" the third before the newest. */
bool history_old(struct ez_history *v, const char *name, struct ez_value *out, ez_err **e)
{
    bool back = *name == '$' || !*name;
    const char *digits = name + (*name == '$');
    uint64_t n = strtoull(digits, NULL, 10), last = v->history.n;
    if (strspn(digits, "0123456789") != strlen(digits))
        return false;
    if (!*digits)
        n = *name == '$';
    else if (!n && !back) /* $0 is the newest value, too */
        back = true;
    uint64_t number = back ? last - n : n;
    if (!last && !*digits) { /* the history is empty */
        *out = value_made(ez_type_base("void"), NULL, 0);
        return true;
    }
    if (number < 1 || number > last || (back && n >= last))
        *e = back ? ez_err_gdb(EZ_E_NOTFOUND, "History has not yet reached $%lld.",
                               (long long)number)
                  : ez_err_gdb(EZ_E_NOTFOUND, "History has not yet reached $%s.", digits);
    else
        history_copy(&v->history.at[number - 1], out);
    return true;
}

struct ez_value *history_named(struct ez_history *v, const char *name)
{
    for (size_t i = 0; i < v->var.n; i++)
        if (!strcmp(v->var.at[i].name, name))
            return &v->var.at[i].value;
    return NULL;
}

void history_put(struct ez_history *v, const char *name, struct ez_value *value)
{
    history_outlive(value);
    struct ez_value *old = history_named(v, name);
    if (old) {
        ez_value_clear(old);
        *old = *value;
        return;
    }
    EZ_PUSH(&v->var, ((struct eval_var){ ez_strdup(name), *value }));
}

void ez_history_set(struct ez_history *v, const char *name, const uint64_t *number)
{
    struct ez_value value =
        value_made(number ? ez_type_int(8, true) : ez_type_base("void"), number, number ? 8 : 0);
    history_put(v, name, &value);
}
