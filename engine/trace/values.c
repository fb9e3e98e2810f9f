/* SPDX-License-Identifier: GPL-3.0-or-later */
/* values.c - makes a table of the numbers that probes collected (values.h). */
#include "engine/trace/values.h"

#include <math.h>
#include <string.h>

#include "engine/base/hash.h"
#include "engine/base/strutil.h"

struct acc {
    uint32_t name;
    char *item;
    long double sum; /* a sum of integers is exact up to 2^64 */
    struct ez_value_row row;
};

struct ez_values_priv {
    struct ez_values pub; /* must be first */
    const struct ez_model *m;
    const struct ez_item *it; /* item whose values are being read */
    struct ez_hash rows;      /* hash of function, entry or exit, and item -> index in `acc` */
    EZ_VEC(struct acc) acc;
    EZ_VEC(struct ez_value_row) table;
};

struct ez_values *ez_values_create(const struct ez_model *m)
{
    struct ez_values_priv *v = ez_alloc(sizeof *v);
    v->m = m;
    return &v->pub;
}

void ez_values_free(struct ez_values *values)
{
    struct ez_values_priv *v = (struct ez_values_priv *)values;
    if (!v)
        return;
    for (size_t i = 0; i < v->acc.n; i++)
        free(v->acc.at[i].item);
    EZ_VEC_FREE(&v->acc);
    EZ_VEC_FREE(&v->table);
    ez_hash_free(&v->rows);
    free(v);
}

static struct acc *values_of(struct ez_values_priv *v, const char *item)
{
    uint32_t name = v->it->name;
    bool at_exit = v->it->data->is_exit;
    uint64_t h = ez_hash_key(EZ_HASH_SEED + 2ull * name + at_exit, item);
    for (;; h++) {
        size_t i = ez_hash_put(&v->rows, h, v->acc.n);
        if (i == v->acc.n)
            EZ_PUSH(&v->acc,
                    ((struct acc){
                        .name = name, .item = ez_strdup(item), .row = { .at_exit = at_exit } }));
        struct acc *a = &v->acc.at[i];
        if (a->name == name && a->row.at_exit == at_exit && !strcmp(a->item, item))
            return a;
    }
}

static void values_add(const struct ez_item_value *value, void *arg)
{
    struct acc *a = values_of(arg, value->item->name);
    double d;
    if (!ez_item_number(value, &d) || !isfinite(d)) {
        a->row.other++;
        return;
    }
    a->row.min = a->row.count ? EZ_MIN(a->row.min, d) : d;
    a->row.max = a->row.count ? EZ_MAX(a->row.max, d) : d;
    a->sum += d;
    a->row.count++;
}

ez_err *ez_values_item(void *values, const struct ez_item *it)
{
    struct ez_values_priv *v = values;
    const struct ez_event_data *d = it->kind <= EZ_I_EVENT ? it->data : NULL;
    v->it = it;
    if (d)
        ez_items_values(d->items, d->is_exit, d->word, d->n, values_add, v);
    return NULL;
}

void ez_values_table(struct ez_values *values)
{
    struct ez_values_priv *v = (struct ez_values_priv *)values;
    v->table.n = 0;
    for (size_t i = 0; i < v->acc.n; i++) {
        struct ez_value_row r = v->acc.at[i].row;
        r.function = v->m->name.at[v->acc.at[i].name].text;
        r.library = v->m->name.at[v->acc.at[i].name].group;
        r.item = v->acc.at[i].item;
        r.sum = (double)v->acc.at[i].sum;
        EZ_PUSH(&v->table, r);
    }
    values->row = v->table.at;
    values->n = v->table.n;
}
