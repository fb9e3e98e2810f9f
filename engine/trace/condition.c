/* SPDX-License-Identifier: GPL-3.0-or-later */
/* condition.c - evaluates `-where` for the calls of a trace (condition.h). */
#include "engine/trace/condition.h"

#include <string.h>

#include "engine/base/hash.h"
#include "engine/base/strutil.h"

struct variable {
    char *name;
    bool found; /* an event had a value with this name */
};

struct use { /* occurrence of a variable in the expression */
    const struct ez_expr *x;
    /* known: index in the array `known`; if this is the array's length, item: index in
     * ez_condition.item */
    size_t known, item;
};

enum { BOUNDS = 8 }; /* most bounds with which classes are used */

struct ez_condition {
    struct ez_expr *x;
    bool late;
    /* numbers with which the condition compares the duration. There are no classes if the duration
     * is used in another way. */
    EZ_VEC(const struct ez_expr *) bound;
    bool classes;
    EZ_VEC(struct use) use;
    EZ_VEC(struct variable) item; /* variables that are collected values */
    /* address of a struct ez_data_item -> index in `item`, or the length of `item` */
    struct ez_hash item_of;
};

struct call { /* the call for which the condition is evaluated */
    const struct ez_condition *c;
    const struct ez_model *m;
    const struct ez_item *it;
    uint32_t depth;
    const struct ez_kept_values *values;
};

/* ---- variables ------------------------------------------------------------------------------ */

static struct ez_plain condition_duration(const struct call *k)
{
    return k->it->kind == EZ_I_POP ? ez_plain_int(k->it->spent_ns) : (struct ez_plain){ 0 };
}

static struct ez_plain condition_container(const struct ez_container *c, uint64_t id)
{
    struct ez_plain v = ez_plain_int(id);
    v.text = c->name;
    v.title = true;
    return v;
}

static struct ez_plain condition_thread(const struct call *k)
{
    const struct ez_container *c = &k->m->container.at[k->it->container];
    return condition_container(c, c->tid);
}

static struct ez_plain condition_process(const struct call *k)
{
    const struct ez_container *c = ez_model_process(k->m, k->it->container);
    return c ? condition_container(c, c->pid) : (struct ez_plain){ 0 };
}

static struct ez_plain condition_rank(const struct call *k)
{
    const struct ez_container *c = ez_model_process(k->m, k->it->container);
    return c && c->rank != EZ_NO_RANK ? ez_plain_int(c->rank) : (struct ez_plain){ 0 };
}

static struct ez_plain condition_depth(const struct call *k)
{
    return ez_plain_int(k->depth);
}

static struct ez_plain condition_function(const struct call *k)
{
    return ez_plain_text(k->m->name.at[k->it->name].text);
}

static struct ez_plain condition_library(const struct call *k)
{
    return ez_plain_text(k->m->name.at[k->it->name].group);
}

enum { DURATION };

static const struct {
    const char *name;
    bool late; /* the value is known only at the end of the call */
    struct ez_plain (*value)(const struct call *k);
} known[] = {
    [DURATION] = { "duration", true, condition_duration },
    { "thread", false, condition_thread },
    { "process", false, condition_process },
    { "rank", false, condition_rank },
    { "depth", false, condition_depth },
    { "function", false, condition_function },
    { "library", false, condition_library },
};

/* Returns the index of `name` in the array `known`, or the length of the array. */
static size_t condition_known(const char *name)
{
    size_t i = 0;
    while (i < EZ_ARRAY_LEN(known) && strcmp(name, known[i].name))
        i++;
    return i;
}

static size_t condition_item(const struct ez_condition *c, const char *name)
{
    size_t i = 0;
    while (i < c->item.n && strcmp(name, c->item.at[i].name))
        i++;
    return i;
}

/* ---- parse ---------------------------------------------------------------------------------- */

/* Appends the variables of the expression to c->use and c->item. */
static void condition_variables(struct ez_condition *c, const struct ez_expr *x)
{
    for (size_t i = 0; !ez_plain_is_variable(x) && i < x->at.n; i++)
        condition_variables(c, x->at.at[i]);
    if (!ez_plain_is_variable(x))
        return;
    struct variable v = { .name = ez_plain_spelling(x) };
    struct use u = { x, condition_known(v.name), condition_item(c, v.name) };
    bool is_item = u.known == EZ_ARRAY_LEN(known);
    c->late |= is_item || known[u.known].late;
    EZ_PUSH(&c->use, u);
    if (is_item && u.item == c->item.n)
        EZ_PUSH(&c->item, v);
    else
        free(v.name);
}

/* ---- classes of durations --------------------------------------------------------------------- */

static bool condition_is_duration(const struct ez_condition *c, const struct ez_expr *x)
{
    size_t i = 0;
    while (i < c->use.n && c->use.at[i].x != x)
        i++;
    return i < c->use.n && c->use.at[i].known == DURATION;
}

static bool condition_is_number(const struct ez_expr *x)
{
    return x->kind == EZ_X_INT || x->kind == EZ_X_FLOAT;
}

/* If x compares the duration with a number, returns the number; otherwise NULL. */
static const struct ez_expr *condition_bound(const struct ez_condition *c, const struct ez_expr *x)
{
    static const int comparisons[] = {
        '<', '>', EZ_OP2('<', '='), EZ_OP2('>', '='), EZ_OP2('=', '='), EZ_OP2('!', '=')
    };
    size_t i = 0;
    if (x->kind != EZ_X_BINARY)
        return NULL;
    while (i < EZ_ARRAY_LEN(comparisons) && comparisons[i] != x->op)
        i++;
    const struct ez_expr *a = x->at.at[0], *b = x->at.at[1];
    if (i == EZ_ARRAY_LEN(comparisons))
        return NULL;
    return condition_is_duration(c, a) && condition_is_number(b)   ? b
           : condition_is_number(a) && condition_is_duration(c, b) ? a
                                                                   : NULL;
}

/* Appends the numbers with which the expression compares the duration to c->bound. Returns false if
 * the expression uses the duration in another way. */
static bool condition_bounds(struct ez_condition *c, const struct ez_expr *x)
{
    const struct ez_expr *bound = condition_bound(c, x);
    bool only = bound || !condition_is_duration(c, x);
    if (bound)
        EZ_PUSH(&c->bound, bound);
    for (size_t i = 0; !bound && i < x->at.n; i++)
        only &= condition_bounds(c, x->at.at[i]);
    return only;
}

/* ---- create --------------------------------------------------------------------------------- */

static ez_err *condition_unknown(void *arg, const struct ez_expr *x, struct ez_plain *out)
{
    *out = (struct ez_plain){ 0 };
    return NULL;
}

ez_err *ez_condition_parse(const char *text, struct ez_condition **out)
{
    struct ez_condition *c = ez_alloc(sizeof *c);
    bool holds;
    ez_err *e = ez_expr_parse(text, NULL, &c->x);
    if (!e) /* reports operators and texts that have no meaning */
        e = ez_plain_holds(c->x, EZ_PLAIN_CHECK, condition_unknown, NULL, &holds);
    if (e) {
        ez_condition_free(c);
        return e;
    }
    condition_variables(c, c->x);
    c->classes = condition_bounds(c, c->x) && !c->item.n && c->bound.n <= BOUNDS;
    *out = c;
    return NULL;
}

void ez_condition_free(struct ez_condition *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->item.n; i++)
        free(c->item.at[i].name);
    EZ_VEC_FREE(&c->item);
    EZ_VEC_FREE(&c->use);
    EZ_VEC_FREE(&c->bound);
    ez_hash_free(&c->item_of);
    ez_expr_free(c->x);
    free(c);
}

bool ez_condition_is_late(const struct ez_condition *c)
{
    return c->late;
}

bool ez_condition_needs_values(const struct ez_condition *c)
{
    return c->item.n;
}

bool ez_condition_has_classes(const struct ez_condition *c)
{
    return c->classes;
}

/* Returns 0, 1 or 2: the duration is below, at or above the number. */
static uint32_t condition_side(const struct ez_expr *bound, uint64_t ns)
{
    if (bound->kind == EZ_X_INT)
        return (ns >= bound->number) + (ns > bound->number);
    return ((double)ns >= bound->real) + ((double)ns > bound->real);
}

uint32_t ez_condition_class(const struct ez_condition *c, const struct ez_item *it)
{
    uint32_t class = 0;
    for (size_t i = 0; it->kind == EZ_I_POP && i < c->bound.n; i++)
        class = class * 3 + condition_side(c->bound.at[i], it->spent_ns);
    return class;
}

/* ---- collected values ----------------------------------------------------------------------- */

/* Returns the index in c->item of the variable with the name of the item, in any spelling of the
 * expression, or c->item.n. */
static size_t condition_find(const struct ez_condition *c, const char *name)
{
    struct ez_expr *x = NULL;
    ez_err *e = ez_expr_parse(name, NULL, &x);
    bool plain = !e && ez_plain_is_variable(x);
    EZ_FREE char *spelling = plain ? ez_plain_spelling(x) : ez_strdup(name);
    ez_err_drop(e); /* the name of an item may be no expression: "n#2" */
    ez_expr_free(x);
    return condition_item(c, spelling);
}

static struct ez_plain condition_integer(const struct ez_item_value *v)
{
    enum ez_item_type t = v->item->type;
    if (t == EZ_IT_INT128)
        return ez_plain_int((__int128)((unsigned __int128)v->word[1] << 64 | v->word[0]));
    if (t == EZ_IT_UINT128 && v->word[1] >> 63)
        return ez_plain_real((double)v->word[1] * 0x1p64 + (double)v->word[0]);
    if (t == EZ_IT_UINT128)
        return ez_plain_int((__int128)((unsigned __int128)v->word[1] << 64 | v->word[0]));
    bool is_signed = t == EZ_IT_INT || t == EZ_IT_CHAR || t == EZ_IT_ENUM;
    return ez_plain_int(is_signed ? (__int128)(int64_t)v->word[0] : (__int128)v->word[0]);
}

/* Returns the value. The caller frees its text, if it has one. */
static struct ez_plain condition_value(const struct ez_item_value *v)
{
    struct ez_plain out = { 0 };
    if (v->state != EZ_V_GOOD)
        return out;
    switch (v->item->type) {
    case EZ_IT_TEXT:
        if (v->null)
            return (struct ez_plain){ .kind = EZ_PL_INT, .null = true };
        out.text = ez_strndup((const char *)(v->word + 1), v->len);
        return out;
    case EZ_IT_FLOAT:
    case EZ_IT_DOUBLE:
        memcpy(&out.real, v->word, sizeof out.real);
        return ez_plain_real(out.real);
    case EZ_IT_LDOUBLE:
        return ez_item_number(v, &out.real) ? ez_plain_real(out.real) : (struct ez_plain){ 0 };
    case EZ_IT_COMPLEX:
    case EZ_IT_BYTES:
    case EZ_IT_TYPES:
        return out;
    default:
        out = condition_integer(v);
        if (v->item->type == EZ_IT_ENUM)
            out.text = ez_item_text(v, NULL);
        return out;
    }
}

struct keeping {
    struct ez_condition *c;
    struct ez_kept_values *values;
};

static void condition_keep(const struct ez_item_value *v, void *arg)
{
    const struct keeping *k = arg;
    struct ez_condition *c = k->c;
    size_t i;
    if (!ez_hash_get(&c->item_of, (uint64_t)(uintptr_t)v->item, &i)) {
        i = condition_find(c, v->item->name);
        ez_hash_put(&c->item_of, (uint64_t)(uintptr_t)v->item, i);
    }
    if (i == c->item.n)
        return;
    const struct ez_plain none = { 0 };
    while (k->values->at.n <= i)
        EZ_PUSH(&k->values->at, none);
    free((char *)k->values->at.at[i].text);
    k->values->at.at[i] = condition_value(v);
    c->item.at[i].found = true;
}

void ez_condition_keep(struct ez_condition *c, const struct ez_event_data *d,
                       struct ez_kept_values *values)
{
    struct keeping k = { c, values };
    if (c->item.n && d)
        ez_items_values(d->items, d->is_exit, d->word, d->n, condition_keep, &k);
}

void ez_kept_values_clear(struct ez_kept_values *values)
{
    for (size_t i = 0; i < values->at.n; i++)
        free((char *)values->at.at[i].text);
    values->at.n = 0;
}

void ez_kept_values_free(struct ez_kept_values *values)
{
    ez_kept_values_clear(values);
    EZ_VEC_FREE(&values->at);
}

/* ---- evaluate ------------------------------------------------------------------------------- */

static ez_err *condition_variable(void *arg, const struct ez_expr *x, struct ez_plain *out)
{
    const struct call *k = arg;
    const struct use *u = k->c->use.at;
    while (u->x != x)
        u++;
    *out = (struct ez_plain){ 0 };
    if (u->known < EZ_ARRAY_LEN(known))
        *out = known[u->known].value(k);
    else if (u->item < k->values->at.n)
        *out = k->values->at.at[u->item];
    return NULL;
}

ez_err *ez_condition_holds(const struct ez_condition *c, const struct ez_model *m,
                           const struct ez_item *it, uint32_t depth,
                           const struct ez_kept_values *values, bool *out)
{
    struct call k = { c, m, it, depth, values };
    return ez_plain_holds(c->x, EZ_PLAIN_LENIENT, condition_variable, &k, out);
}

ez_err *ez_condition_missing(const struct ez_condition *c)
{
    for (size_t i = 0; i < c->item.n; i++)
        if (!c->item.at[i].found)
            return ez_err_hint(ez_err_new(EZ_E_NOTFOUND, 0,
                                          "No probe in the trace collected \"%s\"",
                                          c->item.at[i].name),
                               "\"stats\" lists the collected values; duration, thread, process, "
                               "rank, depth, function and library are always there");
    return NULL;
}
