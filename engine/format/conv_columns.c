/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_columns.c - collected values as columns of a table (conv_columns.h).
 * Tests: tests/unit/trace/check_values.c */
#include "engine/format/conv_columns.h"

#include <string.h>

#include "engine/format/conv_values.h"

/* ---- headings ----------------------------------------------------------------------- */

static bool columns_has_heading(const struct ez_conv_columns *c, const char *const *taken, size_t n,
                                const char *heading)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(taken[i], heading))
            return true;
    for (size_t i = 0; i < c->heading.n; i++)
        if (!strcmp(c->heading.at[i], heading))
            return true;
    return false;
}

static uint64_t columns_key(const char *name, bool is_exit)
{
    return ez_hash_pair(ez_hash_key(EZ_HASH_SEED, name), is_exit);
}

/* Returns true if item i of the model's `collected` has this name and is collected at this end of a
 * call. */
static bool columns_is(const struct ez_conv_columns *c, size_t i, const char *name, bool is_exit)
{
    const struct ez_collected *k = &c->m->collected.at[i];
    return k->is_exit == is_exit && !strcmp(k->name, name);
}

/* Returns the column of an item, or the number of columns if it has none. */
static size_t columns_find(const struct ez_conv_columns *c, const char *name, bool is_exit)
{
    size_t i;
    if (!ez_hash_get(&c->by_name, columns_key(name, is_exit), &i))
        return c->heading.n;
    if (columns_is(c, i, name, is_exit))
        return i;
    for (i = 0; i < c->heading.n && !columns_is(c, i, name, is_exit);)
        i++; /* two names with the same hash */
    return i;
}

void ez_conv_columns_init(struct ez_conv_columns *c, const struct ez_model *m,
                          const char *const *taken, size_t n)
{
    *c = (struct ez_conv_columns){ .m = m };
    for (size_t i = 0; i < m->collected.n; i++) {
        const struct ez_collected *k = &m->collected.at[i];
        ez_hash_put(&c->by_name, columns_key(k->name, k->is_exit), i);
    }
    for (size_t i = 0; i < m->collected.n; i++) {
        const struct ez_collected *k = &m->collected.at[i];
        size_t other;
        bool both = k->is_exit && ez_hash_get(&c->by_name, columns_key(k->name, false), &other);
        char *text = ez_sprintf("%s%s", both ? "return " : "", k->name);
        for (unsigned number = 2; columns_has_heading(c, taken, n, text); number++) {
            free(text);
            text = ez_sprintf("%s%s#%u", both ? "return " : "", k->name, number);
        }
        EZ_PUSH(&c->heading, text);
    }
    c->cell = ez_alloc((m->collected.n + 1) * sizeof *c->cell);
}

/* ---- values ------------------------------------------------------------------------- */

static void columns_drop(struct ez_conv_cells *cells, size_t n)
{
    while (cells->at.n > n)
        free(cells->at.at[--cells->at.n].text);
}

struct columns_reader { /* where columns_add() puts the values of an item */
    struct ez_conv_columns *c;
    struct ez_conv_cells *to;
    const struct ez_item *it;
};

static void columns_add(void *arg, const struct ez_item_value *v, const char *text)
{
    struct columns_reader *r = arg;
    size_t i = columns_find(r->c, v->item->name, r->it->data->is_exit);
    double number;
    if (i == r->c->heading.n) {
        r->c->left_out++;
        return;
    }
    bool wide = v->item->type == EZ_IT_INT128 || v->item->type == EZ_IT_UINT128;
    struct ez_conv_cell cell = { .column = (uint32_t)i,
                                 .depth = r->it->depth,
                                 .text = ez_conv_string(v, text),
                                 .number = v->state == EZ_V_GOOD &&
                                           (wide || ez_item_number(v, &number)) };
    EZ_PUSH(&r->to->at, cell);
}

static void columns_read(struct ez_conv_columns *c, struct ez_conv_cells *to,
                         const struct ez_item *it)
{
    struct columns_reader r = { c, to, it };
    ez_event_data_each(it->data, columns_add, &r);
}

/* Returns the number of the container's values that belong to calls around the item's call. */
static size_t columns_around(const struct ez_conv_cells *open, uint32_t depth)
{
    size_t n = open->at.n;
    while (n && open->at.at[n - 1].depth >= depth)
        n--;
    return n;
}

/* Moves the values that the call's entry has collected to the row. */
static void columns_end_call(struct ez_conv_columns *c, struct ez_conv_cells *open, uint32_t depth)
{
    size_t first = columns_around(open, depth), n = first;
    while (n < open->at.n && open->at.at[n].depth == depth) {
        EZ_PUSH(&c->row.at, open->at.at[n]);
        open->at.at[n++].text = NULL;
    }
    columns_drop(open, first);
}

void ez_conv_columns_item(struct ez_conv_columns *c, const struct ez_item *it)
{
    static const struct ez_conv_cells none;
    if (it->kind != EZ_I_PUSH && it->kind != EZ_I_POP && it->kind != EZ_I_EVENT)
        return;
    for (size_t i = 0; i < c->row.at.n; i++)
        c->cell[c->row.at.at[i].column] = NULL;
    columns_drop(&c->row, 0);
    while (c->open.n <= it->container)
        EZ_PUSH(&c->open, none);
    struct ez_conv_cells *open = &c->open.at[it->container];
    if (it->kind == EZ_I_PUSH) { /* Drops the values of an earlier call that got no POP. */
        columns_drop(open, columns_around(open, it->depth));
        columns_read(c, open, it);
        return;
    }
    if (it->kind == EZ_I_POP)
        columns_end_call(c, open, it->depth);
    columns_read(c, &c->row, it);
    for (size_t i = 0; i < c->row.at.n; i++)
        c->cell[c->row.at.at[i].column] = &c->row.at.at[i];
}

void ez_conv_columns_free(struct ez_conv_columns *c)
{
    for (size_t i = 0; i < c->open.n; i++) {
        columns_drop(&c->open.at[i], 0);
        EZ_VEC_FREE(&c->open.at[i].at);
    }
    columns_drop(&c->row, 0);
    EZ_VEC_FREE(&c->row.at);
    EZ_VEC_FREE(&c->open);
    for (size_t i = 0; i < c->heading.n; i++)
        free(c->heading.at[i]);
    EZ_VEC_FREE(&c->heading);
    ez_hash_free(&c->by_name);
    free(c->cell);
    *c = (struct ez_conv_columns){ .m = NULL };
}
