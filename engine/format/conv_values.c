/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_values.c - keeps the values of a call's entry until the call ends (conv_values.h).
 * Tests: tests/unit/format/check_formats.c */
#include "engine/format/conv_values.h"

#include "engine/base/strutil.h"

static void values_grow(struct ez_conv_values *v, uint32_t container)
{
    size_t n = EZ_MAX(2 * v->n, container + (size_t)16);
    struct ez_conv_values_of *of = ez_alloc(n * sizeof *of);
    for (size_t i = 0; i < v->n; i++)
        of[i] = v->of[i];
    free(v->of);
    v->of = of;
    v->n = n;
}

static void values_keep(struct ez_conv_values *v, const struct ez_item *it, char *text)
{
    if (it->container >= v->n)
        values_grow(v, it->container);
    struct ez_conv_values_of *of = &v->of[it->container];
    while (of->entry.n <= it->depth)
        EZ_PUSH(&of->entry, NULL);
    free(of->entry.at[it->depth]);
    of->entry.at[it->depth] = text;
}

/* Removes and returns the values that were kept from the entry of the item's call, or returns NULL.
 * The caller frees the text. */
static char *values_end(struct ez_conv_values *v, const struct ez_item *it)
{
    if (it->container >= v->n || it->depth >= v->of[it->container].entry.n)
        return NULL;
    char **at = &v->of[it->container].entry.at[it->depth], *text = *at;
    *at = NULL;
    return text;
}

char *ez_conv_values(struct ez_conv_values *v, const struct ez_item *it)
{
    char *text = ez_event_data_text(it->data);
    if (it->kind == EZ_I_PUSH && text)
        values_keep(v, it, text);
    else if (it->kind == EZ_I_PUSH)
        free(values_end(v, it)); /* Drops the values of an earlier call that got no POP. */
    if (it->kind == EZ_I_EVENT)
        return text;
    if (it->kind != EZ_I_POP)
        return NULL;
    char *entry = values_end(v, it);
    if (!entry || !text)
        return entry ? entry : text;
    char *both = ez_sprintf("%s %s", entry, text);
    free(entry);
    free(text);
    return both;
}

char *ez_conv_string(const struct ez_item_value *v, const char *text)
{
    if (v->state != EZ_V_GOOD || v->item->type != EZ_IT_TEXT || v->null)
        return ez_strdup(text);
    return ez_sprintf("%.*s%s", (int)v->len, (const char *)(v->word + 1), v->cut ? "..." : "");
}

void ez_conv_values_free(struct ez_conv_values *v)
{
    for (size_t i = 0; i < v->n; i++) {
        for (size_t k = 0; k < v->of[i].entry.n; k++)
            free(v->of[i].entry.at[k]);
        EZ_VEC_FREE(&v->of[i].entry);
    }
    free(v->of);
    *v = (struct ez_conv_values){ 0 };
}
